/* SPDX-License-Identifier: MIT */
/* Sequences and texts: operators, and functions of Python that make one of others (evaluator.h). */
#define _GNU_SOURCE /* memmem */
#include "frontend/eval/evaluator.h"

#include <string.h>

/* --- Operators -------------------------------------------------------------------------------- */

static bool add_all(struct evaluator *ev, struct span span, struct value_list *list,
                    const struct value *items, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!ev->rules->add(ev, span, list, &items[i]))
      return false;
  return true;
}

/* `a` as often as `times` says, then `b`. */
static bool combine_texts(struct evaluator *ev, struct span span, struct slice a, int64_t times,
                          struct slice b, struct value *out) {
  size_t size = 0;
  if (times > 0 && __builtin_mul_overflow(a.length, (size_t)times, &size))
    size = SIZE_MAX;
  if (!ev->rules->text(ev, span, size > SIZE_MAX - b.length ? SIZE_MAX : size + b.length))
    return false;
  char *both = arena_allocate(ev->arena, size + b.length + 1);
  for (size_t at = 0; at < size; at += a.length)
    memcpy(both + at, a.data, a.length);
  if (b.length)
    memcpy(both + size, b.data, b.length);
  *out = (struct value){.kind = VALUE_STRING, .text = {both, size + b.length}};
  return true;
}

static bool combine_items(struct evaluator *ev, struct span span, const struct value *a,
                          int64_t times, const struct value *b, struct value *out) {
  struct value_list list = {0};
  const struct value *items, *more = NULL;
  size_t count, more_count = 0;
  value_items(a, &items, &count);
  if (b)
    value_items(b, &more, &more_count);
  for (int64_t i = 0; i < times && count; i++)
    if (!add_all(ev, span, &list, items, count))
      return false;
  return add_all(ev, span, &list, more, more_count) && ev->rules->sequence(ev, span, &list, out);
}

static bool is_sequence(const struct value *value) {
  return value->kind == VALUE_STRING || value->kind == VALUE_TUPLE || value->kind == VALUE_LIST;
}

bool eval_sequences(struct evaluator *ev, enum operator_kind op, struct span span,
                    const struct value *a, const struct value *b, struct value *out, bool *good) {
  bool add = op == OPERATOR_ADD && is_sequence(a) && a->kind == b->kind;
  if (op == OPERATOR_MUL && is_sequence(b)) { /* 2 * x */
    const struct value *number = a;
    a = b;
    b = number;
  }
  if (!add && !(op == OPERATOR_MUL && is_sequence(a) && value_is_integer(b)))
    return false;
  int64_t times = add ? 1 : b->is_huge ? INT64_MAX : value_as_integer(b);
  *good = a->kind == VALUE_STRING
              ? combine_texts(ev, span, a->text, times, add ? b->text : slice_of(""), out)
              : combine_items(ev, span, a, times, add ? b : NULL, out);
  return true;
}

bool eval_contains(struct slice text, struct slice part) {
  return memmem(text.data, text.length, part.data, part.length) != NULL;
}

/* --- Functions -------------------------------------------------------------------------------- */

bool eval_range(struct evaluator *ev, struct span span, const int64_t bounds[3],
                struct value *out) {
  struct value_list list = {0};
  int64_t end = bounds[1], step = bounds[2];
  if (step == 0)
    return ev->rules->refuse(ev, span, NULL, "the step of a range is not 0");
  for (int64_t i = bounds[0]; step > 0 ? i < end : i > end;) {
    struct value item = value_integer(i);
    if (!ev->rules->add(ev, span, &list, &item))
      return false;
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  return ev->rules->sequence(ev, span, &list, out);
}

bool eval_copy(struct evaluator *ev, struct span span, const struct value *items, size_t count,
               bool reversed, struct value *out) {
  struct value_list list = {0};
  for (size_t i = 0; i < count; i++)
    if (!ev->rules->add(ev, span, &list, &items[reversed ? count - 1 - i : i]))
      return false;
  return ev->rules->sequence(ev, span, &list, out);
}

bool eval_zip(struct evaluator *ev, struct span span, const struct value_list *lists, size_t count,
              struct value *out) {
  struct value_list rows = {0};
  size_t shortest = count ? lists[0].count : 0;
  for (size_t k = 1; k < count; k++)
    shortest = lists[k].count < shortest ? lists[k].count : shortest;
  for (size_t i = 0; i < shortest; i++) {
    struct value_list row = {0};
    struct value value;
    for (size_t k = 0; k < count; k++)
      if (!ev->rules->add(ev, span, &row, &lists[k].items[i]))
        return false;
    if (!ev->rules->sequence(ev, span, &row, &value) || !ev->rules->add(ev, span, &rows, &value))
      return false;
  }
  return ev->rules->sequence(ev, span, &rows, out);
}

bool eval_enumerate(struct evaluator *ev, struct span span, const struct value *items, size_t count,
                    int64_t start, struct value *out) {
  struct value *numbers = ARENA_ARRAY(ev->arena, struct value, count + 1);
  for (size_t i = 0; i < count; i++)
    numbers[i] = value_integer(start + (int64_t)i);
  const struct value_list lists[] = {{numbers, count, count},
                                     {(struct value *)(uintptr_t)items, count, count}};
  return eval_zip(ev, span, lists, 2, out);
}

bool eval_until(struct evaluator *ev, struct span span, const struct value *items, size_t count,
                bool stop, struct value *out) {
  bool truth = !stop;
  for (size_t i = 0; i < count && truth != stop; i++)
    if (!ev->rules->truth(ev, span, &items[i], &truth))
      return false;
  *out = value_bool(truth);
  return true;
}

bool eval_sum(struct evaluator *ev, struct span span, const struct value *items, size_t count,
              const struct value *start, struct value *out) {
  *out = *start;
  for (size_t i = 0; i < count; i++) {
    struct value so_far = *out;
    if (!ev->rules->turn(ev, span) ||
        !ev->rules->operation(ev, OPERATOR_ADD, span, &so_far, &items[i], out))
      return false;
  }
  return true;
}
