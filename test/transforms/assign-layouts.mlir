// RUN: tile-opt --tile-assign-layouts=num-warps=2 --split-input-file %s | FileCheck %s

// The module says how many threads hold a tile.
// CHECK: module attributes {tile_gpu.num_warps = 2 : i32, tile_gpu.threads_per_warp = 32 : i32}

// One element a thread, the fastest dimension over lanes first, then over warps.
// CHECK-LABEL: func.func @one_dimension
// CHECK: "tile.range"() {{.*}} -> tensor<256xi32, #tile_gpu.blocked<{order = [0], size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [2]}>>
func.func @one_dimension(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %q = "tile.addptr"(%s, %r) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  "tile.store"(%q, %r) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> ()
  return
}

// -----

// A vector that becomes rows is made in the slice of the matrix's layout: no conversion is needed. The
// range that names both dimensions is made twice.
// CHECK-LABEL: func.func @two_dimensions
// CHECK-DAG: "tile.range"() {{.*}} -> tensor<16xi32, #tile_gpu.slice<{axis = 0 : i64, parent = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 1], threads_per_warp = [2, 16], warps_per_cta = [2, 1]}>}>>
// CHECK-DAG: "tile.range"() {{.*}} -> tensor<16xi32, #tile_gpu.slice<{axis = 1 : i64, parent = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 1], threads_per_warp = [2, 16], warps_per_cta = [2, 1]}>}>>
// CHECK-NOT: convert_layout
func.func @two_dimensions(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %m = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
  %n = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
  %mb = "tile.broadcast"(%m) : (tensor<16x1xi32>) -> tensor<16x16xi32>
  %nb = "tile.broadcast"(%n) : (tensor<1x16xi32>) -> tensor<16x16xi32>
  %o = arith.addi %mb, %nb : tensor<16x16xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<16x16x!tile.ptr<i32>>
  %q = "tile.addptr"(%s, %o) : (tensor<16x16x!tile.ptr<i32>>, tensor<16x16xi32>) -> tensor<16x16x!tile.ptr<i32>>
  "tile.store"(%q, %o) : (tensor<16x16x!tile.ptr<i32>>, tensor<16x16xi32>) -> ()
  return
}

// -----

// A loop variable has one layout: before, in and after the loop.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<64xf32, #tile_gpu.blocked<{order = [0], size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [2]}>>)
func.func @loop(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64xf32>) : i32 {
    %b = arith.addf %a, %one : tensor<64xf32>
    scf.yield %b : tensor<64xf32>
  }
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  %q = "tile.addptr"(%ps, %r) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  "tile.store"(%q, %s) : (tensor<64x!tile.ptr<f32>>, tensor<64xf32>) -> ()
  return
}

// -----

// A loaded vector that is needed along both dimensions cannot be made again: one use converts it.
// CHECK-LABEL: func.func @both_dimensions
// CHECK: %[[V:.*]] = "tile.load"
// CHECK: "tile_gpu.convert_layout"(%[[V]])
func.func @both_dimensions(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x!tile.ptr<f32>>
  %a = "tile.addptr"(%s, %r) : (tensor<16x!tile.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tile.ptr<f32>>
  %v = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x!tile.ptr<f32>>) -> tensor<16xf32>
  %m = "tile.expand_dims"(%v) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
  %n = "tile.expand_dims"(%v) {axis = 0 : i32} : (tensor<16xf32>) -> tensor<1x16xf32>
  %mb = "tile.broadcast"(%m) : (tensor<16x1xf32>) -> tensor<16x16xf32>
  %nb = "tile.broadcast"(%n) : (tensor<1x16xf32>) -> tensor<16x16xf32>
  %d = arith.subf %mb, %nb : tensor<16x16xf32>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>>
  "tile.store"(%qs, %d) : (tensor<16x16x!tile.ptr<f32>>, tensor<16x16xf32>) -> ()
  return
}
