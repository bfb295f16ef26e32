/* SPDX-License-Identifier: MIT */
/* tile-gpu-pipeline: blocks that the copy engine brings into stages of shared memory, some
   iterations ahead, in a block whose threads all do the same (pipeline.c shows the rewrite).

     mbarriers, one a stage: initialised
     start iterations 0 to d - 1
     for iv, stage, its parity, stage ahead
       wait at the stage's mbarrier for the phase of this parity
       ... products of the stage ...
         expect the bytes of iv + d * step at the mbarrier ahead; start their copies
     mbarriers invalidated

   Each phase of an mbarrier is one use of its stage: it ends when the one thread that starts the
   copies has arrived and all their bytes have. An iteration that there is not is neither expected
   nor waited for. The parity flips whenever the stages begin anew. */
#include <stdlib.h>
#include "analysis/loop_stages.h"
#include "base/arena.h"
#include "transforms/bulk_ring.h"
#include "transforms/pipeline_rewrite.h"

struct blocks {
  struct bulk_ring ring;
  MlirValue stage, mbarrier; /* that is copied into */
  MlirOperation first, last; /* what starts an iteration: from the first to the last */
};

static void start_block(struct rewrite *r, struct builder *b, int row, MlirValue exists,
                        void *data) {
  struct blocks *blocks = data;
  struct bulk_ring *ring = &blocks->ring;
  MlirOperation load = r->rows[row].load;
  MlirValue offsets[MAX_RANK];
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(load); i++)
    offsets[i] = ahead_value(&r->ahead, op_operand(load, i + 1));
  if (row == 0) {
    blocks->mbarrier = bulk_ring_mbarrier(ring, b, ring->full[0], blocks->stage);
    blocks->first = bulk_ring_expect(ring, b, 0, blocks->mbarrier, exists);
  }
  blocks->last = bulk_ring_start(ring, b, row, blocks->stage, blocks->mbarrier, exists, offsets);
}

static void next_iteration(struct rewrite *r, struct builder *b, int iteration, void *data) {
  struct blocks *blocks = data;
  (void)r;
  blocks->stage = build_integer(b, 32, iteration + 1);
}

/* The copies start once the first products have: they keep the tensor cores at work while everyone
   waits for everyone to have read what is overwritten. One that is in flight from the iteration
   before has read its stage after its wait. */
static void delay_copies(struct session *session, const struct blocks *blocks, MlirBlock body,
                         MlirOperation wait) {
  MlirOperation after = mlirOperationIsNull(wait) ? last_first_product(session, body) : wait;
  if (mlirOperationIsNull(after))
    return;
  MlirOperation op = blocks->first, end = mlirOperationGetNextInBlock(blocks->last);
  while (!mlirOperationEqual(op, end)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveAfter(op, after);
    after = op;
    op = next;
  }
}

/* The loop with stage, parity and stage ahead carried: what is ahead, and what is waited for. */
static void rewrite_body(struct rewrite *r, struct blocks *blocks, struct wider_loop *w,
                         struct builder *b, int d) {
  struct bulk_ring *ring = &blocks->ring;
  struct distance distance = distance_ahead(ring->session, b, w->old, d);
  rewrite_carry(r, w);
  const int initial[] = {0, 0, d % ring->count};
  for (int k = 0; k < 3; k++)
    wider_add(w, build_integer(b, 32, initial[k]));
  wider_build(w, b);
  struct builder inside = builder_at_end(b->context, w->block, b->location);
  intptr_t next = rewrite_take(r, w, 0);
  MlirValue stage = wider_argument(w, next), parity = wider_argument(w, next + 1);
  blocks->stage = wider_argument(w, next + 2);
  BUILD(&inside, "tile_gpu.mbarrier_wait",
        IN(bulk_ring_mbarrier(ring, &inside, ring->full[0], stage), parity),
        OUT(ring->session->types.token));
  rewrite_start_ahead(r, &inside, w, distance, start_block, blocks);
  MlirValue *values = tile_allocate((size_t)(w->count + 1) * sizeof *values);
  intptr_t yielded = rewrite_yield(r, values, 0);
  inside.location = b->location;
  values[yielded] = bulk_ring_next(ring, &inside, stage, parity, &values[yielded + 1]);
  values[yielded + 2] = bulk_ring_next(ring, &inside, blocks->stage, (MlirValue){0}, NULL);
  for (int i = 0; i < ring->row_count; i++)
    bulk_ring_serve(ring, i, stage);
  wider_finish(w, values);
  wider_retire(ring->session, w);
  free(values);
}

MlirOperation pipeline_blocks(struct session *session, const struct loop_schedule *schedule) {
  struct rewrite *r = tile_allocate(sizeof *r);
  struct blocks *blocks = tile_allocate(sizeof *blocks);
  struct wider_loop *w = tile_allocate(sizeof *w);
  *r = (struct rewrite){0};
  *w = (struct wider_loop){.old = schedule->loop};
  MlirOperation wait = {0};
  if (schedule->in_flight)
    wait = loop_schedule_in_flight(session, schedule);
  rewrite_begin(r, session, schedule, PIPELINE_BULK);
  struct builder b = builder_before(schedule->loop);
  bulk_ring_build(&blocks->ring, session, schedule, schedule->buffers, false, &b);
  blocks->stage = build_integer(&b, 32, 0);
  rewrite_prologue(r, &b, schedule->copies_ahead, start_block, next_iteration, blocks);
  b.location = mlirOperationGetLocation(schedule->loop);
  rewrite_body(r, blocks, w, &b, schedule->copies_ahead);
  delay_copies(session, blocks, w->block, wait);
  MlirOperation loop = w->loop;
  struct builder after = b;
  after.before = mlirOperationGetNextInBlock(loop);
  BUILD_OP(&after, "tile_gpu.mbarrier_inval", IN(blocks->ring.full[0]));
  free(w);
  free(blocks);
  rewrite_end(r);
  return loop;
}
