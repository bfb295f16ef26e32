/* SPDX-License-Identifier: MIT */
/* triton.Config(kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None): making
   one, its attributes, and what pruning functions do with it. */
#include <string.h>
#include "frontend/eval/host.h"

/* Triton's parameters in their order, and keywords of other versions and backends, which have no
   effect here. */
static const char *const parameters[] = {"kwargs",  "num_warps", "num_stages", "num_ctas",
                                         "maxnreg", "pre_hook",  "ir_override"};
static const char *const without_effect[] = {
    "num_buffers_warp_spec",      "num_consumer_groups", "reg_dec_producer", "reg_inc_consumer",
    "enable_warp_specialization", "enable_persistent",   "num_cpu_threads"};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static bool check_keywords(struct host *host, const struct host_call *call) {
  for (size_t i = 0; i < call->named_count; i++) {
    struct slice name = call->named[i].key.text;
    bool known = false;
    for (size_t k = 0; k < PARAMETERS && !known; k++)
      known = slice_equals(name, parameters[k]);
    for (size_t k = 0; k < sizeof without_effect / sizeof *without_effect && !known; k++)
      known = slice_equals(name, without_effect[k]);
    if (!known)
      return host_wrong(host, call->span,
                        "triton.Config has no parameter '%.*s'; constants of the "
                        "kernel stand in its dictionary",
                        (int)name.length, name.data);
  }
  return true;
}

static const struct value *argument(const struct host_call *call, size_t index) {
  return index < call->count ? &call->positional[index] : host_call_named(call, parameters[index]);
}

/* Of a launch: warps, stages, blocks of a cluster, registers of a thread. What a GPU has is less.
 */
enum { MAX_SETTING = 64 << 10 };

static bool read_number(struct host *host, struct span span, const char *name,
                        const struct value *value, int64_t *out) {
  if (value->kind == VALUE_NAME)
    return host_unknown(host, span, "'%s' is known at run time only", value->text.data);
  if (value_is_integer(value) &&
      (value_as_integer(value) < 0 || value_as_integer(value) > MAX_SETTING))
    return host_wrong(host, span, "triton.Config's %s is a number from 0 to %d, not %lld", name,
                      MAX_SETTING, (long long)value_as_integer(value));
  if (!value_is_integer(value))
    return host_wrong(host, span, "triton.Config's %s is a number from 0 on, not %s", name,
                      host_describe(host, value));
  *out = value_as_integer(value);
  return true;
}

static bool take_number(struct host *host, const struct host_call *call, size_t index,
                        int64_t *out) {
  const struct value *value = argument(call, index);
  if (!value || value->kind == VALUE_NONE)
    return true;
  return read_number(host, call->span, parameters[index], value, out);
}

static bool take_values(struct host *host, const struct host_call *call, struct value_dict *out) {
  const struct value *kwargs = argument(call, 0);
  if (!kwargs || kwargs->kind != VALUE_DICT)
    return host_wrong(host, call->span, "triton.Config takes a dictionary first");
  for (size_t i = 0; i < kwargs->dict->count; i++) {
    const struct value_entry *entry = &kwargs->dict->entries[i];
    if (entry->key.kind != VALUE_STRING)
      return host_wrong(host, call->span, "the keys of triton.Config's dictionary are names");
    if (!host_dict_set(host, call->span, out, &entry->key, &entry->value))
      return false;
  }
  return true;
}

bool host_make_config(struct host *host, const struct host_call *call, struct value *out) {
  struct host_config *config = ARENA_NEW(host->eval.arena, struct host_config);
  *config = (struct host_config){.values = ARENA_NEW(host->eval.arena, struct value_dict),
                                 .num_warps = 4,
                                 .num_stages = 3,
                                 .num_ctas = 1,
                                 .number = -1,
                                 .span = call->span};
  if (call->count > PARAMETERS)
    return host_wrong(host, call->span, "triton.Config does not take %zu arguments", call->count);
  if (!check_keywords(host, call) || !take_values(host, call, config->values) ||
      !take_number(host, call, 1, &config->num_warps) ||
      !take_number(host, call, 2, &config->num_stages) ||
      !take_number(host, call, 3, &config->num_ctas) ||
      !take_number(host, call, 4, &config->maxnreg))
    return false;
  const struct value *hook = argument(call, 5);
  if (hook && hook->kind != VALUE_NONE &&
      !(hook->kind == VALUE_NAME && !strcmp(hook->text.data, "None")))
    config->pre_hook = value_source(host->eval.arena, hook);
  *out = (struct value){.kind = VALUE_CONFIG, .config = config};
  return true;
}

/* --- What there is ---------------------------------------------------------------------------- */

/* The numbers of a configuration, by their names. */
static int64_t *number_of(struct host_config *config, const char *name) {
  return strcmp(name, "num_warps") == 0    ? &config->num_warps
         : strcmp(name, "num_stages") == 0 ? &config->num_stages
         : strcmp(name, "num_ctas") == 0   ? &config->num_ctas
         : strcmp(name, "maxnreg") == 0    ? &config->maxnreg
                                           : NULL;
}

bool host_config_attribute(struct host *host, struct span span, const struct host_config *config,
                           const char *name, struct value *out) {
  const int64_t *number = number_of((struct host_config *)(uintptr_t)config, name);
  if (strcmp(name, "kwargs") == 0)
    *out = (struct value){.kind = VALUE_DICT, .dict = config->values};
  else if (number == &config->maxnreg && !*number)
    *out = value_none();
  else if (number)
    *out = value_integer(*number);
  else if (strcmp(name, "pre_hook") == 0)
    *out = config->pre_hook ? host_name(host, config->pre_hook) : value_none();
  else
    return host_unknown(host, span, "a triton.Config's '%s' is not evaluated", name);
  return true;
}

bool host_config_assign(struct host *host, struct span span, struct host_config *config,
                        const char *name, const struct value *value) {
  int64_t *number = number_of(config, name);
  if (strcmp(name, "kwargs") == 0 && value->kind == VALUE_DICT) {
    config->values = value->dict;
    return true;
  }
  if (!number)
    return host_unknown(host, span, "assignment to a triton.Config's '%s' is not evaluated", name);
  if (number == &config->maxnreg && value->kind == VALUE_NONE) {
    *number = 0;
    return true;
  }
  return read_number(host, span, name, value, number);
}

bool host_config_all(struct host *host, struct span span, const struct host_config *config,
                     struct value *out) {
  static const char *const names[] = {"num_warps", "num_ctas", "num_stages", "maxnreg"};
  *out = host_dict_new(host);
  if (!host_dict_merge(host, span, out->dict, config->values))
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    struct value value;
    if (!host_config_attribute(host, span, config, names[i], &value) ||
        (value.kind != VALUE_NONE && !host_dict_put(host, span, out->dict, names[i], &value)))
      return false;
  }
  return true;
}

bool host_config_equal(struct host *host, struct span span, const struct host_config *a,
                       const struct host_config *b, bool *out) {
  *out = a == b;
  if (a == b)
    return true;
  if (a->num_warps != b->num_warps || a->num_stages != b->num_stages ||
      a->num_ctas != b->num_ctas || a->maxnreg != b->maxnreg ||
      a->values->count != b->values->count || !a->pre_hook != !b->pre_hook ||
      (a->pre_hook && strcmp(a->pre_hook, b->pre_hook) != 0))
    return true;
  *out = true;
  for (size_t i = 0; i < a->values->count && *out; i++) {
    const struct value_entry *entry = &a->values->entries[i];
    struct value *other;
    if (!host_dict_find(host, span, b->values, &entry->key, &other))
      return false;
    *out = other != NULL;
    if (other && !host_equal(host, span, &entry->value, other, out))
      return false;
  }
  return true;
}

bool host_config_copy(struct host *host, const struct host_config *config,
                      struct host_config **out) {
  *out = ARENA_NEW(host->eval.arena, struct host_config);
  **out = *config;
  (*out)->values = ARENA_NEW(host->eval.arena, struct value_dict);
  return host_dict_merge(host, config->span, (*out)->values, config->values);
}
