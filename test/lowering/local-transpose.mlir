// Bytes from one buffer into another whose elements follow one another along the other dimension: rows of pairs by ldmatrix, whose
// bytes prmt sorts by columns, which stmatrix stores. test/unit/layout_byte_transpose_test.c carries the addresses out.
// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s --check-prefix=BARRIERS

#rows = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 8}>
#columns = #tile_gpu.nvmma<{swizzle = 64, transposed = true, element_bits = 8}>
#narrow = #tile_gpu.nvmma<{swizzle = 0, transposed = false, element_bits = 8}>
#short = #tile_gpu.nvmma<{swizzle = 32, transposed = true, element_bits = 8}>
#blocked = #tile_gpu.blocked<{order = [1, 0], size_per_thread = [1, 16], threads_per_warp = [4, 8], warps_per_cta = [4, 1]}>

module attributes {tile_gpu.target = "sm_90a", tile_gpu.num_warps = 4 : i32} {

// 8192 bytes are four instructions for each of four warps. Lanes from 16 on have the odd columns first.
// CHECK-LABEL: llvm.func @tiles
// CHECK: %[[HALF:.*]] = arith.andi %{{.*}}, %c16_i32
// CHECK: %[[LOWER:.*]] = arith.cmpi eq, %[[HALF]], %c0_i32
// CHECK: %[[FIRST:.*]] = arith.select %[[LOWER]], %c25632_i32, %c30001_i32
// CHECK: %[[SECOND:.*]] = arith.select %[[LOWER]], %c30001_i32, %c25632_i32
// CHECK: %[[W:.*]]:4 = "tile_ptx.ldmatrix"({{.*}}) {count = 4 : i32, transpose = true}
// CHECK-COUNT-3: "tile_ptx.ldmatrix"({{.*}}) {count = 4 : i32, transpose = true}
// CHECK-NOT: ldmatrix
// CHECK: %[[A:.*]] = "tile_ptx.prmt"(%[[W]]#0, %[[W]]#1, %[[FIRST]])
// CHECK: %[[B:.*]] = "tile_ptx.prmt"(%[[W]]#0, %[[W]]#1, %[[SECOND]])
// CHECK: %[[C:.*]] = "tile_ptx.prmt"(%[[W]]#2, %[[W]]#3, %[[FIRST]])
// CHECK: %[[D:.*]] = "tile_ptx.prmt"(%[[W]]#2, %[[W]]#3, %[[SECOND]])
// CHECK: "tile_ptx.stmatrix"(%{{.*}}, %[[A]], %[[B]], %[[C]], %[[D]]) {transpose = false}
// CHECK-COUNT-3: "tile_ptx.stmatrix"

// The first buffer is stored before it is read, the second read before it is stored again: one barrier each.
// BARRIERS-LABEL: func.func @tiles
// BARRIERS: "tile_gpu.alloc"(%
// BARRIERS: "tile_gpu.barrier"()
// BARRIERS-NEXT: "tile_gpu.local_transpose"
// BARRIERS-NEXT: "tile_gpu.barrier"()
// BARRIERS-NEXT: "tile_gpu.local_load"
// BARRIERS-NEXT: "tile_gpu.barrier"()
// BARRIERS-NEXT: "tile_gpu.local_transpose"
// BARRIERS-NEXT: "tile_gpu.barrier"()
// BARRIERS-NEXT: "tile_gpu.local_load"
func.func @tiles() attributes {tile.kernel} {
  %x = arith.constant dense<1> : tensor<64x128xi8, #blocked>
  %m = "tile_gpu.alloc"(%x) : (tensor<64x128xi8, #blocked>) -> memref<64x128xi8, #rows>
  %n = "tile_gpu.alloc"() : () -> memref<64x128xi8, #columns>
  "tile_gpu.local_transpose"(%m, %n) : (memref<64x128xi8, #rows>, memref<64x128xi8, #columns>) -> ()
  %y = "tile_gpu.local_load"(%n) : (memref<64x128xi8, #columns>) -> tensor<64x128xi8, #blocked>
  "tile_gpu.local_transpose"(%m, %n) {interleaved} : (memref<64x128xi8, #rows>, memref<64x128xi8, #columns>) -> ()
  %z = "tile_gpu.local_load"(%n) : (memref<64x128xi8, #columns>) -> tensor<64x128xi8, #blocked>
  return
}

// 512 bytes are one instruction: one warp of the four.
// CHECK-LABEL: llvm.func @one_warp
// CHECK: %[[OTHERS:.*]] = arith.andi %{{.*}}, %c96_i32
// CHECK: %[[FIRST_WARP:.*]] = arith.cmpi eq, %[[OTHERS]], %c0_i32
// CHECK: scf.if %[[FIRST_WARP]] {
// CHECK: "tile_ptx.ldmatrix"
// CHECK: "tile_ptx.stmatrix"
// CHECK-NOT: stmatrix
func.func @one_warp() attributes {tile.kernel} {
  %m = "tile_gpu.alloc"() : () -> memref<32x16xi8, #narrow>
  %n = "tile_gpu.alloc"() : () -> memref<32x16xi8, #short>
  "tile_gpu.local_transpose"(%m, %n) : (memref<32x16xi8, #narrow>, memref<32x16xi8, #short>) -> ()
  return
}
}
