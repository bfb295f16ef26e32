// RUN: tile-opt --tile-to-tile-gpu %s | FileCheck %s
// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-optimize-dot-operands --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s --check-prefix=LOW

// Products of fp8 that say how many of them tensor cores may sum up: parts of k are products of their own, in boxes of the
// operands' buffers, and are added in f32. 100 allows for 64. Here all elements have one address, so that tiles are held across k and
// transposed.
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: func.func @parts
// CHECK: "tile_gpu.local_transpose"(%{{.*}}, [[A:%.*]]) :
// CHECK: "tile_gpu.local_transpose"(%{{.*}}, [[B:%.*]]) :
// CHECK: [[A0:%.*]] = "tile_gpu.subslice"([[A]]) {offsets = array<i32: 0, 0>}{{.*}} -> memref<64x64xf8E4M3FN
// CHECK: [[B0:%.*]] = "tile_gpu.subslice"([[B]]) {offsets = array<i32: 0, 0>}{{.*}} -> memref<64x32xf8E4M3FN
// CHECK: [[F0:%.*]] = "tile_gpu.warpgroup_dot"([[A0]], [[B0]], %cst{{.*}})
// CHECK: [[P0:%.*]] = "tile_gpu.warpgroup_dot_wait"([[F0]])
// CHECK: [[S0:%.*]] = arith.addf [[P0]], %{{.*}}
// CHECK: [[A1:%.*]] = "tile_gpu.subslice"([[A]]) {offsets = array<i32: 0, 64>}
// CHECK: [[B1:%.*]] = "tile_gpu.subslice"([[B]]) {offsets = array<i32: 64, 0>}
// CHECK: [[F1:%.*]] = "tile_gpu.warpgroup_dot"([[A1]], [[B1]], %cst{{.*}})
// CHECK: [[P1:%.*]] = "tile_gpu.warpgroup_dot_wait"([[F1]])
// CHECK: arith.addf [[P1]], [[S0]]
//
// Each part starts from zero; the second lies 64 bytes on in the same rows.
// LOW-LABEL: llvm.func @parts
// LOW: "tile_ptx.wgmma"({{.*}}, %false) {
// LOW: "tile_ptx.wgmma"({{.*}}, %true) {
// LOW: "tile_ptx.wgmma_wait"
// LOW-COUNT-16: arith.addf
// LOW: "tile_ptx.wgmma"({{.*}}, %false) {
// LOW: "tile_ptx.wgmma"({{.*}}, %true) {
// LOW: "tile_ptx.wgmma_wait"
// LOW-COUNT-16: arith.addf
func.func @parts(%a: !tile.ptr<f8E4M3FN>, %b: !tile.ptr<f8E4M3FN>, %c: !tile.ptr<f32>, %start: f32) attributes {tile.kernel} {
  %ap = "tile.splat"(%a) : (!tile.ptr<f8E4M3FN>) -> tensor<64x128x!tile.ptr<f8E4M3FN>>
  %bp = "tile.splat"(%b) : (!tile.ptr<f8E4M3FN>) -> tensor<128x32x!tile.ptr<f8E4M3FN>>
  %cp = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<64x32x!tile.ptr<f32>>
  %al = "tile.load"(%ap) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x128x!tile.ptr<f8E4M3FN>>) -> tensor<64x128xf8E4M3FN>
  %bl = "tile.load"(%bp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x32x!tile.ptr<f8E4M3FN>>) -> tensor<128x32xf8E4M3FN>
  %x = "tile.splat"(%start) : (f32) -> tensor<64x32xf32>
  %d = "tile.dot"(%al, %bl, %x) {precision = "tf32", max_imprecise = 100 : i32} : (tensor<64x128xf8E4M3FN>, tensor<128x32xf8E4M3FN>, tensor<64x32xf32>) -> tensor<64x32xf32>
  "tile.store"(%cp, %d) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xf32>) -> ()
  return
}

// All of k is one part: a sum from zero, and what it is added to. What would stay in registers, as another product's result, goes
// through a buffer.
// CHECK-LABEL: func.func @chain
// CHECK: "tile_gpu.warpgroup_dot"
// CHECK: "tile_gpu.warpgroup_dot"(%{{.*}}, %{{.*}}, %cst{{.*}}) : (memref<64x64xf8E5M2{{.*}}memref<64x16xf8E5M2
// CHECK: [[P:%.*]] = "tile_gpu.warpgroup_dot_wait"
// CHECK: arith.addf [[P]]
func.func @chain(%a: !tile.ptr<f16>, %b: !tile.ptr<f8E5M2>, %c: !tile.ptr<f32>, %start: f32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ap = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %bp = "tile.splat"(%b) : (!tile.ptr<f8E5M2>) -> tensor<64x16x!tile.ptr<f8E5M2>>
  %cp = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<64x16x!tile.ptr<f32>>
  %al = "tile.load"(%ap) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
  %bl = "tile.load"(%bp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x16x!tile.ptr<f8E5M2>>) -> tensor<64x16xf8E5M2>
  %s = "tile.dot"(%al, %al, %zero) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf8E5M2>
  %x = "tile.splat"(%start) : (f32) -> tensor<64x16xf32>
  %d = "tile.dot"(%p, %bl, %x) {precision = "tf32", max_imprecise = 64 : i32} : (tensor<64x64xf8E5M2>, tensor<64x16xf8E5M2>, tensor<64x16xf32>) -> tensor<64x16xf32>
  "tile.store"(%cp, %d) : (tensor<64x16x!tile.ptr<f32>>, tensor<64x16xf32>) -> ()
  return
}

// 128 sums a thread fit beside nothing, twice not at all: such products go by mma.sync, and each instruction's sum is added.
// CHECK-LABEL: func.func @large
// CHECK-NOT: warpgroup_dot
// CHECK: "tile.dot"({{.*}}) {max_imprecise = 32 : i32
// LOW-LABEL: llvm.func @large
// LOW: "tile_ptx.mma"
// LOW-COUNT-4: arith.addf
// LOW: "tile_ptx.mma"
func.func @large(%a: !tile.ptr<f8E4M3FN>, %b: !tile.ptr<f8E4M3FN>, %c: !tile.ptr<f32>, %start: f32) attributes {tile.kernel} {
  %ap = "tile.splat"(%a) : (!tile.ptr<f8E4M3FN>) -> tensor<128x32x!tile.ptr<f8E4M3FN>>
  %bp = "tile.splat"(%b) : (!tile.ptr<f8E4M3FN>) -> tensor<32x128x!tile.ptr<f8E4M3FN>>
  %cp = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<128x128x!tile.ptr<f32>>
  %al = "tile.load"(%ap) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x32x!tile.ptr<f8E4M3FN>>) -> tensor<128x32xf8E4M3FN>
  %bl = "tile.load"(%bp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x128x!tile.ptr<f8E4M3FN>>) -> tensor<32x128xf8E4M3FN>
  %x = "tile.splat"(%start) : (f32) -> tensor<128x128xf32>
  %d = "tile.dot"(%al, %bl, %x) {precision = "tf32", max_imprecise = 32 : i32} : (tensor<128x32xf8E4M3FN>, tensor<32x128xf8E4M3FN>, tensor<128x128xf32>) -> tensor<128x128xf32>
  "tile.store"(%cp, %d) : (tensor<128x128x!tile.ptr<f32>>, tensor<128x128xf32>) -> ()
  return
}
}
