// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Reductions, scans, sorting and histograms: the rules of lib/ir/verify_tile_reduce.c and
// lib/ir/verify_tile_sort.c, one case a message.

func.func @no_operands() {
  // expected-error @+1 {{tile.reduce: there are one to eight operands, not none}}
  "tile.reduce"() ({
  ^bb0():
    "gpu.yield"() : () -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0>} : () -> ()
  return
}

// -----

func.func @segments_with_a_gap(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.reduce: operandSegmentSizes has a gap; what is there comes first, as in 1, 1, 0, 0, 0, 0, 0, 0}}
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @a_result_too_few(%x: tensor<64xf32>, %y: tensor<64xf32>) {
  // expected-error @+1 {{tile.reduce: each of the 2 operands has a result, there are 1}}
  %r = "tile.reduce"(%x, %y) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>, tensor<64xf32>) -> f32
  return
}

// -----

func.func @of_a_scalar(%x: f32) {
  // expected-error @+1 {{tile.reduce: the operands are tensors; a scalar is its own result}}
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (f32) -> f32
  return
}

// -----

func.func @of_two_shapes(%x: tensor<64xf32>, %y: tensor<32xf32>) {
  // expected-error @+1 {{tile.reduce: shapes differ: tensor<64xf32> and tensor<32xf32>}}
  %r, %s = "tile.reduce"(%x, %y) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>, tensor<32xf32>) -> (f32, f32)
  return
}

// -----

func.func @axis(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.reduce: axis = 1 is out of range; it is 0 to 0}}
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @axis_type(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.reduce: axis is an i32 attribute}}
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = "x", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @result_keeps_dimension(%x: tensor<64x4xf32>) {
  // expected-error @+1 {{tile.reduce: result 0 is tensor<4xf32>, not tensor<64x4xf32>}}
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64x4xf32>) -> tensor<64x4xf32>
  return
}

// -----

func.func @result_of_rank_one(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.reduce: result 0 is f32, not tensor<1xf32>}}
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @region_of_one_value(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.reduce: the region takes 2 values, all left ones, then all right ones, not 1}}
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32):
    "gpu.yield"(%a) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @region_of_another_type(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.reduce: argument 1 of the region is of type f32, as the operand's elements}}
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: i32):
    "gpu.yield"(%a) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @region_without_yield(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.reduce: the region ends in gpu.yield of the combined values}}
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    "llvm.return"(%a) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @yield_of_two(%x: tensor<64xf32>) {
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{gpu.yield: one value for each operand of tile.reduce: 1, not 2}}
    "gpu.yield"(%a, %b) : (f32, f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @yield_of_another_type(%x: tensor<64xf32>, %i: i32) {
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{gpu.yield: value and operand have different types: i32 and tensor<64xf32>; convert the value}}
    "gpu.yield"(%i) : (i32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @combiner_with_an_effect(%x: tensor<64xf32>, %p: !tile.ptr<f32>) {
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{tile.store: the combiner of a reduction or scan has no effects; move this out of it}}
    "tile.store"(%p, %a) : (!tile.ptr<f32>, f32) -> ()
    "gpu.yield"(%a) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @combiner_that_loads(%x: tensor<64xf32>, %p: !tile.ptr<f32>) {
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{tile.load: the combiner of a reduction or scan has no effects}}
    %c = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @combiner_of_tiles(%x: tensor<64xf32>) {
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    // expected-error @+1 {{arith.addf: the combiner of a reduction or scan works on scalars; make another operand of the tile}}
    %c = arith.addf %x, %x : tensor<64xf32>
    "gpu.yield"(%a) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @scan_shape(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.scan: result 0 is tensor<64xf32>, not f32}}
  %r = "tile.scan"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, reverse = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}

// -----

func.func @scan_reverse(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.scan: reverse is true or false}}
  %r = "tile.scan"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, reverse = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

// IRDL's part: declared attributes are there.
func.func @scan_without_reverse(%x: tensor<64xf32>) {
  // expected-error @+1 {{attribute "reverse" is expected but not provided}}
  %r = "tile.scan"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

func.func @sort_of_a_scalar(%x: f32) {
  // expected-error @+1 {{tile.sort: operand and result are tensors}}
  %0 = "tile.sort"(%x) {axis = 0 : i32, descending = true} : (f32) -> f32
  return
}

// -----

func.func @sort_of_pointers(%x: tensor<4x!tile.ptr<f32>>) {
  // expected-error @+1 {{tile.sort: the elements are numbers; use tile.ptr_to_int to sort pointers}}
  %0 = "tile.sort"(%x) {axis = 0 : i32, descending = true} : (tensor<4x!tile.ptr<f32>>) -> tensor<4x!tile.ptr<f32>>
  return
}

// -----

func.func @sort_changes_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.sort: element types differ}}
  %0 = "tile.sort"(%x) {axis = 0 : i32, descending = true} : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @sort_descending(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.sort: descending is true or false}}
  %0 = "tile.sort"(%x) {axis = 0 : i32, descending = "yes"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.sort: axis = -1 is out of range; it is 0 to 0}}
  %0 = "tile.sort"(%x) {axis = -1 : i32, descending = true} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_rank(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{tile.sort: ranks differ: tensor<4x4xf32> and tensor<4xf32>; use tile.reshape after the sort}}
  %0 = "tile.sort"(%x) {axis = 0 : i32, descending = true} : (tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_other_dimension(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{tile.sort: dimension 1 goes from 4 to 2; only the one along axis can shrink}}
  %0 = "tile.sort"(%x) {axis = 0 : i32, descending = true} : (tensor<4x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @sort_grows(%x: tensor<4xf32>) {
  // expected-error @+1 {{tile.sort: the result has 8 elements along axis, the operand has only 4}}
  %0 = "tile.sort"(%x) {axis = 0 : i32, descending = true} : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @histogram_of_floats(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile.histogram: the operand is a 1-D tensor of i8, i16, i32 or i64; use tile.reshape}}
  %0 = "tile.histogram"(%x) : (tensor<64xf32>) -> tensor<16xi32>
  return
}

// -----

func.func @histogram_of_a_matrix(%x: tensor<8x8xi32>) {
  // expected-error @+1 {{tile.histogram: the operand is a 1-D tensor}}
  %0 = "tile.histogram"(%x) : (tensor<8x8xi32>) -> tensor<16xi32>
  return
}

// -----

func.func @histogram_result(%x: tensor<64xi32>) {
  // expected-error @+1 {{tile.histogram: the result is a 1-D tensor of i32, one element a bin}}
  %0 = "tile.histogram"(%x) : (tensor<64xi32>) -> tensor<16xi64>
  return
}

// -----

func.func @histogram_mask(%x: tensor<64xi32>, %m: tensor<32xi1>) {
  // expected-error @+1 {{tile.histogram: shapes differ: tensor<64xi32> and tensor<32xi1>}}
  %0 = "tile.histogram"(%x, %m) : (tensor<64xi32>, tensor<32xi1>) -> tensor<16xi32>
  return
}

// -----

// What the combiner takes from outside is known at compile time.
func.func @capture(%x: tensor<64xf32>, %s: f32) {
  %two = arith.constant 2.0 : f32
  %four = arith.mulf %two, %two : f32
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    %d = arith.mulf %c, %four : f32
    // expected-error @+1 {{arith.mulf: the combiner of a reduction or scan takes operand 1 from outside, which is known at run time only; it computes with its arguments and constants}}
    %e = arith.mulf %d, %s : f32
    "gpu.yield"(%e) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return
}
