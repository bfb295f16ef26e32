/* SPDX-License-Identifier: MIT */
/* See loop_scores.h. */
#include "analysis/loop_scores.h"

#include <math.h>
#include "analysis/row_axis.h"
#include "ir/dot_form.h"
#include "ir/tile_ops.h"

bool slope_is_one(const struct slope *slope) {
  return mlirAttributeIsNull(slope->number) && mlirValueIsNull(slope->scalar);
}

bool slopes_have_one_number(const struct slope *a, const struct slope *b) {
  bool numbers = mlirAttributeIsNull(a->number) ? mlirAttributeIsNull(b->number)
                                                : mlirAttributeEqual(a->number, b->number);
  bool scalars = mlirValueIsNull(a->scalar) ? mlirValueIsNull(b->scalar)
                                            : mlirValueEqual(a->scalar, b->scalar);
  return numbers && scalars;
}

bool slopes_are_equal(const struct slope *a, const struct slope *b) {
  return slopes_have_one_number(a, b) && a->natural == b->natural;
}

bool scores_are_equal(const struct score *a, const struct score *b) {
  return !mlirValueIsNull(a->of) && !mlirValueIsNull(b->of) && mlirValueEqual(a->of, b->of) &&
         a->axis == b->axis && slopes_have_one_number(&a->scale, &b->scale);
}

/* Does the operation compute in the loop, in an iteration? */
static bool is_in_body(struct loop_sums *sums, MlirOperation op) {
  return !mlirOperationIsNull(op) && op_is_inside(op, sums->loop);
}

bool slope_read(struct loop_sums *sums, MlirValue value, struct slope *slope) {
  *slope = (struct slope){.number = {0}};
  if (mlirValueIsNull(value))
    return false;
  slope->number = uniform_number(sums->session, value);
  if (!mlirAttributeIsNull(slope->number))
    return mlirAttributeIsAFloat(slope->number) &&
           isfinite(mlirFloatAttrGetValueDouble(slope->number));
  MlirOperation op = value_definition(value);
  while (!mlirOperationIsNull(op) && op_has(sums->session, op, REARRANGES) &&
         mlirOperationGetNumOperands(op) == 1) {
    value = op_operand(op, 0);
    op = value_definition(value);
  }
  slope->scalar = value;
  return !type_is_tensor(mlirValueGetType(value)) && !is_in_body(sums, op) &&
         !value_is_argument_of(value, op_body(sums->loop, 0));
}

bool value_is_uniform(struct loop_sums *sums, MlirValue value) {
  struct slope slope;
  return slope_read(sums, value, &slope);
}

/* The maximum of z a is that of z times a only where a is positive. What is no constant the kernel
   has to look at. */
static bool stays_maximum(struct loop_sums *sums, const struct slope *scale) {
  if (!mlirAttributeIsNull(scale->number))
    return mlirFloatAttrGetValueDouble(scale->number) > 0;
  if (mlirValueIsNull(scale->scalar))
    return true;
  if (!mlirValueIsNull(sums->positive) && !mlirValueEqual(sums->positive, scale->scalar))
    return false;
  sums->positive = scale->scalar;
  return true;
}

/* The score is a product with a number: the other factor is it. */
static bool look_through_product(struct loop_sums *sums, MlirOperation op, struct score *score) {
  struct slope scale;
  for (intptr_t i = 0; i < 2; i++)
    if (slope_is_one(&score->scale) && slope_read(sums, op_operand(op, i), &scale)) {
      score->scale = scale;
      score->of = op_operand(op, 1 - i);
      return true;
    }
  return false;
}

/* The operation behind a score that the score's rows are known through; false: it is the score. */
static bool look_through(struct loop_sums *sums, MlirOperation op, struct score *score) {
  struct session *session = sums->session;
  enum op_kind kind = is_in_body(sums, op) ? kind_of(session, op) : OP_OTHER;
  if (kind == OP_ARITH_MULF)
    return look_through_product(sums, op, score);
  enum op_kind combiner = kind == OP_TILE_REDUCE && mlirOperationGetNumOperands(op) == 1
                              ? reduce_combiner(session, op)
                              : OP_OTHER;
  bool reduces = KIND_IN(combiner, OP_ARITH_MAXNUMF, OP_ARITH_MAXIMUMF);
  bool moves = KIND_IN(kind, OP_TILE_GPU_CONVERT_LAYOUT, OP_TILE_BROADCAST, OP_TILE_EXPAND_DIMS,
                       OP_TILE_RESHAPE, OP_TILE_PERMUTE);
  int axis = moves || reduces ? row_axis_before(session, op, score->axis) : -1;
  if (axis < 0 || (reduces && !stays_maximum(sums, &score->scale)))
    return false;
  score->of = op_operand(op, 0);
  score->axis = axis;
  return true;
}

struct score score_read(struct loop_sums *sums, MlirValue value, int axis, struct slope scale) {
  struct score score = {.of = value, .axis = axis, .scale = scale};
  while (!mlirValueIsNull(score.of) && look_through(sums, value_definition(score.of), &score))
    ;
  return score;
}

/* Constants that a plain score has: added to it or chosen in its stead, and multiplied by. */
static const double most_added = 1e20, most_multiplied = 1e4;

static bool is_constant_below(struct loop_sums *sums, MlirValue value, double most) {
  MlirAttribute number = uniform_number(sums->session, value);
  return !mlirAttributeIsNull(number) && mlirAttributeIsAFloat(number) &&
         fabs(mlirFloatAttrGetValueDouble(number)) <= most;
}

/* A number that a product is multiplied by: of the kernel's arguments, loaded, or a constant. */
static bool is_plain_factor(struct loop_sums *sums, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (!mlirAttributeIsNull(uniform_number(sums->session, value)))
    return is_constant_below(sums, value, most_multiplied);
  if (value_is_uniform(sums, value))
    return true;
  if (is_in_body(sums, op) && op_is(sums->session, op, OP_TILE_SPLAT))
    return is_plain_factor(sums, op_operand(op, 0));
  bool number = is_in_body(sums, op) && !type_is_tensor(mlirValueGetType(value));
  if (number && op_is(sums->session, op, OP_ARITH_MULF))
    return is_plain_factor(sums, op_operand(op, 0)) && is_plain_factor(sums, op_operand(op, 1));
  return number && op_is(sums->session, op, OP_TILE_LOAD);
}

static bool is_plain_value(struct loop_sums *sums, MlirValue value, int depth, int products) {
  struct session *session = sums->session;
  MlirOperation op = value_definition(value);
  MlirType element = type_element(mlirValueGetType(value));
  if (is_constant_below(sums, value, most_added))
    return true;
  if (!is_in_body(sums, op) || depth == 0 || products < 0 ||
      !(mlirTypeIsAF32(element) || type_is_integer(element, 32)))
    return false;
  enum op_kind kind = kind_of(session, op);
  if (KIND_IN(kind, OP_ARITH_SITOFP, OP_ARITH_UITOFP))
    return true;
  if (op_has(session, op, IS_DOT))
    return type_is_integer(element, 32) ||
           is_plain_value(sums, op_operand(op, 2), depth - 1, products);
  bool fused = kind == OP_MATH_FMA;
  if (fused || kind == OP_ARITH_MULF)
    for (intptr_t i = 0; i < 2; i++)
      if (is_plain_factor(sums, op_operand(op, i)) &&
          is_plain_value(sums, op_operand(op, 1 - i), depth - 1, products - 1))
        return !fused || is_plain_value(sums, op_operand(op, 2), depth - 1, products);
  bool chooses = kind == OP_ARITH_SELECT;
  bool plain = chooses || waits_for_async_dot(session, op) || op_has(session, op, REARRANGES) ||
               KIND_IN(kind, OP_ARITH_ADDF, OP_ARITH_SUBF, OP_ARITH_NEGF);
  for (intptr_t i = chooses; i < mlirOperationGetNumOperands(op) && plain; i++)
    plain = is_plain_value(sums, op_operand(op, i), depth - 1, products);
  return plain;
}

bool score_is_plain(struct loop_sums *sums, const struct score *score) {
  enum { DEPTH = 16, PRODUCTS = 4 };
  return is_plain_value(sums, score->of, DEPTH, PRODUCTS);
}
