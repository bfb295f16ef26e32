/* SPDX-License-Identifier: MIT */
/* Which threads take which branches: for lowered kernels, the program of one thread.

   A value is uniform when all threads of the block have the same, uniform in a warp when the lanes
   of each warp have. Thread index and lane differ; so does what is computed from them, what is
   loaded from an address that differs, and what depends on the branch by which a thread has come to
   a block (its arguments).

   What lanes have exchanged is not judged: a sum over a warp is the same in all its lanes by the
   way it is made, which no rule here can see. Such a value, and all that is made of it, counts as
   uniform. So this finds branches that certainly depend on the thread, and is silent on what it
   does not understand. */
#ifndef TILE_ANALYSIS_DIVERGENCE_H
#define TILE_ANALYSIS_DIVERGENCE_H

#include "base/arena.h"
#include "base/map.h"
#include "ir/session.h"

/* In the order of a join: what meets an exchanged value is one, too. GROUPS: all threads of a warp
   group have the same. */
enum divergence {
  DIVERGENCE_NONE,
  DIVERGENCE_GROUPS,
  DIVERGENCE_WARPS,
  DIVERGENCE_LANES,
  DIVERGENCE_EXCHANGED
};

struct divergence_analysis {
  struct session *session; /* borrowed */
  struct arena arena;
  MlirBlock *blocks; /* of the function, in its order; in the arena */
  int count;
  struct map numbers;      /* MlirBlock.ptr -> number + 1 */
  struct map values;       /* MlirValue.ptr -> enum divergence */
  uint64_t **postdominate; /* by block: the blocks that every way to the end passes */
};

/* Analyses an llvm.func with a body. */
void divergence_create(struct session *session, MlirOperation function,
                       struct divergence_analysis *out);
void divergence_destroy(struct divergence_analysis *analysis);

/* The blocks that the threads come to by one way and not by another out of the last operation of
   block `number`, until the ways meet again: sets `inside` by number. */
void divergence_region(const struct divergence_analysis *analysis, int number, bool *inside);
/* What a block's last operation decides by; DIVERGENCE_NONE where it does not choose. */
enum divergence divergence_of_branch(const struct divergence_analysis *analysis, int number);

#endif
