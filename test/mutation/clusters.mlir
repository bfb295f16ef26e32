// The sum of `n` blocks of 64 x 32 numbers, computed by both blocks of a cluster: each copies half of
// a block of numbers, to both. Without each wait, arrival, fence and barrier, with other numbers of
// bytes and arrivals, the emulator finds a hazard.
// RUN: %build/test/mutate %s %moves --known %S/survivors.txt --kernel sum_by_pairs --grid 2 --arg x=fp32[16384]:rand --arg out=fp32[4096]:poison --arg n=i32:7 -v | FileCheck %s
// CHECK-DAG: killed: without tile_ptx.mbarrier_init
// CHECK-DAG: killed: without tile_ptx.fence_mbarrier_init
// CHECK-DAG: killed: without tile_ptx.mbarrier_expect_tx
// CHECK-DAG: killed: more tile_ptx.mbarrier_expect_tx
// CHECK-DAG: killed: fewer tile_ptx.mbarrier_expect_tx
// CHECK-DAG: killed: without tile_ptx.mbarrier_arrive_at {{.*}} deadlock
// CHECK-DAG: killed: without tile_ptx.mbarrier_wait
// CHECK-DAG: killed: other parity tile_ptx.mbarrier_wait
// CHECK-DAG: killed: more tile_ptx.mbarrier_init {{.*}} deadlock
// CHECK-DAG: killed: without tile_ptx.cp_async_bulk_tensor {{.*}} deadlock
// CHECK-DAG: killed: alone tile_ptx.cp_async_bulk_tensor {{.*}} deadlock
// CHECK-DAG: killed: without tile_ptx.cluster_arrive
// CHECK-DAG: killed: without tile_ptx.cluster_wait
// CHECK-DAG: killed: without nvvm.bar.warp.sync
// CHECK: sum_by_pairs$tma: {{[0-9]+}} mutants

// RUN: tile-run %s --kernel sum_by_pairs --grid 4 --arg x=fp32[16384]:arange --arg out=fp32[8192]:poison --arg n=i32:3 --check --print out:4 --seed 3 | FileCheck %s --check-prefix=SUM
// RUN: tile-run %s --kernel sum_by_pairs --grid 4 --arg x=fp32[16384]:arange --arg out=fp32[8192]:poison --arg n=i32:3 --check --tensor-maps off --print out:4 | FileCheck %s --check-prefix=SUM
// SUM: out = 6144 6147 6150 6153
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// PTX: .entry sum_by_pairs$tma(
// PTX: .reqntid 128
// PTX: .explicitcluster
// PTX-NEXT: .reqnctapercluster 2, 1, 1
// PTX: mbarrier.init.shared::cta.b64 {{.*}}, 8;
// PTX: fence.mbarrier_init.release.cluster;
// PTX: barrier.cluster.arrive.release;
// PTX: barrier.cluster.wait.acquire;
// PTX: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster {{.*}}, 3;
// PTX: mapa.shared::cluster.u64 there, {{.*}};
// PTX: mbarrier.arrive.shared::cluster.b64 _, [there];
// PTX: barrier.cluster.arrive.release;
// PTX: barrier.cluster.wait.acquire;
// PTX: .entry sum_by_pairs(
// PTX-NOT: .reqnctapercluster
// PTX: // tile.version {{.*}}symbol=sum_by_pairs$tma

#b = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#p2 = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>

func.func @sum_by_pairs$tma(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32,
    %d: !tile.descriptor<tensor<64x32xf32>> {tile_gpu.tensor_map = {base = 0 : i32, type = f32, sizes = [array<i64: 32>, array<i64: 64, 2>], strides = [array<i64: 128>], box = array<i32: 32, 32>, swizzle = 0 : i32}})
    attributes {tile.kernel, tile_gpu.tensor_maps_of = "sum_by_pairs", tile_gpu.cluster_blocks = 2 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %true = arith.constant true
  %rows = arith.constant 64 : i32
  %sum0 = arith.constant dense<0.0> : tensor<64x32xf32>
  %full = "tile_gpu.alloc"() : () -> memref<2x1xi64, #b>
  %empty = "tile_gpu.alloc"() : () -> memref<2x1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<2x64x32xf32, #p2>
  "tile_gpu.mbarrier_init"(%full) {arrivals = 1 : i32} : (memref<2x1xi64, #b>) -> ()
  "tile_gpu.mbarrier_init"(%empty) {arrivals = 8 : i32} : (memref<2x1xi64, #b>) -> ()
  "tile_gpu.cluster_barrier"() : () -> ()
  %sum:3 = scf.for %i = %zero to %n step %one iter_args(%acc = %sum0, %stage = %zero, %parity = %zero) -> (tensor<64x32xf32>, i32, i32) : i32 {
    %fs = "tile_gpu.index"(%full, %stage) : (memref<2x1xi64, #b>, i32) -> memref<1xi64, #b>
    %es = "tile_gpu.index"(%empty, %stage) : (memref<2x1xi64, #b>, i32) -> memref<1xi64, #b>
    %ms = "tile_gpu.index"(%m, %stage) : (memref<2x64x32xf32, #p2>, i32) -> memref<64x32xf32, #p2>
    %row = arith.muli %i, %rows : i32
    %flipped = arith.xori %parity, %one : i32
    %free = "tile_gpu.mbarrier_wait"(%es, %flipped) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
    "tile_gpu.mbarrier_expect"(%fs, %true) {bytes = 8192 : i32} : (memref<1xi64, #b>, i1) -> ()
    %t = "tile_gpu.bulk_load"(%d, %ms, %fs, %true, %row, %zero) {parts = 2 : i32, multicast} : (!tile.descriptor<tensor<64x32xf32>>, memref<64x32xf32, #p2>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
    %w = "tile_gpu.mbarrier_wait"(%fs, %parity) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
    %y = "tile_gpu.local_load"(%ms, %w) : (memref<64x32xf32, #p2>, !tile_gpu.token) -> tensor<64x32xf32>
    %next = arith.addf %acc, %y : tensor<64x32xf32>
    "tile_gpu.barrier"() {warp} : () -> ()
    "tile_gpu.mbarrier_arrive_at"(%es, %true, %zero) : (memref<1xi64, #b>, i1, i32) -> ()
    "tile_gpu.mbarrier_arrive_at"(%es, %true, %one) : (memref<1xi64, #b>, i1, i32) -> ()
    %s1 = arith.addi %stage, %one : i32
    %wraps = arith.cmpi eq, %s1, %two : i32
    %s2 = arith.select %wraps, %zero, %s1 : i32
    %p2 = arith.select %wraps, %flipped, %parity : i32
    scf.yield %next, %s2, %p2 : tensor<64x32xf32>, i32, i32
  }
  "tile_gpu.cluster_barrier"() : () -> ()
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %size = arith.constant 2048 : i32
  %start = arith.muli %pid, %size : i32
  %ob = "tile.addptr"(%out, %start) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %i = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %o = "tile.reshape"(%i) : (tensor<2048xi32>) -> tensor<64x32xi32>
  %os = "tile.splat"(%ob) : (!tile.ptr<f32>) -> tensor<64x32x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %o) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f32>>
  "tile.store"(%op, %sum#0) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xf32>) -> ()
  return
}

func.func @sum_by_pairs(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 2048 : i32
  %sum0 = arith.constant dense<0.0> : tensor<2048xf32>
  %o = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %sum0) -> (tensor<2048xf32>) : i32 {
    %first = arith.muli %i, %size : i32
    %xb = "tile.addptr"(%x, %first) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
    %xs = "tile.splat"(%xb) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>>
    %xp = "tile.addptr"(%xs, %o) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f32>>
    %y = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f32>>) -> tensor<2048xf32>
    %next = arith.addf %acc, %y : tensor<2048xf32>
    scf.yield %next : tensor<2048xf32>
  }
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %start = arith.muli %pid, %size : i32
  %ob = "tile.addptr"(%out, %start) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %os = "tile.splat"(%ob) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %o) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f32>>
  "tile.store"(%op, %sum) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xf32>) -> ()
  return
}
