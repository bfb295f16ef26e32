// RUN: tile-opt --tile-if-to-select --tile-cleanup %s | FileCheck %s

// Small branches as selects (lib/transforms/if_to_select.c).

// Adding a number in one arm: the number is selected, once; -0.0 changes nothing.
// CHECK-LABEL: func.func @adds
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[NONE:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[K:.*]] = arith.select %{{.*}}, %[[ONE]], %[[NONE]] : f32
// CHECK: %[[S:.*]] = "tile.splat"(%[[K]])
// CHECK: arith.addf %{{.*}}, %[[S]]
// CHECK-NOT: scf.if
// CHECK: return
func.func @adds(%c: i1, %x: tensor<64xf32>) -> tensor<64xf32> {
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %y = scf.if %c -> (tensor<64xf32>) {
    %s = arith.addf %x, %one : tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  } else {
    scf.yield %x : tensor<64xf32>
  }
  return %y : tensor<64xf32>
}

// The other arm, the other side, and a factor: 1.0 changes nothing.
// CHECK-LABEL: func.func @multiplies
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: arith.select %{{.*}}, %[[ONE]], %[[TWO]] : f32
// CHECK: arith.mulf %arg1, %{{.*}} : f32
func.func @multiplies(%c: i1, %x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %y = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    %s = arith.mulf %two, %x : f32
    scf.yield %s : f32
  }
  return %y : f32
}

// Anything else is selected element by element; what both arms yield needs nothing.
// CHECK-LABEL: func.func @selects
// CHECK: %[[A:.*]] = arith.addi %arg1, %arg2
// CHECK: %[[B:.*]] = arith.subi %arg1, %arg2
// CHECK: %[[R:.*]] = arith.select %arg0, %[[A]], %[[B]] : tensor<64xi32>
// CHECK: return %[[R]], %arg2
func.func @selects(%c: i1, %x: tensor<64xi32>, %z: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>) {
  %y:2 = scf.if %c -> (tensor<64xi32>, tensor<64xi32>) {
    %s = arith.addi %x, %z : tensor<64xi32>
    scf.yield %s, %z : tensor<64xi32>, tensor<64xi32>
  } else {
    %s = arith.subi %x, %z : tensor<64xi32>
    scf.yield %s, %z : tensor<64xi32>, tensor<64xi32>
  }
  return %y#0, %y#1 : tensor<64xi32>, tensor<64xi32>
}

// Kept: what costs much, may trap, loads, or has effects.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: scf.if
func.func @kept(%c: i1, %x: tensor<64xf32>, %i: i32, %p: !tile.ptr<i32>) -> (tensor<64xf32>, i32, i32) {
  %a = scf.if %c -> (tensor<64xf32>) {
    %s = math.exp %x : tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  } else {
    scf.yield %x : tensor<64xf32>
  }
  %b = scf.if %c -> (i32) {
    %s = arith.divsi %i, %i : i32
    scf.yield %s : i32
  } else {
    scf.yield %i : i32
  }
  %d = scf.if %c -> (i32) {
    %s = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    scf.yield %s : i32
  } else {
    scf.yield %i : i32
  }
  scf.if %c {
    "tile.store"(%p, %i) : (!tile.ptr<i32>, i32) -> ()
  }
  return %a, %b, %d : tensor<64xf32>, i32, i32
}
