// RUN: tile-opt --tile-verify --tile-ptx-to-asm %s | FileCheck %s

// A fence, products and their commit are one text (ptx_to_asm_products.c): sums tied once, equal operands once, and what computes
// descriptors in front.
// CHECK-LABEL: llvm.func @steps
// CHECK: llvm.add
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $8, $9, $10, 1, 1, 0, 0;\0A\09wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $11, $9, $10, 1, 1, 0, 0;\0A\09wgmma.commit_group.sync.aligned;", "=&f,=&f,=&f,=&f,0,1,2,3,l,l,b,l,~{memory}"
// CHECK-NOT: wgmma.fence
// CHECK: wgmma.wait_group
llvm.func @steps(%c: f32, %a: i64, %b: i64, %s: i1) -> f32 {
  %two = llvm.mlir.constant(2 : i64) : i64
  %f:4 = "tile_ptx.wgmma_fence"(%c, %c, %c, %c) {operandSegmentSizes = array<i32: 4, 0>, resultSegmentSizes = array<i32: 4, 0>} : (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  %d:4 = "tile_ptx.wgmma"(%f#0, %f#1, %f#2, %f#3, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  %next = llvm.add %a, %two : i64
  %e:4 = "tile_ptx.wgmma"(%d#0, %d#1, %d#2, %d#3, %next, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:4 = "tile_ptx.wgmma_wait"(%e#0, %e#1, %e#2, %e#3) {pending = 0 : i32, operandSegmentSizes = array<i32: 4, 0>, resultSegmentSizes = array<i32: 4, 0>} : (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.return %w#0 : f32
}

// Something else between them, or another use of a sum: each for itself.
// CHECK-LABEL: llvm.func @apart
// CHECK: "wgmma.fence.sync.aligned;"
// CHECK: "wgmma.mma_async
// CHECK: nvvm.barrier0
// CHECK: "wgmma.commit_group.sync.aligned;"
llvm.func @apart(%c: f32, %a: i64, %b: i64, %s: i1) -> f32 {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  nvvm.barrier0
  "tile_ptx.wgmma_commit"() : () -> ()
  llvm.return %d#0 : f32
}

// CHECK-LABEL: llvm.func @used
// CHECK: "wgmma.fence.sync.aligned;", "~{memory}"
// CHECK: "wgmma.mma_async
// CHECK: "wgmma.mma_async
// CHECK: "wgmma.commit_group.sync.aligned;"
llvm.func @used(%c: f32, %a: i64, %b: i64, %s: i1) -> f32 {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  %e:4 = "tile_ptx.wgmma"(%d#0, %d#1, %d#2, %d#3, %a, %b, %s) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  "tile_ptx.wgmma_commit"() : () -> ()
  llvm.return %d#1 : f32
}
