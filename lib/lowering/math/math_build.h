/* SPDX-License-Identifier: MIT */
/* Formulas over one register, one line per operation.

   f_ functions work on floats of one type, m->type, f32 or f64; i_ functions on integers of the
   operands' type. Each makes one operation at the lowering's builder. A function of mathematics is
   written once for both types; what differs are the coefficients, so a `struct series` holds two
   lists of them. The code is plain arithmetic, rounded the same on the device and on the emulator,
   unless an approximate instruction (f_approximate) is in it. */
#ifndef TILE_LOWERING_MATH_MATH_BUILD_H
#define TILE_LOWERING_MATH_MATH_BUILD_H

#include <math.h>
#include "lowering/tile_gpu_to_llvm/device_ops.h"

struct maths {
  struct lowering *lw;
  MlirType type; /* f32 or f64 */
  bool wide;     /* it is f64 */
  bool rough;    /* the caller rounds to f16 or bf16: 2^-16 relative is enough */
  bool fast;     /* fastmath<afn>, and not f64: there are approximations to use */
  MlirOperation op;
};

struct maths maths_of(struct lowering *lw, MlirOperation op, MlirType type);

/* The value rounded to m->type; a constant in the kernel's prologue. */
MlirValue f_constant(struct maths *m, double value);
/* narrow for f32, wide for f64. */
MlirValue f_either(struct maths *m, double narrow, double wide);
MlirValue f_unary(struct maths *m, const char *name, MlirValue x);
MlirValue f_binary(struct maths *m, const char *name, MlirValue x, MlirValue y);
MlirValue f_fma(struct maths *m, MlirValue x, MlirValue y, MlirValue z);
#define F_UNARY(name, operation)                                                                   \
  static inline MlirValue f_##name(struct maths *m, MlirValue x) {                                 \
    return f_unary(m, operation, x);                                                               \
  }
#define F_BINARY(name, operation)                                                                  \
  static inline MlirValue f_##name(struct maths *m, MlirValue x, MlirValue y) {                    \
    return f_binary(m, operation, x, y);                                                           \
  }
F_BINARY(add, "arith.addf")
F_BINARY(sub, "arith.subf")
F_BINARY(mul, "arith.mulf")
F_BINARY(div, "arith.divf")
F_UNARY(negate, "arith.negf")
F_UNARY(absolute, "math.absf")
F_UNARY(sqrt, "math.sqrt")
F_BINARY(copysign, "math.copysign") /* of a magnitude and a sign */
/* x * constant, x + constant, fma(x, constant, z). */
MlirValue f_mul_by(struct maths *m, MlirValue x, double factor);
MlirValue f_add_to(struct maths *m, MlirValue x, double addend);
MlirValue f_fma_by(struct maths *m, MlirValue x, double factor, MlirValue z);
/* What the device approximates, of f32. */
MlirValue f_approximate(struct maths *m, enum device_arithmetic which, MlirValue x);
MlirValue f_approximate_quotient(struct maths *m, MlirValue x, MlirValue y);

MlirValue f_compare(struct maths *m, enum compare_floats predicate, MlirValue x, MlirValue y);
MlirValue f_compare_to(struct maths *m, enum compare_floats predicate, MlirValue x, double y);
MlirValue i_compare(struct maths *m, enum compare_integers predicate, MlirValue x, MlirValue y);
MlirValue i_compare_to(struct maths *m, enum compare_integers predicate, MlirValue x, int64_t y);
MlirValue choose(struct maths *m, MlirValue condition, MlirValue x, MlirValue y);

/* The bits of a float as an integer, and back (to m->type). */
MlirValue f_bits(struct maths *m, MlirValue x);
MlirValue f_from_bits(struct maths *m, MlirValue bits);
MlirType i_type(struct maths *m, unsigned width);
unsigned f_width(const struct maths *m);         /* 32, 64 */
unsigned f_fraction_bits(const struct maths *m); /* 23, 52 */

MlirValue i_constant(struct maths *m, unsigned width, int64_t value);
MlirValue i_binary(struct maths *m, const char *name, MlirValue x, MlirValue y);
MlirValue i_with(struct maths *m, const char *name, MlirValue x, int64_t y);
MlirValue i_convert(struct maths *m, const char *name, MlirValue x, unsigned width);
#define I_BINARY(name, operation)                                                                  \
  static inline MlirValue i_##name(struct maths *m, MlirValue x, MlirValue y) {                    \
    return i_binary(m, operation, x, y);                                                           \
  }
I_BINARY(add, "arith.addi")
I_BINARY(sub, "arith.subi")
I_BINARY(mul, "arith.muli")
I_BINARY(and, "arith.andi")
I_BINARY(or, "arith.ori")
I_BINARY(xor, "arith.xori")
#define I_SHIFT(name, operation)                                                                   \
  static inline MlirValue i_shift_##name(struct maths *m, MlirValue x, int64_t bits) {             \
    return i_with(m, operation, x, bits);                                                          \
  }
I_SHIFT(left, "arith.shli")
I_SHIFT(right, "arith.shrui")
I_SHIFT(signed, "arith.shrsi")
MlirValue i_not(struct maths *m, MlirValue condition);
/* Signed integer to m->type, rounded to nearest. */
MlirValue f_from_integer(struct maths *m, MlirValue x);

/* Polynomials: c[0] + c[1] x + c[2] x^2 + ..., Horner's scheme with fma. */
struct series {
  const double *narrow;
  int narrow_count;
  const double *wide;
  int wide_count;
};
#define SERIES(narrow_list, wide_list)                                                             \
  {                                                                                                \
    narrow_list, (int)(sizeof(narrow_list) / sizeof(double)), wide_list,                           \
        (int)(sizeof(wide_list) / sizeof(double))                                                  \
  }
MlirValue f_series(struct maths *m, MlirValue x, const struct series *series);
MlirValue f_polynomial(struct maths *m, MlirValue x, const double *coefficients, int count);

/* The integer nearest to x * factor, as a float and in the low bits of an integer; |x * factor| is
   below 2^21 (f32) or 2^50 (f64), else both are garbage. */
struct rounded {
  MlirValue value, bits;
};
struct rounded f_round_product(struct maths *m, MlirValue x, double factor);

/* high + low, |low| at most half an ulp of high. */
struct pair {
  MlirValue high, low;
};
struct pair p_add_ordered(struct maths *m, MlirValue x,
                          MlirValue y);                       /* exact if |x| >= |y| or x = 0 */
struct pair p_mul(struct maths *m, MlirValue x, MlirValue y); /* exact */

/* `count` results: of `then` where the condition holds, else `otherwise`. The code of `then` is
   jumped over when no thread of the warp needs it. */
typedef void math_branch(struct maths *m, const void *data, MlirValue *results);
void build_branch(struct maths *m, MlirValue condition, math_branch *then, const void *data,
                  const MlirValue *otherwise, int count, MlirValue *results);
/* values = step(values) as long as `condition(values)` holds. */
typedef MlirValue math_condition(struct maths *m, const void *data, const MlirValue *values);
typedef void math_step(struct maths *m, const void *data, MlirValue *values);
void build_loop(struct maths *m, math_condition *condition, math_step *step, const void *data,
                int count, MlirValue *values);

/* Shared formulas. */
MlirValue f_exp_of_pair(struct maths *m, MlirValue x, MlirValue low, int shift); /* math_exp.c */
MlirValue f_expm1(struct maths *m, MlirValue x);                                 /* math_exp.c */
/* f, exponent with argument = 2^exponent (1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1]; math_log.c */
struct split_float {
  MlirValue fraction, exponent; /* exponent: an integer of the float's width */
};
struct split_float f_split(struct maths *m, MlirValue x);
/* The value with 2^k as bits, k an integer of the float's width in the normal range. */
MlirValue f_power_of_two(struct maths *m, MlirValue k);

typedef MlirValue math_function(struct maths *m, const MlirValue *x);
#define F(kind, name, function) math_function function;
#include "ir/math_functions.def"
#undef F

#endif
