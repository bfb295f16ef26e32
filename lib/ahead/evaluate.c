/* SPDX-License-Identifier: MIT */
/* Grids whose names are all known: the numbers that the C of expression.c would compute, at once.
 */
#include <inttypes.h>
#include <string.h>
#include "ahead/expression.h"
#include "base/machine.h"
#include "tile/embedded.h"

struct evaluation {
  const struct source *source; /* the arena's: problems point to it */
  struct problems *problems;
  const struct expression_names *names;
  const char *meta; /* the parameter of a lambda, whose entries are the constants; or NULL */
};

static bool fail(struct evaluation *e, const struct node *node, const char *format, ...)
    TILE_PRINTF(3, 4);
static bool fail(struct evaluation *e, const struct node *node, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  problems_add_v(e->problems, PROBLEM_ERROR, e->source, node->span, format, arguments);
  va_end(arguments);
  return false;
}

typedef int64_t operation(bool *bad, int64_t a, int64_t b);

static bool evaluate(struct evaluation *e, const struct node *node, int64_t *out);
static bool evaluate_condition(struct evaluation *e, const struct node *node, bool *out);

static bool apply(struct evaluation *e, const struct node *node, operation *of, int64_t a,
                  int64_t b, int64_t *out) {
  bool bad = false;
  *out = of(&bad, a, b);
  return !bad || fail(e, node, "the number overflows, or is divided by zero");
}

static bool evaluate_binary(struct evaluation *e, const struct node *node, int64_t *out) {
  static const struct {
    enum operator_kind op;
    operation *of;
  } rows[] = {{OPERATOR_ADD, tile_int_add},
              {OPERATOR_SUB, tile_int_subtract},
              {OPERATOR_MUL, tile_int_multiply},
              {OPERATOR_FLOOR_DIV, tile_int_divide},
              {OPERATOR_MOD, tile_int_modulo}};
  int64_t a, b;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].op == node->binary.op)
      return evaluate(e, node->binary.left, &a) && evaluate(e, node->binary.right, &b) &&
             apply(e, node, rows[i].of, a, b, out);
  if (node->binary.op == OPERATOR_DIV)
    return fail(e, node, "'/' gives a float; write '//', or cdiv(a, b) to round up");
  return fail(e, node, "the operator '%s' cannot be used here; there are + - * // %%",
              operator_spelling(node->binary.op));
}

static bool evaluate_call(struct evaluation *e, const struct node *node, int64_t *out) {
  static const struct {
    const char *name;
    operation *of;
    uint32_t most;
  } rows[] = {{"cdiv", tile_int_divide_up, 2},
              {"triton.cdiv", tile_int_divide_up, 2},
              {"tl.cdiv", tile_int_divide_up, 2},
              {"min", tile_int_minimum, 64},
              {"max", tile_int_maximum, 64}};
  const struct node_list *arguments = &node->call.arguments;
  size_t count = sizeof rows / sizeof *rows, found = count;
  struct text name = {0};
  bool named = node_dotted_name(node->call.function, &name);
  for (size_t i = 0; named && i < count; i++)
    if (strcmp(rows[i].name, text_string(&name)) == 0)
      found = i;
  text_free(&name);
  if (found == count)
    return fail(e, node->call.function, "only cdiv, min and max can be called here");
  if (arguments->count < 2 || arguments->count > rows[found].most)
    return fail(e, node, "%s takes %s, not %u", rows[found].name,
                rows[found].most == 2 ? "two numbers" : "two numbers or more",
                (unsigned)arguments->count);
  int64_t next;
  if (!evaluate(e, arguments->items[0], out))
    return false;
  for (uint32_t i = 1; i < arguments->count; i++)
    if (!evaluate(e, arguments->items[i], &next) ||
        !apply(e, node, rows[found].of, *out, next, out))
      return false;
  return true;
}

static bool evaluate_name(struct evaluation *e, const struct node *node, int64_t *out) {
  const struct expression_name *name =
      expression_find(e->problems, e->source, e->names, e->meta, node);
  *out = name ? name->value : 0;
  return name != NULL;
}

static bool evaluate_integer(struct evaluation *e, const struct node *node, int64_t *out) {
  *out = (int64_t)node->integer.value;
  return (!node->integer.too_large && node->integer.value <= INT64_MAX) ||
         fail(e, node, "the number does not fit into 64 bits");
}

static bool evaluate_unary(struct evaluation *e, const struct node *node, int64_t *out) {
  bool plus = node->unary.op == OPERATOR_PLUS;
  if (!plus && node->unary.op != OPERATOR_NEGATE)
    return fail(e, node, "the operator '%s' cannot be used here",
                operator_spelling(node->unary.op));
  return evaluate(e, node->unary.operand, out) &&
         (plus || apply(e, node, tile_int_subtract, 0, *out, out));
}

static bool evaluate_choice(struct evaluation *e, const struct node *node, int64_t *out) {
  bool condition;
  return evaluate_condition(e, node->conditional.condition, &condition) &&
         evaluate(e, condition ? node->conditional.then : node->conditional.otherwise, out);
}

static bool evaluate(struct evaluation *e, const struct node *node, int64_t *out) {
  static bool (*const rules[NODE_KIND_COUNT])(struct evaluation *, const struct node *,
                                              int64_t *) = {
      [NODE_INTEGER] = evaluate_integer, [NODE_NAME] = evaluate_name,
      [NODE_ATTRIBUTE] = evaluate_name,  [NODE_SUBSCRIPT] = evaluate_name,
      [NODE_BINARY] = evaluate_binary,   [NODE_UNARY] = evaluate_unary,
      [NODE_CALL] = evaluate_call,       [NODE_CONDITIONAL] = evaluate_choice,
  };
  enum node_kind kind = node_kind(node);
  return rules[kind] ? rules[kind](e, node, out)
                     : fail(e, node, "%s is no integer", node_kind_phrase(kind));
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
static bool evaluate_compare(struct evaluation *e, const struct node *node, bool *out) {
  const struct node_compare *compare = &node->compare;
  int64_t left, right;
  bool known;
  *out = true;
  if (!evaluate(e, compare->operands.items[0], &left))
    return false;
  for (uint32_t i = 0; i + 1 < compare->operands.count; i++, left = right) {
    if (!evaluate(e, compare->operands.items[i + 1], &right))
      return false;
    *out = holds(compare->operators[i], left, right, &known) && *out;
    if (!known)
      return fail(e, node, "the operator '%s' cannot be used here; there are == != < <= > >=",
                  operator_spelling(compare->operators[i]));
  }
  return true;
}

static bool evaluate_condition(struct evaluation *e, const struct node *node, bool *out) {
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
  if (!evaluate(e, node, &number))
    return false;
  *out = number != 0;
  return true;
}

/* --- Grids ------------------------------------------------------------------------------------ */

static bool evaluate_size(struct evaluation *e, const struct node *node, int axis, uint32_t *out) {
  int64_t size, most = machine_grid_limit(axis);
  if (!evaluate(e, node, &size))
    return false;
  *out = (uint32_t)size;
  return (size >= 1 && size <= most) ||
         fail(e, node, "the grid has %" PRId64 " programs along %c; there are from 1 to %" PRId64,
              size, "xyz"[axis], most);
}

bool expression_grid_values(struct arena *arena, struct problems *problems, const char *text,
                            const struct expression_names *names, uint32_t out[3]) {
  struct evaluation e = {
      .source = expression_source(arena, "--grid", text), .problems = problems, .names = names};
  const struct node_list *list = expression_grid_sizes(arena, problems, e.source, &e.meta);
  out[0] = out[1] = out[2] = 1;
  for (uint32_t i = 0; list && i < list->count; i++)
    if (!evaluate_size(&e, list->items[i], (int)i, &out[i]))
      return false;
  return list != NULL;
}
