/* SPDX-License-Identifier: MIT */
/* triton.Config(kwargs, num_warps=4, num_stages=3, num_ctas=1, maxnreg=None, pre_hook=None). */
#include <string.h>
#include "frontend/config/host.h"

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

static const struct host_value *argument(const struct host_call *call, size_t index) {
  return index < call->count ? &call->positional[index] : host_call_named(call, parameters[index]);
}

static bool take_number(struct host *host, const struct host_call *call, size_t index,
                        int64_t *out) {
  const struct host_value *value = argument(call, index);
  if (!value || value->kind == HOST_NONE)
    return true;
  if (value->kind == HOST_NAME)
    return host_unknown(host, call->span, "'%s' is known at run time only", value->text.data);
  if (host_is_integer(value) && (host_as_integer(value) < 0 || host_as_integer(value) > 65536))
    return host_wrong(host, call->span, "triton.Config's %s is a number from 0 to 65536, not %lld",
                      parameters[index], (long long)host_as_integer(value));
  if (!host_is_integer(value))
    return host_wrong(host, call->span, "triton.Config's %s is a number from 0 on, not %s",
                      parameters[index], host_describe(host, value));
  *out = host_as_integer(value);
  return true;
}

static bool take_values(struct host *host, const struct host_call *call, struct host_dict *out) {
  const struct host_value *kwargs = argument(call, 0);
  if (!kwargs || kwargs->kind != HOST_DICT)
    return host_wrong(host, call->span, "triton.Config takes a dictionary first");
  for (size_t i = 0; i < kwargs->dict->count; i++) {
    const struct host_entry *entry = &kwargs->dict->entries[i];
    if (entry->key.kind != HOST_STRING)
      return host_wrong(host, call->span, "the keys of triton.Config's dictionary are names");
    if (!host_dict_set(host, call->span, out, &entry->key, &entry->value))
      return false;
  }
  return true;
}

bool host_make_config(struct host *host, const struct host_call *call, struct host_value *out) {
  struct host_config *config = ARENA_NEW(host->arena, struct host_config);
  *config = (struct host_config){.values = ARENA_NEW(host->arena, struct host_dict),
                                 .num_warps = 4,
                                 .num_stages = 3,
                                 .num_ctas = 1,
                                 .span = call->span};
  if (call->count > PARAMETERS)
    return host_wrong(host, call->span, "triton.Config does not take %zu arguments", call->count);
  if (!check_keywords(host, call) || !take_values(host, call, config->values) ||
      !take_number(host, call, 1, &config->num_warps) ||
      !take_number(host, call, 2, &config->num_stages) ||
      !take_number(host, call, 3, &config->num_ctas) ||
      !take_number(host, call, 4, &config->maxnreg))
    return false;
  const struct host_value *hook = argument(call, 5);
  struct text text = {0};
  if (hook && hook->kind != HOST_NONE &&
      !(hook->kind == HOST_NAME && !strcmp(hook->text.data, "None"))) {
    host_print(hook, &text);
    config->pre_hook = arena_copy_string(host->arena, text_string(&text), text.length);
  }
  text_free(&text);
  *out = (struct host_value){.kind = HOST_CONFIG, .config = config};
  return true;
}
