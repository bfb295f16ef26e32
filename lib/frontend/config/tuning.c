/* SPDX-License-Identifier: MIT */
/* See tuning.h. */
#include "frontend/config/tuning.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/check/signature.h"

bool tuning_fail(struct host *host, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  problems_add_v(&host->module->problems, PROBLEM_ERROR, module_source(host->module, span.offset),
                 span, format, arguments);
  va_end(arguments);
  return false;
}

const char *trouble_text(const struct host *host, const struct host_trouble *trouble) {
  const struct source *source = module_source(host->module, trouble->span.offset);
  struct place place = source_place(source, trouble->span.offset);
  return text_format(host->eval.arena, "%s:%u:%u: %s", source->name, (unsigned)place.line,
                     (unsigned)place.column, trouble->message);
}

int32_t kernel_parameter(const struct kernel *kernel, struct slice name) {
  const struct node_list *parameters = &kernel->function->function.parameters;
  for (uint32_t i = 0; i < parameters->count; i++)
    if (slice_equals(name, parameters->items[i]->parameter.name))
      return (int32_t)i;
  return -1;
}

int target_capability(const char *target) {
  int number = target && strncmp(target, "sm_", 3) == 0 ? atoi(target + 3) : 0;
  return number >= 10 && number < 10000 ? number : 0;
}

const struct machine *target_machine(const char *target) {
  return target ? machine_find(target, strlen(target)) : NULL;
}

bool is_launch_option(struct slice name) {
#define LAUNCH_OPTION(option, member)                                                              \
  if (slice_equals(name, option))                                                                  \
    return true;
#include "frontend/config/launch_options.def"
#undef LAUNCH_OPTION
  return false;
}

/* Of a name that is no parameter. */
static const char *suggestion(struct host *host, const struct kernel *kernel, struct slice name) {
  const struct node_list *parameters = &kernel->function->function.parameters;
  struct arena *arena = host->eval.arena;
  return word_suggestion(arena, arena_copy_string(arena, name.data, name.length),
                         parameter_names(arena, parameters), parameters->count);
}

/* --- Evaluating a part of a decorator --------------------------------------------------------- */

/* False after a problem. A VALUE_NAME where the value is not known, and host->trouble says why. */
static bool evaluate(struct host *host, const struct node *node, struct value *out) {
  host_begin(host, host->as_of);
  if (host_evaluate(host, node, out)) {
    if (out->kind == VALUE_NAME)
      host_unknown(host, node->span, "%s is known at run time only", out->text.data);
    return true;
  }
  out->kind = VALUE_NAME;
  return host->trouble.kind != HOST_WRONG ||
         tuning_fail(host, host->trouble.span, "%s", host->trouble.message);
}

/* The argument of a decorator by its position or name, or NULL. */
static const struct node *decorator_argument(const struct node *call, uint32_t position,
                                             const char *name) {
  const struct node_list *arguments = &call->call.arguments;
  for (uint32_t i = 0; i < arguments->count; i++) {
    const struct node *argument = arguments->items[i];
    if (argument->kind == NODE_STARRED)
      return NULL;
    if (argument->kind == NODE_KEYWORD
            ? argument->keyword.name && strcmp(argument->keyword.name, name) == 0
            : i == position)
      return argument->kind == NODE_KEYWORD ? argument->keyword.value : argument;
  }
  return NULL;
}

/* Fails on a keyword that is not in `names`. */
static bool check_keywords(struct host *host, const struct node *call, const char *what,
                           const char *const *names, size_t count) {
  for (uint32_t i = 0; i < call->call.arguments.count; i++) {
    const struct node *argument = call->call.arguments.items[i];
    if (argument->kind != NODE_KEYWORD || !argument->keyword.name)
      continue;
    bool known = false;
    for (size_t k = 0; k < count && !known; k++)
      known = strcmp(names[k], argument->keyword.name) == 0;
    if (known)
      continue;
    return tuning_fail(host, argument->keyword.name_span, "%s has no parameter '%s'%s", what,
                       argument->keyword.name,
                       word_suggestion(host->eval.arena, argument->keyword.name, names, count));
  }
  return true;
}

/* A list of parameter names. Those that are no parameters are an error when `strict`. */
static bool read_names(struct host *host, const struct kernel *kernel, const struct node *node,
                       const char *what, bool strict, struct name_list *out) {
  struct value value;
  if (!node || node->kind == NODE_NONE)
    return true;
  if (!evaluate(host, node, &value))
    return false;
  if (value.kind == VALUE_NAME) {
    out->computed = host_source(host, node->span);
    return true;
  }
  if (value.kind != VALUE_LIST)
    return tuning_fail(host, node->span, "%s is a list of names", what);
  out->names = ARENA_ARRAY(host->eval.arena, const char *, value.list->count + 1);
  for (size_t i = 0; i < value.list->count; i++) {
    const struct value *name = &value.list->items[i];
    if (name->kind != VALUE_STRING)
      return tuning_fail(host, node->span, "%s is a list of names, not of %s", what,
                         host_describe(host, name));
    if (strict && kernel_parameter(kernel, name->text) < 0)
      return tuning_fail(host, node->span, "%s names '%.*s', which is no parameter of '%s'%s", what,
                         (int)name->text.length, name->text.data, kernel->name,
                         suggestion(host, kernel, name->text));
    out->names[out->count++] =
        arena_copy_string(host->eval.arena, name->text.data, name->text.length);
  }
  return true;
}

/* --- @triton.autotune ------------------------------------------------------------------------- */

static bool check_config(struct host *host, const struct kernel *kernel,
                         const struct host_config *config, size_t index) {
  for (size_t i = 0; i < config->values->count; i++) {
    struct slice name = config->values->entries[i].key.text;
    if (kernel_parameter(kernel, name) < 0 && !is_launch_option(name))
      return tuning_fail(host, config->span,
                         "configuration %zu sets '%.*s', which is no parameter of '%s'%s", index,
                         (int)name.length, name.data, kernel->name, suggestion(host, kernel, name));
  }
  return true;
}

static bool read_configs(struct host *host, const struct node *node, struct tuning *out) {
  struct value value;
  if (!node)
    return tuning_fail(host, out->kernel->autotune->span, "triton.autotune has no configs");
  if (!evaluate(host, node, &value))
    return false;
  if (value.kind == VALUE_NAME) {
    out->computed = host->trouble;
    return true;
  }
  if (value.kind != VALUE_LIST)
    return tuning_fail(host, node->span, "configs is a list of triton.Config, not %s",
                       host_describe(host, &value));
  out->configs = ARENA_ARRAY(host->eval.arena, struct host_config *, value.list->count + 1);
  for (size_t i = 0; i < value.list->count; i++) {
    const struct value *item = &value.list->items[i];
    if (item->kind != VALUE_CONFIG)
      return tuning_fail(host, node->span, "configs is a list of triton.Config; element %zu is %s",
                         i, host_describe(host, item));
    if (!check_config(host, out->kernel, item->config, i))
      return false;
    out->configs[out->count++] = item->config;
  }
  return true;
}

static void read_prunings(struct host *host, const struct node *node, struct tuning *out) {
  if (!node || node->kind == NODE_NONE)
    return;
  out->prune_configs_by = node;
  const struct node_list *entries =
      node->kind == NODE_DICT ? &node->dict_display.entries : &(struct node_list){0};
  out->prunings = ARENA_ARRAY(host->eval.arena, struct pruning, entries->count + 1);
  if (node->kind != NODE_DICT)
    out->prunings[out->pruning_count++] =
        (struct pruning){"prune_configs_by", host_source(host, node->span)};
  for (uint32_t i = 0; i < entries->count; i++) {
    const struct node *key = entries->items[i]->entry.key;
    out->prunings[out->pruning_count++] = (struct pruning){
        node_is(key, NODE_STRING)
            ? value_text(host->eval.arena, key->string.value.data, key->string.value.length)
                  .text.data
        : key ? host_source(host, key->span)
              : "**",
        host_source(host, entries->items[i]->entry.value->span)};
  }
}

static bool is_tritons(const struct kernel *kernel, const struct node *call, const char *name) {
  const char *path = scope_path(kernel->made_in, call);
  return strncmp(path, "triton.", 7) == 0 && strcmp(path + 7, name) == 0;
}

/* --- How to measure --------------------------------------------------------------------------- */

/* A number from 0 on; what is computed at run time is not known. */
static bool read_number(struct host *host, const struct node *node, const char *name, bool *has,
                        double *out) {
  struct value value;
  if (!evaluate(host, node, &value))
    return false;
  *has = value.kind != VALUE_NAME && value.kind != VALUE_NONE;
  if (!*has)
    return true;
  if (!value_is_number(&value) || !(value_as_double(&value) >= 0))
    return tuning_fail(host, node->span, "triton.autotune's %s is a number of milliseconds, not %s",
                       name,
                       value_is_number(&value) ? "a negative one" : host_describe(host, &value));
  *out = value_as_double(&value);
  return true;
}

static bool read_truth(struct host *host, const struct node *node, bool *out) {
  struct value value;
  if (!evaluate(host, node, &value))
    return false;
  return value.kind == VALUE_NAME || host_truth(host, node->span, &value, out) ||
         host->trouble.kind != HOST_WRONG;
}

/* Those that are given, with the text of their values. */
static void keep_written(struct host *host, const char *name, const struct node *node,
                         struct name_list *out) {
  out->names[out->count++] =
      text_format(host->eval.arena, "%s = %s", name, host_source(host, node->span));
}

static bool read_settings(struct host *host, const struct node *call, struct tuning_settings *out) {
  static const char *const names[] = {"pre_hook",       "post_hook", "warmup",       "rep",
                                      "use_cuda_graph", "do_bench",  "cache_results"};
  enum { FIRST = 5, COUNT = sizeof names / sizeof *names }; /* after restore_value */
  const struct node *nodes[COUNT];
  out->written.names = ARENA_ARRAY(host->eval.arena, const char *, COUNT);
  for (uint32_t i = 0; i < COUNT; i++) {
    nodes[i] = decorator_argument(call, FIRST + i, names[i]);
    if (nodes[i] && nodes[i]->kind == NODE_NONE)
      nodes[i] = NULL;
    if (nodes[i])
      keep_written(host, names[i], nodes[i], &out->written);
  }
  out->pre_hook = nodes[0] ? host_source(host, nodes[0]->span) : NULL;
  out->post_hook = nodes[1] ? host_source(host, nodes[1]->span) : NULL;
  out->do_bench = nodes[5] ? host_source(host, nodes[5]->span) : NULL;
  return (!nodes[2] || read_number(host, nodes[2], names[2], &out->has_warmup, &out->warmup)) &&
         (!nodes[3] || read_number(host, nodes[3], names[3], &out->has_rep, &out->rep)) &&
         (!nodes[4] || read_truth(host, nodes[4], &out->use_cuda_graph)) &&
         (!nodes[6] || read_truth(host, nodes[6], &out->cache_results));
}

static bool read_autotune(struct host *host, const struct node *call, struct tuning *out) {
  static const char *const keywords[] = {"configs",        "key",           "prune_configs_by",
                                         "reset_to_zero",  "restore_value", "pre_hook",
                                         "post_hook",      "warmup",        "rep",
                                         "use_cuda_graph", "do_bench",      "cache_results"};
  const struct kernel *kernel = out->kernel;
  out->tuned = true;
  if (is_tritons(kernel, call, "autotune") &&
      !check_keywords(host, call, "triton.autotune", keywords, sizeof keywords / sizeof *keywords))
    return false;
  read_prunings(host, decorator_argument(call, 2, "prune_configs_by"), out);
  return read_settings(host, call, &out->settings) &&
         read_configs(host, decorator_argument(call, 0, "configs"), out) &&
         read_names(host, kernel, decorator_argument(call, 1, "key"), "key", false, &out->key) &&
         read_names(host, kernel, decorator_argument(call, 3, "reset_to_zero"), "reset_to_zero",
                    true, &out->reset_to_zero) &&
         read_names(host, kernel, decorator_argument(call, 4, "restore_value"), "restore_value",
                    true, &out->restore_value);
}

/* --- @triton.heuristics ----------------------------------------------------------------------- */

static bool add_heuristic(struct host *host, struct tuning *out, const struct value_entry *entry,
                          struct span span, uint32_t decorator) {
  struct slice name = entry->key.text;
  if (entry->key.kind != VALUE_STRING)
    return tuning_fail(host, span, "the keys of triton.heuristics are names of parameters");
  if (kernel_parameter(out->kernel, name) < 0 && !is_launch_option(name))
    return tuning_fail(host, span, "a heuristic sets '%.*s', which is no parameter of '%s'%s",
                       (int)name.length, name.data, out->kernel->name,
                       suggestion(host, out->kernel, name));
  for (size_t i = 0; i < out->heuristic_count; i++)
    if (slice_equals(name, out->heuristics[i].name))
      return tuning_fail(host, span, "two heuristics set '%.*s'; leave one", (int)name.length,
                         name.data);
  if (entry->value.kind != VALUE_HOST_FUNCTION)
    return tuning_fail(host, span, "the heuristic of '%.*s' is a function of the arguments, not %s",
                       (int)name.length, name.data, host_describe(host, &entry->value));
  out->heuristics[out->heuristic_count++] =
      (struct heuristic){.name = arena_copy_string(host->eval.arena, name.data, name.length),
                         .function = entry->value,
                         .span = span,
                         .decorator = decorator};
  return true;
}

/* A dictionary as written, entry by entry: what one value is does not hide the others. */
static bool read_display(struct host *host, const struct node *node, uint32_t decorator,
                         struct tuning *out) {
  const struct node_list *entries = &node->dict_display.entries;
  for (uint32_t i = 0; i < entries->count; i++) {
    const struct node_entry *parts = &entries->items[i]->entry;
    struct value_entry entry = {0};
    if (!parts->key) {
      host_unknown(host, parts->value->span, "'**' is not evaluated");
      out->computed_heuristics = host->trouble;
      continue;
    }
    if (!evaluate(host, parts->key, &entry.key) ||
        (entry.key.kind != VALUE_NAME && !evaluate(host, parts->value, &entry.value)))
      return false;
    if (entry.key.kind == VALUE_NAME || entry.value.kind == VALUE_NAME)
      out->computed_heuristics = host->trouble;
    else if (!add_heuristic(host, out, &entry, parts->value->span, decorator))
      return false;
  }
  return true;
}

static void reserve_heuristics(struct host *host, struct tuning *out, size_t more) {
  struct heuristic *grown =
      ARENA_ARRAY(host->eval.arena, struct heuristic, out->heuristic_count + more + 1);
  if (out->heuristic_count)
    memcpy(grown, out->heuristics, out->heuristic_count * sizeof *grown);
  out->heuristics = grown;
}

static bool read_heuristics(struct host *host, const struct node *call, uint32_t decorator,
                            struct tuning *out) {
  static const char *const keywords[] = {"values"};
  const struct node *node = decorator_argument(call, 0, "values");
  struct value value;
  if (is_tritons(out->kernel, call, "heuristics") &&
      !check_keywords(host, call, "triton.heuristics", keywords, 1))
    return false;
  if (!node)
    return tuning_fail(host, call->span, "triton.heuristics takes a dictionary");
  if (node->kind == NODE_DICT) {
    reserve_heuristics(host, out, node->dict_display.entries.count);
    return read_display(host, node, decorator, out);
  }
  if (!evaluate(host, node, &value))
    return false;
  if (value.kind == VALUE_NAME) {
    out->computed_heuristics = host->trouble;
    return true;
  }
  if (value.kind != VALUE_DICT)
    return tuning_fail(host, node->span, "triton.heuristics takes a dictionary, not %s",
                       host_describe(host, &value));
  reserve_heuristics(host, out, value.dict->count);
  for (size_t i = 0; i < value.dict->count; i++) {
    if (value.dict->entries[i].value.kind == VALUE_NAME) {
      host_unknown(host, node->span, "%s is known at run time only",
                   value.dict->entries[i].value.text.data);
      out->computed_heuristics = host->trouble;
    } else if (!add_heuristic(host, out, &value.dict->entries[i], node->span, decorator)) {
      return false;
    }
  }
  return true;
}

/* --- @triton.jit ------------------------------------------------------------------------------ */

/* A parameter whose annotation is a type, `n: tl.int64`, is of that type at run time, also where
   its argument is 1. */
static bool has_type(const struct node *annotation) {
  struct slice name = annotation_name(annotation);
  struct dtype dtype;
  return dtype_find(name.data, name.length, &dtype);
}

/* Parameters by name or index. Others are ignored, as Triton does. */
static bool mark_parameters(struct host *host, const struct node *node, unsigned keep,
                            struct tuning *out) {
  struct value value;
  if (!node || node->kind == NODE_NONE)
    return true;
  if (!evaluate(host, node, &value))
    return false;
  int64_t count = out->kernel->function->function.parameters.count;
  if (value.kind == VALUE_NAME)
    return true;
  if (value.kind != VALUE_LIST)
    return tuning_fail(host, node->span, "this is a list of parameters");
  for (size_t i = 0; i < value.list->count; i++) {
    const struct value *item = &value.list->items[i];
    int64_t index = item->kind == VALUE_STRING ? kernel_parameter(out->kernel, item->text)
                    : value_is_integer(item)   ? value_as_integer(item)
                                               : -1;
    if (index >= 0 && index < count)
      out->keep[index] |= keep;
  }
  return true;
}

static bool read_jit(struct host *host, struct tuning *out) {
  static const char *const keywords[] = {"do_not_specialize",
                                         "do_not_specialize_on_alignment",
                                         "noinline",
                                         "debug",
                                         "repr",
                                         "launch_metadata",
                                         "version"};
  const struct node *jit = out->kernel->jit;
  uint32_t count = out->kernel->function->function.parameters.count;
  const struct node_list *parameters = &out->kernel->function->function.parameters;
  out->keep = ARENA_ARRAY(host->eval.arena, unsigned, count + 1);
  for (uint32_t i = 0; i < count; i++)
    out->keep[i] = has_type(parameters->items[i]->parameter.annotation) ? KEEP_UNFOLDED : 0;
  if (!node_is(jit, NODE_CALL))
    return true;
  if (is_tritons(out->kernel, jit, "jit") &&
      !check_keywords(host, jit, "triton.jit", keywords, sizeof keywords / sizeof *keywords))
    return false;
  const struct node *whole = decorator_argument(jit, UINT32_MAX, "do_not_specialize");
  const struct node *alignment =
      decorator_argument(jit, UINT32_MAX, "do_not_specialize_on_alignment");
  return mark_parameters(host, whole, KEEP_UNALIGNED | KEEP_UNFOLDED, out) &&
         mark_parameters(host, alignment, KEEP_UNALIGNED, out);
}

/* --- All of them ------------------------------------------------------------------------------ */

static bool contains(const struct node_list *list, const struct node *node) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i] == node)
      return true;
  return false;
}

bool tuning_read(struct host *host, const struct kernel *kernel, struct tuning *out) {
  *out = (struct tuning){.kernel = kernel};
  const struct node_list *decorators = &kernel->decorators;
  host->as_of = kernel->offset;
  for (uint32_t i = 0; i < decorators->count; i++) {
    const struct node *node = decorators->items[i];
    if (node == kernel->autotune) {
      out->autotune = i;
      if (!read_autotune(host, node, out))
        return false;
    } else if (contains(&kernel->heuristics, node) && !read_heuristics(host, node, i, out)) {
      return false;
    }
  }
  return read_jit(host, out);
}
