// RUN: tile-opt --tile-assign-layouts --tile-gpu-coalesce %s | FileCheck %s

// An atomic operation of which an instruction changes several elements has a vote like a store, for as
// many: eight halves, or four f32.
// CHECK-LABEL: func.func @halves
// CHECK: "tile.atomic_rmw"{{.*}}size_per_thread = [8], threads_per_warp = [32]
func.func @halves(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %v: f16) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<2048x!tile.ptr<f16>>
  %q = "tile.addptr"(%s, %r) : (tensor<2048x!tile.ptr<f16>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f16>>
  %vs = "tile.splat"(%v) : (f16) -> tensor<2048xf16>
  %old = "tile.atomic_rmw"(%q, %vs) {kind = "add"} : (tensor<2048x!tile.ptr<f16>>, tensor<2048xf16>) -> tensor<2048xf16>
  return
}

// Integers are changed one by one, however they lie: the load decides.
// CHECK-LABEL: func.func @integers
// CHECK: "tile.atomic_rmw"{{.*}}size_per_thread = [4], threads_per_warp = [32]
func.func @integers(%p: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %x: !tile.ptr<i32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<2048x!tile.ptr<i32>>
  %xq = "tile.addptr"(%xs, %r) : (tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i32>>
  %v = "tile.load"(%xq) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<i32>>) -> tensor<2048xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<2048x!tile.ptr<i32>>
  %q = "tile.addptr"(%s, %r) : (tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i32>>
  %old = "tile.atomic_rmw"(%q, %v) {kind = "add"} : (tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>) -> tensor<2048xi32>
  return
}

// Along columns, if that is how the addresses go.
// CHECK-LABEL: func.func @columns
// CHECK: "tile.atomic_rmw"{{.*}}order = [0, 1], size_per_thread = [4, 1]
func.func @columns(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %v: f32) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %c = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %rs = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %cs = "tile.expand_dims"(%c) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %n = arith.constant dense<64> : tensor<1x64xi32>
  %far = arith.muli %cs, %n : tensor<1x64xi32>
  %rb = "tile.broadcast"(%rs) : (tensor<64x1xi32>) -> tensor<64x64xi32>
  %cb = "tile.broadcast"(%far) : (tensor<1x64xi32>) -> tensor<64x64xi32>
  %o = arith.addi %rb, %cb : tensor<64x64xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %o) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f32>>
  %vs = "tile.splat"(%v) : (f32) -> tensor<64x64xf32>
  %old = "tile.atomic_rmw"(%q, %vs) {kind = "add"} : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return
}
