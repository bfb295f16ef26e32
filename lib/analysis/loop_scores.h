/* SPDX-License-Identifier: MIT */
/* What a running maximum is of, and exponents are (loop_sums.h): tiles times numbers, told through
   what moves their elements. */
#ifndef TILE_ANALYSIS_LOOP_SCORES_H
#define TILE_ANALYSIS_LOOP_SCORES_H

#include "analysis/loop_sums.h"

/* c and b. */
struct slope {
  MlirAttribute number; /* a constant c, or */
  MlirValue scalar;     /* a number from outside of the loop; neither: 1 */
  bool natural;         /* b is e, not 2 */
};

/* What a maximum is of, or an exponent: a tile times a number. Null: not known. */
struct score {
  MlirValue of;
  int axis; /* of the tile, along which rows lie */
  struct slope scale;
};

bool slope_is_one(const struct slope *slope);
bool slopes_have_one_number(const struct slope *a, const struct slope *b);
/* The same number and base. */
bool slopes_are_equal(const struct slope *a, const struct slope *b);
bool scores_are_equal(const struct score *a, const struct score *b);

/* The number that all elements are in all iterations: a finite constant, or one from outside of the
   loop; false: there is none. */
bool slope_read(struct loop_sums *sums, MlirValue value, struct slope *slope);
bool value_is_uniform(struct loop_sums *sums, MlirValue value);

/* What `value`, times `scale`, is of, whose rows lie along `axis`. A maximum of a tile times a
   number is taken for a maximum of the product: sums->positive then says what has to be so. */
struct score score_read(struct loop_sums *sums, MlirValue value, int axis, struct slope scale);

/* Is it minus infinity only where a kernel's operands are not finite? A product of f32, or of
   integers, multiplied by few numbers, with constants for what is masked; not what is loaded and
   added, or chosen, as that may be a mask of minus infinities, nor what becomes narrower. */
bool score_is_plain(struct loop_sums *sums, const struct score *score);

#endif
