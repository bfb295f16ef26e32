// RUN: tile-translate --tile-to-ptx --target sm_90a %s -o /dev/null
// RUN: rm -f %t.ptx; not tile-translate --tile-to-ptx --target sm_86 %s -o %t.ptx 2>&1 | FileCheck %s
// RUN: not ls %t.ptx

// What fits one target may not fit another.
// CHECK: shared-limit.mlir:[[#@LINE+1]]:1: error: llvm.func: the kernel needs 131072 bytes of shared memory, sm_86 has 101376; use a smaller tile
llvm.func @kernel() attributes {nvvm.kernel, tile_gpu.shared_bytes = 131072 : i32} {
  llvm.return
}
