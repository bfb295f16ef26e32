// RUN: tile-opt --tile-verify --tile-ptx-to-asm %s | FileCheck %s
// RUN: %if ptxas %{ tile-translate --tile-to-cubin -v %s -o %t.cubin 2> %t.log && FileCheck %s --check-prefix=LOG < %t.log %}
// RUN: tile-opt --convert-to-emulator %s | FileCheck %s --check-prefix=EMU

// wgmma ties all accumulators, and so does the wait: they stay in their registers, and ptxas has no reason to
// wait for them earlier (it says so: "wgmma.mma_async instructions are serialized").
// LOG-NOT: serialized
// LOG-NOT: {{[1-9][0-9]*}} bytes spill

// CHECK-LABEL: llvm.func @m64n64k16_f32_f16_f16(
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, $64, $65, $66, 1, 1, 0, 0;\0A\09wgmma.commit_group.sync.aligned;", "=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,l,l,b,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,~{memory}"
llvm.func @m64n64k16_f32_f16_f16(%c: f32, %a: i64, %b: i64, %scale: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:32 = "tile_ptx.wgmma"(%c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %a, %b, %scale) {shape = array<i32: 64, 64, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 32, 1, 1, 1>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:32 = "tile_ptx.wgmma_wait"(%d#0, %d#1, %d#2, %d#3, %d#4, %d#5, %d#6, %d#7, %d#8, %d#9, %d#10, %d#11, %d#12, %d#13, %d#14, %d#15, %d#16, %d#17, %d#18, %d#19, %d#20, %d#21, %d#22, %d#23, %d#24, %d#25, %d#26, %d#27, %d#28, %d#29, %d#30, %d#31) {pending = 0 : i32, operandSegmentSizes = array<i32: 32, 0>, resultSegmentSizes = array<i32: 32, 0>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#0, %p0 : f32, !llvm.ptr<1>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#1, %p1 : f32, !llvm.ptr<1>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#2, %p2 : f32, !llvm.ptr<1>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#3, %p3 : f32, !llvm.ptr<1>
  %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#4, %p4 : f32, !llvm.ptr<1>
  %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#5, %p5 : f32, !llvm.ptr<1>
  %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#6, %p6 : f32, !llvm.ptr<1>
  %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#7, %p7 : f32, !llvm.ptr<1>
  %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#8, %p8 : f32, !llvm.ptr<1>
  %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#9, %p9 : f32, !llvm.ptr<1>
  %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#10, %p10 : f32, !llvm.ptr<1>
  %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#11, %p11 : f32, !llvm.ptr<1>
  %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#12, %p12 : f32, !llvm.ptr<1>
  %p13 = llvm.getelementptr %p[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#13, %p13 : f32, !llvm.ptr<1>
  %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#14, %p14 : f32, !llvm.ptr<1>
  %p15 = llvm.getelementptr %p[15] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#15, %p15 : f32, !llvm.ptr<1>
  %p16 = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#16, %p16 : f32, !llvm.ptr<1>
  %p17 = llvm.getelementptr %p[17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#17, %p17 : f32, !llvm.ptr<1>
  %p18 = llvm.getelementptr %p[18] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#18, %p18 : f32, !llvm.ptr<1>
  %p19 = llvm.getelementptr %p[19] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#19, %p19 : f32, !llvm.ptr<1>
  %p20 = llvm.getelementptr %p[20] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#20, %p20 : f32, !llvm.ptr<1>
  %p21 = llvm.getelementptr %p[21] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#21, %p21 : f32, !llvm.ptr<1>
  %p22 = llvm.getelementptr %p[22] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#22, %p22 : f32, !llvm.ptr<1>
  %p23 = llvm.getelementptr %p[23] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#23, %p23 : f32, !llvm.ptr<1>
  %p24 = llvm.getelementptr %p[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#24, %p24 : f32, !llvm.ptr<1>
  %p25 = llvm.getelementptr %p[25] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#25, %p25 : f32, !llvm.ptr<1>
  %p26 = llvm.getelementptr %p[26] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#26, %p26 : f32, !llvm.ptr<1>
  %p27 = llvm.getelementptr %p[27] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#27, %p27 : f32, !llvm.ptr<1>
  %p28 = llvm.getelementptr %p[28] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#28, %p28 : f32, !llvm.ptr<1>
  %p29 = llvm.getelementptr %p[29] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#29, %p29 : f32, !llvm.ptr<1>
  %p30 = llvm.getelementptr %p[30] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#30, %p30 : f32, !llvm.ptr<1>
  %p31 = llvm.getelementptr %p[31] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#31, %p31 : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m64n8k16_f32_f16_f16(
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $8, $9, $10, 1, 1, 1, 1;\0A\09wgmma.commit_group.sync.aligned;", "=&f,=&f,=&f,=&f,0,1,2,3,l,l,b,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
llvm.func @m64n8k16_f32_f16_f16(%c: f32, %a: i64, %b: i64, %scale: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %scale) {shape = array<i32: 64, 8, 16>, a_type = f16, b_type = f16, transpose_a = true, transpose_b = true, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:4 = "tile_ptx.wgmma_wait"(%d#0, %d#1, %d#2, %d#3) {pending = 0 : i32, operandSegmentSizes = array<i32: 4, 0>, resultSegmentSizes = array<i32: 4, 0>} : (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#0, %p0 : f32, !llvm.ptr<1>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#1, %p1 : f32, !llvm.ptr<1>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#2, %p2 : f32, !llvm.ptr<1>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#3, %p3 : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m64n16k16_f32_bf16_bf16_rs(
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7}, {$16, $16, $16, $16}, $17, $18, 1, 1, 1;\0A\09wgmma.commit_group.sync.aligned;", "=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,0,1,2,3,4,5,6,7,r,l,b,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,~{memory}"
llvm.func @m64n16k16_f32_bf16_bf16_rs(%c: f32, %a: i32, %b: i64, %scale: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:8 = "tile_ptx.wgmma"(%c, %c, %c, %c, %c, %c, %c, %c, %a, %a, %a, %a, %b, %scale) {shape = array<i32: 64, 16, 16>, a_type = bf16, b_type = bf16, transpose_a = false, transpose_b = true, operandSegmentSizes = array<i32: 8, 4, 1, 1>} : (f32, f32, f32, f32, f32, f32, f32, f32, i32, i32, i32, i32, i64, i1) -> (f32, f32, f32, f32, f32, f32, f32, f32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:8 = "tile_ptx.wgmma_wait"(%d#0, %d#1, %d#2, %d#3, %d#4, %d#5, %d#6, %d#7) {pending = 0 : i32, operandSegmentSizes = array<i32: 8, 0>, resultSegmentSizes = array<i32: 8, 0>} : (f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32)
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#0, %p0 : f32, !llvm.ptr<1>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#1, %p1 : f32, !llvm.ptr<1>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#2, %p2 : f32, !llvm.ptr<1>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#3, %p3 : f32, !llvm.ptr<1>
  %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#4, %p4 : f32, !llvm.ptr<1>
  %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#5, %p5 : f32, !llvm.ptr<1>
  %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#6, %p6 : f32, !llvm.ptr<1>
  %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#7, %p7 : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m64n8k8_f32_tf32_tf32(
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0, $1, $2, $3}, $8, $9, $10, 1, 1;\0A\09wgmma.commit_group.sync.aligned;", "=&f,=&f,=&f,=&f,0,1,2,3,l,l,b,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
llvm.func @m64n8k8_f32_tf32_tf32(%c: f32, %a: i64, %b: i64, %scale: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %scale) {shape = array<i32: 64, 8, 8>, a_type = tf32, b_type = tf32, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:4 = "tile_ptx.wgmma_wait"(%d#0, %d#1, %d#2, %d#3) {pending = 0 : i32, operandSegmentSizes = array<i32: 4, 0>, resultSegmentSizes = array<i32: 4, 0>} : (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#0, %p0 : f32, !llvm.ptr<1>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#1, %p1 : f32, !llvm.ptr<1>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#2, %p2 : f32, !llvm.ptr<1>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#3, %p3 : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m64n24k32_f32_e4m3_e5m2(
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n24k32.f32.e4m3.e5m2 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11}, $24, $25, $26, 1, 1;\0A\09wgmma.commit_group.sync.aligned;", "=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,=&f,0,1,2,3,4,5,6,7,8,9,10,11,l,l,b,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,8,9,10,11,~{memory}"
llvm.func @m64n24k32_f32_e4m3_e5m2(%c: f32, %a: i64, %b: i64, %scale: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:12 = "tile_ptx.wgmma"(%c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %a, %b, %scale) {shape = array<i32: 64, 24, 32>, a_type = f8E4M3FN, b_type = f8E5M2, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 12, 1, 1, 1>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:12 = "tile_ptx.wgmma_wait"(%d#0, %d#1, %d#2, %d#3, %d#4, %d#5, %d#6, %d#7, %d#8, %d#9, %d#10, %d#11) {pending = 0 : i32, operandSegmentSizes = array<i32: 12, 0>, resultSegmentSizes = array<i32: 12, 0>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#0, %p0 : f32, !llvm.ptr<1>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#1, %p1 : f32, !llvm.ptr<1>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#2, %p2 : f32, !llvm.ptr<1>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#3, %p3 : f32, !llvm.ptr<1>
  %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#4, %p4 : f32, !llvm.ptr<1>
  %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#5, %p5 : f32, !llvm.ptr<1>
  %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#6, %p6 : f32, !llvm.ptr<1>
  %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#7, %p7 : f32, !llvm.ptr<1>
  %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#8, %p8 : f32, !llvm.ptr<1>
  %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#9, %p9 : f32, !llvm.ptr<1>
  %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#10, %p10 : f32, !llvm.ptr<1>
  %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#11, %p11 : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m64n32k32_s32_s8_u8(
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.u8 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, $32, $33, $34;\0A\09wgmma.commit_group.sync.aligned;", "=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,=&r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,l,l,b,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,~{memory}"
llvm.func @m64n32k32_s32_s8_u8(%c: i32, %a: i64, %b: i64, %scale: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:16 = "tile_ptx.wgmma"(%c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %a, %b, %scale) {shape = array<i32: 64, 32, 32>, a_type = i8, b_type = ui8, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 16, 1, 1, 1>} : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i64, i64, i1) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:16 = "tile_ptx.wgmma_wait"(%d#0, %d#1, %d#2, %d#3, %d#4, %d#5, %d#6, %d#7, %d#8, %d#9, %d#10, %d#11, %d#12, %d#13, %d#14, %d#15) {pending = 0 : i32, operandSegmentSizes = array<i32: 0, 16>, resultSegmentSizes = array<i32: 0, 16>} : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#0, %p0 : i32, !llvm.ptr<1>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#1, %p1 : i32, !llvm.ptr<1>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#2, %p2 : i32, !llvm.ptr<1>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#3, %p3 : i32, !llvm.ptr<1>
  %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#4, %p4 : i32, !llvm.ptr<1>
  %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#5, %p5 : i32, !llvm.ptr<1>
  %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#6, %p6 : i32, !llvm.ptr<1>
  %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#7, %p7 : i32, !llvm.ptr<1>
  %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#8, %p8 : i32, !llvm.ptr<1>
  %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#9, %p9 : i32, !llvm.ptr<1>
  %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#10, %p10 : i32, !llvm.ptr<1>
  %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#11, %p11 : i32, !llvm.ptr<1>
  %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#12, %p12 : i32, !llvm.ptr<1>
  %p13 = llvm.getelementptr %p[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#13, %p13 : i32, !llvm.ptr<1>
  %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#14, %p14 : i32, !llvm.ptr<1>
  %p15 = llvm.getelementptr %p[15] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#15, %p15 : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m64n8k32_s32_s8_s8_rs(
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {$0, $1, $2, $3}, {$8, $8, $8, $8}, $9, $10;\0A\09wgmma.commit_group.sync.aligned;", "=&r,=&r,=&r,=&r,0,1,2,3,r,l,b,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,0,1,2,3,~{memory}"
llvm.func @m64n8k32_s32_s8_s8_rs(%c: i32, %a: i32, %b: i64, %scale: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %a, %a, %a, %b, %scale) {shape = array<i32: 64, 8, 32>, a_type = i8, b_type = i8, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 4, 1, 1>} : (i32, i32, i32, i32, i32, i32, i32, i32, i64, i1) -> (i32, i32, i32, i32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:4 = "tile_ptx.wgmma_wait"(%d#0, %d#1, %d#2, %d#3) {pending = 0 : i32, operandSegmentSizes = array<i32: 0, 4>, resultSegmentSizes = array<i32: 0, 4>} : (i32, i32, i32, i32) -> (i32, i32, i32, i32)
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#0, %p0 : i32, !llvm.ptr<1>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#1, %p1 : i32, !llvm.ptr<1>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#2, %p2 : i32, !llvm.ptr<1>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#3, %p3 : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m64n16k16_f16_f16_f16(
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {$0, $1, $2, $3}, $8, $9, $10, 1, 1, 0, 0;\0A\09wgmma.commit_group.sync.aligned;", "=&r,=&r,=&r,=&r,0,1,2,3,l,l,b,~{memory}"
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,0,1,2,3,~{memory}"
llvm.func @m64n16k16_f16_f16_f16(%c: i32, %a: i64, %b: i64, %scale: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:4 = "tile_ptx.wgmma"(%c, %c, %c, %c, %a, %b, %scale) {shape = array<i32: 64, 16, 16>, a_type = f16, b_type = f16, c_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 4, 1, 1, 1>} : (i32, i32, i32, i32, i64, i64, i1) -> (i32, i32, i32, i32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:4 = "tile_ptx.wgmma_wait"(%d#0, %d#1, %d#2, %d#3) {pending = 0 : i32, operandSegmentSizes = array<i32: 0, 4>, resultSegmentSizes = array<i32: 0, 4>} : (i32, i32, i32, i32) -> (i32, i32, i32, i32)
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#0, %p0 : i32, !llvm.ptr<1>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#1, %p1 : i32, !llvm.ptr<1>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#2, %p2 : i32, !llvm.ptr<1>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#3, %p3 : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m64n256k16_f32_f16_f16(
// CHECK: "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {$0, $1, $2, $3, {{.*}}$127}, $256, $257, $258, 1, 1, 0, 0;\0A\09wgmma.commit_group.sync.aligned;", "=&f,=&f,{{.*}},126,127,l,l,b,~{memory}"
llvm.func @m64n256k16_f32_f16_f16(%c: f32, %a: i64, %b: i64, %scale: i1, %p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.wgmma_fence"() {operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  %d:128 = "tile_ptx.wgmma"(%c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %c, %a, %b, %scale) {shape = array<i32: 64, 256, 16>, a_type = f16, b_type = f16, transpose_a = false, transpose_b = false, operandSegmentSizes = array<i32: 128, 1, 1, 1>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, i64, i64, i1) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
  "tile_ptx.wgmma_commit"() : () -> ()
  %w:128 = "tile_ptx.wgmma_wait"(%d#0, %d#1, %d#2, %d#3, %d#4, %d#5, %d#6, %d#7, %d#8, %d#9, %d#10, %d#11, %d#12, %d#13, %d#14, %d#15, %d#16, %d#17, %d#18, %d#19, %d#20, %d#21, %d#22, %d#23, %d#24, %d#25, %d#26, %d#27, %d#28, %d#29, %d#30, %d#31, %d#32, %d#33, %d#34, %d#35, %d#36, %d#37, %d#38, %d#39, %d#40, %d#41, %d#42, %d#43, %d#44, %d#45, %d#46, %d#47, %d#48, %d#49, %d#50, %d#51, %d#52, %d#53, %d#54, %d#55, %d#56, %d#57, %d#58, %d#59, %d#60, %d#61, %d#62, %d#63, %d#64, %d#65, %d#66, %d#67, %d#68, %d#69, %d#70, %d#71, %d#72, %d#73, %d#74, %d#75, %d#76, %d#77, %d#78, %d#79, %d#80, %d#81, %d#82, %d#83, %d#84, %d#85, %d#86, %d#87, %d#88, %d#89, %d#90, %d#91, %d#92, %d#93, %d#94, %d#95, %d#96, %d#97, %d#98, %d#99, %d#100, %d#101, %d#102, %d#103, %d#104, %d#105, %d#106, %d#107, %d#108, %d#109, %d#110, %d#111, %d#112, %d#113, %d#114, %d#115, %d#116, %d#117, %d#118, %d#119, %d#120, %d#121, %d#122, %d#123, %d#124, %d#125, %d#126, %d#127) {pending = 0 : i32, operandSegmentSizes = array<i32: 128, 0>, resultSegmentSizes = array<i32: 128, 0>} : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
  %p0 = llvm.getelementptr %p[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#0, %p0 : f32, !llvm.ptr<1>
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#1, %p1 : f32, !llvm.ptr<1>
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#2, %p2 : f32, !llvm.ptr<1>
  %p3 = llvm.getelementptr %p[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#3, %p3 : f32, !llvm.ptr<1>
  %p4 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#4, %p4 : f32, !llvm.ptr<1>
  %p5 = llvm.getelementptr %p[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#5, %p5 : f32, !llvm.ptr<1>
  %p6 = llvm.getelementptr %p[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#6, %p6 : f32, !llvm.ptr<1>
  %p7 = llvm.getelementptr %p[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#7, %p7 : f32, !llvm.ptr<1>
  %p8 = llvm.getelementptr %p[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#8, %p8 : f32, !llvm.ptr<1>
  %p9 = llvm.getelementptr %p[9] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#9, %p9 : f32, !llvm.ptr<1>
  %p10 = llvm.getelementptr %p[10] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#10, %p10 : f32, !llvm.ptr<1>
  %p11 = llvm.getelementptr %p[11] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#11, %p11 : f32, !llvm.ptr<1>
  %p12 = llvm.getelementptr %p[12] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#12, %p12 : f32, !llvm.ptr<1>
  %p13 = llvm.getelementptr %p[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#13, %p13 : f32, !llvm.ptr<1>
  %p14 = llvm.getelementptr %p[14] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#14, %p14 : f32, !llvm.ptr<1>
  %p15 = llvm.getelementptr %p[15] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#15, %p15 : f32, !llvm.ptr<1>
  %p16 = llvm.getelementptr %p[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#16, %p16 : f32, !llvm.ptr<1>
  %p17 = llvm.getelementptr %p[17] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#17, %p17 : f32, !llvm.ptr<1>
  %p18 = llvm.getelementptr %p[18] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#18, %p18 : f32, !llvm.ptr<1>
  %p19 = llvm.getelementptr %p[19] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#19, %p19 : f32, !llvm.ptr<1>
  %p20 = llvm.getelementptr %p[20] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#20, %p20 : f32, !llvm.ptr<1>
  %p21 = llvm.getelementptr %p[21] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#21, %p21 : f32, !llvm.ptr<1>
  %p22 = llvm.getelementptr %p[22] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#22, %p22 : f32, !llvm.ptr<1>
  %p23 = llvm.getelementptr %p[23] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#23, %p23 : f32, !llvm.ptr<1>
  %p24 = llvm.getelementptr %p[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#24, %p24 : f32, !llvm.ptr<1>
  %p25 = llvm.getelementptr %p[25] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#25, %p25 : f32, !llvm.ptr<1>
  %p26 = llvm.getelementptr %p[26] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#26, %p26 : f32, !llvm.ptr<1>
  %p27 = llvm.getelementptr %p[27] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#27, %p27 : f32, !llvm.ptr<1>
  %p28 = llvm.getelementptr %p[28] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#28, %p28 : f32, !llvm.ptr<1>
  %p29 = llvm.getelementptr %p[29] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#29, %p29 : f32, !llvm.ptr<1>
  %p30 = llvm.getelementptr %p[30] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#30, %p30 : f32, !llvm.ptr<1>
  %p31 = llvm.getelementptr %p[31] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#31, %p31 : f32, !llvm.ptr<1>
  %p32 = llvm.getelementptr %p[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#32, %p32 : f32, !llvm.ptr<1>
  %p33 = llvm.getelementptr %p[33] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#33, %p33 : f32, !llvm.ptr<1>
  %p34 = llvm.getelementptr %p[34] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#34, %p34 : f32, !llvm.ptr<1>
  %p35 = llvm.getelementptr %p[35] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#35, %p35 : f32, !llvm.ptr<1>
  %p36 = llvm.getelementptr %p[36] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#36, %p36 : f32, !llvm.ptr<1>
  %p37 = llvm.getelementptr %p[37] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#37, %p37 : f32, !llvm.ptr<1>
  %p38 = llvm.getelementptr %p[38] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#38, %p38 : f32, !llvm.ptr<1>
  %p39 = llvm.getelementptr %p[39] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#39, %p39 : f32, !llvm.ptr<1>
  %p40 = llvm.getelementptr %p[40] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#40, %p40 : f32, !llvm.ptr<1>
  %p41 = llvm.getelementptr %p[41] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#41, %p41 : f32, !llvm.ptr<1>
  %p42 = llvm.getelementptr %p[42] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#42, %p42 : f32, !llvm.ptr<1>
  %p43 = llvm.getelementptr %p[43] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#43, %p43 : f32, !llvm.ptr<1>
  %p44 = llvm.getelementptr %p[44] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#44, %p44 : f32, !llvm.ptr<1>
  %p45 = llvm.getelementptr %p[45] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#45, %p45 : f32, !llvm.ptr<1>
  %p46 = llvm.getelementptr %p[46] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#46, %p46 : f32, !llvm.ptr<1>
  %p47 = llvm.getelementptr %p[47] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#47, %p47 : f32, !llvm.ptr<1>
  %p48 = llvm.getelementptr %p[48] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#48, %p48 : f32, !llvm.ptr<1>
  %p49 = llvm.getelementptr %p[49] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#49, %p49 : f32, !llvm.ptr<1>
  %p50 = llvm.getelementptr %p[50] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#50, %p50 : f32, !llvm.ptr<1>
  %p51 = llvm.getelementptr %p[51] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#51, %p51 : f32, !llvm.ptr<1>
  %p52 = llvm.getelementptr %p[52] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#52, %p52 : f32, !llvm.ptr<1>
  %p53 = llvm.getelementptr %p[53] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#53, %p53 : f32, !llvm.ptr<1>
  %p54 = llvm.getelementptr %p[54] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#54, %p54 : f32, !llvm.ptr<1>
  %p55 = llvm.getelementptr %p[55] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#55, %p55 : f32, !llvm.ptr<1>
  %p56 = llvm.getelementptr %p[56] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#56, %p56 : f32, !llvm.ptr<1>
  %p57 = llvm.getelementptr %p[57] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#57, %p57 : f32, !llvm.ptr<1>
  %p58 = llvm.getelementptr %p[58] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#58, %p58 : f32, !llvm.ptr<1>
  %p59 = llvm.getelementptr %p[59] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#59, %p59 : f32, !llvm.ptr<1>
  %p60 = llvm.getelementptr %p[60] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#60, %p60 : f32, !llvm.ptr<1>
  %p61 = llvm.getelementptr %p[61] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#61, %p61 : f32, !llvm.ptr<1>
  %p62 = llvm.getelementptr %p[62] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#62, %p62 : f32, !llvm.ptr<1>
  %p63 = llvm.getelementptr %p[63] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#63, %p63 : f32, !llvm.ptr<1>
  %p64 = llvm.getelementptr %p[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#64, %p64 : f32, !llvm.ptr<1>
  %p65 = llvm.getelementptr %p[65] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#65, %p65 : f32, !llvm.ptr<1>
  %p66 = llvm.getelementptr %p[66] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#66, %p66 : f32, !llvm.ptr<1>
  %p67 = llvm.getelementptr %p[67] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#67, %p67 : f32, !llvm.ptr<1>
  %p68 = llvm.getelementptr %p[68] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#68, %p68 : f32, !llvm.ptr<1>
  %p69 = llvm.getelementptr %p[69] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#69, %p69 : f32, !llvm.ptr<1>
  %p70 = llvm.getelementptr %p[70] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#70, %p70 : f32, !llvm.ptr<1>
  %p71 = llvm.getelementptr %p[71] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#71, %p71 : f32, !llvm.ptr<1>
  %p72 = llvm.getelementptr %p[72] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#72, %p72 : f32, !llvm.ptr<1>
  %p73 = llvm.getelementptr %p[73] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#73, %p73 : f32, !llvm.ptr<1>
  %p74 = llvm.getelementptr %p[74] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#74, %p74 : f32, !llvm.ptr<1>
  %p75 = llvm.getelementptr %p[75] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#75, %p75 : f32, !llvm.ptr<1>
  %p76 = llvm.getelementptr %p[76] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#76, %p76 : f32, !llvm.ptr<1>
  %p77 = llvm.getelementptr %p[77] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#77, %p77 : f32, !llvm.ptr<1>
  %p78 = llvm.getelementptr %p[78] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#78, %p78 : f32, !llvm.ptr<1>
  %p79 = llvm.getelementptr %p[79] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#79, %p79 : f32, !llvm.ptr<1>
  %p80 = llvm.getelementptr %p[80] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#80, %p80 : f32, !llvm.ptr<1>
  %p81 = llvm.getelementptr %p[81] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#81, %p81 : f32, !llvm.ptr<1>
  %p82 = llvm.getelementptr %p[82] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#82, %p82 : f32, !llvm.ptr<1>
  %p83 = llvm.getelementptr %p[83] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#83, %p83 : f32, !llvm.ptr<1>
  %p84 = llvm.getelementptr %p[84] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#84, %p84 : f32, !llvm.ptr<1>
  %p85 = llvm.getelementptr %p[85] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#85, %p85 : f32, !llvm.ptr<1>
  %p86 = llvm.getelementptr %p[86] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#86, %p86 : f32, !llvm.ptr<1>
  %p87 = llvm.getelementptr %p[87] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#87, %p87 : f32, !llvm.ptr<1>
  %p88 = llvm.getelementptr %p[88] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#88, %p88 : f32, !llvm.ptr<1>
  %p89 = llvm.getelementptr %p[89] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#89, %p89 : f32, !llvm.ptr<1>
  %p90 = llvm.getelementptr %p[90] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#90, %p90 : f32, !llvm.ptr<1>
  %p91 = llvm.getelementptr %p[91] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#91, %p91 : f32, !llvm.ptr<1>
  %p92 = llvm.getelementptr %p[92] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#92, %p92 : f32, !llvm.ptr<1>
  %p93 = llvm.getelementptr %p[93] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#93, %p93 : f32, !llvm.ptr<1>
  %p94 = llvm.getelementptr %p[94] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#94, %p94 : f32, !llvm.ptr<1>
  %p95 = llvm.getelementptr %p[95] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#95, %p95 : f32, !llvm.ptr<1>
  %p96 = llvm.getelementptr %p[96] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#96, %p96 : f32, !llvm.ptr<1>
  %p97 = llvm.getelementptr %p[97] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#97, %p97 : f32, !llvm.ptr<1>
  %p98 = llvm.getelementptr %p[98] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#98, %p98 : f32, !llvm.ptr<1>
  %p99 = llvm.getelementptr %p[99] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#99, %p99 : f32, !llvm.ptr<1>
  %p100 = llvm.getelementptr %p[100] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#100, %p100 : f32, !llvm.ptr<1>
  %p101 = llvm.getelementptr %p[101] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#101, %p101 : f32, !llvm.ptr<1>
  %p102 = llvm.getelementptr %p[102] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#102, %p102 : f32, !llvm.ptr<1>
  %p103 = llvm.getelementptr %p[103] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#103, %p103 : f32, !llvm.ptr<1>
  %p104 = llvm.getelementptr %p[104] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#104, %p104 : f32, !llvm.ptr<1>
  %p105 = llvm.getelementptr %p[105] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#105, %p105 : f32, !llvm.ptr<1>
  %p106 = llvm.getelementptr %p[106] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#106, %p106 : f32, !llvm.ptr<1>
  %p107 = llvm.getelementptr %p[107] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#107, %p107 : f32, !llvm.ptr<1>
  %p108 = llvm.getelementptr %p[108] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#108, %p108 : f32, !llvm.ptr<1>
  %p109 = llvm.getelementptr %p[109] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#109, %p109 : f32, !llvm.ptr<1>
  %p110 = llvm.getelementptr %p[110] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#110, %p110 : f32, !llvm.ptr<1>
  %p111 = llvm.getelementptr %p[111] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#111, %p111 : f32, !llvm.ptr<1>
  %p112 = llvm.getelementptr %p[112] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#112, %p112 : f32, !llvm.ptr<1>
  %p113 = llvm.getelementptr %p[113] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#113, %p113 : f32, !llvm.ptr<1>
  %p114 = llvm.getelementptr %p[114] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#114, %p114 : f32, !llvm.ptr<1>
  %p115 = llvm.getelementptr %p[115] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#115, %p115 : f32, !llvm.ptr<1>
  %p116 = llvm.getelementptr %p[116] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#116, %p116 : f32, !llvm.ptr<1>
  %p117 = llvm.getelementptr %p[117] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#117, %p117 : f32, !llvm.ptr<1>
  %p118 = llvm.getelementptr %p[118] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#118, %p118 : f32, !llvm.ptr<1>
  %p119 = llvm.getelementptr %p[119] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#119, %p119 : f32, !llvm.ptr<1>
  %p120 = llvm.getelementptr %p[120] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#120, %p120 : f32, !llvm.ptr<1>
  %p121 = llvm.getelementptr %p[121] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#121, %p121 : f32, !llvm.ptr<1>
  %p122 = llvm.getelementptr %p[122] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#122, %p122 : f32, !llvm.ptr<1>
  %p123 = llvm.getelementptr %p[123] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#123, %p123 : f32, !llvm.ptr<1>
  %p124 = llvm.getelementptr %p[124] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#124, %p124 : f32, !llvm.ptr<1>
  %p125 = llvm.getelementptr %p[125] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#125, %p125 : f32, !llvm.ptr<1>
  %p126 = llvm.getelementptr %p[126] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#126, %p126 : f32, !llvm.ptr<1>
  %p127 = llvm.getelementptr %p[127] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store %w#127, %p127 : f32, !llvm.ptr<1>
  llvm.return
}

// A wait may guard nothing; stores to shared memory are fenced before wgmma reads them.
// CHECK-LABEL: llvm.func @nothing(
// CHECK: "fence.proxy.async.shared::cta;", "~{memory}"
// CHECK: "wgmma.wait_group.sync.aligned 3;", "~{memory}"
// EMU-LABEL: llvm.func @m64n8k16_f32_f16_f16(
// EMU: llvm.call @tile_emu_wgmma_fence(%[[THREAD:.*]]) :
// EMU: llvm.call @tile_emu_wgmma(%[[THREAD]],
// EMU: llvm.call @tile_emu_wgmma_commit(%[[THREAD]]) :
// EMU: llvm.call @tile_emu_wgmma_wait(%[[THREAD]],
// EMU-LABEL: llvm.func @nothing(
// EMU: llvm.call @tile_emu_fence_async_shared
llvm.func @nothing() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  "tile_ptx.fence_async_shared"() : () -> ()
  "tile_ptx.wgmma_wait"() {pending = 3 : i32, operandSegmentSizes = array<i32: 0, 0>, resultSegmentSizes = array<i32: 0, 0>} : () -> ()
  llvm.return
}
