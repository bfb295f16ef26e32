/* SPDX-License-Identifier: MIT */
/* Numbers of tensor-core types for tests: what their bits are worth, and random ones. */
#ifndef TILE_TEST_MMA_NUMBERS_H
#define TILE_TEST_MMA_NUMBERS_H

#include <math.h>
#include "base/mma.h"

static uint64_t state = 1;

static inline uint32_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

/* --- Elements: bits and what they are worth --------------------------------------------------- */

static inline double small_float(uint32_t bits, int fraction_bits, int exponent_bits) {
  int exponent = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  int bias = (1 << (exponent_bits - 1)) - 1;
  double fraction = ldexp((double)(bits & ((1u << fraction_bits) - 1)), -fraction_bits);
  double value = exponent ? ldexp(1 + fraction, exponent - bias) : ldexp(fraction, 1 - bias);
  return bits >> (fraction_bits + exponent_bits) & 1 ? -value : value;
}

static inline double worth(enum mma_number type, uint64_t bits) {
  union {
    uint32_t u;
    float f;
  } single = {.u = (uint32_t)bits};
  union {
    uint64_t u;
    double f;
  } twice = {.u = bits};
  switch (type) {
  case MMA_F16:
    return small_float((uint32_t)bits, 10, 5);
  case MMA_BF16:
    return small_float((uint32_t)bits, 7, 8);
  case MMA_E4M3:
    return small_float((uint32_t)bits, 3, 4);
  case MMA_E5M2:
    return small_float((uint32_t)bits, 2, 5);
  case MMA_TF32:
    return small_float((uint32_t)bits >> 13, 10, 8);
  case MMA_S8:
    return (int8_t)bits;
  case MMA_U8:
    return (uint8_t)bits;
  case MMA_S32:
    return (int32_t)bits;
  case MMA_F32:
    return single.f;
  default:
    return twice.f;
  }
}

/* A number of moderate size, among them subnormals and zeros, never infinity or NaN. */
static inline uint64_t random_bits(enum mma_number type) {
  uint32_t sign = draw() & 1, tiny = draw() % 16 == 0;
  union {
    double f;
    uint64_t u;
  } twice = {.f = ((double)draw() / (1u << 30) - 1) * (tiny ? 0x1p-40 : 8)};
  union {
    float f;
    uint32_t u;
  } single = {.f = (float)twice.f};
  switch (type) {
  case MMA_F16:
    return sign << 15 | (tiny ? draw() & 0x3FF : (12 + draw() % 6) << 10 | (draw() & 0x3FF));
  case MMA_BF16:
    return single.u >> 16;
  case MMA_E4M3:
    return sign << 7 | (tiny ? draw() & 7 : draw() % 0x7F);
  case MMA_E5M2:
    return sign << 7 | (tiny ? draw() & 3 : draw() % 0x60);
  case MMA_F64:
    return twice.u;
  case MMA_S8:
  case MMA_U8:
    return draw() & 0xFF;
  case MMA_S32:
    return draw() * 2;
  default:
    return single.u; /* tf32: with low bits that must not count */
  }
}

#endif
