/* SPDX-License-Identifier: MIT */
/* Arithmetic on compile-time numbers in a kernel: Python's (eval/numbers.h), unless an operand has
   been assigned to a plain variable (is_typed). Then the operation is the one of run time: // and %
   round towards zero, as in C, integers wrap in the common type, and floats are rounded to it. */
#include "frontend/check/value.h"

static bool fail_size(struct emitter *e, enum binary_operator operation, const struct value *a,
                      const struct value *b) {
  return emit_fail(e, "%s %s %s does not fit 64 bits", value_string(&e->arena, a).text.data,
                   binary_operator_text(operation), value_string(&e->arena, b).text.data);
}

static bool fail_fault(struct emitter *e, enum number_fault fault, enum binary_operator operation,
                       const struct value *a, const struct value *b) {
  if (fault == NUMBER_TOO_LARGE)
    return fail_size(e, operation, a, b);
  if (fault == NUMBER_NEEDS_INTEGERS)
    return emit_fail(e, "'%s' takes integers", binary_operator_text(operation));
  return emit_fail(e, fault == NUMBER_DIVIDED_BY_ZERO ? "division by zero"
                                                      : "a shift by a negative number");
}

/* The low bits of an integer as a number of the type. */
static wide wrap(wide integer, struct dtype dtype) {
  unsigned bits = dtype_bits(dtype);
  uint64_t low = (uint64_t)integer;
  if (bits < 64)
    low &= (UINT64_C(1) << bits) - 1;
  if (dtype_is_unsigned(dtype) || dtype_is_bool(dtype))
    return (wide)low;
  bool negative = low >> (bits - 1) & 1;
  return (wide)low - (negative ? (wide)1 << bits : 0);
}

/* A number as one of run time: in fp32, unless that is not its type. */
static double in_type(struct dtype dtype, double number) {
  return dtype.id == DTYPE_FLOAT32 ? (double)(float)number : number;
}

/* The type in which two numbers meet at run time; else fp64, Python's. */
static struct dtype meeting_type(struct emitter *e, enum binary_operator operation,
                                 const struct value *a, const struct value *b) {
  struct dtype common;
  bool typed = operation != BINARY_POWER && operation != BINARY_FLOOR_DIVIDE;
  return typed && binary_operator_type(e, operation, a, b, &common) ? common : DTYPE(FLOAT64);
}

/* Of floats, and of integers whose result is one. fp64 has more than twice the bits of fp32: what
   it rounds before does not show. */
static bool fold_floats(struct emitter *e, enum binary_operator operation, const struct value *a,
                        const struct value *b, struct value *out) {
  struct dtype type = meeting_type(e, operation, a, b);
  double x = in_type(type, value_as_double(a)), y = in_type(type, value_as_double(b)), result = 0;
  if (binary_operator_is_comparison(operation)) {
    *out = number_compare_floats(operation, x, y);
    return true;
  }
  enum number_fault fault = number_floats(operation, x, y, true, &result);
  *out = value_float(in_type(type, result));
  return !fault || fail_fault(e, fault, operation, a, b);
}

/* Operands in the type of run time, `common`, if that is one of integers. What is shifted keeps its
   sign. */
static bool meet(struct emitter *e, enum binary_operator operation, const struct value *a,
                 const struct value *b, wide *x, wide *y, struct dtype *common, bool *typed) {
  *typed = operation != BINARY_POWER && binary_operator_type(e, operation, a, b, common) &&
           dtype_is_integer(*common);
  *x = number_wide(a);
  *y = number_wide(b);
  if (!*typed)
    return true;
  if ((!a->is_typed && !number_in_range(e, a, *common)) ||
      (!b->is_typed && !number_in_range(e, b, *common)))
    return false;
  if (operation != BINARY_SHIFT_RIGHT)
    *x = wrap(*x, *common);
  *y = wrap(*y, *common);
  return true;
}

static bool fold_integers(struct emitter *e, enum binary_operator operation, const struct value *a,
                          const struct value *b, struct value *out) {
  wide x, y, result = 0;
  struct dtype common;
  bool typed;
  if (operation == BINARY_DIVIDE || (operation == BINARY_POWER && number_wide(b) < 0))
    return fold_floats(e, operation, a, b, out);
  if (!meet(e, operation, a, b, &x, &y, &common, &typed))
    return false;
  if (binary_operator_is_comparison(operation)) {
    *out = number_decide(operation, (x > y) - (x < y));
    return true;
  }
  enum number_fault fault = number_integers(operation, x, y, true, &result);
  if (fault)
    return fail_fault(e, fault, operation, a, b);
  if (!number_of_wide(typed ? wrap(result, common) : result, out))
    return fail_size(e, operation, a, b);
  if (typed && dtype_is_bool(common))
    *out = value_bool(result & 1);
  return true;
}

bool fold_binary(struct emitter *e, enum binary_operator operation, const struct value *a,
                 const struct value *b, struct value *out) {
  if (!a->is_typed && !b->is_typed) {
    enum number_fault fault = number_operation(operation, a, b, out);
    return !fault || fail_fault(e, fault, operation, a, b);
  }
  bool floats = a->kind == VALUE_FLOAT || b->kind == VALUE_FLOAT;
  if (!(floats ? fold_floats : fold_integers)(e, operation, a, b, out))
    return false;
  out->is_typed = true;
  return true;
}
