/* SPDX-License-Identifier: MIT */
/* The arguments of a launch, as far as signature, constants and values say (pruning.h). The rules
   by which parameters take their entries are those of the import (frontend/import/import.c), but
   nothing has to be complete. */
#include <string.h>
#include "base/status.h"
#include "frontend/check/signature.h"
#include "frontend/config/choice.h"
#include "frontend/config/pruning.h"

/* Functions and other names of the file, of which host code sees no more than that they are there.
 */
static bool accept_name(struct signature_names *names, struct slice name, struct value *out) {
  (void)names, (void)name;
  *out = (struct value){.kind = VALUE_CALLABLE};
  return true;
}

static bool is_set(const struct tuning *tuning, const char *name) {
  for (size_t i = 0; i < tuning->count; i++)
    if (host_dict_get(tuning->configs[i]->values, name))
      return true;
  for (size_t i = 0; i < tuning->heuristic_count; i++)
    if (strcmp(tuning->heuristics[i].name, name) == 0)
      return true;
  return false;
}

static tile_status read_value(struct host *host, const char *text, struct value *out) {
  struct signature_names names = {.arena = host->eval.arena, .find = accept_name};
  struct value value;
  TRY(signature_constant(&names, slice_of(text), &value));
  *out = host_from_constant(host, &value);
  return NULL;
}

static tile_status from_entry(struct host *host, const struct import_options *options,
                              const char *name, const struct signature_entry *entry,
                              struct value *out) {
  const char *value = option_value(options->argument_values, options->argument_value_count, name);
  *out = (struct value){.kind = VALUE_ARGUMENT, .argument = {.name = name, .dtype = entry->dtype}};
  if (entry->kind == SIGNATURE_CONSTANT)
    *out = host_from_constant(host, &entry->constant);
  else if (entry->kind != SIGNATURE_RUN_TIME)
    out->argument.untyped = true;
  else if (!entry->dtype.pointers && value)
    return read_value(host, value, out);
  return NULL;
}

/* What no signature says: the value if there is one, the default, or nothing. */
static tile_status without_entry(struct host *host, const struct import_options *options,
                                 const struct node *node, struct value *out) {
  const char *name = node->parameter.name;
  const char *value = option_value(options->argument_values, options->argument_value_count, name);
  *out = (struct value){.kind = VALUE_ARGUMENT, .argument = {.name = name, .untyped = true}};
  if (value)
    return read_value(host, value, out);
  struct value otherwise;
  host_begin(host, host->as_of);
  if (node->parameter.default_value &&
      host_evaluate(host, node->parameter.default_value, &otherwise))
    *out = otherwise;
  return NULL;
}

/* One parameter with what the options say of it. */
struct walked {
  const struct node *node;
  const char *name, *constant;         /* --constexpr, or NULL */
  const struct signature_entry *entry; /* or NULL */
};
typedef tile_status visit_parameter(struct host *host, const struct import_options *options,
                                    const struct walked *at, void *data);

static tile_status walk(struct host *host, const struct tuning *tuning,
                        const struct import_options *options, visit_parameter *visit, void *data) {
  const struct node_list *parameters = &tuning->kernel->function->function.parameters;
  struct signature_names names = {.arena = host->eval.arena, .find = accept_name};
  struct signature_supply supply = {.names = options->derived_names};
  TRY(signature_parse(&names, options->signature ? options->signature : "", &supply.entries,
                      &supply.count));
  bool complete = options->signature &&
                  supply.count + option_parameters(options, tuning->kernel) >= parameters->count;
  for (uint32_t i = 0; i < parameters->count; i++) {
    struct walked at = {.node = parameters->items[i], .name = parameters->items[i]->parameter.name};
    at.constant = option_value(options->constants, options->constant_count, at.name);
    if (!at.constant && !complete && is_set(tuning, at.name))
      continue;
    struct signature_entry *entry = at.constant ? NULL : signature_supply_take(&supply, at.name);
    if (entry && options->derived_names)
      signature_generalize(entry, tuning->keep[i]);
    at.entry = entry;
    TRY(visit(host, options, &at, data));
  }
  return NULL;
}

static tile_status add_argument(struct host *host, const struct import_options *options,
                                const struct walked *at, void *data) {
  struct value value;
  if (at->constant)
    TRY(read_value(host, at->constant, &value));
  else if (at->entry)
    TRY(from_entry(host, options, at->name, at->entry, &value));
  else
    TRY(without_entry(host, options, at->node, &value));
  host_dict_put(host, at->node->span, data, at->name, &value);
  return NULL;
}

tile_status launch_arguments(struct host *host, const struct tuning *tuning,
                             const struct import_options *options, struct value_dict *out) {
  return walk(host, tuning, options, add_argument, out);
}

/* --- As texts --------------------------------------------------------------------------------- */

static void add_part(const struct signature_entry *part, const char *name, void *data) {
  struct text *out = data;
  (void)name;
  text_puts(out, out->length > 1 ? "," : "");
  dtype_print(part->dtype, out);
}

static const char *keep_type(struct host *host, const struct signature_entry *entry) {
  struct text text = {0};
  if (entry->kind == SIGNATURE_RUN_TIME) {
    dtype_print(entry->dtype, &text);
  } else {
    text_puts(&text, "(");
    signature_walk(entry, "", add_part, &text);
    text_puts(&text, ")");
  }
  return text_keep(&text, host->eval.arena);
}

struct texts {
  struct launch_parameter *list;
  size_t count;
};

static tile_status add_texts(struct host *host, const struct import_options *options,
                             const struct walked *at, void *data) {
  struct texts *texts = data;
  struct launch_parameter *out = &texts->list[texts->count++];
  const char *value =
      option_value(options->argument_values, options->argument_value_count, at->name);
  struct value known;
  *out = (struct launch_parameter){.name = at->name};
  if (at->entry && at->entry->kind != SIGNATURE_CONSTANT) {
    out->type = keep_type(host, at->entry);
    if (value && at->entry->kind == SIGNATURE_RUN_TIME && !at->entry->dtype.pointers) {
      TRY(read_value(host, value, &known));
      out->value = value_source(host->eval.arena, &known);
    }
    return NULL;
  }
  if (at->constant)
    TRY(read_value(host, at->constant, &known));
  else if (at->entry)
    known = host_from_constant(host, &at->entry->constant);
  else
    TRY(without_entry(host, options, at->node, &known));
  if (known.kind != VALUE_ARGUMENT)
    out->constant = value_source(host->eval.arena, &known);
  return NULL;
}

tile_status launch_parameters(struct host *host, const struct tuning *tuning,
                              const struct import_options *options, struct launch_parameter **out,
                              size_t *count) {
  struct texts texts = {.list =
                            ARENA_ARRAY(host->eval.arena, struct launch_parameter,
                                        tuning->kernel->function->function.parameters.count + 1)};
  tile_status status = walk(host, tuning, options, add_texts, &texts);
  *out = texts.list, *count = texts.count;
  return status;
}
