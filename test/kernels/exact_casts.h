/* SPDX-License-Identifier: MIT */
/* Conversions between numbers, exactly as docs/numerics.md says: one rounding of a long double,
   which holds every number of every type. Types are zoo.h's, integers with a sign or without. */
#ifndef TILE_TEST_EXACT_CASTS_H
#define TILE_TEST_EXACT_CASTS_H

#include "zoo.h"

static inline bool is_float(enum zoo_type type) {
  return type < I1;
}

static inline bool is_fp8(enum zoo_type type) {
  return type >= E4M3 && type <= E5M2Z;
}

static inline int bits_of(enum zoo_type type) {
  return type == I1 ? 1 : (int)zoo_bytes[type] * 8;
}

static inline uint64_t greatest_bits(enum zoo_type type) {
  const struct zoo_format *f = &zoo_formats[type];
  uint64_t all = (UINT64_C(1) << (bits_of(type) - 1)) - 1;
  if (f->fnuz)
    return all;
  return f->finite ? all - 1 : (all >> f->fraction << f->fraction) - 1;
}

/* |value|, finite, in units of the least subnormal of its binade, rounded; then the bits follow by
   counting. */
static inline uint64_t encode_magnitude(enum zoo_type type, long double value, bool toward_zero) {
  const struct zoo_format *f = &zoo_formats[type];
  int exponent = 0, least = 1 - f->bias;
  if (value == 0)
    return 0;
  frexpl(value, &exponent);
  exponent = exponent - 1 < least ? least : exponent - 1;
  long double scaled = ldexpl(value, f->fraction - exponent);
  uint64_t steps = (uint64_t)(toward_zero ? truncl(scaled) : rintl(scaled));
  return ((uint64_t)(exponent - least) << f->fraction) + steps;
}

static inline uint64_t encode(enum zoo_type type, long double value, bool toward_zero) {
  const struct zoo_format *f = &zoo_formats[type];
  uint64_t sign = (uint64_t)(signbit(value) != 0) << (bits_of(type) - 1),
           greatest = greatest_bits(type);
  if (isnan(value))
    return f->fnuz ? 0x80 : greatest + (f->finite ? 1 : 2);
  bool saturates = is_fp8(type);
  if (isinf(value))
    return sign | (saturates ? greatest : greatest + 1);
  uint64_t magnitude = encode_magnitude(type, fabsl(value), toward_zero);
  if (magnitude > greatest)
    magnitude = saturates || toward_zero ? greatest : greatest + 1;
  return f->fnuz && magnitude == 0 ? 0 : sign | magnitude;
}

static inline uint64_t to_integer(enum zoo_type type, bool is_signed, long double value) {
  int bits = bits_of(type) - is_signed;
  long double most = ldexpl(1, bits) - 1, least = is_signed ? -most - 1 : 0;
  if (isnan(value))
    return 0;
  value = truncl(value);
  value = value > most ? most : value < least ? least : value;
  uint64_t result = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
  return result & (UINT64_MAX >> (64 - bits_of(type)));
}

static inline long double from_integer(enum zoo_type type, bool is_signed, uint64_t bits) {
  int width = bits_of(type);
  if (is_signed && width < 64 && bits >> (width - 1))
    bits |= UINT64_MAX << width;
  return is_signed ? (long double)(int64_t)bits : (long double)bits;
}

/* Equal bits, or two NaNs. */
static inline bool agree(enum zoo_type type, uint64_t got, uint64_t wanted) {
  return got == wanted ||
         (is_float(type) && isnan(zoo_decode(type, got)) && isnan(zoo_decode(type, wanted)));
}

#endif
