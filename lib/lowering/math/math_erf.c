/* SPDX-License-Identifier: MIT */
/* erf: x + x P(x^2) below 1; beyond, 1 - erfc(|x|) with the logarithm of erfc as a polynomial in
   |x| - 1 that is most precise where erfc is large. Minimax in the result's error; above 3.95 (f32)
   or 6 (f64) the result is 1. The logarithm is to base 2 in f32, for ex2.approx, and natural in
   f64. */
#include "lowering/math/math_build.h"

static const double small_narrow[] = {0x1.06eba8p-3, -0x1.81273ep-2,  0x1.ce2cf8p-4, -0x1.b7f910p-6,
                                      0x1.5405bep-8, -0x1.a3f71ep-11, 0x1.496a12p-14};
static const double small_wide[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b0379e6p-2,  0x1.ce2f21a042b21p-4,  -0x1.b82ce312849afp-6,
    0x1.565bcd0db0530p-8,  -0x1.c02db3d8f264ep-11, 0x1.f9a321a195b9dp-14, -0x1.f4d1df40274b3p-17,
    0x1.b9def1de3f8ebp-20, -0x1.5f1d38354a7c9p-23, 0x1.f7a41b6768ef8p-27, -0x1.386acc14bb471p-30,
    0x1.0579a08899394p-34};
static const struct series small_series = SERIES(small_narrow, small_wide);

static const double large_narrow[] = {-0x1.558eaep+1, -0x1.e75328p+1, -0x1.37627ap+0,
                                      -0x1.eb386cp-5, 0x1.daf032p-7,  -0x1.7c74e0p-9,
                                      0x1.b5fd7ep-12, -0x1.0674f0p-15};
static const double large_wide[] = {
    -0x1.d97fbf27aa2a1p+0,  -0x1.51c9b0006c21ep+1,  -0x1.afabc11a2add2p-1,  -0x1.5477f099d5ed3p-5,
    0x1.48c9d383e74c5p-7,   -0x1.033f5a6a8354fp-9,  0x1.f1b05db62d5dbp-13,  0x1.b92c65726f23dp-16,
    -0x1.c85024b75834bp-16, 0x1.447e0615053fcp-17,  -0x1.1e0cc6afb1a96p-19, 0x1.b6cb50de2c609p-23,
    0x1.f46805b9195d2p-25,  -0x1.1f974b270db95p-25, 0x1.257b983307125p-27,  -0x1.6ba6f6c21acebp-30,
    0x1.0741ec51dbd9bp-33,  -0x1.5797767f9ef46p-38};
static const struct series large_series = SERIES(large_narrow, large_wide);

MlirValue math_erf(struct maths *m, const MlirValue *x) {
  MlirValue magnitude = f_absolute(m, x[0]);
  MlirValue small = f_series(m, f_mul(m, x[0], x[0]), &small_series);
  small = f_fma(m, magnitude, small, magnitude);
  MlirValue end = f_either(m, 3.95, 6.0);
  MlirValue bounded = choose(m, f_compare(m, F_GREATER, magnitude, end), end, magnitude);
  MlirValue power = f_series(m, f_add_to(m, bounded, -1.0), &large_series);
  MlirValue rest =
      m->wide ? f_exp_of_pair(m, power, (MlirValue){0}, 0) : f_approximate(m, DEVICE_EXP2, power);
  MlirValue large = f_sub(m, f_constant(m, 1.0), rest);
  return f_copysign(m, choose(m, f_compare_to(m, F_LESS, magnitude, 1.0), small, large), x[0]);
}
