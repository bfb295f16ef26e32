/* SPDX-License-Identifier: MIT */
/* Masks that are true up to some element of an access, and false after it.

       offsets (contiguous) < bound (the same for all)        1 1 1 1 1 0 0 0

   An asynchronous copy reads so many bytes and fills the rest with zeros, so it can be as wide as
   for a mask that is one value for all its elements. */
#ifndef TILE_ANALYSIS_MASK_PREFIX_H
#define TILE_ANALYSIS_MASK_PREFIX_H

#include "analysis/axis_info.h"

/* How many consecutive elements of a mask along `dim`, counted from any multiple of that number,
   are true ones followed by false ones. AXIS_MAX for a null mask; at least axis_mask_constancy. */
int64_t mask_prefix(struct axis_analysis *analysis, MlirValue mask, int dim);

/* The comparison whose results `mask` holds along `dim`, perhaps broadcast, if it compares an
   offset that grows with a bound that stays; null else. Operand `*out_offset` is the offset; with
   `*out_equal` the bound itself is inside. */
MlirOperation mask_comparison(struct axis_analysis *analysis, MlirValue mask, int dim,
                              intptr_t *out_offset, bool *out_equal);

#endif
