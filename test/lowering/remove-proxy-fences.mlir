// RUN: tile-opt --tile-remove-proxy-fences %s | FileCheck %s

// The fence in the loop stands for the stores before it, too; after the loop nobody reads.
// CHECK-LABEL: llvm.func @around_a_loop
// CHECK-NOT: fence_async_shared
// CHECK: nvvm.barrier0
// CHECK: ^bb2:
// CHECK: tile_ptx.fence_async_shared
// CHECK-NEXT: nvvm.barrier0
// CHECK-NOT: fence_async_shared
// CHECK: llvm.return
llvm.func @around_a_loop(%c: i1, %x: f32, %d: i64) attributes {nvvm.kernel} {
  "tile_ptx.fence_async_shared"() : () -> ()
  nvvm.barrier0
  llvm.br ^head
^head:
  llvm.cond_br %c, ^body, ^done
^body:
  "tile_ptx.fence_async_shared"() : () -> ()
  nvvm.barrier0
  llvm.inline_asm has_side_effects "// reads", "" : () -> ()
  llvm.br ^head
^done:
  "tile_ptx.fence_async_shared"() : () -> ()
  llvm.return
}

// Of two with only stores between them the later one is enough; without a barrier after it, it is not: other
// threads' reads may come before it.
// CHECK-LABEL: llvm.func @in_a_row
// CHECK-COUNT-1: fence_async_shared
// CHECK-NEXT: nvvm.barrier0
// CHECK-NEXT: llvm.inline_asm
// CHECK-COUNT-2: fence_async_shared
// CHECK: llvm.return
llvm.func @in_a_row() attributes {nvvm.kernel} {
  "tile_ptx.fence_async_shared"() : () -> ()
  "tile_ptx.fence_async_shared"() : () -> ()
  nvvm.barrier0
  llvm.inline_asm has_side_effects "// reads", "" : () -> ()
  "tile_ptx.fence_async_shared"() : () -> ()
  nvvm.barrier0
  "tile_ptx.fence_async_shared"() : () -> ()
  llvm.inline_asm has_side_effects "// reads", "" : () -> ()
  llvm.return
}

// One way from the first fence misses the second.
// CHECK-LABEL: llvm.func @on_one_way
// CHECK-COUNT-2: fence_async_shared
// CHECK: llvm.return
llvm.func @on_one_way(%c: i1) attributes {nvvm.kernel} {
  "tile_ptx.fence_async_shared"() : () -> ()
  nvvm.barrier0
  llvm.cond_br %c, ^again, ^read
^again:
  "tile_ptx.fence_async_shared"() : () -> ()
  nvvm.barrier0
  llvm.br ^read
^read:
  llvm.inline_asm has_side_effects "// reads", "" : () -> ()
  llvm.return
}
