// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Inline assembly, prints and assertions: the rules of lib/ir/verify_tile_effects.c and the problems that
// lib/ir/asm_constraints.c finds, one case a message.

func.func @asm_without_results(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: there are one to eight results, not none; give one that is not used}}
  "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> ()
  return
}

// -----

func.func @asm_text(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: asm is a string attribute: asm = "..."}}
  %0 = "tile.inline_asm"(%x) {asm = 1 : i32, constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @asm_constraints_type(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: constraints is a string attribute}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = 1 : i32, pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @asm_pure(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: pure is true or false}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @asm_shapes(%x: tensor<64xi32>, %y: i32) {
  // expected-error @+1 {{tile.inline_asm: shapes differ: tensor<64xi32> and i32}}
  %0 = "tile.inline_asm"(%y) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> tensor<64xi32>
  return
}

// -----

func.func @asm_pack_type(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: pack is an i32 attribute: pack = 1 : i32}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 1 : i64, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @asm_pack(%x: tensor<64xi32>) {
  // expected-error @+1 {{tile.inline_asm: pack is 1, 2, 4, 8 or 16, not 3}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 3 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xi32>) -> tensor<64xi32>
  return
}

// -----

func.func @asm_pack_of_a_scalar(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: pack = 2, but there are only 1 elements}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 2 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @asm_too_few_registers(%x: tensor<64xi32>) {
  // expected-error @+1 {{tile.inline_asm: constraints name 1 outputs and 1 inputs; results and operands take 2 and 2 registers with pack = 2}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r", pack = 2 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xi32>) -> tensor<64xi32>
  return
}

// -----

func.func @asm_packed_registers(%x: tensor<64xi8>) {
  // expected-error @+1 {{tile.inline_asm: constraints name 4 outputs and 4 inputs; results and operands take 4 and 1 registers with pack = 4}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,=r,=r,=r,r,r,r,r", pack = 4 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<64xi8>) -> tensor<64xi32>
  return
}

// -----

func.func @asm_operand(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: asm: "$" and a number name an operand, results first, from $0 on; "$$" is a dollar sign}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $2;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @asm_dollar(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: asm: "$" and a number name an operand}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1; // $x", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @asm_braces(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: asm: "$" and a number name an operand}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 ${0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @constraint_letter(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: constraints: a register is =LETTER, =&LETTER, LETTER or the number of an output, LETTER one of b, h, r, l, f, d}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=x,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @constraint_empty(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: constraints: a register is =LETTER}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @constraint_order(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: constraints: outputs come before inputs}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "r,=r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @constraint_tied(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: constraints: an input is tied to an output that is not there; outputs are numbered from 0}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,1", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @constraint_clobber(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: constraints: a clobber is ~{name}}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r,~memory", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @constraint_clobber_order(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: constraints: clobbers come last}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,~{memory},r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @constraint_comma(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: constraints: the string ends in a comma}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,r,", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @constraint_count(%x: i32) {
  // expected-error @+1 {{tile.inline_asm: constraints: there are more than 64 registers; use a smaller pack}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  return
}

// -----

func.func @print_prefix(%x: i32) {
  // expected-error @+1 {{tile.print: prefix is a string attribute: prefix = "..."}}
  "tile.print"(%x) {prefix = 1 : i32, hex = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> ()
  return
}

// -----

func.func @print_hex(%x: i32) {
  // expected-error @+1 {{tile.print: hex is true or false}}
  "tile.print"(%x) {prefix = "", hex = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> ()
  return
}

// -----

func.func @print_gap(%x: i32) {
  // expected-error @+1 {{tile.print: operandSegmentSizes has a gap}}
  "tile.print"(%x) {prefix = "", hex = false, operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 0, 0, 0>} : (i32) -> ()
  return
}

// -----

func.func @assert_condition(%x: i32) {
  // expected-error @+1 {{tile.assert: the condition is i1 or a tensor of i1; make one with arith.cmpi}}
  "tile.assert"(%x) {message = "", file = "", function = "", line = 1 : i32} : (i32) -> ()
  return
}

// -----

func.func @assert_message(%c: i1) {
  // expected-error @+1 {{tile.assert: message is a string attribute}}
  "tile.assert"(%c) {message = true, file = "", function = "", line = 1 : i32} : (i1) -> ()
  return
}

// -----

func.func @assert_line(%c: i1) {
  // expected-error @+1 {{tile.assert: line is an i32 attribute}}
  "tile.assert"(%c) {message = "", file = "", function = "", line = "1"} : (i1) -> ()
  return
}

// -----

func.func @assert_mask(%c: tensor<4xi1>, %m: i1) {
  // expected-error @+1 {{tile.assert: shapes differ: tensor<4xi1> and i1}}
  "tile.assert"(%c, %m) {message = "", file = "", function = "", line = 1 : i32} : (tensor<4xi1>, i1) -> ()
  return
}

// -----

// IRDL's part: numbers of operands.
func.func @barrier_with_an_operand(%x: i32) {
  // expected-error @+1 {{op expects exactly 0 operands, but got 1}}
  "tile.barrier"(%x) : (i32) -> ()
  return
}
