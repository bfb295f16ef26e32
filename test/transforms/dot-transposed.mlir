// RUN: tile-opt --split-input-file --tile-to-tile-gpu %s | FileCheck %s

// A transposed operand goes into its buffer as it was loaded, and the buffer is seen transposed: so the load becomes an asynchronous
// copy into it, and the product stays in flight.
// CHECK-LABEL: func.func @groups
// CHECK: "tile_gpu.alloc"()
// CHECK: [[B:%.*]] = "tile_gpu.alloc"() : () -> memref<{{[0-9]+}}x64x32xf16, #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 64 : i64, transposed = false}>>
// CHECK: scf.for
// CHECK: "tile_gpu.index"([[B]], %{{.*}})
// CHECK: [[STAGE:%.*]] = "tile_gpu.index"([[B]], %{{.*}})
// CHECK-NEXT: [[TURNED:%.*]] = "tile_gpu.transpose"([[STAGE]]) {order = array<i32: 1, 0>} : {{.*}} -> memref<32x64xf16, #tile_gpu.nvmma<{element_bits = 16 : i64, swizzle = 64 : i64, transposed = true}>>
// CHECK: "tile_gpu.warpgroup_dot"(%{{.*}}, [[TURNED]],
// CHECK: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 1 : i32
module attributes {tile_gpu.target = "sm_90a", tile.num_stages = 3 : i32} {
func.func @groups(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %step = arith.constant dense<32> : tensor<64x32xi32>
  %r = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %cs = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %ap = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %bp = "tile.addptr"(%bs, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %sum:3 = scf.for %i = %0 to %n step %1 iter_args(%s = %zero, %p = %ap, %q = %bp) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<64x32x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %t = "tile.permute"(%y) {order = array<i32: 1, 0>} : (tensor<64x32xf16>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %t, %s) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %u = "tile.addptr"(%p, %step) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %v = "tile.addptr"(%q, %step) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    scf.yield %d, %u, %v : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<64x32x!tile.ptr<f16>>
  } {tile.loop_unroll_factor = 1 : i32}
  "tile.store"(%cs, %sum#0) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
}

// -----

// The operands of warps are loaded from the buffer, seen transposed, as the instruction wants them.
// CHECK-LABEL: func.func @warps
// CHECK: "tile_gpu.alloc"()
// CHECK: [[B:%.*]] = "tile_gpu.alloc"()
// CHECK: scf.for
// CHECK: "tile_gpu.index"([[B]], %{{.*}})
// CHECK: [[STAGE:%.*]] = "tile_gpu.index"([[B]], %{{.*}})
// CHECK-NEXT: [[TURNED:%.*]] = "tile_gpu.transpose"([[STAGE]]) {order = array<i32: 1, 0>} : {{.*}} -> memref<32x64xf16, #tile_gpu.swizzled<{{.*}}order = [0, 1]
// CHECK: "tile_gpu.local_load"([[TURNED]], %{{.*}}) : {{.*}} -> tensor<32x64xf16, #tile_gpu.dot_operand<{index = 1
// CHECK-NOT: tile.permute
// CHECK: "tile.dot"
module attributes {tile_gpu.target = "sm_80", tile.num_stages = 3 : i32} {
func.func @warps(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %step = arith.constant dense<32> : tensor<64x32xi32>
  %r = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %row = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %rows = "tile.broadcast"(%row) : (tensor<1x32xi32>) -> tensor<64x32xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<64x32x!tile.ptr<f16>>
  %cs = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %ap = "tile.addptr"(%as, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %bp = "tile.addptr"(%bs, %rows) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
  %sum:3 = scf.for %i = %0 to %n step %1 iter_args(%s = %zero, %p = %ap, %q = %bp) -> (tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<64x32x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x32x!tile.ptr<f16>>) -> tensor<64x32xf16>
    %t = "tile.permute"(%y) {order = array<i32: 1, 0>} : (tensor<64x32xf16>) -> tensor<32x64xf16>
    %d = "tile.dot"(%x, %t, %s) {precision = "tf32"} : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %u = "tile.addptr"(%p, %step) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    %v = "tile.addptr"(%q, %step) : (tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tile.ptr<f16>>
    scf.yield %d, %u, %v : tensor<64x64xf32>, tensor<64x32x!tile.ptr<f16>>, tensor<64x32x!tile.ptr<f16>>
  } {tile.loop_unroll_factor = 1 : i32}
  "tile.store"(%cs, %sum#0) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
}
