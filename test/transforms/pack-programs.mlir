// RUN: tile-opt --tile-gpu-pack-programs=most=4 --split-input-file %s | FileCheck %s
// RUN: tile-opt --tile-gpu-pack-programs=most=64 --split-input-file %s | FileCheck %s --check-prefix=MANY
// RUN: tile-opt --tile-gpu-pack-programs --split-input-file %s | FileCheck %s --check-prefix=ONE
// RUN: not tile-opt --tile-gpu-pack-programs=most=3 --split-input-file %s 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: tile-opt --tile-gpu-pack-programs=most=4 --convert-tile-gpu-to-nvvm --split-input-file %s | FileCheck %s --check-prefix=LOWERED

// THREE: error: {{.*}}most = 3 is not a power of two
// ONE-NOT: programs_per_block

// A program of one warp leaves the rest of the block to others; x counts programs, y and z blocks.
// CHECK-LABEL: func.func @alone
// CHECK-SAME: tile_gpu.programs_per_block = 4 : i32
// MANY-LABEL: func.func @alone
// MANY-SAME: tile_gpu.programs_per_block = 32 : i32
// LOWERED: llvm.func @alone(%{{.*}}: !llvm.ptr<1>, %[[COUNT:.*]]: i32)
// LOWERED-SAME: nvvm.reqntid = array<i32: 128>
// LOWERED-SAME: tile_gpu.programs_per_block = 4 : i32
// LOWERED-DAG: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
// LOWERED-DAG: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// LOWERED: %[[FIRST:.*]] = arith.muli %[[BLOCK]]
// LOWERED: %[[OWN:.*]] = arith.shrui %[[TID]]
// LOWERED: %[[PROGRAM:.*]] = arith.addi %[[FIRST]], %[[OWN]]
// LOWERED: %[[EXISTS:.*]] = arith.cmpi ult, %[[PROGRAM]], %[[COUNT]]
// LOWERED: scf.if %[[EXISTS]]
// LOWERED: %[[Y:.*]] = nvvm.read.ptx.sreg.ctaid.y
// LOWERED: arith.addi %[[PROGRAM]], %[[Y]]
// LOWERED: tile_ptx.store
module attributes {tile_gpu.num_warps = 1 : i32} {
func.func @alone(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %x = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %y = "tile.program_id"() {axis = 1 : i32} : () -> i32
  %n = "tile.num_programs"() {axis = 0 : i32} : () -> i32
  %s = arith.addi %x, %y : i32
  %t = arith.addi %s, %n : i32
  %q = "tile.addptr"(%p, %x) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  "tile.store"(%q, %t) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<i32>, i32) -> ()
  return
}

// The threads of a program of one warp meet in the warp.
// CHECK-LABEL: func.func @waits
// CHECK-SAME: tile_gpu.programs_per_block = 4 : i32
// LOWERED: llvm.func @waits(
// LOWERED-SAME: nvvm.reqntid = array<i32: 128>
// LOWERED-NOT: nvvm.barrier0
// LOWERED: nvvm.bar.warp.sync
func.func @waits(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  "tile.barrier"() : () -> ()
  return
}

// Shared memory is the block's, and so are messages that name it.
// CHECK-LABEL: func.func @shares
// CHECK-NOT: programs_per_block = 
func.func @shares(%p: !tile.ptr<i32>) attributes {tile.kernel, tile_gpu.shared_bytes = 64 : i32} {
  return
}

// CHECK-LABEL: func.func @prints
// CHECK-NOT: programs_per_block
func.func @prints(%p: !tile.ptr<i32>, %c: i1) attributes {tile.kernel} {
  scf.if %c {
    "tile.print"() {prefix = "here", hex = false, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0>} : () -> ()
  }
  return
}
}

// -----

// Several warps meet in the block.
// CHECK-LABEL: func.func @warps_wait
// CHECK-NOT: programs_per_block
// LOWERED: llvm.func @warps_wait(%{{[^:]*}}: !llvm.ptr<1>)
// LOWERED-SAME: nvvm.reqntid = array<i32: 64>
// LOWERED: nvvm.barrier0
module attributes {tile_gpu.num_warps = 2 : i32} {
func.func @warps_wait(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  "tile.barrier"() : () -> ()
  return
}
}

// -----

// A block has 32 warps.
// CHECK-LABEL: func.func @wide
// CHECK-SAME: tile_gpu.programs_per_block = 2 : i32
module attributes {tile_gpu.num_warps = 16 : i32} {
func.func @wide() attributes {tile.kernel} {
  return
}
}
