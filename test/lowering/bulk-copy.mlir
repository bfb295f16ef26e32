// Copies of whole blocks: one thread starts them, a barrier in shared memory counts their bytes.
// RUN: tile-opt --tile-verify --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s
// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s --check-prefix=THREAD
// RUN: tile-opt --tile-to-emulator %s | FileCheck %s --check-prefix=EMU
// RUN: tile-opt --tile-to-ptx %s | FileCheck %s --check-prefix=PTX

#b = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
#p2 = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
#p3 = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [2, 1, 0]}>

// Making the barrier is shown to all by a barrier of the block; the wait needs none after it, and
// the end of the barrier comes after everyone's wait. The proxy fence goes again where no thread has
// stored anything to shared memory.
// CHECK-LABEL: func.func @block
// CHECK: "tile_gpu.mbarrier_init"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.mbarrier_expect"
// CHECK-NEXT: "tile_gpu.bulk_load"
// CHECK-NEXT: "tile_gpu.mbarrier_wait"
// CHECK-NEXT: "tile_gpu.local_load"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.mbarrier_inval"
// THREAD-LABEL: llvm.func @block
// THREAD-SAME: (%[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %{{.*}}: !llvm.ptr<1>)
// THREAD: "tile_ptx.mbarrier_init"(%{{.*}}, %{{.*}}) {arrivals = 1 : i32}
// THREAD-NEXT: "tile_ptx.fence_mbarrier_init"
// THREAD-NEXT: "tile_ptx.fence_async_shared"
// THREAD: nvvm.barrier
// THREAD: "tile_ptx.mbarrier_expect_tx"(%{{.*}}, %{{.*}}) {bytes = 16384 : i32}
// THREAD: "tile_ptx.cp_async_bulk_tensor"(%{{.*}}, %[[MAP]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr<3>, !llvm.ptr, !llvm.ptr<3>, i1, i32, i32) -> ()
// THREAD: "tile_ptx.mbarrier_wait"
// THREAD: "tile_ptx.mbarrier_inval"
// EMU-LABEL: llvm.func @block
// EMU: llvm.call @tile_emu_mbarrier_init
// EMU: llvm.call @tile_emu_tensor_copy
// EMU: llvm.call @tile_emu_mbarrier_wait
// PTX-LABEL: llvm.func @block
// PTX: "@$1 mbarrier.init.shared::cta.b64 [$0], 1;"
// PTX: "fence.mbarrier_init.release.cluster;"
// PTX-NOT: fence.proxy.async
// PTX: nvvm.barrier
// PTX: "@$1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 16384;"
// PTX: "@$3 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$4, $5}], [$2];"
// PTX: "{ .reg .pred over; again: mbarrier.try_wait.parity.shared::cta.b64 over, [$0], $1; @!over bra again; }"
// PTX: "@$1 mbarrier.inval.shared::cta.b64 [$0];"
func.func @block(%d: !tile.descriptor<tensor<128x64xf16>>, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %k = arith.constant 128 : i32
  %x = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %row = arith.muli %x, %k : i32
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<128x64xf16, #n>
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<1xi64, #b>) -> ()
  "tile_gpu.mbarrier_expect"(%b, %true) {bytes = 16384 : i32} : (memref<1xi64, #b>, i1) -> ()
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %true, %row, %zero) : (!tile.descriptor<tensor<128x64xf16>>, memref<128x64xf16, #n>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
  %w = "tile_gpu.mbarrier_wait"(%b, %zero) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
  %y = "tile_gpu.local_load"(%m, %w) : (memref<128x64xf16, #n>, !tile_gpu.token) -> tensor<128x64xf16>
  "tile_gpu.mbarrier_inval"(%b) : (memref<1xi64, #b>) -> ()
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %j = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %i1 = "tile.expand_dims"(%i) {axis = 1 : i32} : (tensor<128xi32>) -> tensor<128x1xi32>
  %i2 = "tile.broadcast"(%i1) : (tensor<128x1xi32>) -> tensor<128x64xi32>
  %j1 = "tile.expand_dims"(%j) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %j2 = "tile.broadcast"(%j1) : (tensor<1x64xi32>) -> tensor<128x64xi32>
  %c64 = arith.constant dense<64> : tensor<128x64xi32>
  %rows = "tile.splat"(%row) : (i32) -> tensor<128x64xi32>
  %r = arith.addi %i2, %rows : tensor<128x64xi32>
  %ri = arith.muli %r, %c64 : tensor<128x64xi32>
  %o = arith.addi %ri, %j2 : tensor<128x64xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<128x64x!tile.ptr<f16>>
  %op = "tile.addptr"(%os, %o) : (tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tile.ptr<f16>>
  "tile.store"(%op, %y) : (tensor<128x64x!tile.ptr<f16>>, tensor<128x64xf16>) -> ()
  return
}

// Three stages in a loop: the sum of `n` blocks of 64 rows. Stage s is written again after everyone
// has read it, which a barrier of the block before the copy says; it is the only one of the loop, and
// stands after the last wait.
// CHECK-LABEL: func.func @stages
// CHECK: "tile_gpu.mbarrier_init"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: "tile_gpu.barrier"
// CHECK: "tile_gpu.mbarrier_wait"
// CHECK-NEXT: "tile_gpu.local_load"
// CHECK: "tile_gpu.barrier"
// CHECK: "tile_gpu.bulk_load"
// CHECK-NOT: "tile_gpu.barrier"
// CHECK: scf.yield
// CHECK-NOT: "tile_gpu.barrier"
// CHECK: "tile_gpu.mbarrier_inval"
// PTX-LABEL: llvm.func @stages
// PTX-COUNT-3: mbarrier.init
func.func @stages(%d: !tile.descriptor<tensor<64x32xf32>>, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
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

// Rows of more bytes than the swizzle's come in panels, one after the other: four copies.
// THREAD-LABEL: llvm.func @panels
// THREAD-COUNT-4: "tile_ptx.cp_async_bulk_tensor"
// THREAD-NOT: "tile_ptx.cp_async_bulk_tensor"
func.func @panels(%d: !tile.descriptor<tensor<64x256xf16>>, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %x: i32) attributes {tile.kernel} {
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<64x256xf16, #n>
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<1xi64, #b>) -> ()
  "tile_gpu.mbarrier_expect"(%b, %true) {bytes = 32768 : i32} : (memref<1xi64, #b>, i1) -> ()
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %true, %x, %zero) : (!tile.descriptor<tensor<64x256xf16>>, memref<64x256xf16, #n>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
  %w = "tile_gpu.mbarrier_wait"(%b, %zero) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
  %y = "tile_gpu.local_load"(%m, %w) : (memref<64x256xf16, #n>, !tile_gpu.token) -> tensor<64x256xf16>
  %i = "tile.range"() {start = 0 : i32, end = 16384 : i32} : () -> tensor<16384xi32>
  %o = "tile.reshape"(%i) : (tensor<16384xi32>) -> tensor<64x256xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<64x256x!tile.ptr<f16>>
  %op = "tile.addptr"(%os, %o) : (tensor<64x256x!tile.ptr<f16>>, tensor<64x256xi32>) -> tensor<64x256x!tile.ptr<f16>>
  "tile.store"(%op, %y) : (tensor<64x256x!tile.ptr<f16>>, tensor<64x256xf16>) -> ()
  return
}

// One dimension: at most 256 elements a copy.
// THREAD-LABEL: llvm.func @line
// THREAD-COUNT-2: "tile_ptx.cp_async_bulk_tensor"{{.*}} : (!llvm.ptr<3>, !llvm.ptr, !llvm.ptr<3>, i1, i32) -> ()
// THREAD-NOT: "tile_ptx.cp_async_bulk_tensor"
// PTX-LABEL: llvm.func @line
// PTX: cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$4}], [$2];
func.func @line(%d: !tile.descriptor<tensor<512xi8>>, %out: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %x: i32) attributes {tile.kernel} {
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<512xi8, #b>
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<1xi64, #b>) -> ()
  "tile_gpu.mbarrier_expect"(%b, %true) {bytes = 512 : i32} : (memref<1xi64, #b>, i1) -> ()
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %true, %x) : (!tile.descriptor<tensor<512xi8>>, memref<512xi8, #b>, memref<1xi64, #b>, i1, i32) -> !tile_gpu.token
  %w = "tile_gpu.mbarrier_wait"(%b, %zero) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
  %y = "tile_gpu.local_load"(%m, %w) : (memref<512xi8, #b>, !tile_gpu.token) -> tensor<512xi8>
  %o = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<i8>) -> tensor<512x!tile.ptr<i8>>
  %op = "tile.addptr"(%os, %o) : (tensor<512x!tile.ptr<i8>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i8>>
  "tile.store"(%op, %y) : (tensor<512x!tile.ptr<i8>>, tensor<512xi8>) -> ()
  return
}

// Three dimensions, one copy. The offsets stand innermost first in the instruction.
// THREAD-LABEL: llvm.func @cube
// THREAD-SAME: %[[X:[^ ]*]]: i32, %[[Y:[^ ]*]]: i32)
// THREAD: "tile_ptx.cp_async_bulk_tensor"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[Y]], %c0_i32{{.*}}, %[[X]])
// THREAD-NOT: "tile_ptx.cp_async_bulk_tensor"
// PTX-LABEL: llvm.func @cube
// PTX: cp.async.bulk.tensor.3d.shared::cluster
func.func @cube(%d: !tile.descriptor<tensor<4x8x32xf32>>, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %x: i32, %y: i32) attributes {tile.kernel} {
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<4x8x32xf32, #p3>
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<1xi64, #b>) -> ()
  "tile_gpu.mbarrier_expect"(%b, %true) {bytes = 4096 : i32} : (memref<1xi64, #b>, i1) -> ()
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %true, %x, %zero, %y) : (!tile.descriptor<tensor<4x8x32xf32>>, memref<4x8x32xf32, #p3>, memref<1xi64, #b>, i1, i32, i32, i32) -> !tile_gpu.token
  %w = "tile_gpu.mbarrier_wait"(%b, %zero) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
  %v = "tile_gpu.local_load"(%m, %w) : (memref<4x8x32xf32, #p3>, !tile_gpu.token) -> tensor<4x8x32xf32>
  %i = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %o = "tile.reshape"(%i) : (tensor<1024xi32>) -> tensor<4x8x32xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<4x8x32x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %o) : (tensor<4x8x32x!tile.ptr<f32>>, tensor<4x8x32xi32>) -> tensor<4x8x32x!tile.ptr<f32>>
  "tile.store"(%op, %v) : (tensor<4x8x32x!tile.ptr<f32>>, tensor<4x8x32xf32>) -> ()
  return
}

// Outer dimensions have one coordinate for all boxes, after those of the block.
// PTX-LABEL: llvm.func @outer
// PTX-COUNT-2: cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$4, $5, $6, $7}], [$2];
// THREAD-LABEL: llvm.func @outer
// THREAD: "tile_ptx.cp_async_bulk_tensor"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{[^,]*}}, %[[ROW:[^,]*]], %[[H:[^,]*]], %[[Z:[^,]*]]) :
// THREAD: "tile_ptx.cp_async_bulk_tensor"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{[^,]*}}, %[[ROW]], %[[H]], %[[Z]]) :
func.func @outer(%d: !tile.descriptor<tensor<64x128xf16>>, %z: i32, %h: i32, %row: i32) attributes {tile.kernel} {
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<64x128xf16, #n>
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<1xi64, #b>) -> ()
  "tile_gpu.mbarrier_expect"(%b, %true) {bytes = 16384 : i32} : (memref<1xi64, #b>, i1) -> ()
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %true, %z, %h, %row, %zero) : (!tile.descriptor<tensor<64x128xf16>>, memref<64x128xf16, #n>, memref<1xi64, #b>, i1, i32, i32, i32, i32) -> !tile_gpu.token
  %w = "tile_gpu.mbarrier_wait"(%b, %zero) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
  "tile_gpu.mbarrier_inval"(%b) : (memref<1xi64, #b>) -> ()
  return
}
