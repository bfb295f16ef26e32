// RUN: tile-opt --split-input-file --verify-diagnostics %s

// Layouts on tensor types: what layout_attribute.c, blocked.c and the verifier refuse.

// expected-error @+1 {{a tensor's layout is #tile_gpu.blocked<{...}>, slice, linear, mma or dot_operand}}
func.func @not_a_layout(%x: tensor<64xf32, "row major">) {
  return
}

// -----

// expected-error @+1 {{a tensor's layout is #tile_gpu.blocked<{...}>, slice, linear, mma or dot_operand}}
func.func @not_a_dictionary(%x: tensor<64xf32, #tile_gpu.blocked<[1, 2]>>) {
  return
}

// -----

// expected-error @+1 {{the layout has an array warps_per_cta = [...]}}
func.func @field_missing(%x: tensor<64xf32, #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], order = [0]}>>) {
  return
}

// -----

// expected-error @+1 {{order has 2 elements, the other arrays have 1}}
func.func @fields_of_two_ranks(%x: tensor<64xf32, #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [1, 0]}>>) {
  return
}

// -----

// expected-error @+1 {{the layout is for rank 1, the tensor has rank 2}}
func.func @layout_of_another_rank(%x: tensor<64x64xf32, #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>>) {
  return
}

// -----

// expected-error @+1 {{size_per_thread has 17 elements; a layout has rank 1 to 16}}
func.func @rank_seventeen(%x: tensor<64xf32, #tile_gpu.blocked<{size_per_thread = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>>) {
  return
}

// -----

// expected-error @+1 {{size_per_thread has 0 elements; a layout has rank 1 to 16}}
func.func @rank_zero(%x: tensor<64xf32, #tile_gpu.blocked<{size_per_thread = [], threads_per_warp = [], warps_per_cta = [], order = []}>>) {
  return
}

// -----

// expected-error @+1 {{order holds integers}}
func.func @order_of_text(%x: tensor<64xf32, #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = ["x"]}>>) {
  return
}

// -----

// expected-error @+1 {{size_per_thread[0] = -1 is out of range}}
func.func @negative_size(%x: tensor<64xf32, #tile_gpu.blocked<{size_per_thread = [-1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>>) {
  return
}

// -----

// expected-error @+1 {{size_per_thread[0] = 3 is not a power of two; use 1, 2, 4, ...}}
func.func @size_not_a_power_of_two(%x: tensor<64xf32, #tile_gpu.blocked<{size_per_thread = [3], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>>) {
  return
}

// -----

// expected-error @+1 {{the product of threads_per_warp is 16; a warp has 32 lanes, so it must be 32}}
func.func @half_a_warp(%x: tensor<64xf32, #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [16], warps_per_cta = [4], order = [0]}>>) {
  return
}

// -----

// expected-error @+1 {{the product of warps_per_cta is 64; a block has at most 32 warps, so reduce it}}
func.func @too_many_warps(%x: tensor<64xf32, #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [64], order = [0]}>>) {
  return
}

// -----

// expected-error @+1 {{order[1] = 0 makes order no permutation; name each of the dimensions 0 to 1 once}}
func.func @order_repeats(%x: tensor<64x64xf32, #tile_gpu.blocked<{size_per_thread = [1, 1], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [0, 0]}>>) {
  return
}

// -----

// expected-error @+1 {{a slice layout has an integer axis and a parent layout}}
func.func @slice_without_parent(%x: tensor<64xf32, #tile_gpu.slice<{axis = 0}>>) {
  return
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
// expected-error @+1 {{the parent of a slice has at least 2 dimensions}}
func.func @slice_of_a_line(%x: tensor<64xf32, #tile_gpu.slice<{axis = 0, parent = #line}>>) {
  return
}

// -----

#plane = #tile_gpu.blocked<{size_per_thread = [1, 1], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [1, 0]}>
// expected-error @+1 {{a slice's axis is 0 to 1 here, not 2}}
func.func @slice_axis(%x: tensor<64xf32, #tile_gpu.slice<{axis = 2, parent = #plane}>>) {
  return
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
// expected-error @+1 {{func.func: some tensors have a layout and some have none; run tile-assign-layouts on the whole function}}
func.func @mixed(%x: tensor<64xf32, #line>, %y: tensor<64xf32>) {
  return
}

// -----

#one = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#two = #tile_gpu.blocked<{size_per_thread = [2], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
func.func @elementwise(%x: tensor<64xf32, #one>, %n: tensor<64xi32, #two>) {
  // expected-error @+1 {{math.fpowi: operands and results have different layouts; insert tile_gpu.convert_layout}}
  %0 = math.fpowi %x, %n : tensor<64xf32, #one>, tensor<64xi32, #two>
  return
}

// -----

#one = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#two = #tile_gpu.blocked<{size_per_thread = [2], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
func.func @addptr(%p: tensor<64x!tile.ptr<f32>, #one>, %i: tensor<64xi32, #two>) {
  // expected-error @+1 {{tile.addptr: layouts differ}}
  %0 = "tile.addptr"(%p, %i) : (tensor<64x!tile.ptr<f32>, #one>, tensor<64xi32, #two>) -> tensor<64x!tile.ptr<f32>, #one>
  return
}

// -----

#one = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#two = #tile_gpu.blocked<{size_per_thread = [2], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
func.func @broadcast(%x: tensor<1xf32, #one>) {
  // expected-error @+1 {{tile.broadcast: operand and result have one layout}}
  %0 = "tile.broadcast"(%x) : (tensor<1xf32, #one>) -> tensor<64xf32, #two>
  return
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#plane = #tile_gpu.blocked<{size_per_thread = [1, 1], threads_per_warp = [1, 32], warps_per_cta = [4, 1], order = [1, 0]}>
func.func @expand_dims(%x: tensor<64xf32, #line>) {
  // expected-error @+1 {{tile.expand_dims: the operand's layout is the result's, sliced along axis}}
  %0 = "tile.expand_dims"(%x) {axis = 0 : i32} : (tensor<64xf32, #line>) -> tensor<1x64xf32, #plane>
  return
}

// -----

func.func @convert_scalar(%x: f32) {
  // expected-error @+1 {{tile_gpu.convert_layout: operand and result are tensors}}
  %0 = "tile_gpu.convert_layout"(%x) : (f32) -> f32
  return
}

// -----

#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
func.func @convert_shape(%x: tensor<64xf32, #line>) {
  // expected-error @+1 {{tile_gpu.convert_layout: shape and element type stay the same; only the layout changes}}
  %0 = "tile_gpu.convert_layout"(%x) : (tensor<64xf32, #line>) -> tensor<128xf32, #line>
  return
}

// -----

func.func @convert_nothing(%x: tensor<64xf32>) {
  // expected-error @+1 {{tile_gpu.convert_layout: operand and result have a layout; run tile-assign-layouts first}}
  %0 = "tile_gpu.convert_layout"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

// A slice of a slice, and so on: decoding must not run away.
#a = #tile_gpu.blocked<{size_per_thread = [1, 1, 1], threads_per_warp = [1, 1, 32], warps_per_cta = [1, 4, 1], order = [2, 1, 0]}>
#b = #tile_gpu.slice<{axis = 0, parent = #a}>
#c = #tile_gpu.slice<{axis = 0, parent = #b}>
#d = #tile_gpu.slice<{axis = 0, parent = #c}>
// expected-error @+1 {{the parent of a slice has at least 2 dimensions}}
func.func @slices(%x: tensor<64xf32, #d>) {
  return
}

// -----

#short = #tile_gpu.linear<{register = [[1]], lane = [[2], [4]], warp = []}>
// expected-error @+1 {{lane has 2 bases; a linear layout has 5 to 5}}
func.func @few_lanes(%x: tensor<64xf32, #short>) {
  return
}

// -----

#hole = #tile_gpu.linear<{register = [], lane = [[1], [2], [4], [8], [32]], warp = []}>
// expected-error @+1 {{the bases do not reach every element; each coordinate bit is made by some XOR of bases}}
func.func @hole(%x: tensor<64xf32, #hole>) {
  return
}

// -----

#ragged = #tile_gpu.linear<{register = [[0, 1]], lane = [[1], [2], [4], [8], [16]], warp = []}>
// expected-error @+1 {{a basis of lane has 1 coordinates; all bases have one number of them, 1 to 16}}
func.func @ragged(%x: tensor<2x32xf32, #ragged>) {
  return
}

// -----

#nothing = #tile_gpu.linear<{register = 3, lane = [], warp = []}>
// expected-error @+1 {{a linear layout has an array register = [[...], ...]}}
func.func @no_array(%x: tensor<2x32xf32, #nothing>) {
  return
}

// -----

#line = #tile_gpu.linear<{register = [], lane = [[1], [2], [4], [8], [16]], warp = []}>
// expected-error @+1 {{the layout is for rank 1, the tensor has rank 2}}
func.func @rank(%x: tensor<2x32xf32, #line>) {
  return
}

// -----

#square = #tile_gpu.blocked<{size_per_thread = [1, 1], threads_per_warp = [4, 8], warps_per_cta = [1, 1], order = [1, 0]}>
#slice = #tile_gpu.slice<{axis = 1, parent = #square}>
#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
func.func @two_layouts(%x: tensor<8x8xi32, #square>) {
  // expected-error @+1 {{tile.reduce: }}
  %a, %b = "tile.reduce"(%x, %x) ({
  ^bb0(%l: i32, %m: i32, %r: i32, %s: i32):
    "gpu.yield"(%l, %m) : (i32, i32) -> ()
  }) {axis = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<8x8xi32, #square>, tensor<8x8xi32, #square>) -> (tensor<8xi32, #slice>, tensor<8xi32, #line>)
  return
}

// -----

// expected-error @+1 {{version is 2 (mma.sync) or 3 (wgmma), not 1}}
func.func @mma_of_another_version(%x: tensor<64x64xf32, #tile_gpu.mma<{version = 1, warps_per_cta = [1, 1], instr_shape = [16, 8]}>>) {
  return
}

// -----

// expected-error @+1 {{instr_shape of version 2 ends in [16, 8], or [8, 8] for f64, not [16, 16]}}
func.func @mma_of_another_instruction(%x: tensor<64x64xf32, #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 16]}>>) {
  return
}

// -----

// expected-error @+1 {{version 3 has a multiple of 4 warps along rows, not 2}}
func.func @wgmma_with_half_a_group(%x: tensor<64x64xf32, #tile_gpu.mma<{version = 3, warps_per_cta = [2, 1], instr_shape = [64, 64]}>>) {
  return
}

// -----

// expected-error @+1 {{instr_shape has 2 elements, the other arrays have 1}}
func.func @mma_without_columns(%x: tensor<64x64xf32, #tile_gpu.mma<{version = 2, instr_shape = [16, 8], warps_per_cta = [1]}>>) {
  return
}

// -----

// expected-error @+1 {{the parent of a dot_operand layout is an mma layout}}
func.func @operand_of_blocked(%x: tensor<64x64xf16, #tile_gpu.dot_operand<{index = 0, k_width = 2, parent = #tile_gpu.blocked<{size_per_thread = [1, 1], threads_per_warp = [32, 1], warps_per_cta = [1, 1], order = [1, 0]}>}>>) {
  return
}

// -----

// expected-error @+1 {{index is 0 or 1, or 0 alone where the parent is of version 3, not 1}}
func.func @second_operand_of_wgmma(%x: tensor<64x64xf16, #tile_gpu.dot_operand<{index = 1, k_width = 2, parent = #tile_gpu.mma<{version = 3, warps_per_cta = [4, 1], instr_shape = [64, 64]}>}>>) {
  return
}

// -----

// expected-error @+1 {{the layout has an integer k_width}}
func.func @operand_without_width(%x: tensor<64x64xf16, #tile_gpu.dot_operand<{index = 0, parent = #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 8]}>}>>) {
  return
}
