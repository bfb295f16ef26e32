/* SPDX-License-Identifier: MIT */
/* Arithmetic on compile-time numbers: Python's, in 64 bits.

   Integers reach from -2^63 to 2^64 - 1 (is_huge above 2^63); what does not fit is an error, not a
   wrong number. Where an operand has been assigned to a plain variable (is_typed) the operation is
   the one of run time: // and % round towards zero, as in C, integers wrap in the common type, and floats
   are rounded to it.
 */
#include <math.h>
#include "frontend/check/value.h"

__extension__ typedef __int128 wide;

static wide wide_of(const struct value *value) {
  if (value->kind == VALUE_BOOL)
    return value->boolean;
  return value->is_huge ? (wide)(uint64_t)value->integer : (wide)value->integer;
}

static bool integer_of_wide(wide integer, struct value *out) {
  if (integer < INT64_MIN || integer > (wide)UINT64_MAX)
    return false;
  *out = value_integer((int64_t)(uint64_t)integer);
  out->is_huge = integer > INT64_MAX;
  return true;
}

/* The truth of `a operation b`, where `order` is the sign of a - b. */
static struct value decide(enum binary_operator operation, int order) {
  switch ((int)operation) {
  case BINARY_LESS:
    return value_bool(order < 0);
  case BINARY_LESS_EQUAL:
    return value_bool(order <= 0);
  case BINARY_GREATER:
    return value_bool(order > 0);
  case BINARY_GREATER_EQUAL:
    return value_bool(order >= 0);
  case BINARY_EQUAL:
    return value_bool(order == 0);
  default:
    return value_bool(order != 0);
  }
}

static struct value compare_floats(enum binary_operator operation, double a, double b) {
  if (isnan(a) || isnan(b))
    return value_bool(operation == BINARY_NOT_EQUAL);
  return decide(operation, (a > b) - (a < b));
}

static bool fold_floats(struct emitter *e, enum binary_operator operation, double a, double b,
                        bool typed, struct value *out) {
  double result = 0;
  if (binary_operator_is_division(operation) && b == 0)
    return emit_fail(e, "division by zero");
  switch ((int)operation) {
  case BINARY_ADD:
    result = a + b;
    break;
  case BINARY_SUBTRACT:
    result = a - b;
    break;
  case BINARY_MULTIPLY:
    result = a * b;
    break;
  case BINARY_DIVIDE:
    result = a / b;
    break;
  case BINARY_FLOOR_DIVIDE:
    result = floor(a / b);
    break;
  case BINARY_REMAINDER:
    result = fmod(a, b);
    if (!typed && result != 0 && (result < 0) != (b < 0))
      result += b;
    break;
  case BINARY_POWER:
    result = pow(a, b);
    break;
  case BINARY_MINIMUM:
    result = fmin(a, b);
    break;
  case BINARY_MAXIMUM:
    result = fmax(a, b);
    break;
  default:
    return emit_fail(e, "'%s' takes integers", binary_operator_text(operation));
  }
  *out = value_float(result);
  return true;
}

static bool fail_size(struct emitter *e, enum binary_operator operation, const struct value *a,
                      const struct value *b) {
  struct text left = {0}, right = {0};
  value_format(a, &left);
  value_format(b, &right);
  emit_fail(e, "%s %s %s does not fit 64 bits", text_string(&left), binary_operator_text(operation),
            text_string(&right));
  text_free(&left);
  text_free(&right);
  return false;
}

/* a ** b, b >= 0; false when it leaves 64 bits. */
static bool power(wide a, wide b, wide *out) {
  *out = 1;
  if (a == 0 || a == 1 || a == -1) {
    *out = b == 0 ? 1 : a == -1 && b % 2 == 0 ? 1 : a;
    return true;
  }
  for (wide i = 0; i < b; i++) {
    *out *= a;
    if (*out > (wide)UINT64_MAX || *out < INT64_MIN)
      return false;
  }
  return true;
}

/* b != 0 */
static wide divide(wide a, wide b, bool towards_zero) {
  wide quotient = a / b;
  return quotient - (!towards_zero && a % b != 0 && (a < 0) != (b < 0));
}

static bool shift(wide a, wide by, enum binary_operator operation, wide *out) {
  if (operation == BINARY_SHIFT_RIGHT) {
    *out = by > 64 ? (a < 0 ? -1 : 0) : a >> (int)by;
    return true;
  }
  *out = by > 64 ? 0 : a * ((wide)1 << (int)by);
  return a == 0 || (by <= 64 && *out <= (wide)UINT64_MAX && *out >= INT64_MIN);
}

/* *fits: the result is in `out`; else it is too large. */
static bool fold_wide(struct emitter *e, enum binary_operator operation, wide a, wide b, bool typed,
                      wide *out, bool *fits) {
  *fits = true;
  if (binary_operator_is_division(operation) && b == 0)
    return emit_fail(e, "division by zero");
  bool is_shift = operation == BINARY_SHIFT_LEFT || operation == BINARY_SHIFT_RIGHT;
  if (is_shift && b < 0)
    return emit_fail(e, "a shift by a negative number");
  switch ((int)operation) {
  case BINARY_ADD:
    *out = a + b;
    break;
  case BINARY_SUBTRACT:
    *out = a - b;
    break;
  case BINARY_MULTIPLY: /* both within 65 bits */
    *fits = !__builtin_mul_overflow(a, b, out);
    break;
  case BINARY_FLOOR_DIVIDE:
    *out = divide(a, b, typed);
    break;
  case BINARY_REMAINDER:
    *out = a - divide(a, b, typed) * b;
    break;
  case BINARY_POWER:
    *fits = power(a, b, out);
    break;
  case BINARY_AND:
    *out = a & b;
    break;
  case BINARY_OR:
    *out = a | b;
    break;
  case BINARY_XOR:
    *out = a ^ b;
    break;
  case BINARY_SHIFT_LEFT:
  case BINARY_SHIFT_RIGHT:
    *fits = shift(a, b, operation, out);
    break;
  case BINARY_MINIMUM:
    *out = a < b ? a : b;
    break;
  default:
    *out = a > b ? a : b;
    break;
  }
  return true;
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

/* The type in which two numbers meet at run time, where one of them is typed; else fp64, Python's. */
static struct dtype meeting_type(struct emitter *e, enum binary_operator operation,
                                 const struct value *a, const struct value *b) {
  struct dtype common;
  bool typed = (a->is_typed || b->is_typed) && operation != BINARY_POWER &&
               operation != BINARY_FLOOR_DIVIDE;
  return typed && binary_operator_type(e, operation, a, b, &common) ? common : DTYPE(FLOAT64);
}

/* Of floats, and of integers whose result is one. fp64 has more than twice the bits of fp32: what it rounds
   before does not show. */
static bool fold_in_type(struct emitter *e, enum binary_operator operation, const struct value *a,
                         const struct value *b, struct value *out) {
  struct dtype type = meeting_type(e, operation, a, b);
  double x = in_type(type, value_as_double(a)), y = in_type(type, value_as_double(b));
  if (binary_operator_is_comparison(operation)) {
    *out = compare_floats(operation, x, y);
    return true;
  }
  if (!fold_floats(e, operation, x, y, a->is_typed || b->is_typed, out))
    return false;
  out->number = in_type(type, out->number);
  return true;
}

/* Operands in the type of run time, where one of them is typed: `common`. What is shifted keeps its sign. */
static bool meet(struct emitter *e, enum binary_operator operation, const struct value *a,
                 const struct value *b, wide *x, wide *y, struct dtype *common, bool *typed) {
  *typed = (a->is_typed || b->is_typed) && operation != BINARY_POWER &&
           binary_operator_type(e, operation, a, b, common) && dtype_is_integer(*common);
  *x = wide_of(a);
  *y = wide_of(b);
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
  bool typed, fits;
  if (operation == BINARY_DIVIDE || (operation == BINARY_POWER && wide_of(b) < 0))
    return fold_in_type(e, operation, a, b, out);
  if (!meet(e, operation, a, b, &x, &y, &common, &typed))
    return false;
  if (binary_operator_is_comparison(operation)) {
    *out = decide(operation, (x > y) - (x < y));
    return true;
  }
  if (!fold_wide(e, operation, x, y, a->is_typed || b->is_typed, &result, &fits))
    return false;
  if (typed && fits)
    result = wrap(result, common);
  if (!fits || !integer_of_wide(result, out))
    return fail_size(e, operation, a, b);
  bool both = a->kind == VALUE_BOOL && b->kind == VALUE_BOOL;
  if ((both && operation >= BINARY_AND && operation <= BINARY_XOR) ||
      (typed && dtype_is_bool(common)))
    *out = value_bool(result != 0);
  return true;
}

bool fold_binary(struct emitter *e, enum binary_operator operation, const struct value *a,
                 const struct value *b, struct value *out) {
  bool floats = a->kind == VALUE_FLOAT || b->kind == VALUE_FLOAT;
  bool typed = a->is_typed || b->is_typed;
  if (!(floats ? fold_in_type : fold_integers)(e, operation, a, b, out))
    return false;
  out->is_typed = typed;
  return true;
}
