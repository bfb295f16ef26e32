// RUN: tile-opt --tile-to-tile-gpu %s | FileCheck %s
// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s --check-prefix=LOW
// RUN: sed 's/tile_gpu.target = "sm_90a"/&, tile.maxnreg = 64 : i32/' %s | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=FEW
// With 64 registers a thread (maxnreg), of which 64 would be sums, no wgmma; 16 leave enough for it.
// FEW-LABEL: func.func @loop
// FEW-NOT: warpgroup_dot
// FEW: "tile.dot"
// FEW-LABEL: func.func @chain
// FEW: warpgroup_dot
// RUN: tile-opt --tile-to-tile-gpu=num-warps=8 %s | FileCheck %s --check-prefix=SHARED
// 64 rows for two warp groups: each has half of the columns of both products, and takes what they have computed from shared memory.
// SHARED-LABEL: func.func @chain
// SHARED: "tile_gpu.warpgroup_dot"{{.*}} -> tensor<64x64xf32, #tile_gpu.mma<{instr_shape = [64, 32], version = 3 : i64, warps_per_cta = [4, 2]}>>
// SHARED: [[P:%.*]] = arith.truncf
// SHARED: [[B:%.*]] = "tile_gpu.alloc"([[P]]){{.*}} -> memref<64x64xf16, #tile_gpu.nvmma
// SHARED: "tile_gpu.warpgroup_dot"([[B]],{{.*}} -> tensor<64x32xf32, #tile_gpu.mma<{instr_shape = [64, 16], version = 3 : i64, warps_per_cta = [4, 2]}>>

// On sm_90a: operands in shared memory, as the tensor cores read them, k contiguous or not; accumulators of whole fragments
// for the group of four warps; the wait at once.
module attributes {tile_gpu.target = "sm_90a"} {
// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} -> (tensor<128x64xf32, [[ACC:#tile_gpu.mma<{instr_shape = \[64, 64\], version = 3 : i64, warps_per_cta = \[4, 1\]}>]]>)
// CHECK: [[A:%.*]] = "tile_gpu.alloc"{{.*}} -> memref<128x32xf16, #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 64 : i64, transposed = false}>>
// CHECK: [[B:%.*]] = "tile_gpu.alloc"{{.*}} -> memref<32x64xf16, #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 128 : i64, transposed = false}>>
// CHECK: [[D:%.*]] = "tile_gpu.warpgroup_dot"([[A]], [[B]], %{{.*}})
// CHECK: [[W:%.*]] = "tile_gpu.warpgroup_dot_wait"([[D]]) {{{.*}}pending = 0 : i32
// CHECK: scf.yield [[W]] : tensor<128x64xf32, [[ACC]]>
//
// Two fragments of 64 rows, two steps of k. Stores, the fence between proxies, a barrier, products, one wait for all 64
// accumulators; the next iteration stores after another barrier.
// LOW-LABEL: llvm.func @loop
// LOW: llvm.store
// LOW: "tile_ptx.fence_async_shared"
// LOW: nvvm.barrier0
// LOW-NOT: llvm.store
// LOW: "tile_ptx.wgmma_fence"
// LOW-COUNT-4: "tile_ptx.wgmma"({{.*}} {a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 32, 1, 1, 1>, shape = array<i32: 64, 64, 16>, transpose_a = false, transpose_b = true}
// LOW-NOT: "tile_ptx.wgmma"(
// LOW: "tile_ptx.wgmma_commit"
// LOW: "tile_ptx.wgmma_wait"{{.*}}operandSegmentSizes = array<i32: 64, 0>
func.func @loop(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %n: i32) attributes {tile.kernel} {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %ap = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<128x32x!tile.ptr<f16>>
  %bp = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %cp = "tile.splat"(%c) : (!tile.ptr<f16>) -> tensor<128x64x!tile.ptr<f16>>
  %sum = scf.for %i = %0 to %n step %1 iter_args(%x = %zero) -> tensor<128x64xf32> : i32 {
    %al = "tile.load"(%ap) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x32x!tile.ptr<f16>>) -> tensor<128x32xf16>
    %bl = "tile.load"(%bp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%al, %bl, %x) {precision = "tf32"} : (tensor<128x32xf16>, tensor<32x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %sum : tensor<128x64xf32> to tensor<128x64xf16>
  "tile.store"(%cp, %h) : (tensor<128x64x!tile.ptr<f16>>, tensor<128x64xf16>) -> ()
  return
}

// What is computed from a product is the next one's first operand in registers, without moving. The first product starts
// from zero by itself: scale_d is false once. Elements of one byte have k contiguous.
// CHECK-LABEL: func.func @chain
// CHECK: "tile_gpu.warpgroup_dot"
// CHECK: [[S:%.*]] = "tile_gpu.warpgroup_dot_wait"
// CHECK: [[P:%.*]] = arith.truncf [[S]]
// CHECK: [[R:%.*]] = "tile_gpu.convert_layout"([[P]]){{.*}} -> tensor<64x64xf16, #tile_gpu.dot_operand<{index = 0
// CHECK: "tile_gpu.warpgroup_dot"([[R]],
// LOW-LABEL: llvm.func @chain
// LOW: "tile_ptx.wgmma"({{.*}}, %false) {
// LOW-COUNT-3: "tile_ptx.wgmma"({{.*}}, %true) {
// LOW-NOT: nvvm.shfl
// LOW-COUNT-4: "tile_ptx.wgmma"({{.*}}, %true) {{{.*}}operandSegmentSizes = array<i32: 16, 4, 1, 1>
// LOW: llvm.return
func.func @chain(%q: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>, %start: f32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %starts = "tile.splat"(%start) : (f32) -> tensor<64x32xf32>
  %qp = "tile.splat"(%q) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %vp = "tile.splat"(%v) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %op = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x32x!tile.ptr<f32>>
  %ql = "tile.load"(%qp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
  %vl = "tile.load"(%vp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
  %s = "tile.dot"(%ql, %ql, %zero) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %ph = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  %d = "tile.dot"(%ph, %vl, %starts) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>) -> tensor<64x32xf32>
  "tile.store"(%op, %d) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xf32>) -> ()
  return
}

// Bytes are read with k contiguous only. Too few rows for a warp group, three products: mma.sync. Sums of f16 are wgmma's, too.
// CHECK-LABEL: func.func @others
// CHECK: "tile_gpu.alloc"{{.*}} -> memref<64x64xi8, #tile_gpu.nvmma<{element_bits = 8 : i64, swizzle = 64 : i64, transposed = false}>>
// CHECK: "tile_gpu.alloc"{{.*}} -> memref<64x64xi8, #tile_gpu.nvmma<{element_bits = 8 : i64, swizzle = 64 : i64, transposed = true}>>
// CHECK: "tile_gpu.warpgroup_dot"
// CHECK: "tile.dot"{{.*}} -> tensor<32x64xf32, #tile_gpu.mma<{instr_shape = [16, 8]
// CHECK: "tile_gpu.warpgroup_dot"{{.*}} -> tensor<64x64xf16, #tile_gpu.mma<{instr_shape = [64, 64]
// CHECK: "tile.dot"{{.*}} -> tensor<64x64xf32, #tile_gpu.mma<{instr_shape = [16, 8]
func.func @others(%p: !tile.ptr<i32>, %x: i8, %h: f16, %f: f32, %fo: !tile.ptr<f32>, %ho: !tile.ptr<f16>) attributes {tile.kernel} {
  %zero = arith.constant dense<0> : tensor<64x64xi32>
  %a = "tile.splat"(%x) : (i8) -> tensor<64x64xi8>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<64x64x!tile.ptr<i32>>
  %d = "tile.dot"(%a, %a, %zero) {precision = "tf32"} : (tensor<64x64xi8>, tensor<64x64xi8>, tensor<64x64xi32>) -> tensor<64x64xi32>
  "tile.store"(%ps, %d) : (tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>) -> ()
  %few = "tile.splat"(%h) : (f16) -> tensor<32x64xf16>
  %many = "tile.splat"(%h) : (f16) -> tensor<64x64xf16>
  %fewer = arith.constant dense<0.0> : tensor<32x64xf32>
  %e = "tile.dot"(%few, %many, %fewer) {precision = "tf32"} : (tensor<32x64xf16>, tensor<64x64xf16>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %es = "tile.splat"(%fo) : (!tile.ptr<f32>) -> tensor<32x64x!tile.ptr<f32>>
  "tile.store"(%es, %e) : (tensor<32x64x!tile.ptr<f32>>, tensor<32x64xf32>) -> ()
  %half = arith.constant dense<0.0> : tensor<64x64xf16>
  %g = "tile.dot"(%many, %many, %half) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %gs = "tile.splat"(%ho) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  "tile.store"(%gs, %g) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xf16>) -> ()
  %single = "tile.splat"(%f) : (f32) -> tensor<64x64xf32>
  %i = "tile.dot"(%single, %single, %single) {precision = "tf32x3"} : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %is = "tile.splat"(%fo) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  "tile.store"(%is, %i) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}

// Products of one block that read a tile in the same order share its buffer. Sums that do not fit into registers are not for
// warp groups.
// CHECK-LABEL: func.func @shared
// CHECK: [[A:%.*]] = "tile_gpu.alloc"{{.*}} -> memref<64x32xf16
// CHECK: [[B:%.*]] = "tile_gpu.alloc"{{.*}} -> memref<32x64xf16
// CHECK: "tile_gpu.warpgroup_dot"([[A]], [[B]],
// CHECK-NOT: "tile_gpu.alloc"
// CHECK: "tile_gpu.warpgroup_dot"([[A]], [[B]],
// CHECK: "tile.dot"{{.*}} -> tensor<64x512xf32, #tile_gpu.mma<{instr_shape = [16, 8]
func.func @shared(%p: !tile.ptr<f16>, %q: !tile.ptr<f16>, %o: !tile.ptr<f32>, %w: f16) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %qs = "tile.splat"(%q) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %os = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %a = "tile.load"(%ps) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
  %b = "tile.load"(%qs) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
  %d = "tile.dot"(%a, %b, %zero) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %e = "tile.dot"(%a, %b, %one) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  "tile.store"(%os, %d) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  "tile.store"(%os, %e) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  %many = arith.constant dense<0.0> : tensor<64x512xf32>
  %wide = "tile.splat"(%w) : (f16) -> tensor<32x512xf16>
  %f = "tile.dot"(%a, %wide, %many) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x512xf16>, tensor<64x512xf32>) -> tensor<64x512xf32>
  %fs = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x512x!tile.ptr<f32>>
  "tile.store"(%fs, %f) : (tensor<64x512x!tile.ptr<f32>>, tensor<64x512xf32>) -> ()
  return
}
}
