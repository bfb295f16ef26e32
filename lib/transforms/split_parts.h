/* SPDX-License-Identifier: MIT */
/* What blocks that share a program (tile-gpu-split-tail) put into memory for one another, and how
   it is put together: sums, a running maximum, and sums that are rescaled to it
   (analysis/loop_sums.h).

     a part       the sums of a range's iterations, one value behind the other
     its flag     the counter with the range's number: 1 where the part is there */
#ifndef TILE_TRANSFORMS_SPLIT_PARTS_H
#define TILE_TRANSFORMS_SPLIT_PARTS_H

#include "analysis/loop_sums.h"
#include "transforms/split_plan.h"

enum { MAX_SPLIT_SUMS = 4 };

/* What a loop computes that is used, of what it carries. */
struct split_sums {
  struct loop_sums of;
  intptr_t numbers[MAX_SPLIT_SUMS]; /* of the loop's results */
  intptr_t count;
  int64_t bytes; /* of a part */
};

/* Can parts of all that the loop computes be stored, and put together? They are tiles of f32, or
   plain sums of i32, that start at what adds nothing. */
bool split_sums_find(struct split_sums *sums, struct session *session, MlirOperation loop);

/* The loop's result that is number `index` of a part. */
MlirValue split_sums_value(const struct split_sums *sums, intptr_t index);

/* Where the piece is a part: stores it, for the block that has the program's end, and sets its
   flag. */
void split_part_build(struct builder *b, const struct split_sums *sums,
                      const struct split_plan *plan, const struct split_piece *piece);

/* A loop over the ranges before this one's that have parts of the program: it waits for each and
   gives all parts put together, with this block's; a result for each of the sums. */
MlirOperation split_merge_build(struct builder *b, const struct split_sums *sums,
                                const struct split_plan *plan, const struct split_piece *piece);

#endif
