/* SPDX-License-Identifier: MIT */
/* Loops at compile time: one copy of the body for each item of tl.static_range or of a tuple. */
#include "frontend/check/control.h"

struct unrolled {
  const struct node *node;
  const struct value *items;
  size_t count, next;
};

static bool run_items(struct checker *c, const struct unrolled *loop, const struct rest *rest,
                      bool *consumed);

/* The iterations that are left, after an `if` with a return, and then what follows the loop. */
static bool run_left(struct checker *c, const struct rest *rest) {
  bool consumed = false;
  bool good = run_items(c, rest->data, rest->next, &consumed);
  return consumed ? good : run_rest(c, rest->next) && good;
}

static bool run_items(struct checker *c, const struct unrolled *loop, const struct rest *rest,
                      bool *consumed) {
  const struct node *target = loop->node->for_loop.target;
  for (size_t i = loop->next; i < loop->count; i++) {
    struct unrolled left = {loop->node, loop->items, loop->count, i + 1};
    struct rest more = {.run = run_left, .data = &left, .next = rest};
    if (!assign_target(c, target, &loop->items[i]) ||
        !run_list(c, &loop->node->for_loop.body, 0, &more, consumed))
      return false;
    if (*consumed || c->frame->returned == RETURN_ALWAYS)
      return true;
    if (c->frame->returned == RETURN_MAYBE && i + 1 < loop->count) {
      *consumed = true;
      return guard_rest(c, &more);
    }
  }
  return true;
}

bool check_unrolled(struct checker *c, const struct node *node, const struct value *items,
                    size_t count, const struct rest *rest, bool *consumed) {
  struct unrolled loop = {.node = node, .items = items, .count = count};
  return run_items(c, &loop, rest, consumed);
}

/* The rest of the iterations after a return that may have been taken does not arise: what decides
   in a host function is known. */
bool check_unrolled_while(struct checker *c, const struct node *node, const struct rest *rest,
                          bool *consumed) {
  struct value condition;
  (void)rest;
  for (;;) {
    if (!count_statement(c, node) || !check_condition(c, node->while_loop.condition, &condition))
      return false;
    if (condition.kind != VALUE_BOOL)
      return check_fail(
          c, node->while_loop.condition->span,
          "a function of the host runs at compile time: this condition is not known there");
    if (!condition.boolean)
      return true;
    if (!run_list(c, &node->while_loop.body, 0, NULL, consumed))
      return false;
    if (c->frame->returned != RETURN_NO)
      return true;
  }
}
