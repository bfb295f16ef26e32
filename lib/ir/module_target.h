/* SPDX-License-Identifier: MIT */
/* Which GPU a module is compiled for, and what else it says for all of its kernels.

   The driver writes the target's name on the module (tile_gpu.target = "sm_90a"). Without it, as in
   tile-opt, a module is for the default target. tile-verify refuses a name without a row in
   target/targets.def. */
#ifndef TILE_IR_MODULE_TARGET_H
#define TILE_IR_MODULE_TARGET_H

#include "base/machine.h"
#include "ir/mlir.h"

/* The GPU that the module around `op` is compiled for. */
const struct machine *machine_of(MlirOperation op);

/* The outermost operation around `op`. */
MlirOperation module_of(MlirOperation op);

/* What a loop says of tile.num_stages, or else the module: 1 where neither does. */
int64_t loop_num_stages(MlirOperation loop);

/* How many registers a thread can have in a block of `num_warps` warps that has a multiprocessor
   for itself, and no more than the kernel's maxnreg (tile.maxnreg of the module). */
int module_registers(MlirOperation module, int num_warps);

#endif
