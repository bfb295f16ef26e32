// RUN: tile-opt --tile-inline --split-input-file %s | FileCheck %s
// RUN: tile-opt --tile-inline --split-input-file --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LOC

// The body takes the call's place, arguments and results are connected, and a private function that
// is not called any more goes.
// CHECK-LABEL: func.func @simple
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32) -> f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT: %[[TWICE:.*]] = arith.mulf %[[SUM]], %[[SUM]]
// CHECK-NEXT: return %[[TWICE]]
// CHECK-NOT: @add
func.func @simple(%a: f32, %b: f32) -> f32 {
  %sum = func.call @add(%a, %b) : (f32, f32) -> f32
  %square = arith.mulf %sum, %sum : f32
  return %square : f32
}
func.func private @add(%x: f32, %y: f32) -> f32 {
  %sum = arith.addf %x, %y : f32
  return %sum : f32
}

// -----

// A function's own calls are replaced first, however the functions are ordered; each call gets a
// copy of its own.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%[[X:.*]]: i32) -> i32
// CHECK-NEXT: %[[A:.*]] = arith.addi %[[X]], %[[X]]
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[A]], %[[A]]
// CHECK-NEXT: %[[C:.*]] = arith.addi %[[B]], %[[B]]
// CHECK-NEXT: %[[D:.*]] = arith.addi %[[C]], %[[C]]
// CHECK-NEXT: return %[[D]]
// CHECK-NOT: func
func.func private @times_two(%x: i32) -> i32 {
  %r = arith.addi %x, %x : i32
  return %r : i32
}
func.func @nested(%x: i32) -> i32 {
  %a = func.call @times_four(%x) : (i32) -> i32
  %b = func.call @times_four(%a) : (i32) -> i32
  return %b : i32
}
func.func private @times_four(%x: i32) -> i32 {
  %a = func.call @times_two(%x) : (i32) -> i32
  %b = func.call @times_two(%a) : (i32) -> i32
  return %b : i32
}

// -----

// A call inside a loop is replaced there, and a body may have structured control flow of its own.
// CHECK-LABEL: func.func @in_loop
// CHECK-SAME: (%[[N:.*]]: i32, %[[P:.*]]: !tile.ptr<f32>)
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK: %[[C:.*]] = arith.cmpi sgt, %[[I]]
// CHECK: scf.if %[[C]] {
// CHECK: "tile.store"(%[[P]]
// CHECK-NOT: call
func.func @in_loop(%n: i32, %p: !tile.ptr<f32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    func.call @store_if_positive(%p, %i) : (!tile.ptr<f32>, i32) -> ()
  }
  return
}
func.func private @store_if_positive(%p: !tile.ptr<f32>, %i: i32) {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi sgt, %i, %zero : i32
  scf.if %c {
    %x = arith.sitofp %i : i32 to f32
    "tile.store"(%p, %x) : (!tile.ptr<f32>, f32) -> ()
  }
  return
}

// -----

// A callee may return its arguments, in any order, and have several results.
// CHECK-LABEL: func.func @swapped
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-NEXT: return %[[B]], %[[A]]
func.func @swapped(%a: i32, %b: i32) -> (i32, i32) {
  %r:2 = func.call @swap(%a, %b) : (i32, i32) -> (i32, i32)
  return %r#0, %r#1 : i32, i32
}
func.func private @swap(%a: i32, %b: i32) -> (i32, i32) {
  return %b, %a : i32, i32
}

// -----

// Kernels and public functions stay, and so does a private function that something still names.
// CHECK-DAG: func.func private @kernel
// CHECK-DAG: func.func @public
// CHECK-DAG: func.func private @named
// CHECK-DAG: func.func @names
// CHECK-NOT: @gone
func.func private @kernel() attributes {tile.kernel} {
  func.call @public() : () -> ()
  return
}
func.func @public() {
  return
}
func.func private @named() {
  return
}
func.func @names() -> (() -> ()) {
  %f = func.constant @named : () -> ()
  return %f : () -> ()
}
func.func private @gone() {
  return
}

// -----

// What was inlined says where it stands in the source and through which calls it got there.
// LOC-LABEL: func.func @located
// LOC: arith.negf %{{.*}} : f32 loc(#[[WHOLE:.*]])
// LOC-DAG: #[[INNER:.*]] = loc("inner.py":1:2)
// LOC-DAG: #[[OUTER:.*]] = loc("outer.py":3:4)
// LOC-DAG: #[[KERNEL:.*]] = loc("kernel.py":5:6)
// LOC-DAG: #[[FIRST:.*]] = loc(callsite(#[[INNER]] at #[[OUTER]]))
// LOC-DAG: #[[WHOLE]] = loc(callsite(#[[FIRST]] at #[[KERNEL]]))
func.func @located(%x: f32) -> f32 {
  %r = func.call @outer(%x) : (f32) -> f32 loc("kernel.py":5:6)
  return %r : f32
}
func.func private @outer(%x: f32) -> f32 {
  %r = func.call @inner(%x) : (f32) -> f32 loc("outer.py":3:4)
  return %r : f32
}
func.func private @inner(%x: f32) -> f32 {
  %r = arith.negf %x : f32 loc("inner.py":1:2)
  return %r : f32
}

// A call in the region of a reduction is replaced there.
// CHECK-LABEL: func.func @combine_by_call
// CHECK: "tile.reduce"
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-NEXT: gpu.yield %[[SUM]]
func.func private @plus(%a: f32, %b: f32) -> f32 {
  %s = arith.addf %a, %b : f32
  return %s : f32
}
func.func @combine_by_call(%x: tensor<64xf32>) -> f32 {
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %s = func.call @plus(%a, %b) : (f32, f32) -> f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  return %r : f32
}
