// RUN: tile-opt --tile-cleanup %s | FileCheck %s

// What nobody uses goes.

// A whole chain of pure operations, a division and a load at its end.
// CHECK-LABEL: @chain
// CHECK-NEXT: return
func.func @chain(%p: !tile.ptr<i32>, %n: i32) {
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %q = "tile.addptr"(%ps, %r) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<i32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x!tile.ptr<i32>>) -> tensor<64xi32>
  %d = arith.divsi %r, %v : tensor<64xi32>
  return
}

// Structured control flow without effects, and with it what is nested inside.
// CHECK-LABEL: @control_flow
// CHECK-NEXT: return
func.func @control_flow(%p: !tile.ptr<i32>, %n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %zero) -> i32 : i32 {
    %s = scf.if %c -> i32 {
      %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
      scf.yield %v : i32
    } else {
      scf.yield %a : i32
    }
    scf.yield %s : i32
  }
  %w = scf.while (%a = %r) : (i32) -> i32 {
    %go = arith.cmpi slt, %a, %n : i32
    scf.condition(%go) %a : i32
  } do {
  ^bb0(%a: i32):
    %b = arith.addi %a, %one : i32
    scf.yield %b : i32
  }
  return
}

// A store inside keeps the loop, though its result is not used.
// CHECK-LABEL: @effect_inside
// CHECK: scf.for
// CHECK: scf.if
// CHECK: "tile.store"
func.func @effect_inside(%p: !tile.ptr<i32>, %n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %zero) -> i32 : i32 {
    scf.if %c {
      "tile.store"(%p, %a) : (!tile.ptr<i32>, i32) -> ()
    }
    scf.yield %i : i32
  }
  return
}

// An assumption stays with what it speaks of, but is no reason to keep a loop.
// CHECK-LABEL: @assumption
// CHECK: %[[C:.*]] = arith.cmpi
// CHECK-NEXT: "tile.assume"(%[[C]])
// CHECK-NEXT: return
func.func @assumption(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c = arith.cmpi sge, %n, %zero : i32
  "tile.assume"(%c) : (i1) -> ()
  scf.for %i = %zero to %n step %one : i32 {
    %d = arith.cmpi sge, %i, %zero : i32
    "tile.assume"(%d) : (i1) -> ()
  }
  return
}

// Operations that we do not know, and upstream's reads of memory, are left alone.
// CHECK-LABEL: @left_alone
// CHECK: llvm.load
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: gpu.barrier
func.func @left_alone(%p: !llvm.ptr) {
  %v = llvm.load volatile %p : !llvm.ptr -> i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  gpu.barrier
  return
}

// Reductions nobody uses go, with what only they used; atomics, prints, assertions and assembly with
// effects stay.
// CHECK-LABEL: func.func @vocabulary
// CHECK-NOT: arith.mulf
// CHECK-NOT: "tile.reduce"
// CHECK: "tile.atomic_rmw"
// CHECK: "tile.atomic_cas"
// CHECK-NOT: pure = true
// CHECK: pure = false
// CHECK: "tile.print"
// CHECK: "tile.assert"
// CHECK: "tile.barrier"
// CHECK: "tile.grid_wait"
// CHECK: "tile.grid_launch"
func.func @vocabulary(%x: tensor<64xf32>, %p: !tile.ptr<i32>, %v: i32, %c: i1) {
  %square = arith.mulf %x, %x : tensor<64xf32>
  %r = "tile.reduce"(%square) ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xf32>) -> f32
  %old = "tile.atomic_rmw"(%p, %v) {kind = "add"} : (!tile.ptr<i32>, i32) -> i32
  %was = "tile.atomic_cas"(%p, %v, %v) : (!tile.ptr<i32>, i32, i32) -> i32
  %asm = "tile.inline_asm"(%v) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  %asm2 = "tile.inline_asm"(%v) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  "tile.print"(%v) {prefix = "", hex = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> ()
  "tile.assert"(%c) {message = "", file = "", function = "", line = 1 : i32} : (i1) -> ()
  "tile.barrier"() : () -> ()
  "tile.grid_wait"() : () -> ()
  "tile.grid_launch"() : () -> ()
  return
}
