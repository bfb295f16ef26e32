// RUN: tile-opt --tile-decompose-scaled %s | FileCheck %s

// A product in block-scaled formats becomes conversions, scales repeated 32 times along k, and a product of bf16.
// CHECK-LABEL: func.func @scaled
// CHECK: arith.extf %arg0 : tensor<16x64xf8E5M2> to tensor<16x64xf32>
// CHECK: "tile.expand_dims"{{.*}} {axis = 2 : i32} : (tensor<16x2xf32>) -> tensor<16x2x1xf32>
// CHECK: "tile.broadcast"{{.*}} -> tensor<16x2x32xf32>
// CHECK: "tile.reshape"{{.*}} -> tensor<16x64xf32>
// CHECK: arith.mulf
// CHECK: [[A:%.*]] = arith.truncf {{.*}} : tensor<16x64xf32> to tensor<16x64xbf16>
// Of the second operand two numbers share a byte along k, its first dimension: joined, moved, reshaped.
// CHECK: "tile.join"{{.*}} -> tensor<32x8x2xf32>
// CHECK: "tile.permute"{{.*}} {order = array<i32: 0, 2, 1>} : (tensor<32x8x2xf32>) -> tensor<32x2x8xf32>
// CHECK: "tile.reshape"{{.*}} : (tensor<32x2x8xf32>) -> tensor<64x8xf32>
// CHECK: "tile.permute"{{.*}} {order = array<i32: 1, 0>} : (tensor<8x64xf32>) -> tensor<64x8xf32>
// CHECK: [[B:%.*]] = arith.truncf
// CHECK: "tile.dot"([[A]], [[B]], %arg2) {precision = "ieee"}
func.func @scaled(%a: tensor<16x64xf8E5M2>, %b: tensor<32x8xi8>, %c: tensor<16x8xf32>, %sa: tensor<16x2xi8>, %sb: tensor<8x2xi8>) -> tensor<16x8xf32> {
  %d = "tile.dot_scaled"(%a, %b, %c, %sa, %sb) {a_format = "e5m2", b_format = "e2m1", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<16x64xf8E5M2>, tensor<32x8xi8>, tensor<16x8xf32>, tensor<16x2xi8>, tensor<8x2xi8>) -> tensor<16x8xf32>
  return %d : tensor<16x8xf32>
}

// Packed along m, no scales, f16 for the other operand: products of f16.
// CHECK-LABEL: func.func @aside
// CHECK: "tile.join"{{.*}} -> tensor<8x64x2xf32>
// CHECK: "tile.permute"{{.*}} -> tensor<8x2x64xf32>
// CHECK: "tile.reshape"{{.*}} -> tensor<16x64xf32>
// CHECK-NOT: arith.mulf {{.*}} : tensor<16x64xf32>
// CHECK: "tile.dot"{{.*}} : (tensor<16x64xf16>, tensor<64x8xf16>, tensor<16x8xf32>)
func.func @aside(%a: tensor<8x64xi8>, %b: tensor<64x8xf16>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %d = "tile.dot_scaled"(%a, %b, %c) {a_format = "e2m1", a_pack_m, b_format = "fp16", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<8x64xi8>, tensor<64x8xf16>, tensor<16x8xf32>) -> tensor<16x8xf32>
  return %d : tensor<16x8xf32>
}
