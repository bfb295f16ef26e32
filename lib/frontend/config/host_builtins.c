/* Functions from outside the file: the rows of host_builtins.def, and dict and triton.Config, which
   take keyword arguments. */
#include <math.h>
#include <string.h>
#include "frontend/config/host.h"

typedef bool builtin_function(struct host *host, const struct host_call *call,
                              struct host_value *out);

/* --- Arguments ------------------------------------------------------------------------------------------ */

/* The elements of an argument that is walked through. */
static bool get_list(struct host *host, const struct host_call *call, size_t index,
                     const struct host_list **out) {
  const struct host_value *value = &call->positional[index];
  struct host_value keys = host_list_new(host);
  if (value->kind == HOST_LIST) {
    *out = value->list;
    return true;
  }
  if (value->kind != HOST_DICT)
    return host_unknown(host, call->span, "walking through %s is not evaluated",
                        host_describe(host, value));
  for (size_t i = 0; i < value->dict->count; i++)
    if (!host_list_add(host, call->span, keys.list, &value->dict->entries[i].key))
      return false;
  *out = keys.list;
  return true;
}

/* A number; a run-time argument is asked for by its name. */
static bool check_number(struct host *host, const struct host_call *call,
                         const struct host_value *value) {
  if (host_is_number(value))
    return true;
  if (value->kind == HOST_ARGUMENT && !value->argument.dtype.pointers)
    return host_needs(host, call->span, value->argument.name);
  if (value->kind == HOST_NAME)
    return host_unknown(host, call->span, "'%s' is known at run time only", value->text.data);
  return host_wrong(host, call->span, "a number is taken here, not %s", host_describe(host, value));
}

static bool get_integer(struct host *host, const struct host_call *call, size_t index,
                        int64_t *out) {
  const struct host_value *value = &call->positional[index];
  if (!check_number(host, call, value))
    return false;
  if (!host_is_integer(value))
    return host_wrong(host, call->span, "an integer is taken here, not a float");
  *out = host_as_integer(value);
  return true;
}

static bool to_integer(struct host *host, const struct host_call *call, double value,
                       struct host_value *out) {
  if (!(value >= -0x1p63 && value < 0x1p63))
    return host_wrong(host, call->span, "the result does not fit 64 bits");
  *out = host_integer((int64_t)value);
  return true;
}

/* --- triton ---------------------------------------------------------------------------------------------- */

static bool host_builtin_cdiv(struct host *host, const struct host_call *call,
                              struct host_value *out) {
  int64_t a, b;
  if (!get_integer(host, call, 0, &a) || !get_integer(host, call, 1, &b))
    return false;
  if (b <= 0 || a < 0)
    return host_wrong(host, call->span, "triton.cdiv takes a number from 0 on and a positive one");
  *out = host_integer(a / b + (a % b != 0));
  return true;
}

static bool host_builtin_next_power_of_2(struct host *host, const struct host_call *call,
                                         struct host_value *out) {
  int64_t value, power = 1;
  if (!get_integer(host, call, 0, &value))
    return false;
  if (value > INT64_C(1) << 62)
    return host_wrong(host, call->span, "the result does not fit 64 bits");
  while (power < value)
    power *= 2;
  *out = host_integer(value <= 0 ? 0 : power);
  return true;
}

/* The target: an object of which host_attribute knows backend, arch and warp_size. */
static bool host_builtin_target(struct host *host, const struct host_call *call,
                                struct host_value *out) {
  (void)call;
  *out = host_name(host, "<target>");
  return true;
}

static bool host_builtin_capability(struct host *host, const struct host_call *call,
                                    struct host_value *out) {
  if (!host->capability)
    return host_unknown(host, call->span, "the target is not known");
  struct host_value major = host_integer(host->capability / 10);
  struct host_value minor = host_integer(host->capability % 10);
  *out = host_list_new(host);
  return host_list_add(host, call->span, out->list, &major) &&
         host_list_add(host, call->span, out->list, &minor);
}

static bool host_builtin_is_available(struct host *host, const struct host_call *call,
                                      struct host_value *out) {
  (void)host, (void)call;
  *out = host_bool(true);
  return true;
}

/* The environment counts as empty: a compilation does not depend on it. */
static bool host_builtin_getenv(struct host *host, const struct host_call *call,
                                struct host_value *out) {
  (void)host;
  *out = call->count == 2 ? call->positional[1] : (struct host_value){.kind = HOST_NONE};
  return true;
}

static bool host_builtin_print(struct host *host, const struct host_call *call,
                               struct host_value *out) {
  (void)host, (void)call;
  *out = (struct host_value){.kind = HOST_NONE};
  return true;
}

/* --- Numbers -------------------------------------------------------------------------------------------- */

static bool host_builtin_abs(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  const struct host_value *value = &call->positional[0];
  if (!check_number(host, call, value))
    return false;
  *out = *value;
  return host_as_double(value) >= 0 ||
         host_unary(host, OPERATOR_NEGATE, call->span, value, out);
}

static bool host_builtin_bool(struct host *host, const struct host_call *call,
                              struct host_value *out) {
  bool truth = false;
  if (call->count && !host_truth(host, call->span, &call->positional[0], &truth))
    return false;
  *out = host_bool(truth);
  return true;
}

static bool host_builtin_int(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  const struct host_value *value = &call->positional[0];
  if (!check_number(host, call, value))
    return false;
  if (value->kind == HOST_FLOAT)
    return to_integer(host, call, trunc(value->number), out);
  *out = host_integer(host_as_integer(value));
  return true;
}

static bool host_builtin_float(struct host *host, const struct host_call *call,
                               struct host_value *out) {
  const struct host_value *value = &call->positional[0];
  if (value->kind == HOST_STRING) {
    bool minus = value->text.length && value->text.data[0] == '-';
    struct slice word = {value->text.data + minus, value->text.length - minus};
    *out = host_float(minus ? -INFINITY : INFINITY);
    return slice_equals(word, "inf") ||
           host_unknown(host, call->span, "this string is not evaluated");
  }
  if (!check_number(host, call, value))
    return false;
  *out = host_float(host_as_double(value));
  return true;
}

static bool round_to(struct host *host, const struct host_call *call, double (*round)(double),
                     struct host_value *out) {
  const struct host_value *value = &call->positional[0];
  if (!check_number(host, call, value))
    return false;
  *out = *value;
  return value->kind == HOST_INTEGER || to_integer(host, call, round(host_as_double(value)), out);
}

static bool host_builtin_ceil(struct host *host, const struct host_call *call,
                              struct host_value *out) {
  return round_to(host, call, ceil, out);
}

static bool host_builtin_floor(struct host *host, const struct host_call *call,
                               struct host_value *out) {
  return round_to(host, call, floor, out);
}

static bool host_builtin_log2(struct host *host, const struct host_call *call,
                              struct host_value *out) {
  const struct host_value *value = &call->positional[0];
  if (!check_number(host, call, value))
    return false;
  if (host_as_double(value) <= 0)
    return host_wrong(host, call->span, "math.log2 takes a positive number");
  *out = host_float(log2(host_as_double(value)));
  return true;
}

static bool host_builtin_sqrt(struct host *host, const struct host_call *call,
                              struct host_value *out) {
  const struct host_value *value = &call->positional[0];
  if (!check_number(host, call, value))
    return false;
  if (host_as_double(value) < 0)
    return host_wrong(host, call->span, "math.sqrt takes a number from 0 on");
  *out = host_float(sqrt(host_as_double(value)));
  return true;
}

/* --- Over lists ----------------------------------------------------------------------------------------- */

static bool extreme(struct host *host, const struct host_call *call, enum operator_kind op,
                    struct host_value *out) {
  const struct host_list given = {(struct host_value *)(uintptr_t)call->positional, call->count, 0};
  const struct host_list *list = &given;
  if (call->count == 1 && !get_list(host, call, 0, &list))
    return false;
  if (list->count == 0)
    return host_wrong(host, call->span, "it takes the extreme of nothing");
  *out = list->items[0];
  for (size_t i = 1; i < list->count; i++) {
    bool better;
    if (!host_compare(host, op, call->span, &list->items[i], out, &better))
      return false;
    if (better)
      *out = list->items[i];
  }
  return true;
}

static bool host_builtin_max(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  return extreme(host, call, OPERATOR_GT, out);
}

static bool host_builtin_min(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  return extreme(host, call, OPERATOR_LT, out);
}

static bool host_builtin_sum(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  const struct host_list *list;
  if (!get_list(host, call, 0, &list))
    return false;
  *out = host_integer(0);
  for (size_t i = 0; i < list->count; i++) {
    struct host_value so_far = *out;
    if (!host_operator(host, OPERATOR_ADD, call->span, &so_far, &list->items[i], out))
      return false;
  }
  return true;
}

static bool until(struct host *host, const struct host_call *call, bool stop,
                  struct host_value *out) {
  const struct host_list *list;
  bool truth = !stop;
  if (!get_list(host, call, 0, &list))
    return false;
  for (size_t i = 0; i < list->count && truth != stop; i++)
    if (!host_truth(host, call->span, &list->items[i], &truth))
      return false;
  *out = host_bool(truth);
  return true;
}

static bool host_builtin_all(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  return until(host, call, false, out);
}

static bool host_builtin_any(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  return until(host, call, true, out);
}

static bool host_builtin_len(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  const struct host_value *value = &call->positional[0];
  const struct host_list *list;
  if (value->kind == HOST_STRING) {
    *out = host_integer((int64_t)value->text.length);
    return true;
  }
  if (!get_list(host, call, 0, &list))
    return false;
  *out = host_integer((int64_t)list->count);
  return true;
}

static bool host_builtin_list(struct host *host, const struct host_call *call,
                              struct host_value *out) {
  const struct host_list *list = &(struct host_list){0};
  if (call->count && !get_list(host, call, 0, &list))
    return false;
  *out = host_list_new(host);
  for (size_t i = 0; i < list->count; i++)
    if (!host_list_add(host, call->span, out->list, &list->items[i]))
      return false;
  return true;
}

static bool host_builtin_range(struct host *host, const struct host_call *call,
                               struct host_value *out) {
  int64_t bounds[3] = {0, 0, 1};
  for (size_t i = 0; i < call->count; i++)
    if (!get_integer(host, call, i, &bounds[i]))
      return false;
  if (call->count == 1)
    bounds[1] = bounds[0], bounds[0] = 0;
  if (bounds[2] == 0)
    return host_wrong(host, call->span, "range takes no step of 0");
  *out = host_list_new(host);
  for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1];) {
    struct host_value item = host_integer(i);
    if (!host_list_add(host, call->span, out->list, &item))
      return false;
    if (__builtin_add_overflow(i, bounds[2], &i))
      break;
  }
  return true;
}

/* --- Functions over lists -------------------------------------------------------------------------------- */

static bool apply(struct host *host, const struct host_call *call, const struct host_value *item,
                  struct host_value *out) {
  return host_call(host, &call->positional[0],
                   &(struct host_call){.span = call->span, .positional = item, .count = 1}, out);
}

static bool host_builtin_filter(struct host *host, const struct host_call *call,
                                struct host_value *out) {
  const struct host_list *list;
  if (!get_list(host, call, 1, &list))
    return false;
  *out = host_list_new(host);
  for (size_t i = 0; i < list->count; i++) {
    struct host_value keep = list->items[i];
    bool truth;
    if ((call->positional[0].kind != HOST_NONE && !apply(host, call, &list->items[i], &keep)) ||
        !host_truth(host, call->span, &keep, &truth) ||
        (truth && !host_list_add(host, call->span, out->list, &list->items[i])))
      return false;
  }
  return true;
}

static bool host_builtin_map(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  const struct host_list *list;
  if (!get_list(host, call, 1, &list))
    return false;
  *out = host_list_new(host);
  for (size_t i = 0; i < list->count; i++) {
    struct host_value item;
    if (!apply(host, call, &list->items[i], &item) ||
        !host_list_add(host, call->span, out->list, &item))
      return false;
  }
  return true;
}

static bool add_pair(struct host *host, struct span span, struct host_list *list,
                     const struct host_value *a, const struct host_value *b) {
  struct host_value pair = host_list_new(host);
  return host_list_add(host, span, pair.list, a) && host_list_add(host, span, pair.list, b) &&
         host_list_add(host, span, list, &pair);
}

static bool host_builtin_enumerate(struct host *host, const struct host_call *call,
                                   struct host_value *out) {
  const struct host_list *list;
  int64_t start = 0;
  if (!get_list(host, call, 0, &list) || (call->count == 2 && !get_integer(host, call, 1, &start)))
    return false;
  if (start > INT64_MAX - HOST_LENGTH)
    return host_wrong(host, call->span, "the result does not fit 64 bits");
  *out = host_list_new(host);
  for (size_t i = 0; i < list->count; i++) {
    struct host_value index = host_integer(start + (int64_t)i);
    if (!add_pair(host, call->span, out->list, &index, &list->items[i]))
      return false;
  }
  return true;
}

static bool host_builtin_zip(struct host *host, const struct host_call *call,
                             struct host_value *out) {
  *out = host_list_new(host);
  for (size_t i = 0;; i++) {
    struct host_value row = host_list_new(host);
    for (size_t k = 0; k < call->count; k++) {
      const struct host_list *list;
      if (!get_list(host, call, k, &list))
        return false;
      if (i >= list->count)
        return true;
      if (!host_list_add(host, call->span, row.list, &list->items[i]))
        return false;
    }
    if (!host_list_add(host, call->span, out->list, &row))
      return false;
  }
}

/* Every row so far, continued by every element of the next list. */
static bool extend_rows(struct host *host, struct span span, const struct host_list *rows,
                        const struct host_list *items, struct host_list *out) {
  for (size_t r = 0; r < rows->count; r++)
    for (size_t i = 0; i < items->count; i++) {
      struct host_value row = host_list_new(host);
      const struct host_list *start = rows->items[r].list;
      for (size_t k = 0; k < start->count; k++)
        if (!host_list_add(host, span, row.list, &start->items[k]))
          return false;
      if (!host_list_add(host, span, row.list, &items->items[i]) ||
          !host_list_add(host, span, out, &row))
        return false;
    }
  return true;
}

static bool host_builtin_product(struct host *host, const struct host_call *call,
                                 struct host_value *out) {
  struct host_value empty = host_list_new(host);
  *out = host_list_new(host);
  if (!host_list_add(host, call->span, out->list, &empty))
    return false;
  for (size_t i = 0; i < call->count; i++) {
    const struct host_list *items;
    struct host_value longer = host_list_new(host);
    if (!get_list(host, call, i, &items) ||
        !extend_rows(host, call->span, out->list, items, longer.list))
      return false;
    *out = longer;
  }
  return true;
}

/* isinstance(value, int), also with float, bool, str, torch.Tensor, or a tuple of them. */
static bool is_instance(struct host *host, const struct host_call *call,
                        const struct host_value *value, const struct host_value *type, bool *out) {
  *out = false;
  if (type->kind == HOST_LIST) {
    for (size_t i = 0; i < type->list->count && !*out; i++)
      if (type->list->items[i].kind == HOST_LIST ||
          !is_instance(host, call, value, &type->list->items[i], out))
        return host_unknown(host, call->span, "this isinstance is not evaluated");
    return true;
  }
  const char *name = type->kind == HOST_NAME ? type->text.data : "";
  bool pointer = value->kind == HOST_ARGUMENT && value->argument.dtype.pointers > 0;
  bool scalar = value->kind == HOST_ARGUMENT && !pointer;
  if (strcmp(name, "int") == 0)
    *out = host_is_integer(value) || (scalar && dtype_is_integer(value->argument.dtype));
  else if (strcmp(name, "float") == 0)
    *out = value->kind == HOST_FLOAT || (scalar && dtype_is_float(value->argument.dtype));
  else if (strcmp(name, "bool") == 0)
    *out = value->kind == HOST_BOOL || (scalar && dtype_is_bool(value->argument.dtype));
  else if (strcmp(name, "str") == 0)
    *out = value->kind == HOST_STRING;
  else if (strcmp(name, "torch.Tensor") == 0)
    *out = pointer;
  else
    return host_unknown(host, call->span, "this isinstance is not evaluated");
  return true;
}

static bool host_builtin_isinstance(struct host *host, const struct host_call *call,
                                    struct host_value *out) {
  bool result;
  if (!is_instance(host, call, &call->positional[0], &call->positional[1], &result))
    return false;
  *out = host_bool(result);
  return true;
}

/* --- By name ------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  size_t fewest, most;
  builtin_function *run;
} builtins[] = {
#define HOST_BUILTIN(name, fewest, most, function) {name, fewest, most, host_builtin_##function},
#include "frontend/config/host_builtins.def"
#undef HOST_BUILTIN
};

/* dict(other, name=value, ...) */
static bool make_dict(struct host *host, const struct host_call *call, struct host_value *out) {
  const struct host_dict *first = &(struct host_dict){0};
  if (call->count > 1 || (call->count == 1 && call->positional[0].kind != HOST_DICT))
    return host_unknown(host, call->span, "this dict() is not evaluated");
  if (call->count)
    first = call->positional[0].dict;
  *out = host_dict_new(host);
  for (size_t i = 0; i < first->count; i++)
    if (!host_dict_set(host, call->span, out->dict, &first->entries[i].key,
                       &first->entries[i].value))
      return false;
  for (size_t i = 0; i < call->named_count; i++)
    if (!host_dict_set(host, call->span, out->dict, &call->named[i].key, &call->named[i].value))
      return false;
  return true;
}

bool host_call_builtin(struct host *host, const char *name, const struct host_call *call,
                       struct host_value *out) {
  const char *last = strrchr(name, '.');
  if (strcmp(last ? last + 1 : name, "Config") == 0 && strncmp(name, "triton", 6) == 0)
    return host_make_config(host, call, out);
  if (strcmp(name, "dict") == 0)
    return make_dict(host, call, out);
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, name) == 0) {
      if (call->named_count && strcmp(name, "print") != 0)
        return host_unknown(host, call->span, "%s() with keywords is not evaluated", name);
      if (call->count < builtins[i].fewest || call->count > builtins[i].most)
        return host_wrong(host, call->span, "%s() does not take %zu arguments", name, call->count);
      return builtins[i].run(host, call, out);
    }
  return host_unknown(host, call->span, "it calls %s(), which is known at run time only", name);
}
