# SPDX-License-Identifier: MIT
# interoperation.sh SOURCE BUILD WORK CC: builds and runs examples/interoperation; exit code 77 is
# "no GPU".
set -e
folder=$1/examples/interoperation
flags="-std=c17 -Wall -Wextra -Werror -I $1/include"
libraries="-L $2/lib -ltile -ltile_runtime -lm -pthread -Wl,-rpath,$2/lib"
cuda=/usr/local/cuda
mkdir -p "$3"
for name in threads two_devices persistent; do
  $4 $flags "$folder/$name.c" $libraries -o "$3/$name"
  "$3/$name" "$folder/kernels.py"
done
[ -f $cuda/include/cublas_v2.h ] && [ -f $cuda/lib64/libcublas.so ] || exit 0
for name in cuda_runtime graph cublas; do
  $4 $flags -isystem $cuda/include "$folder/$name.c" $libraries -L $cuda/lib64 -lcudart -lcublas \
    -Wl,-rpath,$cuda/lib64 -o "$3/$name"
  code=0
  "$3/$name" "$folder/kernels.py" || code=$?
  [ $code = 0 ] || [ $code = 77 ]
done
