// RUN: not tile-translate --tile-to-ptx --target sm_86 %s -o %t.ptx 2>&1 | FileCheck %s
// RUN: tile-translate --tile-to-ptx --target sm_90a %s | FileCheck %s --check-prefix=FITS

// What does not fit into the target's shared memory is said before code is made, with the operations that take
// most of it.
// CHECK: shared-limit-kernel.mlir:[[#@LINE+2]]:1: error: func.func: the kernel needs 131072 bytes of shared memory, the limit is 101376 (131072 bytes for tile.reshape at {{.*}}shared-limit-kernel.mlir:[[#@LINE+10]]:8); use smaller tiles
// FITS: .visible .entry transpose
func.func @transpose(%x: !tile.ptr<i64> {tile.divisibility = 16 : i32, tile.name = "x"},
                     %out: !tile.ptr<i64> {tile.divisibility = 16 : i32, tile.name = "out"}) attributes {tile.kernel} {
  %range = "tile.range"() {start = 0 : i32, end = 16384 : i32} : () -> tensor<16384xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i64>) -> tensor<16384x!tile.ptr<i64>>
  %xp = "tile.addptr"(%xs, %range) : (tensor<16384x!tile.ptr<i64>>, tensor<16384xi32>) -> tensor<16384x!tile.ptr<i64>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16384x!tile.ptr<i64>>) -> tensor<16384xi64>
  %m = "tile.reshape"(%v) : (tensor<16384xi64>) -> tensor<128x128xi64>
  %t = "tile.permute"(%m) {order = array<i32: 1, 0>} : (tensor<128x128xi64>) -> tensor<128x128xi64>
  %f = "tile.reshape"(%t) : (tensor<128x128xi64>) -> tensor<16384xi64>
  %os = "tile.splat"(%out) : (!tile.ptr<i64>) -> tensor<16384x!tile.ptr<i64>>
  %op = "tile.addptr"(%os, %range) : (tensor<16384x!tile.ptr<i64>>, tensor<16384xi32>) -> tensor<16384x!tile.ptr<i64>>
  "tile.store"(%op, %f) : (tensor<16384x!tile.ptr<i64>>, tensor<16384xi64>) -> ()
  return
}
