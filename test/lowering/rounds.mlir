// RUN: tile-opt --tile-gpu-print-conversions --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s 2>&1 | FileCheck %s

// A conversion of 64 KiB in two rounds through 32 KiB of shared memory: registers that both sides have in common
// need not be there at one time. Before the second round a barrier waits for the loads of the first.
#row = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#column = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
// CHECK: remark: conversion: shared memory, 32768 bytes, 2 chunks; stores of {{[0-9]+}} bytes: [[W:[0-9]]] wavefronts, least [[W]]; loads of {{[0-9]+}} bytes: [[R:[0-9]]] wavefronts, least [[R]]
// CHECK-LABEL: llvm.func @rounds
// CHECK-SAME: tile_gpu.shared_bytes = 32768 : i32
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
func.func @rounds(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x128x!tile.ptr<f32>, #row>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x128x!tile.ptr<f32>, #row>) -> tensor<128x128xf32, #row>
  %c = "tile_gpu.convert_layout"(%v) : (tensor<128x128xf32, #row>) -> tensor<128x128xf32, #column>
  return
}
}
