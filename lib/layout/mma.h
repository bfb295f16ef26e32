/* SPDX-License-Identifier: MIT */
/* The layouts of tensor-core instructions: accumulators (mma) and operands in registers
   (dot_operand).

   An instruction multiplies a fragment of m x k by one of k x n; each lane of a warp holds a few
   elements of each. With g = lane / 4 and t = lane % 4 (PTX ISA, "Matrix Fragments for
   mma.m16n8k..."):

     accumulator   element i is at row g + 8 * (i / 2), column 2 * t + i % 2
     a             groups of `k_width` elements along k: row g (+ 8), k = k_width * (t (+ 4))
     b             the same: column g, k = k_width * (t (+ 4))

          0    1    2    3    4    5    6    7         registers 0 and 1 of lanes 0 ... 31
     0   T0   T0   T1   T1   T2   T2   T3   T3
     1   T4   T4   T5   T5   ...                       16 x 8: below row 7 the same lanes again, in
     7  T28  T28  ...                 T31  T31         registers 2 and 3

   `k_width` is what fits into 32 bits (2 of f16), or a multiple of that, for wider loads: k is then
   not in the instruction's order, but in the same one for a and b.

   Version 2 is mma.sync: instr_shape is [16, 8], or [8, 8] for f64. Version 3 is wgmma: [64, n], of
   which each of a group's four warps holds 16 rows, as n / 8 fragments of version 2 beside each
   other. Leading dimensions of instr_shape are 1: they number matrices.

   Warps are numbered along rows first, then columns, then leading dimensions, `warps_per_cta` each.
   A tensor larger than what all warps hold repeats it in registers; in a smaller one what lies
   beyond the end becomes copies. */
#ifndef TILE_LAYOUT_MMA_H
#define TILE_LAYOUT_MMA_H

#include "layout/linear_layout.h"

struct mma_layout {
  int version; /* 2 or 3 */
  int rank;    /* 2 or 3 */
  int32_t warps_per_cta[LAYOUT_MAX_RANK];
  int32_t instr_shape[LAYOUT_MAX_RANK];
};

/* Errors say which field is out of range. */
tile_status mma_layout_verify(const struct mma_layout *mma);
int mma_layout_warps(const struct mma_layout *mma);
/* The rows of an instruction that one warp holds: 16, or 8. */
int mma_warp_rows(const struct mma_layout *mma);

/* The layout of the accumulators, a tensor of `shape`; canonical, as layout_from_blocked makes
   them. Errors: those of mma_layout_verify; another rank; a size that is no power of two. */
tile_status layout_from_mma(const struct mma_layout *mma, const int64_t *shape, int rank,
                            struct linear_layout *out);
/* The layout of operand `index` (0: [.., m, k], 1: [.., k, n]) of a dot with such accumulators.
   A wgmma takes only its first operand from registers. */
tile_status layout_from_dot_operand(const struct mma_layout *parent, int index, int k_width,
                                    const int64_t *shape, int rank, struct linear_layout *out);

#endif
