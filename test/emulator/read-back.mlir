// RUN: tile-run %s --device emulator --grid 1 --arg p=i32[1]:zeros --arg out=i32[256]:poison --check --seed 1 --print out:6 | FileCheck %s
// RUN: tile-run %s --device emulator --grid 1 --arg p=i32[1]:zeros --arg out=i32[256]:poison --check --seed 2 --print out:6 | FileCheck %s

// A scalar that one thread stores is what every thread reads back, also across iterations of a loop.
// CHECK: out = 15 15 15 15 15 15
func.func @kernel(%p: !tile.ptr<i32>, %out: !tile.ptr<i32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c3 = arith.constant 3 : i32
  %sum = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
    %w = arith.addi %v, %c3 : i32
    "tile.store"(%p, %w) : (!tile.ptr<i32>, i32) -> ()
    scf.yield %w : i32
  }
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
  %r = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %vs = "tile.splat"(%v) : (i32) -> tensor<256xi32>
  %s = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %q = "tile.addptr"(%s, %r) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  "tile.store"(%q, %vs) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> ()
  return
}
