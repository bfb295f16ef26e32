// RUN: tile-opt --split-input-file --verify-diagnostics %s
// What tile_gpu.store_part, tile_gpu.add_part and tile_gpu.add_scaled_part take.

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
  func.func @scaled(%x: tensor<32x16xi32, #four>, %p: !tile.ptr<i32>) {
    // expected-error @+1 {{what is scaled is a tile of f32; integers are added by tile_gpu.add_part}}
    %s = "tile_gpu.add_scaled_part"(%x, %p, %x) : (tensor<32x16xi32, #four>, !tile.ptr<i32>, tensor<32x16xi32, #four>) -> tensor<32x16xi32, #four>
    return
  }
}
