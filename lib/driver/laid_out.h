/* SPDX-License-Identifier: MIT */
/* At which stage a module comes in. */
#ifndef TILE_DRIVER_LAID_OUT_H
#define TILE_DRIVER_LAID_OUT_H

#include "ir/session.h"

/* The number of warps of a module whose kernels are after the choice of layouts: each tensor has
   one, or they are in lowered form already, and tile_gpu.num_warps says for how many warps. 0 for
   any other module. */
int64_t laid_out_warps(struct session *session, MlirModule module);

#endif
