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

   Found from what each value of the body depends on, whatever it is for: exponents are FREE - top,
   with any coefficient and base that all of them share, terms are linear in the exponentials, and
   nothing else depends on what the loop carries. The maximum may be replaced by a number where it
   is minus infinity, which stands for rows of which nothing is seen. */
#ifndef TILE_ANALYSIS_LOOP_SUMS_H
#define TILE_ANALYSIS_LOOP_SUMS_H

#include "ir/session.h"

enum { MAX_LOOP_SUMS = 16 };

enum loop_sum_kind {
  LOOP_SUM_UNUSED, /* nothing depends on it: a counter that was needed once */
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
  intptr_t maximum;                 /* its number; -1: there is none */
  MlirValue next;                   /* in the body: the maximum with this iteration's */
};

/* Is all that an scf.for carries such a sum? The element types, and what a sum begins with, are the
   caller's to look at. */
bool loop_sums_find(struct loop_sums *sums, struct session *session, MlirOperation loop);

#endif
