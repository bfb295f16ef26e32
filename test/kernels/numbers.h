/* SPDX-License-Identifier: MIT */
/* Numbers of the element types of kernels' signatures, as doubles: for references and for small
   inputs that every type holds exactly. */
#ifndef TILE_TEST_NUMBERS_H
#define TILE_TEST_NUMBERS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "kernel_test.h"

/* A float with a sign, `exponent` bits of exponent and `fraction` bits of fraction. */
struct number_format {
  const char *name;
  int exponent, fraction;
};

enum { FP8E4NV = 5 };

static const struct number_format number_formats[] = {
    {"fp64", 11, 52}, {"fp32", 8, 23}, {"fp16", 5, 10},
    {"bf16", 8, 7},   {"fp8e5", 5, 2}, [FP8E4NV] = {"fp8e4nv", 4, 3},
};

/* Asked for every number that is read: letters 0, 2 and 4 tell the names apart without a call. An
   integer's name differs in the first. */
static inline const struct number_format *number_format(const char *type) {
  for (size_t i = 0; i < sizeof number_formats / sizeof *number_formats; i++) {
    const char *name = number_formats[i].name;
    if (name[0] == type[0] && name[2] == type[2] && name[4] == type[4])
      return &number_formats[i];
  }
  return NULL;
}

/* Of that format, or of the integer type. */
static inline size_t format_bytes(const struct number_format *format, const char *type) {
  return format ? (size_t)(1 + format->exponent + format->fraction) / 8
                : (size_t)atoi(type + 1) / 8;
}

/* "i8", "i32", or a float. */
static inline size_t number_bytes(const char *type) {
  return format_bytes(number_format(type), type);
}

/* Element i of an array. Of fp8e4nv the largest exponent is a number's, of the others it is that of
   infinity and NaN. */
static inline double number_read(const void *data, size_t i, const char *type) {
  const struct number_format *format = number_format(type);
  size_t bytes = format_bytes(format, type);
  uint64_t bits = 0;
  memcpy(&bits, (const char *)data + i * bytes, bytes);
  if (!format) {
    int unused = 64 - (int)bytes * 8;
    return (double)((int64_t)(bits << unused) >> unused);
  }
  int most = (1 << format->exponent) - 1, bias = most >> 1;
  int exponent = (int)(bits >> format->fraction) & most;
  uint64_t one = UINT64_C(1) << format->fraction, fraction = bits & (one - 1);
  double value = exponent ? ldexp((double)(one + fraction), exponent - bias - format->fraction)
                          : ldexp((double)fraction, 1 - bias - format->fraction);
  bool finite =
      format == &number_formats[FP8E4NV] ? exponent < most || fraction < one - 1 : exponent < most;
  if (!finite)
    value = fraction ? NAN : INFINITY;
  return bits >> (bytes * 8 - 1) ? -value : value;
}

/* Towards zero where the value does not fit; small ones become 0 and large ones are not expected.
 */
static inline void number_write(void *data, size_t i, const char *type, double value) {
  const struct number_format *format = number_format(type);
  size_t bytes = format_bytes(format, type);
  uint64_t bits = 0;
  int exponent;
  double mantissa = frexp(fabs(value), &exponent); /* [0.5, 1) */
  if (!format) {
    bits = (uint64_t)(int64_t)value;
  } else if (value != 0) {
    int biased = exponent - 1 + ((1 << (format->exponent - 1)) - 1);
    if (biased > 0)
      bits =
          (uint64_t)biased << format->fraction | ((uint64_t)ldexp(mantissa, format->fraction + 1) &
                                                  ((UINT64_C(1) << format->fraction) - 1));
    bits |= (uint64_t)(value < 0) << (bytes * 8 - 1);
  }
  memcpy((char *)data + i * bytes, &bits, bytes);
}

/* `count` numbers in [-1, 1), as launches take them; the caller frees them. */
static inline void *random_numbers(const char *type, size_t count, uint64_t seed) {
  void *data = poisoned(count * number_bytes(type));
  uint64_t state = seeded(seed);
  for (size_t i = 0; i < count; i++)
    number_write(data, i, type, draw(&state));
  return data;
}

#endif
