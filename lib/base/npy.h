/* SPDX-License-Identifier: MIT */
/* NumPy's .npy files, versions 1 and 2: little-endian, C order. */
#ifndef TILE_BASE_NPY_H
#define TILE_BASE_NPY_H

#include "base/element.h"
#include "base/text.h"
#include "tile/status.h"

enum { NPY_MAX_RANK = 8 };

struct npy_array {
  enum element_type type;
  int rank;
  int64_t shape[NPY_MAX_RANK];
  struct text bytes; /* owned: text_free */
};

int64_t npy_elements(int rank, const int64_t *shape);
/* Reads a file. Errors: TILE_IO_ERROR and TILE_NOT_FOUND from the system, TILE_INVALID_ARGUMENT for
   a broken header, Fortran order, an unknown type or a wrong length. */
tile_status npy_read(const char *path, struct npy_array *out);
/* Writes `bytes` (elements * size) as one array. */
tile_status npy_write(const char *path, enum element_type type, int rank, const int64_t *shape,
                      const void *bytes);

#endif
