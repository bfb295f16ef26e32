/* SPDX-License-Identifier: MIT */
/* sin, cos, tan: x = k pi/2 + r with |r| <= pi/4, and minimax polynomials for sin r and cos r.

   Up to 2^17 (f32) or 2^30 (f64) r is x - k pi/2 with pi/2 in three parts and fma (Cody and Waite):
   the first step is exact, each other one rounds once. Beyond, x = M 2^E is multiplied by the bits
   of 2/pi that matter: those of weight 4 and above only add multiples of four quadrants, so a
   window of 128 (192) bits from there on gives the quadrant and 126 (190) bits of fraction (Payne
   and Hanek, Radian Reduction for Trigonometric Functions, 1983). That code stands under a branch.

   All is done for |x|; the sign of x goes into the result, so that sin(-0) is -0. */
#include "lowering/math/math_build.h"

static const double sin_narrow[] = {-0x1.555546p-3, 0x1.11074cp-7, -0x1.9947c4p-13};
static const double sin_wide[] = {-0x1.5555555555549p-3,  0x1.111111110f802p-7,
                                  -0x1.a01a019c01d63p-13, 0x1.71de35697b9dbp-19,
                                  -0x1.ae5e5aae91015p-26, 0x1.5d8f8c18d9b4fp-33};
static const struct series sin_series = SERIES(sin_narrow, sin_wide);

static const double cos_narrow[] = {0x1.55554ap-5, -0x1.6c0c78p-10, 0x1.99fc46p-16};
static const double cos_wide[] = {0x1.555555555554bp-5,  -0x1.6c16c16c150fep-10,
                                  0x1.a01a019ca4950p-16, -0x1.27e4f7fffe89cp-22,
                                  0x1.1ee9e4e04c03ep-29, -0x1.8faad63f5a425p-37};
static const struct series cos_series = SERIES(cos_narrow, cos_wide);

static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;
static const double half_pi_narrow[] = {0x1.921fb6p+0, -0x1.777a5cp-25, -0x1.ee59dap-50};
static const double half_pi_wide[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                      -0x1.f1976b7ed8fbcp-110};

/* 64 zeros, then the bits of 2/pi. */
static const uint64_t two_over_pi_bits[] = {0,
                                            0xA2F9836E4E441529,
                                            0xFC2757D1F534DDC0,
                                            0xDB6295993C439041,
                                            0xFE5163ABDEBBC561,
                                            0xB7246E3A424DD2E0,
                                            0x06492EEA09D1921C,
                                            0xFE1DEB1CB129A73E,
                                            0xE88235F52EBB4484,
                                            0xE99C7026B45F7E41,
                                            0x3991D639835339F4,
                                            0x9C845F8BBDF9283B,
                                            0x1FF897FFDE05980F,
                                            0xEF2F118B5A0A6D1F,
                                            0x6D367ECF27CB09B7,
                                            0x4F463F669E5FEA2D,
                                            0x7527BAC7EBE5F17B,
                                            0x3D0739F78A5292EA,
                                            0x6BFB5FB11F8D5D08,
                                            0x56033046FC7B6BAB};
enum { TABLE_WORDS = sizeof two_over_pi_bits / sizeof *two_over_pi_bits };

/* --- The table in constant memory ------------------------------------------------------------- */

static const char table_name[] = "tile_two_over_pi";

static void declare_table(struct maths *m) {
  struct lowering *lw = m->lw;
  if (module_has_symbol(lw->module, table_name))
    return;
  struct builder b = builder_at_top(lw->module, lw->b.location);
  MlirType tensor = tensor_type(1, (int64_t[]){TABLE_WORDS}, i_type(m, 64), (MlirAttribute){0});
  MlirAttribute words = mlirDenseElementsAttrUInt64Get(tensor, TABLE_WORDS, two_over_pi_bits);
  build_global(&b, &(struct llvm_global){.name = table_name,
                                         .type = mlirLLVMArrayTypeGet(i_type(m, 64), TABLE_WORDS),
                                         .value = words,
                                         .space = SPACE_CONSTANT,
                                         .constant = true});
}

/* `count` 64-bit words of 2/pi's bits from bit `start` on: the first bit is the word's highest. */
static void load_window(struct maths *m, MlirValue start, int count, MlirValue *window) {
  struct builder *b = &m->lw->b;
  declare_table(m);
  MlirValue table =
      build_address_of(b, mlirFlatSymbolRefAttrGet(b->context, ref(table_name)), SPACE_CONSTANT);
  MlirValue first = i_shift_right(m, start, 6);
  MlirValue shift = i_with(m, "arith.andi", start, 63), words[4];
  for (int i = 0; i <= count; i++) {
    MlirValue index = i_with(m, "arith.addi", first, i);
    MlirValue address = build_gep(b, i_type(m, 64), table, index, 0);
    words[i] = BUILD(b, "llvm.load", IN(address), OUT(i_type(m, 64)));
  }
  for (int i = 0; i < count; i++)
    window[i] = BUILD(b, "llvm.intr.fshl", IN(words[i], words[i + 1], shift), OUT(i_type(m, 64)));
}

/* --- Payne and Hanek -------------------------------------------------------------------------- */

static MlirValue upper_product(struct maths *m, MlirValue x, MlirValue y) {
  MlirValue product =
      i_mul(m, i_convert(m, "arith.extui", x, 128), i_convert(m, "arith.extui", y, 128));
  return i_convert(m, "arith.trunci", i_shift_right(m, product, 64), 64);
}

/* x scale pi/2, pi/2 in two parts. */
static MlirValue quarter_turns(struct maths *m, MlirValue x, double scale) {
  const double *half_pi = m->wide ? half_pi_wide : half_pi_narrow;
  return f_fma_by(m, x, half_pi[0] * scale, f_mul_by(m, x, half_pi[1] * scale));
}

/* results: r, and an integer of the float's width whose lowest two bits are the quadrant. */
static void reduce_large_narrow(struct maths *m, const void *data, MlirValue *results) {
  MlirValue bits = f_bits(m, *(const MlirValue *)data), window[2];
  MlirValue exponent = i_convert(m, "arith.extui", i_shift_right(m, bits, 23), 64);
  MlirValue integer = i_with(m, "arith.ori", i_with(m, "arith.andi", bits, 0x7FFFFF), 0x800000);
  integer = i_convert(m, "arith.extui", integer, 64);
  /* E = exponent - 150, and bit i of 2/pi, counted from 1, has weight 2^(E - i): skip E - 2 bits.
   */
  load_window(m, i_with(m, "arith.subi", exponent, 150 + 2 - 64), 2, window);
  MlirValue top = i_add(m, i_mul(m, integer, window[0]), upper_product(m, integer, window[1]));
  MlirValue quadrant = i_shift_right(m, i_with(m, "arith.addi", top, INT64_C(1) << 61), 62);
  results[0] = quarter_turns(m, f_from_integer(m, i_shift_left(m, top, 2)), 0x1p-64);
  results[1] = i_convert(m, "arith.trunci", quadrant, 32);
}

static void reduce_large_wide(struct maths *m, const void *data, MlirValue *results) {
  struct builder *b = &m->lw->b;
  MlirType i64 = i_type(m, 64);
  MlirValue bits = f_bits(m, *(const MlirValue *)data), window[3];
  MlirValue integer = i_with(m, "arith.ori", i_with(m, "arith.andi", bits, (INT64_C(1) << 52) - 1),
                             INT64_C(1) << 52);
  load_window(m, i_with(m, "arith.subi", i_shift_right(m, bits, 52), 1075 + 2 - 64), 3, window);
  MlirValue carried = upper_product(m, integer, window[2]);
  MlirValue middle = i_add(m, i_mul(m, integer, window[1]), carried);
  MlirValue carry = i_convert(m, "arith.extui", i_compare(m, I_BELOW, middle, carried), 64);
  MlirValue high = i_add(m, i_mul(m, integer, window[0]), upper_product(m, integer, window[1]));
  high = i_add(m, high, carry);
  results[1] = i_shift_right(m, i_with(m, "arith.addi", high, INT64_C(1) << 61), 62);
  /* The fraction, 128 bits with a sign; its magnitude is normalised before it becomes a float. */
  high = BUILD(b, "llvm.intr.fshl", IN(high, middle, i_constant(m, 64, 2)), OUT(i64));
  middle = i_shift_left(m, middle, 2);
  MlirValue negative = i_compare_to(m, I_LESS, high, 0);
  MlirValue borrow = i_convert(m, "arith.extui", i_compare_to(m, I_EQUAL, middle, 0), 64);
  MlirValue minus = i_add(m, i_with(m, "arith.xori", high, -1), borrow);
  MlirValue magnitude = choose(m, negative, minus, high);
  middle = choose(m, negative, i_sub(m, i_constant(m, 64, 0), middle), middle);
  MlirValue zeros = BUILD(b, "math.ctlz", IN(magnitude), OUT(i64));
  magnitude = BUILD(b, "llvm.intr.fshl", IN(magnitude, middle, zeros), OUT(i64));
  MlirValue r = BUILD(b, "arith.uitofp", IN(magnitude), OUT(m->type));
  MlirValue down = i_sub(m, i_constant(m, 64, -64), zeros);
  r = f_mul(m, quarter_turns(m, r, 1.0), f_power_of_two(m, down));
  results[0] = choose(m, negative, f_negate(m, r), r);
}

static void reduce_large(struct maths *m, const void *data, MlirValue *results) {
  if (m->wide)
    reduce_large_wide(m, data, results);
  else
    reduce_large_narrow(m, data, results);
  MlirValue x = *(const MlirValue *)data;
  MlirValue infinite = f_compare_to(m, F_EQUAL, x, INFINITY);
  results[0] = choose(m, infinite, f_sub(m, x, x), results[0]);
}

/* --- The functions ---------------------------------------------------------------------------- */

struct angle {
  MlirValue sine, cosine; /* of r */
  MlirValue quadrant;     /* in the lowest two bits */
};

static struct angle reduce(struct maths *m, MlirValue magnitude) {
  const double *half_pi = m->wide ? half_pi_wide : half_pi_narrow;
  struct rounded k = f_round_product(m, magnitude, TWO_OVER_PI);
  MlirValue r = magnitude, reduced[2];
  for (int i = 0; i < 3; i++)
    r = f_fma_by(m, k.value, -half_pi[i], r);
  MlirValue large = f_compare_to(m, F_GREATER, magnitude, m->wide ? 0x1p30 : 0x1p17);
  build_branch(m, large, reduce_large, &magnitude, (MlirValue[]){r, k.bits}, 2, reduced);
  r = reduced[0];
  MlirValue square = f_mul(m, r, r);
  MlirValue sine = f_fma(m, f_mul(m, square, r), f_series(m, square, &sin_series), r);
  MlirValue cosine = f_fma_by(m, square, -0.5, f_constant(m, 1.0));
  cosine = f_fma(m, f_mul(m, square, square), f_series(m, square, &cos_series), cosine);
  return (struct angle){sine, cosine, reduced[1]};
}

static MlirValue is_odd(struct maths *m, MlirValue quadrant) {
  return i_compare_to(m, I_UNEQUAL, i_with(m, "arith.andi", quadrant, 1), 0);
}

/* y with its sign changed where bit 1 of `quadrant` is set. */
static MlirValue turn(struct maths *m, MlirValue y, MlirValue quadrant) {
  MlirValue sign = i_shift_left(m, i_shift_right(m, quadrant, 1), f_width(m) - 1);
  return f_from_bits(m, i_xor(m, f_bits(m, y), sign));
}

static MlirValue sign_of(struct maths *m, MlirValue x) {
  int64_t mask = m->wide ? INT64_MIN : INT32_MIN;
  return i_with(m, "arith.andi", f_bits(m, x), mask);
}

static MlirValue with_sign(struct maths *m, MlirValue y, MlirValue x) {
  return f_from_bits(m, i_xor(m, f_bits(m, y), sign_of(m, x)));
}

/* The approximations are good for |x| up to a few turns. */
MlirValue math_sin(struct maths *m, const MlirValue *x) {
  if (m->fast)
    return f_approximate(m, DEVICE_SIN, x[0]);
  struct angle a = reduce(m, f_absolute(m, x[0]));
  MlirValue y = choose(m, is_odd(m, a.quadrant), a.cosine, a.sine);
  return with_sign(m, turn(m, y, a.quadrant), x[0]);
}

MlirValue math_cos(struct maths *m, const MlirValue *x) {
  if (m->fast)
    return f_approximate(m, DEVICE_COS, x[0]);
  struct angle a = reduce(m, f_absolute(m, x[0]));
  MlirValue y = choose(m, is_odd(m, a.quadrant), a.sine, a.cosine);
  return turn(m, y, i_with(m, "arith.addi", a.quadrant, 1));
}

MlirValue math_tan(struct maths *m, const MlirValue *x) {
  if (m->fast)
    return f_approximate_quotient(m, f_approximate(m, DEVICE_SIN, x[0]),
                                  f_approximate(m, DEVICE_COS, x[0]));
  struct angle a = reduce(m, f_absolute(m, x[0]));
  MlirValue odd = is_odd(m, a.quadrant);
  MlirValue y = f_div(m, choose(m, odd, a.cosine, a.sine), choose(m, odd, a.sine, a.cosine));
  return with_sign(m, choose(m, odd, f_negate(m, y), y), x[0]);
}
