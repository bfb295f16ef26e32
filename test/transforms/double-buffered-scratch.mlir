// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s
// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-to-llvm %s | FileCheck %s --check-prefix=LLVM
// RUN: tile-run %s --device emulator --kernel turns --grid 1 --check --seed 3 --arg out=i32[1]:poison --arg n=i32:6 --print out:1 | FileCheck %s --check-prefix=TURNS
// RUN: tile-run %s --device emulator --kernel steps --grid 1 --check --seed 5 --arg out=i32[1]:poison --arg n=i64:31 --print out:1 | FileCheck %s --check-prefix=STEPS
// RUN: tile-run %s --device emulator --kernel again --grid 1 --check --seed 7 --arg out=i32[1]:poison --arg n=i32:5 --print out:1 | FileCheck %s --check-prefix=AGAIN

// A sum that is alone in its loop takes turns with two halves of its area (double_buffer_bytes of lib/analysis/scratch.h).

// What the warps read in one iteration is not written in the next, whose own barrier everybody passes before the one
// after that: no other barrier is needed.
// CHECK-LABEL: func.func @turns
// CHECK-SAME: tile_gpu.shared_bytes = 256
// CHECK: scf.for
// CHECK-NOT: tile_gpu.barrier
// CHECK: double_buffer = 128
// CHECK: scf.yield
// LLVM-LABEL: llvm.func @turns
// LLVM: nvvm.barrier0
// LLVM-NOT: nvvm.barrier0
// LLVM: llvm.return
// TURNS: out = 2
func.func @turns(%out: !tile.ptr<i32> {tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (i32) : i32 {
    %xs = "tile.splat"(%x) : (i32) -> tensor<512xi32>
    %is = "tile.splat"(%i) : (i32) -> tensor<512xi32>
    %xi = arith.addi %xs, %is : tensor<512xi32>
    %a = arith.maxsi %xi, %range : tensor<512xi32>
    %r = "tile.reduce"(%a) ({
    ^bb0(%l: i32, %h: i32):
      %s = arith.xori %l, %h : i32
      "gpu.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xi32>) -> i32
    %y = arith.addi %r, %x : i32
    scf.yield %y : i32
  }
  "tile.store"(%out, %last) : (!tile.ptr<i32>, i32) -> ()
  return
}

// The bit of the induction variable that changes with each iteration: of 1, 13, 25 it is the third.
// CHECK-LABEL: func.func @steps
// CHECK: double_buffer = 128
// LLVM-LABEL: llvm.func @steps
// LLVM: llvm.lshr %{{.*}} : i64
// LLVM: nvvm.barrier0
// LLVM-NOT: nvvm.barrier0
// LLVM: llvm.return
// STEPS: out = 515
func.func @steps(%out: !tile.ptr<i32> {tile.name = "out"}, %n: i64 {tile.name = "n"}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c1 = arith.constant 1 : i64
  %c12 = arith.constant 12 : i64
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %last = scf.for %i = %c1 to %n step %c12 iter_args(%x = %zero) -> (i32) : i64 {
    %xs = "tile.splat"(%x) : (i32) -> tensor<512xi32>
    %a = arith.addi %xs, %range : tensor<512xi32>
    %r = "tile.reduce"(%a) ({
    ^bb0(%l: i32, %h: i32):
      %s = arith.xori %l, %h : i32
      "gpu.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xi32>) -> i32
    %y = arith.addi %x, %one : i32
    %z = arith.addi %y, %r : i32
    scf.yield %z : i32
  }
  "tile.store"(%out, %last) : (!tile.ptr<i32>, i32) -> ()
  return
}

// The loop runs again, with the half with which it has ended: its first store needs a barrier, which stands before it.
// CHECK-LABEL: func.func @again
// CHECK: scf.for
// CHECK: tile_gpu.barrier
// CHECK-NEXT: scf.for
// CHECK-NOT: tile_gpu.barrier
// CHECK: double_buffer = 128
// AGAIN: out = 16
func.func @again(%out: !tile.ptr<i32> {tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %last = scf.for %j = %c0 to %n step %c1 iter_args(%z = %c0) -> (i32) : i32 {
    %inner = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %z) -> (i32) : i32 {
      %xs = "tile.splat"(%x) : (i32) -> tensor<512xi32>
      %is = "tile.splat"(%i) : (i32) -> tensor<512xi32>
      %xi = arith.addi %xs, %is : tensor<512xi32>
      %a = arith.maxsi %xi, %range : tensor<512xi32>
      %r = "tile.reduce"(%a) ({
    ^bb0(%l: i32, %h: i32):
      %s = arith.xori %l, %h : i32
      "gpu.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xi32>) -> i32
      %y = arith.addi %r, %x : i32
      scf.yield %y : i32
    }
    %w = arith.addi %inner, %j : i32
    scf.yield %w : i32
  }
  "tile.store"(%out, %last) : (!tile.ptr<i32>, i32) -> ()
  return
}

// A loop beside it, within the same iteration, changes nothing.
// CHECK-LABEL: func.func @beside
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: tile_gpu.barrier
// CHECK: double_buffer = 128
// CHECK: return
func.func @beside(%out: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %last = scf.for %j = %c0 to %n step %c1 iter_args(%z = %c0) -> (i32) : i32 {
    %zs = "tile.splat"(%z) : (i32) -> tensor<512xi32>
    %a = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zs) -> (tensor<512xi32>) : i32 {
      %y = arith.xori %x, %range : tensor<512xi32>
      scf.yield %y : tensor<512xi32>
    }
    %r = "tile.reduce"(%a) ({
    ^bb0(%l: i32, %h: i32):
      %s = arith.xori %l, %h : i32
      "gpu.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xi32>) -> i32
    scf.yield %r : i32
  }
  "tile.store"(%out, %last) : (!tile.ptr<i32>, i32) -> ()
  return
}

// Two sums that wait for one another have areas beside each other, which serves as well.
// CHECK-LABEL: func.func @two
// CHECK-NOT: double_buffer
// CHECK: return
func.func @two(%out: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (i32) : i32 {
    %xs = "tile.splat"(%x) : (i32) -> tensor<512xi32>
    %a = arith.addi %xs, %range : tensor<512xi32>
    %r = "tile.reduce"(%a) ({
    ^bb0(%l: i32, %h: i32):
      %s = arith.xori %l, %h : i32
      "gpu.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xi32>) -> i32
    %rs = "tile.splat"(%r) : (i32) -> tensor<512xi32>
    %b = arith.subi %rs, %range : tensor<512xi32>
    %q = "tile.reduce"(%b) ({
    ^bb0(%l: i32, %h: i32):
      %s = arith.xori %l, %h : i32
      "gpu.yield"(%s) : (i32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xi32>) -> i32
    scf.yield %q : i32
  }
  "tile.store"(%out, %last) : (!tile.ptr<i32>, i32) -> ()
  return
}
