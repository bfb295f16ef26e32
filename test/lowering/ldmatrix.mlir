// RUN: tile-opt --tile-verify --tile-ptx-to-asm %s | FileCheck %s
// RUN: %if ptxas %{ tile-translate --tile-to-cubin %s -o %t.cubin %}
// RUN: tile-opt --convert-to-emulator %s | FileCheck %s --check-prefix=EMU

// ldmatrix and stmatrix: one register of each matrix; ptxas takes every form.

// CHECK-LABEL: llvm.func @matrices_1(
// CHECK: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];", "=r,l"
// CHECK: llvm.inline_asm has_side_effects "stmatrix.sync.aligned.m8n8.x1.shared.b16 [$0], {$1};", "l,r"
llvm.func @matrices_1(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %r = "tile_ptx.ldmatrix"(%p) {count = 1 : i32, transpose = false} : (!llvm.ptr<3>) -> (i32)
  "tile_ptx.stmatrix"(%p, %r) {transpose = false} : (!llvm.ptr<3>, i32) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @matrices_1_transposed(
// CHECK: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {$0}, [$1];", "=r,l"
// CHECK: llvm.inline_asm has_side_effects "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [$0], {$1};", "l,r"
llvm.func @matrices_1_transposed(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %r = "tile_ptx.ldmatrix"(%p) {count = 1 : i32, transpose = true} : (!llvm.ptr<3>) -> (i32)
  "tile_ptx.stmatrix"(%p, %r) {transpose = true} : (!llvm.ptr<3>, i32) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @matrices_2(
// CHECK: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$0, $1}, [$2];", "=r,=r,l"
// CHECK: llvm.inline_asm has_side_effects "stmatrix.sync.aligned.m8n8.x2.shared.b16 [$0], {$1, $2};", "l,r,r"
llvm.func @matrices_2(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %r:2 = "tile_ptx.ldmatrix"(%p) {count = 2 : i32, transpose = false} : (!llvm.ptr<3>) -> (i32, i32)
  "tile_ptx.stmatrix"(%p, %r#0, %r#1) {transpose = false} : (!llvm.ptr<3>, i32, i32) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @matrices_2_transposed(
// CHECK: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$0, $1}, [$2];", "=r,=r,l"
// CHECK: llvm.inline_asm has_side_effects "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [$0], {$1, $2};", "l,r,r"
llvm.func @matrices_2_transposed(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %r:2 = "tile_ptx.ldmatrix"(%p) {count = 2 : i32, transpose = true} : (!llvm.ptr<3>) -> (i32, i32)
  "tile_ptx.stmatrix"(%p, %r#0, %r#1) {transpose = true} : (!llvm.ptr<3>, i32, i32) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @matrices_4(
// CHECK: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"
// CHECK: llvm.inline_asm has_side_effects "stmatrix.sync.aligned.m8n8.x4.shared.b16 [$0], {$1, $2, $3, $4};", "l,r,r,r,r"
llvm.func @matrices_4(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %r:4 = "tile_ptx.ldmatrix"(%p) {count = 4 : i32, transpose = false} : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
  "tile_ptx.stmatrix"(%p, %r#0, %r#1, %r#2, %r#3) {transpose = false} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @matrices_4_transposed(
// CHECK: llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"
// CHECK: llvm.inline_asm has_side_effects "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [$0], {$1, $2, $3, $4};", "l,r,r,r,r"
llvm.func @matrices_4_transposed(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  %r:4 = "tile_ptx.ldmatrix"(%p) {count = 4 : i32, transpose = true} : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
  "tile_ptx.stmatrix"(%p, %r#0, %r#1, %r#2, %r#3) {transpose = true} : (!llvm.ptr<3>, i32, i32, i32, i32) -> ()
  llvm.return
}

// EMU-LABEL: llvm.func @matrices_4_transposed(
// EMU: llvm.call @tile_emu_ldmatrix(
// EMU: %[[LAST:.*]] = llvm.getelementptr %{{.*}}[12]
// EMU: %[[VALUE:.*]] = llvm.load %[[LAST]]
// EMU: llvm.store %[[VALUE]]
// EMU: llvm.call @tile_emu_stmatrix(
