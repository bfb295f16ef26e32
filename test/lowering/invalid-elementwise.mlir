// RUN: tile-opt --tile-to-tile-gpu --convert-tile-gpu-to-nvvm --split-input-file --verify-diagnostics %s

// fp8 has no functions.
func.func @root_of_fp8(%p: !tile.ptr<f8E5M2>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f8E5M2>) -> f8E5M2
  // expected-error @+1 {{math.sqrt: this type has no arithmetic; convert to f32 first}}
  %w = math.sqrt %v : f8E5M2
  "tile.store"(%p, %w) : (!tile.ptr<f8E5M2>, f8E5M2) -> ()
  return
}

// -----

// Nor arithmetic.
func.func @sum_of_fp8(%p: !tile.ptr<f8E4M3FN>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f8E4M3FN>) -> f8E4M3FN
  // expected-error @+1 {{arith.addf: fp8 has no arithmetic; convert to f32 first}}
  %w = arith.addf %v, %v : f8E4M3FN
  "tile.store"(%p, %w) : (!tile.ptr<f8E4M3FN>, f8E4M3FN) -> ()
  return
}

// -----

func.func @upward(%p: !tile.ptr<f16>, %x: f32) attributes {tile.kernel} {
  // expected-error @+1 {{arith.truncf: this rounding mode is not supported; use to_nearest_even or toward_zero}}
  %v = arith.truncf %x upward : f32 to f16
  "tile.store"(%p, %v) : (!tile.ptr<f16>, f16) -> ()
  return
}
