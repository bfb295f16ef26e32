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

   Blocks that are transposed (tile_gpu.local_transpose) have mbarriers of their own: they are
   waited for right before that, and the next copies into their stage start right behind.

   Each phase of an mbarrier is one use of its stage: it ends when the one thread that starts the
   copies has arrived and all their bytes have. An iteration that there is not is neither expected
   nor waited for. The parity flips whenever the stages begin anew. */
#include <stdlib.h>
#include "analysis/loop_stages.h"
#include "base/arena.h"
#include "transforms/bulk_ring.h"
#include "transforms/pipeline_rewrite.h"

/* Blocks that are waited for together, and their ring. */
struct kind {
  struct bulk_ring ring;
  MlirValue stage, mbarrier;               /* that is copied into */
  MlirOperation starts[1 + MAX_SCHEDULED]; /* of an iteration: what is expected, and the copies */
  int start_count;
};

/* DIRECT blocks are read as they are copied, until the iteration's end. TRANSPOSED ones are free as
   soon as they have been, and so have a stage less. */
enum { DIRECT, TRANSPOSED, KINDS };

struct blocks {
  struct kind kinds[KINDS];
};

static const enum bulk_rows rows_of_kind[] = {BULK_ROWS_DIRECT, BULK_ROWS_TRANSPOSED};

/* The kind of a load, and its number among the kind's. */
static struct kind *kind_of_load(struct blocks *blocks, MlirOperation load, int *row) {
  for (int kind = 0; kind < KINDS; kind++)
    for (*row = 0; *row < blocks->kinds[kind].ring.row_count; ++*row)
      if (mlirOperationEqual(blocks->kinds[kind].ring.rows[*row]->load, load))
        return &blocks->kinds[kind];
  return NULL;
}

static void start_block(struct rewrite *r, struct builder *b, int row, MlirValue exists,
                        void *data) {
  MlirOperation load = r->rows[row].load;
  MlirValue offsets[MAX_RANK];
  int number;
  struct kind *kind = kind_of_load(data, load, &number);
  struct bulk_ring *ring = &kind->ring;
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(load); i++)
    offsets[i] = ahead_value(&r->ahead, op_operand(load, i + 1));
  if (number == 0) {
    kind->mbarrier = bulk_ring_mbarrier(ring, b, ring->full[0], kind->stage);
    kind->starts[0] = bulk_ring_expect(ring, b, 0, kind->mbarrier, exists);
    kind->start_count = 1;
  }
  kind->starts[kind->start_count++] =
      bulk_ring_start(ring, b, number, kind->stage, kind->mbarrier, exists, offsets);
}

static void next_iteration(struct rewrite *r, struct builder *b, int iteration, void *data) {
  struct blocks *blocks = data;
  (void)r;
  for (int kind = 0; kind < KINDS; kind++)
    blocks->kinds[kind].stage =
        build_integer(b, 32, (iteration + 1) % blocks->kinds[kind].ring.count);
}

static void move_starts(struct kind *kind, MlirOperation after) {
  for (int i = 0; i < kind->start_count; i++) {
    mlirOperationMoveAfter(kind->starts[i], after);
    after = kind->starts[i];
  }
}

/* The first of the transpositions that read the ring's blocks, or the last one. */
static MlirOperation transpose_of(const struct bulk_ring *ring, bool last) {
  MlirOperation found = {0};
  for (int i = 0; i < ring->row_count; i++) {
    MlirOperation op = buffer_transpose(ring->session, ring->rows[i]->consumer);
    if (mlirOperationIsNull(found) || mlirOperationIsBeforeInBlock(found, op) == last)
      found = op;
  }
  return found;
}

/* The copies start once the first products have: they keep the tensor cores at work while everyone
   waits for everyone to have read what is overwritten. One that is in flight from the iteration
   before has read its stage after its wait. Those of blocks that are transposed start behind that:
   its barrier serves for them. */
static void delay_copies(struct session *session, struct blocks *blocks, MlirBlock body,
                         MlirOperation wait, MlirOperation transposed) {
  MlirOperation after = mlirOperationIsNull(wait) ? last_first_product(session, body) : wait;
  if (!mlirOperationIsNull(after))
    move_starts(&blocks->kinds[DIRECT], after);
  if (!mlirOperationIsNull(transposed))
    move_starts(&blocks->kinds[TRANSPOSED], transposed);
}

enum { CARRIED = 3 }; /* of a kind: stage and parity of this iteration, stage that is copied into */

static void carry_kind(struct wider_loop *w, struct builder *b, const struct kind *kind, int d) {
  const int initial[CARRIED] = {0, 0, d % kind->ring.count};
  for (int k = 0; k < CARRIED; k++)
    wider_add(w, build_integer(b, 32, initial[k]));
}

static void build_wait(struct kind *kind, struct builder *b, MlirValue stage, MlirValue parity) {
  struct bulk_ring *ring = &kind->ring;
  BUILD(b, "tile_gpu.mbarrier_wait", IN(bulk_ring_mbarrier(ring, b, ring->full[0], stage), parity),
        OUT(ring->session->types.token));
}

/* The loop with stage, parity and stage ahead of each kind carried: what is ahead, and what is
   waited for. */
static void rewrite_body(struct rewrite *r, struct blocks *blocks, struct wider_loop *w,
                         struct builder *b, int d) {
  struct session *session = blocks->kinds[DIRECT].ring.session;
  struct distance distance = distance_ahead(session, b, w->old, d);
  rewrite_carry(r, w);
  for (int kind = 0; kind < KINDS; kind++)
    if (blocks->kinds[kind].ring.row_count)
      carry_kind(w, b, &blocks->kinds[kind], d);
  wider_build(w, b);
  struct builder inside = builder_at_end(b->context, w->block, b->location);
  intptr_t next = rewrite_take(r, w, 0), first = next;
  for (int kind = 0; kind < KINDS; kind++) {
    struct kind *of = &blocks->kinds[kind];
    if (!of->ring.row_count)
      continue;
    of->stage = wider_argument(w, next + 2);
    if (kind == DIRECT)
      build_wait(of, &inside, wider_argument(w, next), wider_argument(w, next + 1));
    next += CARRIED;
  }
  rewrite_start_ahead(r, &inside, w, distance, start_block, blocks);
  MlirValue *values = tile_allocate((size_t)(w->count + CARRIED * KINDS) * sizeof *values);
  intptr_t yielded = rewrite_yield(r, values, 0);
  inside.location = b->location;
  next = first;
  for (int kind = 0; kind < KINDS; kind++) {
    struct kind *of = &blocks->kinds[kind];
    struct bulk_ring *ring = &of->ring;
    if (!ring->row_count)
      continue;
    MlirValue stage = wider_argument(w, next), parity = wider_argument(w, next + 1);
    values[yielded] = bulk_ring_next(ring, &inside, stage, parity, &values[yielded + 1]);
    values[yielded + 2] = bulk_ring_next(ring, &inside, of->stage, (MlirValue){0}, NULL);
    if (kind == TRANSPOSED) {
      struct builder before = builder_before(transpose_of(ring, false));
      build_wait(of, &before, stage, parity);
    }
    for (int i = 0; i < ring->row_count; i++)
      bulk_ring_serve(ring, i, stage);
    yielded += CARRIED;
    next += CARRIED;
  }
  wider_finish(w, values);
  wider_retire(session, w);
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
  for (int kind = 0; kind < KINDS; kind++) {
    int stages = kind == TRANSPOSED ? schedule->copies_ahead : schedule->buffers;
    bulk_ring_build(&blocks->kinds[kind].ring, session, schedule, rows_of_kind[kind], stages, false,
                    &b);
    blocks->kinds[kind].stage = build_integer(&b, 32, 0);
  }
  rewrite_prologue(r, &b, schedule->copies_ahead, start_block, next_iteration, blocks);
  b.location = mlirOperationGetLocation(schedule->loop);
  MlirOperation transposed = transpose_of(&blocks->kinds[TRANSPOSED].ring, true);
  rewrite_body(r, blocks, w, &b, schedule->copies_ahead);
  delay_copies(session, blocks, w->block, wait, transposed);
  MlirOperation loop = w->loop;
  struct builder after = b;
  after.before = mlirOperationGetNextInBlock(loop);
  for (int kind = 0; kind < KINDS; kind++)
    if (blocks->kinds[kind].ring.row_count)
      BUILD_OP(&after, "tile_gpu.mbarrier_inval", IN(blocks->kinds[kind].ring.full[0]));
  free(w);
  free(blocks);
  rewrite_end(r);
  return loop;
}
