/* SPDX-License-Identifier: MIT */
/* Which values are live where, over structured control flow (scf.for, scf.while, scf.if).

   A value is live after an operation if something that is executed later may use it:

     %w = ..                        %w  from here to the end of the loop: each iteration takes it
     for iter_args(%a = %zero) {    %a  from the top of the body to %b
       %x = load                    %x  from here to %b
       %b = addf %a, %x             %b  from here to the yield, and as %a into the next iteration
       %c = mulf %x, %w
       store %c
       yield %b
     }

   In the branches of an scf.if, what the other branch alone uses is not live. The operands of a
   terminator are live before it; what a loop carries is the body's argument inside and the
   loop's result after it. The combining regions of reductions and their like are not entered.

   One walk from the last operation to the first sums up weights of the values, so that it costs
   about as much as the function is long. */
#ifndef TILE_ANALYSIS_LIVENESS_H
#define TILE_ANALYSIS_LIVENESS_H

#include "ir/session.h"

/* Weights of what is live before an operation, after it, and while it runs: `across` are
   the values that are there before it and after it. */
struct live {
  int64_t before, across, after;
};

struct liveness_client {
  struct session *session;
  /* What a value weighs while it is live; the same for each call. */
  int64_t (*weigh)(MlirValue value, void *data);
  /* The operand of its definition whose place a value has, so that both weigh as one; else the
     value itself. */
  MlirValue (*place_of)(MlirValue value, void *data);
  /* Each operation, the last of a block first, and a loop or branch after what is in it. */
  void (*visit)(MlirOperation op, const struct live *live, void *data);
  void *data;
};

void liveness_walk(const struct liveness_client *client, MlirOperation function);

/* Is a value, which exists where `op` starts, live after it? */
bool value_is_live_after(struct session *session, MlirValue value, MlirOperation op);

#endif
