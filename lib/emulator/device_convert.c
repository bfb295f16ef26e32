/* SPDX-License-Identifier: MIT */
/* Device functions: floats to integers, and to tf32.

   PTX ISA, cvt: .rzi rounds towards zero, results out of range are clamped, and f32 NaN is 0 in 32
   bits. To 64 bits an H200 gives 2^63 for NaN, from f64 to 32 bits 2^31; the lowering puts 0 there.
   */
#include "emulator/device.h"

#include <math.h>
#include <string.h>
#include "base/element.h"

/* The first comparison also holds for what rounds to the least number. */
#define CONVERT(type, least, end, lowest, highest, nan)                                            \
  if (isnan(x))                                                                                    \
    return (nan);                                                                                  \
  if (x <= (least))                                                                                \
    return (lowest);                                                                               \
  if (x >= (end))                                                                                  \
    return (highest);                                                                              \
  return (type)x

uint32_t tile_emu_f32_to_s32(float x) {
  CONVERT(int32_t, -0x1p31, 0x1p31, INT32_MIN, INT32_MAX, 0);
}

uint64_t tile_emu_f32_to_s64(float x) {
  CONVERT(int64_t, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX, UINT64_C(1) << 63);
}

uint32_t tile_emu_f32_to_u32(float x) {
  CONVERT(uint32_t, 0, 0x1p32, 0, UINT32_MAX, 0);
}

uint64_t tile_emu_f32_to_u64(float x) {
  CONVERT(uint64_t, 0, 0x1p64, 0, UINT64_MAX, UINT64_C(1) << 63);
}

uint32_t tile_emu_f64_to_s32(double x) {
  CONVERT(int32_t, -0x1p31, 0x1p31, INT32_MIN, INT32_MAX, UINT32_C(1) << 31);
}

uint64_t tile_emu_f64_to_s64(double x) {
  CONVERT(int64_t, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX, UINT64_C(1) << 63);
}

uint32_t tile_emu_f64_to_u32(double x) {
  CONVERT(uint32_t, 0, 0x1p32, 0, UINT32_MAX, UINT32_C(1) << 31);
}

uint64_t tile_emu_f64_to_u64(double x) {
  CONVERT(uint64_t, 0, 0x1p64, 0, UINT64_MAX, UINT64_C(1) << 63);
}

uint32_t tile_emu_f32_to_tf32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  if (isnan(x))
    return 0x7FFFE000;
  return isinf(x) ? bits : (bits + 0x1000) & 0xFFFFE000;
}

/* --- Pairs of 8-bit floats -------------------------------------------------------------------- */

/* PTX ISA, cvt with .satfinite: what is beyond the largest number becomes that, NaN stays NaN. */
static uint32_t to_eight_bits(enum element_type type, double x) {
  double most = type == ELEMENT_FP8E4NV ? 448 : 57344;
  uint8_t bits = 0;
  if (isnan(x))
    return 0x7F;
  element_store(type, &bits, fabs(x) > most ? copysign(most, x) : x);
  return bits;
}

static uint32_t pair_to_eight_bits(enum element_type type, double high, double low) {
  return to_eight_bits(type, high) << 8 | to_eight_bits(type, low);
}

static double half_of(uint32_t pair, int i) {
  uint16_t bits = (uint16_t)(pair >> 16 * i);
  return element_load(ELEMENT_F16, &bits);
}

static uint32_t to_halves(enum element_type type, uint32_t pair) {
  uint32_t halves = 0;
  for (int i = 0; i < 2; i++) {
    uint8_t bits = (uint8_t)(pair >> 8 * i);
    double x = element_load(type, &bits);
    uint16_t half = 0x7FFF;
    if (!isnan(x))
      element_store(ELEMENT_F16, &half, x);
    halves |= (uint32_t)half << 16 * i;
  }
  return halves;
}

uint32_t tile_emu_f32_to_e4m3x2(float high, float low) {
  return pair_to_eight_bits(ELEMENT_FP8E4NV, high, low);
}

uint32_t tile_emu_f32_to_e5m2x2(float high, float low) {
  return pair_to_eight_bits(ELEMENT_FP8E5, high, low);
}

uint32_t tile_emu_f16x2_to_e4m3x2(uint32_t pair) {
  return pair_to_eight_bits(ELEMENT_FP8E4NV, half_of(pair, 1), half_of(pair, 0));
}

uint32_t tile_emu_f16x2_to_e5m2x2(uint32_t pair) {
  return pair_to_eight_bits(ELEMENT_FP8E5, half_of(pair, 1), half_of(pair, 0));
}

uint32_t tile_emu_e4m3x2_to_f16x2(uint32_t pair) {
  return to_halves(ELEMENT_FP8E4NV, pair);
}

uint32_t tile_emu_e5m2x2_to_f16x2(uint32_t pair) {
  return to_halves(ELEMENT_FP8E5, pair);
}
