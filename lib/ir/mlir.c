/* SPDX-License-Identifier: MIT */
/* See mlir.h. */
#include "ir/mlir.h"

#include <string.h>

void print_to_text(MlirStringRef part, void *text) {
  text_append(text, part.data, part.length);
}

void type_print(MlirType type, struct text *out) {
  mlirTypePrint(type, print_to_text, out);
}

MlirBlock op_body(MlirOperation op, intptr_t index) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, index));
}

bool op_has_attribute(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(mlirOperationGetAttributeByName(op, ref(name)));
}

int64_t op_integer(MlirOperation op, const char *name, int64_t fallback) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, ref(name));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return fallback;
  return mlirIntegerAttrGetValueInt(attribute);
}

MlirStringRef op_string(MlirOperation op, const char *name) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, ref(name));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute))
    return (MlirStringRef){"", 0};
  return mlirStringAttrGetValue(attribute);
}

bool value_is_used(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

MlirOperation value_definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){0};
}

bool value_has_one_use(MlirValue value) {
  MlirOpOperand first = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(first) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(first));
}

bool op_is_used(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (value_is_used(op_result(op, i)))
      return true;
  return false;
}

MlirBlock value_block(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                          : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

bool value_is_argument_of(MlirValue value, MlirBlock block) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), block);
}

intptr_t loop_carried_number(MlirOperation loop, MlirValue value) {
  return value_is_argument_of(value, op_body(loop, 0)) ? mlirBlockArgumentGetArgNumber(value) - 1
                                                       : -1;
}

MlirOperation op_in_block(MlirOperation op, MlirBlock block) {
  while (!mlirOperationIsNull(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

bool op_is_inside(MlirOperation op, MlirOperation ancestor) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (mlirOperationEqual(op, ancestor))
      return true;
  return false;
}

static MlirLogicalResult visit_block(MlirBlock block, visit_function *visit, void *data) {
  MlirOperation op = mlirBlockGetFirstOperation(block), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    bool leaf = mlirOperationGetNumRegions(op) == 0;
    TRY_IR(visit(op, data)); /* may erase a leaf */
    if (!leaf)
      TRY_IR(visit_operations(op, visit, data));
  }
  return SUCCESS;
}

MlirLogicalResult visit_operations(MlirOperation op, visit_function *visit, void *data) {
  intptr_t regions = mlirOperationGetNumRegions(op);
  for (intptr_t i = 0; i < regions; i++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      TRY_IR(visit_block(block, visit, data));
  }
  return SUCCESS;
}

MlirAttribute attribute_integer(MlirContext context, unsigned width, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, width), value);
}

MlirAttribute attribute_string(MlirContext context, const char *text) {
  return mlirStringAttrGet(context, ref(text));
}

MlirNamedAttribute attribute_named(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, ref(name)), value);
}

MlirAttribute attribute_dense_i32(MlirContext context, intptr_t count, const int32_t *values) {
  return mlirDenseI32ArrayGet(context, count, values);
}
