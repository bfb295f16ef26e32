// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Text that is no module: MLIR's parser reports it, we add nothing and lose no place.

// expected-error @+1 {{custom op 'this' is unknown}}
this is no MLIR

// -----

// The place is the last token.
func.func @unclosed() {
  // expected-error @+1 {{expected operation name in quotes}}
  return

// -----

func.func @unknown_operation(%x: f32) {
  // expected-error @+1 {{unregistered operation 'tile.frobnicate' found in dialect ('tile') that does not allow unknown operations}}
  %0 = "tile.frobnicate"(%x) : (f32) -> f32
  return
}

// -----

func.func @unknown_dialect(%x: f32) {
  // expected-error @+1 {{operation being parsed with an unregistered dialect}}
  %0 = "nonsense.op"(%x) : (f32) -> f32
  return
}

// -----

// expected-error @+1 {{expected dynamic type}}
func.func @unknown_type(%x: !tile.frob<f32>) {
  return
}

// -----

// expected-error @+1 {{expected 1 type arguments, but had 0}}
func.func @pointer_to_nothing(%x: !tile.ptr) {
  return
}

// -----

func.func @undefined_value() {
  // expected-error @+1 {{use of undeclared SSA value name}}
  %0 = arith.addi %x, %x : i32
  return
}

// -----

func.func @defined_twice(%x: i32) {
  // expected-note @+1 {{previously defined here}}
  %0 = arith.addi %x, %x : i32
  // expected-error @+1 {{redefinition of SSA value '%0'}}
  %0 = arith.addi %x, %x : i32
  return
}

// -----

// A dense array of anything but numbers of the usual widths ends MLIR's parser, so ours looks first.
func.func @array_of_index() {
  // expected-error @+1 {{an array<...> attribute holds i1, i8, i16, i32, i64, f32 or f64}}
  %0 = "tile.program_id"() {axis = array<index: 1>} : () -> i32
  return
}

// -----

// expected-note @+1 {{see existing symbol definition here}}
func.func @twice() {
  return
}
// expected-error @+1 {{redefinition of symbol named 'twice'}}
func.func @twice() {
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @type_mismatch(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  // expected-error @+1 {{expects different type than prior uses}}
  %0 = arith.addf %x, %y : tensor<4xf32>
  return
}

// -----

func.func @no_terminator(%x: i32) {
  // expected-error @+1 {{block with no terminator}}
  %0 = arith.addi %x, %x : i32
}
