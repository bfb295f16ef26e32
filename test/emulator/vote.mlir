// RUN: tile-opt --convert-to-emulator %s | FileCheck %s
// RUN: sed 's/sync any/sync uni/' %s > %t.mlir && not tile-opt --convert-to-emulator %t.mlir 2>&1 | FileCheck %s --check-prefix=UNI

// Votes are reductions of 0 and 1: any by or (2), all by and (1).
// CHECK-LABEL: llvm.func @kernel
// CHECK: %[[OR:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: %[[ANY:.*]] = llvm.call @tile_emu_redux({{.*}}, {{.*}}, %[[OR]], {{.*}})
// CHECK: llvm.trunc %[[ANY]] : i32 to i1
// CHECK: %[[AND:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: %[[ALL:.*]] = llvm.call @tile_emu_redux({{.*}}, {{.*}}, %[[AND]], {{.*}})
// CHECK: llvm.trunc %[[ALL]] : i32 to i1
// UNI: error: nvvm.vote.sync: the emulator votes any and all
llvm.func @kernel(%p: i1) attributes {nvvm.kernel} {
  %lanes = llvm.mlir.constant(-1 : i32) : i32
  %x = nvvm.vote.sync any %lanes, %p -> i1
  %y = nvvm.vote.sync all %lanes, %x -> i1
  llvm.cond_br %y, ^first, ^second
^first:
  llvm.br ^second
^second:
  llvm.return
}
