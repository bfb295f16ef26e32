// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s
// RUN: tile-run %s --device emulator --kernel sums --grid 1 --check --seed 3 --arg x=fp32[4096]:1 --arg out=fp32[1]:poison --arg n=i32:4 --print out | FileCheck %s --check-prefix=SUMS
// RUN: tile-run %s --device emulator --kernel sums --grid 1 --check --seed 3 --arg x=fp32[4096]:1 --arg out=fp32[1]:poison --arg n=i32:0 --print out | FileCheck %s --check-prefix=NONE
// RUN: tile-run %s --device emulator --kernel shrinks --grid 1 --check --seed 3 --arg x=fp32[4096]:1 --arg out=fp32[1]:poison --arg n=i32:3 --print out | FileCheck %s --check-prefix=SHRINKS
// RUN: tile-run %s --device emulator --kernel maximum --grid 1 --check --seed 3 --arg x=fp32[4096]:7 --arg out=fp32[1]:poison --arg n=i32:3 --print out | FileCheck %s --check-prefix=MAXIMUM
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --device emulator --kernel squares --grid 1 --check --seed 3 --arg x=fp32[4096]:1 --arg out=fp32[1]:poison --arg n=i32:4 --print out | FileCheck %s --check-prefix=SQUARES
// RUN: tile-run %s --device emulator --kernel rows --grid 1 --check --seed 3 --arg x=fp32[4096]:1 --arg out=fp32[16]:poison --arg n=i32:4 --print out:16 | FileCheck %s --check-prefix=ROWS
// RUN: tile-opt --tile-assign-layouts --tile-gpu-optimize-reductions %s | FileCheck %s --check-prefix=ALONE

// Sums in loops, combined between threads after them (lib/transforms/optimize_reductions.c).

// Two groups of four elements a thread are added up by the thread; the loop has no exchange and no barrier.
// CHECK-LABEL: func.func @sums
// CHECK: scf.for
// CHECK: "tile.reshape"({{.*}} -> tensor<2x128x4xf32,
// CHECK: "tile.reduce"
// CHECK: axis = 2 : i32
// CHECK-NOT: shared_offset
// CHECK: "tile.reduce"
// CHECK: axis = 0 : i32
// CHECK-NOT: shared_offset
// CHECK: arith.addf {{.*}} : tensor<128xf32,
// CHECK-NOT: tile_gpu.barrier
// CHECK: scf.yield
// CHECK: "tile.reduce"
// CHECK: shared_offset
// The pass by itself does it on any layout, here with eight elements a thread.
// ALONE-LABEL: func.func @sums
// ALONE-SAME: tile_gpu.depth_first
// ALONE: scf.for {{.*}} -> (tensor<128xf32,
// ALONE: "tile.reduce"
// ALONE: arith.addf {{.*}} : tensor<128xf32,
// ALONE-NEXT: scf.yield
// ALONE: "tile.reduce"
// SUMS: out = 4099
// NONE: out = 3
func.func @sums(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %three) -> (f32) : i32 {
    %at = arith.muli %i, %c1024 : i32
    %ats = "tile.splat"(%at) : (i32) -> tensor<1024xi32>
    %o = arith.addi %ats, %range : tensor<1024xi32>
    %p = "tile.addptr"(%xs, %o) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
    %r = "tile.reduce"(%v) ({
    ^bb0(%l: f32, %h: f32):
      %k = arith.addf %l, %h : f32
      "gpu.yield"(%k) : (f32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
    %b = arith.addf %r, %a : f32
    scf.yield %b : f32
  }
  "tile.store"(%out, %s) : (!tile.ptr<f32>, f32) -> ()
  return
}

// The sum so far shrinks with each iteration: so does each thread's part of it.
// CHECK-LABEL: func.func @shrinks
// CHECK: scf.for
// CHECK: math.fma {{.*}} : tensor<128xf32,
// CHECK-NOT: tile_gpu.barrier
// CHECK: scf.yield
// CHECK: "tile.reduce"
// CHECK: shared_offset
// SHRINKS: out = 1792.375
func.func @shrinks(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %three) -> (f32) : i32 {
    %at = arith.muli %i, %c1024 : i32
    %ats = "tile.splat"(%at) : (i32) -> tensor<1024xi32>
    %o = arith.addi %ats, %range : tensor<1024xi32>
    %p = "tile.addptr"(%xs, %o) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
    %half = arith.constant 0.5 : f32
    %f = arith.mulf %a, %half : f32
    %r = "tile.reduce"(%v) ({
    ^bb0(%l: f32, %h: f32):
      %k = arith.addf %l, %h : f32
      "gpu.yield"(%k) : (f32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
    %b = arith.addf %f, %r : f32
    scf.yield %b : f32
  }
  "tile.store"(%out, %s) : (!tile.ptr<f32>, f32) -> ()
  return
}

// A maximum, beside a sum that is not like this: its value is used in the loop, and stays there.
// CHECK-LABEL: func.func @maximum
// CHECK: scf.for
// CHECK: arith.maxnumf {{.*}} : tensor<128xf32,
// CHECK: "tile.reduce"
// CHECK: shared_offset
// CHECK: scf.yield
// CHECK: "tile.reduce"
// CHECK: shared_offset
// MAXIMUM: out = 7175
func.func @maximum(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %zero = arith.constant 0.0 : f32
  %big = arith.constant 7168.0 : f32
  %three = arith.constant 3.0 : f32
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %three, %c = %big) -> (f32, f32) : i32 {
    %at = arith.muli %i, %c1024 : i32
    %ats = "tile.splat"(%at) : (i32) -> tensor<1024xi32>
    %o = arith.addi %ats, %range : tensor<1024xi32>
    %p = "tile.addptr"(%xs, %o) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
    %r = "tile.reduce"(%v) ({
    ^bb0(%l: f32, %h: f32):
      %k = arith.maxnumf %l, %h : f32
      "gpu.yield"(%k) : (f32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
    %b = arith.maxnumf %a, %r : f32
    %q = "tile.reduce"(%v) ({
    ^bb0(%l: f32, %h: f32):
      %k = arith.addf %l, %h : f32
      "gpu.yield"(%k) : (f32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
    %e = arith.minnumf %c, %q : f32
    scf.yield %b, %e : f32, f32
  }
  %sum = arith.addf %s#0, %s#1 : f32
  "tile.store"(%out, %sum) : (!tile.ptr<f32>, f32) -> ()
  return
}

// Rows of a tile, each with its sum: lanes of a row stay apart.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK-NOT: shared_offset
// CHECK: arith.addf {{.*}} : tensor<16x{{[0-9]+}}xf32,
// CHECK: scf.yield
// CHECK: "tile.reduce"
// ROWS: out ={{( 256){16} *$}}
func.func @rows(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %r16 = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %r64 = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %c64 = arith.constant dense<64> : tensor<16xi32>
  %rs = arith.muli %r16, %c64 : tensor<16xi32>
  %re = "tile.expand_dims"(%rs) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
  %ce = "tile.expand_dims"(%r64) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %rb = "tile.broadcast"(%re) : (tensor<16x1xi32>) -> tensor<16x64xi32>
  %cb = "tile.broadcast"(%ce) : (tensor<1x64xi32>) -> tensor<16x64xi32>
  %range = arith.addi %rb, %cb : tensor<16x64xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<16x64x!tile.ptr<f32>>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<16xf32>) : i32 {
    %at = arith.muli %i, %c1024 : i32
    %ats = "tile.splat"(%at) : (i32) -> tensor<16x64xi32>
    %o = arith.addi %ats, %range : tensor<16x64xi32>
    %p = "tile.addptr"(%xs, %o) : (tensor<16x64x!tile.ptr<f32>>, tensor<16x64xi32>) -> tensor<16x64x!tile.ptr<f32>>
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x64x!tile.ptr<f32>>) -> tensor<16x64xf32>
    %r = "tile.reduce"(%v) ({
    ^bb0(%l: f32, %h: f32):
      %k = arith.addf %l, %h : f32
      "gpu.yield"(%k) : (f32) -> ()
    }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x64xf32>) -> tensor<16xf32>
    %b = arith.addf %a, %r : tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  }
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<16x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %r16) : (tensor<16x!tile.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tile.ptr<f32>>
  "tile.store"(%op, %s) : (tensor<16x!tile.ptr<f32>>, tensor<16xf32>) -> ()
  return
}

// Products that are only summed stay fused: of a thread's eight, four are multiplied by themselves.
// CHECK-LABEL: func.func @squares
// CHECK: "tile.reduce"
// CHECK: axis = 2 : i32{{.*}}tile.fused_products
// CHECK: "tile.reduce"
// CHECK-NOT: tile.fused_products
// CHECK: return
// PTX-LABEL: .entry squares
// PTX: mul.rn.f32
// PTX-NEXT: fma.rn.f32
// PTX-NEXT: mul.rn.f32
// PTX-NEXT: fma.rn.f32
// PTX-NEXT: add.rn.f32
// PTX-NEXT: mul.rn.f32
// PTX-NEXT: fma.rn.f32
// PTX-NEXT: mul.rn.f32
// PTX-NEXT: fma.rn.f32
// PTX-NOT: mul.rn.f32
// PTX-NOT: fma.rn.f32
// PTX: ret
// SQUARES: out = 4099
func.func @squares(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"}, %n: i32 {tile.name = "n"}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1024 = arith.constant 1024 : i32
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %three) -> (f32) : i32 {
    %at = arith.muli %i, %c1024 : i32
    %ats = "tile.splat"(%at) : (i32) -> tensor<1024xi32>
    %o = arith.addi %ats, %range : tensor<1024xi32>
    %p = "tile.addptr"(%xs, %o) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>>) -> tensor<1024xf32>
    %v2 = arith.mulf %v, %v : tensor<1024xf32>
    %r = "tile.reduce"(%v2) ({
    ^bb0(%l: f32, %h: f32):
      %k = arith.addf %l, %h : f32
      "gpu.yield"(%k) : (f32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
    %b = arith.addf %r, %a : f32
    scf.yield %b : f32
  }
  "tile.store"(%out, %s) : (!tile.ptr<f32>, f32) -> ()
  return
}
