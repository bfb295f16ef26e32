// RUN: not tile-opt --tile-gpu-allocate-shared %s 2>&1 | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: sed 's/sm_90a/sm_86/' %s | not tile-opt --tile-gpu-allocate-shared 2>&1 | FileCheck %s --check-prefixes=CHECK,OLDER
// RUN: sed 's/256x128/128x64/g' %s | tile-opt --tile-gpu-allocate-shared | FileCheck %s --check-prefix=FITS

#plain = #tile_gpu.swizzled<{max_phase = 1 : i32, order = [1, 0], per_phase = 1 : i32, vec = 1 : i32}>
#row = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a"} {
// What is in use at one time does not fit into the shared memory of the target's blocks. The message names the largest areas.
// CHECK: error: func.func: the kernel needs 262144 bytes of shared memory,
// HOPPER-SAME: the limit is 232448
// OLDER-SAME: the limit is 101376
// CHECK-SAME: (131072 bytes for tile_gpu.alloc at {{.*}}, 131072 bytes for tile_gpu.alloc at {{.*}}); use smaller tiles
// FITS: tile_gpu.shared_bytes = 65536 : i32
func.func @two(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %x = "tile_gpu.alloc"() : () -> memref<256x128xi32, #plain>
  %y = "tile_gpu.alloc"() : () -> memref<256x128xi32, #plain>
  %a = "tile_gpu.local_load"(%x) : (memref<256x128xi32, #plain>) -> tensor<256x128xi32, #row>
  %b = "tile_gpu.local_load"(%y) : (memref<256x128xi32, #plain>) -> tensor<256x128xi32, #row>
  return
}
}
