/* SPDX-License-Identifier: MIT */
/* Rules of the atomic operations: which kind takes which elements (PTX ISA, atom). */
#include "ir/verify_tile.h"

/* The element types that a kind takes. */
static MlirLogicalResult verify_kind(MlirOperation op, MlirType element) {
  MlirStringRef kind = op_string(op, "kind");
  bool word = type_is_integer(element, 32) || type_is_integer(element, 64);
  bool real = mlirTypeIsAF32(element) || mlirTypeIsAF64(element);
  bool half = mlirTypeIsAF16(element) || mlirTypeIsABF16(element);
  const char *takes = "i32, i64";
  bool fits = word;
  if (ref_equals(kind, "add")) {
    fits = word || real || half;
    takes = "i32, i64, f16, bf16, f32, f64";
  } else if (ref_equals(kind, "max") || ref_equals(kind, "min")) {
    fits = word || real || half;
    takes = "i32, i64, f16, bf16, f32, f64";
  } else if (ref_equals(kind, "xchg")) {
    fits = word || real;
    takes = "i32, i64, f32, f64";
  }
  if (fits)
    return SUCCESS;
  struct text text = {0};
  fail_op(op, "kind %.*s takes %s, not %s; convert the value, or loop over tile.atomic_cas",
          (int)kind.length, kind.data, takes, show_type(element, &text));
  text_free(&text);
  return FAILURE;
}

/* How the access is ordered, and for whom. */
static MlirLogicalResult verify_order(MlirOperation op) {
  static const char *const sems[] = {"relaxed", "acquire", "release", "acq_rel", NULL};
  static const char *const scopes[] = {"cta", "gpu", "sys", NULL};
  TRY_IR(verify_word(op, "sem", sems));
  return verify_word(op, "scope", scopes);
}

MlirLogicalResult verify_atomic_rmw(struct session *session, MlirOperation op) {
  static const char *const kinds[] = {"add", "max", "min", "umax", "umin",
                                      "and", "or",  "xor", "xchg", NULL};
  MlirType pointer = op_operand_type(op, 0), value = op_operand_type(op, 1);
  TRY_IR(verify_pointer(session, op, pointer));
  TRY_IR(verify_value(session, op, pointer, value));
  TRY_IR(verify_mask(op, pointer,
                     mlirOperationGetNumOperands(op) > 2 ? op_operand(op, 2) : (MlirValue){0}));
  TRY_IR(verify_word(op, "kind", kinds));
  TRY_IR(verify_kind(op, type_element(value)));
  return verify_order(op);
}

MlirLogicalResult verify_atomic_cas(struct session *session, MlirOperation op) {
  MlirType pointer = op_operand_type(op, 0), value = op_operand_type(op, 2);
  TRY_IR(verify_pointer(session, op, pointer));
  TRY_IR(verify_value(session, op, pointer, value));
  unsigned bits =
      type_is_number(type_element(value)) ? type_bits(&session->types, type_element(value)) : 0;
  if (bits < 16)
    return fail_op(op, "an element has 16, 32 or 64 bits; convert the value");
  return verify_order(op);
}
