# SPDX-License-Identifier: MIT
# same-for-stages.sh FILE TEMPORARY KERNEL SIGNATURE "STAGES..." FLAGS: runs the kernel with each
# number of stages, its last parameter, on the emulator with all checks and another seed each; the
# output named last is always the same.
set -e
file=$1 temporary=$2 kernel=$3 signature=$4 all=$5
shift 5
for word in "$@"; do
  case $word in *=fp32*) output=${word%%=*} ;; esac
done
for stages in $all; do
  tile-run "$file" --device emulator --kernel "$kernel" --signature "$signature, $stages" "$@" \
    --check --seed "$stages" --save "$output=$temporary.$stages.npy"
  cmp "$temporary.$stages.npy" "$temporary.1.npy"
done
