// RUN: tile-opt --tile-convert-scalars %s | FileCheck %s
// RUN: tile-opt --pass-pipeline='builtin.module(tile-convert-scalars,convert-arith-to-llvm)' %s | FileCheck %s --check-prefix=REST

// RUN: tile-opt --pass-pipeline='builtin.module(tile-convert-scalars,convert-arith-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,reconcile-unrealized-casts)' %s | FileCheck %s --check-prefix=INDEX

// One operation for one, on scalars and vectors; numbers of predicates are the same.
// CHECK-LABEL: llvm.func @arithmetic
// CHECK: %[[C:.*]] = llvm.mlir.constant(5 : i32) : i32
// CHECK: %[[SUM:.*]] = llvm.add %arg0, %[[C]] : i32
// CHECK: %[[LESS:.*]] = llvm.icmp "ult" %[[SUM]], %arg0 : i32
// CHECK: %[[CHOICE:.*]] = llvm.select %[[LESS]], %[[SUM]], %arg0 : i1, i32
// CHECK: %[[F:.*]] = llvm.sitofp %[[CHOICE]] : i32 to f32
// CHECK: %[[ORDER:.*]] = llvm.fcmp "une" %[[F]], %arg1 : f32
// CHECK: %[[NARROW:.*]] = llvm.fptrunc %[[F]] : f32 to bf16
// CHECK: llvm.intr.fma(%arg2, %arg2, %arg2) : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> vector<2xf16>
// CHECK: llvm.intr.maxnum(%[[F]], %arg1) : (f32, f32) -> f32
llvm.func @arithmetic(%a: i32, %x: f32, %v: vector<2xf16>, %p: !llvm.ptr) {
  %c = arith.constant 5 : i32
  %sum = arith.addi %a, %c : i32
  %less = arith.cmpi ult, %sum, %a : i32
  %choice = arith.select %less, %sum, %a : i32
  %f = arith.sitofp %choice : i32 to f32
  %order = arith.cmpf une, %f, %x : f32
  %narrow = arith.truncf %f : f32 to bf16
  %fma = math.fma %v, %v, %v : vector<2xf16>
  %max = arith.maxnumf %f, %x : f32
  llvm.store %narrow, %p : bf16, !llvm.ptr
  llvm.store %order, %p : i1, !llvm.ptr
  llvm.store %fma, %p : vector<2xf16>, !llvm.ptr
  llvm.store %max, %p : f32, !llvm.ptr
  llvm.return
}

// Branches keep what they give to their blocks.
// CHECK-LABEL: llvm.func @branches
// CHECK: llvm.cond_br %arg0, ^bb1(%arg1, %arg2 : i32, f32), ^bb2(%arg1 : i32)
// CHECK: llvm.br ^bb2(%{{.*}} : i32)
llvm.func @branches(%which: i1, %a: i32, %x: f32) -> i32 {
  cf.cond_br %which, ^one(%a, %x : i32, f32), ^two(%a : i32)
^one(%b: i32, %y: f32):
  cf.br ^two(%b : i32)
^two(%c: i32):
  llvm.return %c : i32
}

// A loop by an index carries it from block to block: such branches stay, of a block all or none.
// CHECK-LABEL: llvm.func @by_index
// CHECK: cf.br ^bb1(%{{.*}} : index)
// CHECK: llvm.cond_br %{{.*}}, ^bb2, ^bb3
// CHECK: cf.br ^bb1(%{{.*}} : index)
// INDEX-LABEL: llvm.func @by_index
// INDEX: llvm.br ^bb1(%{{.*}} : i64)
llvm.func @by_index(%more: i1) {
  %c = arith.constant 0 : index
  cf.br ^head(%c : index)
^head(%i: index):
  cf.cond_br %more, ^body, ^end
^body:
  %next = arith.addi %i, %i : index
  cf.br ^head(%next : index)
^end:
  llvm.return
}

// Flags that say more than the default, types that LLVM has not and rounding modes stay, for
// upstream's conversions.
// CHECK-LABEL: llvm.func @left
// CHECK: arith.addi %arg0, %arg0 overflow<nsw> : i32
// CHECK: arith.mulf %arg1, %arg1 fastmath<nnan> : f32
// CHECK: arith.truncf %arg1 to_nearest_even : f32 to bf16
// CHECK: arith.bitcast %arg2 : i8 to f8E5M2
// CHECK: arith.constant 1.000000e+00 : f8E5M2
// REST-LABEL: llvm.func @left
// REST: llvm.add %arg0, %arg0 overflow<nsw> : i32
// REST: llvm.fmul %arg1, %arg1 {fastmathFlags = #llvm.fastmath<nnan>} : f32
// REST: llvm.intr.experimental.constrained.fptrunc %arg1 tonearest ignore : f32 to bf16
llvm.func @left(%a: i32, %x: f32, %e: i8, %p: !llvm.ptr) {
  %sum = arith.addi %a, %a overflow<nsw> : i32
  %product = arith.mulf %x, %x fastmath<nnan> : f32
  %narrow = arith.truncf %x to_nearest_even : f32 to bf16
  %eight = arith.bitcast %e : i8 to f8E5M2
  %one = arith.constant 1.0 : f8E5M2
  llvm.store %sum, %p : i32, !llvm.ptr
  llvm.store %product, %p : f32, !llvm.ptr
  llvm.store %narrow, %p : bf16, !llvm.ptr
  llvm.return
}
