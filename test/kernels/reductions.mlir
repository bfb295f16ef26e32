// Row-wise kernels: softmax, layer normalisation, cumulative sums, argmax. The row length is a run-time
// argument, as are the strides.

// out[row] = exp(x - max) / sum exp(x - max), f32.
func.func @softmax(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %columns: i32) attributes {tile.kernel} {
  %row = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %start = arith.muli %row, %columns : i32
  %range = "tile.range"() {start = 0 : i32, end = 1024 : i32} : () -> tensor<1024xi32>
  %n = "tile.splat"(%columns) : (i32) -> tensor<1024xi32>
  %mask = arith.cmpi slt, %range, %n : tensor<1024xi32>
  %xr = "tile.addptr"(%x, %start) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %xs = "tile.splat"(%xr) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  %least = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %v = "tile.load"(%xp, %mask, %least) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi1>, tensor<1024xf32>) -> tensor<1024xf32>
  %max = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
  %maxs = "tile.splat"(%max) : (f32) -> tensor<1024xf32>
  %d = arith.subf %v, %maxs : tensor<1024xf32>
  %e = math.exp %d : tensor<1024xf32>
  %sum = "tile.reduce"(%e) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<1024xf32>) -> f32
  %sums = "tile.splat"(%sum) : (f32) -> tensor<1024xf32>
  %q = arith.divf %e, %sums : tensor<1024xf32>
  %or = "tile.addptr"(%out, %start) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %os = "tile.splat"(%or) : (!tile.ptr<f32>) -> tensor<1024x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %range) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>) -> tensor<1024x!tile.ptr<f32>>
  "tile.store"(%op, %q, %mask) : (tensor<1024x!tile.ptr<f32>>, tensor<1024xf32>, tensor<1024xi1>) -> ()
  return
}

// The same on eight rows at a time, f16 in memory and f32 inside: the maxima and sums are one a row.
func.func @softmax_rows(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>, %rows: i32, %columns: i32) attributes {tile.kernel} {
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %c8 = arith.constant 8 : i32
  %first = arith.muli %pid, %c8 : i32
  %r8 = "tile.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
  %firsts = "tile.splat"(%first) : (i32) -> tensor<8xi32>
  %row = arith.addi %r8, %firsts : tensor<8xi32>
  %column = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %row1 = "tile.expand_dims"(%row) {axis = 1 : i32} : (tensor<8xi32>) -> tensor<8x1xi32>
  %column1 = "tile.expand_dims"(%column) {axis = 0 : i32} : (tensor<128xi32>) -> tensor<1x128xi32>
  %row2 = "tile.broadcast"(%row1) : (tensor<8x1xi32>) -> tensor<8x128xi32>
  %column2 = "tile.broadcast"(%column1) : (tensor<1x128xi32>) -> tensor<8x128xi32>
  %ms = "tile.splat"(%rows) : (i32) -> tensor<8x128xi32>
  %ns = "tile.splat"(%columns) : (i32) -> tensor<8x128xi32>
  %in_rows = arith.cmpi slt, %row2, %ms : tensor<8x128xi32>
  %in_columns = arith.cmpi slt, %column2, %ns : tensor<8x128xi32>
  %mask = arith.andi %in_rows, %in_columns : tensor<8x128xi1>
  %starts = arith.muli %row2, %ns : tensor<8x128xi32>
  %offsets = arith.addi %starts, %column2 : tensor<8x128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f16>) -> tensor<8x128x!tile.ptr<f16>>
  %xp = "tile.addptr"(%xs, %offsets) : (tensor<8x128x!tile.ptr<f16>>, tensor<8x128xi32>) -> tensor<8x128x!tile.ptr<f16>>
  %least = arith.constant dense<0xFC00> : tensor<8x128xf16>
  %h = "tile.load"(%xp, %mask, %least) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<8x128x!tile.ptr<f16>>, tensor<8x128xi1>, tensor<8x128xf16>) -> tensor<8x128xf16>
  %v = arith.extf %h : tensor<8x128xf16> to tensor<8x128xf32>
  %max = "tile.reduce"(%v) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8x128xf32>) -> tensor<8xf32>
  %max1 = "tile.expand_dims"(%max) {axis = 1 : i32} : (tensor<8xf32>) -> tensor<8x1xf32>
  %max2 = "tile.broadcast"(%max1) : (tensor<8x1xf32>) -> tensor<8x128xf32>
  %d = arith.subf %v, %max2 : tensor<8x128xf32>
  %e = math.exp %d : tensor<8x128xf32>
  %sum = "tile.reduce"(%e) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    "gpu.yield"(%c) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8x128xf32>) -> tensor<8xf32>
  %sum1 = "tile.expand_dims"(%sum) {axis = 1 : i32} : (tensor<8xf32>) -> tensor<8x1xf32>
  %sum2 = "tile.broadcast"(%sum1) : (tensor<8x1xf32>) -> tensor<8x128xf32>
  %q = arith.divf %e, %sum2 : tensor<8x128xf32>
  %qh = arith.truncf %q : tensor<8x128xf32> to tensor<8x128xf16>
  %os = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<8x128x!tile.ptr<f16>>
  %op = "tile.addptr"(%os, %offsets) : (tensor<8x128x!tile.ptr<f16>>, tensor<8x128xi32>) -> tensor<8x128x!tile.ptr<f16>>
  "tile.store"(%op, %qh, %mask) : (tensor<8x128x!tile.ptr<f16>>, tensor<8x128xf16>, tensor<8x128xi1>) -> ()
  return
}

// Mean and variance in one reduction of three operands (Welford's merge), in a loop over blocks of the row;
// then the normalised row. bf16 in memory.
func.func @layernorm(%x: !tile.ptr<bf16>, %weight: !tile.ptr<bf16>, %bias: !tile.ptr<bf16>,
                     %out: !tile.ptr<bf16>, %mean_out: !tile.ptr<f32>, %columns: i32, %eps: f32) attributes {tile.kernel} {
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %start = arith.muli %pid, %columns : i32
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<256xf32>
  %zeros16 = arith.constant dense<0.0> : tensor<256xbf16>
  %range = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %ns = "tile.splat"(%columns) : (i32) -> tensor<256xi32>
  %xr = "tile.addptr"(%x, %start) : (!tile.ptr<bf16>, i32) -> !tile.ptr<bf16>
  %xs = "tile.splat"(%xr) : (!tile.ptr<bf16>) -> tensor<256x!tile.ptr<bf16>>
  %or = "tile.addptr"(%out, %start) : (!tile.ptr<bf16>, i32) -> !tile.ptr<bf16>
  %os = "tile.splat"(%or) : (!tile.ptr<bf16>) -> tensor<256x!tile.ptr<bf16>>
  %means, %squares, %counts = scf.for %i = %c0 to %columns step %c256 iter_args(%m = %zeros, %s = %zeros, %n = %zeros) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) : i32 {
    %is = "tile.splat"(%i) : (i32) -> tensor<256xi32>
    %at = arith.addi %is, %range : tensor<256xi32>
    %mask = arith.cmpi slt, %at, %ns : tensor<256xi32>
    %xp = "tile.addptr"(%xs, %at) : (tensor<256x!tile.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tile.ptr<bf16>>
    %h = "tile.load"(%xp, %mask, %zeros16) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<256x!tile.ptr<bf16>>, tensor<256xi1>, tensor<256xbf16>) -> tensor<256xbf16>
    %v = arith.extf %h : tensor<256xbf16> to tensor<256xf32>
    %ones = arith.constant dense<1.0> : tensor<256xf32>
    %n1 = arith.addf %n, %ones : tensor<256xf32>
    %d = arith.subf %v, %m : tensor<256xf32>
    %step = arith.divf %d, %n1 : tensor<256xf32>
    %m1 = arith.addf %m, %step : tensor<256xf32>
    %d1 = arith.subf %v, %m1 : tensor<256xf32>
    %p = arith.mulf %d, %d1 : tensor<256xf32>
    %s1 = arith.addf %s, %p : tensor<256xf32>
    %m2 = arith.select %mask, %m1, %m : tensor<256xi1>, tensor<256xf32>
    %s2 = arith.select %mask, %s1, %s : tensor<256xi1>, tensor<256xf32>
    %n2 = arith.select %mask, %n1, %n : tensor<256xi1>, tensor<256xf32>
    scf.yield %m2, %s2, %n2 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
  }
  %mean, %square, %count = "tile.reduce"(%means, %squares, %counts) ({
  ^bb0(%am: f32, %as: f32, %an: f32, %bm: f32, %bs: f32, %bn: f32):
    %n = arith.addf %an, %bn : f32
    %some = arith.cmpf ogt, %n, %zero : f32
    %divisor = arith.select %some, %n, %one : f32
    %d = arith.subf %bm, %am : f32
    %f = arith.divf %bn, %divisor : f32
    %df = arith.mulf %d, %f : f32
    %m = arith.addf %am, %df : f32
    %dd = arith.mulf %d, %df : f32
    %ddn = arith.mulf %dd, %an : f32
    %s = arith.addf %as, %bs : f32
    %s1 = arith.addf %s, %ddn : f32
    "gpu.yield"(%m, %s1, %n) : (f32, f32, f32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (f32, f32, f32)
  %mp = "tile.addptr"(%mean_out, %pid) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  "tile.store"(%mp, %mean) : (!tile.ptr<f32>, f32) -> ()
  %variance = arith.divf %square, %count : f32
  %ve = arith.addf %variance, %eps : f32
  %scale = math.rsqrt %ve : f32
  %mean_t = "tile.splat"(%mean) : (f32) -> tensor<256xf32>
  %scale_t = "tile.splat"(%scale) : (f32) -> tensor<256xf32>
  %wsp = "tile.splat"(%weight) : (!tile.ptr<bf16>) -> tensor<256x!tile.ptr<bf16>>
  %bsp = "tile.splat"(%bias) : (!tile.ptr<bf16>) -> tensor<256x!tile.ptr<bf16>>
  scf.for %i = %c0 to %columns step %c256 : i32 {
    %is = "tile.splat"(%i) : (i32) -> tensor<256xi32>
    %at = arith.addi %is, %range : tensor<256xi32>
    %mask = arith.cmpi slt, %at, %ns : tensor<256xi32>
    %xp = "tile.addptr"(%xs, %at) : (tensor<256x!tile.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tile.ptr<bf16>>
    %wp = "tile.addptr"(%wsp, %at) : (tensor<256x!tile.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tile.ptr<bf16>>
    %bp = "tile.addptr"(%bsp, %at) : (tensor<256x!tile.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tile.ptr<bf16>>
    %xh = "tile.load"(%xp, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<256x!tile.ptr<bf16>>, tensor<256xi1>) -> tensor<256xbf16>
    %wh = "tile.load"(%wp, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<256x!tile.ptr<bf16>>, tensor<256xi1>) -> tensor<256xbf16>
    %bh = "tile.load"(%bp, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<256x!tile.ptr<bf16>>, tensor<256xi1>) -> tensor<256xbf16>
    %v = arith.extf %xh : tensor<256xbf16> to tensor<256xf32>
    %w = arith.extf %wh : tensor<256xbf16> to tensor<256xf32>
    %b = arith.extf %bh : tensor<256xbf16> to tensor<256xf32>
    %d = arith.subf %v, %mean_t : tensor<256xf32>
    %u = arith.mulf %d, %scale_t : tensor<256xf32>
    %uw = arith.mulf %u, %w : tensor<256xf32>
    %y = arith.addf %uw, %b : tensor<256xf32>
    %yh = arith.truncf %y : tensor<256xf32> to tensor<256xbf16>
    %op = "tile.addptr"(%os, %at) : (tensor<256x!tile.ptr<bf16>>, tensor<256xi32>) -> tensor<256x!tile.ptr<bf16>>
    "tile.store"(%op, %yh, %mask) : (tensor<256x!tile.ptr<bf16>>, tensor<256xbf16>, tensor<256xi1>) -> ()
  }
  return
}

// out[row][i] = x[row][0] + ... + x[row][i], 16 rows of 64 a program; and the same down the columns, from
// the last row up.
func.func @cumulative(%x: !tile.ptr<i32>, %along: !tile.ptr<i32>, %up: !tile.ptr<i32>) attributes {tile.kernel} {
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %c1024 = arith.constant 1024 : i32
  %c64 = arith.constant dense<64> : tensor<16x64xi32>
  %start = arith.muli %pid, %c1024 : i32
  %row = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %column = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %row1 = "tile.expand_dims"(%row) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
  %column1 = "tile.expand_dims"(%column) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %row2 = "tile.broadcast"(%row1) : (tensor<16x1xi32>) -> tensor<16x64xi32>
  %column2 = "tile.broadcast"(%column1) : (tensor<1x64xi32>) -> tensor<16x64xi32>
  %lines = arith.muli %row2, %c64 : tensor<16x64xi32>
  %offsets = arith.addi %lines, %column2 : tensor<16x64xi32>
  %xr = "tile.addptr"(%x, %start) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %xs = "tile.splat"(%xr) : (!tile.ptr<i32>) -> tensor<16x64x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %offsets) : (tensor<16x64x!tile.ptr<i32>>, tensor<16x64xi32>) -> tensor<16x64x!tile.ptr<i32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x64x!tile.ptr<i32>>) -> tensor<16x64xi32>
  %a = "tile.scan"(%v) ({
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    "gpu.yield"(%s) : (i32) -> ()
  }) {axis = 1 : i32, reverse = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x64xi32>) -> tensor<16x64xi32>
  %u = "tile.scan"(%v) ({
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    "gpu.yield"(%s) : (i32) -> ()
  }) {axis = 0 : i32, reverse = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<16x64xi32>) -> tensor<16x64xi32>
  %ar = "tile.addptr"(%along, %start) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %as = "tile.splat"(%ar) : (!tile.ptr<i32>) -> tensor<16x64x!tile.ptr<i32>>
  %ap = "tile.addptr"(%as, %offsets) : (tensor<16x64x!tile.ptr<i32>>, tensor<16x64xi32>) -> tensor<16x64x!tile.ptr<i32>>
  "tile.store"(%ap, %a) : (tensor<16x64x!tile.ptr<i32>>, tensor<16x64xi32>) -> ()
  %ur = "tile.addptr"(%up, %start) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  %us = "tile.splat"(%ur) : (!tile.ptr<i32>) -> tensor<16x64x!tile.ptr<i32>>
  %up2 = "tile.addptr"(%us, %offsets) : (tensor<16x64x!tile.ptr<i32>>, tensor<16x64xi32>) -> tensor<16x64x!tile.ptr<i32>>
  "tile.store"(%up2, %u) : (tensor<16x64x!tile.ptr<i32>>, tensor<16x64xi32>) -> ()
  return
}

// The place of the largest element of a row, the first of equal ones; elements after the end do not count.
func.func @argmax(%x: !tile.ptr<f32>, %out: !tile.ptr<i32>, %columns: i32) attributes {tile.kernel} {
  %row = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %start = arith.muli %row, %columns : i32
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %n = "tile.splat"(%columns) : (i32) -> tensor<512xi32>
  %mask = arith.cmpi slt, %range, %n : tensor<512xi32>
  %xr = "tile.addptr"(%x, %start) : (!tile.ptr<f32>, i32) -> !tile.ptr<f32>
  %xs = "tile.splat"(%xr) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %least = arith.constant dense<0xFF800000> : tensor<512xf32>
  %v = "tile.load"(%xp, %mask, %least) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<f32>>, tensor<512xi1>, tensor<512xf32>) -> tensor<512xf32>
  %max, %place = "tile.reduce"(%v, %range) ({
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %more = arith.cmpf ogt, %a, %b : f32
    %same = arith.cmpf oeq, %a, %b : f32
    %first = arith.cmpi slt, %i, %j : i32
    %tie = arith.andi %same, %first : i1
    %left = arith.ori %more, %tie : i1
    %value = arith.select %left, %a, %b : f32
    %index = arith.select %left, %i, %j : i32
    "gpu.yield"(%value, %index) : (f32, i32) -> ()
  }) {axis = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<512xf32>, tensor<512xi32>) -> (f32, i32)
  %op = "tile.addptr"(%out, %row) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  "tile.store"(%op, %place) : (!tile.ptr<i32>, i32) -> ()
  return
}
