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

   Blocks that are transposed (tile_gpu.local_transpose) may have mbarriers of their own: they are
   waited for right before that, under the products of others, and the next copies into their stage
   start right behind. That takes a stage less, but a copy has an iteration less to land in.

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

/* DIRECT: until the iteration's end. APART: blocks that are transposed, free as soon as they have
   been, with a stage less, where that makes room for a block of threads more (loop_stages.h). */
enum { DIRECT, APART, KINDS };

struct blocks {
  struct kind kinds[KINDS];
};

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

/* With all that lies between the first and the last of them, which says where blocks are; of two
   kinds, whose starts may alternate, that stays before all of them. */
static void move_starts(struct blocks *blocks, int which, MlirOperation after) {
  struct kind *kind = &blocks->kinds[which];
  if (kind->start_count == 0)
    return;
  bool alone = blocks->kinds[1 - which].start_count == 0;
  MlirOperation op = kind->starts[0],
                end = mlirOperationGetNextInBlock(kind->starts[kind->start_count - 1]);
  for (int i = 0; !mlirOperationEqual(op, end);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool start = mlirOperationEqual(op, kind->starts[i]);
    i += start;
    if (start || alone) {
      mlirOperationMoveAfter(op, after);
      after = op;
    }
    op = next;
  }
}

static MlirOperation transpose_of(const struct bulk_ring *ring, int row) {
  return buffer_transpose(ring->session, ring->rows[row]->consumer);
}

/* What is needed for a transposition, and that, in the order of the block: what it reads and fills,
   the first one's wait. */
struct transpositions {
  MlirOperation list[3 * MAX_SCHEDULED + 2];
  int count;
};

static void note_operation(struct transpositions *all, MlirOperation op) {
  all->list[all->count++] = op;
}

/* Behind the start of the first products, where they run while these do; where the last one is. */
static MlirOperation advance_transpositions(const struct transpositions *all,
                                            MlirOperation product) {
  MlirOperation after = product;
  for (int i = 0; i < all->count; i++) {
    mlirOperationMoveAfter(all->list[i], after);
    after = all->list[i];
  }
  return after;
}

/* The copies start once the first products have: they keep the tensor cores at work while everyone
   waits for everyone to have read what is overwritten. One that is in flight from the iteration
   before has read its stage after its wait. What is to be transposed for a later product, apart, is
   so before, under the first ones, and copies of both kinds start behind that, with its barriers.
 */
static void delay_copies(struct session *session, struct blocks *blocks, MlirBlock body,
                         MlirOperation wait, const struct transpositions *all) {
  MlirOperation after = mlirOperationIsNull(wait) ? last_first_product(session, body) : wait;
  if (mlirOperationIsNull(after))
    return;
  after = advance_transpositions(all, after);
  move_starts(blocks, DIRECT, after);
  move_starts(blocks, APART, after);
}

enum { CARRIED = 3 }; /* of a kind: stage and parity of this iteration, stage that is copied into */

static void carry_kind(struct wider_loop *w, struct builder *b, const struct kind *kind, int d) {
  const int initial[CARRIED] = {0, 0, d % kind->ring.count};
  for (int k = 0; k < CARRIED; k++)
    wider_add(w, build_integer(b, 32, initial[k]));
}

static MlirOperation build_wait(struct kind *kind, struct builder *b, MlirValue stage,
                                MlirValue parity) {
  struct bulk_ring *ring = &kind->ring;
  return BUILD_OP(b, "tile_gpu.mbarrier_wait",
                  IN(bulk_ring_mbarrier(ring, b, ring->full[0], stage), parity),
                  OUT(ring->session->types.token));
}

/* The tiles of a kind come from their stages, which transpositions wait for right before the first
   one. */
static void serve_kind(struct kind *kind, bool apart, MlirValue stage, MlirValue parity,
                       struct transpositions *all) {
  struct bulk_ring *ring = &kind->ring;
  MlirOperation transposes[MAX_SCHEDULED], first = {0};
  for (int i = 0; i < ring->row_count && apart; i++) {
    transposes[i] = transpose_of(ring, i);
    bool earlier = mlirOperationIsNull(first) || mlirOperationIsBeforeInBlock(transposes[i], first);
    first = earlier ? transposes[i] : first;
  }
  if (apart) {
    struct builder before = builder_before(first);
    MlirOperation wait = build_wait(kind, &before, stage, parity);
    note_operation(all, value_definition(op_operand(wait, 0)));
    note_operation(all, wait);
  }
  for (int i = 0; i < ring->row_count; i++) {
    MlirValue view = bulk_ring_serve(ring, i, stage);
    if (!apart)
      continue;
    note_operation(all, value_definition(view));
    note_operation(all, value_definition(op_operand(transposes[i], 1)));
    note_operation(all, transposes[i]);
  }
}

/* The loop with stage, parity and stage ahead of each kind carried: what is ahead, and what is
   waited for. */
static void rewrite_body(struct rewrite *r, struct blocks *blocks, struct wider_loop *w,
                         struct builder *b, int d, struct transpositions *all) {
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
    serve_kind(of, kind == APART, stage, parity, all);
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
  bool apart = loop_stages_save_block(session, schedule);
  const enum bulk_rows rows[KINDS] = {apart ? BULK_ROWS_DIRECT : BULK_ROWS_ALL,
                                      BULK_ROWS_TRANSPOSED};
  for (int kind = 0; kind < KINDS; kind++) {
    int stages = kind == APART ? schedule->copies_ahead : schedule->buffers;
    blocks->kinds[kind] = (struct kind){.ring = {.count = 1}, .stage = build_integer(&b, 32, 0)};
    if (kind == DIRECT || apart)
      bulk_ring_build(&blocks->kinds[kind].ring, session, schedule, rows[kind], stages, false, &b);
  }
  rewrite_prologue(r, &b, schedule->copies_ahead, start_block, next_iteration, blocks);
  b.location = mlirOperationGetLocation(schedule->loop);
  struct transpositions all = {.count = 0};
  rewrite_body(r, blocks, w, &b, schedule->copies_ahead, &all);
  delay_copies(session, blocks, w->block, wait, &all);
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
