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

// Bits that may go on to a maximum or minimum, in whatever way, are no constant to upstream: of two constants it would
// give the NaN. Others are; so are numbers.
// CHECK-LABEL: func.func private @bits
// CHECK-DAG: %[[I:.*]] = arith.constant dense<31745> : tensor<4xi16>
// CHECK: %[[X:.*]] = "tile.from_bits"(%[[I]]) : (tensor<4xi16>) -> tensor<4xf16>
// CHECK: arith.maxnumf %[[X]],
// CHECK: "tile.from_bits"({{.*}}) : (i64) -> f64
// CHECK: arith.minnumf
func.func private @bits(%c: i1, %k: f64) -> (tensor<4xf16>, f64, f32) {
  %i = arith.constant dense<0x7C01> : tensor<4xi16>
  %one = arith.constant dense<1.0> : tensor<4xf16>
  %x = arith.bitcast %i : tensor<4xi16> to tensor<4xf16>
  %y = arith.maxnumf %x, %one : tensor<4xf16>
  %l = arith.constant 0x7FF0000000000001 : i64
  %d = arith.bitcast %l : i64 to f64
  %two = arith.constant 2.0 : f64
  %r = scf.if %c -> f64 {
    scf.yield %d : f64
  } else {
    scf.yield %k : f64
  }
  %m = arith.minnumf %r, %two : f64
  %j = arith.constant 0x7F800001 : i32
  %other = arith.bitcast %j : i32 to f32
  return %y, %m, %other : tensor<4xf16>, f64, f32
}

// A constant that is a NaN is given as its bits.
// CHECK-LABEL: func.func private @constant_nan
// CHECK: %[[I:.*]] = arith.constant 32641 : i16
// CHECK: %[[X:.*]] = "tile.from_bits"(%[[I]]) : (i16) -> bf16
// CHECK: arith.maxnumf %[[X]],
func.func private @constant_nan() -> bf16 {
  %x = arith.constant 0x7F81 : bf16
  %one = arith.constant 1.0 : bf16
  %y = arith.maxnumf %x, %one : bf16
  return %y : bf16
}
