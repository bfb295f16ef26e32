// RUN: tile-opt --tile-verify --tile-ptx-to-asm --split-input-file --verify-diagnostics %s

// Tensor-core operations: the rules of lib/ir/verify_tile_ptx_mma.c, one case a message.

llvm.func @no_segments(%a: i32, %c: f32) {
  // expected-error @+1 {{tile_ptx.mma: operandSegmentSizes has the numbers of registers of a, b and c}}
  %d:4 = "tile_ptx.mma"(%a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 2, 0, 4>} : (i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @shape_of_two(%a: i32, %c: f32) {
  // expected-error @+1 {{tile_ptx.mma: shape is array<i32: m, n, k>, a_type and b_type are f16, bf16, tf32, f8E4M3FN, f8E5M2, i8, ui8 or f64, c_type, where it is given, f16}}
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8>, a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @unknown_type(%a: i32, %c: f32) {
  // expected-error @+1 {{a_type and b_type are f16, bf16, tf32, f8E4M3FN, f8E5M2, i8, ui8 or f64}}
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = i4, b_type = f16, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @two_types(%a: i32, %c: f32) {
  // expected-error @+1 {{tile_ptx.mma: a and b have one type, or are two fp8 or two integer types; convert one of them}}
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = f16, b_type = bf16, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @accumulator(%a: i32, %c: f32) {
  // expected-error @+1 {{tile_ptx.mma: the accumulator is i32 for integers, f64 for f64, f32 for everything else, or f16 for f16}}
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 16>, a_type = i8, b_type = i8, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @no_such_shape(%a: i32, %c: f32) {
  // expected-error @+1 {{tile_ptx.mma: no such shape: 16-bit floats have m16n8k8 and m16n8k16}}
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 4>, a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @counts(%a: i32, %c: f32) {
  // expected-error @+1 {{tile_ptx.mma: m16n8k16 of f16 takes 4 registers of a, 2 of b and 4 of c; it has 2, 1 and 4}}
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 16>, a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @registers(%a: f64, %c: f32) {
  // expected-error @+1 {{tile_ptx.mma: registers of a and b are i32, with elements packed}}
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 2, 1, 4>} : (f64, f64, f64, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.return
}

// -----

llvm.func @results(%a: i32, %c: f32) {
  // expected-error @+1 {{tile_ptx.mma: there is one result for each accumulator, of its type}}
  %d:2 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32)
  llvm.return
}

// -----

// The module's target must have the instruction.
module attributes {tile_gpu.target = "sm_80"} {
  llvm.func @fp8(%a: i32, %c: f32) {
    // expected-error @+1 {{tile_ptx.mma: m16n8k32 of f8E4M3FN needs sm_89; the module is for sm_80}}
    %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 32>, a_type = f8E4M3FN, b_type = f8E4M3FN, operandSegmentSizes = array<i32: 4, 2, 4>} : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
    llvm.return
  }
}

// -----

llvm.func @ldmatrix_of_global_memory(%p: !llvm.ptr<1>) {
  // expected-error @+1 {{tile_ptx.ldmatrix: the address is a !llvm.ptr<3>, of shared memory}}
  %r = "tile_ptx.ldmatrix"(%p) {count = 1 : i32, transpose = false} : (!llvm.ptr<1>) -> i32
  llvm.return
}

// -----

llvm.func @three_matrices(%p: !llvm.ptr<3>) {
  // expected-error @+1 {{tile_ptx.ldmatrix: there are 1, 2 or 4 matrices, and a register for each}}
  %r:3 = "tile_ptx.ldmatrix"(%p) {count = 3 : i32, transpose = false} : (!llvm.ptr<3>) -> (i32, i32, i32)
  llvm.return
}

// -----

llvm.func @count(%p: !llvm.ptr<3>) {
  // expected-error @+1 {{tile_ptx.ldmatrix: count is the number of results, 2}}
  %r:2 = "tile_ptx.ldmatrix"(%p) {count = 4 : i32, transpose = false} : (!llvm.ptr<3>) -> (i32, i32)
  llvm.return
}

// -----

llvm.func @transpose(%p: !llvm.ptr<3>, %r: i32) {
  // expected-error @+1 {{tile_ptx.stmatrix: transpose is true or false}}
  "tile_ptx.stmatrix"(%p, %r) {transpose = 1 : i32} : (!llvm.ptr<3>, i32) -> ()
  llvm.return
}

// -----

module attributes {tile_gpu.target = "sm_80"} {
  llvm.func @stmatrix(%p: !llvm.ptr<3>, %r: i32) {
    // expected-error @+1 {{tile_ptx.stmatrix: stmatrix needs sm_90a; the module is for sm_80}}
    "tile_ptx.stmatrix"(%p, %r) {transpose = false} : (!llvm.ptr<3>, i32) -> ()
    llvm.return
  }
}
