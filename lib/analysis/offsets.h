/* SPDX-License-Identifier: MIT */
/* Offsets as linear forms: can two accesses meet at one position of their tiles?

   A pointer, scalar or tile, is taken apart into a root, a sum of values with factors, and a
   constant. All of it is counted at one position: a tile's value stands for its element there.

       %a = addptr (splat %p), (range + splat (%i * 128))             p + range + 128 i
       %b = addptr (splat %p), (range + splat (%i * 128 + 64))        p + range + 128 i + 64

   The difference is 64 whatever %i is, so no position's element is accessed through both. This
   leans on the rule of tile.addptr that the arithmetic which forms an offset does not wrap. */
#ifndef TILE_ANALYSIS_OFFSETS_H
#define TILE_ANALYSIS_OFFSETS_H

#include "ir/session.h"

/* Do accesses through these pointers have positions in common? Those that have none are in no order
   (dialects/tile/README.md, memory order). */
bool pointers_share_positions(MlirValue a, MlirValue b);

/* True when the elements at one position of both, pointers of one type, are certainly different
   ones. */
bool pointers_are_apart(struct session *session, MlirValue a, MlirValue b);

enum { MAX_OFFSET_TERMS = 16 };

/* The integer `constant` and scalars (i32 or i64, signed) with factors. */
struct offset_sum {
  struct {
    MlirValue scalar, by; /* their product; `by` null: 1 */
    int64_t factor;
  } terms[MAX_OFFSET_TERMS];
  int count;
  int64_t constant;
};

/* How far apart two pointers of a loop are at one position of their tiles, in numbers that are
   known before the loop: in iteration i, `a` of k iterations later is after `b` by

     root_a - root_b + now + i * drift + k * step + (from `low` to `high`, by position)   bytes */
struct loop_distance {
  MlirValue root_a, root_b; /* null where both have one root */
  struct offset_sum now, drift, step;
  int64_t low, high;
  int64_t bytes_a, bytes_b; /* of an element */
};

/* False when the distance depends on something else: on tiles that are no ranges, or on what the
   loop computes otherwise than by adding the same in each iteration. */
bool pointers_in_loop(struct session *session, MlirOperation loop, MlirValue a, MlirValue b,
                      struct loop_distance *out);

/* True when `a` of 1 to `ahead` iterations later never overlaps `b`; *out_known: the distance is a
   number, so that where it is false they do. */
bool loop_distance_is_apart(const struct loop_distance *distance, int ahead, bool *out_known);

/* The most iterations that an scf.for with a constant step makes, `exact` when it makes just as
   many; 0 when no bound is known. */
int64_t loop_most_trips(struct session *session, MlirOperation loop, bool *exact);

#endif
