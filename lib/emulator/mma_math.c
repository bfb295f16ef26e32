/* SPDX-License-Identifier: MIT */
/* See mma_math.h. No function here touches a GPU thread's state. */
#include "emulator/mma_math.h"

#include <math.h>
#include <string.h>
#include "emulator/runtime.h"

/* --- Numbers of 8, 16 and 32 bits as floats --------------------------------------------------- */

/* A small float: exponent and fraction are moved into f32's places, a multiplication puts the bias
   right (and makes subnormals normal); from `infinity` on, nothing but infinity and NaN. */
static inline uint32_t widen_float(uint32_t magnitude, uint32_t sign, int shift, float scale,
                                   uint32_t infinity) {
  uint32_t moved = magnitude << shift;
  uint32_t finite = float_bits(float_of(moved) * scale);
  uint32_t special = moved | 0x7F800000;
  return (magnitude >= infinity ? special : finite) | sign;
}

static void widen_f16(const uint16_t *from, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++)
    out[i] =
        widen_float(from[i] & 0x7FFF, (uint32_t)(from[i] & 0x8000) << 16, 13, 0x1p112f, 0x7C00);
}

static void widen_bf16(const uint16_t *from, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++)
    out[i] = (uint32_t)from[i] << 16;
}

static void widen_e4m3(const uint8_t *from, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++)
    out[i] = widen_float(from[i] & 0x7F, (uint32_t)(from[i] & 0x80) << 24, 20, 0x1p120f, 0x7F);
}

static void widen_e5m2(const uint8_t *from, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++)
    out[i] = widen_float(from[i] & 0x7F, (uint32_t)(from[i] & 0x80) << 24, 21, 0x1p112f, 0x7C);
}

static void widen_tf32(const uint32_t *from, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++)
    out[i] = from[i] & 0xFFFFE000;
}

static void widen_s8(const int8_t *from, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++)
    out[i] = (uint32_t)(int32_t)from[i];
}

static void widen_u8(const uint8_t *from, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++)
    out[i] = from[i];
}

void mma_widen(enum mma_number type, const void *elements, size_t count, uint32_t *out) {
  switch (type) {
  case MMA_F16:
    widen_f16(elements, count, out);
    break;
  case MMA_BF16:
    widen_bf16(elements, count, out);
    break;
  case MMA_TF32:
    widen_tf32(elements, count, out);
    break;
  case MMA_E4M3:
    widen_e4m3(elements, count, out);
    break;
  case MMA_E5M2:
    widen_e5m2(elements, count, out);
    break;
  case MMA_S8:
    widen_s8(elements, count, out);
    break;
  case MMA_U8:
    widen_u8(elements, count, out);
    break;
  case MMA_F64:
  case MMA_F32:
  case MMA_S32:
  case MMA_NUMBER_COUNT: /* 32 bits as they are */
    memcpy(out, elements, count * sizeof *out);
    break;
  }
}

/* --- Products --------------------------------------------------------------------------------- */

typedef float floats __attribute__((vector_size(32)));
typedef uint32_t words __attribute__((vector_size(32)));

/* `wide` times eight columns of four rows stay in registers through the whole sum. Row by row of b,
   so that each element's products are added in the order of k. */
#define MULTIPLY(name, attributes, vector, scalar, wide)                                           \
  attributes static void name(const uint32_t *a, const uint32_t *b, uint32_t *c, unsigned m,       \
                              unsigned n, unsigned k) {                                            \
    for (unsigned j = 0; j < n; j += 8 * (wide))                                                   \
      for (unsigned i = 0; i < m; i += 4) {                                                        \
        vector sum[4][wide], row[wide];                                                            \
        for (unsigned r = 0; r < 4; r++)                                                           \
          for (unsigned v = 0; v < (wide); v++)                                                    \
            memcpy(&sum[r][v], c + (size_t)(i + r) * n + j + 8 * v, sizeof **sum);                 \
        for (unsigned x = 0; x < k; x++) {                                                         \
          for (unsigned v = 0; v < (wide); v++)                                                    \
            memcpy(&row[v], b + (size_t)x * n + j + 8 * v, sizeof *row);                           \
          for (unsigned r = 0; r < 4; r++)                                                         \
            for (unsigned v = 0; v < (wide); v++)                                                  \
              sum[r][v] += row[v] * scalar(a[(size_t)(i + r) * k + x]);                            \
        }                                                                                          \
        for (unsigned r = 0; r < 4; r++)                                                           \
          for (unsigned v = 0; v < (wide); v++)                                                    \
            memcpy(c + (size_t)(i + r) * n + j + 8 * v, &sum[r][v], sizeof **sum);                 \
      }                                                                                            \
  }

MULTIPLY(multiply_floats, , floats, float_of, 1)
MULTIPLY(multiply_words, , words, , 1)
#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))
MULTIPLY(multiply_floats_avx2, AVX2, floats, float_of, 1)
MULTIPLY(multiply_words_avx2, AVX2, words, , 1)
MULTIPLY(multiply_wide_floats_avx2, AVX2, floats, float_of, 2)
MULTIPLY(multiply_wide_words_avx2, AVX2, words, , 2)
#endif

void mma_multiply(const uint32_t *a, const uint32_t *b, uint32_t *c, unsigned m, unsigned n,
                  unsigned k, bool floats) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    bool wide = n % 16 == 0;
    (floats ? wide ? multiply_wide_floats_avx2 : multiply_floats_avx2
     : wide ? multiply_wide_words_avx2
            : multiply_words_avx2)(a, b, c, m, n, k);
    return;
  }
#endif
  (floats ? multiply_floats : multiply_words)(a, b, c, m, n, k);
}

/* --- A warp's fragments ----------------------------------------------------------------------- */

enum { MAX_M = 16, MAX_K = 32, N = 8, MAX_REGISTERS = 8 };

/* Where a lane's element is: `part` is its number in the fragment, e elements a register. */
struct place {
  unsigned row, column;
};

static inline struct place place_in_a(unsigned m, unsigned e, unsigned lane, unsigned part) {
  unsigned halves = m / 8, r = part / e;
  return (struct place){lane / 4 + 8 * (r % halves),
                        lane % 4 * e + 4 * e * (r / halves) + part % e};
}

static inline struct place place_in_b(unsigned e, unsigned lane, unsigned part) {
  return (struct place){lane % 4 * e + 4 * e * (part / e) + part % e, lane / 4};
}

static inline struct place place_in_c(unsigned lane, unsigned part) {
  return (struct place){lane / 4 + 8 * (part / 2), lane % 4 * 2 + part % 2};
}

/* One operand of all lanes, widened: values[lane * parts + part]. */
static unsigned widen_fragments(enum mma_number type, uint32_t *const fragments[MACHINE_LANES],
                                unsigned first, unsigned registers, uint32_t *values) {
  uint32_t packed[MACHINE_LANES * MAX_REGISTERS];
  unsigned e = 32 / mma_numbers[type].bits;
  for (unsigned lane = 0; lane < MACHINE_LANES; lane++)
    memcpy(packed + lane * registers, fragments[lane] + first, registers * sizeof *packed);
  mma_widen(type, packed, (size_t)MACHINE_LANES * registers * e, values);
  return registers * e;
}

static void load_c(const struct mma_shape *shape, uint32_t *const fragments[MACHINE_LANES],
                   unsigned first, uint32_t c[MAX_M][N]) {
  uint32_t values[MACHINE_LANES * MAX_REGISTERS];
  unsigned parts = widen_fragments(shape->c, fragments, first, mma_c_registers(shape), values);
  for (unsigned lane = 0; lane < MACHINE_LANES; lane++)
    for (unsigned part = 0; part < parts; part++) {
      struct place place = place_in_c(lane, part);
      c[place.row][place.column] = values[lane * parts + part];
    }
}

static void store_c(const struct mma_shape *shape, uint32_t *const fragments[MACHINE_LANES],
                    unsigned first, uint32_t c[MAX_M][N]) {
  unsigned registers = mma_c_registers(shape);
  for (unsigned lane = 0; lane < MACHINE_LANES; lane++)
    for (unsigned r = 0; r < registers; r++) {
      struct place place = place_in_c(lane, shape->c == MMA_F16 ? 2 * r : r);
      uint32_t *from = &c[place.row][place.column];
      fragments[lane][first + r] =
          shape->c != MMA_F16 ? *from
                              : (uint32_t)runtime_float_to_half_bits(float_of(from[0])) |
                                    (uint32_t)runtime_float_to_half_bits(float_of(from[1])) << 16;
    }
}

/* c + a * b with .satfinite: the sum of an instruction's products fits, so what exceeds i32 is the
   last addition. */
static void multiply_saturated(const uint32_t *a, const uint32_t *b, uint32_t c[MAX_M][N],
                               unsigned k) {
  uint32_t products[MAX_M][N] = {0};
  mma_multiply(a, b, products[0], MAX_M, N, k, false);
  for (unsigned row = 0; row < MAX_M; row++)
    for (unsigned column = 0; column < N; column++) {
      int64_t sum = (int64_t)(int32_t)c[row][column] + (int32_t)products[row][column];
      c[row][column] = (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
    }
}

/* For one number of elements a register, so that all places are known when this is compiled. */
static inline __attribute__((always_inline)) void
multiply_fragments(const struct mma_shape *shape, uint32_t *const fragments[MACHINE_LANES],
                   const unsigned e) {
  uint32_t values[MACHINE_LANES * MAX_REGISTERS * 4], a[MAX_M * MAX_K], b[MAX_K * N], c[MAX_M][N];
  unsigned a_count = mma_a_registers(shape), b_count = mma_b_registers(shape), k = shape->k;
  unsigned parts = widen_fragments(shape->a, fragments, 0, a_count, values);
  for (unsigned lane = 0; lane < MACHINE_LANES; lane++)
    for (unsigned r = 0; r < a_count; r++)
      for (unsigned i = 0; i < e; i++) {
        struct place place = place_in_a(MAX_M, e, lane, r * e + i);
        a[place.row * k + place.column] = values[lane * parts + r * e + i];
      }
  parts = widen_fragments(shape->b, fragments, a_count, b_count, values);
  for (unsigned lane = 0; lane < MACHINE_LANES; lane++)
    for (unsigned r = 0; r < b_count; r++)
      for (unsigned i = 0; i < e; i++) {
        struct place place = place_in_b(e, lane, r * e + i);
        b[place.row * N + place.column] = values[lane * parts + r * e + i];
      }
  load_c(shape, fragments, a_count + b_count, c);
  if (shape->saturate)
    multiply_saturated(a, b, c, k);
  else
    mma_multiply(a, b, c[0], MAX_M, N, k, shape->c != MMA_S32);
  store_c(shape, fragments, a_count + b_count, c);
}

static void warp_of_words(const struct mma_shape *shape, uint32_t *const fragments[MACHINE_LANES]) {
  switch (mma_numbers[shape->a].bits) {
  case 8:
    multiply_fragments(shape, fragments, 4);
    break;
  case 16:
    multiply_fragments(shape, fragments, 2);
    break;
  default:
    multiply_fragments(shape, fragments, 1);
    break;
  }
}

static double double_at(const uint32_t *fragment, unsigned index) {
  double value;
  memcpy(&value, fragment + 2 * (size_t)index, sizeof value);
  return value;
}

/* f64: each lane computes its own elements, from a and b put together first. */
static void warp_of_doubles(const struct mma_shape *shape,
                            uint32_t *const fragments[MACHINE_LANES]) {
  double a[MAX_M][16], b[16][N];
  unsigned a_count = mma_a_registers(shape), b_count = mma_b_registers(shape);
  for (unsigned lane = 0; lane < MACHINE_LANES; lane++) {
    for (unsigned part = 0; part < a_count; part++) {
      struct place place = place_in_a(shape->m, 1, lane, part);
      a[place.row][place.column] = double_at(fragments[lane], part);
    }
    for (unsigned part = 0; part < b_count; part++) {
      struct place place = place_in_b(1, lane, part);
      b[place.row][place.column] = double_at(fragments[lane], a_count + part);
    }
  }
  for (unsigned lane = 0; lane < MACHINE_LANES; lane++)
    for (unsigned part = 0; part < mma_c_registers(shape); part++) {
      struct place place = place_in_c(lane, part);
      unsigned at = a_count + b_count + part;
      double sum = double_at(fragments[lane], at);
      for (unsigned x = 0; x < shape->k; x++)
        sum = fma(a[place.row][x], b[x][place.column], sum);
      memcpy(fragments[lane] + 2 * (size_t)at, &sum, sizeof sum);
    }
}

void mma_warp(const struct mma_shape *shape, uint32_t *const fragments[MACHINE_LANES]) {
  if (shape->a == MMA_F64)
    warp_of_doubles(shape, fragments);
  else
    warp_of_words(shape, fragments);
}
