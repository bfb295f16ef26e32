/* SPDX-License-Identifier: MIT */
/* See rematerialise.h. */
#include "transforms/rematerialise.h"

#include "ir/build.h"

void retype_constant(MlirOperation op) {
  MlirAttribute value = mlirOperationGetAttributeByName(op, ref("value"));
  MlirType type = op_result_type(op, 0);
  if (!type_is_tensor(type) || !mlirAttributeIsADenseElements(value))
    return;
  MlirAttribute changed =
      mlirDenseElementsAttrIsSplat(value)
          ? mlirDenseElementsAttrSplatGet(type, mlirDenseElementsAttrGetSplatValue(value))
          : mlirDenseElementsAttrReshapeGet(value, type);
  mlirOperationSetAttributeByName(op, ref("value"), changed);
}

static MlirAttribute operand_layout(struct session *session, MlirOperation op,
                                    MlirAttribute layout) {
  if (kind_of(session, op) == OP_TILE_EXPAND_DIMS)
    return slice_attribute(&session->layouts, (int)op_integer(op, "axis", 0), layout);
  return layout;
}

bool is_rebuildable(struct session *session, MlirOperation op) {
  return op_has(session, op, IS_REBUILDABLE | IS_ELEMENTWISE);
}

bool is_small_load(struct session *session, MlirOperation op, MlirAttribute layout,
                   const struct rebuild_budget *budget) {
  if (kind_of(session, op) != OP_TILE_LOAD || op_has_attribute(op, "volatile") ||
      ref_equals(op_string(op, "cache"), "cv"))
    return false;
  MlirType type = op_result_type(op, 0);
  const struct linear_layout *linear =
      type_is_tensor(type) && mlirShapedTypeGetRank(type) == 1
          ? layout_to_linear(&session->layouts, type_with_layout(type, layout))
          : NULL;
  if (!linear)
    return false;
  uintptr_t equal =
      budget->equal_addresses ? (uintptr_t)map_get(budget->equal_addresses, op.ptr) : 0;
  int addresses = 1;
  for (int bit = 0; bit < linear->in.bits[LAYOUT_REGISTER]; bit++) {
    uint32_t place = linear_layout_basis(linear, LAYOUT_REGISTER, bit);
    addresses *= place == 0 || place < equal ? 1 : 2;
  }
  return addresses <= budget->load_registers;
}

bool can_rebuild(struct session *session, MlirValue value, MlirAttribute layout,
                 struct rebuild_budget *budget) {
  MlirType type = mlirValueGetType(value);
  bool assumed = !mlirValueIsNull(budget->assumed) && mlirValueEqual(value, budget->assumed);
  if (!type_is_tensor(type) || assumed || mlirAttributeEqual(type_layout(type), layout))
    return true;
  MlirOperation op = value_definition(value);
  if (!value_has_one_use(value))
    budget->load_registers = 0; /* a load after it would be executed twice */
  if (mlirOperationIsNull(op) || --budget->operations < 0 ||
      (!is_rebuildable(session, op) && !is_small_load(session, op, layout, budget)))
    return false;
  if (kind_of(session, op) == OP_TILE_GPU_CONVERT_LAYOUT)
    return can_rebuild(session, op_operand(op, 0), layout, budget);
  MlirAttribute inner = operand_layout(session, op, layout);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!can_rebuild(session, op_operand(op, i), inner, budget))
      return false;
  return true;
}

MlirValue rebuild(struct session *session, MlirValue value, MlirAttribute layout) {
  MlirType type = mlirValueGetType(value);
  if (!type_is_tensor(type) || mlirAttributeEqual(type_layout(type), layout))
    return value;
  MlirOperation op = value_definition(value);
  if (kind_of(session, op) == OP_TILE_GPU_CONVERT_LAYOUT)
    return rebuild(session, op_operand(op, 0), layout);
  MlirOperation copy = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(op), op, copy);
  MlirAttribute inner = operand_layout(session, op, layout);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, rebuild(session, op_operand(op, i), inner));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(copy); i++)
    mlirValueSetType(op_result(copy, i), type_with_layout(op_result_type(copy, i), layout));
  if (kind_of(session, op) == OP_ARITH_CONSTANT)
    retype_constant(copy);
  return op_result(copy, mlirOpResultGetResultNumber(value));
}

MlirLogicalResult rematerialise_conversion(MlirOperation op, void *data) {
  struct session *session = data;
  if (kind_of(session, op) != OP_TILE_GPU_CONVERT_LAYOUT)
    return SUCCESS;
  MlirAttribute layout = type_layout(op_result_type(op, 0));
  struct rebuild_budget budget = {.operations = MAX_REMATERIALISED};
  if (!can_rebuild(session, op_operand(op, 0), layout, &budget))
    return SUCCESS;
  MlirValue value = rebuild(session, op_operand(op, 0), layout);
  return replace_op(op, &value);
}
