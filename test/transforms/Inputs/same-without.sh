# SPDX-License-Identifier: MIT
# same-without.sh PASS FILE TEMPORARY KERNEL SIGNATURE FLAGS: runs the kernel with the pass and
# without it, on the emulator with all checks, with several numbers of warps; its result, which is
# named out, is the same, bit for bit.
set -e
pass=$1 file=$2 temporary=$3 kernel=$4 signature=$5
shift 5
for warps in 1 4 8; do
  for skipped in "" "$pass"; do
    env TILE_SKIP_PASSES="$skipped" tile-run "$file" --device emulator --check --kernel "$kernel" \
      --signature "$signature" --num-warps $warps "$@" --save out="$temporary.without$skipped.npy"
  done
  cmp "$temporary.without.npy" "$temporary.without$pass.npy"
done
