/* SPDX-License-Identifier: MIT */
/* asin, acos, atan, atan2: odd minimax polynomials on [0, 1/2] (asin) and [0, 1] (atan), and

     asin x = pi/2 - 2 asin(sqrt((1 - x) / 2))     atan x = pi/2 - atan(1 / x) */
#include "lowering/math/math_build.h"

/* (asin x - x) / x^3 and (atan x - x) / x^3 in x^2. */
static const double asin_narrow[] = {0x1.5555ccp-3, 0x1.3300dcp-4, 0x1.7498e6p-5, 0x1.8b1bb6p-6,
                                     0x1.5a55e4p-5};
static const double asin_wide[] = {
    0x1.555555555537ap-3, 0x1.3333333371208p-4, 0x1.6db6db40c3a43p-5,  0x1.f1c72cc7a57b9p-6,
    0x1.6e89e6ca43f42p-6, 0x1.1c6cadd533f0bp-6, 0x1.c6edec05bc29ep-7,  0x1.8f2b68d553bf0p-7,
    0x1.a844793d37851p-8, 0x1.426382c91fd53p-6, -0x1.0da831d76986dp-6, 0x1.06bee44e3795ep-5};
static const struct series asin_series = SERIES(asin_narrow, asin_wide);

static const double atan_narrow[] = {-0x1.5554e6p-2, 0x1.997adcp-3, -0x1.231b66p-3, 0x1.b568d0p-4,
                                     -0x1.368020p-4, 0x1.64ca62p-5, -0x1.0faa7cp-6, 0x1.85e292p-9};
static const double atan_wide[] = {
    -0x1.5555555555464p-2,  0x1.9999999985ccfp-3,  -0x1.2492491ffb8d3p-3, 0x1.c71c70b079844p-4,
    -0x1.745d0352e0931p-4,  0x1.3b12beabb42b6p-4,  -0x1.1108f247402cep-4, 0x1.e17b9850c1dd6p-5,
    -0x1.ad4075ba3ba34p-5,  0x1.7f0cbf149b4b6p-5,  -0x1.4fa1e3cf4642dp-5, 0x1.17b80fefe83c4p-5,
    -0x1.a8d9f1337f2d0p-6,  0x1.17e8469c419c9p-6,  -0x1.2f9b9d0a7cff1p-7, 0x1.ff3ce8c4a5ca1p-9,
    -0x1.3587a3c87f73fp-10, 0x1.dbbbbe2cd1001p-13, -0x1.5aa72921ea5f1p-16};
static const struct series atan_series = SERIES(atan_narrow, atan_wide);

/* pi/2 = high + low in either type. */
static MlirValue half_pi_minus(struct maths *m, MlirValue x) {
  MlirValue rest = f_sub(m, x, f_either(m, -0x1.777a5cp-25, 0x1.1a62633145c07p-54));
  return f_sub(m, f_either(m, 0x1.921fb6p+0, 0x1.921fb54442d18p+0), rest);
}

static MlirValue pi_minus(struct maths *m, MlirValue x) {
  MlirValue rest = f_sub(m, x, f_either(m, -0x1.777a5cp-24, 0x1.1a62633145c07p-53));
  return f_sub(m, f_either(m, 0x1.921fb6p+1, 0x1.921fb54442d18p+1), rest);
}

static MlirValue odd(struct maths *m, MlirValue x, MlirValue square, const struct series *series) {
  return f_fma(m, f_mul(m, x, square), f_series(m, square, series), x);
}

struct arc {
  MlirValue magnitude, large, value; /* value: asin |x|, or asin(sqrt((1 - |x|) / 2)) where large */
};

static struct arc arc_sine(struct maths *m, MlirValue x) {
  struct arc arc = {.magnitude = f_absolute(m, x)};
  arc.large = f_compare_to(m, F_GREATER, arc.magnitude, 0.5);
  MlirValue rest = f_fma_by(m, arc.magnitude, -0.5, f_constant(m, 0.5));
  MlirValue square = choose(m, arc.large, rest, f_mul(m, x, x));
  MlirValue side = choose(m, arc.large, f_sqrt(m, rest), arc.magnitude);
  arc.value = odd(m, side, square, &asin_series);
  return arc;
}

MlirValue math_asin(struct maths *m, const MlirValue *x) {
  struct arc arc = arc_sine(m, x[0]);
  MlirValue large = half_pi_minus(m, f_add(m, arc.value, arc.value));
  return f_copysign(m, choose(m, arc.large, large, arc.value), x[0]);
}

MlirValue math_acos(struct maths *m, const MlirValue *x) {
  struct arc arc = arc_sine(m, x[0]);
  MlirValue twice = f_add(m, arc.value, arc.value);
  MlirValue negative = f_compare_to(m, F_LESS, x[0], 0.0);
  MlirValue large = choose(m, negative, pi_minus(m, twice), twice);
  return choose(m, arc.large, large, half_pi_minus(m, f_copysign(m, arc.value, x[0])));
}

/* atan(least / most), both at least 0, `turned` where the result is to be taken from pi/2. */
static MlirValue arc_tangent(struct maths *m, MlirValue ratio, MlirValue turned) {
  MlirValue y = odd(m, ratio, f_mul(m, ratio, ratio), &atan_series);
  return choose(m, turned, half_pi_minus(m, y), y);
}

MlirValue math_atan(struct maths *m, const MlirValue *x) {
  MlirValue magnitude = f_absolute(m, x[0]);
  MlirValue turned = f_compare_to(m, F_GREATER, magnitude, 1.0);
  MlirValue ratio = choose(m, turned, f_div(m, f_constant(m, 1.0), magnitude), magnitude);
  return f_copysign(m, arc_tangent(m, ratio, turned), x[0]);
}

/* C99, F.9.1.4: the signs of zeros count, and infinities have directions. */
MlirValue math_atan2(struct maths *m, const MlirValue *operands) {
  MlirValue y = f_absolute(m, operands[0]), x = f_absolute(m, operands[1]);
  MlirValue turned = f_compare(m, F_GREATER, y, x);
  MlirValue least = choose(m, turned, x, y), most = choose(m, turned, y, x);
  MlirValue ratio = f_div(m, least, most);
  ratio = choose(m, f_compare_to(m, F_EQUAL, most, 0.0), f_constant(m, 0.0), ratio);
  ratio = choose(m, f_compare_to(m, F_EQUAL, least, INFINITY), f_constant(m, 1.0), ratio);
  MlirValue angle = arc_tangent(m, ratio, turned);
  MlirValue left = i_compare_to(m, I_LESS, f_bits(m, operands[1]), 0);
  angle = f_copysign(m, choose(m, left, pi_minus(m, angle), angle), operands[0]);
  MlirValue unordered = f_compare(m, F_UNORDERED, operands[0], operands[1]);
  return choose(m, unordered, f_add(m, operands[0], operands[1]), angle);
}
