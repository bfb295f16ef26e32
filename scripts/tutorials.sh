#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles the tutorial kernels to PTX and runs them with the tools of a finished release build, on
# a GPU where there is one, checked against references. The second half of quickstart.sh; needs no
# packages.
#   scripts/tutorials.sh [BUILD_FOLDER]                     build/release
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/release}
bin=$folder/bin
[ -x "$bin/tile-run" ] || {
  echo "$0: no $bin/tile-run; build first: scripts/build.sh release" >&2
  exit 1
}

mkdir -p "$folder/ptx"
compile() { # FILE KERNEL SIGNATURE [FLAG ...]: a kernel in the Triton language
  "$bin/tile-translate" --tile-to-ptx "test/kernels/$1.py" --kernel "$2" --signature "$3" "${@:4}" \
    -o "$folder/ptx/$1.ptx"
  echo "  $1.py: $2"
}
echo "Compiling the tutorial kernels to PTX ..."
compile vector_add add_kernel '*fp32:16, *fp32:16, *fp32:16, i32, 1024'
compile softmax softmax_row_kernel '*fp32:16, *fp32:16, i32:16, i32:16, i32:16, 1024'
compile layer_norm layer_norm_loop_kernel \
  '*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, i32:16, fp32, 1024'
compile rotary rope_heads_kernel '*fp16:16, i32:16, *fp16:16, i32:16, *fp16:16, i32:16, i32' \
  --constexpr HEAD_DIM=128 --constexpr HEADS=32 --constexpr BACKWARD=False --constexpr BLOCK=64

echo "Running vector addition, n = 98432, on a GPU if there is one, else on the emulator ..."
"$bin/tile-run" test/kernels/vector_add.mlir -v --grid 97 \
  --arg 'x=fp32[98432]:rand' --arg 'y=fp32[98432]:rand' --arg 'out=fp32[98432]:poison' \
  --arg n=i32:98432 --print x:4 --print y:4 --print out:4 2>"$folder/device.txt" ||
  { cat "$folder/device.txt" >&2; exit 1; }
device=$(sed -n 's/^tile-run: note: device //p' "$folder/device.txt")
echo "It ran on: $device"
echo "Comparing with the double-precision reference (emulator with all checks on; GPU if there) ..."
"$folder/test/kernel_vector_add"
"$folder/test/kernel_rows"
echo
echo "PTX:    $folder/ptx/"
echo "Device: $device"
echo "Next:   $bin/tile-translate --help, $bin/tile-run --help, README.md"
