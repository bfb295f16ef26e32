/* SPDX-License-Identifier: MIT */
/* See build_form.h. */
#include "transforms/build_form.h"

/* The value at the builder's place: computed again where it is defined later. */
static MlirValue build_again(struct builder *b, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || value_is_before(value, b->before))
    return value;
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, build_again(b, op_operand(op, i)));
  mlirBlockInsertOwnedOperationBefore(b->block, b->before, copy);
  return op_result(copy, 0);
}

/* As i64. */
static MlirValue extend(struct builder *b, MlirValue value) {
  value = build_again(b, value);
  MlirType i64 = integer_type(b, 64);
  return type_is_integer(mlirValueGetType(value), 64)
             ? value
             : BUILD(b, "arith.extsi", IN(value), OUT(i64));
}

MlirValue build_term(struct builder *b, const struct form_term *term) {
  if (term->scalar_count == 0)
    return build_integer(b, 64, term->factor);
  MlirValue value = extend(b, term->scalars[0]);
  for (int i = 1; i < term->scalar_count; i++)
    value = build_binary(b, "arith.muli", value, extend(b, term->scalars[i]));
  return term->factor == 1
             ? value
             : build_binary(b, "arith.muli", value, build_integer(b, 64, term->factor));
}

MlirValue build_form(struct builder *b, const struct linear_form *form) {
  MlirValue sum = {0};
  for (int i = 0; i < form->count; i++) {
    MlirValue term = build_term(b, &form->terms[i]);
    sum = i ? build_binary(b, "arith.addi", sum, term) : term;
  }
  return form->count ? sum : build_integer(b, 64, 0);
}
