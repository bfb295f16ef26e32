// RUN: tile-opt --tile-cleanup %s | FileCheck %s
// RUN: tile-opt --tile-cleanup --canonicalize %s | FileCheck %s --check-prefix=CARRIED

// A number that counts as the loop's counter does is the counter.

// CHECK-LABEL: @same
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: "tile.store"(%{{.*}}, %[[I]])
// CARRIED-LABEL: @same
// CARRIED-NOT: iter_args
// CARRIED: return
func.func @same(%p: !tile.ptr<i32>, %first: i32, %n: i32, %step: i32) {
  %r = scf.for %i = %first to %n step %step iter_args(%c = %first) -> (i32) : i32 {
    "tile.store"(%p, %c) : (!tile.ptr<i32>, i32) -> ()
    %next = arith.addi %c, %step : i32
    scf.yield %next : i32
  }
  return
}

// One step behind, what it counts to is: the second counter of persistent kernels.
// CHECK-LABEL: @behind
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK-NEXT: "tile.store"(%{{.*}}, %[[I]])
// CARRIED-LABEL: @behind
// CARRIED-NOT: iter_args
// CARRIED: return
func.func @behind(%p: !tile.ptr<i32>, %first: i32, %n: i32, %step: i32) {
  %before = arith.subi %first, %step : i32
  %r = scf.for %i = %first to %n step %step iter_args(%c = %before) -> (i32) : i32 {
    %next = arith.addi %step, %c : i32
    "tile.store"(%p, %next) : (!tile.ptr<i32>, i32) -> ()
    scf.yield %next : i32
  }
  return
}

// Constants that are equal are one number; the number of the iteration before stays carried.
// CHECK-LABEL: @constants
// CHECK: scf.for %[[I:[^ ]*]] = {{.*}} iter_args(%[[C:.*]] = %{{.*}})
// CHECK-NEXT: "tile.store"(%{{.*}}, %[[C]])
// CHECK-NEXT: "tile.store"(%{{.*}}, %[[I]])
// CHECK-NEXT: scf.yield %[[I]]
func.func @constants(%p: !tile.ptr<i32>, %first: i32, %n: i32) {
  %step = arith.constant 132 : i32
  %also = arith.constant 132 : i32
  %less = arith.constant -132 : i32
  %before = arith.addi %first, %less : i32
  %r = scf.for %i = %first to %n step %step iter_args(%c = %before) -> (i32) : i32 {
    "tile.store"(%p, %c) : (!tile.ptr<i32>, i32) -> ()
    %next = arith.addi %c, %also : i32
    "tile.store"(%p, %next) : (!tile.ptr<i32>, i32) -> ()
    scf.yield %next : i32
  }
  return
}

// What the loop ends with is still there.
// CHECK-LABEL: @result
// CHECK: %[[R:.*]] = scf.for %[[I:[^ ]*]] =
// CHECK: "tile.store"(%{{.*}}, %[[I]])
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: return %[[R]]
func.func @result(%p: !tile.ptr<i32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%c = %zero) -> (i32) : i32 {
    "tile.store"(%p, %c) : (!tile.ptr<i32>, i32) -> ()
    %next = arith.addi %c, %one : i32
    scf.yield %next : i32
  }
  return %r : i32
}

// Not: another step, another beginning, other bits, a hint that would be lost, two steps behind.
// CHECK-LABEL: @others
// CHECK: scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: "tile.store"(%{{.*}}, %[[A]])
// CHECK: "tile.store"(%{{.*}}, %[[B]])
// CHECK: "tile.store"(%{{.*}}, %[[C]])
// CHECK: %[[D:.*]] = arith.addi {{.*}}tile.divisibility
// CHECK: "tile.store"(%{{.*}}, %[[D]])
// CHECK: %[[E:.*]] = arith.addi
// CHECK: "tile.store"(%{{.*}}, %[[E]])
func.func @others(%p: !tile.ptr<i32>, %q: !tile.ptr<i64>, %first: i32, %long: i64, %n: i32, %step: i32) {
  %two = arith.constant 2 : i32
  %step_long = arith.extsi %step : i32 to i64
  %before = arith.subi %first, %step : i32
  %twice = arith.subi %before, %step : i32
  %r:5 = scf.for %i = %first to %n step %step
      iter_args(%a = %first, %b = %two, %c = %long, %d = %before, %e = %twice) -> (i32, i32, i64, i32, i32) : i32 {
    "tile.store"(%p, %a) : (!tile.ptr<i32>, i32) -> ()
    "tile.store"(%p, %b) : (!tile.ptr<i32>, i32) -> ()
    "tile.store"(%q, %c) : (!tile.ptr<i64>, i64) -> ()
    %a1 = arith.addi %a, %two : i32
    %b1 = arith.addi %b, %step : i32
    %c1 = arith.addi %c, %step_long : i64
    %d1 = arith.addi %d, %step {tile.divisibility = array<i32: 16>} : i32
    "tile.store"(%p, %d1) : (!tile.ptr<i32>, i32) -> ()
    %e1 = arith.addi %e, %step : i32
    "tile.store"(%p, %e1) : (!tile.ptr<i32>, i32) -> ()
    scf.yield %a1, %b1, %c1, %d1, %e1 : i32, i32, i64, i32, i32
  }
  return
}
