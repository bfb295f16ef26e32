#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The cache and the two ways to a cubin, release build: three kernels of test/kernels, compiled,
# found on disk, and found in memory; cubins by nvJitLink in process and by ptxas as a child, where
# the CUDA Toolkit is installed; then from disk to the first launch, and how long a program with an
# ahead-of-time kernel takes, on a GPU or the null device. Fails above 5 ms from disk, and 2 ms for
# the start.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(scripts/build.sh release gcc)
grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //'
measure() {
  "$folder/bench/cache_time" test/kernels/vector_add.py add_kernel "$vector_add"
  "$folder/bench/cache_time" test/kernels/softmax.py softmax_row_kernel "$softmax"
  "$folder/bench/cache_time" test/kernels/matmul.py matmul_kernel "$matmul"
}
vector_add='*fp32:16, *fp32:16, *fp32:16, i32, 1024'
softmax='*fp32:16, *fp32:16, i32:16, i32:16, i32, 4096'
matmul='*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, 1, i32:16, 1, i32:16, 1, '
matmul+='128, 128, 64, 8, None'
ptxas=$(command -v ptxas || echo "${CUDA_HOME:-/usr/local/cuda}/bin/ptxas")
echo "cubins by $ptxas as a child:" && TILE_PTXAS=$ptxas measure
for library in "${CUDA_HOME:-/usr/local/cuda}"/lib64/libnvJitLink.so.1[23]; do
  [ ! -e "$library" ] || { echo "cubins by $library:" && TILE_NVJITLINK=$library measure; }
done
device=null
! "$folder/bench/start_time" --device cuda --runs 1 --limit-ms 1e9 >/dev/null 2>&1 || device=cuda
echo "from disk to the first launch, and from start to end, on the device '$device':"
for kernel in vector_add:add_kernel:"$vector_add" softmax:softmax_row_kernel:"$softmax" \
  matmul:matmul_kernel:"$matmul"; do
  IFS=: read -r file name signature <<<"$kernel"
  "$folder/bench/cache_time" "test/kernels/$file.py" "$name" "$signature" --device $device
done
"$folder/bench/start_time" --device $device
