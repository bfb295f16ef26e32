// Loops of products with stores in them, under the module's number of stages: operands are loaded ahead where no store of the loop
// goes through the same argument.
// RUN: tile-opt "--pass-pipeline=builtin.module(tile-assign-layouts,tile-gpu-coalesce,tile-gpu-accelerate-dot,tile-cleanup,tile-gpu-print-schedule)" --verify-only --verify-diagnostics %s

module attributes {tile.num_stages = 3 : i32, tile_gpu.target = "sm_80"} {

// One loop over the steps of all tiles. A step's address is computed in a branch, which is computed ahead as a whole; the last step
// of a tile stores.
func.func @steps(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32>, %n: i32, %steps: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %column = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %columns = "tile.broadcast"(%column) : (tensor<1x32xi32>) -> tensor<32x32xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  %cs = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>>
  scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %tile = %c0, %start = %c0) -> (tensor<32x32xf32>, i32, i32) : i32 {
    %k = arith.remsi %i, %steps : i32
    %first = arith.cmpi eq, %k, %c0 : i32
    %now:2 = scf.if %first -> (i32, i32) {
      %t = arith.addi %tile, %c1 : i32
      %s = arith.divsi %t, %steps : i32
      %m = arith.muli %s, %c32 : i32
      scf.yield %t, %m : i32, i32
    } else {
      scf.yield %tile, %start : i32, i32
    }
    %ms = "tile.splat"(%now#1) : (i32) -> tensor<32x32xi32>
    %at = arith.addi %ms, %columns : tensor<32x32xi32>
    %ap = "tile.addptr"(%as, %at) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
    %bp = "tile.addptr"(%bs, %at) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
    // expected-remark @+1 {{stage 0, 2 ahead by asynchronous copy: 3 buffers of 2048 bytes}}
    %x = "tile.load"(%ap) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f16>>) -> tensor<32x32xf16>
    // expected-remark @+1 {{stage 0, 2 ahead by asynchronous copy: 3 buffers of 2048 bytes}}
    %y = "tile.load"(%bp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f16>>) -> tensor<32x32xf16>
    %d = "tile.dot"(%x, %y, %sum) {precision = "tf32"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %last = arith.cmpi ne, %k, %c0 : i32
    scf.if %last {
      "tile.store"(%cs, %d) : (tensor<32x32x!tile.ptr<f32>>, tensor<32x32xf32>) -> ()
    }
    scf.yield %d, %now#0, %now#1 : tensor<32x32xf32>, i32, i32
  }
  return
}

// What is stored may be what the next iteration multiplies. A branch with a load in it is not computed ahead.
func.func @same(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %index: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<32x32xf32>) : i32 {
    // expected-remark @+1 {{stays in its iteration: the loop stores through the same argument, or through one that is not known}}
    %x = "tile.load"(%as) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f16>>) -> tensor<32x32xf16>
    %first = arith.cmpi eq, %i, %c0 : i32
    %offset = scf.if %first -> (i32) {
      %l = "tile.load"(%index) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<i32>) -> i32
      scf.yield %l : i32
    } else {
      scf.yield %i : i32
    }
    %os = "tile.splat"(%offset) : (i32) -> tensor<32x32xi32>
    %bp = "tile.addptr"(%bs, %os) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
    // expected-remark @+1 {{stays in its iteration: its address or mask depends on a load or on other work of the loop}}
    %y = "tile.load"(%bp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f16>>) -> tensor<32x32xf16>
    %d = "tile.dot"(%x, %y, %sum) {precision = "tf32"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %h = arith.truncf %d : tensor<32x32xf32> to tensor<32x32xf16>
    "tile.store"(%as, %h) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xf16>) -> ()
    scf.yield %d : tensor<32x32xf32>
  }
  return
}

// A loop over tiles around one over k: the inner one.
func.func @nested(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %b: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant dense<32> : tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %r = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %column = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %columns = "tile.broadcast"(%column) : (tensor<1x32xi32>) -> tensor<32x32xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  %bs = "tile.splat"(%b) : (!tile.ptr<f16>) -> tensor<32x32x!tile.ptr<f16>>
  %cs = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>>
  %ap = "tile.addptr"(%as, %columns) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
  %bp = "tile.addptr"(%bs, %columns) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
  scf.for %i = %c0 to %n step %c1 iter_args(%q = %ap) -> (tensor<32x32x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f16>>) -> tensor<32x32xf16>
    %sum:2 = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero, %p = %bp) -> (tensor<32x32xf32>, tensor<32x32x!tile.ptr<f16>>) : i32 {
      // expected-remark @+1 {{stage 0, 2 ahead by asynchronous copy: 3 buffers of 2048 bytes}}
      %y = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f16>>) -> tensor<32x32xf16>
      %d = "tile.dot"(%x, %y, %s) {precision = "tf32"} : (tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      %next = "tile.addptr"(%p, %c32) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
      scf.yield %d, %next : tensor<32x32xf32>, tensor<32x32x!tile.ptr<f16>>
    }
    "tile.store"(%cs, %sum#0) : (tensor<32x32x!tile.ptr<f32>>, tensor<32x32xf32>) -> ()
    %next = "tile.addptr"(%q, %c32) : (tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f16>>
    scf.yield %next : tensor<32x32x!tile.ptr<f16>>
  }
  return
}

// A recurrence: where the store goes is known before the loop.
func.func @recurrence(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  %at = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %zero) -> (tensor<128xf32>) : i32 {
    %row = arith.muli %i, %c128 : i32
    %rows = "tile.splat"(%row) : (i32) -> tensor<128xi32>
    %o = arith.addi %rows, %at : tensor<128xi32>
    %pp = "tile.addptr"(%ps, %o) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    // expected-remark @+1 {{stage 0, 3 ahead in registers: 3 words a thread}}
    %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
    %z = arith.addf %x, %x : tensor<128xf32>
    %y = arith.addf %h, %z : tensor<128xf32>
    %to = "tile.addptr"(%qs, %o) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    "tile.store"(%to, %y) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
    scf.yield %y : tensor<128xf32>
  }
  return
}

// Nothing is known of where the elements of one position lie.
func.func @tangled(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  %at = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %zero) -> (tensor<128xf32>) : i32 {
    %row = arith.muli %i, %c128 : i32
    %rows = "tile.splat"(%row) : (i32) -> tensor<128xi32>
    %o = arith.addi %rows, %at : tensor<128xi32>
    %pp = "tile.addptr"(%ps, %o) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    // expected-remark @+1 {{stays in its iteration: a store of the loop may change it before its iteration}}
    %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
    %z = arith.addf %x, %x : tensor<128xf32>
    %y = arith.addf %h, %z : tensor<128xf32>
    %mixed = arith.xori %rows, %at : tensor<128xi32>
    %to = "tile.addptr"(%qs, %mixed) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    "tile.store"(%to, %y) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
    scf.yield %y : tensor<128xf32>
  }
  return
}

// The row that is loaded two iterations later.
func.func @row_after_next(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  %at = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %zero) -> (tensor<128xf32>) : i32 {
    %row = arith.muli %i, %c128 : i32
    %rows = "tile.splat"(%row) : (i32) -> tensor<128xi32>
    %o = arith.addi %rows, %at : tensor<128xi32>
    %pp = "tile.addptr"(%ps, %o) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    // expected-remark @+1 {{stays in its iteration: a store of the loop may change it before its iteration}}
    %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
    %z = arith.addf %x, %x : tensor<128xf32>
    %y = arith.addf %h, %z : tensor<128xf32>
    %later = arith.addi %i, %c2 : i32
    %there = arith.muli %later, %c128 : i32
    %theres = "tile.splat"(%there) : (i32) -> tensor<128xi32>
    %t = arith.addi %theres, %at : tensor<128xi32>
    %to = "tile.addptr"(%ps, %t) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    "tile.store"(%to, %y) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
    scf.yield %y : tensor<128xf32>
  }
  return
}

// Where threads wait for one another, and where no iteration needs the one before, loads stay.
func.func @reduces(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  %at = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %zero) -> (tensor<128xf32>) : i32 {
    %row = arith.muli %i, %c128 : i32
    %rows = "tile.splat"(%row) : (i32) -> tensor<128xi32>
    %o = arith.addi %rows, %at : tensor<128xi32>
    %pp = "tile.addptr"(%ps, %o) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
    %all = "tile.reduce"(%x) ({
    ^bb0(%l: f32, %r: f32):
      %k = arith.addf %l, %r : f32
      "gpu.yield"(%k) : (f32) -> ()
    }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128xf32>) -> f32
    %z = "tile.splat"(%all) : (f32) -> tensor<128xf32>
    %y = arith.addf %h, %z : tensor<128xf32>
    %to = "tile.addptr"(%qs, %o) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    "tile.store"(%to, %y) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
    scf.yield %y : tensor<128xf32>
  }
  return
}

func.func @streams(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0.0> : tensor<128xf32>
  %at = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %c128 : i32
    %rows = "tile.splat"(%row) : (i32) -> tensor<128xi32>
    %o = arith.addi %rows, %at : tensor<128xi32>
    %pp = "tile.addptr"(%ps, %o) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    %x = "tile.load"(%pp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
    %z = arith.addf %x, %x : tensor<128xf32>
    %y = arith.addf %z, %z : tensor<128xf32>
    %to = "tile.addptr"(%qs, %o) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    "tile.store"(%to, %y) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
  }
  return
}
}
