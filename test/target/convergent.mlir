// RUN: tile-translate --tile-to-llvmir %s | FileCheck %s --check-prefix=LLVM
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx -O 3 %s | FileCheck %s

// A collective instruction between two branches on the same divergent condition. Without the
// convergent attribute simplifycfg threads the branches and clones it into both arms, where one thread
// runs one copy and the rest the other: undefined behaviour of an .aligned instruction.
// LLVM: define {{.*}}@commit(ptr addrspace(1) noundef %0, i32 noundef %1)
// LLVM: call void asm sideeffect "wgmma.commit_group.sync.aligned;", ""() #[[A:[0-9]+]]
// LLVM: attributes #[[A]] = {{.*}}convergent
// CHECK-LABEL: .entry commit(
// CHECK-COUNT-1: wgmma.commit_group.sync.aligned;
// CHECK-NOT: wgmma.commit_group.sync.aligned;
llvm.func @commit(%p: !llvm.ptr<1>, %v: i32) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %first = llvm.icmp "eq" %t, %zero : i32
  llvm.cond_br %first, ^one, ^middle
^one:
  llvm.store volatile %v, %p : i32, !llvm.ptr<1>
  llvm.br ^middle
^middle:
  llvm.inline_asm has_side_effects "wgmma.commit_group.sync.aligned;", "" : () -> ()
  llvm.cond_br %first, ^two, ^end
^two:
  llvm.store volatile %t, %p : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
