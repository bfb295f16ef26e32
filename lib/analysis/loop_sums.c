/* SPDX-License-Identifier: MIT */
/* See loop_sums.h. */
#include "analysis/loop_sums.h"

#include <math.h>
#include "analysis/loop_scores.h"
#include "analysis/row_axis.h"
#include "base/arena.h"
#include "ir/dot_form.h"
#include "ir/tile_ops.h"

/* --- How a value depends on what the loop carries ----------------------------------------------
   top: the maximum that is carried; top': the next one; c: a number, the same in all iterations. */

enum dependence_kind {
  FREE,     /* not at all */
  OLD,      /* c top; from here to GAP: may be multiplied by another c where c is 1 */
  NEW,      /* c top' */
  NEGATIVE, /* -c top' */
  SHIFTED,  /* c top' + a number */
  EXPONENT, /* FREE - c top' */
  GAP,      /* c (top - top') */
  FACTOR,   /* b ^ GAP */
  TERM,     /* linear in b ^ EXPONENT */
  CARRIED,  /* a sum */
  SCALED,   /* CARRIED * FACTOR */
  PLAIN,    /* CARRIED + FREE ... */
  SUM,      /* SCALED + TERM ... */
  IS_NONE,  /* top' = minus infinity */
  IS_SOME,  /* top' > minus infinity */
  LOST      /* in another way */
};

struct dependence {
  enum dependence_kind kind;
  struct slope slope; /* of OLD to TERM, and of SCALED and SUM */
  bool outside;       /* of EXPONENT: c multiplies the difference, not only top' */
  bool guarded;       /* of what has top' in it: a number stands for minus infinity */
  int axis;           /* of what has a top in it, along which that differs */
  struct score score; /* of EXPONENT: what top' is taken from, */
  bool has_score;     /* where that is more than a number */
  struct slope scale; /* of FREE, where the value is only a factor of it */
  intptr_t number;    /* of CARRIED, SCALED, PLAIN and SUM */
  MlirValue factor;   /* of FACTOR, SCALED and SUM */
  MlirValue value;    /* that depends so; null: there is none yet */
};

struct finder {
  struct session *session;
  struct loop_sums *sums;
  struct map known; /* MlirValue.ptr -> struct dependence, of all that are not FREE */
  struct arena arena;
  struct score score; /* that the maximum is of */
  bool unguarded;     /* there are exponentials of differences to minus infinity, if top' is that */
  bool escapes;       /* something besides the loop gets to know what is carried */
};

static const struct dependence lost = {.kind = LOST};

static struct dependence dependence_of(struct finder *finder, MlirValue value) {
  const struct dependence *known = map_get(&finder->known, value.ptr);
  struct dependence dependence = known ? *known : (struct dependence){.kind = FREE};
  dependence.value = value;
  return dependence;
}

static struct dependence operand_dependence(struct finder *finder, MlirOperation op,
                                            intptr_t index) {
  return dependence_of(finder, op_operand(op, index));
}

static void set_dependence(struct finder *finder, MlirValue value, struct dependence dependence) {
  if (dependence.kind == FREE)
    return;
  struct dependence *known = ARENA_NEW(&finder->arena, struct dependence);
  *known = dependence;
  if (known->kind == FACTOR)
    known->factor = value;
  map_set(&finder->known, value.ptr, known);
}

static bool is_number(struct finder *finder, MlirValue value, double number) {
  MlirAttribute uniform = uniform_number(finder->session, value);
  return !mlirAttributeIsNull(uniform) && mlirAttributeIsAFloat(uniform) &&
         mlirFloatAttrGetValueDouble(uniform) == number;
}

/* --- Rules ------------------------------------------------------------------------------------ */

static struct dependence with_kind(struct dependence dependence, enum dependence_kind kind) {
  dependence.kind = kind;
  return dependence;
}

/* What does not depend on top', minus c top': the score, or a number. */
static struct dependence take_from(struct finder *finder, struct dependence a,
                                   struct dependence b) {
  if (slope_is_one(&a.scale) && value_is_uniform(finder->sums, a.value))
    return with_kind(b, EXPONENT);
  if (b.has_score || b.outside)
    return lost;
  b.has_score = true;
  b.score = score_read(finder->sums, a.value, b.axis, a.scale);
  return with_kind(b, EXPONENT);
}

/* a + b, in this order. */
static struct dependence add_to(struct finder *finder, struct dependence a, struct dependence b) {
  bool alike = slopes_are_equal(&a.slope, &b.slope) && a.axis == b.axis;
  if (a.kind == FREE && b.kind == FREE)
    return (struct dependence){.kind = FREE};
  if (a.kind == FREE && (b.kind == NEW || b.kind == SHIFTED))
    return slope_is_one(&a.scale) && value_is_uniform(finder->sums, a.value) ? with_kind(b, SHIFTED)
                                                                             : lost;
  if (a.kind == FREE && (b.kind == NEGATIVE || b.kind == EXPONENT))
    return take_from(finder, a, b);
  if (a.kind == FREE && (b.kind == CARRIED || b.kind == PLAIN))
    return with_kind(b, PLAIN);
  if (a.kind == OLD && b.kind == NEGATIVE && alike)
    return with_kind(b, GAP);
  if (a.kind == TERM && b.kind == TERM && alike)
    return a;
  return a.kind == TERM && (b.kind == SCALED || b.kind == SUM) && alike ? with_kind(b, SUM) : lost;
}

static struct dependence add(struct finder *finder, struct dependence a, struct dependence b) {
  struct dependence sum = add_to(finder, a, b);
  return sum.kind == LOST ? add_to(finder, b, a) : sum;
}

static struct dependence negate(struct dependence a) {
  if (a.kind == NEW)
    return with_kind(a, NEGATIVE);
  if (a.kind == SHIFTED)
    return with_kind(a, EXPONENT);
  return a.kind == FREE || a.kind == TERM ? a : lost;
}

static struct dependence multiply_free(struct finder *finder, struct dependence a,
                                       struct dependence b) {
  if (slope_is_one(&a.scale) && slope_read(finder->sums, b.value, &a.scale))
    return a;
  if (slope_is_one(&b.scale) && slope_read(finder->sums, a.value, &b.scale))
    return b;
  return (struct dependence){.kind = FREE};
}

/* a * b, in this order. */
static struct dependence multiply_by(struct finder *finder, struct dependence a,
                                     struct dependence b) {
  if (a.kind == CARRIED && b.kind == FACTOR) {
    a.factor = b.factor;
    a.slope = b.slope;
    a.axis = b.axis;
    return with_kind(a, SCALED);
  }
  if (b.kind != FREE)
    return lost;
  if (a.kind == TERM)
    return a;
  a.outside = a.kind == EXPONENT || a.kind == GAP;
  bool takes_slope = a.kind >= OLD && a.kind <= GAP && slope_is_one(&a.slope);
  return takes_slope && slope_read(finder->sums, b.value, &a.slope) ? a : lost;
}

static struct dependence multiply(struct finder *finder, struct dependence a, struct dependence b) {
  if (a.kind == FREE && b.kind == FREE)
    return multiply_free(finder, a, b);
  struct dependence product = multiply_by(finder, a, b);
  return product.kind == LOST ? multiply_by(finder, b, a) : product;
}

static struct dependence rule_add(struct finder *finder, MlirOperation op) {
  return add(finder, operand_dependence(finder, op, 0), operand_dependence(finder, op, 1));
}

/* A FREE that is taken away is a number: scores are what something is taken from. */
static struct dependence rule_subtract(struct finder *finder, MlirOperation op) {
  struct dependence a = operand_dependence(finder, op, 0), b = operand_dependence(finder, op, 1);
  if (b.kind == FREE && a.kind >= OLD && a.kind <= GAP && !value_is_uniform(finder->sums, b.value))
    return lost;
  return add(finder, a, negate(b));
}

static struct dependence rule_negate(struct finder *finder, MlirOperation op) {
  return negate(operand_dependence(finder, op, 0));
}

static struct dependence rule_multiply(struct finder *finder, MlirOperation op) {
  return multiply(finder, operand_dependence(finder, op, 0), operand_dependence(finder, op, 1));
}

static struct dependence rule_divide(struct finder *finder, MlirOperation op) {
  struct dependence a = operand_dependence(finder, op, 0);
  return a.kind == TERM && operand_dependence(finder, op, 1).kind == FREE ? a : lost;
}

static struct dependence rule_multiply_add(struct finder *finder, MlirOperation op) {
  return add(finder, rule_multiply(finder, op), operand_dependence(finder, op, 2));
}

/* Is an exponent's score what the maximum is of, so that it is never above it, and minus infinity
   where that is? The maximum of z a is in c (z a - top'), and in z (c a) - c top'. */
static bool is_below_maximum(struct finder *finder, const struct dependence *a) {
  struct score expected = finder->score;
  if (!slope_is_one(&a->slope) && !a->outside) {
    if (!slope_is_one(&expected.scale))
      return false;
    expected.scale = a->slope;
  }
  return scores_are_equal(&a->score, &expected);
}

static struct dependence rule_power(struct finder *finder, MlirOperation op) {
  struct dependence a = operand_dependence(finder, op, 0);
  if (a.kind != GAP && !(a.kind == EXPONENT && is_below_maximum(finder, &a)))
    return lost;
  finder->unguarded |= !a.guarded;
  a.slope.natural = op_is(finder->session, op, OP_MATH_EXP);
  return with_kind(a, a.kind == GAP ? FACTOR : TERM);
}

/* Roundings are of the terms that there are, whatever they are relative to. */
static struct dependence rule_round(struct finder *finder, MlirOperation op) {
  struct dependence a = operand_dependence(finder, op, 0);
  return a.kind == TERM ? a : lost;
}

static struct dependence rule_maximum(struct finder *finder, MlirOperation op) {
  struct loop_sums *sums = finder->sums;
  intptr_t other = -1;
  for (intptr_t i = 0; i < 2; i++)
    if (operand_dependence(finder, op, 1 - i).kind == FREE &&
        loop_carried_number(sums->loop, op_operand(op, i)) == sums->maximum)
      other = 1 - i;
  if (sums->maximum < 0 || other < 0 || !mlirValueIsNull(sums->next))
    return lost;
  struct dependence old = operand_dependence(finder, op, 1 - other);
  sums->next = op_result(op, 0);
  finder->score =
      score_read(finder->sums, op_operand(op, other), old.axis, (struct slope){.number = {0}});
  return (struct dependence){.kind = NEW, .axis = old.axis};
}

static struct dependence rule_compare(struct finder *finder, MlirOperation op) {
  enum { EQUAL = 1, GREATER = 2, DIFFERENT = 6, NOT_DIFFERENT = 8, UNEQUAL = 13 };
  struct dependence a = operand_dependence(finder, op, 0);
  if (a.kind != NEW || a.guarded || !slope_is_one(&a.slope) ||
      !is_number(finder, op_operand(op, 1), -INFINITY))
    return lost;
  switch (op_integer(op, "predicate", 0)) {
  case EQUAL:
  case NOT_DIFFERENT:
    return with_kind(a, IS_NONE);
  case GREATER:
  case DIFFERENT:
  case UNEQUAL:
    return with_kind(a, IS_SOME);
  default:
    return lost;
  }
}

/* top', but for a number where it is minus infinity: there no term is but 0. */
static struct dependence guard(struct finder *finder, struct dependence condition,
                               struct dependence some, struct dependence none) {
  MlirAttribute number = uniform_number(finder->session, none.value);
  bool guards = some.kind == NEW && slope_is_one(&some.slope) && some.axis == condition.axis &&
                none.kind == FREE && !mlirAttributeIsNull(number) &&
                isfinite(mlirFloatAttrGetValueDouble(number));
  some.guarded = true;
  return guards ? some : lost;
}

/* A choice that does not depend on what is carried: of two terms, or exponents, or of one and what
   adds nothing. */
static struct dependence choose(struct finder *finder, struct dependence a, struct dependence b) {
  if (a.kind == FREE)
    return b.kind == FREE ? b : choose(finder, b, a);
  if (a.kind != TERM && a.kind != EXPONENT)
    return lost;
  bool nothing = b.kind == FREE && is_number(finder, b.value, a.kind == TERM ? 0 : -INFINITY);
  bool alike = b.kind == a.kind && b.axis == a.axis && slopes_are_equal(&a.slope, &b.slope) &&
               b.outside == a.outside && b.guarded == a.guarded &&
               (a.kind == TERM || (a.has_score && scores_are_equal(&a.score, &b.score)));
  return nothing || alike ? a : lost;
}

static struct dependence rule_select(struct finder *finder, MlirOperation op) {
  struct dependence condition = operand_dependence(finder, op, 0);
  struct dependence a = operand_dependence(finder, op, 1), b = operand_dependence(finder, op, 2);
  if (condition.kind == FREE)
    return choose(finder, a, b);
  if (condition.kind == IS_NONE)
    return guard(finder, condition, b, a);
  return condition.kind == IS_SOME ? guard(finder, condition, a, b) : lost;
}

/* In another place, shape or layout, or through shared memory; rows stay rows. What a sum has in
   one place the next iteration adds to what is in that place. */
static struct dependence rule_move(struct finder *finder, MlirOperation op) {
  if (mlirOperationGetNumOperands(op) != 1)
    return lost;
  struct dependence a = operand_dependence(finder, op, 0);
  bool is_of_rows = (a.kind >= OLD && a.kind <= TERM) || a.kind == IS_NONE || a.kind == IS_SOME;
  a.axis = is_of_rows ? row_axis_after(finder->session, op, a.axis) : -1;
  a.score = (struct score){.axis = 0};
  return a.axis < 0 ? lost : a;
}

static struct dependence rule_reduce(struct finder *finder, MlirOperation op) {
  bool adds =
      mlirOperationGetNumOperands(op) == 1 && reduce_combiner(finder->session, op) == OP_ARITH_ADDF;
  return adds && operand_dependence(finder, op, 0).kind == TERM ? rule_move(finder, op) : lost;
}

/* One operand may have terms: their rows are not what is summed over. Operands from the third on
   are no elements. */
static struct dependence rule_dot(struct finder *finder, MlirOperation op) {
  for (intptr_t i = 3; i < mlirOperationGetNumOperands(op); i++)
    if (operand_dependence(finder, op, i).kind != FREE)
      return lost;
  int rank = (int)mlirShapedTypeGetRank(op_operand_type(op, 0));
  struct dependence a = operand_dependence(finder, op, 0), b = operand_dependence(finder, op, 1);
  struct dependence product = lost;
  if (a.kind == FREE && b.kind == FREE)
    product.kind = FREE;
  else if (a.kind == TERM && b.kind == FREE && a.axis != rank - 1)
    product = a;
  else if (a.kind == FREE && b.kind == TERM && b.axis != rank - 2)
    product = b;
  if (product.kind == LOST || is_number(finder, op_operand(op, 2), 0))
    return product;
  return add(finder, product, operand_dependence(finder, op, 2));
}

typedef struct dependence rule_function(struct finder *finder, MlirOperation op);

static rule_function *rule_of(struct finder *finder, MlirOperation op) {
  static rule_function *const rules[OP_KIND_COUNT] = {
      [OP_ARITH_ADDF] = rule_add,          [OP_ARITH_ADDI] = rule_add,
      [OP_ARITH_SUBF] = rule_subtract,     [OP_ARITH_NEGF] = rule_negate,
      [OP_ARITH_MULF] = rule_multiply,     [OP_ARITH_DIVF] = rule_divide,
      [OP_MATH_FMA] = rule_multiply_add,   [OP_MATH_EXP] = rule_power,
      [OP_MATH_EXP2] = rule_power,         [OP_ARITH_TRUNCF] = rule_round,
      [OP_ARITH_EXTF] = rule_round,        [OP_TILE_TO_FP8] = rule_round,
      [OP_ARITH_MAXNUMF] = rule_maximum,   [OP_ARITH_MAXIMUMF] = rule_maximum,
      [OP_ARITH_CMPF] = rule_compare,      [OP_ARITH_SELECT] = rule_select,
      [OP_TILE_REDUCE] = rule_reduce,      [OP_TILE_DOT] = rule_dot,
      [OP_TILE_GPU_BUFFER_DOT] = rule_dot, [OP_TILE_GPU_WARPGROUP_DOT] = rule_dot,
      [OP_TILE_GPU_ALLOC] = rule_move,     [OP_TILE_GPU_TRANSPOSE] = rule_move,
  };
  if (op_has(finder->session, op, REARRANGES))
    return rule_move;
  return rules[kind_of(finder->session, op)];
}

/* --- The body --------------------------------------------------------------------------------- */

static bool has_dependent_operand(struct finder *finder, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (operand_dependence(finder, op, i).kind != FREE)
      return true;
  return false;
}

static MlirLogicalResult find_dependent_operand(MlirOperation op, void *data) {
  return has_dependent_operand(data, op) ? FAILURE : SUCCESS;
}

/* A wait gives back what it takes, each value for itself. */
static void visit_wait(struct finder *finder, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    set_dependence(finder, op_result(op, i), operand_dependence(finder, op, i));
}

static void visit_dependent(struct finder *finder, MlirOperation op) {
  rule_function *rule = rule_of(finder, op);
  enum op_effects effects = op_info(&finder->session->names, op)->effects;
  finder->escapes |= !rule && !(effects == EFFECTS_PURE || effects == EFFECTS_PURE_MAY_TRAP ||
                                effects == EFFECTS_READ);
  struct dependence dependence = rule ? rule(finder, op) : lost;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    set_dependence(finder, op_result(op, i), dependence);
}

static void visit(struct finder *finder, MlirOperation op) {
  if (waits_for_async_dot(finder->session, op))
    visit_wait(finder, op);
  else if (FAILED(visit_operations(op, find_dependent_operand, finder)))
    finder->escapes = true;
  else if (has_dependent_operand(finder, op))
    visit_dependent(finder, op);
}

/* --- The sums --------------------------------------------------------------------------------- */

/* The only dimension of a tile that has several places, or the first one where none has; -1: there
   are several. */
static int rows_of(MlirType type) {
  int rows = -1;
  for (int i = 0; type_is_tensor(type) && i < mlirShapedTypeGetRank(type); i++)
    if (mlirShapedTypeGetDimSize(type, i) > 1) {
      if (rows >= 0)
        return -1;
      rows = i;
    }
  return rows;
}

/* The carried value that a maximum of the body takes, and yields; -1: none. */
static intptr_t number_of_maximum(struct finder *finder) {
  struct loop_sums *sums = finder->sums;
  MlirOperation yield = mlirBlockGetTerminator(op_body(sums->loop, 0));
  for (intptr_t i = 0; i < sums->count; i++) {
    MlirOperation op = value_definition(op_operand(yield, i));
    if (!mlirOperationIsNull(op) && mlirOperationGetNumOperands(op) == 2 &&
        rule_of(finder, op) == rule_maximum && rows_of(op_result_type(op, 0)) >= 0 &&
        (loop_carried_number(sums->loop, op_operand(op, 0)) == i ||
         loop_carried_number(sums->loop, op_operand(op, 1)) == i))
      return i;
  }
  return -1;
}

/* Is it the same in all iterations, and does it not have to be computed in one? */
static bool is_from_outside(struct finder *finder, MlirValue value) {
  MlirOperation loop = finder->sums->loop, op = value_definition(value);
  return !value_is_argument_of(value, op_body(loop, 0)) &&
         (mlirOperationIsNull(op) || !op_is_inside(op, loop) ||
          op_is(finder->session, op, OP_ARITH_CONSTANT));
}

/* A number or pointer, plus what is the same in all iterations. */
static bool is_counter(struct finder *finder, intptr_t i) {
  struct loop_sums *sums = finder->sums;
  MlirBlock body = op_body(sums->loop, 0);
  MlirOperation op = value_definition(op_operand(mlirBlockGetTerminator(body), i));
  MlirValue carried = mlirBlockGetArgument(body, 1 + i);
  enum op_kind kind = mlirOperationIsNull(op) ? OP_OTHER : kind_of(finder->session, op);
  MlirType type = mlirValueGetType(carried);
  bool counts = kind == OP_ARITH_ADDI && (type_is_integer(type, 32) || type_is_integer(type, 64));
  bool moves = kind == OP_TILE_ADDPTR && type_is_pointer(&finder->session->types, type);
  if (!(counts || moves) || !mlirValueEqual(op_operand(op, 0), carried) ||
      !is_from_outside(finder, op_operand(op, 1)))
    return false;
  sums->steps[i] = op_operand(op, 1);
  bool used = value_is_used(op_result(sums->loop, i)) || !value_has_one_use(carried) ||
              !value_has_one_use(op_result(op, 0));
  sums->kinds[i] = used ? LOOP_SUM_COUNTER : LOOP_SUM_UNUSED;
  return true;
}

/* Counters are FREE: a part knows what they are in each of its iterations. */
static void begin(struct finder *finder) {
  struct loop_sums *sums = finder->sums;
  for (intptr_t i = 0; i < sums->count; i++) {
    MlirValue carried = mlirBlockGetArgument(op_body(sums->loop, 0), 1 + i);
    struct dependence old = {.kind = OLD, .axis = rows_of(mlirValueGetType(carried))};
    struct dependence sum = {.kind = CARRIED, .number = i};
    if (!is_counter(finder, i))
      set_dependence(finder, carried, i == sums->maximum ? old : sum);
  }
}

/* What is yielded as number `i`. */
static bool end(struct finder *finder, intptr_t i, MlirValue yielded) {
  struct loop_sums *sums = finder->sums;
  struct dependence dependence = dependence_of(finder, yielded);
  if (!mlirValueIsNull(sums->steps[i]))
    return true;
  if (i == sums->maximum) {
    sums->kinds[i] = LOOP_SUM_MAXIMUM;
    return mlirValueEqual(yielded, sums->next);
  }
  if (dependence.number != i)
    return false;
  if (dependence.kind == PLAIN) {
    sums->kinds[i] = LOOP_SUM_PLAIN;
    return true;
  }
  if (dependence.kind != SUM)
    return false;
  sums->kinds[i] = LOOP_SUM_RESCALED;
  sums->factors[i] = dependence.factor;
  return true;
}

static bool find(struct finder *finder) {
  struct loop_sums *sums = finder->sums;
  MlirBlock body = op_body(sums->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), op = mlirBlockGetFirstOperation(body);
  sums->maximum = number_of_maximum(finder);
  begin(finder);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op))
    visit(finder, op);
  for (intptr_t i = 0; i < sums->count; i++)
    if (!end(finder, i, op_operand(yield, i)))
      return false;
  bool nothing_is_none = !finder->unguarded || score_is_plain(sums, &finder->score);
  return nothing_is_none && !finder->escapes;
}

bool loop_sums_find(struct loop_sums *sums, struct session *session, MlirOperation loop) {
  *sums = (struct loop_sums){
      .session = session, .loop = loop, .count = mlirOperationGetNumResults(loop)};
  if (sums->count > MAX_LOOP_SUMS)
    return false;
  struct finder finder = {.session = session, .sums = sums};
  bool found = find(&finder);
  map_free(&finder.known);
  arena_destroy(&finder.arena);
  return found;
}
