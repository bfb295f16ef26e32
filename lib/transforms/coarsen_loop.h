/* SPDX-License-Identifier: MIT */
/* The loop of one dot whose steps become longer: what tile-coarsen-k and coarsen_blocks.c ask of
   it alike. */
#ifndef TILE_TRANSFORMS_COARSEN_LOOP_H
#define TILE_TRANSFORMS_COARSEN_LOOP_H

#include "ir/session.h"

/* The only dot of a body that has nothing else but loads of this kind and what is computed without
   effects; null if it has. */
MlirOperation coarsen_only_dot(struct session *session, MlirOperation loop, enum op_kind load);
/* The number of the loop's result that accumulates this dot, if nothing but the sum is used after
   the loop; else -1. */
intptr_t coarsen_accumulator(MlirOperation loop, MlirOperation dot);
/* The load of a dot's operand, through casts and permutations, which make zeros of zeros; null if
   there is none. *dim becomes the load's dimension. `alone`: each has only the next one as its
   user. */
MlirOperation coarsen_load(struct session *session, MlirValue operand, enum op_kind load,
                           bool alone, int *dim);
/* Is a step longer than `size` summed up as its parts are? Tensor cores add up what one instruction
   takes in an order of their own: a step holds one at least (dot_mma.c), which of f64 is a cache
   line. And sums of f16 that are made in f32 are rounded once a step. */
bool coarsen_sums_alike(struct session *session, MlirOperation dot, int64_t size);

#endif
