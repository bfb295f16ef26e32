// A product by warp groups reads its operands from the stages: no load is left. There is one stage more than copies
// need, so that the product may stay in flight until the next one is started; after the
// loop it is waited for. The copies start after the product; their stage is not the product's, so the
// barrier after the wait is the loop's only one.
// PRODUCT-LABEL: func.func @in_flight
// PRODUCT: %[[A:.*]] = "tile_gpu.alloc"() : () -> memref<3x64x64xf16, #tile_gpu.nvmma
// PRODUCT: %[[LOOP:.*]]:{{[0-9]+}} = scf.for {{.*}} iter_args(%[[C:.*]] = %cst
// PRODUCT: "tile_gpu.async_wait"(%{{.*}}) {pending = 0 : i32}
// PRODUCT-NOT: tile.load
// PRODUCT-NOT: tile_gpu.local_load
// PRODUCT-NOT: tile_gpu.async_copy
// PRODUCT: %[[F:.*]] = "tile_gpu.warpgroup_dot"(%{{.*}}, %{{.*}}, %[[C]])
// PRODUCT-NEXT: "tile_gpu.async_copy"
// PRODUCT-NEXT: "tile_gpu.async_copy"
// PRODUCT-NEXT: "tile_gpu.async_commit"
// PRODUCT: %[[W:.*]] = "tile_gpu.warpgroup_dot_wait"(%[[F]]) {{{.*}}pending = 1 : i32
// PRODUCT: scf.yield %[[W]]
// PRODUCT: %[[R:.*]] = "tile_gpu.warpgroup_dot_wait"(%[[LOOP]]#0) {{{.*}}pending = 0 : i32
// PRODUCT: "tile_gpu.async_wait"(%[[LOOP]]#{{[0-9]+}}) {pending = 0 : i32}
// PRODUCT: tile_gpu.convert_layout"(%[[R]])
// BARRIERS: scf.for
// BARRIERS-NEXT: "tile_gpu.async_wait"
// BARRIERS-NEXT: "tile_gpu.barrier"
// BARRIERS-NOT: tile_gpu.barrier
// BARRIERS: scf.yield

// A matrix for mma.sync comes out of its stage in the layout of operands, of rows whose chunks are permuted. The copies
// stand after the product here, too: no load of an operand waits after them.
// MMA-LABEL: func.func @in_flight
// MMA: "tile_gpu.alloc"() : () -> memref<2x64x64xf16, #tile_gpu.swizzled<{max_phase = 8 : i64, order = [1, 0], per_phase = 1 : i64, vec = 8 : i64}>>
// MMA: scf.for
// MMA-NOT: tile_gpu.async_copy
// MMA: "tile_gpu.local_load"(%{{.*}}, %{{.*}}) : (memref<64x64xf16, {{.*}}>, !tile_gpu.token) -> tensor<64x64xf16, #tile_gpu.dot_operand
// MMA: "tile.dot"
// MMA-NEXT: "tile_gpu.async_copy"
// MMA-NEXT: "tile_gpu.async_copy"
// MMA-NEXT: "tile_gpu.async_commit"
// MMA: scf.yield
// RUN: tile-opt --tile-to-tile-gpu %s | FileCheck %s --check-prefix=PRODUCT
// RUN: tile-opt --tile-to-tile-gpu --tile-gpu-optimize-dot-operands --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s --check-prefix=BARRIERS
// RUN: sed s/sm_90a/sm_80/ %s | tile-opt --tile-to-tile-gpu | FileCheck %s --check-prefix=MMA
module attributes {tile.num_stages = 2 : i32, tile.tensor_maps_off, tile_gpu.target = "sm_90a"} {
func.func @in_flight(%a: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %c: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %width = arith.constant dense<64> : tensor<64x1xi32>
  %block = arith.constant dense<4096> : tensor<64x64xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = "tile.range"() {start = 0 : i32, end = 64 : i32} : () -> tensor<64xi32>
  %i = "tile.expand_dims"(%r) {axis = 1 : i32} : (tensor<64xi32>) -> tensor<64x1xi32>
  %j = "tile.expand_dims"(%r) {axis = 0 : i32} : (tensor<64xi32>) -> tensor<1x64xi32>
  %row = arith.muli %i, %width : tensor<64x1xi32>
  %rows = "tile.broadcast"(%row) : (tensor<64x1xi32>) -> tensor<64x64xi32>
  %columns = "tile.broadcast"(%j) : (tensor<1x64xi32>) -> tensor<64x64xi32>
  %offset = arith.addi %rows, %columns : tensor<64x64xi32>
  %as = "tile.splat"(%a) : (!tile.ptr<f16>) -> tensor<64x64x!tile.ptr<f16>>
  %ap = "tile.addptr"(%as, %offset) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
  %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero, %p = %ap) -> (tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>) : i32 {
    %x = "tile.load"(%p) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %q = "tile.addptr"(%p, %block) : (tensor<64x64x!tile.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f16>>
    %y = "tile.load"(%q) {operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<64x64x!tile.ptr<f16>>) -> tensor<64x64xf16>
    %t = "tile.dot"(%x, %y, %s) {precision = "tf32"} : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %t, %q : tensor<64x64xf32>, tensor<64x64x!tile.ptr<f16>>
  }
  %cs = "tile.splat"(%c) : (!tile.ptr<f32>) -> tensor<64x64x!tile.ptr<f32>>
  %cp = "tile.addptr"(%cs, %offset) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>) -> tensor<64x64x!tile.ptr<f32>>
  "tile.store"(%cp, %sum#0) : (tensor<64x64x!tile.ptr<f32>>, tensor<64x64xf32>) -> ()
  return
}
}
