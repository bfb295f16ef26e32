// RUN: tile-opt --tile-print-axis-info %s -o /dev/null 2>&1 | FileCheck %s

// A remainder that is assumed to be zero makes a scalar a multiple; of 24, the power of two in it. Bits below a
// power of two that are assumed to be zero do the same. An assumption counts in the block of the scalar.
func.func @multiples(%n: i32, %m: i32, %k: i32, %o: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %c24 = arith.constant 24 : i32
  %c15 = arith.constant 15 : i32
  %r = arith.remsi %n, %c24 : i32
  %rz = arith.cmpi eq, %r, %zero : i32
  "tile.assume"(%rz) : (i1) -> ()
  %b = arith.andi %m, %c15 : i32
  %bz = arith.cmpi eq, %b, %zero : i32
  %u = arith.remui %k, %c24 : i32
  %uz = arith.cmpi eq, %u, %zero : i32
  %both = arith.andi %bz, %uz : i1
  "tile.assume"(%both) : (i1) -> ()
  scf.if %c {
    %s = arith.remsi %o, %c24 : i32
    %sz = arith.cmpi eq, %s, %zero : i32
    "tile.assume"(%sz) : (i1) -> ()
  }
  // CHECK: :[[#@LINE+1]]:{{.*}} divisibility = [8], constancy = [16]
  %0 = "tile.splat"(%n) : (i32) -> tensor<16xi32>
  // CHECK: :[[#@LINE+1]]:{{.*}} divisibility = [16], constancy = [16]
  %1 = "tile.splat"(%m) : (i32) -> tensor<16xi32>
  // CHECK: :[[#@LINE+1]]:{{.*}} divisibility = [8], constancy = [16]
  %2 = "tile.splat"(%k) : (i32) -> tensor<16xi32>
  // CHECK: :[[#@LINE+1]]:{{.*}} divisibility = [1], constancy = [16]
  %3 = "tile.splat"(%o) : (i32) -> tensor<16xi32>
  func.return
}
