// RUN: tile-opt --tile-gpu-optimize-dot-operands %s | FileCheck %s
// RUN: tile-opt --tile-gpu-optimize-dot-operands --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s --check-prefix=LOW

// Operands that change hands between warps: a buffer with permuted chunks, and ldmatrix, transposed where k is not the
// contiguous dimension. Each warp has 16 x 64 of a: 1 x 4 fragments of 4 matrices; of b 64 x 64: 4 x 8 of 2.
#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [4, 1], instr_shape = [16, 8]}>
#a = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 2}>
#b = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 2}>
#b1 = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 1}>
#rows = #tile_gpu.blocked<{size_per_thread = [1, 8], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  // Both are stored before the first is loaded, which is the one that was stored last: one barrier for the two.
  // CHECK-LABEL: func.func @halves
  // CHECK: %[[A:.*]] = "tile_gpu.alloc"{{.*}} -> memref<64x64xf16, #tile_gpu.swizzled<{max_phase = 8 : i64, order = [1, 0], per_phase = 1 : i64, vec = 8 : i64}>>
  // CHECK-NEXT: %[[B:.*]] = "tile_gpu.alloc"
  // CHECK-NEXT: %[[Y:.*]] = "tile_gpu.local_load"(%[[B]])
  // CHECK-NEXT: %[[X:.*]] = "tile_gpu.local_load"(%[[A]])
  // CHECK-NOT: convert_layout
  // CHECK: "tile.dot"(%[[X]], %[[Y]],
  // LOW-LABEL: llvm.func @halves
  // LOW: nvvm.barrier
  // LOW-COUNT-16: "tile_ptx.ldmatrix"{{.*}}{count = 4 : i32, transpose = true}
  // LOW-NOT: nvvm.barrier
  // LOW-COUNT-4: "tile_ptx.ldmatrix"{{.*}}{count = 4 : i32, transpose = false}
  // LOW-NOT: ldmatrix
  // LOW: llvm.return
  func.func @halves(%x: f16, %y: f16) attributes {tile.kernel} {
    %l = "tile.splat"(%x) : (f16) -> tensor<64x64xf16, #rows>
    %m = "tile.splat"(%y) : (f16) -> tensor<64x64xf16, #rows>
    %a = "tile_gpu.convert_layout"(%l) : (tensor<64x64xf16, #rows>) -> tensor<64x64xf16, #a>
    %b = "tile_gpu.convert_layout"(%m) : (tensor<64x64xf16, #rows>) -> tensor<64x64xf16, #b>
    %c = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<64x64xf16, #a>, tensor<64x64xf16, #b>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    // What an accumulator becomes stays in its warp, and needs no buffer.
    %h = arith.truncf %d : tensor<64x64xf32, #acc> to tensor<64x64xf16, #acc>
    // CHECK: convert_layout
    // CHECK-NOT: tile_gpu.alloc
    %p = "tile_gpu.convert_layout"(%h) : (tensor<64x64xf16, #acc>) -> tensor<64x64xf16, #a>
    return
  }

  // ldmatrix cannot transpose elements of 4 bytes.
  // CHECK-LABEL: func.func @singles
  // CHECK: convert_layout
  // CHECK-NOT: tile_gpu.alloc
  // LOW-LABEL: llvm.func @singles
  // LOW-NOT: ldmatrix
  func.func @singles(%x: f32) attributes {tile.kernel} {
    %l = "tile.splat"(%x) : (f32) -> tensor<64x64xf32, #rows>
    %b = "tile_gpu.convert_layout"(%l) : (tensor<64x64xf32, #rows>) -> tensor<64x64xf32, #b1>
    return
  }

  // Buffers of more than 8 KiB each are not in use at one time for that.
  // CHECK-LABEL: func.func @large
  // LOW-LABEL: llvm.func @large
  // CHECK: %[[A:.*]] = "tile_gpu.alloc"
  // CHECK-NEXT: "tile_gpu.local_load"(%[[A]])
  // CHECK-NEXT: "tile_gpu.alloc"
  func.func @large(%x: f16, %y: f16) attributes {tile.kernel} {
    %l = "tile.splat"(%x) : (f16) -> tensor<64x128xf16, #rows>
    %m = "tile.splat"(%y) : (f16) -> tensor<128x64xf16, #rows>
    %a = "tile_gpu.convert_layout"(%l) : (tensor<64x128xf16, #rows>) -> tensor<64x128xf16, #a>
    %b = "tile_gpu.convert_layout"(%m) : (tensor<128x64xf16, #rows>) -> tensor<128x64xf16, #b>
    %c = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<64x128xf16, #a>, tensor<128x64xf16, #b>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    return
  }

  // What another operation wants, too, is loaded where it was.
  // CHECK-LABEL: func.func @wanted
  // CHECK: %[[A:.*]] = "tile_gpu.alloc"
  // CHECK-NEXT: "tile_gpu.local_load"(%[[A]])
  // CHECK-NEXT: arith.negf
  // CHECK-NEXT: "tile_gpu.alloc"
  func.func @wanted(%x: f16, %y: f16) attributes {tile.kernel} {
    %l = "tile.splat"(%x) : (f16) -> tensor<64x64xf16, #rows>
    %m = "tile.splat"(%y) : (f16) -> tensor<64x64xf16, #rows>
    %a = "tile_gpu.convert_layout"(%l) : (tensor<64x64xf16, #rows>) -> tensor<64x64xf16, #a>
    %n = arith.negf %a : tensor<64x64xf16, #a>
    %b = "tile_gpu.convert_layout"(%m) : (tensor<64x64xf16, #rows>) -> tensor<64x64xf16, #b>
    %c = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<64x64xf16, #a>, tensor<64x64xf16, #b>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
    return
  }

  // A tile that two products want is stored once; in another block it is stored again, and so is what
  // would make it more than 1 KiB of the kernel.
  // CHECK-LABEL: func.func @twice
  // CHECK: %[[M:.*]] = "tile_gpu.alloc"
  // CHECK-NEXT: "tile_gpu.local_load"(%[[M]])
  // CHECK-NEXT: "tile_gpu.local_load"(%[[M]])
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: "tile_gpu.alloc"
  // CHECK: %[[L:.*]] = "tile_gpu.alloc"
  // CHECK-NEXT: "tile_gpu.local_load"(%[[L]])
  // CHECK-NEXT: "tile_gpu.alloc"
  // CHECK-NEXT: "tile_gpu.local_load"
  func.func @twice(%x: f16, %c: i1) attributes {tile.kernel} {
    %l = "tile.splat"(%x) : (f16) -> tensor<16x32xf16, #rows>
    %a = "tile_gpu.convert_layout"(%l) : (tensor<16x32xf16, #rows>) -> tensor<16x32xf16, #a>
    %b = "tile_gpu.convert_layout"(%l) : (tensor<16x32xf16, #rows>) -> tensor<16x32xf16, #b>
    scf.if %c {
      %i = "tile_gpu.convert_layout"(%l) : (tensor<16x32xf16, #rows>) -> tensor<16x32xf16, #b>
    }
    %m = "tile.splat"(%x) : (f16) -> tensor<16x64xf16, #rows>
    %d = "tile_gpu.convert_layout"(%m) : (tensor<16x64xf16, #rows>) -> tensor<16x64xf16, #a>
    %e = "tile_gpu.convert_layout"(%m) : (tensor<16x64xf16, #rows>) -> tensor<16x64xf16, #b>
    return
  }
}
