// RUN: tile-opt --verify-each --tile-gpu-remove-layout-conversions --split-input-file %s | FileCheck %s

// Sums of rows within warps that are only converted, through shared memory: the reduction has them in that layout.
#half = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [2, 16], warps_per_cta = [2, 1], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #half}>
#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [2], order = [0]}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: func.func @reduction
// CHECK: "tile.reduce"
// CHECK: -> tensor<16xf32, #tile_gpu.blocked
// CHECK-NOT: tile_gpu.convert_layout
// CHECK: return
func.func @reduction(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>, #half>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x16x!tile.ptr<f32>, #half>) -> tensor<16x16xf32, #half>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x16xf32, #half>) -> tensor<16xf32, #slice>
  %t = "tile_gpu.convert_layout"(%m) : (tensor<16xf32, #slice>) -> tensor<16xf32, #line>
  %u = math.exp %t : tensor<16xf32, #line>
  %q = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x!tile.ptr<f32>, #line>
  "tile.store"(%q, %u) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<16x!tile.ptr<f32>, #line>, tensor<16xf32, #line>) -> ()
  return
}
}

// -----

// Something else uses them as they are.
#half = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [2, 16], warps_per_cta = [2, 1], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #half}>
#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [2], order = [0]}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: func.func @used_twice
// CHECK: "tile.reduce"
// CHECK: -> tensor<16xf32, #tile_gpu.slice
// CHECK: tile_gpu.convert_layout
// CHECK: return
func.func @used_twice(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>, #half>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x16x!tile.ptr<f32>, #half>) -> tensor<16x16xf32, #half>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x16xf32, #half>) -> tensor<16xf32, #slice>
  %t = "tile_gpu.convert_layout"(%m) : (tensor<16xf32, #slice>) -> tensor<16xf32, #line>
  %u = math.exp %t : tensor<16xf32, #line>
  %q = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x!tile.ptr<f32>, #line>
  "tile.store"(%q, %u) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<16x!tile.ptr<f32>, #line>, tensor<16xf32, #line>) -> ()
  %e = math.exp %m : tensor<16xf32, #slice>
  %r = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x!tile.ptr<f32>, #slice>
  "tile.store"(%r, %e) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<16x!tile.ptr<f32>, #slice>, tensor<16xf32, #slice>) -> ()
  return
}
}

// -----

// Rows of two warps: the exchange between these leaves the sums where they are wanted.
#rows = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [1, 32], warps_per_cta = [1, 2], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #rows}>
#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [2], order = [0]}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: func.func @rows_of_two_warps
// CHECK: "tile.reduce"
// CHECK: -> tensor<4xf32, #tile_gpu.slice
// CHECK: tile_gpu.convert_layout
// CHECK: return
func.func @rows_of_two_warps(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<4x64x!tile.ptr<f32>, #rows>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x64x!tile.ptr<f32>, #rows>) -> tensor<4x64xf32, #rows>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4x64xf32, #rows>) -> tensor<4xf32, #slice>
  %t = "tile_gpu.convert_layout"(%m) : (tensor<4xf32, #slice>) -> tensor<4xf32, #line>
  %u = math.exp %t : tensor<4xf32, #line>
  %q = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<4x!tile.ptr<f32>, #line>
  "tile.store"(%q, %u) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4x!tile.ptr<f32>, #line>, tensor<4xf32, #line>) -> ()
  return
}
}

// -----

// Two sums in a thread have little to share out.
#two = #tile_gpu.blocked<{size_per_thread = [2, 1], threads_per_warp = [2, 16], warps_per_cta = [2, 1], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #two}>
#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [2], order = [0]}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: func.func @two_sums
// CHECK: "tile.reduce"
// CHECK: -> tensor<8xf32, #tile_gpu.slice
// CHECK: tile_gpu.convert_layout
// CHECK: return
func.func @two_sums(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<8x16x!tile.ptr<f32>, #two>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8x16x!tile.ptr<f32>, #two>) -> tensor<8x16xf32, #two>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8x16xf32, #two>) -> tensor<8xf32, #slice>
  %t = "tile_gpu.convert_layout"(%m) : (tensor<8xf32, #slice>) -> tensor<8xf32, #line>
  %u = math.exp %t : tensor<8xf32, #line>
  %q = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<8x!tile.ptr<f32>, #line>
  "tile.store"(%q, %u) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8x!tile.ptr<f32>, #line>, tensor<8xf32, #line>) -> ()
  return
}
}

// -----

// A conversion within warps waits for no other warp as it is.
#one = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [2, 16], warps_per_cta = [1, 1], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #one}>
#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
module attributes {tile_gpu.num_warps = 1 : i32} {
// CHECK-LABEL: func.func @one_warp
// CHECK: "tile.reduce"
// CHECK: -> tensor<8xf32, #tile_gpu.slice
// CHECK: tile_gpu.convert_layout
// CHECK: return
func.func @one_warp(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<8x16x!tile.ptr<f32>, #one>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8x16x!tile.ptr<f32>, #one>) -> tensor<8x16xf32, #one>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8x16xf32, #one>) -> tensor<8xf32, #slice>
  %t = "tile_gpu.convert_layout"(%m) : (tensor<8xf32, #slice>) -> tensor<8xf32, #line>
  %u = math.exp %t : tensor<8xf32, #line>
  %q = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<8x!tile.ptr<f32>, #line>
  "tile.store"(%q, %u) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8x!tile.ptr<f32>, #line>, tensor<8xf32, #line>) -> ()
  return
}
}
