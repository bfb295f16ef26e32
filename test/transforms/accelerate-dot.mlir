// RUN: tile-opt --tile-to-tile-gpu %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file %t.remarks
// RUN: tile-opt "--pass-pipeline=builtin.module(tile-assign-layouts,tile-gpu-coalesce,tile-gpu-accelerate-dot{version=0})" %s | FileCheck %s --check-prefix=OFF

// OFF-NOT: tile_gpu.mma

module attributes {tile_gpu.target = "sm_80"} {

// Accumulators go round the loop as the instruction has them; operands are converted in it, the result after it; loads
// and stores keep their layouts. Four warps have 32 x 64 each.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} -> (tensor<128x64xf32, [[ACC:#tile_gpu.mma<{instr_shape = \[16, 8\], version = 2 : i64, warps_per_cta = \[4, 1\]}>]]>)
// CHECK: "tile.load"{{.*}} -> tensor<128x32xf16, #tile_gpu.blocked
// CHECK: "tile.load"{{.*}} -> tensor<32x64xf16, #tile_gpu.blocked
// CHECK: convert_layout{{.*}} -> tensor<128x32xf16, #tile_gpu.dot_operand<{index = 0 : i64, k_width = 2 : i64, parent = [[ACC]]}>>
// CHECK: convert_layout{{.*}} -> tensor<32x64xf16, #tile_gpu.dot_operand<{index = 1 : i64, k_width = 2 : i64, parent = [[ACC]]}>>
// CHECK: "tile.dot"
// CHECK-NOT: convert_layout
// CHECK: scf.yield
// CHECK: arith.truncf {{.*}} tensor<128x64xf32, [[ACC]]> to tensor<128x64xf16, [[ACC]]>
// CHECK: convert_layout{{.*}} -> tensor<128x64xf16, #tile_gpu.blocked
// CHECK-NOT: convert_layout
// CHECK: return
func.func @loop(%a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.ptr<f16>, %n: index) attributes {tile.kernel} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %ap = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<128x32x!tile.ptr<f16>>
  %bp = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %cp = "tile.splat"(%c) : (!tile.ptr<f16>) -> tensor<128x64x!tile.ptr<f16>>
  %sum = scf.for %i = %0 to %n step %1 iter_args(%x = %zero) -> tensor<128x64xf32> {
    %al = "tile.load"(%ap) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x32x!tile.ptr<f16>>) -> tensor<128x32xf16>
    %bl = "tile.load"(%bp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x64x!tile.ptr<f16>>) -> tensor<32x64xf16>
    %d = "tile.dot"(%al, %bl, %x) {precision = "tf32"} : (tensor<128x32xf16>, tensor<32x64xf16>, tensor<128x64xf32>) -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %h = arith.truncf %sum : tensor<128x64xf32> to tensor<128x64xf16>
  "tile.store"(%cp, %h) : (tensor<128x64x!tile.ptr<f16>>, tensor<128x64xf16>) -> ()
  return
}

// A product of a product: each warp has whole rows, of both, and what is computed between them is computed where it is.
// CHECK-LABEL: func.func @chain
// CHECK: "tile.dot"{{.*}} -> tensor<64x64xf32, [[ROWS:#tile_gpu.mma<{instr_shape = \[16, 8\], version = 2 : i64, warps_per_cta = \[4, 1\]}>]]>
// CHECK: "tile.reduce"
// CHECK: (tensor<64x64xf32, [[ROWS]]>) -> tensor<64xf32, #tile_gpu.slice<{axis = 1 : i64, parent = [[ROWS]]}>>
// CHECK: arith.mulf {{.*}} : tensor<64x64xf32, [[ROWS]]>
// CHECK: convert_layout{{.*}} : (tensor<64x64xf16, [[ROWS]]>) -> tensor<64x64xf16, #tile_gpu.dot_operand<{index = 0
// CHECK: "tile.dot"{{.*}} -> tensor<64x32xf32, [[ROWS]]>
func.func @chain(%q: !tile.ptr<f16>, %v: !tile.ptr<f16>, %o: !tile.ptr<f32>) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %start = arith.constant dense<0.0> : tensor<64x32xf32>
  %qp = "tile.splat"(%q) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %vp = "tile.splat"(%v) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %op = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x32x!tile.ptr<f32>>
  %ql = "tile.load"(%qp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
  %vl = "tile.load"(%vp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
  %s = "tile.dot"(%ql, %ql, %zero) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = "tile.reduce"(%s) ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.maxnumf %x, %y : f32
    "gpu.yield"(%z) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64x64xf32>) -> tensor<64xf32>
  %m1 = "tile.expand_dims"(%m) {axis = 1 : i32} : (tensor<64xf32>) -> tensor<64x1xf32>
  %mb = "tile.broadcast"(%m1) : (tensor<64x1xf32>) -> tensor<64x64xf32>
  %p = arith.mulf %s, %mb : tensor<64x64xf32>
  %ph = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
  %d = "tile.dot"(%ph, %vl, %start) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x32xf16>, tensor<64x32xf32>) -> tensor<64x32xf32>
  "tile.store"(%op, %d) : (tensor<64x32x!tile.ptr<f32>>, tensor<64x32xf32>) -> ()
  return
}

// What tensor cores have not got is computed as before, and said.
// CHECK-LABEL: func.func @without
// CHECK: "tile.dot"{{.*}} -> tensor<16x16xf32, #tile_gpu.blocked
// CHECK: "tile.dot"{{.*}} -> tensor<16x16xf32, #tile_gpu.blocked
// REMARK: accelerate-dot.mlir:[[#@LINE+8]]:8: remark: tile.dot: computed without tensor cores, by fused multiply-adds: precision = "ieee" asks for products of full f32
// REMARK: accelerate-dot.mlir:[[#@LINE+8]]:8: remark: tile.dot: computed without tensor cores, by fused multiply-adds: K is 4, and an instruction takes 8 of this type
// REMARK-NOT: remark
func.func @without(%p: !tile.ptr<f32>, %f: f32, %h: f16) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %a = "tile.splat"(%f) : (f32) -> tensor<16x16xf32>
  %b = "tile.splat"(%h) : (f16) -> tensor<16x4xf16>
  %c = "tile.splat"(%h) : (f16) -> tensor<4x16xf16>
  %d = "tile.dot"(%a, %a, %zero) {precision = "ieee"} : (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %e = "tile.dot"(%b, %c, %d) {precision = "tf32"} : (tensor<16x4xf16>, tensor<4x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>>
  "tile.store"(%ps, %e) : (tensor<16x16x!tile.ptr<f32>>, tensor<16x16xf32>) -> ()
  return
}
}
