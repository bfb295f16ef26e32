// RUN: tile-opt --tile-gpu-order %s | FileCheck %s
// RUN: tile-opt --tile-gpu-order=resident=512 %s | FileCheck %s --check-prefix=FEW
// RUN: not tile-opt --tile-gpu-order=resident=0 %s 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: error: {{.*}}tile-gpu-order: resident = 0 is not from 1 to 2048 threads

// Eight warps, 32 elements a thread. Early loads of the row's own data may take registers until two blocks, 512 threads,
// are left: they come from memory. The weights, which all programs load, may not while that leaves fewer than 1024.
#b = #tile_gpu.blocked<{size_per_thread = [8], threads_per_warp = [32], warps_per_cta = [8], order = [0]}>
module attributes {tile_gpu.num_warps = 8 : i32} {

// CHECK-LABEL: func.func @row
// CHECK: tile.load{{.*}}f32
// CHECK: tile.load
// CHECK-SAME: "residual"
// CHECK-NOT: tile.load
// CHECK: tile.reduce
// CHECK: tile.load
// CHECK-SAME: "weights"
// FEW-LABEL: func.func @row
// FEW-COUNT-3: tile.load
// FEW: tile.reduce
func.func @row(%x: !tile.ptr<f32>, %w: !tile.ptr<f16>, %d: !tile.ptr<f16>, %mean: !tile.ptr<f32>, %out: !tile.ptr<f16>)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 8192 : i32} : () -> tensor<8192xi32, #b>
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %size = arith.constant 8192 : i32
  %row = arith.muli %pid, %size : i32
  %xr = "tile.addptr"(%x, %row) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %xs = "tile.splat"(%xr) : (!tile.ptr<f32>) -> tensor<8192x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xs, %range) : (tensor<8192x!tile.ptr<f32>, #b>, tensor<8192xi32, #b>) -> tensor<8192x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8192x!tile.ptr<f32>, #b>) -> tensor<8192xf32, #b>
  %r = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8192xf32, #b>) -> f32
  "tile.store"(%mean, %r) : (!tile.ptr<f32>, f32) -> ()
  %ws = "tile.splat"(%w) : (!tile.ptr<f16>) -> tensor<8192x!tile.ptr<f16>, #b>
  %wp = "tile.addptr"(%ws, %range) : (tensor<8192x!tile.ptr<f16>, #b>, tensor<8192xi32, #b>) -> tensor<8192x!tile.ptr<f16>, #b>
  %b = "tile.load"(%wp) {name = "weights", operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8192x!tile.ptr<f16>, #b>) -> tensor<8192xf16, #b>
  %dr = "tile.addptr"(%d, %row) : (!tile.ptr<f16>, i32) -> !tile.ptr<f16>
  %ds = "tile.splat"(%dr) : (!tile.ptr<f16>) -> tensor<8192x!tile.ptr<f16>, #b>
  %dp = "tile.addptr"(%ds, %range) : (tensor<8192x!tile.ptr<f16>, #b>, tensor<8192xi32, #b>) -> tensor<8192x!tile.ptr<f16>, #b>
  %c = "tile.load"(%dp) {name = "residual", operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8192x!tile.ptr<f16>, #b>) -> tensor<8192xf16, #b>
  %scaled = arith.mulf %b, %c : tensor<8192xf16, #b>
  %narrow = arith.truncf %a : tensor<8192xf32, #b> to tensor<8192xf16, #b>
  %y = arith.addf %narrow, %scaled : tensor<8192xf16, #b>
  %os = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<8192x!tile.ptr<f16>, #b>
  %op = "tile.addptr"(%os, %range) : (tensor<8192x!tile.ptr<f16>, #b>, tensor<8192xi32, #b>) -> tensor<8192x!tile.ptr<f16>, #b>
  "tile.store"(%op, %y) : (tensor<8192x!tile.ptr<f16>, #b>, tensor<8192xf16, #b>) -> ()
  return
}
}
