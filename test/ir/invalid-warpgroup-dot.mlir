// RUN: tile-opt --split-input-file --verify-diagnostics %s

// What tile_gpu.warpgroup_dot and its wait refuse.
#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
#s = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
func.func @k_differs(%a: memref<64x128xf16, #s>, %b: memref<64x64xf16, #s>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @+1 {{64 x 128 times 64 x 64 is not 64 x 64}}
  %d = "tile_gpu.warpgroup_dot"(%a, %b, %c) : (memref<64x128xf16, #s>, memref<64x64xf16, #s>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [4, 1], instr_shape = [16, 8]}>
#s = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
func.func @older_accumulators(%a: memref<64x64xf16, #s>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @+1 {{the accumulator has a layout #tile_gpu.mma of version 3}}
  %d = "tile_gpu.warpgroup_dot"(%a, %a, %c) : (memref<64x64xf16, #s>, memref<64x64xf16, #s>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
#s = #tile_gpu.swizzled<{vec = 8, per_phase = 1, max_phase = 8, order = [1, 0]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
func.func @swizzled_otherwise(%a: memref<64x64xf16, #n>, %b: memref<64x64xf16, #s>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @+1 {{operand 1 is a matrix in shared memory, in a #tile_gpu.nvmma layout}}
  %d = "tile_gpu.warpgroup_dot"(%a, %b, %c) : (memref<64x64xf16, #n>, memref<64x64xf16, #s>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
func.func @accumulators_as_operand(%b: memref<64x64xf16, #n>, %c: tensor<64x64xf32, #acc>, %a: tensor<64x64xf16, #acc>) {
  // expected-error @+1 {{operand 0 is in shared memory, or has the layout #tile_gpu.dot_operand of the accumulators}}
  %d = "tile_gpu.warpgroup_dot"(%a, %b, %c) : (tensor<64x64xf16, #acc>, memref<64x64xf16, #n>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
#n = #tile_gpu.nvmma<{swizzle = 64, transposed = false, element_bits = 16}>
func.func @too_small(%a: memref<64x32xf16, #n>, %b: memref<32x32xf16, #n>, %c: tensor<64x32xf32, #acc>) {
  // expected-error @+1 {{64 x 32 through 32 is less than one instruction for each warp group; use tile.dot}}
  %d = "tile_gpu.warpgroup_dot"(%a, %b, %c) : (memref<64x32xf16, #n>, memref<32x32xf16, #n>, tensor<64x32xf32, #acc>) -> tensor<64x32xf32, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
func.func @too_many_pending(%c: tensor<64x64xf32, #acc>) {
  // expected-error @+1 {{pending is an integer from 0 to 7}}
  %d = "tile_gpu.warpgroup_dot_wait"(%c) {pending = 8 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
func.func @half_sums(%a: memref<64x64xbf16, #n>, %c: tensor<64x64xf16, #acc>) {
  // expected-error @+1 {{accumulators are f16 for operands of f16 alone}}
  %d = "tile_gpu.warpgroup_dot"(%a, %a, %c) : (memref<64x64xbf16, #n>, memref<64x64xbf16, #n>, tensor<64x64xf16, #acc>) -> tensor<64x64xf16, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
func.func @two_types(%a: memref<64x64xf16, #n>, %b: memref<64x64xbf16, #n>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @+1 {{element types differ}}
  %d = "tile_gpu.warpgroup_dot"(%a, %b, %c) : (memref<64x64xf16, #n>, memref<64x64xbf16, #n>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
func.func @another_result(%a: memref<64x64xf16, #n>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @+1 {{expected 'tensor<64x64xf32,}}
  %d = "tile_gpu.warpgroup_dot"(%a, %a, %c) : (memref<64x64xf16, #n>, memref<64x64xf16, #n>, tensor<64x64xf32, #acc>) -> tensor<64x64xf16, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
func.func @wait_for_what_is_no_accumulator(%c: tensor<64x64xbf16, #acc>) {
  // expected-error @+1 {{it returns the accumulators that it is given, tensors of f32, f16 or i32}}
  %d = "tile_gpu.warpgroup_dot_wait"(%c) {pending = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<64x64xbf16, #acc>) -> tensor<64x64xbf16, #acc>
  return
}
