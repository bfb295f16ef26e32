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
  %null = llvm.mlir.zero : !llvm.ptr<3>
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %null : i32, !llvm.ptr<3>
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
  %null = llvm.mlir.zero : !llvm.ptr<3>
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %null : i32, !llvm.ptr<3>
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
  %null = llvm.mlir.zero : !llvm.ptr<3>
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %null : i32, !llvm.ptr<3>
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

// Before anything is stored a fence shows nothing: copies and their barriers are no stores.
// CHECK-LABEL: llvm.func @nothing_stored
// CHECK-NOT: fence_async_shared
// CHECK: llvm.return
llvm.func @nothing_stored(%b: !llvm.ptr<3>, %m: !llvm.ptr, %p: i1, %i: i32) attributes {nvvm.kernel} {
  "tile_ptx.mbarrier_init"(%b, %p) {arrivals = 1 : i32} : (!llvm.ptr<3>, i1) -> ()
  "tile_ptx.fence_async_shared"() : () -> ()
  nvvm.barrier0
  "tile_ptx.cp_async_bulk_tensor"(%b, %m, %b, %p, %i) : (!llvm.ptr<3>, !llvm.ptr, !llvm.ptr<3>, i1, i32) -> ()
  llvm.return
}

// In a loop the store of the iteration before may be there; a copy comes after it by the fence.
// CHECK-LABEL: llvm.func @stored_in_the_loop
// CHECK: fence_async_shared
// CHECK: llvm.return
llvm.func @stored_in_the_loop(%b: !llvm.ptr<3>, %m: !llvm.ptr, %p: i1, %i: i32) attributes {nvvm.kernel} {
  llvm.br ^body
^body:
  "tile_ptx.fence_async_shared"() : () -> ()
  nvvm.barrier0
  "tile_ptx.cp_async_bulk_tensor"(%b, %m, %b, %p, %i) : (!llvm.ptr<3>, !llvm.ptr, !llvm.ptr<3>, i1, i32) -> ()
  "tile_ptx.store"(%b, %i, %p) : (!llvm.ptr<3>, i32, i1) -> ()
  llvm.cond_br %p, ^body, ^done
^done:
  llvm.return
}
