/* SPDX-License-Identifier: MIT */
/* tile-gpu-assign-roles: which kernels with bulk copies get roles, a thread that starts them and
   others that compute.

   Needs: final layouts; versions of kernels by tile-version-descriptors. Keeps: what they compute.
   Leaves: tile_gpu.producer_warps on the kernels, for tile-gpu-pipeline and
   tile-gpu-warp-specialize; tile_gpu.resident_blocks on those that go over programs, for the
   launch.

   Roles cost a warp group and give the copies a thread that never waits for the products: it is as
   far ahead as there are stages, over the end of a tile as well. They pay in loops over tiles,
   where a multiprocessor has but one block (docs/performance.md). With several, one copies while
   another computes, and the warps that only copy would take their registers. What a kernel must be
   like: one loop with copies, in loops over tiles; where its blocks are is computed from parameters
   and places in the grid; and nothing in it wants all threads of the block. A kernel of one tile a
   program that is like that otherwise gets a loop over programs (persist.h).

   They also pay where dots wait for one another and overlap (tile-gpu-overlap-products): the
   accumulators of both want the registers that the producer gives away, and each dot waits for its
   own blocks alone. So they do where several dots of an iteration wait for one another without
   that, as in attention's backward pass: what a block's threads wait for together, and when they
   copy, else stands between the dots. Such loops need no loop around them, but get one where they
   may. Several that copy the same kinds of blocks, one after the other, share the stages: attention
   left of its diagonal, then on it.

   Blocks that dots read and that are loaded before these loops are the producer's, too
   (pipeline_outer.c): with two stages where the block goes over programs, or tiles, and they cost
   the loops none, else with one. Leaves tile_gpu.ring_stages on their loads.

   tl.range(warp_specialize=True) around the loop, or on it, asks for a remark where there are none,
   and why; the option asks for one everywhere. */
#include <stdlib.h>
#include "analysis/buffers.h"
#include "analysis/loop_schedule.h"
#include "analysis/loop_stages.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "base/numbers.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"
#include "transforms/bulk_ring.h"
#include "transforms/persist.h"

const struct pass_option assign_roles_options[] = {
    {"remarks", OPTION_BOOLEAN, "false", "says of each loop with bulk copies why it has no roles"},
    {0}};

/* One is copied to, one is read, and a product in flight until the next iteration reads another.
   Dots that wait for one another have read theirs at the iteration's end: two do. */
enum { MIN_STAGES = 3, MIN_STAGES_OF_CHAIN = 2 };

enum { MAX_BULK_LOOPS = 4 };

/* The loops of a kernel with bulk copies, as they are scheduled without roles. */
struct bulk_loops {
  struct session *session;
  struct loop_schedule *list; /* of MAX_BULK_LOOPS */
  int count;                  /* may be more than that: then only the first ones are listed */
  MlirOperation outer[MAX_OUTER_LOADS]; /* blocks that are loaded once for these loops */
  int outer_count;
};

/* --- What the producer computes --------------------------------------------------------------- */

struct program_slice {
  struct session *session;
  struct map seen; /* MlirValue.ptr */
};

static bool is_scalar_program(struct program_slice *slice, MlirValue value);

static bool are_scalar_programs(struct program_slice *slice, MlirOperation op, intptr_t first,
                                intptr_t count) {
  for (intptr_t i = first; i < first + count; i++)
    if (!is_scalar_program(slice, op_operand(op, i)))
      return false;
  return true;
}

/* Carried value `index` of a loop: where it starts, how it goes on, and how often. */
static bool is_carried_program(struct program_slice *slice, MlirOperation loop, intptr_t index) {
  MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
  return are_scalar_programs(slice, loop, 0, 3) && are_scalar_programs(slice, loop, 3 + index, 1) &&
         are_scalar_programs(slice, yield, index, 1);
}

/* Is `value` computed from parameters and places in the grid, without tiles and without memory? */
static bool is_scalar_program(struct program_slice *slice, MlirValue value) {
  struct session *session = slice->session;
  if (map_get(&slice->seen, value.ptr))
    return true;
  map_set(&slice->seen, value.ptr, slice);
  if (type_is_tensor(mlirValueGetType(value)))
    return false;
  if (mlirValueIsABlockArgument(value)) {
    MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t number = mlirBlockArgumentGetArgNumber(value);
    if (op_is(session, owner, OP_FUNC))
      return true;
    if (!op_is(session, owner, OP_SCF_FOR))
      return false;
    return number ? is_carried_program(slice, owner, number - 1)
                  : are_scalar_programs(slice, owner, 0, 3);
  }
  MlirOperation op = value_definition(value);
  if (op_is(session, op, OP_SCF_FOR)) {
    intptr_t index = 0;
    while (!mlirValueEqual(op_result(op, index), value))
      index++;
    return is_carried_program(slice, op, index);
  }
  enum op_effects effects = op_info(&session->names, op)->effects;
  return (effects == EFFECTS_PURE || effects == EFFECTS_PURE_MAY_TRAP) &&
         mlirOperationGetNumRegions(op) == 0 &&
         are_scalar_programs(slice, op, 0, mlirOperationGetNumOperands(op));
}

/* The offsets of all blocks, and how often each loop around them runs. */
static bool producer_is_scalar(struct session *session, const struct loop_schedule *schedule) {
  struct program_slice slice = {.session = session};
  bool scalar = true;
  for (int i = 0; i < schedule->count && scalar; i++)
    scalar = are_scalar_programs(&slice, schedule->loads[i].load, 0,
                                 mlirOperationGetNumOperands(schedule->loads[i].load));
  MlirOperation loop = schedule->loop;
  for (; op_is(session, loop, OP_SCF_FOR) && scalar; loop = mlirOperationGetParentOperation(loop))
    scalar = are_scalar_programs(&slice, loop, 0, 3);
  map_free(&slice.seen);
  return scalar && op_is(session, loop, OP_FUNC);
}

/* --- Blocks before the loops ------------------------------------------------------------------ */

struct outer_search {
  struct session *session;
  struct axis_analysis *axis;
  struct bulk_loops *loops;
};

static bool is_copied_in_loop(const struct bulk_loops *loops, MlirOperation load) {
  for (int i = 0; i < loops->count && i < MAX_BULK_LOOPS; i++)
    if (op_is_inside(load, loops->list[i].loop))
      return true;
  return false;
}

/* The kernel's body, or that of a loop in it, such as one over tiles. */
static bool is_near_kernel(struct session *session, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (op_is(session, parent, OP_SCF_FOR))
    parent = mlirOperationGetParentOperation(parent);
  return op_is(session, parent, OP_FUNC);
}

/* What the producer can bring: the engine takes the block, and where it is is known to it. */
static bool is_for_producer(struct outer_search *search, MlirOperation load) {
  struct session *session = search->session;
  struct program_slice slice = {.session = session};
  const char *reason;
  MlirOperation buffer = block_buffer(session, search->axis, load, &reason);
  if (mlirOperationIsNull(buffer) || mlirOperationIsNull(buffer_last_use(session, buffer)) ||
      !is_near_kernel(session, load))
    return false;
  MlirOperation loop = mlirOperationGetParentOperation(load);
  bool scalar = are_scalar_programs(&slice, load, 0, mlirOperationGetNumOperands(load)) &&
                (!op_is(session, loop, OP_SCF_FOR) || are_scalar_programs(&slice, loop, 0, 3));
  map_free(&slice.seen);
  return scalar;
}

static MlirLogicalResult note_outer(MlirOperation op, void *data) {
  struct outer_search *search = data;
  struct bulk_loops *loops = search->loops;
  if (op_is(search->session, op, OP_TILE_DESCRIPTOR_LOAD) && !is_copied_in_loop(loops, op) &&
      loops->outer_count < MAX_OUTER_LOADS && is_for_producer(search, op))
    loops->outer[loops->outer_count++] = op;
  return SUCCESS;
}

static void find_outer(struct session *session, struct axis_analysis *axis, MlirOperation kernel,
                       struct bulk_loops *loops) {
  struct outer_search search = {.session = session, .axis = axis, .loops = loops};
  visit_operations(kernel, note_outer, &search);
}

static void set_outer_stages(const struct bulk_loops *loops, int stages) {
  for (int i = 0; i < loops->outer_count; i++)
    attribute_set_integer(loops->outer[i], ATTR_RING_STAGES, stages);
}

/* --- The kernel ------------------------------------------------------------------------------- */

struct contents {
  struct session *session;
  int block_loads, listed;
  bool meets; /* something for which all threads of the block are wanted */
};

/* What NEEDS_BLOCK says but for buffers: inline assembly may ask for threads and blocks. */
static MlirLogicalResult note_content(MlirOperation op, void *data) {
  struct contents *contents = data;
  contents->block_loads += op_is(contents->session, op, OP_TILE_DESCRIPTOR_LOAD);
  enum op_kind kind = kind_of(contents->session, op);
  contents->meets |= KIND_IN(kind, OP_TILE_BARRIER, OP_TILE_ATOMIC_CAS) ||
                     (kind == OP_TILE_ATOMIC_RMW && !is_atomic_store(contents->session, op)) ||
                     (op_has(contents->session, op, NEEDS_BLOCK) && kind != OP_TILE_GPU_ALLOC);
  return SUCCESS;
}

/* Is the loop in no other, so that nothing is copied ahead of the next tile? */
static bool is_outermost(struct session *session, MlirOperation loop) {
  return !op_is(session, mlirOperationGetParentOperation(loop), OP_SCF_FOR);
}

static bool is_chain(const struct loop_schedule *schedule) {
  return attribute_has(schedule->loop, ATTR_OVERLAPS_PRODUCTS);
}

/* Does an iteration compute between dots that wait for one another? */
static bool has_several_dots(struct session *session, const struct loop_schedule *schedule) {
  int count = 0;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(schedule->loop, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += starts_async_dot(session, op);
  return count > 1 && !schedule->in_flight;
}

/* The next block that is copied, from row *i on; null: there is none. */
static const struct scheduled_load *next_copied(const struct loop_schedule *schedule, int *i) {
  while (*i < schedule->count && schedule->loads[*i].method != PIPELINE_BULK)
    ++*i;
  return *i < schedule->count ? &schedule->loads[(*i)++] : NULL;
}

/* Do both loops copy equal blocks in one order, with equal channels, so that they can share the
   stages? */
static bool share_stages(struct session *session, const struct loop_schedule *a,
                         const struct loop_schedule *b) {
  const struct scheduled_load *x, *y;
  int i = 0, k = 0;
  do {
    x = next_copied(a, &i), y = next_copied(b, &k);
    if (x && y &&
        (!mlirTypeEqual(op_result_type(x->load, 0), op_result_type(y->load, 0)) ||
         !mlirAttributeEqual(x->space, y->space) ||
         scheduled_is_transposed(session, x) != scheduled_is_transposed(session, y)))
      return false;
  } while (x && y);
  return !x && !y && bulk_ring_has_channels_of(session, a, b);
}

/* The loops of a kernel with several: one after the other, none in another, and none with a product
   that flies on into the next. */
static bool loops_share_stages(struct session *session, MlirOperation kernel,
                               const struct bulk_loops *loops) {
  if (loops->count > MAX_BULK_LOOPS)
    return false;
  for (int i = 0; i < loops->count; i++)
    if (loops->list[i].in_flight || is_chain(&loops->list[i]) != is_chain(&loops->list[0]) ||
        !share_stages(session, &loops->list[0], &loops->list[i]) ||
        !mlirBlockEqual(mlirOperationGetBlock(loops->list[i].loop), op_body(kernel, 0)))
      return false;
  return true;
}

/* The same of one loop. */
static const char *why_not_loop(struct session *session, MlirOperation kernel,
                                const struct loop_schedule *schedule) {
  if (!loop_schedule_is_alone(session, schedule))
    return "a multiprocessor holds several blocks, one of which copies while another computes";
  const char *why = NULL;
  if (is_outermost(session, schedule->loop) && !is_chain(schedule) &&
      !has_several_dots(session, schedule))
    why = why_not_persistent(session, kernel, schedule->loop);
  if (why)
    return why;
  return producer_is_scalar(session, schedule)
             ? NULL
             : "where the blocks are depends on tiles or on memory";
}

/* Are all transpositions of blocks those that a role can do from stage to stage? The consumers'
   would read a block in all their warps, which say that they have read it one by one. */
static MlirLogicalResult check_transpose(MlirOperation op, void *data) {
  const struct bulk_loops *loops = data;
  struct session *session = loops->session;
  if (!op_is(session, op, OP_TILE_GPU_LOCAL_TRANSPOSE))
    return SUCCESS;
  MlirOperation buffer = buffer_root(session, op_operand(op, 0));
  for (int i = 0; i < loops->count; i++)
    for (int k = 0; k < loops->list[i].count; k++)
      if (scheduled_is_transposed(session, &loops->list[i].loads[k]) &&
          mlirOperationEqual(loops->list[i].loads[k].consumer, buffer))
        return SUCCESS;
  MlirOperation load = value_definition(op_operand(buffer, 0));
  return !mlirOperationIsNull(load) && op_is(session, load, OP_TILE_DESCRIPTOR_LOAD) ? FAILURE
                                                                                     : SUCCESS;
}

/* NULL, or why the block gets no roles for the copies of these loops. */
static const char *why_no_roles(struct session *session, MlirOperation kernel,
                                const struct bulk_loops *loops) {
  struct contents contents = {.session = session};
  visit_operations(kernel, note_content, &contents);
  int copied = loops->outer_count, k = 0;
  for (int i = 0; i < loops->count && i < MAX_BULK_LOOPS; i++, k = 0)
    while (next_copied(&loops->list[i], &k))
      copied++;
  int64_t warps = attribute_number(module_of(kernel), ATTR_NUM_WARPS, 4);
  if (contents.block_loads != copied ||
      (loops->count > 1 && !loops_share_stages(session, kernel, loops)))
    return "other loops copy blocks, too";
  if (contents.meets)
    return "the kernel has atomic operations, barriers, assertions, prints or inline assembly";
  if (FAILED(visit_operations(kernel, check_transpose, (void *)loops)))
    return "a block is transposed that several products read, or that is read before the loops";
  if ((warps + PRODUCER_WARPS) * MACHINE_LANES > machine_of(kernel)->block_threads)
    return "the block has no room for a producer";
  const char *why = NULL;
  for (int i = 0; i < loops->count && !why; i++)
    why = why_not_loop(session, kernel, &loops->list[i]);
  return why;
}

/* Did the kernel ask for roles in this loop, or around it? */
static bool asks_for_roles(struct session *session, MlirOperation loop) {
  for (; op_is(session, loop, OP_SCF_FOR); loop = mlirOperationGetParentOperation(loop))
    if (attribute_has(loop, ATTR_WARP_SPECIALIZE))
      return true;
  return false;
}

/* Stages that a producer fills: as many iterations are in progress as the loop asks for, and the
   product of one more still reads its stage while the producer goes on. */
static int ring_stages(struct session *session, struct axis_analysis *axis,
                       const struct loop_schedule *plain) {
  const char *reason;
  struct loop_schedule schedule;
  bool several = is_chain(plain) || has_several_dots(session, plain);
  bool more = plain->in_flight || several;
  int least = several ? MIN_STAGES_OF_CHAIN : MIN_STAGES;
  if (!loop_schedule_make(session, axis, plain->loop, &schedule, &reason) || !schedule.bulk ||
      schedule.room < least)
    return 0;
  return (int)smaller(schedule.stages + more, schedule.room);
}

static void forget(struct session *session, MlirOperation kernel, const struct bulk_loops *loops) {
  attribute_remove(kernel, ATTR_PRODUCER_WARPS);
  relabelling_limit(session, kernel, 0);
  for (int i = 0; i < loops->count && i < MAX_BULK_LOOPS; i++)
    attribute_remove(loops->list[i].loop, ATTR_OVERLAPS_PRODUCTS);
  for (int i = 0; i < loops->outer_count; i++)
    attribute_remove(loops->outer[i], ATTR_RING_STAGES);
}

/* The stages that all loops have, with so many of the blocks before them; 0: too few fit. */
static int stages_with(struct session *session, struct axis_analysis *axis,
                       const struct bulk_loops *loops, int outer_stages) {
  int stages = 0;
  set_outer_stages(loops, outer_stages);
  for (int i = 0; i < loops->count; i++) {
    int own = ring_stages(session, axis, &loops->list[i]);
    stages = i == 0 || own < stages ? own : stages;
  }
  return stages;
}

/* The same where results may leave through shared memory in rounds of fewer bytes, the most that
   leave room for the stages: more rounds cost the end of a program little. */
static int stages_beside_rounds(struct session *session, MlirOperation kernel,
                                struct axis_analysis *axis, const struct bulk_loops *loops) {
  int stages = stages_with(session, axis, loops, 1);
  for (int bytes = ROUND_BYTES / 2; !stages && bytes >= LEAST_ROUND_BYTES; bytes /= 2) {
    relabelling_limit(session, kernel, bytes);
    stages = stages_with(session, axis, loops, 1);
  }
  return stages;
}

static void decide(struct session *session, MlirOperation kernel, const struct bulk_loops *loops,
                   struct axis_analysis *axis, bool remarks) {
  const char *why = why_no_roles(session, kernel, loops);
  MlirOperation loop = loops->list[0].loop;
  bool persists = !why && is_outermost(session, loop);
  for (int i = 0; i < loops->count && persists; i++)
    persists = !why_not_persistent(session, kernel, loops->list[i].loop);
  int stages = 0;
  attribute_set_integer(kernel, ATTR_PRODUCER_WARPS, PRODUCER_WARPS); /* the schedule asks for it */
  if (!why)
    stages = stages_beside_rounds(session, kernel, axis, loops);
  if (stages && (persists || !is_outermost(session, loop)) &&
      stages_with(session, axis, loops, 2) != stages)
    set_outer_stages(loops, 1); /* two cost a stage of the loops */
  if (!why && !stages)
    why = "three stages do not fit into shared memory beside what becomes of the sums";
  if (why)
    forget(session, kernel, loops);
  else
    attribute_set_integer(kernel, ATTR_RING_STAGES, stages);
  if (why && (remarks || asks_for_roles(session, loop)))
    diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(loop),
                       "no roles for its bulk copies: %s", why);
  if (!why && persists)
    persist_kernel(session, kernel, 1); /* it is alone on its multiprocessor */
}

static void visit_kernel(struct session *session, MlirOperation kernel, bool remarks) {
  struct axis_analysis axis;
  struct bulk_loops bulk = {.session = session,
                            .list = tile_allocate(MAX_BULK_LOOPS * sizeof *bulk.list)};
  struct loop_schedule *schedule = tile_allocate(sizeof *schedule);
  axis_analysis_run(&axis, session, kernel);
  struct loop_list loops = loops_of(session, kernel);
  for (size_t i = 0; i < loops.count; i++) {
    const char *reason;
    if (!loop_schedule_make(session, &axis, loops.list[i], schedule, &reason) || !schedule->bulk)
      attribute_remove(loops.list[i], ATTR_OVERLAPS_PRODUCTS);
    else if (bulk.count++ < MAX_BULK_LOOPS)
      bulk.list[bulk.count - 1] = *schedule;
  }
  find_outer(session, &axis, kernel, &bulk);
  if (bulk.count)
    decide(session, kernel, &bulk, &axis, remarks);
  loops_free(&loops);
  axis_analysis_destroy(&axis);
  free(schedule);
  free(bulk.list);
}

MlirLogicalResult run_assign_roles(struct pass_context *context, MlirOperation module) {
  MlirOperation kernel = {0};
  while (next_kernel(context->session, module, &kernel))
    if (attribute_has(kernel, ATTR_TENSOR_MAPS_OF))
      visit_kernel(context->session, kernel, context->values[0].integer != 0);
  return SUCCESS;
}
