// RUN: tile-opt --tile-cleanup %s | FileCheck %s
// Loops of one iteration at most are branches, those of one iteration are their bodies.

// As many parts of 64 as 64 numbers at most make.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[N:[^ ]*]]: i32
// CHECK-NOT: scf.for
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %[[T:.*]] : i32
// CHECK: %[[R:.*]]:2 = scf.if %[[RUNS]] -> (i32, f32) {
// CHECK-NEXT: "tile.atomic_rmw"
// CHECK-NEXT: scf.yield %c7_i32, %{{.*}} : i32, f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[N]], %{{.*}} : i32, f32
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @parts(%n: i32, %x: f32, %p: !tile.ptr<i32>) -> (i32, f32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %7 = arith.constant 7 : i32
  %63 = arith.constant 63 : i32
  %64 = arith.constant 64 : i32
  %least = arith.minsi %n, %64 : i32
  %above = arith.addi %least, %63 : i32
  %parts = arith.divsi %above, %64 : i32
  %r:2 = scf.for %i = %0 to %parts step %1 iter_args(%a = %n, %b = %x) -> (i32, f32) : i32 {
    %old = "tile.atomic_rmw"(%p, %a) {kind = "add"} : (!tile.ptr<i32>, i32) -> i32
    scf.yield %7, %b : i32, f32
  }
  return %r#0, %r#1 : i32, f32
}

// From anywhere to the next number, a promise, a remainder, a loop around it that counts by 64; without results.
// CHECK-LABEL: func.func @bounds(
// CHECK-COUNT-3: scf.if
// CHECK: scf.for
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK: return
func.func @bounds(%n: i32, %m: i32, %p: !tile.ptr<i32>) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %64 = arith.constant 64 : i32
  %next = arith.addi %n, %1 : i32
  %end = arith.minsi %next, %m : i32
  scf.for %i = %n to %end step %1 : i32 {
    "tile.store"(%p, %i) : (!tile.ptr<i32>, i32) -> ()
  }
  %small = arith.cmpi sle, %m, %64 : i32
  "tile.assume"(%small) : (i1) -> ()
  scf.for %i = %0 to %m step %64 : i32 {
    "tile.store"(%p, %i) : (!tile.ptr<i32>, i32) -> ()
  }
  %odd = arith.remsi %n, %2 : i32
  scf.for %i = %0 to %odd step %1 : i32 {
    "tile.store"(%p, %i) : (!tile.ptr<i32>, i32) -> ()
  }
  scf.for %i = %0 to %n step %64 : i32 {
    %left = arith.subi %64, %i : i32
    scf.for %j = %0 to %left step %64 : i32 {
      "tile.store"(%p, %j) : (!tile.ptr<i32>, i32) -> ()
    }
  }
  return
}

// Known to run.
// CHECK-LABEL: func.func @body(
// CHECK-SAME: %[[N:[^ ]*]]: i32
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NOT: scf
// CHECK: %[[R:.*]] = arith.addi %[[N]], %[[ONE]]
// CHECK-NEXT: return %[[R]]
func.func @body(%n: i32) -> i32 {
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %r = scf.for %i = %1 to %2 step %1 iter_args(%a = %n) -> (i32) : i32 {
    %next = arith.addi %a, %i : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// These stay: 65 numbers are two parts; what is promised later, or in a branch; a sum that may wrap; steps that are not
// known; unsigned numbers; products, whose operands are copied ahead.
// CHECK-LABEL: func.func @stay(
// CHECK-COUNT-6: scf.for
// CHECK: return
func.func @stay(%n: i32, %m: i32, %s: i32, %c: i1, %p: !tile.ptr<i32>) -> tensor<16x16xf32> {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %64 = arith.constant 64 : i32
  %65 = arith.constant 65 : i32
  %far = arith.constant -2147483648 : i32
  %least = arith.minsi %n, %65 : i32
  scf.for %i = %0 to %least step %64 : i32 {
    "tile.store"(%p, %i) : (!tile.ptr<i32>, i32) -> ()
  }
  scf.if %c {
    %branch = arith.cmpi sle, %m, %1 : i32
    "tile.assume"(%branch) : (i1) -> ()
  }
  scf.for %i = %0 to %m step %1 : i32 {
    "tile.store"(%p, %i) : (!tile.ptr<i32>, i32) -> ()
  }
  %small = arith.cmpi slt, %m, %1 : i32
  "tile.assume"(%small) : (i1) -> ()
  %one = arith.minsi %n, %1 : i32
  %wraps = arith.addi %one, %far : i32
  scf.for %i = %0 to %wraps step %1 : i32 {
    "tile.store"(%p, %i) : (!tile.ptr<i32>, i32) -> ()
  }
  scf.for %i = %0 to %one step %s : i32 {
    "tile.store"(%p, %i) : (!tile.ptr<i32>, i32) -> ()
  }
  scf.for unsigned %i = %0 to %one step %1 : i32 {
    "tile.store"(%p, %i) : (!tile.ptr<i32>, i32) -> ()
  }
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = scf.for %i = %0 to %one step %1 iter_args(%x = %z) -> (tensor<16x16xf32>) : i32 {
    %y = "tile.dot"(%a, %a, %x) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %y : tensor<16x16xf32>
  }
  return %d : tensor<16x16xf32>
}
