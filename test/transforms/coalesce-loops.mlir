// RUN: tile-opt --tile-assign-layouts --tile-gpu-coalesce %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX

// (Those of the first three iterations are before the loop: it only reads.) One layout for what is loaded in the loop as f16 and stored once after it as f32: eight elements a thread, so that the
// loop's accesses have 16 bytes, and not four for the store's sake.
// CHECK-LABEL: func.func @sums
// CHECK: tile.load{{.*}}size_per_thread = [8]
// CHECK: tile.store{{.*}}size_per_thread = [8]
// PTX-COUNT-4: ld.global.v4.b32
// PTX-NOT: ld.global
// PTX: st.global.v4.b32
func.func @sums(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 1024 : i32
  %none = arith.constant dense<0.0> : tensor<1024xf32>
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (tensor<1024xf32>) : i32 {
    %row = arith.muli %i, %size : i32
    %xr = "tile.addptr"(%x, %row) : (!tile.ptr<f16>, i32) -> !tile.ptr<f16>
    %xs = "tile.splat"(%xr) : (!tile.ptr<f16>) -> tensor<1024x!tile.ptr<f16>>
    %xp = "tile.addptr"(%xs, %r) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f16>>
    %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f16>>) -> tensor<1024xf16>
    %w = arith.extf %v : tensor<1024xf16> to tensor<1024xf32>
    %t = arith.addf %s, %w : tensor<1024xf32>
    scf.yield %t : tensor<1024xf32>
  }
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%op, %sum) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}
