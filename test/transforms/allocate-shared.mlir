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

// -----

#row = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#column = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]}>
#space = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
// So do small buffers that are filled at once and areas of operations.
// CHECK-LABEL: func.func @filled
// CHECK: tile_gpu.alloc{{.*}} {tile_gpu.shared_offset = 0 : i32}
// CHECK: convert_layout{{.*}} {tile_gpu.shared_offset = 2048 : i32}
// CHECK: tile_gpu.alloc{{.*}} {tile_gpu.shared_offset = 0 : i32}
// CHECK: tile_gpu.alloc{{.*}} {tile_gpu.shared_offset = 2048 : i32}
func.func @filled(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %a = arith.constant dense<1> : tensor<16x32xi32, #row>
  %m = "tile_gpu.alloc"(%a) : (tensor<16x32xi32, #row>) -> memref<16x32xi32, #space>
  %b = "tile_gpu.local_load"(%m) : (memref<16x32xi32, #space>) -> tensor<16x32xi32, #column>
  %c = "tile_gpu.convert_layout"(%a) : (tensor<16x32xi32, #row>) -> tensor<16x32xi32, #column>
  %n = "tile_gpu.alloc"(%a) : (tensor<16x32xi32, #row>) -> memref<16x32xi32, #space>
  %d = "tile_gpu.local_load"(%n) : (memref<16x32xi32, #space>) -> tensor<16x32xi32, #column>
  %o = "tile_gpu.alloc"(%a) : (tensor<16x32xi32, #row>) -> memref<16x32xi32, #space>
  %e = "tile_gpu.local_load"(%o) : (memref<16x32xi32, #space>) -> tensor<16x32xi32, #column>
  return
}

// Not those of more than 2 KiB, nor those that are filled later.
// CHECK-LABEL: func.func @large_or_empty
// CHECK-COUNT-3: tile_gpu.alloc{{.*}} {tile_gpu.shared_offset = 0 : i32}
func.func @large_or_empty(%p: tensor<16x32x!tile.ptr<i32>, #row>) attributes {tile.kernel} {
  %a = arith.constant dense<1> : tensor<32x32xi32, #row>
  %m = "tile_gpu.alloc"(%a) : (tensor<32x32xi32, #row>) -> memref<32x32xi32, #space>
  %b = "tile_gpu.local_load"(%m) : (memref<32x32xi32, #space>) -> tensor<32x32xi32, #column>
  %n = "tile_gpu.alloc"() : () -> memref<16x32xi32, #space>
  %d = "tile_gpu.local_load"(%n) : (memref<16x32xi32, #space>) -> tensor<16x32xi32, #column>
  %o = "tile_gpu.alloc"() : () -> memref<16x32xi32, #space>
  %e = "tile_gpu.local_load"(%o) : (memref<16x32xi32, #space>) -> tensor<16x32xi32, #column>
  return
}

// Nor where that would be more than there is: 230400 of 232448 bytes are taken.
// CHECK-LABEL: func.func @full
// CHECK-SAME: tile_gpu.shared_bytes = 232448 : i32
// CHECK: tile_gpu.alloc"() {tile_gpu.shared_offset = 0 : i32}
// CHECK-COUNT-2: tile_gpu.alloc{{.*}} {tile_gpu.shared_offset = 230400 : i32}
func.func @full() attributes {tile.kernel} {
  %a = arith.constant dense<1> : tensor<16x32xi32, #row>
  %l = "tile_gpu.alloc"() : () -> memref<450x16x32xi8, #space>
  %m = "tile_gpu.alloc"(%a) : (tensor<16x32xi32, #row>) -> memref<16x32xi32, #space>
  %b = "tile_gpu.local_load"(%m) : (memref<16x32xi32, #space>) -> tensor<16x32xi32, #column>
  %n = "tile_gpu.alloc"(%a) : (tensor<16x32xi32, #row>) -> memref<16x32xi32, #space>
  %d = "tile_gpu.local_load"(%n) : (memref<16x32xi32, #space>) -> tensor<16x32xi32, #column>
  %c0 = arith.constant 0 : i32
  %s = "tile_gpu.index"(%l, %c0) : (memref<450x16x32xi8, #space>, i32) -> memref<16x32xi8, #space>
  %e = "tile_gpu.local_load"(%s) : (memref<16x32xi8, #space>) -> tensor<16x32xi8, #column>
  return
}
}
