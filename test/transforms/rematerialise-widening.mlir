// RUN: tile-opt --tile-gpu-rematerialise-widening --split-input-file %s | FileCheck %s
// RUN: sed -e 's/8192/16384/g' %s | tile-opt --tile-gpu-rematerialise-widening --split-input-file - | FileCheck %s --check-prefix=MANY

// A row of f16 stays narrow across its sums (lib/transforms/rematerialise_widening.c): 32 elements a thread are 16 registers instead of
// 32. The difference from the mean is made again after the second sum, too. 40 registers a thread let six blocks of 256
// threads into a multiprocessor.
// CHECK-LABEL: func.func @deviation
// CHECK-SAME: tile_gpu.register_bound = 40 : i32
// CHECK: %[[X:.*]] = "tile.load"
// CHECK: %[[FIRST:.*]] = arith.extf %[[X]] : tensor
// CHECK: %[[SUM:.*]] = "tile.reduce"(%[[FIRST]])
// CHECK: %[[MEAN:.*]] = "tile.splat"(%[[SUM]])
// CHECK: %[[SECOND:.*]] = arith.extf %[[X]] {tile_gpu.rematerialised}
// CHECK: %[[D:.*]] = arith.subf %[[SECOND]], %[[MEAN]]
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[D]], %[[D]]
// CHECK: %[[VARIANCE:.*]] = "tile.reduce"(%[[SQUARE]])
// CHECK: %[[THIRD:.*]] = arith.extf %[[X]] {tile_gpu.rematerialised}
// CHECK: %[[AGAIN:.*]] = arith.subf %[[THIRD]], %[[MEAN]]
// CHECK: arith.mulf %[[AGAIN]],
#b = #tile_gpu.blocked<{size_per_thread = [8], threads_per_warp = [32], warps_per_cta = [8], order = [0]}>
module attributes {tile_gpu.num_warps = 8 : i32} {
func.func @deviation(%p: !tile.ptr<f16>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 8192 : i32} : () -> tensor<8192xi32, #b>
  %s = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<8192x!tile.ptr<f16>, #b>
  %q = "tile.addptr"(%s, %range) : (tensor<8192x!tile.ptr<f16>, #b>, tensor<8192xi32, #b>) -> tensor<8192x!tile.ptr<f16>, #b>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8192x!tile.ptr<f16>, #b>) -> tensor<8192xf16, #b>
  %w = arith.extf %x : tensor<8192xf16, #b> to tensor<8192xf32, #b>
  %sum = "tile.reduce"(%w) ({
  ^bb0(%l: f32, %h: f32):
    %c = arith.addf %l, %h : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8192xf32, #b>) -> f32
  %mean = "tile.splat"(%sum) : (f32) -> tensor<8192xf32, #b>
  %d = arith.subf %w, %mean : tensor<8192xf32, #b>
  %d2 = arith.mulf %d, %d : tensor<8192xf32, #b>
  %var = "tile.reduce"(%d2) ({
  ^bb0(%l: f32, %h: f32):
    %c = arith.addf %l, %h : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8192xf32, #b>) -> f32
  %vs = "tile.splat"(%var) : (f32) -> tensor<8192xf32, #b>
  %y = arith.mulf %d, %vs : tensor<8192xf32, #b>
  %n = arith.truncf %y : tensor<8192xf32, #b> to tensor<8192xf16, #b>
  "tile.store"(%q, %n) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8192x!tile.ptr<f16>, #b>, tensor<8192xf16, #b>) -> ()
  return
}
}

// -----

// 16 registers of a row in f32 are few; so are 16 of weights that are widened before the sum and used after it: ptxas
// widens those where they are used, so they are no reason to make anything again.
// CHECK-LABEL: func.func @widened_weights
// CHECK-NOT: tile_gpu.rematerialised
// CHECK-NOT: tile_gpu.register_bound
// CHECK: return
#c = #tile_gpu.blocked<{size_per_thread = [8], threads_per_warp = [32], warps_per_cta = [8], order = [0]}>
module attributes {tile_gpu.num_warps = 8 : i32} {
func.func @widened_weights(%p: !tile.ptr<f16>, %wp: !tile.ptr<f16>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 4096 : i32} : () -> tensor<4096xi32, #c>
  %s = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<4096x!tile.ptr<f16>, #c>
  %q = "tile.addptr"(%s, %range) : (tensor<4096x!tile.ptr<f16>, #c>, tensor<4096xi32, #c>) -> tensor<4096x!tile.ptr<f16>, #c>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4096x!tile.ptr<f16>, #c>) -> tensor<4096xf16, #c>
  %w = arith.extf %x : tensor<4096xf16, #c> to tensor<4096xf32, #c>
  %ws = "tile.splat"(%wp) : (!tile.ptr<f16>) -> tensor<4096x!tile.ptr<f16>, #c>
  %wq = "tile.addptr"(%ws, %range) : (tensor<4096x!tile.ptr<f16>, #c>, tensor<4096xi32, #c>) -> tensor<4096x!tile.ptr<f16>, #c>
  %weights = "tile.load"(%wq) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4096x!tile.ptr<f16>, #c>) -> tensor<4096xf16, #c>
  %wide = arith.extf %weights : tensor<4096xf16, #c> to tensor<4096xf32, #c>
  %sum = "tile.reduce"(%w) ({
  ^bb0(%l: f32, %h: f32):
    %c = arith.addf %l, %h : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4096xf32, #c>) -> f32
  %mean = "tile.splat"(%sum) : (f32) -> tensor<4096xf32, #c>
  %d = arith.subf %w, %mean : tensor<4096xf32, #c>
  %y = arith.mulf %d, %wide : tensor<4096xf32, #c>
  %n = arith.truncf %y : tensor<4096xf32, #c> to tensor<4096xf16, #c>
  "tile.store"(%q, %n) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4096x!tile.ptr<f16>, #c>, tensor<4096xf16, #c>) -> ()
  return
}
}

// -----

// What two rows of f16 add up to has as many registers in f32 as both: it is held as it is.
// CHECK-LABEL: func.func @two_sources
// CHECK-NOT: tile_gpu.register_bound
// CHECK-NOT: tile_gpu.rematerialised
// CHECK: return
#b = #tile_gpu.blocked<{size_per_thread = [8], threads_per_warp = [32], warps_per_cta = [8], order = [0]}>
module attributes {tile_gpu.num_warps = 8 : i32} {
func.func @two_sources(%p: !tile.ptr<f16>, %r: !tile.ptr<f16>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 8192 : i32} : () -> tensor<8192xi32, #b>
  %s = "tile.splat"(%p) : (!tile.ptr<f16>) -> tensor<8192x!tile.ptr<f16>, #b>
  %q = "tile.addptr"(%s, %range) : (tensor<8192x!tile.ptr<f16>, #b>, tensor<8192xi32, #b>) -> tensor<8192x!tile.ptr<f16>, #b>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8192x!tile.ptr<f16>, #b>) -> tensor<8192xf16, #b>
  %rs = "tile.splat"(%r) : (!tile.ptr<f16>) -> tensor<8192x!tile.ptr<f16>, #b>
  %rq = "tile.addptr"(%rs, %range) : (tensor<8192x!tile.ptr<f16>, #b>, tensor<8192xi32, #b>) -> tensor<8192x!tile.ptr<f16>, #b>
  %z = "tile.load"(%rq) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8192x!tile.ptr<f16>, #b>) -> tensor<8192xf16, #b>
  %wx = arith.extf %x : tensor<8192xf16, #b> to tensor<8192xf32, #b>
  %wz = arith.extf %z : tensor<8192xf16, #b> to tensor<8192xf32, #b>
  %w = arith.addf %wx, %wz : tensor<8192xf32, #b>
  %sum = "tile.reduce"(%w) ({
  ^bb0(%l: f32, %h: f32):
    %c = arith.addf %l, %h : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8192xf32, #b>) -> f32
  %mean = "tile.splat"(%sum) : (f32) -> tensor<8192xf32, #b>
  %d = arith.subf %w, %mean : tensor<8192xf32, #b>
  %n = arith.truncf %d : tensor<8192xf32, #b> to tensor<8192xf16, #b>
  "tile.store"(%q, %n) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8192x!tile.ptr<f16>, #b>, tensor<8192xf16, #b>) -> ()
  return
}
}

// -----

// MANY-NOT: tile_gpu.rematerialised
// 16 elements a thread are few, 64 (MANY) too many. An exponential is not computed twice.
// CHECK-LABEL: func.func @few
// CHECK-NOT: tile_gpu.rematerialised
// CHECK: return
#b = #tile_gpu.blocked<{size_per_thread = [8], threads_per_warp = [32], warps_per_cta = [8], order = [0]}>
module attributes {tile_gpu.num_warps = 8 : i32} {
func.func @few(%p: !tile.ptr<bf16>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 4096 : i32} : () -> tensor<4096xi32, #b>
  %s = "tile.splat"(%p) : (!tile.ptr<bf16>) -> tensor<4096x!tile.ptr<bf16>, #b>
  %q = "tile.addptr"(%s, %range) : (tensor<4096x!tile.ptr<bf16>, #b>, tensor<4096xi32, #b>) -> tensor<4096x!tile.ptr<bf16>, #b>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4096x!tile.ptr<bf16>, #b>) -> tensor<4096xbf16, #b>
  %w = arith.extf %x : tensor<4096xbf16, #b> to tensor<4096xf32, #b>
  %sum = "tile.reduce"(%w) ({
  ^bb0(%l: f32, %h: f32):
    %c = arith.addf %l, %h : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4096xf32, #b>) -> f32
  %mean = "tile.splat"(%sum) : (f32) -> tensor<4096xf32, #b>
  %d = arith.subf %w, %mean : tensor<4096xf32, #b>
  %n = arith.truncf %d : tensor<4096xf32, #b> to tensor<4096xbf16, #b>
  "tile.store"(%q, %n) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4096x!tile.ptr<bf16>, #b>, tensor<4096xbf16, #b>) -> ()
  return
}

// Nor with 16 registers of weights beside them, which have been loaded before the sum.
// CHECK-LABEL: func.func @few_and_weights
// CHECK-NOT: tile_gpu.rematerialised
// CHECK: return
func.func @few_and_weights(%p: !tile.ptr<bf16>, %wp: !tile.ptr<f32>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 4096 : i32} : () -> tensor<4096xi32, #b>
  %s = "tile.splat"(%p) : (!tile.ptr<bf16>) -> tensor<4096x!tile.ptr<bf16>, #b>
  %q = "tile.addptr"(%s, %range) : (tensor<4096x!tile.ptr<bf16>, #b>, tensor<4096xi32, #b>) -> tensor<4096x!tile.ptr<bf16>, #b>
  %ws = "tile.splat"(%wp) : (!tile.ptr<f32>) -> tensor<4096x!tile.ptr<f32>, #b>
  %wq = "tile.addptr"(%ws, %range) : (tensor<4096x!tile.ptr<f32>, #b>, tensor<4096xi32, #b>) -> tensor<4096x!tile.ptr<f32>, #b>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4096x!tile.ptr<bf16>, #b>) -> tensor<4096xbf16, #b>
  %weights = "tile.load"(%wq) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4096x!tile.ptr<f32>, #b>) -> tensor<4096xf32, #b>
  %w = arith.extf %x : tensor<4096xbf16, #b> to tensor<4096xf32, #b>
  %sum = "tile.reduce"(%w) ({
  ^bb0(%l: f32, %h: f32):
    %c = arith.addf %l, %h : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<4096xf32, #b>) -> f32
  %mean = "tile.splat"(%sum) : (f32) -> tensor<4096xf32, #b>
  %d = arith.subf %w, %mean : tensor<4096xf32, #b>
  %y = arith.mulf %d, %weights : tensor<4096xf32, #b>
  %n = arith.truncf %y : tensor<4096xf32, #b> to tensor<4096xbf16, #b>
  "tile.store"(%q, %n) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4096x!tile.ptr<bf16>, #b>, tensor<4096xbf16, #b>) -> ()
  return
}

// CHECK-LABEL: func.func @exponentials
// CHECK: tile.reduce
// CHECK: arith.extf {{.*}}tile_gpu.rematerialised
// CHECK: math.exp
// CHECK: tile.reduce
// CHECK-NOT: arith.extf
// CHECK-NOT: math.exp
// CHECK: return
func.func @exponentials(%p: !tile.ptr<bf16>) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 8192 : i32} : () -> tensor<8192xi32, #b>
  %s = "tile.splat"(%p) : (!tile.ptr<bf16>) -> tensor<8192x!tile.ptr<bf16>, #b>
  %q = "tile.addptr"(%s, %range) : (tensor<8192x!tile.ptr<bf16>, #b>, tensor<8192xi32, #b>) -> tensor<8192x!tile.ptr<bf16>, #b>
  %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<8192x!tile.ptr<bf16>, #b>) -> tensor<8192xbf16, #b>
  %w = arith.extf %x : tensor<8192xbf16, #b> to tensor<8192xf32, #b>
  %max = "tile.reduce"(%w) ({
  ^bb0(%l: f32, %h: f32):
    %c = arith.maxnumf %l, %h : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8192xf32, #b>) -> f32
  %m = "tile.splat"(%max) : (f32) -> tensor<8192xf32, #b>
  %d = arith.subf %w, %m : tensor<8192xf32, #b>
  %e = math.exp %d : tensor<8192xf32, #b>
  %sum = "tile.reduce"(%e) ({
  ^bb0(%l: f32, %h: f32):
    %c = arith.addf %l, %h : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8192xf32, #b>) -> f32
  %t = "tile.splat"(%sum) : (f32) -> tensor<8192xf32, #b>
  %y = arith.divf %e, %t : tensor<8192xf32, #b>
  %n = arith.truncf %y : tensor<8192xf32, #b> to tensor<8192xbf16, #b>
  "tile.store"(%q, %n) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<8192x!tile.ptr<bf16>, #b>, tensor<8192xbf16, #b>) -> ()
  return
}
}
