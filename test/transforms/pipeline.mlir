// Loads of later iterations start while one computes. What lies beyond the end is masked off.
// RUN: tile-opt --tile-gpu-pipeline --tile-cleanup %s | FileCheck %s
// RUN: tile-opt --tile-gpu-pipeline --tile-cleanup --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s --check-prefix=BARRIER

#l = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>

module attributes {tile_gpu.num_warps = 4 : i32} {

// A small tile is loaded into registers one iteration ahead and carried. The pointer is advanced one iteration
// ahead, too, and its old self is not advanced any more. Below %[[END]] are the iterations that another one follows; if the first
// has none after it, no iteration has: then the end is where the loop starts, and nothing overflows.
// CHECK-LABEL: func.func @registers
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[LB:.*]], %[[UB:.*]] : i32
// CHECK: %[[P1:.*]] = "tile.addptr"(%[[P:[0-9]+]], %cst_0)
// CHECK: %[[ALL:.*]] = "tile.splat"(%[[RUNS]])
// CHECK: %[[FIRST:.*]] = "tile.load"(%[[P]], %[[ALL]]) {operandSegmentSizes = array<i32: 1, 1, 0>}
// CHECK: %[[ALL_STEPS:.*]] = arith.subi %[[UB]], %[[LB]]
// CHECK: %[[ANY:.*]] = arith.cmpi ugt, %[[ALL_STEPS]], %[[STEP:.*]] : i32
// CHECK: %[[LESS:.*]] = arith.subi %[[UB]], %[[STEP]]
// CHECK: %[[END:.*]] = arith.select %[[ANY]], %[[LESS]], %[[LB]]
// CHECK: scf.for %[[IV:.*]] = %[[LB]] to %[[UB]] step %[[STEP]] iter_args(%{{.*}} = %{{.*}}, %[[OLD:.*]] = %[[P]], %[[AHEAD:.*]] = %[[P1]], %[[X:.*]] = %[[FIRST]])
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[IV]], %[[END]]
// CHECK: %[[MASK:.*]] = "tile.splat"(%[[MORE]])
// CHECK: %[[NEXT:.*]] = "tile.load"(%[[AHEAD]], %[[MASK]])
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %[[X]]
// CHECK: scf.yield %[[S]], %[[OLD]], %{{.*}}, %[[NEXT]]
func.func @registers(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %lb: i32, %ub: i32, %step: i32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<512xf32, #l>
  %block = arith.constant dense<512> : tensor<512xi32, #l>
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32, #l>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %q = "tile.addptr"(%ps, %r) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
  %sum:2 = scf.for %i = %lb to %ub step %step iter_args(%s = %zero, %at = %q) -> (tensor<512xf32, #l>, tensor<512x!tile.ptr<f32>, #l>) : i32 {
    %x = "tile.load"(%at) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>) -> tensor<512xf32, #l>
    %t = arith.addf %s, %x : tensor<512xf32, #l>
    %next = "tile.addptr"(%at, %block) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
    scf.yield %t, %next : tensor<512xf32, #l>, tensor<512x!tile.ptr<f32>, #l>
  } {tile.num_stages = 2 : i32}
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>, #l>
  %o = "tile.addptr"(%os, %r) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xi32, #l>) -> tensor<512x!tile.ptr<f32>, #l>
  "tile.store"(%o, %sum#0) : (tensor<512x!tile.ptr<f32>, #l>, tensor<512xf32, #l>) -> ()
  return
}

// A large tile goes through shared memory: two copies before the loop, a third in it, three stages. The
// wait leaves the copy of the next iteration in flight; the load names the wait. `other` is selected after
// the load, since a copy fills with zeros. After the loop no copy is in flight.
// CHECK-LABEL: func.func @copies
// CHECK: %[[M:.*]] = "tile_gpu.alloc"() : () -> memref<3x8192xf32, #tile_gpu.swizzled
// CHECK: %[[STAGE0:.*]] = "tile_gpu.index"(%[[M]], %c0_i32)
// CHECK: %[[T0:.*]] = "tile_gpu.async_copy"(%{{.*}}, %[[STAGE0]], %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>}
// CHECK: %[[G0:.*]] = "tile_gpu.async_commit"(%[[T0]])
// CHECK: %[[STAGE1:.*]] = "tile_gpu.index"(%[[M]], %c1_i32)
// CHECK: %[[T1:.*]] = "tile_gpu.async_copy"(%{{.*}}, %[[STAGE1]], %{{.*}})
// CHECK: %[[G1:.*]] = "tile_gpu.async_commit"(%[[T1]])
// CHECK: %[[LOOP:.*]]:4 = scf.for {{.*}} iter_args(%[[I:.*]] = %c0_i32, %[[J:.*]] = %c2_i32, %[[G:.*]] = %[[G0]], %[[H:.*]] = %[[G1]])
// CHECK: %[[W:.*]] = "tile_gpu.async_wait"(%[[G]]) {pending = 1 : i32}
// CHECK: %[[TO:.*]] = "tile_gpu.index"(%[[M]], %[[J]])
// CHECK: %[[T:.*]] = "tile_gpu.async_copy"(%{{.*}}, %[[TO]], %{{.*}})
// CHECK: %[[NEW:.*]] = "tile_gpu.async_commit"(%[[T]])
// CHECK: %[[FROM:.*]] = "tile_gpu.index"(%[[M]], %[[I]])
// CHECK: %[[X:.*]] = "tile_gpu.local_load"(%[[FROM]], %[[W]])
// CHECK: arith.select %{{.*}}, %[[X]], %{{.*}}
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[H]], %[[NEW]]
// CHECK: "tile_gpu.async_wait"(%[[LOOP]]#3) {pending = 0 : i32}

// One barrier an iteration: what it lets be overwritten is what everyone has read in the iteration before.
// BARRIER-LABEL: func.func @copies
// BARRIER: scf.for
// BARRIER: "tile_gpu.async_wait"
// BARRIER-NEXT: "tile_gpu.barrier"
// BARRIER-NOT: "tile_gpu.barrier"
// BARRIER: "tile_gpu.async_wait"
// BARRIER-NEXT: "tile_gpu.barrier"
func.func @copies(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32>, %width: i32 {tile.divisibility = 16 : i32}, %stride: i32 {tile.divisibility = 16 : i32}, %lb: i32, %ub: i32, %step: i32) attributes {tile.kernel} {
  %one = arith.constant dense<1.0> : tensor<8192xf32, #l>
  %r = "tile.range"() {start = 0 : i32, end = 8192 : i32} : () -> tensor<8192xi32, #l>
  %ws = "tile.splat"(%width) : (i32) -> tensor<8192xi32, #l>
  %inside = arith.cmpi slt, %r, %ws : tensor<8192xi32, #l>
  scf.for %i = %lb to %ub step %step : i32 {
    %row = arith.muli %i, %stride : i32
    %q = "tile.addptr"(%p, %row) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<8192x!tile.ptr<f32>, #l>
    %at = "tile.addptr"(%qs, %r) : (tensor<8192x!tile.ptr<f32>, #l>, tensor<8192xi32, #l>) -> tensor<8192x!tile.ptr<f32>, #l>
    %x = "tile.load"(%at, %inside, %one) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<8192x!tile.ptr<f32>, #l>, tensor<8192xi1, #l>, tensor<8192xf32, #l>) -> tensor<8192xf32, #l>
    %s = "tile.addptr"(%out, %row) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %ss = "tile.splat"(%s) : (!tile.ptr<f32>) -> tensor<8192x!tile.ptr<f32>, #l>
    %to = "tile.addptr"(%ss, %r) : (tensor<8192x!tile.ptr<f32>, #l>, tensor<8192xi32, #l>) -> tensor<8192x!tile.ptr<f32>, #l>
    "tile.store"(%to, %x) : (tensor<8192x!tile.ptr<f32>, #l>, tensor<8192xf32, #l>) -> ()
  } {tile.num_stages = 3 : i32}
  return
}
}
