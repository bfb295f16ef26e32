/* SPDX-License-Identifier: MIT */
/* See numbers.h. */
#include "frontend/eval/numbers.h"

#include <math.h>
#include <string.h>

/* --- Operators -------------------------------------------------------------------------------- */

static const enum operator_kind operators[] = {
    [BINARY_ADD] = OPERATOR_ADD,
    [BINARY_SUBTRACT] = OPERATOR_SUB,
    [BINARY_MULTIPLY] = OPERATOR_MUL,
    [BINARY_DIVIDE] = OPERATOR_DIV,
    [BINARY_FLOOR_DIVIDE] = OPERATOR_FLOOR_DIV,
    [BINARY_REMAINDER] = OPERATOR_MOD,
    [BINARY_AND] = OPERATOR_BIT_AND,
    [BINARY_OR] = OPERATOR_BIT_OR,
    [BINARY_XOR] = OPERATOR_BIT_XOR,
    [BINARY_SHIFT_LEFT] = OPERATOR_SHIFT_LEFT,
    [BINARY_SHIFT_RIGHT] = OPERATOR_SHIFT_RIGHT,
    [BINARY_LESS] = OPERATOR_LT,
    [BINARY_LESS_EQUAL] = OPERATOR_LE,
    [BINARY_GREATER] = OPERATOR_GT,
    [BINARY_GREATER_EQUAL] = OPERATOR_GE,
    [BINARY_EQUAL] = OPERATOR_EQ,
    [BINARY_NOT_EQUAL] = OPERATOR_NE,
    [BINARY_POWER] = OPERATOR_POWER,
};
_Static_assert(sizeof operators / sizeof *operators == BINARY_MINIMUM, "all of Python's");

bool binary_of(enum operator_kind op, enum binary_operator *out) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i] == op) {
      *out = (enum binary_operator)i;
      return true;
    }
  return false;
}

const char *binary_operator_text(enum binary_operator operation) {
  return operation == BINARY_MINIMUM   ? "minimum"
         : operation == BINARY_MAXIMUM ? "maximum"
                                       : operator_spelling(operators[operation]);
}

bool binary_operator_is_comparison(enum binary_operator operation) {
  return operation >= BINARY_LESS && operation <= BINARY_NOT_EQUAL;
}

bool binary_operator_is_division(enum binary_operator operation) {
  return operation == BINARY_DIVIDE || operation == BINARY_FLOOR_DIVIDE ||
         operation == BINARY_REMAINDER;
}

/* --- Comparisons ------------------------------------------------------------------------------ */

struct value number_decide(enum binary_operator operation, int order) {
  bool less = operation == BINARY_LESS || operation == BINARY_LESS_EQUAL;
  bool greater = operation == BINARY_GREATER || operation == BINARY_GREATER_EQUAL;
  bool equal = operation == BINARY_LESS_EQUAL || operation == BINARY_GREATER_EQUAL ||
               operation == BINARY_EQUAL;
  bool unequal = operation == BINARY_NOT_EQUAL;
  return value_bool(order < 0 ? less || unequal : order > 0 ? greater || unequal : equal);
}

struct value number_compare_floats(enum binary_operator operation, double a, double b) {
  if (isnan(a) || isnan(b))
    return value_bool(operation == BINARY_NOT_EQUAL);
  return number_decide(operation, (a > b) - (a < b));
}

/* --- Integers --------------------------------------------------------------------------------- */

wide number_wide(const struct value *value) {
  if (value->kind == VALUE_BOOL)
    return value->boolean;
  return value->is_huge ? (wide)(uint64_t)value->integer : (wide)value->integer;
}

static bool fits(wide integer) {
  return integer >= INT64_MIN && integer <= (wide)UINT64_MAX;
}

bool number_of_wide(wide integer, struct value *out) {
  *out = value_integer((int64_t)(uint64_t)integer);
  out->is_huge = integer > INT64_MAX;
  return fits(integer);
}

/* b >= 0; false when the result leaves 64 bits. */
static bool power(wide a, wide b, wide *out) {
  *out = 1;
  if (a == 0 || a == 1 || a == -1) {
    *out = b == 0 ? 1 : a == -1 && b % 2 == 0 ? 1 : a;
    return true;
  }
  for (wide i = 0; i < b; i++) {
    *out *= a;
    if (!fits(*out))
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
  return a == 0 || (by <= 64 && fits(*out));
}

enum number_fault number_integers(enum binary_operator operation, wide a, wide b, bool as_in_c,
                                  wide *out) {
  bool is_shift = operation == BINARY_SHIFT_LEFT || operation == BINARY_SHIFT_RIGHT, good = true;
  if (binary_operator_is_division(operation) && b == 0)
    return NUMBER_DIVIDED_BY_ZERO;
  if (is_shift && b < 0)
    return NUMBER_SHIFTED_BELOW_ZERO;
  if (is_shift)
    good = shift(a, b, operation, out);
  else if (operation == BINARY_POWER)
    good = power(a, b, out);
  else if (operation == BINARY_MULTIPLY) /* both within 65 bits */
    good = !__builtin_mul_overflow(a, b, out);
  else
    *out = operation == BINARY_ADD            ? a + b
           : operation == BINARY_SUBTRACT     ? a - b
           : operation == BINARY_FLOOR_DIVIDE ? divide(a, b, as_in_c)
           : operation == BINARY_REMAINDER    ? a - divide(a, b, as_in_c) * b
           : operation == BINARY_AND          ? a & b
           : operation == BINARY_OR           ? a | b
           : operation == BINARY_XOR          ? a ^ b
           : operation == BINARY_MINIMUM      ? (a < b ? a : b)
                                              : (a > b ? a : b);
  return good ? NUMBER_FINE : NUMBER_TOO_LARGE;
}

/* --- Floats ----------------------------------------------------------------------------------- */

/* Rounded towards zero, or down as in Python. */
static double remainder_of(double a, double b, bool towards_zero) {
  double rest = fmod(a, b);
  return rest + (!towards_zero && rest != 0 && (rest < 0) != (b < 0) ? b : 0);
}

enum number_fault number_floats(enum binary_operator operation, double a, double b, bool as_in_c,
                                double *out) {
  bool reciprocal = operation == BINARY_POWER && a == 0 && b < 0 && !as_in_c;
  if (reciprocal || (binary_operator_is_division(operation) && b == 0))
    return NUMBER_DIVIDED_BY_ZERO;
  if (operation >= BINARY_AND && operation <= BINARY_SHIFT_RIGHT)
    return NUMBER_NEEDS_INTEGERS;
  *out = operation == BINARY_ADD            ? a + b
         : operation == BINARY_SUBTRACT     ? a - b
         : operation == BINARY_MULTIPLY     ? a * b
         : operation == BINARY_DIVIDE       ? a / b
         : operation == BINARY_FLOOR_DIVIDE ? floor(a / b)
         : operation == BINARY_REMAINDER    ? remainder_of(a, b, as_in_c)
         : operation == BINARY_POWER        ? pow(a, b)
         : operation == BINARY_MINIMUM      ? fmin(a, b)
                                            : fmax(a, b);
  return NUMBER_FINE;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static enum number_fault on_floats(enum binary_operator operation, double a, double b,
                                   struct value *out) {
  double result = 0;
  if (binary_operator_is_comparison(operation)) {
    *out = number_compare_floats(operation, a, b);
    return NUMBER_FINE;
  }
  enum number_fault fault = number_floats(operation, a, b, false, &result);
  *out = value_float(result);
  return fault;
}

static enum number_fault on_integers(enum binary_operator operation, const struct value *a,
                                     const struct value *b, struct value *out) {
  wide x = number_wide(a), y = number_wide(b), result = 0;
  if (binary_operator_is_comparison(operation)) {
    *out = number_decide(operation, (x > y) - (x < y));
    return NUMBER_FINE;
  }
  enum number_fault fault = number_integers(operation, x, y, false, &result);
  if (fault == NUMBER_FINE && !number_of_wide(result, out))
    fault = NUMBER_TOO_LARGE;
  if (a->kind == VALUE_BOOL && b->kind == VALUE_BOOL && operation >= BINARY_AND &&
      operation <= BINARY_XOR)
    *out = value_bool(result != 0);
  return fault;
}

enum number_fault number_operation(enum binary_operator operation, const struct value *a,
                                   const struct value *b, struct value *out) {
  bool integers = value_is_integer(a) && value_is_integer(b) && operation != BINARY_DIVIDE &&
                  !(operation == BINARY_POWER && number_wide(b) < 0);
  return integers ? on_integers(operation, a, b, out)
                  : on_floats(operation, value_as_double(a), value_as_double(b), out);
}

/* --- Functions -------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  double (*function)(double);
  bool is_integer;
} functions[] = {
#define M(name, is_integer) {#name, name, is_integer},
#include "frontend/eval/math.def"
#undef M
};

enum number_fault number_function(const char *name, const struct value *x, struct value *out) {
  size_t i = 0;
  while (strcmp(functions[i].name, name) != 0)
    i++; /* the tables of builtins have no others */
  if (functions[i].is_integer && value_is_integer(x)) {
    number_of_wide(number_wide(x), out);
    return NUMBER_FINE;
  }
  double number = value_as_double(x), result = functions[i].function(number);
  if (functions[i].is_integer)
    return number_rounded(result, out);
  *out = value_float(result);
  return isnan(result) && !isnan(number)   ? NUMBER_UNDEFINED
         : isinf(result) && !isinf(number) ? NUMBER_INFINITE
                                           : NUMBER_FINE;
}

enum number_fault number_rounded(double whole, struct value *out) {
  *out = value_integer(fabs(whole) < 0x1p63 ? (int64_t)whole : 0);
  return fabs(whole) < 0x1p63 ? NUMBER_FINE : NUMBER_TOO_LARGE;
}
