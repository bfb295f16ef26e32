/* SPDX-License-Identifier: MIT */
/* Functions of builtins.def over lists: sums, ranges, products, and those that call a function
   for each element. Those that compare elements: sorting.c. */
#include "frontend/eval/builtins.h"

#include <string.h>

/* --- Over lists ------------------------------------------------------------------------------- */

bool host_builtin_sum(struct host *host, const struct host_call *call, struct value *out) {
  const struct value_list *list;
  struct value zero = value_integer(0);
  return host_get_list(host, call, 0, &list) &&
         eval_sum(&host->eval, call->span, list->items, list->count, &zero, out);
}

static bool until(struct host *host, const struct host_call *call, bool stop, struct value *out) {
  const struct value_list *list;
  return host_get_list(host, call, 0, &list) &&
         eval_until(&host->eval, call->span, list->items, list->count, stop, out);
}

bool host_builtin_all(struct host *host, const struct host_call *call, struct value *out) {
  return until(host, call, false, out);
}

bool host_builtin_any(struct host *host, const struct host_call *call, struct value *out) {
  return until(host, call, true, out);
}

bool host_builtin_len(struct host *host, const struct host_call *call, struct value *out) {
  const struct value *value = &call->positional[0];
  const struct value_list *list;
  if (value->kind == VALUE_STRING) {
    *out = value_integer((int64_t)value->text.length);
    return true;
  }
  if (!host_get_list(host, call, 0, &list))
    return false;
  *out = value_integer((int64_t)list->count);
  return true;
}

bool host_builtin_list(struct host *host, const struct host_call *call, struct value *out) {
  const struct value_list *list = &(struct value_list){0};
  return (!call->count || host_get_list(host, call, 0, &list)) &&
         eval_copy(&host->eval, call->span, list->items, list->count, false, out);
}

bool host_builtin_range(struct host *host, const struct host_call *call, struct value *out) {
  int64_t bounds[3] = {0, 0, 1};
  for (size_t i = 0; i < call->count; i++)
    if (!host_get_integer(host, call, i, &bounds[i]))
      return false;
  if (call->count == 1)
    bounds[1] = bounds[0], bounds[0] = 0;
  return eval_range(&host->eval, call->span, bounds, out);
}

/* --- Functions over lists --------------------------------------------------------------------- */

static bool apply(struct host *host, const struct host_call *call, const struct value *item,
                  struct value *out) {
  return host_call(host, &call->positional[0],
                   &(struct host_call){.span = call->span, .positional = item, .count = 1}, out);
}

bool host_builtin_filter(struct host *host, const struct host_call *call, struct value *out) {
  const struct value_list *list;
  if (!host_get_list(host, call, 1, &list))
    return false;
  *out = host_list_new(host);
  for (size_t i = 0; i < list->count; i++) {
    struct value keep = list->items[i];
    bool truth;
    if ((call->positional[0].kind != VALUE_NONE && !apply(host, call, &list->items[i], &keep)) ||
        !host_truth(host, call->span, &keep, &truth) ||
        (truth && !host_list_add(host, call->span, out->list, &list->items[i])))
      return false;
  }
  return true;
}

bool host_builtin_map(struct host *host, const struct host_call *call, struct value *out) {
  const struct value_list *list;
  if (!host_get_list(host, call, 1, &list))
    return false;
  *out = host_list_new(host);
  for (size_t i = 0; i < list->count; i++) {
    struct value item;
    if (!apply(host, call, &list->items[i], &item) ||
        !host_list_add(host, call->span, out->list, &item))
      return false;
  }
  return true;
}

bool host_builtin_enumerate(struct host *host, const struct host_call *call, struct value *out) {
  const struct value_list *list;
  int64_t start = 0;
  if (!host_get_list(host, call, 0, &list) ||
      (call->count == 2 && !host_get_integer(host, call, 1, &start)))
    return false;
  if (start > INT64_MAX - HOST_LENGTH)
    return host_wrong(host, call->span, "the result does not fit 64 bits");
  return eval_enumerate(&host->eval, call->span, list->items, list->count, start, out);
}

bool host_builtin_zip(struct host *host, const struct host_call *call, struct value *out) {
  struct value_list *lists = ARENA_ARRAY(host->eval.arena, struct value_list, call->count);
  for (size_t i = 0; i < call->count; i++) {
    const struct value_list *list;
    if (!host_get_list(host, call, i, &list))
      return false;
    lists[i] = *list;
  }
  return eval_zip(&host->eval, call->span, lists, call->count, out);
}

/* Every row so far, continued by every element of the next list. */
static bool extend_rows(struct host *host, struct span span, const struct value_list *rows,
                        const struct value_list *items, struct value_list *out) {
  for (size_t r = 0; r < rows->count; r++)
    for (size_t i = 0; i < items->count; i++) {
      struct value row = host_list_new(host);
      const struct value_list *start = rows->items[r].list;
      for (size_t k = 0; k < start->count; k++)
        if (!host_list_add(host, span, row.list, &start->items[k]))
          return false;
      if (!host_list_add(host, span, row.list, &items->items[i]) ||
          !host_list_add(host, span, out, &row))
        return false;
    }
  return true;
}

bool host_builtin_product(struct host *host, const struct host_call *call, struct value *out) {
  struct value empty = host_list_new(host);
  *out = host_list_new(host);
  if (!host_list_add(host, call->span, out->list, &empty))
    return false;
  for (size_t i = 0; i < call->count; i++) {
    const struct value_list *items;
    struct value longer = host_list_new(host);
    if (!host_get_list(host, call, i, &items) ||
        !extend_rows(host, call->span, out->list, items, longer.list))
      return false;
    *out = longer;
  }
  return true;
}

/* isinstance(value, int), also with float, bool, str, torch.Tensor, or a tuple of them. */
static bool is_instance(struct host *host, const struct host_call *call, const struct value *value,
                        const struct value *type, bool *out) {
  *out = false;
  if (type->kind == VALUE_LIST) {
    for (size_t i = 0; i < type->list->count && !*out; i++)
      if (type->list->items[i].kind == VALUE_LIST ||
          !is_instance(host, call, value, &type->list->items[i], out))
        return host_unknown(host, call->span, "this isinstance is not evaluated");
    return true;
  }
  const char *name = type->kind == VALUE_NAME ? type->text.data : "";
  if (value->kind == VALUE_ARGUMENT && value->argument.untyped)
    return host_needs_type(host, call->span, value->argument.name);
  bool pointer = value->kind == VALUE_ARGUMENT && value->argument.dtype.pointers > 0;
  bool scalar = value->kind == VALUE_ARGUMENT && !pointer;
  if (strcmp(name, "int") == 0)
    *out = value_is_integer(value) || (scalar && dtype_is_integer(value->argument.dtype));
  else if (strcmp(name, "float") == 0)
    *out = value->kind == VALUE_FLOAT || (scalar && dtype_is_float(value->argument.dtype));
  else if (strcmp(name, "bool") == 0)
    *out = value->kind == VALUE_BOOL || (scalar && dtype_is_bool(value->argument.dtype));
  else if (strcmp(name, "str") == 0)
    *out = value->kind == VALUE_STRING;
  else if (strcmp(name, "torch.Tensor") == 0)
    *out = pointer;
  else
    return host_unknown(host, call->span, "this isinstance is not evaluated");
  return true;
}

bool host_builtin_isinstance(struct host *host, const struct host_call *call, struct value *out) {
  bool result;
  if (!is_instance(host, call, &call->positional[0], &call->positional[1], &result))
    return false;
  *out = value_bool(result);
  return true;
}
