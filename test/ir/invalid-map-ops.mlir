// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Four values of a region that packs two elements of two operands.
func.func @few_arguments(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{tile.map: the region takes 2 values, those of the first operand first, not 1}}
  %r = "tile.map"(%x) ({
  ^bb0(%a: f32):
    "gpu.yield"(%a, %a) : (f32, f32) -> ()
  }) {pack = 2 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

func.func @few_results(%x: tensor<64xf32>) -> tensor<64xf32> {
  %r = "tile.map"(%x) ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{gpu.yield: 2 values for 1 results, not 1}}
    "gpu.yield"(%a) : (f32) -> ()
  }) {pack = 2 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

func.func @other_type(%x: tensor<64xf32>) -> tensor<64xi32> {
  %r = "tile.map"(%x) ({
  ^bb0(%a: f32):
    // expected-error @+1 {{value and result have different types: f32 and tensor<64xi32>; convert the value}}
    "gpu.yield"(%a) : (f32) -> ()
  }) {pack = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> tensor<64xi32>
  return %r : tensor<64xi32>
}

// -----

func.func @other_shape(%x: tensor<64xf32>) -> tensor<32xf32> {
  // expected-error @+1 {{tile.map: }}
  %r = "tile.map"(%x) ({
  ^bb0(%a: f32):
    "gpu.yield"(%a) : (f32) -> ()
  }) {pack = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// -----

func.func @odd_pack(%x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{tile.map: pack is 1, 2, 4, 8 or 16 and at most the number of elements (64), not 3}}
  %r = "tile.map"(%x) ({
  ^bb0(%a: f32):
    "gpu.yield"(%a) : (f32) -> ()
  }) {pack = 3 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

func.func @outside(%x: tensor<64xf32>, %y: f32) -> tensor<64xf32> {
  %r = "tile.map"(%x) ({
  ^bb0(%a: f32):
    // expected-error @+1 {{arith.addf: the function of a map takes operand 1 from outside, which is known at run time only}}
    %b = arith.addf %a, %y : f32
    "gpu.yield"(%b) : (f32) -> ()
  }) {pack = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
