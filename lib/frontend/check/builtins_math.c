/* SPDX-License-Identifier: MIT */
/* Arithmetic of two and three tiles: extrema, division, products, sigmoid. Functions that are one
   operation of the math dialect are in builtins_functions.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/check/operands.h"

bool builtin_where(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  if (a[0].value.kind != VALUE_RUNTIME && !value_is_number(&a[0].value))
    return argument_fail(c, &a[0], "a condition (a Boolean, a number or a tile of them)");
  return emit_where(&c->e, &a[0].value, &a[1].value, &a[2].value, out);
}

/* --- Operators by name ------------------------------------------------------------------------ */

/* tl.add(x, y, sanitize_overflow): no overflow is checked, so that the option says nothing. */
bool builtin_binary(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  bool sanitize;
  return argument_bool(c, &a[2], true, &sanitize) &&
         emit_binary(&c->e, (enum binary_operator)call->variant, &a[0].value, &a[1].value, out);
}

/* (x + y - 1) // y. */
bool builtin_cdiv(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *x = &call->arguments[0].value, *y = &call->arguments[1].value;
  struct value one = value_integer(1), less, sum;
  return emit_binary(&c->e, BINARY_SUBTRACT, y, &one, &less) &&
         emit_binary(&c->e, BINARY_ADD, x, &less, &sum) &&
         emit_binary(&c->e, BINARY_FLOOR_DIVIDE, &sum, y, out);
}

/* --- Minimum and maximum ---------------------------------------------------------------------- */

/* tl.PropagateNan.NONE and .ALL: values that only options take. */
bool builtin_propagate_nan(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)out;
  return check_fail(c, call->span, "%s is a value, not a function",
                    builtin_label(c, call->builtin));
}

static bool read_propagate_nan(struct checker *c, const struct argument *argument, bool *all) {
  *all = false;
  if (!argument_given(argument))
    return true;
  const struct builtin *builtin =
      argument->value.kind == VALUE_BUILTIN ? argument->value.object : NULL;
  if (!builtin || builtin->run != builtin_propagate_nan)
    return argument_fail(c, argument, "tl.PropagateNan.NONE or tl.PropagateNan.ALL");
  *all = builtin->variant;
  return true;
}

/* One of two values; with `nan` a NaN of either wins, without it the other one does. */
static bool better_of(struct checker *c, enum binary_operator operation, bool nan, struct value a,
                      struct value b, struct value *out) {
  bool run_time = a.kind == VALUE_RUNTIME || b.kind == VALUE_RUNTIME;
  struct value both[] = {a, b};
  if (nan && run_time) {
    if (!emit_common(&c->e, both, 2))
      return false;
    struct dtype dtype = both[0].run_time.dtype;
    if (dtype_is_float(dtype)) {
      for (int i = 0; i < 2 && dtype_is_fp8(dtype); i++)
        if (!operand_cast(c, DTYPE(FLOAT32), &both[i]))
          return false;
      *out = operand_build(c, operation == BINARY_MINIMUM ? "arith.minimumf" : "arith.maximumf",
                           both, 2, NULL);
      return operand_cast(c, dtype, out);
    }
  }
  return emit_binary(&c->e, operation, &both[0], &both[1], out);
}

bool builtin_extremum(struct checker *c, const struct builtin_call *call, struct value *out) {
  bool nan;
  const struct argument *arguments = call->arguments;
  return read_propagate_nan(c, &arguments[2], &nan) &&
         better_of(c, (enum binary_operator)call->variant, nan, arguments[0].value,
                   arguments[1].value, out);
}

/* Python's min(a, b, ...) and min((a, b, ...)): of tiles and numbers as they come. */
bool builtin_py_extremum(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *items;
  size_t count;
  argument_items(&call->arguments[0], &items, &count);
  if (count == 0 || (count == 1 && items[0].kind == VALUE_RUNTIME))
    return check_fail(c, call->span,
                      "%s() takes two values or more; along an axis of a tile use tl.%s",
                      builtin_label(c, call->builtin), builtin_label(c, call->builtin));
  *out = items[0];
  for (size_t i = 1; i < count; i++)
    if (!better_of(c, (enum binary_operator)call->variant, false, *out, items[i], out))
      return false;
  return true;
}

/* tl.clamp(x, min, max): a NaN in x becomes min, or stays with propagate_nan. The three have one
   type. */
bool builtin_clamp(struct checker *c, const struct builtin_call *call, struct value *out) {
  bool nan;
  const struct argument *arguments = call->arguments;
  struct value x[] = {arguments[0].value, arguments[1].value, arguments[2].value};
  bool numbers = value_is_number(&x[0]) && value_is_number(&x[1]) && value_is_number(&x[2]);
  if (!read_propagate_nan(c, &arguments[3], &nan) || (!numbers && !emit_common(&c->e, x, 3)))
    return false;
  return better_of(c, BINARY_MAXIMUM, nan, x[0], x[1], out) &&
         better_of(c, BINARY_MINIMUM, nan, *out, x[2], out);
}

/* The sign is the upper bit; types without -0 have their NaN there, which stays. */
static bool absolute_of_fp8(struct checker *c, const struct value *x, struct value *out) {
  struct dtype dtype = x->run_time.dtype;
  struct value bits, magnitude, is_nan, mask = value_integer(0x7f), nan = value_integer(0x80);
  bool good = emit_bitcast(&c->e, x, DTYPE(UINT8), &bits) &&
              emit_binary(&c->e, BINARY_AND, &bits, &mask, &magnitude);
  if (dtype.id == DTYPE_FLOAT8E4B8 || dtype.id == DTYPE_FLOAT8E5B16)
    good = good && emit_binary(&c->e, BINARY_EQUAL, &bits, &nan, &is_nan) &&
           emit_where(&c->e, &is_nan, &bits, &magnitude, &magnitude);
  return good && emit_bitcast(&c->e, &magnitude, dtype, out);
}

bool builtin_absolute(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *x = &call->arguments[0].value;
  if (value_is_number(x)) {
    *out = x->kind == VALUE_BOOL ? value_integer(x->boolean) : *x;
    if (x->kind == VALUE_FLOAT)
      out->number = fabs(x->number);
    else if (out->integer < 0)
      return emit_negate(&c->e, x, out);
    return true;
  }
  struct value value;
  if (!operand_number(c, call, 0, &value))
    return false;
  struct dtype dtype = value.run_time.dtype;
  *out = value;
  if (dtype_is_fp8(dtype))
    return absolute_of_fp8(c, &value, out);
  if (!dtype_is_unsigned(dtype) && !dtype_is_bool(dtype))
    *out = operand_build(c, dtype_is_float(dtype) ? "math.absf" : "math.absi", &value, 1, NULL);
  return true;
}

/* --- Division and products -------------------------------------------------------------------- */

/* The type of x / y, which a float must be part of: fp32 or fp64. */
bool builtin_fdiv(struct checker *c, const struct builtin_call *call, struct value *out) {
  bool exact;
  struct dtype common;
  struct value both[] = {call->arguments[0].value, call->arguments[1].value};
  if (!argument_bool(c, &call->arguments[2], false, &exact))
    return false;
  for (int i = 0; i < 2; i++)
    if (!value_is_number(&both[i]) && !operand_number(c, call, i, &both[i]))
      return false;
  bool known = value_is_number(&both[0]) && value_is_number(&both[1]);
  if ((known && !emit_runtime(&c->e, &both[0], &both[0])) ||
      !binary_operator_type(&c->e, BINARY_REMAINDER, &both[0], &both[1], &common))
    return false;
  if (!dtype_is_float(common))
    return operand_fail(c, call, 0,
                        "floating-point operands (one of the two; cast with "
                        ".to(tl.float32))");
  if (!operand_cast(c, common, &both[0]) || !operand_cast(c, common, &both[1]) ||
      !emit_broadcast(&c->e, &both[0], &both[1]))
    return false;
  *out = operand_quotient(c, both, exact);
  return true;
}

bool builtin_div_rn(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value both[2];
  if (!operands_promoted(c, call, 2, true, both))
    return false;
  *out = operand_quotient(c, both, true);
  return true;
}

bool builtin_fast_divide(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value both[2];
  if (!operands_alike(c, call, 2, true, both))
    return false;
  *out = operand_quotient(c, both, false);
  return true;
}

/* The high halves of the products of 32- or 64-bit integers, with or without signs, whatever their
   types have. */
bool builtin_high_product(struct checker *c, const struct builtin_call *call, struct value *out) {
  const char *operation = call->variant ? "arith.mulsi_extended" : "arith.mului_extended";
  struct value both[2];
  for (int i = 0; i < 2; i++)
    if (call->arguments[i].value.kind == VALUE_RUNTIME &&
        dtype_bits(call->arguments[i].value.run_time.dtype) < 32)
      return operand_fail(c, call, i, "integers of 32 or 64 bits");
  if (!operands_promoted(c, call, 2, false, both))
    return false;
  MlirType type = mlirValueGetType(both[0].run_time.ir);
  MlirOperation product =
      BUILD_OP(&c->e.b, operation, IN(both[0].run_time.ir, both[1].run_time.ir), OUT(type, type));
  *out = value_runtime(op_result(product, 1), both[0].run_time.dtype);
  return true;
}

/* 1 / (1 + exp(-x)), f16 and bf16 in f32. */
bool builtin_sigmoid(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value x, quotient[2] = {value_float(1)};
  if (!operands_alike(c, call, 1, true, &x))
    return false;
  struct dtype own = x.run_time.dtype;
  if (operand_is_half(&x) && !operand_cast(c, DTYPE(FLOAT32), &x))
    return false;
  x = operand_build(c, "arith.negf", &x, 1, NULL);
  x = operand_exp(c, &x);
  if (!emit_binary(&c->e, BINARY_ADD, &quotient[0], &x, &quotient[1]) ||
      !emit_common(&c->e, quotient, 2))
    return false;
  *out = operand_quotient(c, quotient, false);
  return operand_cast(c, own, out);
}
