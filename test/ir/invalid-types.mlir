// RUN: tile-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// What a tensor may be, whatever operation it stands on: lib/ir/verify.c.

// expected-error @+1 {{tensor<100xf32>: dimension 0 has size 100, which is not a power of two; pad it to 128 and mask the rest}}
func.func @size_not_a_power_of_two(%x: tensor<100xf32>) {
  return
}

// -----

func.func @second_dimension_not_a_power_of_two() {
  // expected-error @+1 {{dimension 1 has size 3, which is not a power of two; pad it to 4}}
  %x = arith.constant dense<0.0> : tensor<4x3xf32>
  return
}

// -----

// expected-error @+1 {{dimension 0 has size 0, which is not a power of two; pad it to 1}}
func.func @size_zero(%x: tensor<0xf32>) {
  return
}

// -----

// expected-error @+1 {{a tile has at most 1048576 elements; split it into several programs or a loop}}
func.func @too_many_elements(%x: tensor<1024x2048xf32>) {
  return
}

// -----

// Sizes whose product does not fit 64 bits.
// expected-error @+1 {{a tile has at most 1048576 elements}}
func.func @far_too_many_elements(%x: tensor<4611686018427387904x4x4xf32>) {
  return
}

// -----

// expected-error @+1 {{a tile has at most 1048576 elements}}
func.func @largest_size(%x: tensor<9223372036854775807xi8>) {
  return
}

// -----

// expected-error @+1 {{tensor<?xf32>: a tile's shape is static; mask a tile of fixed size instead}}
func.func @dynamic_shape(%x: tensor<?xf32>) {
  return
}

// -----

// expected-error @+1 {{tensor<*xf32>: a tile's shape is static; mask a tile of fixed size instead}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}

// -----

// expected-error @+1 {{tensor<f32>: a tile has 1 to 16 dimensions; use a scalar for rank 0}}
func.func @rank_zero(%x: tensor<f32>) {
  return
}

// -----

// expected-error @+1 {{a tile has 1 to 16 dimensions}}
func.func @rank_seventeen(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  return
}

// -----

// expected-error @+1 {{tensor<4xi7>: a tile's elements are i1, i8, i16, i32, i64, f16, bf16, f32, f64, fp8 or pointers}}
func.func @odd_integer(%x: tensor<4xi7>) {
  return
}

// -----

// expected-error @+1 {{a tile's elements are i1, i8, i16, i32, i64}}
func.func @unsigned_integer(%x: tensor<4xui8>) {
  return
}

// -----

// expected-error @+1 {{tensor<4xf128>: a tile's elements are}}
func.func @wide_float(%x: tensor<4xf128>) {
  return
}

// -----

// expected-error @+1 {{tensor<4xcomplex<f32>>: a tile's elements are}}
func.func @complex(%x: tensor<4xcomplex<f32>>) {
  return
}

// -----

// expected-error @+1 {{tensor<4x!tile.ptr<i7>>: a tile's elements are}}
func.func @tile_of_pointers_to_odd_integers(%x: tensor<4x!tile.ptr<i7>>) {
  return
}

// -----

// expected-error @+1 {{!tile.ptr<index>: a pointer's pointee is i1, i8, i16, i32, i64, f16, bf16, f32, f64, an fp8 type or a pointer}}
func.func @pointer_to_index(%x: !tile.ptr<index>) {
  return
}

// -----

// expected-error @+1 {{!tile.ptr<tensor<4xf32>>: a pointer's pointee is}}
func.func @pointer_to_tensor(%x: !tile.ptr<tensor<4xf32>>) {
  return
}

// -----

// expected-error @+1 {{!tile.ptr<3 : i32>: a pointer's pointee is}}
func.func @pointer_to_a_number(%x: !tile.ptr<3 : i32>) {
  return
}

// -----

// A pointer inside a pointer is looked into as well.
// expected-error @+1 {{a pointer's pointee is}}
func.func @pointer_to_pointer_to_index(%x: !tile.ptr<!tile.ptr<index>>) {
  return
}

// -----

// Block arguments of nested regions are looked at.
func.func @loop_argument(%x: tensor<4xf32>, %n: index) {
  // expected-error @+1 {{tensor<3xf32>: dimension 0 has size 3}}
  %c = "test.source"() : () -> tensor<3xf32>
  return
}

// -----

// expected-error @+1 {{func.func: a kernel returns nothing; store results through pointer arguments}}
func.func @kernel_with_result(%x: f32) -> f32 attributes {tile.kernel} {
  return %x : f32
}

// -----

// expected-error @+1 {{!tile.descriptor<f32>: a descriptor's block is a tensor of numbers}}
func.func @descriptor_of_scalars(%x: !tile.descriptor<f32>) {
  return
}

// -----

// expected-error @+1 {{a descriptor's block is a tensor of numbers with 1 to 5 dimensions}}
func.func @descriptor_of_many_dimensions(%x: !tile.descriptor<tensor<1x1x1x1x1x64xf32>>) {
  return
}

// -----

// expected-error @+1 {{tensor<96x64xf16>: dimension 0 has size 96}}
func.func @descriptor_of_odd_blocks(%x: !tile.descriptor<tensor<96x64xf16>>) {
  return
}
