// Stores of boxes: each warp fills its slots of the buffer, and its first lane starts them.
// RUN: tile-opt --tile-verify --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s
// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s --check-prefix=THREAD
// RUN: tile-opt --tile-gpu-to-emulator %s | FileCheck %s --check-prefix=EMU
// RUN: tile-opt --tile-gpu-to-ptx %s | FileCheck %s --check-prefix=PTX

#m = #tile_gpu.mma<{instr_shape = [64, 128], version = 3 : i64, warps_per_cta = [4, 1]}>
#h = #tile_gpu.mma<{instr_shape = [64, 64], version = 3 : i64, warps_per_cta = [4, 1]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
#f = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 32}>

module attributes {tile_gpu.num_warps = 4 : i32} {

// Two boxes through one slot: the second waits until the first has been read. A warp's slot is its own, so nothing waits for the
// block; what comes into the same memory later does.
// CHECK-LABEL: func.func @boxes
// CHECK-NOT: tile_gpu.barrier
// CHECK: "tile_gpu.bulk_store_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.alloc"
// THREAD-LABEL: llvm.func @boxes
// THREAD-SAME: (%[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
// THREAD: "tile_ptx.cp_async_bulk_wait"() {pending = 0 : i32}
// THREAD-NEXT: nvvm.bar.warp.sync
// THREAD-COUNT-4: "tile_ptx.stmatrix"
// THREAD-NEXT: "tile_ptx.fence_async_shared"
// THREAD-NEXT: nvvm.bar.warp.sync
// THREAD: "tile_ptx.cp_async_bulk_tensor_store"(%[[MAP]], %{{.*}}, %[[FIRST:.*]], %[[COLUMN:.*]], %[[ROW:.*]]) : (!llvm.ptr, !llvm.ptr<3>, i1, i32, i32) -> ()
// THREAD-NEXT: "tile_ptx.cp_async_bulk_commit"
// THREAD: "tile_ptx.cp_async_bulk_wait_read"() {pending = 0 : i32}
// THREAD-NEXT: nvvm.bar.warp.sync
// THREAD-COUNT-4: "tile_ptx.stmatrix"
// THREAD: %[[NEXT:.*]] = arith.addi %[[COLUMN]], %c64
// THREAD: "tile_ptx.cp_async_bulk_tensor_store"(%[[MAP]], %{{.*}}, %[[FIRST]], %[[NEXT]], %[[ROW]])
// THREAD: "tile_ptx.cp_async_bulk_wait_read"() {pending = 0 : i32}
// EMU-LABEL: llvm.func @boxes
// EMU: llvm.call @tile_emu_bulk_wait(
// EMU: llvm.call @tile_emu_tensor_store(
// EMU: llvm.call @tile_emu_bulk_commit(
// EMU: llvm.call @tile_emu_bulk_wait_read(
// PTX-LABEL: llvm.func @boxes
// PTX: "cp.async.bulk.wait_group 0;"
// PTX: "fence.proxy.async.shared::cta;"
// PTX: "@$2 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$0, {$3, $4}], [$1];", "l,l,b,r,r,~{memory}"
// PTX: "cp.async.bulk.commit_group;"
// PTX: "cp.async.bulk.wait_group.read 0;"
func.func @boxes(%d: !tile.descriptor<tensor<64x128xf16>>, %i: i32, %j: i32) attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : tensor<64x128xf16, #m>
  %b = "tile_gpu.alloc"() : () -> memref<4x16x64xf16, #n>
  "tile_gpu.bulk_store"(%d, %x, %b, %i, %j) : (!tile.descriptor<tensor<64x128xf16>>, tensor<64x128xf16, #m>, memref<4x16x64xf16, #n>, i32, i32) -> ()
  "tile_gpu.bulk_store_wait"(%b) : (memref<4x16x64xf16, #n>) -> ()
  %c = "tile_gpu.alloc"(%x) : (tensor<64x128xf16, #m>) -> memref<64x128xf16, #n>
  return
}

// Rows of 32 numbers of 32 bits, which are stored as the registers have them, at a place in an outer dimension.
// THREAD-LABEL: llvm.func @outer
// THREAD-NOT: stmatrix
// THREAD: "tile_ptx.cp_async_bulk_tensor_store"({{.*}}) : (!llvm.ptr, !llvm.ptr<3>, i1, i32, i32, i32) -> ()
// THREAD-NOT: cp_async_bulk_wait_read
// THREAD: "tile_ptx.cp_async_bulk_tensor_store"
// THREAD: "tile_ptx.cp_async_bulk_wait_read"
// PTX-LABEL: llvm.func @outer
// PTX: cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [$0, {$3, $4, $5}], [$1];
func.func @outer(%d: !tile.descriptor<tensor<64x64xf32>>, %z: i32, %i: i32, %j: i32) attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : tensor<64x64xf32, #h>
  %b = "tile_gpu.alloc"() : () -> memref<8x16x32xf32, #f>
  "tile_gpu.bulk_store"(%d, %x, %b, %z, %i, %j) : (!tile.descriptor<tensor<64x64xf32>>, tensor<64x64xf32, #h>, memref<8x16x32xf32, #f>, i32, i32, i32) -> ()
  "tile_gpu.bulk_store_wait"(%b) : (memref<8x16x32xf32, #f>) -> ()
  return
}

// Sums: all boxes for which there are slots go together, when those that were there have been read. Odd rows store other columns than
// even ones at a time, so that no two meet in a bank: a choice for each number.
// THREAD-LABEL: llvm.func @sums
// THREAD: "tile_ptx.cp_async_bulk_wait_read"() {pending = 0 : i32}
// THREAD-NEXT: nvvm.bar.warp.sync
// THREAD-COUNT-16: arith.select
// THREAD-NOT: cp_async_bulk
// THREAD-COUNT-16: arith.select
// THREAD-NOT: cp_async_bulk
// THREAD: "tile_ptx.fence_async_shared"
// THREAD-NEXT: nvvm.bar.warp.sync
// THREAD: "tile_ptx.cp_async_bulk_tensor_store"({{.*}}) {kind = "add"}
// THREAD-NOT: fence_async_shared
// THREAD: "tile_ptx.cp_async_bulk_tensor_store"({{.*}}) {kind = "add"}
// THREAD-NEXT: "tile_ptx.cp_async_bulk_commit"
// THREAD-NEXT: "tile_ptx.cp_async_bulk_wait_read"
// EMU-LABEL: llvm.func @sums
// EMU: llvm.call @tile_emu_tensor_add(
// PTX-LABEL: llvm.func @sums
// PTX: "@$2 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [$0, {$3, $4}], [$1];"
func.func @sums(%d: !tile.descriptor<tensor<64x64xf32>>, %i: i32, %j: i32) attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : tensor<64x64xf32, #h>
  %b = "tile_gpu.alloc"() : () -> memref<8x16x32xf32, #f>
  "tile_gpu.bulk_store"(%d, %x, %b, %i, %j) {kind = "add"} : (!tile.descriptor<tensor<64x64xf32>>, tensor<64x64xf32, #h>, memref<8x16x32xf32, #f>, i32, i32) -> ()
  "tile_gpu.bulk_store_wait"(%b) : (memref<8x16x32xf32, #f>) -> ()
  return
}

// In a loop the operation itself keeps a warp's boxes apart, and the tensor's order.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK-NOT: tile_gpu.barrier
// CHECK: return
func.func @loop(%d: !tile.descriptor<tensor<64x128xf16>>, %i: i32, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<64x128xf16, #m>
  %b = "tile_gpu.alloc"() : () -> memref<8x16x64xf16, #n>
  scf.for %k = %zero to %n step %one : i32 {
    "tile_gpu.bulk_store"(%d, %x, %b, %i, %k) : (!tile.descriptor<tensor<64x128xf16>>, tensor<64x128xf16, #m>, memref<8x16x64xf16, #n>, i32, i32) -> ()
  }
  "tile_gpu.bulk_store_wait"(%b) : (memref<8x16x64xf16, #n>) -> ()
  return
}

// Behind another one: what it has stored itself before, the first one waits for.
// THREAD-LABEL: llvm.func @two
// THREAD: "tile_ptx.cp_async_bulk_wait"() {pending = 0 : i32}
// THREAD: "tile_ptx.cp_async_bulk_tensor_store"
// THREAD-NOT: "tile_ptx.cp_async_bulk_wait"()
// THREAD: "tile_ptx.cp_async_bulk_wait_read"() {pending = 0 : i32}
// THREAD: "tile_ptx.cp_async_bulk_tensor_store"
// THREAD-NOT: "tile_ptx.cp_async_bulk_wait"()
// THREAD: llvm.return
func.func @two(%d: !tile.descriptor<tensor<64x64xf32>>, %e: !tile.descriptor<tensor<64x64xf32>>, %i: i32, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<64x64xf32, #h>
  %b = "tile_gpu.alloc"() : () -> memref<8x16x32xf32, #f>
  scf.for %k = %zero to %n step %one : i32 {
    "tile_gpu.bulk_store"(%d, %x, %b, %i, %k) : (!tile.descriptor<tensor<64x64xf32>>, tensor<64x64xf32, #h>, memref<8x16x32xf32, #f>, i32, i32) -> ()
    "tile_gpu.bulk_store"(%e, %x, %b, %i, %k) : (!tile.descriptor<tensor<64x64xf32>>, tensor<64x64xf32, #h>, memref<8x16x32xf32, #f>, i32, i32) -> ()
  }
  "tile_gpu.bulk_store_wait"(%b) : (memref<8x16x32xf32, #f>) -> ()
  return
}
}
