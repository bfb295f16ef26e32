/* SPDX-License-Identifier: MIT */
/* Conversions that stay within a warp, seen by one warp: the elements that warp 0 holds are
   numbered by the registers and lanes that hold them, and the conversion is one of a tensor of
   those. */
#ifndef TILE_LAYOUT_WARP_PART_H
#define TILE_LAYOUT_WARP_PART_H

#include "layout/conversion.h"

/* The two layouts as ones of what a warp holds of the source: `own_from` of registers and lanes,
   `own_to` of warps as well, since each warp may read another permutation of its part. False when a
   value crosses warps, or a layout does not hold every element. */
bool warp_part(const struct linear_layout *from, const struct linear_layout *to,
               struct linear_layout *own_from, struct linear_layout *own_to);
/* Makes a plan for those two one for 2^warp_bits warps, each with its part of the scratch. */
void warp_part_widen(struct layout_conversion *plan, int warp_bits);

#endif
