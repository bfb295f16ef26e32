/* SPDX-License-Identifier: MIT */
/* What both rewrites of loops with bulk copies are made of (pipeline_bulk.c, pipeline_roles.c):
   stages of buffers, an mbarrier for each, and what starts the copies of a stage. */
#ifndef TILE_TRANSFORMS_BULK_RING_H
#define TILE_TRANSFORMS_BULK_RING_H

#include "analysis/loop_schedule.h"
#include "ir/build.h"

/* Which of a loop's blocks are in a ring: all, or by scheduled_is_transposed. */
enum bulk_rows { BULK_ROWS_ALL, BULK_ROWS_DIRECT, BULK_ROWS_TRANSPOSED };

/* Buffers of a ring that are waited for, and read, together. */
struct bulk_channel {
  MlirOperation dot; /* that reads them; null: whatever does */
  int first;         /* the first row of the channel */
  int64_t bytes;     /* of a stage, all buffers of the channel */
};

struct bulk_ring {
  struct session *session;
  const struct scheduled_load *rows[MAX_SCHEDULED]; /* BULK */
  int row_count;
  enum bulk_rows which;
  int count; /* stages */
  MlirValue buffers[MAX_SCHEDULED];
  MlirType stages[MAX_SCHEDULED]; /* the type of one stage */
  MlirType mbarrier;              /* the type of one */
  struct bulk_channel channels[MAX_SCHEDULED];
  int channel_count;
  bool each_dot;                 /* a channel for each dot */
  MlirValue full[MAX_SCHEDULED]; /* mbarriers, by channel: the stage's bytes have landed */
  int channel_of[MAX_SCHEDULED]; /* by row */
};

/* `count` stages of the buffers, and their mbarriers, at `b`; says to the launch what one copy of
 * each brings. `each_dot`: a channel for each dot that reads rows, where there are several; else
 * one for all. */
void bulk_ring_build(struct bulk_ring *ring, struct session *session,
                     const struct loop_schedule *schedule, enum bulk_rows which, int count,
                     bool each_dot, struct builder *b);
/* Have both loops, which copy as many blocks, the same channels where each dot has its own? */
bool bulk_ring_has_channels_of(struct session *session, const struct loop_schedule *a,
                               const struct loop_schedule *b);
/* The same buffers and mbarriers for the copies of another loop, which are of the same types in the
   same order. */
void bulk_ring_take(struct bulk_ring *ring, const struct loop_schedule *schedule);
/* `count` mbarriers that so many arrivals complete: memref<count x 1 x i64>. */
MlirValue bulk_ring_mbarriers(struct bulk_ring *ring, struct builder *b, int count, int arrivals);
MlirValue bulk_ring_mbarrier(struct bulk_ring *ring, struct builder *b, MlirValue mbarriers,
                             MlirValue stage);
/* Expects the bytes of a channel's stage at its mbarrier, where the predicate (i1) holds. */
MlirOperation bulk_ring_expect(struct bulk_ring *ring, struct builder *b, int channel,
                               MlirValue mbarrier, MlirValue predicate);
/* Starts the copy of row `row` at these offsets, one a dimension. */
MlirOperation bulk_ring_start(struct bulk_ring *ring, struct builder *b, int row, MlirValue stage,
                              MlirValue mbarrier, MlirValue predicate, const MlirValue *offsets);
/* An offset as the copy engine takes it, an i32. An extension is taken back. What is longer is
   outside of every tensor, as what it is held to is. */
MlirValue build_coordinate(struct session *session, struct builder *b, MlirValue offset);
/* The tile of a row comes from its stage: its consumer is replaced by a view of that, and its load
   is gone; of a vector the load is one from there. */
MlirValue bulk_ring_serve(struct bulk_ring *ring, int row, MlirValue stage);
/* The stage after `stage`, and its parity after `parity` (both i32): it flips when stages begin
   anew. */
MlirValue bulk_ring_next(struct bulk_ring *ring, struct builder *b, MlirValue stage,
                         MlirValue parity, MlirValue *out_parity);

#endif
