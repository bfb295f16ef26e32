// RUN: tile-opt --tile-gpu-allocate-shared --convert-tile-gpu-to-nvvm --split-input-file %s | FileCheck %s

#row = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [1, 1], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #row}>
module attributes {tile_gpu.num_warps = 1 : i32} {
// A thread's four elements as a tree, then eight lanes in three steps; no shared memory.
// CHECK-LABEL: llvm.func @lanes
// CHECK-NOT: nvvm.bar
// CHECK-COUNT-3: arith.maxnumf
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.maxnumf
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.maxnumf
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.maxnumf
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
func.func @lanes(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<4x32x!tile.ptr<f32>, #row>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x32x!tile.ptr<f32>, #row>) -> tensor<4x32xf32, #row>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4x32xf32, #row>) -> tensor<4xf32, #slice>
  return
}
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [2], order = [0]}>
module attributes {tile_gpu.num_warps = 2 : i32} {
// A sum of i32 over all lanes is one instruction. The warps' sums go through shared memory: one store, by
// lane 0 of each, and one load of both.
// CHECK-LABEL: llvm.func @redux
// CHECK: nvvm.redux.sync add
// CHECK-NOT: nvvm.shfl
// CHECK: "tile_ptx.store"
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
// CHECK: arith.addi
// CHECK-NOT: nvvm.
// CHECK: llvm.return
func.func @redux(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>, #line>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x!tile.ptr<i32>, #line>) -> tensor<64xi32, #line>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    "gpu.yield"(%c) : (i32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xi32, #line>) -> i32
  return
}
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
module attributes {tile_gpu.num_warps = 1 : i32} {
// A combiner that is not known to be symmetric gets the lower lane's value on the left. In the first lane that is its own
// in each step, so the result is taken from there.
// CHECK-LABEL: llvm.func @sides
// CHECK-NOT: arith.select
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.subf
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK: %[[SUM:.*]] = arith.subf
// CHECK: %[[FIRST:.*]] = arith.andi %{{.*}}, %c0_i32
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SUM]]
// CHECK: nvvm.shfl.sync idx %{{.*}}, %[[BITS]], %[[FIRST]]
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
func.func @sides(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<32x!tile.ptr<f32>, #line>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x!tile.ptr<f32>, #line>) -> tensor<32xf32, #line>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<32xf32, #line>) -> f32
  return
}
}

// -----

#four = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
module attributes {tile_gpu.num_warps = 1 : i32} {
// In two steps selects are cheaper: each lane takes the lower one's value on the left.
// CHECK-LABEL: llvm.func @few_sides
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.select
// CHECK: arith.select
// CHECK: arith.subf
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.select
// CHECK: arith.select
// CHECK: arith.subf
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
func.func @few_sides(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<4x!tile.ptr<f32>, #four>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x!tile.ptr<f32>, #four>) -> tensor<4xf32, #four>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4xf32, #four>) -> f32
  return
}
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
module attributes {tile_gpu.num_warps = 1 : i32} {
// Narrower integers are extended for the instruction: with their sign for a maximum.
// CHECK-LABEL: llvm.func @bytes
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: nvvm.redux.sync max
// CHECK: arith.trunci
func.func @bytes(%p: !tile.ptr<i8>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<i8>) -> tensor<32x!tile.ptr<i8>, #line>
  %v = "tile.load"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x!tile.ptr<i8>, #line>) -> tensor<32xi8, #line>
  %m = "tile.reduce"(%v) ({
  ^bb0(%a: i8, %b: i8):
    %c = arith.maxsi %a, %b : i8
    "gpu.yield"(%c) : (i8) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<32xi8, #line>) -> i8
  return
}
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [8], order = [0]}>
module attributes {tile_gpu.num_warps = 8 : i32} {
// A sum of products: two of a thread's four are computed, the others are part of a fused multiply-add. Four of the
// eight warps' results come in one access, the other four to the neighbouring lane.
// CHECK-LABEL: llvm.func @fused
// CHECK-COUNT-4: arith.mulf
// CHECK: math.fma
// CHECK: math.fma
// CHECK: arith.addf
// CHECK-NOT: arith.addf
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: nvvm.barrier0
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK-NOT: llvm.load
// CHECK: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: llvm.return
func.func @fused(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>, #line>
  %r = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32, #line>
  %q = "tile.addptr"(%s, %r) : (tensor<1024x!tile.ptr<f32>, #line>, tensor<1024xi32, #line>) -> tensor<1024x!tile.ptr<f32>, #line>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<1024x!tile.ptr<f32>, #line>) -> tensor<1024xf32, #line>
  %w = arith.mulf %v, %v : tensor<1024xf32, #line>
  %m = "tile.reduce"(%w) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, tile.fused_products, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32, #line>) -> f32
  return
}
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
module attributes {tile_gpu.num_warps = 1 : i32} {
// The mask of a row whose length is divisible by 16 is the same for a thread's four neighbours: their squares are summed as
// they are, and one select stands for the four. The second four have a mask of their own.
// CHECK-LABEL: llvm.func @masked_squares
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[D0:.*]] = arith.subf
// CHECK: arith.mulf
// CHECK: math.fma %[[D0]], %[[D0]],
// CHECK-COUNT-3: math.fma
// CHECK: %[[FOUR:.*]] = arith.addf
// CHECK-NEXT: arith.select %{{.*}}, %[[FOUR]], %[[ZERO]]
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.select
// CHECK-NEXT: arith.addf
// CHECK-NOT: arith.select
// CHECK: nvvm.shfl.sync
func.func @masked_squares(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32},
                          %mean: f32) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>, #line>
  %r = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32, #line>
  %q = "tile.addptr"(%s, %r) : (tensor<256x!tile.ptr<f32>, #line>, tensor<256xi32, #line>) -> tensor<256x!tile.ptr<f32>, #line>
  %ns = "tile.splat"(%n) : (i32) -> tensor<256xi32, #line>
  %inside = arith.cmpi slt, %r, %ns : tensor<256xi32, #line>
  %v = "tile.load"(%q, %inside) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<256x!tile.ptr<f32>, #line>, tensor<256xi1, #line>) -> tensor<256xf32, #line>
  %ms = "tile.splat"(%mean) : (f32) -> tensor<256xf32, #line>
  %d = arith.subf %v, %ms : tensor<256xf32, #line>
  %zero = arith.constant dense<0.0> : tensor<256xf32, #line>
  %c = arith.select %inside, %d, %zero : tensor<256xi1, #line>, tensor<256xf32, #line>
  %w = arith.mulf %c, %c : tensor<256xf32, #line>
  %m = "tile.reduce"(%w) ({
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    "gpu.yield"(%t) : (f32) -> ()
  }) {axis = 0 : i32, tile.fused_products, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<256xf32, #line>) -> f32
  return
}
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
module attributes {tile_gpu.num_warps = 1 : i32} {
// What stands in for masked elements must not add up: with 1.0 each element is chosen first. For a maximum any number will do.
// CHECK-LABEL: llvm.func @masked_ones
// CHECK-COUNT-4: arith.select
// CHECK-NOT: arith.select
// CHECK: nvvm.shfl.sync
// CHECK: nvvm.shfl.sync bfly
// CHECK-COUNT-3: arith.maxnumf
// CHECK: arith.select
// CHECK-NOT: arith.select
// CHECK: llvm.return
func.func @masked_ones(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>, #line>
  %r = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32, #line>
  %q = "tile.addptr"(%s, %r) : (tensor<128x!tile.ptr<f32>, #line>, tensor<128xi32, #line>) -> tensor<128x!tile.ptr<f32>, #line>
  %ns = "tile.splat"(%n) : (i32) -> tensor<128xi32, #line>
  %inside = arith.cmpi slt, %r, %ns : tensor<128xi32, #line>
  %v = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>, #line>) -> tensor<128xf32, #line>
  %one = arith.constant dense<1.0> : tensor<128xf32, #line>
  %c = arith.select %inside, %v, %one : tensor<128xi1, #line>, tensor<128xf32, #line>
  %m = "tile.reduce"(%c) ({
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    "gpu.yield"(%t) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128xf32, #line>) -> f32
  %e = arith.select %inside, %v, %one : tensor<128xi1, #line>, tensor<128xf32, #line>
  %x = "tile.reduce"(%e) ({
  ^bb0(%a: f32, %b: f32):
    %t = arith.maxnumf %a, %b : f32
    "gpu.yield"(%t) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128xf32, #line>) -> f32
  return
}
}
