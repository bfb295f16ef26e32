/* SPDX-License-Identifier: MIT */
/* tile-if-to-select: a small scf.if without effects becomes selects.

     %y = scf.if %c {                          %k = select %c, 1.0, -0.0
       %s = addf %x, dense 1.0         ->      %y = addf %x, splat %k
       yield %s
     } else { yield %x }

   Needs: any IR before layouts. Keeps: what is computed. A branch is worth its place where an arm
   does much; a few cheap operations cost less than what the branch keeps apart: loads before it and
   after it wait for one another. An arm that adds a number to what the other arm yields, or
   multiplies by one, adds or multiplies by a selected number instead, which is one scalar select:
   -0.0 is what adding leaves every number as it is, 1.0 for multiplying. */
#include "ir/build.h"
#include "ir/passes.h"

/* An arm of more operations keeps its branch. */
enum { MAX_OPERATIONS = 4 };

/* Can both arms be executed always? An empty else region has nothing to say. */
static bool is_small(struct session *session, MlirBlock block) {
  int count = 0;
  if (mlirBlockIsNull(block))
    return false;
  MlirOperation yield = mlirBlockGetTerminator(block);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    if (!op_has(session, op, IS_CHEAP))
      return false;
    count++;
  }
  return count <= MAX_OPERATIONS;
}

static void move_out(MlirBlock block, MlirOperation before) {
  MlirOperation yield = mlirBlockGetTerminator(block);
  MlirOperation op = mlirBlockGetFirstOperation(block), next;
  for (; !mlirOperationEqual(op, yield); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, before);
  }
}

/* For `changed` = f(plain, number), f one of addf and mulf: f with its number selected. Null where
   it is something else. */
static MlirValue select_number(struct session *session, struct builder *b, MlirValue condition,
                               bool then, MlirValue changed, MlirValue plain) {
  MlirOperation op = value_definition(changed);
  bool sum = op_is(session, op, OP_ARITH_ADDF);
  if (!sum && !op_is(session, op, OP_ARITH_MULF))
    return (MlirValue){0};
  intptr_t side = mlirValueEqual(op_operand(op, 0), plain) ? 1 : 0;
  MlirAttribute number = uniform_number(session, op_operand(op, side));
  if (mlirAttributeIsNull(number) || !mlirValueEqual(op_operand(op, 1 - side), plain))
    return (MlirValue){0};
  MlirType element = mlirAttributeGetType(number), type = mlirValueGetType(changed);
  MlirAttribute neutral = mlirFloatAttrDoubleGet(b->context, element, sum ? -0.0 : 1.0);
  MlirValue own = build_constant(b, number, element), none = build_constant(b, neutral, element);
  MlirValue chosen =
      BUILD(b, "arith.select", IN(condition, then ? own : none, then ? none : own), OUT(element));
  if (type_is_tensor(type))
    chosen = BUILD(b, "tile.splat", IN(chosen), OUT(type));
  return BUILD(b, sum ? "arith.addf" : "arith.mulf", IN(plain, chosen), OUT(type));
}

static MlirValue select_result(struct session *session, struct builder *b, MlirValue condition,
                               MlirValue yes, MlirValue no) {
  if (mlirValueEqual(yes, no))
    return yes;
  MlirValue value = select_number(session, b, condition, true, yes, no);
  if (mlirValueIsNull(value))
    value = select_number(session, b, condition, false, no, yes);
  if (mlirValueIsNull(value))
    value = BUILD(b, "arith.select", IN(condition, yes, no), OUT(mlirValueGetType(yes)));
  return value;
}

static MlirWalkResult flatten(MlirOperation op, void *data) {
  struct session *session = data;
  if (kind_of(session, op) != OP_SCF_IF || mlirOperationGetNumResults(op) == 0)
    return MlirWalkResultAdvance;
  MlirBlock then = op_body(op, 0), otherwise = op_body(op, 1);
  if (!is_small(session, then) || !is_small(session, otherwise))
    return MlirWalkResultAdvance;
  struct builder b = builder_before(op);
  intptr_t count = mlirOperationGetNumResults(op);
  MlirOperation yes = mlirBlockGetTerminator(then), no = mlirBlockGetTerminator(otherwise);
  move_out(then, op);
  move_out(otherwise, op);
  for (intptr_t i = 0; i < count; i++)
    mlirValueReplaceAllUsesOfWith(
        op_result(op, i),
        select_result(session, &b, op_operand(op, 0), op_operand(yes, i), op_operand(no, i)));
  mlirOperationDestroy(op);
  return MlirWalkResultSkip;
}

MlirLogicalResult run_if_to_select(struct pass_context *context, MlirOperation root) {
  mlirOperationWalk(root, flatten, context->session, MlirWalkPostOrder);
  return SUCCESS;
}
