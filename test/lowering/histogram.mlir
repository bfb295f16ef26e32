// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-allocate-shared --tile-gpu-insert-barriers --convert-tile-gpu-to-nvvm %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --device emulator --grid 1 --check --arg x=i32[256]:3 --arg out=i32[64]:poison --print out:5 | FileCheck %s --check-prefix=OUT

// Bins are cleared, counted in shared memory, each element once, and loaded, with a barrier between.
// CHECK-LABEL: llvm.func @histogram
// CHECK-SAME: tile_gpu.shared_bytes = 256
// CHECK: "tile_ptx.store"(%{{.*}}) : (!llvm.ptr<3>, i32, i1) -> ()
// CHECK: nvvm.barrier
// CHECK: %[[IN:.*]] = arith.cmpi ult
// CHECK: "tile_ptx.atomic_rmw"(%{{.*}}, %[[IN]], %{{.*}}) {kind = "add", scope = "cta", sem = "relaxed"} : (!llvm.ptr<3>, i1, i32) -> i32
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
// PTX: atom.shared.cta.relaxed.add.u32
// OUT: out = 0 0 0 256 0
func.func @histogram(%x: !tile.ptr<i32> {tile.name = "x"}, %out: !tile.ptr<i32> {tile.name = "out"}) attributes {tile.kernel} {
  %i = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<256x!tile.ptr<i32>>
  %xp = "tile.addptr"(%xs, %i) : (tensor<256x!tile.ptr<i32>>, tensor<256xi32>) -> tensor<256x!tile.ptr<i32>>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<256x!tile.ptr<i32>>) -> tensor<256xi32>
  %h = "tile.histogram"(%v) : (tensor<256xi32>) -> tensor<64xi32>
  %k = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %os = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<64x!tile.ptr<i32>>
  %op = "tile.addptr"(%os, %k) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> tensor<64x!tile.ptr<i32>>
  "tile.store"(%op, %h) : (tensor<64x!tile.ptr<i32>>, tensor<64xi32>) -> ()
  return
}
