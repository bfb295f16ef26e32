/* SPDX-License-Identifier: MIT */
/* How a tile.dot is computed, decided by the layouts of all three operands together.

     tensor cores    %a : #dot_operand<0, #mma>   %b : #dot_operand<1, #mma>   %c and result : #mma
     multiply-adds   %a, %b, %c in any other layouts, none of them of tensor cores

   What is neither has no meaning, and is an error wherever it is found: in the verifier, and in the
   lowering. Everyone who has to know how a dot is computed asks here: looking at one of the
   layouts alone is not enough. */
#ifndef TILE_IR_DOT_FORM_H
#define TILE_IR_DOT_FORM_H

#include "ir/build.h"
#include "ir/session.h"

enum dot_form { DOT_MULTIPLY_ADDS, DOT_TENSOR_CORES, DOT_MISFIT };

/* The form of a tile.dot whose types have been verified; without layouts it is DOT_MULTIPLY_ADDS.
   *problem says for people what does not fit in a DOT_MISFIT, and how to mend it; `problem` may be
   NULL. */
enum dot_form dot_form_of(struct session *session, MlirOperation op, const char **problem);

/* How tensor cores hold the accumulators of a tile.dot; NULL where it is not computed by them. */
const struct mma_layout *dot_mma_layout(struct session *session, MlirOperation op);

/* Does `op` start a dot that is in flight until a wait, and does it wait for such (waits.def)?
   Is it a dot on tensor cores, of either kind? */
bool starts_async_dot(struct session *session, MlirOperation op);
bool waits_for_async_dot(struct session *session, MlirOperation op);
bool is_on_tensor_cores(struct session *session, MlirOperation op);

/* Builds a wait for all dots that are in flight, which returns the accumulators of these: at most
   DOT_WAIT_OPERANDS. */
enum { DOT_WAIT_OPERANDS = 4 };
MlirOperation build_async_dot_wait(struct builder *b, MlirValue *dots, int count);

#endif
