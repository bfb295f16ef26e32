// RUN: tile-opt --tile-contract-fma %s | FileCheck %s
// RUN: tile-opt --tile-contract-fma=fma=false %s | FileCheck %s --check-prefix=OFF
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-translate --tile-to-ptx --fmad=off %s | FileCheck %s --check-prefix=PTX-OFF
// RUN: not tile-translate --tile-to-ptx --fmad=maybe %s 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: --fmad is on or off, not 'maybe'

// A product and a sum, whichever side the product is on.
// CHECK-LABEL: func.func private @sum
// CHECK: %[[A:.*]] = math.fma %arg0, %arg1, %arg2
// CHECK: %[[B:.*]] = math.fma %arg0, %arg1, %[[A]]
// CHECK: return %[[B]]
// OFF-LABEL: func.func private @sum
// OFF: arith.mulf
// OFF: arith.addf
func.func private @sum(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  %p = arith.mulf %a, %b : tensor<8xf32>
  %s = arith.addf %p, %c : tensor<8xf32>
  %q = arith.mulf %a, %b : tensor<8xf32>
  %t = arith.addf %s, %q : tensor<8xf32>
  return %t : tensor<8xf32>
}

// Differences negate, which is exact.
// CHECK-LABEL: func.func private @differences
// CHECK: %[[C:.*]] = arith.negf %arg2
// CHECK: math.fma %arg0, %arg1, %[[C]]
// CHECK: %[[A:.*]] = arith.negf %arg0
// CHECK: math.fma %[[A]], %arg1, %arg2
func.func private @differences(%a: f64, %b: f64, %c: f64) -> (f64, f64) {
  %p = arith.mulf %a, %b : f64
  %s = arith.subf %p, %c : f64
  %q = arith.mulf %a, %b : f64
  %t = arith.subf %c, %q : f64
  return %s, %t : f64, f64
}

// A product that is used twice, or stands outside the loop, stays.
// CHECK-LABEL: func.func private @shared
// CHECK-NOT: math.fma
// CHECK: return
func.func private @shared(%a: f32, %b: f32, %c: f32, %n: index) -> (f32, f32, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %p = arith.mulf %a, %b : f32
  %s = arith.addf %p, %c : f32
  %q = arith.mulf %a, %c : f32
  %r = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> f32 {
    %next = arith.addf %sum, %q : f32
    scf.yield %next : f32
  }
  return %p, %s, %r : f32, f32, f32
}

// Of two products one is fused; the other is rounded as before.
// CHECK-LABEL: func.func private @two_products
// CHECK: %[[Q:.*]] = arith.mulf %arg1, %arg1
// CHECK: math.fma %arg0, %arg0, %[[Q]]
func.func private @two_products(%a: f16, %b: f16) -> f16 {
  %p = arith.mulf %a, %a : f16
  %q = arith.mulf %b, %b : f16
  %s = arith.addf %p, %q : f16
  return %s : f16
}

// PTX: fma.rn.f32
// PTX-OFF: mul.rn.f32
// PTX-OFF: add.rn.f32
// PTX-OFF-NOT: fma.rn.f32
func.func @kernel(%p: !tile.ptr<f32>, %b: f32, %c: f32) attributes {tile.kernel} {
  %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %q = arith.mulf %x, %b : f32
  %s = arith.addf %q, %c : f32
  "tile.store"(%p, %s) : (!tile.ptr<f32>, f32) -> ()
  return
}

// A product that only a reduction sums: its lowering fuses. Not one that is used twice, nor a maximum.
// CHECK-LABEL: func.func private @sums_of_products
// CHECK: tile.reduce
// CHECK: tile.fused_products
// CHECK: tile.reduce
// CHECK-NOT: tile.fused_products
// CHECK: return
// OFF-LABEL: func.func private @sums_of_products
// OFF-NOT: tile.fused_products
func.func private @sums_of_products(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (f32, f32, f32, tensor<8xf32>) {
  %p = arith.mulf %x, %y : tensor<8xf32>
  %r = "tile.reduce"(%p) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %b, %a : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8xf32>) -> f32
  %q = arith.mulf %x, %x : tensor<8xf32>
  %s = "tile.reduce"(%q) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8xf32>) -> f32
  %t = arith.mulf %y, %y : tensor<8xf32>
  %m = "tile.reduce"(%t) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8xf32>) -> f32
  return %r, %s, %m, %q : f32, f32, f32, tensor<8xf32>
}
