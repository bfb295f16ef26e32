// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Operations that change shapes: the rules of lib/ir/verify_tile_shape.c, one case a message.

func.func @reshape_of_a_scalar(%x: f32) {
  // expected-error @+1 {{tile.reshape: operand and result are tensors; tile.splat takes scalars}}
  %0 = "tile.reshape"(%x) : (f32) -> tensor<1xf32>
  return
}

// -----

func.func @reshape_changes_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.reshape: element types differ: tensor<4xf32> and tensor<4xi32>; convert the operand first}}
  %0 = "tile.reshape"(%x) : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @reshape_loses_elements(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{tile.reshape: numbers of elements differ: tensor<4x8xf32> and tensor<16xf32>; a reshape keeps every element}}
  %0 = "tile.reshape"(%x) : (tensor<4x8xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @permute_order_type(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{tile.permute: order is an array<i32: ...> attribute with each of 0 to 1 once}}
  %0 = "tile.permute"(%x) {order = 1 : i32} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @permute_order_length(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{tile.permute: order is an array}}
  %0 = "tile.permute"(%x) {order = array<i32: 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @permute_order_twice(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{tile.permute: order is an array}}
  %0 = "tile.permute"(%x) {order = array<i32: 1, 1>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @permute_order_range(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{tile.permute: order is an array}}
  %0 = "tile.permute"(%x) {order = array<i32: 1, -1>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @permute_rank(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{tile.permute: ranks differ: tensor<4x8xf32> and tensor<32xf32>; use tile.reshape or tile.expand_dims}}
  %0 = "tile.permute"(%x) {order = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @permute_shape(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{tile.permute: dimension 0 of the result is 4, expected 8, which is dimension 1 of the operand}}
  %0 = "tile.permute"(%x) {order = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// IRDL's part: both parts have one type.
func.func @join_of_two_types(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error @+1 {{expected 'tensor<4xf32>' but got 'tensor<4xi32>'}}
  %0 = "tile.join"(%x, %y) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @join_changes_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.join: element types differ: tensor<4xf32> and tensor<4x2xi32>}}
  %0 = "tile.join"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x2xi32>
  return
}

// -----

func.func @join_in_front(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.join: the whole is a part with one more dimension, the last, of size 2: tensor<4xf32> and tensor<2x4xf32>; reshape and permute it first}}
  %0 = "tile.join"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @join_to_a_scalar(%x: f32) {
  // expected-error @+1 {{tile.join: the whole is a part with one more dimension}}
  %0 = "tile.join"(%x, %x) : (f32, f32) -> f32
  return
}

// -----

func.func @join_to_seventeen_dimensions(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error @+1 {{a tile has 1 to 16 dimensions}}
  %0 = "tile.join"(%x, %x) : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xf32>
  return
}

// -----

func.func @split_of_four(%x: tensor<8x4xf32>) {
  // expected-error @+1 {{tile.split: the whole is a part with one more dimension, the last, of size 2: tensor<8xf32> and tensor<8x4xf32>}}
  %a, %b = "tile.split"(%x) : (tensor<8x4xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @split_changes_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{tile.split: element types differ: i32 and tensor<2xf32>}}
  %a, %b = "tile.split"(%x) : (tensor<2xf32>) -> (i32, i32)
  return
}

// -----

func.func @gather_from_a_scalar(%x: f32, %i: tensor<4xi32>) {
  // expected-error @+1 {{tile.gather: operand and result are tensors}}
  %0 = "tile.gather"(%x, %i) {axis = 0 : i32} : (f32, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_by_a_scalar(%x: tensor<4xf32>, %i: i32) {
  // expected-error @+1 {{tile.gather: the index is a tensor of i8, i16, i32 or i64}}
  %0 = "tile.gather"(%x, %i) {axis = 0 : i32} : (tensor<4xf32>, i32) -> tensor<4xf32>
  return
}

// -----

func.func @gather_by_floats(%x: tensor<4xf32>, %i: tensor<4xf32>) {
  // expected-error @+1 {{tile.gather: the index is a tensor of i8, i16, i32 or i64}}
  %0 = "tile.gather"(%x, %i) {axis = 0 : i32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_by_another_rank(%x: tensor<4x4xf32>, %i: tensor<4xi32>) {
  // expected-error @+1 {{tile.gather: ranks of source and index differ: tensor<4x4xf32> and tensor<4xi32>; use tile.expand_dims}}
  %0 = "tile.gather"(%x, %i) {axis = 0 : i32} : (tensor<4x4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_axis(%x: tensor<4xf32>, %i: tensor<4xi32>) {
  // expected-error @+1 {{tile.gather: axis = 1 is out of range; it is 0 to 0}}
  %0 = "tile.gather"(%x, %i) {axis = 1 : i32} : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @gather_result_shape(%x: tensor<4xf32>, %i: tensor<4xi32>) {
  // expected-error @+1 {{tile.gather: shapes differ: tensor<4xi32> and tensor<8xf32>}}
  %0 = "tile.gather"(%x, %i) {axis = 0 : i32} : (tensor<4xf32>, tensor<4xi32>) -> tensor<8xf32>
  return
}

// -----

func.func @gather_other_dimension(%x: tensor<4x8xf32>, %i: tensor<2x4xi32>) {
  // expected-error @+1 {{tile.gather: dimension 1 is 8 in the source and 4 in the index; only the one along axis may differ}}
  %0 = "tile.gather"(%x, %i) {axis = 0 : i32} : (tensor<4x8xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  return
}
