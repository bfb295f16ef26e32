/* SPDX-License-Identifier: MIT */
/* Expressions: constants, operators, displays. Names are in names.c, calls in calls.c, attributes
   in attributes.c, indexing in subscripts.c, and what exists at compile time only in
   compile_time.c. */
#include <string.h>
#include "frontend/check/control.h"

/* --- Operators -------------------------------------------------------------------------------- */

/* x ** y of floats at run time: by multiplying for small whole exponents, else what libdevice does.
 */
static bool run_time_power(struct checker *c, struct span span, const struct value *a,
                           const struct value *b, struct value *out) {
  struct value whole = *b;
  double exponent = value_is_number(b) ? value_as_double(b) : -1;
  if (exponent >= 0 && exponent <= 64 && exponent == (double)(int)exponent) {
    whole = value_integer((int64_t)exponent);
    return emit_binary(&c->e, BINARY_POWER, a, &whole, out) || check_fail_emitter(c, span);
  }
  const struct builtin *power = builtin_find("libdevice.pow");
  struct value callee = {.kind = VALUE_BUILTIN, .object = power};
  struct value arguments[] = {*a, *b};
  return check_apply(c, &callee, arguments, 2, span, out);
}

static bool is_float(const struct value *value) {
  return value->kind == VALUE_FLOAT ||
         (value->kind == VALUE_RUNTIME && dtype_is_float(value->run_time.dtype));
}

/* Two tuples or strings of a kind, or one times a number. */
static bool is_meant_for_sequences(enum operator_kind op, const struct value *a,
                                   const struct value *b) {
  bool sequence_a = a->kind == VALUE_TUPLE || a->kind == VALUE_STRING;
  bool sequence_b = b->kind == VALUE_TUPLE || b->kind == VALUE_STRING;
  if (sequence_a && a->kind == b->kind)
    return true;
  return op == OPERATOR_MUL
             ? (sequence_a && value_is_number(b)) || (sequence_b && value_is_number(a))
             : a->kind == VALUE_TUPLE && value_is_number(b);
}

bool check_operator(struct checker *c, enum operator_kind op, struct span span,
                    const struct value *a, const struct value *b, struct value *out) {
  enum binary_operator binary;
  bool run_time = a->kind == VALUE_RUNTIME || b->kind == VALUE_RUNTIME;
  if (op == OPERATOR_MATMUL)
    return check_fail(c, span, "'@' is not supported in a kernel; use tl.dot");
  if (!binary_of(op, &binary))
    return check_fail(c, span, "the operator '%s' is not supported in a kernel",
                      operator_spelling(op));
  check_locate(c, span);
  bool good;
  if (!run_time && eval_sequences(&c->eval, op, span, a, b, out, &good))
    return good;
  if (!run_time && is_meant_for_sequences(op, a, b))
    return check_fail(c, span, "'%s' does not work on tuples and strings so",
                      operator_spelling(op));
  if (binary == BINARY_POWER && run_time && (is_float(a) || is_float(b)))
    return run_time_power(c, span, a, b, out);
  return emit_binary(&c->e, binary, a, b, out) || check_fail_emitter(c, span);
}

/* Python's == of compile-time values. */
static bool equal_constants(struct checker *c, const struct value *a, const struct value *b) {
  struct value result;
  if (value_is_number(a) && value_is_number(b))
    return fold_binary(&c->e, BINARY_EQUAL, a, b, &result) && result.boolean;
  if (a->kind != VALUE_TUPLE || b->kind != VALUE_TUPLE || a->tuple.count != b->tuple.count)
    return value_same(a, b);
  for (size_t i = 0; i < a->tuple.count; i++)
    if (!equal_constants(c, &a->tuple.items[i], &b->tuple.items[i]))
      return false;
  return true;
}

static bool check_membership(struct checker *c, const struct node *node, enum operator_kind op,
                             const struct value *a, const struct value *b, struct value *out) {
  bool found = false;
  if (a->kind == VALUE_STRING && b->kind == VALUE_STRING) {
    if (!check_work(c, node->span, b->text.length * (1 + a->text.length / 16)))
      return false;
    found = eval_contains(b->text, a->text);
  } else {
    if (b->kind != VALUE_TUPLE || !value_is_constant(a) || !value_is_constant(b))
      return check_fail(c, node->span,
                        "'in' looks for a compile-time value in a tuple of such values");
    for (size_t i = 0; i < b->tuple.count && !found; i++)
      found = equal_constants(c, a, &b->tuple.items[i]);
  }
  *out = value_bool(found == (op == OPERATOR_IN));
  return true;
}

static bool fail_order(struct checker *c, const struct node *node, enum operator_kind op,
                       const struct value *a, const struct value *b) {
  return check_fail(c, node->span, "%s %s %s: numbers or tiles are needed",
                    value_describe(&c->e.arena, a), operator_spelling(op),
                    value_describe(&c->e.arena, b));
}

/* Comparing two values walks through both. */
static bool count_comparison(struct checker *c, struct span span, const struct value *a,
                             const struct value *b) {
  bool texts = a->kind == VALUE_STRING && b->kind == VALUE_STRING;
  return (!texts || check_text_size(c, span, a->text.length)) && check_value_size(c, span, a) &&
         check_value_size(c, span, b);
}

static bool compare_pair(struct checker *c, const struct node *node, enum operator_kind op,
                         const struct value *a, const struct value *b, struct value *out) {
  bool identity = op == OPERATOR_IS || op == OPERATOR_IS_NOT;
  bool equality = op == OPERATOR_EQ || op == OPERATOR_NE;
  bool numbers = (value_is_number(a) || a->kind == VALUE_RUNTIME) &&
                 (value_is_number(b) || b->kind == VALUE_RUNTIME);
  if (!count_comparison(c, node->span, a, b))
    return false;
  if (op == OPERATOR_IN || op == OPERATOR_NOT_IN)
    return check_membership(c, node, op, a, b, out);
  if (identity || (equality && !numbers)) {
    bool negated = op == OPERATOR_IS_NOT || op == OPERATOR_NE;
    *out = value_bool(equal_constants(c, a, b) != negated);
    return true;
  }
  return numbers ? check_operator(c, op, node->span, a, b, out) : fail_order(c, node, op, a, b);
}

/* a < b < c is (a < b) and (b < c), each operand evaluated once. */
static bool check_compare(struct checker *c, const struct node *node, struct value *out) {
  const struct node_list *operands = &node->compare.operands;
  struct value left, right, pair;
  if (!check_expression(c, operands->items[0], &left))
    return false;
  for (uint32_t i = 1; i < operands->count; i++) {
    if (!check_expression(c, operands->items[i], &right) ||
        !compare_pair(c, node, node->compare.operators[i - 1], &left, &right, &pair))
      return false;
    if (i == 1)
      *out = pair;
    else if (!emit_binary(&c->e, BINARY_AND, out, &pair, out))
      return check_fail_emitter(c, node->span);
    left = right;
  }
  return true;
}

/* and, or. A compile-time operand that decides is the result, even after run-time ones; one that
   does not is left out. Run-time operands are joined by the element-wise & and | of their truth. */
static bool check_logical(struct checker *c, const struct node *node, struct value *out) {
  bool is_and = node->logical.op == OPERATOR_AND, joined = false;
  const struct node_list *operands = &node->logical.operands;
  struct value next, truth;
  for (uint32_t i = 0; i < operands->count; i++) {
    if (!check_expression(c, operands->items[i], &next))
      return false;
    if (next.kind != VALUE_RUNTIME) {
      if (value_truth(&next) != is_and || !joined)
        *out = next;
      if (value_truth(&next) != is_and)
        return true;
      continue;
    }
    check_locate(c, node->span);
    if (!emit_truth(&c->e, &next, &truth) ||
        (joined && !emit_binary(&c->e, is_and ? BINARY_AND : BINARY_OR, out, &truth, &truth)))
      return check_fail_emitter(c, node->span);
    *out = truth;
    joined = true;
  }
  return true;
}

static bool check_unary(struct checker *c, const struct node *node, struct value *out) {
  struct value operand;
  if (!check_expression(c, node->unary.operand, &operand))
    return false;
  check_locate(c, node->span);
  enum operator_kind op = node->unary.op;
  *out = operand;
  if (op == OPERATOR_PLUS)
    return true;
  if (op == OPERATOR_NOT && value_is_compile_time(&operand)) {
    *out = value_bool(!value_truth(&operand));
    return true;
  }
  bool done = op == OPERATOR_NEGATE
                  ? emit_negate(&c->e, &operand, out)
                  : (op == OPERATOR_INVERT || emit_truth(&c->e, &operand, &operand)) &&
                        emit_invert(&c->e, &operand, out);
  return done || check_fail_emitter(c, node->span);
}

static bool find_call(struct node *node, void *data) {
  *(bool *)data |= node_is(node, NODE_CALL) || node_is(node, NODE_WALRUS);
  return true;
}

/* One side of a conditional expression, as a branch. */
static bool emit_side(struct checker *c, const struct node *node, struct branch *out) {
  open_branch(c, out);
  struct value value = value_none();
  bool good = check_expression(c, node, &value);
  close_branch(c, out);
  out->value = value;
  return good;
}

static bool choose_by_branch(struct checker *c, const struct node *node, MlirValue condition,
                             struct value *out) {
  struct branch branches[2];
  bool good = emit_side(c, node->conditional.then, &branches[0]);
  good &= emit_side(c, node->conditional.otherwise, &branches[1]);
  if (good)
    return merge_branches(c, node->span, condition, branches, out);
  discard_branch(&branches[0]);
  discard_branch(&branches[1]);
  return false;
}

/* Numbers may differ in type, which the wider takes. */
static bool pointers_agree(struct dtype a, struct dtype b) {
  return (!a.pointers && !b.pointers) || dtype_equal(a, b);
}

/* a if condition else b. At run time one side only is carried out if they do more than arithmetic.
 */
static bool check_conditional(struct checker *c, const struct node *node, struct value *out) {
  struct value condition, a, b;
  bool calls = false;
  if (!check_condition(c, node->conditional.condition, &condition))
    return false;
  if (condition.kind == VALUE_BOOL)
    return check_expression(
        c, condition.boolean ? node->conditional.then : node->conditional.otherwise, out);
  node_walk(node->conditional.then, find_call, &calls);
  node_walk(node->conditional.otherwise, find_call, &calls);
  if (calls)
    return check_nesting(c, node->span) && choose_by_branch(c, node, condition.run_time.ir, out);
  if (!check_expression(c, node->conditional.then, &a) ||
      !check_expression(c, node->conditional.otherwise, &b))
    return false;
  check_locate(c, node->span);
  if (a.kind == VALUE_RUNTIME && b.kind == VALUE_RUNTIME &&
      !pointers_agree(a.run_time.dtype, b.run_time.dtype))
    return fail_sides(c, node->span, &a, &b);
  return emit_where(&c->e, &condition, &a, &b, out) || check_fail_emitter(c, node->span);
}

/* --- All of them ------------------------------------------------------------------------------ */

static bool check_literal(struct checker *c, const struct node *node, struct value *out) {
  return eval_literal(&c->eval, node, out);
}

static bool check_binary(struct checker *c, const struct node *node, struct value *out) {
  return eval_binary(&c->eval, node, out);
}

/* Tuples and lists: the same thing here, as nothing is changed in place. */
static bool check_tuple(struct checker *c, const struct node *node, struct value *out) {
  const struct node_list *elements = node_elements(node);
  return eval_display(&c->eval, elements->count ? elements->items[0]->span : node->span, elements,
                      out);
}

static bool fail_display(struct checker *c, const struct node *node, struct value *out) {
  (void)out;
  return check_fail(c, node->span,
                    "%s is not supported in a kernel; use a tuple, or pass the value as a "
                    "tl.constexpr",
                    node_kind_phrase(node_kind(node)));
}

bool check_constant_integer(struct checker *c, const struct node *node, const char *what,
                            int64_t *out) {
  struct value value;
  if (!check_expression(c, node, &value))
    return false;
  if (!value_is_integer(&value))
    return check_fail(c, node->span, "%s is a compile-time integer%s", what,
                      value.kind == VALUE_RUNTIME ? "; this value is known at run time only: make "
                                                    "the parameter a tl.constexpr"
                                                  : "");
  *out = value_as_integer(&value);
  return true;
}

/* name := value, which is an assignment and has what the variable then holds. */
static bool check_walrus(struct checker *c, const struct node *node, struct value *out) {
  return check_expression(c, node->walrus.value, out) &&
         assign_plain(c, node->walrus.target, out) && check_name(c, node->walrus.target, out);
}

typedef bool expression_rule(struct checker *c, const struct node *node, struct value *out);
static expression_rule *const expressions[NODE_KIND_COUNT] = {
    [NODE_NAME] = check_name,           [NODE_INTEGER] = check_literal,
    [NODE_FLOAT] = check_literal,       [NODE_STRING] = check_literal,
    [NODE_NONE] = check_literal,        [NODE_BOOL] = check_literal,
    [NODE_ATTRIBUTE] = check_attribute, [NODE_SUBSCRIPT] = check_subscript,
    [NODE_CALL] = check_call,           [NODE_UNARY] = check_unary,
    [NODE_BINARY] = check_binary,       [NODE_LOGICAL] = check_logical,
    [NODE_COMPARE] = check_compare,     [NODE_CONDITIONAL] = check_conditional,
    [NODE_TUPLE] = check_tuple,         [NODE_LIST] = check_tuple,
    [NODE_FSTRING] = check_fstring,     [NODE_COMPREHENSION] = check_comprehension,
    [NODE_LAMBDA] = check_lambda,       [NODE_WALRUS] = check_walrus,
    [NODE_DICT] = fail_display,         [NODE_SET] = fail_display,
};

bool check_expression(struct checker *c, const struct node *node, struct value *out) {
  expression_rule *rule = expressions[node->kind];
  if (!check_level(c, node->span))
    return false;
  c->level++;
  bool good = rule ? rule(c, node, out)
                   : check_fail(c, node->span, "%s is not supported in a kernel",
                                node_kind_phrase(node_kind(node)));
  c->level--;
  return good;
}
