/* SPDX-License-Identifier: MIT */
/* Products of one iteration that wait for one another, in two stages.

   Where a loop multiplies, computes with the result, and multiplies that, the tensor cores stand
   still while it computes, and the threads while they multiply. Nothing forbids to start the first
   product of the next iteration before the second one of this is done, if only the sums of the
   second go from iteration to iteration.

     early   products of what is loaded, or known before the loop, and all that is computed from
             them, with what the loop carries for it
     late    products of what is computed from early ones, all that is computed from these, with the
             sums that the loop carries; and what nothing else needs: loads of their operands,
             addresses, conversions of what early operations have computed

   What late operations use of early ones crosses from stage to stage: in a loop that is one
   iteration ahead with the early ones it is carried. Nothing here knows what is computed between
   the products.

     for %i iter_args(%top, %sum)                  for %i iter_args(%top, %sum, %p, %shrink)
       %s = dot %q, %k[i]            early           %s = dot %q, %k[i + 1]       early
       %top' = max %top, %s          early           %t = dot %p, %v[i], %sum * %shrink
       %p = exp %s - %top'           early           %top' = max %top, %s         early
       %shrink = exp %top - %top'    early           ...
       %t = dot %p, %v[i], %sum * %shrink   late     yield %top', %t, %p', %shrink'
       yield %top', %t */
#ifndef TILE_ANALYSIS_PRODUCT_STAGES_H
#define TILE_ANALYSIS_PRODUCT_STAGES_H

#include "analysis/ahead.h"
#include "ir/session.h"

enum { MAX_CROSSING = 64 };

struct product_stages {
  struct session *session;
  MlirOperation loop;
  struct map late;                /* MlirOperation.ptr of the body's late operations */
  struct map starts;              /* early ones that early products are made of; waits for what any
                                     product reads */
  bool late_carried[MAX_CARRIED]; /* by number of the loop-carried value */
  MlirValue crossing[MAX_CROSSING];
  intptr_t crossing_count;
};

/* False where the loop has no such products, or an iteration may not begin before the one before
   has ended; *out_reason is then NULL, or says why a loop that has them stays. The stages are to be
   destroyed either way. `syncs`: see transforms/overlap.h; NULL: there are none. */
bool product_stages_make(struct product_stages *stages, struct session *session, MlirOperation loop,
                         const struct map *syncs, const char **out_reason);
void product_stages_destroy(struct product_stages *stages);

bool product_stages_is_late(const struct product_stages *stages, MlirOperation op);

#endif
