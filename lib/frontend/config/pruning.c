/* SPDX-License-Identifier: MIT */
/* See pruning.h. */
#include "frontend/config/pruning.h"

#include <string.h>
#include "base/status.h"

struct carrying_out {
  struct host *host;
  const struct tuning *tuning;
  struct value_dict *arguments;
  struct value_list *left; /* of VALUE_CONFIG: what remains so far */
  struct text notes;
};

/* "; perf_model is not evaluated: k.py:12:5: why". False, for its callers to end with. */
static bool note(struct carrying_out *c, const char *what) {
  text_printf(&c->notes, "%s%s is not evaluated: %s", c->notes.length ? "; " : "", what,
              trouble_text(c->host, &c->host->trouble));
  return false;
}

/* A launch comes after the whole file. */
static void begin(struct host *host) {
  host_begin(host, UINT32_MAX);
}

/* --- The dictionary's values ------------------------------------------------------------------ */

/* The value of an entry; None when there is none. False after a note. */
static bool entry_of(struct carrying_out *c, const char *name, struct value *out) {
  const struct node *node = c->tuning->prune_configs_by;
  struct value dict;
  const struct value *found;
  *out = value_none();
  host_begin(c->host, c->tuning->kernel->offset);
  for (uint32_t i = 0; node_is(node, NODE_DICT) && i < node->dict_display.entries.count; i++) {
    const struct node_entry *entry = &node->dict_display.entries.items[i]->entry;
    if (node_is(entry->key, NODE_STRING) && slice_equals(entry->key->string.value, name))
      return host_evaluate(c->host, entry->value, out) || note(c, name);
  }
  if (node_is(node, NODE_DICT))
    return true;
  if (!host_evaluate(c->host, node, &dict))
    return note(c, name);
  if (dict.kind == VALUE_DICT && (found = host_dict_get(dict.dict, name)) != NULL)
    *out = *found;
  return dict.kind == VALUE_DICT ||
         host_unknown(c->host, node->span, "prune_configs_by is %s, not a dictionary",
                      host_describe(c->host, &dict)) ||
         note(c, name);
}

/* A function of the file; *found is false when the entry is None. */
static bool function_of(struct carrying_out *c, const char *name, struct value *out, bool *found) {
  if (!entry_of(c, name, out))
    return false;
  *found = out->kind != VALUE_NONE;
  if (!*found || out->kind == VALUE_HOST_FUNCTION)
    return true;
  struct span span = c->tuning->prune_configs_by->span;
  if (out->kind == VALUE_NAME)
    host_unknown(c->host, span, "'%s' is not in this file", out->text.data);
  else
    host_unknown(c->host, span, "it is %s, not a function", host_describe(c->host, out));
  return note(c, name);
}

/* --- Calls ------------------------------------------------------------------------------------ */

static bool takes(const struct node_list *parameters, const char *name, bool *all) {
  bool found = false;
  for (uint32_t i = 0; i < parameters->count; i++) {
    const struct node_parameter *parameter = &parameters->items[i]->parameter;
    *all |= parameter->style == PARAMETER_KEYWORD_REST;
    found |= parameter->style != PARAMETER_REST && strcmp(parameter->name, name) == 0;
  }
  return found;
}

/* Calls with all named arguments that the function takes; a launch's own two are among them. */
static bool call(struct carrying_out *c, const struct value *function,
                 const struct value *positional, size_t count, struct value_dict *named,
                 struct value *out) {
  const struct node *node = function->function->node;
  const struct node_list *parameters = function_parameters(node);
  struct value own[] = {host_name(c->host, "grid"), value_bool(false)};
  const char *names[] = {"grid", "warmup"};
  struct value_dict taken = {0};
  for (size_t i = 0; i < 2; i++)
    if (!host_dict_get(named, names[i]) &&
        !host_dict_put(c->host, node->span, named, names[i], &own[i]))
      return false;
  for (size_t i = 0; i < named->count; i++) {
    bool all = false;
    const struct value_entry *entry = &named->entries[i];
    if ((takes(parameters, entry->key.text.data, &all) || all) &&
        !host_dict_set(c->host, node->span, &taken, &entry->key, &entry->value))
      return false;
  }
  return host_call(c->host, function,
                   &(struct host_call){.span = node->span,
                                       .positional = positional,
                                       .count = count,
                                       .named = taken.entries,
                                       .named_count = taken.count},
                   out);
}

static bool copy_arguments(struct carrying_out *c, struct value_dict *out) {
  return host_dict_merge(c->host, c->tuning->kernel->function->span, out, c->arguments);
}

/* Is it a list of configurations that can be launched? */
static bool check_result(struct carrying_out *c, const struct value *function,
                         const struct value *result) {
  struct span span = function->function->node->span;
  if (result->kind != VALUE_LIST)
    return host_unknown(c->host, span, "it gives %s, not a list", host_describe(c->host, result));
  if (result->list->count == 0)
    return host_unknown(c->host, span, "it leaves no configuration, which Triton refuses");
  for (size_t i = 0; i < result->list->count; i++) {
    const struct value *item = &result->list->items[i];
    if (item->kind != VALUE_CONFIG)
      return host_unknown(c->host, span, "it gives a list with %s, not of triton.Config",
                          host_describe(c->host, item));
    for (size_t k = 0; k < item->config->values->count; k++) {
      struct slice name = item->config->values->entries[k].key.text;
      if (item->config->values->entries[k].key.kind != VALUE_STRING ||
          (kernel_parameter(c->tuning->kernel, name) < 0 && !is_launch_option(name)))
        return host_unknown(c->host, span,
                            "it gives a configuration with '%.*s', which is no parameter",
                            (int)name.length, name.data);
    }
  }
  return true;
}

static bool run_early(struct carrying_out *c, const struct value *function) {
  struct value positional[2] = {{.kind = VALUE_LIST, .list = c->left}, host_dict_new(c->host)},
               result;
  struct value_dict named = {0};
  begin(c->host);
  if (!copy_arguments(c, positional[1].dict) || !copy_arguments(c, &named) ||
      !call(c, function, positional, 2, &named, &result) || !check_result(c, function, &result))
    return note(c, "early_config_prune");
  c->left = result.list;
  return true;
}

/* How many are to stay of `all`; -1 after a note. */
static int64_t most_left(struct carrying_out *c, size_t all) {
  struct value top;
  if (!entry_of(c, "top_k", &top))
    return -1;
  if (top.kind == VALUE_NONE)
    return (int64_t)all; /* 1.0 is Triton's default */
  if (top.kind == VALUE_FLOAT && top.number <= 1.0 && top.number >= 0)
    return (int64_t)((double)all * top.number);
  if (value_is_integer(&top) && value_as_integer(&top) >= 0)
    return value_as_integer(&top);
  host_unknown(c->host, c->tuning->prune_configs_by->span,
               "it is a number from 0 on, or a float from 0 to 1.0, not %s",
               value_is_number(&top) ? "another one" : host_describe(c->host, &top));
  note(c, "top_k");
  return -1;
}

/* The estimate of a configuration. */
static bool estimate(struct carrying_out *c, const struct value *function,
                     const struct host_config *config, struct value *out) {
  struct value_dict named = {0};
  struct value all;
  struct span span = function->function->node->span;
  return copy_arguments(c, &named) && host_config_all(c->host, span, config, &all) &&
         host_dict_merge(c->host, span, &named, all.dict) &&
         call(c, function, NULL, 0, &named, out) &&
         (value_is_number(out) ||
          host_unknown(c->host, span, "it gives %s, not a number", host_describe(c->host, out)));
}

/* Each configuration once, as in the dictionary that Triton makes of them, with the least estimates
   first; of equal ones the first stays first. */
static bool rank(struct carrying_out *c, const struct value *function, struct value_list *out) {
  double *times = ARENA_ARRAY(c->host->eval.arena, double, c->left->count + 1);
  for (size_t i = 0; i < c->left->count; i++) {
    const struct value *item = &c->left->items[i];
    struct value time;
    bool same = false;
    for (size_t k = 0; k < out->count && !same; k++)
      if (!host_equal(c->host, item->config->span, item, &out->items[k], &same))
        return false;
    if (same)
      continue;
    if (!estimate(c, function, item->config, &time) ||
        !host_list_add(c->host, item->config->span, out, item))
      return false;
    size_t at = out->count - 1;
    for (; at > 0 && value_as_double(&time) < times[at - 1]; at--) {
      times[at] = times[at - 1];
      out->items[at] = out->items[at - 1];
    }
    times[at] = value_as_double(&time);
    out->items[at] = *item;
  }
  return true;
}

static bool run_model(struct carrying_out *c, const struct value *function, size_t all) {
  struct value ranked = host_list_new(c->host);
  int64_t most = most_left(c, all);
  if (most < 0 || (int64_t)c->left->count <= most)
    return most >= 0;
  begin(c->host);
  if (most == 0 ? !host_unknown(c->host, c->tuning->prune_configs_by->span,
                                "top_k leaves no configuration")
                : !rank(c, function, ranked.list))
    return note(c, "perf_model");
  c->left = ranked.list;
  if (c->left->count > (size_t)most)
    c->left->count = (size_t)most;
  return true;
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Copies, so that what a function does to them is not seen where it fails. */
static bool copy_configs(struct carrying_out *c) {
  struct value list = host_list_new(c->host);
  begin(c->host);
  for (size_t i = 0; i < c->tuning->count; i++) {
    struct value item = {.kind = VALUE_CONFIG};
    if (!host_config_copy(c->host, c->tuning->configs[i], &item.config))
      return false;
    item.config->number = (int64_t)i;
    if (!host_list_add(c->host, item.config->span, list.list, &item))
      return false;
  }
  c->left = list.list;
  return true;
}

/* The number by which --config knows a configuration, unless it is another one by now. */
static int64_t number_of(struct carrying_out *c, const struct host_config *config) {
  bool same = false;
  if (config->number < 0 ||
      !host_config_equal(c->host, config->span, config, c->tuning->configs[config->number], &same))
    return -1;
  return same ? config->number : -1;
}

static void carry_out(struct carrying_out *c) {
  struct value early, model;
  bool found = false;
  if (!copy_configs(c)) {
    note(c, "prune_configs_by");
    return;
  }
  if (function_of(c, "early_config_prune", &early, &found) && found && !run_early(c, &early) &&
      !copy_configs(c))
    c->left = NULL;
  found = false;
  if (c->left && function_of(c, "perf_model", &model, &found) && found)
    run_model(c, &model, c->tuning->count);
}

tile_status pruning_carry_out(struct host *host, const struct tuning *tuning,
                              const struct import_options *options, struct pruned *out) {
  struct carrying_out c = {
      .host = host, .tuning = tuning, .arguments = ARENA_NEW(host->eval.arena, struct value_dict)};
  *out = (struct pruned){0};
  if (tuning->prune_configs_by && tuning->count) {
    TRY(launch_arguments(host, tuning, options, c.arguments));
    carry_out(&c);
  }
  size_t count = c.left ? c.left->count : tuning->count;
  out->configs = ARENA_ARRAY(host->eval.arena, const struct host_config *, count + 1);
  out->numbers = ARENA_ARRAY(host->eval.arena, int64_t, count + 1);
  begin(host);
  for (out->count = 0; out->count < count; out->count++) {
    out->configs[out->count] =
        c.left ? c.left->items[out->count].config : tuning->configs[out->count];
    out->numbers[out->count] =
        c.left ? number_of(&c, out->configs[out->count]) : (int64_t)out->count;
  }
  if (c.notes.length)
    out->note = text_keep(&c.notes, host->eval.arena);
  return NULL;
}
