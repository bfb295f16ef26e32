// RUN: tile-run %s --device emulator --check --num-warps 1 --grid 7,2 --arg x=i32[14]:zeros --print x:14 | FileCheck %s
// RUN: tile-run %s --device emulator --check --num-warps 1 --grid 7,2 --arg x=i32[14]:zeros --print x:14 --programs-per-block 4 | FileCheck %s
// RUN: tile-run %s --device emulator --check --num-warps 2 --grid 7,2 --arg x=i32[14]:zeros --print x:14 --programs-per-block 16 | FileCheck %s
// RUN: tile-run %s --device emulator --check --num-warps 8 --fewer-warps on --grid 7,2 --arg x=i32[14]:zeros --print x:14 --programs-per-block fill | FileCheck %s
// RUN: not tile-run %s --device emulator --num-warps 1 --grid 7,2 --arg x=i32[14]:zeros --programs-per-block 3 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not tile-run %s --device emulator --fewer-warps some --grid 7,2 --arg x=i32[14]:zeros 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: tile-translate --tile-to-ptx --num-warps 1 --programs-per-block 4 %s | FileCheck %s --check-prefix=PTX
// RUN: tile-translate --tile-to-ptx --num-warps 8 --fewer-warps on --programs-per-block fill %s | FileCheck %s --check-prefix=PTX
// RUN: tile-translate --tile-to-ptx --num-warps 8 --fewer-warps off --programs-per-block fill %s | FileCheck %s --check-prefix=ASKED

// Seven programs along x, also where they share blocks of four and the last block has one left over: each
// knows its number and how many there are, and finds its own lanes (the sum of lanes 0 to 63 is 2016).
// CHECK: x = 2023 2123 2223 2323 2423 2523 2623 3023 3123 3223 3323 3423 3523 3623
// THREE: error: programs_per_block = 3 is not a power of two from 1 to 32
// SOME: error: --fewer-warps is on or off, not 'some'
// ASKED: // tile.version section=0 symbol=k warps=8 threads=256 {{.*}} programs=1
// PTX: .reqntid 128
// PTX: // tile.version section=0 symbol=k warps=1 threads=128 shared=0 programs=4
func.func @k(%x: !tile.ptr<i32> {tile.name = "x"}) attributes {tile.kernel} {
  %i = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %j = "tile.program_id"() {axis = 1 : i32} : () -> i32
  %n = "tile.num_programs"() {axis = 0 : i32} : () -> i32
  %lanes = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %sum = "tile.reduce"(%lanes) ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    "gpu.yield"(%c) : (i32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xi32>) -> i32
  %hundred = arith.constant 100 : i32
  %thousand = arith.constant 1000 : i32
  %hi = arith.muli %i, %hundred : i32
  %tj = arith.muli %j, %thousand : i32
  %row = arith.muli %j, %n : i32
  %at = arith.addi %row, %i : i32
  %0 = arith.addi %sum, %n : i32
  %1 = arith.addi %0, %hi : i32
  %2 = arith.addi %1, %tj : i32
  %p = "tile.addptr"(%x, %at) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  "tile.store"(%p, %2) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<i32>, i32) -> ()
  return
}
