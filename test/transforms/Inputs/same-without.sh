# A kernel without a pass gives what it gives with it, bit for bit, and no thread meets another:
#   same-without.sh PASS FILE TEMPORARY KERNEL SIGNATURE arguments of tile-run, the result named out
set -e
pass=$1 file=$2 temporary=$3 kernel=$4 signature=$5
shift 5
for warps in 1 4 8; do
  tile-run "$file" --device emulator --check --kernel "$kernel" --signature "$signature" --num-warps $warps "$@" \
    --save out="$temporary.with.npy"
  TILE_SKIP_PASSES=$pass tile-run "$file" --device emulator --check --kernel "$kernel" --signature "$signature" \
    --num-warps $warps "$@" --save out="$temporary.without.npy"
  cmp "$temporary.with.npy" "$temporary.without.npy"
done
