// RUN: tile-translate --tile-to-ptx --target sm_90a %s -o /dev/null
// RUN: rm -f %t.ptx; not tile-translate --tile-to-ptx --target sm_86 %s -o %t.ptx 2>&1 | FileCheck %s
// RUN: not ls %t.ptx

// What fits one target may not fit another: 128 KiB of scratch for a change of layout.
// CHECK: shared-limit.mlir:[[#@LINE+1]]:1: error: llvm.func: the kernel needs 131072 bytes of shared memory, sm_86 has 101376; use a smaller tile
func.func @kernel(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 32768 : i32} : () -> tensor<32768xi32>
  %s = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<32768x!tile.ptr<f32>>
  %a = "tile.addptr"(%s, %r) : (tensor<32768x!tile.ptr<f32>>, tensor<32768xi32>) -> tensor<32768x!tile.ptr<f32>>
  %v = "tile.load"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32768x!tile.ptr<f32>>) -> tensor<32768xf32>
  %m = "tile.expand_dims"(%v) {axis = 1 : i32} : (tensor<32768xf32>) -> tensor<32768x1xf32>
  %n = "tile.expand_dims"(%v) {axis = 0 : i32} : (tensor<32768xf32>) -> tensor<1x32768xf32>
  %ms = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<32768x1x!tile.ptr<f32>>
  %ns = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<1x32768x!tile.ptr<f32>>
  "tile.store"(%ms, %m) : (tensor<32768x1x!tile.ptr<f32>>, tensor<32768x1xf32>) -> ()
  "tile.store"(%ns, %n) : (tensor<1x32768x!tile.ptr<f32>>, tensor<1x32768xf32>) -> ()
  return
}
