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

// Constants saturate as other integers do: upstream's folding makes infinity, or NaN, of them.
// CHECK-LABEL: func.func private @constant
// CHECK: arith.truncf {{.*}} to_nearest_even : f32 to f8E5M2
// CHECK: arith.truncf {{.*}} to_nearest_even : f32 to f8E4M3FNUZ
func.func private @constant() -> (f8E5M2, f8E4M3FNUZ) {
  %large = arith.constant 70000 : i32
  %x = arith.uitofp %large : i32 to f8E5M2
  %small = arith.constant -1 : i8
  %f = arith.uitofp %small : i8 to f32
  %y = arith.truncf %f : f32 to f8E4M3FNUZ
  return %x, %y : f8E5M2, f8E4M3FNUZ
}

// An infinity that is narrowed again is the largest number: not the bits that it was.
// CHECK-LABEL: func.func private @again
// CHECK-NOT: arith.extf
// CHECK: arith.cmpi eq, {{.*}} : tensor<4xi8>
// CHECK: arith.select
// CHECK: arith.bitcast {{.*}} : tensor<4xi8> to tensor<4xf8E5M2>
func.func private @again(%x: tensor<4xf8E5M2>) -> tensor<4xf8E5M2> {
  %w = arith.extf %x : tensor<4xf8E5M2> to tensor<4xf16>
  %y = arith.truncf %w : tensor<4xf16> to tensor<4xf8E5M2>
  return %y : tensor<4xf8E5M2>
}

// Constant infinities, also those that folding or a short loop makes, are cut before they become e5m2. What is
// loaded, or starts from a number, needs nothing: the conversion itself saturates.
// CHECK-LABEL: func.func private @infinities
// CHECK: %[[LARGEST:.*]] = arith.constant 5.734400e+04 : f8E5M2
// CHECK-NOT: arith.maximumf
// CHECK: %[[C:.*]] = arith.truncf
// CHECK: %[[D:.*]] = arith.truncf
// CHECK: return %[[LARGEST]], %[[LARGEST]], %[[C]], %[[D]]
func.func private @infinities(%x: f32, %n: i32) -> (f8E5M2, f8E5M2, f8E5M2, f8E5M2) {
  %large = arith.constant 6.553500e+04 : f64
  %integer = arith.fptoui %large : f64 to i16
  %half = arith.uitofp %integer : i16 to f16
  %a = arith.truncf %half : f16 to f8E5M2
  %infinite = arith.constant 0x7F800000 : f32
  %zero = arith.constant 0.0 : f32
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %l:2 = scf.for %i = %0 to %n step %1 iter_args(%p = %infinite, %q = %zero) -> (f32, f32) : i32 {
    %s = arith.addf %q, %x : f32
    scf.yield %p, %s : f32, f32
  }
  %b = arith.truncf %l#0 : f32 to f8E5M2
  %c = arith.truncf %l#1 : f32 to f8E5M2
  %d = arith.truncf %x : f32 to f8E5M2
  return %a, %b, %c, %d : f8E5M2, f8E5M2, f8E5M2, f8E5M2
}
