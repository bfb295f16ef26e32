// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Tensor descriptors: the rules of lib/ir/verify_tile_descriptor.c, one case a message.

func.func @descriptor_of_numbers(%x: f16, %n: i64, %one: i64) {
  // expected-error @+1 {{tile.make_descriptor: f16 is not a pointer}}
  %d = "tile.make_descriptor"(%x, %n, %one) {operandSegmentSizes = array<i32: 1, 1, 1>} : (f16, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  return
}

// -----

func.func @descriptor_of_pointers(%p: tensor<64x!tile.ptr<f16>>, %n: i64) {
  %one = arith.constant 1 : i64
  // expected-error @+1 {{tile.make_descriptor: the base is one pointer}}
  %d = "tile.make_descriptor"(%p, %n, %one) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<64x!tile.ptr<f16>>, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  return
}

// -----

func.func @pointer_to_another_type(%p: !tile.ptr<f32>, %n: i64) {
  %one = arith.constant 1 : i64
  // expected-error @+1 {{tile.make_descriptor: the block's elements are not the pointee: !tile.ptr<f32> and tensor<64xf16>; tile.bitcast the pointer}}
  %d = "tile.make_descriptor"(%p, %n, %one) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!tile.ptr<f32>, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  return
}

// -----

func.func @result_of_another_type(%p: !tile.ptr<f16>, %n: i64) {
  %one = arith.constant 1 : i64
  // expected-error @+1 {{tile.make_descriptor: tensor<64xf16> is not a descriptor (!tile.descriptor<tensor<128x64xf16>>)}}
  %d = "tile.make_descriptor"(%p, %n, %one) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!tile.ptr<f16>, i64, i64) -> tensor<64xf16>
  return
}

// -----

func.func @sizes_of_32_bits(%p: !tile.ptr<f16>, %n: i32) {
  %one = arith.constant 1 : i64
  // expected-error @+1 {{tile.make_descriptor: sizes and strides are i64; extend them with arith.extsi}}
  %d = "tile.make_descriptor"(%p, %n, %one) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!tile.ptr<f16>, i32, i64) -> !tile.descriptor<tensor<64xf16>>
  return
}

// -----

func.func @sizes_of_another_rank(%p: !tile.ptr<f16>, %n: i64) {
  %one = arith.constant 1 : i64
  // expected-error @+1 {{tile.make_descriptor: a block of rank 2 has as many sizes and strides, or up to 5 with outer dimensions: operandSegmentSizes = array<i32: 1, 2, 2>}}
  %d = "tile.make_descriptor"(%p, %n, %one) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!tile.ptr<f16>, i64, i64) -> !tile.descriptor<tensor<8x64xf16>>
  return
}

// -----

func.func @sizes_without_strides(%p: !tile.ptr<f16>, %n: i64) {
  %one = arith.constant 1 : i64
  // expected-error @+1 {{a block of rank 2 has as many sizes and strides}}
  %d = "tile.make_descriptor"(%p, %n, %n, %n, %one) {operandSegmentSizes = array<i32: 1, 3, 1>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<8x64xf16>>
  return
}

// -----

func.func @last_stride(%p: !tile.ptr<f16>, %n: i64) {
  // expected-error @+1 {{tile.make_descriptor: the last dimension is contiguous: its stride is the constant 1}}
  %d = "tile.make_descriptor"(%p, %n, %n) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!tile.ptr<f16>, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  return
}

// -----

func.func @padding_of_integers(%p: !tile.ptr<i8>, %n: i64) {
  %one = arith.constant 1 : i64
  // expected-error @+1 {{tile.make_descriptor: only floating-point elements are padded with NaN}}
  %d = "tile.make_descriptor"(%p, %n, %one) {operandSegmentSizes = array<i32: 1, 1, 1>, pads_with_nan} : (!tile.ptr<i8>, i64, i64) -> !tile.descriptor<tensor<64xi8>>
  return
}

// -----

func.func @load_of_a_pointer(%p: !tile.ptr<f16>, %i: i32) {
  // expected-error @+1 {{tile.descriptor_load: !tile.ptr<f16> is not a descriptor}}
  %t = "tile.descriptor_load"(%p, %i) : (!tile.ptr<f16>, i32) -> tensor<64xf16>
  return
}

// -----

func.func @offsets_of_another_rank(%d: !tile.descriptor<tensor<8x64xf16>>, %i: i32) {
  // expected-error @+1 {{tile.descriptor_load: 1 offset(s) for a tensor of rank 2; give one a dimension}}
  %t = "tile.descriptor_load"(%d, %i) : (!tile.descriptor<tensor<8x64xf16>>, i32) -> tensor<8x64xf16>
  return
}

// -----

// A descriptor that is made says how many dimensions the tensor has; so does a recipe.
func.func @offsets_without_outer_ones(%p: !tile.ptr<f16>, %n: i64, %i: i32) {
  %one = arith.constant 1 : i64
  %d = "tile.make_descriptor"(%p, %n, %n, %n, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  // expected-error @+1 {{tile.descriptor_load: 1 offset(s) for a tensor of rank 2; give one a dimension}}
  %t = "tile.descriptor_load"(%d, %i) : (!tile.descriptor<tensor<64xf16>>, i32) -> tensor<64xf16>
  return
}

// -----

func.func @offsets_of_a_recipe(%p: !tile.ptr<f16>, %d: !tile.descriptor<tensor<64xf16>> {tile_gpu.tensor_map = {base = 0 : i32, type = f16, sizes = [array<i64: 64>, array<i64: 8>], strides = [array<i64: 128>]}}, %i: i32) {
  // expected-error @+1 {{tile.descriptor_load: 1 offset(s) for a tensor of rank 2; give one a dimension}}
  %t = "tile.descriptor_load"(%d, %i) : (!tile.descriptor<tensor<64xf16>>, i32) -> tensor<64xf16>
  return
}

// -----

func.func @six_dimensions(%p: !tile.ptr<f16>, %n: i64) {
  %one = arith.constant 1 : i64
  // expected-error @+1 {{a block of rank 1 has as many sizes and strides, or up to 5 with outer dimensions}}
  %d = "tile.make_descriptor"(%p, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %n, %one) {operandSegmentSizes = array<i32: 1, 6, 6>} : (!tile.ptr<f16>, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  return
}

// -----

func.func @store_without_place(%p: !tile.ptr<f16>, %n: i64, %x: tensor<64xf16>, %i: i32) {
  %one = arith.constant 1 : i64
  %d = "tile.make_descriptor"(%p, %n, %n, %n, %one) {operandSegmentSizes = array<i32: 1, 2, 2>} : (!tile.ptr<f16>, i64, i64, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  // expected-error @+1 {{tile.descriptor_store: 1 offset(s) for a tensor of rank 2; give one a dimension}}
  "tile.descriptor_store"(%d, %x, %i) : (!tile.descriptor<tensor<64xf16>>, tensor<64xf16>, i32) -> ()
  return
}

// -----

func.func @offsets_of_type_index(%d: !tile.descriptor<tensor<64xf16>>, %i: index) {
  // expected-error @+1 {{tile.descriptor_load: offsets are i32 or i64; convert them}}
  %t = "tile.descriptor_load"(%d, %i) : (!tile.descriptor<tensor<64xf16>>, index) -> tensor<64xf16>
  return
}

// -----

// IRDL's part: the offsets are of one type.
func.func @offsets_of_two_types(%d: !tile.descriptor<tensor<8x64xf16>>, %i: i32, %j: i64) {
  // expected-error @+1 {{expected 'i32' but got 'i64'}}
  %t = "tile.descriptor_load"(%d, %i, %j) : (!tile.descriptor<tensor<8x64xf16>>, i32, i64) -> tensor<8x64xf16>
  return
}

// -----

func.func @load_of_another_shape(%d: !tile.descriptor<tensor<64xf16>>, %i: i32) {
  // expected-error @+1 {{tile.descriptor_load: the value's type is not the block: tensor<32xf16> and tensor<64xf16>; convert or reshape it}}
  %t = "tile.descriptor_load"(%d, %i) : (!tile.descriptor<tensor<64xf16>>, i32) -> tensor<32xf16>
  return
}

// -----

func.func @store_of_another_type(%d: !tile.descriptor<tensor<64xf16>>, %x: tensor<64xf32>, %i: i32) {
  // expected-error @+1 {{tile.descriptor_store: the value's type is not the block: tensor<64xf32> and tensor<64xf16>}}
  "tile.descriptor_store"(%d, %x, %i) : (!tile.descriptor<tensor<64xf16>>, tensor<64xf32>, i32) -> ()
  return
}

// -----

func.func @store_to_a_number(%x: tensor<64xf16>, %i: i32) {
  // expected-error @+1 {{tile.descriptor_store: i32 is not a descriptor}}
  "tile.descriptor_store"(%i, %x, %i) : (i32, tensor<64xf16>, i32) -> ()
  return
}
