// A loop that counts in index: how far its accesses drift apart is multiplied by its trips, in i64.
// RUN: tile-opt --tile-to-tile-gpu=num-warps=4 %s | FileCheck %s
// CHECK: %[[TRIPS:.*]] = arith.divsi %{{.*}} : i64
// CHECK: scf.if %{{.*}} -> (tensor

module attributes {tile.num_stages = 3 : i32} {
  func.func @k(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n0: i32, %s: i32, %t: i32) attributes {tile.kernel} {
    %c0 = arith.constant 0 : index
    %n = arith.index_cast %n0 : i32 to index
    %c1 = arith.constant 1 : index
    %r = "tile.range"() {start = 0 : i32, end = 128 : i32} : () -> tensor<128xi32>
    %ps = "tile.splat"(%p) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
    %pp = "tile.addptr"(%ps, %r) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    %qs = "tile.splat"(%q) : (!tile.ptr<f32>) -> tensor<128x!tile.ptr<f32>>
    %qq = "tile.addptr"(%qs, %r) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
    %z = arith.constant dense<0.0> : tensor<128xf32>
    %ss = "tile.splat"(%s) : (i32) -> tensor<128xi32>
    %ts = "tile.splat"(%t) : (i32) -> tensor<128xi32>
    %a, %b, %c = scf.for %i = %c0 to %n step %c1 iter_args(%x = %pp, %y = %qq, %acc = %z) -> (tensor<128x!tile.ptr<f32>>, tensor<128x!tile.ptr<f32>>, tensor<128xf32>) {
      %v = "tile.load"(%x) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<128x!tile.ptr<f32>>) -> tensor<128xf32>
      %w = arith.addf %v, %acc : tensor<128xf32>
      "tile.store"(%y, %w) : (tensor<128x!tile.ptr<f32>>, tensor<128xf32>) -> ()
      %x1 = "tile.addptr"(%x, %ss) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
      %y1 = "tile.addptr"(%y, %ts) : (tensor<128x!tile.ptr<f32>>, tensor<128xi32>) -> tensor<128x!tile.ptr<f32>>
      scf.yield %x1, %y1, %w : tensor<128x!tile.ptr<f32>>, tensor<128x!tile.ptr<f32>>, tensor<128xf32>
    }
    return
  }
}
