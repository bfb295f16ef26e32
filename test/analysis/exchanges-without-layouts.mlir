// Before layouts are assigned there is nothing to plan: the passes that ask for exchanges leave the module.
// RUN: tile-opt --tile-gpu-print-conversions %s 2>&1 | FileCheck %s
// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s 2>&1 | FileCheck %s

// CHECK-NOT: remark
// CHECK: "tile.reduce"
// CHECK: "tile.sort"
func.func @sum(%x: tensor<8x16xf32>, %y: tensor<16xi32>) -> (tensor<8xf32>, tensor<16xi32>) {
  %r = "tile.reduce"(%x) ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    "gpu.yield"(%s) : (f32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<8x16xf32>) -> tensor<8xf32>
  %t = "tile.sort"(%y) {axis = 0 : i32, descending = true} : (tensor<16xi32>) -> tensor<16xi32>
  return %r, %t : tensor<8xf32>, tensor<16xi32>
}
