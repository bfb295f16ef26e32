// How many registers a thread needs, and where (lib/analysis/pressure.h). 16 of each number are the allowance.
// RUN: tile-opt --tile-gpu-print-pressure --verify-only --verify-diagnostics %s

#l = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#small = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#rows = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#column = #tile_gpu.slice<{axis = 1, parent = #rows}>

module attributes {tile_gpu.num_warps = 4 : i32} {

// Two loads of 16 words are there before the sum; the pointers, of one base each, are not needed any more after the
// last load but for the one that is stored through: 2. What is computed in between is not there as a whole.
func.func @sum(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>, #l>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>, #l>
  %r = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32, #l>
  %pr = "tile.addptr"(%ps, %r) : (tensor<2048x!tile.ptr<f32>, #l>, tensor<2048xi32, #l>) -> tensor<2048x!tile.ptr<f32>, #l>
  %qr = "tile.addptr"(%qs, %r) : (tensor<2048x!tile.ptr<f32>, #l>, tensor<2048xi32, #l>) -> tensor<2048x!tile.ptr<f32>, #l>
  %x = "tile.load"(%pr) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f32>, #l>) -> tensor<2048xf32, #l>
  // expected-remark @+1 {{@sum: 50 registers a thread, 16 of them the allowance}}
  %y = "tile.load"(%qr) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f32>, #l>) -> tensor<2048xf32, #l>
  %z = arith.addf %x, %y : tensor<2048xf32, #l>
  %w = arith.mulf %z, %y : tensor<2048xf32, #l>
  "tile.store"(%pr, %w) : (tensor<2048x!tile.ptr<f32>, #l>, tensor<2048xf32, #l>) -> ()
  return
}

// Halves are two in a register. A tile from outside (8 words) is live in the whole loop, also after its last use in the body,
// and so is what the loop carries (16). What it hands on as it came, and the advanced pointers beside those of now, are there once.
func.func @loop(%p: !tile.ptr<f16>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<2048xf32, #l>
  %block = arith.constant dense<2048> : tensor<2048xi32, #l>
  %ps = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<2048x!tile.ptr<f16>, #l>
  %r = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32, #l>
  %pr = "tile.addptr"(%ps, %r) : (tensor<2048x!tile.ptr<f16>, #l>, tensor<2048xi32, #l>) -> tensor<2048x!tile.ptr<f16>, #l>
  %w = "tile.load"(%pr) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f16>, #l>) -> tensor<2048xf16, #l>
  // expected-remark @+1 {{scf.for: 50 registers a thread, 16 of them the allowance}}
  %sum:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %at = %pr, %first = %pr) -> (tensor<2048xf32, #l>, tensor<2048x!tile.ptr<f16>, #l>, tensor<2048x!tile.ptr<f16>, #l>) : i32 {
    // expected-remark @+1 {{@loop: 50 registers a thread}}
    %x = "tile.load"(%at) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f16>, #l>) -> tensor<2048xf16, #l>
    %y = arith.mulf %x, %w : tensor<2048xf16, #l>
    %wide = arith.extf %y : tensor<2048xf16, #l> to tensor<2048xf32, #l>
    %t = arith.addf %s, %wide : tensor<2048xf32, #l>
    %next = "tile.addptr"(%at, %block) : (tensor<2048x!tile.ptr<f16>, #l>, tensor<2048xi32, #l>) -> tensor<2048x!tile.ptr<f16>, #l>
    scf.yield %t, %next, %first : tensor<2048xf32, #l>, tensor<2048x!tile.ptr<f16>, #l>, tensor<2048x!tile.ptr<f16>, #l>
  }
  %out = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<2048x!tile.ptr<f16>, #l>
  %half = arith.truncf %sum#0 : tensor<2048xf32, #l> to tensor<2048xf16, #l>
  "tile.store"(%out, %half) : (tensor<2048x!tile.ptr<f16>, #l>, tensor<2048xf16, #l>) -> ()
  return
}

// What only one branch takes is not live in the other: of %x and %y, 16 words each, only %x is there when the first branch loads 32 words
// more, and the second branch has less. The pointers that both branches store through take 8.
func.func @branches(%p: !tile.ptr<f32>, %q: tensor<2048x!tile.ptr<f32>, #l>, %c: i1) attributes {tile.kernel} {
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>, #l>
  %us = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<4096x!tile.ptr<f32>, #l>
  %x = "tile.load"(%ps) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f32>, #l>) -> tensor<2048xf32, #l>
  %y = "tile.load"(%ps) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f32>, #l>) -> tensor<2048xf32, #l>
  scf.if %c {
    // expected-remark @+1 {{@branches: 72 registers a thread}}
    %u = "tile.load"(%us) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4096x!tile.ptr<f32>, #l>) -> tensor<4096xf32, #l>
    "tile.store"(%us, %u) : (tensor<4096x!tile.ptr<f32>, #l>, tensor<4096xf32, #l>) -> ()
    "tile.store"(%q, %x) : (tensor<2048x!tile.ptr<f32>, #l>, tensor<2048xf32, #l>) -> ()
  } else {
    "tile.store"(%q, %y) : (tensor<2048x!tile.ptr<f32>, #l>, tensor<2048xf32, #l>) -> ()
  }
  return
}

// Rows a stride apart that is not known: an address for each of a thread's 16 rows, two registers wide. Columns are constant distances.
func.func @rows(%p: !tile.ptr<f32>, %stride: i32) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32, #column>
  %m = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<256xi32, #column>) -> tensor<256x1xi32, #rows>
  %strides = "tile.splat"(%stride) : (i32) -> tensor<256x1xi32, #rows>
  %offsets = arith.muli %m, %strides : tensor<256x1xi32, #rows>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<256x1x!tile.ptr<f32>, #rows>
  %row = "tile.addptr"(%ps, %offsets) : (tensor<256x1x!tile.ptr<f32>, #rows>, tensor<256x1xi32, #rows>) -> tensor<256x1x!tile.ptr<f32>, #rows>
  %all = "tile.broadcast"(%row) : (tensor<256x1x!tile.ptr<f32>, #rows>) -> tensor<256x32x!tile.ptr<f32>, #rows>
  // expected-remark @+1 {{@rows: 112 registers a thread}}
  %x = "tile.load"(%all) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x32x!tile.ptr<f32>, #rows>) -> tensor<256x32xf32, #rows>
  "tile.store"(%all, %x) : (tensor<256x32x!tile.ptr<f32>, #rows>, tensor<256x32xf32, #rows>) -> ()
  return
}
}
