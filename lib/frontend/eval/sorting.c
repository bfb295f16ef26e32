/* SPDX-License-Identifier: MIT */
/* Functions of builtins.def that order elements: sorted, min, max, heapq's, and sets. All take
   `key`, a function of an element whose values are compared in its place. */
#include <string.h>
#include "frontend/eval/builtins.h"

/* An element and what it is compared by. */
struct ranked {
  struct value item, rank;
};

/* The list with the ranks that call's `key` gives; in the arena. Fails on keywords besides `other`,
 * if not NULL. */
static bool rank_items(struct host *host, const struct host_call *call,
                       const struct value_list *list, const char *other, struct ranked **out) {
  const struct value *key = host_call_named(call, "key");
  for (size_t i = 0; i < call->named_count; i++)
    if (!slice_equals(call->named[i].key.text, "key") &&
        !(other && slice_equals(call->named[i].key.text, other)))
      return host_unknown(host, call->span, "the keyword '%.*s' is not evaluated here",
                          (int)call->named[i].key.text.length, call->named[i].key.text.data);
  *out = ARENA_ARRAY(host->eval.arena, struct ranked, list->count + 1);
  for (size_t i = 0; i < list->count; i++) {
    struct ranked *row = &(*out)[i];
    row->item = row->rank = list->items[i];
    struct host_call one = {.span = call->span, .positional = &row->item, .count = 1};
    if (key && key->kind != VALUE_NONE && !host_call(host, key, &one, &row->rank))
      return false;
  }
  return host_step(host, call->span, list->count);
}

static bool extreme(struct host *host, const struct host_call *call, enum operator_kind op,
                    struct value *out) {
  const struct value_list given = {(struct value *)(uintptr_t)call->positional, call->count, 0};
  const struct value *otherwise = host_call_named(call, "default");
  const struct value_list *list = &given;
  struct ranked *rows, best;
  if ((call->count == 1 && !host_get_list(host, call, 0, &list)) ||
      !rank_items(host, call, list, "default", &rows))
    return false;
  if (list->count == 0 && otherwise) {
    *out = *otherwise;
    return true;
  }
  if (list->count == 0)
    return host_wrong(host, call->span, "it takes the extreme of nothing");
  best = rows[0];
  for (size_t i = 1; i < list->count; i++) {
    bool better;
    if (!host_compare(host, op, call->span, &rows[i].rank, &best.rank, &better))
      return false;
    if (better)
      best = rows[i];
  }
  *out = best.item;
  return true;
}

bool host_builtin_max(struct host *host, const struct host_call *call, struct value *out) {
  return extreme(host, call, OPERATOR_GT, out);
}

bool host_builtin_min(struct host *host, const struct host_call *call, struct value *out) {
  return extreme(host, call, OPERATOR_LT, out);
}

/* Merges the two sorted halves of rows[0, count) by way of `room`; equal ones keep their order. */
static bool merge_halves(struct host *host, struct span span, enum operator_kind before,
                         struct ranked *rows, size_t count, struct ranked *room) {
  size_t middle = count / 2, a = 0, b = middle, next = 0;
  while (a < middle && b < count) {
    bool second;
    if (!host_compare(host, before, span, &rows[b].rank, &rows[a].rank, &second))
      return false;
    room[next++] = second ? rows[b++] : rows[a++];
  }
  while (a < middle)
    room[next++] = rows[a++];
  memcpy(rows, room, next * sizeof *rows);
  return host_step(host, span, count);
}

/* `before` is < for ascending order, > for descending. */
static bool sort_rows(struct host *host, struct span span, enum operator_kind before,
                      struct ranked *rows, size_t count, struct ranked *room) {
  size_t middle = count / 2;
  return count < 2 || (sort_rows(host, span, before, rows, middle, room) &&
                       sort_rows(host, span, before, rows + middle, count - middle, room) &&
                       merge_halves(host, span, before, rows, count, room));
}

static bool sort(struct host *host, const struct host_call *call, const struct value_list *list,
                 enum operator_kind before, struct ranked **out) {
  struct ranked *room = ARENA_ARRAY(host->eval.arena, struct ranked, list->count + 1);
  return rank_items(host, call, list, "reverse", out) &&
         sort_rows(host, call->span, before, *out, list->count, room);
}

static bool order_of(struct host *host, const struct host_call *call, enum operator_kind *out) {
  const struct value *reverse = host_call_named(call, "reverse");
  bool descending = false;
  if (reverse && !host_truth(host, call->span, reverse, &descending))
    return false;
  *out = descending ? OPERATOR_GT : OPERATOR_LT;
  return true;
}

bool host_sort(struct host *host, const struct host_call *call, struct value_list *list) {
  enum operator_kind before;
  struct ranked *rows;
  if (!order_of(host, call, &before) || !sort(host, call, list, before, &rows))
    return false;
  for (size_t i = 0; i < list->count; i++)
    list->items[i] = rows[i].item;
  return true;
}

bool host_builtin_sorted(struct host *host, const struct host_call *call, struct value *out) {
  return host_builtin_list(
             host,
             &(struct host_call){.span = call->span, .positional = call->positional, .count = 1},
             out) &&
         host_sort(host, call, out->list);
}

/* The first `count` in an order. */
static bool first_of(struct host *host, const struct host_call *call, enum operator_kind before,
                     struct value *out) {
  const struct value_list *list;
  struct ranked *rows;
  int64_t count;
  if (!host_get_integer(host, call, 0, &count) || !host_get_list(host, call, 1, &list) ||
      !sort(host, call, list, before, &rows))
    return false;
  *out = host_list_new(host);
  for (size_t i = 0; i < list->count && (int64_t)i < count; i++)
    if (!host_list_add(host, call->span, out->list, &rows[i].item))
      return false;
  return true;
}

bool host_builtin_nsmallest(struct host *host, const struct host_call *call, struct value *out) {
  return first_of(host, call, OPERATOR_LT, out);
}

bool host_builtin_nlargest(struct host *host, const struct host_call *call, struct value *out) {
  return first_of(host, call, OPERATOR_GT, out);
}

bool host_builtin_reversed(struct host *host, const struct host_call *call, struct value *out) {
  const struct value_list *list;
  return host_get_list(host, call, 0, &list) &&
         eval_copy(&host->eval, call->span, list->items, list->count, true, out);
}

/* A list in which each element stands once, where Python may have another order. */
bool host_builtin_set(struct host *host, const struct host_call *call, struct value *out) {
  const struct value_list *list = &(struct value_list){0};
  if (call->count && !host_get_list(host, call, 0, &list))
    return false;
  *out = host_list_new(host);
  for (size_t i = 0; i < list->count; i++) {
    bool equal = false;
    for (size_t k = 0; k < out->list->count && !equal; k++)
      if (!host_step(host, call->span, 1) ||
          !host_equal(host, call->span, &list->items[i], &out->list->items[k], &equal))
        return false;
    if (!equal && !host_list_add(host, call->span, out->list, &list->items[i]))
      return false;
  }
  return true;
}
