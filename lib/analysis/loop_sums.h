/* SPDX-License-Identifier: MIT */
/* What a loop adds up: sums, a running maximum, and sums that are rescaled to it.

     for %k iter_args(%top, %norm, %sum)            x, y, z: of an iteration alone
       %top' = max %top, %x
       %r = exp2 %top - %top'
       %norm' = %norm * %r + reduce exp2(%y - %top')
       %sum' = %sum * %r + dot exp2(%y - %top'), %z

   Parts of such a loop, each from its first values on, make what the whole loop makes: a sum is the
   sum of the parts' sums; a maximum the greatest; and of two parts with maxima m and n and rescaled
   sums s and t (Milakov and Gimelshein, Online normalizer calculation for softmax, section 3)

     top = max m, n        sum = s * exp2(m - top) + t * exp2(n - top)

   A counter of a part begins where the part does.

   Found from what each value of the body depends on, whatever it is for: exponents are FREE - top,
   with any coefficient and base that a sum's terms and its factor share, terms are linear in the
   exponentials, rows stay rows, and nothing else depends on what the loop carries. What
   exponentials are of is what the maximum is of, so that no part has a term above 1, or one where
   its maximum is minus infinity. Where that can be in a part, the loop takes another number for it,
   as with masks it has to; else the maximum is of products without masks, of which minus infinity
   is none as long as what is multiplied is finite. */
#ifndef TILE_ANALYSIS_LOOP_SUMS_H
#define TILE_ANALYSIS_LOOP_SUMS_H

#include "ir/session.h"

enum { MAX_LOOP_SUMS = 16 };

enum loop_sum_kind {
  LOOP_SUM_UNUSED,  /* nothing depends on it: a counter that was needed once */
  LOOP_SUM_COUNTER, /* a number or pointer that each iteration advances by the same amount */
  LOOP_SUM_PLAIN,
  LOOP_SUM_MAXIMUM,
  LOOP_SUM_RESCALED
};

struct loop_sums {
  struct session *session;
  MlirOperation loop;
  intptr_t count; /* of what the loop carries */
  enum loop_sum_kind kinds[MAX_LOOP_SUMS];
  MlirValue factors[MAX_LOOP_SUMS]; /* of rescaled ones, in the body: what is carried times that */
  MlirValue steps[MAX_LOOP_SUMS];   /* of counters: what an iteration adds, the same in all */
  intptr_t maximum;                 /* its number; -1: there is none */
  MlirValue next;                   /* in the body: the maximum with this iteration's */
  MlirValue positive;               /* a number from outside of the loop that has to be above zero
                                       for all this to hold; null: there is none */
};

/* Is all that an scf.for carries such a sum? The element types, and what a sum begins with, are the
   caller's to look at. */
bool loop_sums_find(struct loop_sums *sums, struct session *session, MlirOperation loop);

#endif
