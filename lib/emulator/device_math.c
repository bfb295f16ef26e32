/* SPDX-License-Identifier: MIT */
/* Device functions: arithmetic.

   The approximate functions of the GPU's special function unit are computed in double and rounded
   once to float, so they lie within half an ulp of the true value; the device differs from that by
   the error that the PTX ISA states (section "Floating Point Instructions"), given beside each
   function. Special values follow the PTX tables. `ftz` flushes subnormal inputs and results to
   zero of their sign; NaN results are the device's 0x7fffffff. */
#include "emulator/device.h"

#include <float.h>
#include <math.h>
#include <string.h>

static float canonical_nan(void) {
  uint32_t bits = 0x7fffffff;
  float nan;
  memcpy(&nan, &bits, sizeof nan);
  return nan;
}

static float flush(float x) {
  return fabsf(x) < FLT_MIN ? copysignf(0.0f, x) : x;
}

/* Rounds a result to float; an overflow becomes infinite, as it should. */
static float finish(double result) {
  return isnan(result) ? canonical_nan() : (float)result;
}

/* Device: relative error 2^-22. */
float tile_emu_ex2_approx_ftz(float x) {
  return flush(finish(exp2(flush(x))));
}

/* Device: absolute error 2^-22 for x in (0.5, 2), relative 2^-22 elsewhere. */
float tile_emu_lg2_approx_ftz(float x) {
  return flush(finish(log2(flush(x))));
}

/* Device: 1 ulp. */
float tile_emu_rcp_approx_ftz(float x) {
  return flush(finish(1.0 / (double)flush(x)));
}

/* Device: relative error 2^-22.9. */
float tile_emu_rsqrt_approx_ftz(float x) {
  return flush(finish(1.0 / sqrt(flush(x))));
}

/* Device: relative error 2^-23. */
float tile_emu_sqrt_approx_ftz(float x) {
  return flush(finish(sqrt(flush(x))));
}

/* Device: 2 ulp. */
float tile_emu_div_full(float x, float y) {
  return finish((double)x / y);
}

/* Device: absolute error 2^-20.5 in [-2 pi, 2 pi]; none stated outside. */
float tile_emu_sin_approx_ftz(float x) {
  return flush(finish(sin(flush(x))));
}

float tile_emu_cos_approx_ftz(float x) {
  return flush(finish(cos(flush(x))));
}

/* Device: relative error 2^-11. */
float tile_emu_tanh_approx(float x) {
  return finish(tanh(x));
}

/* The same, subnormals kept, and arithmetic of inline assembly. */
float tile_emu_ex2_approx(float x) {
  return finish(exp2(x));
}

float tile_emu_lg2_approx(float x) {
  return finish(log2(x));
}

float tile_emu_rcp_approx(float x) {
  return finish(1.0 / (double)x);
}

float tile_emu_rsqrt_approx(float x) {
  return finish(1.0 / sqrt(x));
}

float tile_emu_sqrt_approx(float x) {
  return finish(sqrt(x));
}

float tile_emu_sin_approx(float x) {
  return finish(sin(x));
}

float tile_emu_cos_approx(float x) {
  return finish(cos(x));
}

float tile_emu_flush(float x) {
  return flush(x);
}

float tile_emu_add_ftz(float x, float y) {
  return flush(flush(x) + flush(y));
}

float tile_emu_sub_ftz(float x, float y) {
  return flush(flush(x) - flush(y));
}

float tile_emu_mul_ftz(float x, float y) {
  return flush(flush(x) * flush(y));
}

float tile_emu_fma_ftz(float x, float y, float z) {
  return flush(fmaf(flush(x), flush(y), flush(z)));
}

float tile_emu_rcp_rn(float x) {
  return 1.0f / x;
}

float tile_emu_min_f32(float x, float y) {
  if (isnan(x) || isnan(y))
    return isnan(x) ? y : x;
  if (x == y)
    return signbit(x) ? x : y;
  return x < y ? x : y;
}

float tile_emu_max_f32(float x, float y) {
  if (isnan(x) || isnan(y))
    return isnan(x) ? y : x;
  if (x == y)
    return signbit(x) ? y : x;
  return x > y ? x : y;
}

double tile_emu_min_f64(double x, double y) {
  if (isnan(x) || isnan(y))
    return isnan(x) ? y : x;
  if (x == y)
    return signbit(x) ? x : y;
  return x < y ? x : y;
}

double tile_emu_max_f64(double x, double y) {
  if (isnan(x) || isnan(y))
    return isnan(x) ? y : x;
  if (x == y)
    return signbit(x) ? y : x;
  return x > y ? x : y;
}

/* The product is exact in double. The sum is rounded to odd there (the last bit says that something
   was lost), after which rounding to bfloat is as good as from the exact sum (Boldo, Melquiond
   2008). */
carrier tile_emu_fma_bf16(carrier a, carrier b, carrier c) {
  double product = (double)runtime_bfloat_to_float(a) * (double)runtime_bfloat_to_float(b);
  double addend = runtime_bfloat_to_float(c);
  double sum = product + addend;
  double part = sum - product;
  double lost = (product - (sum - part)) + (addend - part); /* Knuth's two-sum */
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (lost != 0 && !(bits & 1) && isfinite(sum)) /* the exact sum lies beside, towards `lost` */
    sum = nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
  return runtime_double_to_bfloat(sum);
}

/* --- Products of twice the width -------------------------------------------------------------- */

uint64_t tile_emu_mul_wide_u32(uint32_t x, uint32_t y) {
  return (uint64_t)x * y;
}

uint64_t tile_emu_add_s64(uint64_t x, uint64_t y) {
  return x + y;
}

uint32_t tile_emu_zero(uint32_t shift) {
  (void)shift;
  return 0;
}

uint64_t tile_emu_mul_wide_s32(uint32_t x, uint32_t y) {
  return (uint64_t)((int64_t)(int32_t)x * (int32_t)y);
}
