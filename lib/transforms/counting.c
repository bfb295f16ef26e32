/* SPDX-License-Identifier: MIT */
/* See counting.h. */
#include "transforms/counting.h"

#include "ir/build.h"

/* Does the induction variable count iterations from 0, in this type? */
static bool is_counted_from_zero(struct session *session, MlirOperation loop, MlirType type) {
  int64_t first, step;
  return uniform_integer(session, op_operand(loop, 0), &first) && first == 0 &&
         uniform_integer(session, op_operand(loop, 2), &step) && step == 1 &&
         mlirTypeEqual(op_operand_type(loop, 0), type);
}

/* The scalar that all elements of `tile` are, if the loop does not compute it; else null. */
static MlirValue scalar_of(struct session *session, struct builder *b, MlirOperation loop,
                           MlirValue tile) {
  MlirOperation op = value_definition(tile);
  if (op_is(session, op, OP_TILE_SPLAT)) {
    MlirValue scalar = op_operand(op, 0);
    MlirOperation owner = mlirValueIsABlockArgument(scalar)
                              ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(scalar))
                              : value_definition(scalar);
    return op_is_inside(owner, loop) ? (MlirValue){0} : scalar;
  }
  MlirAttribute number = uniform_number(session, tile);
  return mlirAttributeIsNull(number)
             ? (MlirValue){0}
             : build_constant(b, number, type_element(mlirValueGetType(tile)));
}

static void unfold(struct session *session, MlirOperation loop, intptr_t index) {
  MlirBlock body = op_body(loop, 0);
  MlirValue variable = mlirBlockGetArgument(body, index + 1);
  MlirType type = mlirValueGetType(variable);
  MlirOperation sum = value_definition(op_operand(mlirBlockGetTerminator(body), index));
  if (!type_is_tensor(type) || !is_counted_from_zero(session, loop, type_element(type)) ||
      !op_is(session, sum, OP_ARITH_ADDI) || !mlirValueEqual(op_operand(sum, 0), variable))
    return;
  struct builder b = builder_before(mlirBlockGetFirstOperation(body));
  MlirValue step = scalar_of(session, &b, loop, op_operand(sum, 1));
  if (mlirValueIsNull(step))
    return;
  MlirValue reached = build_binary(&b, "arith.muli", mlirBlockGetArgument(body, 0), step);
  MlirValue now = build_binary(&b, "arith.addi", op_operand(loop, index + 3),
                               BUILD(&b, "tile.splat", IN(reached), OUT(type)));
  mlirValueReplaceAllUsesExcept(variable, now, 1, &sum);
}

MlirLogicalResult unfold_counting(MlirOperation op, void *data) {
  struct session *session = data;
  for (intptr_t i = 0; op_is(session, op, OP_SCF_FOR) && i < mlirOperationGetNumResults(op); i++)
    unfold(session, op, i);
  return SUCCESS;
}
