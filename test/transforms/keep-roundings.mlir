// RUN: tile-opt --tile-keep-roundings --canonicalize %s | FileCheck %s

// f32 cannot hold each i32, so that both conversions round: bf16 of 16842753 is 16908288, of its f32 16777216.
// CHECK-LABEL: func.func private @two_roundings
// CHECK: %[[F:.*]] = arith.sitofp %arg0 : i32 to f32
// CHECK: arith.truncf %[[F]] to_nearest_even : f32 to bf16
func.func private @two_roundings(%x: i32) -> bf16 {
  %f = arith.sitofp %x : i32 to f32
  %h = arith.truncf %f : f32 to bf16
  return %h : bf16
}

// CHECK-LABEL: func.func private @wide
// CHECK: arith.uitofp %arg0 : tensor<8xi64> to tensor<8xf64>
// CHECK: to_nearest_even : tensor<8xf64> to tensor<8xf32>
func.func private @wide(%x: tensor<8xi64>) -> tensor<8xf32> {
  %f = arith.uitofp %x : tensor<8xi64> to tensor<8xf64>
  %h = arith.truncf %f : tensor<8xf64> to tensor<8xf32>
  return %h : tensor<8xf32>
}

// f32 holds each i16 and the i32 of f64: one conversion is the same.
// CHECK-LABEL: func.func private @one_rounding
// CHECK: arith.sitofp %arg0 : i16 to bf16
// CHECK: arith.uitofp %arg1 : i32 to f32
// CHECK-NOT: arith.truncf
func.func private @one_rounding(%x: i16, %y: i32) -> (bf16, f32) {
  %f = arith.sitofp %x : i16 to f32
  %h = arith.truncf %f : f32 to bf16
  %g = arith.uitofp %y : i32 to f64
  %s = arith.truncf %g : f64 to f32
  return %h, %s : bf16, f32
}

// What control flow, a choice or a change of shape hands on may turn out to be such a conversion: the loop runs once.
// CHECK-LABEL: func.func private @later
// CHECK: arith.truncf {{.*}} to_nearest_even : f32 to bf16
func.func private @later(%x: i32, %y: f32) -> bf16 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 0.0 : bf16
  %f = arith.sitofp %x : i32 to f32
  %r:2 = scf.for %i = %zero to %one step %one iter_args(%a = %f, %b = %start) -> (f32, bf16) {
    %h = arith.truncf %a : f32 to bf16
    scf.yield %y, %h : f32, bf16
  }
  return %r#1 : bf16
}

// Sums and arguments are no conversions.
// CHECK-LABEL: func.func private @others
// CHECK: arith.truncf {{%[^ ]*}} : f32 to f16
// CHECK: arith.truncf {{%[^ ]*}} : f32 to f16
func.func private @others(%x: f32) -> (f16, f16) {
  %s = arith.addf %x, %x : f32
  %a = arith.truncf %s : f32 to f16
  %b = arith.truncf %x : f32 to f16
  return %a, %b : f16, f16
}

// Constants saturate as other integers do: upstream's folding would make infinity, or NaN, of them.
// CHECK-LABEL: func.func private @constant
// CHECK: "tile.to_fp8"({{.*}}) : (f32) -> f8E5M2
// CHECK: "tile.to_fp8"({{.*}}) : (f32) -> f8E4M3FNUZ
// CHECK: "tile.to_fp8"({{.*}}) {roundingmode = 3 : i32} : (f64) -> f8E4M3FNUZ
func.func private @constant() -> (f8E5M2, f8E4M3FNUZ, f8E4M3FNUZ) {
  %large = arith.constant 70000 : i32
  %x = arith.uitofp %large : i32 to f8E5M2
  %small = arith.constant -1 : i8
  %f = arith.uitofp %small : i8 to f32
  %y = arith.truncf %f : f32 to f8E4M3FNUZ
  %infinite = arith.constant 0x7FF0000000000000 : f64
  %z = arith.truncf %infinite toward_zero : f64 to f8E4M3FNUZ
  return %x, %y, %z : f8E5M2, f8E4M3FNUZ, f8E4M3FNUZ
}

// An infinity that is narrowed again is the largest number: not the bits that it was; also where a sum or
// product with a constant is folded in between.
// CHECK-LABEL: func.func private @again
// CHECK: arith.extf
// CHECK: "tile.to_fp8"({{.*}}) : (tensor<4xf16>) -> tensor<4xf8E5M2>
// CHECK: "tile.to_fp8"({{.*}}) : (tensor<4xf32>) -> tensor<4xf8E5M2>
func.func private @again(%x: tensor<4xf8E5M2>) -> (tensor<4xf8E5M2>, tensor<4xf8E5M2>) {
  %w = arith.extf %x : tensor<4xf8E5M2> to tensor<4xf16>
  %y = arith.truncf %w : tensor<4xf16> to tensor<4xf8E5M2>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %v = arith.extf %x : tensor<4xf8E5M2> to tensor<4xf32>
  %p = arith.mulf %v, %one : tensor<4xf32>
  %z = arith.truncf %p : tensor<4xf32> to tensor<4xf8E5M2>
  return %y, %z : tensor<4xf8E5M2>, tensor<4xf8E5M2>
}
