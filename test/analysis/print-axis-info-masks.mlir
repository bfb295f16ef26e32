// RUN: tile-opt --tile-print-axis-info --split-input-file --verify-diagnostics %s

// What comparisons and selections keep: how many neighbours in a mask are equal.

// With n a multiple of 16, every aligned 16 indices lie wholly below n or wholly above it; with <=
// the first of them may stand alone.
func.func @bounds(%n: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [64]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1], divisibility = [1], constancy = [16], constant = none}}
  %below = arith.cmpi slt, %r, %s : tensor<64xi32>
  // expected-remark @+1 {{constancy = [16]}}
  %not_below = arith.cmpi uge, %r, %s : tensor<64xi32>
  // expected-remark @+1 {{constancy = [1]}}
  %up_to = arith.cmpi sle, %r, %s : tensor<64xi32>
  // expected-remark @+1 {{constancy = [1]}}
  %above = arith.cmpi ugt, %r, %s : tensor<64xi32>
  // expected-remark @+1 {{constancy = [1]}}
  %at = arith.cmpi eq, %r, %s : tensor<64xi32>
  // expected-remark @+1 {{constancy = [16]}}
  %mirrored = arith.cmpi sgt, %s, %r : tensor<64xi32>
  // expected-remark @+1 {{constancy = [1]}}
  %mirrored_up_to = arith.cmpi sge, %s, %r : tensor<64xi32>
  func.return
}

// -----

// i <= 31 is i < 32.
func.func @up_to_a_constant() {
  // expected-remark @+1 {{contiguity = [64]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constant = 31}}
  %last = arith.constant dense<31> : tensor<64xi32>
  // expected-remark @+1 {{constancy = [32]}}
  %up_to = arith.cmpi sle, %r, %last : tensor<64xi32>
  // expected-remark @+1 {{constancy = [1]}}
  %below = arith.cmpi slt, %r, %last : tensor<64xi32>
  func.return
}

// -----

// An index whose start is known to be a multiple of 4 only is compared 4 at a time.
func.func @unaligned_start(%x: i32 {tile.divisibility = 4 : i32}, %n: i32 {tile.divisibility = 16 : i32}) {
  // expected-remark @+1 {{contiguity = [64]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %start = "tile.splat"(%x) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [4]}}
  %i = arith.addi %start, %r : tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{constancy = [4]}}
  %below = arith.cmpi slt, %i, %s : tensor<64xi32>
  func.return
}

// -----

// Masks of two dimensions are joined bit by bit: each dimension keeps the weaker constancy.
func.func @two_dimensions(%m: i32, %n: i32 {tile.divisibility = 8 : i32}) {
  // expected-remark @+1 {{contiguity = [32]}}
  %r = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  // expected-remark @+1 {{constancy = [32]}}
  %sm = "tile.splat"(%m) : (i32) -> tensor<32xi32>
  // expected-remark @+1 {{constancy = [32]}}
  %sn = "tile.splat"(%n) : (i32) -> tensor<32xi32>
  // expected-remark @+1 {{constancy = [1]}}
  %rows = arith.cmpi slt, %r, %sm : tensor<32xi32>
  // expected-remark @+1 {{constancy = [8]}}
  %columns = arith.cmpi slt, %r, %sn : tensor<32xi32>
  // expected-remark @+1 {{constancy = [1, 1]}}
  %e0 = "tile.expand_dims"(%rows) {axis = 1 : i32} : (tensor<32xi1>) -> tensor<32x1xi1>
  // expected-remark @+1 {{constancy = [1, 8]}}
  %e1 = "tile.expand_dims"(%columns) {axis = 0 : i32} : (tensor<32xi1>) -> tensor<1x32xi1>
  // expected-remark @+1 {{constancy = [1, 32]}}
  %b0 = "tile.broadcast"(%e0) : (tensor<32x1xi1>) -> tensor<32x32xi1>
  // expected-remark @+1 {{constancy = [32, 8]}}
  %b1 = "tile.broadcast"(%e1) : (tensor<1x32xi1>) -> tensor<32x32xi1>
  // expected-remark @+1 {{constancy = [1, 8]}}
  %both = arith.andi %b0, %b1 : tensor<32x32xi1>
  func.return
}

// -----

// A selection keeps what both sides have, as long as the condition does not change.
func.func @selection(%n: i32 {tile.divisibility = 16 : i32}, %flag: i1) {
  // expected-remark @+1 {{contiguity = [64]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constancy = [64]}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16]}}
  %x = arith.addi %r, %s : tensor<64xi32>
  // expected-remark @+1 {{constancy = [16]}}
  %mask = arith.cmpi slt, %r, %s : tensor<64xi32>
  // expected-remark @+1 {{contiguity = [16], divisibility = [16], constancy = [1], constant = none}}
  %a = arith.select %mask, %r, %x : tensor<64xi1>, tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64], divisibility = [16], constancy = [1], constant = none}}
  %b = arith.select %flag, %r, %x : tensor<64xi32>
  func.return
}
