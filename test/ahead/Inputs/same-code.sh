# SPDX-License-Identifier: MIT
# The code that a device gets from a generated function is, byte for byte, what it gets in process
# (tile-run), and so are the launches. same-code.sh SOURCE BUILD FOLDER CC CFLAGS...; a fake libcuda
# writes both down.
set -eu
source=$1 build=$2 folder=$3 cc=$4
shift 4
flags=$*
export TILE_LIBCUDA=$build/test/libfake_cuda.so
cd "$folder"

# same NAME FILE KERNEL SIGNATURE 'FLAGS' 'GRID' 'ARGUMENTS OF tile-run' 'ARGUMENTS IN C'
same() {
  rm -f process.log ahead.log
  # shellcheck disable=SC2086
  FAKE_CUDA_LOG=process.log tile-run "$source/test/kernels/$2" --cache off --device cuda \
    --kernel "$3" --signature "$4" $5 --grid "$6" $7 >/dev/null
  # shellcheck disable=SC2086
  tile-translate --tile-to-c -o k "$source/test/kernels/$2" --kernel "$3" --c-name kernel \
    --signature "$4" $5 --grid "$6"
  cat >main.c <<END
#include <stdio.h>
#include "k.h"
int main(void) {
  tile_device *device;
  tile_status status = tile_device_open(tile_cuda_driver(), 0, &device);
  if (!status)
    status = kernel(device, NULL, $8);
  fputs(tile_status_message(status), stderr);
  if (!status)
    tile_device_close(device);
  return status != NULL;
}
END
  # shellcheck disable=SC2086
  "$cc" -std=c17 $flags -I "$source/include" main.c k.c -L "$build/lib" -ltile_runtime \
    -Wl,-rpath,"$build/lib" -o main
  FAKE_CUDA_LOG=ahead.log ./main
  for log in process ahead; do # the buffers of a tensor map lie elsewhere
    sed -i 's/^\(map .* base\) 0x[0-9a-f]*/\1/' "$log.log"
  done
  cmp process.log ahead.log
  echo "$1: $(grep -c '^launch' ahead.log) launch, $(grep -c . ahead.log) lines"
}
pointers() { for name in "$@"; do printf -- '--arg %s=%s[4096]:zeros ' "$name" "$type"; done; }
integers() { for name in "$@"; do printf -- '--arg %s=i32:4096 ' "$name"; done; }

type=fp32
same add vector_add.py add_kernel '*fp32:16, *fp32:16, *fp32:16, i32:16, 1024' '' 4 \
  "$(pointers x_ptr y_ptr output_ptr)$(integers n_elements)" '1024, 2048, 4096, 4096'
same softmax softmax.py softmax_row_kernel '*fp32:16, *fp32:16, i32:16, i32:16, i32:16, 1024' '' 8 \
  "$(pointers out_ptr in_ptr)$(integers in_stride out_stride width)" '1024, 2048, 4096, 4096, 4096'
type=fp16
for config in 0 1 2; do
  same "matmul $config" matmul.py matmul_kernel \
    '*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, 1, i32:16, 1, i32:16, 1' \
    "--config $config --constexpr ACTIVATION=''" 64 \
    "$(pointers a_ptr b_ptr c_ptr)$(integers M N K stride_am stride_bk stride_cm)" \
    '1024, 2048, 4096, 4096, 4096, 4096, 4096, 4096, 4096'
done
strides='i32:16, i32:16, i32:16, 1' n=4096
for config in 0 4 9; do
  same "attention $config" attention.py attention_fwd_kernel \
    "*fp16:16, *fp16:16, *fp16:16, fp32, *fp32:16, *fp16:16, $strides, $strides, $strides, $strides,
     i32, i32, i32:16" \
    "--config $config --constexpr HEAD_DIM=64 --constexpr CAUSAL=True" 32,4 \
    "$(pointers Q K V) --arg scale=fp32:0.5 --arg Lse=fp32[4096]:zeros $(pointers Out)
      $(integers stride_qz stride_qh stride_qm stride_kz stride_kh stride_kn stride_vz stride_vh \
      stride_vk stride_oz stride_oh stride_om Z H N_CTX)" \
    "16, 32, 48, 0.5f, 64, 80, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n"
done
