// RUN: tile-opt --tile-verify %s | tile-opt | FileCheck %s

// Barriers in shared memory and bulk copies go through text and back, and the verifier takes them.

#b = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
#p = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [2, 1, 0]}>

// CHECK-LABEL: func.func @stages
func.func @stages(%d: !tile.descriptor<tensor<64x256xf16>>, %go: i1, %i: i32) {
  %zero = arith.constant 0 : i32
  %b = "tile_gpu.alloc"() : () -> memref<4x1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<4x64x256xf16, #n>
  // CHECK: "tile_gpu.mbarrier_init"(%{{.*}}) {arrivals = 1 : i32} : (memref<4x1xi64,
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<4x1xi64, #b>) -> ()
  %b1 = "tile_gpu.index"(%b, %i) : (memref<4x1xi64, #b>, i32) -> memref<1xi64, #b>
  %m1 = "tile_gpu.index"(%m, %i) : (memref<4x64x256xf16, #n>, i32) -> memref<64x256xf16, #n>
  // CHECK: "tile_gpu.mbarrier_expect"(%{{.*}}, %{{.*}}) {bytes = 32768 : i32}
  "tile_gpu.mbarrier_expect"(%b1, %go) {bytes = 32768 : i32} : (memref<1xi64, #b>, i1) -> ()
  // CHECK: "tile_gpu.bulk_load"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!tile.descriptor<tensor<64x256xf16>>,
  %t = "tile_gpu.bulk_load"(%d, %m1, %b1, %go, %i, %zero) : (!tile.descriptor<tensor<64x256xf16>>, memref<64x256xf16, #n>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
  // CHECK: "tile_gpu.mbarrier_wait"(%{{.*}}, %{{.*}}) : (memref<1xi64,
  %w = "tile_gpu.mbarrier_wait"(%b1, %zero) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
  // CHECK: "tile_gpu.mbarrier_inval"(%{{.*}}) : (memref<4x1xi64,
  "tile_gpu.mbarrier_inval"(%b) : (memref<4x1xi64, #b>) -> ()
  return
}

// A buffer without a swizzle, of three dimensions.
// CHECK-LABEL: func.func @plain
func.func @plain(%d: !tile.descriptor<tensor<2x512x32xf32>>, %go: i1, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<2x512x32xf32, #p>
  // CHECK: "tile_gpu.bulk_load"
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %go, %i, %i, %i) : (!tile.descriptor<tensor<2x512x32xf32>>, memref<2x512x32xf32, #p>, memref<1xi64, #b>, i1, i32, i32, i32) -> !tile_gpu.token
  return
}
