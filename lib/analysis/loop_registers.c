/* SPDX-License-Identifier: MIT */
/* See loop_registers.h. */
#include "analysis/loop_registers.h"

#include "analysis/liveness.h"
#include "analysis/loop_stages.h"
#include "analysis/pressure.h"
#include "analysis/scratch.h"
#include "ir/module_target.h"

struct counting {
  struct session *session;
  MlirOperation loop;
  struct map seen; /* MlirValue.ptr */
  int64_t words;
};

/* Masks are predicates, and addresses and column numbers follow from few numbers. */
static bool is_data(struct session *session, MlirType type) {
  if (!type_is_tensor(type) || mlirAttributeIsNull(type_layout(type)))
    return false;
  MlirType element = type_element(type);
  return mlirTypeIsAFloat(element) && !type_is_pointer(&session->types, element);
}

static void count(struct counting *c, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!is_data(c->session, type) || map_get(&c->seen, value.ptr))
    return;
  map_set(&c->seen, value.ptr, c);
  c->words += tile_words(c->session, type);
}

static bool is_constant(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  return !mlirOperationIsNull(op) && kind_of(session, op) == OP_ARITH_CONSTANT;
}

static bool is_from_outside(const struct counting *c, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (!mlirOperationIsNull(op))
    return !op_is_inside(op, c->loop);
  return !op_is_inside(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)), c->loop);
}

static MlirLogicalResult count_tiles(MlirOperation op, void *data) {
  struct counting *c = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is_from_outside(c, op_operand(op, i)) && !is_constant(c->session, op_operand(op, i)))
      count(c, op_operand(op, i));
  if (kind_of(c->session, op) == OP_TILE_LOAD)
    count(c, op_result(op, 0));
  return SUCCESS;
}

/* Does the loop only hand on argument `i` as it came? */
static bool is_handed_on(MlirOperation loop, intptr_t i) {
  MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
  MlirValue argument = mlirBlockGetArgument(op_body(loop, 0), i);
  MlirOperation user = i > 0 ? only_user(argument) : (MlirOperation){0};
  return !mlirOperationIsNull(user) && mlirOperationEqual(user, yield) &&
         mlirValueEqual(op_operand(yield, i - 1), argument);
}

int64_t loop_registers(struct session *session, MlirOperation loop) {
  struct counting c = {.session = session, .loop = loop};
  MlirBlock body = op_body(loop, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    if (!is_handed_on(loop, i))
      count(&c, mlirBlockGetArgument(body, i));
  visit_operations(loop, count_tiles, &c);
  map_free(&c.seen);
  return c.words;
}

/* --- Where threads wait ----------------------------------------------------------------------- */

/* One number for all elements. */
static bool is_shared(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  return !mlirOperationIsNull(op) &&
         (kind_of(session, op) == OP_TILE_SPLAT || is_constant(session, value));
}

static MlirLogicalResult count_outer(MlirOperation op, void *data) {
  struct counting *c = data;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is_from_outside(c, op_operand(op, i)) && !is_shared(c->session, op_operand(op, i)))
      count(c, op_operand(op, i));
  return SUCCESS;
}

static int64_t live_across(struct session *session, MlirOperation loop, MlirOperation point) {
  struct counting c = {.session = session, .loop = loop};
  MlirBlock body = op_body(loop, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    if (!is_handed_on(loop, i) &&
        value_is_live_after(session, mlirBlockGetArgument(body, i), point))
      count(&c, mlirBlockGetArgument(body, i));
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationEqual(op, point); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      if (!is_shared(session, op_result(op, i)) &&
          value_is_live_after(session, op_result(op, i), point))
        count(&c, op_result(op, i));
  visit_operations(loop, count_outer, &c);
  map_free(&c.seen);
  return c.words;
}

int64_t loop_registers_waiting(struct session *session, MlirOperation loop) {
  int64_t most = 0;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    int64_t words = scratch_waits_for_block(session, op) ? live_across(session, loop, op) : 0;
    most = words > most ? words : most;
  }
  return most;
}

bool loop_is_short_of_registers(struct session *session, MlirOperation loop) {
  MlirOperation module = module_of(loop);
  int num_warps = (int)attribute_number(module, ATTR_NUM_WARPS, 4);
  return loop_registers(session, loop) + PRESSURE_ALLOWANCE > module_registers(module, num_warps);
}
