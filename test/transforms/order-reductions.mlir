// RUN: tile-opt --tile-gpu-order %s | FileCheck %s
// RUN: tile-opt --tile-gpu-order --tile-gpu-to-llvm %s | FileCheck %s --check-prefix=LLVM
// RUN: tile-run %s --device emulator --kernel sum_and_max --grid 1 --check --seed 3 --arg x=fp32[1024]:3 --arg out=fp32[2]:poison --print out:2 | FileCheck %s --check-prefix=BOTH
// RUN: tile-run %s --device emulator --kernel redux --grid 1 --check --seed 3 --arg x=fp32[1024]:3 --arg out=fp32[2]:poison --print out:2 | FileCheck %s --check-prefix=REDUX

// Reductions that do not wait for one another (lib/transforms/order.c).

#b = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {

// A sum of squares and a maximum: the square moves in front, the quotient stays after. Squares still go into fused
// multiply-adds, and one barrier serves both.
// CHECK-LABEL: func.func @sum_and_max
// CHECK: arith.mulf
// CHECK: %[[PAIR:.*]]:2 = "tile.reduce"(%[[MAX:.*]], %[[SQUARES:.*]]) ({
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32):
// CHECK: %[[M:.*]] = arith.maxnumf %[[A]], %[[C]]
// CHECK: %[[S:.*]] = arith.addf %[[B]], %[[D]]
// CHECK: gpu.yield %[[M]], %[[S]]
// CHECK: tile.fused_products = array<i32: 1>
// CHECK: arith.divf %[[PAIR]]#0
// CHECK-NOT: tile.reduce
// CHECK: return
// LLVM-LABEL: llvm.func @sum_and_max
// LLVM: llvm.intr.fma
// LLVM: nvvm.shfl.sync
// LLVM: nvvm.barrier0
// LLVM-NOT: nvvm.barrier0
// LLVM: llvm.return
// BOTH: out = 1.5 9216
func.func @sum_and_max(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"})
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %two = arith.constant 2.0 : f32
  %m = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.maxnumf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %q = arith.divf %m, %two : f32
  %sq = arith.mulf %a, %a : tensor<1024xf32, #b>
  %r = "tile.reduce"(%sq) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, tile.fused_products, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %k0 = arith.constant 0 : i32
  %p0 = "tile.addptr"(%out, %k0) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p0, %q) : (!tile.ptr<f32>, f32) -> ()
  %k1 = arith.constant 1 : i32
  %p1 = "tile.addptr"(%out, %k1) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p1, %r) : (!tile.ptr<f32>, f32) -> ()
  return
}

// A sum of integers keeps its own instruction for the lanes of a warp; only the maximum is shuffled.
// CHECK-LABEL: func.func @redux
// CHECK: tile.reduce
// CHECK-NOT: tile.reduce
// CHECK: return
// LLVM-LABEL: llvm.func @redux
// LLVM-NOT: nvvm.shfl.sync
// LLVM: nvvm.redux.sync
// LLVM-COUNT-5: nvvm.shfl.sync
// LLVM-NOT: nvvm.shfl.sync
// LLVM: nvvm.barrier0
// LLVM-NOT: nvvm.barrier0
// LLVM: llvm.return
// REDUX: out = 523776 3
func.func @redux(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"})
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %m = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.maxnumf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %r = "tile.reduce"(%range) ({
  ^bb0(%l: i32, %h: i32):
    %s = arith.addi %l, %h : i32
    "gpu.yield"(%s) : (i32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xi32, #b>) -> i32
  %f = arith.sitofp %r : i32 to f32
  %k0 = arith.constant 0 : i32
  %p0 = "tile.addptr"(%out, %k0) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p0, %f) : (!tile.ptr<f32>, f32) -> ()
  %k1 = arith.constant 1 : i32
  %p1 = "tile.addptr"(%out, %k1) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p1, %m) : (!tile.ptr<f32>, f32) -> ()
  return
}

// A moment around the mean needs the mean.
// CHECK-LABEL: func.func @variance
// CHECK: tile.reduce
// CHECK: arith.subf
// CHECK: tile.reduce
// CHECK: return
func.func @variance(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"})
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %m = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %ms = "tile.splat"(%m) : (f32) -> tensor<1024xf32, #b>
  %d = arith.subf %a, %ms : tensor<1024xf32, #b>
  %sq = arith.mulf %d, %d : tensor<1024xf32, #b>
  %r = "tile.reduce"(%sq) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %k0 = arith.constant 0 : i32
  %p0 = "tile.addptr"(%out, %k0) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p0, %r) : (!tile.ptr<f32>, f32) -> ()
  return
}

// A volatile load does not move, nor what needs it; a store in between does not matter.
// CHECK-LABEL: func.func @load_between
// CHECK: "tile.reduce"(%{{[^,]*}}, %{{[^,]*}}) (
// CHECK: tile.store
// CHECK: tile.load
// CHECK: "tile.reduce"(%{{[^,]*}}) (
// CHECK: return
func.func @load_between(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"})
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %m = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.maxnumf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %k0 = arith.constant 0 : i32
  %p0 = "tile.addptr"(%out, %k0) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p0, %m) : (!tile.ptr<f32>, f32) -> ()
  %c = "tile.load"(%xp) {volatile, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %r = "tile.reduce"(%c) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %u = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.minnumf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %k1 = arith.constant 1 : i32
  %p1 = "tile.addptr"(%out, %k1) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p1, %r) : (!tile.ptr<f32>, f32) -> ()
  %k2 = arith.constant 2 : i32
  %p2 = "tile.addptr"(%out, %k2) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p2, %u) : (!tile.ptr<f32>, f32) -> ()
  return
}

// An "ordered" combination, one with sides that matter, and tiles of another size stay by themselves.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: "tile.reduce"(%{{[^,]*}}) (
// CHECK: return
func.func @others(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"})
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<1024x!tile.ptr<f32>, #b>, tensor<1024xi32, #b>) -> tensor<1024x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #b>) -> tensor<1024xf32, #b>
  %m = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %o = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, ordered, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %d = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.subf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #b>) -> f32
  %short = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32, #b>
  %shorts = arith.sitofp %short : tensor<512xi32, #b> to tensor<512xf32, #b>
  %t = "tile.reduce"(%shorts) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<512xf32, #b>) -> f32
  %k0 = arith.constant 0 : i32
  %p0 = "tile.addptr"(%out, %k0) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p0, %m) : (!tile.ptr<f32>, f32) -> ()
  %k1 = arith.constant 1 : i32
  %p1 = "tile.addptr"(%out, %k1) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p1, %o) : (!tile.ptr<f32>, f32) -> ()
  %k2 = arith.constant 2 : i32
  %p2 = "tile.addptr"(%out, %k2) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p2, %d) : (!tile.ptr<f32>, f32) -> ()
  %k3 = arith.constant 3 : i32
  %p3 = "tile.addptr"(%out, %k3) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p3, %t) : (!tile.ptr<f32>, f32) -> ()
  return
}

// What moves and is needed after the reductions as well is held while they exchange: 16 elements a thread may be, not
// 32.
// CHECK-LABEL: func.func @held
// CHECK: "tile.reduce"(%{{[^,]*}}, %{{[^,]*}}) (
// CHECK-NOT: tile.reduce
// CHECK: return
func.func @held(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"})
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<2048x!tile.ptr<f32>, #b>, tensor<2048xi32, #b>) -> tensor<2048x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2048x!tile.ptr<f32>, #b>) -> tensor<2048xf32, #b>
  %m = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2048xf32, #b>) -> f32
  %e = math.absf %a : tensor<2048xf32, #b>
  %r = "tile.reduce"(%e) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<2048xf32, #b>) -> f32
  %rs = "tile.splat"(%r) : (f32) -> tensor<2048xf32, #b>
  %y = arith.mulf %e, %rs : tensor<2048xf32, #b>
  "tile.store"(%xp, %y) : (tensor<2048x!tile.ptr<f32>, #b>, tensor<2048xf32, #b>) -> ()
  %k0 = arith.constant 0 : i32
  %p0 = "tile.addptr"(%out, %k0) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p0, %m) : (!tile.ptr<f32>, f32) -> ()
  return
}
// CHECK-LABEL: func.func @held_long
// CHECK-COUNT-2: "tile.reduce"(%{{[^,]*}}) (
// CHECK: return
func.func @held_long(%x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.name = "out"})
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 4096 : i32} : () -> tensor<4096xi32, #b>
  %xps = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<4096x!tile.ptr<f32>, #b>
  %xp = "tile.addptr"(%xps, %range) : (tensor<4096x!tile.ptr<f32>, #b>, tensor<4096xi32, #b>) -> tensor<4096x!tile.ptr<f32>, #b>
  %a = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4096x!tile.ptr<f32>, #b>) -> tensor<4096xf32, #b>
  %m = "tile.reduce"(%a) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4096xf32, #b>) -> f32
  %e = math.absf %a : tensor<4096xf32, #b>
  %r = "tile.reduce"(%e) ({
  ^bb0(%l: f32, %h: f32):
    %s = arith.addf %l, %h : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4096xf32, #b>) -> f32
  %rs = "tile.splat"(%r) : (f32) -> tensor<4096xf32, #b>
  %y = arith.mulf %e, %rs : tensor<4096xf32, #b>
  "tile.store"(%xp, %y) : (tensor<4096x!tile.ptr<f32>, #b>, tensor<4096xf32, #b>) -> ()
  %k0 = arith.constant 0 : i32
  %p0 = "tile.addptr"(%out, %k0) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%p0, %m) : (!tile.ptr<f32>, f32) -> ()
  return
}
}
