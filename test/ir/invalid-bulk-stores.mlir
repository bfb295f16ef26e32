// RUN: tile-opt --tile-verify --split-input-file --verify-diagnostics %s

#m = #tile_gpu.mma<{instr_shape = [64, 128], version = 3 : i64, warps_per_cta = [4, 1]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
module attributes {tile_gpu.num_warps = 4 : i32} {
func.func @no_descriptor(%p: !tile.ptr<f16>, %x: tensor<64x128xf16, #m>, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<4x16x64xf16, #n>
  // expected-error @+1 {{tile_gpu.bulk_store: operand 0 is a descriptor of blocks of two dimensions}}
  "tile_gpu.bulk_store"(%p, %x, %b, %i, %i) : (!tile.ptr<f16>, tensor<64x128xf16, #m>, memref<4x16x64xf16, #n>, i32, i32) -> ()
  return
}
}

// -----

#m = #tile_gpu.mma<{instr_shape = [64, 128], version = 3 : i64, warps_per_cta = [4, 1]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
module attributes {tile_gpu.num_warps = 4 : i32} {
func.func @other_tile(%d: !tile.descriptor<tensor<64x64xf16>>, %x: tensor<64x128xf16, #m>, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<4x16x64xf16, #n>
  // expected-error @+1 {{descriptor and tile differ}}
  "tile_gpu.bulk_store"(%d, %x, %b, %i, %i) : (!tile.descriptor<tensor<64x64xf16>>, tensor<64x128xf16, #m>, memref<4x16x64xf16, #n>, i32, i32) -> ()
  return
}
}

// -----

#m = #tile_gpu.mma<{instr_shape = [64, 128], version = 3 : i64, warps_per_cta = [4, 1]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
module attributes {tile_gpu.num_warps = 4 : i32} {
func.func @offsets(%d: !tile.descriptor<tensor<64x128xf16>>, %x: tensor<64x128xf16, #m>, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<4x16x64xf16, #n>
  // expected-error @+1 {{1 offsets; give one for each of the tensor's dimensions, 2 to 5}}
  "tile_gpu.bulk_store"(%d, %x, %b, %i) : (!tile.descriptor<tensor<64x128xf16>>, tensor<64x128xf16, #m>, memref<4x16x64xf16, #n>, i32) -> ()
  return
}
}

// -----

#m = #tile_gpu.mma<{instr_shape = [64, 128], version = 3 : i64, warps_per_cta = [4, 1]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
module attributes {tile_gpu.num_warps = 4 : i32} {
func.func @tall_boxes(%d: !tile.descriptor<tensor<64x128xf16>>, %x: tensor<64x128xf16, #m>, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<4x32x64xf16, #n>
  // expected-error @+1 {{the buffer has no boxes as the tile's warps hold them}}
  "tile_gpu.bulk_store"(%d, %x, %b, %i, %i) : (!tile.descriptor<tensor<64x128xf16>>, tensor<64x128xf16, #m>, memref<4x32x64xf16, #n>, i32, i32) -> ()
  return
}
}

// -----

#m = #tile_gpu.mma<{instr_shape = [64, 128], version = 3 : i64, warps_per_cta = [4, 1]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
module attributes {tile_gpu.num_warps = 4 : i32} {
func.func @not_for_each_warp(%d: !tile.descriptor<tensor<64x128xf16>>, %x: tensor<64x128xf16, #m>, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<2x16x64xf16, #n>
  // expected-error @+1 {{the buffer has no boxes as the tile's warps hold them}}
  "tile_gpu.bulk_store"(%d, %x, %b, %i, %i) : (!tile.descriptor<tensor<64x128xf16>>, tensor<64x128xf16, #m>, memref<2x16x64xf16, #n>, i32, i32) -> ()
  return
}
}

// -----

#m = #tile_gpu.mma<{instr_shape = [64, 128], version = 3 : i64, warps_per_cta = [4, 1]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
module attributes {tile_gpu.num_warps = 4 : i32} {
func.func @other_sums(%d: !tile.descriptor<tensor<64x128xf16>>, %x: tensor<64x128xf16, #m>, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<4x16x64xf16, #n>
  // expected-error @+1 {{it adds up f32 alone, and does nothing else to what is there}}
  "tile_gpu.bulk_store"(%d, %x, %b, %i, %i) {kind = "add"} : (!tile.descriptor<tensor<64x128xf16>>, tensor<64x128xf16, #m>, memref<4x16x64xf16, #n>, i32, i32) -> ()
  return
}
}

// -----

module attributes {tile_gpu.target = "sm_80"} {
func.func @older(%d: !tile.descriptor<tensor<64x128xf16>>, %i: i32) {
  // expected-error @+1 {{sm_80 has no bulk copies; sm_90a is the first target that has}}
  "tile_gpu.store_box"(%d, %i, %i) {tile_gpu.box = 0 : i32} : (!tile.descriptor<tensor<64x128xf16>>, i32, i32) -> ()
  return
}
}
