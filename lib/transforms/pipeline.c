/* tile-gpu-pipeline: loads of later iterations are started while one computes.

   Needs: layouts that are final (behind tile-gpu-coalesce and whatever changes layouts). Keeps: what the
   kernels compute. Breaks: tile.num_stages of loops, which is used up. Which loads, how, and how far
   ahead: analysis/loop_schedule.h; tile-gpu-print-schedule shows it.

   Two rewrites, each for all loads of one kind, d iterations ahead. Only addresses and masks are computed
   ahead, by copies of the operations that form them (analysis/ahead.h), from the induction variable
   iv + d * step and from loop-carried values of their own that are d iterations ahead. What lies beyond
   the end of the loop is masked: a loop of fewer than d iterations, or none, needs nothing else.

     registers    v[k] = load of iteration k, for k < d            copies    the same with async_copy, commit
                  for iv, v[0] ... v[d - 1]                                  for iv, index, index ahead
                    next = load of iteration iv + d * step                     wait until d - 1 groups are in flight
                    ... v[0] ...                                               copy of iteration iv + d * step; commit
                    yield v[1] ... v[d - 1], next                              ... local_load of stage `index` ...
                                                                               yield the next indices
                                                                             wait for all                        */
#include <stdlib.h>
#include "analysis/loop_schedule.h"
#include "analysis/loop_stages.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/shared_attribute.h"
#include "ir/small_grids.h"
#include "ir/tile_ops.h"
#include "ir/verify.h"
#include "transforms/pipeline.h"

const struct pass_option pipeline_options[] = {
    {"limit", OPTION_INTEGER, "232448", "bytes of shared memory that a block can have"}, {0}};

enum { EQUAL = 0, LESS_SIGNED = 2, LESS_UNSIGNED = 6, GREATER_UNSIGNED = 8 };

/* --- Small builders ------------------------------------------------------------------------------------- */

static MlirValue compare(struct builder *b, int64_t predicate, MlirValue x, MlirValue y) {
  return BUILD(b, "arith.cmpi", IN(x, y), OUT(integer_type(b, 1)),
               ATTRIBUTES(attribute_named(b->context, "predicate",
                                          attribute_integer(b->context, 64, predicate))));
}

static MlirValue integer_of(struct builder *b, MlirType type, int64_t value) {
  return build_constant(b, mlirIntegerAttrGet(type, value), type);
}

static MlirValue binary(struct builder *b, const char *name, MlirValue x, MlirValue y) {
  return BUILD(b, name, IN(x, y), OUT(mlirValueGetType(x)));
}

static MlirNamedAttribute segments(struct builder *b, intptr_t count, const int32_t *sizes) {
  return attribute_named(b->context, "operandSegmentSizes", attribute_dense_i32(b->context, count, sizes));
}

/* `mask` (null: none) where `predicate` is true, for a tile of pointers. */
static MlirValue masked(struct builder *b, MlirType pointers, MlirValue mask, MlirValue predicate) {
  MlirType type = type_with_element(pointers, integer_type(b, 1));
  MlirValue all = BUILD(b, "tile.splat", IN(predicate), OUT(type));
  return mlirValueIsNull(mask) ? all : binary(b, "arith.andi", mask, all);
}

/* x < y, as the loop compares. */
static MlirValue is_before(struct builder *b, MlirOperation loop, MlirValue x, MlirValue y) {
  return compare(b, op_has_attribute(loop, "unsignedCmp") ? LESS_UNSIGNED : LESS_SIGNED, x, y);
}

/* i1: does the loop run at all? */
static MlirValue loop_runs(struct builder *b, MlirOperation loop) {
  return is_before(b, loop, op_operand(loop, 0), op_operand(loop, 1));
}

/* i1: is there an iteration `reach` behind `induction`? The difference to the end is positive, so it is
   right as an unsigned number whatever the bounds. */
static MlirValue is_iteration(struct builder *b, MlirOperation loop, MlirValue induction, MlirValue reach) {
  return compare(b, GREATER_UNSIGNED, binary(b, "arith.subi", op_operand(loop, 1), induction), reach);
}

static MlirValue distance_of(struct builder *b, MlirOperation loop, int iterations) {
  MlirValue step = op_operand(loop, 2);
  if (iterations == 1)
    return step;
  return binary(b, "arith.muli", step, integer_of(b, mlirValueGetType(step), iterations));
}

/* The same for comparisons: where it does not fit, the greatest number there is, since no loop goes that far. */
static MlirValue reach_of(struct builder *b, MlirOperation loop, int iterations) {
  MlirValue step = op_operand(loop, 2), reach = distance_of(b, loop, iterations);
  MlirType type = mlirValueGetType(step);
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
  uint64_t most = (UINT64_MAX >> (64 - width)) / (uint64_t)iterations;
  MlirOperation constant = value_definition(step);
  bool known = !mlirOperationIsNull(constant) && op_is_named(constant, "arith.constant");
  if (iterations == 1 || (known && (uint64_t)op_integer(constant, "value", 0) <= most))
    return reach;
  MlirValue far = compare(b, GREATER_UNSIGNED, step, integer_of(b, type, (int64_t)most));
  return BUILD(b, "arith.select", IN(far, integer_of(b, type, -1), reach), OUT(type));
}

/* Both kinds of loads of one loop. */
struct rewrite {
  struct ahead ahead;
  struct scheduled_load rows[MAX_SCHEDULED];
  int count;
  int iteration;                /* that is being started */
  MlirValue groups[MAX_STAGES]; /* copies: of the iterations in front of the loop */
};

/* Builds what starts rows[row], with operands for the iteration that is started. */
typedef void start_load(struct rewrite *r, struct builder *b, int row, MlirValue pointer, MlirValue mask,
                        MlirValue other, void *data);

/* --- What both rewrites do ---------------------------------------------------------------------------------- */

/* The slice of all loads of one kind. */
static void begin_rewrite(struct rewrite *r, struct session *session, const struct loop_schedule *schedule,
                          enum pipeline_method method) {
  bool other = method == PIPELINE_REGISTERS;
  ahead_slice_create(&r->ahead.slice, session, schedule->loop);
  for (int i = 0; i < schedule->count; i++) {
    if (schedule->loads[i].method != method)
      continue;
    struct tile_load load;
    tile_load_read(schedule->loads[i].load, &load);
    ahead_slice_add(&r->ahead.slice, load.pointer);
    ahead_slice_add(&r->ahead.slice, load.mask);
    if (other)
      ahead_slice_add(&r->ahead.slice, load.other);
    r->rows[r->count++] = schedule->loads[i];
  }
  for (intptr_t i = 0; i < r->ahead.slice.carried_count; i++)
    if (r->ahead.slice.carried[i])
      r->ahead.carried[i] = op_operand(schedule->loop, i + 3);
}

/* Starts the loads of an iteration; `start` builds them for rows[i]. */
static void start_iteration(struct rewrite *r, struct builder *b, MlirValue induction, MlirValue exists,
                            start_load *start, void *data) {
  ahead_begin(&r->ahead, induction);
  ahead_compute(&r->ahead, b);
  for (int i = 0; i < r->count; i++) {
    struct tile_load load;
    tile_load_read(r->rows[i].load, &load);
    MlirType pointers = mlirValueGetType(load.pointer);
    MlirValue mask = masked(b, pointers, ahead_value(&r->ahead, load.mask), exists);
    start(r, b, i, ahead_value(&r->ahead, load.pointer), mask, ahead_value(&r->ahead, load.other), data);
  }
  ahead_advance(&r->ahead);
}

/* Starts iterations 0 to d - 1 in front of the loop. */
static void build_prologue(struct rewrite *r, struct builder *b, int distance, start_load *start,
                           void (*behind)(struct rewrite *, struct builder *, int iteration, void *),
                           void *data) {
  MlirOperation loop = r->ahead.slice.loop;
  MlirValue runs = loop_runs(b, loop), first = op_operand(loop, 0);
  for (int k = 0; k < distance; k++) {
    MlirValue exists = runs, induction = first;
    r->iteration = k;
    if (k) {
      induction = binary(b, "arith.addi", first, distance_of(b, loop, k));
      exists = binary(b, "arith.andi", runs, is_iteration(b, loop, first, reach_of(b, loop, k)));
    }
    start_iteration(r, b, induction, exists, start, data);
    behind(r, b, k, data);
  }
}

/* Carries the values that are ahead: adds their initial values; gives them back their block arguments. */
static void carry_ahead(struct rewrite *r, struct wider_loop *w) {
  for (intptr_t i = 0; i < r->ahead.slice.carried_count; i++)
    if (r->ahead.slice.carried[i])
      wider_add(w, r->ahead.carried[i]);
}

static intptr_t take_ahead(struct rewrite *r, const struct wider_loop *w, intptr_t next) {
  for (intptr_t i = 0; i < r->ahead.slice.carried_count; i++)
    if (r->ahead.slice.carried[i])
      r->ahead.carried[i] = wider_argument(w, next++);
  return next;
}

static intptr_t yield_ahead(const struct rewrite *r, MlirValue *values, intptr_t next) {
  for (intptr_t i = 0; i < r->ahead.slice.carried_count; i++)
    if (r->ahead.slice.carried[i])
      values[next++] = r->ahead.carried[i];
  return next;
}

/* How far ahead an iteration is, computed outside of the loop. */
struct distance {
  MlirValue step, end; /* d * step; below `end` are the iterations that have one d ahead of them */
};

/* The end is the loop's less d * step, if the first iteration has one d ahead: then there is no overflow. Else no
   iteration has, and it is where the loop starts. In the loop this costs one comparison with what it counts anyway. */
static struct distance distance_ahead(struct builder *b, MlirOperation loop, int iterations) {
  MlirValue first = op_operand(loop, 0), reach = reach_of(b, loop, iterations);
  MlirValue any = is_iteration(b, loop, first, reach);
  MlirValue end = binary(b, "arith.subi", op_operand(loop, 1), reach);
  end = BUILD(b, "arith.select", IN(any, end, first), OUT(mlirValueGetType(first)));
  return (struct distance){distance_of(b, loop, iterations), end};
}

/* Starts iteration iv + d * step at the end of the new block. */
static void start_ahead(struct rewrite *r, struct builder *b, const struct wider_loop *w, struct distance distance,
                        start_load *start, void *data) {
  MlirValue induction = mlirBlockGetArgument(w->block, 0);
  MlirValue exists = is_before(b, w->loop, induction, distance.end);
  start_iteration(r, b, binary(b, "arith.addi", induction, distance.step), exists, start, data);
}

static void end_rewrite(struct rewrite *r) {
  ahead_slice_destroy(&r->ahead.slice);
  map_free(&r->ahead.values);
  free(r);
}

/* --- Registers ----------------------------------------------------------------------------------------------- */

/* tiles[k][i]: of iteration k, rows[i]; those of the loop's own iteration come last. */
struct tiles {
  MlirValue at[MAX_STAGES][MAX_SCHEDULED];
};

static void start_register_load(struct rewrite *r, struct builder *b, int row, MlirValue pointer,
                                MlirValue mask, MlirValue other, void *data) {
  struct tiles *tiles = data;
  MlirOperation load = r->rows[row].load;
  MlirNamedAttribute attributes[MAX_ATTRIBUTES + 1];
  intptr_t count = kept_attributes(load, attributes, MAX_ATTRIBUTES);
  bool has_other = !mlirValueIsNull(other);
  attributes[count++] = segments(b, 3, (int32_t[]){1, 1, has_other});
  MlirValue in[] = {pointer, mask, other};
  MlirType type = op_result_type(load, 0);
  b->location = mlirOperationGetLocation(load);
  tiles->at[r->iteration][row] = build_value(b, &(struct op_spec){.name = "tile.load",
                                                                  .in = in,
                                                                  .in_count = has_other ? 3 : 2,
                                                                  .out = &type,
                                                                  .out_count = 1,
                                                                  .attributes = attributes,
                                                                  .attribute_count = count});
}

static void nothing_behind(struct rewrite *r, struct builder *b, int iteration, void *data) {
  (void)r, (void)b, (void)iteration, (void)data;
}

/* The loop after the rewrite. */
static MlirOperation load_ahead(struct session *session, const struct loop_schedule *schedule) {
  int d = schedule->registers_ahead;
  struct rewrite *r = tile_allocate(sizeof *r);
  struct tiles *tiles = tile_allocate(sizeof *tiles);
  struct wider_loop *w = tile_allocate(sizeof *w);
  *r = (struct rewrite){0};
  *w = (struct wider_loop){.old = schedule->loop};
  begin_rewrite(r, session, schedule, PIPELINE_REGISTERS);
  struct builder b = builder_before(schedule->loop);
  build_prologue(r, &b, d, start_register_load, nothing_behind, tiles);
  struct distance distance = distance_ahead(&b, schedule->loop, d);
  carry_ahead(r, w);
  for (int k = 0; k < d; k++)
    for (int i = 0; i < r->count; i++)
      wider_add(w, tiles->at[k][i]);
  b.location = mlirOperationGetLocation(schedule->loop);
  wider_build(w, &b);

  struct builder inside = builder_at_end(session->context, w->block, b.location);
  intptr_t next = take_ahead(r, w, 0);
  r->iteration = d;
  start_ahead(r, &inside, w, distance, start_register_load, tiles);
  MlirValue *values = tile_allocate((size_t)(w->count + 1) * sizeof *values);
  intptr_t yielded = yield_ahead(r, values, 0);
  for (int k = 0; k < d; k++)
    for (int i = 0; i < r->count; i++, next++) {
      MlirValue held = wider_argument(w, next);
      if (k == 0)
        replace_op(r->rows[i].load, &held);
      values[yielded++] = k + 1 < d ? wider_argument(w, next + r->count) : tiles->at[d][i];
    }
  wider_finish(w, values);
  wider_retire(session, w);
  MlirOperation loop = w->loop;
  free(values);
  free(w);
  free(tiles);
  end_rewrite(r);
  return loop;
}

/* --- Copies --------------------------------------------------------------------------------------------------- */

struct copies {
  struct session *session;
  MlirValue buffers[MAX_SCHEDULED], tokens[MAX_SCHEDULED];
  MlirType stages[MAX_SCHEDULED]; /* the type of one stage */
  MlirValue index;                /* of the stage that is copied into */
};

static void build_buffers(struct rewrite *r, struct builder *b, int count, struct copies *copies) {
  for (int i = 0; i < r->count; i++) {
    MlirType tile = op_result_type(r->rows[i].load, 0);
    int64_t shape[MAX_RANK + 1] = {count};
    int rank = type_shape(tile, shape + 1);
    b->location = mlirOperationGetLocation(r->rows[i].load);
    copies->stages[i] = shared_type(rank, shape + 1, type_element(tile), r->rows[i].space);
    copies->buffers[i] =
        BUILD(b, "tile_gpu.alloc", OUT(shared_type(rank + 1, shape, type_element(tile), r->rows[i].space)));
  }
}

static void start_copy(struct rewrite *r, struct builder *b, int row, MlirValue pointer, MlirValue mask,
                       MlirValue other, void *data) {
  struct copies *copies = data;
  (void)other; /* selected behind the load from shared memory */
  b->location = mlirOperationGetLocation(r->rows[row].load);
  MlirValue stage = BUILD(b, "tile_gpu.index", IN(copies->buffers[row], copies->index),
                          OUT(copies->stages[row]));
  copies->tokens[row] = BUILD(b, "tile_gpu.async_copy", IN(pointer, stage, mask),
                              OUT(copies->session->types.token),
                              ATTRIBUTES(segments(b, 4, (int32_t[]){1, 1, 1, 0})));
}

static MlirValue commit(struct rewrite *r, struct builder *b, struct copies *copies) {
  MlirType token = copies->session->types.token;
  return build_value(b, &(struct op_spec){.name = "tile_gpu.async_commit",
                                          .in = copies->tokens,
                                          .in_count = r->count,
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
  r->groups[iteration] = commit(r, b, copies);
  copies->index = build_integer(b, 32, iteration + 1);
}

/* index + 1, or 0 behind the last stage. */
static MlirValue next_stage(struct builder *b, MlirValue index, int count) {
  if (count == 1)
    return index;
  MlirValue next = binary(b, "arith.addi", index, build_integer(b, 32, 1));
  MlirValue last = compare(b, EQUAL, next, build_integer(b, 32, count));
  return BUILD(b, "arith.select", IN(last, build_integer(b, 32, 0), next), OUT(mlirValueGetType(index)));
}

/* A view of the stage with its dimensions in the order that tile.permute gives them. */
static MlirValue permuted_view(struct session *session, struct builder *b, MlirValue stage, MlirOperation permute) {
  MlirType type = mlirValueGetType(stage);
  MlirAttribute order = mlirOperationGetAttributeByName(permute, ref("order"));
  int rank = (int)mlirShapedTypeGetRank(type);
  int64_t shape[MAX_RANK];
  int32_t from[MAX_RANK];
  for (int i = 0; i < rank; i++) {
    from[i] = mlirDenseI32ArrayGetElement(order, i);
    shape[i] = mlirShapedTypeGetDimSize(type, from[i]);
  }
  const struct shared_info *info;
  tile_status_free(shared_decode(&session->layouts, mlirMemRefTypeGetMemorySpace(type), &info));
  MlirType turned = shared_type(rank, shape, mlirShapedTypeGetElementType(type),
                                shared_transposed(&session->layouts, info, from));
  return BUILD(b, "tile_gpu.transpose", IN(stage), OUT(turned),
               ATTRIBUTES(attribute_named(b->context, "order", attribute_dense_i32(b->context, rank, from))));
}

/* The tile of this iteration comes from its stage of the buffer, where the load stood. */
static void serve_load(struct rewrite *r, int i, struct copies *copies, MlirValue index, MlirValue token) {
  struct scheduled_load *row = &r->rows[i];
  struct tile_load load;
  tile_load_read(row->load, &load);
  MlirOperation consumer = row->consumer;
  bool is_alloc = !mlirOperationIsNull(consumer) && kind_of(copies->session, consumer) == OP_TILE_GPU_ALLOC;
  struct builder b = builder_before(row->load);
  MlirValue stage = BUILD(&b, "tile_gpu.index", IN(copies->buffers[i], index), OUT(copies->stages[i]));
  if (is_alloc) {
    replace_op(consumer, &stage);
    mlirOperationDestroy(row->load);
    return;
  }
  MlirOperation served = mlirOperationIsNull(consumer) ? row->load : consumer;
  if (!mlirOperationIsNull(row->permute))
    stage = permuted_view(copies->session, &b, stage, row->permute);
  MlirType type = mlirTypeIsNull(row->turned) ? op_result_type(served, 0) : row->turned;
  MlirValue value = BUILD(&b, "tile_gpu.local_load", IN(stage, token), OUT(type));
  bool filled = mlirValueIsNull(load.mask) || mlirValueIsNull(load.other) ||
                value_is_zero(copies->session, load.other);
  if (!filled)
    value = BUILD(&b, "arith.select", IN(load.mask, value, load.other), OUT(mlirValueGetType(value)));
  replace_op(served, &value);
  if (!mlirOperationIsNull(row->permute))
    mlirOperationDestroy(row->permute);
  if (!mlirOperationIsNull(consumer))
    mlirOperationDestroy(row->load);
}

static MlirOperation put_barrier_behind(MlirOperation op) {
  struct builder b = builder_before(mlirOperationGetNextInBlock(op));
  return BUILD_OP(&b, "tile_gpu.barrier", .in = NULL);
}

/* Where the body multiplies on tensor cores, the copies stand behind its first product: the tensor cores start
   first, and the threads have time while they work. Products of warps find their operands in registers by then, so that
   no load of theirs waits behind the copies either, and the copies may go where these were (loop_schedule.h). */
static void put_off_copies(const struct rewrite *r, const struct wider_loop *w, const struct copies *copies,
                           MlirValue group, MlirOperation wait) {
  MlirOperation op = first_product(copies->session, w->block);
  if (!mlirOperationIsNull(wait))
    op = put_barrier_behind(wait);
  if (mlirOperationIsNull(op))
    return;
  for (int i = 0; i <= r->count; i++) {
    MlirOperation next = value_definition(i < r->count ? copies->tokens[i] : group);
    mlirOperationMoveAfter(next, op);
    op = next;
  }
}

static MlirOperation copy_ahead(struct session *session, const struct loop_schedule *schedule) {
  int d = schedule->copies_ahead, count = schedule->buffers;
  struct rewrite *r = tile_allocate(sizeof *r);
  struct copies *copies = tile_allocate(sizeof *copies);
  struct wider_loop *w = tile_allocate(sizeof *w);
  *r = (struct rewrite){0};
  *copies = (struct copies){.session = session};
  *w = (struct wider_loop){.old = schedule->loop};
  MlirOperation wait = {0}; /* behind which the copies may start */
  if (schedule->flying && schedule->reuses)
    wait = loop_schedule_flying(session, schedule);
  begin_rewrite(r, session, schedule, PIPELINE_COPY);
  struct builder b = builder_before(schedule->loop);
  build_buffers(r, &b, count, copies);
  copies->index = build_integer(&b, 32, 0);
  build_prologue(r, &b, d, start_copy, commit_iteration, copies);
  b.location = mlirOperationGetLocation(schedule->loop);
  struct distance distance = distance_ahead(&b, schedule->loop, d);
  carry_ahead(r, w);
  intptr_t numbers = count > d ? 2 : 1; /* of stages: this iteration's, and that of the one d ahead */
  for (int k = 0; k < numbers; k++)
    wider_add(w, build_integer(&b, 32, k * d));
  for (int k = 0; k < d; k++)
    wider_add(w, r->groups[k]);
  wider_build(w, &b);

  struct builder inside = builder_at_end(session->context, w->block, b.location);
  intptr_t next = take_ahead(r, w, 0);
  MlirValue index = wider_argument(w, next);
  copies->index = wider_argument(w, next + numbers - 1);
  MlirValue landed = wait_for(&inside, copies, wider_argument(w, next + numbers), d - 1);
  start_ahead(r, &inside, w, distance, start_copy, copies);
  MlirValue *values = tile_allocate((size_t)(w->count + 1) * sizeof *values);
  intptr_t yielded = yield_ahead(r, values, 0);
  inside.location = b.location;
  MlirValue group = commit(r, &inside, copies);
  for (int k = 0; k < numbers; k++)
    values[yielded++] = next_stage(&inside, wider_argument(w, next + k), count);
  for (int k = 1; k < d; k++)
    values[yielded++] = wider_argument(w, next + numbers + k);
  values[yielded++] = group;
  for (int i = 0; i < r->count; i++)
    serve_load(r, i, copies, index, landed);
  wider_finish(w, values);
  wider_retire(session, w);
  put_off_copies(r, w, copies, group, wait);
  MlirOperation loop = w->loop;
  struct builder after = b;
  after.before = mlirOperationGetNextInBlock(loop);
  wait_for(&after, copies, op_result(loop, w->carried + w->count - 1), 0);
  free(values);
  free(w);
  free(copies);
  end_rewrite(r);
  return loop;
}

/* --- Products in flight ------------------------------------------------------------------------------------------ */

/* The wait leaves this iteration's product in flight; behind the loop nothing is.

     %f = warpgroup_dot %a, %b, %c                        %f = warpgroup_dot %a, %b, %c
     %d = warpgroup_dot_wait %f {pending = 0}      ->     %d = warpgroup_dot_wait %f {pending = 1}
     yield %d                                             yield %d
                                                        %r = warpgroup_dot_wait %loop {pending = 0}    */
static void put_off_wait(struct session *session, MlirOperation loop) {
  struct loop_schedule schedule = {.loop = loop};
  MlirOperation wait = loop_schedule_flying(session, &schedule);
  if (mlirOperationIsNull(wait))
    return;
  MlirOpOperand use = mlirValueGetFirstUse(op_result(wait, 0));
  MlirValue result = op_result(loop, (intptr_t)mlirOpOperandGetOperandNumber(use));
  MlirOperation last = mlirOperationClone(wait);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(loop), loop, last);
  mlirValueReplaceAllUsesOfWith(result, op_result(last, 0));
  mlirOperationSetOperand(last, 0, result);
  mlirOperationSetAttributeByName(wait, ref("pending"), attribute_integer(session->context, 32, 1));
}

/* --- The pass --------------------------------------------------------------------------------------------------- */

enum { MAX_LOOPS = 256 };

struct loops {
  struct session *session;
  MlirOperation list[MAX_LOOPS];
  int count;
};

static MlirWalkResult collect_loop(MlirOperation op, void *data) {
  struct loops *loops = data;
  if (kind_of(loops->session, op) == OP_SCF_FOR && loops->count < MAX_LOOPS)
    loops->list[loops->count++] = op;
  return MlirWalkResultAdvance;
}

/* Says where fewer stages fit into shared memory than are asked for. */
static void report_stages(struct session *session, const struct loop_schedule *schedule, int64_t limit) {
  if (schedule->stage_bytes && schedule->copies_ahead + 1 < schedule->stages)
    diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(schedule->loop),
                       "scf.for: num_stages = %d does not fit into %lld bytes of shared memory, as a stage takes %lld; "
                       "compiled as with num_stages = %d, smaller tiles leave room for more",
                       schedule->stages, (long long)limit, (long long)schedule->stage_bytes, schedule->copies_ahead + 1);
}

/* Schedules and rewrites for one kind of loads; what is known of the function changes with each rewrite. Adds the copies'
   iterations ahead to *copies_ahead. */
static MlirOperation rewrite_loop(struct session *session, MlirOperation function, MlirOperation loop,
                                  int64_t limit, enum pipeline_method method, int *copies_ahead) {
  struct axis_analysis axis;
  const char *reason;
  struct loop_schedule *schedule = tile_allocate(sizeof *schedule);
  axis_analysis_run(&axis, session, function);
  bool made = loop_schedule_make(session, &axis, loop, limit, schedule, &reason);
  axis_analysis_destroy(&axis);
  if (made && method == PIPELINE_COPY && !op_has_attribute(function, SMALL_GRID_OF))
    report_stages(session, schedule, limit);
  if (made && method == PIPELINE_COPY && schedule->copies_ahead) {
    *copies_ahead += schedule->copies_ahead;
    loop = copy_ahead(session, schedule);
  }
  if (made && method == PIPELINE_COPY && schedule->flying)
    put_off_wait(session, loop);
  else if (made && method == PIPELINE_REGISTERS && schedule->registers_ahead)
    loop = load_ahead(session, schedule);
  free(schedule);
  return loop;
}

/* Returns how many iterations copies are ahead, of all loops together. */
static int pipeline_function(struct session *session, MlirOperation function, int64_t limit) {
  int copies_ahead = 0;
  struct loops *loops = tile_allocate(sizeof *loops);
  loops->session = session;
  loops->count = 0;
  mlirOperationWalk(function, collect_loop, loops, MlirWalkPostOrder); /* inner loops first */
  for (int i = 0; i < loops->count; i++) {
    MlirOperation loop = rewrite_loop(session, function, loops->list[i], limit, PIPELINE_COPY, &copies_ahead);
    loop = rewrite_loop(session, function, loop, limit, PIPELINE_REGISTERS, &copies_ahead);
    mlirOperationRemoveAttributeByName(loop, ref("tile.num_stages"));
  }
  free(loops);
  return copies_ahead;
}

/* The kernel once more, in front of itself, for launches of few blocks. */
static MlirOperation copy_for_small_grids(struct session *session, MlirOperation kernel) {
  MlirOperation copy = mlirOperationClone(kernel);
  MlirAttribute name = mlirOperationGetAttributeByName(kernel, ref("sym_name"));
  MlirStringRef text = mlirStringAttrGetValue(name);
  struct text own = {0};
  text_printf(&own, "%.*s$small", (int)text.length, text.data);
  mlirOperationSetAttributeByName(copy, ref("sym_name"), attribute_string(session->context, text_string(&own)));
  mlirOperationSetAttributeByName(copy, ref(SMALL_GRID_OF), name);
  text_free(&own);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(kernel), kernel, copy);
  return copy;
}

/* Both versions; only one where the other is no deeper. */
static void pipeline_kernel(struct session *session, MlirOperation kernel, int64_t limit, bool small_grids) {
  MlirOperation small = {0};
  small_grids &= !op_has_attribute(kernel, SMALL_GRID_OF);
  if (small_grids)
    small = copy_for_small_grids(session, kernel);
  int ahead = pipeline_function(session, kernel, limit);
  if (small_grids && (ahead == 0 || pipeline_function(session, small, limit) <= ahead))
    mlirOperationDestroy(small);
}

MlirLogicalResult run_pipeline(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  bool small_grids = op_has_attribute(module, SMALL_GRIDS);
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (kind_of(session, op) == OP_FUNC && op_has_attribute(op, "tile.kernel"))
      pipeline_kernel(session, op, context->values[0].integer, small_grids);
  return SUCCESS;
}
