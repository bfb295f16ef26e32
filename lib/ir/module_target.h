/* SPDX-License-Identifier: MIT */
/* Which GPU a module is compiled for, for passes whose output depends on it.

   The driver writes the target's name on the module (tile_gpu.target = "sm_90a"). Without it, as in
   tile-opt, a module is for the default target. */
#ifndef TILE_IR_MODULE_TARGET_H
#define TILE_IR_MODULE_TARGET_H

#include "ir/mlir.h"

#define MODULE_TARGET "tile_gpu.target"

/* The compute capability of the module around `op`, as a number: 80, 90, 100. */
int module_capability(MlirOperation op);

/* How many registers a thread can have in a block of `num_warps` warps: its part of a multiprocessor's 65536, at most 255,
   and no more than the kernel's maxnreg (tile.maxnreg of the module). */
int module_registers(MlirOperation module, int num_warps);

/* What of a multiprocessor's shared memory a block takes besides its own; a block may ask for that much less than there is (CUDA
   C++ Programming Guide, "Technical specifications per compute capability"). */
enum { BLOCK_RESERVED_BYTES = 1024 };

/* How many blocks with `bytes` of shared memory each a multiprocessor holds; `limit`: what one block can have. */
static inline int64_t blocks_of_shared(int64_t limit, int64_t bytes) {
  return (limit + BLOCK_RESERVED_BYTES) / (bytes + BLOCK_RESERVED_BYTES);
}

#endif
