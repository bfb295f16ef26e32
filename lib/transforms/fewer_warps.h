/* SPDX-License-Identifier: MIT */
/* How many warps a module's kernels have work for. */
#ifndef TILE_TRANSFORMS_FEWER_WARPS_H
#define TILE_TRANSFORMS_FEWER_WARPS_H

#include "ir/session.h"

/* The most warps, of at most `asked`, that any kernel of the module puts to use: a power of two, at
   least 1. `asked` is a power of two. The kernels have neither calls nor layouts yet. fewer_warps.c
   says what counts as use. */
int64_t fewer_warps(struct session *session, MlirOperation module, int64_t asked);

#endif
