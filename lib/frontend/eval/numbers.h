/* SPDX-License-Identifier: MIT */
/* Arithmetic on compile-time numbers: Python's, in 64 bits.

   Integers reach from -2^63 to 2^64 - 1 (is_huge above 2^63); what does not fit is a fault, not a
   wrong number. Each side words the faults in its own way. */
#ifndef TILE_FRONTEND_EVAL_NUMBERS_H
#define TILE_FRONTEND_EVAL_NUMBERS_H

#include "frontend/eval/value.h"
#include "frontend/syntax.h"

enum binary_operator {
  BINARY_ADD,
  BINARY_SUBTRACT,
  BINARY_MULTIPLY,
  BINARY_DIVIDE,       /* / */
  BINARY_FLOOR_DIVIDE, /* //: towards zero at run time, as C; floor at compile time, as Python */
  BINARY_REMAINDER,
  BINARY_AND,
  BINARY_OR,
  BINARY_XOR,
  BINARY_SHIFT_LEFT,
  BINARY_SHIFT_RIGHT,
  BINARY_LESS,
  BINARY_LESS_EQUAL,
  BINARY_GREATER,
  BINARY_GREATER_EQUAL,
  BINARY_EQUAL,
  BINARY_NOT_EQUAL,
  BINARY_POWER,   /* ** */
  BINARY_MINIMUM, /* tl.minimum, tl.maximum: NaN loses, as Triton's default; no operators of Python
                   */
  BINARY_MAXIMUM
};

/* The operation of an operator; false for those that are none on numbers: in, is, @, ... */
bool binary_of(enum operator_kind op, enum binary_operator *out);
/* "+", "//", ... for messages. */
const char *binary_operator_text(enum binary_operator operation);
bool binary_operator_is_comparison(enum binary_operator operation);
bool binary_operator_is_division(enum binary_operator operation); /* / // % */

enum number_fault {
  NUMBER_FINE,
  NUMBER_DIVIDED_BY_ZERO,
  NUMBER_SHIFTED_BELOW_ZERO, /* a shift by a negative number */
  NUMBER_TOO_LARGE,          /* the result does not fit */
  NUMBER_NEEDS_INTEGERS,
  NUMBER_UNDEFINED, /* NaN */
  NUMBER_INFINITE   /* of a number that is finite; `out` has it */
};

/* math.NAME(x) of Python, for the names that numbers.c has; floor, ceil and trunc give integers. */
enum number_fault number_function(const char *name, const struct value *x, struct value *out);
/* A whole float as an integer. */
enum number_fault number_rounded(double whole, struct value *out);

/* a operation b. */
enum number_fault number_operation(enum binary_operator operation, const struct value *a,
                                   const struct value *b, struct value *out);

/* Its parts, for arithmetic that differs in a step. `as_in_c`: // and % round towards zero, and a
   negative power of 0 is infinite. */
__extension__ typedef __int128 wide;

wide number_wide(const struct value *value); /* a bool or integer */
/* False when it does not fit. */
bool number_of_wide(wide integer, struct value *out);
/* No / and no power below zero, whose results are floats. */
enum number_fault number_integers(enum binary_operator operation, wide a, wide b, bool as_in_c,
                                  wide *out);
enum number_fault number_floats(enum binary_operator operation, double a, double b, bool as_in_c,
                                double *out);
/* The truth of a comparison; `order` is the sign of a - b. */
struct value number_decide(enum binary_operator operation, int order);
struct value number_compare_floats(enum binary_operator operation, double a, double b);

#endif
