/* SPDX-License-Identifier: MIT */
/* Helpers that LLVM's code generator calls: conversions of 16-bit floats, 128-bit division.

   Rounding works on the bits of a double, which holds every float exactly: one routine serves both
   sources and both targets, and nothing is rounded twice. */
#include "emulator/runtime.h"

#include <string.h>

struct format {
  int fraction_bits;
  int bias;
};

static const struct format half_format = {.fraction_bits = 10, .bias = 15};
static const struct format bfloat_format = {.fraction_bits = 7, .bias = 127};

static uint16_t narrow(double value, struct format format) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
  uint64_t infinity = (uint64_t)(2 * format.bias + 1) << format.fraction_bits;
  uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
  int exponent = (int)(bits >> 52 & 0x7FF);
  if (exponent == 0x7FF)
    return fraction ? 0x7FFF : (uint16_t)(sign | infinity);
  if (exponent == 0) /* a subnormal double is far below half the least result */
    return sign;
  exponent += format.bias - 1023;
  int shift = 52 - format.fraction_bits;
  if (exponent < 1) { /* subnormal result: the fixed exponent 1, fewer bits */
    shift += 1 - exponent;
    exponent = 1;
  }
  if (shift > 53) /* below half the least result */
    return sign;
  uint64_t significand = fraction | 1ull << 52;
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((1ull << shift) - 1), tie = 1ull << (shift - 1);
  kept += rest > tie || (rest == tie && (kept & 1));
  /* The leading one of `kept`, where there is one, adds 1 to the exponent field; so does a carry.
   */
  uint64_t magnitude = ((uint64_t)(exponent - 1) << format.fraction_bits) + kept;
  return (uint16_t)(sign | (magnitude < infinity ? magnitude : infinity));
}

float runtime_half_bits_to_float(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16;
  uint32_t exponent = half >> 10 & 0x1F, fraction = half & 0x3FF;
  if (exponent == 0x1F) /* a NaN becomes quiet */
    return float_of(sign | 0x7F800000 | fraction << 13 | (fraction ? 0x400000 : 0));
  if (exponent)
    return float_of(sign | (exponent + 112) << 23 | fraction << 13);
  float magnitude = (float)fraction * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

float runtime_half_to_float(carrier half) {
  return runtime_half_bits_to_float((uint16_t)float_bits(half));
}

double runtime_half_to_double(carrier half) {
  return runtime_half_to_float(half);
}

float runtime_bfloat_to_float(carrier bfloat) {
  return float_of((uint32_t)(uint16_t)float_bits(bfloat) << 16);
}

carrier runtime_float_to_half(float value) {
  return float_of(narrow(value, half_format));
}

carrier runtime_double_to_half(double value) {
  return float_of(narrow(value, half_format));
}

carrier runtime_float_to_bfloat(float value) {
  return float_of(narrow(value, bfloat_format));
}

carrier runtime_double_to_bfloat(double value) {
  return float_of(narrow(value, bfloat_format));
}

uint16_t runtime_float_to_half_bits(float value) {
  return narrow(value, half_format);
}

runtime_i128 runtime_divide_i128(runtime_i128 left, runtime_i128 right) {
  return left / right;
}

runtime_i128 runtime_remainder_i128(runtime_i128 left, runtime_i128 right) {
  return left % right;
}

runtime_u128 runtime_divide_u128(runtime_u128 left, runtime_u128 right) {
  return left / right;
}

runtime_u128 runtime_remainder_u128(runtime_u128 left, runtime_u128 right) {
  return left % right;
}
