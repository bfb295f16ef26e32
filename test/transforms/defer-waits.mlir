// RUN: tile-opt --tile-gpu-defer-waits --split-input-file %s | FileCheck %s

// A loop as tile-gpu-pipeline leaves it: copies one iteration ahead, three stages. The product of an iteration goes on while
// the next one begins, and the last one is waited for first thing behind the loop.
#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>
#s = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
#l = #tile_gpu.blocked<{size_per_thread = [1, 8], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.threads_per_warp = 32 : i32} {
  // CHECK-LABEL: func.func @spare_stage
  // CHECK: [[LOOP:%.*]]:3 = scf.for
  // CHECK: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 1 : i32
  // CHECK: scf.yield
  // CHECK: [[DONE:%.*]] = "tile_gpu.warpgroup_dot_wait"([[LOOP]]#0){{.*}}pending = 0 : i32
  // CHECK: arith.negf [[DONE]]
  func.func @spare_stage(%p: tensor<64x64x!tile.ptr<f16>, #l>, %n: i32) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %3 = arith.constant 3 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %a = "tile_gpu.alloc"() : () -> memref<3x64x64xf16, #s>
    %sum:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %read = %0, %write = %1) -> (tensor<64x64xf32, #acc>, i32, i32) : i32 {
      %into = "tile_gpu.index"(%a, %write) : (memref<3x64x64xf16, #s>, i32) -> memref<64x64xf16, #s>
      %t = "tile_gpu.async_copy"(%p, %into) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>, #l>, memref<64x64xf16, #s>) -> !tile_gpu.token
      %x = "tile_gpu.index"(%a, %read) : (memref<3x64x64xf16, #s>, i32) -> memref<64x64xf16, #s>
      %f = "tile_gpu.warpgroup_dot"(%x, %x, %c) : (memref<64x64xf16, #s>, memref<64x64xf16, #s>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      %w = "tile_gpu.warpgroup_dot_wait"(%f) {pending = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      %nr = arith.addi %read, %1 : i32
      %nw = arith.addi %write, %1 : i32
      scf.yield %w, %nr, %nw : tensor<64x64xf32, #acc>, i32, i32
    }
    %neg = arith.negf %sum#0 : tensor<64x64xf32, #acc>
    return
  }

  // With two stages the copy would go where the last product still reads.
  // CHECK-LABEL: func.func @no_spare_stage
  // CHECK-NOT: pending = 1
  func.func @no_spare_stage(%p: tensor<64x64x!tile.ptr<f16>, #l>, %n: i32) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %a = "tile_gpu.alloc"() : () -> memref<2x64x64xf16, #s>
    %sum:3 = scf.for %i = %0 to %n step %1 iter_args(%c = %zero, %read = %0, %write = %1) -> (tensor<64x64xf32, #acc>, i32, i32) : i32 {
      %into = "tile_gpu.index"(%a, %write) : (memref<2x64x64xf16, #s>, i32) -> memref<64x64xf16, #s>
      %t = "tile_gpu.async_copy"(%p, %into) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>, #l>, memref<64x64xf16, #s>) -> !tile_gpu.token
      %x = "tile_gpu.index"(%a, %read) : (memref<2x64x64xf16, #s>, i32) -> memref<64x64xf16, #s>
      %f = "tile_gpu.warpgroup_dot"(%x, %x, %c) : (memref<64x64xf16, #s>, memref<64x64xf16, #s>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      %w = "tile_gpu.warpgroup_dot_wait"(%f) {pending = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      %nr = arith.addi %read, %1 : i32
      %nw = arith.addi %write, %1 : i32
      scf.yield %w, %nr, %nw : tensor<64x64xf32, #acc>, i32, i32
    }
    return
  }

  // A buffer that each iteration fills anew, and a sum that the iteration itself uses: the wait stays.
  // CHECK-LABEL: func.func @filled_in_the_loop
  // CHECK-NOT: pending = 1
  func.func @filled_in_the_loop(%t: tensor<64x64xf16, #l>, %n: i32) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %sum = scf.for %i = %0 to %n step %1 iter_args(%c = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
      %x = "tile_gpu.alloc"(%t) : (tensor<64x64xf16, #l>) -> memref<64x64xf16, #s>
      %f = "tile_gpu.warpgroup_dot"(%x, %x, %c) : (memref<64x64xf16, #s>, memref<64x64xf16, #s>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      %w = "tile_gpu.warpgroup_dot_wait"(%f) {pending = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      scf.yield %w : tensor<64x64xf32, #acc>
    }
    return
  }
  // CHECK-LABEL: func.func @used_at_once
  // CHECK-NOT: pending = 1
  func.func @used_at_once(%t: tensor<64x64xf16, #l>, %n: i32) {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %x = "tile_gpu.alloc"(%t) : (tensor<64x64xf16, #l>) -> memref<64x64xf16, #s>
    %sum = scf.for %i = %0 to %n step %1 iter_args(%c = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
      %f = "tile_gpu.warpgroup_dot"(%x, %x, %c) : (memref<64x64xf16, #s>, memref<64x64xf16, #s>, tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      %w = "tile_gpu.warpgroup_dot_wait"(%f) {pending = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc>
      %neg = arith.negf %w : tensor<64x64xf32, #acc>
      scf.yield %neg : tensor<64x64xf32, #acc>
    }
    return
  }
}
