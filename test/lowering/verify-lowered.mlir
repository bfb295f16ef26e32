// RUN: tile-opt --tile-verify-lowered --split-input-file --verify-diagnostics %s

// What the code generator takes passes silently.
llvm.func @fine(%x: f32, %y: f32) -> f32 {
  %0 = llvm.intr.fma(%x, %y, %x) : (f32, f32, f32) -> f32
  %1 = llvm.intr.sqrt(%0) : (f32) -> f32
  llvm.return %1 : f32
}

// -----

llvm.func @no_selection(%x: f32) -> f32 {
  // expected-error @+1 {{llvm.intr.exp: the code generator cannot select this intrinsic}}
  %0 = llvm.intr.exp(%x) : (f32) -> f32
  llvm.return %0 : f32
}

// -----

llvm.func @odd_type(%x: i32) {
  // expected-error @+1 {{llvm.trunc: type i24 has no machine form}}
  %0 = llvm.trunc %x : i32 to i24
  llvm.return
}

// -----

llvm.func @left_over(%x: f32) {
  // expected-error @+1 {{math.tan: the operation is still there after lowering to llvm; it has no lowering to PTX}}
  %0 = math.tan %x : f32
  llvm.return
}
