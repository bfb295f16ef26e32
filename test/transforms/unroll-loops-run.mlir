// RUN: tile-run %s --device emulator --grid 2 --num-warps 4 --check --seed 5 --arg x=fp32[384]:1 --arg n=i32:5 --print x:384 | FileCheck %s
// RUN: tile-run %s --device emulator --grid 2 --num-warps 1 --check --seed 6 --arg x=fp32[384]:1 --arg n=i32:5 --print x:384 | FileCheck %s
// RUN: tile-opt --tile-to-tile-gpu %s | FileCheck %s --check-prefix=IR

// Two programs of at most four rows each, of which the second has one: five rows of 64 elements are doubled, the
// sixth is not. In four warps two threads hold each element, and one barrier parts all loads from all stores.
// IR-NOT: scf.for
// IR-COUNT-4: tile.load
// IR: tile.store

// CHECK: x ={{( 2 2 2 2 2 2 2 2 2 2){32}( 1 1 1 1 1 1 1 1){8} *$}}
func.func @double(%x: !tile.ptr<f32> {tile.name = "x"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %first = arith.muli %pid, %c4 : i32
  %end = arith.addi %first, %c4 : i32
  %last = arith.minsi %end, %n : i32
  %range = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  scf.for %i = %first to %last step %c1 : i32 {
    %at = arith.muli %i, %c64 : i32
    %ats = "tile.splat"(%at) : (i32) -> tensor<64xi32>
    %o = arith.addi %ats, %range : tensor<64xi32>
    %p = "tile.addptr"(%xs, %o) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x!tile.ptr<f32>>) -> tensor<64xf32>
    %w = arith.addf %v, %v : tensor<64xf32>
    "tile.store"(%p, %w) : (tensor<64x!tile.ptr<f32>>, tensor<64xf32>) -> ()
  }
  return
}
