/* SPDX-License-Identifier: MIT */
/* What the lowerings of tile.reduce and tile.scan share: values in flight and the combiner. */
#ifndef TILE_LOWERING_TILE_GPU_TO_LLVM_REDUCE_H
#define TILE_LOWERING_TILE_GPU_TO_LLVM_REDUCE_H

#include "analysis/scratch.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* One value for each operand of the operation. */
struct element {
  MlirValue value[MAX_REDUCED];
};

struct reducing {
  struct lowering *lw;
  MlirOperation op;
  struct reduction *plan;
  MlirValue start;         /* !llvm.ptr<3>: where `scratch` counts from; null: there is none */
  int64_t scratch;         /* the operation's first byte of shared memory */
  bool keep_sides;         /* a combination has a left and a right side, on every thread the same
                              ones */
  struct element *element; /* of each register, in the layout that the current step is in */
  int count;
};

/* Plans, and brings the operands into the layout to work in. */
MlirLogicalResult reducing_begin(struct lowering *lw, MlirOperation op, struct reducing *out);
/* left with right, by the operation's region at the builder. */
MlirLogicalResult reducing_combine(struct reducing *s, const struct element *left,
                                   const struct element *right, struct element *out);
/* Exchanges the elements; there are as many as the step's target has registers afterwards. */
void reducing_conversion(struct reducing *s, const struct conversion_step *step);
/* Brings the elements into the results' layout and records the results. */
void reducing_end(struct reducing *s);

/* b where `condition` (i1) is true, a elsewhere. */
struct element select_element(struct reducing *s, MlirValue condition, const struct element *b,
                              const struct element *a);
/* Each value of another lane, but for the operands in `kept`, a set of bits. */
struct element shuffle_element(struct reducing *s, enum device_shuffle kind,
                               const struct element *e, MlirValue operand, uint32_t kept);
/* i1: (value & mask) != 0. */
MlirValue build_has_bits(struct lowering *lw, MlirValue value, uint32_t mask);
/* The bits of `value` moved to the places of the ones of `mask`, lowest first. */
uint32_t deposit_bits(uint32_t value, uint32_t mask);

#endif
