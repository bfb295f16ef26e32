// RUN: tile-opt --convert-tile-gpu-to-nvvm --split-input-file --verify-diagnostics %s

// The lowering run out of order: what it needs is checked, not assumed.

// expected-error @+1 {{func.func: the module has no tile_gpu.num_warps; run tile-assign-layouts first}}
func.func @no_warps() attributes {tile.kernel} {
  return
}

// -----

module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @no_layouts() attributes {tile.kernel} {
    // expected-error @+1 {{tile.range: the tensor has no layout; run tile-assign-layouts first}}
    %0 = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
    return
  }
}

// -----

// expected-error @+1 {{builtin.module: tile_gpu.num_warps is a power of two from 1 to 32, not 3}}
module attributes {tile_gpu.num_warps = 3 : i32} {
  func.func @odd_number_of_warps() attributes {tile.kernel} {
    return
  }
}

// -----

// expected-error @+1 {{tile_gpu.num_warps is a power of two from 1 to 32, not 1099511627776}}
module attributes {tile_gpu.num_warps = 1099511627776 : i64} {
  func.func @too_many_warps() attributes {tile.kernel} {
    return
  }
}

// -----

// A layout made for another number of warps than the module's.
#line = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [8], order = [0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @layout_of_eight_warps() attributes {tile.kernel} {
    // expected-error @+1 {{the layout is for 8 warps, the module has tile_gpu.num_warps = 4}}
    %0 = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32, #line>
    return
  }
}

// -----

module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func private @callee()
  func.func @calls() attributes {tile.kernel} {
    // expected-error @+1 {{func.call: no lowering rule to nvvm}}
    func.call @callee() : () -> ()
    return
  }
}

// -----

module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @unreachable() attributes {tile.kernel} {
    // expected-error @+1 {{a kernel ends in func.return}}
    ub.unreachable
  }
}

// -----

// expected-error @+1 {{builtin.module: tile_gpu.target names no target; it is one of sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a}}
module attributes {tile_gpu.target = "sm_75"} {
}

// -----

// expected-error @+1 {{tile_gpu.target names no target}}
module attributes {tile_gpu.target = 90 : i32} {
}
