// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Pointers, loads and stores: the rules of lib/ir/verify_tile.c, one case a message.

func.func @addptr_of_a_number(%x: i64, %i: i32) {
  // expected-error @+1 {{tile.addptr: i64 is not a pointer or a tensor of pointers (!tile.ptr<T>)}}
  %0 = "tile.addptr"(%x, %i) : (i64, i32) -> i64
  return
}

// -----

func.func @addptr_by_i16(%p: !tile.ptr<f32>, %i: i16) {
  // expected-error @+1 {{tile.addptr: the offset is i32 or i64; extend it with arith.extsi}}
  %0 = "tile.addptr"(%p, %i) : (!tile.ptr<f32>, i16) -> !tile.ptr<f32>
  return
}

// -----

func.func @addptr_by_index(%p: !tile.ptr<f32>, %i: index) {
  // expected-error @+1 {{tile.addptr: the offset is i32 or i64}}
  %0 = "tile.addptr"(%p, %i) : (!tile.ptr<f32>, index) -> !tile.ptr<f32>
  return
}

// -----

func.func @addptr_of_a_scalar_by_a_tensor(%p: !tile.ptr<f32>, %i: tensor<4xi32>) {
  // expected-error @+1 {{tile.addptr: shapes differ: !tile.ptr<f32> and tensor<4xi32>}}
  %0 = "tile.addptr"(%p, %i) : (!tile.ptr<f32>, tensor<4xi32>) -> !tile.ptr<f32>
  return
}

// -----

func.func @addptr_by_another_shape(%p: tensor<4x!tile.ptr<f32>>, %i: tensor<8xi32>) {
  // expected-error @+1 {{tile.addptr: shapes differ: tensor<4x!tile.ptr<f32>> and tensor<8xi32>}}
  %0 = "tile.addptr"(%p, %i) : (tensor<4x!tile.ptr<f32>>, tensor<8xi32>) -> tensor<4x!tile.ptr<f32>>
  return
}

// -----

// IRDL's part: the result has the pointer's type.
func.func @addptr_changes_type(%p: !tile.ptr<f32>, %i: i32) {
  // expected-error @+1 {{expected '!tile.ptr<f32>' but got '!tile.ptr<i32>'}}
  %0 = "tile.addptr"(%p, %i) : (!tile.ptr<f32>, i32) -> !tile.ptr<i32>
  return
}

// -----

func.func @ptr_to_int_of_a_number(%x: f32) {
  // expected-error @+1 {{tile.ptr_to_int: f32 is not a pointer}}
  %0 = "tile.ptr_to_int"(%x) : (f32) -> i64
  return
}

// -----

func.func @ptr_to_i32(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{tile.ptr_to_int: the result is i64; truncate it with arith.trunci}}
  %0 = "tile.ptr_to_int"(%p) : (!tile.ptr<f32>) -> i32
  return
}

// -----

func.func @ptr_to_int_changes_shape(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{tile.ptr_to_int: shapes differ}}
  %0 = "tile.ptr_to_int"(%p) : (!tile.ptr<f32>) -> tensor<4xi64>
  return
}

// -----

func.func @int_to_a_number(%x: i64) {
  // expected-error @+1 {{tile.int_to_ptr: f32 is not a pointer}}
  %0 = "tile.int_to_ptr"(%x) : (i64) -> f32
  return
}

// -----

func.func @i32_to_ptr(%x: i32) {
  // expected-error @+1 {{tile.int_to_ptr: the operand is i64; extend it with arith.extsi}}
  %0 = "tile.int_to_ptr"(%x) : (i32) -> !tile.ptr<f32>
  return
}

// -----

func.func @int_to_ptr_changes_shape(%x: tensor<4xi64>) {
  // expected-error @+1 {{tile.int_to_ptr: shapes differ}}
  %0 = "tile.int_to_ptr"(%x) : (tensor<4xi64>) -> tensor<8x!tile.ptr<f32>>
  return
}

// -----

func.func @bitcast_of_a_number(%x: f32) {
  // expected-error @+1 {{tile.bitcast: f32 is not a pointer}}
  %0 = "tile.bitcast"(%x) : (f32) -> !tile.ptr<i32>
  return
}

// -----

func.func @bitcast_to_a_number(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{tile.bitcast: i32 is not a pointer}}
  %0 = "tile.bitcast"(%p) : (!tile.ptr<f32>) -> i32
  return
}

// -----

func.func @bitcast_changes_shape(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{tile.bitcast: shapes differ}}
  %0 = "tile.bitcast"(%p) : (!tile.ptr<f32>) -> tensor<4x!tile.ptr<i32>>
  return
}

// -----

func.func @load_through_a_number(%x: i64) {
  // expected-error @+1 {{tile.load: i64 is not a pointer}}
  %0 = "tile.load"(%x) {operandSegmentSizes = array<i32: 1, 0, 0>} : (i64) -> f32
  return
}

// -----

func.func @load_of_another_type(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{tile.load: the value's type is not the pointee: !tile.ptr<f32> and i32}}
  %0 = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> i32
  return
}

// -----

func.func @load_of_another_shape(%p: tensor<4x!tile.ptr<f32>>) {
  // expected-error @+1 {{tile.load: shapes differ: tensor<4x!tile.ptr<f32>> and tensor<8xf32>}}
  %0 = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x!tile.ptr<f32>>) -> tensor<8xf32>
  return
}

// -----

func.func @load_mask_type(%p: tensor<4x!tile.ptr<f32>>, %m: tensor<4xi8>) {
  // expected-error @+1 {{tile.load: the mask is i1 or a tensor of i1; make one with arith.cmpi}}
  %0 = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4x!tile.ptr<f32>>, tensor<4xi8>) -> tensor<4xf32>
  return
}

// -----

func.func @load_mask_shape(%p: tensor<4x!tile.ptr<f32>>, %m: i1) {
  // expected-error @+1 {{tile.load: shapes differ: tensor<4x!tile.ptr<f32>> and i1}}
  %0 = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4x!tile.ptr<f32>>, i1) -> tensor<4xf32>
  return
}

// -----

func.func @load_other_without_mask(%p: !tile.ptr<f32>, %o: f32) {
  // expected-error @+1 {{tile.load: `other` without a mask has no meaning; add the mask or drop it}}
  %0 = "tile.load"(%p, %o) {operandSegmentSizes = array<i32: 1, 0, 1>} : (!tile.ptr<f32>, f32) -> f32
  return
}

// -----

// IRDL's part: `other` has the result's type.
func.func @load_other_of_another_type(%p: !tile.ptr<f32>, %m: i1, %o: i32) {
  // expected-error @+1 {{expected 'i32' but got 'f32'}}
  %0 = "tile.load"(%p, %m, %o) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!tile.ptr<f32>, i1, i32) -> f32
  return
}

// -----

func.func @load_without_segments(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{'operandSegmentSizes' attribute is expected but not provided}}
  %0 = "tile.load"(%p) : (!tile.ptr<f32>) -> f32
  return
}

// -----

func.func @load_segments_of_another_type(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{'operandSegmentSizes' attribute is expected to be a dense i32 array}}
  %0 = "tile.load"(%p) {operandSegmentSizes = array<i64: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  return
}

// -----

func.func @load_segments_do_not_add_up(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{sum of elements in 'operandSegmentSizes' attribute must be equal to the number of operands}}
  %0 = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>) -> f32
  return
}

// -----

func.func @load_cache(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{tile.load: cache is one of "ca", "cg", "cs", "cv"}}
  %0 = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>, cache = "wb"} : (!tile.ptr<f32>) -> f32
  return
}

// -----

func.func @load_evict(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{tile.load: evict is one of "evict_first", "evict_last", "evict_normal"}}
  %0 = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>, evict = 1 : i32} : (!tile.ptr<f32>) -> f32
  return
}

// -----

func.func @store_through_a_number(%x: i64, %v: f32) {
  // expected-error @+1 {{tile.store: i64 is not a pointer}}
  "tile.store"(%x, %v) : (i64, f32) -> ()
  return
}

// -----

func.func @store_of_another_type(%p: !tile.ptr<f16>, %v: f32) {
  // expected-error @+1 {{tile.store: the value's type is not the pointee: !tile.ptr<f16> and f32; convert it, or tile.bitcast the pointer}}
  "tile.store"(%p, %v) : (!tile.ptr<f16>, f32) -> ()
  return
}

// -----

func.func @store_mask(%p: !tile.ptr<f32>, %v: f32, %m: i32) {
  // expected-error @+1 {{tile.store: the mask is i1 or a tensor of i1}}
  "tile.store"(%p, %v, %m) : (!tile.ptr<f32>, f32, i32) -> ()
  return
}

// -----

func.func @store_cache(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error @+1 {{tile.store: cache is one of "wb", "cg", "cs", "wt"}}
  "tile.store"(%p, %v) {cache = "ca"} : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

func.func @store_without_value(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{op expects at least 2 operands, but got 1}}
  "tile.store"(%p) : (!tile.ptr<f32>) -> ()
  return
}

// -----

func.func @store_of_four_operands(%p: !tile.ptr<f32>, %v: f32, %m: i1) {
  // expected-error @+1 {{op expects at most 3 operands, but got 4}}
  "tile.store"(%p, %v, %m, %m) : (!tile.ptr<f32>, f32, i1, i1) -> ()
  return
}

// -----

func.func @fp8_of_fp8(%x: tensor<4xf8E4M3FN>) -> tensor<4xf8E5M2> {
  // expected-error @+1 {{tile.to_fp8: the operand is f16, bf16, f32 or f64; extend an 8-bit float with arith.extf}}
  %0 = "tile.to_fp8"(%x) : (tensor<4xf8E4M3FN>) -> tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
}

// -----

func.func @fp8_that_is_none(%x: tensor<4xf32>) -> tensor<4xf16> {
  // expected-error @+1 {{tile.to_fp8: the result is an 8-bit float; use arith.truncf for others}}
  %0 = "tile.to_fp8"(%x) : (tensor<4xf32>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @fp8_of_another_shape(%x: tensor<4xf32>) -> tensor<8xf8E5M2> {
  // expected-error @+1 {{tile.to_fp8: shapes differ: tensor<4xf32> and tensor<8xf8E5M2>; tile.splat or tile.broadcast one}}
  %0 = "tile.to_fp8"(%x) : (tensor<4xf32>) -> tensor<8xf8E5M2>
  return %0 : tensor<8xf8E5M2>
}

// -----

func.func @bits_as_fp8(%x: tensor<4xi8>) -> tensor<4xf8E5M2> {
  // expected-error @+1 {{tile.from_bits: the result is f16, bf16, f32 or f64; use arith.bitcast for others}}
  %0 = "tile.from_bits"(%x) : (tensor<4xi8>) -> tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
}

// -----

func.func @too_many_bits(%x: tensor<4xi32>) -> tensor<4xf16> {
  // expected-error @+1 {{tile.from_bits: the operand is a number of 16 bits, as the result is; convert it}}
  %0 = "tile.from_bits"(%x) : (tensor<4xi32>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @bits_of_another_shape(%x: i16) -> tensor<8xf16> {
  // expected-error @+1 {{tile.from_bits: shapes differ: i16 and tensor<8xf16>; tile.splat or tile.broadcast one}}
  %0 = "tile.from_bits"(%x) : (i16) -> tensor<8xf16>
  return %0 : tensor<8xf16>
}
