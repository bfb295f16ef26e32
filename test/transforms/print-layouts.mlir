// RUN: tile-opt --tile-gpu-print-layouts=bases=true --verify-only %s | FileCheck %s

#rows = #tile_gpu.blocked<{size_per_thread = [1, 2], threads_per_warp = [8, 4], warps_per_cta = [1, 1], order = [1, 0]}>

// The fragment of the tensor cores: two neighbours of a row in each lane.
// CHECK: // tensor<8x8xf32, #tile_gpu.blocked
// CHECK-NEXT: // register = {{\[\[}}0, 1]]
// CHECK-NEXT: // lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]
// CHECK: T0:0{{ +}}T0:1{{ +}}T1:0{{ +}}T1:1{{ +}}T2:0{{ +}}T2:1{{ +}}T3:0{{ +}}T3:1
// CHECK: T4:0{{ +}}T4:1
func.func @fragment(%x: f32) {
  %a = "tile.splat"(%x) : (f32) -> tensor<8x8xf32, #rows>
  return
}

// Its rows as a vector: the four lanes of a row hold one element each has a copy of.
// CHECK: // tensor<8xf32, #tile_gpu.slice
// CHECK: T0:0|T1:0
func.func @row_vector(%x: f32) {
  %a = "tile.splat"(%x) : (f32) -> tensor<8xf32, #tile_gpu.slice<{axis = 1, parent = #rows}>>
  return
}
