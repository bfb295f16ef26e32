// RUN: tile-opt --tile-gpu-print-conversions --verify-only %s 2>&1 | FileCheck %s

// Accesses of buffers in shared memory; "wavefronts" above "least" are bank conflicts.

#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [2, 2], instr_shape = [16, 8]}>
#a = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 2}>
#b = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 2}>
#wide = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 1}>
#row = #tile_gpu.blocked<{size_per_thread = [1, 8], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]}>
#swizzled = #tile_gpu.swizzled<{vec = 8, per_phase = 2, max_phase = 4, order = [1, 0]}>
#plain = #tile_gpu.swizzled<{vec = 8, per_phase = 1, max_phase = 1, order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {

// Rows of 64 bytes whose four chunks are permuted: eight rows of a matrix lie in different banks, and so does what eight
// threads copy.
// CHECK: :{{[0-9]+}}:8: remark: copies of 16 bytes: 4 wavefronts, least 4
// CHECK: :{{[0-9]+}}:8: remark: loads of matrices, rows of 16 bytes: 4 wavefronts, least 4
func.func private @operand(%p: tensor<128x32x!tile.ptr<f16>, #row>, %i: i32) -> tensor<128x32xf16, #a> {
  %m = "tile_gpu.alloc"() : () -> memref<3x128x32xf16, #swizzled>
  %s = "tile_gpu.index"(%m, %i) : (memref<3x128x32xf16, #swizzled>, i32) -> memref<128x32xf16, #swizzled>
  %t = "tile_gpu.async_copy"(%p, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<128x32x!tile.ptr<f16>, #row>, memref<128x32xf16, #swizzled>) -> !tile_gpu.token
  %x = "tile_gpu.local_load"(%s) : (memref<128x32xf16, #swizzled>) -> tensor<128x32xf16, #a>
  return %x : tensor<128x32xf16, #a>
}

// As they are, two rows make a line of 128 bytes, and every second row is in the same banks. Lines are stored whole.
// CHECK: :{{[0-9]+}}:8: remark: stores of 16 bytes: 4 wavefronts, least 4
// CHECK: :{{[0-9]+}}:8: remark: loads of matrices, rows of 16 bytes: 16 wavefronts, least 4
func.func private @not_swizzled(%v: tensor<128x32xf16, #row>) -> tensor<128x32xf16, #a> {
  %m = "tile_gpu.alloc"(%v) : (tensor<128x32xf16, #row>) -> memref<128x32xf16, #plain>
  %x = "tile_gpu.local_load"(%m) : (memref<128x32xf16, #plain>) -> tensor<128x32xf16, #a>
  return %x : tensor<128x32xf16, #a>
}

// The second operand with n contiguous: rows of matrices are along k, and ldmatrix turns them round.
// CHECK: :{{[0-9]+}}:8: remark: loads of matrices, rows of 16 bytes: 4 wavefronts, least 4
func.func private @turned(%v: tensor<64x32xf16, #row>) -> tensor<64x32xf16, #b> {
  %m = "tile_gpu.alloc"(%v) : (tensor<64x32xf16, #row>) -> memref<64x32xf16, #swizzled>
  %x = "tile_gpu.local_load"(%m) : (memref<64x32xf16, #swizzled>) -> tensor<64x32xf16, #b>
  return %x : tensor<64x32xf16, #b>
}

// Words of f32 are a matrix's, too: four to a row.
// CHECK: :{{[0-9]+}}:8: remark: loads of matrices, rows of 16 bytes: 4 wavefronts, least 4
// CHECK: :{{[0-9]+}}:3: remark: stores of {{[0-9]+}} bytes
func.func private @words(%v: tensor<64x32xf32, #row>) -> tensor<64x32xf32, #wide> {
  %m = "tile_gpu.alloc"() : () -> memref<64x32xf32, #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 8, order = [1, 0]}>>
  %x = "tile_gpu.local_load"(%m) : (memref<64x32xf32, #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 8, order = [1, 0]}>>) -> tensor<64x32xf32, #wide>
  "tile_gpu.local_store"(%v, %m) : (tensor<64x32xf32, #row>, memref<64x32xf32, #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 8, order = [1, 0]}>>) -> ()
  return %x : tensor<64x32xf32, #wide>
}
}
