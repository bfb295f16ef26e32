/* SPDX-License-Identifier: MIT */
/* The two layouts that people write down: blocked, and a slice of another layout.

   Blocked describes how one block of threads (CTA) tiles a tensor, from the inside out:

     size_per_thread   each thread holds a box of so many elements per dimension,
     threads_per_warp  the 32 lanes of a warp are arranged in a box of such boxes,
     warps_per_cta     the warps in a box of those,
     order             in which dimension the numbering of registers, lanes and warps runs first:
                       order[0] is the fastest, the contiguous one.

   {size_per_thread = [1, 2], threads_per_warp = [8, 4], warps_per_cta = [1, 1], order = [1, 0]} on
   an 8x8 tensor is the worked example of linear_layout.h. A tensor larger than the tile repeats it,
   with more registers; a tensor smaller than the tile leaves several holders of one element.

   A *distributed* layout is canonical when its inputs are register, lane and warp, all present, its
   outputs the tensor's dimensions, and no register has a zero basis: threads never hold two copies
   of an element, while lanes and warps may replicate each other. This file makes canonical ones. */
#ifndef TILE_LAYOUT_BLOCKED_H
#define TILE_LAYOUT_BLOCKED_H

#include "base/machine.h"
#include "layout/linear_layout.h"

enum {
  LAYOUT_MAX_TENSOR_BITS = 22, /* with 10 bits of lane and warp, 32 bits of input suffice */
};

struct blocked_layout {
  int rank; /* 1..LAYOUT_MAX_RANK; entries from `rank` on are ignored */
  int32_t size_per_thread[LAYOUT_MAX_RANK];
  int32_t threads_per_warp[LAYOUT_MAX_RANK];
  int32_t warps_per_cta[LAYOUT_MAX_RANK];
  int32_t order[LAYOUT_MAX_RANK];
};

/* Errors: a rank out of range; an entry that is no power of two; threads_per_warp whose product is
   not 32; more than 32 warps; an order that is no permutation. The message names the field. */
tile_status blocked_layout_verify(const struct blocked_layout *blocked);

/* Warps of the block: the product of warps_per_cta of a valid layout. */
int blocked_layout_warps(const struct blocked_layout *blocked);

/* The canonical layout of a tensor of `shape` under `blocked`. Registers: first the box of the
   thread, then the repetitions of the tile, both fastest dimension first. Errors: those of
   blocked_layout_verify; another rank than `blocked`; a size that is no power of two; more than
   2^22 elements. */
tile_status layout_from_blocked(const struct blocked_layout *blocked, const int64_t *shape,
                                int rank, struct linear_layout *out);

/* The layout of a reduction of a tensor over dimension `dim`, or of what expand_dims at `dim` turns
   into a tensor laid out as `parent`: forgets the dimension, renumbers those after it, and drops
   the registers that have become copies. Lanes and warps along `dim` become replicas.

   For a slice attribute on a tensor of shape S build `parent` for S with a 1 inserted at `dim`.
   (With any other power of two there the result is the same for blocked parents, so a layout of the
   tensor before its reduction does as well.) Error: `dim` is no output dimension of `parent`. */
tile_status layout_slice(const struct linear_layout *parent, int dim, struct linear_layout *out);

#endif
