// A private buffer: each thread loads what it has stored, and no barrier parts the two. Where another buffer has had its place,
// that one's accesses are others'.
// RUN: tile-opt --tile-verify --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s

#l = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#s = #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 1, order = [0]}>

module attributes {tile_gpu.num_warps = 4 : i32} {

// CHECK-LABEL: func.func @own
// CHECK-NOT: tile_gpu.barrier
// CHECK: return
func.func @own(%x: tensor<512xf32, #l>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m = "tile_gpu.alloc"() {tile_gpu.private} : () -> memref<512xf32, #s>
  "tile_gpu.local_store"(%x, %m) : (tensor<512xf32, #l>, memref<512xf32, #s>) -> ()
  scf.for %i = %c0 to %n step %c1 : i32 {
    %y = "tile_gpu.local_load"(%m) : (memref<512xf32, #s>) -> tensor<512xf32, #l>
    %z = arith.addf %y, %x : tensor<512xf32, #l>
    "tile_gpu.local_store"(%z, %m) : (tensor<512xf32, #l>, memref<512xf32, #s>) -> ()
  }
  return
}

// Without the attribute.
// CHECK-LABEL: func.func @all
// CHECK: scf.for
// CHECK: tile_gpu.barrier
// CHECK-NEXT: local_load
// CHECK: tile_gpu.barrier
// CHECK-NEXT: local_store
func.func @all(%x: tensor<512xf32, #l>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m = "tile_gpu.alloc"() : () -> memref<512xf32, #s>
  "tile_gpu.local_store"(%x, %m) : (tensor<512xf32, #l>, memref<512xf32, #s>) -> ()
  scf.for %i = %c0 to %n step %c1 : i32 {
    %y = "tile_gpu.local_load"(%m) : (memref<512xf32, #s>) -> tensor<512xf32, #l>
    %z = arith.addf %y, %x : tensor<512xf32, #l>
    "tile_gpu.local_store"(%z, %m) : (tensor<512xf32, #l>, memref<512xf32, #s>) -> ()
  }
  return
}

// CHECK-LABEL: func.func @place_of_another
// CHECK: alloc{{.*}}shared_offset = 0
// CHECK: local_load
// CHECK: alloc{{.*}}shared_offset = 0
// CHECK-NEXT: tile_gpu.barrier
// CHECK-NEXT: local_store
// CHECK-NEXT: local_load
func.func @place_of_another(%x: tensor<512xf32, #l>) attributes {tile.kernel} {
  %m = "tile_gpu.alloc"() {tile_gpu.private} : () -> memref<512xf32, #s>
  "tile_gpu.local_store"(%x, %m) : (tensor<512xf32, #l>, memref<512xf32, #s>) -> ()
  %y = "tile_gpu.local_load"(%m) : (memref<512xf32, #s>) -> tensor<512xf32, #l>
  %k = "tile_gpu.alloc"() {tile_gpu.private} : () -> memref<512xf32, #s>
  "tile_gpu.local_store"(%y, %k) : (tensor<512xf32, #l>, memref<512xf32, #s>) -> ()
  %z = "tile_gpu.local_load"(%k) : (memref<512xf32, #s>) -> tensor<512xf32, #l>
  return
}

}
