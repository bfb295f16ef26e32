/* SPDX-License-Identifier: MIT */
/* Prototypes of this library's own functions in runtime.def.

   Half and bfloat values travel in the low 16 bits of a vector register (x86-64: xmm0, AArch64:
   v0); so does a C float, and the upper bits do not matter. Hence `carrier`: not a number, but 16
   bits in a float's clothes. */
#ifndef TILE_EMULATOR_RUNTIME_H
#define TILE_EMULATOR_RUNTIME_H

#include <stdint.h>
#include <string.h>

typedef float carrier;
__extension__ typedef __int128 runtime_i128;
__extension__ typedef unsigned __int128 runtime_u128;

float runtime_half_to_float(carrier half);
double runtime_half_to_double(carrier half);
float runtime_bfloat_to_float(carrier bfloat);
float runtime_half_bits_to_float(uint16_t half);
/* To nearest, ties to even, rounded once, subnormals kept; NaN becomes 0x7fff as on the device. */
carrier runtime_float_to_half(float value);
carrier runtime_double_to_half(double value);
carrier runtime_float_to_bfloat(float value);
carrier runtime_double_to_bfloat(double value);
uint16_t runtime_float_to_half_bits(float value);

runtime_i128 runtime_divide_i128(runtime_i128 left, runtime_i128 right);
runtime_i128 runtime_remainder_i128(runtime_i128 left, runtime_i128 right);
runtime_u128 runtime_divide_u128(runtime_u128 left, runtime_u128 right);
runtime_u128 runtime_remainder_u128(runtime_u128 left, runtime_u128 right);

/* The bits of a float, and back. */
static inline float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

#endif
