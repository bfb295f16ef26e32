// RUN: tile-opt --tile-gpu-print-conversions --verify-only %s 2>&1 | FileCheck %s
// RUN: sed s/sm_90a/sm_80/ %s | tile-opt --tile-gpu-print-conversions --verify-only 2>&1 | FileCheck %s --check-prefix=OLDER

// How accumulators get to where they are stored from.

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [8, 1], instr_shape = [64, 128]}>
#row = #tile_gpu.blocked<{size_per_thread = [1, 8], threads_per_warp = [2, 16], warps_per_cta = [8, 1], order = [1, 0]}>
#wide = #tile_gpu.blocked<{size_per_thread = [1, 8], threads_per_warp = [1, 32], warps_per_cta = [8, 1], order = [1, 0]}>
#space = #tile_gpu.swizzled<{vec = 8, per_phase = 1, max_phase = 8, order = [1, 0]}>
#tall = #tile_gpu.mma<{version = 3, warps_per_cta = [8, 1], instr_shape = [64, 256]}>
module attributes {tile_gpu.num_warps = 8 : i32, tile_gpu.target = "sm_90a"} {

// A warp has 16 rows, and stores 1 to 16 others: few registers have the same elements on both sides. By stmatrix a
// warp stores whole rows of 16 bytes; without it, words.
// CHECK: :[[#@LINE+3]]:8: remark: conversion: shared memory, 32768 bytes; stores of matrices, rows of 16 bytes: 4 wavefronts, least 4; loads of 16 bytes: 4 wavefronts, least 4
// OLDER: remark: conversion: shared memory, 32768 bytes; stores of 4 bytes: 1 wavefront, least 1; loads of 4 bytes: 1 wavefront, least 1
func.func private @halves(%x: tensor<128x128xf16, #acc>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<128x128xf16, #acc>) -> tensor<128x128xf16, #row>
  return
}

// Matrices are of 2-byte elements.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: shared memory, {{.*}}; stores of {{[0-9]+}} bytes
func.func private @words(%x: tensor<128x128xf32, #acc>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #row>
  return
}

// More than 32 KiB go in rounds,
// CHECK: :[[#@LINE+2]]:8: remark: conversion: shared memory, 32768 bytes, 2 chunks;
func.func private @large(%x: tensor<128x256xf16, #tall>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<128x256xf16, #tall>) -> tensor<128x256xf16, #wide>
  return
}

// unless a buffer that is not used any more leaves its place: the kernel takes no more for it.
// CHECK: :[[#@LINE+4]]:8: remark: conversion: shared memory, 65536 bytes; stores of matrices
func.func private @after_a_buffer(%x: tensor<128x256xf16, #tall>) -> tensor<128x256xf16, #wide> {
  %m = "tile_gpu.alloc"(%x) : (tensor<128x256xf16, #tall>) -> memref<128x256xf16, #space>
  %z = "tile_gpu.local_load"(%m) : (memref<128x256xf16, #space>) -> tensor<128x256xf16, #wide>
  %y = "tile_gpu.convert_layout"(%x) : (tensor<128x256xf16, #tall>) -> tensor<128x256xf16, #wide>
  %s = arith.addf %y, %z : tensor<128x256xf16, #wide>
  return %s : tensor<128x256xf16, #wide>
}

// CHECK: :[[#@LINE+3]]:8: remark: conversion: shared memory, 32768 bytes, 2 chunks;
func.func private @before_its_last_use(%x: tensor<128x256xf16, #tall>) -> tensor<128x256xf16, #wide> {
  %m = "tile_gpu.alloc"(%x) : (tensor<128x256xf16, #tall>) -> memref<128x256xf16, #space>
  %y = "tile_gpu.convert_layout"(%x) : (tensor<128x256xf16, #tall>) -> tensor<128x256xf16, #wide>
  %z = "tile_gpu.local_load"(%m) : (memref<128x256xf16, #space>) -> tensor<128x256xf16, #wide>
  %s = arith.addf %y, %z : tensor<128x256xf16, #wide>
  return %s : tensor<128x256xf16, #wide>
}
}
