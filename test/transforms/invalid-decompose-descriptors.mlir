// RUN: tile-opt --tile-decompose-descriptors --verify-diagnostics %s

// Which tensor it is must be known where a block of it is accessed.
func.func @chosen(%base: !tile.ptr<f16>, %n: i64, %m: i64, %c: i1) -> tensor<64xf16> {
  %one = arith.constant 1 : i64
  %d = "tile.make_descriptor"(%base, %n, %one) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!tile.ptr<f16>, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  %e = "tile.make_descriptor"(%base, %m, %one) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!tile.ptr<f16>, i64, i64) -> !tile.descriptor<tensor<64xf16>>
  %f = arith.select %c, %d, %e : !tile.descriptor<tensor<64xf16>>
  // expected-error @+1 {{tile.descriptor_load: the descriptor is a tile.make_descriptor or a parameter of the function; make it where it is used}}
  %t = "tile.descriptor_load"(%f, %n) : (!tile.descriptor<tensor<64xf16>>, i64) -> tensor<64xf16>
  return %t : tensor<64xf16>
}
