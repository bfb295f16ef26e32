/* SPDX-License-Identifier: MIT */
/* Exponential and hyperbolic functions.

   exp in f32 is 2^t through ex2.approx, with t = x log2(e) rounded and what the rounding lost put
   back as a factor 1 + (x - t ln 2). For f16 and bf16, and with fastmath<afn>, only 2^t.

   The others, and f64, reduce x = k ln 2 + r with |r| <= ln(2) / 2, ln 2 in two parts (Cody and
   Waite, Software Manual for the Elementary Functions, 1980, chapter 6), and evaluate a polynomial
   for (e^r - 1 - r) / r^2, minimax on that interval (Remez's algorithm). */
#include "lowering/math/math_build.h"

static const double LOG2_E = 0x1.71547652b82fep+0;

/* ln 2 = high + low; k * high is exact for the k that occur. */
static const double ln2_high_narrow = 0x1.62e430p-1, ln2_low_narrow = -0x1.05c610p-29;
static const double ln2_high_wide = 0x1.62e42fefa3800p-1, ln2_low_wide = 0x1.ef35793c76730p-45;

static const double exp_narrow[] = {0x1.fffffcp-2, 0x1.55548ap-3, 0x1.555916p-5, 0x1.123fc6p-7,
                                    0x1.6a1a72p-10};
static const double exp_wide[] = {
    0x1.000000000000bp-1,  0x1.55555555554f0p-3,  0x1.555555555024bp-5,  0x1.111111112999ep-7,
    0x1.6c16c1859c6e0p-10, 0x1.a01a012328c15p-13, 0x1.a01995edea46cp-16, 0x1.71df2ed4da24ap-19,
    0x1.28b1674e89410p-22, 0x1.ad7abbfdbb366p-26};
static const struct series exp_series = SERIES(exp_narrow, exp_wide);

static const double expm1_narrow[] = {0x1.000000p-1, 0x1.5554a8p-3, 0x1.55547ep-5, 0x1.122d86p-7,
                                      0x1.6da09ap-10};
static const double expm1_wide[] = {
    0x1.0000000000000p-1,  0x1.5555555555559p-3,  0x1.555555555555bp-5,  0x1.111111110f484p-7,
    0x1.6c16c16c14122p-10, 0x1.a01a01b0db98cp-13, 0x1.a01a01b1b450cp-16, 0x1.71ddf5abaf427p-19,
    0x1.27e4c381fc489p-22, 0x1.af63bc6a09344p-26, 0x1.1f98aaa630080p-29};
static const struct series expm1_series = SERIES(expm1_narrow, expm1_wide);

/* (sinh x - x) / x^3 in x^2, |x| <= 1. */
static const double sinh_narrow[] = {0x1.555556p-3, 0x1.111138p-7, 0x1.9ffd82p-13, 0x1.7a3be4p-19};
static const double sinh_wide[] = {
    0x1.5555555555555p-3,  0x1.1111111111111p-7,  0x1.a01a01a019fb8p-13, 0x1.71de3a5574974p-19,
    0x1.ae6456736401cp-26, 0x1.61246b6dcd02cp-33, 0x1.ae75234e1983fp-41, 0x1.9a8d10c307185p-49};
static const struct series sinh_series = SERIES(sinh_narrow, sinh_wide);

/* (tanh x - x) / x^3 in x^2, |x| <= 0.55, where tanh x is a half; relative error 4e-8. f64
   goes through expm1. */
static const double tanh_narrow[] = {-0x1.555452p-2, 0x1.10cef8p-3, -0x1.af7cdap-5, 0x1.0d5058p-6};

struct reduced {
  MlirValue remainder, integer; /* x = integer * ln 2 + remainder */
};

static struct reduced reduce(struct maths *m, MlirValue x, MlirValue low) {
  struct rounded k = f_round_product(m, x, LOG2_E);
  MlirValue r = f_fma(m, k.value, f_either(m, -ln2_high_narrow, -ln2_high_wide), x);
  if (!mlirValueIsNull(low))
    r = f_add(m, r, low);
  r = f_fma(m, k.value, f_either(m, -ln2_low_narrow, -ln2_low_wide), r);
  return (struct reduced){r, k.bits};
}

/* y 2^k in two steps, because 2^k itself may be out of range; one step rounds at most. */
static MlirValue scale(struct maths *m, MlirValue y, MlirValue bits, int shift) {
  unsigned width = f_width(m), unused = width - (m->wide ? 12 : 10);
  MlirValue k = i_shift_signed(m, i_shift_left(m, bits, unused), unused);
  if (shift)
    k = i_with(m, "arith.addi", k, shift);
  MlirValue half = i_shift_signed(m, k, 1);
  y = f_mul(m, y, f_power_of_two(m, half));
  return f_mul(m, y, f_power_of_two(m, i_sub(m, k, half)));
}

/* e^(x + low) 2^shift; `low` may be null. 0 and infinity where the result is out of range. */
MlirValue f_exp_of_pair(struct maths *m, MlirValue x, MlirValue low, int shift) {
  struct reduced r = reduce(m, x, low);
  MlirValue square = f_mul(m, r.remainder, r.remainder);
  MlirValue y = f_fma(m, square, f_series(m, r.remainder, &exp_series), r.remainder);
  y = scale(m, f_add_to(m, y, 1.0), r.integer, shift);
  double least = m->wide ? -746.0 : -104.0, most = m->wide ? 711.0 : 90.0;
  y = choose(m, f_compare_to(m, F_LESS, x, least), f_constant(m, 0.0), y);
  return choose(m, f_compare_to(m, F_GREATER, x, most), f_constant(m, INFINITY), y);
}

MlirValue math_exp(struct maths *m, const MlirValue *x) {
  if (m->wide)
    return f_exp_of_pair(m, x[0], (MlirValue){0}, 0);
  if (m->rough || m->fast)
    return f_approximate(m, DEVICE_EXP2, f_mul_by(m, x[0], LOG2_E));
  /* Inside these bounds the correction is finite; beyond them the result is 0 or infinity. */
  MlirValue clamped = f_binary(m, "arith.maximumf", x[0], f_constant(m, -110.0));
  clamped = f_binary(m, "arith.minimumf", clamped, f_constant(m, 90.0));
  MlirValue t = f_mul_by(m, clamped, LOG2_E);
  MlirValue lost = f_fma_by(m, t, -ln2_high_narrow, clamped);
  lost = f_fma_by(m, t, -ln2_low_narrow, lost);
  return f_mul(m, f_approximate(m, DEVICE_EXP2, t), f_add_to(m, lost, 1.0));
}

/* f64: 2^x = e^(f ln 2) 2^k with f = x - k exact. */
MlirValue math_exp2(struct maths *m, const MlirValue *x) {
  if (!m->wide)
    return f_approximate(m, DEVICE_EXP2, x[0]);
  struct rounded k = f_round_product(m, x[0], 1.0);
  MlirValue r = f_mul_by(m, f_sub(m, x[0], k.value), 0x1.62e42fefa39efp-1);
  MlirValue square = f_mul(m, r, r);
  MlirValue y = f_fma(m, square, f_series(m, r, &exp_series), r);
  y = scale(m, f_add_to(m, y, 1.0), k.bits, 0);
  y = choose(m, f_compare_to(m, F_LESS, x[0], -1076.0), f_constant(m, 0.0), y);
  return choose(m, f_compare_to(m, F_NOT_LESS, x[0], 1024.0), f_constant(m, INFINITY), y);
}

/* e^x - 1 = 2 (2^(k-1) (e^r - 1) + (2^(k-1) - 1/2)): no scale overflows below the result. */
MlirValue f_expm1(struct maths *m, MlirValue x) {
  struct reduced r = reduce(m, x, (MlirValue){0});
  MlirValue square = f_mul(m, r.remainder, r.remainder);
  MlirValue y = f_fma(m, square, f_series(m, r.remainder, &expm1_series), r.remainder);
  unsigned unused = f_width(m) - (m->wide ? 12 : 10);
  MlirValue k = i_shift_signed(m, i_shift_left(m, r.integer, unused), unused);
  MlirValue power = f_power_of_two(m, i_with(m, "arith.addi", k, -1));
  y = f_fma(m, power, y, f_add_to(m, power, -0.5));
  y = f_add(m, y, y);
  double least = m->wide ? -40.0 : -20.0, most = m->wide ? 709.8 : 88.73;
  y = choose(m, f_compare_to(m, F_LESS, x, least), f_constant(m, -1.0), y);
  y = choose(m, f_compare_to(m, F_GREATER, x, most), f_constant(m, INFINITY), y);
  double small = m->wide ? 0x1p-54 : 0x1p-25; /* keeps -0 and subnormals */
  return choose(m, f_compare_to(m, F_LESS, f_absolute(m, x), small), x, y);
}

MlirValue math_expm1(struct maths *m, const MlirValue *x) {
  return f_expm1(m, x[0]);
}

/* With h = e^|x| / 2: sinh |x| = h - 1 / (4 h), cosh x = h + 1 / (4 h). */
static MlirValue half_exp(struct maths *m, MlirValue magnitude, MlirValue *quarter) {
  MlirValue h = f_exp_of_pair(m, magnitude, (MlirValue){0}, -1);
  *quarter = f_div(m, f_constant(m, 0.25), h);
  return h;
}

MlirValue math_sinh(struct maths *m, const MlirValue *x) {
  MlirValue magnitude = f_absolute(m, x[0]), quarter;
  MlirValue square = f_mul(m, x[0], x[0]);
  MlirValue small =
      f_fma(m, f_mul(m, magnitude, square), f_series(m, square, &sinh_series), magnitude);
  MlirValue large = half_exp(m, magnitude, &quarter);
  large = f_sub(m, large, quarter);
  return f_copysign(m, choose(m, f_compare_to(m, F_LESS, magnitude, 1.0), small, large), x[0]);
}

MlirValue math_cosh(struct maths *m, const MlirValue *x) {
  MlirValue quarter, large = half_exp(m, f_absolute(m, x[0]), &quarter);
  return f_add(m, large, quarter);
}

/* f32: the polynomial up to 0.55, 1 - 2 / (e^2|x| + 1) beyond.
   f64: t / (t + 2), t = e^2|x| - 1. With fastmath<afn> in f32 tanh.approx. */
MlirValue math_tanh(struct maths *m, const MlirValue *x) {
  MlirValue magnitude = f_absolute(m, x[0]), y;
  if (m->fast)
    return f_approximate(m, DEVICE_TANH, x[0]);
  if (m->wide) {
    MlirValue t = f_expm1(m, f_add(m, magnitude, magnitude));
    y = f_div(m, t, f_add_to(m, t, 2.0));
    y = choose(m, f_compare_to(m, F_GREATER, magnitude, 20.0), f_constant(m, 1.0), y);
    return f_copysign(m, y, x[0]);
  }
  MlirValue square = f_mul(m, x[0], x[0]);
  MlirValue small = f_polynomial(m, square, tanh_narrow, 4);
  small = f_fma(m, f_mul(m, magnitude, square), small, magnitude);
  MlirValue e = f_approximate(m, DEVICE_EXP2, f_mul_by(m, magnitude, 2 * LOG2_E));
  MlirValue inverse = f_approximate(m, DEVICE_RECIPROCAL, f_add_to(m, e, 1.0));
  y = f_fma_by(m, inverse, -2.0, f_constant(m, 1.0));
  y = choose(m, f_compare_to(m, F_LESS, magnitude, 0.55), small, y);
  return f_copysign(m, y, x[0]);
}
