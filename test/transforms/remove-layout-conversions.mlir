// RUN: tile-opt --verify-each --tile-gpu-remove-layout-conversions --tile-cleanup %s | FileCheck %s

// Changes of layout that need not be (lib/transforms/remove_layout_conversions.c).

#rows = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#columns = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]}>
#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#of_row = #tile_gpu.slice<{axis = 0, parent = #rows}>
#of_column = #tile_gpu.slice<{axis = 1, parent = #rows}>
module attributes {tile_gpu.num_warps = 4 : i32} {

// A tile of pointers is carried in the layout that it is used in; nothing is converted, since its first value can be
// made in that, too.
// CHECK-LABEL: func.func @pointers
// CHECK-NOT: convert_layout
// CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}) -> (tensor<32x32x!tile.ptr<f32>, #[[COLUMNS:.*]]>)
// CHECK: "tile.load"(%[[P]])
// CHECK: "tile.addptr"(%[[P]]
// CHECK-NOT: convert_layout
// CHECK: return
func.func @pointers(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant dense<32> : tensor<32x32xi32, #rows>
  %first = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>, #rows>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%q = %first) -> (tensor<32x32x!tile.ptr<f32>, #rows>) : i32 {
    %r = "tile_gpu.convert_layout"(%q) : (tensor<32x32x!tile.ptr<f32>, #rows>) -> tensor<32x32x!tile.ptr<f32>, #columns>
    %x = "tile.load"(%r) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f32>, #columns>) -> tensor<32x32xf32, #columns>
    %y = arith.addf %x, %x : tensor<32x32xf32, #columns>
    "tile.store"(%r, %y) : (tensor<32x32x!tile.ptr<f32>, #columns>, tensor<32x32xf32, #columns>) -> ()
    %next = "tile.addptr"(%q, %c32) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xi32, #rows>) -> tensor<32x32x!tile.ptr<f32>, #rows>
    scf.yield %next : tensor<32x32x!tile.ptr<f32>, #rows>
  }
  return
}

// What was loaded, and is used after the loop in the old layout: one conversion on either side of it, none inside.
// CHECK-LABEL: func.func @values
// CHECK: convert_layout
// CHECK: scf.for
// CHECK-NOT: convert_layout
// CHECK: scf.yield
// CHECK: convert_layout
// CHECK: return
func.func @values(%p: tensor<32x32x!tile.ptr<f32>, #rows>, %q: tensor<32x32x!tile.ptr<f32>, #columns>, %n: i32)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %two = arith.constant dense<2.0> : tensor<32x32xf32, #rows>
  %first = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f32>, #rows>) -> tensor<32x32xf32, #rows>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (tensor<32x32xf32, #rows>) : i32 {
    %y = "tile_gpu.convert_layout"(%x) : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #columns>
    "tile.store"(%q, %y) : (tensor<32x32x!tile.ptr<f32>, #columns>, tensor<32x32xf32, #columns>) -> ()
    %next = arith.mulf %x, %two : tensor<32x32xf32, #rows>
    scf.yield %next : tensor<32x32xf32, #rows>
  }
  "tile.store"(%p, %last) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xf32, #rows>) -> ()
  return
}

// The loop stores the variable in its own layout, too: it stays.
// CHECK-LABEL: func.func @both
// CHECK: scf.for
// CHECK: convert_layout
// CHECK: scf.yield
// CHECK-NOT: convert_layout
// CHECK: return
func.func @both(%p: tensor<32x32x!tile.ptr<f32>, #rows>, %q: tensor<32x32x!tile.ptr<f32>, #columns>, %n: i32)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant dense<2.0> : tensor<32x32xf32, #rows>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (tensor<32x32xf32, #rows>) : i32 {
    %y = "tile_gpu.convert_layout"(%x) : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #columns>
    "tile.store"(%q, %y) : (tensor<32x32x!tile.ptr<f32>, #columns>, tensor<32x32xf32, #columns>) -> ()
    %next = arith.mulf %x, %x : tensor<32x32xf32, #rows>
    "tile.store"(%p, %next) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xf32, #rows>) -> ()
    scf.yield %next : tensor<32x32xf32, #rows>
  }
  return
}

// What is computed of the variable is wanted in the other layout as well, also in a branch: it is computed in that.
// CHECK-LABEL: func.func @computed
// CHECK: scf.for {{.*}} -> (tensor<32x32xf32, #[[COLUMNS]]>)
// CHECK-NOT: convert_layout
// CHECK: scf.yield {{.*}} #[[COLUMNS]]>
// CHECK-NOT: convert_layout
// CHECK: return
func.func @computed(%q: tensor<32x32x!tile.ptr<f32>, #columns>, %n: i32, %c: i1) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant dense<2.0> : tensor<32x32xf32, #rows>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (tensor<32x32xf32, #rows>) : i32 {
    %y = "tile_gpu.convert_layout"(%x) : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #columns>
    "tile.store"(%q, %y) : (tensor<32x32x!tile.ptr<f32>, #columns>, tensor<32x32xf32, #columns>) -> ()
    scf.if %c {
      %square = arith.mulf %x, %x : tensor<32x32xf32, #rows>
      %z = "tile_gpu.convert_layout"(%square) : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #columns>
      "tile.store"(%q, %z) : (tensor<32x32x!tile.ptr<f32>, #columns>, tensor<32x32xf32, #columns>) -> ()
    }
    %next = arith.addf %x, %x : tensor<32x32xf32, #rows>
    scf.yield %next : tensor<32x32xf32, #rows>
  }
  return
}

// The variable is a sum of products in one layout, and in its own an operand of the product: it stays.
// CHECK-LABEL: func.func @operand
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (tensor<32x32xf32, #[[ROWS:.*]]>)
// CHECK: arith.mulf %[[X]], %{{.*}} #[[ROWS]]>
// CHECK: scf.yield {{.*}} #[[ROWS]]>
func.func @operand(%p: tensor<32x32x!tile.ptr<f32>, #rows>, %b: tensor<32x32xf32, #columns>, %n: i32)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %two = arith.constant dense<2.0> : tensor<32x32xf32, #rows>
  %first = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f32>, #rows>) -> tensor<32x32xf32, #rows>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (tensor<32x32xf32, #rows>) : i32 {
    %y = "tile_gpu.convert_layout"(%x) : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #columns>
    %a = arith.mulf %x, %two : tensor<32x32xf32, #rows>
    %sum = "tile.dot"(%a, %b, %y) {precision = "ieee"} : (tensor<32x32xf32, #rows>, tensor<32x32xf32, #columns>, tensor<32x32xf32, #columns>) -> tensor<32x32xf32, #columns>
    %next = "tile_gpu.convert_layout"(%sum) : (tensor<32x32xf32, #columns>) -> tensor<32x32xf32, #rows>
    scf.yield %next : tensor<32x32xf32, #rows>
  }
  "tile.store"(%p, %last) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xf32, #rows>) -> ()
  return
}

// A vector is loaded as it is wanted, and stored as it is.
// CHECK-LABEL: func.func @vectors
// CHECK-NOT: convert_layout
// CHECK: "tile.load"{{.*}} -> tensor<64xf32, #tile_gpu.slice<{axis = 0
// CHECK-NOT: convert_layout
// CHECK: "tile.store"({{.*}} : (tensor<32x!tile.ptr<f32>, #tile_gpu.slice<{axis = 1
// CHECK-NOT: convert_layout
// CHECK: return
func.func @vectors(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %x: tensor<32x64xf32, #rows>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32, #line>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>, #line>
  %pp = "tile.addptr"(%ps, %range) : (tensor<64x!tile.ptr<f32>, #line>, tensor<64xi32, #line>) -> tensor<64x!tile.ptr<f32>, #line>
  %v = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x!tile.ptr<f32>, #line>) -> tensor<64xf32, #line>
  %w = "tile_gpu.convert_layout"(%v) : (tensor<64xf32, #line>) -> tensor<64xf32, #of_row>
  %e = "tile.expand_dims"(%w) {axis = 0 : i32} : (tensor<64xf32, #of_row>) -> tensor<1x64xf32, #rows>
  %b = "tile.broadcast"(%e) : (tensor<1x64xf32, #rows>) -> tensor<32x64xf32, #rows>
  %y = arith.mulf %x, %b : tensor<32x64xf32, #rows>
  %r = "tile.reduce"(%y) ({
  ^bb0(%l: f32, %h: f32):
    %k = arith.addf %l, %h : f32
    "gpu.yield"(%k) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<32x64xf32, #rows>) -> tensor<32xf32, #of_column>
  %s = "tile_gpu.convert_layout"(%r) : (tensor<32xf32, #of_column>) -> tensor<32xf32, #line>
  %range2 = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32, #line>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<32x!tile.ptr<f32>, #line>
  %qp = "tile.addptr"(%qs, %range2) : (tensor<32x!tile.ptr<f32>, #line>, tensor<32xi32, #line>) -> tensor<32x!tile.ptr<f32>, #line>
  "tile.store"(%qp, %s) : (tensor<32x!tile.ptr<f32>, #line>, tensor<32xf32, #line>) -> ()
  return
}

// A tile is loaded and stored as coalescing has it: conversions stay.
// CHECK-LABEL: func.func @tiles
// CHECK: tile.load
// CHECK: convert_layout
// CHECK: convert_layout
// CHECK: tile.store
func.func @tiles(%p: tensor<32x32x!tile.ptr<f32>, #rows>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f32>, #rows>) -> tensor<32x32xf32, #rows>
  %w = "tile_gpu.convert_layout"(%v) : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #columns>
  %s = "tile.scan"(%w) ({
  ^bb0(%l: f32, %h: f32):
    %k = arith.addf %l, %h : f32
    "gpu.yield"(%k) : (f32) -> ()
  }) {axis = 0 : i32, reverse = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<32x32xf32, #columns>) -> tensor<32x32xf32, #columns>
  %x = "tile_gpu.convert_layout"(%s) : (tensor<32x32xf32, #columns>) -> tensor<32x32xf32, #rows>
  "tile.store"(%p, %x) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xf32, #rows>) -> ()
  return
}

// Narrow elements move, and what is the same along a dimension moves once.
// CHECK-LABEL: func.func @narrow
// CHECK: convert_layout{{.*}} -> tensor<32x1xf16
// CHECK: arith.extf {{.*}} tensor<32x1xf16
// CHECK: tile.broadcast
// CHECK-NOT: convert_layout
// CHECK: return
func.func @narrow(%p: tensor<32x1x!tile.ptr<f16>, #rows>, %q: tensor<32x32x!tile.ptr<f32>, #columns>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x1x!tile.ptr<f16>, #rows>) -> tensor<32x1xf16, #rows>
  %e = arith.extf %v : tensor<32x1xf16, #rows> to tensor<32x1xf32, #rows>
  %b = "tile.broadcast"(%e) : (tensor<32x1xf32, #rows>) -> tensor<32x32xf32, #rows>
  %x = "tile_gpu.convert_layout"(%b) : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #columns>
  "tile.store"(%q, %x) : (tensor<32x32x!tile.ptr<f32>, #columns>, tensor<32x32xf32, #columns>) -> ()
  return
}

// The pointers of a small access that a loop carries are carried in the layout that its result is wanted in.
// CHECK-LABEL: func.func @scales
// CHECK-NOT: convert_layout
// CHECK: scf.for {{.*}}tensor<32x!tile.ptr<f32>, #tile_gpu.slice<{axis = 1
// CHECK: "tile.load"{{.*}} -> tensor<32xf32, #tile_gpu.slice<{axis = 1
// CHECK-NOT: convert_layout
// CHECK: return
func.func @scales(%ps: !tile.ptr<f32>, %out: tensor<32x32x!tile.ptr<f32>, #rows>, %n: i32)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1> : tensor<32xi32, #line>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #rows>
  %first = "tile.splat"(%ps) : (!tile.ptr<f32>) -> tensor<32x!tile.ptr<f32>, #line>
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %first) -> (tensor<32x32xf32, #rows>, tensor<32x!tile.ptr<f32>, #line>) : i32 {
    %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x!tile.ptr<f32>, #line>) -> tensor<32xf32, #line>
    %w = "tile_gpu.convert_layout"(%v) : (tensor<32xf32, #line>) -> tensor<32xf32, #of_column>
    %e = "tile.expand_dims"(%w) {axis = 1 : i32} : (tensor<32xf32, #of_column>) -> tensor<32x1xf32, #rows>
    %b = "tile.broadcast"(%e) : (tensor<32x1xf32, #rows>) -> tensor<32x32xf32, #rows>
    %y = arith.addf %acc, %b : tensor<32x32xf32, #rows>
    %next = "tile.addptr"(%q, %one) : (tensor<32x!tile.ptr<f32>, #line>, tensor<32xi32, #line>) -> tensor<32x!tile.ptr<f32>, #line>
    scf.yield %y, %next : tensor<32x32xf32, #rows>, tensor<32x!tile.ptr<f32>, #line>
  }
  "tile.store"(%out, %sum#0) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xf32, #rows>) -> ()
  return
}

// What somebody else uses as well would be loaded twice, and a volatile load stays as it is.
// CHECK-LABEL: func.func @scales_used_twice
// CHECK: scf.for {{.*}}tensor<32x!tile.ptr<f32>, #[[LINE:.*]]>)
// CHECK: "tile.load"{{.*}} -> tensor<32xf32, #[[LINE]]>
// CHECK: convert_layout
// CHECK: return
func.func @scales_used_twice(%ps: !tile.ptr<f32>, %out: tensor<32x32x!tile.ptr<f32>, #rows>, %n: i32)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1> : tensor<32xi32, #line>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #rows>
  %first = "tile.splat"(%ps) : (!tile.ptr<f32>) -> tensor<32x!tile.ptr<f32>, #line>
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %first) -> (tensor<32x32xf32, #rows>, tensor<32x!tile.ptr<f32>, #line>) : i32 {
    %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x!tile.ptr<f32>, #line>) -> tensor<32xf32, #line>
    "tile.store"(%q, %v) : (tensor<32x!tile.ptr<f32>, #line>, tensor<32xf32, #line>) -> ()
    %w = "tile_gpu.convert_layout"(%v) : (tensor<32xf32, #line>) -> tensor<32xf32, #of_column>
    %e = "tile.expand_dims"(%w) {axis = 1 : i32} : (tensor<32xf32, #of_column>) -> tensor<32x1xf32, #rows>
    %b = "tile.broadcast"(%e) : (tensor<32x1xf32, #rows>) -> tensor<32x32xf32, #rows>
    %y = arith.addf %acc, %b : tensor<32x32xf32, #rows>
    %next = "tile.addptr"(%q, %one) : (tensor<32x!tile.ptr<f32>, #line>, tensor<32xi32, #line>) -> tensor<32x!tile.ptr<f32>, #line>
    scf.yield %y, %next : tensor<32x32xf32, #rows>, tensor<32x!tile.ptr<f32>, #line>
  }
  "tile.store"(%out, %sum#0) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xf32, #rows>) -> ()
  return
}

// CHECK-LABEL: func.func @scales_volatile
// CHECK: scf.for
// CHECK: "tile.load"{{.*}} -> tensor<32xf32, #[[LINE]]>
// CHECK: convert_layout
// CHECK: return
func.func @scales_volatile(%ps: !tile.ptr<f32>, %out: tensor<32x32x!tile.ptr<f32>, #rows>, %n: i32)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1> : tensor<32xi32, #line>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #rows>
  %first = "tile.splat"(%ps) : (!tile.ptr<f32>) -> tensor<32x!tile.ptr<f32>, #line>
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %first) -> (tensor<32x32xf32, #rows>, tensor<32x!tile.ptr<f32>, #line>) : i32 {
    %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (tensor<32x!tile.ptr<f32>, #line>) -> tensor<32xf32, #line>
    %w = "tile_gpu.convert_layout"(%v) : (tensor<32xf32, #line>) -> tensor<32xf32, #of_column>
    %e = "tile.expand_dims"(%w) {axis = 1 : i32} : (tensor<32xf32, #of_column>) -> tensor<32x1xf32, #rows>
    %b = "tile.broadcast"(%e) : (tensor<32x1xf32, #rows>) -> tensor<32x32xf32, #rows>
    %y = arith.addf %acc, %b : tensor<32x32xf32, #rows>
    %next = "tile.addptr"(%q, %one) : (tensor<32x!tile.ptr<f32>, #line>, tensor<32xi32, #line>) -> tensor<32x!tile.ptr<f32>, #line>
    scf.yield %y, %next : tensor<32x32xf32, #rows>, tensor<32x!tile.ptr<f32>, #line>
  }
  "tile.store"(%out, %sum#0) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xf32, #rows>) -> ()
  return
}

// 16 columns a thread, of which four in a row have one address: few.
// CHECK-LABEL: func.func @few_addresses
// CHECK-NOT: convert_layout
// CHECK: "tile.load"{{.*}} -> tensor<128xf32, #tile_gpu.slice<{axis = 0
// CHECK-NOT: convert_layout
// CHECK: return
func.func @few_addresses(%p: !tile.ptr<f32>, %x: tensor<32x128xf32, #rows>,
    %out: tensor<32x128x!tile.ptr<f32>, #rows>) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32, #line>
  %block = arith.constant dense<4> : tensor<128xi32, #line>
  %k = arith.divui %i, %block : tensor<128xi32, #line>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>, #line>
  %q = "tile.addptr"(%s, %k) : (tensor<128x!tile.ptr<f32>, #line>, tensor<128xi32, #line>) -> tensor<128x!tile.ptr<f32>, #line>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>, #line>) -> tensor<128xf32, #line>
  %w = "tile_gpu.convert_layout"(%v) : (tensor<128xf32, #line>) -> tensor<128xf32, #of_row>
  %e = "tile.expand_dims"(%w) {axis = 0 : i32} : (tensor<128xf32, #of_row>) -> tensor<1x128xf32, #rows>
  %b = "tile.broadcast"(%e) : (tensor<1x128xf32, #rows>) -> tensor<32x128xf32, #rows>
  %y = arith.mulf %x, %b : tensor<32x128xf32, #rows>
  "tile.store"(%out, %y) : (tensor<32x128x!tile.ptr<f32>, #rows>, tensor<32x128xf32, #rows>) -> ()
  return
}

// CHECK-LABEL: func.func @many_addresses
// CHECK: "tile.load"{{.*}} -> tensor<128xf32, #[[LINE]]>
// CHECK: convert_layout
// CHECK: return
func.func @many_addresses(%p: !tile.ptr<f32>, %x: tensor<32x128xf32, #rows>,
    %out: tensor<32x128x!tile.ptr<f32>, #rows>) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32, #line>
  %block = arith.constant dense<1> : tensor<128xi32, #line>
  %k = arith.divui %i, %block : tensor<128xi32, #line>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>, #line>
  %q = "tile.addptr"(%s, %k) : (tensor<128x!tile.ptr<f32>, #line>, tensor<128xi32, #line>) -> tensor<128x!tile.ptr<f32>, #line>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>, #line>) -> tensor<128xf32, #line>
  %w = "tile_gpu.convert_layout"(%v) : (tensor<128xf32, #line>) -> tensor<128xf32, #of_row>
  %e = "tile.expand_dims"(%w) {axis = 0 : i32} : (tensor<128xf32, #of_row>) -> tensor<1x128xf32, #rows>
  %b = "tile.broadcast"(%e) : (tensor<1x128xf32, #rows>) -> tensor<32x128xf32, #rows>
  %y = arith.mulf %x, %b : tensor<32x128xf32, #rows>
  "tile.store"(%out, %y) : (tensor<32x128x!tile.ptr<f32>, #rows>, tensor<32x128xf32, #rows>) -> ()
  return
}
}
