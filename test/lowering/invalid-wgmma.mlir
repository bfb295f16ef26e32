// RUN: tile-opt --tile-verify --tile-ptx-to-asm --split-input-file --verify-diagnostics %s

// Multiplications by warp groups: the rules of lib/ir/verify_tile_ptx_wgmma.c, one case a message.

llvm.func @type(%c: f32, %a: i64, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: shape is array<i32: m, n, k>, a_type and b_type are f16, bf16, tf32, f8E4M3FN, f8E5M2, i8 or ui8}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = i4, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @doubles(%c: f32, %a: i64, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: the accumulator is i32 for integers, f64 for f64}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f64, b_type = f64, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @k(%c: f32, %a: i64, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: m is 64, and k is 32 bytes of a: 16 for 16-bit floats, 8 for tf32, 32 for fp8 and integers}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 8, 8>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @n(%c: f32, %a: i64, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: n is a multiple of 8 up to 256; for integers 8, 24 or a multiple of 16}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 12, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @n_of_integers(%c: i32, %a: i64, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: n is a multiple of 8 up to 256; for integers 8, 24 or a multiple of 16}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 40, 32>, a_type = i8, b_type = i8, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (i32, i32, i32, i32, i64, i64, i1) -> (i32, i32, i32, i32)
  llvm.return
}

// -----

llvm.func @accumulators(%c: f32, %a: i64, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: n = 16 takes 8 accumulators; it has 4}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 16, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @a(%c: f32, %a: i32, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: a is one descriptor, i64, or four registers, i32}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 2, 1, 1>} : (f32, f32, f32, f32, i32, i32, i64, i1) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @transpose_of_8_bits(%c: f32, %a: i64, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: only f16 and bf16 can be transposed; store f8E5M2 with k contiguous}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 8, 32>, a_type = f8E5M2, b_type = f8E5M2, transpose_a = false, transpose_b = true, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @transpose_of_registers(%c: f32, %a: i32, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: a in registers cannot be transposed}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %a, %a, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = true, transpose_b = true, operandSegmentSizes = array<i32: 4, 4, 1, 1>} : (f32, f32, f32, f32, i32, i32, i32, i32, i64, i1) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @transposes(%c: f32, %a: i64, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: transpose_a and transpose_b are true or false}}
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = 0 : i32, transpose_b = true, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @results(%c: f32, %a: i64, %b: i64, %s: i1) {
  // expected-error @+1 {{tile_ptx.wgmma: there is one result for each accumulator, of its type}}
  %d:3 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32)
  llvm.return
}

// -----

llvm.func @pending(%c: f32) {
  // expected-error @+1 {{tile_ptx.wgmma_wait: pending is an integer from 0 to 7}}
  %d = "tile_ptx.wgmma_wait"(%c) {pending = 8 : i32, operandSegmentSizes = array<i32: 1, 0>, resultSegmentSizes = array<i32: 1, 0>} : (f32) -> f32
  llvm.return
}

// -----

llvm.func @waited(%c: f32, %i: i32) {
  // expected-error @+1 {{tile_ptx.wgmma_wait: there is one result for each accumulator, of its type}}
  %d = "tile_ptx.wgmma_wait"(%c, %i) {pending = 0 : i32, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 0>} : (f32, i32) -> f32
  llvm.return
}

// -----

module attributes {tile_gpu.target = "sm_100a"} {
  llvm.func @target(%c: f32, %a: i64, %b: i64, %s: i1) {
    // expected-error @+1 {{tile_ptx.wgmma: wgmma needs sm_90a; the module is for sm_100}}
    %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
    llvm.return
  }
}

// -----

llvm.func @fenced(%c: f32, %i: i32) {
  // expected-error @+1 {{tile_ptx.wgmma_fence: there is one result for each accumulator, of its type}}
  %d = "tile_ptx.wgmma_fence"(%c, %i) {operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 0>} : (f32, i32) -> f32
  llvm.return
}
