/* SPDX-License-Identifier: MIT */
/* See mma.h: PTX ISA, "Matrix multiply-accumulate: mma" and "wgmma.mma_async". */
#include "base/mma.h"

#include <stddef.h>

const struct mma_number_info mma_numbers[MMA_NUMBER_COUNT] = {
#define X(id, mlir, ptx, bits) [MMA_##id] = {mlir, ptx, bits},
#include "base/mma.def"
#undef X
};

/* Shapes of mma.sync, by the type of a. */
static const struct row {
  enum mma_number a;
  unsigned m, k;
  enum machine_feature needed;
} rows[] = {
    {.a = MMA_F16, .m = 16, .k = 8},
    {.a = MMA_F16, .m = 16, .k = 16},
    {.a = MMA_BF16, .m = 16, .k = 8},
    {.a = MMA_BF16, .m = 16, .k = 16},
    {.a = MMA_TF32, .m = 16, .k = 4},
    {.a = MMA_TF32, .m = 16, .k = 8},
    {.a = MMA_E4M3, .m = 16, .k = 32, .needed = FEATURE_FP8},
    {.a = MMA_E5M2, .m = 16, .k = 32, .needed = FEATURE_FP8},
    {.a = MMA_S8, .m = 16, .k = 16},
    {.a = MMA_S8, .m = 16, .k = 32},
    {.a = MMA_U8, .m = 16, .k = 16},
    {.a = MMA_U8, .m = 16, .k = 32},
    {.a = MMA_F64, .m = 8, .k = 4},
    {.a = MMA_F64, .m = 16, .k = 4, .needed = FEATURE_F64_ROWS},
    {.a = MMA_F64, .m = 16, .k = 8, .needed = FEATURE_F64_ROWS},
    {.a = MMA_F64, .m = 16, .k = 16, .needed = FEATURE_F64_ROWS},
};

static bool is_fp8(enum mma_number number) {
  return number == MMA_E4M3 || number == MMA_E5M2;
}

static bool is_integer(enum mma_number number) {
  return number == MMA_S8 || number == MMA_U8;
}

static const char *types_problem(const struct mma_shape *shape) {
  bool alike = shape->a == shape->b || (is_fp8(shape->a) && is_fp8(shape->b)) ||
               (is_integer(shape->a) && is_integer(shape->b));
  if (!alike)
    return "a and b have one type, or are two fp8 or two integer types; convert one of them";
  enum mma_number c = is_integer(shape->a) ? MMA_S32 : shape->a == MMA_F64 ? MMA_F64 : MMA_F32;
  if (shape->c != c && !(shape->a == MMA_F16 && shape->c == MMA_F16))
    return "the accumulator is i32 for integers, f64 for f64, f32 for everything else, or f16 for "
           "f16";
  if (shape->saturate && !is_integer(shape->a))
    return "only i32 accumulators saturate; drop the attribute";
  return NULL;
}

const char *mma_problem(const struct mma_shape *shape, enum machine_feature *needed) {
  const char *problem = types_problem(shape);
  if (problem)
    return problem;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].a == shape->a && rows[i].m == shape->m && shape->n == 8 && rows[i].k == shape->k) {
      *needed = rows[i].needed;
      return NULL;
    }
  return "no such shape: 16-bit floats have m16n8k8 and m16n8k16, tf32 m16n8k4 and m16n8k8, fp8 "
         "m16n8k32, "
         "integers m16n8k16 and m16n8k32, f64 m8n8k4, m16n8k4, m16n8k8 and m16n8k16";
}

const char *wgmma_problem(const struct mma_shape *shape) {
  const char *problem = types_problem(shape);
  if (problem)
    return problem;
  if (shape->a == MMA_F64)
    return "wgmma has no f64; use tile_ptx.mma";
  if (shape->saturate)
    return "the accumulators of wgmma wrap; use tile_ptx.mma";
  if (shape->m != 64 || shape->k != 256 / mma_numbers[shape->a].bits)
    return "m is 64, and k is 32 bytes of a: 16 for 16-bit floats, 8 for tf32, 32 for fp8 and "
           "integers";
  bool integer = is_integer(shape->a);
  if (shape->n < 8 || shape->n > 256 || shape->n % 8 || (integer && shape->n > 24 && shape->n % 16))
    return "n is a multiple of 8 up to 256; for integers 8, 24 or a multiple of 16";
  return NULL;
}

unsigned mma_a_registers(const struct mma_shape *shape) {
  unsigned bits = mma_numbers[shape->a].bits;
  return shape->m * shape->k * bits / 32 / (bits == 64 ? 64 : 32);
}

unsigned mma_b_registers(const struct mma_shape *shape) {
  unsigned bits = mma_numbers[shape->b].bits;
  return shape->n * shape->k * bits / 32 / (bits == 64 ? 64 : 32);
}

unsigned mma_c_registers(const struct mma_shape *shape) {
  return shape->m * shape->n / 32 / (shape->c == MMA_F16 ? 2 : 1);
}

unsigned wgmma_c_registers(const struct mma_shape *shape) {
  return shape->n / 2 / (shape->c == MMA_F16 ? 2 : 1);
}

enum { SATURATING = 15 }; /* stands in an accumulator's place */
_Static_assert((int)MMA_NUMBER_COUNT <= (int)SATURATING, "four bits name a type");

uint32_t mma_encode(const struct mma_shape *shape) {
  uint32_t c = shape->saturate ? SATURATING : (uint32_t)shape->c;
  return (uint32_t)shape->a | (uint32_t)shape->b << 4 | c << 8 | shape->m / 8 << 12 |
         shape->n / 8 << 16 | shape->k / 4 << 22;
}

struct mma_shape mma_decode(uint32_t code) {
  return (struct mma_shape){.a = (enum mma_number)(code & 15),
                            .b = (enum mma_number)(code >> 4 & 15),
                            .c = (code >> 8 & 15) == SATURATING ? MMA_S32
                                                                : (enum mma_number)(code >> 8 & 15),
                            .saturate = (code >> 8 & 15) == SATURATING,
                            .m = (code >> 12 & 15) * 8,
                            .n = (code >> 16 & 63) * 8,
                            .k = (code >> 22 & 15) * 4};
}
