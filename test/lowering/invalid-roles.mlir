// RUN: tile-opt --convert-tile-gpu-to-nvvm --split-input-file --verify-diagnostics %s

// What the warps that copy keep, where a kernel says it, is a number that setmaxnreg takes (PTX ISA), and no more than
// they start with.
module attributes {tile_gpu.num_warps = 8 : i32, tile_gpu.target = "sm_90a"} {
// expected-error @below {{tile_gpu.producer_registers = 20 is not a multiple of 8 from 24 to 168, which the block's threads start with}}
func.func @few() attributes {tile.kernel, tile_gpu.producer_warps = 4 : i32, tile_gpu.producer_registers = 20 : i32} {
  return
}
}

// -----

module attributes {tile_gpu.num_warps = 16 : i32, tile_gpu.target = "sm_90a"} {
// expected-error @below {{tile_gpu.producer_registers = 112 is not a multiple of 8 from 24 to 96}}
func.func @more() attributes {tile.kernel, tile_gpu.producer_warps = 4 : i32, tile_gpu.producer_registers = 112 : i32} {
  return
}
}

// -----

module attributes {tile_gpu.num_warps = 4 : i32, tile_gpu.target = "sm_90a"} {
// expected-error @below {{tile_gpu.producer_registers, but every thread of the block has all registers that it can have; leave it out}}
func.func @all() attributes {tile.kernel, tile_gpu.producer_warps = 4 : i32, tile_gpu.producer_registers = 24 : i32} {
  return
}
}

// -----

module attributes {tile_gpu.num_warps = 16 : i32, tile_gpu.target = "sm_90a"} {
// expected-error @below {{tile_gpu.producer_registers without warps that copy; give the kernel tile_gpu.producer_warps, or leave it out}}
func.func @none() attributes {tile.kernel, tile_gpu.producer_registers = 24 : i32} {
  return
}
}
