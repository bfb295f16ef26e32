// RUN: not tile-run %s --device emulator --grid 1 --arg x=fp32[64]:ones --arg n=i32:65 --check 2>&1 | FileCheck %s
// RUN: tile-run %s --device emulator --grid 1 --arg x=fp32[64]:ones --arg n=i32:64 --check --print x:2 | FileCheck %s --check-prefix=FINE

// What is prefetched is in a buffer, where the predicate is true. It is no load: thread 0 stores to the first byte, which all
// ask for.
// CHECK: out-of-bounds at {{.*}}prefetch.mlir:[[#@LINE+13]]:3, thread {{[0-9]+}} of block (0, 0, 0): the load of 1 bytes at address {{0x[0-9a-f]+}} reaches 1 byte past the end of buffer 'x' (offset 256 of 256 bytes)
// FINE: x = 7 1 ...
module attributes {tile_gpu.num_warps = 4 : i32} {
llvm.func @kernel(%x: !llvm.ptr<1> {tile.name = "x", tile.pointee = f32}, %n: i32 {tile.name = "n"}) attributes {nvvm.kernel, tile.kernel} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %first = llvm.icmp "eq" %tid, %zero : i32
  %seven = llvm.mlir.constant(7.0 : f32) : f32
  "tile_ptx.store"(%x, %seven, %first) : (!llvm.ptr<1>, f32, i1) -> ()
  %yes = llvm.mlir.constant(true) : i1
  "tile_ptx.prefetch"(%x, %yes) : (!llvm.ptr<1>, i1) -> ()
  %inside = llvm.icmp "slt" %tid, %n : i32
  %p = llvm.getelementptr %x[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  "tile_ptx.prefetch"(%p, %inside) : (!llvm.ptr<1>, i1) -> ()
  llvm.return
}
}
