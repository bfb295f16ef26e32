/* SPDX-License-Identifier: MIT */
/* The functions of ir/math_functions.def.

   f32 and f64 have their own code (math_*.c); f16 and bf16 are extended to f32, and the result is
   rounded once more. docs/numerics.md has the error of each row. */
#include <string.h>
#include "lowering/math/math_build.h"

enum { FASTMATH_ARCP = 16, FASTMATH_AFN = 64 };

static math_function *const functions[OP_KIND_COUNT] = {
#define F(kind, name, function) [OP_##kind] = function,
#include "ir/math_functions.def"
#undef F
};

static bool has_flag(MlirOperation op, int64_t flag) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, ref("fastmath"));
  if (mlirAttributeIsNull(attribute))
    return false;
  struct text text = {0};
  mlirAttributePrint(attribute, print_to_text, &text);
  const char *printed = text_string(&text);
  bool found = strstr(printed, "fast>") || strstr(printed, flag == FASTMATH_AFN ? "afn" : "arcp");
  text_free(&text);
  return found;
}

static bool is_one(struct session *session, MlirValue x) {
  MlirOperation op = value_definition(x);
  if (!op_is(session, op, OP_ARITH_CONSTANT))
    return false;
  MlirAttribute value = mlirOperationGetAttributeByName(op, ref("value"));
  return mlirAttributeIsAFloat(value) && mlirFloatAttrGetValueDouble(value) == 1.0;
}

/* div.rn; with fastmath<arcp> on f32 div.full, and 1 / sqrt.approx(y) is rsqrt.approx(y). */
MlirValue math_divide(struct maths *m, const MlirValue *x) {
  if (m->wide || m->rough || !has_flag(m->op, FASTMATH_ARCP))
    return f_div(m, x[0], x[1]);
  struct session *session = m->lw->session;
  MlirOperation root = value_definition(x[1]);
  if (op_is(session, root, m->lw->device->arithmetic[DEVICE_SQRT]) && is_one(session, x[0]))
    return f_approximate(m, DEVICE_RSQRT, op_operand(root, 0));
  return f_approximate_quotient(m, x[0], x[1]);
}

/* An operand in the type that is computed in; integers (of fpowi) stay. */
static MlirValue widen(struct maths *m, MlirValue x) {
  MlirType type = mlirValueGetType(x);
  if (mlirTypeIsAInteger(type) || mlirTypeEqual(type, m->type))
    return x;
  return BUILD(&m->lw->b, "arith.extf", IN(x), OUT(m->type));
}

static MlirValue emit_function(struct lowering *lw, MlirOperation op, const MlirValue *operands) {
  MlirType type = register_type(lw, op_result_type(op, 0));
  bool narrow = !mlirTypeIsAF32(type) && !mlirTypeIsAF64(type);
  struct maths m = maths_of(lw, op, narrow ? mlirF32TypeGet(lw->session->context) : type);
  m.rough = narrow;
  m.fast = !m.wide && has_flag(op, FASTMATH_AFN);
  MlirValue x[2];
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 2; i++)
    x[i] = widen(&m, operands[i]);
  MlirValue y = functions[kind_of(lw->session, op)](&m, x);
  return narrow ? BUILD(&lw->b, "arith.truncf", IN(y), OUT(type)) : y;
}

/* --- Division by what many elements share ----------------------------------------------------- */

/* 1 / y without a branch: div.full, then r + r (1 - y r), which is NaN where y or r is zero or
   infinite. rcp.rn would call its slow path, across which ptxas moves nothing. */
static MlirValue reciprocal(struct maths *m, MlirValue y) {
  MlirValue one = f_constant(m, 1.0), r = f_approximate_quotient(m, one, y);
  MlirValue refined = f_fma(m, r, f_fma(m, f_negate(m, y), r, one), r);
  return choose(m, f_compare(m, F_UNORDERED, refined, refined), r, refined);
}

static MlirValue emit_times_reciprocal(struct lowering *lw, MlirOperation op, const MlirValue *x) {
  struct maths m = maths_of(lw, op, mlirValueGetType(x[0]));
  if (!mlirValueEqual(lw->divisor, x[1])) {
    lw->divisor = x[1];
    lw->reciprocal = reciprocal(&m, x[1]);
  }
  return f_mul(&m, x[0], lw->reciprocal);
}

/* With fastmath<arcp>, when a thread divides at least two elements by each divisor on average (a
   row by its sum): one reciprocal for each divisor, a product for each element. 2 ulp; where 1/y
   overflows, below 2^-128, so does the quotient. */
static bool shares_divisors(struct lowering *lw, MlirOperation op) {
  if (!mlirTypeIsAF32(type_element(op_result_type(op, 0))) || !has_flag(op, FASTMATH_ARCP))
    return false;
  const struct lowered *dividends = lowered_of(lw, op_operand(op, 0));
  const struct lowered *divisors = lowered_of(lw, op_operand(op, 1));
  int count = dividends->count > divisors->count ? dividends->count : divisors->count;
  int distinct = divisors->count > 0;
  for (int r = 1; r < divisors->count; r++)
    distinct += divisors->base[r].ptr != divisors->base[r - 1].ptr;
  return type_is_tensor(op_result_type(op, 0)) && distinct * 2 <= count;
}

MlirLogicalResult lower_math(struct lowering *lw, MlirOperation op) {
  if (!type_is_float(type_element(op_result_type(op, 0))))
    return fail_op(op, "this type has no arithmetic; convert to f32 first");
  if (op_is(lw->session, op, OP_ARITH_DIVF) && shares_divisors(lw, op)) {
    lw->divisor = (MlirValue){0};
    return lower_each(lw, op, emit_times_reciprocal);
  }
  return lower_each(lw, op, emit_function);
}

/* --- Classes of numbers ----------------------------------------------------------------------- */

static MlirValue classify(struct lowering *lw, MlirOperation op, MlirValue x,
                          enum compare_floats predicate, bool to_infinity) {
  struct maths m = maths_of(lw, op, mlirValueGetType(x));
  MlirAttribute infinity =
      mlirFloatAttrDoubleGet(lw->session->context, m.type, to_infinity ? INFINITY : 0);
  MlirValue other = to_infinity ? constant_attribute(lw, infinity, m.type) : x;
  return f_compare(&m, predicate, to_infinity ? f_absolute(&m, x) : x, other);
}

static MlirLogicalResult lower_class(struct lowering *lw, MlirOperation op, emit_element *emit) {
  if (!type_is_float(type_element(op_operand_type(op, 0))))
    return fail_op(op, "this type has no arithmetic; convert to f32 first");
  return lower_each(lw, op, emit);
}

static MlirValue emit_isnan(struct lowering *lw, MlirOperation op, const MlirValue *x) {
  return classify(lw, op, x[0], F_UNORDERED, false);
}

static MlirValue emit_isinf(struct lowering *lw, MlirOperation op, const MlirValue *x) {
  return classify(lw, op, x[0], F_EQUAL, true);
}

static MlirValue emit_isfinite(struct lowering *lw, MlirOperation op, const MlirValue *x) {
  return classify(lw, op, x[0], F_LESS, true);
}

MlirLogicalResult lower_isnan(struct lowering *lw, MlirOperation op) {
  return lower_class(lw, op, emit_isnan);
}

MlirLogicalResult lower_isinf(struct lowering *lw, MlirOperation op) {
  return lower_class(lw, op, emit_isinf);
}

MlirLogicalResult lower_isfinite(struct lowering *lw, MlirOperation op) {
  return lower_class(lw, op, emit_isfinite);
}
