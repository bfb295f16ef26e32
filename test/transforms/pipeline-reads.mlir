// Warps that multiply read their operands into registers first. From there on nobody needs the stage, so the copies of three iterations
// ahead may go where this iteration's were, after a barrier of their own: three stages of 16 KB are four blocks on a multiprocessor, four
// stages three. One number counts both what is read and what is copied into.
// CHECK-LABEL: func.func @read_first
// CHECK: %[[A:.*]] = "tile_gpu.alloc"() {{.*}} : () -> memref<3x64x64xf16
// CHECK: %[[B:.*]] = "tile_gpu.alloc"() {{.*}} : () -> memref<3x64x64xf16
// CHECK: scf.for {{.*}} %[[I:[a-z0-9_]+]] = %c0_i32, %[[G:[a-z0-9_]+]] = %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} = %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} = %{{[a-z0-9_]+}}) ->
// CHECK: "tile_gpu.async_wait"(%[[G]]) {pending = 2 : i32}
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK: %[[TO_A:.*]] = "tile_gpu.index"(%[[A]], %[[I]])
// CHECK: %[[TO_B:.*]] = "tile_gpu.index"(%[[B]], %[[I]])
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1_i32
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[NEXT]], %c3_i32
// CHECK: %[[ROUND:.*]] = arith.select %[[LAST]], %c0_i32, %[[NEXT]]
// CHECK: "tile_gpu.local_load"
// CHECK: "tile_gpu.local_load"
// CHECK: "tile.dot"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.async_copy"(%{{.*}}, %[[TO_A]],
// CHECK-NEXT: "tile_gpu.async_copy"(%{{.*}}, %[[TO_B]],
// CHECK-NEXT: "tile_gpu.async_commit"
// CHECK-NOT: tile_gpu.barrier
// CHECK: scf.yield {{.*}} %[[ROUND]],
// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-optimize-dot-operands --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s

// One stage for one iteration ahead would be no more blocks than two are, as each takes a quarter of the registers: one barrier.
// RUN: sed 's/num_stages = 4/num_stages = 2/' %s | tile-opt --tile-to-tile-gpu --tile-gpu-optimize-dot-operands --tile-gpu-allocate-shared --tile-gpu-insert-barriers | FileCheck %s --check-prefix=APART
// APART: "tile_gpu.alloc"() {{.*}} : () -> memref<2x64x64xf16
// APART: scf.for
// APART: "tile_gpu.async_wait"
// APART-NEXT: "tile_gpu.barrier"
// APART-NOT: tile_gpu.barrier
// APART: scf.yield

// Where shared memory holds but one stage, that is one iteration ahead; its number is always 0.
// RUN: sed 's/64/128/g; s/sm_80/sm_86/' %s | tile-opt --tile-assign-layouts --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-pipeline --tile-cleanup 2>/dev/null | FileCheck %s --check-prefix=SINGLE
// SINGLE: "tile_gpu.alloc"() : () -> memref<1x128x128xf16
// SINGLE: scf.for
// SINGLE: "tile_gpu.async_wait"(%{{.*}}) {pending = 0 : i32}
// SINGLE: "tile_gpu.local_load"
// SINGLE: "tile_gpu.local_load"
// SINGLE: "tile.dot"
// SINGLE-NEXT: "tile_gpu.async_copy"
// SINGLE-NOT: arith.select
// SINGLE: scf.yield

// RUN: tile-opt --tile-assign-layouts --tile-gpu-coalesce --tile-gpu-accelerate-dot --tile-gpu-print-schedule --verify-only %s 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: remark: stage 0, 3 ahead by asynchronous copy: 3 buffers of 8192 bytes; read in stage 3, after a wait that leaves 2 in flight; copied into again after a barrier
module attributes {tile.num_stages = 4 : i32, tile_gpu.target = "sm_80"} {
func.func @read_first(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %width = arith.constant dense<64> : tensor<64x1xi32>
  %block = arith.constant dense<4096> : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %i = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %j = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %row = arith.muli %i, %width : tensor<64x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<64x1xi32>) -> tensor<64x64xi32>
  %columns = "tile.broadcast"(%j) : (tensor<1x64xi32>) -> tensor<64x64xi32>
  %offset = arith.addi %rows, %columns : tensor<64x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %ap = "tile.addptr"(%as, %offset) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
  %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero, %p = %ap) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %q = "tile.addptr"(%p, %block) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %t = "tile.dot"(%x, %y, %s) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t, %q : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
  }
  %cs = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %cp = "tile.addptr"(%cs, %offset) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f32>>
  "tile.store"(%cp, %sum#0) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
}
