/* SPDX-License-Identifier: MIT */
/* tile-gpu-pipeline: blocks that the copy engine brings once a program, before the loops that read
   them, as attention's queries.

     block whose threads all do the same       block with roles
       mbarrier full: initialised                mbarriers full and empty, one a stage: initialised
       expect the bytes; start the copy          for program, stage, its parity
       wait at full                                producer   wait at empty for the phase before
       ... loops ...                                          expect the bytes; start the copy
       mbarrier invalidated                        consumers  wait at full
                                                              ... loops ...
                                                              arrive at empty

   In a block with roles that goes over programs, the producer starts the next one's copies while
   the consumers end this one: with two stages as soon as it has started all of this one's, with
   one as soon as all consumers have read it, which each warp tells for itself. Without such a loop
   nothing is copied twice, and there is no mbarrier for that. */
#include <stdlib.h>
#include "analysis/axis_info.h"
#include "analysis/buffers.h"
#include "analysis/loop_stages.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "transforms/bulk_ring.h"
#include "transforms/pipeline.h"

struct outer_loads {
  struct session *session;
  MlirOperation list[MAX_OUTER_LOADS];
  int count;
};

/* One block: its buffers, and which stage it is in. */
struct outer {
  struct loop_schedule rows; /* one row */
  struct bulk_ring ring;
  MlirValue stage, parity;
  MlirValue empty; /* mbarriers: everyone has read the stage; null without a loop */
};

static struct outer *outer_create(struct session *session, MlirOperation load, int stages,
                                  struct builder *setup) {
  struct outer *outer = tile_allocate(sizeof *outer);
  MlirOperation buffer = only_user(op_result(load, 0));
  MlirType tile = op_result_type(load, 0);
  *outer = (struct outer){.rows = {.count = 1, .bulk = true}};
  outer->rows.loads[0] = (struct scheduled_load){
      .load = load,
      .method = PIPELINE_BULK,
      .consumer = buffer,
      .space = mlirMemRefTypeGetMemorySpace(op_result_type(buffer, 0)),
      .bytes = type_elements(tile) * memory_bytes(session, type_element(tile))};
  bulk_ring_build(&outer->ring, session, &outer->rows, BULK_ROWS_ALL, stages, false, setup);
  return outer;
}

static MlirValue full_mbarrier(struct outer *outer, struct builder *b) {
  return bulk_ring_mbarrier(&outer->ring, b, outer->ring.full[0], outer->stage);
}

/* At `b`, before the load; what starts the copy goes to out[0] and out[1]. */
static void build_copy(struct outer *outer, struct builder *b, MlirOperation out[2]) {
  MlirOperation load = outer->rows.loads[0].load;
  MlirValue offsets[MAX_RANK], full = full_mbarrier(outer, b), always = build_integer(b, 1, 1);
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(load); i++)
    offsets[i] = op_operand(load, i + 1);
  out[0] = bulk_ring_expect(&outer->ring, b, 0, full, always);
  out[1] = bulk_ring_start(&outer->ring, b, 0, outer->stage, full, always, offsets);
}

static void build_wait(struct outer *outer, struct builder *b) {
  BUILD_OP(b, "tile_gpu.mbarrier_wait", IN(full_mbarrier(outer, b), outer->parity),
           OUT(outer->ring.session->types.token));
}

/* Behind all that reads the buffer, in its own block. */
static struct builder behind_reads(struct session *session, MlirOperation buffer) {
  struct builder b = builder_before(mlirOperationGetNextInBlock(buffer_last_use(session, buffer)));
  b.location = mlirOperationGetLocation(buffer);
  return b;
}

/* --- All threads do the same ------------------------------------------------------------------ */

static void copy_for_all(struct session *session, MlirOperation load) {
  struct builder b = builder_before(load);
  struct outer *outer = outer_create(session, load, 1, &b);
  MlirOperation copies[2], buffer = outer->rows.loads[0].consumer;
  outer->stage = outer->parity = build_integer(&b, 32, 0);
  build_copy(outer, &b, copies);
  struct builder before = builder_before(buffer), after = behind_reads(session, buffer);
  build_wait(outer, &before);
  bulk_ring_serve(&outer->ring, 0, outer->stage);
  BUILD_OP(&after, "tile_gpu.mbarrier_inval", IN(outer->ring.full[0]));
  free(outer);
}

/* --- Roles ------------------------------------------------------------------------------------ */

/* `loop`: the one that the load is in, or null. */
static struct outer_read copy_by_producer(struct session *session, MlirOperation load,
                                          MlirOperation loop, MlirValue stage, MlirValue parity) {
  bool turns = !mlirOperationIsNull(loop);
  int stages = (int)attribute_number(load, ATTR_RING_STAGES, 1);
  int warps = (int)attribute_number(module_of(load), ATTR_NUM_WARPS, 4);
  struct builder setup = builder_before(turns ? loop : load), b = builder_before(load);
  struct outer *outer = outer_create(session, load, stages, &setup);
  MlirOperation buffer = outer->rows.loads[0].consumer, copies[2];
  MlirValue zero = build_integer(&b, 32, 0), empty = {0};
  outer->stage = turns ? stage : zero;
  outer->parity = turns ? parity : zero;
  if (turns) {
    outer->empty = bulk_ring_mbarriers(&outer->ring, &setup, stages, warps);
    empty = bulk_ring_mbarrier(&outer->ring, &b, outer->empty, outer->stage);
    MlirValue before = build_binary(&b, "arith.xori", parity, build_integer(&b, 32, 1));
    attribute_set_unit(
        BUILD_OP(&b, "tile_gpu.mbarrier_wait", IN(empty, before), OUT(session->types.token)),
        ATTR_PRODUCER);
  }
  build_copy(outer, &b, copies);
  attribute_set_unit(copies[0], ATTR_PRODUCER);
  attribute_set_unit(copies[1], ATTR_PRODUCER);
  struct builder before = builder_before(buffer);
  build_wait(outer, &before);
  struct outer_read read = {.view = bulk_ring_serve(&outer->ring, 0, outer->stage), .empty = empty};
  free(outer);
  return read;
}

/* Adds what reads a view of a buffer, other views aside, with the operations around it. */
static void note_readers(struct session *session, MlirValue view, struct map *readers) {
  MlirOpOperand use = mlirValueGetFirstUse(view);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (op_has(session, op, IS_VIEW))
      note_readers(session, op_result(op, 0), readers);
    for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
      map_set(readers, op.ptr, readers);
  }
}

/* Tells that the buffer has been read: in a block behind what reads it last, or at its beginning
   where nothing does. Where that is a branch it is told in both arms, as early as it can be in each
   of them: attention's last values are still to be multiplied when all keys have been. A product in
   flight is waited for first. */
static void build_arrival(struct session *session, const struct map *readers, MlirValue empty,
                          MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block), last = {0};
  struct builder b = builder_before(op);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (map_get(readers, op.ptr))
      last = op;
  if (!mlirOperationIsNull(last) && op_is(session, last, OP_SCF_IF) &&
      !mlirBlockIsNull(op_body(last, 1))) {
    build_arrival(session, readers, empty, op_body(last, 0));
    build_arrival(session, readers, empty, op_body(last, 1));
    return;
  }
  if (!mlirOperationIsNull(last)) {
    op = mlirOperationGetNextInBlock(last);
    MlirOperation wait = {0};
    if (starts_async_dot(session, last))
      wait = only_user(op_result(last, 0));
    if (!mlirOperationIsNull(wait))
      op = mlirOperationGetNextInBlock(wait);
    while (waits_for_async_dot(session, op))
      op = mlirOperationGetNextInBlock(op);
    b = builder_before(op);
  }
  BUILD_OP(&b, "tile_gpu.mbarrier_arrive", IN(empty, build_integer(&b, 1, 1)));
}

void pipeline_outer_end(struct session *session, const struct outer_reads *reads) {
  for (int i = 0; i < reads->count; i++) {
    struct map readers = {0};
    note_readers(session, reads->list[i].view, &readers);
    build_arrival(session, &readers, reads->list[i].empty,
                  mlirOperationGetBlock(value_definition(reads->list[i].view)));
    map_free(&readers);
  }
}

/* Stage and parity of the blocks that the loop's iterations bring, which are carried from here
   on. All of them have equally many stages. */
static MlirOperation carry_turns(MlirOperation loop, int stages, MlirValue out[2]) {
  struct wider_loop *w = tile_allocate(sizeof *w);
  struct bulk_ring counted = {.count = stages};
  struct builder b = builder_before(loop);
  MlirValue next[2];
  *w = (struct wider_loop){.old = loop};
  for (int k = 0; k < 2; k++)
    wider_add(w, build_integer(&b, 32, 0));
  wider_build(w, &b);
  struct builder inside = builder_at_end(b.context, w->block, b.location);
  for (int k = 0; k < 2; k++)
    out[k] = wider_argument(w, k);
  next[0] = bulk_ring_next(&counted, &inside, out[0], out[1], &next[1]);
  wider_finish(w, next);
  loop = w->loop;
  free(w);
  return loop;
}

/* --- The kernel ------------------------------------------------------------------------------- */

static MlirLogicalResult note_load(MlirOperation op, void *data) {
  struct outer_loads *loads = data;
  if (op_is(loads->session, op, OP_TILE_DESCRIPTOR_LOAD) && attribute_has(op, ATTR_RING_STAGES))
    loads->list[loads->count++] = op;
  return SUCCESS;
}

static MlirLogicalResult note_lone_load(MlirOperation op, void *data) {
  struct outer_loads *loads = data;
  if (op_is(loads->session, op, OP_TILE_DESCRIPTOR_LOAD) && !is_in_loop(loads->session, op) &&
      loads->count < MAX_OUTER_LOADS)
    loads->list[loads->count++] = op;
  return SUCCESS;
}

static void copy_all_for_all(struct session *session, MlirOperation kernel) {
  struct outer_loads loads = {.session = session};
  struct axis_analysis axis;
  visit_operations(kernel, note_lone_load, &loads);
  if (!loads.count)
    return;
  bool fit[MAX_OUTER_LOADS];
  axis_analysis_run(&axis, session, kernel);
  for (int i = 0; i < loads.count; i++) {
    const char *reason;
    MlirOperation buffer = block_buffer(session, &axis, loads.list[i], &reason);
    fit[i] = !mlirOperationIsNull(buffer) && !mlirOperationIsNull(buffer_last_use(session, buffer));
  }
  axis_analysis_destroy(&axis);
  for (int i = 0; i < loads.count; i++)
    if (fit[i])
      copy_for_all(session, loads.list[i]);
}

void pipeline_outer(struct session *session, MlirOperation kernel, struct outer_reads *out) {
  out->count = 0;
  struct outer_loads loads = {.session = session};
  if (!attribute_has(kernel, ATTR_PRODUCER_WARPS)) {
    copy_all_for_all(session, kernel);
    return;
  }
  visit_operations(kernel, note_load, &loads);
  MlirOperation loop = {0};
  MlirValue turns[2] = {{0}};
  for (int i = 0; i < loads.count; i++) {
    MlirOperation parent = mlirOperationGetParentOperation(loads.list[i]);
    bool in_loop = op_is(session, parent, OP_SCF_FOR);
    if (in_loop && !mlirOperationEqual(parent, loop))
      loop = carry_turns(parent, (int)attribute_number(loads.list[i], ATTR_RING_STAGES, 1), turns);
    out->list[out->count] = copy_by_producer(
        session, loads.list[i], in_loop ? loop : (MlirOperation){0}, turns[0], turns[1]);
    out->count += in_loop;
  }
}
