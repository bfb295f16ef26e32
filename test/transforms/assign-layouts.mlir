// RUN: tile-opt --tile-assign-layouts=num-warps=2 --split-input-file %s | FileCheck %s

// The module says how many threads hold a tile.
// CHECK: module attributes {tile_gpu.num_warps = 2 : i32}

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

// -----

// Each square needs the one before it twice: making this value again would take 2^40 operations, so it
// is converted.
// CHECK-LABEL: func.func @squares
// CHECK-COUNT-40: arith.muli
// CHECK-NOT: arith.muli
// CHECK: tile_gpu.convert_layout
// CHECK-NOT: arith.muli
func.func @squares(%a: i32, %q: !tile.ptr<i32>) attributes {tile.kernel} {
  %x0 = "tile.splat"(%a) : (i32) -> tensor<16xi32>
  %x1 = arith.muli %x0, %x0 : tensor<16xi32>
  %x2 = arith.muli %x1, %x1 : tensor<16xi32>
  %x3 = arith.muli %x2, %x2 : tensor<16xi32>
  %x4 = arith.muli %x3, %x3 : tensor<16xi32>
  %x5 = arith.muli %x4, %x4 : tensor<16xi32>
  %x6 = arith.muli %x5, %x5 : tensor<16xi32>
  %x7 = arith.muli %x6, %x6 : tensor<16xi32>
  %x8 = arith.muli %x7, %x7 : tensor<16xi32>
  %x9 = arith.muli %x8, %x8 : tensor<16xi32>
  %x10 = arith.muli %x9, %x9 : tensor<16xi32>
  %x11 = arith.muli %x10, %x10 : tensor<16xi32>
  %x12 = arith.muli %x11, %x11 : tensor<16xi32>
  %x13 = arith.muli %x12, %x12 : tensor<16xi32>
  %x14 = arith.muli %x13, %x13 : tensor<16xi32>
  %x15 = arith.muli %x14, %x14 : tensor<16xi32>
  %x16 = arith.muli %x15, %x15 : tensor<16xi32>
  %x17 = arith.muli %x16, %x16 : tensor<16xi32>
  %x18 = arith.muli %x17, %x17 : tensor<16xi32>
  %x19 = arith.muli %x18, %x18 : tensor<16xi32>
  %x20 = arith.muli %x19, %x19 : tensor<16xi32>
  %x21 = arith.muli %x20, %x20 : tensor<16xi32>
  %x22 = arith.muli %x21, %x21 : tensor<16xi32>
  %x23 = arith.muli %x22, %x22 : tensor<16xi32>
  %x24 = arith.muli %x23, %x23 : tensor<16xi32>
  %x25 = arith.muli %x24, %x24 : tensor<16xi32>
  %x26 = arith.muli %x25, %x25 : tensor<16xi32>
  %x27 = arith.muli %x26, %x26 : tensor<16xi32>
  %x28 = arith.muli %x27, %x27 : tensor<16xi32>
  %x29 = arith.muli %x28, %x28 : tensor<16xi32>
  %x30 = arith.muli %x29, %x29 : tensor<16xi32>
  %x31 = arith.muli %x30, %x30 : tensor<16xi32>
  %x32 = arith.muli %x31, %x31 : tensor<16xi32>
  %x33 = arith.muli %x32, %x32 : tensor<16xi32>
  %x34 = arith.muli %x33, %x33 : tensor<16xi32>
  %x35 = arith.muli %x34, %x34 : tensor<16xi32>
  %x36 = arith.muli %x35, %x35 : tensor<16xi32>
  %x37 = arith.muli %x36, %x36 : tensor<16xi32>
  %x38 = arith.muli %x37, %x37 : tensor<16xi32>
  %x39 = arith.muli %x38, %x38 : tensor<16xi32>
  %x40 = arith.muli %x39, %x39 : tensor<16xi32>
  %rows = "tile.expand_dims"(%x40) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
  %columns = "tile.expand_dims"(%x40) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
  %rb = "tile.broadcast"(%rows) : (tensor<16x1xi32>) -> tensor<16x16xi32>
  %cb = "tile.broadcast"(%columns) : (tensor<1x16xi32>) -> tensor<16x16xi32>
  %sum = arith.addi %rb, %cb : tensor<16x16xi32>
  %qs = "tile.splat"(%q) : (!tile.ptr<i32>) -> tensor<16x16x!tile.ptr<i32>>
  "tile.store"(%qs, %sum) : (tensor<16x16x!tile.ptr<i32>>, tensor<16x16xi32>) -> ()
  return
}

// -----

// A function that is no kernel stays as it is: its signature has no layouts.
// CHECK-LABEL: func.func @no_kernel(%{{.*}}: tensor<16xf32>) -> tensor<16xf32>
func.func @no_kernel(%x: tensor<16xf32>) -> tensor<16xf32> {
  %r = arith.addf %x, %x : tensor<16xf32>
  return %r : tensor<16xf32>
}
