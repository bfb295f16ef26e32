/* SPDX-License-Identifier: MIT */
/* --when: when a variant may be launched, as conditions that an image can hold (tile/image.h).

       64 <= n and n % 16 == 0 and m < 4 * BLOCK

   Each comparison has an integer argument on one side and a constant on the other. */
#include <string.h>
#include "ahead/expression.h"
#include "tile/embedded.h"

struct reading {
  const struct source *source;
  struct problems *problems;
  const struct expression_names *names;
  tile_condition *list; /* has room */
  size_t count;
};

static bool fail(struct reading *r, const struct node *node, const char *message) {
  problems_add(r->problems, PROBLEM_ERROR, r->source, node->span, "%s", message);
  return false;
}

/* --- Constants -------------------------------------------------------------------------------- */

static const struct {
  enum operator_kind op;
  int64_t (*of)(bool *bad, int64_t a, int64_t b);
} arithmetic[] = {{OPERATOR_ADD, tile_int_add},
                  {OPERATOR_SUB, tile_int_subtract},
                  {OPERATOR_MUL, tile_int_multiply},
                  {OPERATOR_FLOOR_DIV, tile_int_divide},
                  {OPERATOR_MOD, tile_int_modulo}};

static bool evaluate(struct reading *r, const struct node *node, int64_t *out);

static bool evaluate_binary(struct reading *r, const struct node *node, int64_t *out) {
  int64_t a, b;
  for (size_t i = 0; i < sizeof arithmetic / sizeof *arithmetic; i++) {
    if (arithmetic[i].op != node->binary.op)
      continue;
    bool bad = false;
    if (!evaluate(r, node->binary.left, &a) || !evaluate(r, node->binary.right, &b))
      return false;
    *out = arithmetic[i].of(&bad, a, b);
    return !bad || fail(r, node, "the number overflows, or is divided by zero");
  }
  return fail(r, node, "the operator cannot be used here; there are + - * // %");
}

static bool evaluate(struct reading *r, const struct node *node, int64_t *out) {
  if (node_is(node, NODE_INTEGER)) {
    *out = (int64_t)node->integer.value;
    return node->integer.value <= INT64_MAX ||
           fail(r, node, "the number does not fit into 64 bits");
  }
  if (node_is(node, NODE_UNARY) && node->unary.op == OPERATOR_NEGATE) {
    bool bad = false;
    if (!evaluate(r, node->unary.operand, out))
      return false;
    *out = tile_int_subtract(&bad, 0, *out);
    return true;
  }
  if (node_is(node, NODE_BINARY))
    return evaluate_binary(r, node, out);
  const struct expression_name *name =
      expression_find(r->problems, r->source, r->names, NULL, node);
  if (!name)
    return false;
  *out = name->value;
  return name->is_constant ||
         fail(r, node,
              "one side of a comparison is an argument by itself, the other one is constant");
}

/* --- Comparisons ------------------------------------------------------------------------------ */

/* The argument that a node is, or NULL: without a problem. */
static const struct expression_name *argument(struct reading *r, const struct node *node) {
  if (!node_is(node, NODE_NAME) && !node_is(node, NODE_SUBSCRIPT))
    return NULL;
  struct problems before = *r->problems;
  const struct expression_name *name =
      expression_find(r->problems, r->source, r->names, NULL, node);
  if (!name) { /* what is said of it is said again, at its other use */
    *r->problems = before;
    *r->problems->last = NULL;
  }
  return name && !name->is_constant ? name : NULL;
}

static void add(struct reading *r, tile_condition_kind kind, const struct expression_name *name,
                int64_t value) {
  r->list[r->count++] = (tile_condition){.kind = kind, .argument = name->argument, .value = value};
}

/* n % 16 == 0. */
static bool read_divisible(struct reading *r, const struct node *left, const struct node *right,
                           bool *found) {
  const struct expression_name *name = NULL;
  int64_t divisor, zero;
  if (node_is(left, NODE_BINARY) && left->binary.op == OPERATOR_MOD)
    name = argument(r, left->binary.left);
  *found = name != NULL;
  if (!name)
    return true;
  if (!evaluate(r, left->binary.right, &divisor) || !evaluate(r, right, &zero))
    return false;
  if (zero != 0 || divisor < 1 || (divisor & (divisor - 1)))
    return fail(r, left, "divisibility is asked for as n % 16 == 0, by a power of two");
  add(r, TILE_CONDITION_DIVISIBLE, name, divisor);
  return true;
}

static enum operator_kind turned(enum operator_kind op) {
  return op == OPERATOR_LT   ? OPERATOR_GT
         : op == OPERATOR_LE ? OPERATOR_GE
         : op == OPERATOR_GT ? OPERATOR_LT
         : op == OPERATOR_GE ? OPERATOR_LE
                             : op;
}

static bool add_comparison(struct reading *r, const struct node *node,
                           const struct expression_name *name, enum operator_kind op,
                           int64_t value) {
  if ((op == OPERATOR_LT && value == INT64_MIN) || (op == OPERATOR_GT && value == INT64_MAX))
    return fail(r, node, "the comparison never holds");
  if (op == OPERATOR_LE || op == OPERATOR_LT || op == OPERATOR_EQ)
    add(r, TILE_CONDITION_AT_MOST, name, value - (op == OPERATOR_LT));
  if (op == OPERATOR_GE || op == OPERATOR_GT || op == OPERATOR_EQ)
    add(r, TILE_CONDITION_AT_LEAST, name, value + (op == OPERATOR_GT));
  return true;
}

static bool read_comparison(struct reading *r, const struct node *node, const struct node *left,
                            enum operator_kind op, const struct node *right) {
  bool found = false;
  int64_t value;
  if (op == turned(op) && op != OPERATOR_EQ)
    return fail(r, node, "a comparison is one of == < <= > >=");
  if (op == OPERATOR_EQ && !read_divisible(r, left, right, &found))
    return false;
  if (found)
    return true;
  const struct expression_name *name = argument(r, left);
  if (name)
    return evaluate(r, right, &value) && add_comparison(r, node, name, op, value);
  name = argument(r, right);
  if (name)
    return evaluate(r, left, &value) && add_comparison(r, node, name, turned(op), value);
  /* One of them is wrong, and says why. */
  return evaluate(r, left, &value) && evaluate(r, right, &value) &&
         fail(r, node, "a comparison has an argument of the kernel on one side");
}

static bool read(struct reading *r, const struct node *node) {
  if (node_is(node, NODE_LOGICAL) && node->logical.op == OPERATOR_AND) {
    for (uint32_t i = 0; i < node->logical.operands.count; i++)
      if (!read(r, node->logical.operands.items[i]))
        return false;
    return true;
  }
  if (!node_is(node, NODE_COMPARE))
    return fail(
        r, node,
        "a condition compares an argument with a constant (n <= 1024, n % 16 == 0); several are "
        "joined with 'and'");
  const struct node_compare *compare = &node->compare;
  for (uint32_t i = 0; i + 1 < compare->operands.count; i++)
    if (!read_comparison(r, node, compare->operands.items[i], compare->operators[i],
                         compare->operands.items[i + 1]))
      return false;
  return true;
}

bool expression_conditions(struct arena *arena, struct problems *problems, const char *text,
                           const struct expression_names *names, const tile_condition **out,
                           size_t *count) {
  struct reading r = {.source = expression_source(arena, "--when", text),
                      .problems = problems,
                      .names = names,
                      .list = ARENA_ARRAY(arena, tile_condition, 2 * strlen(text) + 2)};
  const struct node *node =
      expression_parse(arena, problems, r.source, "a condition, such as n <= 1024");
  bool good = node && read(&r, node);
  *out = r.list, *count = r.count;
  return good;
}
