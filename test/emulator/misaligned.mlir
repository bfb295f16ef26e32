// RUN: not tile-run %s --device emulator --grid 1 --arg x=fp32[1024]:ones --arg offset=i32:1 2>&1 | FileCheck %s
// RUN: tile-run %s --device emulator --grid 1 --arg x=fp32[1024]:ones --arg offset=i32:4

// The hint on the pointer is not true for offset 1: 16-byte accesses at a multiple of 4.
// CHECK: misaligned at {{.*}}misaligned.mlir:[[#@LINE+8]]:3
// CHECK-SAME: needs an alignment of 16 bytes
func.func @kernel(%x: !tile.ptr<f32>, %offset: i32) attributes {tile.kernel} {
  %p = "tile.addptr"(%x, %offset) {tile.divisibility = 16 : i32} : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %one = arith.constant dense<1.0> : tensor<512xf32>
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  "tile.store"(%q, %one) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
  return
}
