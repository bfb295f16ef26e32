/* SPDX-License-Identifier: MIT */
/* See mma_attributes.h. */
#include "ir/mma_attributes.h"

#include <string.h>

static bool read_number(MlirOperation op, const char *name, enum mma_number *out) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, ref(name));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAType(attribute))
    return false;
  struct text text = {0};
  type_print(mlirTypeAttrGetValue(attribute), &text);
  int found = 0;
  while (found < MMA_NUMBER_COUNT && strcmp(text_string(&text), mma_numbers[found].mlir) != 0)
    found++;
  text_free(&text);
  *out = (enum mma_number)found;
  return found < MMA_NUMBER_COUNT;
}

static bool read_accumulator(MlirOperation op, MlirType type, enum mma_number *out) {
  if (op_has_attribute(op, "c_type"))
    return read_number(op, "c_type", out);
  *out = mlirTypeIsAF32(type) ? MMA_F32 : mlirTypeIsAF64(type) ? MMA_F64 : MMA_S32;
  return true;
}

bool mma_attributes(MlirOperation op, MlirType accumulator, struct mma_shape *out) {
  enum { MAX_SIZE = 256 };
  MlirAttribute shape = mlirOperationGetAttributeByName(op, ref("shape"));
  if (mlirAttributeIsNull(shape) || !mlirAttributeIsADenseI32Array(shape) ||
      mlirDenseArrayGetNumElements(shape) != 3)
    return false;
  unsigned sizes[3];
  for (int i = 0; i < 3; i++) {
    int32_t size = mlirDenseI32ArrayGetElement(shape, i);
    if (size < 1 || size > MAX_SIZE)
      return false;
    sizes[i] = (unsigned)size;
  }
  *out = (struct mma_shape){
      .m = sizes[0], .n = sizes[1], .k = sizes[2], .saturate = op_has_attribute(op, "saturate")};
  return read_number(op, "a_type", &out->a) && read_number(op, "b_type", &out->b) &&
         read_accumulator(op, accumulator, &out->c);
}

bool mma_operation(MlirOperation op, struct mma_shape *out, enum machine_feature *needed) {
  intptr_t a = op_segment(op, 3, 0), b = op_segment(op, 3, 1), c = op_segment(op, 3, 2);
  return c > 0 && mlirOperationGetNumResults(op) == c &&
         mma_attributes(op, op_result_type(op, 0), out) && !mma_problem(out, needed) &&
         a == mma_a_registers(out) && b == mma_b_registers(out) && c == mma_c_registers(out);
}

bool wgmma_operation(MlirOperation op, struct mma_shape *out) {
  intptr_t c = op_segment(op, 4, 0), a = op_segment(op, 4, 1);
  return c > 0 && (a == 1 || a == WGMMA_A_REGISTERS) &&
         mlirOperationGetNumOperands(op) == c + a + 2 && mlirOperationGetNumResults(op) == c &&
         mma_attributes(op, op_operand_type(op, 0), out) && !wgmma_problem(out) &&
         c == wgmma_c_registers(out);
}

bool op_boolean(MlirOperation op, const char *name) {
  MlirAttribute value = mlirOperationGetAttributeByName(op, ref(name));
  return !mlirAttributeIsNull(value) && mlirAttributeIsABool(value) && mlirBoolAttrGetValue(value);
}

intptr_t op_segment(MlirOperation op, intptr_t groups, intptr_t group) {
  MlirAttribute sizes = mlirOperationGetAttributeByName(op, ref("operandSegmentSizes"));
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI32Array(sizes) ||
      mlirDenseArrayGetNumElements(sizes) != groups)
    return -1;
  intptr_t sum = 0;
  for (intptr_t i = 0; i < groups; i++) {
    intptr_t size = mlirDenseI32ArrayGetElement(sizes, i);
    if (size < 0)
      return -1;
    sum += size;
  }
  return sum == mlirOperationGetNumOperands(op) ? mlirDenseI32ArrayGetElement(sizes, group) : -1;
}
