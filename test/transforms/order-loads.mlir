// RUN: tile-opt --tile-gpu-order %s | FileCheck %s
// RUN: sed -e 's/1024/16384/g' -e 's/warps_per_cta = \[4\]/warps_per_cta = [16]/' -e 's/num_warps = 4/num_warps = 16/' %s | tile-opt --tile-gpu-order - | FileCheck %s --check-prefix=WIDE
// RUN: sed -e 's/1024/65536/g' -e 's/warps_per_cta = \[4\]/warps_per_cta = [16]/' -e 's/num_warps = 4/num_warps = 16/' %s | tile-opt --tile-gpu-order - | FileCheck %s --check-prefix=WIDE

// Loads before reductions (lib/transforms/order.c).

#b = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {

// The weights are loaded before the row is summed, with their addresses; a store of a scalar does not matter.
// With 16 warps of 32 elements a thread there are no registers to spare: two blocks would not fit any more;
// nor with 128, where one does not fit.
// WIDE-LABEL: func.func @weights
// WIDE: tile.load
// WIDE-NOT: tile.load
// WIDE: tile.reduce
// WIDE: tile.load
// CHECK-LABEL: func.func @weights
// CHECK: tile.load
// CHECK: tile.addptr
// CHECK: tile.load
// CHECK: tile.reduce
// CHECK: tile.store
// CHECK: arith.mulf
func.func @weights(%x: !tile.ptr<f32>, %w: !tile.ptr<f32>, %mean: !tile.ptr<f32>, %out: !tile.ptr<f32>)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %r = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  "tile.store"(%mean, %r) : (!tile.ptr<f32>, f32) -> ()
  %wps = "tile.splat"(%w) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %wp = "tile.addptr"(%wps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %b = "tile.load"(%wp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %rs = "tile.splat"(%r) : (f32) -> tensor<1024xf32, #b>
  %y = arith.mulf %b, %rs : tensor<1024xf32, #b>
  %ops = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %op = "tile.addptr"(%ops, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  "tile.store"(%op, %y) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xf32, #b>) -> ()
  return
}

// A store of the same shape may be to what is loaded: nothing passes it. The second sum is after it, and is passed;
// as an ordered one it does not join the first.
// CHECK-LABEL: func.func @store_between
// CHECK: tile.reduce
// CHECK: tile.store
// CHECK: tile.load
// CHECK: tile.reduce
func.func @store_between(%x: !tile.ptr<f32>, %w: !tile.ptr<f32>, %mean: !tile.ptr<f32>, %out: !tile.ptr<f32>)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %r = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %ops = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %op = "tile.addptr"(%ops, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  "tile.store"(%op, %a) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xf32, #b>) -> ()
  %q = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {ordered, axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %wps = "tile.splat"(%w) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %wp = "tile.addptr"(%wps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %b = "tile.load"(%wp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %rs = "tile.splat"(%r) : (f32) -> tensor<1024xf32, #b>
  %y = arith.mulf %b, %rs : tensor<1024xf32, #b>
  %z = arith.addf %y, %b : tensor<1024xf32, #b>
  "tile.store"(%op, %z) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xf32, #b>) -> ()
  "tile.store"(%mean, %q) : (!tile.ptr<f32>, f32) -> ()
  return
}

// Nor a barrier, nor where the address is what was reduced; nor does a volatile load move.
// CHECK-LABEL: func.func @kept
// CHECK: tile.reduce
// CHECK: tile.load
// CHECK: tile.barrier
// CHECK: tile.load
// CHECK: tile.reduce
// CHECK: tile.load
func.func @kept(%x: !tile.ptr<f32>, %w: !tile.ptr<f32>, %mean: !tile.ptr<f32>, %out: !tile.ptr<f32>)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %r = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %i = arith.fptosi %r : f32 to i32
  %wi = "tile.addptr"(%w, %i) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %wps = "tile.splat"(%wi) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %wp = "tile.addptr"(%wps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %b = "tile.load"(%wp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  "tile.barrier"() : () -> ()
  %c = "tile.load"(%wp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %q = "tile.reduce"(%c) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %d = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %rs = "tile.splat"(%r) : (f32) -> tensor<1024xf32, #b>
  %y = arith.mulf %b, %rs : tensor<1024xf32, #b>
  %z = arith.addf %y, %d : tensor<1024xf32, #b>
  %ops = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %op = "tile.addptr"(%ops, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  "tile.store"(%op, %z) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xf32, #b>) -> ()
  "tile.store"(%mean, %q) : (!tile.ptr<f32>, f32) -> ()
  return
}

// At most 128 bytes a thread: of five tiles of 32 bytes each, the last stays.
// CHECK-LABEL: func.func @budget
// CHECK-COUNT-5: tile.load
// CHECK: tile.reduce
// CHECK: tile.load
// CHECK: return
func.func @budget(%x: !tile.ptr<f32>, %w: !tile.ptr<f32>, %mean: !tile.ptr<f32>, %out: !tile.ptr<f32>)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %r = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %c0 = arith.constant 1024 : i32
  %w0 = "tile.addptr"(%w, %c0) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %p0s = "tile.splat"(%w0) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %p0 = "tile.addptr"(%p0s, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %v0 = "tile.load"(%p0) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %u0 = arith.addf %a, %v0 : tensor<1024xf32, #b>
  %c1 = arith.constant 2048 : i32
  %w1 = "tile.addptr"(%w, %c1) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %p1s = "tile.splat"(%w1) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %p1 = "tile.addptr"(%p1s, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %v1 = "tile.load"(%p1) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %u1 = arith.addf %u0, %v1 : tensor<1024xf32, #b>
  %c2 = arith.constant 3072 : i32
  %w2 = "tile.addptr"(%w, %c2) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %p2s = "tile.splat"(%w2) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %p2 = "tile.addptr"(%p2s, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %v2 = "tile.load"(%p2) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %u2 = arith.addf %u1, %v2 : tensor<1024xf32, #b>
  %c3 = arith.constant 4096 : i32
  %w3 = "tile.addptr"(%w, %c3) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %p3s = "tile.splat"(%w3) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %p3 = "tile.addptr"(%p3s, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %v3 = "tile.load"(%p3) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %u3 = arith.addf %u2, %v3 : tensor<1024xf32, #b>
  %c4 = arith.constant 5120 : i32
  %w4 = "tile.addptr"(%w, %c4) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %p4s = "tile.splat"(%w4) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %p4 = "tile.addptr"(%p4s, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %v4 = "tile.load"(%p4) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %u4 = arith.addf %u3, %v4 : tensor<1024xf32, #b>
  %rs = "tile.splat"(%r) : (f32) -> tensor<1024xf32, #b>
  %y = arith.mulf %u4, %rs : tensor<1024xf32, #b>
  %ops = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %op = "tile.addptr"(%ops, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  "tile.store"(%op, %y) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xf32, #b>) -> ()
  return
}
}
