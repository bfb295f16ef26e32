// RUN: tile-opt --tile-gpu-buffer-dot %s | FileCheck %s
// Where operands of products by multiply-adds are read from.
#rows = #tile_gpu.blocked<{size_per_thread = [1, 4], threads_per_warp = [4, 8], warps_per_cta = [4, 1], order = [1, 0]}>
#columns = #tile_gpu.blocked<{size_per_thread = [4, 1], threads_per_warp = [8, 4], warps_per_cta = [1, 4], order = [0, 1]}>
#plain = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
#permuted = #tile_gpu.swizzled<{vec = 4, per_phase = 4, max_phase = 8, order = [1, 0]}>
#across = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0, 1]}>
module attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a"} {
  // A stage that is copied into, and a tile from before the loop, which is stored once. The load is gone.
  // CHECK-LABEL: func.func @loop
  // CHECK: %[[RING:.*]] = "tile_gpu.alloc"() : () -> memref<3x32x32xf32
  // CHECK: %[[A:.*]] = "tile_gpu.alloc"(%{{.*}}) : (tensor<32x32xf32, {{.*}}>) -> memref<32x32xf32
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: %[[STAGE:.*]] = "tile_gpu.index"(%[[RING]]
  // CHECK-NEXT: "tile_gpu.buffer_dot"(%[[A]], %[[STAGE]], %{{.*}}) : (memref<32x32xf32, {{.*}}>, memref<32x32xf32, {{.*}}>, tensor<32x32xf32, {{.*}}>) -> tensor<32x32xf32
  func.func @loop(%x: f32, %n: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c = arith.constant dense<0.0> : tensor<32x32xf32, #rows>
    %a = "tile.splat"(%x) : (f32) -> tensor<32x32xf32, #rows>
    %ring = "tile_gpu.alloc"() : () -> memref<3x32x32xf32, #plain>
    %s = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<32x32xf32, #rows>) : i32 {
      %m = "tile_gpu.index"(%ring, %i) : (memref<3x32x32xf32, #plain>, i32) -> memref<32x32xf32, #plain>
      %b = "tile_gpu.local_load"(%m) : (memref<32x32xf32, #plain>) -> tensor<32x32xf32, #rows>
      %d = "tile.dot"(%a, %b, %sum) {precision = "ieee"} : (tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #rows>
      scf.yield %d : tensor<32x32xf32, #rows>
    }
    return
  }

  // What is computed goes through scratch still; the other operand, transposed, is a view of its buffer. Others use
  // the load.
  // CHECK-LABEL: func.func @view
  // CHECK: %[[M:.*]] = "tile_gpu.alloc"
  // CHECK: %[[B:.*]] = "tile_gpu.local_load"(%[[M]])
  // CHECK: %[[A:.*]] = math.exp %[[B]]
  // CHECK: %[[V:.*]] = "tile_gpu.transpose"(%[[M]]) {order = array<i32: 1, 0>}
  // CHECK: "tile_gpu.buffer_dot"(%[[A]], %[[V]], %{{.*}}) : (tensor<32x32xf32, {{.*}}>, memref<32x32xf32
  func.func @view(%x: f32) attributes {tile.kernel} {
    %c = arith.constant dense<0.0> : tensor<32x32xf32, #rows>
    %y = "tile.splat"(%x) : (f32) -> tensor<32x32xf32, #rows>
    %m = "tile_gpu.alloc"(%y) : (tensor<32x32xf32, #rows>) -> memref<32x32xf32, #permuted>
    %b = "tile_gpu.local_load"(%m) : (memref<32x32xf32, #permuted>) -> tensor<32x32xf32, #rows>
    %a = math.exp %b : tensor<32x32xf32, #rows>
    %t = "tile.permute"(%b) {order = array<i32: 1, 0>} : (tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #columns>
    %d = "tile.dot"(%a, %t, %c) {precision = "ieee"} : (tensor<32x32xf32, #rows>, tensor<32x32xf32, #columns>, tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #rows>
    return
  }

  // The buffer is filled anew between the load and the product: the tile that was loaded is meant.
  // CHECK-LABEL: func.func @written
  // CHECK: %[[B:.*]] = "tile_gpu.local_load"
  // CHECK: "tile_gpu.local_store"
  // CHECK: "tile.dot"(%{{.*}}, %[[B]],
  func.func @written(%x: f32) attributes {tile.kernel} {
    %c = arith.constant dense<0.0> : tensor<32x32xf32, #rows>
    %y = "tile.splat"(%x) : (f32) -> tensor<32x32xf32, #rows>
    %m = "tile_gpu.alloc"(%y) : (tensor<32x32xf32, #rows>) -> memref<32x32xf32, #plain>
    %b = "tile_gpu.local_load"(%m) : (memref<32x32xf32, #plain>) -> tensor<32x32xf32, #rows>
    "tile_gpu.local_store"(%c, %m) : (tensor<32x32xf32, #rows>, memref<32x32xf32, #plain>) -> ()
    %d = "tile.dot"(%y, %b, %c) {precision = "ieee"} : (tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #rows>
    return
  }

  // So it may be inside of a branch, and in the iterations of a loop between a load before it and the product in it.
  // CHECK-LABEL: func.func @written_in_loop
  // CHECK-COUNT-2: "tile.dot"
  // CHECK: return
  func.func @written_in_loop(%x: f32, %n: i32, %p: i1) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c = arith.constant dense<0.0> : tensor<32x32xf32, #rows>
    %y = "tile.splat"(%x) : (f32) -> tensor<32x32xf32, #rows>
    %ring = "tile_gpu.alloc"() : () -> memref<2x32x32xf32, #plain>
    %m = "tile_gpu.index"(%ring, %zero) : (memref<2x32x32xf32, #plain>, i32) -> memref<32x32xf32, #plain>
    %b = "tile_gpu.local_load"(%m) : (memref<32x32xf32, #plain>) -> tensor<32x32xf32, #rows>
    scf.if %p {
      "tile_gpu.local_store"(%c, %m) : (tensor<32x32xf32, #rows>, memref<32x32xf32, #plain>) -> ()
    }
    %e = math.exp %b : tensor<32x32xf32, #rows>
    %f = "tile.dot"(%e, %b, %c) {precision = "ieee"} : (tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #rows>
    %s = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<32x32xf32, #rows>) : i32 {
      %z = math.exp %sum : tensor<32x32xf32, #rows>
      %d = "tile.dot"(%z, %sum, %sum) {precision = "ieee"} : (tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #rows>
      scf.yield %d : tensor<32x32xf32, #rows>
    }
    return
  }

  // Rows of b lie across: a thread's four columns would be four loads at each k, of four wavefronts. Storing it again
  // is cheaper.
  // CHECK-LABEL: func.func @dear
  // CHECK: %[[B:.*]] = "tile_gpu.local_load"
  // CHECK: "tile.dot"(%{{.*}}, %[[B]],
  func.func @dear(%x: f32, %n: i32) attributes {tile.kernel} {
    %zero = arith.constant 0 : i32
    %c = arith.constant dense<0.0> : tensor<32x64xf32, #rows>
    %a = "tile.splat"(%x) : (f32) -> tensor<32x32xf32, #rows>
    %ring = "tile_gpu.alloc"() : () -> memref<2x32x64xf32, #across>
    %m = "tile_gpu.index"(%ring, %n) : (memref<2x32x64xf32, #across>, i32) -> memref<32x64xf32, #across>
    %b = "tile_gpu.local_load"(%m) : (memref<32x64xf32, #across>) -> tensor<32x64xf32, #rows>
    %d = "tile.dot"(%a, %b, %c) {precision = "ieee"} : (tensor<32x32xf32, #rows>, tensor<32x64xf32, #rows>, tensor<32x64xf32, #rows>) -> tensor<32x64xf32, #rows>
    return
  }

  // Without layouts nobody knows what a thread reads.
  // CHECK-LABEL: func.func @no_layouts
  // CHECK: "tile.dot"
  func.func @no_layouts(%a: tensor<32x32xf32>) attributes {tile.kernel} {
    %d = "tile.dot"(%a, %a, %a) {precision = "ieee"} : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    return
  }

  // In a block with roles not all threads come by.
  // CHECK-LABEL: func.func @roles
  // CHECK: "tile.dot"
  func.func @roles(%x: f32) attributes {tile.kernel, tile_gpu.producer_warps = 4 : i32} {
    %c = arith.constant dense<0.0> : tensor<32x32xf32, #rows>
    %y = "tile.splat"(%x) : (f32) -> tensor<32x32xf32, #rows>
    %m = "tile_gpu.alloc"(%y) : (tensor<32x32xf32, #rows>) -> memref<32x32xf32, #plain>
    %b = "tile_gpu.local_load"(%m) : (memref<32x32xf32, #plain>) -> tensor<32x32xf32, #rows>
    %d = "tile.dot"(%y, %b, %c) {precision = "ieee"} : (tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>, tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #rows>
    return
  }
}
