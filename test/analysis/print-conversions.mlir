// RUN: tile-opt --tile-gpu-print-conversions --verify-only %s 2>&1 | FileCheck %s

// How data moves between layouts; "wavefronts" above "least" would be bank conflicts.

#row = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#column = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]}>
#narrow = #tile_gpu.blocked<{size_per_thread = [1, 1], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [1, 0]}>
#pairs = #tile_gpu.blocked<{size_per_thread = [1, 2], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [1, 0]}>
#tall = #tile_gpu.blocked<{size_per_thread = [64, 1], threads_per_warp = [1, 32], warps_per_cta = [1, 4], order = [0, 1]}>
#product = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 32]}>
#operand = #tile_gpu.dot_operand<{index = 0, parent = #product, k_width = 4}>
module attributes {tile_gpu.num_warps = 4 : i32} {

// A transposition: rows are written, columns read, neither with conflicts.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: shared memory, 2048 bytes; stores of 4 bytes: 1 wavefront, least 1; loads of 4 bytes: 1 wavefront, least 1
func.func private @transposition(%x: tensor<16x32xf32, #row>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<16x32xf32, #row>) -> tensor<16x32xf32, #column>
  return
}

// A larger tile repeats, and both sides have registers in common: an access takes four of those. 16 bytes of
// 32 lanes are 512 bytes, four times what the banks give at once.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: shared memory, 16384 bytes; stores of 16 bytes: 4 wavefronts, least 4; loads of 16 bytes: 4 wavefronts, least 4
func.func private @larger(%x: tensor<64x64xf32, #row>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<64x64xf32, #row>) -> tensor<64x64xf32, #column>
  return
}

// A word holds four bytes: of the writer's registers, so it stores words, and several lanes load from one.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: shared memory, 512 bytes; stores of 4 bytes: 1 wavefront, least 1; loads of 1 bytes: 1 wavefront, least 1
func.func private @bytes(%x: tensor<16x32xi8, #row>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<16x32xi8, #row>) -> tensor<16x32xi8, #column>
  return
}

// Rows of four to rows of one: whole rows stay in their warp, so lanes pass them on.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: {{[0-9]+}} shuffles and {{[0-9]+}} selects a thread
func.func private @in_a_warp(%x: tensor<4x64xf32, #pairs>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<4x64xf32, #pairs>) -> tensor<4x64xf32, #narrow>
  return
}

// Bytes go four at a time: a thread has two neighbours of two rows, and wants four of a row.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: 4 shuffles and 8 selects a thread, of 4 elements each
func.func private @words(%x: tensor<64x32xf8E4M3FN, #product>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<64x32xf8E4M3FN, #product>) -> tensor<64x32xf8E4M3FN, #operand>
  return
}

// Of a warp's two rows, 16 bits of each.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: 2 shuffles and 4 selects a thread, of 2 elements each
func.func private @halves(%x: tensor<8x64xf16, #pairs>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<8x64xf16, #pairs>) -> tensor<8x64xf16, #narrow>
  return
}

// What each lane wants whole is loaded by all at once, 16 bytes at a time; shuffles would be 64.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: shared memory
func.func private @to_all(%x: tensor<64xf32, #tile_gpu.slice<{axis = 0, parent = #pairs}>>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<64xf32, #tile_gpu.slice<{axis = 0, parent = #pairs}>>) -> tensor<64xf32, #tile_gpu.slice<{axis = 1, parent = #tall}>>
  return
}

// The layouts have different names only.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: registers renamed
func.func private @renamed(%x: tensor<4x32xf32, #narrow>) {
  %y = "tile_gpu.convert_layout"(%x) : (tensor<4x32xf32, #narrow>) -> tensor<4x32xf32, #narrow>
  return
}

// Along rows a warp has all it needs; down the columns the four warps each bring one value.
// CHECK: :[[#@LINE+3]]:8: remark: within threads and warps
// CHECK: remark: between warps: shared memory, 512 bytes; stores of 4 bytes: 1 wavefront, least 1; loads of 4 bytes: 1 wavefront, least 1
func.func private @sums(%x: tensor<16x32xf32, #narrow>) {
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x32xf32, #narrow>) -> tensor<16xf32, #tile_gpu.slice<{axis = 1, parent = #narrow}>>
  %s = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x32xf32, #narrow>) -> tensor<32xf32, #tile_gpu.slice<{axis = 0, parent = #narrow}>>
  return
}

// A reshape and a permutation leave everything where it is when the result's layout says so.
// CHECK: :[[#@LINE+2]]:8: remark: conversion: registers renamed
func.func private @relabelled(%x: tensor<64x64xf32, #row>) {
  %y = "tile.permute"(%x) {order = array<i32: 1, 0>} : (tensor<64x64xf32, #row>) -> tensor<64x64xf32, #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]}>>
  return
}
}
