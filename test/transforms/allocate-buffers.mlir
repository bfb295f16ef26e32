// A buffer keeps its place from its alloc to its last use; a use in a loop counts as the whole loop, and a copy into it
// as long as it may be in flight.
// RUN: tile-opt --tile-gpu-allocate-shared %s | FileCheck %s

#l = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>

module attributes {tile_gpu.num_warps = 4 : i32} {
// The loop loads %m in every iteration: %inner must not lie there. After the loop its place is free.
// CHECK-LABEL: func.func @loops
// CHECK-SAME: tile_gpu.shared_bytes = 4096 : i32
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 0 : i32}
// CHECK: scf.for
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 2048 : i32}
// CHECK: }
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 0 : i32}
func.func @loops(%x: tensor<512xf32, #l>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %m = "tile_gpu.alloc"(%x) : (tensor<512xf32, #l>) -> memref<512xf32, #s>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<512xf32, #l>) : i32 {
    %y = "tile_gpu.local_load"(%m) : (memref<512xf32, #s>) -> tensor<512xf32, #l>
    %inner = "tile_gpu.alloc"(%y) : (tensor<512xf32, #l>) -> memref<512xf32, #s>
    %z = "tile_gpu.local_load"(%inner) : (memref<512xf32, #s>) -> tensor<512xf32, #l>
    scf.yield %z : tensor<512xf32, #l>
  }
  %last = "tile_gpu.alloc"(%r) : (tensor<512xf32, #l>) -> memref<512xf32, #s>
  %w = "tile_gpu.local_load"(%last) : (memref<512xf32, #s>) -> tensor<512xf32, #l>
  return
}

// Nothing uses %m after the copy, which may still land.
// CHECK-LABEL: func.func @in_flight
// CHECK: "tile_gpu.alloc"() {tile_gpu.shared_offset = 0 : i32}
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 2048 : i32}
// CHECK: "tile_gpu.async_wait"
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 0 : i32}
func.func @in_flight(%x: tensor<512xf32, #l>, %p: tensor<512x!tile.ptr<f32>, #l>) attributes {tile.kernel} {
  %m = "tile_gpu.alloc"() : () -> memref<512xf32, #s>
  %t = "tile_gpu.async_copy"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<512x!tile.ptr<f32>, #l>, memref<512xf32, #s>) -> !tile_gpu.token
  %g = "tile_gpu.async_commit"(%t) : (!tile_gpu.token) -> !tile_gpu.token
  %m1 = "tile_gpu.alloc"(%x) : (tensor<512xf32, #l>) -> memref<512xf32, #s>
  %y = "tile_gpu.local_load"(%m1) : (memref<512xf32, #s>) -> tensor<512xf32, #l>
  %w = "tile_gpu.async_wait"() {pending = 0 : i32} : () -> !tile_gpu.token
  %m2 = "tile_gpu.alloc"(%y) : (tensor<512xf32, #l>) -> memref<512xf32, #s>
  %z = "tile_gpu.local_load"(%m2) : (memref<512xf32, #s>) -> tensor<512xf32, #l>
  return
}

// What wgmma reads starts at a multiple of 1024 bytes: after 1152 bytes, at 2048.
// CHECK-LABEL: func.func @aligned
// CHECK: "tile_gpu.alloc"() {tile_gpu.shared_offset = 0 : i32} : () -> memref<9x32xf32
// CHECK: "tile_gpu.alloc"() {tile_gpu.shared_offset = 2048 : i32} : () -> memref<8x64xf16
func.func @aligned(%c0: i32) attributes {tile.kernel} {
  %m = "tile_gpu.alloc"() : () -> memref<9x32xf32, #s>
  %n = "tile_gpu.alloc"() : () -> memref<8x64xf16, #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>>
  %stage = "tile_gpu.index"(%m, %c0) : (memref<9x32xf32, #s>, i32) -> memref<32xf32, #s>
  %y = "tile_gpu.local_load"(%stage) : (memref<32xf32, #s>) -> tensor<32xf32, #l>
  return
}
}
