/* SPDX-License-Identifier: MIT */
/* pow(x, y) = e^(y ln |x|), the logarithm and the product as unevaluated sums of two floats,
   because an error of the exponent is multiplied by up to 745. With |x| = 2^e m, s = (m - 1) / (m +
   1):

     ln m = 2 s + s z (2/3 + z Q(z)),  z = s^2

   s, z and everything but z Q(z) in pairs (Dekker 1971; the division's remainder by fma). Special
   values are those of C99, F.9.4.4. math.fpowi shares all of it; its exponent is an integer, as a
   pair too. math.ipowi multiplies by squaring. */
#include "lowering/math/math_build.h"

static const double tail_narrow[] = {0x1.999a00p-2, 0x1.24529cp-2, 0x1.df9c8cp-3};
static const double tail_wide[] = {0x1.9999999999b2fp-2, 0x1.2492492457e83p-2, 0x1.c71c722d50c8bp-3,
                                   0x1.745ce9e98832cp-3, 0x1.3b1eeb1c2d799p-3, 0x1.0f7ffbfc6819cp-3,
                                   0x1.0e421a95bc707p-3};
static const struct series tail_series = SERIES(tail_narrow, tail_wide);

/* (a.high + a.low) (b.high + b.low), normalised. */
static struct pair multiply(struct maths *m, struct pair a, struct pair b) {
  struct pair product = p_mul(m, a.high, b.high);
  MlirValue low = f_fma(m, a.high, b.low, product.low);
  return (struct pair){product.high, f_fma(m, a.low, b.high, low)};
}

static struct pair plus(struct maths *m, struct pair larger, struct pair smaller) {
  struct pair sum = p_add_ordered(m, larger.high, smaller.high);
  return (struct pair){sum.high, f_add(m, sum.low, f_add(m, larger.low, smaller.low))};
}

/* f / (2 + f): the quotient from one reciprocal, and its remainder. */
static struct pair ratio(struct maths *m, MlirValue f) {
  struct pair below = p_add_ordered(m, f_constant(m, 2.0), f);
  MlirValue inverse = f_div(m, f_constant(m, 1.0), below.high);
  MlirValue high = f_mul(m, f, inverse);
  MlirValue rest = f_fma(m, f_negate(m, high), below.high, f);
  rest = f_fma(m, f_negate(m, high), below.low, rest);
  return (struct pair){high, f_mul(m, rest, inverse)};
}

/* ln x for x > 0, finite. */
static struct pair logarithm(struct maths *m, MlirValue x) {
  MlirValue subnormal = f_compare(m, F_LESS, x, f_either(m, 0x1p-126, 0x1p-1022));
  MlirValue up = f_mul(m, x, f_either(m, 0x1p25, 0x1p54));
  struct split_float parts = f_split(m, choose(m, subnormal, up, x));
  MlirValue e = f_from_integer(m, m->wide ? i_convert(m, "arith.trunci", parts.exponent, 32)
                                          : parts.exponent);
  e = f_add(m, e, choose(m, subnormal, f_either(m, -25.0, -54.0), f_constant(m, 0.0)));
  struct pair s = ratio(m, parts.fraction), z = multiply(m, s, s);
  MlirValue tail = f_mul(m, z.high, f_series(m, z.high, &tail_series));
  struct pair two_thirds = {f_either(m, 0x1.555556p-1, 0x1.5555555555555p-1),
                            f_either(m, -0x1.555556p-26, 0x1.5555555555555p-55)};
  struct pair factor = plus(m, two_thirds, (struct pair){tail, f_constant(m, 0.0)});
  struct pair correction = multiply(m, s, multiply(m, z, factor));
  struct pair twice = {f_add(m, s.high, s.high), f_add(m, s.low, s.low)};
  struct pair sum = plus(m, twice, correction);
  struct pair step = {f_mul(m, e, f_either(m, 0x1.62ep-1, 0x1.62e42fefa3800p-1)),
                      f_mul(m, e, f_either(m, 0x1.0bfbe8p-15, 0x1.ef35793c76730p-45))};
  sum = plus(m, step, sum);
  return p_add_ordered(m, sum.high, sum.low);
}

struct exponent {
  struct pair value;
  MlirValue integral, odd; /* i1 */
};

static MlirValue power(struct maths *m, MlirValue x, const struct exponent *exponent) {
  MlirValue y = exponent->value.high;
  MlirValue magnitude = f_absolute(m, x), infinity = f_constant(m, INFINITY);
  MlirValue zero = f_constant(m, 0.0), one = f_constant(m, 1.0);
  struct pair log = logarithm(m, magnitude);
  struct pair t = multiply(m, exponent->value, log);
  MlirValue result = f_exp_of_pair(m, t.high, t.low, 0);
  MlirValue grows = f_compare(m, F_GREATER, y, zero);
  MlirValue at_zero = choose(m, grows, zero, infinity),
            at_infinity = choose(m, grows, infinity, zero);
  result = choose(m, f_compare(m, F_EQUAL, magnitude, zero), at_zero, result);
  MlirValue infinite = f_compare(m, F_EQUAL, magnitude, infinity);
  result = choose(m, infinite, at_infinity, result);
  result = choose(m, f_compare(m, F_EQUAL, magnitude, one), one, result);
  MlirValue signed_result = f_copysign(m, result, x);
  result = choose(m, exponent->odd, signed_result, result);
  MlirValue root =
      i_and(m, f_compare(m, F_LESS, x, zero), i_not(m, i_or(m, exponent->integral, infinite)));
  result = choose(m, root, f_constant(m, NAN), result);
  result = choose(m, f_compare(m, F_UNORDERED, x, y), f_add(m, x, y), result);
  MlirValue trivial = i_or(m, f_compare(m, F_EQUAL, y, zero), f_compare(m, F_EQUAL, x, one));
  return choose(m, trivial, one, result);
}

static MlirValue is_integral(struct maths *m, MlirValue y) {
  return f_compare(m, F_EQUAL, f_unary(m, "math.floor", y), y);
}

/* With fastmath<afn> in f32, for x > 0: 2^(y log2 x). */
MlirValue math_pow(struct maths *m, const MlirValue *x) {
  if (m->fast)
    return f_approximate(m, DEVICE_EXP2, f_mul(m, x[1], f_approximate(m, DEVICE_LOG2, x[0])));
  MlirValue y = x[1], integral = is_integral(m, y);
  MlirValue odd = i_and(m, integral, i_not(m, is_integral(m, f_mul_by(m, y, 0.5))));
  struct exponent exponent = {{y, f_constant(m, 0.0)}, integral, odd};
  return power(m, x[0], &exponent);
}

/* The exponent beyond 2^62 does not matter: the result is 0, 1 or infinity, but for its sign. */
MlirValue math_fpowi(struct maths *m, const MlirValue *x) {
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(x[1]));
  MlirValue n = width < 64 ? i_convert(m, "arith.extsi", x[1], 64) : x[1];
  MlirValue odd = i_convert(m, "arith.trunci", n, 1);
  MlirValue limit = i_constant(m, 64, INT64_C(1) << 62);
  n = i_binary(m, "arith.minsi", n, limit);
  n = i_binary(m, "arith.maxsi", n, i_constant(m, 64, -(INT64_C(1) << 62)));
  MlirValue high = f_from_integer(m, n);
  MlirValue back = BUILD(&m->lw->b, "arith.fptosi", IN(high), OUT(i_type(m, 64)));
  MlirValue low = f_from_integer(m, i_sub(m, n, back));
  struct exponent exponent = {{high, low}, i_constant(m, 1, 1), odd};
  return power(m, x[0], &exponent);
}

/* --- Integers --------------------------------------------------------------------------------- */

static MlirValue bits_are_left(struct maths *m, const void *data, const MlirValue *values) {
  (void)data;
  return i_compare_to(m, I_UNEQUAL, values[1], 0);
}

static void square_and_multiply(struct maths *m, const void *data, MlirValue *values) {
  (void)data;
  MlirValue base = values[0], bits = values[1], product = values[2];
  MlirValue taken = i_compare_to(m, I_UNEQUAL, i_with(m, "arith.andi", bits, 1), 0);
  values[0] = i_mul(m, base, base);
  values[1] = i_shift_right(m, bits, 1);
  values[2] = choose(m, taken, i_mul(m, product, base), product);
}

/* A negative exponent: 1 for 1, +-1 for -1, 0 for every other base (1/0 included). */
static MlirValue emit_ipowi(struct lowering *lw, MlirOperation op, const MlirValue *x) {
  struct maths maths = {.lw = lw, .op = op}, *m = &maths;
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(x[0]));
  MlirValue one = i_constant(m, width, 1), zero = i_constant(m, width, 0);
  MlirValue negative = i_compare(m, I_LESS, x[1], zero);
  MlirValue values[] = {x[0], choose(m, negative, i_with(m, "arith.andi", x[1], 1), x[1]), one};
  build_loop(m, bits_are_left, square_and_multiply, NULL, 3, values);
  MlirValue unit = i_or(m, i_compare(m, I_EQUAL, x[0], one), i_compare_to(m, I_EQUAL, x[0], -1));
  return choose(m, i_and(m, negative, i_not(m, unit)), zero, values[2]);
}

MlirLogicalResult lower_ipowi(struct lowering *lw, MlirOperation op) {
  return lower_each(lw, op, emit_ipowi);
}
