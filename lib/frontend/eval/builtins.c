/* SPDX-License-Identifier: MIT */
/* Functions from outside the file: the rows of builtins.def that are about numbers and the
   target, the look-up, and dict and triton.Config, which take keyword arguments. Those over lists:
   sequences.c. */
#include "frontend/eval/builtins.h"

#include <math.h>
#include <string.h>

/* --- Arguments -------------------------------------------------------------------------------- */

bool host_get_list(struct host *host, const struct host_call *call, size_t index,
                   const struct value_list **out) {
  const struct value *value = &call->positional[index];
  struct value keys = host_list_new(host);
  if (value->kind == VALUE_LIST) {
    *out = value->list;
    return true;
  }
  if (value->kind != VALUE_DICT)
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
                         const struct value *value) {
  if (value_is_number(value))
    return true;
  if (value->kind == VALUE_ARGUMENT && (value->argument.untyped || !value->argument.dtype.pointers))
    return host_needs(host, call->span, value->argument.name);
  if (value->kind == VALUE_NAME)
    return host_unknown(host, call->span, "'%s' is known at run time only", value->text.data);
  return host_wrong(host, call->span, "a number is taken here, not %s", host_describe(host, value));
}

bool host_get_integer(struct host *host, const struct host_call *call, size_t index, int64_t *out) {
  const struct value *value = &call->positional[index];
  if (!check_number(host, call, value))
    return false;
  if (!value_is_integer(value))
    return host_wrong(host, call->span, "an integer is taken here, not a float");
  *out = value_as_integer(value);
  return true;
}

static bool too_large(struct host *host, const struct host_call *call) {
  return host_wrong(host, call->span, "the result does not fit 64 bits");
}

/* --- triton ----------------------------------------------------------------------------------- */

bool host_builtin_cdiv(struct host *host, const struct host_call *call, struct value *out) {
  int64_t a = 0, b = 0;
  if (!host_get_integer(host, call, 0, &a) || !host_get_integer(host, call, 1, &b))
    return false;
  if (b <= 0 || a < 0)
    return host_wrong(host, call->span, "triton.cdiv takes a number from 0 on and a positive one");
  *out = value_integer(a / b + (a % b != 0));
  return true;
}

bool host_builtin_next_power_of_2(struct host *host, const struct host_call *call,
                                  struct value *out) {
  int64_t value = 0, power = 1;
  if (!host_get_integer(host, call, 0, &value))
    return false;
  if (value > INT64_C(1) << 62)
    return too_large(host, call);
  while (power < value)
    power *= 2;
  *out = value_integer(value <= 0 ? 0 : power);
  return true;
}

/* The target: an object of which host_attribute knows backend, arch and warp_size. */
bool host_builtin_target(struct host *host, const struct host_call *call, struct value *out) {
  (void)call;
  *out = host_name(host, "<target>");
  return true;
}

bool host_builtin_capability(struct host *host, const struct host_call *call, struct value *out) {
  if (!host->capability)
    return host_unknown(host, call->span, "the target is not known");
  struct value major = value_integer(host->capability / 10);
  struct value minor = value_integer(host->capability % 10);
  *out = host_list_new(host);
  return host_list_add(host, call->span, out->list, &major) &&
         host_list_add(host, call->span, out->list, &minor);
}

/* An object of which host_attribute knows what the target says. */
bool host_builtin_device(struct host *host, const struct host_call *call, struct value *out) {
  (void)call;
  *out = host_name(host, "<device>");
  return true;
}

bool host_builtin_current_device(struct host *host, const struct host_call *call,
                                 struct value *out) {
  (void)host, (void)call;
  *out = value_integer(0);
  return true;
}

/* Triton's own properties of a device, a dictionary. */
bool host_builtin_utils_properties(struct host *host, const struct host_call *call,
                                   struct value *out) {
  static const char *const elsewhere[] = {"multiprocessor_count", "sm_clock_rate", "mem_clock_rate",
                                          "mem_bus_width"};
  const struct machine *machine = host->machine;
  if (!machine)
    return host_unknown(host, call->span, "the target is not known");
  const struct {
    const char *name;
    int64_t value;
  } rows[] = {{"max_shared_mem", machine->block_shared_bytes},
              {"max_num_regs", machine->block_registers},
              {"warpSize", machine->lanes}};
  *out = host_dict_new(host);
  bool good = true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && good; i++) {
    struct value value = value_integer(rows[i].value);
    good = host_dict_put(host, call->span, out->dict, rows[i].name, &value);
  }
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere && good; i++) {
    struct value value = host_name(host, elsewhere[i]);
    good = host_dict_put(host, call->span, out->dict, elsewhere[i], &value);
  }
  return good;
}

bool host_builtin_is_available(struct host *host, const struct host_call *call, struct value *out) {
  (void)host, (void)call;
  *out = value_bool(true);
  return true;
}

/* The environment counts as empty: a compilation does not depend on it. */
bool host_builtin_getenv(struct host *host, const struct host_call *call, struct value *out) {
  (void)host;
  *out = call->count == 2 ? call->positional[1] : value_none();
  return true;
}

/* Of triton.language and its modules: what the front end has. */
bool host_builtin_hasattr(struct host *host, const struct host_call *call, struct value *out) {
  const struct value *owner = &call->positional[0], *name = &call->positional[1];
  if (owner->kind != VALUE_NAME || name->kind != VALUE_STRING ||
      strncmp(owner->text.data, "triton.language", strlen("triton.language")) != 0)
    return host_unknown(host, call->span, "hasattr() of %s is not evaluated",
                        host_describe(host, owner));
  *out = value_bool(host->language_has(text_format(host->eval.arena, "%s.%.*s", owner->text.data,
                                                   (int)name->text.length, name->text.data)));
  return true;
}

bool host_builtin_print(struct host *host, const struct host_call *call, struct value *out) {
  (void)host, (void)call;
  *out = value_none();
  return true;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

bool host_builtin_abs(struct host *host, const struct host_call *call, struct value *out) {
  const struct value *value = &call->positional[0];
  if (!check_number(host, call, value))
    return false;
  *out = *value;
  return value_as_double(value) >= 0 || host_unary(host, OPERATOR_NEGATE, call->span, value, out);
}

bool host_builtin_bool(struct host *host, const struct host_call *call, struct value *out) {
  bool truth = false;
  if (call->count && !host_truth(host, call->span, &call->positional[0], &truth))
    return false;
  *out = value_bool(truth);
  return true;
}

bool host_builtin_int(struct host *host, const struct host_call *call, struct value *out) {
  const struct value *value = &call->positional[0];
  if (!check_number(host, call, value))
    return false;
  if (value->kind == VALUE_FLOAT)
    return number_function("trunc", value, out) == NUMBER_FINE || too_large(host, call);
  *out = value_integer(value_as_integer(value));
  return true;
}

bool host_builtin_float(struct host *host, const struct host_call *call, struct value *out) {
  const struct value *value = &call->positional[0];
  if (value->kind == VALUE_STRING) {
    bool minus = value->text.length && value->text.data[0] == '-';
    struct slice word = {value->text.data + minus, value->text.length - minus};
    *out = value_float(minus ? -INFINITY : INFINITY);
    return slice_equals(word, "inf") ||
           host_unknown(host, call->span, "this string is not evaluated");
  }
  if (!check_number(host, call, value))
    return false;
  *out = value_float(value_as_double(value));
  return true;
}

/* math.NAME(x) */
bool host_builtin_math(struct host *host, const struct host_call *call, struct value *out) {
  const struct value *value = &call->positional[0];
  const char *name = after_last(call->builtin, '.');
  if (!check_number(host, call, value))
    return false;
  enum number_fault fault = number_function(name, value, out);
  if (fault == NUMBER_TOO_LARGE)
    return too_large(host, call);
  return fault == NUMBER_FINE ||
         host_wrong(host, call->span, "math.%s of %g is not defined", name, value_as_double(value));
}

/* Halves to even, as in Python. */
bool host_builtin_round(struct host *host, const struct host_call *call, struct value *out) {
  const struct value *value = &call->positional[0];
  if (!check_number(host, call, value))
    return false;
  *out = *value;
  return value->kind != VALUE_FLOAT || number_rounded(rint(value->number), out) == NUMBER_FINE ||
         too_large(host, call);
}

/* --- By name ---------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  size_t fewest, most;
  host_builtin *run;
  bool keywords;
} builtins[] = {
#define HOST_BUILTIN(name, fewest, most, function)                                                 \
  {name, fewest, most, host_builtin_##function, false},
#define HOST_KEYWORDS(name, fewest, most, function)                                                \
  {name, fewest, most, host_builtin_##function, true},
#include "frontend/eval/builtins.def"
#undef HOST_BUILTIN
#undef HOST_KEYWORDS
};

/* dict(other, name=value, ...) */
static bool make_dict(struct host *host, const struct host_call *call, struct value *out) {
  const struct value_dict named = {.entries = (struct value_entry *)(uintptr_t)call->named,
                                   .count = call->named_count};
  if (call->count > 1 || (call->count == 1 && call->positional[0].kind != VALUE_DICT))
    return host_unknown(host, call->span, "this dict() is not evaluated");
  *out = host_dict_new(host);
  return (!call->count || host_dict_merge(host, call->span, out->dict, call->positional[0].dict)) &&
         host_dict_merge(host, call->span, out->dict, &named);
}

bool host_call_builtin(struct host *host, const char *name, const struct host_call *call,
                       struct value *out) {
  if (strcmp(after_last(name, '.'), "Config") == 0 && strncmp(name, "triton", 6) == 0)
    return host_make_config(host, call, out);
  if (strcmp(name, "dict") == 0)
    return make_dict(host, call, out);
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, name) == 0) {
      if (call->named_count && !builtins[i].keywords)
        return host_unknown(host, call->span, "%s() with keywords is not evaluated", name);
      if (call->count < builtins[i].fewest || call->count > builtins[i].most)
        return host_wrong(host, call->span, "%s() does not take %zu arguments", name, call->count);
      struct host_call named = *call;
      named.builtin = name;
      return builtins[i].run(host, &named, out);
    }
  return host_unknown(host, call->span, "it calls %s(), which is known at run time only", name);
}
