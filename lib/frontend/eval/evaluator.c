/* SPDX-License-Identifier: MIT */
/* Expressions: see evaluator.h. Sequences are in containers.c. */
#include "frontend/eval/evaluator.h"

bool value_items(const struct value *value, const struct value **items, size_t *count) {
  bool tuple = value->kind == VALUE_TUPLE, list = value->kind == VALUE_LIST;
  *items = tuple ? value->tuple.items : list ? value->list->items : NULL;
  *count = tuple ? value->tuple.count : list ? value->list->count : 0;
  return tuple || list;
}

bool eval_literal(struct evaluator *ev, const struct node *node, struct value *out) {
  bool too_large = node_is(node, NODE_INTEGER) && node->integer.too_large;
  *out = node_is(node, NODE_FLOAT)     ? value_float(node->floating.value)
         : node_is(node, NODE_BOOL)    ? value_bool(node->boolean.value)
         : node_is(node, NODE_INTEGER) ? value_integer((int64_t)node->integer.value)
         : node_is(node, NODE_STRING)
             ? (struct value){.kind = VALUE_STRING, .text = node->string.value}
             : value_none();
  out->is_huge = node_is(node, NODE_INTEGER) && node->integer.value > INT64_MAX;
  return !too_large || ev->rules->refuse(ev, node->span, NULL, "the integer does not fit 64 bits");
}

bool eval_binary(struct evaluator *ev, const struct node *node, struct value *out) {
  struct value a, b;
  return ev->rules->expression(ev, node->binary.left, &a) &&
         ev->rules->expression(ev, node->binary.right, &b) &&
         ev->rules->operation(ev, node->binary.op, node->span, &a, &b, out);
}

/* --- Displays --------------------------------------------------------------------------------- */

bool eval_element(struct evaluator *ev, const struct node *node, struct value_list *list) {
  struct value value;
  const struct value *items = &value;
  size_t count = 1;
  bool starred = node_is(node, NODE_STARRED);
  if (!ev->rules->expression(ev, starred ? node->starred.value : node, &value))
    return false;
  if (starred && !value_items(&value, &items, &count))
    return ev->rules->refuse(ev, node->span, &value, "'*' takes a tuple or a list");
  for (size_t i = 0; i < count; i++)
    if (!ev->rules->add(ev, node->span, list, &items[i]))
      return false;
  return true;
}

bool eval_display(struct evaluator *ev, struct span span, const struct node_list *elements,
                  struct value *out) {
  struct value_list list = {0};
  for (uint32_t i = 0; i < elements->count; i++)
    if (!eval_element(ev, elements->items[i], &list))
      return false;
  return ev->rules->sequence(ev, span, &list, out);
}

/* --- Comprehensions --------------------------------------------------------------------------- */

static bool run_clauses(struct evaluator *ev, const struct comprehension *comprehension,
                        uint32_t index);

static bool run_turn(struct evaluator *ev, const struct comprehension *comprehension,
                     uint32_t index, const struct value *item) {
  const struct node *clause = comprehension->node->comprehension.clauses.items[index];
  const struct node_list *conditions = &clause->clause.conditions;
  if (!ev->rules->turn(ev, clause->span) || !ev->rules->assign(ev, clause->clause.target, item))
    return false;
  for (uint32_t i = 0; i < conditions->count; i++) {
    struct value value;
    bool truth;
    if (!ev->rules->expression(ev, conditions->items[i], &value) ||
        !ev->rules->truth(ev, conditions->items[i]->span, &value, &truth))
      return false;
    if (!truth)
      return true;
  }
  return run_clauses(ev, comprehension, index + 1);
}

static bool run_clauses(struct evaluator *ev, const struct comprehension *comprehension,
                        uint32_t index) {
  const struct node_list *clauses = &comprehension->node->comprehension.clauses;
  const struct value *items;
  struct value value;
  size_t count;
  if (index == clauses->count)
    return comprehension->element(ev, comprehension);
  const struct node *iterable = clauses->items[index]->clause.iterable;
  if (!ev->rules->expression(ev, iterable, &value))
    return false;
  if (!value_items(&value, &items, &count))
    return ev->rules->refuse(ev, iterable->span, &value, ev->rules->loops);
  for (size_t i = 0; i < count; i++)
    if (!run_turn(ev, comprehension, index, &items[i]))
      return false;
  return true;
}

bool eval_clauses(struct evaluator *ev, const struct comprehension *comprehension) {
  return run_clauses(ev, comprehension, 0);
}

/* --- Slices ----------------------------------------------------------------------------------- */

/* An integer; `fallback` when it is left out or None. */
static bool read_integer(struct evaluator *ev, const struct node *node, const char *what,
                         int64_t fallback, int64_t *out, bool *given) {
  struct value value = value_none();
  *out = fallback;
  if (node && !ev->rules->expression(ev, node, &value))
    return false;
  *given = value.kind != VALUE_NONE;
  if (!*given)
    return true;
  if (!value_is_integer(&value))
    return ev->rules->refuse(ev, node->span, &value, what);
  *out = value.is_huge ? INT64_MAX : value_as_integer(&value);
  return true;
}

/* A bound, clamped to `least` .. `most` as Python does. */
static bool read_bound(struct evaluator *ev, const struct node *node, int64_t count, int64_t least,
                       int64_t most, int64_t fallback, int64_t *out) {
  bool given;
  if (!read_integer(ev, node, "the bounds of a slice are compile-time integers", fallback, out,
                    &given))
    return false;
  if (!given)
    return true;
  int64_t bound = *out < 0 ? *out + count : *out;
  *out = bound < least ? least : bound > most ? most : bound;
  return true;
}

bool eval_slice(struct evaluator *ev, const struct node *slice, const struct value *items,
                size_t count, struct value *out) {
  int64_t size = (int64_t)count, step, start, end;
  struct value_list list = {0};
  bool given;
  if (!read_integer(ev, slice->slice.step, "a step is a compile-time integer", 1, &step, &given))
    return false;
  if (step == 0)
    return ev->rules->refuse(ev, slice->span, NULL, "the step of a slice is not 0");
  int64_t least = step > 0 ? 0 : -1, most = step > 0 ? size : size - 1;
  if (!read_bound(ev, slice->slice.lower, size, least, most, step > 0 ? 0 : size - 1, &start) ||
      !read_bound(ev, slice->slice.upper, size, least, most, step > 0 ? size : -1, &end))
    return false;
  for (int64_t i = start; step > 0 ? i < end : i > end;) {
    if (!ev->rules->add(ev, slice->span, &list, &items[i]))
      return false;
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  return ev->rules->sequence(ev, slice->span, &list, out);
}
