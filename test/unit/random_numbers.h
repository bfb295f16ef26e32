/* SPDX-License-Identifier: MIT */
/* What the scalar operations of kernels compute, written independently of the compiler: bits in,
   bits out. Integers are kept zero-extended in 64 bits, floats as their own bits. Every operation
   here is exact or correctly rounded, so a kernel has one right answer; NaNs have any payload.

   16-bit floats are computed in double and rounded once more. That is the same as rounding once for
   + - * / and sqrt (53 >= 2 * 11 + 2 bits); fma and 64-bit integers are first rounded to odd. */
#ifndef TILE_TEST_RANDOM_NUMBERS_H
#define TILE_TEST_RANDOM_NUMBERS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum element { I1, I8, I16, I32, I64, F16, BF16, F32, F64, INDEX, POINTER, ELEMENT_COUNT };

struct element_row {
  const char *name;
  unsigned bits, bytes; /* in registers, in memory */
  int fraction_bits, least_exponent;
};
static const struct element_row elements[ELEMENT_COUNT] = {
    [I1] = {"i1", 1, 1},
    [I8] = {"i8", 8, 1},
    [I16] = {"i16", 16, 2},
    [I32] = {"i32", 32, 4},
    [I64] = {"i64", 64, 8},
    [F16] = {"f16", 16, 2, 10, -14},
    [BF16] = {"bf16", 16, 2, 7, -126},
    [F32] = {"f32", 32, 4, 23, -126},
    [F64] = {"f64", 64, 8, 52, -1022},
    [INDEX] = {"index", 64, 8},
    [POINTER] = {"ptr", 64, 8},
};

static inline bool is_float(enum element e) {
  return e >= F16 && e <= F64;
}

static inline uint64_t width_mask(enum element e) {
  return elements[e].bits == 64 ? UINT64_MAX : (UINT64_C(1) << elements[e].bits) - 1;
}

static inline int64_t as_signed(enum element e, uint64_t bits) {
  unsigned shift = 64 - elements[e].bits;
  return (int64_t)(bits << shift) >> shift;
}

/* --- Floats ----------------------------------------------------------------------------------- */

static inline double as_double(enum element e, uint64_t bits) {
  if (e == F64) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (e == F32) {
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
  }
  int fraction_bits = elements[e].fraction_bits, least = elements[e].least_exponent;
  uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
  int exponent = (int)((bits & 0x7FFF) >> fraction_bits);
  int special = e == F16 ? 31 : 255;
  double value;
  if (exponent == special)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = ldexp((double)fraction, least - fraction_bits);
  else
    value = ldexp((double)(fraction | UINT64_C(1) << fraction_bits),
                  exponent - 1 + least - fraction_bits);
  return bits & 0x8000 ? -value : value;
}

/* Rounds to nearest even. */
static inline uint64_t from_double(enum element e, double value) {
  uint64_t bits = 0;
  if (e == F64) {
    memcpy(&bits, &value, sizeof value);
    return bits;
  }
  if (e == F32) {
    float narrow = (float)value;
    memcpy(&bits, &narrow, sizeof narrow);
    return bits;
  }
  int fraction_bits = elements[e].fraction_bits, least = elements[e].least_exponent;
  uint64_t sign = signbit(value) ? 0x8000 : 0, special = e == F16 ? 31 : 255;
  if (isnan(value))
    return special << fraction_bits | UINT64_C(1) << (fraction_bits - 1);
  if (value == 0 || isinf(value))
    return sign | (value == 0 ? 0 : special << fraction_bits);
  int exponent;
  frexp(value, &exponent);
  exponent = exponent - 1 < least ? least : exponent - 1;
  uint64_t steps = (uint64_t)rint(ldexp(fabs(value), fraction_bits - exponent));
  bits = ((uint64_t)(exponent - least) << fraction_bits) + steps; /* the hidden bit carries over */
  return sign | (bits > special << fraction_bits ? special << fraction_bits : bits);
}

/* a + b, and where that is not exact, the neighbour whose last bit is 1. */
static inline double add_to_odd(double a, double b) {
  double sum = a + b, back = sum - a, error = (a - (sum - back)) + (b - back);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (isfinite(sum) && error != 0 && (bits & 1) == 0)
    sum = nextafter(sum, error > 0 ? INFINITY : -INFINITY);
  return sum;
}

static inline uint64_t float_fma(enum element e, const uint64_t *x) {
  double a = as_double(e, x[0]), b = as_double(e, x[1]), c = as_double(e, x[2]);
  if (e == F64)
    return from_double(e, fma(a, b, c));
  if (e == F32)
    return from_double(e, fmaf((float)a, (float)b, (float)c));
  return from_double(e, add_to_odd(a * b, c));
}

/* An integer of sign and magnitude to a float, rounded once. */
static inline uint64_t from_integer(enum element e, bool negative, uint64_t magnitude) {
  if (e == F64)
    return from_double(e, negative ? -(double)magnitude : (double)magnitude);
  if (e == F32)
    return from_double(e, negative ? -(float)magnitude : (float)magnitude);
  if (magnitude >> 53)
    magnitude = (magnitude >> 11 | ((magnitude & 0x7FF) != 0)) << 11;
  return from_double(e, negative ? -(double)magnitude : (double)magnitude);
}

static inline double maximum(double a, double b) {
  if (isnan(a) || isnan(b))
    return NAN;
  return a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}

static inline double float_binary(enum element e, double a, double b, char op) {
  if (e == F32) {
    float x = (float)a, y = (float)b;
    return op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y;
  }
  return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : a / b;
}

/* --- Operations ------------------------------------------------------------------------------- */

/* X(enum constant, "name", operands): results have the operands' type, or the type asked for. */
#define SCALAR_OPS(X)                                                                              \
  X(ADDI, "arith.addi", 2)                                                                         \
  X(SUBI, "arith.subi", 2)                                                                         \
  X(MULI, "arith.muli", 2) X(ANDI, "arith.andi", 2) X(ORI, "arith.ori", 2) X(                      \
      XORI, "arith.xori", 2) X(MAXSI, "arith.maxsi", 2) X(MINSI, "arith.minsi", 2)                 \
      X(MAXUI, "arith.maxui", 2) X(MINUI, "arith.minui", 2) X(SHLI, "arith.shli", 2) X(            \
          SHRSI, "arith.shrsi", 2) X(SHRUI, "arith.shrui", 2) X(DIVSI, "arith.divsi", 2)           \
          X(DIVUI, "arith.divui", 2) X(REMSI, "arith.remsi", 2) X(REMUI, "arith.remui", 2) X(      \
              ABSI, "math.absi", 1) X(ADDF, "arith.addf", 2) X(SUBF, "arith.subf", 2)              \
              X(MULF, "arith.mulf", 2) X(DIVF, "arith.divf", 2) X(MAXIMUMF, "arith.maximumf", 2)   \
                  X(MINIMUMF, "arith.minimumf", 2) X(MAXNUMF, "arith.maxnumf", 2) X(               \
                      MINNUMF, "arith.minnumf",                                                    \
                      2) X(NEGF, "arith.negf",                                                     \
                           1) X(ABSF, "math.absf", 1)                                              \
                      X(FLOOR, "math.floor", 1) X(CEIL, "math.ceil", 1) X(TRUNC, "math.trunc", 1)  \
                          X(ROUNDEVEN, "math.roundeven", 1) X(SQRT, "math.sqrt", 1)                \
                              X(FMA, "math.fma", 3) X(CMPI, "arith.cmpi", 2)                       \
                                  X(CMPF, "arith.cmpf", 2) X(SELECT, "arith.select", 3)            \
                                      X(EXTSI, "arith.extsi", 1) X(EXTUI, "arith.extui", 1)        \
                                          X(TRUNCI, "arith.trunci", 1) X(EXTF, "arith.extf", 1)    \
                                              X(TRUNCF, "arith.truncf",                            \
                                                1) X(SITOFP, "arith.sitofp",                       \
                                                     1) X(UITOFP, "arith.uitofp", 1)               \
                                                  X(FPTOSI, "arith.fptosi", 1)                     \
                                                      X(FPTOUI, "arith.fptoui", 1)                 \
                                                          X(BITCAST, "arith.bitcast", 1)           \
                                                              X(INDEX_CAST, "arith.index_cast", 1) \
                                                                  X(INDEX_CASTUI,                  \
                                                                    "arith.index_castui", 1)

enum scalar_op {
#define X(id, name, count) id,
  SCALAR_OPS(X)
#undef X
      SCALAR_OP_COUNT
};
struct scalar_op_row {
  const char *name;
  int operands;
};
static const struct scalar_op_row scalar_ops[SCALAR_OP_COUNT] = {
#define X(id, name, count) {name, count},
    SCALAR_OPS(X)
#undef X
};

static const char *const integer_predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                                 "sge", "ult", "ule", "ugt", "uge"};
static const char *const float_predicates[] = {"oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                               "ueq", "ugt", "uge", "ult", "ule", "une", "uno"};
enum { INTEGER_PREDICATES = 10, FLOAT_PREDICATES = 14, ORDERED = 6 };

static inline bool compare_integers(enum element e, int predicate, uint64_t a, uint64_t b) {
  int64_t x = as_signed(e, a), y = as_signed(e, b);
  switch (predicate) {
  case 0:
    return a == b;
  case 1:
    return a != b;
  case 2:
    return x < y;
  case 3:
    return x <= y;
  case 4:
    return x > y;
  case 5:
    return x >= y;
  case 6:
    return a < b;
  case 7:
    return a <= b;
  case 8:
    return a > b;
  default:
    return a >= b;
  }
}

static inline bool compare_floats(int predicate, double a, double b) {
  bool unordered = isnan(a) || isnan(b);
  if (predicate == ORDERED || predicate == FLOAT_PREDICATES - 1)
    return unordered != (predicate == ORDERED);
  if (unordered)
    return predicate > ORDERED;
  switch (predicate % 7) {
  case 0:
    return a == b;
  case 1:
    return a > b;
  case 2:
    return a >= b;
  case 3:
    return a < b;
  case 4:
    return a <= b;
  default:
    return a != b;
  }
}

static inline uint64_t evaluate_integers(enum scalar_op op, enum element e, const uint64_t *x) {
  uint64_t a = x[0], b = x[1];
  int64_t s = as_signed(e, a), t = as_signed(e, b);
  switch (op) {
  case ADDI:
    return a + b;
  case SUBI:
    return a - b;
  case MULI:
    return a * b;
  case ANDI:
    return a & b;
  case ORI:
    return a | b;
  case XORI:
    return a ^ b;
  case MAXSI:
    return (uint64_t)(s > t ? s : t);
  case MINSI:
    return (uint64_t)(s < t ? s : t);
  case MAXUI:
    return a > b ? a : b;
  case MINUI:
    return a < b ? a : b;
  case SHLI:
    return a << b;
  case SHRSI:
    return (uint64_t)(s >> b);
  case SHRUI:
    return a >> b;
  case DIVSI:
    return (uint64_t)(s / t);
  case DIVUI:
    return a / b;
  case REMSI:
    return (uint64_t)(s % t);
  case REMUI:
    return a % b;
  default: /* ABSI */
    return s < 0 ? 0 - (uint64_t)s : a;
  }
}

static inline double evaluate_floats(enum scalar_op op, enum element e, double a, double b) {
  switch (op) {
  case ADDF:
    return float_binary(e, a, b, '+');
  case SUBF:
    return float_binary(e, a, b, '-');
  case MULF:
    return float_binary(e, a, b, '*');
  case DIVF:
    return float_binary(e, a, b, '/');
  case MAXIMUMF:
    return maximum(a, b);
  case MINIMUMF:
    return -maximum(-a, -b);
  case MAXNUMF:
    return isnan(a) ? b : isnan(b) ? a : maximum(a, b);
  case MINNUMF:
    return isnan(a) ? b : isnan(b) ? a : -maximum(-a, -b);
  case NEGF:
    return -a;
  case ABSF:
    return fabs(a);
  case FLOOR:
    return floor(a);
  case CEIL:
    return ceil(a);
  case TRUNC:
    return trunc(a);
  case ROUNDEVEN:
    return rint(a);
  default: /* SQRT */
    return e == F32 ? sqrtf((float)a) : sqrt(a);
  }
}

/* `from` is the operands' type (of select: of the two values), `to` the result's. */
static inline uint64_t evaluate_scalar(enum scalar_op op, int predicate, enum element from,
                                       enum element to, const uint64_t *x) {
  uint64_t result;
  if (op <= ABSI)
    result = evaluate_integers(op, from, x);
  else if (op == FMA)
    result = float_fma(from, x);
  else if (op <= SQRT)
    result =
        from_double(to, evaluate_floats(op, from, as_double(from, x[0]),
                                        scalar_ops[op].operands > 1 ? as_double(from, x[1]) : 0));
  else if (op == CMPI)
    result = compare_integers(from, predicate, x[0], x[1]);
  else if (op == CMPF)
    result = compare_floats(predicate, as_double(from, x[0]), as_double(from, x[1]));
  else if (op == SELECT)
    result = x[0] ? x[1] : x[2];
  else if (op == EXTSI || op == INDEX_CAST)
    result = (uint64_t)as_signed(from, x[0]);
  else if (op == EXTF || op == TRUNCF)
    result = from_double(to, as_double(from, x[0]));
  else if (op == SITOFP)
    result = from_integer(to, as_signed(from, x[0]) < 0,
                          as_signed(from, x[0]) < 0 ? 0 - (uint64_t)as_signed(from, x[0]) : x[0]);
  else if (op == UITOFP)
    result = from_integer(to, false, x[0]);
  else if (op == FPTOSI)
    result = (uint64_t)(int64_t)as_double(from, x[0]);
  else if (op == FPTOUI)
    result = (uint64_t)as_double(from, x[0]);
  else /* EXTUI, TRUNCI, BITCAST, INDEX_CASTUI */
    result = x[0];
  return result & width_mask(to);
}

static inline bool same_number(enum element e, uint64_t a, uint64_t b) {
  return a == b || (is_float(e) && isnan(as_double(e, a)) && isnan(as_double(e, b)));
}

#endif
