// RUN: tile-translate --tile-to-ptx %s | FileCheck %s
// RUN: tile-translate --tile-to-ptx --fewer-warps on %s | FileCheck %s
// RUN: tile-run %s --device emulator --grid 1 --check --arg x=i32[512]:arange --arg out=i32[512]:poison --print out:3 | FileCheck %s --check-prefix=OUT
// RUN: not tile-translate --tile-to-ptx --num-warps 4 %s 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: tile-translate --tile-to-ptx --fewer-warps on %source/test/kernels/matmul_wgmma.mlir | FileCheck %s --check-prefix=LOWERED

// A module whose tensors have layouts is compiled from there, with its own number of warps: two elements a thread that
// lie 256 apart stay two accesses. So is one in lowered form.
// CHECK: .reqntid 256
// CHECK-COUNT-2: ld.global.b32
// CHECK-COUNT-2: st.global.b32
// CHECK: // tile.version section=0 symbol=k warps=8 threads=256
// LOWERED: // tile.version section=0 symbol=matmul warps=8 threads=256
// OUT: out = 0 1 2
// WARPS: error: the module is laid out for 8 warps, not 4; leave the number to it
#b = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [8], order = [0]}>
module attributes {tile_gpu.num_warps = 8 : i32} {
func.func @k(%x: !tile.ptr<i32> {tile.name = "x", tile.divisibility = 16 : i32},
             %out: !tile.ptr<i32> {tile.name = "out", tile.divisibility = 16 : i32}) attributes {tile.kernel} {
  %r = "tile.range"() {start = 0 : i32, end = 512 : i32} : () -> tensor<512xi32, #b>
  %xs = "tile.splat"(%x) : (!tile.ptr<i32>) -> tensor<512x!tile.ptr<i32>, #b>
  %xp = "tile.addptr"(%xs, %r) : (tensor<512x!tile.ptr<i32>, #b>, tensor<512xi32, #b>) -> tensor<512x!tile.ptr<i32>, #b>
  %v = "tile.load"(%xp) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<512x!tile.ptr<i32>, #b>) -> tensor<512xi32, #b>
  %os = "tile.splat"(%out) : (!tile.ptr<i32>) -> tensor<512x!tile.ptr<i32>, #b>
  %op = "tile.addptr"(%os, %r) : (tensor<512x!tile.ptr<i32>, #b>, tensor<512xi32, #b>) -> tensor<512x!tile.ptr<i32>, #b>
  "tile.store"(%op, %v) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<512x!tile.ptr<i32>, #b>, tensor<512xi32, #b>) -> ()
  return
}
}
