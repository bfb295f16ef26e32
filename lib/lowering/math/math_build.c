/* SPDX-License-Identifier: MIT */
/* See math_build.h. */
#include "lowering/math/math_build.h"

struct maths maths_of(struct lowering *lw, MlirOperation op, MlirType type) {
  return (struct maths){.lw = lw, .op = op, .type = type, .wide = mlirTypeIsAF64(type)};
}

/* --- Floats ----------------------------------------------------------------------------------- */

MlirValue f_constant(struct maths *m, double value) {
  double rounded = m->wide ? value : (double)(float)value;
  return constant_attribute(
      m->lw, mlirFloatAttrDoubleGet(m->lw->session->context, m->type, rounded), m->type);
}

MlirValue f_either(struct maths *m, double narrow, double wide) {
  return f_constant(m, m->wide ? wide : narrow);
}

MlirValue f_unary(struct maths *m, const char *name, MlirValue x) {
  return BUILD(&m->lw->b, name, IN(x), OUT(m->type));
}

MlirValue f_binary(struct maths *m, const char *name, MlirValue x, MlirValue y) {
  return BUILD(&m->lw->b, name, IN(x, y), OUT(m->type));
}

MlirValue f_fma(struct maths *m, MlirValue x, MlirValue y, MlirValue z) {
  return BUILD(&m->lw->b, "math.fma", IN(x, y, z), OUT(m->type));
}

MlirValue f_mul_by(struct maths *m, MlirValue x, double factor) {
  return f_mul(m, x, f_constant(m, factor));
}

MlirValue f_add_to(struct maths *m, MlirValue x, double addend) {
  return f_add(m, x, f_constant(m, addend));
}

MlirValue f_fma_by(struct maths *m, MlirValue x, double factor, MlirValue z) {
  return f_fma(m, x, f_constant(m, factor), z);
}

MlirValue f_approximate(struct maths *m, enum device_arithmetic which, MlirValue x) {
  return build_device_arithmetic(m->lw, which, x, (MlirValue){0}, m->type);
}

MlirValue f_approximate_quotient(struct maths *m, MlirValue x, MlirValue y) {
  return build_device_arithmetic(m->lw, DEVICE_DIVIDE, x, y, m->type);
}

MlirValue f_compare(struct maths *m, enum compare_floats predicate, MlirValue x, MlirValue y) {
  return build_compare(&m->lw->b, (int)predicate, x, y);
}

MlirValue f_compare_to(struct maths *m, enum compare_floats predicate, MlirValue x, double y) {
  return f_compare(m, predicate, x, f_constant(m, y));
}

MlirValue i_compare(struct maths *m, enum compare_integers predicate, MlirValue x, MlirValue y) {
  return build_compare(&m->lw->b, (int)predicate, x, y);
}

MlirValue i_compare_to(struct maths *m, enum compare_integers predicate, MlirValue x, int64_t y) {
  return i_compare(m, predicate, x, i_constant(m, mlirIntegerTypeGetWidth(mlirValueGetType(x)), y));
}

MlirValue choose(struct maths *m, MlirValue condition, MlirValue x, MlirValue y) {
  return BUILD(&m->lw->b, "arith.select", IN(condition, x, y), OUT(mlirValueGetType(x)));
}

/* --- Integers --------------------------------------------------------------------------------- */

MlirType i_type(struct maths *m, unsigned width) {
  return integer_type(&m->lw->b, width);
}

unsigned f_width(const struct maths *m) {
  return m->wide ? 64 : 32;
}

unsigned f_fraction_bits(const struct maths *m) {
  return m->wide ? 52 : 23;
}

static int f_bias(const struct maths *m) {
  return m->wide ? 1023 : 127;
}

MlirValue f_bits(struct maths *m, MlirValue x) {
  return BUILD(&m->lw->b, "arith.bitcast", IN(x), OUT(i_type(m, f_width(m))));
}

MlirValue f_from_bits(struct maths *m, MlirValue bits) {
  return BUILD(&m->lw->b, "arith.bitcast", IN(bits), OUT(m->type));
}

MlirValue i_constant(struct maths *m, unsigned width, int64_t value) {
  return constant_integer(m->lw, width, value);
}

MlirValue i_binary(struct maths *m, const char *name, MlirValue x, MlirValue y) {
  return BUILD(&m->lw->b, name, IN(x, y), OUT(mlirValueGetType(x)));
}

MlirValue i_with(struct maths *m, const char *name, MlirValue x, int64_t y) {
  return i_binary(m, name, x, i_constant(m, mlirIntegerTypeGetWidth(mlirValueGetType(x)), y));
}

MlirValue i_convert(struct maths *m, const char *name, MlirValue x, unsigned width) {
  return BUILD(&m->lw->b, name, IN(x), OUT(i_type(m, width)));
}

MlirValue i_not(struct maths *m, MlirValue condition) {
  return i_xor(m, condition, i_constant(m, 1, 1));
}

MlirValue f_from_integer(struct maths *m, MlirValue x) {
  return BUILD(&m->lw->b, "arith.sitofp", IN(x), OUT(m->type));
}

MlirValue f_power_of_two(struct maths *m, MlirValue k) {
  return f_from_bits(m, i_shift_left(m, i_with(m, "arith.addi", k, f_bias(m)), f_fraction_bits(m)));
}

/* --- Formulas --------------------------------------------------------------------------------- */

MlirValue f_polynomial(struct maths *m, MlirValue x, const double *coefficients, int count) {
  MlirValue sum = f_constant(m, coefficients[count - 1]);
  for (int i = count - 2; i >= 0; i--)
    sum = f_fma(m, sum, x, f_constant(m, coefficients[i]));
  return sum;
}

MlirValue f_series(struct maths *m, MlirValue x, const struct series *series) {
  return m->wide ? f_polynomial(m, x, series->wide, series->wide_count)
                 : f_polynomial(m, x, series->narrow, series->narrow_count);
}

/* Adding 1.5 * 2^23 (2^52) leaves no bits for a fraction: the sum is rounded to an integer, which
   stands in its low bits. */
struct rounded f_round_product(struct maths *m, MlirValue x, double factor) {
  double magic = m->wide ? 0x1.8p52 : 0x1.8p23;
  MlirValue sum = f_fma_by(m, x, factor, f_constant(m, magic));
  return (struct rounded){.value = f_add_to(m, sum, -magic), .bits = f_bits(m, sum)};
}

/* Dekker's fast two-sum. */
struct pair p_add_ordered(struct maths *m, MlirValue x, MlirValue y) {
  MlirValue sum = f_add(m, x, y);
  return (struct pair){sum, f_sub(m, y, f_sub(m, sum, x))};
}

struct pair p_mul(struct maths *m, MlirValue x, MlirValue y) {
  MlirValue product = f_mul(m, x, y);
  return (struct pair){product, f_fma(m, x, y, f_negate(m, product))};
}

/* --- Control ---------------------------------------------------------------------------------- */

enum { MAX_BRANCH_RESULTS = 4 };

static void yield(struct maths *m, const char *name, const MlirValue *values, int count) {
  BUILD_OP(&m->lw->b, name, INS(values, count));
}

void build_branch(struct maths *m, MlirValue condition, math_branch *then, const void *data,
                  const MlirValue *otherwise, int count, MlirValue *results) {
  struct builder *b = &m->lw->b;
  MlirRegion regions[] = {region_with_block(b, 0, NULL), region_with_block(b, 0, NULL)};
  MlirBlock blocks[] = {mlirRegionGetFirstBlock(regions[0]), mlirRegionGetFirstBlock(regions[1])};
  MlirType types[MAX_BRANCH_RESULTS];
  for (int i = 0; i < count; i++)
    types[i] = mlirValueGetType(otherwise[i]);
  MlirOperation branch =
      BUILD_OP(b, "scf.if", INS(&condition, 1), OUTS(types, count), REGION_LIST(regions, 2));
  struct builder outside = *b;
  *b = builder_at_end(b->context, blocks[0], outside.location);
  then(m, data, results);
  yield(m, "scf.yield", results, count);
  *b = builder_at_end(b->context, blocks[1], outside.location);
  yield(m, "scf.yield", otherwise, count);
  *b = outside;
  for (int i = 0; i < count; i++)
    results[i] = op_result(branch, i);
}

static void block_arguments(MlirBlock block, int count, MlirValue *values) {
  for (int i = 0; i < count; i++)
    values[i] = mlirBlockGetArgument(block, i);
}

void build_loop(struct maths *m, math_condition *condition, math_step *step, const void *data,
                int count, MlirValue *values) {
  struct builder *b = &m->lw->b;
  MlirType types[MAX_BRANCH_RESULTS];
  for (int i = 0; i < count; i++)
    types[i] = mlirValueGetType(values[i]);
  MlirRegion regions[] = {region_with_block(b, count, types), region_with_block(b, count, types)};
  MlirBlock blocks[] = {mlirRegionGetFirstBlock(regions[0]), mlirRegionGetFirstBlock(regions[1])};
  MlirOperation loop =
      BUILD_OP(b, "scf.while", INS(values, count), OUTS(types, count), REGION_LIST(regions, 2));
  struct builder outside = *b;
  MlirValue inside[MAX_BRANCH_RESULTS + 1];
  *b = builder_at_end(b->context, blocks[0], outside.location);
  block_arguments(blocks[0], count, inside + 1);
  inside[0] = condition(m, data, inside + 1);
  yield(m, "scf.condition", inside, count + 1);
  *b = builder_at_end(b->context, blocks[1], outside.location);
  block_arguments(blocks[1], count, inside);
  step(m, data, inside);
  yield(m, "scf.yield", inside, count);
  *b = outside;
  for (int i = 0; i < count; i++)
    values[i] = op_result(loop, i);
}
