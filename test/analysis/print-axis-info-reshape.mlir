// RUN: tile-opt --tile-print-axis-info --split-input-file --verify-diagnostics %s

// Elements keep their row-major order through tile.reshape. A run stays one in a longer dimension and is cut by
// a shorter one; a dimension that counts in steps within another has none.
func.func @runs() {
  // expected-remark @+1 {{contiguity = [64]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [1, 1, 4], divisibility = [1, 1, 4], constancy = [1, 1, 1]}}
  %three = "tile.reshape"(%r) : (tensor<64xi32>) -> tensor<4x4x4xi32>
  // expected-remark @+1 {{contiguity = [1, 1, 4], divisibility = [1, 1, 4], constancy = [1, 1, 1]}}
  %rows = "tile.reshape"(%three) : (tensor<4x4x4xi32>) -> tensor<16x1x4xi32>
  // expected-remark @+1 {{contiguity = [4], divisibility = [4], constancy = [1]}}
  %flat = "tile.reshape"(%rows) : (tensor<16x1x4xi32>) -> tensor<64xi32>
  func.return
}

// -----

// What is equal stays so, over as many dimensions as it fills.
func.func @constancy(%n: i32 {tile.divisibility = 8 : i32}) {
  // expected-remark @+1 {{constancy = [64]}}
  %s = "tile.splat"(%n) : (i32) -> tensor<64xi32>
  // expected-remark @+1 {{divisibility = [8, 8], constancy = [16, 4]}}
  %t = "tile.reshape"(%s) : (tensor<64xi32>) -> tensor<16x4xi32>
  // expected-remark @+1 {{divisibility = [8], constancy = [64]}}
  %u = "tile.reshape"(%t) : (tensor<16x4xi32>) -> tensor<64xi32>
  // expected-remark @+1 {{contiguity = [64]}}
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  // expected-remark @+1 {{constant = 16}}
  %c = arith.constant dense<16> : tensor<64xi32>
  // expected-remark @+1 {{constancy = [16]}}
  %q = arith.divui %r, %c : tensor<64xi32>
  // expected-remark @+1 {{constancy = [2, 8]}}
  %v = "tile.reshape"(%q) : (tensor<64xi32>) -> tensor<8x8xi32>
  // expected-remark @+1 {{constancy = [1, 4, 4]}}
  %w = "tile.reshape"(%v) : (tensor<8x8xi32>) -> tensor<4x4x4xi32>
  func.return
}
