/* SPDX-License-Identifier: MIT */
/* Functions of one step or of exact arithmetic: roots, rounding, remainder. */
#include "lowering/math/math_build.h"

/* sqrt.rn; with fastmath<afn> on f32 sqrt.approx. */
MlirValue math_sqrt(struct maths *m, const MlirValue *x) {
  return m->fast ? f_approximate(m, DEVICE_SQRT, x[0]) : f_sqrt(m, x[0]);
}

MlirValue math_rsqrt(struct maths *m, const MlirValue *x) {
  if (!m->wide)
    return f_approximate(m, DEVICE_RSQRT, x[0]);
  return f_div(m, f_constant(m, 1.0), f_sqrt(m, x[0]));
}

/* Halley's step for y^3 = x: y (y^3 + 2 x) / (2 y^3 + x), which triples the good bits. */
static MlirValue halley(struct maths *m, MlirValue x, MlirValue y) {
  MlirValue cube = f_mul(m, f_mul(m, y, y), y);
  MlirValue above = f_fma_by(m, x, 2.0, cube), below = f_fma_by(m, cube, 2.0, x);
  return f_mul(m, y, f_div(m, above, below));
}

/* A third of the bits is a first guess, good to 5 bits; the last step is Newton's, with y^3 - x
   computed from the exact square. */
MlirValue math_cbrt(struct maths *m, const MlirValue *operands) {
  MlirValue magnitude = f_absolute(m, operands[0]);
  MlirValue subnormal = f_compare(m, F_LESS, magnitude, f_either(m, 0x1p-126, 0x1p-1022));
  MlirValue large = f_compare(m, F_GREATER, magnitude, f_either(m, 0x1p100, 0x1p1000));
  MlirValue up = f_either(m, 0x1p24, 0x1p54), down = f_either(m, 0x1p-24, 0x1p-54);
  MlirValue one = f_constant(m, 1.0);
  MlirValue factor = choose(m, subnormal, up, choose(m, large, down, one));
  MlirValue x = f_mul(m, magnitude, factor);
  MlirValue third = i_with(m, "arith.divui", f_bits(m, x), 3);
  MlirValue y =
      f_from_bits(m, i_with(m, "arith.addi", third, m->wide ? 0x2A9F7893782DA1CE : 0x2A5119F2));
  y = halley(m, x, y);
  if (m->wide)
    y = halley(m, x, y);
  struct pair square = p_mul(m, y, y);
  MlirValue excess = f_fma(m, y, square.low, f_fma(m, y, square.high, f_negate(m, x)));
  y = f_sub(m, y, f_div(m, excess, f_mul_by(m, square.high, 3.0)));
  up = f_either(m, 0x1p8, 0x1p18), down = f_either(m, 0x1p-8, 0x1p-18);
  y = f_mul(m, y, choose(m, subnormal, down, choose(m, large, up, one)));
  MlirValue finite = f_compare_to(m, F_LESS, magnitude, INFINITY);
  MlirValue zero = f_compare_to(m, F_EQUAL, magnitude, 0.0);
  y = choose(m, finite, y, magnitude);
  return f_copysign(m, choose(m, zero, magnitude, y), operands[0]);
}

/* Halves away from zero. What is added is the greatest number below 1/2: with 1/2 itself the sum of
   that number would be 1. Where the sum is rounded, it is to where x lies, or up from a half. */
MlirValue math_round(struct maths *m, const MlirValue *x) {
  MlirValue half = f_either(m, 0x1.fffffep-2, 0x1.fffffffffffffp-2);
  return f_unary(m, "math.trunc", f_add(m, x[0], f_copysign(m, half, x[0])));
}

/* --- fmod ------------------------------------------------------------------------------------- */

/* The biased exponent, also of subnormals, for x > 0. */
static MlirValue exponent_of(struct maths *m, MlirValue x) {
  unsigned shift = f_fraction_bits(m);
  MlirValue subnormal = f_compare(m, F_LESS, x, f_either(m, 0x1p-126, 0x1p-1022));
  MlirValue up = f_bits(m, f_mul(m, x, f_either(m, 0x1p24, 0x1p54)));
  MlirValue scaled = i_with(m, "arith.subi", i_shift_right(m, up, shift), m->wide ? 54 : 24);
  return choose(m, subnormal, scaled, i_shift_right(m, f_bits(m, x), shift));
}

static MlirValue can_subtract(struct maths *m, const void *data, const MlirValue *values) {
  const MlirValue *divisor = data;
  return i_and(m, f_compare(m, F_NOT_LESS, values[0], *divisor),
               i_and(m, f_compare_to(m, F_GREATER, *divisor, 0.0),
                     f_compare_to(m, F_LESS, values[0], INFINITY)));
}

/* Subtracts q * y 2^k with q < 2^22 (2^50), y 2^k exact: so is the fma. q may be one too many. */
static void subtract_multiple(struct maths *m, const void *data, MlirValue *values) {
  MlirValue x = values[0], y = *(const MlirValue *)data;
  MlirValue distance = i_sub(m, exponent_of(m, x), exponent_of(m, y));
  MlirValue k = i_binary(m, "arith.maxsi", i_with(m, "arith.subi", distance, m->wide ? 48 : 20),
                         i_constant(m, f_width(m), 0));
  MlirValue third = i_shift_right(m, i_with(m, "arith.muli", k, 85), 8);
  MlirValue power = f_power_of_two(m, third); /* 2^k itself may be out of range */
  y = f_mul(m, f_mul(m, y, power), power);
  y = f_mul(m, y, f_power_of_two(m, i_sub(m, k, i_shift_left(m, third, 1))));
  MlirValue quotient = f_unary(m, "math.trunc", f_div(m, x, y));
  MlirValue rest = f_fma(m, f_negate(m, quotient), y, x);
  values[0] = choose(m, f_compare_to(m, F_LESS, rest, 0.0), f_add(m, rest, y), rest);
}

/* C's fmod: exact, the sign of x; NaN for infinite x and for y = 0. */
MlirValue math_fmod(struct maths *m, const MlirValue *operands) {
  MlirValue value = f_absolute(m, operands[0]), divisor = f_absolute(m, operands[1]);
  MlirValue invalid =
      i_or(m, f_compare_to(m, F_EQUAL, value, INFINITY), f_compare_to(m, F_EQUAL, divisor, 0.0));
  build_loop(m, can_subtract, subtract_multiple, &divisor, 1, &value);
  value = choose(m, invalid, f_constant(m, NAN), f_copysign(m, value, operands[0]));
  MlirValue unordered = f_compare(m, F_UNORDERED, operands[0], operands[1]);
  return choose(m, unordered, f_add(m, operands[0], operands[1]), value);
}
