/* SPDX-License-Identifier: MIT */
/* What the lowest levels of a reduction's tree take in place of the operand's registers.

     factors    of a product that only the sum wants (tile.fused_products, by tile-contract-fma):
                the first level multiplies and adds at once, fma(a0, b0, a1 * b1)
     unmasked   of where(mask, x, z), if 2^k neighbours have one mask: k levels combine x, then one
                select stands for 2^k,

                  where(m, x0, 0) + where(m, x1, 0)  =  where(m, x0 + x1, 0)

                bit for bit, because z combined with z is z. Masks of rows, whose length is
                divisible by what a thread holds in one piece, are like that. */
#ifndef TILE_LOWERING_TILE_GPU_TO_LLVM_REDUCE_OPERAND_H
#define TILE_LOWERING_TILE_GPU_TO_LLVM_REDUCE_OPERAND_H

#include "lowering/tile_gpu_to_llvm/reduce.h"

/* One operand. */
struct reduce_operand {
  const struct lowered *left, *right; /* the factors; NULL: s->element has what is reduced */
  int same_mask;                      /* registers with one mask, a power of two; 1: masks have been
                                         applied */
  const struct lowered *mask, *otherwise;
};

struct reduce_operands {
  struct reduce_operand of[MAX_REDUCED];
};

/* Of what is reduced at the beginning, when s->element has the operands' registers; replaces those
   by unmasked ones. */
void reduce_operands_find(struct reducing *s, struct reduce_operands *out);
/* Register r with `right`, the next one: left[r] * right[r] + right where there are factors. */
MlirLogicalResult reduce_operands_combine(struct reducing *s, const struct reduce_operands *from,
                                          uint32_t r, const struct element *left,
                                          const struct element *right, struct element *out);
/* Masks *e, which is `combined` registers from r on, where as many have one mask. */
void reduce_operands_mask(struct reducing *s, const struct reduce_operands *from, uint32_t r,
                          int combined, struct element *e);

#endif
