/* SPDX-License-Identifier: MIT */
/* Grids as expressions: "cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N), batch". */
#ifndef TILE_TUNE_GRID_H
#define TILE_TUNE_GRID_H

#include "tile/runtime.h"

struct tune_grid_argument {
  const char *name;
  const tile_argument *value;
};

/* Computes it with the scalars among the arguments and the constants of a version. Sizes that are
   not given are 1. Errors: TILE_INVALID_ARGUMENT, with the place in the text. */
tile_status tune_grid(const char *text, const struct tune_grid_argument *arguments, size_t count,
                      const tile_kernel_version *version, uint32_t out[3]);

#endif
