// The sum of `n` blocks of 64 x 32 numbers, in stages that bulk copies fill: without each wait, arrival, fence and
// barrier of the block, with other numbers of bytes and other parities the emulator finds a hazard.
// RUN: %build/test/mutate %s %moves --known %S/survivors.txt --kernel sum --grid 1 --arg x=fp32[16384]:rand --arg out=fp32[2048]:poison --arg n=i32:7 -v | FileCheck %s
// CHECK-DAG: killed: without tile_ptx.mbarrier_init
// CHECK-DAG: killed: without tile_ptx.fence_mbarrier_init {{.*}} no fence_mbarrier_init
// CHECK-DAG: killed: without tile_ptx.mbarrier_expect_tx {{.*}} deadlock
// CHECK-DAG: killed: more tile_ptx.mbarrier_expect_tx {{.*}} deadlock
// CHECK-DAG: killed: fewer tile_ptx.mbarrier_expect_tx {{.*}} deadlock
// CHECK-DAG: killed: more tile_ptx.mbarrier_init {{.*}} deadlock
// CHECK-DAG: killed: without tile_ptx.cp_async_bulk_tensor {{.*}} deadlock
// CHECK-DAG: killed: without tile_ptx.mbarrier_wait
// CHECK-DAG: killed: other parity tile_ptx.mbarrier_wait
// CHECK-DAG: killed: without nvvm.barrier0
// CHECK: sum$tma: {{[0-9]+}} mutants

// The version that was written by hand is the one that runs, and adds up what the plain one does.
// RUN: tile-run %s --kernel sum --grid 1 --arg x=fp32[16384]:arange --arg out=fp32[2048]:poison --arg n=i32:3 --check --print out:4 | FileCheck %s --check-prefix=SUM
// RUN: tile-run %s --kernel sum --grid 1 --arg x=fp32[16384]:arange --arg out=fp32[2048]:poison --arg n=i32:3 --check --tensor-maps off --print out:4 | FileCheck %s --check-prefix=SUM
// RUN: tile-run %s --kernel sum --grid 1 --arg x=fp32[16384]:arange --arg out=fp32[2048]:poison --arg n=i32:0 --check --print out:4 | FileCheck %s --check-prefix=NONE
// SUM: out = 6144 6147 6150 6153
// NONE: out = 0 0 0 0
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// PTX: .entry sum$tma(
// PTX: .param .align 64 .b8 {{.*}}[128]
// PTX: cvta.param.u64
// PTX: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
// PTX: .entry sum(
// PTX-NOT: cp.async.bulk
// PTX: // tile.version {{.*}}symbol=sum$tma
// PTX: // tile.map base=0 type=f32 sizes=32,64*2 strides=128 box=32,64 swizzle=0 narrow=0 outside=zero

#b = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#p2 = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>

func.func @sum$tma(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32,
    %d: !tile.descriptor<tensor<64x32xf32>> {tile_gpu.tensor_map = {base = 0 : i32, type = f32, sizes = [array<i64: 32>, array<i64: 64, 2>], strides = [array<i64: 128>], box = array<i32: 32, 64>, swizzle = 0 : i32}})
    attributes {tile.kernel, tile_gpu.tensor_maps_of = "sum"} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %rows = arith.constant 64 : i32
  %sum0 = arith.constant dense<0.0> : tensor<64x32xf32>
  %b = "tile_gpu.alloc"() : () -> memref<3x1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<3x64x32xf32, #p2>
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<3x1xi64, #b>) -> ()
  scf.for %s = %zero to %two step %one : i32 {
    %in = arith.cmpi slt, %s, %n : i32
    %row = arith.muli %s, %rows : i32
    %bs = "tile_gpu.index"(%b, %s) : (memref<3x1xi64, #b>, i32) -> memref<1xi64, #b>
    %ms = "tile_gpu.index"(%m, %s) : (memref<3x64x32xf32, #p2>, i32) -> memref<64x32xf32, #p2>
    "tile_gpu.mbarrier_expect"(%bs, %in) {bytes = 8192 : i32} : (memref<1xi64, #b>, i1) -> ()
    %t = "tile_gpu.bulk_load"(%d, %ms, %bs, %in, %row, %zero) : (!tile.descriptor<tensor<64x32xf32>>, memref<64x32xf32, #p2>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
  }
  %sum:3 = scf.for %i = %zero to %n step %one iter_args(%acc = %sum0, %stage = %zero, %parity = %zero) -> (tensor<64x32xf32>, i32, i32) : i32 {
    %bs = "tile_gpu.index"(%b, %stage) : (memref<3x1xi64, #b>, i32) -> memref<1xi64, #b>
    %ms = "tile_gpu.index"(%m, %stage) : (memref<3x64x32xf32, #p2>, i32) -> memref<64x32xf32, #p2>
    %w = "tile_gpu.mbarrier_wait"(%bs, %parity) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
    %y = "tile_gpu.local_load"(%ms, %w) : (memref<64x32xf32, #p2>, !tile_gpu.token) -> tensor<64x32xf32>
    %next = arith.addf %acc, %y : tensor<64x32xf32>
    %ahead = arith.addi %i, %two : i32
    %in = arith.cmpi slt, %ahead, %n : i32
    %row = arith.muli %ahead, %rows : i32
    %free = arith.remsi %ahead, %three : i32
    %bf = "tile_gpu.index"(%b, %free) : (memref<3x1xi64, #b>, i32) -> memref<1xi64, #b>
    %mf = "tile_gpu.index"(%m, %free) : (memref<3x64x32xf32, #p2>, i32) -> memref<64x32xf32, #p2>
    "tile_gpu.mbarrier_expect"(%bf, %in) {bytes = 8192 : i32} : (memref<1xi64, #b>, i1) -> ()
    %t = "tile_gpu.bulk_load"(%d, %mf, %bf, %in, %row, %zero) : (!tile.descriptor<tensor<64x32xf32>>, memref<64x32xf32, #p2>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
    %s1 = arith.addi %stage, %one : i32
    %wraps = arith.cmpi eq, %s1, %three : i32
    %flipped = arith.xori %parity, %one : i32
    %s2 = arith.select %wraps, %zero, %s1 : i32
    %p2 = arith.select %wraps, %flipped, %parity : i32
    scf.yield %next, %s2, %p2 : tensor<64x32xf32>, i32, i32
  }
  "tile_gpu.mbarrier_inval"(%b) : (memref<3x1xi64, #b>) -> ()
  %i = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %o = "tile.reshape"(%i) : (tensor<2048xi32>) -> tensor<64x32xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<64x32x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %o) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f32>>
  "tile.store"(%op, %sum#0) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xf32>) -> ()
  return
}

func.func @sum(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "x"}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
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
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %o) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f32>>
  "tile.store"(%op, %sum) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xf32>) -> ()
  return
}
