// Buffers in shared memory: a tile is stored in one layout and loaded in another; a view is a part of a
// buffer, and no element moves for it.
// RUN: tile-opt --tile-verify --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s
// RUN: tile-opt --tile-gpu-to-llvm --tile-verify-lowered --verify-only %s
// RUN: tile-run %s --kernel transposed --grid 1 --arg x=fp32[1024]:arange --arg out=fp32[1024]:poison --check --seed 3 --print out:4 | FileCheck %s --check-prefix=TRANSPOSED
// RUN: tile-run %s --kernel box --grid 1 --arg x=fp32[1024]:arange --arg out=fp32[512]:poison --check --print out:18 | FileCheck %s --check-prefix=BOX
// RUN: tile-run %s --kernel stages --grid 1 --arg x=fp32[1024]:arange --arg out=fp32[512]:poison --arg n=i32:2 --check --print out:2 | FileCheck %s --check-prefix=STAGES

#rows = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#columns = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]}>
#row = #tile_gpu.slice<{axis = 0, parent = #rows}>
#column = #tile_gpu.slice<{axis = 1, parent = #rows}>
#swizzled = #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 8, order = [1, 0]}>
#turned = #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 8, order = [0, 1]}>

module attributes {tile_gpu.num_warps = 4 : i32} {
  // The second store overwrites what others still load; the third buffer lies where the first was.
  // CHECK-LABEL: func.func @transposed
  // CHECK: "tile_gpu.alloc"() {tile_gpu.shared_offset = 0 : i32}
  // CHECK: "tile_gpu.local_store"
  // CHECK-NEXT: "tile_gpu.barrier"
  // CHECK-NEXT: "tile_gpu.local_load"
  // CHECK: "tile_gpu.barrier"
  // CHECK-NEXT: "tile_gpu.local_store"
  // CHECK: "tile_gpu.barrier"
  // CHECK: "tile_gpu.local_load"
  // CHECK: "tile_gpu.barrier"
  // CHECK-NEXT: "tile_gpu.alloc"({{.*}}) {tile_gpu.shared_offset = 0 : i32}
  // CHECK: "tile_gpu.barrier"
  // CHECK-NEXT: "tile_gpu.local_load"
  // TRANSPOSED: out = 0 96 192 288
  func.func @transposed(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
    %two = arith.constant dense<2.0> : tensor<32x32xf32, #rows>
    %width = arith.constant dense<32> : tensor<32x1xi32, #rows>
    %i = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32, #column>
    %j = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32, #row>
    %i2 = "tile.expand_dims"(%i) {axis = 1 : i32} : (tensor<32xi32, #column>) -> tensor<32x1xi32, #rows>
    %j2 = "tile.expand_dims"(%j) {axis = 0 : i32} : (tensor<32xi32, #row>) -> tensor<1x32xi32, #rows>
    %start = arith.muli %i2, %width : tensor<32x1xi32, #rows>
    %start2 = "tile.broadcast"(%start) : (tensor<32x1xi32, #rows>) -> tensor<32x32xi32, #rows>
    %j3 = "tile.broadcast"(%j2) : (tensor<1x32xi32, #rows>) -> tensor<32x32xi32, #rows>
    %offset = arith.addi %start2, %j3 : tensor<32x32xi32, #rows>
    %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>, #rows>
    %xp = "tile.addptr"(%xs, %offset) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xi32, #rows>) -> tensor<32x32x!tile.ptr<f32>, #rows>
    %value = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f32>, #rows>) -> tensor<32x32xf32, #rows>
    %m = "tile_gpu.alloc"() : () -> memref<32x32xf32, #swizzled>
    %t = "tile_gpu.transpose"(%m) {order = array<i32: 1, 0>} : (memref<32x32xf32, #swizzled>) -> memref<32x32xf32, #turned>
    "tile_gpu.local_store"(%value, %m) : (tensor<32x32xf32, #rows>, memref<32x32xf32, #swizzled>) -> ()
    %once = "tile_gpu.local_load"(%t) : (memref<32x32xf32, #turned>) -> tensor<32x32xf32, #rows>
    %double = arith.mulf %once, %two : tensor<32x32xf32, #rows>
    "tile_gpu.local_store"(%double, %m) : (tensor<32x32xf32, #rows>, memref<32x32xf32, #swizzled>) -> ()
    %plain = "tile_gpu.local_load"(%m) : (memref<32x32xf32, #swizzled>) -> tensor<32x32xf32, #rows>
    %sum = arith.addf %plain, %once : tensor<32x32xf32, #rows>
    %other = "tile_gpu.alloc"(%sum) : (tensor<32x32xf32, #rows>) -> memref<32x32xf32, #swizzled>
    %by_columns = "tile_gpu.local_load"(%other) : (memref<32x32xf32, #swizzled>) -> tensor<32x32xf32, #columns>
    %result = "tile_gpu.convert_layout"(%by_columns) : (tensor<32x32xf32, #columns>) -> tensor<32x32xf32, #rows>
    %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>, #rows>
    %op = "tile.addptr"(%os, %offset) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xi32, #rows>) -> tensor<32x32x!tile.ptr<f32>, #rows>
    "tile.store"(%op, %result) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xf32, #rows>) -> ()
    return
  }

  // Rows 16 to 31, columns 16 to 31, transposed: out[0] = x[16, 16], out[1] = x[17, 16], and out[16] = x[16, 17].
  // BOX: out = 528 560 592 624 656 688 720 752 784 816 848 880 912 944 976 1008 529 561
  func.func @box(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}) attributes {tile.kernel} {
    %width = arith.constant dense<32> : tensor<32x1xi32, #rows>
    %half = arith.constant dense<16> : tensor<16x1xi32, #rows>
    %i = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32, #column>
    %j = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32, #row>
    %i2 = "tile.expand_dims"(%i) {axis = 1 : i32} : (tensor<32xi32, #column>) -> tensor<32x1xi32, #rows>
    %j2 = "tile.expand_dims"(%j) {axis = 0 : i32} : (tensor<32xi32, #row>) -> tensor<1x32xi32, #rows>
    %start = arith.muli %i2, %width : tensor<32x1xi32, #rows>
    %start2 = "tile.broadcast"(%start) : (tensor<32x1xi32, #rows>) -> tensor<32x32xi32, #rows>
    %j3 = "tile.broadcast"(%j2) : (tensor<1x32xi32, #rows>) -> tensor<32x32xi32, #rows>
    %offset = arith.addi %start2, %j3 : tensor<32x32xi32, #rows>
    %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>, #rows>
    %xp = "tile.addptr"(%xs, %offset) : (tensor<32x32x!tile.ptr<f32>, #rows>, tensor<32x32xi32, #rows>) -> tensor<32x32x!tile.ptr<f32>, #rows>
    %value = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<32x32x!tile.ptr<f32>, #rows>) -> tensor<32x32xf32, #rows>
    %m = "tile_gpu.alloc"(%value) : (tensor<32x32xf32, #rows>) -> memref<32x32xf32, #swizzled>
    %lower = "tile_gpu.subslice"(%m) {offsets = array<i32: 16, 0>} : (memref<32x32xf32, #swizzled>) -> memref<16x32xf32, #swizzled>
    %turned = "tile_gpu.transpose"(%lower) {order = array<i32: 1, 0>} : (memref<16x32xf32, #swizzled>) -> memref<32x16xf32, #turned>
    %corner = "tile_gpu.subslice"(%turned) {offsets = array<i32: 16, 0>} : (memref<32x16xf32, #turned>) -> memref<16x16xf32, #turned>
    %box = "tile_gpu.local_load"(%corner) : (memref<16x16xf32, #turned>) -> tensor<16x16xf32, #rows>
    %k = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32, #column>
    %l = "tile.range"() {start = 0 : i32, end = 16 : i32} : () -> tensor<16xi32, #row>
    %k2 = "tile.expand_dims"(%k) {axis = 1 : i32} : (tensor<16xi32, #column>) -> tensor<16x1xi32, #rows>
    %l2 = "tile.expand_dims"(%l) {axis = 0 : i32} : (tensor<16xi32, #row>) -> tensor<1x16xi32, #rows>
    %k3 = arith.muli %k2, %half : tensor<16x1xi32, #rows>
    %k4 = "tile.broadcast"(%k3) : (tensor<16x1xi32, #rows>) -> tensor<16x16xi32, #rows>
    %l3 = "tile.broadcast"(%l2) : (tensor<1x16xi32, #rows>) -> tensor<16x16xi32, #rows>
    %place = arith.addi %k4, %l3 : tensor<16x16xi32, #rows>
    %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<16x16x!tile.ptr<f32>, #rows>
    %op = "tile.addptr"(%os, %place) : (tensor<16x16x!tile.ptr<f32>, #rows>, tensor<16x16xi32, #rows>) -> tensor<16x16x!tile.ptr<f32>, #rows>
    "tile.store"(%op, %box) : (tensor<16x16x!tile.ptr<f32>, #rows>, tensor<16x16xf32, #rows>) -> ()
    return
  }

  // A stage by an index known at run time: stage 2 holds x[512], x[513], ...
  // STAGES: out = 512 513
  func.func @stages(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %out: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %step = arith.constant dense<256> : tensor<256xi32, #column>
    %m = "tile_gpu.alloc"() : () -> memref<3x256xf32, #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>>
    %j = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32, #column>
    %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>, #column>
    scf.for %i = %c0 to %c3 step %c1 : i32 {
      %is = "tile.splat"(%i) : (i32) -> tensor<256xi32, #column>
      %from = arith.muli %is, %step : tensor<256xi32, #column>
      %all = arith.addi %from, %j : tensor<256xi32, #column>
      %xp = "tile.addptr"(%xs, %all) : (tensor<256x!tile.ptr<f32>, #column>, tensor<256xi32, #column>) -> tensor<256x!tile.ptr<f32>, #column>
      %value = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<f32>, #column>) -> tensor<256xf32, #column>
      %stage = "tile_gpu.index"(%m, %i) : (memref<3x256xf32, #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>>, i32) -> memref<256xf32, #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>>
      "tile_gpu.local_store"(%value, %stage) : (tensor<256xf32, #column>, memref<256xf32, #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>>) -> ()
    }
    %chosen = "tile_gpu.index"(%m, %n) : (memref<3x256xf32, #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>>, i32) -> memref<256xf32, #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>>
    %y = "tile_gpu.local_load"(%chosen) : (memref<256xf32, #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>>) -> tensor<256xf32, #column>
    %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>, #column>
    %op = "tile.addptr"(%os, %j) : (tensor<256x!tile.ptr<f32>, #column>, tensor<256xi32, #column>) -> tensor<256x!tile.ptr<f32>, #column>
    "tile.store"(%op, %y) : (tensor<256x!tile.ptr<f32>, #column>, tensor<256xf32, #column>) -> ()
    return
  }
}
