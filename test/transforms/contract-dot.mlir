// RUN: tile-opt --tile-contract-dot --tile-cleanup %s | FileCheck %s

// A product from zero that is added to something starts from that, whichever side it is on, and stands where the sum was.
// CHECK-LABEL: func.func private @sum
// CHECK-NOT: arith.addf
// CHECK: %[[M:.*]] = arith.mulf %arg2, %arg2
// CHECK: %[[D:.*]] = "tile.dot"(%arg0, %arg1, %[[M]])
// CHECK: %[[E:.*]] = "tile.dot"(%arg0, %arg1, %[[D]])
// CHECK: return %[[E]]
func.func private @sum(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = "tile.dot"(%a, %b, %zero) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = arith.mulf %c, %c : tensor<16x16xf32>
  %s = arith.addf %m, %d : tensor<16x16xf32>
  %z = arith.constant 0.0 : f32
  %zs = "tile.splat"(%z) : (f32) -> tensor<16x16xf32>
  %e = "tile.dot"(%a, %b, %zs) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %t = arith.addf %e, %s : tensor<16x16xf32>
  return %t : tensor<16x16xf32>
}

// Not where it starts from something, or is used twice, or in a loop that the sum is not in.
// CHECK-LABEL: func.func private @apart
// CHECK-COUNT-3: arith.addf
func.func private @apart(%a: tensor<16x16xf16>, %c: tensor<16x16xf32>, %one: tensor<16x16xf32>, %n: index) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %d = "tile.dot"(%a, %a, %one) {precision = "tf32"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = arith.addf %d, %c : tensor<16x16xf32>
  %e = "tile.dot"(%a, %a, %zero) {precision = "ieee"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %t = arith.addf %e, %c : tensor<16x16xf32>
  %f = "tile.dot"(%a, %a, %zero) {precision = "tf32x3"} : (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %l = scf.for %i = %0 to %n step %1 iter_args(%x = %c) -> tensor<16x16xf32> {
    %u = arith.addf %x, %f : tensor<16x16xf32>
    scf.yield %u : tensor<16x16xf32>
  }
  return %s, %t, %e, %l : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

// Not of fp8, whose sums tensor cores keep coarser than f32: what the kernel adds is added in f32.
// CHECK-LABEL: func.func private @coarse
// CHECK: %[[D:.*]] = "tile.dot"(%arg0, %arg0, %{{.*}})
// CHECK: arith.addf %[[D]], %arg1
func.func private @coarse(%a: tensor<32x32xf8E5M2>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = "tile.dot"(%a, %a, %zero) {precision = "tf32"} : (tensor<32x32xf8E5M2>, tensor<32x32xf8E5M2>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %s = arith.addf %d, %c : tensor<32x32xf32>
  return %s : tensor<32x32xf32>
}

// A sum of integers wraps, and so does the product that takes its place.
// CHECK-LABEL: func.func private @wraps
// CHECK: "tile.dot"(%arg0, %arg0, %arg1) {precision = "ieee", wraps}
// CHECK-NOT: arith.addi
func.func private @wraps(%a: tensor<32x32xi8>, %c: tensor<32x32xi32>) -> tensor<32x32xi32> {
  %zero = arith.constant dense<0> : tensor<32x32xi32>
  %d = "tile.dot"(%a, %a, %zero) {precision = "ieee"} : (tensor<32x32xi8>, tensor<32x32xi8>, tensor<32x32xi32>) -> tensor<32x32xi32>
  %s = arith.addi %d, %c : tensor<32x32xi32>
  return %s : tensor<32x32xi32>
}
