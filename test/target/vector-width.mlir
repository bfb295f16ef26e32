// RUN: tile-translate --tile-to-ptx --target sm_80 %s | FileCheck %s

// 16-byte accesses where pointer and mask are divisible by 16 ...
// CHECK-LABEL: .entry aligned(
// CHECK-COUNT-2: @%p{{[0-9]+}} ld.global.v4.b32
// CHECK-COUNT-2: @%p{{[0-9]+}} st.global.v4.b32
// CHECK: ret;
func.func @aligned(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %l = "tile.splat"(%n) : (i32) -> tensor<1024xi32>
  %m = arith.cmpi slt, %r, %l : tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%q, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %oq = "tile.addptr"(%os, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%oq, %v, %m) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>, tensor<1024xi1>) -> ()
  return
}

// ... none where the mask may end inside a vector ...
// CHECK-LABEL: .entry odd_length(
// CHECK-NOT: .v4
// CHECK-NOT: .v2
// CHECK-COUNT-8: @%p{{[0-9]+}} ld.global.b32
// CHECK-NOT: .v2
// CHECK: ret;
func.func @odd_length(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %l = "tile.splat"(%n) : (i32) -> tensor<1024xi32>
  %m = arith.cmpi slt, %r, %l : tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%q, %m) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi1>) -> tensor<1024xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %oq = "tile.addptr"(%os, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%oq, %v, %m) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>, tensor<1024xi1>) -> ()
  return
}

// ... and none where the pointer's alignment is not known, unmasked as it is.
// CHECK-LABEL: .entry unaligned(
// CHECK-NOT: .v4
// CHECK-NOT: .v2
// CHECK: ld.global.b32
// CHECK-NOT: .v2
// CHECK: ret;
func.func @unaligned(%p: !tile.ptr<f32>, %out: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %oq = "tile.addptr"(%os, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%oq, %v) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// Divisible by 8 bytes only: pairs.
// CHECK-LABEL: .entry half_aligned(
// CHECK-NOT: .v4
// CHECK: ld.global.v2.b32
// CHECK-NOT: .v4
// CHECK: ret;
func.func @half_aligned(%p: !tile.ptr<f32> {tile.divisibility = 8 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 8 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %oq = "tile.addptr"(%os, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%oq, %v) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>) -> ()
  return
}

// f16 takes eight elements in 16 bytes, i8 sixteen, f64 two.
// CHECK-LABEL: .entry halves(
// CHECK: ld.global.v4.b32
// CHECK-LABEL: .entry bytes(
// CHECK: ld.global.v4.b32
// CHECK-LABEL: .entry doubles(
// CHECK: ld.global.v2.b64
func.func @halves(%p: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<1024x!tile.ptr<f16>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f16>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f16>>) -> tensor<1024xf16>
  %os = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<1024x!tile.ptr<f16>>
  %oq = "tile.addptr"(%os, %r) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f16>>
  "tile.store"(%oq, %v) : (tensor<1024x!tile.ptr<f16>>, tensor<1024xf16>) -> ()
  return
}
func.func @bytes(%p: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %out: !tile.ptr<i8> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<i8>) -> tensor<2048x!tile.ptr<i8>>
  %q = "tile.addptr"(%s, %r) : (tensor<2048x!tile.ptr<i8>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i8>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<i8>>) -> tensor<2048xi8>
  %os = "tile.splat"(%out) : (!tile.ptr<i8>) -> tensor<2048x!tile.ptr<i8>>
  %oq = "tile.addptr"(%os, %r) : (tensor<2048x!tile.ptr<i8>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i8>>
  "tile.store"(%oq, %v) : (tensor<2048x!tile.ptr<i8>>, tensor<2048xi8>) -> ()
  return
}
func.func @doubles(%p: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f64> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f64>) -> tensor<256x!tile.ptr<f64>>
  %q = "tile.addptr"(%s, %r) : (tensor<256x!tile.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f64>>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<f64>>) -> tensor<256xf64>
  %os = "tile.splat"(%out) : (!tile.ptr<f64>) -> tensor<256x!tile.ptr<f64>>
  %oq = "tile.addptr"(%os, %r) : (tensor<256x!tile.ptr<f64>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f64>>
  "tile.store"(%oq, %v) : (tensor<256x!tile.ptr<f64>>, tensor<256xf64>) -> ()
  return
}
