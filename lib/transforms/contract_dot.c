/* SPDX-License-Identifier: MIT */
/* tile-contract-dot: a sum of something and a dot that starts from zero starts from
   it instead.

     %d = tile.dot %a, %b, %zero         %s = tile.dot %a, %b, %c
     %s = arith.addf %d, %c        ->

   Needs: any IR. Keeps: everything but where the sum is rounded: tensor cores add into their
   accumulators anyway, and a kernel that writes `acc += tl.dot(a, b)` means just that. Not of fp8:
   tensor cores keep fewer bits of such sums than f32 has, and a kernel that adds by itself does so
   to lose none. The dot must have this one use and stand in the same block; it moves to where
   the sum was. i8 dots that mma.sync computes saturate (dot_mma.c); one that takes a sum's place
   wraps, as the sum does: from zero it could not saturate. */
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/verify.h"

static bool is_dot_from_zero(struct session *session, MlirOperation sum, intptr_t index) {
  MlirValue operand = op_operand(sum, index);
  MlirOperation dot = value_definition(operand);
  if (mlirOperationIsNull(dot))
    return false;
  enum op_kind kind = kind_of(session, dot);
  return (kind == OP_TILE_DOT || kind == OP_TILE_DOT_SCALED) && value_has_one_use(operand) &&
         !type_is_fp8(type_element(op_operand_type(dot, 0))) &&
         mlirBlockEqual(mlirOperationGetBlock(dot), mlirOperationGetBlock(sum)) &&
         value_is_zero(session, op_operand(dot, 2));
}

static MlirLogicalResult contract(MlirOperation sum, void *data) {
  struct session *session = data;
  if (!KIND_IN(kind_of(session, sum), OP_ARITH_ADDF, OP_ARITH_ADDI))
    return SUCCESS;
  intptr_t index = 0;
  if (!is_dot_from_zero(session, sum, index) && !is_dot_from_zero(session, sum, ++index))
    return SUCCESS;
  MlirOperation dot = value_definition(op_operand(sum, index));
  MlirValue addend = op_operand(sum, 1 - index);
  mlirOperationMoveBefore(dot, sum);
  mlirOperationSetOperand(dot, 2, addend);
  if (kind_of(session, sum) == OP_ARITH_ADDI)
    mlirOperationSetAttributeByName(dot, ref("wraps"), mlirUnitAttrGet(session->context));
  MlirValue result = op_result(dot, 0);
  return replace_op(sum, &result);
}

MlirLogicalResult run_contract_dot(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, contract, context->session);
}
