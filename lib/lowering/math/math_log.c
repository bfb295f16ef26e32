/* SPDX-License-Identifier: MIT */
/* Logarithms, with fastmath<afn> through lg2.approx. Else x = 2^e (1 + f) with f in [sqrt(1/2) - 1,
   sqrt(2) - 1], and ln(1 + f).

   f32: f - f^2/2 + f^3 P(f), P minimax. f64: with s = f / (2 + f),
   ln(1 + f) = 2 s + s^3 Q(s^2) = f - (f^2/2 - s (f^2/2 + s^2 Q(s^2))), the rearrangement of
   FreeBSD's msun (e_log.c), which keeps f exact; Q minimax on [0, 0.0295]. */
#include "lowering/math/math_build.h"

static const double log_narrow[] = {0x1.555548p-2,  -0x1.000006p-2, 0x1.99a4b4p-3,
                                    -0x1.555c4ep-3, 0x1.233776p-3,  -0x1.fc21e4p-4,
                                    0x1.e6efc2p-4,  -0x1.de3d2cp-4, 0x1.145a56p-4};
static const double log_wide[] = {0x1.5555555555592p-1, 0x1.999999997fda7p-2, 0x1.24924941f21c0p-2,
                                  0x1.c71c520885e84p-3, 0x1.74663f175d704p-3, 0x1.39a1b5b7c605dp-3,
                                  0x1.2f059877e7dd6p-3};

/* The bits of sqrt(1/2): what stands above them in units of the exponent's lowest bit is e. */
struct split_float f_split(struct maths *m, MlirValue x) {
  unsigned shift = f_fraction_bits(m);
  int64_t base = m->wide ? 0x3FE6A09E667F3BCD : 0x3F3504F3;
  MlirValue bits = f_bits(m, x);
  MlirValue above = i_with(m, "arith.subi", bits, base);
  MlirValue exponent = i_shift_signed(m, above, shift);
  MlirValue mantissa = i_sub(m, bits, i_shift_left(m, exponent, shift));
  return (struct split_float){.fraction = f_add_to(m, f_from_bits(m, mantissa), -1.0),
                              .exponent = exponent};
}

static MlirValue log_of_one_plus(struct maths *m, MlirValue f) {
  MlirValue square = f_mul(m, f, f);
  if (!m->wide) {
    MlirValue p = f_polynomial(m, f, log_narrow, 9);
    return f_fma(m, square, f_fma(m, f, p, f_constant(m, -0.5)), f);
  }
  MlirValue s = f_div(m, f, f_add_to(m, f, 2.0)), z = f_mul(m, s, s);
  MlirValue tail = f_mul(m, z, f_polynomial(m, z, log_wide, 7));
  MlirValue half = f_mul_by(m, square, 0.5);
  return f_sub(m, f, f_fma(m, f_negate(m, s), f_add(m, half, tail), half));
}

/* A number in the range of log_of_one_plus times 2^exponent, where exponent is a float. */
struct split_number {
  MlirValue fraction, exponent;
};

/* Of a number that is not subnormal. In f32 the exponent stays where it is in the bits, 2^23 times
   itself, and comes down as a float, together with the addition. */
static struct split_number split_normal(struct maths *m, MlirValue x, MlirValue add) {
  if (m->wide) {
    struct split_float parts = f_split(m, x);
    MlirValue e = f_from_integer(m, i_convert(m, "arith.trunci", parts.exponent, 32));
    return (struct split_number){parts.fraction, f_add(m, e, add)};
  }
  MlirValue bits = f_bits(m, x);
  MlirValue high = i_with(m, "arith.andi", i_with(m, "arith.subi", bits, 0x3F3504F3), -0x800000);
  MlirValue mantissa = f_from_bits(m, i_sub(m, bits, high));
  return (struct split_number){f_add_to(m, mantissa, -1.0),
                               f_fma_by(m, f_from_integer(m, high), 0x1p-23, add)};
}

/* --- What is known of the operand ------------------------------------------------------------- */

enum { MAX_STEPS = 4 }; /* back, operation by operation */

static bool is_constant_from(struct session *session, MlirValue x, double least) {
  MlirAttribute number = uniform_number(session, x);
  return !mlirAttributeIsNull(number) && mlirAttributeIsAFloat(number) &&
         mlirFloatAttrGetValueDouble(number) >= least;
}

/* True where x is certainly from 0, if not NaN. */
static bool is_from_zero(struct session *session, MlirValue x, int steps) {
  MlirOperation op = value_definition(x);
  if (mlirOperationIsNull(op) || steps == 0)
    return false;
  enum op_kind kind = kind_of(session, op);
  if (KIND_IN(kind, OP_MATH_EXP, OP_MATH_EXP2, OP_MATH_ABSF))
    return true;
  if (kind == OP_ARITH_MULF)
    return mlirValueEqual(op_operand(op, 0), op_operand(op, 1));
  if (kind == OP_ARITH_ADDF)
    return is_from_zero(session, op_operand(op, 0), steps - 1) &&
           is_from_zero(session, op_operand(op, 1), steps - 1);
  return is_constant_from(session, x, 0.0);
}

/* True where x is certainly from 1, if not NaN, as in log(1 + exp(y)). */
static bool is_from_one(struct session *session, MlirValue x) {
  MlirOperation op = value_definition(x);
  if (!op_is(session, op, OP_ARITH_ADDF))
    return false;
  for (int i = 0; i < 2; i++)
    if (is_constant_from(session, op_operand(op, i), 1.0) &&
        is_from_zero(session, op_operand(op, 1 - i), MAX_STEPS))
      return true;
  return false;
}

/* --- Logarithms ------------------------------------------------------------------------------- */

/* -infinity for 0, NaN below, infinity and NaN as they are. In f32 lg2.approx, with another pipe
   of the processor, has these, and is finite for all other numbers but subnormal ones: so x is
   what has been scaled. */
static MlirValue at_the_edges(struct maths *m, MlirValue x, MlirValue y) {
  MlirValue infinity = f_constant(m, INFINITY);
  if (!m->wide) {
    MlirValue edge = f_approximate(m, DEVICE_LOG2, x);
    return choose(m, f_compare(m, F_LESS, f_absolute(m, edge), infinity), y, edge);
  }
  y = choose(m, f_compare(m, F_LESS, x, infinity), y, x);
  MlirValue edge =
      choose(m, f_compare_to(m, F_EQUAL, x, 0.0), f_constant(m, -INFINITY), f_constant(m, NAN));
  return choose(m, f_compare_to(m, F_NOT_GREATER, x, 0.0), edge, y);
}

/* log2(x) times `factor`. With fastmath<afn> in f32. */
static MlirValue fast_logarithm(struct maths *m, MlirValue x, double factor) {
  MlirValue y = f_approximate(m, DEVICE_LOG2, x);
  return factor == 1.0 ? y : f_mul_by(m, y, factor);
}

/* ln x * factor + e * step, where factor is log_b(e) and step log_b(2). */
struct base {
  double factor, step, step_low;
};

static MlirValue from_parts(struct maths *m, struct split_number parts, struct base base) {
  MlirValue y = log_of_one_plus(m, parts.fraction);
  if (base.factor != 1.0)
    y = f_mul_by(m, y, base.factor);
  if (m->wide && base.step_low != 0)
    y = f_fma_by(m, parts.exponent, base.step_low, y);
  return f_fma_by(m, parts.exponent, base.step, y);
}

static MlirValue logarithm(struct maths *m, MlirValue x, struct base base) {
  MlirValue zero = f_constant(m, 0.0);
  if (is_from_one(m->lw->session, op_operand(m->op, 0))) {
    MlirValue y = from_parts(m, split_normal(m, x, zero), base);
    return choose(m, f_compare(m, F_LESS, x, f_constant(m, INFINITY)), y, x);
  }
  MlirValue subnormal = f_compare_to(m, F_LESS, x, m->wide ? 0x1p-1022 : 0x1p-126);
  MlirValue scaled = choose(m, subnormal, f_mul_by(m, x, m->wide ? 0x1p54 : 0x1p25), x);
  MlirValue add = choose(m, subnormal, f_either(m, -25.0, -54.0), zero);
  return at_the_edges(m, scaled, from_parts(m, split_normal(m, scaled, add), base));
}

MlirValue math_log(struct maths *m, const MlirValue *x) {
  if (m->fast)
    return fast_logarithm(m, x[0], 0x1.62e42fefa39efp-1);
  double step = m->wide ? 0x1.62e42fefa3800p-1 : 0x1.62e42fefa39efp-1;
  return logarithm(m, x[0], (struct base){1.0, step, 0x1.ef35793c76730p-45});
}

MlirValue math_log2(struct maths *m, const MlirValue *x) {
  if (m->fast)
    return fast_logarithm(m, x[0], 1.0);
  return logarithm(m, x[0], (struct base){0x1.71547652b82fep+0, 1.0, 0});
}

MlirValue math_log10(struct maths *m, const MlirValue *x) {
  if (m->fast)
    return fast_logarithm(m, x[0], 0x1.34413509f79ffp-2);
  return logarithm(
      m, x[0], (struct base){0x1.bcb7b1526e50ep-2, 0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59});
}

/* e comes from u = 1 + x rounded; f = x 2^-e + (2^-e - 1) is rounded once from the exact value. */
MlirValue math_log1p(struct maths *m, const MlirValue *x) {
  struct split_float parts = f_split(m, f_add_to(m, x[0], 1.0));
  MlirValue minus = i_sub(m, i_constant(m, f_width(m), 0), parts.exponent);
  MlirValue down = f_power_of_two(m, minus);
  MlirValue f = f_fma(m, x[0], down, f_add_to(m, down, -1.0));
  f = choose(m, f_compare_to(m, F_GREATER, x[0], 0x1p60), parts.fraction,
             f); /* 2^-e may not exist */
  MlirValue e = f_from_integer(m, m->wide ? i_convert(m, "arith.trunci", parts.exponent, 32)
                                          : parts.exponent);
  MlirValue y = log_of_one_plus(m, f);
  if (m->wide)
    y = f_fma_by(m, e, 0x1.ef35793c76730p-45, y);
  y = f_fma_by(m, e, m->wide ? 0x1.62e42fefa3800p-1 : 0x1.62e42fefa39efp-1, y);
  double small = m->wide ? 0x1p-54 : 0x1p-25; /* keeps -0 */
  y = choose(m, f_compare_to(m, F_LESS, f_absolute(m, x[0]), small), x[0], y);
  y = choose(m, f_compare_to(m, F_EQUAL, x[0], -1.0), f_constant(m, -INFINITY), y);
  y = choose(m, f_compare_to(m, F_LESS, x[0], -1.0), f_constant(m, NAN), y);
  return choose(m, f_compare_to(m, F_EQUAL, x[0], INFINITY), x[0], y);
}
