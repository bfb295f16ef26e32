// RUN: tile-opt --tile-gpu-allocate-shared --split-input-file %s | FileCheck %s

#row = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#column = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
// Small areas alternate: each is still read when the next one is written, and free when the one after
// that comes.
// CHECK: module attributes {{.*}}tile_gpu.shared_bytes = 4096 : i32
// CHECK-LABEL: func.func @alternate
// CHECK-SAME: tile_gpu.shared_bytes = 4096 : i32
// CHECK: convert_layout{{.*}} {tile_gpu.shared_offset = 0 : i32}
// CHECK: convert_layout{{.*}} {tile_gpu.shared_offset = 2048 : i32}
// CHECK: scf.for
// CHECK: convert_layout{{.*}} {tile_gpu.shared_offset = 0 : i32}
func.func @alternate(%p: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = arith.constant dense<1> : tensor<16x32xi32, #row>
  %b = "tile_gpu.convert_layout"(%a) : (tensor<16x32xi32, #row>) -> tensor<16x32xi32, #column>
  %c = "tile_gpu.convert_layout"(%b) : (tensor<16x32xi32, #column>) -> tensor<16x32xi32, #row>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %d = "tile_gpu.convert_layout"(%c) : (tensor<16x32xi32, #row>) -> tensor<16x32xi32, #column>
  }
  return
}
}

// -----

#row = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#column = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
// Large ones share their place, whatever it costs in barriers.
// CHECK-LABEL: func.func @share
// CHECK: convert_layout{{.*}} {tile_gpu.shared_offset = 0 : i32}
// CHECK: convert_layout{{.*}} {tile_gpu.shared_offset = 0 : i32}
func.func @share(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %a = arith.constant dense<1> : tensor<128x128xi32, #row>
  %h = arith.constant dense<1> : tensor<128x128xi16, #row>
  %b = "tile_gpu.convert_layout"(%a) : (tensor<128x128xi32, #row>) -> tensor<128x128xi32, #column>
  %c = "tile_gpu.convert_layout"(%h) : (tensor<128x128xi16, #row>) -> tensor<128x128xi16, #column>
  return
}
}
