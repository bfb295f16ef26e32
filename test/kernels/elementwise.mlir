// Kernels that between them use every operation and type that elementwise, memory and control-flow
// kernels need; test/kernels/elementwise.c has the reference of each.

// out[i, j] = x[i, j] * row_scale[i] + column_bias[j] over a strided matrix; a 32x64 tile a program.
func.func @scale_and_bias(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %row_scale: !tile.ptr<f32>,
                          %column_bias: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                          %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %rows: i32,
                          %columns: i32 {tile.divisibility = 16 : i32},
                          %stride: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %pid_m = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %pid_n = "tile.program_id"() {axis = 1 : i32} : () -> i32
  %m0 = arith.muli %pid_m, %c32 : i32
  %n0 = arith.muli %pid_n, %c64 : i32
  %rm = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %rn = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %ms = "tile.splat"(%m0) : (i32) -> tensor<32xi32>
  %ns = "tile.splat"(%n0) : (i32) -> tensor<64xi32>
  %om = arith.addi %ms, %rm : tensor<32xi32>
  %on = arith.addi %ns, %rn : tensor<64xi32>
  %row_limit = "tile.splat"(%rows) : (i32) -> tensor<32xi32>
  %column_limit = "tile.splat"(%columns) : (i32) -> tensor<64xi32>
  %row_mask = arith.cmpi slt, %om, %row_limit : tensor<32xi32>
  %column_mask = arith.cmpi slt, %on, %column_limit : tensor<64xi32>
  %sp = "tile.splat"(%row_scale) : (!tile.ptr<f32>) -> tensor<32x!tile.ptr<f32>>
  %spo = "tile.addptr"(%sp, %om) : (tensor<32x!tile.ptr<f32>>, tensor<32xi32>) -> tensor<32x!tile.ptr<f32>>
  %scale = "tile.load"(%spo, %row_mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<32x!tile.ptr<f32>>, tensor<32xi1>) -> tensor<32xf32>
  %bp = "tile.splat"(%column_bias) : (!tile.ptr<f32>) -> tensor<64x!tile.ptr<f32>>
  %bpo = "tile.addptr"(%bp, %on) : (tensor<64x!tile.ptr<f32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %bias = "tile.load"(%bpo, %column_mask, %zero) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<64x!tile.ptr<f32>>, tensor<64xi1>, tensor<64xf32>) -> tensor<64xf32>
  %om2 = "tile.expand_dims"(%om) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %on2 = "tile.expand_dims"(%on) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %strides = "tile.splat"(%stride) : (i32) -> tensor<32x1xi32>
  %row_offset = arith.muli %om2, %strides : tensor<32x1xi32>
  %row_offsets = "tile.broadcast"(%row_offset) : (tensor<32x1xi32>) -> tensor<32x64xi32>
  %column_offsets = "tile.broadcast"(%on2) : (tensor<1x64xi32>) -> tensor<32x64xi32>
  %offsets = arith.addi %row_offsets, %column_offsets : tensor<32x64xi32>
  %rm2 = "tile.expand_dims"(%row_mask) {axis = 1 : i32} : (tensor<32xi1>) -> tensor<32x1xi1>
  %cm2 = "tile.expand_dims"(%column_mask) {axis = 0 : i32} : (tensor<64xi1>) -> tensor<1x64xi1>
  %rmb = "tile.broadcast"(%rm2) : (tensor<32x1xi1>) -> tensor<32x64xi1>
  %cmb = "tile.broadcast"(%cm2) : (tensor<1x64xi1>) -> tensor<32x64xi1>
  %mask = arith.andi %rmb, %cmb : tensor<32x64xi1>
  %xp = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<32x64x!tile.ptr<f32>>
  %xpo = "tile.addptr"(%xp, %offsets) : (tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f32>>
  %v = "tile.load"(%xpo, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi1>) -> tensor<32x64xf32>
  %scale2 = "tile.expand_dims"(%scale) {axis = 1 : i32} : (tensor<32xf32>) -> tensor<32x1xf32>
  %scales = "tile.broadcast"(%scale2) : (tensor<32x1xf32>) -> tensor<32x64xf32>
  %bias2 = "tile.expand_dims"(%bias) {axis = 0 : i32} : (tensor<64xf32>) -> tensor<1x64xf32>
  %biases = "tile.broadcast"(%bias2) : (tensor<1x64xf32>) -> tensor<32x64xf32>
  %result = math.fma %v, %scales, %biases : tensor<32x64xf32>
  %op = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<32x64x!tile.ptr<f32>>
  %opo = "tile.addptr"(%op, %offsets) : (tensor<32x64x!tile.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tile.ptr<f32>>
  "tile.store"(%opo, %result, %mask) : (tensor<32x64x!tile.ptr<f32>>, tensor<32x64xf32>, tensor<32x64xi1>) -> ()
  return
}

// out[j, i] = x[i, j] for a 32x32 tile a program, no masks; one of the two accesses is strided. The
// same range names rows and columns.
func.func @transpose(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                     %n: i32 {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %c32 = arith.constant 32 : i32
  %pid_m = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %pid_n = "tile.program_id"() {axis = 1 : i32} : () -> i32
  %m0 = arith.muli %pid_m, %c32 : i32
  %n0 = arith.muli %pid_n, %c32 : i32
  %range = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  %ms = "tile.splat"(%m0) : (i32) -> tensor<32xi32>
  %ns = "tile.splat"(%n0) : (i32) -> tensor<32xi32>
  %om = arith.addi %ms, %range : tensor<32xi32>
  %on = arith.addi %ns, %range : tensor<32xi32>
  %om2 = "tile.expand_dims"(%om) {axis = 1 : i32} : (tensor<32xi32>) -> tensor<32x1xi32>
  %on2 = "tile.expand_dims"(%on) {axis = 0 : i32} : (tensor<32xi32>) -> tensor<1x32xi32>
  %omb = "tile.broadcast"(%om2) : (tensor<32x1xi32>) -> tensor<32x32xi32>
  %onb = "tile.broadcast"(%on2) : (tensor<1x32xi32>) -> tensor<32x32xi32>
  %ss = "tile.splat"(%n) : (i32) -> tensor<32x32xi32>
  %from_row = arith.muli %omb, %ss : tensor<32x32xi32>
  %from = arith.addi %from_row, %onb : tensor<32x32xi32>
  %to_row = arith.muli %onb, %ss : tensor<32x32xi32>
  %to = arith.addi %to_row, %omb : tensor<32x32xi32>
  %xp = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>>
  %xpo = "tile.addptr"(%xp, %from) : (tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f32>>
  %v = "tile.load"(%xpo) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f32>>) -> tensor<32x32xf32>
  %op = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>>
  %opo = "tile.addptr"(%op, %to) : (tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>) -> tensor<32x32x!tile.ptr<f32>>
  "tile.store"(%opo, %v) : (tensor<32x32x!tile.ptr<f32>>, tensor<32x32xf32>) -> ()
  return
}

// out[i] = i-th outer difference: out[i, j] = x[i] - x[j], one 16x16 tile. The loaded vector is used
// along both dimensions.
func.func @outer_difference(%x: !tile.ptr<f32>, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32})
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %xp = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<16x!tile.ptr<f32>>
  %xpo = "tile.addptr"(%xp, %range) : (tensor<16x!tile.ptr<f32>>, tensor<16xi32>) -> tensor<16x!tile.ptr<f32>>
  %rows = "tile.load"(%xpo) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x!tile.ptr<f32>>) -> tensor<16xf32>
  %columns = "tile.load"(%xpo) {operandSegmentSizes = array<i32: 1, 0, 0>, volatile} : (tensor<16x!tile.ptr<f32>>) -> tensor<16xf32>
  %r2 = "tile.expand_dims"(%rows) {axis = 1 : i32} : (tensor<16xf32>) -> tensor<16x1xf32>
  %c2 = "tile.expand_dims"(%columns) {axis = 0 : i32} : (tensor<16xf32>) -> tensor<1x16xf32>
  %rb = "tile.broadcast"(%r2) : (tensor<16x1xf32>) -> tensor<16x16xf32>
  %cb = "tile.broadcast"(%c2) : (tensor<1x16xf32>) -> tensor<16x16xf32>
  %d = arith.subf %rb, %cb : tensor<16x16xf32>
  %i2 = "tile.expand_dims"(%range) {axis = 1 : i32} : (tensor<16xi32>) -> tensor<16x1xi32>
  %j2 = "tile.expand_dims"(%range) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
  %c16 = arith.constant dense<16> : tensor<16x1xi32>
  %i16 = arith.muli %i2, %c16 : tensor<16x1xi32>
  %ib = "tile.broadcast"(%i16) : (tensor<16x1xi32>) -> tensor<16x16xi32>
  %jb = "tile.broadcast"(%j2) : (tensor<1x16xi32>) -> tensor<16x16xi32>
  %o = arith.addi %ib, %jb : tensor<16x16xi32>
  %op = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>>
  %opo = "tile.addptr"(%op, %o) : (tensor<16x16x!tile.ptr<f32>>, tensor<16x16xi32>) -> tensor<16x16x!tile.ptr<f32>>
  "tile.store"(%opo, %d) : (tensor<16x16x!tile.ptr<f32>>, tensor<16x16xf32>) -> ()
  return
}

// A 3-D tile: out[i, j, k] = x[i, j, k] + i * 100 + j * 10 + k over 4x8x16, contiguous, i64 offsets.
func.func @add_indices(%x: !tile.ptr<i64> {tile.divisibility = 16 : i32},
                       %out: !tile.ptr<i64> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %ri = "tile.range"() {start = 0 : i32, end = 4 : i32} : () -> tensor<4xi32>
  %rj = "tile.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
  %rk = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32>
  %i1 = "tile.expand_dims"(%ri) {axis = 1 : i32} : (tensor<4xi32>) -> tensor<4x1xi32>
  %i2 = "tile.expand_dims"(%i1) {axis = 2 : i32} : (tensor<4x1xi32>) -> tensor<4x1x1xi32>
  %j1 = "tile.expand_dims"(%rj) {axis = 0 : i32} : (tensor<8xi32>) -> tensor<1x8xi32>
  %j2 = "tile.expand_dims"(%j1) {axis = 2 : i32} : (tensor<1x8xi32>) -> tensor<1x8x1xi32>
  %k1 = "tile.expand_dims"(%rk) {axis = 0 : i32} : (tensor<16xi32>) -> tensor<1x16xi32>
  %k2 = "tile.expand_dims"(%k1) {axis = 0 : i32} : (tensor<1x16xi32>) -> tensor<1x1x16xi32>
  %ib = "tile.broadcast"(%i2) : (tensor<4x1x1xi32>) -> tensor<4x8x16xi32>
  %jb = "tile.broadcast"(%j2) : (tensor<1x8x1xi32>) -> tensor<4x8x16xi32>
  %kb = "tile.broadcast"(%k2) : (tensor<1x1x16xi32>) -> tensor<4x8x16xi32>
  %i64 = arith.extsi %ib : tensor<4x8x16xi32> to tensor<4x8x16xi64>
  %j64 = arith.extsi %jb : tensor<4x8x16xi32> to tensor<4x8x16xi64>
  %k64 = arith.extsi %kb : tensor<4x8x16xi32> to tensor<4x8x16xi64>
  %c128 = arith.constant dense<128> : tensor<4x8x16xi64>
  %c100 = arith.constant dense<100> : tensor<4x8x16xi64>
  %c16 = arith.constant dense<16> : tensor<4x8x16xi64>
  %c10 = arith.constant dense<10> : tensor<4x8x16xi64>
  %a = arith.muli %i64, %c128 : tensor<4x8x16xi64>
  %b = arith.muli %j64, %c16 : tensor<4x8x16xi64>
  %ab = arith.addi %a, %b : tensor<4x8x16xi64>
  %offsets = arith.addi %ab, %k64 : tensor<4x8x16xi64>
  %xp = "tile.splat"(%x) : (!tile.ptr<i64>) -> tensor<4x8x16x!tile.ptr<i64>>
  %xpo = "tile.addptr"(%xp, %offsets) : (tensor<4x8x16x!tile.ptr<i64>>, tensor<4x8x16xi64>) -> tensor<4x8x16x!tile.ptr<i64>>
  %v = "tile.load"(%xpo) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x8x16x!tile.ptr<i64>>) -> tensor<4x8x16xi64>
  %h = arith.muli %i64, %c100 : tensor<4x8x16xi64>
  %t = arith.muli %j64, %c10 : tensor<4x8x16xi64>
  %ht = arith.addi %h, %t : tensor<4x8x16xi64>
  %htk = arith.addi %ht, %k64 : tensor<4x8x16xi64>
  %w = arith.addi %v, %htk : tensor<4x8x16xi64>
  %op = "tile.splat"(%out) : (!tile.ptr<i64>) -> tensor<4x8x16x!tile.ptr<i64>>
  %opo = "tile.addptr"(%op, %offsets) : (tensor<4x8x16x!tile.ptr<i64>>, tensor<4x8x16xi64>) -> tensor<4x8x16x!tile.ptr<i64>>
  "tile.store"(%opo, %w) : (tensor<4x8x16x!tile.ptr<i64>>, tensor<4x8x16xi64>) -> ()
  return
}

// Branches and loops whose trip count differs by element: the number of Collatz steps of each start
// below 2^20, counted with scf.while on tiles, and negated where a run-time flag says so (scf.if).
func.func @collatz(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>, %negate: i1, %limit: i32)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0> : tensor<128xi32>
  %one = arith.constant dense<1> : tensor<128xi32>
  %two = arith.constant dense<2> : tensor<128xi32>
  %three = arith.constant dense<3> : tensor<128xi32>
  %range = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xp = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %xpo = "tile.addptr"(%xp, %range) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  %start = "tile.load"(%xpo) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<i32>>) -> tensor<128xi32>
  %end:3 = scf.while (%v = %start, %count = %zero, %turn = %c0) : (tensor<128xi32>, tensor<128xi32>, i32) -> (tensor<128xi32>, tensor<128xi32>, i32) {
    %more = arith.cmpi slt, %turn, %limit : i32
    scf.condition(%more) %v, %count, %turn : tensor<128xi32>, tensor<128xi32>, i32
  } do {
  ^bb0(%v: tensor<128xi32>, %count: tensor<128xi32>, %turn: i32):
    %bit = arith.andi %v, %one : tensor<128xi32>
    %odd = arith.cmpi ne, %bit, %zero : tensor<128xi32>
    %active = arith.cmpi ne, %v, %one : tensor<128xi32>
    %half = arith.divsi %v, %two : tensor<128xi32>
    %triple = arith.muli %v, %three : tensor<128xi32>
    %triple1 = arith.addi %triple, %one : tensor<128xi32>
    %next = arith.select %odd, %triple1, %half : tensor<128xi1>, tensor<128xi32>
    %v1 = arith.select %active, %next, %v : tensor<128xi1>, tensor<128xi32>
    %step = arith.extui %active : tensor<128xi1> to tensor<128xi32>
    %count1 = arith.addi %count, %step : tensor<128xi32>
    %turn1 = arith.addi %turn, %c1 : i32
    scf.yield %v1, %count1, %turn1 : tensor<128xi32>, tensor<128xi32>, i32
  }
  %result = scf.if %negate -> (tensor<128xi32>) {
    %n = arith.subi %zero, %end#1 : tensor<128xi32>
    scf.yield %n : tensor<128xi32>
  } else {
    scf.yield %end#1 : tensor<128xi32>
  }
  %op = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %opo = "tile.addptr"(%op, %range) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  "tile.store"(%opo, %result) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  return
}

// A loop whose pointer tile moves by a different amount in each element, so that it cannot be carried
// as one base: out[i] = sum over t < steps of x[i + t * i].
func.func @triangle(%x: !tile.ptr<f32>, %out: !tile.ptr<f32>, %steps: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %range = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %xp = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>>
  %xpo = "tile.addptr"(%xp, %range) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f32>>
  %end:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%p = %xpo, %sum = %zero) -> (tensor<256x!tile.ptr<f32>>, tensor<256xf32>) : i32 {
    %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<f32>>) -> tensor<256xf32>
    %s = arith.addf %sum, %v : tensor<256xf32>
    %q = "tile.addptr"(%p, %range) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f32>>
    scf.yield %q, %s : tensor<256x!tile.ptr<f32>>, tensor<256xf32>
  }
  %op = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>>
  %opo = "tile.addptr"(%op, %range) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f32>>
  "tile.store"(%opo, %end#1) : (tensor<256x!tile.ptr<f32>>, tensor<256xf32>) -> ()
  return
}

// Scalar accesses: each program reads one number and writes its square and the grid's size, through
// pointers that are numbers in between.
func.func @scalars(%x: !tile.ptr<f64>, %out: !tile.ptr<f64>, %sizes: !tile.ptr<i32>)
    attributes {tile.kernel} {
  %pid = "tile.program_id"() {axis = 0 : i32} : () -> i32
  %count = "tile.num_programs"() {axis = 0 : i32} : () -> i32
  %p = "tile.addptr"(%x, %pid) : (!tile.ptr<f64>, i32) -> !tile.ptr<f64>
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f64>) -> f64
  %s = arith.mulf %v, %v : f64
  %address = "tile.ptr_to_int"(%out) : (!tile.ptr<f64>) -> i64
  %c8 = arith.constant 8 : i64
  %pid64 = arith.extsi %pid : i32 to i64
  %bytes = arith.muli %pid64, %c8 : i64
  %moved = arith.addi %address, %bytes : i64
  %q = "tile.int_to_ptr"(%moved) : (i64) -> !tile.ptr<f64>
  "tile.store"(%q, %s) : (!tile.ptr<f64>, f64) -> ()
  %r = "tile.addptr"(%sizes, %pid) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
  "tile.store"(%r, %count) : (!tile.ptr<i32>, i32) -> ()
  return
}

// A called helper: inlined before anything else happens.
func.func private @square(%v: tensor<256xf32>) -> tensor<256xf32> {
  %r = arith.mulf %v, %v : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @call_square(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<256xi32>
  %mask = arith.cmpi slt, %range, %limit : tensor<256xi32>
  %xp = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>>
  %p = "tile.addptr"(%xp, %range) : (tensor<256x!tile.ptr<f32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f32>>
  %v = "tile.load"(%p, %mask) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<256x!tile.ptr<f32>>, tensor<256xi1>) -> tensor<256xf32>
  %s = call @square(%v) : (tensor<256xf32>) -> tensor<256xf32>
  "tile.store"(%p, %s, %mask) : (tensor<256x!tile.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> ()
  return
}

// out[i] = mask[i] ? x[i] : other for i1; the mask is loaded as bytes, so that it differs by element.
func.func @select_i1(%x: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %mask: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<i1> {tile.divisibility = 16 : i32}, %other: i1)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ms = "tile.splat"(%mask) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %mp = "tile.addptr"(%ms, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %m = "tile.load"(%mp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i1>>) -> tensor<512xi1>
  %os = "tile.splat"(%other) : (i1) -> tensor<512xi1>
  %xs = "tile.splat"(%x) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<i1>>, tensor<512xi1>, tensor<512xi1>) -> tensor<512xi1>
  %outs = "tile.splat"(%out) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %op = "tile.addptr"(%outs, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  "tile.store"(%op, %v) : (tensor<512x!tile.ptr<i1>>, tensor<512xi1>) -> ()
  return
}

// The same copy with a mask that is equal over runs of 16: wide accesses, predicated.
func.func @copy_i1(%x: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %other: i1) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<2048xi32>
  %m = arith.cmpi slt, %range, %limit : tensor<2048xi32>
  %os = "tile.splat"(%other) : (i1) -> tensor<2048xi1>
  %xs = "tile.splat"(%x) : (!tile.ptr<i1>) -> tensor<2048x!tile.ptr<i1>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<2048x!tile.ptr<i1>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i1>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>, cache = "cg"} : (tensor<2048x!tile.ptr<i1>>, tensor<2048xi1>, tensor<2048xi1>) -> tensor<2048xi1>
  %outs = "tile.splat"(%out) : (!tile.ptr<i1>) -> tensor<2048x!tile.ptr<i1>>
  %op = "tile.addptr"(%outs, %range) : (tensor<2048x!tile.ptr<i1>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i1>>
  "tile.store"(%op, %v) : (tensor<2048x!tile.ptr<i1>>, tensor<2048xi1>) -> ()
  return
}

// out[i] = mask[i] ? x[i] : other for i8; the mask is loaded as bytes, so that it differs by element.
func.func @select_i8(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32},
                     %mask: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<i8> {tile.divisibility = 16 : i32}, %other: i8)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ms = "tile.splat"(%mask) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %mp = "tile.addptr"(%ms, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %m = "tile.load"(%mp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i1>>) -> tensor<512xi1>
  %os = "tile.splat"(%other) : (i8) -> tensor<512xi8>
  %xs = "tile.splat"(%x) : (!tile.ptr<i8>) -> tensor<512x!tile.ptr<i8>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<i8>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i8>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<i8>>, tensor<512xi1>, tensor<512xi8>) -> tensor<512xi8>
  %outs = "tile.splat"(%out) : (!tile.ptr<i8>) -> tensor<512x!tile.ptr<i8>>
  %op = "tile.addptr"(%outs, %range) : (tensor<512x!tile.ptr<i8>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i8>>
  "tile.store"(%op, %v) : (tensor<512x!tile.ptr<i8>>, tensor<512xi8>) -> ()
  return
}

// The same copy with a mask that is equal over runs of 16: wide accesses, predicated.
func.func @copy_i8(%x: !tile.ptr<i8> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<i8> {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %other: i8) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<2048xi32>
  %m = arith.cmpi slt, %range, %limit : tensor<2048xi32>
  %os = "tile.splat"(%other) : (i8) -> tensor<2048xi8>
  %xs = "tile.splat"(%x) : (!tile.ptr<i8>) -> tensor<2048x!tile.ptr<i8>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<2048x!tile.ptr<i8>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i8>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>, cache = "cg"} : (tensor<2048x!tile.ptr<i8>>, tensor<2048xi1>, tensor<2048xi8>) -> tensor<2048xi8>
  %outs = "tile.splat"(%out) : (!tile.ptr<i8>) -> tensor<2048x!tile.ptr<i8>>
  %op = "tile.addptr"(%outs, %range) : (tensor<2048x!tile.ptr<i8>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i8>>
  "tile.store"(%op, %v) : (tensor<2048x!tile.ptr<i8>>, tensor<2048xi8>) -> ()
  return
}

// out[i] = mask[i] ? x[i] : other for i16; the mask is loaded as bytes, so that it differs by element.
func.func @select_i16(%x: !tile.ptr<i16> {tile.divisibility = 16 : i32},
                     %mask: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<i16> {tile.divisibility = 16 : i32}, %other: i16)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ms = "tile.splat"(%mask) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %mp = "tile.addptr"(%ms, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %m = "tile.load"(%mp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i1>>) -> tensor<512xi1>
  %os = "tile.splat"(%other) : (i16) -> tensor<512xi16>
  %xs = "tile.splat"(%x) : (!tile.ptr<i16>) -> tensor<512x!tile.ptr<i16>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<i16>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i16>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<i16>>, tensor<512xi1>, tensor<512xi16>) -> tensor<512xi16>
  %outs = "tile.splat"(%out) : (!tile.ptr<i16>) -> tensor<512x!tile.ptr<i16>>
  %op = "tile.addptr"(%outs, %range) : (tensor<512x!tile.ptr<i16>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i16>>
  "tile.store"(%op, %v) : (tensor<512x!tile.ptr<i16>>, tensor<512xi16>) -> ()
  return
}

// The same copy with a mask that is equal over runs of 16: wide accesses, predicated.
func.func @copy_i16(%x: !tile.ptr<i16> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<i16> {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %other: i16) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<2048xi32>
  %m = arith.cmpi slt, %range, %limit : tensor<2048xi32>
  %os = "tile.splat"(%other) : (i16) -> tensor<2048xi16>
  %xs = "tile.splat"(%x) : (!tile.ptr<i16>) -> tensor<2048x!tile.ptr<i16>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<2048x!tile.ptr<i16>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i16>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>, cache = "cg"} : (tensor<2048x!tile.ptr<i16>>, tensor<2048xi1>, tensor<2048xi16>) -> tensor<2048xi16>
  %outs = "tile.splat"(%out) : (!tile.ptr<i16>) -> tensor<2048x!tile.ptr<i16>>
  %op = "tile.addptr"(%outs, %range) : (tensor<2048x!tile.ptr<i16>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i16>>
  "tile.store"(%op, %v) : (tensor<2048x!tile.ptr<i16>>, tensor<2048xi16>) -> ()
  return
}

// out[i] = mask[i] ? x[i] : other for i32; the mask is loaded as bytes, so that it differs by element.
func.func @select_i32(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32},
                     %mask: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %other: i32)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ms = "tile.splat"(%mask) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %mp = "tile.addptr"(%ms, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %m = "tile.load"(%mp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i1>>) -> tensor<512xi1>
  %os = "tile.splat"(%other) : (i32) -> tensor<512xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<512x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i32>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<i32>>, tensor<512xi1>, tensor<512xi32>) -> tensor<512xi32>
  %outs = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<512x!tile.ptr<i32>>
  %op = "tile.addptr"(%outs, %range) : (tensor<512x!tile.ptr<i32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i32>>
  "tile.store"(%op, %v) : (tensor<512x!tile.ptr<i32>>, tensor<512xi32>) -> ()
  return
}

// The same copy with a mask that is equal over runs of 16: wide accesses, predicated.
func.func @copy_i32(%x: !tile.ptr<i32> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<i32> {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %other: i32) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<2048xi32>
  %m = arith.cmpi slt, %range, %limit : tensor<2048xi32>
  %os = "tile.splat"(%other) : (i32) -> tensor<2048xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<2048x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i32>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>, cache = "cg"} : (tensor<2048x!tile.ptr<i32>>, tensor<2048xi1>, tensor<2048xi32>) -> tensor<2048xi32>
  %outs = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<2048x!tile.ptr<i32>>
  %op = "tile.addptr"(%outs, %range) : (tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i32>>
  "tile.store"(%op, %v) : (tensor<2048x!tile.ptr<i32>>, tensor<2048xi32>) -> ()
  return
}

// out[i] = mask[i] ? x[i] : other for i64; the mask is loaded as bytes, so that it differs by element.
func.func @select_i64(%x: !tile.ptr<i64> {tile.divisibility = 16 : i32},
                     %mask: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<i64> {tile.divisibility = 16 : i32}, %other: i64)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ms = "tile.splat"(%mask) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %mp = "tile.addptr"(%ms, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %m = "tile.load"(%mp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i1>>) -> tensor<512xi1>
  %os = "tile.splat"(%other) : (i64) -> tensor<512xi64>
  %xs = "tile.splat"(%x) : (!tile.ptr<i64>) -> tensor<512x!tile.ptr<i64>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<i64>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i64>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<i64>>, tensor<512xi1>, tensor<512xi64>) -> tensor<512xi64>
  %outs = "tile.splat"(%out) : (!tile.ptr<i64>) -> tensor<512x!tile.ptr<i64>>
  %op = "tile.addptr"(%outs, %range) : (tensor<512x!tile.ptr<i64>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i64>>
  "tile.store"(%op, %v) : (tensor<512x!tile.ptr<i64>>, tensor<512xi64>) -> ()
  return
}

// The same copy with a mask that is equal over runs of 16: wide accesses, predicated.
func.func @copy_i64(%x: !tile.ptr<i64> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<i64> {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %other: i64) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<2048xi32>
  %m = arith.cmpi slt, %range, %limit : tensor<2048xi32>
  %os = "tile.splat"(%other) : (i64) -> tensor<2048xi64>
  %xs = "tile.splat"(%x) : (!tile.ptr<i64>) -> tensor<2048x!tile.ptr<i64>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<2048x!tile.ptr<i64>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i64>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>, cache = "cg"} : (tensor<2048x!tile.ptr<i64>>, tensor<2048xi1>, tensor<2048xi64>) -> tensor<2048xi64>
  %outs = "tile.splat"(%out) : (!tile.ptr<i64>) -> tensor<2048x!tile.ptr<i64>>
  %op = "tile.addptr"(%outs, %range) : (tensor<2048x!tile.ptr<i64>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<i64>>
  "tile.store"(%op, %v) : (tensor<2048x!tile.ptr<i64>>, tensor<2048xi64>) -> ()
  return
}

// out[i] = mask[i] ? x[i] : other for f16; the mask is loaded as bytes, so that it differs by element.
func.func @select_f16(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                     %mask: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %other: f16)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ms = "tile.splat"(%mask) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %mp = "tile.addptr"(%ms, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %m = "tile.load"(%mp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i1>>) -> tensor<512xi1>
  %os = "tile.splat"(%other) : (f16) -> tensor<512xf16>
  %xs = "tile.splat"(%x) : (!tile.ptr<f16>) -> tensor<512x!tile.ptr<f16>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<f16>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f16>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<f16>>, tensor<512xi1>, tensor<512xf16>) -> tensor<512xf16>
  %outs = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<512x!tile.ptr<f16>>
  %op = "tile.addptr"(%outs, %range) : (tensor<512x!tile.ptr<f16>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f16>>
  "tile.store"(%op, %v) : (tensor<512x!tile.ptr<f16>>, tensor<512xf16>) -> ()
  return
}

// The same copy with a mask that is equal over runs of 16: wide accesses, predicated.
func.func @copy_f16(%x: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<f16> {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %other: f16) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<2048xi32>
  %m = arith.cmpi slt, %range, %limit : tensor<2048xi32>
  %os = "tile.splat"(%other) : (f16) -> tensor<2048xf16>
  %xs = "tile.splat"(%x) : (!tile.ptr<f16>) -> tensor<2048x!tile.ptr<f16>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<2048x!tile.ptr<f16>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f16>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>, cache = "cg"} : (tensor<2048x!tile.ptr<f16>>, tensor<2048xi1>, tensor<2048xf16>) -> tensor<2048xf16>
  %outs = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<2048x!tile.ptr<f16>>
  %op = "tile.addptr"(%outs, %range) : (tensor<2048x!tile.ptr<f16>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f16>>
  "tile.store"(%op, %v) : (tensor<2048x!tile.ptr<f16>>, tensor<2048xf16>) -> ()
  return
}

// out[i] = mask[i] ? x[i] : other for bf16; the mask is loaded as bytes, so that it differs by element.
func.func @select_bf16(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32},
                     %mask: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<bf16> {tile.divisibility = 16 : i32}, %other: bf16)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ms = "tile.splat"(%mask) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %mp = "tile.addptr"(%ms, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %m = "tile.load"(%mp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i1>>) -> tensor<512xi1>
  %os = "tile.splat"(%other) : (bf16) -> tensor<512xbf16>
  %xs = "tile.splat"(%x) : (!tile.ptr<bf16>) -> tensor<512x!tile.ptr<bf16>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<bf16>>, tensor<512xi32>) -> tensor<512x!tile.ptr<bf16>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<bf16>>, tensor<512xi1>, tensor<512xbf16>) -> tensor<512xbf16>
  %outs = "tile.splat"(%out) : (!tile.ptr<bf16>) -> tensor<512x!tile.ptr<bf16>>
  %op = "tile.addptr"(%outs, %range) : (tensor<512x!tile.ptr<bf16>>, tensor<512xi32>) -> tensor<512x!tile.ptr<bf16>>
  "tile.store"(%op, %v) : (tensor<512x!tile.ptr<bf16>>, tensor<512xbf16>) -> ()
  return
}

// The same copy with a mask that is equal over runs of 16: wide accesses, predicated.
func.func @copy_bf16(%x: !tile.ptr<bf16> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<bf16> {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %other: bf16) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<2048xi32>
  %m = arith.cmpi slt, %range, %limit : tensor<2048xi32>
  %os = "tile.splat"(%other) : (bf16) -> tensor<2048xbf16>
  %xs = "tile.splat"(%x) : (!tile.ptr<bf16>) -> tensor<2048x!tile.ptr<bf16>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<bf16>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>, cache = "cg"} : (tensor<2048x!tile.ptr<bf16>>, tensor<2048xi1>, tensor<2048xbf16>) -> tensor<2048xbf16>
  %outs = "tile.splat"(%out) : (!tile.ptr<bf16>) -> tensor<2048x!tile.ptr<bf16>>
  %op = "tile.addptr"(%outs, %range) : (tensor<2048x!tile.ptr<bf16>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<bf16>>
  "tile.store"(%op, %v) : (tensor<2048x!tile.ptr<bf16>>, tensor<2048xbf16>) -> ()
  return
}

// out[i] = mask[i] ? x[i] : other for f32; the mask is loaded as bytes, so that it differs by element.
func.func @select_f32(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                     %mask: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %other: f32)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ms = "tile.splat"(%mask) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %mp = "tile.addptr"(%ms, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %m = "tile.load"(%mp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i1>>) -> tensor<512xi1>
  %os = "tile.splat"(%other) : (f32) -> tensor<512xf32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<f32>>, tensor<512xi1>, tensor<512xf32>) -> tensor<512xf32>
  %outs = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<512x!tile.ptr<f32>>
  %op = "tile.addptr"(%outs, %range) : (tensor<512x!tile.ptr<f32>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f32>>
  "tile.store"(%op, %v) : (tensor<512x!tile.ptr<f32>>, tensor<512xf32>) -> ()
  return
}

// The same copy with a mask that is equal over runs of 16: wide accesses, predicated.
func.func @copy_f32(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %other: f32) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<2048xi32>
  %m = arith.cmpi slt, %range, %limit : tensor<2048xi32>
  %os = "tile.splat"(%other) : (f32) -> tensor<2048xf32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f32>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>, cache = "cg"} : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi1>, tensor<2048xf32>) -> tensor<2048xf32>
  %outs = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<2048x!tile.ptr<f32>>
  %op = "tile.addptr"(%outs, %range) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f32>>
  "tile.store"(%op, %v) : (tensor<2048x!tile.ptr<f32>>, tensor<2048xf32>) -> ()
  return
}

// out[i] = mask[i] ? x[i] : other for f64; the mask is loaded as bytes, so that it differs by element.
func.func @select_f64(%x: !tile.ptr<f64> {tile.divisibility = 16 : i32},
                     %mask: !tile.ptr<i1> {tile.divisibility = 16 : i32},
                     %out: !tile.ptr<f64> {tile.divisibility = 16 : i32}, %other: f64)
    attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32>
  %ms = "tile.splat"(%mask) : (!tile.ptr<i1>) -> tensor<512x!tile.ptr<i1>>
  %mp = "tile.addptr"(%ms, %range) : (tensor<512x!tile.ptr<i1>>, tensor<512xi32>) -> tensor<512x!tile.ptr<i1>>
  %m = "tile.load"(%mp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i1>>) -> tensor<512xi1>
  %os = "tile.splat"(%other) : (f64) -> tensor<512xf64>
  %xs = "tile.splat"(%x) : (!tile.ptr<f64>) -> tensor<512x!tile.ptr<f64>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<512x!tile.ptr<f64>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f64>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<512x!tile.ptr<f64>>, tensor<512xi1>, tensor<512xf64>) -> tensor<512xf64>
  %outs = "tile.splat"(%out) : (!tile.ptr<f64>) -> tensor<512x!tile.ptr<f64>>
  %op = "tile.addptr"(%outs, %range) : (tensor<512x!tile.ptr<f64>>, tensor<512xi32>) -> tensor<512x!tile.ptr<f64>>
  "tile.store"(%op, %v) : (tensor<512x!tile.ptr<f64>>, tensor<512xf64>) -> ()
  return
}

// The same copy with a mask that is equal over runs of 16: wide accesses, predicated.
func.func @copy_f64(%x: !tile.ptr<f64> {tile.divisibility = 16 : i32},
                   %out: !tile.ptr<f64> {tile.divisibility = 16 : i32},
                   %n: i32 {tile.divisibility = 16 : i32}, %other: f64) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 2048 : i32} : () -> tensor<2048xi32>
  %limit = "tile.splat"(%n) : (i32) -> tensor<2048xi32>
  %m = arith.cmpi slt, %range, %limit : tensor<2048xi32>
  %os = "tile.splat"(%other) : (f64) -> tensor<2048xf64>
  %xs = "tile.splat"(%x) : (!tile.ptr<f64>) -> tensor<2048x!tile.ptr<f64>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<2048x!tile.ptr<f64>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f64>>
  %v = "tile.load"(%xp, %m, %os) {operandSegmentSizes = array<i32: 1, 1, 1>, cache = "cg"} : (tensor<2048x!tile.ptr<f64>>, tensor<2048xi1>, tensor<2048xf64>) -> tensor<2048xf64>
  %outs = "tile.splat"(%out) : (!tile.ptr<f64>) -> tensor<2048x!tile.ptr<f64>>
  %op = "tile.addptr"(%outs, %range) : (tensor<2048x!tile.ptr<f64>>, tensor<2048xi32>) -> tensor<2048x!tile.ptr<f64>>
  "tile.store"(%op, %v) : (tensor<2048x!tile.ptr<f64>>, tensor<2048xf64>) -> ()
  return
}
