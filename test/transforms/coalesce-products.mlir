// RUN: tile-opt --tile-assign-layouts --tile-gpu-coalesce %s | FileCheck %s

// One number of a row and one of a column, expanded once, serve two tiles of one shape that are contiguous along different
// dimensions. In a kernel with products each tile gets copies of its own, and so an order of its own.
// CHECK-LABEL: func.func @shared_numbers
// CHECK: "tile.load"{{.*}} -> tensor<64x64xf16, #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 8]
// CHECK: "tile.load"{{.*}} -> tensor<64x64xf16, #tile_gpu.blocked<{order = [0, 1], size_per_thread = [8, 1]
func.func @shared_numbers(%v: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %k: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %ld: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %row = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %column = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %rows = "tile.broadcast"(%row) : (tensor<64x1xi32>) -> tensor<64x64xi32>
  %columns = "tile.broadcast"(%column) : (tensor<1x64xi32>) -> tensor<64x64xi32>
  %lds = "tile.splat"(%ld) : (i32) -> tensor<64x64xi32>
  %rl = arith.muli %rows, %lds : tensor<64x64xi32>
  %cl = arith.muli %columns, %lds : tensor<64x64xi32>
  %vo = arith.addi %rl, %columns : tensor<64x64xi32>
  %ko = arith.addi %rows, %cl : tensor<64x64xi32>
  %vs = "tile.splat"(%v) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %ks = "tile.splat"(%k) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %vp = "tile.addptr"(%vs, %vo) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
  %kp = "tile.addptr"(%ks, %ko) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
  %vl = "tile.load"(%vp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
  %kl = "tile.load"(%kp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = "tile.dot"(%vl, %kl, %zero) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %os = "tile.splat"(%o) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %vo) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f32>>
  "tile.store"(%op, %d) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
