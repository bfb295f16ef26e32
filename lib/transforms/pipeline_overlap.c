/* SPDX-License-Identifier: MIT */
/* See overlap.h. */
#include "transforms/overlap.h"

#include "analysis/loop_stages.h"
#include "analysis/pressure.h"
#include "analysis/scratch.h"
#include "analysis/stages.h"
#include "ir/dot_form.h"
#include "transforms/pipeline_rewrite.h"

enum { MAX_VALUES = MAX_CARRIED + MAX_CROSSING, MAX_IN_FLIGHT = 16 };

/* --- Copies of the body's operations ---------------------------------------------------------- */

/* Values of the body in one iteration, at one place. */
struct iteration {
  struct map values;
};

struct overlapping {
  struct session *session;
  const struct product_stages *stages;
  enum overlap_order order;
  MlirOperation loop;
  MlirBlock body;
  intptr_t carried;
  MlirOperation in_flight[MAX_IN_FLIGHT]; /* copies of products, in the order in which they start */
  int in_flight_count;
};

static MlirValue value_in(const struct iteration *iteration, MlirValue value) {
  void *known = map_get(&iteration->values, value.ptr);
  return known ? (MlirValue){known} : value;
}

static void set_value(struct iteration *iteration, MlirValue value, MlirValue to) {
  map_set(&iteration->values, value.ptr, (void *)to.ptr);
}

static MlirWalkResult take_operands(MlirOperation copy, void *iteration) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
    mlirOperationSetOperand(copy, i, value_in(iteration, op_operand(copy, i)));
  return MlirWalkResultAdvance;
}

/* A wait leaves those products in flight that have started after the ones it waits for. */
static void set_pending(struct overlapping *o, MlirOperation wait) {
  int last = 0;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(wait); k++)
    for (int i = 0; i < o->in_flight_count; i++)
      if (mlirValueEqual(op_operand(wait, k), op_result(o->in_flight[i], 0)) && i >= last)
        last = i + 1;
  mlirOperationSetAttributeByName(
      wait, ref("pending"),
      attribute_integer(o->session->context, 32, last ? o->in_flight_count - last : 0));
}

static void copy_operation(struct overlapping *o, struct builder *b, MlirOperation op,
                           struct iteration *iteration) {
  MlirOperation copy = mlirOperationClone(op);
  mlirOperationWalk(copy, take_operands, iteration, MlirWalkPreOrder);
  if (starts_async_dot(o->session, copy) && o->in_flight_count < MAX_IN_FLIGHT)
    o->in_flight[o->in_flight_count++] = copy;
  if (waits_for_async_dot(o->session, copy))
    set_pending(o, copy);
  if (mlirOperationIsNull(b->before))
    mlirBlockAppendOwnedOperation(b->block, copy);
  else
    mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    set_value(iteration, op_result(op, i), op_result(copy, i));
}

/* --- Parts of an iteration -------------------------------------------------------------------- */

/* EARLY_COPIES: copies for later iterations, behind the early products. LATE_OPERANDS: what late
   products are computed from. */
enum part {
  EARLY_STARTS = 1,
  EARLY_COPIES = 2,
  EARLY_REST = 4,
  LATE_OPERANDS = 8,
  LATE_STARTS = 16,
  LATE_REST = 32,
  EARLY = EARLY_STARTS | EARLY_COPIES | EARLY_REST,
  LATE = LATE_OPERANDS | LATE_STARTS | LATE_REST
};

/* Late operations that need what a wait gives. */
static bool needs_wait(const struct map *after_wait, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation definition = value_definition(op_operand(op, i));
    if (!mlirOperationIsNull(definition) && map_get(after_wait, definition.ptr))
      return true;
  }
  return false;
}

/* Which part an early operation belongs to. What stands before the first wait for an early product
   stays before it. */
struct progress {
  struct map after_wait; /* late operations */
  bool started, waited;  /* early products */
  bool late_started;
};

static enum part early_part(struct overlapping *o, struct progress *progress, MlirOperation op) {
  bool starts = map_get(&o->stages->starts, op.ptr);
  progress->started |= starts_async_dot(o->session, op);
  progress->waited |= waits_for_async_dot(o->session, op);
  if (starts || !progress->started)
    return EARLY_STARTS;
  return progress->waited ? EARLY_REST : EARLY_COPIES;
}

/* Waits for what late products read come before their operands, other waits after their start, and
   arrivals, where their wait is. */
static enum part late_part(struct overlapping *o, struct progress *progress, MlirOperation op) {
  bool waits = waits_for_async_dot(o->session, op);
  if (waits || needs_wait(&progress->after_wait, op)) {
    map_set(&progress->after_wait, op.ptr, o);
    return LATE_REST;
  }
  if (op_is(o->session, op, OP_TILE_GPU_MBARRIER_ARRIVE))
    return LATE_REST;
  progress->late_started |= starts_async_dot(o->session, op);
  if (op_is(o->session, op, OP_TILE_GPU_MBARRIER_WAIT) && progress->late_started &&
      !map_get(&o->stages->starts, op.ptr))
    return LATE_REST;
  return starts_async_dot(o->session, op) ? LATE_STARTS : LATE_OPERANDS;
}

/* Copies the operations of these parts, in the order of the body. */
static void copy_parts(struct overlapping *o, struct builder *b, int parts,
                       struct iteration *iteration) {
  struct progress progress = {0};
  MlirOperation yield = mlirBlockGetTerminator(o->body), op = mlirBlockGetFirstOperation(o->body);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    enum part part = product_stages_is_late(o->stages, op) ? late_part(o, &progress, op)
                                                           : early_part(o, &progress, op);
    if (part & parts)
      copy_operation(o, b, op, iteration);
  }
  map_free(&progress.after_wait);
}

/* --- Late operands, behind the loop ----------------------------------------------------------- */

/* Calls `visit` for the arithmetic on tiles that late products wait for. */
static void each_late_arithmetic(struct overlapping *o,
                                 void (*visit)(struct overlapping *o, MlirOperation op, void *data),
                                 void *data) {
  struct progress progress = {0};
  MlirOperation yield = mlirBlockGetTerminator(o->body), op = mlirBlockGetFirstOperation(o->body);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op))
    if (product_stages_is_late(o->stages, op) && late_part(o, &progress, op) == LATE_OPERANDS &&
        op_has(o->session, op, IS_ELEMENTWISE) && type_is_tensor(op_result_type(op, 0)))
      visit(o, op, data);
  map_free(&progress.after_wait);
}

struct values {
  MlirValue list[DOT_WAIT_OPERANDS];
  int count;
};

/* Does the loop hand the value to its last iteration, in the layout of accumulators? */
static bool comes_from_loop(struct overlapping *o, MlirValue value) {
  const struct product_stages *stages = o->stages;
  MlirType type = mlirValueGetType(value);
  if (!type_is_tensor(type) || !mlirTypeIsAF32(type_element(type)))
    return false;
  intptr_t number = loop_carried_number(o->loop, value);
  bool comes = number >= 0 && stages->late_carried[number];
  for (intptr_t i = 0; i < stages->crossing_count; i++)
    comes |= mlirValueEqual(stages->crossing[i], value);
  const struct layout_info *info = layout_of_type(&o->session->layouts, type);
  return comes && info && info->kind == LAYOUT_KIND_MMA;
}

static void note_operands(struct overlapping *o, MlirOperation op, void *data) {
  struct values *values = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = op_operand(op, i);
    bool known = !comes_from_loop(o, value) || values->count == DOT_WAIT_OPERANDS;
    for (int k = 0; !known && k < values->count; k++)
      known = mlirValueEqual(values->list[k], value);
    if (!known)
      values->list[values->count++] = value;
  }
}

/* The last iteration computes late operands as the loop does. LLVM's MachineCSE would find that out
   and compute both at the loop's end, before the next early products start. What a wait returns is
   another value to it; nothing is in flight, so that it costs an instruction. */
static void keep_apart(struct overlapping *o, struct builder *b, struct iteration *late) {
  struct values values = {.count = 0};
  each_late_arithmetic(o, note_operands, &values);
  if (!values.count)
    return;
  MlirValue in[DOT_WAIT_OPERANDS];
  for (int i = 0; i < values.count; i++)
    in[i] = value_in(late, values.list[i]);
  MlirOperation wait = build_async_dot_wait(b, in, values.count);
  for (int i = 0; i < values.count; i++)
    set_value(late, values.list[i], op_result(wait, i));
}

/* --- Values that are carried ------------------------------------------------------------------ */

/* The value of the body that carried value `i` becomes. */
static MlirValue next_of(const struct overlapping *o, intptr_t i) {
  return op_operand(mlirBlockGetTerminator(o->body), i);
}

static MlirValue argument(const struct overlapping *o, intptr_t number) {
  return mlirBlockGetArgument(o->body, number);
}

/* A counter of stages begins with a constant and counts by itself, so that its users can be told
   apart (analysis/stages.h). Its value after the first iteration: */
static MlirValue after_first(struct overlapping *o, struct builder *b, intptr_t i,
                             const struct iteration *early) {
  int64_t first, count;
  if (stage_counter(o->session, argument(o, i + 1), &first, &count))
    return build_integer(b, 32, (first + 1) % count);
  return value_in(early, next_of(o, i));
}

/* What crosses from the early part `early` of the next iteration; `now`: what has come from this
   one's. */
static MlirValue next_crossing(struct overlapping *o, struct builder *b, MlirValue value,
                               MlirValue now, const struct iteration *early) {
  int64_t first, count;
  if (!stage_counter(o->session, value, &first, &count))
    return value_in(early, value);
  MlirValue next = build_binary(b, "arith.addi", now, build_integer(b, 32, 1));
  MlirValue last = build_compare(b, I_EQUAL, next, build_integer(b, 32, count));
  return BUILD(b, "arith.select", IN(last, build_integer(b, 32, 0), next),
               OUT(mlirValueGetType(now)));
}

/* --- The loop --------------------------------------------------------------------------------- */

/* Builds what stands in the loop's stead; its results go to `out`. */
static MlirOperation build_ahead(struct overlapping *o, struct builder *b, MlirValue *out) {
  const struct product_stages *stages = o->stages;
  struct iteration early = {0}, late = {0};
  MlirOperation loop = o->loop;
  intptr_t count = o->carried + stages->crossing_count;
  MlirValue in[3 + MAX_VALUES], values[MAX_VALUES];
  MlirType types[1 + MAX_VALUES];

  /* The first iteration, early. */
  set_value(&early, argument(o, 0), op_operand(loop, 0));
  for (intptr_t i = 0; i < o->carried; i++)
    set_value(&early, argument(o, i + 1), op_operand(loop, i + 3));
  copy_parts(o, b, EARLY, &early);
  struct distance distance = distance_ahead(o->session, b, loop, 1);
  in[0] = op_operand(loop, 0), in[1] = distance.end, in[2] = op_operand(loop, 2);
  for (intptr_t i = 0; i < o->carried; i++)
    in[i + 3] = stages->late_carried[i] ? op_operand(loop, i + 3) : after_first(o, b, i, &early);
  for (intptr_t i = 0; i < stages->crossing_count; i++)
    in[o->carried + i + 3] = value_in(&early, stages->crossing[i]);
  types[0] = mlirValueGetType(in[0]);
  for (intptr_t i = 0; i < count; i++)
    types[i + 1] = mlirValueGetType(in[i + 3]);
  MlirRegion region = region_with_block(b, count + 1, types);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  MlirOperation ahead =
      BUILD_OP(b, "scf.for", INS(in, count + 3), OUTS(types + 1, count),
               ATTRIBUTE_LIST(attributes, kept_attributes(loop, attributes, MAX_ATTRIBUTES)),
               REGION_LIST(&region, 1));

  /* All iterations but the last, late, and the next one's early part. */
  struct builder inside = builder_at_end(b->context, block, b->location);
  map_clear(&early.values);
  MlirValue induction = mlirBlockGetArgument(block, 0);
  set_value(&late, argument(o, 0), induction);
  set_value(&early, argument(o, 0),
            build_binary(&inside, "arith.addi", induction, op_operand(loop, 2)));
  for (intptr_t i = 0; i < o->carried; i++)
    values[i] = mlirBlockGetArgument(block, i + 1);
  for (intptr_t i = 0; i < o->carried; i++)
    set_value(stages->late_carried[i] ? &late : &early, argument(o, i + 1), values[i]);
  for (intptr_t i = 0; i < stages->crossing_count; i++)
    set_value(&late, stages->crossing[i], mlirBlockGetArgument(block, o->carried + i + 1));
  o->in_flight_count = 0;
  if (o->order == OVERLAP_TOGETHER)
    copy_parts(o, &inside, LATE_OPERANDS, &late);
  copy_parts(o, &inside, EARLY_STARTS, &early);
  if (o->order == OVERLAP_UNDER)
    copy_parts(o, &inside, LATE_OPERANDS, &late);
  copy_parts(o, &inside, LATE_STARTS, &late);
  copy_parts(o, &inside, EARLY_COPIES, &early);
  copy_parts(o, &inside, EARLY_REST, &early);
  copy_parts(o, &inside, LATE_REST, &late);
  for (intptr_t i = 0; i < o->carried; i++)
    values[i] = value_in(stages->late_carried[i] ? &late : &early, next_of(o, i));
  for (intptr_t i = 0; i < stages->crossing_count; i++)
    values[o->carried + i] = next_crossing(o, &inside, stages->crossing[i],
                                           mlirBlockGetArgument(block, o->carried + i + 1), &early);
  BUILD_OP(&inside, "scf.yield", INS(values, count));

  /* The last iteration, late. */
  map_clear(&late.values);
  for (intptr_t i = 0; i < o->carried; i++)
    values[i] = op_result(ahead, i);
  for (intptr_t i = 0; i < o->carried; i++)
    if (stages->late_carried[i])
      set_value(&late, argument(o, i + 1), values[i]);
  for (intptr_t i = 0; i < stages->crossing_count; i++)
    set_value(&late, stages->crossing[i], op_result(ahead, o->carried + i));
  o->in_flight_count = 0;
  if (o->order == OVERLAP_UNDER)
    keep_apart(o, b, &late);
  copy_parts(o, b, LATE, &late);
  for (intptr_t i = 0; i < o->carried; i++)
    out[i] = stages->late_carried[i] ? value_in(&late, next_of(o, i)) : op_result(ahead, i);
  map_free(&early.values);
  map_free(&late.values);
  return ahead;
}

/* The same behind the loop, in a branch that is taken where it runs. */
static struct overlap build_guarded(struct overlapping *o) {
  MlirOperation loop = o->loop;
  struct builder b = builder_before(mlirOperationGetNextInBlock(loop));
  b.location = mlirOperationGetLocation(loop);
  int predicate = op_has_attribute(loop, "unsignedCmp") ? I_BELOW : I_LESS;
  MlirValue runs = build_compare(&b, predicate, op_operand(loop, 0), op_operand(loop, 1));
  MlirRegion regions[] = {region_with_block(&b, 0, NULL), region_with_block(&b, 0, NULL)};
  MlirBlock blocks[] = {mlirRegionGetFirstBlock(regions[0]), mlirRegionGetFirstBlock(regions[1])};
  MlirType types[MAX_CARRIED];
  MlirValue values[MAX_CARRIED];
  for (intptr_t i = 0; i < o->carried; i++) {
    types[i] = op_result_type(loop, i);
    values[i] = op_operand(loop, i + 3);
  }
  struct overlap overlap;
  overlap.branch =
      BUILD_OP(&b, "scf.if", IN(runs), OUTS(types, o->carried), REGION_LIST(regions, 2));
  struct builder otherwise = builder_at_end(b.context, blocks[1], b.location);
  BUILD_OP(&otherwise, "scf.yield", INS(values, o->carried));
  struct builder inside = builder_at_end(b.context, blocks[0], b.location);
  overlap.ahead = build_ahead(o, &inside, values);
  BUILD_OP(&inside, "scf.yield", INS(values, o->carried));
  return overlap;
}

static void use_instead(MlirOperation old, MlirOperation new) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(old); i++)
    mlirValueReplaceAllUsesOfWith(op_result(old, i), op_result(new, i));
}

static struct overlapping overlapping_of(const struct product_stages *stages,
                                         enum overlap_order order) {
  return (struct overlapping){.session = stages->session,
                              .stages = stages,
                              .order = order,
                              .loop = stages->loop,
                              .body = op_body(stages->loop, 0),
                              .carried = mlirOperationGetNumResults(stages->loop)};
}

static void add_elements(struct overlapping *o, MlirOperation op, void *data) {
  struct late_numbers *numbers = data;
  MlirType type = op_result_type(op, 0);
  numbers->count += held_words(o->session, type) * 4 / memory_bytes(o->session, type_element(type));
  numbers->rounds |= op_is(o->session, op, OP_ARITH_TRUNCF);
}

struct late_numbers overlap_late_numbers(const struct product_stages *stages) {
  struct overlapping o = overlapping_of(stages, OVERLAP_UNDER);
  struct late_numbers numbers = {0};
  each_late_arithmetic(&o, add_elements, &numbers);
  return numbers;
}

struct overlap overlap_build(const struct product_stages *stages, enum overlap_order order) {
  struct overlapping o = overlapping_of(stages, order);
  struct overlap overlap = build_guarded(&o);
  use_instead(o.loop, overlap.branch);
  return overlap;
}

void overlap_undo(const struct product_stages *stages, struct overlap overlap) {
  use_instead(overlap.branch, stages->loop);
  mlirOperationDestroy(overlap.branch);
}

static const char *const order_names[] = {
    [OVERLAP_TOGETHER] = "together",
    [OVERLAP_UNDER] = "under",
};

enum overlap_order overlap_order_of(MlirOperation loop) {
  bool under = ref_equals(attribute_text(loop, ATTR_OVERLAPS_PRODUCTS), order_names[OVERLAP_UNDER]);
  return under ? OVERLAP_UNDER : OVERLAP_TOGETHER;
}

void overlap_mark(MlirOperation loop, enum overlap_order order) {
  attribute_set(loop, ATTR_OVERLAPS_PRODUCTS,
                mlirStringAttrGet(mlirOperationGetContext(loop), ref(order_names[order])));
}

MlirOperation overlap_loop(struct session *session, MlirOperation loop, enum overlap_order order,
                           const struct map *syncs) {
  const char *reason;
  struct product_stages stages;
  MlirOperation result = loop;
  if (product_stages_make(&stages, session, loop, syncs, &reason)) {
    result = overlap_build(&stages, order).branch;
    mlirOperationDestroy(loop);
  }
  product_stages_destroy(&stages);
  return result;
}
