// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-print-conversions %s 2>&1 | FileCheck %s

// What operations that change shapes do to layouts (lib/transforms/layout_groups.h).

// A reshape and a permutation keep every value where it is: their results have linear layouts that say so,
// and the reduction's result is a slice of the last. Only the reduction's four warps exchange anything.
// CHECK: layouts-of-shapes.mlir:[[#@LINE+8]]:8: remark: conversion: registers renamed
// CHECK: layouts-of-shapes.mlir:[[#@LINE+8]]:8: remark: conversion: registers renamed
// CHECK: layouts-of-shapes.mlir:[[#@LINE+8]]:8: remark: between warps: shared memory
func.func @follow(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 4096 : i32} : () -> tensor<4096xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<4096x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>) -> tensor<4096x!tile.ptr<f32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4096x!tile.ptr<f32>>) -> tensor<4096xf32>
  %r = "tile.reshape"(%v) : (tensor<4096xf32>) -> tensor<64x64xf32>
  %t = "tile.permute"(%r) {order = array<i32: 1, 0>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = "tile.reduce"(%t) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64x64xf32>) -> tensor<64xf32>
  %ro = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %ro) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  "tile.store"(%op, %s) : (tensor<64x!tile.ptr<f32>>, tensor<64xf32>) -> ()
  return
}

// CHECK: func.func @follow
// CHECK: tile.reduce
// CHECK: tensor<64xf32, #tile_gpu.slice<{axis = 1 : i64, parent = #tile_gpu.linear<{lane = {{.*}}, register = {{.*}}, warp = {{.*}}}>}>>

// Rows are summed: the warps are spread over the rows first, so that each sum stays in its warp.
// CHECK-LABEL: func.func @rows
// CHECK: "tile.reduce"
// CHECK: (tensor<8x128xf32, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, {{[0-9]}}], threads_per_warp = [1, 32], warps_per_cta = [4, 1]}>>) -> tensor<8xf32, #tile_gpu.slice
func.func @rows(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %row = "tile.expand_dims"(%range) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x128xi32>) -> tensor<8x128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<8x128x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %rows) : (tensor<8x128x!tile.ptr<f32>>, tensor<8x128xi32>) -> tensor<8x128x!tile.ptr<f32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8x128x!tile.ptr<f32>>) -> tensor<8x128xf32>
  %s = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8x128xf32>) -> tensor<8xf32>
  %eight = "tile.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<8x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %eight) : (tensor<8x!tile.ptr<f32>>, tensor<8xi32>) -> tensor<8x!tile.ptr<f32>>
  "tile.store"(%op, %s) : (tensor<8x!tile.ptr<f32>>, tensor<8xf32>) -> ()
  return
}
