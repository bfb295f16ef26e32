/* SPDX-License-Identifier: MIT */
/* Device functions without a thread: arithmetic and conversions. Their rows in device.def say what
   each is; here is what the rows call.

   The approximate functions of the GPU's special function unit are computed in double and rounded
   once to float, so they lie within half an ulp of the true value. Special values follow the PTX
   tables; NaN results are the device's 0x7fffffff. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "base/element.h"
#include "emulator/device.h"

/* --- Floats ----------------------------------------------------------------------------------- */

static float flush(float x) {
  return fabsf(x) < FLT_MIN ? copysignf(0.0f, x) : x;
}

/* Rounds a result to float; an overflow becomes infinite, as it should. */
static float finish(double result) {
  return isnan(result) ? float_of(0x7fffffff) : (float)result;
}

/* Is x the larger, or smaller, of two? */
static bool takes_left(double x, double y, bool larger) {
  if (isnan(x) || isnan(y))
    return !isnan(x);
  bool less = x < y || (x == y && signbit(x));
  return less != larger;
}

/* The product is exact in double. The sum is rounded to odd there (the last bit says that something
   was lost), after which rounding to bfloat is as good as from the exact sum (Boldo, Melquiond
   2008). */
static carrier fma_bf16(carrier a, carrier b, carrier c) {
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

/* --- Conversions ------------------------------------------------------------------------------ */

/* The bits of a signed number from `least` to `most`, in a byte. */
static inline uint32_t clamp_to(uint32_t bits, int32_t least, int32_t most) {
  int32_t x = (int32_t)bits;
  return (uint32_t)(x < least ? least : x > most ? most : x) & 0xFF;
}

/* The low bits are the integer. The first comparison also holds for what rounds to the least. */
static inline uint64_t to_integer(double x, bool is_signed, int bits, uint64_t nan) {
  uint64_t highest = UINT64_MAX >> (64 - bits + is_signed);
  double end = 2.0 * (double)(highest / 2 + 1), least = is_signed ? -end : 0;
  if (isnan(x))
    return nan;
  if (x <= least)
    return is_signed ? ~highest : 0;
  if (x >= end)
    return highest;
  return is_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static uint32_t to_tf32(float x) {
  uint32_t bits = float_bits(x);
  if (isnan(x))
    return 0x7FFFE000;
  return isinf(x) ? bits : (bits + 0x1000) & 0xFFFFE000;
}

/* What is beyond the largest number becomes that, NaN stays NaN. */
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

static uint32_t bfloat_bits(float value) {
  return float_bits(runtime_float_to_bfloat(value)) & 0xFFFF;
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

/* --- Integers --------------------------------------------------------------------------------- */

static uint64_t signed_product(uint32_t x, uint32_t y) {
  return (uint64_t)((int64_t)(int32_t)x * (int32_t)y);
}

/* By halves: C17 has no integers of 128 bits. */
static uint64_t high_half(uint64_t x, uint64_t y) {
  uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
  uint64_t middle = x1 * y0 + (x0 * y0 >> 32);
  uint64_t other = x0 * y1 + (uint32_t)middle;
  return x1 * y1 + (middle >> 32) + (other >> 32);
}

static uint64_t both(uint32_t low, uint32_t high) {
  return (uint64_t)high << 32 | low;
}

/* PTX ISA, prmt without a mode: four bits of the selector choose each byte of {y, x}, the highest
   of them its sign in place of it. */
static uint32_t choose_bytes(uint32_t x, uint32_t y, uint32_t selector) {
  uint32_t result = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t choice = selector >> (4 * i) & 15;
    uint32_t byte = (uint32_t)(both(x, y) >> (8 * (choice & 7))) & 0xff;
    if (choice & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/* PTX ISA, lop3: bit number 4x + 2y + z of the table. */
static uint32_t function_of_bits(uint32_t x, uint32_t y, uint32_t z, uint32_t table) {
  uint32_t result = 0;
  for (int bit = 0; bit < 8; bit++)
    if (table >> bit & 1)
      result |= (bit & 4 ? x : ~x) & (bit & 2 ? y : ~y) & (bit & 1 ? z : ~z);
  return result;
}

/* PTX ISA, bfe: position and length count modulo 256; what lies after bit 31 is its sign, or zero.
 */
static uint32_t extract(uint32_t x, uint32_t position, uint32_t length, bool is_signed) {
  position &= 255;
  length &= 255;
  if (length == 0)
    return 0;
  uint32_t last = position + length - 1 < 31 ? position + length - 1 : 31;
  bool sign = is_signed && (x >> last & 1);
  uint32_t result = 0;
  for (uint32_t i = 0; i < 32; i++) {
    bool inside = i < length && position + i <= 31;
    result |= (uint32_t)(inside ? x >> (position + i) & 1 : sign) << i;
  }
  return result;
}

/* PTX ISA, bfi: the low bits of x in place of those of y. */
static uint32_t insert(uint32_t x, uint32_t y, uint32_t position, uint32_t length) {
  position &= 255;
  length &= 255;
  for (uint32_t i = 0; i < length && position + i <= 31; i++)
    y = (y & ~(UINT32_C(1) << (position + i))) | (x >> i & 1) << (position + i);
  return y;
}

static uint32_t products_of_bytes(uint32_t x, uint32_t y, bool is_signed) {
  uint32_t sum = 0;
  for (int i = 0; i < 32; i += 8)
    sum += is_signed ? (uint32_t)((int32_t)(int8_t)(x >> i) * (int8_t)(y >> i))
                     : (x >> i & 0xff) * (y >> i & 0xff);
  return sum;
}

/* --- The functions ---------------------------------------------------------------------------- */

#define X(result, name, parameters)
#define PURE(result, name, parameters, value, summary)                                             \
  result name parameters {                                                                         \
    return value;                                                                                  \
  }
#include "emulator/device.def"
