// RUN: tile-opt --tile-to-tile-gpu %s | FileCheck %s

// Layouts for operations whose operands and results differ in shape. Every tensor has one of its rank,
// and tile-verify, which runs after the passes, is content with all of them.

// Operands of one reduction share a layout, and so do its results, which have its slice.
// CHECK-LABEL: func.func @across
// CHECK: "tile.reduce"
// CHECK: (tensor<16x8xf32, [[MATRIX:#tile_gpu.blocked<{[^}]*}>]]>, tensor<16x8xi32, [[MATRIX]]>) -> (tensor<8xf32, [[ROW:#tile_gpu.slice<{[^}]*}>}>]]>, tensor<8xi32, [[ROW]]>)
// CHECK: "tile.scan"
// CHECK: (tensor<16x8xf32, [[MATRIX]]>) -> tensor<16x8xf32, [[MATRIX]]>
func.func @across(%out: !tile.ptr<f32>, %at: !tile.ptr<i32>, %p: !tile.ptr<i32>) attributes {tile.kernel} {
  %row = "tile.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
  %column = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %c1 = "tile.expand_dims"(%column) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
  %r1 = "tile.expand_dims"(%row) {axis = 0 : i32} : (tensor<8xi32>) -> tensor<1x8xi32>
  %c = "tile.broadcast"(%c1) : (tensor<16x1xi32>) -> tensor<16x8xi32>
  %r = "tile.broadcast"(%r1) : (tensor<1x8xi32>) -> tensor<16x8xi32>
  %i = arith.addi %c, %r : tensor<16x8xi32>
  %x = arith.sitofp %i : tensor<16x8xi32> to tensor<16x8xf32>
  %max, %where = "tile.reduce"(%x, %c) ({
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %greater = arith.cmpf ogt, %a, %b : f32
    %d = arith.select %greater, %a, %b : f32
    %di = arith.select %greater, %ai, %bi : i32
    "gpu.yield"(%d, %di) : (f32, i32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<16x8xf32>, tensor<16x8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %scan = "tile.scan"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 1 : i32, reverse = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %sorted = "tile.sort"(%scan) {axis = 0 : i32, descending = true} : (tensor<16x8xf32>) -> tensor<4x8xf32>
  %flat = "tile.reshape"(%where) : (tensor<8xi32>) -> tensor<4x2xi32>
  %h = "tile.histogram"(%where) : (tensor<8xi32>) -> tensor<8xi32>
  %h2 = arith.addi %h, %where : tensor<8xi32>
  "tile.print"(%flat, %sorted, %h2) {prefix = "", hex = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<4x2xi32>, tensor<4x8xf32>, tensor<8xi32>) -> ()
  %ps = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<8x!tile.ptr<f32>>
  %pr = "tile.addptr"(%ps, %row) : (tensor<8x!tile.ptr<f32>>, tensor<8xi32>) -> tensor<8x!tile.ptr<f32>>
  "tile.store"(%pr, %max) : (tensor<8x!tile.ptr<f32>>, tensor<8xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @shapes
// CHECK: "tile.join"
// CHECK-SAME: -> tensor<8x2xf32, #
// CHECK: "tile.permute"
// CHECK-SAME: -> tensor<2x8xf32, #
// CHECK: "tile.split"
// CHECK-SAME: -> (tensor<8xf32, [[HALF:#tile_gpu.slice<{axis = 1 : i64, parent = #tile_gpu.linear<{[^}]*}>}>]]>, tensor<8xf32, [[HALF]]>)
// The index of a gather and its result are held alike.
// CHECK: "tile.gather"
// CHECK-SAME: tensor<4xi32, [[INDEX:#tile_gpu.[a-z]+<{[^}]*}>]]>) -> tensor<4xf32, [[INDEX]]>
func.func @shapes(%p: !tile.ptr<f32>, %out: !tile.ptr<f32>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
  %x = arith.sitofp %range : tensor<8xi32> to tensor<8xf32>
  %j = "tile.join"(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8x2xf32>
  %t = "tile.permute"(%j) {order = array<i32: 1, 0>} : (tensor<8x2xf32>) -> tensor<2x8xf32>
  %f = "tile.reshape"(%t) : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %a, %b = "tile.split"(%f) : (tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %s = arith.addf %a, %b : tensor<8xf32>
  %four = "tile.range"() {start = 0 : i32, end = 4 : i32} : () -> tensor<4xi32>
  %g = "tile.gather"(%s, %four) {axis = 0 : i32} : (tensor<8xf32>, tensor<4xi32>) -> tensor<4xf32>
  %ps = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<4x!tile.ptr<f32>>
  %po = "tile.addptr"(%ps, %four) : (tensor<4x!tile.ptr<f32>>, tensor<4xi32>) -> tensor<4x!tile.ptr<f32>>
  "tile.store"(%po, %g) : (tensor<4x!tile.ptr<f32>>, tensor<4xf32>) -> ()
  return
}

// The accumulator and the result of a product are one group; a and b have layouts of their own.
// CHECK-LABEL: func.func @product
// CHECK: "tile.dot"
// CHECK-SAME: tensor<16x16xf32, [[SUM:#tile_gpu.mma<{[^}]*}>]]>) -> tensor<16x16xf32, [[SUM]]>
func.func @product(%p: !tile.ptr<f32>, %u: f16) attributes {tile.kernel} {
  %a = "tile.splat"(%u) : (f16) -> tensor<16x32xf16>
  %b = "tile.splat"(%u) : (f16) -> tensor<32x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = "tile.dot"(%a, %b, %zero) {precision = "tf32"} : (tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>>
  "tile.store"(%ps, %d) : (tensor<16x16x!tile.ptr<f32>>, tensor<16x16xf32>) -> ()
  return
}

// Operations element by element have one layout throughout, those with two results too.
// CHECK-LABEL: func.func @elementwise
// CHECK: arith.mului_extended %{{.*}}, %{{.*}} : tensor<64xi32, [[ALL:#tile_gpu.blocked<{[^}]*}>]]>
// CHECK: "tile.inline_asm"
// CHECK-SAME: (tensor<64xi32, [[ALL]]>) -> tensor<64xi32, [[ALL]]>
// CHECK: "tile.atomic_rmw"
// CHECK-SAME: (tensor<64x!tile.ptr<i32>, [[ALL]]>, tensor<64xi32, [[ALL]]>) -> tensor<64xi32, [[ALL]]>
// CHECK: "tile.atomic_cas"
// CHECK: "tile.assert"
func.func @elementwise(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %low, %high = arith.mului_extended %i, %i : tensor<64xi32>
  %x = "tile.inline_asm"(%high) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xi32>) -> tensor<64xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %pi = "tile.addptr"(%ps, %low) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<i32>>
  %old = "tile.atomic_rmw"(%pi, %x) {kind = "add"} : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64xi32>
  %new = "tile.atomic_cas"(%pi, %old, %x) {} : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
  %c = arith.cmpi eq, %new, %x : tensor<64xi32>
  "tile.assert"(%c) {message = "", file = "", function = "", line = 1 : i32} : (tensor<64xi1>) -> ()
  return
}

// A value of an operation with two results is made again in another layout with both, and the second is
// taken where it was the second.
// CHECK-LABEL: func.func @again
// CHECK: %{{.*}}, %[[ROW:.*]] = arith.mului_extended {{.*}} tensor<64xi32, #tile_gpu.slice<{axis = 0
// CHECK: %{{.*}}, %[[COLUMN:.*]] = arith.mului_extended {{.*}} tensor<64xi32, #tile_gpu.slice<{axis = 1
// CHECK: "tile.expand_dims"(%[[ROW]]) {axis = 0
// CHECK: "tile.expand_dims"(%[[COLUMN]]) {axis = 1
func.func @again(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %low, %high = arith.mului_extended %i, %i : tensor<64xi32>
  %r = "tile.expand_dims"(%high) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %c = "tile.expand_dims"(%high) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %rb = "tile.broadcast"(%r) : (tensor<1x64xi32>) -> tensor<64x64xi32>
  %cb = "tile.broadcast"(%c) : (tensor<64x1xi32>) -> tensor<64x64xi32>
  %o = arith.addi %rb, %cb : tensor<64x64xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<64x64x!tile.ptr<i32>>
  %po = "tile.addptr"(%ps, %o) : (tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<i32>>
  "tile.store"(%po, %o) : (tensor<64x64x!tile.ptr<i32>>, tensor<64x64xi32>) -> ()
  return
}
