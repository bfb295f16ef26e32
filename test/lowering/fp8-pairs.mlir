// RUN: tile-translate --tile-to-ptx --target sm_89 --split-input-file %s | FileCheck %s --check-prefixes=PTX,PAIRS
// RUN: tile-translate --tile-to-ptx --target sm_90a --split-input-file %s | FileCheck %s --check-prefixes=PTX,PAIRS
// RUN: tile-translate --tile-to-ptx --target sm_86 --split-input-file %s | FileCheck %s --check-prefixes=PTX,NONE

// fp8 is converted two at a time where the target has instructions for it (casts.c).

// Sixteen f32 are eight conversions, whose halves of words are stored as they are.
// PTX-LABEL: .entry to_e4m3
// PAIRS-COUNT-8: cvt.rn.satfinite.e4m3x2.f32
// PAIRS-NOT: prmt
// PAIRS-NOT: cvt
// NONE-NOT: e4m3x2
// PAIRS: st.global.v2.b16
// PTX: ret;
func.func @to_e4m3(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>>
  %pp = "tile.addptr"(%ps, %i) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f32>>
  %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f32>>) -> tensor<2048xf32>
  %y = arith.truncf %x : tensor<2048xf32> to tensor<2048xf8E4M3FN>
  %qs = "tile.splat"(%q) : (!tile.ptr<f8E4M3FN>) -> tensor<2048x!tile.ptr<f8E4M3FN>>
  %qp = "tile.addptr"(%qs, %i) : (tensor<2048x!tile.ptr<f8E4M3FN>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f8E4M3FN>>
  "tile.store"(%qp, %y) : (tensor<2048x!tile.ptr<f8E4M3FN>>, tensor<2048xf8E4M3FN>) -> ()
  return
}

// -----

// f16 without the way through f32.
// PTX-LABEL: .entry halves_to_e5m2
// PAIRS-COUNT-4: cvt.rn.satfinite.e5m2x2.f16x2
// PAIRS-NOT: cvt
// NONE-NOT: e5m2x2
// PTX: ret;
func.func @halves_to_e5m2(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f8E5M2> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<1024x!tile.ptr<f16>>
  %pp = "tile.addptr"(%ps, %i) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f16>>
  %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f16>>) -> tensor<1024xf16>
  %y = arith.truncf %x : tensor<1024xf16> to tensor<1024xf8E5M2>
  %qs = "tile.splat"(%q) : (!tile.ptr<f8E5M2>) -> tensor<1024x!tile.ptr<f8E5M2>>
  %qp = "tile.addptr"(%qs, %i) : (tensor<1024x!tile.ptr<f8E5M2>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f8E5M2>>
  "tile.store"(%qp, %y) : (tensor<1024x!tile.ptr<f8E5M2>>, tensor<1024xf8E5M2>) -> ()
  return
}

// -----

// Back: to f16 with nothing else.
// PTX-LABEL: .entry to_halves
// PAIRS-COUNT-4: cvt.rn.f16x2.e4m3x2
// PAIRS-NOT: cvt
// NONE-NOT: e4m3x2
// PTX: st.global.v4
func.func @to_halves(%p: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f8E4M3FN>) -> tensor<1024x!tile.ptr<f8E4M3FN>>
  %pp = "tile.addptr"(%ps, %i) : (tensor<1024x!tile.ptr<f8E4M3FN>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f8E4M3FN>>
  %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f8E4M3FN>>) -> tensor<1024xf8E4M3FN>
  %y = arith.extf %x : tensor<1024xf8E4M3FN> to tensor<1024xf16>
  %qs = "tile.splat"(%q) : (!tile.ptr<f16>) -> tensor<1024x!tile.ptr<f16>>
  %qp = "tile.addptr"(%qs, %i) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f16>>
  "tile.store"(%qp, %y) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xf16>) -> ()
  return
}

// -----

// Of a row that is repeated, each pair is converted once.
// PTX-LABEL: .entry row
// PAIRS-COUNT-4: cvt.rn.f16x2.e4m3x2
// PAIRS-NOT: e4m3x2
// PTX: ret;
func.func @row(%p: !tile.ptr<f8E4M3FN> {tile.divisibility = 16 : i32}, %q: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f8E4M3FN>) -> tensor<64x!tile.ptr<f8E4M3FN>>
  %pp = "tile.addptr"(%ps, %i) : (tensor<64x!tile.ptr<f8E4M3FN>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f8E4M3FN>>
  %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x!tile.ptr<f8E4M3FN>>) -> tensor<64xf8E4M3FN>
  %row = "tile.expand_dims"(%x) {axis = 0 : i32} : (tensor<64xf8E4M3FN>) -> tensor<1x64xf8E4M3FN>
  %rows = "tile.broadcast"(%row) : (tensor<1x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>
  %y = arith.extf %rows : tensor<32x64xf8E4M3FN> to tensor<32x64xf16>
  %r = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %rc = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %n = arith.constant dense<64> : tensor<32x1xi32>
  %far = arith.muli %rc, %n : tensor<32x1xi32>
  %fars = "tile.broadcast"(%far) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %c = "tile.expand_dims"(%i) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %cs = "tile.broadcast"(%c) : (tensor<1x64xi32>) -> tensor<32x64xi32>
  %o = arith.addi %fars, %cs : tensor<32x64xi32>
  %qs = "tile.splat"(%q) : (!tile.ptr<f16>) -> tensor<32x64x!tile.ptr<f16>>
  %qp = "tile.addptr"(%qs, %o) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f16>>
  "tile.store"(%qp, %y) : (tensor<32x64x!tile.ptr<f16>>, tensor<32x64xf16>) -> ()
  return
}

// -----

// A scalar is half of a pair.
// PTX-LABEL: .entry scalar
// PAIRS: cvt.rn.f16x2.e5m2x2
// PAIRS: cvt.rn.satfinite.e4m3x2.f32
// NONE-NOT: m2x2
// NONE-NOT: m3x2
// PTX: ret;
func.func @scalar(%p: !tile.ptr<f8E5M2>, %q: !tile.ptr<f8E4M3FN>) attributes {tile.kernel} {
  %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f8E5M2>) -> f8E5M2
  %y = arith.extf %x : f8E5M2 to f32
  %z = arith.truncf %y : f32 to f8E4M3FN
  "tile.store"(%q, %z) : (!tile.ptr<f8E4M3FN>, f8E4M3FN) -> ()
  return
}

// -----

// There are none toward zero, and none for the FNUZ types.
// PTX-LABEL: .entry by_integers
// PTX-NOT: m3x2
// PTX-NOT: m2x2
// PTX: ret;
func.func @by_integers(%x: f32, %p: !tile.ptr<f8E4M3FN>, %q: !tile.ptr<f8E4M3FNUZ>) attributes {tile.kernel} {
  %y = arith.truncf %x toward_zero : f32 to f8E4M3FN
  %z = arith.truncf %x : f32 to f8E4M3FNUZ
  "tile.store"(%p, %y) : (!tile.ptr<f8E4M3FN>, f8E4M3FN) -> ()
  "tile.store"(%q, %z) : (!tile.ptr<f8E4M3FNUZ>, f8E4M3FNUZ) -> ()
  return
}
