// RUN: tile-opt --tile-gpu-print-conversions --split-input-file --verify-diagnostics %s
// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers --split-input-file %s | FileCheck %s
// RUN: tile-opt --tile-gpu-to-llvm --split-input-file %s 2>/dev/null | FileCheck %s --check-prefix=LLVM

// Rows to columns: 32x32 elements in each of four warps, whichever way they are held. So no thread waits for
// another warp.
#rows = #tile_gpu.blocked<{size_per_thread = [1, 32], threads_per_warp = [32, 1], warps_per_cta = [4, 1], order = [1, 0]}>
#columns = #tile_gpu.blocked<{size_per_thread = [32, 1], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  // CHECK-LABEL: func.func @once
  // CHECK-NOT: tile_gpu.barrier
  // LLVM-LABEL: llvm.func @once
  // LLVM-NOT: nvvm.barrier0
  // LLVM: nvvm.bar.warp.sync
  // LLVM-NOT: nvvm.bar.warp.sync
  // LLVM-NOT: nvvm.barrier0
  // LLVM: llvm.return
  func.func @once(%x: f32) attributes {tile.kernel} {
    %r = "tile.splat"(%x) : (f32) -> tensor<128x32xf32, #rows>
    // expected-remark @+1 {{conversion: shared memory within each warp, 16384 bytes; stores of 4 bytes: 1 wavefront, least 1; loads of 4 bytes: 1 wavefront, least 1}}
    %c = "tile_gpu.convert_layout"(%r) : (tensor<128x32xf32, #rows>) -> tensor<128x32xf32, #columns>
    return
  }

  // Each round of the loop writes to what the lanes of the same warp have read: they wait for one another.
  // CHECK-LABEL: func.func @loop
  // CHECK: scf.for
  // CHECK-NEXT: "tile_gpu.barrier"() {warp}
  // CHECK-NEXT: tile_gpu.convert_layout
  // LLVM-LABEL: llvm.func @loop
  // LLVM-NOT: nvvm.barrier0
  // LLVM-COUNT-2: nvvm.bar.warp.sync
  // LLVM-NOT: nvvm.bar.warp.sync
  // LLVM: llvm.return
  func.func @loop(%x: f32, %n: i32) attributes {tile.kernel} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = "tile.splat"(%x) : (f32) -> tensor<128x32xf32, #rows>
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-remark @+1 {{shared memory within each warp}}
      %c = "tile_gpu.convert_layout"(%r) : (tensor<128x32xf32, #rows>) -> tensor<128x32xf32, #columns>
    }
    return
  }

  // The gather's own barrier, of the block, parts the exchanges on its sides; the last one lies where other
  // warps' loads for the gather were, and no barrier of the block stands between: the block waits.
  // CHECK-LABEL: func.func @shared_area
  // CHECK: tile_gpu.convert_layout"{{.*}}shared_offset = 0
  // CHECK-NEXT: tile.gather"{{.*}}shared_offset = 16384
  // CHECK-NEXT: tile_gpu.convert_layout"{{.*}}shared_offset = 0
  // CHECK-NEXT: "tile_gpu.barrier"() :
  // CHECK-NEXT: tile_gpu.convert_layout"{{.*}}shared_offset = 16384
  func.func @shared_area(%x: f32, %i: i32) attributes {tile.kernel} {
    %r = "tile.splat"(%x) : (f32) -> tensor<128x32xf32, #rows>
    %at = "tile.splat"(%i) : (i32) -> tensor<128x32xi32, #rows>
    // expected-remark @+1 {{shared memory within each warp}}
    %c = "tile_gpu.convert_layout"(%r) : (tensor<128x32xf32, #rows>) -> tensor<128x32xf32, #columns>
    %g = "tile.gather"(%r, %at) {axis = 0 : i32} : (tensor<128x32xf32, #rows>, tensor<128x32xi32, #rows>) -> tensor<128x32xf32, #rows>
    // expected-remark @+1 {{shared memory within each warp}}
    %d = "tile_gpu.convert_layout"(%c) : (tensor<128x32xf32, #columns>) -> tensor<128x32xf32, #rows>
    // expected-remark @+1 {{shared memory within each warp}}
    %e = "tile_gpu.convert_layout"(%d) : (tensor<128x32xf32, #rows>) -> tensor<128x32xf32, #columns>
    return
  }
}

// -----

// The warps have other elements in the two layouts: the block waits.
#rows = #tile_gpu.blocked<{size_per_thread = [1, 32], threads_per_warp = [32, 1], warps_per_cta = [4, 1], order = [1, 0]}>
#along = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  // LLVM-LABEL: llvm.func @across
  // LLVM-NOT: nvvm.bar.warp.sync
  // LLVM: nvvm.barrier0
  // LLVM-NOT: nvvm.bar.warp.sync
  // LLVM: llvm.return
  func.func @across(%x: f32) attributes {tile.kernel} {
    %r = "tile.splat"(%x) : (f32) -> tensor<128x32xf32, #rows>
    // expected-remark @+1 {{conversion: shared memory, 16384 bytes}}
    %c = "tile_gpu.convert_layout"(%r) : (tensor<128x32xf32, #rows>) -> tensor<128x32xf32, #along>
    return
  }
}
