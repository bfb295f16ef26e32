// RUN: tile-opt --convert-tile-gpu-to-nvvm --split-input-file --verify-diagnostics %s
// RUN: tile-opt --tile-gpu-pack-programs --convert-tile-gpu-to-nvvm --split-input-file %s | FileCheck %s

// The number of programs in a block is tile-gpu-pack-programs' to say: it takes back what others said.
// CHECK-NOT: programs_per_block
module attributes {tile_gpu.num_warps = 2 : i32} {
// expected-error @below {{tile_gpu.programs_per_block = 0 is not a power of two from 1 to 16; a block has 32 warps, a program here 2}}
func.func @none() attributes {tile.kernel, tile_gpu.programs_per_block = 0 : i32} {
  return
}
}

// -----

module attributes {tile_gpu.num_warps = 2 : i32} {
// expected-error @below {{tile_gpu.programs_per_block = 3 is not a power of two}}
func.func @three() attributes {tile.kernel, tile_gpu.programs_per_block = 3 : i32} {
  return
}
}

// -----

module attributes {tile_gpu.num_warps = 2 : i32} {
// expected-error @below {{tile_gpu.programs_per_block = 32 is not a power of two from 1 to 16}}
func.func @many() attributes {tile.kernel, tile_gpu.programs_per_block = 32 : i32} {
  return
}
}

// -----

module attributes {tile_gpu.num_warps = 1 : i32} {
// expected-error @below {{programs with shared memory need a block each}}
func.func @shared() attributes {tile.kernel, tile_gpu.programs_per_block = 4 : i32, tile_gpu.shared_bytes = 64 : i32} {
  return
}
}
