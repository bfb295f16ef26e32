// Barriers in shared memory and bulk copies: what the verifier refuses.
// RUN: tile-opt --tile-verify --split-input-file --verify-diagnostics %s

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @words() {
  %b = "tile_gpu.alloc"() : () -> memref<4x1xi32, #s>
  // expected-error @+1 {{operand 0 is a buffer of barriers, an i64 each: memref<4x1xi64,}}
  "tile_gpu.mbarrier_init"(%b) {arrivals = 1 : i32} : (memref<4x1xi32, #s>) -> ()
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @nobody_arrives() {
  %b = "tile_gpu.alloc"() : () -> memref<4x1xi64, #s>
  // expected-error @+1 {{arrivals is an integer from 1 to 1048575}}
  "tile_gpu.mbarrier_init"(%b) {arrivals = 0 : i32} : (memref<4x1xi64, #s>) -> ()
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @too_many_bytes(%p: i1) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #s>
  // expected-error @+1 {{bytes is an integer from 1 to 1048575}}
  "tile_gpu.mbarrier_expect"(%b, %p) {bytes = 1048576 : i32} : (memref<1xi64, #s>, i1) -> ()
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @which(%parity: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<4x1xi64, #s>
  // expected-error @+1 {{the buffer has several barriers; take one with tile_gpu.index}}
  %t = "tile_gpu.mbarrier_wait"(%b, %parity) : (memref<4x1xi64, #s>, i32) -> !tile_gpu.token
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
module attributes {tile_gpu.target = "sm_89"} {
  func.func @older() {
    %b = "tile_gpu.alloc"() : () -> memref<1xi64, #s>
    // expected-error @+1 {{sm_89 has no bulk copies; sm_90a is the first target that has}}
    "tile_gpu.mbarrier_inval"(%b) : (memref<1xi64, #s>) -> ()
    return
  }
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = true, element_bits = 16}>
func.func @transposed(%d: !tile.descriptor<tensor<64x64xf16>>, %p: i1, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #s>
  %m = "tile_gpu.alloc"() : () -> memref<64x64xf16, #n>
  // expected-error @+1 {{a bulk copy writes rows along the last dimension; the layout is transposed}}
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %p, %i, %i) : (!tile.descriptor<tensor<64x64xf16>>, memref<64x64xf16, #n>, memref<1xi64, #s>, i1, i32, i32) -> !tile_gpu.token
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#w = #tile_gpu.swizzled<{vec = 8, per_phase = 1, max_phase = 8, order = [1, 0]}>
func.func @permuted(%d: !tile.descriptor<tensor<64x64xf16>>, %p: i1, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #s>
  %m = "tile_gpu.alloc"() : () -> memref<64x64xf16, #w>
  // expected-error @+1 {{the layout has another order}}
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %p, %i, %i) : (!tile.descriptor<tensor<64x64xf16>>, memref<64x64xf16, #w>, memref<1xi64, #s>, i1, i32, i32) -> !tile_gpu.token
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#w = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
func.func @narrow_rows(%d: !tile.descriptor<tensor<64x2xf32>>, %p: i1, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #s>
  %m = "tile_gpu.alloc"() : () -> memref<64x2xf32, #w>
  // expected-error @+1 {{a row of 8 bytes; bulk copies take a multiple of 16}}
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %p, %i, %i) : (!tile.descriptor<tensor<64x2xf32>>, memref<64x2xf32, #w>, memref<1xi64, #s>, i1, i32, i32) -> !tile_gpu.token
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @small_block(%d: !tile.descriptor<tensor<16xf32>>, %p: i1, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #s>
  %m = "tile_gpu.alloc"() : () -> memref<16xf32, #s>
  // expected-error @+1 {{a block of 64 bytes; a bulk copy's is a multiple of 128 and at most 1048575}}
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %p, %i) : (!tile.descriptor<tensor<16xf32>>, memref<16xf32, #s>, memref<1xi64, #s>, i1, i32) -> !tile_gpu.token
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @another_block(%d: !tile.descriptor<tensor<128xf32>>, %p: i1, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #s>
  %m = "tile_gpu.alloc"() : () -> memref<64xf32, #s>
  // expected-error @+1 {{descriptor and buffer differ: !tile.descriptor<tensor<128xf32>> and memref<64xf32,}}
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %p, %i) : (!tile.descriptor<tensor<128xf32>>, memref<64xf32, #s>, memref<1xi64, #s>, i1, i32) -> !tile_gpu.token
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @offsets(%d: !tile.descriptor<tensor<128xf32>>, %p: i1) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #s>
  %m = "tile_gpu.alloc"() : () -> memref<128xf32, #s>
  // expected-error @+1 {{there is one offset for each of the block's 1 dimensions, after those of outer ones, 5 in all at most}}
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %p) : (!tile.descriptor<tensor<128xf32>>, memref<128xf32, #s>, memref<1xi64, #s>, i1) -> !tile_gpu.token
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @offsets_of_a_recipe(%x: !tile.ptr<f32>, %d: !tile.descriptor<tensor<128xf32>> {tile_gpu.tensor_map = {base = 0 : i32, type = f32, sizes = [array<i64: 128>, array<i64: 8>], strides = [array<i64: 512>]}}, %p: i1, %i: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #s>
  %m = "tile_gpu.alloc"() : () -> memref<128xf32, #s>
  // expected-error @+1 {{tile_gpu.bulk_load: 1 offsets for a tensor of 2 dimensions; give one a dimension}}
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %p, %i) : (!tile.descriptor<tensor<128xf32>>, memref<128xf32, #s>, memref<1xi64, #s>, i1, i32) -> !tile_gpu.token
  return
}

// -----

func.func @no_cluster() {
  // expected-error @+1 {{the kernel has no clusters; it has the attribute tile_gpu.cluster_blocks = 2 : i32 where}}
  %r = "tile_gpu.cluster_rank"() : () -> i32
  return
}

// -----

#b = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
func.func @rows_of_a_pattern(%d: !tile.descriptor<tensor<8x64xf16>>, %p: i1, %x: i32) {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<8x64xf16, #n>
  // expected-error @+1 {{the block cannot be cut into 2 parts of equal boxes}}
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %p, %x, %x) {parts = 2 : i32} : (!tile.descriptor<tensor<8x64xf16>>, memref<8x64xf16, #n>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
  return
}

// -----

#b = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
#n = #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>
func.func @part_of_each(%d: !tile.descriptor<tensor<64x256xf16>>, %p: i1, %x: i32) attributes {tile_gpu.cluster_blocks = 2 : i32} {
  %b = "tile_gpu.alloc"() : () -> memref<1xi64, #b>
  %m = "tile_gpu.alloc"() : () -> memref<64x256xf16, #n>
  // expected-error @+1 {{4 parts for a cluster of 2 blocks; with multicast each has one}}
  %t = "tile_gpu.bulk_load"(%d, %m, %b, %p, %x, %x) {parts = 4 : i32, multicast} : (!tile.descriptor<tensor<64x256xf16>>, memref<64x256xf16, #n>, memref<1xi64, #b>, i1, i32, i32) -> !tile_gpu.token
  return
}
