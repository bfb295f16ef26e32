// Transpositions by one warp: its lanes wait for one another before they load, and in a loop before they store
// again to what they have loaded.
// RUN: %build/test/mutate %s --grid 2 --num-warps 1 --arg x=i32[4096]:rand --arg out=i32[4096]:poison --arg n=i32:2 -v | FileCheck %s
// CHECK-DAG: killed: without nvvm.bar.warp.sync {{.*}} uninitialised load
// CHECK-DAG: killed: without nvvm.bar.warp.sync {{.*}} read-write race
// CHECK: transpose: 2 mutants, 2 killed, 0 survived
func.func @transpose(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32, tile.name = "x"}, %out: !tile.ptr<i32> {tile.divisibility = 16 : i32, tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %c32 = arith.constant dense<32> : tensor<32x32xi32>
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %i = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %i0 = "tile.expand_dims"(%i) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %i1 = "tile.expand_dims"(%i) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%i0) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  %columns = "tile.broadcast"(%i1) : (tensor<1x32xi32>) -> tensor<32x32xi32>
  %starts = arith.muli %rows, %c32 : tensor<32x32xi32>
  %at = arith.addi %starts, %columns : tensor<32x32xi32>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %two = arith.addi %pid, %pid : i32
    %block = arith.addi %two, %k : i32
    %first = arith.muli %block, %c1024 : i32
    %xb = "tile.addptr"(%x, %first) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
    %ob = "tile.addptr"(%out, %first) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
    %xs = "tile.splat"(%xb) : (!tile.ptr<i32>) -> tensor<32x32x!tile.ptr<i32>>
    %os = "tile.splat"(%ob) : (!tile.ptr<i32>) -> tensor<32x32x!tile.ptr<i32>>
    %xp = "tile.addptr"(%xs, %at) : (tensor<32x32x!tile.ptr<i32>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<i32>>
    %op = "tile.addptr"(%os, %at) : (tensor<32x32x!tile.ptr<i32>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<i32>>
    %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<i32>>) -> tensor<32x32xi32>
    %t = "tile.permute"(%v) {order = array<i32: 1, 0>} : (tensor<32x32xi32>) -> tensor<32x32xi32>
    "tile.store"(%op, %t) : (tensor<32x32x!tile.ptr<i32>>, tensor<32x32xi32>) -> ()
  }
  return
}
