/* SPDX-License-Identifier: MIT */
/* Several steps of a product's loop as one, where its operands are blocks of described tensors. */
#ifndef TILE_TRANSFORMS_COARSEN_BLOCKS_H
#define TILE_TRANSFORMS_COARSEN_BLOCKS_H

#include "analysis/axis_info.h"
#include "ir/session.h"

/* Makes blocks whose rows along K are shorter than a cache line as long as one, and the steps of
   their loop with them. The kernel has no layouts; `axis` is of before. Returns whether it has. */
bool coarsen_blocks(struct session *session, struct axis_analysis *axis, MlirOperation loop);

#endif
