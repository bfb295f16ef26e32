/* SPDX-License-Identifier: MIT */
/* The order of a tensor's elements in shared memory between a layout that writes and one that
   reads. The idea is in conversion.h. */
#ifndef TILE_LAYOUT_SWIZZLE_H
#define TILE_LAYOUT_SWIZZLE_H

#include "layout/conversion.h"

/* Fills write, read and bytes of `out`. Errors: a layout that does not hold every element. */
tile_status swizzle_plan(const struct linear_layout *from, const struct linear_layout *to,
                         int bytes, struct layout_conversion *out);

#endif
