// RUN: tile-opt --convert-to-emulator --split-input-file %s | FileCheck %s

// Arguments come from an array of addresses, special registers and instructions become calls, every
// access of global memory is checked first, and a location is a string of the module.
// CHECK-DAG: llvm.mlir.global internal constant @tile_location_0
// CHECK-DAG: llvm.func @tile_emu_global(!llvm.ptr, !llvm.ptr, i32, i32, i32, i32, !llvm.ptr) -> !llvm.ptr
// CHECK: llvm.func @kernel(%[[THREAD:.*]]: !llvm.ptr, %[[ARGUMENTS:.*]]: !llvm.ptr)
// CHECK-NOT: nvvm.kernel
// CHECK: llvm.getelementptr %[[ARGUMENTS]][0]
// CHECK: llvm.call @tile_emu_thread_index(%[[THREAD]])
// CHECK: %[[AXIS:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.call @tile_emu_block_index(%[[THREAD]], %[[AXIS]])
// CHECK: %[[ADDRESS:.*]] = llvm.call @tile_emu_global(%[[THREAD]]
// CHECK: llvm.load %[[ADDRESS]]
// CHECK: llvm.call @tile_emu_ex2_approx_ftz
// CHECK: llvm.call @tile_emu_barrier(%[[THREAD]]
// CHECK: llvm.call @tile_emu_global(%[[THREAD]]
llvm.func @kernel(%p: !llvm.ptr<1>, %c: i1) attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %b = nvvm.read.ptx.sreg.ctaid.y : i32
  %0 = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  %1 = "tile_ptx.ex2_approx"(%0) : (f32) -> f32
  nvvm.barrier0
  "tile_ptx.store"(%p, %1, %c) : (!llvm.ptr<1>, f32, i1) -> ()
  llvm.return
}

// -----

// A masked-off load yields `other`; without one it yields the poison of the scratch area.
// CHECK: llvm.func @masked
// CHECK: %[[P:.*]] = llvm.call @tile_emu_global
// CHECK: %[[V:.*]] = llvm.load %[[P]]
// CHECK: llvm.select %{{.*}}, %[[V]], %{{.*}} : i1, f32
// CHECK: %[[Q:.*]] = llvm.call @tile_emu_global
// CHECK: llvm.load %[[Q]]
// CHECK-NOT: llvm.select
// CHECK: llvm.return
llvm.func @masked(%p: !llvm.ptr<1>, %c: i1, %o: f32) attributes {nvvm.kernel} {
  %0 = "tile_ptx.load"(%p, %c, %o) : (!llvm.ptr<1>, i1, f32) -> f32
  %1 = "tile_ptx.load"(%p, %c) : (!llvm.ptr<1>, i1) -> f32
  llvm.return
}

// -----

// fma on bf16 rounds once, as the device does; other types are left to LLVM.
// CHECK: llvm.func @fma
// CHECK: llvm.call @tile_emu_fma_bf16
// CHECK: llvm.intr.fma
llvm.func @fma(%a: bf16, %b: f32) attributes {nvvm.kernel} {
  %0 = llvm.intr.fma(%a, %a, %a) : (bf16, bf16, bf16) -> bf16
  %1 = llvm.intr.fma(%b, %b, %b) : (f32, f32, f32) -> f32
  llvm.return
}
