/* SPDX-License-Identifier: MIT */
/* tile-gpu-pipeline: asynchronous copies into stages of shared memory, some iterations ahead
   (pipeline.c shows the rewrite). */
#include <stdlib.h>
#include "analysis/loop_stages.h"
#include "analysis/offsets.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "ir/shared_attribute.h"
#include "ir/tile_ops.h"
#include "ir/verify.h"
#include "transforms/pipeline_rewrite.h"

struct copies {
  struct session *session;
  MlirValue buffers[MAX_SCHEDULED], tokens[MAX_SCHEDULED];
  MlirType stages[MAX_SCHEDULED]; /* the type of one stage */
  MlirValue index;                /* of the stage that is copied into */
  bool all_ahead;                 /* before the loop, which has no more iterations */
};

static void build_buffers(struct rewrite *r, struct builder *b, int count, struct copies *copies) {
  for (int i = 0; i < r->count; i++) {
    MlirType tile = op_result_type(r->rows[i].load, 0);
    int64_t shape[MAX_RANK + 1] = {count};
    int rank = type_shape(tile, shape + 1);
    b->location = mlirOperationGetLocation(r->rows[i].load);
    copies->stages[i] = shared_type(rank, shape + 1, type_element(tile), r->rows[i].space);
    copies->buffers[i] =
        BUILD(b, "tile_gpu.alloc",
              OUT(shared_type(rank + 1, shape, type_element(tile), r->rows[i].space)));
  }
}

/* What its mask leaves out is selected after the load from shared memory. */
static void start_copy(struct rewrite *r, struct builder *b, int row, MlirValue exists,
                       void *data) {
  struct copies *copies = data;
  struct tile_load load = rewrite_load(r, b, row, exists);
  b->location = mlirOperationGetLocation(r->rows[row].load);
  MlirValue stage =
      BUILD(b, "tile_gpu.index", IN(copies->buffers[row], copies->index), OUT(copies->stages[row]));
  copies->tokens[row] = BUILD(b, "tile_gpu.async_copy", IN(load.pointer, stage, load.mask),
                              OUT(copies->session->types.token),
                              ATTRIBUTES(operand_segments(b, 4, (int32_t[]){1, 1, 1, 0})));
}

static MlirValue commit(struct builder *b, struct copies *copies, intptr_t count) {
  MlirType token = copies->session->types.token;
  return build_value(b, &(struct op_spec){.name = "tile_gpu.async_commit",
                                          .in = copies->tokens,
                                          .in_count = count,
                                          .out = &token,
                                          .out_count = 1});
}

static MlirValue wait_for(struct builder *b, struct copies *copies, MlirValue token, int pending) {
  return BUILD(b, "tile_gpu.async_wait", IN(token), OUT(copies->session->types.token),
               ATTRIBUTES(attribute_named(b->context, "pending",
                                          attribute_integer(b->context, 32, pending))));
}

/* A group for each iteration, of the copies that there are. */
static void commit_iteration(struct rewrite *r, struct builder *b, int iteration, void *data) {
  struct copies *copies = data;
  r->groups[iteration] = commit(b, copies, r->count);
  copies->index = build_integer(b, 32, iteration + 1);
}

/* index + 1, or 0 after the last stage. */
static MlirValue next_stage(struct builder *b, MlirValue index, int count) {
  if (count == 1)
    return index;
  MlirValue next = build_binary(b, "arith.addi", index, build_integer(b, 32, 1));
  MlirValue last = build_compare(b, I_EQUAL, next, build_integer(b, 32, count));
  return BUILD(b, "arith.select", IN(last, build_integer(b, 32, 0), next),
               OUT(mlirValueGetType(index)));
}

/* A view of the stage with its dimensions in the order that tile.permute gives them. */
static MlirValue permuted_view(struct session *session, struct builder *b, MlirValue stage,
                               MlirOperation permute) {
  MlirAttribute order = mlirOperationGetAttributeByName(permute, ref("order"));
  MlirType type = shared_permuted(&session->layouts, mlirValueGetType(stage), order);
  return BUILD(b, "tile_gpu.transpose", IN(stage), OUT(type),
               ATTRIBUTES(attribute_named(b->context, "order", order)));
}

/* The tile of this iteration comes from its stage of the buffer, where the load stood. */
static void serve_load(struct rewrite *r, int i, struct copies *copies, MlirValue index,
                       MlirValue token) {
  struct scheduled_load *row = &r->rows[i];
  struct tile_load load;
  tile_load_read(row->load, &load);
  MlirOperation consumer = row->consumer;
  bool is_alloc =
      !mlirOperationIsNull(consumer) && kind_of(copies->session, consumer) == OP_TILE_GPU_ALLOC;
  struct builder b = builder_before(row->load);
  MlirValue stage =
      BUILD(&b, "tile_gpu.index", IN(copies->buffers[i], index), OUT(copies->stages[i]));
  if (is_alloc) {
    replace_op(consumer, &stage);
    mlirOperationDestroy(row->load);
    return;
  }
  MlirOperation served = mlirOperationIsNull(consumer) ? row->load : consumer;
  if (!mlirOperationIsNull(row->permute))
    stage = permuted_view(copies->session, &b, stage, row->permute);
  MlirType type = mlirTypeIsNull(row->transposed) ? op_result_type(served, 0) : row->transposed;
  MlirValue value = BUILD(&b, "tile_gpu.local_load", IN(stage, token), OUT(type));
  bool filled = mlirValueIsNull(load.mask) || mlirValueIsNull(load.other) ||
                value_is_zero(copies->session, load.other);
  if (!filled)
    value =
        BUILD(&b, "arith.select", IN(load.mask, value, load.other), OUT(mlirValueGetType(value)));
  replace_op(served, &value);
  if (!mlirOperationIsNull(row->permute))
    mlirOperationDestroy(row->permute);
  if (!mlirOperationIsNull(consumer))
    mlirOperationDestroy(row->load);
}

static MlirOperation put_barrier_after(MlirOperation op) {
  struct builder b = builder_before(mlirOperationGetNextInBlock(op));
  return BUILD_OP(&b, "tile_gpu.barrier", .in = NULL);
}

/* Is it computed in the block, or written to shared memory there, and not just read from it? */
static bool is_computed(struct session *session, MlirValue value, MlirBlock block) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || !mlirBlockEqual(mlirOperationGetBlock(op), block))
    return false;
  enum op_kind kind = kind_of(session, op);
  if (KIND_IN(kind, OP_TILE_GPU_LOCAL_LOAD, OP_TILE_LOAD))
    return false;
  if (kind_has(kind, IS_VIEW) || kind == OP_TILE_GPU_CONVERT_LAYOUT)
    return is_computed(session, op_operand(op, 0), block);
  return true;
}

static bool has_store(struct session *session, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && !op_is(session, op, OP_TILE_STORE) &&
         !op_is(session, op, OP_TILE_GPU_BULK_STORE))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

/* Does a dot by warp groups wait for what threads make of this iteration's tiles first, in a
   loop that stores, too, with none of the iteration before in flight? */
static bool waits_for_threads(const struct loop_schedule *schedule, struct session *session,
                              MlirOperation product) {
  MlirBlock block = mlirOperationGetBlock(product);
  return !schedule->in_flight && !schedule->reuses &&
         op_is(session, product, OP_TILE_GPU_WARPGROUP_DOT) && has_store(session, block) &&
         (is_computed(session, op_operand(product, 0), block) ||
          is_computed(session, op_operand(product, 1), block));
}

/* Where the body multiplies on tensor cores, the copies stand after its first products: the tensor
   cores start first, and the threads have time while they work. Products of warps find their
   operands in registers by then, so that no load of theirs waits after the copies either, and the
   copies may go where these were (loop_schedule.h). A dot by warp groups whose operands threads
   make of what they have read comes late in a loop that stores, too: with none of the iteration
   before in flight the tensor cores idle until then whatever is done, and the copies stay at the
   head of the iteration. In loops that only sum up this was slower, by 2 to 20%. Not where
   they go over what the product reads. */
static void delay_copies(const struct loop_schedule *schedule, const struct rewrite *r,
                         const struct wider_loop *w, const struct copies *copies, MlirValue group,
                         MlirOperation wait) {
  MlirOperation op = first_product(copies->session, w->block);
  if (!mlirOperationIsNull(wait))
    op = put_barrier_after(wait);
  else if (mlirOperationIsNull(op) || waits_for_threads(schedule, copies->session, op))
    return;
  else
    op = last_first_product(copies->session, w->block);
  for (int i = copies->all_ahead ? r->count : 0; i <= r->count; i++) {
    MlirOperation next = value_definition(i < r->count ? copies->tokens[i] : group);
    mlirOperationMoveAfter(next, op);
    op = next;
  }
}

MlirOperation pipeline_copies(struct session *session, const struct loop_schedule *schedule) {
  int d = schedule->copies_ahead, count = schedule->buffers;
  struct rewrite *r = tile_allocate(sizeof *r);
  struct copies *copies = tile_allocate(sizeof *copies);
  struct wider_loop *w = tile_allocate(sizeof *w);
  *r = (struct rewrite){0};
  bool exact;
  int64_t trips = loop_most_trips(session, schedule->loop, &exact);
  *copies = (struct copies){.session = session, .all_ahead = trips && trips <= d};
  *w = (struct wider_loop){.old = schedule->loop};
  MlirOperation wait = {0}; /* after which the copies may start */
  if (schedule->in_flight && schedule->reuses)
    wait = loop_schedule_in_flight(session, schedule);
  rewrite_begin(r, session, schedule, PIPELINE_COPY);
  struct builder b = builder_before(schedule->loop);
  build_buffers(r, &b, count, copies);
  copies->index = build_integer(&b, 32, 0);
  rewrite_prologue(r, &b, d, start_copy, commit_iteration, copies);
  b.location = mlirOperationGetLocation(schedule->loop);
  struct distance distance = distance_ahead(session, &b, schedule->loop, d);
  rewrite_carry(r, w);
  intptr_t numbers = count > d ? 2 : 1; /* of stages: this iteration's, and that of the one d ahead
                                         */
  for (int k = 0; k < numbers; k++)
    wider_add(w, build_integer(&b, 32, k * d));
  for (int k = 0; k < d; k++)
    wider_add(w, r->groups[k]);
  wider_build(w, &b);

  struct builder inside = builder_at_end(session->context, w->block, b.location);
  intptr_t next = rewrite_take(r, w, 0);
  MlirValue index = wider_argument(w, next);
  copies->index = wider_argument(w, next + numbers - 1);
  MlirValue landed = wait_for(&inside, copies, wider_argument(w, next + numbers), d - 1);
  if (!copies->all_ahead)
    rewrite_start_ahead(r, &inside, w, distance, start_copy, copies);
  MlirValue *values = tile_allocate((size_t)(w->count + 1) * sizeof *values);
  intptr_t yielded = rewrite_yield(r, values, 0);
  inside.location = b.location;
  MlirValue group = commit(&inside, copies, copies->all_ahead ? 0 : r->count);
  for (int k = 0; k < numbers; k++)
    values[yielded++] = next_stage(&inside, wider_argument(w, next + k), count);
  for (int k = 1; k < d; k++)
    values[yielded++] = wider_argument(w, next + numbers + k);
  values[yielded++] = group;
  for (int i = 0; i < r->count; i++)
    serve_load(r, i, copies, index, landed);
  wider_finish(w, values);
  wider_retire(session, w);
  delay_copies(schedule, r, w, copies, group, wait);
  MlirOperation loop = w->loop;
  struct builder after = b;
  after.before = mlirOperationGetNextInBlock(loop);
  wait_for(&after, copies, op_result(loop, w->carried + w->count - 1), 0);
  free(values);
  free(w);
  free(copies);
  rewrite_end(r);
  return loop;
}
