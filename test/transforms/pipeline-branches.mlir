// An address that is computed in a branch: the branch is copied as a whole, with what it takes from outside, for the iteration
// ahead.
// RUN: tile-opt --tile-gpu-pipeline --canonicalize --tile-cleanup %s | FileCheck %s

#l = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>

module attributes {tile_gpu.num_warps = 4 : i32} {

// CHECK-LABEL: func.func @branch
// CHECK-SAME: %[[N:arg1]]: i32, %[[EVERY:arg2]]: i32
// The first iteration's, before the loop.
// CHECK: arith.remsi %c0_i32, %[[EVERY]]
// CHECK: %[[T0:.*]] = scf.if
// CHECK: arith.divsi %c0_i32, %[[EVERY]]
// CHECK: "tile.addptr"(%{{.*}}, %[[T0]])
// CHECK: "tile.load"
// CHECK: scf.for %[[I:.*]] = %c0_i32 to %[[N]] {{.*}}iter_args({{.*}}%[[AHEAD:[a-z0-9]*]] = %[[T0]],
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1_i32
// CHECK: arith.remsi %[[NEXT]], %[[EVERY]]
// CHECK: %[[T:.*]] = scf.if
// CHECK: %[[SUM:.*]] = arith.addi %[[AHEAD]], %[[NEXT]]
// CHECK: arith.divsi %[[SUM]], %[[EVERY]]
// CHECK: scf.yield %[[AHEAD]]
// CHECK: "tile.addptr"(%{{.*}}, %[[T]])
// CHECK: "tile.load"
// CHECK: return
func.func @branch(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32, %every: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<512xf32, #l>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %tile = %c0) -> (tensor<512xf32, #l>, i32) : i32 {
    %k = arith.remsi %i, %every : i32
    %first = arith.cmpi eq, %k, %c0 : i32
    %now = scf.if %first -> (i32) {
      %t = arith.addi %tile, %i : i32
      %d = arith.divsi %t, %every : i32
      scf.yield %d : i32
    } else {
      scf.yield %tile : i32
    }
    %offset = "tile.splat"(%now) : (i32) -> tensor<512xi32, #l>
    %at = "tile.addptr"(%ps, %offset) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
    %x = "tile.load"(%at) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>) -> tensor<512xf32, #l>
    %t = arith.addf %s, %x : tensor<512xf32, #l>
    scf.yield %t, %now : tensor<512xf32, #l>, i32
  } {tile.num_stages = 2 : i32}
  "tile.store"(%ps, %sum#0) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> ()
  return
}
}
