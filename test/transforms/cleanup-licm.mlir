// RUN: tile-opt --tile-cleanup %s | FileCheck %s

// What is the same in every iteration moves before the loop.

// Pure operations whose operands come from outside leave, and then those that used them.
// CHECK-LABEL: @invariant
// CHECK-SAME: (%[[P:.*]]: !tile.ptr<f32>, %[[X:.*]]: f32, %{{.*}}: i32)
// CHECK: %[[R:.*]] = "tile.range"
// CHECK: %[[PS:.*]] = "tile.splat"(%[[P]])
// CHECK: %[[Q:.*]] = "tile.addptr"(%[[PS]], %[[R]])
// CHECK: %[[V:.*]] = "tile.splat"(%[[X]])
// CHECK: scf.for
// CHECK-NEXT: "tile.store"(%[[Q]], %[[V]])
// CHECK-NEXT: }
func.func @invariant(%p: !tile.ptr<f32>, %x: f32, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
    %q = "tile.addptr"(%ps, %r) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
    %v = "tile.splat"(%x) : (f32) -> tensor<64xf32>
    "tile.store"(%q, %v) : (tensor<64x!tile.ptr<f32>>, tensor<64xf32>) -> ()
  }
  return
}

// What depends on the induction variable or a carried value stays.
// CHECK-LABEL: @variant
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] =
// CHECK-NEXT: arith.addi %[[A]], %[[I]]
func.func @variant(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %zero) -> i32 : i32 {
    %s = arith.addi %a, %i : i32
    scf.yield %s : i32
  }
  return %r : i32
}

// A division may trap: a loop that runs no iteration must not divide. A load stays too.
// CHECK-LABEL: @not_movable
// CHECK: scf.for
// CHECK: arith.divsi
// CHECK: "tile.load"
// CHECK: "tile.store"
func.func @not_movable(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    %d = arith.divsi %one, %n : i32
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    %s = arith.addi %d, %v : i32
    "tile.store"(%q, %s) : (!tile.ptr<i32>, i32) -> ()
  }
  return
}

// Through two loops at once; what depends on the outer loop only rises as far as that.
// CHECK-LABEL: @two_levels
// CHECK: %[[SQUARE:.*]] = arith.muli
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[SQUARE]], %[[I]]
// CHECK-NEXT: scf.for
// CHECK-NEXT: "tile.store"(%{{.*}}, %[[SUM]])
func.func @two_levels(%p: !tile.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    scf.for %j = %zero to %n step %one : i32 {
      %square = arith.muli %n, %n : i32
      %sum = arith.addi %square, %i : i32
      "tile.store"(%p, %sum) : (!tile.ptr<i32>, i32) -> ()
    }
  }
  return
}

// A reduction goes with its region and the constants it uses.
// CHECK-LABEL: func.func @reduction
// CHECK: "tile.reduce"
// CHECK: scf.for
func.func @reduction(%x: tensor<64xf32>, %p: !tile.ptr<f32>, %low: i32, %high: i32, %step: i32) {
  scf.for %i = %low to %high step %step : i32 {
    %limit = arith.constant 1.0 : f32
    %sum = "tile.reduce"(%x) ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      %d = arith.minnumf %c, %limit : f32
      "gpu.yield"(%d) : (f32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
    "tile.store"(%p, %sum) : (!tile.ptr<f32>, f32) -> ()
  }
  return
}

// One of a value of the iteration stays, and so does one whose region may trap.
// CHECK-LABEL: func.func @reduction_stays
// CHECK-NOT: "tile.reduce"
// CHECK: scf.for
// CHECK: "tile.reduce"
// CHECK: "tile.reduce"
func.func @reduction_stays(%x: tensor<64xi32>, %p: !tile.ptr<i32>, %low: i32, %high: i32, %step: i32) {
  scf.for %i = %low to %high step %step : i32 {
    %own = "tile.splat"(%i) : (i32) -> tensor<64xi32>
    %sum = "tile.reduce"(%own) ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      "gpu.yield"(%c) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xi32>) -> i32
    "tile.store"(%p, %sum) : (!tile.ptr<i32>, i32) -> ()
    %quotient = "tile.reduce"(%x) ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.divsi %a, %b : i32
      "gpu.yield"(%c) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xi32>) -> i32
    "tile.store"(%p, %quotient) : (!tile.ptr<i32>, i32) -> ()
  }
  return
}
