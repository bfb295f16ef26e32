/* SPDX-License-Identifier: MIT */
/* The element types of buffers as numbers in double precision. */
#include <string.h>
#include "suite.h"

/* A binary float format: bits of the fraction, exponent bias; without infinities `largest` is the
   greatest number, which larger ones become. */
struct format {
  int fraction, bias;
  double largest;
};

static const struct row {
  const char *name;
  size_t bytes;
  struct format format;
} rows[TYPES] = {
    [F32] = {"fp32", 4, {23, 127, INFINITY}},
    [F16] = {"fp16", 2, {10, 15, INFINITY}},
    [BF16] = {"bf16", 2, {7, 127, INFINITY}},
    [E4M3] = {"fp8e4nv", 1, {3, 7, 448}},
    [I64] = {"i64", 8, {0}},
    [I32] = {"i32", 4, {0}},
    [I8] = {"i8", 1, {0}},
    [I1] = {"i1", 1, {0}},
};

const char *type_name(enum type type) {
  return rows[type].name;
}

size_t type_bytes(enum type type) {
  return rows[type].bytes;
}

double type_rounding(enum type type) {
  return rows[type].format.fraction ? ldexp(0.5, -rows[type].format.fraction) : 0;
}

/* The bits of a number that is at most `largest`. Round to a multiple of the last place, then take
 * apart. */
static uint32_t to_bits(const struct format *format, size_t bytes, double value) {
  uint32_t sign = signbit(value) ? 1u << (8 * bytes - 1) : 0;
  int exponent;
  if (value == 0)
    return sign;
  frexp(value, &exponent);
  exponent = exponent - 1 < 1 - format->bias ? 1 - format->bias : exponent - 1;
  double places = nearbyint(ldexp(fabs(value), format->fraction - exponent));
  /* a carry out of the fraction lands in the exponent */
  return sign | (((uint32_t)(exponent + format->bias - 1) << format->fraction) + (uint32_t)places);
}

static double from_bits(const struct format *format, size_t bytes, uint32_t bits) {
  uint32_t one = 1u << format->fraction, fraction = bits & (one - 1);
  uint32_t magnitude = bits & ((1u << (8 * bytes - 1)) - 1);
  int exponent = (int)(magnitude >> format->fraction);
  bool ends = format->largest == INFINITY &&
              magnitude >> format->fraction == (uint32_t)format->bias * 2 + 1;
  double value = ends       ? (fraction ? NAN : INFINITY)
                 : exponent ? ldexp(one + fraction, exponent - format->bias - format->fraction)
                            : ldexp(fraction, 1 - format->bias - format->fraction);
  return bits >> (8 * bytes - 1) & 1 ? -value : value;
}

void type_store(enum type type, void *data, size_t index, double value) {
  const struct row *row = &rows[type];
  char *at = (char *)data + index * row->bytes;
  int64_t integer = row->format.fraction ? 0 : (int64_t)value;
  float single = (float)value;
  if (type == F32) {
    memcpy(at, &single, sizeof single);
    return;
  }
  if (row->format.fraction)
    integer = to_bits(&row->format, row->bytes,
                      fmax(fmin(value, row->format.largest), -row->format.largest));
  memcpy(at, &integer, row->bytes); /* little-endian, as all hosts of the toolkit */
}

double type_load(enum type type, const void *data, size_t index) {
  const struct row *row = &rows[type];
  const char *at = (const char *)data + index * row->bytes;
  int64_t integer = 0;
  float single;
  if (type == F32) {
    memcpy(&single, at, sizeof single);
    return single;
  }
  memcpy(&integer, at, row->bytes);
  if (row->format.fraction)
    return from_bits(&row->format, row->bytes, (uint32_t)integer);
  if (type == I1)
    return integer != 0;
  int unused = 64 - 8 * (int)row->bytes;
  return (double)((int64_t)((uint64_t)integer << unused) >> unused);
}
