// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm --split-input-file %s | FileCheck %s

// Sums of rows that lie in two warps. Four rows in a thread: a lane gives two of its sums to its neighbour and gets that
// one's part of the two others; then one for one; what is left of each row takes three steps. 6 shuffles for 20. Each lane
// stores the row that it has.
#rows = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [1, 32], warps_per_cta = [1, 2], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #rows}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: llvm.func @between_warps
// CHECK-COUNT-6: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: nvvm.barrier0
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
func.func @between_warps(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<4x64x!tile.ptr<f32>, #rows>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x64x!tile.ptr<f32>, #rows>) -> tensor<4x64xf32, #rows>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4x64xf32, #rows>) -> tensor<4xf32, #slice>
  return
}
}

// -----

// Two rows are too few: selects would cost what shuffles save.
#rows = #tile_gpu.blocked<{size_per_thread = [2, 1], threads_per_warp = [1, 32], warps_per_cta = [1, 2], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #rows}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: llvm.func @two_rows
// CHECK-COUNT-10: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
func.func @two_rows(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<2x64x!tile.ptr<f32>, #rows>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2x64x!tile.ptr<f32>, #rows>) -> tensor<2x64xf32, #rows>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x64xf32, #rows>) -> tensor<2xf32, #slice>
  return
}
}

// -----

// A warp's integers are combined by one instruction a row.
#rows = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [1, 32], warps_per_cta = [1, 2], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #rows}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: llvm.func @integers
// CHECK-NOT: nvvm.shfl
// CHECK-COUNT-4: nvvm.redux.sync add
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
func.func @integers(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<4x64x!tile.ptr<i32>, #rows>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x64x!tile.ptr<i32>, #rows>) -> tensor<4x64xi32, #rows>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    "gpu.yield"(%c) : (i32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4x64xi32, #rows>) -> tensor<4xi32, #slice>
  return
}
}

// -----

// A combiner with sides: the first lane has the result, and all get it from there.
#rows = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [1, 32], warps_per_cta = [1, 2], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #rows}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: llvm.func @sides
// CHECK-COUNT-20: nvvm.shfl.sync bfly
// CHECK-COUNT-4: nvvm.shfl.sync idx
// CHECK: llvm.return
func.func @sides(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<4x64x!tile.ptr<f32>, #rows>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x64x!tile.ptr<f32>, #rows>) -> tensor<4x64xf32, #rows>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4x64xf32, #rows>) -> tensor<4xf32, #slice>
  return
}
}

// -----

// Sums of rows that lie in one warp, wanted in another layout, which shared memory brings them to: 5 shuffles for 16.
#half = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [2, 16], warps_per_cta = [2, 1], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #half}>
#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [2], order = [0]}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: llvm.func @another_layout
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: nvvm.barrier0
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
func.func @another_layout(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>, #half>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x16x!tile.ptr<f32>, #half>) -> tensor<16x16xf32, #half>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x16xf32, #half>) -> tensor<16xf32, #line>
  return
}
}

// -----

// Wanted by all lanes of the row as they stand: nothing is shared out.
#half = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [2, 16], warps_per_cta = [2, 1], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #half}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// CHECK-LABEL: llvm.func @all_lanes
// CHECK-COUNT-16: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier0
// CHECK: llvm.return
func.func @all_lanes(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>, #half>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x16x!tile.ptr<f32>, #half>) -> tensor<16x16xf32, #half>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x16xf32, #half>) -> tensor<16xf32, #slice>
  return
}
}
