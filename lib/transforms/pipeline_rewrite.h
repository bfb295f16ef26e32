/* SPDX-License-Identifier: MIT */
/* What both rewrites of tile-gpu-pipeline do: loads of a later iteration started before the loop
   and in it, with the values they need computed ahead. */
#ifndef TILE_TRANSFORMS_PIPELINE_REWRITE_H
#define TILE_TRANSFORMS_PIPELINE_REWRITE_H

#include "analysis/loop_schedule.h"
#include "ir/tile_ops.h"
#include "transforms/pipeline.h"

/* Both kinds of loads of one loop. */
struct rewrite {
  struct ahead ahead;
  struct scheduled_load rows[MAX_SCHEDULED];
  int count;
  int iteration;                /* that is being started */
  MlirValue groups[MAX_STAGES]; /* copies: of the iterations before the loop */
};

/* Builds what starts rows[row] of the iteration at hand in `ahead`, where `exists` (i1) says that
   there is such an iteration. */
typedef void start_load(struct rewrite *r, struct builder *b, int row, MlirValue exists,
                        void *data);
/* The operands of a tile.load for it: the mask is false where there is none. */
struct tile_load rewrite_load(struct rewrite *r, struct builder *b, int row, MlirValue exists);

/* The slice of all loads of one kind. */
void rewrite_begin(struct rewrite *r, struct session *session, const struct loop_schedule *schedule,
                   enum pipeline_method method);
/* Starts iterations 0 to d - 1 before the loop; `after` builds what comes after each. */
void rewrite_prologue(struct rewrite *r, struct builder *b, int distance, start_load *start,
                      void (*after)(struct rewrite *, struct builder *, int iteration, void *),
                      void *data);
/* Carries the values that are ahead: adds their initial values; gives them back their block
   arguments, from added value `next` on; yields them. The last two return where they end. */
void rewrite_carry(struct rewrite *r, struct wider_loop *w);
intptr_t rewrite_take(struct rewrite *r, const struct wider_loop *w, intptr_t next);
intptr_t rewrite_yield(const struct rewrite *r, MlirValue *values, intptr_t next);

/* How far ahead an iteration is, computed outside of the loop. */
struct distance {
  MlirValue step, end; /* d * step; below `end` are the iterations that have one d ahead of them */
};

struct distance distance_ahead(struct session *session, struct builder *b, MlirOperation loop,
                               int iterations);
/* Starts iteration iv + d * step at the end of the new block. */
void rewrite_start_ahead(struct rewrite *r, struct builder *b, const struct wider_loop *w,
                         struct distance distance, start_load *start, void *data);
void rewrite_end(struct rewrite *r);

#endif
