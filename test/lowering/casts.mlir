// RUN: tile-opt --tile-to-tile-gpu --convert-tile-gpu-to-nvvm --split-input-file %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx --split-input-file %s | FileCheck %s --check-prefix=PTX

// A float becomes an integer in one instruction, which saturates. Narrow integers are clamped, and where the
// device makes 2^63 of NaN, 0 stands instead.
// CHECK-LABEL: llvm.func @to_integers
// CHECK: "tile_ptx.f32_to_s32"
// CHECK: arith.minsi %{{.*}}, %c127_i32
// CHECK: arith.maxsi %{{.*}}, %c-128_i32
// CHECK: arith.trunci
// CHECK: "tile_ptx.f32_to_u64"
// CHECK: arith.cmpf uno
// CHECK: arith.select
// PTX: cvt.rzi.s32.f32
// PTX: cvt.rzi.u64.f32
func.func @to_integers(%x: f32, %p: !tile.ptr<i8>, %q: !tile.ptr<i64>) attributes {tile.kernel} {
  %b = arith.fptosi %x : f32 to i8
  %w = arith.fptoui %x : f32 to i64
  "tile.store"(%p, %b) : (!tile.ptr<i8>, i8) -> ()
  "tile.store"(%q, %w) : (!tile.ptr<i64>, i64) -> ()
  return
}

// -----

// fp8 is held as its byte. To f32, without an instruction for it: its bits at a float's place times a
// power of two.
// CHECK-LABEL: llvm.func @from_fp8
// CHECK: llvm.load %{{.*}} -> i8
// CHECK: arith.shli
// CHECK: arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.mulf
func.func @from_fp8(%p: !tile.ptr<f8E4M3FNUZ>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f8E4M3FNUZ>) -> f8E4M3FNUZ
  %y = arith.extf %x : f8E4M3FNUZ to f32
  "tile.store"(%q, %y) : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// A constant of fp8, its copy as bits, and a choice: no arithmetic, so no conversion.
// CHECK-LABEL: llvm.func @fp8_bits
// CHECK-NOT: arith.extf
// CHECK: arith.select %{{.*}}, %{{.*}} : i8
// CHECK: llvm.return
func.func @fp8_bits(%p: !tile.ptr<i8>, %c: i1, %x: f32) attributes {tile.kernel} {
  %one = arith.constant 1.0 : f8E5M2
  %x8 = arith.truncf %x : f32 to f8E5M2
  %y = arith.select %c, %one, %x8 : f8E5M2
  %b = arith.bitcast %y : f8E5M2 to i8
  "tile.store"(%p, %b) : (!tile.ptr<i8>, i8) -> ()
  return
}

// -----

// Toward zero: the nearest number, or the one before it where that is too large.
// CHECK-LABEL: llvm.func @toward_zero
// CHECK: %[[NEAR:.*]] = arith.truncf %{{.*}} : f32 to f16
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAR]] : f16 to f32
// CHECK: arith.cmpf ogt
// CHECK: arith.subi
// CHECK: arith.select
func.func @toward_zero(%x: f32, %p: !tile.ptr<f16>) attributes {tile.kernel} {
  %y = arith.truncf %x toward_zero : f32 to f16
  "tile.store"(%p, %y) : (!tile.ptr<f16>, f16) -> ()
  return
}

// -----

// An integer becomes f16 through f32, where it is exact or beyond f16: no bound, and not the one
// instruction, which is a slow one.
// CHECK-LABEL: llvm.func @integer_to_half
// CHECK-NOT: arith.minsi
// CHECK: arith.sitofp %{{.*}} : i32 to f32
// CHECK: llvm.call_intrinsic "llvm.convert.to.fp16.f32"
// PTX-LABEL: .entry integer_to_half
// PTX: cvt.rn.f32.s32
// PTX: cvt.rn.f16.f32
func.func @integer_to_half(%x: i32, %p: !tile.ptr<f16>) attributes {tile.kernel} {
  %y = arith.sitofp %x : i32 to f16
  "tile.store"(%p, %y) : (!tile.ptr<f16>, f16) -> ()
  return
}

// -----

// To bytes two at a time: one instruction clamps and packs.
// CHECK-LABEL: llvm.func @bytes
// CHECK: %[[A:.*]] = "tile_ptx.f32_to_s32"
// CHECK: %[[B:.*]] = "tile_ptx.f32_to_s32"
// CHECK-NOT: arith.minsi
// CHECK: "tile_ptx.pack_s8"(%[[A]], %[[B]]) : (i32, i32) -> i16
// CHECK: "tile_ptx.pack_u8"
func.func @bytes(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<i8> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>>
  %a = "tile.addptr"(%s, %r) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f32>>
  %t = "tile.splat"(%q) : (!tile.ptr<i8>) -> tensor<256x!tile.ptr<i8>>
  %b = "tile.addptr"(%t, %r) : (tensor<256x!tile.ptr<i8>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i8>>
  %v = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<f32>>) -> tensor<256xf32>
  %i = arith.fptosi %v : tensor<256xf32> to tensor<256xi8>
  %u = arith.fptoui %v : tensor<256xf32> to tensor<256xi8>
  %w = arith.addi %i, %u : tensor<256xi8>
  "tile.store"(%b, %w) : (tensor<256x!tile.ptr<i8>>, tensor<256xi8>) -> ()
  return
}
