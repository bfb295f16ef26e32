/* SPDX-License-Identifier: MIT */
/* Is what a tile.load reads, or a tile.store or a tile.atomic_rmw writes, a box of a tensor: rows,
   columns, and so on from some place on, as a tensor descriptor has it?

     a + (start_0 + i) * stride_0 + (start_1 + j)          i, j: positions in the tile
         where start_0 + i < size_0 and start_1 + j < size_1

   The pointers begin with one parameter; each dimension has one stride, of which one is 1; the
   places are not negative; and of each dimension it is known where the tensor ends:

     - a mask says so, of what is masked off zeros are read (BOX_MASK); of a vector it may be other
       numbers, which who uses the box has to put there (has_other);
     - the index is wrapped, x % size (BOX_WRAPPED): what lies after the end is read from elsewhere,
       so it must not matter (discarded_rows.h);
     - it begins at a constant, so that it is as large as the tile (BOX_CONSTANT);
     - nothing says so, and all of the tile is read: it is as long as a place can be (BOX_ENDLESS).

   What moves the tensor as a whole, from program to program, are places in outer dimensions of it,
   if it can be said so (box_outer.h). */
#ifndef TILE_ANALYSIS_BOX_H
#define TILE_ANALYSIS_BOX_H

#include "analysis/linear_form.h"

enum box_bound { BOX_UNKNOWN, BOX_MASK, BOX_WRAPPED, BOX_CONSTANT, BOX_ENDLESS };

enum { MAX_BOX_RANK = 5 };

/* Places are i32: no one is cut off. */
static const int64_t box_endless_size = INT64_C(1) << 31;

struct box_dim {
  struct form_term stride; /* of the position */
  struct linear_form start, size;
  enum box_bound bound;
  MlirValue wrapped; /* BOX_WRAPPED: the tile of indices */
  bool not_negative; /* a mask leaves out what lies before the tensor */
};

/* A dimension along which the box has one element. */
struct box_outer {
  struct form_term stride;
  struct linear_form place;
};

struct box {
  MlirOperation load; /* or what writes */
  MlirType element;
  MlirValue base;
  struct linear_form moved; /* by so many elements, in the loop always the same */
  struct box_outer outer[MAX_BOX_RANK];
  int outer_count;       /* 0 where no outer dimensions say `moved` */
  const char *why_moved; /* then why, if it is moved */
  struct box_dim dims[MAX_RANK];
  int rank, unit; /* the dimension whose stride is 1 */
  bool has_other; /* what is masked off is no zeros: of a vector */
};

/* False when it is none; reader->problem says why. */
bool box_of(struct form_reader *reader, MlirOperation access, struct box *out);

#endif
