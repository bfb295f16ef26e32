// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Products of matrices: the rules of lib/ir/verify_tile_dot.c, one case a message.

func.func @of_vectors(%a: tensor<16xf16>, %b: tensor<16xf16>, %c: tensor<16xf32>) {
  // expected-error @+1 {{tile.dot: the operands are three matrices, or three batches of matrices (rank 3)}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16xf16>, tensor<16xf16>, tensor<16xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @of_scalars(%a: f16, %b: f16, %c: f32) {
  // expected-error @+1 {{tile.dot: the operands are three matrices}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (f16, f16, f32) -> f32
  return
}

// -----

func.func @batch_of_one(%a: tensor<2x16x32xf16>, %b: tensor<32x8xf16>, %c: tensor<2x16x8xf32>) {
  // expected-error @+1 {{tile.dot: the operands are three matrices}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<2x16x32xf16>, tensor<32x8xf16>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return
}

// -----

func.func @batches(%a: tensor<2x16x32xf16>, %b: tensor<4x32x8xf16>, %c: tensor<2x16x8xf32>) {
  // expected-error @+1 {{tile.dot: the batch dimensions are 2, 4 and 2; they are equal}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<2x16x32xf16>, tensor<4x32x8xf16>, tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return
}

// -----

func.func @k(%a: tensor<16x32xf16>, %b: tensor<16x32xf16>, %c: tensor<16x32xf32>) {
  // expected-error @+1 {{tile.dot: K is 32 in the first operand and 16 in the second; transpose one with tile.permute?}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return
}

// -----

func.func @accumulator_shape(%a: tensor<16x32xf16>, %b: tensor<32x8xf16>, %c: tensor<8x16xf32>) {
  // expected-error @+1 {{tile.dot: the product is 16 x 8, the accumulator 8 x 16; give it the product's size}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xf16>, tensor<32x8xf16>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @precision(%a: tensor<16x32xf16>, %b: tensor<32x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot: precision is one of "tf32", "tf32x3", "bf16x3", "bf16x6", "ieee"}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "high"} : (tensor<16x32xf16>, tensor<32x8xf16>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @max_imprecise(%a: tensor<16x32xf16>, %b: tensor<32x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot: max_imprecise is an i32 attribute: max_imprecise = 1 : i32}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "ieee", max_imprecise = true} : (tensor<16x32xf16>, tensor<32x8xf16>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @of_i32(%a: tensor<16x32xi32>, %b: tensor<32x8xi32>, %c: tensor<16x8xi32>) {
  // expected-error @+1 {{tile.dot: the first operand's elements are f16, bf16, f32, f64, i8, f8E4M3FN or f8E5M2; convert it}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xi32>, tensor<32x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi32>
  return
}

// -----

func.func @of_other_fp8(%a: tensor<16x32xf8E4M3FNUZ>, %b: tensor<32x8xf8E4M3FNUZ>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot: the first operand's elements are}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xf8E4M3FNUZ>, tensor<32x8xf8E4M3FNUZ>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @of_two_types(%a: tensor<16x32xf16>, %b: tensor<32x8xbf16>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot: element types differ: tensor<16x32xf16> and tensor<32x8xbf16>; convert one operand}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xf16>, tensor<32x8xbf16>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @half_sum_of_bf16(%a: tensor<16x32xbf16>, %b: tensor<32x8xbf16>, %c: tensor<16x8xbf16>) {
  // expected-error @+1 {{tile.dot: dots of bf16 accumulate in f32; convert the accumulator}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xbf16>, tensor<32x8xbf16>, tensor<16x8xbf16>) -> tensor<16x8xbf16>
  return
}

// -----

func.func @integer_sum_of_f16(%a: tensor<16x32xf16>, %b: tensor<32x8xf16>, %c: tensor<16x8xi32>) {
  // expected-error @+1 {{tile.dot: dots of f16 accumulate in f32 or f16}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xf16>, tensor<32x8xf16>, tensor<16x8xi32>) -> tensor<16x8xi32>
  return
}

// -----

func.func @float_sum_of_i8(%a: tensor<16x32xi8>, %b: tensor<32x8xi8>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot: dots of i8 accumulate in i32}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xi8>, tensor<32x8xi8>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @single_sum_of_f64(%a: tensor<16x32xf64>, %b: tensor<32x8xf64>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot: dots of f64 accumulate in f64}}
  %0 = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xf64>, tensor<32x8xf64>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_format(%a: tensor<16x64xi8>, %b: tensor<64x8xi8>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot_scaled: a_format is one of "e2m1", "e4m3", "e5m2", "bf16", "fp16"}}
  %0 = "tile.dot_scaled"(%a, %b, %c) {a_format = "e3m2", b_format = "e4m3", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<16x64xi8>, tensor<64x8xi8>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_element(%a: tensor<16x64xf8E5M2>, %b: tensor<64x8xi8>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot_scaled: a_format = "e4m3" does not fit operand 0, tensor<16x64xf8E5M2>; i8 holds e2m1, e4m3 and e5m2}}
  %0 = "tile.dot_scaled"(%a, %b, %c) {a_format = "e4m3", b_format = "e4m3", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<16x64xf8E5M2>, tensor<64x8xi8>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_bf16(%a: tensor<16x64xi8>, %b: tensor<64x8xf16>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot_scaled: b_format = "bf16" does not fit operand 1, tensor<64x8xf16>}}
  %0 = "tile.dot_scaled"(%a, %b, %c) {a_format = "e4m3", b_format = "bf16", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<16x64xi8>, tensor<64x8xf16>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_k(%a: tensor<16x64xi8>, %b: tensor<64x8xi8>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot_scaled: K is 128 in the first operand and 64 in the second}}
  %0 = "tile.dot_scaled"(%a, %b, %c) {a_format = "e2m1", b_format = "e4m3", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<16x64xi8>, tensor<64x8xi8>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_pack(%a: tensor<16x64xi8>, %b: tensor<64x8xi8>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot_scaled: a_pack_m is for e2m1; drop it}}
  %0 = "tile.dot_scaled"(%a, %b, %c) {a_format = "e4m3", b_format = "e4m3", a_pack_m, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<16x64xi8>, tensor<64x8xi8>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_pack_m(%a: tensor<16x64xi8>, %b: tensor<64x8xi8>, %c: tensor<16x8xf32>) {
  // expected-error @+1 {{tile.dot_scaled: the product is 32 x 8, the accumulator 16 x 8}}
  %0 = "tile.dot_scaled"(%a, %b, %c) {a_format = "e2m1", b_format = "e4m3", a_pack_m, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<16x64xi8>, tensor<64x8xi8>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_accumulator(%a: tensor<16x64xi8>, %b: tensor<64x8xi8>, %c: tensor<16x8xf16>) {
  // expected-error @+1 {{tile.dot_scaled: the accumulator is f32; convert it}}
  %0 = "tile.dot_scaled"(%a, %b, %c) {a_format = "e4m3", b_format = "e4m3", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<16x64xi8>, tensor<64x8xi8>, tensor<16x8xf16>) -> tensor<16x8xf16>
  return
}

// -----

func.func @scaled_scale_shape(%a: tensor<16x64xi8>, %b: tensor<64x8xi8>, %c: tensor<16x8xf32>, %sa: tensor<16x4xi8>) {
  // expected-error @+1 {{tile.dot_scaled: a scale is a tensor of i8, one for 32 elements of K: 16 x 2 for K = 64, or of f8E4M3FN, one for 16, not tensor<16x4xi8>}}
  %0 = "tile.dot_scaled"(%a, %b, %c, %sa) {a_format = "e4m3", b_format = "e4m3", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<16x64xi8>, tensor<64x8xi8>, tensor<16x8xf32>, tensor<16x4xi8>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_scale_type(%a: tensor<16x64xi8>, %b: tensor<64x8xi8>, %c: tensor<16x8xf32>, %sb: tensor<8x2xi16>) {
  // expected-error @+1 {{tile.dot_scaled: a scale is a tensor of i8, one for 32 elements of K: 8 x 2 for K = 64, or of f8E4M3FN, one for 16, not tensor<8x2xi16>}}
  %0 = "tile.dot_scaled"(%a, %b, %c, %sb) {a_format = "e4m3", b_format = "e4m3", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>} : (tensor<16x64xi8>, tensor<64x8xi8>, tensor<16x8xf32>, tensor<8x2xi16>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_scale_transposed(%a: tensor<16x64xi8>, %b: tensor<64x8xi8>, %c: tensor<16x8xf32>, %sa: tensor<16x2xi8>, %sb: tensor<2x8xi8>) {
  // expected-error @+1 {{tile.dot_scaled: a scale is a tensor of i8, one for 32 elements of K: 8 x 2 for K = 64, or of f8E4M3FN, one for 16, not tensor<2x8xi8>}}
  %0 = "tile.dot_scaled"(%a, %b, %c, %sa, %sb) {a_format = "e4m3", b_format = "e4m3", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<16x64xi8>, tensor<64x8xi8>, tensor<16x8xf32>, tensor<16x2xi8>, tensor<2x8xi8>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scaled_short_k(%a: tensor<16x16xi8>, %b: tensor<16x8xi8>, %c: tensor<16x8xf32>, %sa: tensor<16x1xi8>) {
  // expected-error @+1 {{tile.dot_scaled: a scale is a tensor of i8, one for 32 elements of K: 16 x 0 for K = 16, or of f8E4M3FN, one for 16, not tensor<16x1xi8>}}
  %0 = "tile.dot_scaled"(%a, %b, %c, %sa) {a_format = "e4m3", b_format = "e4m3", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<16x16xi8>, tensor<16x8xi8>, tensor<16x8xf32>, tensor<16x1xi8>) -> tensor<16x8xf32>
  return
}

// -----

// With layouts: operands and accumulators have those of one instruction.
#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 8]}>
#a = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 2}>
#b = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 2}>
func.func @operands_changed_over(%a: tensor<16x16xf16, #a>, %c: tensor<16x16xf32, #acc>) {
  // expected-error @+1 {{operand 1 has the layout #tile_gpu.dot_operand with index = 1 and the accumulator's layout as parent}}
  %d = "tile.dot"(%a, %a, %c) {precision = "tf32"} : (tensor<16x16xf16, #a>, tensor<16x16xf16, #a>, tensor<16x16xf32, #acc>) -> tensor<16x16xf32, #acc>
  return
}

// -----

#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 8]}>
#a = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 2}>
#b = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 4}>
func.func @widths_differ(%a: tensor<16x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #acc>) {
  // expected-error @+1 {{the operands' k_width differ; it is one number}}
  %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x16xf16, #a>, tensor<16x16xf16, #b>, tensor<16x16xf32, #acc>) -> tensor<16x16xf32, #acc>
  return
}

// -----

// Neither a product of tensor cores nor one by multiply-adds: the accumulators alone have tensor cores' layout,
#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 8]}>
#plain = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 1], threads_per_warp = [2, 16], warps_per_cta = [1, 1]}>
func.func @accumulators_alone(%a: tensor<16x16xf32, #plain>, %c: tensor<16x16xf32, #acc>) {
  // expected-error @+1 {{operand 0 has the layout #tile_gpu.dot_operand with index = 0 and the accumulator's layout as parent; insert tile_gpu.convert_layout}}
  %d = "tile.dot"(%a, %a, %c) {precision = "ieee"} : (tensor<16x16xf32, #plain>, tensor<16x16xf32, #plain>, tensor<16x16xf32, #acc>) -> tensor<16x16xf32, #acc>
  return
}

// -----

// the operands alone,
#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 8]}>
#plain = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 1], threads_per_warp = [2, 16], warps_per_cta = [1, 1]}>
#a = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 2}>
#b = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 2}>
func.func @operands_alone(%a: tensor<16x16xf16, #a>, %b: tensor<16x16xf16, #b>, %c: tensor<16x16xf32, #plain>) {
  // expected-error @+1 {{operands in #tile_gpu.dot_operand layouts have their accumulator's layout as parent}}
  %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x16xf16, #a>, tensor<16x16xf16, #b>, tensor<16x16xf32, #plain>) -> tensor<16x16xf32, #plain>
  return
}

// -----

// or numbers that tensor cores would round.
#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 8]}>
#a = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 1}>
#b = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 1}>
func.func @rounded(%a: tensor<16x16xf32, #a>, %b: tensor<16x16xf32, #b>, %c: tensor<16x16xf32, #acc>) {
  // expected-error @+1 {{precision = "ieee" is not computed by tensor cores}}
  %d = "tile.dot"(%a, %b, %c) {precision = "ieee"} : (tensor<16x16xf32, #a>, tensor<16x16xf32, #b>, tensor<16x16xf32, #acc>) -> tensor<16x16xf32, #acc>
  return
}

// -----

#plain = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
func.func @stages(%a: memref<3x16x32xf32, #plain>, %b: memref<32x16xf32, #plain>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{tile_gpu.buffer_dot: operand 0 is one stage of a buffer in shared memory, or a tile in another layout than #tile_gpu.dot_operand}}
  %0 = "tile_gpu.buffer_dot"(%a, %b, %c) : (memref<3x16x32xf32, #plain>, memref<32x16xf32, #plain>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return
}

// -----

#plain = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
func.func @k_of_buffer(%a: memref<16x64xf32, #plain>, %b: memref<32x16xf32, #plain>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{tile_gpu.buffer_dot: K is 64 in the first operand and 32 in the second}}
  %0 = "tile_gpu.buffer_dot"(%a, %b, %c) : (memref<16x64xf32, #plain>, memref<32x16xf32, #plain>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return
}

// -----

#plain = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
func.func @elements_of_buffer(%a: memref<16x32xf32, #plain>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{tile_gpu.buffer_dot: element types differ: memref<16x32xf32, }}
  %0 = "tile_gpu.buffer_dot"(%a, %b, %c) : (memref<16x32xf32, #plain>, tensor<32x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return
}
