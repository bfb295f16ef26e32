// RUN: tile-opt --split-input-file --verify-diagnostics %s

func.func @both(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{tile.load: cache, evict and volatile exclude each other; keep one}}
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>, cache = "cg", evict = "evict_first"} : (!tile.ptr<f32>) -> f32
  return
}

// -----

func.func @store(%p: !tile.ptr<f32>, %v: f32) {
  // expected-error @+1 {{tile.store: cache, evict and volatile exclude each other; keep one}}
  "tile.store"(%p, %v) {cache = "wb", volatile} : (!tile.ptr<f32>, f32) -> ()
  return
}
