/* SPDX-License-Identifier: MIT */
/* tile-gpu-pipeline: a loop of bulk copies whose block is going to have roles
   (tile-gpu-warp-specialize): a producer that copies, and consumers that multiply.

     mbarriers full and empty, one a stage: initialised        before all loops
     for iv, stage, its parity                                 and the loops around carry both
       producer   wait at the stage's empty mbarrier for the phase before
                  expect the bytes of this iteration at the full one; start the copies
       consumers  wait at the full mbarrier for the phase of this parity
                  ... products of the stage ...
                  arrive at the empty mbarrier

   Blocks of bytes that lie across k are transposed on their way, by warps of a role of their own
   (tile_gpu.local_transpose), from stage to stage:

       transposers  wait at the stage's full mbarrier, and at `read` for the phase before
                    transpose the blocks of the channel
                    arrive at the empty mbarrier, and at `ready`
       consumers    wait at ready
                    ... arrive at read

   Where the consumers read other blocks of the channel as they are copied, they wait at full as
   well and arrive at empty, which then says of both stages that they have been read.

   All stand in one loop here and belong to the same iteration: each role goes through the loop by
   itself, and how far one is ahead of the other is a matter of the stages alone. No phase comes
   before the first, so that the first wait at an empty mbarrier, for the parity of the phase
   before, ends at once (PTX ISA, mbarrier.test_wait). The operations of the producer are marked
   (tile_gpu.producer), those of the transposers, too (tile_gpu.transposer); all others are the
   consumers'.

   A product that is in flight until the next iteration has read its stage after its wait there; the
   last one after the loop. Each warp arrives for itself, once its own part of the product is
   done. */
#include <stdlib.h>
#include "analysis/loop_stages.h"
#include "base/arena.h"
#include "base/numbers.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/shared_attribute.h"
#include "transforms/bulk_ring.h"
#include "transforms/pipeline_rewrite.h"

enum { TRANSPOSER_WARPS = 2 }; /* tile_gpu.in_transposer */

/* What is transposed of a channel. Where that is all of it, the consumers read none of what is
   copied: `empty` counts the transposers alone, and `read` the consumers. Else `empty` counts both,
   and says for both stages that they have been read. */
struct transposed {
  bool any, all;
  MlirValue ready, read; /* mbarriers: a stage is transposed; everyone has read it, or null */
};

struct roles {
  struct bulk_ring ring;
  MlirValue empty[MAX_SCHEDULED]; /* mbarriers, by channel: everyone has read the stage */
  struct transposed transposed[MAX_SCHEDULED]; /* by channel */
  MlirValue results[MAX_SCHEDULED];            /* stages of what is transposed, by row; or null */
  MlirValue stage, parity;                     /* of this iteration */
  struct map *syncs;
};

static MlirOperation mark_producer(MlirOperation op) {
  attribute_set_unit(op, ATTR_PRODUCER);
  return op;
}

static MlirOperation mark_transposer(MlirOperation op) {
  attribute_set_unit(op, ATTR_TRANSPOSER);
  return op;
}

/* The loop around all others of the kernel that are around this one. */
static MlirOperation outermost(struct session *session, MlirOperation loop) {
  MlirOperation parent = mlirOperationGetParentOperation(loop);
  for (; op_is(session, parent, OP_SCF_FOR); parent = mlirOperationGetParentOperation(loop))
    loop = parent;
  return loop;
}

static MlirValue always(struct builder *b) {
  return build_integer(b, 1, 1);
}

static MlirValue parity_before(struct roles *roles, struct builder *b) {
  return build_binary(b, "arith.xori", roles->parity, build_integer(b, 32, 1));
}

/* --- The producer's part ---------------------------------------------------------------------- */

/* Right before each load, whose offsets are there. */
static void build_copies(struct roles *roles) {
  struct bulk_ring *ring = &roles->ring;
  MlirValue full[MAX_SCHEDULED];
  for (int i = 0; i < ring->row_count; i++) {
    int channel = ring->channel_of[i];
    MlirOperation load = ring->rows[i]->load;
    struct builder b = builder_before(load);
    MlirValue offsets[MAX_RANK];
    for (intptr_t k = 0; k + 1 < mlirOperationGetNumOperands(load); k++)
      offsets[k] = op_operand(load, k + 1);
    if (i == ring->channels[channel].first) {
      full[channel] = bulk_ring_mbarrier(ring, &b, ring->full[channel], roles->stage);
      MlirValue empty = bulk_ring_mbarrier(ring, &b, roles->empty[channel], roles->stage);
      mark_producer(BUILD_OP(&b, "tile_gpu.mbarrier_wait", IN(empty, parity_before(roles, &b)),
                             OUT(ring->session->types.token)));
      mark_producer(bulk_ring_expect(ring, &b, channel, full[channel], always(&b)));
    }
    mark_producer(bulk_ring_start(ring, &b, i, roles->stage, full[channel], always(&b), offsets));
  }
}

/* --- The transposers' part -------------------------------------------------------------------- */

static MlirValue mbarrier_at(struct roles *roles, struct builder *b, MlirValue mbarriers) {
  return bulk_ring_mbarrier(&roles->ring, b, mbarriers, roles->stage);
}

static MlirOperation build_wait_at(struct roles *roles, struct builder *b, MlirValue mbarriers,
                                   MlirValue parity) {
  return BUILD_OP(b, "tile_gpu.mbarrier_wait", IN(mbarrier_at(roles, b, mbarriers), parity),
                  OUT(roles->ring.session->types.token));
}

static MlirOperation build_arrival_at(struct roles *roles, struct builder *b, MlirValue mbarriers) {
  return BUILD_OP(b, "tile_gpu.mbarrier_arrive", IN(mbarrier_at(roles, b, mbarriers), always(b)));
}

/* For transforms/overlap.h: `op` is where it is on account of `dot`. */
static void note_sync(struct roles *roles, MlirOperation op, MlirOperation dot) {
  if (!mlirOperationIsNull(dot))
    map_set(roles->syncs, op.ptr, dot.ptr);
}

/* The transposition of a row's block, or null. */
static MlirOperation transpose_of(const struct bulk_ring *ring, int row) {
  return scheduled_is_transposed(ring->session, ring->rows[row])
             ? buffer_transpose(ring->session, ring->rows[row]->consumer)
             : (MlirOperation){0};
}

/* From one stage to the other, in place of the buffer that the transposition filled. */
static void build_transpose(struct roles *roles, int row, MlirOperation transpose) {
  MlirOperation filled = value_definition(op_operand(transpose, 1));
  struct builder b = builder_before(filled);
  MlirValue stage = BUILD(&b, "tile_gpu.index", IN(roles->results[row], roles->stage),
                          OUT(op_result_type(filled, 0)));
  replace_op(filled, &stage);
  attribute_set_unit(transpose, ATTR_BY_ROLE);
  mark_transposer(transpose);
  note_sync(roles, transpose, roles->ring.channels[roles->ring.channel_of[row]].dot);
}

/* The waits before the first transposition of a channel in the body, the arrivals behind the last
   one. */
static void build_transposes(struct roles *roles, int channel) {
  struct bulk_ring *ring = &roles->ring;
  const struct transposed *of = &roles->transposed[channel];
  MlirOperation first = {0}, last = {0};
  for (int i = 0; i < ring->row_count; i++) {
    MlirOperation transpose = transpose_of(ring, i);
    if (ring->channel_of[i] != channel || mlirOperationIsNull(transpose))
      continue;
    bool none = mlirOperationIsNull(first);
    first = none || mlirOperationIsBeforeInBlock(transpose, first) ? transpose : first;
    last = none || mlirOperationIsBeforeInBlock(last, transpose) ? transpose : last;
    build_transpose(roles, i, transpose);
  }
  struct builder before = builder_before(first),
                 behind = builder_before(mlirOperationGetNextInBlock(last));
  MlirOperation syncs[] = {
      build_wait_at(roles, &before, ring->full[channel], roles->parity),
      build_arrival_at(roles, &behind, of->ready),
      build_arrival_at(roles, &behind, roles->empty[channel]),
      of->all ? build_wait_at(roles, &before, of->read, parity_before(roles, &before))
              : (MlirOperation){0}};
  for (int i = 0; i < 3 + of->all; i++)
    note_sync(roles, mark_transposer(syncs[i]), ring->channels[channel].dot);
}

/* --- The consumers' part ---------------------------------------------------------------------- */

/* What the consumers wait for, of a channel: what is copied and read so, and what is transposed. */
static void build_waits(struct roles *roles, struct builder *b, int channel, MlirOperation dot) {
  const struct transposed *transposed = &roles->transposed[channel];
  if (!transposed->all)
    note_sync(roles, build_wait_at(roles, b, roles->ring.full[channel], roles->parity), dot);
  if (transposed->any)
    note_sync(roles, build_wait_at(roles, b, transposed->ready, roles->parity), dot);
}

/* Waits for a channel: before its first load, or, where what it brings is for one dot alone,
   right before that. */
static void build_wait(struct roles *roles, int channel) {
  struct bulk_ring *ring = &roles->ring;
  const struct bulk_channel *of = &ring->channels[channel];
  struct builder b =
      builder_before(mlirOperationIsNull(of->dot) ? ring->rows[of->first]->load : of->dot);
  build_waits(roles, &b, channel, of->dot);
}

/* Everyone has read the stage. */
static void build_arrival(struct roles *roles, int channel, struct builder *b, MlirValue stage,
                          MlirValue predicate, MlirOperation dot) {
  struct bulk_ring *ring = &roles->ring;
  const struct transposed *transposed = &roles->transposed[channel];
  MlirValue mbarriers = transposed->all ? transposed->read : roles->empty[channel];
  note_sync(roles,
            BUILD_OP(b, "tile_gpu.mbarrier_arrive",
                     IN(bulk_ring_mbarrier(ring, b, mbarriers, stage), predicate)),
            dot);
}

static MlirValue stage_before(struct roles *roles, struct builder *b, MlirValue stage) {
  MlirValue first = build_compare(b, I_EQUAL, stage, build_integer(b, 32, 0));
  MlirValue less = build_binary(b, "arith.subi", stage, build_integer(b, 32, 1));
  return BUILD(b, "arith.select", IN(first, build_integer(b, 32, roles->ring.count - 1), less),
               OUT(mlirValueGetType(stage)));
}

/* i1: has the loop an iteration; has this iteration one before it? */
static MlirValue loop_runs(struct builder *b, MlirOperation loop) {
  return build_compare(b, op_has_attribute(loop, "unsignedCmp") ? I_BELOW : I_LESS,
                       op_operand(loop, 0), op_operand(loop, 1));
}

/* The channel has been read behind the wait for its dot, or at the end of the body. */
static struct builder behind_reads(const struct roles *roles, int channel, MlirBlock body) {
  MlirOperation dot = roles->ring.channels[channel].dot;
  if (mlirOperationIsNull(dot))
    return builder_before(mlirBlockGetTerminator(body));
  return builder_before(mlirOperationGetNextInBlock(only_user(op_result(dot, 0))));
}

/* A second wait for the blocks of a channel, before the wait for a dot. It is over already, and a
   loop of its own: ptxas moves a wait for a dot up past all arithmetic that does not need it, but
   not past that, and so what is to be computed under the dot stays there. */
static MlirOperation build_wait_again(struct roles *roles, int channel, MlirOperation wait) {
  const struct transposed *transposed = &roles->transposed[channel];
  struct builder b = builder_before(wait);
  return build_wait_at(roles, &b, transposed->any ? transposed->ready : roles->ring.full[channel],
                       roles->parity);
}

static void keep_dot_in_flight(struct roles *roles, int channel) {
  MlirOperation dot = roles->ring.channels[channel].dot;
  note_sync(roles, build_wait_again(roles, channel, only_user(op_result(dot, 0))), dot);
}

/* Does the wait come behind arithmetic that follows the wait for another dot, with no start of one
   between them? */
static bool comes_behind_arithmetic(struct session *session, MlirBlock body, MlirOperation wait) {
  bool behind = false;
  MlirOperation op = mlirBlockGetFirstOperation(body);
  enum { START, WAIT, ARITHMETIC } last = START;
  for (; !behind && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    behind = mlirOperationEqual(op, wait) && last == ARITHMETIC;
    if (starts_async_dot(session, op))
      last = START;
    else if (waits_for_async_dot(session, op))
      last = WAIT;
    else if (last == WAIT && op_has(session, op, IS_ELEMENTWISE) &&
             type_is_tensor(op_result_type(op, 0)))
      last = ARITHMETIC;
  }
  return behind;
}

/* The same for each dot that is in flight while threads compute with another one's result
   (tile-gpu-advance-products), where its blocks are not given back before its wait. */
static void keep_dots_in_flight(struct roles *roles, MlirBlock body) {
  struct session *session = roles->ring.session;
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!waits_for_async_dot(session, op) || !comes_behind_arithmetic(session, body, op))
      continue;
    for (int i = 0; i < roles->ring.channel_count; i++) {
      MlirOperation dot = roles->ring.channels[i].dot;
      if (mlirOperationIsNull(dot) || mlirOperationEqual(only_user(op_result(dot, 0)), op)) {
        build_wait_again(roles, i, op);
        break;
      }
    }
  }
}

static void build_arrivals_in_body(struct roles *roles, MlirBlock body, bool overlaps) {
  if (!overlaps)
    keep_dots_in_flight(roles, body);
  for (int i = 0; i < roles->ring.channel_count; i++) {
    struct builder b = behind_reads(roles, i, body);
    if (overlaps && i > 0)
      keep_dot_in_flight(roles, i);
    build_arrival(roles, i, &b, roles->stage, always(&b), roles->ring.channels[i].dot);
  }
}

/* `wait`: of the product that stays in flight; `last`: the wait after the loop for the last one. */
static void build_arrivals_later(struct roles *roles, MlirOperation loop, intptr_t carried,
                                 MlirOperation wait, MlirOperation last) {
  MlirBlock body = op_body(loop, 0);
  struct builder b = builder_before(mlirOperationGetNextInBlock(wait));
  MlirValue later =
      build_compare(&b, I_UNEQUAL, mlirBlockGetArgument(body, 0), op_operand(loop, 0));
  build_arrival(roles, 0, &b, stage_before(roles, &b, roles->stage), later, (MlirOperation){0});
  struct builder after = builder_before(mlirOperationGetNextInBlock(last));
  build_arrival(roles, 0, &after, stage_before(roles, &after, op_result(loop, carried)),
                loop_runs(&after, loop), (MlirOperation){0});
}

/* --- Loops ------------------------------------------------------------------------------------ */

/* The loop around `inner` hands on what `inner` does from result and initial value `first` on. */
static MlirOperation widen_parent(MlirOperation parent, MlirOperation inner, intptr_t first) {
  struct wider_loop *w = tile_allocate(sizeof *w);
  *w = (struct wider_loop){.old = parent};
  struct builder b = builder_before(parent);
  for (intptr_t k = 0; k < 2; k++)
    wider_add(w, build_integer(&b, 32, 0));
  wider_build(w, &b);
  MlirValue values[2];
  for (intptr_t k = 0; k < 2; k++) {
    mlirOperationSetOperand(inner, 3 + first + k, wider_argument(w, k));
    values[k] = op_result(inner, first + k);
  }
  wider_finish(w, values);
  MlirOperation loop = w->loop;
  free(w);
  return loop;
}

/* Stage and parity go through all loops from `loop` outwards; returns as which value they go
   through the first. */
static intptr_t widen_parents(struct session *session, MlirOperation loop, intptr_t carried) {
  MlirOperation parent = mlirOperationGetParentOperation(loop);
  intptr_t first = -1;
  while (op_is(session, parent, OP_SCF_FOR)) {
    intptr_t before = mlirOperationGetNumResults(parent);
    loop = widen_parent(parent, loop, carried);
    carried = before;
    first = first < 0 ? before : first;
    parent = mlirOperationGetParentOperation(loop);
  }
  return first;
}

/* A loop that comes after another one in the loop around both hands them on from now on. */
static void hand_on(struct session *session, MlirOperation loop, intptr_t carried, intptr_t outer) {
  MlirOperation parent = mlirOperationGetParentOperation(loop);
  if (!op_is(session, parent, OP_SCF_FOR))
    return;
  MlirOperation yield = mlirBlockGetTerminator(op_body(parent, 0));
  for (intptr_t k = 0; k < 2; k++)
    mlirOperationSetOperand(yield, outer + k, op_result(loop, carried + k));
}

/* Which channels are transposed, all of them or in part. */
static void find_transposed(struct roles *roles) {
  struct bulk_ring *ring = &roles->ring;
  for (int i = 0; i < ring->channel_count; i++)
    roles->transposed[i].all = true;
  for (int i = 0; i < ring->row_count; i++) {
    struct transposed *of = &roles->transposed[ring->channel_of[i]];
    bool transposed = scheduled_is_transposed(ring->session, ring->rows[i]);
    of->any |= transposed;
    of->all &= transposed;
  }
}

/* As many stages of what is transposed as are copied. */
static void build_results(struct roles *roles, const struct loop_schedule *schedule,
                          struct builder *b) {
  struct bulk_ring *ring = &roles->ring;
  for (int i = 0; i < ring->row_count; i++) {
    MlirOperation transpose = transpose_of(ring, i);
    if (mlirOperationIsNull(transpose))
      continue;
    MlirType stage = op_operand_type(transpose, 1);
    int64_t shape[] = {schedule->room, mlirShapedTypeGetDimSize(stage, 0),
                       mlirShapedTypeGetDimSize(stage, 1)};
    b->location = mlirOperationGetLocation(ring->rows[i]->load);
    roles->results[i] = BUILD(b, "tile_gpu.alloc",
                              OUT(shared_type(3, shape, mlirShapedTypeGetElementType(stage),
                                              mlirMemRefTypeGetMemorySpace(stage))));
  }
}

/* Those that say that a stage may be written again, and that it is transposed. */
static void build_mbarriers(struct roles *roles, int channel, int warps, struct builder *b) {
  struct bulk_ring *ring = &roles->ring;
  struct transposed *of = &roles->transposed[channel];
  int arrivals = (of->all ? 0 : warps) + (of->any ? TRANSPOSER_WARPS : 0);
  roles->empty[channel] = bulk_ring_mbarriers(ring, b, ring->count, arrivals);
  if (!of->any)
    return;
  of->ready = bulk_ring_mbarriers(ring, b, ring->count, TRANSPOSER_WARPS);
  if (of->all)
    of->read = bulk_ring_mbarriers(ring, b, ring->count, warps);
}

/* The kernel's buffers and mbarriers, made for its first loop. */
static struct roles *roles_of(struct role_rewrite *rewrite, struct session *session,
                              const struct loop_schedule *schedule, bool each_dot) {
  int64_t warps = attribute_number(module_of(schedule->loop), ATTR_NUM_WARPS, 4);
  if (rewrite->roles) {
    bulk_ring_take(&rewrite->roles->ring, schedule);
    return rewrite->roles;
  }
  struct roles *roles = rewrite->roles = tile_allocate(sizeof *roles);
  *roles = (struct roles){.syncs = &rewrite->syncs};
  struct builder b = builder_before(outermost(session, schedule->loop));
  bulk_ring_build(&roles->ring, session, schedule, BULK_ROWS_ALL, schedule->room, each_dot, &b);
  find_transposed(roles);
  build_results(roles, schedule, &b);
  for (int i = 0; i < roles->ring.channel_count; i++)
    build_mbarriers(roles, i, (int)warps, &b);
  return roles;
}

void role_rewrite_end(struct role_rewrite *rewrite) {
  free(rewrite->roles);
  map_free(&rewrite->syncs);
}

MlirOperation pipeline_roles(struct session *session, const struct loop_schedule *schedule,
                             MlirOperation wait, MlirOperation last, struct role_rewrite *rewrite) {
  struct wider_loop *w = tile_allocate(sizeof *w);
  *w = (struct wider_loop){.old = schedule->loop};
  bool first = !rewrite->roles;
  struct roles *roles = roles_of(rewrite, session, schedule, mlirOperationIsNull(wait));
  struct builder b = builder_before(schedule->loop);
  for (int k = 0; k < 2; k++)
    wider_add(w,
              first ? build_integer(&b, 32, 0) : op_result(rewrite->before, rewrite->carried + k));
  wider_build(w, &b);
  struct builder inside = builder_at_end(session->context, w->block, b.location);
  roles->stage = wider_argument(w, 0);
  roles->parity = wider_argument(w, 1);
  MlirValue values[2];
  values[0] = bulk_ring_next(&roles->ring, &inside, roles->stage, roles->parity, &values[1]);
  build_copies(roles);
  for (int i = 0; i < roles->ring.channel_count; i++)
    if (roles->transposed[i].any)
      build_transposes(roles, i);
  for (int i = 0; i < roles->ring.channel_count; i++)
    build_wait(roles, i);
  for (int i = 0; i < roles->ring.row_count; i++)
    bulk_ring_serve(&roles->ring, i, roles->stage);
  wider_finish(w, values);
  MlirOperation loop = w->loop;
  rewrite->carried = w->carried;
  if (mlirOperationIsNull(wait))
    build_arrivals_in_body(roles, op_body(loop, 0), schedule->overlaps);
  else
    build_arrivals_later(roles, loop, w->carried, wait, last);
  if (first)
    rewrite->outer = widen_parents(session, loop, w->carried);
  else
    hand_on(session, loop, w->carried, rewrite->outer);
  free(w);
  return loop;
}
