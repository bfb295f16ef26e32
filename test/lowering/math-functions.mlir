// RUN: tile-opt --tile-to-tile-gpu --convert-tile-gpu-to-nvvm --split-input-file %s | FileCheck %s

// exp is 2^t with what t's rounding lost as a factor; the clamp keeps the factor finite.
// CHECK-LABEL: llvm.func @exp
// CHECK: arith.maximumf
// CHECK: arith.minimumf
// CHECK: arith.mulf
// CHECK: math.fma
// CHECK: math.fma
// CHECK: tile_ptx.ex2_approx
// CHECK: arith.mulf
func.func @exp(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %w = math.exp %v : f32
  "tile.store"(%p, %w) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// With leave to approximate, and for f16, it is the power alone.
// CHECK-LABEL: llvm.func @exp_fast
// CHECK-NOT: arith.maximumf
// CHECK: arith.mulf
// CHECK-NEXT: tile_ptx.ex2_approx
// CHECK-NOT: math.fma
// CHECK: llvm.return
func.func @exp_fast(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %w = math.exp %v fastmath<afn> : f32
  "tile.store"(%p, %w) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// CHECK-LABEL: llvm.func @exp_half
// CHECK: arith.extf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: tile_ptx.ex2_approx
// CHECK-NEXT: arith.truncf
func.func @exp_half(%p: !tile.ptr<f16>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f16>) -> f16
  %w = math.exp %v : f16
  "tile.store"(%p, %w) : (!tile.ptr<f16>, f16) -> ()
  return
}

// -----

// f64 has no approximate instruction: plain arithmetic only.
// CHECK-LABEL: llvm.func @exp_wide
// CHECK-NOT: tile_ptx.ex2
// CHECK-COUNT-12: math.fma
// CHECK-NOT: tile_ptx.ex2
// CHECK: llvm.return
func.func @exp_wide(%p: !tile.ptr<f64>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f64>) -> f64
  %w = math.exp %v : f64
  "tile.store"(%p, %w) : (!tile.ptr<f64>, f64) -> ()
  return
}

// -----

// Angles beyond 2^17 are reduced under a branch, with the bits of 2/pi from constant memory, which two
// functions of a module share.
// CHECK-COUNT-1: llvm.mlir.global internal constant @tile_two_over_pi
// CHECK-NOT: llvm.mlir.global
// CHECK-LABEL: llvm.func @sin
// CHECK: %[[LARGE:.*]] = arith.cmpf ogt, %{{.*}}, %cst
// CHECK: scf.if %[[LARGE]] -> (f32, i32)
// CHECK: llvm.mlir.addressof @tile_two_over_pi : !llvm.ptr<4>
// CHECK: scf.yield
// CHECK: else
// CHECK-NEXT: scf.yield
func.func @sin(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %w = math.sin %v : f32
  "tile.store"(%p, %w) : (!tile.ptr<f32>, f32) -> ()
  return
}

// CHECK-LABEL: llvm.func @cos
// CHECK: llvm.mlir.addressof @tile_two_over_pi : !llvm.ptr<4>
func.func @cos(%p: !tile.ptr<f64>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f64>) -> f64
  %w = math.cos %v : f64
  "tile.store"(%p, %w) : (!tile.ptr<f64>, f64) -> ()
  return
}

// -----

// A tile divided by one number: with arcp one reciprocal for a thread's elements, then products. The
// reciprocal has no branch: an approximate quotient, made better unless it is 0 or infinite.
// CHECK-LABEL: llvm.func @divide_by_one
// CHECK: %[[R:.*]] = "tile_ptx.div_full"
// CHECK: %[[E:.*]] = math.fma %{{.*}}, %[[R]], %
// CHECK: %[[BETTER:.*]] = math.fma %[[R]], %[[E]], %[[R]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[BETTER]], %[[BETTER]]
// CHECK: arith.select %[[NAN]], %[[R]], %[[BETTER]]
// CHECK-COUNT-4: arith.mulf
// CHECK-NOT: {{divf|div_full|mulf}}
// CHECK: llvm.return
func.func @divide_by_one(%p: !tile.ptr<f32>, %s: f32) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %b = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %a = "tile.addptr"(%b, %i) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %v = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>) -> tensor<512xf32>
  %t = "tile.splat"(%s) : (f32) -> tensor<512xf32>
  %w = arith.divf %v, %t fastmath<arcp> : tensor<512xf32>
  "tile.store"(%a, %w) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
  return
}

// -----

// Division is exact; with arcp it is div.full. No flag goes down to LLVM.
// CHECK-LABEL: llvm.func @divide
// CHECK: arith.divf
// CHECK-NOT: fastmath
// CHECK: tile_ptx.div_full
// CHECK-NOT: fastmath
// CHECK: llvm.return
func.func @divide(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %one = arith.constant 1.0 : f32
  %w = arith.divf %one, %v : f32
  %u = arith.divf %w, %v fastmath<arcp> : f32
  %s = arith.addf %u, %v fastmath<fast> : f32
  "tile.store"(%p, %s) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// One over an approximate root is one instruction where the division is inexact, too.
// CHECK-LABEL: llvm.func @over_root
// CHECK: %[[R:.*]] = "tile_ptx.rsqrt_approx"
// CHECK: %[[S:.*]] = "tile_ptx.sqrt_approx"
// CHECK: arith.divf %{{.*}}, %[[S]] : f32
func.func @over_root(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %one = arith.constant 1.0 : f32
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %s = math.sqrt %v fastmath<afn> : f32
  %r = arith.divf %one, %s fastmath<arcp> : f32
  %t = math.sqrt %r fastmath<afn> : f32
  %u = arith.divf %one, %t : f32
  "tile.store"(%p, %u) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// sqrt is exact; with afn it is sqrt.approx, but not for f64.
// CHECK-LABEL: llvm.func @roots
// CHECK: math.sqrt %{{.*}} : f32
// CHECK: tile_ptx.sqrt_approx
// CHECK: math.sqrt %{{.*}} : f64
func.func @roots(%p: !tile.ptr<f32>, %q: !tile.ptr<f64>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f64>) -> f64
  %w = math.sqrt %v : f32
  %u = math.sqrt %w fastmath<afn> : f32
  %y = math.sqrt %x fastmath<afn> : f64
  "tile.store"(%p, %u) : (!tile.ptr<f32>, f32) -> ()
  "tile.store"(%q, %y) : (!tile.ptr<f64>, f64) -> ()
  return
}

// -----

// A remainder takes as many steps as the exponents are apart.
// CHECK-LABEL: llvm.func @remainder
// CHECK: scf.while
// CHECK: scf.condition
// CHECK: arith.divf
// CHECK: math.trunc
// CHECK: math.fma
func.func @remainder(%p: !tile.ptr<f32>, %y: f32) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %w = arith.remf %v, %y : f32
  "tile.store"(%p, %w) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// The edges of log are those of lg2.approx: one comparison for all of them. The exponent comes down
// as a float.
// CHECK-LABEL: llvm.func @log
// CHECK: arith.andi
// CHECK-NOT: arith.shrsi
// CHECK-COUNT-11: math.fma
// CHECK: %[[EDGE:.*]] = "tile_ptx.lg2_approx"
// CHECK: %[[SIZE:.*]] = math.absf %[[EDGE]]
// CHECK: %[[INSIDE:.*]] = arith.cmpf olt, %[[SIZE]]
// CHECK-NEXT: arith.select %[[INSIDE]], %{{.*}}, %[[EDGE]]
// CHECK-NOT: arith.cmpf
// CHECK: llvm.return
func.func @log(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %w = math.log %v : f32
  "tile.store"(%p, %w) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// What is from 1 on has no edges but infinity and NaN, and is not scaled.
// CHECK-LABEL: llvm.func @softplus
// CHECK: arith.subi
// CHECK-NOT: lg2
// CHECK: %[[INSIDE:.*]] = arith.cmpf olt
// CHECK-NEXT: arith.select %[[INSIDE]]
// CHECK-NOT: arith.cmpf
// CHECK: llvm.return
func.func @softplus(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %one = arith.constant 1.0 : f32
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %u = math.exp %v : f32
  %s = arith.addf %u, %one : f32
  %w = math.log %s : f32
  "tile.store"(%p, %w) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// Rounding is an addition and a truncation, and where an integer is wanted, the conversion truncates.
// CHECK-LABEL: llvm.func @round
// CHECK: %[[X:.*]] = llvm.load
// CHECK: %[[HALF:.*]] = math.copysign %{{.*}}, %[[X]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[HALF]]
// CHECK-NOT: arith.cmpf
// CHECK: "tile_ptx.f32_to_s32"(%[[SUM]])
func.func @round(%p: !tile.ptr<f32>, %q: !tile.ptr<i32>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %w = math.round %v : f32
  %i = arith.fptosi %w : f32 to i32
  "tile.store"(%q, %i) : (!tile.ptr<i32>, i32) -> ()
  return
}
