/* SPDX-License-Identifier: MIT */
/* See element.h. Loads and stores are little-endian, as the device and every supported host are. */
#include "base/element.h"

#include <math.h>
#include <string.h>
#include "base/text.h"

const struct element_info element_table[ELEMENT_TYPE_COUNT] = {
#define X(id, signature, mlir_name, size, descriptor)                                              \
  [ELEMENT_##id] = {.name = signature, .mlir = mlir_name, .bytes = size, .npy = descriptor},
#include "base/element.def"
#undef X
};

bool element_find(const char *name, size_t length, enum element_type *out) {
  for (int type = 0; type < ELEMENT_TYPE_COUNT; type++)
    if (slice_equals((struct slice){name, length}, element_table[type].name) ||
        slice_equals((struct slice){name, length}, element_table[type].mlir)) {
      *out = (enum element_type)type;
      return true;
    }
  return false;
}

/* A small floating-point format: sign, exponent, fraction. */
struct format {
  int fraction, exponent_bits, bias;
  enum { FORMAT_IEEE, FORMAT_FN, FORMAT_FNUZ } specials;
  bool saturates;
};

/* IEEE: the highest exponent is infinity and NaN. FN: only its highest fraction is NaN, nothing is
   infinite. FNUZ: what would be -0 is NaN, and that is all. */
static const struct format *format_of(enum element_type type) {
  static const struct format formats[ELEMENT_TYPE_COUNT] = {
      [ELEMENT_F16] = {10, 5, 15, FORMAT_IEEE, false},
      [ELEMENT_BF16] = {7, 8, 127, FORMAT_IEEE, false},
      [ELEMENT_FP8E4NV] = {3, 4, 7, FORMAT_FN, true},
      [ELEMENT_FP8E5] = {2, 5, 15, FORMAT_IEEE, true},
      [ELEMENT_FP8E4B8] = {3, 4, 8, FORMAT_FNUZ, true},
      [ELEMENT_FP8E5B16] = {2, 5, 16, FORMAT_FNUZ, true},
  };
  return formats[type].fraction ? &formats[type] : NULL;
}

bool element_is_float(enum element_type type) {
  return type == ELEMENT_F32 || type == ELEMENT_F64 || format_of(type) != NULL;
}

static uint32_t sign_bit(const struct format *format) {
  return 1u << (format->fraction + format->exponent_bits);
}

static uint32_t infinity_bits(const struct format *format) {
  return ((1u << format->exponent_bits) - 1) << format->fraction;
}

static uint32_t nan_bits(const struct format *format) {
  switch (format->specials) {
  case FORMAT_IEEE:
    return infinity_bits(format) | 1u << (format->fraction - 1);
  case FORMAT_FN:
    return sign_bit(format) - 1;
  case FORMAT_FNUZ:
    return sign_bit(format);
  }
  return 0;
}

static uint32_t greatest_bits(const struct format *format) {
  switch (format->specials) {
  case FORMAT_IEEE:
    return infinity_bits(format) - 1;
  case FORMAT_FN:
    return sign_bit(format) - 2;
  case FORMAT_FNUZ:
    return sign_bit(format) - 1;
  }
  return 0;
}

/* The bits of a positive finite double, rounded to nearest even as if there were no greatest
 * number. */
static uint64_t round_small(double value, const struct format *format) {
  int exponent;
  frexp(value, &exponent); /* value = m * 2^exponent, m in [0.5, 1) */
  if (value == 0 || exponent - 1 < 1 - format->bias)
    exponent = 2 - format->bias; /* subnormal: the least normal exponent's spacing */
  /* at most 2^(fraction + 1) */
  uint64_t mantissa = (uint64_t)nearbyint(ldexp(value, format->fraction + 1 - exponent));
  if (mantissa < UINT64_C(1) << format->fraction)
    return mantissa;
  return ((uint64_t)(exponent - 1 + format->bias) << format->fraction) +
         (mantissa - (UINT64_C(1) << format->fraction));
}

static uint32_t encode_small(double value, const struct format *format) {
  uint32_t sign = signbit(value) ? sign_bit(format) : 0;
  if (isnan(value))
    return nan_bits(format) | (format->specials == FORMAT_FNUZ ? 0 : sign);
  value = fabs(value);
  uint64_t bits = isinf(value) ? UINT64_MAX : round_small(value, format);
  if (bits > greatest_bits(format))
    bits = format->saturates ? greatest_bits(format) : infinity_bits(format);
  return bits == 0 && format->specials == FORMAT_FNUZ ? 0 : sign | (uint32_t)bits;
}

static double decode_small(uint32_t bits, const struct format *format) {
  uint32_t magnitude = bits & (sign_bit(format) - 1);
  uint32_t mantissa = magnitude & ((1u << format->fraction) - 1);
  int exponent = (int)(magnitude >> format->fraction);
  double sign = bits & sign_bit(format) ? -1.0 : 1.0;
  if (format->specials == FORMAT_IEEE && magnitude >= infinity_bits(format))
    return mantissa ? NAN : sign * INFINITY;
  if ((format->specials == FORMAT_FN && magnitude == nan_bits(format)) ||
      (format->specials == FORMAT_FNUZ && bits == nan_bits(format)))
    return NAN;
  if (exponent == 0)
    return sign * ldexp(mantissa, 1 - format->bias - format->fraction);
  return sign *
         ldexp(mantissa + (1u << format->fraction), exponent - format->bias - format->fraction);
}

void element_store_integer(enum element_type type, void *address, int64_t value) {
  if (element_is_float(type)) {
    element_store(type, address, (double)value);
    return;
  }
  if (type == ELEMENT_I1)
    value = value != 0;
  memcpy(address, &value, element_table[type].bytes);
}

static int64_t saturate(enum element_type type, double value) {
  unsigned bits = (unsigned)element_table[type].bytes * 8;
  bool is_unsigned = element_table[type].name[0] == 'u';
  if (isnan(value))
    return 0;
  double low = is_unsigned ? 0 : -ldexp(1, (int)bits - 1);
  double high = ldexp(1, (int)bits - (is_unsigned ? 0 : 1)); /* exclusive */
  if (value <= low)
    return is_unsigned ? 0 : (int64_t)(UINT64_C(1) << (bits - 1)) * (bits == 64 ? 1 : -1);
  if (value >= high)
    return is_unsigned ? -1 : (int64_t)((UINT64_C(1) << (bits - 1)) - 1);
  return is_unsigned ? (int64_t)(uint64_t)value : (int64_t)value;
}

void element_store(enum element_type type, void *address, double value) {
  float single = (float)value;
  const struct format *format = format_of(type);
  if (format) {
    uint32_t bits = encode_small(value, format);
    memcpy(address, &bits, element_table[type].bytes);
  } else if (type == ELEMENT_F64) {
    memcpy(address, &value, sizeof value);
  } else if (type == ELEMENT_F32) {
    memcpy(address, &single, sizeof single);
  } else {
    element_store_integer(type, address, type == ELEMENT_I1 ? value != 0 : saturate(type, value));
  }
}

double element_load(enum element_type type, const void *address) {
  uint64_t bits = 0;
  memcpy(&bits, address, element_table[type].bytes);
  float single;
  double value;
  const struct format *format = format_of(type);
  if (format)
    return decode_small((uint32_t)bits, format);
  switch (type) {
  case ELEMENT_F64:
    memcpy(&value, address, sizeof value);
    return value;
  case ELEMENT_F32:
    memcpy(&single, address, sizeof single);
    return single;
  case ELEMENT_I8:
    return (int8_t)bits;
  case ELEMENT_I16:
    return (int16_t)bits;
  case ELEMENT_I32:
    return (int32_t)bits;
  case ELEMENT_I64:
    return (double)(int64_t)bits;
  case ELEMENT_I1:
  case ELEMENT_U8:
  case ELEMENT_U16:
  case ELEMENT_U32:
  case ELEMENT_U64:
  case ELEMENT_F16:
  case ELEMENT_BF16:
  case ELEMENT_FP8E4NV:
  case ELEMENT_FP8E5:
  case ELEMENT_FP8E4B8:
  case ELEMENT_FP8E5B16:
  case ELEMENT_TYPE_COUNT:
    break;
  }
  return (double)bits;
}

int64_t element_load_integer(enum element_type type, const void *address) {
  uint64_t bits = 0;
  size_t size = element_table[type].bytes;
  memcpy(&bits, address, size);
  bool negative = element_table[type].name[0] == 'i' && type != ELEMENT_I1 && size < 8 &&
                  bits >> (size * 8 - 1) != 0;
  return (int64_t)(negative ? bits | ~UINT64_C(0) << (size * 8) : bits);
}
