# SPDX-License-Identifier: MIT
# waits-of-ptxas.sh FILE TEMPORARY KERNEL TYPES "SIZES"...: compiles the kernel with each list of
# sizes, with 4 and 8 warps, and says where ptxas puts waits of its own around wgmma, moves a fence
# or serialises (C75xx in its report).
set -e
file=$1 temporary=$2 kernel=$3 types=$4
shift 4
for sizes in "$@"; do
  for warps in 4 8; do
    tile-translate --tile-to-cubin -v "$file" --kernel "$kernel" --signature "$types, $sizes" \
      --num-warps "$warps" -o "$temporary.cubin" 2> "$temporary.log"
    grep -q 'Used [0-9]* registers' "$temporary.log"
    if grep C75 "$temporary.log"; then
      echo "$kernel with $sizes, $warps warps"
      exit 1
    fi
  done
done
