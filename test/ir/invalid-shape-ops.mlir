// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Operations that make and reshape tiles: the rules of lib/ir/verify_tile.c, one case a message.

func.func @program_id_axis() {
  // expected-error @+1 {{tile.program_id: axis = 3 is out of range; it is 0 to 2}}
  %0 = "tile.program_id"() {axis = 3 : i32} : () -> i32
  return
}

// -----

func.func @num_programs_negative_axis() {
  // expected-error @+1 {{tile.num_programs: axis = -1 is out of range; it is 0 to 2}}
  %0 = "tile.num_programs"() {axis = -1 : i32} : () -> i32
  return
}

// -----

func.func @axis_is_text() {
  // expected-error @+1 {{tile.program_id: axis is an i32 attribute}}
  %0 = "tile.program_id"() {axis = "x"} : () -> i32
  return
}

// -----

// IRDL's part: attributes that are always there, result types that are fixed.
func.func @axis_is_missing() {
  // expected-error @+1 {{attribute "axis" is expected but not provided}}
  %0 = "tile.program_id"() : () -> i32
  return
}

// -----

func.func @program_id_is_i32() {
  // expected-error @+1 {{expected 'i32' but got 'i64'}}
  %0 = "tile.program_id"() {axis = 0 : i32} : () -> i64
  return
}

// -----

func.func @range_bounds_are_floats() {
  // expected-error @+1 {{tile.range: start and end are i32 attributes}}
  %0 = "tile.range"() {start = 0.0 : f32, end = 4 : i32} : () -> tensor<4xi32>
  return
}

// -----

func.func @range_bounds_are_wide() {
  // expected-error @+1 {{tile.range: start and end are 32-bit integers}}
  %0 = "tile.range"() {start = 4294967296 : i64, end = 4294967300 : i64} : () -> tensor<4xi32>
  return
}

// -----

func.func @range_is_empty() {
  // expected-error @+1 {{tile.range: end = 4 is not above start = 4}}
  %0 = "tile.range"() {start = 4 : i32, end = 4 : i32} : () -> tensor<4xi32>
  return
}

// -----

func.func @range_length() {
  // expected-error @+1 {{tile.range: end - start = 12 is not a power of two; take the next one and mask}}
  %0 = "tile.range"() {start = 4 : i32, end = 16 : i32} : () -> tensor<16xi32>
  return
}

// -----

func.func @range_of_i64() {
  // expected-error @+1 {{tile.range: the result is a 1-D tensor of i32}}
  %0 = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi64>
  return
}

// -----

func.func @range_of_rank_two() {
  // expected-error @+1 {{tile.range: the result is a 1-D tensor of i32}}
  %0 = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<4x4xi32>
  return
}

// -----

func.func @range_scalar() {
  // expected-error @+1 {{tile.range: the result is a 1-D tensor of i32}}
  %0 = "tile.range"() {start = 0 : i32, end = 1 : i32} : () -> i32
  return
}

// -----

func.func @range_and_result_differ() {
  // expected-error @+1 {{tile.range: end - start = 16, but the result has 32 elements}}
  %0 = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<32xi32>
  return
}

// -----

func.func @splat_of_a_tensor(%x: tensor<1xf32>) {
  // expected-error @+1 {{tile.splat: the operand is a scalar; tile.broadcast takes tensors}}
  %0 = "tile.splat"(%x) : (tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @splat_to_a_scalar(%x: f32) {
  // expected-error @+1 {{tile.splat: the result is a tensor}}
  %0 = "tile.splat"(%x) : (f32) -> f32
  return
}

// -----

func.func @splat_changes_type(%x: f32) {
  // expected-error @+1 {{tile.splat: operand and element type differ: f32 and tensor<4xf16>; convert the operand first}}
  %0 = "tile.splat"(%x) : (f32) -> tensor<4xf16>
  return
}

// -----

func.func @broadcast_of_a_scalar(%x: f32) {
  // expected-error @+1 {{tile.broadcast: operand and result are tensors; tile.splat takes scalars}}
  %0 = "tile.broadcast"(%x) : (f32) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_changes_type(%x: tensor<1xf32>) {
  // expected-error @+1 {{tile.broadcast: element types differ: tensor<1xf32> and tensor<4xi32>}}
  %0 = "tile.broadcast"(%x) : (tensor<1xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_changes_rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.broadcast: ranks differ: tensor<4xf32> and tensor<4x4xf32>; use tile.expand_dims first}}
  %0 = "tile.broadcast"(%x) : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_grows_two(%x: tensor<2x1xf32>) {
  // expected-error @+1 {{tile.broadcast: dimension 0 goes from 2 to 4; only 1 can grow}}
  %0 = "tile.broadcast"(%x) : (tensor<2x1xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_shrinks(%x: tensor<8xf32>) {
  // expected-error @+1 {{tile.broadcast: dimension 0 goes from 8 to 4; only 1 can grow}}
  %0 = "tile.broadcast"(%x) : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @expand_dims_of_a_scalar(%x: f32) {
  // expected-error @+1 {{tile.expand_dims: operand and result are tensors; tile.splat takes scalars}}
  %0 = "tile.expand_dims"(%x) {axis = 0 : i32} : (f32) -> tensor<1xf32>
  return
}

// -----

func.func @expand_dims_changes_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.expand_dims: element types differ}}
  %0 = "tile.expand_dims"(%x) {axis = 0 : i32} : (tensor<4xf32>) -> tensor<1x4xf16>
  return
}

// -----

func.func @expand_dims_adds_two(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.expand_dims: the result has one dimension more: tensor<4xf32> and tensor<1x1x4xf32>}}
  %0 = "tile.expand_dims"(%x) {axis = 0 : i32} : (tensor<4xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

func.func @expand_dims_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.expand_dims: axis = 2 is out of range; it is 0 to 1}}
  %0 = "tile.expand_dims"(%x) {axis = 2 : i32} : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @expand_dims_other_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.expand_dims: dimension 0 of the result is 1, expected 4}}
  %0 = "tile.expand_dims"(%x) {axis = 1 : i32} : (tensor<4xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @expand_dims_grows(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.expand_dims: dimension 0 of the result is 2, expected 1}}
  %0 = "tile.expand_dims"(%x) {axis = 0 : i32} : (tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @assume_of_a_number(%x: i32) {
  // expected-error @+1 {{expected 'i1' but got 'i32'}}
  "tile.assume"(%x) : (i32) -> ()
  return
}

// -----

func.func @splat_without_operand() {
  // expected-error @+1 {{op expects exactly 1 operands, but got 0}}
  %0 = "tile.splat"() : () -> tensor<4xf32>
  return
}
