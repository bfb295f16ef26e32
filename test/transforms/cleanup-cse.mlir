// RUN: tile-opt --tile-cleanup --allow-unregistered-dialect %s | FileCheck %s

// Equal operations become one. "test.use" is unknown to the pass: it may do anything.

// Same name, operands, attributes and type: one remains.
// CHECK-LABEL: @equal
// CHECK: %[[R:.*]] = "tile.range"
// CHECK-NOT: "tile.range"
// CHECK: return %[[R]], %[[R]]
func.func @equal() -> (tensor<64xi32>, tensor<64xi32>) {
  %a = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %b = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  return %a, %b : tensor<64xi32>, tensor<64xi32>
}

// Another attribute, here the start, makes another operation.
// CHECK-LABEL: @unequal_attribute
// CHECK: %[[A:.*]] = "tile.range"() {end = 64 : i32, start = 0 : i32}
// CHECK: %[[B:.*]] = "tile.range"() {end = 128 : i32, start = 64 : i32}
// CHECK: return %[[A]], %[[B]]
func.func @unequal_attribute() -> (tensor<64xi32>, tensor<64xi32>) {
  %a = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %b = "tile.range"() {start = 64 : i32, end = 128 : i32} : () -> tensor<64xi32>
  return %a, %b : tensor<64xi32>, tensor<64xi32>
}

// So does a predicate, which upstream's operations keep elsewhere, and a hint.
// CHECK-LABEL: @unequal_predicate_and_hint
// CHECK: arith.cmpi slt
// CHECK: arith.cmpi sle
// CHECK: arith.addi
// CHECK: arith.addi %{{.*}} {tile.divisibility = 16 : i32}
func.func @unequal_predicate_and_hint(%x: i32, %y: i32) -> (i1, i1, i32, i32) {
  %a = arith.cmpi slt, %x, %y : i32
  %b = arith.cmpi sle, %x, %y : i32
  %c = arith.addi %x, %y : i32
  %d = arith.addi %x, %y {tile.divisibility = 16 : i32} : i32
  return %a, %b, %c, %d : i1, i1, i32, i32
}

// Merging the operands makes their users equal: chains collapse in one walk.
// CHECK-LABEL: @chain
// CHECK-COUNT-1: "tile.splat"
// CHECK-COUNT-1: "tile.addptr"
// CHECK-NOT: "tile.splat"
// CHECK-NOT: "tile.addptr"
// CHECK: return
func.func @chain(%p: !tile.ptr<f32>, %i: tensor<64xi32>)
    -> (tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>) {
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  %a = "tile.addptr"(%ps, %i) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  %qs = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  %b = "tile.addptr"(%qs, %i) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  return %a, %b : tensor<64x!tile.ptr<f32>>, tensor<64x!tile.ptr<f32>>
}

// An operation before a scf.if serves inside of it; the arms do not serve each other.
// CHECK-LABEL: @scopes
// CHECK-SAME: (%[[C:.*]]: i1, %[[X:.*]]: i32)
// CHECK-NEXT: %[[OUTER:.*]] = arith.addi %[[X]], %[[X]]
// CHECK: scf.if
// CHECK-NEXT: %[[THEN:.*]] = arith.muli %[[OUTER]], %[[X]]
// CHECK-NEXT: scf.yield %[[THEN]]
// CHECK: else
// CHECK-NEXT: %[[ELSE:.*]] = arith.muli %[[OUTER]], %[[X]]
// CHECK-NEXT: arith.addi %[[ELSE]], %[[OUTER]]
func.func @scopes(%c: i1, %x: i32) -> (i32, i32) {
  %outer = arith.addi %x, %x : i32
  %r = scf.if %c -> i32 {
    %a = arith.addi %x, %x : i32
    %b = arith.muli %a, %x : i32
    scf.yield %b : i32
  } else {
    %a = arith.addi %x, %x : i32
    %b = arith.muli %a, %x : i32
    %d = arith.addi %b, %a : i32
    scf.yield %d : i32
  }
  return %r, %outer : i32, i32
}

// Blocks of a control-flow graph are looked at one by one.
// CHECK-LABEL: @blocks
// CHECK: arith.addi
// CHECK-NOT: arith.addi
// CHECK: cf.br
// CHECK: arith.addi
// CHECK: return
func.func @blocks(%x: i32) -> (i32, i32, i32) {
  %a = arith.addi %x, %x : i32
  %b = arith.addi %x, %x : i32
  cf.br ^next
^next:
  %c = arith.addi %x, %x : i32
  return %a, %b, %c : i32, i32, i32
}

// Equal loads with nothing between them that could write are one, also over a scf.if that only reads.
// CHECK-LABEL: @loads
// CHECK: %[[V:.*]] = "tile.load"
// CHECK: scf.if
// CHECK: "tile.load"
// CHECK: }
// CHECK-NOT: "tile.load"
// CHECK: return %[[V]], %[[V]]
func.func @loads(%p: !tile.ptr<f32>, %c: i1) -> (f32, f32, f32) {
  %zero = arith.constant 0.0 : f32
  %a = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %r = scf.if %c -> f32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
    scf.yield %x : f32
  } else {
    scf.yield %zero : f32
  }
  %b = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  return %a, %b, %r : f32, f32, f32
}

// A store between two loads may change what the second finds, through another pointer too.
// CHECK-LABEL: @store_between
// CHECK: %[[A:.*]] = "tile.load"
// CHECK: "tile.store"
// CHECK: %[[B:.*]] = "tile.load"
// CHECK: return %[[A]], %[[B]]
func.func @store_between(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %v: f32) -> (f32, f32) {
  %a = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  "tile.store"(%q, %v) : (!tile.ptr<f32>, f32) -> ()
  %b = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  return %a, %b : f32, f32
}

// So may a store inside a loop, and an operation that we do not know.
// CHECK-LABEL: @write_inside
// CHECK: %[[A:.*]] = "tile.load"
// CHECK: scf.for
// CHECK: %[[B:.*]] = "tile.load"
// CHECK: gpu.barrier
// CHECK: %[[C:.*]] = "tile.load"
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @write_inside(%p: !tile.ptr<f32>, %v: f32, %n: i32) -> (f32, f32, f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  scf.for %i = %zero to %n step %one : i32 {
    "tile.store"(%p, %v) : (!tile.ptr<f32>, f32) -> ()
  }
  %b = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  gpu.barrier
  %c = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  return %a, %b, %c : f32, f32, f32
}

// Volatile loads all happen, used or not, and nothing is remembered across them.
// CHECK-LABEL: @volatile
// CHECK-COUNT-2: "tile.load"(%{{.*}}) {{{.*}}volatile}
// CHECK: %[[A:.*]] = "tile.load"
// CHECK: "tile.load"(%{{.*}}) {{{.*}}volatile}
// CHECK: %[[B:.*]] = "tile.load"
// CHECK: return %[[A]], %[[B]]
func.func @volatile(%p: !tile.ptr<f32>) -> (f32, f32) {
  %a = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (!tile.ptr<f32>) -> f32
  %b = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (!tile.ptr<f32>) -> f32
  %c = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %d = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (!tile.ptr<f32>) -> f32
  %e = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  return %c, %e : f32, f32
}

// Functions do not see what is outside of them.
// CHECK-LABEL: module @inner
// CHECK: arith.constant 5
// CHECK: func.func @isolated
// CHECK-NEXT: arith.constant 5
module @inner {
  %five = arith.constant 5 : i32
  %keep = builtin.unrealized_conversion_cast %five : i32 to index
  "test.use"(%keep) : (index) -> ()
  func.func @isolated() -> i32 {
    %c = arith.constant 5 : i32
    return %c : i32
  }
}

// What has a region is not merged: regions are not compared. Inside, equal operations merge.
// CHECK-LABEL: func.func @reductions
// CHECK: "tile.reduce"
// CHECK: arith.mulf
// CHECK-NOT: arith.mulf
// CHECK: "tile.reduce"
// CHECK: arith.maxnumf
func.func @reductions(%x: tensor<64xf32>, %p: !tile.ptr<f32>) {
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    %d = arith.mulf %a, %b : f32
    %e = arith.subf %c, %d : f32
    "gpu.yield"(%e) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  %s = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  "tile.store"(%p, %r) : (!tile.ptr<f32>, f32) -> ()
  "tile.store"(%p, %s) : (!tile.ptr<f32>, f32) -> ()
  return
}

// An operation with two results is merged with both.
// CHECK-LABEL: func.func @split_twice
// CHECK: %[[S:.*]]:2 = "tile.split"
// CHECK-NOT: "tile.split"
// CHECK: return %[[S]]#0, %[[S]]#1
func.func @split_twice(%x: tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a, %b = "tile.split"(%x) : (tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %c, %d = "tile.split"(%x) : (tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %a, %d : tensor<8xf32>, tensor<8xf32>
}

// Assembly that says it is pure merges; other assembly happens each time.
// CHECK-LABEL: func.func @assembly
// CHECK-COUNT-1: pure = true
// CHECK-NOT: pure = true
// CHECK-COUNT-2: pure = false
func.func @assembly(%x: i32) -> (i32, i32, i32, i32) {
  %a = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  %b = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  %c = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  %d = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return %a, %b, %c, %d : i32, i32, i32, i32
}

// A load is not merged with one before a barrier or an atomic operation.
// CHECK-LABEL: func.func @barrier
// CHECK-COUNT-3: "tile.load"
func.func @barrier(%p: !tile.ptr<i32>) -> (i32, i32, i32) {
  %a = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  "tile.barrier"() : () -> ()
  %b = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  %old = "tile.atomic_rmw"(%p, %a) {kind = "add"} : (!tile.ptr<i32>, i32) -> i32
  %c = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  return %a, %b, %c : i32, i32, i32
}
