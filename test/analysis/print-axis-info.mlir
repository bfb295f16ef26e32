// RUN: tile-opt --tile-print-axis-info --split-input-file --verify-diagnostics %s

// Ranges, splats and hints: where the facts come from. Loops are in print-axis-info-control.mlir,
// comparisons in print-axis-info-masks.mlir, pointers in print-axis-info-pointers.mlir.

// A range is one run; the divisor is that of its first element, and zero is divisible by anything.
func.func @range() {
  // expected-remark @+1 {{contiguity = [64], divisibility = [1073741824], constancy = [1], constant = none}}
  %a = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1], constant = none}}
  %b = "tile.range"() {start = 16 : i32, end = 80 : i32} : () -> tensor<64xi32>
  func.return
}

// -----

// Arguments and constants reach tensors through splats.
func.func @splat(%n: i32 {tile.divisibility = 16 : i32}, %m: i32) {
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [64], constant = none}}
  %a = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1, 1], divisibility = [1, 1], constancy = [16, 64], constant = none}}
  %b = "tile.splat"(%m) : (i32) -> tensor<16x64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [8], constancy = [1], constant = 24}}
  %c = arith.constant 24 : i32
  // expected-remark @+1 {{contiguity = [1], divisibility = [8], constancy = [64], constant = 24}}
  %d = "tile.splat"(%c) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [4], constancy = [64], constant = -12}}
  %e = arith.constant dense<-12> : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1], constant = none}}
  %f = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  func.return
}

// -----

// A hint raises what is known, never lowers it; 48 counts as 16.
func.func @hints(%n: i32, %t: tensor<8x8xi32>) {
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [1], constant = none}}
  %a = arith.addi %n, %n {tile.divisibility = 48 : i32} : i32
  // expected-remark @+1 {{contiguity = [32], divisibility = [16], constancy = [1], constant = none}}
  %b = "tile.range"() {start = 16 : i32, end = 48 : i32, tile.divisibility = 4 : i32} : () -> tensor<32xi32>
  // expected-remark @+1 {{contiguity = [1, 8], divisibility = [4, 16], constancy = [4, 1], constant = none}}
  %c = arith.muli %t, %t {tile.contiguity = [1, 8], tile.divisibility = array<i32: 4, 16>, tile.constancy = array<i64: 4, 1>} : tensor<8x8xi32>
  func.return
}

// -----

// The new dimension of a 2-D index has one position: there, the divisor is that of every element.
func.func @expand_and_broadcast() {
  // expected-remark @+1 {{contiguity = [8], divisibility = [1073741824], constancy = [1], constant = none}}
  %r = "tile.range"() {start = 0 : i32, end = 8 : i32} : () -> tensor<8xi32>
  // expected-remark @+1 {{contiguity = [8, 1], divisibility = [1073741824, 1], constancy = [1, 1], constant = none}}
  %e = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<8xi32>) -> tensor<8x1xi32>
  // expected-remark @+1 {{contiguity = [8, 1], divisibility = [1073741824, 1], constancy = [1, 32], constant = none}}
  %b = "tile.broadcast"(%e) : (tensor<8x1xi32>) -> tensor<8x32xi32>
  func.return
}

// -----

// A sum moves as its moving part does; of two moving parts nothing remains.
func.func @sums(%n: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [64], divisibility = [1073741824], constancy = [1], constant = none}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [64], constant = none}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1], constant = none}}
  %a = arith.addi %s, %r : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1], constant = none}}
  %b = arith.addi %r, %r : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1], constant = none}}
  %c = arith.subi %r, %s : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1], constant = none}}
  %d = arith.subi %s, %r : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [64], constant = none}}
  %e = arith.subi %a, %r : tensor<64xi32>
  func.return
}

// -----

// A product counts every element of a moving factor, so the range adds nothing to the divisor.
func.func @products(%n: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [64], divisibility = [1073741824], constancy = [1], constant = none}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [64], constant = none}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [1], constant = none}}
  %a = arith.muli %r, %s : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [256], constancy = [64], constant = none}}
  %b = arith.muli %s, %s : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [2], constancy = [64], constant = 2}}
  %two = arith.constant dense<2> : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [4], constancy = [1], constant = none}}
  %c = arith.shli %r, %two : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [4], constancy = [64], constant = none}}
  %d = arith.shrsi %s, %two : tensor<64xi32>
  func.return
}

// -----

// Dividing a run gives equal values, the remainder shorter runs, both as far as everything is aligned.
func.func @quotients(%n: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [64], divisibility = [1073741824], constancy = [1], constant = none}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [16], constancy = [64], constant = none}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [16], constant = none}}
  %a = arith.divsi %r, %s : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [16], divisibility = [16], constancy = [1], constant = none}}
  %b = arith.remsi %r, %s : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [4], constancy = [64], constant = 12}}
  %twelve = arith.constant dense<12> : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [4], constant = none}}
  %c = arith.divui %r, %twelve : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [4], divisibility = [4], constancy = [1], constant = none}}
  %d = arith.remui %r, %twelve : tensor<64xi32>
  // Rounding up steps right after each multiple.
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1], constant = none}}
  %e = arith.ceildivsi %r, %twelve : tensor<64xi32>
  func.return
}

// -----

// -4, -3, -2, -1 over 4 is -1, 0, 0, 0: signed division needs a number known not to be negative,
// here by an assumption.
func.func @signs(%n: i32 {tile.divisibility = 16 : i32}, %m: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{constant = -1}}
  %minus_one = arith.constant -1 : i32
  // expected-remark @+1 {{constancy = [1]}}
  %positive = arith.cmpi sgt, %m, %minus_one : i32
  "tile.assume"(%positive) : (i1) -> ()
  // expected-remark @+1 {{constant = 8}}
  %eight = arith.constant dense<8> : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [1073741824]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %any = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16]}}
  %a = arith.addi %any, %r : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1], constant = none}}
  %a_rem = arith.remsi %a, %eight : tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %known = "tile.splat"(%m) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16]}}
  %b = arith.addi %known, %r : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [8], divisibility = [8], constancy = [1], constant = none}}
  %b_rem = arith.remsi %b, %eight : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [8], constant = none}}
  %b_div = arith.divsi %b, %eight : tensor<64xi32>
  func.return
}

// -----

// Masks of low bits let runs through, masks of high bits make equal values, whatever the sign.
func.func @bits(%n: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [64], divisibility = [1073741824]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16]}}
  %x = arith.addi %s, %r : tensor<64xi32>
  // expected-remark @+1 {{constant = 7}}
  %low = arith.constant dense<7> : tensor<64xi32>
  // expected-remark @+1 {{constant = -8}}
  %high = arith.constant dense<-8> : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [8], divisibility = [8], constancy = [1], constant = none}}
  %a = arith.andi %x, %low : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [8], constancy = [8], constant = none}}
  %b = arith.andi %x, %high : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [16], divisibility = [16], constancy = [1], constant = none}}
  %c = arith.ori %r, %s : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [8], divisibility = [8], constancy = [1], constant = none}}
  %d = arith.xori %x, %high : tensor<64xi32>
  func.return
}

// -----

// Sign extension keeps whole runs, zero extension only what cannot wrap; truncation keeps all.
func.func @widths(%n: i32 {tile.divisibility = 4 : i32}) {
  // expected-remark @+1 {{contiguity = [64], divisibility = [1073741824]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [4]}}
  %x = arith.addi %s, %r : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [4], constancy = [1], constant = none}}
  %a = arith.extsi %x : tensor<64xi32> to tensor<64xi64>
  // expected-remark @+1 {{contiguity = [4], divisibility = [4], constancy = [1], constant = none}}
  %b = arith.extui %x : tensor<64xi32> to tensor<64xi64>
  // expected-remark @+1 {{contiguity = [64], divisibility = [4], constancy = [1], constant = none}}
  %c = arith.trunci %a : tensor<64xi64> to tensor<64xi32>
  func.return
}

// -----

// The smaller of two runs in step is one of them; clamping a run keeps no run.
func.func @min_max(%n: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [64], divisibility = [1073741824]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16]}}
  %x = arith.addi %s, %r : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [16], divisibility = [16], constancy = [1], constant = none}}
  %a = arith.minsi %r, %x : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1], constant = none}}
  %b = arith.minsi %r, %s : tensor<64xi32>
  func.return
}

// -----

// What no rule knows has no structure; arithmetic on equal values gives equal values, floats too.
func.func @others(%x: f32) {
  %s = "tile.splat"(%x) : (f32) -> tensor<64xf32>
  %y = math.exp %s : tensor<64xf32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [64], constant = none}}
  %i = arith.fptosi %y : tensor<64xf32> to tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [1], constant = none}}
  %p = "tile.program_id"() {axis = 0 : i32} : () -> i32
  func.return
}
