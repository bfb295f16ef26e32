// RUN: tile-opt --tile-verify-lowered=device=emulator --split-input-file --verify-diagnostics %s

llvm.func @assembly(%x: i32) {
  // expected-error @+1 {{llvm.inline_asm: the emulator cannot run inline assembly; keep the tile_ptx operation}}
  %0 = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %x : (i32) -> i32
  llvm.return
}

// -----

llvm.func @left_over(%x: f32) {
  // expected-error @+1 {{math.tan: the operation is still there after lowering to llvm; it has no lowering to the emulator}}
  %0 = math.tan %x : f32
  llvm.return
}
