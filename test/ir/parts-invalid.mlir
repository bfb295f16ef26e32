// RUN: tile-opt --split-input-file --verify-diagnostics %s
// What tile_gpu.store_part and tile_gpu.add_part take.

#four = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @fine(%x: tensor<32x16xf32, #four>, %p: !tile.ptr<i32>) {
    "tile_gpu.store_part"(%x, %p) : (tensor<32x16xf32, #four>, !tile.ptr<i32>) -> ()
    %s = "tile_gpu.add_part"(%x, %p) : (tensor<32x16xf32, #four>, !tile.ptr<i32>) -> tensor<32x16xf32, #four>
    return
  }
}

// -----

#four = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @pointer(%x: tensor<32x16xf32, #four>, %p: !tile.ptr<f32>) {
    // expected-error @+1 {{the address is a !tile.ptr<i32>, whatever the elements are}}
    "tile_gpu.store_part"(%x, %p) : (tensor<32x16xf32, #four>, !tile.ptr<f32>) -> ()
    return
  }
}

// -----

#four = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @element(%x: tensor<32x16xf16, #four>, %p: !tile.ptr<i32>) {
    // expected-error @+1 {{a part is a tile of f32 or i32; extend its elements first}}
    %s = "tile_gpu.add_part"(%x, %p) : (tensor<32x16xf16, #four>, !tile.ptr<i32>) -> tensor<32x16xf16, #four>
    return
  }
}

// -----

func.func @layout(%x: tensor<32x16xf32>, %p: !tile.ptr<i32>) {
  // expected-error @+1 {{the tile has no layout, and so no registers; run tile-assign-layouts first}}
  %s = "tile_gpu.add_part"(%x, %p) : (tensor<32x16xf32>, !tile.ptr<i32>) -> tensor<32x16xf32>
  return
}

// -----

#four = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @copies(%x: tensor<16x16xf32, #four>, %p: !tile.ptr<i32>) {
    // expected-error @+1 {{several registers or threads hold one element; convert the layout first}}
    "tile_gpu.store_part"(%x, %p) : (tensor<16x16xf32, #four>, !tile.ptr<i32>) -> ()
    return
  }
}

// -----

#two = #tile_gpu.blocked<{size_per_thread = [1, 2], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @registers(%x: tensor<32x8xf32, #two>, %p: !tile.ptr<i32>) {
    // expected-error @+1 {{a thread has 2 registers of the tile, not a multiple of 4}}
    "tile_gpu.store_part"(%x, %p) : (tensor<32x8xf32, #two>, !tile.ptr<i32>) -> ()
    return
  }
}
