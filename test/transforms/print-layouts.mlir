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

// The example of docs/tensor-cores.md: element (10, 5) of a, in its rows of the warps 0 and 2.
// CHECK: // tensor<32x16xf16, #tile_gpu.dot_operand<
// CHECK-NEXT: // register = {{\[\[}}0, 1], [8, 0], [0, 8]]
// CHECK-NEXT: // lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]
// CHECK-NEXT: // warp = {{\[\[}}16, 0], [0, 0]]
// CHECK: //{{ +}}10{{ +}}T8:2|T72:2{{ +}}T8:3|T72:3{{ +}}T9:2|T73:2{{ +}}T9:3|T73:3{{ +}}T10:2|T74:2{{ +}}T10:3|T74:3
#acc = #tile_gpu.mma<{version = 2, warps_per_cta = [2, 2], instr_shape = [16, 8]}>
func.func @operand(%a: tensor<32x16xf16, #tile_gpu.dot_operand<{index = 0, parent = #acc, k_width = 2}>>) {
  return
}

// And of wgmma: each of four warps has 16 rows, so (26, 5) is in warp 1.
// CHECK: // tensor<64x16xf16, #tile_gpu.dot_operand<
// CHECK: // warp = {{\[\[}}16, 0], [32, 0]]
// CHECK: //{{ +}}10{{ +}}T8:2{{ +}}T8:3{{ +}}T9:2{{ +}}T9:3{{ +}}T10:2{{ +}}T10:3
// CHECK: //{{ +}}26{{ +}}T40:2{{ +}}T40:3{{ +}}T41:2{{ +}}T41:3{{ +}}T42:2{{ +}}T42:3
#group = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 16]}>
func.func @group_operand(%a: tensor<64x16xf16, #tile_gpu.dot_operand<{index = 0, parent = #group, k_width = 2}>>) {
  return
}
