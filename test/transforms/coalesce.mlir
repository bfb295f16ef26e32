// RUN: tile-opt --tile-assign-layouts --tile-gpu-coalesce --split-input-file %s | FileCheck %s

// Aligned f32: four consecutive elements, 16 bytes, a thread.
// CHECK-LABEL: func.func @aligned
// CHECK: "tile.load"{{.*}}size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4]
func.func @aligned(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  "tile.store"(%q, %v) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// -----

// Nothing is known of the pointer: one element a thread.
// CHECK-LABEL: func.func @unaligned
// CHECK: "tile.load"{{.*}}size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4]
func.func @unaligned(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  "tile.store"(%q, %v) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// -----

// Every thread gets some of a small tile before any gets a wide access.
// CHECK-LABEL: func.func @small
// CHECK: "tile.load"{{.*}}size_per_thread = [2], threads_per_warp = [32], warps_per_cta = [4]
func.func @small(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<f32>>) -> tensor<256xf32>
  "tile.store"(%q, %v) : (tensor<256x!tile.ptr<f32>>, tensor<256xf32>) -> ()
  return
}

// -----

// What both cost decides: f32 at 16 bytes is four elements, so f16 is read 8 bytes at a time and both are
// contiguous over the warp.
// CHECK-LABEL: func.func @widen
// CHECK: "tile.load"{{.*}}!tile.ptr<f16>, #tile_gpu.blocked<{order = [0], size_per_thread = [4]
// CHECK: "tile.store"{{.*}}!tile.ptr<f32>, #tile_gpu.blocked<{order = [0], size_per_thread = [4]
func.func @widen(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<2048x!tile.ptr<f16>>
  %q = "tile.addptr"(%s, %r) : (tensor<2048x!tile.ptr<f16>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f16>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f16>>) -> tensor<2048xf16>
  %w = arith.extf %v : tensor<2048xf16> to tensor<2048xf32>
  %os = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>>
  %oq = "tile.addptr"(%os, %r) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f32>>
  "tile.store"(%oq, %w) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xf32>) -> ()
  return
}

// -----

// A column-major matrix: rows are the fast dimension.
// CHECK-LABEL: func.func @column_major
// CHECK: "tile.load"{{.*}}order = [0, 1], size_per_thread = [4, 1], threads_per_warp = [16, 2], warps_per_cta = [1, 4]
func.func @column_major(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %m = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %n = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %c64 = arith.constant dense<64> : tensor<1x64xi32>
  %n64 = arith.muli %n, %c64 : tensor<1x64xi32>
  %mb = "tile.broadcast"(%m) : (tensor<64x1xi32>) -> tensor<64x64xi32>
  %nb = "tile.broadcast"(%n64) : (tensor<1x64xi32>) -> tensor<64x64xi32>
  %o = arith.addi %mb, %nb : tensor<64x64xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %o) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f32>>) -> tensor<64x64xf32>
  "tile.store"(%q, %v) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
