// RUN: tile-opt --tile-verify-before-lowering %s -o %t
// RUN: tile-opt --tile-verify %s | diff - %t

// What is right stays as it is. What a pass has left half rewritten no text brings here, since tile-opt verifies what it
// reads: test/unit/verify_test.c has that.
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @f() attributes {tile.kernel} {
    %r = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32, #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>>
    return
  }
}
