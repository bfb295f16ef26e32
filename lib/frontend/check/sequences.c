/* SPDX-License-Identifier: MIT */
/* Operators on tuples and strings: + joins two, * repeats one. */
#include "frontend/check/checker.h"

/* The size of `count` things `times` over, at most SIZE_MAX. */
static size_t repeated(size_t count, int64_t times) {
  size_t size = 0;
  return times > 0 && __builtin_mul_overflow(count, (size_t)times, &size) ? SIZE_MAX : size;
}

/* `a` as often as `times` says, then `b`. */
static bool combine_strings(struct checker *c, struct span span, struct slice a, int64_t times,
                            struct slice b, struct value *out) {
  struct text text = {0};
  size_t size = repeated(a.length, times);
  if (!check_text_size(c, span, size > SIZE_MAX - b.length ? SIZE_MAX : size + b.length))
    return false;
  for (size_t left = size; left; left -= a.length)
    text_append(&text, a.data, a.length);
  text_append(&text, b.data, b.length);
  *out = value_text(&c->e.arena, text_string(&text), text.length);
  text_free(&text);
  return true;
}

/* The same of tuples; `b` may be NULL. */
static bool combine_tuples(struct checker *c, struct span span, const struct value *a,
                           int64_t times, const struct value *b, struct value *out) {
  struct value_list list = {0};
  size_t size = repeated(a->tuple.count, times), more = b ? b->tuple.count : 0;
  if (!check_item_count(c, span, size))
    return false;
  for (size_t i = 0; i < size; i++)
    value_list_add(&c->e.arena, &list, &a->tuple.items[i % a->tuple.count]);
  for (size_t j = 0; j < more; j++)
    value_list_add(&c->e.arena, &list, &b->tuple.items[j]);
  *out = (struct value){.kind = VALUE_TUPLE, .tuple = {list.items, list.count}};
  return check_value_size(c, span, out);
}

bool combine_sequences(struct checker *c, enum operator_kind op, struct span span,
                       const struct value *a, const struct value *b, struct value *out) {
  bool add = op == OPERATOR_ADD && a->kind == b->kind;
  if (op == OPERATOR_MUL && value_is_number(a)) {
    const struct value *number = a;
    a = b;
    b = number;
  }
  bool repeat = op == OPERATOR_MUL && (b->kind == VALUE_INTEGER || b->kind == VALUE_BOOL);
  if (!add && !repeat)
    return check_fail(c, span, "'%s' does not work on tuples and strings so",
                      operator_spelling(op));
  int64_t times = add                     ? 1
                  : b->kind == VALUE_BOOL ? b->boolean
                  : b->is_huge            ? INT64_MAX
                                          : b->integer;
  if (a->kind == VALUE_STRING)
    return combine_strings(c, span, a->text, times, add ? b->text : slice_of(""), out);
  return combine_tuples(c, span, a, times, add ? b : NULL, out);
}

static bool is_sequence(const struct value *value) {
  return value->kind == VALUE_TUPLE || value->kind == VALUE_STRING;
}

bool operator_takes_sequences(enum operator_kind op, const struct value *a, const struct value *b) {
  if (is_sequence(a) && a->kind == b->kind)
    return true;
  return op == OPERATOR_MUL
             ? (is_sequence(a) && value_is_number(b)) || (is_sequence(b) && value_is_number(a))
             : a->kind == VALUE_TUPLE && value_is_number(b);
}
