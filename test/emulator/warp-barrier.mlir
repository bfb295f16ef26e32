// RUN: tile-opt --convert-to-emulator %s | FileCheck %s
// RUN: sed 's/(-1 : i32)/(255 : i32)/' %s > %t.mlir && not tile-opt --convert-to-emulator %t.mlir 2>&1 | FileCheck %s --check-prefix=MASK

// All lanes of the warp, or an error.
// CHECK: llvm.call @tile_emu_warp_barrier
// MASK: error: nvvm.bar.warp.sync: the emulator knows barriers of whole warps only; the mask is the constant -1
llvm.func @kernel() attributes {nvvm.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  nvvm.bar.warp.sync %all : i32
  llvm.return
}
