// RUN: tile-opt --tile-verify-lowered=device=emulator --split-input-file --verify-diagnostics %s

llvm.func @left_over(%x: f32) {
  // expected-error @+1 {{math.tan: the operation is still there after lowering to llvm; it has no lowering to the emulator}}
  %0 = math.tan %x : f32
  llvm.return
}
