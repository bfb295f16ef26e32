// RUN: tile-opt "--tile-assign-layouts=num-warps=8 fewer-warps=true" --split-input-file %s | FileCheck %s
// RUN: tile-opt --tile-assign-layouts=num-warps=8 --split-input-file %s | FileCheck %s --check-prefix=ASKED

// Without the option there are as many as were asked for.
// ASKED-COUNT-11: module attributes {tile_gpu.num_warps = 8 : i32

// Copies: 64 elements are one for each lane of two warps. Their addresses are not known to be aligned.
// CHECK: module attributes {tile_gpu.num_warps = 2 : i32
// CHECK: func.func @copies
func.func @copies(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x!tile.ptr<f32>>) -> tensor<64xf32>
  "tile.store"(%q, %x) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x!tile.ptr<f32>>, tensor<64xf32>) -> ()
  return
}

// -----

// Nothing but scalars.
// CHECK: module attributes {tile_gpu.num_warps = 1 : i32
// CHECK: func.func @scalars
func.func @scalars(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %x = "tile.program_id"() {axis = 0 : i32} : () -> i32
  "tile.store"(%p, %x) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<i32>, i32) -> ()
  return
}

// -----

// Narrow: 512 f32 are two for each of 256 threads, four for each of 128, and alignment allows accesses of four.
// CHECK: module attributes {tile_gpu.num_warps = 4 : i32
// CHECK: func.func @narrow
func.func @narrow(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>) -> tensor<512xf32>
  "tile.store"(%q, %x) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
  return
}

// -----

// The same where alignment allows no more than one element: nothing would be wider.
// CHECK: module attributes {tile_gpu.num_warps = 8 : i32
// CHECK: func.func @unaligned
func.func @unaligned(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>) -> tensor<512xf32>
  "tile.store"(%q, %x) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
  return
}

// -----

// Crossing: a warp can hold a row of 1024 f32.
// CHECK: module attributes {tile_gpu.num_warps = 1 : i32
// CHECK: func.func @row
func.func @row(%p: !tile.ptr<f32>, %o: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %sum = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
  "tile.store"(%o, %sum) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// Not three loads of such rows, of 32 registers each.
// CHECK: module attributes {tile_gpu.num_warps = 8 : i32
// CHECK: func.func @rows
func.func @rows(%p: !tile.ptr<f32>, %o: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %q1 = "tile.addptr"(%q, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %q2 = "tile.addptr"(%q1, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %y = "tile.load"(%q1) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %z = "tile.load"(%q2) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %xy = arith.mulf %x, %y : tensor<1024xf32>
  %xyz = arith.mulf %xy, %z : tensor<1024xf32>
  %sum = "tile.reduce"(%xyz) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
  "tile.store"(%o, %sum) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// Nor much arithmetic, 41 operations.
// CHECK: module attributes {tile_gpu.num_warps = 8 : i32
// CHECK: func.func @arithmetic
func.func @arithmetic(%p: !tile.ptr<f32>, %o: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
  %m0 = arith.mulf %x, %x : tensor<1024xf32>
  %m1 = arith.mulf %m0, %x : tensor<1024xf32>
  %m2 = arith.mulf %m1, %x : tensor<1024xf32>
  %m3 = arith.mulf %m2, %x : tensor<1024xf32>
  %m4 = arith.mulf %m3, %x : tensor<1024xf32>
  %m5 = arith.mulf %m4, %x : tensor<1024xf32>
  %m6 = arith.mulf %m5, %x : tensor<1024xf32>
  %m7 = arith.mulf %m6, %x : tensor<1024xf32>
  %m8 = arith.mulf %m7, %x : tensor<1024xf32>
  %m9 = arith.mulf %m8, %x : tensor<1024xf32>
  %m10 = arith.mulf %m9, %x : tensor<1024xf32>
  %m11 = arith.mulf %m10, %x : tensor<1024xf32>
  %m12 = arith.mulf %m11, %x : tensor<1024xf32>
  %m13 = arith.mulf %m12, %x : tensor<1024xf32>
  %m14 = arith.mulf %m13, %x : tensor<1024xf32>
  %m15 = arith.mulf %m14, %x : tensor<1024xf32>
  %m16 = arith.mulf %m15, %x : tensor<1024xf32>
  %m17 = arith.mulf %m16, %x : tensor<1024xf32>
  %m18 = arith.mulf %m17, %x : tensor<1024xf32>
  %m19 = arith.mulf %m18, %x : tensor<1024xf32>
  %m20 = arith.mulf %m19, %x : tensor<1024xf32>
  %m21 = arith.mulf %m20, %x : tensor<1024xf32>
  %m22 = arith.mulf %m21, %x : tensor<1024xf32>
  %m23 = arith.mulf %m22, %x : tensor<1024xf32>
  %m24 = arith.mulf %m23, %x : tensor<1024xf32>
  %m25 = arith.mulf %m24, %x : tensor<1024xf32>
  %m26 = arith.mulf %m25, %x : tensor<1024xf32>
  %m27 = arith.mulf %m26, %x : tensor<1024xf32>
  %m28 = arith.mulf %m27, %x : tensor<1024xf32>
  %m29 = arith.mulf %m28, %x : tensor<1024xf32>
  %m30 = arith.mulf %m29, %x : tensor<1024xf32>
  %m31 = arith.mulf %m30, %x : tensor<1024xf32>
  %m32 = arith.mulf %m31, %x : tensor<1024xf32>
  %m33 = arith.mulf %m32, %x : tensor<1024xf32>
  %m34 = arith.mulf %m33, %x : tensor<1024xf32>
  %m35 = arith.mulf %m34, %x : tensor<1024xf32>
  %m36 = arith.mulf %m35, %x : tensor<1024xf32>
  %m37 = arith.mulf %m36, %x : tensor<1024xf32>
  %m38 = arith.mulf %m37, %x : tensor<1024xf32>
  %m39 = arith.mulf %m38, %x : tensor<1024xf32>
  %m40 = arith.mulf %m39, %x : tensor<1024xf32>
  %sum = "tile.reduce"(%m40) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
  "tile.store"(%o, %sum) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// Two rows: two warps hold them without an exchange.
// CHECK: module attributes {tile_gpu.num_warps = 2 : i32
// CHECK: func.func @two_rows
func.func @two_rows(%o: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %e = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<512xi32>) -> tensor<1x512xi32>
  %x = "tile.broadcast"(%e) : (tensor<1x512xi32>) -> tensor<2x512xi32>
  %sum = "tile.reduce"(%x) ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    "gpu.yield"(%c) : (i32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2x512xi32>) -> tensor<2xi32>
  %i = "tile.range"() {start = 0 : i32, end = 2 : i32} : () -> tensor<2xi32>
  %s = "tile.splat"(%o) : (!tile.ptr<i32>) -> tensor<2x!tile.ptr<i32>>
  %q = "tile.addptr"(%s, %i) : (tensor<2x!tile.ptr<i32>>, tensor<2xi32>) -> tensor<2x!tile.ptr<i32>>
  "tile.store"(%q, %sum) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<2x!tile.ptr<i32>>, tensor<2xi32>) -> ()
  return
}

// -----

// Rows in a loop: the grid has been chosen for so many warps.
// CHECK: module attributes {tile_gpu.num_warps = 8 : i32
// CHECK: func.func @loop
func.func @loop(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %o: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.constant 0.0 : f32
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %q = "tile.addptr"(%s, %r) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %all = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> (f32) : i32 {
    %si = "tile.splat"(%i) : (i32) -> tensor<512xi32>
    %qi = "tile.addptr"(%q, %si) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
    %x = "tile.load"(%qi) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<f32>>) -> tensor<512xf32>
    %sum = "tile.reduce"(%x) ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      "gpu.yield"(%c) : (f32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xf32>) -> f32
    %next = arith.maximumf %acc, %sum : f32
    scf.yield %next : f32
  }
  "tile.store"(%o, %all) {operandSegmentSizes = array<i32: 1, 1, 0>} : (!tile.ptr<f32>, f32) -> ()
  return
}

// -----

// Messages name threads.
// CHECK: module attributes {tile_gpu.num_warps = 8 : i32
// CHECK: func.func @prints
func.func @prints() attributes {tile.kernel} {
  "tile.print"() {prefix = "here", hex = false, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0>} : () -> ()
  return
}

// -----

// The kernel with most use for warps decides for the module.
// CHECK: module attributes {tile_gpu.num_warps = 2 : i32
// CHECK: func.func @one
// CHECK: func.func @other
func.func @one() attributes {tile.kernel} {
  return
}
func.func @other(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %q = "tile.addptr"(%s, %r) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<i32>>
  "tile.store"(%q, %r) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> ()
  return
}
