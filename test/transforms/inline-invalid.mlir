// RUN: tile-opt --tile-inline --split-input-file --verify-diagnostics %s

// A function that calls itself.
func.func @factorial(%n: i32) -> i32 {
  // expected-error @+1 {{func.call: recursion: @factorial -> @factorial; a kernel has no call stack, write a loop}}
  %r = func.call @factorial(%n) : (i32) -> i32
  return %r : i32
}

// -----

// Functions that call each other: the message goes round the cycle, without what led to it.
func.func @start() {
  func.call @even() : () -> ()
  return
}
func.func @even() {
  func.call @odd() : () -> ()
  return
}
func.func @odd() {
  // expected-error @+1 {{func.call: recursion: @even -> @odd -> @even; a kernel has no call stack}}
  func.call @even() : () -> ()
  return
}

// -----

// A declaration has nothing to put in the call's place.
func.func private @elsewhere(i32) -> i32
func.func @calls_declaration(%n: i32) -> i32 {
  // expected-error @+1 {{func.call: @elsewhere has no body; define it in this module}}
  %r = func.call @elsewhere(%n) : (i32) -> i32
  return %r : i32
}

// -----

// MLIR's own verifier refuses a call of nothing before the pass sees it.
func.func @calls_nothing() {
  // expected-error @+2 {{'nowhere' does not reference a valid function}}
  // expected-note @+1 {{see current operation}}
  func.call @nowhere() : () -> ()
  return
}

// -----

// Control flow with cf, here an early return, cannot be put into the middle of a block.
func.func private @early_return(%c: i1, %x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  cf.cond_br %c, ^early, ^late
^early:
  return %zero : i32
^late:
  return %x : i32
}
func.func @calls_early_return(%c: i1, %x: i32) -> i32 {
  // expected-error @+1 {{func.call: @early_return has several blocks, and only a single block can be inlined; use scf.if, scf.for or scf.while}}
  %r = func.call @early_return(%c, %x) : (i1, i32) -> i32
  return %r : i32
}

// -----

// A body that never returns.
func.func private @forever() {
  llvm.unreachable
}
func.func @calls_forever() {
  // expected-error @+1 {{func.call: @forever does not end in func.return}}
  func.call @forever() : () -> ()
  return
}
