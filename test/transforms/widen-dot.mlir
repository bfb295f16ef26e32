// RUN: tile-opt --split-input-file --tile-widen-dot %s | FileCheck %s

// sm_80 has no products of fp8: f16 holds all its numbers.
// CHECK-LABEL: func.func private @old
// CHECK: %[[A:.*]] = arith.extf %arg0 : tensor<16x32xf8E4M3FN> to tensor<16x32xf16>
// CHECK: %[[B:.*]] = arith.extf %arg1 : tensor<32x8xf8E5M2> to tensor<32x8xf16>
// CHECK: "tile.dot"(%[[A]], %[[B]], %arg2) {precision = "tf32"}
// CHECK: "tile.dot"({{.*}}) {precision = "tf32"} : (tensor<32x16xi8>
module attributes {tile_gpu.target = "sm_80"} {
  func.func private @old(%a: tensor<16x32xf8E4M3FN>, %b: tensor<32x8xf8E5M2>, %c: tensor<16x8xf32>, %i: tensor<32x16xi8>, %j: tensor<16x32xi8>, %k: tensor<32x32xi32>) -> (tensor<16x8xf32>, tensor<32x32xi32>) {
    %0 = "tile.dot"(%a, %b, %c) {precision = "tf32", max_imprecise = 64 : i32} : (tensor<16x32xf8E4M3FN>, tensor<32x8xf8E5M2>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %1 = "tile.dot"(%i, %j, %k) {precision = "tf32"} : (tensor<32x16xi8>, tensor<16x32xi8>, tensor<32x32xi32>) -> tensor<32x32xi32>
    return %0, %1 : tensor<16x8xf32>, tensor<32x32xi32>
  }
}

// -----

// Where there are such products, an instruction adds up 32 of them; f16 serves those who want fewer.
// CHECK-LABEL: func.func private @new
// CHECK: "tile.dot"(%arg0, %arg0, %arg1) {precision = "tf32"} : (tensor<32x32xf8E5M2>
// CHECK: "tile.dot"(%arg0, %arg0, %arg1) {max_imprecise = 32 : i32, precision = "tf32"} : (tensor<32x32xf8E5M2>
// CHECK: "tile.dot"({{.*}}) {precision = "tf32"} : (tensor<32x32xf16>
module attributes {tile_gpu.target = "sm_90a"} {
  func.func private @new(%a: tensor<32x32xf8E5M2>, %c: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
    %0 = "tile.dot"(%a, %a, %c) {precision = "tf32"} : (tensor<32x32xf8E5M2>, tensor<32x32xf8E5M2>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %1 = "tile.dot"(%a, %a, %c) {precision = "tf32", max_imprecise = 32 : i32} : (tensor<32x32xf8E5M2>, tensor<32x32xf8E5M2>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %2 = "tile.dot"(%a, %a, %c) {precision = "tf32", max_imprecise = 31 : i32} : (tensor<32x32xf8E5M2>, tensor<32x32xf8E5M2>, tensor<32x32xf32>) -> tensor<32x32xf32>
    return %0, %1, %2 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  }
}
