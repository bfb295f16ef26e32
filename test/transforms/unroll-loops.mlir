// RUN: tile-opt --tile-gpu-unroll-loops %s | FileCheck %s
// RUN: tile-opt --tile-gpu-unroll-loops --tile-cleanup --tile-gpu-order %s | FileCheck %s --check-prefix=ORDER

// Short loops through memory (lib/transforms/unroll_loops.c) and their loads (order.c, analysis/offsets.c).

#b = #tile_gpu.blocked<{size_per_thread = [2], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {

// At most three iterations: each has a condition, that of the one before and its own. Before the first store there
// are all loads: 256 elements apart, they load nothing that is stored.
// CHECK-LABEL: func.func @bounded
// CHECK-NOT: scf.for
// CHECK: %[[UPPER:.*]] = arith.minsi
// CHECK: %[[C0:.*]] = arith.cmpi slt, %arg1, %[[UPPER]]
// CHECK: "tile.splat"(%[[C0]])
// CHECK: tile.load
// CHECK: tile.store
// CHECK: %[[I1:.*]] = arith.addi %arg1, %{{.*}}
// CHECK: %[[L1:.*]] = arith.cmpi slt, %[[I1]], %[[UPPER]]
// CHECK: %[[C1:.*]] = arith.andi %[[C0]], %[[L1]]
// CHECK: tile.load
// CHECK: tile.store
// CHECK: arith.addi %[[I1]]
// CHECK: tile.load
// CHECK: tile.store
// CHECK-NOT: tile.load
// CHECK: return
// ORDER-LABEL: func.func @bounded
// ORDER-COUNT-3: tile.load
// ORDER: tile.store
// ORDER-NOT: tile.load
// ORDER: return
func.func @bounded(%x: !tile.ptr<f32>, %a: i32, %n: i32) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c256 = arith.constant 256 : i32
  %range = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32, #b>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>, #b>
  %e = arith.addi %a, %c3 : i32
  %u = arith.minsi %e, %n : i32
  scf.for %i = %a to %u step %c1 : i32 {
    %at = arith.muli %i, %c256 : i32
    %ats = "tile.splat"(%at) : (i32) -> tensor<256xi32, #b>
    %o = arith.addi %ats, %range : tensor<256xi32, #b>
    %p = "tile.addptr"(%xs, %o) : (tensor<256x!tile.ptr<f32>, #b>, tensor<256xi32, #b>) -> tensor<256x!tile.ptr<f32>, #b>
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<f32>, #b>) -> tensor<256xf32, #b>
    %w = arith.addf %v, %v : tensor<256xf32, #b>
    "tile.store"(%p, %w) : (tensor<256x!tile.ptr<f32>, #b>, tensor<256xf32, #b>) -> ()
  }
  return
}

// Bounds that are constants need no conditions; a mask stays as it is.
// CHECK-LABEL: func.func @exact
// CHECK-NOT: arith.andi
// CHECK-COUNT-2: "tile.load"({{.*}}, {{.*}}) {operandSegmentSizes = array<i32: 1, 1, 0>}
// CHECK-NOT: tile.load
// CHECK: return
func.func @exact(%x: !tile.ptr<f32>, %a: i32, %n: i32) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c256 = arith.constant 256 : i32
  %range = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32, #b>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>, #b>
  %ns = "tile.splat"(%n) : (i32) -> tensor<256xi32, #b>
  %m = arith.cmpi slt, %range, %ns : tensor<256xi32, #b>
  scf.for %i = %c1 to %c3 step %c1 : i32 {
    %at = arith.muli %i, %c256 : i32
    %ats = "tile.splat"(%at) : (i32) -> tensor<256xi32, #b>
    %o = arith.addi %ats, %range : tensor<256xi32, #b>
    %p = "tile.addptr"(%xs, %o) : (tensor<256x!tile.ptr<f32>, #b>, tensor<256xi32, #b>) -> tensor<256x!tile.ptr<f32>, #b>
    %v = "tile.load"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<256x!tile.ptr<f32>, #b>, tensor<256xi1, #b>) -> tensor<256xf32, #b>
    %w = arith.addf %v, %v : tensor<256xf32, #b>
    "tile.store"(%p, %w) : (tensor<256x!tile.ptr<f32>, #b>, tensor<256xf32, #b>) -> ()
  }
  return
}

// The distance of rows is not a constant: the loads stay after the stores.
// ORDER-LABEL: func.func @run_time_distance
// ORDER: tile.load
// ORDER: tile.store
// ORDER: tile.load
// ORDER: tile.store
// ORDER: tile.load
func.func @run_time_distance(%x: !tile.ptr<f32>, %a: i32, %n: i32) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c256 = arith.constant 256 : i32
  %range = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32, #b>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>, #b>
  %e = arith.addi %a, %c3 : i32
  %u = arith.minsi %e, %n : i32
  scf.for %i = %a to %u step %c1 : i32 {
    %at = arith.muli %i, %n : i32
    %ats = "tile.splat"(%at) : (i32) -> tensor<256xi32, #b>
    %o = arith.addi %ats, %range : tensor<256xi32, #b>
    %p = "tile.addptr"(%xs, %o) : (tensor<256x!tile.ptr<f32>, #b>, tensor<256xi32, #b>) -> tensor<256x!tile.ptr<f32>, #b>
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<f32>, #b>) -> tensor<256xf32, #b>
    %w = arith.addf %v, %v : tensor<256xf32, #b>
    "tile.store"(%p, %w) : (tensor<256x!tile.ptr<f32>, #b>, tensor<256xf32, #b>) -> ()
  }
  return
}

// Kept: no bound, a division, a loop that its author wants as it is.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: scf.for
func.func @kept(%x: !tile.ptr<f32>, %a: i32, %n: i32) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  scf.for %i = %a to %n step %c1 : i32 {
    %v = "tile.load"(%x) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
    "tile.store"(%x, %v) : (!tile.ptr<f32>, f32) -> ()
  }
  scf.for %i = %c1 to %c3 step %c1 : i32 {
    %o = arith.divsi %a, %i : i32
    %p = "tile.addptr"(%x, %o) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
    "tile.store"(%x, %v) : (!tile.ptr<f32>, f32) -> ()
  }
  scf.for %i = %c1 to %c3 step %c1 : i32 {
    %v = "tile.load"(%x) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
    "tile.store"(%x, %v) : (!tile.ptr<f32>, f32) -> ()
  } {tile.loop_unroll_factor = 1 : i32}
  return
}
}
