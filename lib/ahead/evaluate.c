/* SPDX-License-Identifier: MIT */
/* Expressions whose names are all known: the numbers that the C of expression.c would compute, at
   once. */
#include <inttypes.h>
#include <string.h>
#include "ahead/expression.h"
#include "base/machine.h"
#include "tile/embedded.h"

static bool evaluate_condition(const struct expression *e, const struct node *node, bool *out);

static bool apply(const struct expression *e, const struct node *node,
                  const struct expression_operation *operation, int64_t a, int64_t b,
                  int64_t *out) {
  bool bad = false;
  *out = operation->of(&bad, a, b);
  return !bad || expression_fail(e, node, "the number overflows, or is divided by zero");
}

static bool evaluate_binary(const struct expression *e, const struct node *node, int64_t *out) {
  const struct expression_operation *operation = expression_operator(e, node);
  int64_t a, b;
  return operation && expression_evaluate(e, node->binary.left, &a) &&
         expression_evaluate(e, node->binary.right, &b) && apply(e, node, operation, a, b, out);
}

static bool evaluate_call(const struct expression *e, const struct node *node, int64_t *out) {
  const struct expression_operation *operation = expression_function(e, node);
  const struct node_list *arguments = &node->call.arguments;
  int64_t next;
  if (!operation || !expression_evaluate(e, arguments->items[0], out))
    return false;
  for (uint32_t i = 1; i < arguments->count; i++)
    if (!expression_evaluate(e, arguments->items[i], &next) ||
        !apply(e, node, operation, *out, next, out))
      return false;
  return true;
}

/* Only a condition has names that are not known. */
static bool evaluate_name(const struct expression *e, const struct node *node, int64_t *out) {
  const struct expression_name *name = expression_find(e, node);
  *out = name ? name->value : 0;
  return name &&
         (name->is_constant ||
          expression_fail(
              e, node,
              "one side of a comparison is an argument by itself, the other one is constant"));
}

static bool evaluate_integer(const struct expression *e, const struct node *node, int64_t *out) {
  *out = (int64_t)node->integer.value;
  return expression_is_in_range(e, node);
}

static bool evaluate_unary(const struct expression *e, const struct node *node, int64_t *out) {
  bool plus = node->unary.op == OPERATOR_PLUS;
  if (!plus && node->unary.op != OPERATOR_NEGATE)
    return expression_fail(e, node, "the operator '%s' cannot be used here",
                           operator_spelling(node->unary.op));
  return expression_evaluate(e, node->unary.operand, out) &&
         (plus ||
          apply(e, node, &(struct expression_operation){.of = tile_int_subtract}, 0, *out, out));
}

static bool evaluate_choice(const struct expression *e, const struct node *node, int64_t *out) {
  bool condition;
  return evaluate_condition(e, node->conditional.condition, &condition) &&
         expression_evaluate(e, condition ? node->conditional.then : node->conditional.otherwise,
                             out);
}

bool expression_evaluate(const struct expression *e, const struct node *node, int64_t *out) {
  static bool (*const rules[NODE_KIND_COUNT])(const struct expression *, const struct node *,
                                              int64_t *) = {
      [NODE_INTEGER] = evaluate_integer, [NODE_NAME] = evaluate_name,
      [NODE_ATTRIBUTE] = evaluate_name,  [NODE_SUBSCRIPT] = evaluate_name,
      [NODE_BINARY] = evaluate_binary,   [NODE_UNARY] = evaluate_unary,
      [NODE_CALL] = evaluate_call,       [NODE_CONDITIONAL] = evaluate_choice,
  };
  enum node_kind kind = node_kind(node);
  return rules[kind] ? rules[kind](e, node, out)
                     : expression_fail(e, node, "%s is no integer", node_kind_phrase(kind));
}

/* --- Conditions ------------------------------------------------------------------------------- */

static bool holds(enum operator_kind op, int64_t a, int64_t b, bool *known) {
  *known = op == OPERATOR_EQ || op == OPERATOR_NE || op == OPERATOR_LT || op == OPERATOR_LE ||
           op == OPERATOR_GT || op == OPERATOR_GE;
  return op == OPERATOR_EQ   ? a == b
         : op == OPERATOR_NE ? a != b
         : op == OPERATOR_LT ? a < b
         : op == OPERATOR_LE ? a <= b
         : op == OPERATOR_GT ? a > b
                             : *known && a >= b;
}

/* a < b < c is a < b and b < c. */
static bool evaluate_compare(const struct expression *e, const struct node *node, bool *out) {
  const struct node_compare *compare = &node->compare;
  int64_t left, right;
  bool known;
  *out = true;
  if (!expression_evaluate(e, compare->operands.items[0], &left))
    return false;
  for (uint32_t i = 0; i + 1 < compare->operands.count; i++, left = right) {
    if (!expression_evaluate(e, compare->operands.items[i + 1], &right))
      return false;
    *out = holds(compare->operators[i], left, right, &known) && *out;
    if (!known)
      return expression_fail(e, node,
                             "the operator '%s' cannot be used here; there are == != < <= > >=",
                             operator_spelling(compare->operators[i]));
  }
  return true;
}

static bool evaluate_condition(const struct expression *e, const struct node *node, bool *out) {
  int64_t number;
  if (node_is(node, NODE_COMPARE))
    return evaluate_compare(e, node, out);
  if (node_is(node, NODE_BOOL)) {
    *out = node->boolean.value;
    return true;
  }
  if (node_is(node, NODE_UNARY) && node->unary.op == OPERATOR_NOT) {
    bool good = evaluate_condition(e, node->unary.operand, out);
    *out = !*out;
    return good;
  }
  if (node_is(node, NODE_LOGICAL)) {
    bool stops_at = node->logical.op != OPERATOR_AND;
    for (uint32_t i = 0; i < node->logical.operands.count; i++) {
      if (!evaluate_condition(e, node->logical.operands.items[i], out))
        return false;
      if (*out == stops_at)
        return true;
    }
    return true;
  }
  if (!expression_evaluate(e, node, &number))
    return false;
  *out = number != 0;
  return true;
}

/* --- Grids ------------------------------------------------------------------------------------ */

static bool evaluate_size(const struct expression *e, const struct node *node, int axis,
                          uint32_t *out) {
  int64_t size, most = machine_grid_limit(axis);
  if (!expression_evaluate(e, node, &size))
    return false;
  *out = (uint32_t)size;
  return (size >= 1 && size <= most) ||
         expression_fail(e, node,
                         "the grid has %" PRId64 " programs along %c; there are from 1 to %" PRId64,
                         size, "xyz"[axis], most);
}

bool expression_grid_values(struct arena *arena, struct problems *problems, const char *text,
                            const struct expression_names *names, uint32_t out[3]) {
  struct expression e = {expression_source(arena, "--grid", text), problems, names, NULL};
  const struct node_list *list = expression_grid_sizes(arena, &e);
  out[0] = out[1] = out[2] = 1;
  for (uint32_t i = 0; list && i < list->count; i++)
    if (!evaluate_size(&e, list->items[i], (int)i, &out[i]))
      return false;
  return list != NULL;
}
