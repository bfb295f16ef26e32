/* SPDX-License-Identifier: MIT */
/* --when: when a variant may be launched, as conditions that an image can hold (tile/image.h).

       64 <= n and n % 16 == 0 and m < 4 * BLOCK

   Each comparison has an integer argument on one side and a constant on the other. */
#include <string.h>
#include "ahead/expression.h"

struct reading {
  struct expression e;
  tile_condition *list; /* has room */
  size_t count;
};

/* The argument that a node is, or NULL: without a problem. */
static const struct expression_name *argument(struct reading *r, const struct node *node) {
  if (!node_is(node, NODE_NAME) && !node_is(node, NODE_SUBSCRIPT))
    return NULL;
  struct problems *problems = r->e.problems, before = *problems;
  const struct expression_name *name = expression_find(&r->e, node);
  if (!name) { /* what is said of it is said again, at its other use */
    *problems = before;
    *problems->last = NULL;
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
  if (!expression_evaluate(&r->e, left->binary.right, &divisor) ||
      !expression_evaluate(&r->e, right, &zero))
    return false;
  if (zero != 0 || divisor < 1 || (divisor & (divisor - 1)))
    return expression_fail(&r->e, left,
                           "divisibility is asked for as n %% 16 == 0, by a power of two");
  add(r, TILE_CONDITION_DIVISIBLE, name, divisor);
  return true;
}

static enum operator_kind swapped(enum operator_kind op) {
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
    return expression_fail(&r->e, node, "the comparison never holds");
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
  if (op == swapped(op) && op != OPERATOR_EQ)
    return expression_fail(&r->e, node, "a comparison is one of == < <= > >=");
  if (op == OPERATOR_EQ && !read_divisible(r, left, right, &found))
    return false;
  if (found)
    return true;
  const struct expression_name *name = argument(r, left);
  if (name)
    return expression_evaluate(&r->e, right, &value) && add_comparison(r, node, name, op, value);
  name = argument(r, right);
  if (name)
    return expression_evaluate(&r->e, left, &value) &&
           add_comparison(r, node, name, swapped(op), value);
  /* One of them is wrong, and says why. */
  return expression_evaluate(&r->e, left, &value) && expression_evaluate(&r->e, right, &value) &&
         expression_fail(&r->e, node, "a comparison has an argument of the kernel on one side");
}

static bool read(struct reading *r, const struct node *node) {
  if (node_is(node, NODE_LOGICAL) && node->logical.op == OPERATOR_AND) {
    for (uint32_t i = 0; i < node->logical.operands.count; i++)
      if (!read(r, node->logical.operands.items[i]))
        return false;
    return true;
  }
  if (!node_is(node, NODE_COMPARE))
    return expression_fail(
        &r->e, node,
        "a condition compares an argument with a constant (n <= 1024, n %% 16 == 0); several are "
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
  struct reading r = {.e = {expression_source(arena, "--when", text), problems, names, NULL},
                      .list = ARENA_ARRAY(arena, tile_condition, 2 * strlen(text) + 2)};
  const struct node *node =
      expression_parse(arena, problems, r.e.source, "a condition, such as n <= 1024");
  bool good = node && read(&r, node);
  *out = r.list, *count = r.count;
  return good;
}
