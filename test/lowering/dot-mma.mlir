// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s

// On tensor cores with operands in registers nothing is left but naming and packing registers: 2 x 4 fragments of
// accumulators, each through 2 steps of k.
#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 8]}>
#a = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 2}>
#b = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 2}>
#a1 = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 1}>
#b1 = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 1}>
#a8 = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 8}>
#b8 = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 8}>
#b4 = #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 4}>
#c4 = #tile_gpu.dot_operand<{index = 1, parent = #acc, k_width = 4}>
module attributes {tile_gpu.num_warps = 1 : i32} {
  // CHECK-LABEL: llvm.func @half(
  // CHECK-NOT: nvvm.bar
  // CHECK-COUNT-16: "tile_ptx.mma"{{.*}} {a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 4, 2, 4>, shape = array<i32: 16, 8, 16>}
  // CHECK-NOT: "tile_ptx.mma"
  // CHECK: llvm.return
  func.func @half(%p: !tile.ptr<f32>, %x: f16) attributes {tile.kernel} {
    %a = "tile.splat"(%x) : (f16) -> tensor<32x32xf16, #a>
    %b = "tile.splat"(%x) : (f16) -> tensor<32x32xf16, #b>
    %c = arith.constant dense<0.0> : tensor<32x32xf32, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<32x32xf16, #a>, tensor<32x32xf16, #b>, tensor<32x32xf32, #acc>) -> tensor<32x32xf32, #acc>
    %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>, #acc>
    "tile.store"(%ps, %d) : (tensor<32x32x!tile.ptr<f32>, #acc>, tensor<32x32xf32, #acc>) -> ()
    return
  }

  // Wider loads put other numbers of k beside each other in a thread; the instructions are the same.
  // CHECK-LABEL: llvm.func @wide(
  // CHECK-COUNT-16: "tile_ptx.mma"
  // CHECK-NOT: "tile_ptx.mma"
  // CHECK: llvm.return
  func.func @wide(%x: f16) attributes {tile.kernel} {
    %a = "tile.splat"(%x) : (f16) -> tensor<32x32xf16, #a8>
    %b = "tile.splat"(%x) : (f16) -> tensor<32x32xf16, #b8>
    %c = arith.constant dense<0.0> : tensor<32x32xf32, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<32x32xf16, #a8>, tensor<32x32xf16, #b8>, tensor<32x32xf32, #acc>) -> tensor<32x32xf32, #acc>
    return
  }

  // Two f16 accumulators share a register.
  // CHECK-LABEL: llvm.func @half_sums(
  // CHECK-COUNT-2: "tile_ptx.mma"{{.*}} {a_type = f16, b_type = f16, c_type = f16, operandSegmentSizes = array<i32: 2, 1, 2>, shape = array<i32: 16, 8, 8>}
  // CHECK-NOT: "tile_ptx.mma"
  func.func @half_sums(%x: f16) attributes {tile.kernel} {
    %a = "tile.splat"(%x) : (f16) -> tensor<16x8xf16, #a>
    %b = "tile.splat"(%x) : (f16) -> tensor<8x16xf16, #b>
    %c = arith.constant dense<0.0> : tensor<16x16xf16, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x8xf16, #a>, tensor<8x16xf16, #b>, tensor<16x16xf16, #acc>) -> tensor<16x16xf16, #acc>
    return
  }

  // f32 is rounded to tf32; with three products, what rounding took away is multiplied too.
  // CHECK-LABEL: llvm.func @single(
  // CHECK: %[[A:.*]] = "tile_ptx.f32_to_tf32"
  // CHECK: "tile_ptx.mma"{{.*}}a_type = tf32{{.*}}shape = array<i32: 16, 8, 8>
  // CHECK-NOT: "tile_ptx.mma"
  // CHECK-LABEL: llvm.func @single_thrice(
  // CHECK: %[[A:.*]] = "tile_ptx.f32_to_tf32"(%[[X:.*]])
  // CHECK: %[[H:.*]] = arith.bitcast %[[A]] : i32 to f32
  // CHECK: %[[L:.*]] = arith.subf %{{.*}}, %[[H]]
  // CHECK: "tile_ptx.f32_to_tf32"(%[[L]])
  // CHECK-COUNT-3: "tile_ptx.mma"
  // CHECK-NOT: "tile_ptx.mma"
  // CHECK: llvm.return
  func.func @single(%x: f32) attributes {tile.kernel} {
    %a = "tile.splat"(%x) : (f32) -> tensor<16x8xf32, #a1>
    %b = "tile.splat"(%x) : (f32) -> tensor<8x8xf32, #b1>
    %c = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x8xf32, #a1>, tensor<8x8xf32, #b1>, tensor<16x8xf32, #acc>) -> tensor<16x8xf32, #acc>
    return
  }
  func.func @single_thrice(%x: f32) attributes {tile.kernel} {
    %a = "tile.splat"(%x) : (f32) -> tensor<16x8xf32, #a1>
    %b = "tile.splat"(%x) : (f32) -> tensor<8x8xf32, #b1>
    %c = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32x3"} : (tensor<16x8xf32, #a1>, tensor<8x8xf32, #b1>, tensor<16x8xf32, #acc>) -> tensor<16x8xf32, #acc>
    return
  }

  // CHECK-LABEL: llvm.func @bytes(
  // CHECK: "tile_ptx.mma"{{.*}}a_type = i8, b_type = i8, {{.*}}shape = array<i32: 16, 8, 32>}{{.*}} -> (i32, i32, i32, i32)
  // CHECK: "tile_ptx.mma"{{.*}}a_type = f8E5M2, b_type = f8E4M3FN, {{.*}}shape = array<i32: 16, 8, 32>}{{.*}} -> (f32, f32, f32, f32)
  func.func @bytes(%x: i8) attributes {tile.kernel} {
    %a = "tile.splat"(%x) : (i8) -> tensor<16x32xi8, #b4>
    %b = "tile.splat"(%x) : (i8) -> tensor<32x8xi8, #c4>
    %c = arith.constant dense<0> : tensor<16x8xi32, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xi8, #b4>, tensor<32x8xi8, #c4>, tensor<16x8xi32, #acc>) -> tensor<16x8xi32, #acc>
    %e = arith.bitcast %a : tensor<16x32xi8, #b4> to tensor<16x32xf8E5M2, #b4>
    %f = arith.bitcast %b : tensor<32x8xi8, #c4> to tensor<32x8xf8E4M3FN, #c4>
    %g = arith.constant dense<0.0> : tensor<16x8xf32, #acc>
    %h = "tile.dot"(%e, %f, %g) {precision = "tf32"} : (tensor<16x32xf8E5M2, #b4>, tensor<32x8xf8E4M3FN, #c4>, tensor<16x8xf32, #acc>) -> tensor<16x8xf32, #acc>
    return
  }
}
