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

#endif
