/* SPDX-License-Identifier: MIT */
/* Tiles of two dimensions of which each warp holds whole boxes: equal rectangles, aligned to their
   size, that a warp can write to memory by itself.

   A box takes the low bits of both coordinates. Lanes, and some registers, say where in a box an
   element is; the other registers, and the warp, which box it is. The accumulators of wgmma, 64
   rows a warp group, 16 a warp, in boxes of 16 x 64 of two bytes:

       columns   0 ... 63   64 ... 127   128 ...
       rows 0    +--------+--------+---
       to 15     |  warp 0, box 0  |  box 1  | ...
       16 to 31  |  warp 1, box 0  |  box 1  | ...
*/
#ifndef TILE_LAYOUT_WARP_BOXES_H
#define TILE_LAYOUT_WARP_BOXES_H

#include "layout/linear_layout.h"

struct warp_boxes {
  int64_t rows, columns;                      /* of a box */
  int count;                                  /* boxes of a warp */
  int inside[LAYOUT_MAX_BITS], inside_bits;   /* register bits that say where in a box, */
  int outside[LAYOUT_MAX_BITS], outside_bits; /* and those that say which */
};

/* False where the tile is not held so. */
bool warp_boxes_of(const struct linear_layout *tensor, int64_t rows, int64_t columns,
                   struct warp_boxes *out);

/* Chooses boxes of elements of so many bytes whose rows are 64 or 128 bytes, that of 128 first, and
   that take at most `limit` bytes: two of them, if there are two, or else one. */
bool warp_boxes_choose(const struct linear_layout *tensor, int64_t bytes, int64_t limit,
                       struct warp_boxes *out);

/* The register of a box's register: `inside` counts those of box number `box`. */
uint32_t warp_boxes_register(const struct warp_boxes *boxes, int box, int inside);

/* Where the elements of a box are, of the registers inside and the lanes: a layout of a tensor of
   rows x columns. */
struct linear_layout warp_boxes_inner(const struct linear_layout *tensor,
                                      const struct warp_boxes *boxes);

/* The same where lanes in which a bit is 1 have exchanged the registers in which another one is 0
   with those in which that is 1. Rows of accumulators of four bytes, two of a lane beside each
   other, meet in the same banks in pairs; exchanged, they do not:

     bytes of a row   0  32  64  96              0  32  64  96
     row 0            a   b   c   d              a   b   c   d
     row 1            a   b   c   d      ->      c   d   a   b      a: of the first access
 */
struct linear_layout warp_boxes_exchanged(const struct linear_layout *inner, int lane_bit,
                                          int register_bit);

#endif
