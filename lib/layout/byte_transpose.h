/* SPDX-License-Identifier: MIT */
/* How the warps of a block copy a tile of bytes from one buffer in shared memory into another, in
   which elements follow one another along the other dimension.

   Tensor cores read operands of 8 bits along k alone, and no instruction transposes bytes. One that
   transposes pairs of bytes goes half of the way (PTX ISA, "ldmatrix", .trans): of 8 rows of 16
   bytes, n being along them, lane l gets columns 2 * (l / 4) and the next of rows 2 * (l % 4) and
   the next. Two such matrices, of 16 rows along k, give it four rows of two columns; two
   permutations of bytes make of these four rows of the one column and four of the other, which are
   what stmatrix takes of it of a row of 16 bytes along k (PTX ISA, "stmatrix", "prmt"):

     ldmatrix.x4.trans   w[m, h]: rows of matrix m, of the lower or upper half h
     prmt                v[e, h]: bytes e, e + 2 of w[0, h], then of w[1, h]
     stmatrix.x4         v[e, h] to columns of parity e

   Which row of k each row of the two matrices is, is free, as the lanes name them. Either a lane's
   four rows are neighbours, or they are those of which it has the sums of a product of 16 columns
   (`interleaved`, dialects/tile_gpu/ops.def).

   Eight columns of one parity lie in four of eight groups of banks in all layouts that wgmma reads.
   So the upper half of a matrix's rows is of the other parity, and lanes 16 to 31 take their
   bytes the other way round. */
#ifndef TILE_LAYOUT_BYTE_TRANSPOSE_H
#define TILE_LAYOUT_BYTE_TRANSPOSE_H

#include "layout/linear_layout.h"

/* Addresses of the rows of each ldmatrix and stmatrix, in elements: register (which instruction),
   lane and warp -> LAYOUT_OFFSET. */
struct byte_transpose {
  struct linear_layout reads, writes;
  uint32_t idle; /* a warp with one of these bits has nothing to do */
};

enum {
  BYTE_TRANSPOSE_EVEN = 0x6420, /* prmt: bytes of even columns, */
  BYTE_TRANSPOSE_ODD = 0x7531   /* and of odd ones */
};

/* Plans it for 1 << `warp_bits` warps. `from` and `to` take the two coordinates, powers of two, to
   LAYOUT_OFFSET. False where 16 elements do not follow one another along one dimension in `from`
   and along the other in `to`, or where there are fewer than 512. */
bool byte_transpose_plan(const struct linear_layout *from, const struct linear_layout *to,
                         bool interleaved, int warp_bits, struct byte_transpose *out);

#endif
