// RUN: tile-opt --tile-gpu-check-registers --split-input-file --verify-diagnostics %s

// Registers of products (lib/analysis/check_registers.c).

#big = #tile_gpu.mma<{instr_shape = [16, 8], version = 2, warps_per_cta = [4, 1]}>
#a = #tile_gpu.dot_operand<{index = 0, k_width = 2, parent = #big}>
#b = #tile_gpu.dot_operand<{index = 1, k_width = 2, parent = #big}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @sums(%x: tensor<64x16xf16, #a>, %y: tensor<16x512xf16, #b>) attributes {tile.kernel} {
    %zero = arith.constant dense<0.0> : tensor<64x512xf32, #big>
    // expected-warning @+1 {{tile.dot: its accumulators take 256 registers of each thread; with 4 warps a thread has 255, so values are moved to memory and back; use 8 warps, or a smaller tile}}
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<64x16xf16, #a>, tensor<16x512xf16, #b>, tensor<64x512xf32, #big>) -> tensor<64x512xf32, #big>
    return
  }
}

// -----

// More warps leave each thread fewer registers.
#wide = #tile_gpu.mma<{instr_shape = [16, 8], version = 2, warps_per_cta = [8, 2]}>
#a = #tile_gpu.dot_operand<{index = 0, k_width = 2, parent = #wide}>
#b = #tile_gpu.dot_operand<{index = 1, k_width = 2, parent = #wide}>
module attributes {tile_gpu.num_warps = 16 : i32} {
  func.func @file(%x: tensor<256x16xf16, #a>, %y: tensor<16x256xf16, #b>) attributes {tile.kernel} {
    %zero = arith.constant dense<0.0> : tensor<256x256xf32, #wide>
    // expected-warning @+1 {{its accumulators take 128 registers of each thread; with 16 warps a thread has 128, so values are moved to memory and back; use a smaller tile}}
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<256x16xf16, #a>, tensor<16x256xf16, #b>, tensor<256x256xf32, #wide>) -> tensor<256x256xf32, #wide>
    return
  }
}

// -----

#mma = #tile_gpu.mma<{instr_shape = [16, 8], version = 2, warps_per_cta = [4, 1]}>
#a = #tile_gpu.dot_operand<{index = 0, k_width = 2, parent = #mma}>
#b = #tile_gpu.dot_operand<{index = 1, k_width = 2, parent = #mma}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  // What the loop carries beside the sums counts; what it starts from, and what it leaves, does not: nor do constants.
  func.func @carried(%x: tensor<128x16xf16, #a>, %y: tensor<16x128xf16, #b>, %s: tensor<128x128xf32, #mma>, %n: i32) attributes {tile.kernel} {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %one = arith.constant dense<1.0> : tensor<128x128xf32, #mma>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %start = arith.addf %s, %s : tensor<128x128xf32, #mma>
    %alone = scf.for %i = %0 to %n step %1 iter_args(%c = %start) -> tensor<128x128xf32, #mma> : i32 {
      %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<128x16xf16, #a>, tensor<16x128xf16, #b>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
      %e = arith.addf %d, %one : tensor<128x128xf32, #mma>
      scf.yield %e : tensor<128x128xf32, #mma>
    }
    %two:2 = scf.for %i = %0 to %n step %1 iter_args(%c = %alone, %last = %zero) -> (tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>) : i32 {
      // expected-warning @+1 {{its accumulators take 128 registers of each thread, and what else is needed after it 128; with 4 warps a thread has 255}}
      %d = "tile.dot"(%x, %y, %c) {precision = "tf32"} : (tensor<128x16xf16, #a>, tensor<16x128xf16, #b>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
      scf.yield %d, %c : tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>
    }
    return
  }

  // Used in the loop before the product: needed again in the next iteration.
  func.func @next(%x: tensor<128x16xf16, #a>, %y: tensor<16x128xf16, #b>, %s: tensor<128x128xf32, #mma>, %n: i32) attributes {tile.kernel} {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %kept = arith.addf %s, %s : tensor<128x128xf32, #mma>
    %sum = scf.for %i = %0 to %n step %1 iter_args(%c = %zero) -> tensor<128x128xf32, #mma> : i32 {
      %more = arith.addf %c, %kept : tensor<128x128xf32, #mma>
      // expected-warning @+1 {{and what else is needed after it 128}}
      %d = "tile.dot"(%x, %y, %more) {precision = "tf32"} : (tensor<128x16xf16, #a>, tensor<16x128xf16, #b>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    return
  }

  // The same, but used up before it.
  func.func @fits(%x: tensor<128x16xf16, #a>, %y: tensor<16x128xf16, #b>, %s: tensor<128x128xf32, #mma>) attributes {tile.kernel} {
    %more = arith.addf %s, %s : tensor<128x128xf32, #mma>
    %d = "tile.dot"(%x, %y, %more) {precision = "tf32"} : (tensor<128x16xf16, #a>, tensor<16x128xf16, #b>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
    %e = arith.addf %d, %d : tensor<128x128xf32, #mma>
    return
  }
}

// -----

// A kernel may allow each thread fewer.
#mma = #tile_gpu.mma<{instr_shape = [16, 8], version = 2, warps_per_cta = [4, 1]}>
#a = #tile_gpu.dot_operand<{index = 0, k_width = 2, parent = #mma}>
#b = #tile_gpu.dot_operand<{index = 1, k_width = 2, parent = #mma}>
module attributes {tile_gpu.num_warps = 4 : i32, tile.maxnreg = 64 : i32} {
  func.func @fewer(%x: tensor<64x16xf16, #a>, %y: tensor<16x128xf16, #b>) attributes {tile.kernel} {
    %zero = arith.constant dense<0.0> : tensor<64x128xf32, #mma>
    // expected-warning @+1 {{its accumulators take 64 registers of each thread; with 4 warps a thread has 64, so values are moved to memory and back; use 8 warps, or a smaller tile}}
    %d = "tile.dot"(%x, %y, %zero) {precision = "tf32"} : (tensor<64x16xf16, #a>, tensor<16x128xf16, #b>, tensor<64x128xf32, #mma>) -> tensor<64x128xf32, #mma>
    return
  }
}
