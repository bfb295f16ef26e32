#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What bounds products and attention on a GPU, ours and cuBLAS's and cuDNN's, by Nsight Compute
# (ncu): tensor cores, L2, DRAM, issue slots, and what warps wait for, a column a kernel.
#   bench/profile.sh [BUILD_FOLDER [OUT [CASE ...]]]   build/release, build/bench-profile; cases as
#                                                      matmul/best:1536 or attention/causal:128x4096
# Needs ncu ($NCU), and python3 (or $PYTHON) with PyTorch and Triton. OUT/profile.txt is the table.
set -euo pipefail
cd "$(dirname "$0")/.."
export BUILD=${1:-build/release}
out=${2:-build/bench-profile}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- matmul/best:1536 matmul/best:3072 matmul/best:4096 \
  matmul/odd:1000x1000x1000 matmul/odd:5000x5000x5000 matmul/odd:2000x3000x1000 \
  attention/causal:64x4096 \
  attention/causal:128x4096 attention/full:128x4096 attention/backward:128x4096 \
  attention/backward_causal:128x4096
python=${PYTHON:-python3}
mkdir -p "$out"
: >"$out/manifest.txt"
words=()
for name in matmul attention; do
  cases=()
  for case in "$@"; do
    [ "${case%%/*}" != $name ] || cases+=("${case#*/}")
  done
  [ ${#cases[@]} -gt 0 ] || continue
  "$python" "bench/peers/$name.py" "$out/$name" --alone "${cases[@]}"
  cat "$out/$name/manifest.txt" >>"$out/manifest.txt"
  find "$out/$name" -name '*.bin' -exec cp -t "$out" {} + # what buffers are filled with
  words+=("${cases[@]/#/$name/}")
done
exec "$python" bench/peers/profile.py "$out/manifest.txt" "$out" "${words[@]}"
