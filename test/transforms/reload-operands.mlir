// RUN: tile-opt --tile-gpu-reload-operands %s | FileCheck %s
// Operands that products of a loop take from before it: loaded again in each iteration where registers do not suffice.
#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [4, 1], instr_shape = [16, 8]}>
#a = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 2}>
#b = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 2}>
#rows = #tile_gpu.blocked<{size_per_thread = [1, 8], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#space = #tile_gpu.swizzled<{vec = 8, per_phase = 1, max_phase = 8, order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_80"} {
  // 128 registers of sums, and as many of the operand.
  // CHECK-LABEL: func.func @many
  // CHECK: %[[M:.*]] = "tile_gpu.alloc"(%{{.*}})
  // CHECK-NEXT: scf.for
  // CHECK: %[[A:.*]] = "tile_gpu.local_load"(%[[M]])
  // CHECK-NEXT: "tile.dot"(%[[A]],
  func.func @many(%x: f16, %y: f16, %n: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
    %l = "tile.splat"(%x) : (f16) -> tensor<128x256xf16, #rows>
    %large = "tile_gpu.alloc"() : () -> memref<128x128xf16, #space>
    %m = "tile_gpu.alloc"(%l) : (tensor<128x256xf16, #rows>) -> memref<128x256xf16, #space>
    %a = "tile_gpu.local_load"(%m) : (memref<128x256xf16, #space>) -> tensor<128x256xf16, #a>
    %s = scf.for %i = %zero to %n step %one iter_args(%c = %none) -> (tensor<128x128xf32, #acc>) : i32 {
      %r = "tile.splat"(%y) : (f16) -> tensor<256x128xf16, #rows>
      %p = "tile_gpu.alloc"(%r) : (tensor<256x128xf16, #rows>) -> memref<256x128xf16, #space>
      %b = "tile_gpu.local_load"(%p) : (memref<256x128xf16, #space>) -> tensor<256x128xf16, #b>
      %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<128x256xf16, #a>, tensor<256x128xf16, #b>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %z = "tile_gpu.local_load"(%large) : (memref<128x128xf16, #space>) -> tensor<128x128xf16, #rows>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    return
  }

  // Registers suffice.
  // CHECK-LABEL: func.func @few
  // CHECK: %[[M:.*]] = "tile_gpu.alloc"(%{{.*}})
  // CHECK-NEXT: %[[A:.*]] = "tile_gpu.local_load"(%[[M]])
  // CHECK-NEXT: scf.for
  // CHECK: "tile.dot"(%[[A]],
  func.func @few(%x: f16, %y: f16, %n: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<128x64xf32, #acc>
    %l = "tile.splat"(%x) : (f16) -> tensor<128x64xf16, #rows>
    %m = "tile_gpu.alloc"(%l) : (tensor<128x64xf16, #rows>) -> memref<128x64xf16, #space>
    %a = "tile_gpu.local_load"(%m) : (memref<128x64xf16, #space>) -> tensor<128x64xf16, #a>
    %s = scf.for %i = %zero to %n step %one iter_args(%c = %none) -> (tensor<128x64xf32, #acc>) : i32 {
      %r = "tile.splat"(%y) : (f16) -> tensor<64x64xf16, #rows>
      %p = "tile_gpu.alloc"(%r) : (tensor<64x64xf16, #rows>) -> memref<64x64xf16, #space>
      %b = "tile_gpu.local_load"(%p) : (memref<64x64xf16, #space>) -> tensor<64x64xf16, #b>
      %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<128x64xf16, #a>, tensor<64x64xf16, #b>, tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
      scf.yield %d : tensor<128x64xf32, #acc>
    }
    return
  }

  // A multiprocessor would have one block in place of two.
  // CHECK-LABEL: func.func @blocks
  // CHECK: %[[M:.*]] = "tile_gpu.alloc"(%{{.*}})
  // CHECK-NEXT: %[[A:.*]] = "tile_gpu.local_load"(%[[M]])
  // CHECK-NEXT: scf.for
  // CHECK: "tile.dot"(%[[A]],
  func.func @blocks(%x: f16, %y: f16, %n: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
    %l = "tile.splat"(%x) : (f16) -> tensor<128x256xf16, #rows>
    %m = "tile_gpu.alloc"(%l) : (tensor<128x256xf16, #rows>) -> memref<128x256xf16, #space>
    %a = "tile_gpu.local_load"(%m) : (memref<128x256xf16, #space>) -> tensor<128x256xf16, #a>
    %s = scf.for %i = %zero to %n step %one iter_args(%c = %none) -> (tensor<128x128xf32, #acc>) : i32 {
      %r = "tile.splat"(%y) : (f16) -> tensor<256x128xf16, #rows>
      %p = "tile_gpu.alloc"(%r) : (tensor<256x128xf16, #rows>) -> memref<256x128xf16, #space>
      %b = "tile_gpu.local_load"(%p) : (memref<256x128xf16, #space>) -> tensor<256x128xf16, #b>
      %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<128x256xf16, #a>, tensor<256x128xf16, #b>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    return
  }

  // It is there anyway: something else takes it.
  // CHECK-LABEL: func.func @used
  // CHECK: %[[M:.*]] = "tile_gpu.alloc"(%{{.*}})
  // CHECK-NEXT: %[[A:.*]] = "tile_gpu.local_load"(%[[M]])
  // CHECK-NEXT: scf.for
  // CHECK: "tile.dot"(%[[A]],
  func.func @used(%x: f16, %y: f16, %n: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
    %l = "tile.splat"(%x) : (f16) -> tensor<128x256xf16, #rows>
    %large = "tile_gpu.alloc"() : () -> memref<128x128xf16, #space>
    %m = "tile_gpu.alloc"(%l) : (tensor<128x256xf16, #rows>) -> memref<128x256xf16, #space>
    %a = "tile_gpu.local_load"(%m) : (memref<128x256xf16, #space>) -> tensor<128x256xf16, #a>
    %s = scf.for %i = %zero to %n step %one iter_args(%c = %none) -> (tensor<128x128xf32, #acc>) : i32 {
      %r = "tile.splat"(%y) : (f16) -> tensor<256x128xf16, #rows>
      %p = "tile_gpu.alloc"(%r) : (tensor<256x128xf16, #rows>) -> memref<256x128xf16, #space>
      %b = "tile_gpu.local_load"(%p) : (memref<256x128xf16, #space>) -> tensor<256x128xf16, #b>
      %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<128x256xf16, #a>, tensor<256x128xf16, #b>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %z = "tile_gpu.local_load"(%large) : (memref<128x128xf16, #space>) -> tensor<128x128xf16, #rows>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    %w = arith.addf %a, %a : tensor<128x256xf16, #a>
    return
  }

  // The buffer is filled again.
  // CHECK-LABEL: func.func @filled
  // CHECK: %[[M:.*]] = "tile_gpu.alloc"(%{{.*}})
  // CHECK-NEXT: %[[A:.*]] = "tile_gpu.local_load"(%[[M]])
  // CHECK-NEXT: scf.for
  // CHECK: "tile.dot"(%[[A]],
  func.func @filled(%x: f16, %y: f16, %n: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
    %l = "tile.splat"(%x) : (f16) -> tensor<128x256xf16, #rows>
    %m = "tile_gpu.alloc"(%l) : (tensor<128x256xf16, #rows>) -> memref<128x256xf16, #space>
    %a = "tile_gpu.local_load"(%m) : (memref<128x256xf16, #space>) -> tensor<128x256xf16, #a>
    %s = scf.for %i = %zero to %n step %one iter_args(%c = %none) -> (tensor<128x128xf32, #acc>) : i32 {
      %r = "tile.splat"(%y) : (f16) -> tensor<256x128xf16, #rows>
      %p = "tile_gpu.alloc"(%r) : (tensor<256x128xf16, #rows>) -> memref<256x128xf16, #space>
      %b = "tile_gpu.local_load"(%p) : (memref<256x128xf16, #space>) -> tensor<256x128xf16, #b>
      %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<128x256xf16, #a>, tensor<256x128xf16, #b>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      "tile_gpu.local_store"(%l, %m) : (tensor<128x256xf16, #rows>, memref<128x256xf16, #space>) -> ()
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    return
  }

  // No shared memory for it beside what the loop uses.
  // CHECK-LABEL: func.func @no_room
  // CHECK: %[[M:.*]] = "tile_gpu.alloc"(%{{.*}})
  // CHECK-NEXT: %[[A:.*]] = "tile_gpu.local_load"(%[[M]])
  // CHECK-NEXT: scf.for
  // CHECK: "tile.dot"(%[[A]],
  func.func @no_room(%x: f16, %y: f16, %n: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<128x128xf32, #acc>
    %l = "tile.splat"(%x) : (f16) -> tensor<128x256xf16, #rows>
    %large = "tile_gpu.alloc"() : () -> memref<256x128xf16, #space>
    %m = "tile_gpu.alloc"(%l) : (tensor<128x256xf16, #rows>) -> memref<128x256xf16, #space>
    %a = "tile_gpu.local_load"(%m) : (memref<128x256xf16, #space>) -> tensor<128x256xf16, #a>
    %s = scf.for %i = %zero to %n step %one iter_args(%c = %none) -> (tensor<128x128xf32, #acc>) : i32 {
      %r = "tile.splat"(%y) : (f16) -> tensor<256x128xf16, #rows>
      %p = "tile_gpu.alloc"(%r) : (tensor<256x128xf16, #rows>) -> memref<256x128xf16, #space>
      %b = "tile_gpu.local_load"(%p) : (memref<256x128xf16, #space>) -> tensor<256x128xf16, #b>
      %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<128x256xf16, #a>, tensor<256x128xf16, #b>, tensor<128x128xf32, #acc>) -> tensor<128x128xf32, #acc>
      %z = "tile_gpu.local_load"(%large) : (memref<256x128xf16, #space>) -> tensor<256x128xf16, #rows>
      scf.yield %d : tensor<128x128xf32, #acc>
    }
    return
  }
}
