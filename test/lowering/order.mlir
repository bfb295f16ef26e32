// RUN: tile-opt --tile-to-tile-gpu --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-run %s --kernel zero_trips --grid 1 --check --seed 3 --arg p=i32[1]:7 --arg q=i32[1]:1 --arg n=i32:0 --print p:1 | FileCheck %s --check-prefix=ZERO
// RUN: tile-run %s --kernel lowered_again --grid 1 --check --seed 3 --arg p=i32[1]:7 --arg out=i32[256]:poison --arg n=i32:2 --print p:1 | FileCheck %s --check-prefix=AGAIN
// RUN: tile-run %s --kernel loop_exit --grid 1 --check --seed 3 --arg p=i32[1]:5 --print p:1 | FileCheck %s --check-prefix=EXIT
// RUN: tile-run %s --kernel two_layouts --grid 1 --check --seed 3 --arg x=fp32[1024]:7 --arg y=fp64[1024]:3 --arg out=fp32[1024]:poison --print x:1 | FileCheck %s --check-prefix=LAYOUTS

// Barriers between accesses of one element by several threads (lib/lowering/tile_gpu_to_nvvm/order.c).

// The barriers in a loop do not count behind it, for it may run no iteration: the store to %p still
// needs one.
// CHECK-LABEL: llvm.func @zero_trips
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK: nvvm.barrier
// CHECK: nvvm.barrier
// CHECK: tile_ptx.store
// ZERO: p = 8
func.func @zero_trips(%p: !tile.ptr<i32> {tile.name = "p"}, %q: !tile.ptr<i32> {tile.name = "q"},
                      %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    %y1 = arith.addi %y, %c1 : i32
    "tile.store"(%q, %y1) : (!tile.ptr<i32>, i32) -> ()
  }
  %x1 = arith.addi %x, %c1 : i32
  "tile.store"(%p, %x1) : (!tile.ptr<i32>, i32) -> ()
  return
}

// The first try at this loop carries %o as one base, and fails at the yield. The second must know again
// that %p was loaded in front of the loop.
// CHECK-LABEL: llvm.func @lowered_again
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK: tile_ptx.store
// CHECK: scf.yield
// AGAIN: p = 8
func.func @lowered_again(%p: !tile.ptr<i32> {tile.name = "p"},
                         %out: !tile.ptr<i32> {tile.name = "out"}, %n: i32 {tile.name = "n"})
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %three = arith.constant dense<3> : tensor<256xi32>
  %range = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  %x1 = arith.addi %x, %c1 : i32
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%o = %range) -> (tensor<256xi32>) : i32 {
    "tile.store"(%p, %x1) : (!tile.ptr<i32>, i32) -> ()
    %next = arith.muli %o, %three : tensor<256xi32>
    scf.yield %next : tensor<256xi32>
  }
  %ps = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %pp = "tile.addptr"(%ps, %range) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  "tile.store"(%pp, %last) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> ()
  return
}

// A while loop ends behind its condition, where %p was just loaded, whatever its body does.
// CHECK-LABEL: llvm.func @loop_exit
// CHECK: scf.while
// CHECK: nvvm.barrier
// CHECK: llvm.load
// CHECK: scf.condition
// CHECK: nvvm.barrier
// CHECK: tile_ptx.store
// CHECK: scf.yield
// CHECK: nvvm.barrier
// CHECK: tile_ptx.store
// EXIT: p = 100
func.func @loop_exit(%p: !tile.ptr<i32> {tile.name = "p"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  scf.while : () -> () {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    %more = arith.cmpi sgt, %x, %c0 : i32
    scf.condition(%more)
  } do {
    %y = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    %less = arith.subi %y, %c1 : i32
    "tile.store"(%p, %less) : (!tile.ptr<i32>, i32) -> ()
    scf.yield
  }
  "tile.store"(%p, %c100) : (!tile.ptr<i32>, i32) -> ()
  return
}

// %x is loaded in a layout for single elements of f32 (the store to %out is not aligned) and stored in
// one for pairs of f64: another thread holds the element the second time.
// CHECK-LABEL: llvm.func @two_layouts
// CHECK: nvvm.barrier
// CHECK: llvm.store
// LAYOUTS: x = 3
func.func @two_layouts(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"},
                       %y: !tile.ptr<f64> {tile.divisibility = 16 : i32, tile.name = "y"},
                       %out: !tile.ptr<f32> {tile.name = "out"}) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %wide = arith.extsi %range : tensor<1024xi32> to tensor<1024xi64>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %range) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%op, %a) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  %ys = "tile.splat"(%y) : (!tile.ptr<f64>) -> tensor<1024x!tile.ptr<f64>>
  %yp = "tile.addptr"(%ys, %range) : (tensor<1024x!tile.ptr<f64>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f64>>
  %b = "tile.load"(%yp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f64>>) -> tensor<1024xf64>
  %narrow = arith.truncf %b : tensor<1024xf64> to tensor<1024xf32>
  %xp2 = "tile.addptr"(%xs, %wide) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%xp2, %narrow) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}
