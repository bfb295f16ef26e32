// A loop with a small product of warps and a number of a stage that goes round through 0 and 1: two iterations in a row, in which
// the number is a constant. Each is tested for, and what is used behind the loop is given there from either test.
// RUN: tile-opt --tile-unroll-stages %s | FileCheck %s

// CHECK-LABEL: llvm.func @two
// CHECK: llvm.mlir.constant(0.0
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.br ^[[LOOP0:bb[0-9]+]](
// CHECK: ^[[LOOP0]](%[[I0:.*]]: i32, %[[S0:.*]]: f32, %{{.*}}: i32):
// CHECK: llvm.icmp "slt" %[[I0]], %arg1
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY0:bb[0-9]+]], ^[[BEHIND:bb[0-9]+]](%[[S0]] : f32)
// CHECK: ^[[BODY0]]:
// CHECK: llvm.getelementptr %arg0[%[[ZERO]]]
// CHECK: llvm.br ^[[LOOP1:bb[0-9]+]](
// CHECK: ^[[LOOP1]](%[[I1:.*]]: i32, %[[S1:.*]]: f32, %{{.*}}: i32):
// CHECK: llvm.icmp "slt" %[[I1]], %arg1
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY1:bb[0-9]+]], ^[[BEHIND]](%[[S1]] : f32)
// CHECK: ^[[BODY1]]:
// CHECK: llvm.getelementptr %arg0[%[[ONE]]]
// CHECK: llvm.br ^[[LOOP0]](
// CHECK: ^[[BEHIND]](%[[S:.*]]: f32):
// CHECK: llvm.store %[[S]], %arg0
llvm.func @two(%p: !llvm.ptr<1>, %n: i32, %a: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^loop(%c0, %zero, %c0 : i32, f32, i32)
^loop(%i: i32, %sum: f32, %stage: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^behind
^body:
  %at = llvm.getelementptr %p[%stage] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %x = llvm.load %at : !llvm.ptr<1> -> f32
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %a, %sum, %x, %x, %x) {a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 4, 2, 4>, shape = array<i32: 16, 8, 16>} : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  %next = llvm.add %stage, %c1 : i32
  %last = llvm.icmp "eq" %next, %c2 : i32
  %round = llvm.select %last, %c0, %next : i1, i32
  %j = llvm.add %i, %c1 : i32
  llvm.br ^loop(%j, %d#0, %round : i32, f32, i32)
^behind:
  llvm.store %sum, %p : f32, !llvm.ptr<1>
  llvm.return
}

// Numbers of two and of three stages are not the same again after two iterations: the loop stays.
// CHECK-LABEL: llvm.func @two_and_three
// CHECK-COUNT-1: tile_ptx.mma
// CHECK-NOT: tile_ptx.mma
// CHECK: llvm.return
llvm.func @two_and_three(%p: !llvm.ptr<1>, %n: i32, %a: i32) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^loop(%c0, %zero, %c0, %c1 : i32, f32, i32, i32)
^loop(%i: i32, %sum: f32, %stage: i32, %other: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^behind
^body:
  %at = llvm.getelementptr %p[%stage] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %x = llvm.load %at : !llvm.ptr<1> -> f32
  %d:4 = "tile_ptx.mma"(%a, %a, %a, %a, %a, %other, %sum, %x, %x, %x) {a_type = f16, b_type = f16, operandSegmentSizes = array<i32: 4, 2, 4>, shape = array<i32: 16, 8, 16>} : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> (f32, f32, f32, f32)
  %next = llvm.add %stage, %c1 : i32
  %last = llvm.icmp "eq" %next, %c2 : i32
  %round = llvm.select %last, %c0, %next : i1, i32
  %next_other = llvm.add %other, %c1 : i32
  %last_other = llvm.icmp "eq" %next_other, %c3 : i32
  %round_other = llvm.select %last_other, %c0, %next_other : i1, i32
  %j = llvm.add %i, %c1 : i32
  llvm.br ^loop(%j, %d#0, %round, %round_other : i32, f32, i32, i32)
^behind:
  llvm.store %sum, %p : f32, !llvm.ptr<1>
  llvm.return
}
