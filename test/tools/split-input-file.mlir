// RUN: tile-opt --split-input-file %s | FileCheck %s
// RUN: not tile-opt %s 2>&1 | FileCheck %s --check-prefix=WHOLE

// Every piece is a module of its own, so that the two functions may share a name.
// CHECK: func.func @f()
// CHECK: // -----
// CHECK: func.func @f(%arg0: i32)
// WHOLE: split-input-file.mlir:[[#@LINE+6]]:1: error: redefinition of symbol named 'f'
func.func @f() {
  return
}

// -----
func.func @f(%x: i32) {
  return
}
