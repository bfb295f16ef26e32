// Buffers in shared memory, their views and copies into them: what the verifier refuses.
// RUN: tile-opt --tile-verify --split-input-file --verify-diagnostics %s

func.func @no_space() {
  // expected-error @+1 {{memref<64xf32>: a buffer's memory space is #tile_gpu.swizzled<{...}> or #tile_gpu.nvmma<{...}>}}
  %m = "tile_gpu.alloc"() : () -> memref<64xf32>
  return
}

// -----

func.func @no_order() {
  // expected-error @+1 {{the layout has an array order = [...]}}
  %m = "tile_gpu.alloc"() : () -> memref<64xf32, #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1}>>
  return
}

// -----

func.func @odd_size() {
  // expected-error @+1 {{48}}
  %m = "tile_gpu.alloc"() : () -> memref<48xf32, #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>>
  return
}

// -----

func.func @elements_of_another_width() {
  // expected-error @+1 {{the layout is for elements of 16 bits, the buffer has 32}}
  %m = "tile_gpu.alloc"() : () -> memref<64x64xf32, #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>>
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @stages_not_named(%x: tensor<64xf32>) {
  %m = "tile_gpu.alloc"() : () -> memref<3x64xf32, #s>
  // expected-error @+1 {{the buffer has stages; take one with tile_gpu.index}}
  "tile_gpu.local_store"(%x, %m) : (tensor<64xf32>, memref<3x64xf32, #s>) -> ()
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @another_shape(%x: tensor<64xf32>) {
  %m = "tile_gpu.alloc"() : () -> memref<32xf32, #s>
  // expected-error @+1 {{tile and buffer differ}}
  "tile_gpu.local_store"(%x, %m) : (tensor<64xf32>, memref<32xf32, #s>) -> ()
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
func.func @box_not_aligned() {
  %m = "tile_gpu.alloc"() : () -> memref<64x64xf32, #s>
  // expected-error @+1 {{dimension 1: a box of 32 at 16; the size is a power of two, the offset a multiple of it}}
  %v = "tile_gpu.subslice"(%m) {offsets = array<i32: 0, 16>} : (memref<64x64xf32, #s>) -> memref<64x32xf32, #s>
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
func.func @transposed_in_the_same_space() {
  %m = "tile_gpu.alloc"() : () -> memref<64x32xf32, #s>
  // expected-error @+1 {{with the dimensions renamed}}
  %v = "tile_gpu.transpose"(%m) {order = array<i32: 1, 0>} : (memref<64x32xf32, #s>) -> memref<32x64xf32, #s>
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @other_not_zero(%p: tensor<64x!tile.ptr<f32>>, %mask: tensor<64xi1>) {
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %m = "tile_gpu.alloc"() : () -> memref<64xf32, #s>
  // expected-error @+1 {{other is a constant zero}}
  %t = "tile_gpu.async_copy"(%p, %m, %mask, %one) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (tensor<64x!tile.ptr<f32>>, memref<64xf32, #s>, tensor<64xi1>, tensor<64xf32>) -> !tile_gpu.token
  return
}

// -----

func.func @too_many_pending() {
  // expected-error @+1 {{pending is an integer from 0 to 63}}
  %t = "tile_gpu.async_wait"() {pending = 64 : i32} : () -> !tile_gpu.token
  return
}

// -----

func.func @no_token(%i: i32) {
  // expected-error @+1 {{operand 0 is no !tile_gpu.token}}
  %t = "tile_gpu.async_commit"(%i) : (i32) -> !tile_gpu.token
  return
}

// -----

#l = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
#s = #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 1, order = [0]}>
func.func @private_with_a_tile(%x: tensor<128xf32, #l>) {
  // expected-error @+1 {{tile_gpu.private: the buffer starts empty; store into it with tile_gpu.local_store}}
  %m = "tile_gpu.alloc"(%x) {tile_gpu.private} : (tensor<128xf32, #l>) -> memref<128xf32, #s>
  return
}

// -----

#l = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
#s = #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 1, order = [0]}>
func.func @private_with_a_view() {
  // expected-error @+1 {{tile_gpu.private: only tile_gpu.local_load, without a token, and tile_gpu.local_store take the buffer}}
  %m = "tile_gpu.alloc"() {tile_gpu.private} : () -> memref<128xf32, #s>
  %v = "tile_gpu.subslice"(%m) {offsets = array<i32: 0>} : (memref<128xf32, #s>) -> memref<64xf32, #s>
  return
}

// -----

#l = #tile_gpu.blocked<{size_per_thread = [4], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
#k = #tile_gpu.blocked<{size_per_thread = [1], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
#s = #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 1, order = [0]}>
func.func @private_in_two_layouts(%x: tensor<128xf32, #l>) {
  // expected-error @+1 {{tile_gpu.private: each thread loads what it has stored: }}
  %m = "tile_gpu.alloc"() {tile_gpu.private} : () -> memref<128xf32, #s>
  "tile_gpu.local_store"(%x, %m) : (tensor<128xf32, #l>, memref<128xf32, #s>) -> ()
  %y = "tile_gpu.local_load"(%m) : (memref<128xf32, #s>) -> tensor<128xf32, #k>
  return
}

// -----

#l = #tile_gpu.blocked<{size_per_thread = [8], threads_per_warp = [32], warps_per_cta = [1], order = [0]}>
#s = #tile_gpu.swizzled<{vec = 4, per_phase = 1, max_phase = 1, order = [0]}>
func.func @private_with_copies(%x: tensor<128xf32, #l>) {
  // expected-error @+1 {{tile_gpu.private: the tiles have a layout in which no two threads hold an element}}
  %m = "tile_gpu.alloc"() {tile_gpu.private} : () -> memref<128xf32, #s>
  "tile_gpu.local_store"(%x, %m) : (tensor<128xf32, #l>, memref<128xf32, #s>) -> ()
  return
}

// -----

// One warp holds each element of an operand once, but ldmatrix loads what other lanes have stored.
#m = #tile_gpu.mma<{version = 2, warps_per_cta = [1, 1], instr_shape = [16, 8]}>
#o = #tile_gpu.dot_operand<{parent = #m, index = 0, k_width = 2}>
#s = #tile_gpu.swizzled<{vec = 8, per_phase = 2, max_phase = 4, order = [1, 0]}>
func.func @private_operand(%x: tensor<16x32xf16, #o>) {
  // expected-error @+1 {{tile_gpu.private: the tiles have a layout in which no two threads hold an element, and are no operands of dots}}
  %m = "tile_gpu.alloc"() {tile_gpu.private} : () -> memref<16x32xf16, #s>
  "tile_gpu.local_store"(%x, %m) : (tensor<16x32xf16, #o>, memref<16x32xf16, #s>) -> ()
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @scalar_in_a_buffer(%m: memref<64xf32, #s>) -> f32 {
  // expected-error @+1 {{a buffer holds a tile, not a scalar}}
  %x = "tile_gpu.local_load"(%m) : (memref<64xf32, #s>) -> f32
  return %x : f32
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @stage_of_another_element() {
  %i = arith.constant 0 : i32
  %m = "tile_gpu.alloc"() : () -> memref<3x64xf32, #s>
  // expected-error @+1 {{element types differ: memref<3x64xf32}}
  %v = "tile_gpu.index"(%m, %i) : (memref<3x64xf32, #s>, i32) -> memref<64xi32, #s>
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @stage_of_a_buffer_without() {
  %i = arith.constant 0 : i32
  %m = "tile_gpu.alloc"() : () -> memref<64xf32, #s>
  // expected-error @+1 {{the buffer has no stages: its layout is for all of its dimensions}}
  %v = "tile_gpu.index"(%m, %i) : (memref<64xf32, #s>, i32) -> memref<64xf32, #s>
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @stage_of_another_shape() {
  %i = arith.constant 0 : i32
  %m = "tile_gpu.alloc"() : () -> memref<3x64xf32, #s>
  // expected-error @+1 {{the result is the buffer without its first dimension}}
  %v = "tile_gpu.index"(%m, %i) : (memref<3x64xf32, #s>, i32) -> memref<32xf32, #s>
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [1, 0]}>
func.func @box_of_another_element() {
  %m = "tile_gpu.alloc"() : () -> memref<64x64xf32, #s>
  // expected-error @+1 {{rank, element type and memory space differ}}
  %v = "tile_gpu.subslice"(%m) {offsets = array<i32: 0, 32>} : (memref<64x64xf32, #s>) -> memref<64x32xi32, #s>
  return
}

// -----

#s = #tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>
func.func @copy_gives_no_token(%p: tensor<64x!tile.ptr<f32>>, %m: memref<64xf32, #s>) {
  // expected-error @+1 {{the result is a !tile_gpu.token}}
  %t = "tile_gpu.async_copy"(%p, %m) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<64x!tile.ptr<f32>>, memref<64xf32, #s>) -> i32
  return
}

// -----

func.func @transposed_words() {
  %m = "tile_gpu.alloc"() : () -> memref<64x64xf16, #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>>
  %n = "tile_gpu.alloc"() : () -> memref<64x64xf16, #tile_gpu.nvmma<{swizzle = 128, transposed = true, element_bits = 16}>>
  // expected-error @+1 {{both buffers are of one 2-D shape and of one element type of a byte}}
  "tile_gpu.local_transpose"(%m, %n) : (memref<64x64xf16, #tile_gpu.nvmma<{swizzle = 128, transposed = false, element_bits = 16}>>, memref<64x64xf16, #tile_gpu.nvmma<{swizzle = 128, transposed = true, element_bits = 16}>>) -> ()
  return
}

// -----

func.func @transposed_along() {
  %m = "tile_gpu.alloc"() : () -> memref<64x64xi8, #tile_gpu.nvmma<{swizzle = 64, transposed = false, element_bits = 8}>>
  // expected-error @+1 {{16 elements follow one another along one dimension of the first buffer and along the other of the second, of 512 elements at least}}
  "tile_gpu.local_transpose"(%m, %m) : (memref<64x64xi8, #tile_gpu.nvmma<{swizzle = 64, transposed = false, element_bits = 8}>>, memref<64x64xi8, #tile_gpu.nvmma<{swizzle = 64, transposed = false, element_bits = 8}>>) -> ()
  return
}

// -----

func.func @transposed_stages() {
  %m = "tile_gpu.alloc"() : () -> memref<2x64x64xi8, #tile_gpu.nvmma<{swizzle = 64, transposed = false, element_bits = 8}>>
  %n = "tile_gpu.alloc"() : () -> memref<64x64xi8, #tile_gpu.nvmma<{swizzle = 64, transposed = true, element_bits = 8}>>
  // expected-error @+1 {{the buffer has stages; take one with tile_gpu.index}}
  "tile_gpu.local_transpose"(%m, %n) : (memref<2x64x64xi8, #tile_gpu.nvmma<{swizzle = 64, transposed = false, element_bits = 8}>>, memref<64x64xi8, #tile_gpu.nvmma<{swizzle = 64, transposed = true, element_bits = 8}>>) -> ()
  return
}
