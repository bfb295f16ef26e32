/* SPDX-License-Identifier: MIT */
/* Shared layouts: where in a buffer of shared memory each element of a tile lies.

   A linear layout again, from LAYOUT_OFFSET (elements from the buffer's first byte on) to the
   tile's coordinates, a bijection. Shared memory has 32 banks of 4 bytes; a column of a row-major
   tile would lie in one bank, so rows are permuted by an XOR of their number into the number of a
   chunk.

   swizzled{vec, per_phase, max_phase, order}. Chunks of `vec` elements stay whole; in row r chunk c
   is at place c ^ ((r / per_phase) % max_phase). order[0] is the dimension whose elements are
   adjacent, order[1] numbers the rows, the others follow.

       vec = 1, per_phase = 1, max_phase = 4, 4 x 4     row 0:   0  1  2  3
                                                        row 1:   1  0  3  2
                                                        row 2:   2  3  0  1
                                                        row 3:   3  2  1  0

   nvmma{swizzle, transposed, element_bits}. What wgmma's matrix descriptors and TMA expect (PTX
   ISA, "Matrices in shared memory"): the tile is cut into panels of `swizzle` bytes of a row (16
   for 0), one panel after the other, all rows of a panel adjacent; chunks are 16 bytes, and the 8
   rows that come together permute them: 128 bytes by r % 8, 64 by r / 2 % 4, 32 by r / 4 % 2. Rows
   run along dimension 0 and are contiguous in dimension 1; `transposed` swaps the two. */
#ifndef TILE_LAYOUT_SHARED_H
#define TILE_LAYOUT_SHARED_H

#include "layout/linear_layout.h"

struct swizzled_layout {
  int rank;
  int32_t vec, per_phase, max_phase; /* powers of two */
  int32_t order[LAYOUT_MAX_RANK];    /* fastest dimension first */
};

struct nvmma_layout {
  int32_t swizzle;      /* 0, 32, 64 or 128 bytes */
  int32_t element_bits; /* 8, 16 or 32 */
  bool transposed;
};

/* Are the fields in range? Errors say which is not. */
tile_status swizzled_layout_verify(const struct swizzled_layout *layout);
tile_status nvmma_layout_verify(const struct nvmma_layout *layout);

/* LAYOUT_OFFSET -> dim0 .. of a tile of `shape`. Errors: a shape that is no power of two, or that
   the layout is too coarse for. */
tile_status layout_from_swizzled(const struct swizzled_layout *layout, const int64_t *shape,
                                 struct linear_layout *out);
tile_status layout_from_nvmma(const struct nvmma_layout *layout, const int64_t shape[2],
                              struct linear_layout *out);

#endif
