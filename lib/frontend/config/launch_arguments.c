/* SPDX-License-Identifier: MIT */
/* The arguments of a launch, as far as signature, constants and values say (pruning.h). The rules by which parameters take
   their entries are those of the import (frontend/check/import.c), but nothing has to be complete. */
#include <string.h>
#include "base/status.h"
#include "frontend/check/signature.h"
#include "frontend/config/pruning.h"

static struct host_value from_constant(struct host *host, const struct value *value) {
  switch ((int)value->kind) {
  case VALUE_BOOL:
    return host_bool(value->boolean);
  case VALUE_INTEGER:
    return host_integer(value->integer);
  case VALUE_FLOAT:
    return host_float(value->number);
  case VALUE_STRING:
    return host_string(host, value->text.data, value->text.length);
  case VALUE_DTYPE:
    return (struct host_value){.kind = HOST_DTYPE, .dtype = value->dtype};
  case VALUE_NONE:
    return (struct host_value){.kind = HOST_NONE};
  default:
    return host_name(host, "a compile-time value");
  }
}

/* Functions and other names of the file, of which host code sees no more than that they are there. */
static bool accept_name(struct signature_names *names, struct slice name, struct value *out) {
  (void)names, (void)name;
  *out = (struct value){.kind = VALUE_CALLABLE};
  return true;
}

/* The text behind NAME= in a list, or NULL. */
static const char *given(const char *const *list, size_t count, const char *name) {
  size_t length = strlen(name);
  const char *found = NULL;
  for (size_t i = 0; i < count; i++)
    if (strncmp(list[i], name, length) == 0 && list[i][length] == '=')
      found = list[i] + length + 1;
  return found;
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

static tile_status read_value(struct host *host, const char *text, struct host_value *out) {
  struct signature_names names = {.arena = host->arena, .find = accept_name};
  struct value value;
  TRY(signature_constant(&names, slice_of(text), &value));
  *out = from_constant(host, &value);
  return NULL;
}

static tile_status from_entry(struct host *host, const struct import_options *options, const char *name,
                              const struct signature_entry *entry, struct host_value *out) {
  const char *value = given(options->argument_values, options->argument_value_count, name);
  *out = (struct host_value){.kind = HOST_ARGUMENT, .argument = {.name = name, .dtype = entry->dtype}};
  if (entry->kind == SIGNATURE_CONSTANT)
    *out = from_constant(host, &entry->constant);
  else if (entry->kind != SIGNATURE_RUN_TIME)
    out->argument.untyped = true;
  else if (!entry->dtype.pointers && value)
    return read_value(host, value, out);
  return NULL;
}

/* What no signature says: the value if there is one, the default, or nothing. */
static tile_status without_entry(struct host *host, const struct import_options *options, const struct node *node,
                                 struct host_value *out) {
  const char *name = node->parameter.name;
  const char *value = given(options->argument_values, options->argument_value_count, name);
  *out = (struct host_value){.kind = HOST_ARGUMENT, .argument = {.name = name, .untyped = true}};
  if (value)
    return read_value(host, value, out);
  struct host_value otherwise;
  host->depth = host->calls = 0, host->steps = 0;
  if (node->parameter.default_value && host_evaluate(host, NULL, node->parameter.default_value, &otherwise))
    *out = otherwise;
  return NULL;
}

static size_t count_constants(const struct kernel *kernel, const struct import_options *options) {
  size_t count = 0;
  for (size_t i = 0; i < options->constant_count; i++)
    count += kernel_parameter(kernel, (struct slice){options->constants[i], strcspn(options->constants[i], "=")}) >= 0;
  return count;
}

tile_status launch_arguments(struct host *host, const struct tuning *tuning, const struct import_options *options,
                             struct host_dict *out) {
  const struct node_list *parameters = &tuning->kernel->function->function.parameters;
  struct signature_names names = {.arena = host->arena, .find = accept_name};
  struct signature_entry *entries;
  size_t count = 0, next = 0;
  TRY(signature_parse(&names, options->signature ? options->signature : "", &entries, &count));
  bool complete = options->signature && count + count_constants(tuning->kernel, options) >= parameters->count;
  for (uint32_t i = 0; i < parameters->count; i++) {
    const char *name = parameters->items[i]->parameter.name;
    const char *constant = given(options->constants, options->constant_count, name);
    struct host_value value, key = host_string(host, name, strlen(name));
    if (!constant && !complete && is_set(tuning, name))
      continue;
    if (constant)
      TRY(read_value(host, constant, &value));
    else if (next < count)
      TRY(from_entry(host, options, name, &entries[next++], &value));
    else
      TRY(without_entry(host, options, parameters->items[i], &value));
    host_dict_set(host, tuning->kernel->function->span, out, &key, &value);
  }
  return NULL;
}
