/* SPDX-License-Identifier: MIT */
/* See choice.h. */
#include "frontend/config/choice.h"

#include <stdlib.h>
#include <string.h>
#include "base/machine.h"
#include "base/numbers.h"
#include "base/status.h"

/* --- The configuration ------------------------------------------------------------------------ */

/* Blocks of a cluster, one program together (CUDA allows 16). What they compute is one program's,
   so here one block does it all: num_ctas is accepted, and changes nothing. */
enum { MAX_CTAS = 16 };

bool config_ctas_known(int64_t count) {
  return count <= MAX_CTAS && (count == 0 || is_power_of_two(count));
}

static tile_status check_launch(const struct config_choice *choice) {
  const char *kernel = choice->tuning.kernel->name;
  if (choice->num_warps && !machine_is_warp_count(choice->num_warps))
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': num_warps = %lld is not a power of two from 1 to 32", kernel,
                (long long)choice->num_warps);
  if (!config_ctas_known(choice->num_ctas))
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': num_ctas = %lld is not a power of two from 1 to %d", kernel,
                (long long)choice->num_ctas, MAX_CTAS);
  return NULL;
}

static tile_status find_config(struct config_choice *choice, const char *text) {
  const struct tuning *tuning = &choice->tuning;
  char *end;
  unsigned long long index = strtoull(text, &end, 10);
  if (!tuning->tuned)
    return FAIL(TILE_INVALID_ARGUMENT, "--config %s: kernel '%s' has no @triton.autotune", text,
                tuning->kernel->name);
  if (tuning->computed.kind != HOST_FINE)
    return FAIL(TILE_INVALID_ARGUMENT,
                "the configurations of '%s' are computed at run time (%s); give their constants "
                "with --constexpr instead of --config",
                tuning->kernel->name, trouble_text(&choice->host, &tuning->computed));
  if (*end || end == text || *text == '-' || index >= tuning->count)
    return FAIL(TILE_INVALID_ARGUMENT,
                "--config %s: kernel '%s' has %zu configuration%s, counted from 0; --list-configs "
                "shows them",
                text, tuning->kernel->name, tuning->count, tuning->count == 1 ? "" : "s");
  choice->config = tuning->configs[index];
  return NULL;
}

static void set_launch_option(struct config_choice *choice, const char *name, int64_t value) {
#define LAUNCH_OPTION(option, member)                                                              \
  if (strcmp(name, option) == 0)                                                                   \
    choice->member = value;
#include "frontend/config/launch_options.def"
#undef LAUNCH_OPTION
}

static void set(struct config_choice *choice, struct value_dict *arguments, const char *name,
                const struct value *value) {
  host_dict_put(&choice->host, (struct span){0, 0}, arguments, name, value);
}

/* --constexpr NAME=VALUE of a launch option. */
static tile_status take_given(struct checker *c, const struct import_options *options,
                              struct config_choice *out, const char *name) {
  const char *text = option_value(options->constants, options->constant_count, name);
  struct signature_names names = {.arena = &c->e.arena};
  struct value value = value_integer(strcmp(name, "num_warps") == 0    ? options->num_warps
                                     : strcmp(name, "num_stages") == 0 ? options->num_stages
                                                                       : 0);
  if (text)
    TRY(signature_constant(&names, slice_of(text), &value));
  if (text && (value.kind != VALUE_INTEGER || value.integer < 0))
    return FAIL(TILE_INVALID_ARGUMENT, "--constexpr '%s=%s': %s is a number from 0 on", name, text,
                name);
  if (value.integer && kernel_parameter(out->tuning.kernel, slice_of(name)) < 0) {
    set(out, &out->given, name, &value);
  }
  return NULL;
}

static tile_status take_launch_options(struct checker *c, const struct import_options *options,
                                       struct config_choice *out) {
#define LAUNCH_OPTION(option, member) TRY(take_given(c, options, out, option));
#include "frontend/config/launch_options.def"
#undef LAUNCH_OPTION
  return NULL;
}

tile_status choice_begin(struct checker *c, const struct import_options *options,
                         struct config_choice *out) {
  const struct kernel *kernel = c->frame->kernel;
  *out = (struct config_choice){.host = {.eval = {&host_rules, &c->e.arena},
                                         .module = c->module,
                                         .scope = kernel->made_in,
                                         .capability = target_capability(options->target),
                                         .language_has = builtin_exists,
                                         .machine = target_machine(options->target)}};
  out->left = ARENA_ARRAY(&c->e.arena, bool, kernel->function->function.parameters.count + 1);
  if (!tuning_read(&out->host, kernel, &out->tuning))
    return FAIL(TILE_INVALID_ARGUMENT, "the decorators of '%s' are wrong", kernel->name);
  TRY(take_launch_options(c, options, out));
  return options->config ? find_config(out, options->config) : NULL;
}

bool choice_sets(struct config_choice *choice, uint32_t parameter) {
  const struct tuning *tuning = &choice->tuning;
  const char *name = tuning->kernel->function->function.parameters.items[parameter]->parameter.name;
  bool sets = choice->config && host_dict_get(choice->config->values, name);
  for (size_t i = 0; i < tuning->heuristic_count && !sets; i++)
    sets = strcmp(tuning->heuristics[i].name, name) == 0;
  choice->left[parameter] = sets;
  return sets;
}

/* No decorator sets it. */
static tile_status not_given(const struct config_choice *choice,
                             const struct import_options *options,
                             const struct node_parameter *parameter) {
  const struct kernel *kernel = choice->tuning.kernel;
  const char *name = parameter->name;
  unsigned count = kernel->function->function.parameters.count;
  if (options->derived_names && check_is_constexpr(parameter->annotation))
    return FAIL(TILE_INVALID_ARGUMENT,
                "parameter '%s' of '%s' is a tl.constexpr: give its value, --constexpr %s=VALUE",
                name, kernel->name, name);
  if (options->derived_names)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "kernel '%s' has a parameter '%s', which no --arg gives: --arg %s=SPEC, or --constexpr "
        "%s=VALUE (None for an absent pointer)",
        kernel->name, name, name, name);
  if (!options->signature || !*options->signature)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "kernel '%s' has %u parameters, and no signature says what '%s' is: give one entry for "
        "each, in order, such as '*fp32:16, i32, 1024'",
        kernel->name, count, name);
  return FAIL(TILE_INVALID_ARGUMENT,
              "kernel '%s' has %u parameters; the signature has no entry for '%s'", kernel->name,
              count, name);
}

tile_status choice_missing(const struct config_choice *choice, const struct import_options *options,
                           const struct node_parameter *missing) {
  const char *parameter = missing->name;
  const struct tuning *tuning = &choice->tuning;
  bool computed = tuning->computed.kind != HOST_FINE;
  bool tuned = false;
  for (size_t i = 0; i < tuning->count && !tuned; i++)
    tuned = host_dict_get(tuning->configs[i]->values, parameter) != NULL;
  const char *name = tuning->kernel->name;
  if (tuned && !choice->config)
    return FAIL(TILE_INVALID_ARGUMENT,
                "parameter '%s' of '%s' is set by @triton.autotune: choose one of its %zu "
                "configurations with --config N (--list-configs shows them), or give --constexpr "
                "%s=VALUE",
                parameter, name, tuning->count, parameter);
  if (computed || tuning->computed_heuristics.kind != HOST_FINE)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "the signature has no entry for parameter '%s' of '%s', whose %s are computed at "
        "run time (%s); if they set it, give --constexpr %s=VALUE",
        parameter, name, computed ? "configurations" : "heuristics",
        trouble_text(&choice->host, computed ? &tuning->computed : &tuning->computed_heuristics),
        parameter);
  return not_given(choice, options, missing);
}

/* --- Arguments -------------------------------------------------------------------------------- */

/* The value that --arg-value gives to a run-time parameter; *found is false when none does. */
static tile_status find_argument(struct checker *c, const struct import_options *options,
                                 const char *name, struct value *out, bool *found) {
  const char *text = option_value(options->argument_values, options->argument_value_count, name);
  struct signature_names names = {.arena = &c->e.arena};
  *found = text != NULL;
  return text ? signature_constant(&names, slice_of(text), out) : NULL;
}

static tile_status check_argument_names(const struct import_options *options,
                                        const struct kernel *kernel) {
  size_t count = options->derived_values ? 0 : options->argument_value_count;
  for (size_t i = 0; i < count; i++) {
    const char *text = options->argument_values[i];
    size_t length = strcspn(text, "=");
    if (!text[length] || kernel_parameter(kernel, (struct slice){text, length}) < 0)
      return FAIL(TILE_INVALID_ARGUMENT, "--arg-value '%s': it is NAME=VALUE, and '%s' has %s",
                  text, kernel->name, text[length] ? "no parameter of that name" : "parameters");
  }
  return NULL;
}

/* What a heuristic is called with: all arguments that are known so far, by name. */
static tile_status collect_arguments(struct checker *c, const struct import_options *options,
                                     struct config_choice *choice,
                                     const struct signature_entry *entries,
                                     struct value_dict *out) {
  const struct kernel *kernel = choice->tuning.kernel;
  const struct node_list *parameters = &kernel->function->function.parameters;
  TRY(check_argument_names(options, kernel));
  for (uint32_t i = 0; i < parameters->count; i++) {
    const char *name = parameters->items[i]->parameter.name;
    const struct signature_entry *entry = &entries[i];
    struct value value = {.kind = VALUE_ARGUMENT, .argument = {name, entry->dtype}};
    struct value given = entry->constant;
    bool found = entry->kind == SIGNATURE_CONSTANT;
    if (choice->left[i])
      continue;
    if (entry->kind == SIGNATURE_RUN_TIME && !entry->dtype.pointers)
      TRY(find_argument(c, options, name, &given, &found));
    if (found)
      value = host_from_constant(&choice->host, &given);
    set(choice, out, name, &value);
  }
  return NULL;
}

/* --- Applying --------------------------------------------------------------------------------- */

/* A constant that a decorator sets, for the parameter and for the heuristics below. */
static bool give(struct config_choice *choice, struct value_dict *arguments,
                 struct signature_entry *entries, struct span span, const char *name,
                 const struct value *value) {
  int32_t index = kernel_parameter(choice->tuning.kernel, slice_of(name));
  if (index < 0) {
    if (value->kind == VALUE_INTEGER)
      set_launch_option(choice, name, value->integer);
    set(choice, arguments, name, value);
    return true;
  }
  if (!choice->left[index])
    return true; /* given otherwise */
  struct signature_entry *entry = &entries[index];
  size_t left = MAX_GIVEN;
  *entry = (struct signature_entry){0};
  if (!host_to_constant(&choice->host, value, 0, &left, &entry->constant))
    return tuning_fail(&choice->host, span,
                       "'%s' becomes %s, which is no compile-time value; give "
                       "--constexpr %s=VALUE",
                       name, host_describe(&choice->host, value), name);
  set(choice, arguments, name, value);
  return true;
}

/* What the caller gave counts in place of what a configuration or heuristic sets. */
static void apply_given(struct config_choice *choice, struct value_dict *arguments) {
  for (size_t i = 0; i < choice->given.count; i++) {
    const struct value_entry *entry = &choice->given.entries[i];
    set_launch_option(choice, entry->key.text.data, entry->value.integer);
    set(choice, arguments, entry->key.text.data, &entry->value);
  }
}

static bool apply_config(struct config_choice *choice, struct value_dict *arguments,
                         struct signature_entry *entries) {
  const struct host_config *config = choice->config;
  choice->num_warps = config->num_warps, choice->num_stages = config->num_stages;
  choice->num_ctas = config->num_ctas, choice->maxnreg = config->maxnreg;
  struct value warps = value_integer(config->num_warps);
  struct value stages = value_integer(config->num_stages), ctas = value_integer(config->num_ctas);
  set(choice, arguments, "num_warps", &warps);
  set(choice, arguments, "num_stages", &stages);
  set(choice, arguments, "num_ctas", &ctas);
  for (size_t i = 0; i < config->values->count; i++) {
    const struct value_entry *entry = &config->values->entries[i];
    int32_t index = kernel_parameter(choice->tuning.kernel, entry->key.text);
    if (index >= 0 && choice->left[index] && host_dict_get(arguments, entry->key.text.data))
      return tuning_fail(&choice->host, config->span,
                         "'%s' is set by the configuration and by a heuristic above it; leave one",
                         entry->key.text.data);
    if (!give(choice, arguments, entries, config->span, entry->key.text.data, &entry->value))
      return false;
  }
  return true;
}

/* Why a heuristic has no value, and what to do. */
static bool fail_heuristic(struct config_choice *choice, const struct heuristic *heuristic) {
  struct host *host = &choice->host;
  const struct host_trouble trouble = host->trouble;
  if (trouble.kind == HOST_NEEDS_ARGUMENT)
    return tuning_fail(host, trouble.span,
                       "the heuristic of '%s' needs the value of argument '%s'; give it with "
                       "--arg-value %s=VALUE, or give --constexpr %s=VALUE",
                       heuristic->name, trouble.argument, trouble.argument, heuristic->name);
  if (trouble.kind == HOST_UNKNOWN)
    return tuning_fail(host, trouble.span,
                       "the heuristic of '%s' is computed at run time: %s; give --constexpr "
                       "%s=VALUE",
                       heuristic->name, trouble.message, heuristic->name);
  return tuning_fail(host, trouble.span, "the heuristic of '%s': %s", heuristic->name,
                     trouble.message);
}

static bool apply_heuristic(struct config_choice *choice, const struct heuristic *heuristic,
                            struct value_dict *arguments, struct signature_entry *entries) {
  struct host *host = &choice->host;
  int32_t index = kernel_parameter(choice->tuning.kernel, slice_of(heuristic->name));
  struct value argument = {.kind = VALUE_DICT, .dict = arguments}, value;
  if (index >= 0 ? !choice->left[index] : host_dict_get(&choice->given, heuristic->name) != NULL)
    return true;                /* given otherwise */
  host_begin(host, UINT32_MAX); /* a launch comes after the whole file */
  if (!host_call(host, &heuristic->function,
                 &(struct host_call){.span = heuristic->span, .positional = &argument, .count = 1},
                 &value))
    return fail_heuristic(choice, heuristic);
  return give(choice, arguments, entries, heuristic->span, heuristic->name, &value);
}

static bool apply(struct config_choice *choice, struct value_dict *arguments,
                  struct signature_entry *entries) {
  const struct tuning *tuning = &choice->tuning;
  size_t next = 0;
  apply_given(choice, arguments);
  for (uint32_t d = 0; d < tuning->kernel->decorators.count; d++) {
    if (choice->config && d == tuning->autotune && !apply_config(choice, arguments, entries))
      return false;
    apply_given(choice, arguments);
    for (; next < tuning->heuristic_count && tuning->heuristics[next].decorator == d; next++)
      if (!apply_heuristic(choice, &tuning->heuristics[next], arguments, entries))
        return false;
  }
  return true;
}

void choice_generalize(const struct config_choice *choice, const struct import_options *options,
                       uint32_t parameter, struct signature_entry *entry) {
  if (options->derived_names)
    signature_generalize(entry, choice->tuning.keep[parameter]);
}

tile_status choice_finish(struct checker *c, const struct import_options *options,
                          struct config_choice *choice, struct signature_entry *entries) {
  struct value_dict *arguments = ARENA_NEW(&c->e.arena, struct value_dict);
  TRY(collect_arguments(c, options, choice, entries, arguments));
  if (!apply(choice, arguments, entries))
    return FAIL(TILE_INVALID_ARGUMENT, "the decorators of '%s' cannot be applied",
                choice->tuning.kernel->name);
  return check_launch(choice);
}

void choice_annotate(const struct config_choice *choice, MlirModule module) {
  MlirOperation op = mlirModuleGetOperation(module);
  const struct {
    enum attribute_name name;
    int64_t value;
  } rows[] = {{ATTR_ASKED_WARPS, choice->num_warps},
              {ATTR_NUM_STAGES, choice->num_stages},
              {ATTR_MAXNREG, choice->maxnreg}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].value)
      attribute_set_integer(op, rows[i].name, rows[i].value);
}
