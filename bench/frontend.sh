#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The front end's time and memory, release build: a file of 1,000 lines, half of them one kernel; a
# kernel of 1,000 lines; and vector addition from the Triton language to PTX as a whole process.
# Fails over the limits.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(scripts/build.sh release gcc)
grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //'
"$folder/bench/frontend_time" --limit-ms 5 --limit-mb 20
"$folder/bench/frontend_time" --dense
"$folder/bench/process_time" --limit-ms 25 "$folder/bin/tile-translate" --tile-to-ptx \
  test/kernels/vector_add.py --kernel add_kernel \
  --signature '*fp32:16, *fp32:16, *fp32:16, i32, 1024' -o /dev/null
