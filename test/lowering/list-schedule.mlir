// RUN: tile-opt --tile-list-schedule --split-input-file %s | FileCheck %s

// Two pieces of a tile, each of which is loaded, doubled and stored (lib/lowering/ptx/list_schedule.c): the first is
// stored before the second is computed, which has been loaded by then. The third is not loaded yet.
// CHECK-LABEL: llvm.func @pieces
// CHECK-NOT: tile_gpu.register_bound
// CHECK-NOT: tile_gpu.depth_first
// CHECK: %[[A:.*]] = llvm.load %arg0
// CHECK: %[[B:.*]] = llvm.load
// CHECK: %[[A2:.*]] = llvm.fadd %[[A]], %[[A]]
// CHECK: llvm.store %[[A2]]
// CHECK: %[[C:.*]] = llvm.load
// CHECK: %[[B2:.*]] = llvm.fadd %[[B]], %[[B]]
// CHECK: llvm.store %[[B2]]
// CHECK: %[[C2:.*]] = llvm.fadd %[[C]], %[[C]]
// CHECK: llvm.store %[[C2]]
llvm.func @pieces(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {tile_gpu.register_bound = 40 : i32} {
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %p2 = llvm.getelementptr %p[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %q1 = llvm.getelementptr %q[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %q2 = llvm.getelementptr %q[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %a = llvm.load %p {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 0 : i32, tile_gpu.count = 1 : i32} : !llvm.ptr<1> -> f32
  %b = llvm.load %p1 {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 1 : i32, tile_gpu.count = 1 : i32} : !llvm.ptr<1> -> f32
  %c = llvm.load %p2 {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 2 : i32, tile_gpu.count = 1 : i32} : !llvm.ptr<1> -> f32
  %a2 = llvm.fadd %a, %a : f32
  %b2 = llvm.fadd %b, %b : f32
  %c2 = llvm.fadd %c, %c : f32
  llvm.store %a2, %q {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 0 : i32, tile_gpu.count = 1 : i32} : f32, !llvm.ptr<1>
  llvm.store %b2, %q1 {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 1 : i32, tile_gpu.count = 1 : i32} : f32, !llvm.ptr<1>
  llvm.store %c2, %q2 {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 2 : i32, tile_gpu.count = 1 : i32} : f32, !llvm.ptr<1>
  llvm.return
}

// -----

// The first store is to the element that the third load wants, or to one of a tile that is held otherwise: no load stays
// after.
// CHECK-LABEL: llvm.func @same_element
// CHECK-COUNT-3: llvm.load
// CHECK: llvm.store
llvm.func @same_element(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {tile_gpu.register_bound = 40 : i32} {
  %a = llvm.load %p {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 0 : i32, tile_gpu.count = 1 : i32} : !llvm.ptr<1> -> f32
  %b = llvm.load %p {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 1 : i32, tile_gpu.count = 1 : i32} : !llvm.ptr<1> -> f32
  %c = llvm.load %p {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 2 : i32, tile_gpu.count = 1 : i32} : !llvm.ptr<1> -> f32
  llvm.store %a, %q {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 2 : i32, tile_gpu.count = 1 : i32} : f32, !llvm.ptr<1>
  llvm.store %b, %q {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 1 : i32, tile_gpu.count = 1 : i32} : f32, !llvm.ptr<1>
  llvm.store %c, %q {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 0 : i32, tile_gpu.count = 1 : i32} : f32, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func @another_tile
// CHECK-COUNT-3: llvm.load
// CHECK: llvm.store
llvm.func @another_tile(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {tile_gpu.register_bound = 40 : i32} {
  %a = llvm.load %p {tile_gpu.tile = tensor<256xi1>, tile_gpu.first = 0 : i32, tile_gpu.count = 1 : i32} : !llvm.ptr<1> -> f32
  %b = llvm.load %p {tile_gpu.tile = tensor<256xi1>, tile_gpu.first = 1 : i32, tile_gpu.count = 1 : i32} : !llvm.ptr<1> -> f32
  %c = llvm.load %p : !llvm.ptr<1> -> f32
  llvm.store %a, %q {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 0 : i32, tile_gpu.count = 1 : i32} : f32, !llvm.ptr<1>
  llvm.store %b, %q {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 1 : i32, tile_gpu.count = 1 : i32} : f32, !llvm.ptr<1>
  llvm.store %c, %q {tile_gpu.tile = tensor<128xi1>, tile_gpu.first = 2 : i32, tile_gpu.count = 1 : i32} : f32, !llvm.ptr<1>
  llvm.return
}

// -----

// Before a shuffle all loads come first, and a tree of sums is computed depth first. A kernel without a bound stays as it
// is.
// CHECK-LABEL: llvm.func @tree
// CHECK: llvm.load
// CHECK: llvm.load
// CHECK: %[[A:.*]] = llvm.fpext
// CHECK: %[[B:.*]] = llvm.fpext
// CHECK: llvm.fadd %[[A]], %[[B]]
// CHECK: llvm.fpext
// CHECK: llvm.fpext
// CHECK: llvm.fadd
// CHECK: llvm.fadd
// CHECK: nvvm.shfl.sync
// CHECK-LABEL: llvm.func @unbounded
// CHECK-COUNT-4: llvm.fpext
llvm.func @tree(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) -> i32 attributes {tile_gpu.depth_first} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.load %p : !llvm.ptr<1> -> f16
  %a = llvm.fpext %v : f16 to f32
  %b = llvm.fpext %v : f16 to f32
  %w = llvm.load %q : !llvm.ptr<1> -> f16
  %c = llvm.fpext %w : f16 to f32
  %d = llvm.fpext %w : f16 to f32
  %ab = llvm.fadd %a, %b : f32
  %cd = llvm.fadd %c, %d : f32
  %s = llvm.fadd %ab, %cd : f32
  %i = llvm.bitcast %s : f32 to i32
  %r = nvvm.shfl.sync bfly %all, %i, %one, %one : i32 -> i32
  llvm.return %r : i32
}
llvm.func @unbounded(%p: !llvm.ptr<1>) -> f32 {
  %v = llvm.load %p : !llvm.ptr<1> -> f16
  %a = llvm.fpext %v : f16 to f32
  %b = llvm.fpext %v : f16 to f32
  %c = llvm.fpext %v : f16 to f32
  %d = llvm.fpext %v : f16 to f32
  %ab = llvm.fadd %a, %b : f32
  %cd = llvm.fadd %c, %d : f32
  %s = llvm.fadd %ab, %cd : f32
  llvm.return %s : f32
}
