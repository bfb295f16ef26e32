// RUN: tile-opt --tile-verify --tile-ptx-to-asm %s | FileCheck %s
// RUN: %if ptxas %{ tile-translate --tile-to-cubin %s -o %t.cubin %}
// RUN: tile-opt --convert-to-emulator %s | FileCheck %s --check-prefix=EMU

// mma.sync of every type and shape: a lane's registers, packed in i32 or f64; ptxas takes each of them.

// CHECK-LABEL: llvm.func @m16n8k8_f16_f16_f32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};", "=f,=f,=f,=f,r,r,r,f,f,f,f"
llvm.func @m16n8k8_f16_f16_f32(%a: i32, %c: f32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.store %d#3, %p : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k16_f16_f16_f32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
llvm.func @m16n8k16_f16_f16_f32(%a: i32, %c: f32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 16>, a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 4, 2, 4>} : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.store %d#3, %p : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k8_f16_f16_f16(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {$0, $1}, {$2, $3}, {$4}, {$5, $6};", "=r,=r,r,r,r,r,r"
llvm.func @m16n8k8_f16_f16_f16(%a: i32, %c: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:2 = "tile_ptx.mma"(%a, %a, %a, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = f16, b_type = f16, c_type = f16, operandSegmentSizes = array<i32: 2, 1, 2>} : (i32, i32, i32, i32, i32) -> (i32, i32)
  llvm.store %d#1, %p : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k16_f16_f16_f16(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$0, $1}, {$2, $3, $4, $5}, {$6, $7}, {$8, $9};", "=r,=r,r,r,r,r,r,r,r,r"
llvm.func @m16n8k16_f16_f16_f16(%a: i32, %c: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:2 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c) {shape = array<i32: 16, 8, 16>, a_type = f16, b_type = f16, c_type = f16, operandSegmentSizes = array<i32: 4, 2, 2>} : (i32, i32, i32, i32, i32, i32, i32, i32) -> (i32, i32)
  llvm.store %d#1, %p : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k8_bf16_bf16_f32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};", "=f,=f,=f,=f,r,r,r,f,f,f,f"
llvm.func @m16n8k8_bf16_bf16_f32(%a: i32, %c: f32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = bf16, b_type = bf16, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.store %d#3, %p : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k16_bf16_bf16_f32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
llvm.func @m16n8k16_bf16_bf16_f32(%a: i32, %c: f32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 16>, a_type = bf16, b_type = bf16, operandSegmentSizes = array<i32: 4, 2, 4>} : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.store %d#3, %p : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k4_tf32_tf32_f32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};", "=f,=f,=f,=f,r,r,r,f,f,f,f"
llvm.func @m16n8k4_tf32_tf32_f32(%a: i32, %c: f32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 4>, a_type = tf32, b_type = tf32, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.store %d#3, %p : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k8_tf32_tf32_f32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
llvm.func @m16n8k8_tf32_tf32_f32(%a: i32, %c: f32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = tf32, b_type = tf32, operandSegmentSizes = array<i32: 4, 2, 4>} : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.store %d#3, %p : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k32_e4m3_e5m2_f32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
llvm.func @m16n8k32_e4m3_e5m2_f32(%a: i32, %c: f32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 32>, a_type = f8E4M3FN, b_type = f8E5M2, operandSegmentSizes = array<i32: 4, 2, 4>} : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.store %d#3, %p : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k32_e5m2_e5m2_f32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
llvm.func @m16n8k32_e5m2_e5m2_f32(%a: i32, %c: f32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 32>, a_type = f8E5M2, b_type = f8E5M2, operandSegmentSizes = array<i32: 4, 2, 4>} : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  llvm.store %d#3, %p : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k16_s8_s8_s32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};", "=r,=r,=r,=r,r,r,r,r,r,r,r"
llvm.func @m16n8k16_s8_s8_s32(%a: i32, %c: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 16>, a_type = i8, b_type = i8, operandSegmentSizes = array<i32: 2, 1, 4>} : (i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32)
  llvm.store %d#3, %p : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k32_u8_s8_s32(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r"
llvm.func @m16n8k32_u8_s8_s32(%a: i32, %c: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 32>, a_type = ui8, b_type = i8, operandSegmentSizes = array<i32: 4, 2, 4>} : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32)
  llvm.store %d#3, %p : i32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m8n8k4_f64_f64_f64(
// CHECK: llvm.inline_asm "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$0, $1}, {$2}, {$3}, {$4, $5};", "=d,=d,d,d,d,d"
llvm.func @m8n8k4_f64_f64_f64(%a: f64, %c: f64, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:2 = "tile_ptx.mma"(%a, %a, %c, %c) {shape = array<i32: 8, 8, 4>, a_type = f64, b_type = f64, operandSegmentSizes = array<i32: 1, 1, 2>} : (f64, f64, f64, f64) -> (f64, f64)
  llvm.store %d#1, %p : f64, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k4_f64_f64_f64(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5}, {$6}, {$7, $8, $9, $10};", "=d,=d,=d,=d,d,d,d,d,d,d,d"
llvm.func @m16n8k4_f64_f64_f64(%a: f64, %c: f64, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 4>, a_type = f64, b_type = f64, operandSegmentSizes = array<i32: 2, 1, 4>} : (f64, f64, f64, f64, f64, f64, f64) -> (f64, f64, f64, f64)
  llvm.store %d#3, %p : f64, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k8_f64_f64_f64(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=d,=d,=d,=d,d,d,d,d,d,d,d,d,d,d"
llvm.func @m16n8k8_f64_f64_f64(%a: f64, %c: f64, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 8>, a_type = f64, b_type = f64, operandSegmentSizes = array<i32: 4, 2, 4>} : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> (f64, f64, f64, f64)
  llvm.store %d#3, %p : f64, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @m16n8k16_f64_f64_f64(
// CHECK: llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5, $6, $7, $8, $9, $10, $11}, {$12, $13, $14, $15}, {$16, $17, $18, $19};", "=d,=d,=d,=d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d"
llvm.func @m16n8k16_f64_f64_f64(%a: f64, %c: f64, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %c, %c, %c, %c) {shape = array<i32: 16, 8, 16>, a_type = f64, b_type = f64, operandSegmentSizes = array<i32: 8, 4, 4>} : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> (f64, f64, f64, f64)
  llvm.store %d#3, %p : f64, !llvm.ptr<1>
  llvm.return
}

// The emulator gets the registers in an array on the thread's stack, a, b, then c, which becomes d.
// EMU-LABEL: llvm.func @m16n8k16_f16_f16_f32(
// EMU: %[[ARRAY:.*]] = llvm.alloca
// EMU: llvm.getelementptr %[[ARRAY]][36]
// EMU: llvm.store %{{.*}} : f32
// EMU: llvm.call @tile_emu_mma(%{{.*}}, %{{.*}}, %[[ARRAY]], %{{.*}})
// EMU: %[[LAST:.*]] = llvm.getelementptr %[[ARRAY]][36]
// EMU: llvm.load %[[LAST]] : !llvm.ptr -> f32
