# SPDX-License-Identifier: MIT
# What a generated function computes on the emulator is bit for bit what tile-run does, with a
# kernel compiled in the process. same-results.sh SOURCE BUILD INPUTS FOLDER CC CFLAGS...
set -eu
source=$1 build=$2 inputs=$3 folder=$4 cc=$5
shift 5
flags=$*
cd "$folder"

# same NAME FILE KERNEL SIGNATURE 'FLAGS' GRID 'BUFFERS name=type[shape]:fill ..., the output last'
# 'SCALARS' CALL
same() {
  arguments= saves= files=
  for buffer in $7; do
    arguments="$arguments --arg $buffer" name=${buffer%%=*}
    saves="$saves --save $name=$name.after.npy" files="$files $name.raw"
  done
  # shellcheck disable=SC2086
  tile-run "$source/test/kernels/$2" --cache off --device emulator --kernel "$3" \
    --signature "$4" $5 --grid "$6" $arguments $8 $saves
  for buffer in $7; do # kernels leave what they read as it is; the last buffer begins with zeros
    name=${buffer%%=*}
    raw "$name.after.npy" "$name.after"
    cp "$name.after" "$name.raw"
  done
  head -c "$(wc -c <"$name.after")" /dev/zero >"$name.raw"
  # shellcheck disable=SC2086
  tile-translate --tile-to-c -o k "$source/test/kernels/$2" --kernel "$3" --c-name k \
    --signature "$4" $5 --grid "$6" --embed emulator
  # shellcheck disable=SC2086
  "$cc" -std=c17 $flags -DCALL="$9" -I "$source/include" -I . "$inputs/emulate.c" k.c \
    -L "$build/lib" -ltile -ltile_runtime -Wl,-rpath,"$build/lib" -o main
  # shellcheck disable=SC2086
  ./main $files
  for buffer in $7; do
    name=${buffer%%=*}
    cmp "$name.after" "$name.raw.out"
  done
  if cmp -s "$name.raw" "$name.after"; then
    echo "$1: wrote nothing"
  fi
  echo "$1: the same"
}

# The data of an .npy file: after 10 bytes and a header, whose length they end with.
raw() {
  length=$(od -An -tu2 -j8 -N2 "$1" | tr -d ' ')
  tail -c +$((length + 11)) "$1" >"$2"
}

same add vector_add.py add_kernel '*fp32:16, *fp32:16, *fp32:16, i32, 1024' '' 3 \
  'x_ptr=fp32[3000]:rand y_ptr=fp32[3000]:rand output_ptr=fp32[3000]:zeros' \
  '--arg n_elements=i32:3000' \
  'k(device, NULL, a[0], a[1], a[2], 3000)'
same softmax softmax.py softmax_row_kernel '*fp32:16, *fp32:16, i32, i32, i32, 1024' '' 4 \
  'in_ptr=fp32[4,1000]:rand out_ptr=fp32[4,1000]:zeros' \
  '--arg in_stride=i32:1000 --arg out_stride=i32:1000 --arg width=i32:1000' \
  'k(device, NULL, a[1], a[0], 1000, 1000, 1000)'
for each in 1:2 2:16; do # a configuration, and its grid
  config=${each%:*}
  same "matmul $config" matmul.py matmul_kernel \
    '*fp16:16, *fp16:16, *fp16:16, i32:16, i32:16, i32:16, i32:16, 1, i32:16, 1, i32:16, 1' \
    "--config $config --constexpr ACTIVATION=''" "${each#*:}" \
    'a_ptr=fp16[128,64]:rand b_ptr=fp16[64,128]:rand c_ptr=fp16[128,128]:zeros' \
    '--arg M=i32:128 --arg N=i32:128 --arg K=i32:64
     --arg stride_am=i32:64 --arg stride_bk=i32:128 --arg stride_cm=i32:128' \
    'k(device, NULL, a[0], a[1], a[2], 128, 128, 64, 64, 128, 128)'
done
