// Clusters of two blocks: each copies its part of a block, to both, and arrives at barriers of both.
// RUN: tile-opt --tile-verify --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-opt --tile-to-emulator %s | FileCheck %s --check-prefix=EMU
// RUN: tile-opt --tile-to-ptx %s | FileCheck %s --check-prefix=PTX

#b = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>

// Two of four panels of 8192 bytes, 64 columns each: those of rank 1 are 16384 bytes and 128 columns
// further on. A barrier of the cluster is one of the block, too.
// CHECK-LABEL: llvm.func @panels
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// CHECK: "tile_ptx.fence_mbarrier_init"
// CHECK-NOT: nvvm.barrier
// CHECK: "tile_ptx.cluster_arrive"
// CHECK-NEXT: "tile_ptx.cluster_wait"
// CHECK-NOT: nvvm.barrier
// CHECK: %[[RANK:.*]] = "tile_ptx.cluster_rank"
// CHECK: %[[BYTES:.*]] = arith.muli %[[RANK]], %c16384
// CHECK: %[[COLUMNS:.*]] = arith.muli %[[RANK]], %c128
// CHECK: "tile_ptx.cp_async_bulk_tensor"({{.*}}) {blocks = 3 : i32}
// CHECK: "tile_ptx.cp_async_bulk_tensor"({{.*}}) {blocks = 3 : i32}
// CHECK-NOT: "tile_ptx.cp_async_bulk_tensor"
// CHECK: "tile_ptx.mbarrier_arrive_at"(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr<3>, i32, i1) -> ()
// EMU-LABEL: llvm.func @panels
// EMU-SAME: tile_gpu.cluster_blocks = 2
// EMU: llvm.call @tile_emu_cluster_arrive
// EMU: llvm.call @tile_emu_cluster_wait
// EMU: llvm.call @tile_emu_cluster_rank
// EMU: llvm.call @tile_emu_tensor_multicast
// EMU: llvm.call @tile_emu_mbarrier_arrive_at
// PTX-LABEL: llvm.func @panels
// PTX: "barrier.cluster.arrive.release;"
// PTX: "barrier.cluster.wait.acquire;"
// PTX: mov.u32 $0, %cluster_ctarank;
// PTX: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$4, $5}], [$2], 3;
// PTX: { .reg .b64 there; mapa.shared::cluster.u64 there, $0, $1; @$2 mbarrier.arrive.shared::cluster.b64 _, [there]; }
func.func @panels(%d: !tile.descriptor<tensor<64x256xf16>>, %out: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %x: i32) attributes {tile.kernel, tile_gpu.cluster_blocks = 2 : i32} {
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<64x256xf16, #n>
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<1xi64, #b>) -> ()
  "tile_gpu.cluster_barrier"() : () -> ()
  "tile_gpu.mbarrier_expect"(%b, %true) {bytes = 32768 : i32} : (memref<1xi64, #b>, i1) -> ()
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %true, %x, %zero) {parts = 2 : i32, multicast} : (!tile.descriptor<tensor<64x256xf16>>, memref<64x256xf16, #n>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
  %w = "tile_gpu.mbarrier_wait"(%b, %zero) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
  %r = "tile_gpu.cluster_rank"() : () -> i32
  %other = arith.xori %r, %one : i32
  "tile_gpu.mbarrier_arrive_at"(%b, %true, %other) : (memref<1xi64, #b>, i1, i32) -> ()
  return
}

// One box of 128 rows becomes two of 64, for a copy of the whole block as well.
// CHECK-LABEL: llvm.func @rows
// CHECK-NOT: nvvm.cluster_dim
// CHECK-COUNT-2: "tile_ptx.cp_async_bulk_tensor"{{.*}} : (!llvm.ptr<3>, !llvm.ptr, !llvm.ptr<3>, i1, i32, i32) -> ()
// CHECK-NOT: "tile_ptx.cp_async_bulk_tensor"
func.func @rows(%d: !tile.descriptor<tensor<128x64xf16>>, %x: i32) attributes {tile.kernel} {
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<128x64xf16, #n>
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<1xi64, #b>) -> ()
  "tile_gpu.mbarrier_expect"(%b, %true) {bytes = 16384 : i32} : (memref<1xi64, #b>, i1) -> ()
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %true, %x, %zero) {parts = 2 : i32} : (!tile.descriptor<tensor<128x64xf16>>, memref<128x64xf16, #n>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
  %w = "tile_gpu.mbarrier_wait"(%b, %zero) : (memref<1xi64, #b>, i32) -> !tile_gpu.token
  return
}
