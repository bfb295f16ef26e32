// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm --split-input-file %s | FileCheck %s

// Without tensor cores: both operands go to shared memory, and after a barrier of the warp a loop over k multiplies. Each
// thread of this warp has 1 x 2 accumulators in 4 rows, so 4 elements of one operand and 2 of the other serve
// 8 products; 8 values of k stand in the loop's body. Of the one operand these are 16 bytes and one load, of the other
// a load brings two columns.
#acc = #tile_gpu.blocked<{size_per_thread = [1, 2], threads_per_warp = [4, 8], warps_per_cta = [1, 1], order = [1, 0]}>
#apart = #tile_gpu.blocked<{size_per_thread = [1, 1], threads_per_warp = [4, 8], warps_per_cta = [1, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 1 : i32} {
  // CHECK-LABEL: llvm.func @half
  // CHECK: llvm.store
  // CHECK: nvvm.bar.warp.sync
  // CHECK-NOT: llvm.store
  // CHECK: scf.for {{.*}} step %c8_i32 iter_args(
  // CHECK-COUNT-4: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
  // CHECK-NOT: llvm.load
  // CHECK: arith.muli
  // CHECK-COUNT-8: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<2xf16>
  // CHECK-NOT: llvm.load
  // CHECK-COUNT-64: math.fma {{.*}} : f32
  // CHECK-NOT: math.fma
  // CHECK-NOT: nvvm.bar
  // CHECK: llvm.return
  func.func @half() attributes {tile.kernel} {
    %a = arith.constant dense<1.0> : tensor<16x32xf16, #acc>
    %b = arith.constant dense<2.0> : tensor<32x16xf16, #acc>
    %c = arith.constant dense<0.0> : tensor<16x16xf32, #acc>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xf16, #acc>, tensor<32x16xf16, #acc>, tensor<16x16xf32, #acc>) -> tensor<16x16xf32, #acc>
    return
  }

  // A thread's columns are not next to one another: the second operand lies along k, too.
  // CHECK-LABEL: llvm.func @columns_apart
  // CHECK: scf.for
  // CHECK-COUNT-6: llvm.load {{.*}} -> vector<8xf16>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  func.func @columns_apart() attributes {tile.kernel} {
    %a = arith.constant dense<1.0> : tensor<16x32xf16, #acc>
    %b = arith.constant dense<2.0> : tensor<32x16xf16, #acc>
    %c = arith.constant dense<0.0> : tensor<16x16xf32, #apart>
    %d = "tile.dot"(%a, %b, %c) {precision = "tf32"} : (tensor<16x32xf16, #acc>, tensor<32x16xf16, #acc>, tensor<16x16xf32, #apart>) -> tensor<16x16xf32, #apart>
    return
  }

  // An accumulator of f16 is rounded once, after the loop; i8 is multiplied as i32.
  // CHECK-LABEL: llvm.func @narrow
  // CHECK: scf.for
  // CHECK-NOT: truncf
  // CHECK: math.fma {{.*}} : f32
  // CHECK: scf.yield
  // CHECK: arith.truncf {{.*}} : f32 to f16
  // CHECK: scf.for
  // CHECK: arith.extsi {{.*}} : i8 to i32
  // CHECK: arith.muli {{.*}} : i32
  // CHECK: scf.yield
  func.func @narrow() attributes {tile.kernel} {
    %a = arith.constant dense<1.0> : tensor<16x16xf16, #acc>
    %c = arith.constant dense<0.0> : tensor<16x16xf16, #acc>
    %d = "tile.dot"(%a, %a, %c) {precision = "ieee"} : (tensor<16x16xf16, #acc>, tensor<16x16xf16, #acc>, tensor<16x16xf16, #acc>) -> tensor<16x16xf16, #acc>
    %i = arith.constant dense<3> : tensor<16x16xi8, #acc>
    %s = arith.constant dense<0> : tensor<16x16xi32, #acc>
    %p = "tile.dot"(%i, %i, %s) {precision = "ieee"} : (tensor<16x16xi8, #acc>, tensor<16x16xi8, #acc>, tensor<16x16xi32, #acc>) -> tensor<16x16xi32, #acc>
    return
  }
}
