/* SPDX-License-Identifier: MIT */
/* Does it not matter what a tile's rows after the end of a tensor are?

   Rows, or columns, whose index start + i is `size` or more: nobody sees them where each value that
   has something of them, through elementwise operations, products' outer dimensions, permutations,
   and what loops carry, ends in stores that mask just these off. */
#ifndef TILE_ANALYSIS_DISCARDED_ROWS_H
#define TILE_ANALYSIS_DISCARDED_ROWS_H

#include "analysis/linear_form.h"

/* False, and reader->problem, where they may matter. */
bool rows_are_discarded(struct form_reader *reader, MlirValue tile, int dim,
                        const struct linear_form *start, const struct linear_form *size);

#endif
