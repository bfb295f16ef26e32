// RUN: tile-opt --tile-to-emulator --split-input-file --verify-diagnostics %s

// What the emulator says of assembly that it cannot run, and what no register class holds.

func.func @unknown(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  // expected-error @+1 {{llvm.inline_asm: the emulator cannot run the assembly from 'activemask.b32' on; run the kernel on a GPU, or use the instructions that docs/emulator.md lists}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1; activemask.b32 $0;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  "tile.store"(%p, %0) : (!tile.ptr<i32>, i32) -> ()
  return
}

// -----

// A row of ptx_text.def takes .ftz with f32 only, and no types but its own.

func.func @flush_of_f64(%p: !tile.ptr<f64>, %x: f64) attributes {tile.kernel} {
  // expected-error @+1 {{the emulator cannot run the assembly from 'neg.ftz.f64' on}}
  %0 = "tile.inline_asm"(%x) {asm = "neg.f64 $0, $1; neg.ftz.f64 $0, $1;", constraints = "=d,d", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (f64) -> f64
  "tile.store"(%p, %0) : (!tile.ptr<f64>, f64) -> ()
  return
}

// -----

func.func @other_type(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  // expected-error @+1 {{the emulator cannot run the assembly from 'popc.u32' on}}
  %0 = "tile.inline_asm"(%x) {asm = "popc.b32 $0, $1; popc.u32 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  "tile.store"(%p, %0) : (!tile.ptr<i32>, i32) -> ()
  return
}

// -----

func.func @undeclared(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  // expected-error @+1 {{the emulator cannot run the assembly from 't' on}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 t, $1; mov.b32 $0, t;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  "tile.store"(%p, %0) : (!tile.ptr<i32>, i32) -> ()
  return
}

// -----

func.func @not_set(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  // expected-error @+1 {{'mov.b32' reads a register of another size, or one that is not set}}
  %0 = "tile.inline_asm"(%x) {asm = ".reg .b32 t; mov.b32 $0, t;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  "tile.store"(%p, %0) : (!tile.ptr<i32>, i32) -> ()
  return
}

// -----

func.func @other_size(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  // expected-error @+1 {{'mov.b64' reads a register of another size, or one that is not set}}
  %0 = "tile.inline_asm"(%x) {asm = "mov.b64 $0, $1;", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  "tile.store"(%p, %0) : (!tile.ptr<i32>, i32) -> ()
  return
}

// -----

func.func @no_result(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  // expected-error @+1 {{asm: the text is empty and never writes $0; write an instruction, or tie an input to each output ("=r,0")}}
  %0 = "tile.inline_asm"(%x) {asm = "", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  "tile.store"(%p, %0) : (!tile.ptr<i32>, i32) -> ()
  return
}

// -----

func.func @narrow_class(%p: !tile.ptr<i64>, %x: i64) attributes {tile.kernel} {
  // expected-error @+1 {{tile.inline_asm: a register of class 'r' does not hold 64 bits; use 'l'}}
  %0 = "tile.inline_asm"(%x) {asm = "not.b32 $0, $1;", constraints = "=l,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i64) -> i64
  "tile.store"(%p, %0) : (!tile.ptr<i64>, i64) -> ()
  return
}

// -----

// The same of a result that is read; what nobody reads need not fit (inline-asm.mlir).
func.func @narrow_result(%p: !tile.ptr<i64>, %x: i64) attributes {tile.kernel} {
  // expected-error @+1 {{tile.inline_asm: a register of class 'r' does not hold 64 bits; use 'l'}}
  %0 = "tile.inline_asm"(%x) {asm = "cvt.u32.u64 $0, $1;", constraints = "=r,l", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i64) -> i64
  "tile.store"(%p, %0) : (!tile.ptr<i64>, i64) -> ()
  return
}

// -----

func.func @float_class(%p: !tile.ptr<i16>, %x: i16) attributes {tile.kernel} {
  // expected-error @+1 {{tile.inline_asm: a register of class 'f' does not hold 16 bits; use 'h'}}
  %0 = "tile.inline_asm"(%x) {asm = "mov.b16 $0, $1;", constraints = "=f,h", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i16) -> i16
  "tile.store"(%p, %0) : (!tile.ptr<i16>, i16) -> ()
  return
}

// -----

func.func @closes(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  // expected-error @+1 {{asm: the text closes a brace '}' that it did not open}}
  %0 = "tile.inline_asm"(%x) {asm = "}", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  "tile.store"(%p, %0) : (!tile.ptr<i32>, i32) -> ()
  return
}

// -----

func.func @opens(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  // expected-error @+1 {{asm: the text opens a brace '{' that it does not close}}
  %0 = "tile.inline_asm"(%x) {asm = "{ mov.b32 ${0}, $1; // }", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (i32) -> i32
  "tile.store"(%p, %0) : (!tile.ptr<i32>, i32) -> ()
  return
}
