// A dot by warp groups reads its operands until a wait, each warp group for itself: a barrier between start and wait
// parts its reads from nothing that comes after the wait.
// RUN: tile-opt --tile-gpu-allocate-shared --tile-gpu-insert-barriers %s | FileCheck %s

#acc = #tile_gpu.mma<{version = 3, warps_per_cta = [8, 1], instr_shape = [64, 64]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
#l = #tile_gpu.blocked<{size_per_thread = [1, 8], threads_per_warp = [4, 8], warps_per_cta = [8, 1], order = [1, 0]}>

module attributes {tile_gpu.num_warps = 8 : i32, tile_gpu.target = "sm_90a"} {
// The other warp group may still read %b when this one has waited for its part: a barrier before the second store,
// though one stands between start and wait.
// CHECK-LABEL: func.func @after_the_wait
// CHECK: "tile_gpu.warpgroup_dot"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.warpgroup_dot_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.local_store"
// CHECK-NOT: "tile_gpu.barrier"
// CHECK: return
func.func @after_the_wait(%x: tensor<128x64xf16, #l>, %y: tensor<64x64xf16, #l>, %z: tensor<128x64xf32, #acc>) attributes {tile.kernel} {
  %a = "tile_gpu.alloc"(%x) : (tensor<128x64xf16, #l>) -> memref<128x64xf16, #n>
  %b = "tile_gpu.alloc"(%y) : (tensor<64x64xf16, #l>) -> memref<64x64xf16, #n>
  %d = "tile_gpu.warpgroup_dot"(%a, %b, %z) : (memref<128x64xf16, #n>, memref<64x64xf16, #n>, tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  "tile_gpu.barrier"() : () -> ()
  %w = "tile_gpu.warpgroup_dot_wait"(%d) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  "tile_gpu.local_store"(%y, %b) : (tensor<64x64xf16, #l>, memref<64x64xf16, #n>) -> ()
  return
}

// The first wait leaves the second dot in flight, which is not over before the last one; stages that are known to
// differ are apart.
// CHECK-LABEL: func.func @in_turns
// CHECK: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 1 : i32
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.local_store"
// CHECK-NEXT: "tile_gpu.warpgroup_dot_wait"{{.*}}pending = 0 : i32
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.local_store"
// CHECK-NOT: "tile_gpu.barrier"
// CHECK: return
func.func @in_turns(%x: tensor<128x64xf16, #l>, %y: tensor<64x64xf16, #l>, %z: tensor<128x64xf32, #acc>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = "tile_gpu.alloc"(%x) : (tensor<128x64xf16, #l>) -> memref<128x64xf16, #n>
  %m = "tile_gpu.alloc"() : () -> memref<2x64x64xf16, #n>
  %b = "tile_gpu.index"(%m, %c0) : (memref<2x64x64xf16, #n>, i32) -> memref<64x64xf16, #n>
  %c = "tile_gpu.index"(%m, %c1) : (memref<2x64x64xf16, #n>, i32) -> memref<64x64xf16, #n>
  "tile_gpu.local_store"(%y, %b) : (tensor<64x64xf16, #l>, memref<64x64xf16, #n>) -> ()
  "tile_gpu.local_store"(%y, %c) : (tensor<64x64xf16, #l>, memref<64x64xf16, #n>) -> ()
  %d = "tile_gpu.warpgroup_dot"(%a, %b, %z) : (memref<128x64xf16, #n>, memref<64x64xf16, #n>, tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  %e = "tile_gpu.warpgroup_dot"(%a, %c, %z) : (memref<128x64xf16, #n>, memref<64x64xf16, #n>, tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  %v = "tile_gpu.warpgroup_dot_wait"(%d) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 1 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  "tile_gpu.local_store"(%y, %b) : (tensor<64x64xf16, #l>, memref<64x64xf16, #n>) -> ()
  %w = "tile_gpu.warpgroup_dot_wait"(%e) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  "tile_gpu.local_store"(%y, %c) : (tensor<64x64xf16, #l>, memref<64x64xf16, #n>) -> ()
  return
}

// A dot that is in flight when the loop begins is read for by it, until the wait inside.
// CHECK-LABEL: func.func @into_a_loop
// CHECK: scf.for
// CHECK: "tile_gpu.warpgroup_dot_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK-NEXT: "tile_gpu.local_store"
func.func @into_a_loop(%x: tensor<128x64xf16, #l>, %y: tensor<64x64xf16, #l>, %z: tensor<128x64xf32, #acc>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %a = "tile_gpu.alloc"(%x) : (tensor<128x64xf16, #l>) -> memref<128x64xf16, #n>
  %b = "tile_gpu.alloc"(%y) : (tensor<64x64xf16, #l>) -> memref<64x64xf16, #n>
  %d = "tile_gpu.warpgroup_dot"(%a, %b, %z) : (memref<128x64xf16, #n>, memref<64x64xf16, #n>, tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %d) -> (tensor<128x64xf32, #acc>) : i32 {
    "tile_gpu.barrier"() : () -> ()
    %w = "tile_gpu.warpgroup_dot_wait"(%f) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
    "tile_gpu.local_store"(%y, %b) : (tensor<64x64xf16, #l>, memref<64x64xf16, #n>) -> ()
    scf.yield %w : tensor<128x64xf32, #acc>
  }
  return
}

// Until the wait nothing else is put where a dot reads: not %c, which is filled before it, but %e.
// CHECK-LABEL: func.func @places
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 0 : i32} : (tensor<128x64xf16
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 32768 : i32} : (tensor<64x64xf16
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 16384 : i32} : (tensor<128x64xf16
// CHECK: "tile_gpu.warpgroup_dot_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 0 : i32} : (tensor<128x64xf16
func.func @places(%x: tensor<128x64xf16, #l>, %y: tensor<64x64xf16, #l>, %z: tensor<128x64xf32, #acc>) attributes {tile.kernel} {
  %a = "tile_gpu.alloc"(%x) : (tensor<128x64xf16, #l>) -> memref<128x64xf16, #n>
  %b = "tile_gpu.alloc"(%y) : (tensor<64x64xf16, #l>) -> memref<64x64xf16, #n>
  %d = "tile_gpu.warpgroup_dot"(%a, %b, %z) : (memref<128x64xf16, #n>, memref<64x64xf16, #n>, tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  %c = "tile_gpu.alloc"(%x) : (tensor<128x64xf16, #l>) -> memref<128x64xf16, #n>
  %v = "tile_gpu.local_load"(%c) : (memref<128x64xf16, #n>) -> tensor<128x64xf16, #l>
  %w = "tile_gpu.warpgroup_dot_wait"(%d) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  %e = "tile_gpu.alloc"(%v) : (tensor<128x64xf16, #l>) -> memref<128x64xf16, #n>
  %u = "tile_gpu.local_load"(%e) : (memref<128x64xf16, #n>) -> tensor<128x64xf16, #l>
  return
}

// The loop leaves a dot in flight, which is over behind it.
// CHECK-LABEL: func.func @places_of_loops
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 0 : i32} : (tensor<128x64xf16
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 32768 : i32} : (tensor<64x64xf16
// CHECK: scf.for
// CHECK: }
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 16384 : i32} : (tensor<128x64xf16
// CHECK: "tile_gpu.warpgroup_dot_wait"
// CHECK-NEXT: "tile_gpu.barrier"
// CHECK: "tile_gpu.alloc"(%{{.*}}) {tile_gpu.shared_offset = 0 : i32} : (tensor<128x64xf16
func.func @places_of_loops(%x: tensor<128x64xf16, #l>, %y: tensor<64x64xf16, #l>, %z: tensor<128x64xf32, #acc>, %n: i32, %c0: i32, %c1: i32) attributes {tile.kernel} {
  %a = "tile_gpu.alloc"(%x) : (tensor<128x64xf16, #l>) -> memref<128x64xf16, #n>
  %b = "tile_gpu.alloc"(%y) : (tensor<64x64xf16, #l>) -> memref<64x64xf16, #n>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %z) -> (tensor<128x64xf32, #acc>) : i32 {
    %d = "tile_gpu.warpgroup_dot"(%a, %b, %f) : (memref<128x64xf16, #n>, memref<64x64xf16, #n>, tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
    %w = "tile_gpu.warpgroup_dot_wait"(%d) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 1 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
    scf.yield %w : tensor<128x64xf32, #acc>
  }
  %c = "tile_gpu.alloc"(%x) : (tensor<128x64xf16, #l>) -> memref<128x64xf16, #n>
  %v = "tile_gpu.local_load"(%c) : (memref<128x64xf16, #n>) -> tensor<128x64xf16, #l>
  %s = "tile_gpu.warpgroup_dot_wait"(%r) {operandSegmentSizes = array<i32: 1, 0, 0, 0>, pending = 0 : i32, resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<128x64xf32, #acc>) -> tensor<128x64xf32, #acc>
  %e = "tile_gpu.alloc"(%v) : (tensor<128x64xf16, #l>) -> memref<128x64xf16, #n>
  %u = "tile_gpu.local_load"(%e) : (memref<128x64xf16, #n>) -> tensor<128x64xf16, #l>
  return
}
}
