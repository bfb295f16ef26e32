/* SPDX-License-Identifier: MIT */
/* See loop_sums.h. */
#include "analysis/loop_sums.h"

#include <math.h>
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
  SHIFTED,  /* c top' + FREE */
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

/* c and b. */
struct slope {
  MlirAttribute number; /* a constant c, or */
  MlirValue scalar;     /* a number from outside of the loop; neither: 1 */
  bool natural;         /* b is e, not 2 */
};

struct dependence {
  enum dependence_kind kind;
  struct slope slope; /* of OLD to TERM, and of SCALED and SUM */
  intptr_t number;    /* of CARRIED, SCALED, PLAIN and SUM */
  MlirValue factor;   /* of FACTOR, SCALED and SUM */
  MlirValue value;    /* that depends so */
};

struct finder {
  struct session *session;
  struct loop_sums *sums;
  struct map known; /* MlirValue.ptr -> struct dependence, of all that are not FREE */
  struct arena arena;
  bool escapes; /* something besides the loop gets to know what is carried */
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

static bool is_one(const struct slope *slope) {
  return mlirAttributeIsNull(slope->number) && mlirValueIsNull(slope->scalar);
}

static bool equal_slopes(const struct slope *a, const struct slope *b) {
  bool numbers = mlirAttributeIsNull(a->number) ? mlirAttributeIsNull(b->number)
                                                : mlirAttributeEqual(a->number, b->number);
  bool scalars = mlirValueIsNull(a->scalar) ? mlirValueIsNull(b->scalar)
                                            : mlirValueEqual(a->scalar, b->scalar);
  return numbers && scalars && a->natural == b->natural;
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

/* a + b, in this order. */
static struct dependence add_to(struct dependence a, struct dependence b) {
  bool alike = equal_slopes(&a.slope, &b.slope);
  if (a.kind == FREE && b.kind == FREE)
    return b;
  if (a.kind == FREE && (b.kind == NEW || b.kind == SHIFTED))
    return with_kind(b, SHIFTED);
  if (a.kind == FREE && (b.kind == NEGATIVE || b.kind == EXPONENT))
    return with_kind(b, EXPONENT);
  if (a.kind == FREE && (b.kind == CARRIED || b.kind == PLAIN))
    return with_kind(b, PLAIN);
  if (a.kind == OLD && b.kind == NEGATIVE && alike)
    return with_kind(a, GAP);
  if (a.kind == TERM && b.kind == TERM && alike)
    return a;
  return a.kind == TERM && (b.kind == SCALED || b.kind == SUM) && alike ? with_kind(b, SUM) : lost;
}

static struct dependence add(struct dependence a, struct dependence b) {
  struct dependence sum = add_to(a, b);
  return sum.kind == LOST ? add_to(b, a) : sum;
}

static struct dependence negate(struct dependence a) {
  if (a.kind == NEW)
    return with_kind(a, NEGATIVE);
  if (a.kind == SHIFTED)
    return with_kind(a, EXPONENT);
  return a.kind == FREE || a.kind == TERM ? a : lost;
}

/* The number that all elements are in all iterations, as a slope; false: there is none. */
static bool read_slope(struct finder *finder, MlirValue value, struct slope *slope) {
  slope->number = uniform_number(finder->session, value);
  if (!mlirAttributeIsNull(slope->number))
    return true;
  MlirBlock body = op_body(finder->sums->loop, 0);
  for (MlirOperation op = value_definition(value);
       !mlirOperationIsNull(op) && op_has(finder->session, op, REARRANGES) &&
       mlirOperationGetNumOperands(op) == 1;
       op = value_definition(value))
    value = op_operand(op, 0);
  MlirOperation op = value_definition(value);
  slope->scalar = value;
  return !type_is_tensor(mlirValueGetType(value)) && !value_is_argument_of(value, body) &&
         (mlirOperationIsNull(op) || !op_is_inside(op, finder->sums->loop));
}

/* a * b, in this order. */
static struct dependence multiply_by(struct finder *finder, struct dependence a,
                                     struct dependence b) {
  if (a.kind == CARRIED && b.kind == FACTOR) {
    a.factor = b.factor;
    a.slope = b.slope;
    return with_kind(a, SCALED);
  }
  if (b.kind != FREE)
    return lost;
  if (a.kind == FREE || a.kind == TERM)
    return a;
  bool takes_slope = a.kind >= OLD && a.kind <= GAP && is_one(&a.slope);
  return takes_slope && read_slope(finder, b.value, &a.slope) ? a : lost;
}

static struct dependence multiply(struct finder *finder, struct dependence a, struct dependence b) {
  struct dependence product = multiply_by(finder, a, b);
  return product.kind == LOST ? multiply_by(finder, b, a) : product;
}

static struct dependence rule_add(struct finder *finder, MlirOperation op) {
  return add(operand_dependence(finder, op, 0), operand_dependence(finder, op, 1));
}

static struct dependence rule_subtract(struct finder *finder, MlirOperation op) {
  return add(operand_dependence(finder, op, 0), negate(operand_dependence(finder, op, 1)));
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
  return add(rule_multiply(finder, op), operand_dependence(finder, op, 2));
}

static struct dependence rule_power(struct finder *finder, MlirOperation op) {
  struct dependence a = operand_dependence(finder, op, 0);
  a.slope.natural = op_is(finder->session, op, OP_MATH_EXP);
  if (a.kind == GAP)
    return with_kind(a, FACTOR);
  return a.kind == EXPONENT || a.kind == NEGATIVE ? with_kind(a, TERM) : lost;
}

/* Roundings are of the terms that there are, whatever they are relative to. */
static struct dependence rule_round(struct finder *finder, MlirOperation op) {
  struct dependence a = operand_dependence(finder, op, 0);
  return a.kind == TERM ? a : lost;
}

static struct dependence rule_maximum(struct finder *finder, MlirOperation op) {
  struct loop_sums *sums = finder->sums;
  intptr_t number = -1;
  for (intptr_t i = 0; i < 2; i++)
    if (operand_dependence(finder, op, 1 - i).kind == FREE)
      number = loop_carried_number(sums->loop, op_operand(op, i));
  if (number < 0 || number != sums->maximum || !mlirValueIsNull(sums->next))
    return lost;
  sums->next = op_result(op, 0);
  return (struct dependence){.kind = NEW};
}

static struct dependence rule_compare(struct finder *finder, MlirOperation op) {
  enum { EQUAL = 1, GREATER = 2, DIFFERENT = 6, NOT_DIFFERENT = 8, UNEQUAL = 13 };
  struct dependence a = operand_dependence(finder, op, 0);
  if (a.kind != NEW || !is_one(&a.slope) || !is_number(finder, op_operand(op, 1), -INFINITY))
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
static struct dependence guard(struct finder *finder, struct dependence some,
                               struct dependence none) {
  MlirAttribute number = uniform_number(finder->session, none.value);
  bool guards = some.kind == NEW && is_one(&some.slope) && !mlirAttributeIsNull(number) &&
                isfinite(mlirFloatAttrGetValueDouble(number));
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
  return nothing || (b.kind == a.kind && equal_slopes(&a.slope, &b.slope)) ? a : lost;
}

static struct dependence rule_select(struct finder *finder, MlirOperation op) {
  struct dependence a = operand_dependence(finder, op, 1), b = operand_dependence(finder, op, 2);
  enum dependence_kind condition = operand_dependence(finder, op, 0).kind;
  if (condition == FREE)
    return choose(finder, a, b);
  if (condition == IS_NONE)
    return guard(finder, b, a);
  return condition == IS_SOME ? guard(finder, a, b) : lost;
}

static struct dependence rule_reduce(struct finder *finder, MlirOperation op) {
  struct dependence a = operand_dependence(finder, op, 0);
  bool adds =
      mlirOperationGetNumOperands(op) == 1 && reduce_combiner(finder->session, op) == OP_ARITH_ADDF;
  return adds && a.kind == TERM ? a : lost;
}

/* Operands from the third on are no elements. */
static struct dependence rule_dot(struct finder *finder, MlirOperation op) {
  for (intptr_t i = 3; i < mlirOperationGetNumOperands(op); i++)
    if (operand_dependence(finder, op, i).kind != FREE)
      return lost;
  struct dependence product = rule_multiply(finder, op);
  if (product.kind != FREE && product.kind != TERM)
    return lost;
  return is_number(finder, op_operand(op, 2), 0) ? product
                                                 : add(product, operand_dependence(finder, op, 2));
}

/* Through shared memory, or in other places, shapes and layouts. */
static struct dependence rule_move(struct finder *finder, MlirOperation op) {
  return mlirOperationGetNumOperands(op) == 1 ? operand_dependence(finder, op, 0) : lost;
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

/* The carried value that a maximum of the body takes, and yields; -1: none. */
static intptr_t number_of_maximum(struct finder *finder) {
  struct loop_sums *sums = finder->sums;
  MlirOperation yield = mlirBlockGetTerminator(op_body(sums->loop, 0));
  for (intptr_t i = 0; i < sums->count; i++) {
    MlirOperation op = value_definition(op_operand(yield, i));
    if (!mlirOperationIsNull(op) && mlirOperationGetNumOperands(op) == 2 &&
        rule_of(finder, op) == rule_maximum &&
        (loop_carried_number(sums->loop, op_operand(op, 0)) == i ||
         loop_carried_number(sums->loop, op_operand(op, 1)) == i))
      return i;
  }
  return -1;
}

static void begin(struct finder *finder) {
  struct loop_sums *sums = finder->sums;
  for (intptr_t i = 0; i < sums->count; i++)
    set_dependence(finder, mlirBlockGetArgument(op_body(sums->loop, 0), 1 + i),
                   (struct dependence){.kind = i == sums->maximum ? OLD : CARRIED, .number = i});
}

/* What is yielded as number `i`; all that is rescaled is so by one slope. */
static bool end(struct finder *finder, intptr_t i, MlirValue yielded, struct dependence *rescaled) {
  struct loop_sums *sums = finder->sums;
  struct dependence dependence = dependence_of(finder, yielded);
  if (i == sums->maximum) {
    sums->kinds[i] = LOOP_SUM_MAXIMUM;
    return mlirValueEqual(yielded, sums->next);
  }
  if (dependence.number != i)
    return false;
  bool used = value_is_used(op_result(sums->loop, i));
  if (dependence.kind == CARRIED || dependence.kind == PLAIN) {
    sums->kinds[i] = used ? LOOP_SUM_PLAIN : LOOP_SUM_UNUSED;
    return dependence.kind == PLAIN || !used;
  }
  if (dependence.kind != SUM)
    return false;
  sums->kinds[i] = LOOP_SUM_RESCALED;
  sums->factors[i] = dependence.factor;
  if (rescaled->kind != SUM)
    *rescaled = dependence;
  return equal_slopes(&rescaled->slope, &dependence.slope);
}

static bool find(struct finder *finder) {
  struct loop_sums *sums = finder->sums;
  MlirBlock body = op_body(sums->loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), op = mlirBlockGetFirstOperation(body);
  sums->maximum = number_of_maximum(finder);
  begin(finder);
  for (; !mlirOperationEqual(op, yield); op = mlirOperationGetNextInBlock(op))
    visit(finder, op);
  struct dependence rescaled = {.kind = FREE};
  for (intptr_t i = 0; i < sums->count; i++)
    if (!end(finder, i, op_operand(yield, i), &rescaled))
      return false;
  return !finder->escapes;
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
