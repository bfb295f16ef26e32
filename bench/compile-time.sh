#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compile time and memory of the tutorial kernels, whole process, release build, one core.
# docs/performance.md quotes what this prints.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(scripts/build.sh release gcc)
grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //'
echo "libtile: $(stat -Lc %s "$folder/lib/libtile.so") bytes, stripped"
for kernel in vector_add vector_add_blocks elementwise; do
  printf '%-18s to PTX   ' "$kernel"
  "$folder/bench/process_time" "$folder/bin/tile-translate" --tile-to-ptx \
    "test/kernels/$kernel.mlir" -o /dev/null
done
printf '%-18s emulated ' vector_add
"$folder/bench/process_time" "$folder/bin/tile-run" test/kernels/vector_add.mlir --grid 97 \
  --arg 'x=fp32[98432]:rand' --arg 'y=fp32[98432]:rand' --arg 'out=fp32[98432]:zeros' \
  --arg n=i32:98432
