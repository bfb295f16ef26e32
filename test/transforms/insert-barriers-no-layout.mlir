// A tile without a layout, as a file may have: the pass leaves it to those that need one.
// RUN: tile-opt --tile-gpu-insert-barriers %s | FileCheck %s
// CHECK: tile.load
// CHECK-NOT: by_holders
// CHECK: tile.store
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @plain(%p: tensor<16x!tile.ptr<f32>>) attributes {tile.kernel} {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x!tile.ptr<f32>>) -> tensor<16xf32>
    "tile.store"(%p, %x) : (tensor<16x!tile.ptr<f32>>, tensor<16xf32>) -> ()
    return
  }
}
