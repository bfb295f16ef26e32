/* SPDX-License-Identifier: MIT */
/* See coarsen_loop.h. */
#include "transforms/coarsen_loop.h"

#include "analysis/row_axis.h"

MlirOperation coarsen_only_dot(struct session *session, MlirOperation loop, enum op_kind load) {
  MlirOperation dot = {0}, none = {0};
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op)) {
    const struct op_info *info = op_info(&session->names, op);
    if (info->kind == OP_TILE_DOT && mlirOperationIsNull(dot))
      dot = op;
    else if (info->kind == OP_TILE_DOT || mlirOperationGetNumRegions(op) ||
             (info->kind != load && info->effects != EFFECTS_PURE))
      return none;
  }
  return dot;
}

intptr_t coarsen_accumulator(MlirOperation loop, MlirOperation dot) {
  MlirValue sum = op_operand(dot, 2), result = op_result(dot, 0);
  if (!mlirValueIsABlockArgument(sum) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(sum), op_body(loop, 0)))
    return -1;
  intptr_t index = mlirBlockArgumentGetArgNumber(sum) - 1;
  MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0));
  if (index < 0 || !value_has_one_use(sum) || !value_has_one_use(result) ||
      !mlirValueEqual(op_operand(yield, index), result))
    return -1;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++)
    if (i != index && value_is_used(op_result(loop, i)))
      return -1;
  return index;
}

MlirOperation coarsen_load(struct session *session, MlirValue operand, enum op_kind load,
                           bool alone, int *dim) {
  MlirOperation none = {0};
  while (!alone || value_has_one_use(operand)) {
    MlirOperation op = value_definition(operand);
    if (mlirOperationIsNull(op))
      return none;
    enum op_kind kind = kind_of(session, op);
    if (kind == load)
      return op;
    if (kind == OP_TILE_PERMUTE)
      *dim = row_axis_before(session, op, *dim);
    else if (!KIND_IN(kind, OP_ARITH_EXTSI, OP_ARITH_EXTUI, OP_ARITH_TRUNCI, OP_ARITH_EXTF,
                      OP_ARITH_TRUNCF, OP_TILE_TO_FP8, OP_ARITH_SITOFP, OP_ARITH_UITOFP))
      return none;
    operand = op_operand(op, 0);
  }
  return none;
}

bool coarsen_sums_alike(struct session *session, MlirOperation dot, int64_t size) {
  enum { LONGEST_INSTRUCTION = 32 };
  MlirType factor = type_element(op_operand_type(dot, 0)),
           sum = type_element(op_result_type(dot, 0));
  return !mlirTypeIsAF64(factor) &&
         size * type_bytes(&session->types, factor) >= LONGEST_INSTRUCTION &&
         (mlirTypeIsAF32(sum) || mlirTypeIsAInteger(sum) ||
          (mlirTypeIsAF16(sum) && mlirTypeIsAF16(factor)));
}
