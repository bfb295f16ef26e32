// RUN: tile-translate --tile-to-ptx %s | FileCheck %s
// RUN: tile-run %s --kernel parts --grid 1 --arg p=i32[4096]:zeros --arg out=f32[2048]:poison --arg n=i32:3 --check --print out:36 | FileCheck %s --check-prefix=OUT
// RUN: tile-run %s --kernel narrow --grid 1 --arg p=i32[4096]:zeros --arg pairs=f32[256]:poison --arg ones=f32[128]:poison --check --print pairs:256 --print ones:128 | FileCheck %s --check-prefix=NARROW

// Registers as they are, 16 bytes of each thread beside the next one's: an address of a thread, and constants.
// CHECK-LABEL: .visible .entry parts(
// CHECK: mul.wide.u32 {{.*}}, 16;
// CHECK: st.global.v4.b32 [[[AT:%rd[0-9]+]]], {
// CHECK: st.global.v4.b32 [[[AT]]+2048], {
// A loop over the parts, in their order.
// CHECK: ld.global.v4.b32 {{.*}}, [[[FROM:%rd[0-9]+]]];
// CHECK: ld.global.v4.b32 {{.*}}, [[[FROM]]+2048];
// CHECK: add.rn.f32

// Nothing and three parts: 1 + 2 + 3 times an element's number.
// OUT: out = 0 6 12 18 {{.*}} 192 198 204 210
#four = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [8, 4], warps_per_cta = [4, 1], order = [1, 0]}>
#row = #tile_gpu.slice<{axis = 0, parent = #four}>
#column = #tile_gpu.slice<{axis = 1, parent = #four}>
#pair = #tile_gpu.blocked<{size_per_thread = [2], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
#one = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [4], order = [0]}>
module attributes {tile_gpu.num_warps = 4 : i32} {
  func.func @parts(%p: !tile.ptr<i32>, %out: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %elements = arith.constant 1024 : i32
    %numbers = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32, #row>
    %rows = "tile.expand_dims"(%numbers) {axis = 0 : i32} : (tensor<32xi32, #row>) -> tensor<1x32xi32, #four>
    %across = "tile.broadcast"(%rows) : (tensor<1x32xi32, #four>) -> tensor<32x32xi32, #four>
    %down = "tile.range"() {start = 0 : i32, end = 32 : i32} : () -> tensor<32xi32, #column>
    %columns = "tile.expand_dims"(%down) {axis = 1 : i32} : (tensor<32xi32, #column>) -> tensor<32x1xi32, #four>
    %lines = "tile.broadcast"(%columns) : (tensor<32x1xi32, #four>) -> tensor<32x32xi32, #four>
    %width = arith.constant dense<32> : tensor<32x32xi32, #four>
    %before = arith.muli %lines, %width : tensor<32x32xi32, #four>
    %tile = arith.addi %before, %across : tensor<32x32xi32, #four>
    %x = arith.sitofp %tile : tensor<32x32xi32, #four> to tensor<32x32xf32, #four>
    scf.for %i = %zero to %n step %one : i32 {
      %next = arith.addi %i, %one : i32
      %f = arith.sitofp %next : i32 to f32
      %all = "tile.splat"(%f) : (f32) -> tensor<32x32xf32, #four>
      %y = arith.mulf %x, %all : tensor<32x32xf32, #four>
      %at = arith.muli %i, %elements : i32
      %to = "tile.addptr"(%p, %at) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
      "tile_gpu.store_part"(%y, %to) : (tensor<32x32xf32, #four>, !tile.ptr<i32>) -> ()
    }
    %nothing = arith.constant dense<0.0> : tensor<32x32xf32, #four>
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %nothing) -> (tensor<32x32xf32, #four>) : i32 {
      %at = arith.muli %i, %elements : i32
      %from = "tile.addptr"(%p, %at) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
      %more = "tile_gpu.add_part"(%s, %from) : (tensor<32x32xf32, #four>, !tile.ptr<i32>) -> tensor<32x32xf32, #four>
      scf.yield %more : tensor<32x32xf32, #four>
    }
    %o = "tile.splat"(%out) : (!tile.ptr<f32>) -> tensor<32x32x!tile.ptr<f32>, #four>
    %op = "tile.addptr"(%o, %tile) : (tensor<32x32x!tile.ptr<f32>, #four>, tensor<32x32xi32, #four>) -> tensor<32x32x!tile.ptr<f32>, #four>
    "tile.store"(%op, %sum) : (tensor<32x32x!tile.ptr<f32>, #four>, tensor<32x32xf32, #four>) -> ()
    return
  }

  // Two registers of a thread, and one: narrower accesses; copies are stored as often as threads have them. Twice what is at %p, and what
  // it is added to.
  // CHECK-LABEL: .visible .entry narrow(
  // CHECK: st.global.v2.b32
  // CHECK: st.global.b32
  // CHECK-COUNT-3: fma.rn.f32
  // NARROW: pairs = 0 3 6 9 {{.*}} 762 765
  // NARROW: ones = 0 3 6 9 {{.*}} 378 381
  func.func @narrow(%p: !tile.ptr<i32>, %pairs: !tile.ptr<f32>, %ones: !tile.ptr<f32>) attributes {tile.kernel} {
    %n2 = "tile.range"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32, #pair>
    %n1 = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32, #one>
    %x2 = arith.sitofp %n2 : tensor<256xi32, #pair> to tensor<256xf32, #pair>
    %x1 = arith.sitofp %n1 : tensor<128xi32, #one> to tensor<128xf32, #one>
    %words = arith.constant 256 : i32
    %q = "tile.addptr"(%p, %words) : (!tile.ptr<i32>, i32) -> !tile.ptr<i32>
    "tile_gpu.store_part"(%x2, %p) : (tensor<256xf32, #pair>, !tile.ptr<i32>) -> ()
    "tile_gpu.store_part"(%x1, %q) : (tensor<128xf32, #one>, !tile.ptr<i32>) -> ()
    %two2 = arith.constant dense<2.0> : tensor<256xf32, #pair>
    %two1 = arith.constant dense<2.0> : tensor<128xf32, #one>
    %s2 = "tile_gpu.add_scaled_part"(%x2, %p, %two2) : (tensor<256xf32, #pair>, !tile.ptr<i32>, tensor<256xf32, #pair>) -> tensor<256xf32, #pair>
    %s1 = "tile_gpu.add_scaled_part"(%x1, %q, %two1) : (tensor<128xf32, #one>, !tile.ptr<i32>, tensor<128xf32, #one>) -> tensor<128xf32, #one>
    %o2 = "tile.splat"(%pairs) : (!tile.ptr<f32>) -> tensor<256x!tile.ptr<f32>, #pair>
    %o1 = "tile.splat"(%ones) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>, #one>
    %p2 = "tile.addptr"(%o2, %n2) : (tensor<256x!tile.ptr<f32>, #pair>, tensor<256xi32, #pair>) -> tensor<256x!tile.ptr<f32>, #pair>
    %p1 = "tile.addptr"(%o1, %n1) : (tensor<128x!tile.ptr<f32>, #one>, tensor<128xi32, #one>) -> tensor<128x!tile.ptr<f32>, #one>
    "tile.store"(%p2, %s2) : (tensor<256x!tile.ptr<f32>, #pair>, tensor<256xf32, #pair>) -> ()
    "tile.store"(%p1, %s1) : (tensor<128x!tile.ptr<f32>, #one>, tensor<128xf32, #one>) -> ()
    return
  }
}
