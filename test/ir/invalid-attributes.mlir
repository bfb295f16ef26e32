// RUN: tile-opt --split-input-file --verify-diagnostics %s

// An attribute with a name of ours is a row of lib/ir/attributes.def: a misspelt wish is an error,
// not a wish that is ignored.
func.func @misspelt(%n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{scf.for: there is no attribute 'tile.num_stage'; did you mean 'tile.num_stages'?; tile-opt --print-reference=attributes lists all}}
  scf.for %i = %c0 to %n step %c1 : i32 {
  } {tile.num_stage = 3 : i32}
  return
}

// -----

// On a function,
// expected-error @+1 {{func.func: there is no attribute 'tile_ptx.speed'; tile-opt}}
func.func @function() attributes {tile.kernel, tile_ptx.speed} {
  return
}

// -----

// on a parameter,
// expected-error @+1 {{func.func: there is no attribute 'tile.divisible'; did you mean 'tile.divisibility'?}}
func.func @parameter(%n: i32 {tile.divisible = 16 : i32}) attributes {tile.kernel} {
  return
}

// -----

// and on a module.
// expected-error @+1 {{builtin.module: there is no attribute 'tile_gpu.warps'}}
module attributes {tile_gpu.warps = 4 : i32} {
}

// -----

// Values are of the row's kind.
// expected-error @+1 {{func.func: the value of tile.divisibility is not an integer, or an array with one for each dimension}}
func.func @kind(%n: i32 {tile.divisibility = "16"}) attributes {tile.kernel} {
  return
}

// -----

// expected-error @+1 {{func.func: the value of tile.kernel is not a unit}}
func.func @unit() attributes {tile.kernel = true} {
  return
}

// -----

// expected-error @+1 {{builtin.module: the value of tile.maxnreg is not an integer}}
module attributes {tile.maxnreg = "many"} {
}

// -----

// Names of other dialects are none of ours.
func.func @foreign() attributes {tile.kernel, tiles.of = 3 : i32, tile = 1 : i32} {
  return
}
