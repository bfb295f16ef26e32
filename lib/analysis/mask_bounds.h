/* SPDX-License-Identifier: MIT */
/* Masks that are conjunctions of bounds: position < number, position >= number, along dimensions of
   the tile. */
#ifndef TILE_ANALYSIS_MASK_BOUNDS_H
#define TILE_ANALYSIS_MASK_BOUNDS_H

#include "analysis/linear_form.h"

enum { MAX_MASK_BOUNDS = 16 };

struct mask_bound {
  int dim;
  bool below;              /* position < rest; else 1 - rest <= position */
  struct linear_form rest; /* without positions */
};

struct mask_bounds {
  struct mask_bound list[MAX_MASK_BOUNDS];
  int count;
};

/* `mask` may be null: no bounds. False, and reader->problem, where it says something else, too;
   with `some` that is left out: what the bounds leave out is masked off, and perhaps more. */
bool mask_bounds_read(struct form_reader *reader, MlirValue mask, bool some,
                      struct mask_bounds *out);

#endif
