/* See element.h. Loads and stores are little-endian, as the device and every supported host are. */
#include "base/element.h"

#include <math.h>
#include <string.h>

const struct element_info element_table[ELEMENT_TYPE_COUNT] = {
#define X(id, signature, mlir_name, size, descriptor)                                              \
  [ELEMENT_##id] = {.name = signature, .mlir = mlir_name, .bytes = size, .npy = descriptor},
#include "base/element.def"
#undef X
};

static bool is_word(const char *name, size_t length, const char *word) {
  return strlen(word) == length && memcmp(name, word, length) == 0;
}

bool element_find(const char *name, size_t length, enum element_type *out) {
  for (int type = 0; type < ELEMENT_TYPE_COUNT; type++)
    if (is_word(name, length, element_table[type].name) ||
        is_word(name, length, element_table[type].mlir)) {
      *out = (enum element_type)type;
      return true;
    }
  return false;
}

bool element_is_float(enum element_type type) {
  return type == ELEMENT_F16 || type == ELEMENT_BF16 || type == ELEMENT_F32 || type == ELEMENT_F64;
}

/* Rounds a finite double to `fraction` bits of fraction with the given exponent range, nearest even,
   and returns the bit pattern of the small format. */
static uint32_t encode_small(double value, int fraction, int exponent_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1;
  uint32_t sign = signbit(value) ? 1u << (fraction + exponent_bits) : 0;
  uint32_t infinity = ((1u << exponent_bits) - 1) << fraction;
  if (isnan(value))
    return sign | infinity | 1u << (fraction - 1);
  value = fabs(value);
  if (isinf(value))
    return sign | infinity;
  int exponent;
  frexp(value, &exponent); /* value = m * 2^exponent, m in [0.5, 1) */
  if (value == 0 || exponent - 1 < 1 - bias)
    exponent = 2 - bias; /* subnormal: the least normal exponent's spacing */
  double scaled = nearbyint(ldexp(value, fraction + 1 - exponent)); /* at most 2^(fraction + 1) */
  uint32_t mantissa = (uint32_t)scaled;
  uint32_t bits = mantissa;
  if (mantissa >= 1u << fraction)
    bits = ((uint32_t)(exponent - 1 + bias) << fraction) + (mantissa - (1u << fraction));
  return sign | (bits < infinity ? bits : infinity);
}

static double decode_small(uint32_t bits, int fraction, int exponent_bits) {
  int bias = (1 << (exponent_bits - 1)) - 1;
  uint32_t mantissa = bits & ((1u << fraction) - 1);
  int exponent = (int)(bits >> fraction & ((1u << exponent_bits) - 1));
  double sign = bits >> (fraction + exponent_bits) & 1 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1)
    return mantissa ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * ldexp(mantissa, 1 - bias - fraction);
  return sign * ldexp(mantissa + (1u << fraction), exponent - bias - fraction);
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
  uint16_t half;
  switch ((int)type) {
  case ELEMENT_F64:
    memcpy(address, &value, sizeof value);
    break;
  case ELEMENT_F32:
    memcpy(address, &single, sizeof single);
    break;
  case ELEMENT_F16:
    half = (uint16_t)encode_small(value, 10, 5);
    memcpy(address, &half, sizeof half);
    break;
  case ELEMENT_BF16:
    half = (uint16_t)encode_small(value, 7, 8);
    memcpy(address, &half, sizeof half);
    break;
  default:
    element_store_integer(type, address, type == ELEMENT_I1 ? value != 0 : saturate(type, value));
    break;
  }
}

double element_load(enum element_type type, const void *address) {
  uint64_t bits = 0;
  memcpy(&bits, address, element_table[type].bytes);
  float single;
  double value;
  switch ((int)type) {
  case ELEMENT_F64:
    memcpy(&value, address, sizeof value);
    return value;
  case ELEMENT_F32:
    memcpy(&single, address, sizeof single);
    return single;
  case ELEMENT_F16:
    return decode_small((uint32_t)bits, 10, 5);
  case ELEMENT_BF16:
    return decode_small((uint32_t)bits, 7, 8);
  case ELEMENT_I8:
    return (int8_t)bits;
  case ELEMENT_I16:
    return (int16_t)bits;
  case ELEMENT_I32:
    return (int32_t)bits;
  case ELEMENT_I64:
    return (double)(int64_t)bits;
  default:
    return (double)bits;
  }
}

int64_t element_load_integer(enum element_type type, const void *address) {
  uint64_t bits = 0;
  size_t size = element_table[type].bytes;
  memcpy(&bits, address, size);
  bool negative = element_table[type].name[0] == 'i' && type != ELEMENT_I1 && size < 8 &&
                  bits >> (size * 8 - 1) != 0;
  return (int64_t)(negative ? bits | ~UINT64_C(0) << (size * 8) : bits);
}
