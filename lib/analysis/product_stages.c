/* SPDX-License-Identifier: MIT */
/* See product_stages.h. */
#include "analysis/product_stages.h"

#include "analysis/buffers.h"
#include "analysis/scratch.h"
#include "ir/dot_form.h"

bool product_stages_is_late(const struct product_stages *stages, MlirOperation op) {
  return map_get(&stages->late, op.ptr) != NULL;
}

void product_stages_destroy(struct product_stages *stages) {
  map_free(&stages->late);
  map_free(&stages->starts);
}

/* --- Operations of the body --------------------------------------------------------------------
 */

/* Calls `visit` for each operand of `op` and of what is inside of it. */
struct operands {
  void (*visit)(MlirValue value, void *data);
  void *data;
};

static MlirWalkResult visit_operands(MlirOperation op, void *data) {
  struct operands *operands = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    operands->visit(op_operand(op, i), operands->data);
  return MlirWalkResultAdvance;
}

static void each_operand(MlirOperation op, void (*visit)(MlirValue, void *), void *data) {
  mlirOperationWalk(op, visit_operands, &(struct operands){visit, data}, MlirWalkPreOrder);
}

/* Copies for later iterations, and waits for them: they stay in order, all of them early, but that
   a stage has been read is said late. */
static bool is_of_copies(enum op_kind kind) {
  return KIND_IN(kind, OP_TILE_GPU_ASYNC_COPY, OP_TILE_GPU_ASYNC_COMMIT, OP_TILE_GPU_ASYNC_WAIT,
                 OP_TILE_GPU_BULK_LOAD, OP_TILE_GPU_MBARRIER_EXPECT, OP_TILE_GPU_MBARRIER_WAIT,
                 OP_TILE_GPU_MBARRIER_ARRIVE, OP_TILE_GPU_MBARRIER_ARRIVE_AT);
}

/* A block that is copied, from its buffer or its stage to another one. What is computed in the loop
   and transposed is filled and read in one iteration: what reads it would not be known to depend on
   a product. */
static bool transposes_block(struct session *session, MlirOperation op) {
  MlirOperation buffer = buffer_root(session, op_operand(op, 0));
  if (attribute_has(op, ATTR_BY_ROLE) || mlirOperationIsNull(buffer) ||
      mlirOperationGetNumOperands(buffer) == 0)
    return attribute_has(op, ATTR_BY_ROLE);
  MlirOperation load = value_definition(op_operand(buffer, 0));
  return !mlirOperationIsNull(load) && op_is(session, load, OP_TILE_DESCRIPTOR_LOAD);
}

/* May the operation be one iteration early, or late: does it nothing but compute, read, and
   multiply, or copy? */
static bool may_move(struct session *session, MlirOperation op) {
  const struct op_info *info = op_info(&session->names, op);
  if (is_of_copies(info->kind))
    return true;
  if (info->effects == EFFECTS_PURE || info->effects == EFFECTS_PURE_MAY_TRAP ||
      info->effects == EFFECTS_HINT || starts_async_dot(session, op) ||
      waits_for_async_dot(session, op))
    return true;
  bool volatile_load = op_has_attribute(op, "volatile") || ref_equals(op_string(op, "cache"), "cv");
  if (info->kind == OP_TILE_GPU_LOCAL_TRANSPOSE)
    return transposes_block(session, op);
  return (info->effects == EFFECTS_READ && !volatile_load) || info->kind == OP_TILE_GPU_ALLOC;
}

/* --- Which are late -----------------------------------------------------------------------------
 */

struct reach {
  struct product_stages *stages;
  struct map chained; /* operations that depend on a product of their iteration */
  bool found;
};

static void note_chained(MlirValue value, void *data) {
  struct reach *reach = data;
  MlirOperation op = value_definition(value);
  reach->found |= !mlirOperationIsNull(op) && (map_get(&reach->chained, op.ptr) ||
                                               starts_async_dot(reach->stages->session, op));
}

/* Waits and arrivals for late products are late. */
static void find_late_syncs(struct product_stages *stages, const struct map *syncs) {
  for (size_t i = 0; syncs && i < syncs->count; i++)
    if (map_get(&stages->late, syncs->slots[i].value))
      map_set(&stages->late, syncs->slots[i].key, stages);
}

/* The products that need another one's result. How many of each kind there are goes to *out. */
static void find_late_products(struct product_stages *stages, int *out_early, int *out_late) {
  struct reach reach = {.stages = stages};
  MlirBlock body = op_body(stages->loop, 0);
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    reach.found = false;
    each_operand(op, note_chained, &reach);
    if (reach.found)
      map_set(&reach.chained, op.ptr, stages);
    if (!starts_async_dot(stages->session, op))
      continue;
    *(reach.found ? out_late : out_early) += 1;
    if (reach.found)
      map_set(&stages->late, op.ptr, stages);
  }
  map_free(&reach.chained);
}

static void note_late(MlirValue value, void *data) {
  struct reach *reach = data;
  MlirOperation op = value_definition(value);
  intptr_t number = loop_carried_number(reach->stages->loop, value);
  reach->found |= number >= 0 && reach->stages->late_carried[number];
  reach->found |= !mlirOperationIsNull(op) && product_stages_is_late(reach->stages, op);
}

/* What late operations compute, in this iteration or in the next by way of what the loop carries,
   is late. */
static void close_late(struct product_stages *stages) {
  MlirBlock body = op_body(stages->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  struct reach reach = {.stages = stages};
  for (bool changed = true; changed;) {
    changed = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, yield);
         op = mlirOperationGetNextInBlock(op)) {
      reach.found = false;
      each_operand(op, note_late, &reach);
      if (!reach.found || product_stages_is_late(stages, op))
        continue;
      map_set(&stages->late, op.ptr, stages);
      changed = true;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
      reach.found = false;
      note_late(op_operand(yield, i), &reach);
      changed |= reach.found && !stages->late_carried[i];
      stages->late_carried[i] |= reach.found;
    }
  }
}

/* --- What only late operations need --------------------------------------------------------------
 */

/* Operations that are better late where nothing else needs them: loads, so that they are no earlier
   than their product, addresses, and what makes something larger, or an operand, of what crosses.
   Operands of bytes cross as such, four in a word, but for those that lanes exchange through
   memory: they would be loaded into registers that the product in flight reads, and ptxas (13.0)
   lets all products wait for each other (C7513). Other arithmetic stays early, where a product runs
   meanwhile. */
static bool may_be_late(struct session *session, MlirOperation op) {
  const struct op_info *info = op_info(&session->names, op);
  if (info->kind == OP_TILE_GPU_LOCAL_TRANSPOSE)
    return true;
  if (!may_move(session, op) || starts_async_dot(session, op) || waits_for_async_dot(session, op) ||
      is_of_copies(info->kind) || mlirOperationGetNumRegions(op) > 0 ||
      mlirOperationGetNumResults(op) != 1)
    return false;
  if (info->effects != EFFECTS_PURE && info->effects != EFFECTS_PURE_MAY_TRAP)
    return true;
  MlirType type = op_result_type(op, 0);
  bool conversion = KIND_IN(info->kind, OP_ARITH_TRUNCF, OP_ARITH_EXTF);
  if (type_is_tensor(type) && type_is_fp8(type_element(type)) && op_has(session, op, REARRANGES))
    return scratch_bytes(session, op) > 0;
  return conversion || op_has(session, op, IS_LEAF) || op_has(session, op, REARRANGES) ||
         op_has(session, op, RELABELS) || op_has(session, op, IS_VIEW) || !type_is_tensor(type) ||
         !mlirTypeIsAFloat(type_element(type));
}

struct candidates {
  struct product_stages *stages;
  struct map set; /* operations that may still become late; a value of NULL: not any more */
  bool carried[MAX_CARRIED];
};

static bool is_candidate(struct candidates *c, MlirOperation op) {
  return product_stages_is_late(c->stages, op) || map_get(&c->set, op.ptr);
}

/* What the operation makes: a value, or what it fills; null where nothing uses that. */
static MlirValue made_by(struct session *session, MlirOperation op) {
  MlirValue value =
      op_is(session, op, OP_TILE_GPU_LOCAL_TRANSPOSE) ? op_operand(op, 1) : op_result(op, 0);
  return value_is_used(value) ? value : (MlirValue){0};
}

/* Does only what is late, or a candidate, use the value? */
static bool serves_late(struct candidates *c, MlirValue value) {
  MlirBlock body = op_body(c->stages->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = op_in_block(mlirOpOperandGetOwner(use), body);
    bool serves = mlirOperationEqual(user, yield) ? c->carried[mlirOpOperandGetOperandNumber(use)]
                                                  : is_candidate(c, user);
    if (!serves)
      return false;
  }
  return true;
}

/* A carried value is late where all that uses it is, and what it becomes: or else nothing makes it,
   and it stays early. */
static bool carried_serves_late(struct candidates *c, intptr_t number) {
  MlirBlock body = op_body(c->stages->loop, 0);
  MlirValue next = op_operand(mlirBlockGetTerminator(body), number);
  MlirOperation op = value_definition(next);
  return serves_late(c, mlirBlockGetArgument(body, number + 1)) && !mlirOperationIsNull(op) &&
         op_is_inside(op, c->stages->loop) && is_candidate(c, op);
}

/* The greatest set of operations and carried values that only late ones need. */
static void add_what_late_needs(struct product_stages *stages) {
  struct candidates c = {.stages = stages};
  MlirBlock body = op_body(stages->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), op;
  intptr_t carried = mlirOperationGetNumResults(stages->loop);
  for (op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, yield);
       op = mlirOperationGetNextInBlock(op))
    if (!product_stages_is_late(stages, op) && may_be_late(stages->session, op) &&
        !mlirValueIsNull(made_by(stages->session, op)))
      map_set(&c.set, op.ptr, stages);
  for (intptr_t i = 0; i < carried; i++)
    c.carried[i] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < c.set.count; i++) {
      MlirOperation at = {(void *)c.set.slots[i].key};
      if (c.set.slots[i].value && !serves_late(&c, made_by(stages->session, at))) {
        map_set(&c.set, at.ptr, NULL);
        changed = true;
      }
    }
    for (intptr_t i = 0; i < carried; i++)
      if (c.carried[i] && !stages->late_carried[i] && !carried_serves_late(&c, i)) {
        c.carried[i] = false;
        changed = true;
      }
  }
  for (size_t i = 0; i < c.set.count; i++)
    if (c.set.slots[i].value)
      map_set(&stages->late, c.set.slots[i].key, stages);
  for (intptr_t i = 0; i < carried; i++)
    stages->late_carried[i] |= c.carried[i];
  map_free(&c.set);
}

/* --- What crosses, and what comes before products ------------------------------------------------
 */

static void add_crossing(MlirValue value, void *data) {
  struct product_stages *stages = data;
  MlirOperation op = value_definition(value);
  MlirBlock body = op_body(stages->loop, 0);
  if (mlirOperationIsNull(op)) {
    intptr_t number = loop_carried_number(stages->loop, value);
    if (number < -1 || !mlirBlockEqual(mlirBlockArgumentGetOwner(value), body) ||
        (number >= 0 && stages->late_carried[number]))
      return;
  } else if (!mlirBlockEqual(mlirOperationGetBlock(op), body) || product_stages_is_late(stages, op))
    return;
  for (intptr_t i = 0; i < stages->crossing_count; i++)
    if (mlirValueEqual(stages->crossing[i], value))
      return;
  if (stages->crossing_count < MAX_CROSSING)
    stages->crossing[stages->crossing_count] = value;
  stages->crossing_count++;
}

static bool find_crossing(struct product_stages *stages) {
  MlirBlock body = op_body(stages->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op))
    if (product_stages_is_late(stages, op))
      each_operand(op, add_crossing, stages);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
    if (stages->late_carried[i])
      add_crossing(op_operand(yield, i), stages);
  for (intptr_t i = 0; i < stages->crossing_count && stages->crossing_count <= MAX_CROSSING; i++)
    if (mlirTypeIsAMemRef(mlirValueGetType(stages->crossing[i])))
      return false;
  return stages->crossing_count <= MAX_CROSSING;
}

static void add_start(MlirValue value, void *data) {
  struct product_stages *stages = data;
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), op_body(stages->loop, 0)) ||
      map_get(&stages->starts, op.ptr))
    return;
  map_set(&stages->starts, op.ptr, stages);
  each_operand(op, add_start, stages);
}

/* The consumers', and those of who transposes. */
static bool waits_for_blocks(struct session *session, MlirOperation op) {
  return op_is(session, op, OP_TILE_GPU_MBARRIER_WAIT) && !attribute_has(op, ATTR_PRODUCER);
}

/* A wait for what a product reads, or what that is transposed from. */
static bool comes_before_dot(struct session *session, MlirOperation op, const struct map *syncs) {
  void *dot = syncs && waits_for_blocks(session, op) ? map_get(syncs, op.ptr) : NULL;
  return dot && mlirOperationIsBeforeInBlock(op, (MlirOperation){dot});
}

/* Is each wait for blocks on account of one product? */
static bool each_wait_has_dot(struct session *session, MlirOperation loop,
                              const struct map *syncs) {
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  while (!mlirOperationIsNull(op) &&
         (!waits_for_blocks(session, op) || (syncs && map_get(syncs, op.ptr))))
    op = mlirOperationGetNextInBlock(op);
  return mlirOperationIsNull(op);
}

static void find_starts(struct product_stages *stages, const struct map *syncs) {
  struct session *session = stages->session;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(stages->loop, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    bool late = product_stages_is_late(stages, op);
    if (!comes_before_dot(session, op, syncs) && (late || !starts_async_dot(session, op)))
      continue;
    map_set(&stages->starts, op.ptr, stages);
    if (!late)
      each_operand(op, add_start, stages);
  }
}

/* --- The loop -----------------------------------------------------------------------------------
 */

struct body_check {
  struct session *session;
  int products;
  bool fixed; /* something may not move */
};

static MlirLogicalResult check_operation(MlirOperation op, void *data) {
  struct body_check *check = data;
  if (op_has(check->session, mlirOperationGetParentOperation(op), COMBINES))
    return SUCCESS;
  enum op_effects effects = op_info(&check->session->names, op)->effects;
  check->products += starts_async_dot(check->session, op);
  check->fixed |=
      effects != EFFECTS_TERMINATOR && effects != EFFECTS_REGION && !may_move(check->session, op);
  check->fixed |= op_has(check->session, op, IS_LOOP);
  return SUCCESS;
}

bool product_stages_make(struct product_stages *stages, struct session *session, MlirOperation loop,
                         const struct map *syncs, const char **out_reason) {
  *stages = (struct product_stages){.session = session, .loop = loop};
  *out_reason = NULL;
  if (mlirOperationGetNumResults(loop) > MAX_CARRIED)
    return false;
  struct body_check check = {.session = session};
  visit_operations(loop, check_operation, &check);
  int early = 0, late = 0;
  find_late_products(stages, &early, &late);
  find_late_syncs(stages, syncs);
  if (!early || !late)
    return false;
  if (check.fixed || early + late != check.products) {
    *out_reason = "the loop stores, synchronises, or has products in branches or loops of its own";
    return false;
  }
  if (!each_wait_has_dot(session, loop, syncs)) {
    *out_reason = "several products wait for one mbarrier";
    return false;
  }
  close_late(stages);
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  for (int products = 0; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    products += starts_async_dot(session, op) && product_stages_is_late(stages, op);
    if (products > late) {
      *out_reason = "the next iteration's first product needs this one's last";
      return false;
    }
  }
  add_what_late_needs(stages);
  if (!find_crossing(stages)) {
    *out_reason = "both products read one buffer, or too much goes from one to the other";
    return false;
  }
  find_starts(stages, syncs);
  return true;
}
