// RUN: tile-translate --tile-to-ptx %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx --target sm_100a %s | FileCheck %s --check-prefix=SM100
// RUN: %if ptxas %{ tile-translate --tile-to-cubin %s -o %t.cubin %}

// mma.sync on fp8 came with PTX ISA 8.4: a module with one asks for that, and for a driver that reads it;
// others still run with older drivers (metadata.mlir).
// CHECK: .version 8.4
// CHECK: // tile.section format=ptx target=sm_90a isa=8.4 driver=12040
// SM100: .version 8.6
// SM100: // tile.section format=ptx target=sm_100a isa=8.6
module attributes {tile_gpu.num_warps = 4 : i32} {
  llvm.func @fp8(%p: !llvm.ptr<1> {tile.name = "p", tile.pointee = f32}) attributes {nvvm.kernel, tile.kernel} {
    %a = llvm.load %p : !llvm.ptr<1> -> i32
    %c = llvm.load %p : !llvm.ptr<1> -> f32
    %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 32>, a_type = f8E4M3FN, b_type = f8E5M2, operandSegmentSizes = array<i32: 4, 2, 4>} : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
    llvm.store %d#1, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
