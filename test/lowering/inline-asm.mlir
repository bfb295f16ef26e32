// RUN: tile-opt --tile-to-tile-gpu --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --device emulator --kernel bytes --grid 1 --check --arg x=i32[128]:arange --arg out=i32[128]:poison --print out:4 | FileCheck %s --check-prefix=BYTES
// RUN: tile-run %s --device emulator --kernel halves --grid 1 --check --arg x=fp16[256]:3 --arg out=fp16[256]:poison --print out:2 | FileCheck %s --check-prefix=HALVES
// RUN: tile-run %s --device emulator --kernel two_results --grid 1 --check --arg x=fp32[128]:3 --arg out=fp32[128]:poison --arg bits=i32[128]:poison --print out:1 --print bits:1 | FileCheck %s --check-prefix=TWO

// One instance for each register of a thread; the emulator runs the instructions of ptx_text.def.
// CHECK-LABEL: llvm.func @bytes
// CHECK: llvm.inline_asm "{ .reg .b32 t<2>; shl.b32 t0, $1, 3; and.b32 t1, $1, 0x1; add.s32 $0, t0, t1; }", "=r,r" %{{.*}} : (i32) -> i32
// PTX-LABEL: .entry bytes
// PTX: shl.b32 t0, %r{{[0-9]+}}, 3;
// BYTES: out = 0 9 16 25
func.func @bytes(%x: !tile.ptr<i32> {tile.name = "x"}, %out: !tile.ptr<i32> {tile.name = "out"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<i32>>) -> tensor<128xi32>
  %r = "tile.inline_asm"(%v) {asm = "{ .reg .b32 t<2>; shl.b32 t0, $1, 3; and.b32 t1, $1, 0x1; add.s32 $0, t0, t1; }", constraints = "=r,r", pack = 1 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128xi32>) -> tensor<128xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %op = "tile.addptr"(%os, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  "tile.store"(%op, %r) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  return
}

// Two halves in one register. With effects, it is not removed and not merged.
// CHECK-LABEL: llvm.func @halves
// CHECK: llvm.bitcast %{{.*}} : vector<2xf16> to i32
// CHECK: llvm.inline_asm has_side_effects "xor.b32 $0, $1, 0x80008000; // $$", "=r,r"
// CHECK: llvm.bitcast %{{.*}} : i32 to vector<2xf16>
// PTX-LABEL: .entry halves
// PTX: xor.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0x80008000; // $
// HALVES: out = -3 -3
func.func @halves(%x: !tile.ptr<f16> {tile.name = "x", tile.divisibility = 16 : i32}, %out: !tile.ptr<f16> {tile.name = "out", tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f16>) -> tensor<256x!tile.ptr<f16>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<256x!tile.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f16>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<f16>>) -> tensor<256xf16>
  %r = "tile.inline_asm"(%v) {asm = "xor.b32 $0, $1, 0x80008000; // $$", constraints = "=r,r", pack = 2 : i32, pure = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<256xf16>) -> tensor<256xf16>
  %os = "tile.splat"(%out) : (!tile.ptr<f16>) -> tensor<256x!tile.ptr<f16>>
  %op = "tile.addptr"(%os, %i) : (tensor<256x!tile.ptr<f16>>, tensor<256xi32>) -> tensor<256x!tile.ptr<f16>>
  "tile.store"(%op, %r) : (tensor<256x!tile.ptr<f16>>, tensor<256xf16>) -> ()
  return
}

// Two results come as a struct; a thread with fewer elements than `pack` fills up with its first.
// CHECK-LABEL: llvm.func @two_results
// CHECK: %[[BOTH:.*]] = llvm.inline_asm {{.*}} "=f,=f,=r,=r,f,f" %[[X:.*]], %[[X]] : (f32, f32) -> !llvm.struct<(f32, f32, i32, i32)>
// CHECK: llvm.extractvalue %[[BOTH]][0]
// CHECK: llvm.extractvalue %[[BOTH]][2]
// TWO: out = 9
// TWO: bits = 1077936128
func.func @two_results(%x: !tile.ptr<f32> {tile.name = "x"}, %out: !tile.ptr<f32> {tile.name = "out"}, %bits: !tile.ptr<i32> {tile.name = "bits"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
  %r, %b = "tile.inline_asm"(%v) {asm = "mul.f32 $0, $4, $4; mul.f32 $1, $5, $5; mov.b32 $2, $4; mov.b32 $3, $5;", constraints = "=f,=f,=r,=r,f,f", pack = 2 : i32, pure = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<128xf32>) -> (tensor<128xf32>, tensor<128xi32>)
  %os = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
  %op = "tile.addptr"(%os, %i) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
  "tile.store"(%op, %r) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
  %bs = "tile.splat"(%bits) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %bp = "tile.addptr"(%bs, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  "tile.store"(%bp, %b) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> ()
  return
}

// A result that nobody reads has any type: programs give what they drop the type of an operand.
// CHECK-LABEL: llvm.func @dropped
// CHECK: llvm.inline_asm has_side_effects "mov.b32 $0, 7;", "=r,l" %{{.*}} : (i64) -> i32
// PTX-LABEL: .entry dropped
// PTX: mov.b32 %r{{[0-9]+}}, 7;
func.func @dropped(%x: !tile.ptr<i32> {tile.name = "x"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<128x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<128x!tile.ptr<i32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<i32>>
  %r = "tile.inline_asm"(%xp) {asm = "mov.b32 $0, 7;", constraints = "=r,l", pack = 1 : i32, pure = false, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0>} : (tensor<128x!tile.ptr<i32>>) -> tensor<128x!tile.ptr<i32>>
  return
}
