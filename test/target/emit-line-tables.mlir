// RUN: tile-opt --tile-to-ptx --tile-emit-line-tables --mlir-print-debuginfo %s | FileCheck %s --check-prefix=IR
// RUN: tile-translate --tile-to-ptx -g %s | FileCheck %s --check-prefix=PTX
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PLAIN

// IR: emissionKind = DebugDirectivesOnly
// The target line has no `debug`, which would turn ptxas's optimiser off.
// PTX: .target sm_90a{{$}}
// PTX: .loc 1 [[#@LINE+6]]
// PTX: .file 1 "{{.*}}emit-line-tables.mlir"
// PLAIN-NOT: .loc
func.func @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (!tile.ptr<f32>) -> f32
  %w = arith.addf %v, %v : f32
  "tile.store"(%p, %w) : (!tile.ptr<f32>, f32) -> ()
  return
}
