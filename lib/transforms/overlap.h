/* SPDX-License-Identifier: MIT */
/* A loop one iteration ahead with its early products (analysis/product_stages.h).

     for %i iter_args(%c)                if it runs
       EARLY(i)                            EARLY(first)
       LATE(i)                      ->     for %i but the last, iter_args(%c, what crosses)
                                             start the products of EARLY(i + 1)
                                             start the products of LATE(i)
                                             EARLY(i + 1), once its products are done
                                             wait for those of LATE(i)
                                           LATE(last)
                                         else what it began with

   No iteration runs that did not, and none twice; the code of an iteration is there twice. What
   crosses is carried, and no sum is copied: products of one iteration have registers of their own.

   What late products are computed from, as sums that shrink and weights that are rounded, stands
   before all starts, or between those of early and of late ones (enum overlap_order): there the
   tensor cores have the early ones meanwhile, and nothing stands between the wait for the late ones
   and the next start. That costs registers, as early accumulators are there beside what late
   operands are made of.

   All products that an iteration starts are waited for in it. Were one in flight until the next
   iteration, and an operand of it in registers, ptxas would give these to other values meanwhile
   (seen with ptxas 13.0; PTX leaves them to the product until it has been waited for: PTX ISA,
   wgmma.mma_async). */
#ifndef TILE_TRANSFORMS_OVERLAP_H
#define TILE_TRANSFORMS_OVERLAP_H

#include "analysis/product_stages.h"
#include "ir/build.h"

/* OVERLAP_TOGETHER: late operands, then all products. OVERLAP_UNDER: early products, late operands
   under them, late products. */
enum overlap_order { OVERLAP_TOGETHER, OVERLAP_UNDER };

struct overlap {
  MlirOperation branch; /* behind the loop: the whole */
  MlirOperation ahead;  /* in it: the loop that is one iteration ahead */
};

/* How many numbers of tiles a thread computes that late products read (0: nothing stands between
   the orders), and whether some are rounded from wider ones. */
struct late_numbers {
  int64_t count;
  bool rounds;
};
struct late_numbers overlap_late_numbers(const struct product_stages *stages);
/* The order that tile_gpu.overlaps_products names, and how it is marked. */
enum overlap_order overlap_order_of(MlirOperation loop);
void overlap_mark(MlirOperation loop, enum overlap_order order);

/* Builds that behind the loop, and lets it be used in the loop's stead; the loop itself stays. */
struct overlap overlap_build(const struct product_stages *stages, enum overlap_order order);
/* Takes it away again. */
void overlap_undo(const struct product_stages *stages, struct overlap overlap);
/* The same for good: the loop goes. Gives what is in its place, with the same results, which is the
   loop itself where it has no such stages. `syncs`: operations that wait and arrive at mbarriers,
   with the dots that they do it for; others are for early ones. */
MlirOperation overlap_loop(struct session *session, MlirOperation loop, enum overlap_order order,
                           const struct map *syncs);

#endif
