// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers \
// RUN:   --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --grid 1 --arg x=fp32[128]:1 --arg out=fp32[128]:poison --print out:1 \
// RUN:   | FileCheck %s --check-prefix=OUT

// With leave to approximate a sine is one instruction, good for a few turns.
// CHECK: tile_ptx.sin_approx
// PTX: sin.approx.ftz.f32
// OUT: out = 0.841470957 ...
func.func @k(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %from = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  %v = "tile.load"(%from) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
  %y = math.sin %v fastmath<afn> : tensor<128xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %to = "tile.addptr"(%os, %i) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  "tile.store"(%to, %y) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
  return
}
