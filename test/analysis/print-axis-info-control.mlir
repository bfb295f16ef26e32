// RUN: tile-opt --tile-print-axis-info --split-input-file --verify-diagnostics %s

// Structured control flow: a value that may come from two places has what both have.

// The index of a loop is lower + n * step; a carried pointer keeps the alignment that every step has.
func.func @for(%p: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) {
  // expected-remark @+1 {{constant = 0}}
  %zero = arith.constant 0 : i32
  // expected-remark @+1 {{constant = 32}}
  %step = arith.constant 32 : i32
  // expected-remark @+1 {{contiguity = [32]}}
  %r = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32>
  // expected-remark @+1 {{constant = 32}}
  %steps = "tile.splat"(%step) : (i32) -> tensor<32xi32>
  // expected-remark @+1 {{divisibility = [16]}}
  %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<32x!tile.ptr<f32>>
  // expected-remark @+1 {{contiguity = [32], divisibility = [16]}}
  %first = "tile.addptr"(%ps, %r) : (tensor<32x!tile.ptr<f32>>, tensor<32xi32>) -> tensor<32x!tile.ptr<f32>>
  // expected-remark @+1 {{contiguity = [32], divisibility = [16], constancy = [1], constant = none}}
  %last = scf.for %i = %zero to %n step %step iter_args(%q = %first) -> (tensor<32x!tile.ptr<f32>>) : i32 {
    // expected-remark @+1 {{divisibility = [32], constancy = [32], constant = none}}
    %is = "tile.splat"(%i) : (i32) -> tensor<32xi32>
    // expected-remark @+1 {{contiguity = [32], divisibility = [16], constancy = [1], constant = none}}
    %next = "tile.addptr"(%q, %steps) : (tensor<32x!tile.ptr<f32>>, tensor<32xi32>) -> tensor<32x!tile.ptr<f32>>
    scf.yield %next : tensor<32x!tile.ptr<f32>>
  }
  func.return
}

// -----

// What an inner loop learns weakens the outer one's values: %x starts at 64, then grows by 4s.
func.func @nested(%n: i32) {
  // expected-remark @+1 {{constant = 0}}
  %zero = arith.constant 0 : i32
  // expected-remark @+1 {{constant = 1}}
  %one = arith.constant 1 : i32
  // expected-remark @+1 {{constant = 4}}
  %four = arith.constant 4 : i32
  // expected-remark @+1 {{divisibility = [64], constancy = [1], constant = 64}}
  %start = arith.constant 64 : i32
  // expected-remark @+1 {{divisibility = [4], constancy = [1], constant = none}}
  %outer = scf.for %i = %zero to %n step %one iter_args(%x = %start) -> (i32) : i32 {
    // expected-remark @+1 {{divisibility = [4], constancy = [1], constant = none}}
    %inner = scf.for %j = %zero to %n step %one iter_args(%y = %x) -> (i32) : i32 {
      // expected-remark @+1 {{divisibility = [4], constancy = [1], constant = none}}
      %z = arith.addi %y, %four : i32
      scf.yield %z : i32
    }
    scf.yield %inner : i32
  }
  func.return
}

// -----

// A carried value that nothing changes stays a constant.
func.func @unchanged(%n: i32) {
  // expected-remark @+1 {{constant = 0}}
  %zero = arith.constant 0 : i32
  // expected-remark @+1 {{constant = 12}}
  %twelve = arith.constant 12 : i32
  // expected-remark @+1 {{divisibility = [4], constancy = [1], constant = 12}}
  %same = scf.for %i = %zero to %n step %twelve iter_args(%x = %twelve) -> (i32) : i32 {
    scf.yield %x : i32
  }
  func.return
}

// -----

// Both arms of a branch count.
func.func @if(%flag: i1) {
  // expected-remark @+1 {{divisibility = [8], constancy = [1], constant = none}}
  %x = scf.if %flag -> (i32) {
    // expected-remark @+1 {{constant = 24}}
    %a = arith.constant 24 : i32
    scf.yield %a : i32
  } else {
    // expected-remark @+1 {{constant = 16}}
    %b = arith.constant 16 : i32
    scf.yield %b : i32
  }
  func.return
}

// -----

// The results of scf.while are what its condition passes on.
func.func @while(%n: i32) {
  // expected-remark @+1 {{constant = 48}}
  %start = arith.constant 48 : i32
  // expected-remark @+1 {{constant = 8}}
  %eight = arith.constant 8 : i32
  // expected-remark @+1 {{divisibility = [8], constancy = [1], constant = none}}
  %last = scf.while (%x = %start) : (i32) -> i32 {
    // expected-remark @+1 {{constant = none}}
    %more = arith.cmpi slt, %x, %n : i32
    scf.condition(%more) %x : i32
  } do {
  ^bb0(%y: i32):
    // expected-remark @+1 {{divisibility = [8], constancy = [1], constant = none}}
    %next = arith.addi %y, %eight : i32
    scf.yield %next : i32
  }
  func.return
}
