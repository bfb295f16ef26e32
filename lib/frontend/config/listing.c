/* SPDX-License-Identifier: MIT */
/* See listing.h. */
#include "frontend/config/listing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "frontend/config/choice.h"

/* --- From what was read ----------------------------------------------------------------------- */

static const char *keep(tile_configurations *list, const char *text) {
  return text ? arena_copy_string(&list->arena, text, strlen(text)) : NULL;
}

static const char *keep_trouble(tile_configurations *list, const struct host *host,
                                const struct host_trouble *trouble) {
  return trouble->kind == HOST_FINE ? NULL : keep(list, trouble_text(host, trouble));
}

static tile_constant keep_constant(tile_configurations *list, const struct value_entry *entry) {
  static const tile_constant_kind kinds[] = {
      [VALUE_NONE] = TILE_CONSTANT_NONE,       [VALUE_BOOL] = TILE_CONSTANT_BOOL,
      [VALUE_INTEGER] = TILE_CONSTANT_INTEGER, [VALUE_FLOAT] = TILE_CONSTANT_FLOAT,
      [VALUE_STRING] = TILE_CONSTANT_STRING,   [VALUE_DTYPE] = TILE_CONSTANT_TYPE};
  const struct value *value = &entry->value;
  tile_constant constant = {.name = keep(list, entry->key.text.data),
                            .kind = (int)value->kind <= VALUE_DTYPE ? kinds[value->kind]
                                                                    : TILE_CONSTANT_OTHER};
  if (value_is_integer(value))
    constant.integer = value_as_integer(value);
  if (value->kind == VALUE_FLOAT)
    constant.number = value->number;
  constant.text = value_source(&list->arena, value);
  return constant;
}

static tile_configuration keep_config(tile_configurations *list, const struct host_config *config) {
  size_t count = config->values->count;
  tile_constant *constants = ARENA_ARRAY(&list->arena, tile_constant, count + 1);
  for (size_t i = 0; i < count; i++)
    constants[i] = keep_constant(list, &config->values->entries[i]);
  return (tile_configuration){.constants = constants,
                              .constant_count = count,
                              .num_warps = (int)config->num_warps,
                              .num_stages = (int)config->num_stages,
                              .num_ctas = (int)config->num_ctas,
                              .max_registers = (int)config->maxnreg,
                              .pre_hook = keep(list, config->pre_hook)};
}

static void keep_left(tile_configurations *list, const struct pruned *pruned) {
  list->left = ARENA_ARRAY(&list->arena, tile_configuration, pruned->count + 1);
  list->left_numbers = ARENA_ARRAY(&list->arena, int64_t, pruned->count + 1);
  for (size_t i = 0; i < pruned->count; i++) {
    int64_t number = pruned->numbers[i];
    list->left[i] = number >= 0 ? list->configs[number] : keep_config(list, pruned->configs[i]);
    list->left_numbers[i] = number;
  }
  list->left_count = pruned->count;
  list->pruning_note = keep(list, pruned->note);
}

static void keep_settings(tile_configurations *list, const struct tuning_settings *settings) {
  list->settings = (tile_tuning_settings){.warmup = settings->has_warmup ? settings->warmup : -1,
                                          .rep = settings->has_rep ? settings->rep : -1,
                                          .use_cuda_graph = settings->use_cuda_graph,
                                          .cache_results = settings->cache_results,
                                          .do_bench = keep(list, settings->do_bench),
                                          .pre_hook = keep(list, settings->pre_hook),
                                          .post_hook = keep(list, settings->post_hook)};
}

static void add_name(tile_configurations *list, tile_configuration_names which, const char *name) {
  struct listed_names *names = &list->names[which];
  const char **grown = ARENA_ARRAY(&list->arena, const char *, names->count + 1);
  if (names->count)
    memcpy(grown, names->names, names->count * sizeof *grown);
  names->names = grown;
  names->names[names->count++] = keep(list, name);
}

static void keep_names(tile_configurations *list, tile_configuration_names which,
                       const struct name_list *names) {
  list->names[which].computed = keep(list, names->computed);
  for (size_t i = 0; i < names->count; i++)
    add_name(list, which, names->names[i]);
}

static void keep_prunings(tile_configurations *list, const struct tuning *tuning) {
  for (size_t i = 0; i < tuning->pruning_count; i++)
    add_name(
        list, TILE_NAMES_PRUNE,
        text_format(&list->arena, "%s = %s", tuning->prunings[i].name, tuning->prunings[i].text));
}

/* A copy of what was read of one kernel; ended with tile_configurations_destroy. */
static tile_configurations *create(const struct host *host, const struct tuning *tuning,
                                   const struct pruned *pruned) {
  tile_configurations *list = tile_allocate(sizeof *list);
  *list = (tile_configurations){.tuned = tuning->tuned};
  list->kernel = keep(list, tuning->kernel->qualified);
  list->computed = keep_trouble(list, host, &tuning->computed);
  list->configs = ARENA_ARRAY(&list->arena, tile_configuration, tuning->count + 1);
  for (size_t i = 0; i < tuning->count; i++)
    list->configs[list->count++] = keep_config(list, tuning->configs[i]);
  keep_left(list, pruned);
  keep_settings(list, &tuning->settings);
  keep_names(list, TILE_NAMES_KEY, &tuning->key);
  keep_names(list, TILE_NAMES_RESET_TO_ZERO, &tuning->reset_to_zero);
  keep_names(list, TILE_NAMES_RESTORE_VALUE, &tuning->restore_value);
  keep_prunings(list, tuning);
  keep_names(list, TILE_NAMES_SETTINGS, &tuning->settings.written);
  for (size_t i = 0; i < tuning->heuristic_count; i++)
    add_name(list, TILE_NAMES_HEURISTICS, tuning->heuristics[i].name);
  list->names[TILE_NAMES_HEURISTICS].computed =
      keep_trouble(list, host, &tuning->computed_heuristics);
  return list;
}

static void keep_parameters(tile_configurations *list, const struct launch_parameter *parameters,
                            size_t count) {
  list->parameters = ARENA_ARRAY(&list->arena, struct launch_parameter, count + 1);
  list->parameter_count = count;
  for (size_t i = 0; i < count; i++)
    list->parameters[i] = (struct launch_parameter){.name = keep(list, parameters[i].name),
                                                    .type = keep(list, parameters[i].type),
                                                    .constant = keep(list, parameters[i].constant),
                                                    .value = keep(list, parameters[i].value)};
}

/* *good is false after problems. */
static tile_status list_kernel(struct module *module, const struct kernel *kernel,
                               const struct import_options *options, listing_visit *visit,
                               void *data, bool *good) {
  struct arena arena = {0};
  struct host host = {.eval = {&host_rules, &arena},
                      .module = module,
                      .scope = kernel->made_in,
                      .capability = target_capability(options->target),
                      .language_has = builtin_exists,
                      .machine = target_machine(options->target)};
  struct tuning tuning;
  struct pruned pruned;
  struct launch_parameter *parameters;
  size_t count;
  tile_status status = NULL;
  *good = tuning_read(&host, kernel, &tuning);
  if (*good)
    status = pruning_carry_out(&host, &tuning, options, &pruned);
  if (*good && !status)
    status = launch_parameters(&host, &tuning, options, &parameters, &count);
  if (*good && !status) {
    tile_configurations *list = create(&host, &tuning, &pruned);
    keep_parameters(list, parameters, count);
    visit(list, data);
  }
  arena_destroy(&arena);
  return status;
}

tile_status listing_read(struct module *module, const struct import_options *options,
                         listing_visit *visit, void *data) {
  const char *kernel = options->kernel;
  size_t wrong = 0;
  host_answer_conditions(module, target_capability(options->target), builtin_exists);
  if (module->kernel_count == 0)
    return FAIL(TILE_NOT_FOUND, "'%s' has no kernel: no function is decorated with triton.jit",
                module->source.name);
  const struct kernel *one = kernel ? module_find_kernel(module, kernel) : NULL;
  if (kernel && !one)
    return FAIL(TILE_NOT_FOUND, "there is no kernel '%s' in '%s'", kernel, module->source.name);
  for (size_t i = 0; i < module->kernel_count; i++) {
    const struct kernel *at = &module->kernels[i];
    bool good = true;
    if (one ? at == one : !at->replaced_by)
      TRY(list_kernel(module, at, options, visit, data, &good));
    wrong += !good;
  }
  return wrong ? FAIL(TILE_INVALID_ARGUMENT, "the decorators of %zu kernel%s in '%s' are wrong",
                      wrong, wrong == 1 ? "" : "s", module->source.name)
               : NULL;
}

void tile_configurations_destroy(tile_configurations *list) {
  if (!list)
    return;
  arena_destroy(&list->arena);
  free(list);
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Flag-like names of the lists of names, in the order of the enum. */
static const char *const labels[TILE_NAMES_COUNT] = {[TILE_NAMES_KEY] = "key",
                                                     [TILE_NAMES_RESET_TO_ZERO] = "reset_to_zero",
                                                     [TILE_NAMES_RESTORE_VALUE] = "restore_value",
                                                     [TILE_NAMES_PRUNE] = "prune_configs_by",
                                                     [TILE_NAMES_HEURISTICS] = "heuristics",
                                                     [TILE_NAMES_SETTINGS] = "settings"};

static void print_names(const struct listed_names *names, const char *label, struct text *out) {
  if (!names->count && !names->computed)
    return;
  text_printf(out, "  %s:", label);
  for (size_t i = 0; i < names->count; i++)
    text_printf(out, "%s %s", i ? "," : "", names->names[i]);
  if (names->computed)
    text_printf(out, "%s computed at run time: %s", names->count ? ";" : "", names->computed);
  text_puts(out, "\n");
}

/* A configuration that a pruning function made has no number. */
static void print_config(const tile_configuration *config, int64_t number, struct text *out) {
  if (number >= 0)
    text_printf(out, "  %" PRId64 ":", number);
  else
    text_puts(out, "  -:");
  for (size_t i = 0; i < config->constant_count; i++)
    text_printf(out, " %s=%s", config->constants[i].name, config->constants[i].text);
  text_printf(out, " num_warps=%d num_stages=%d", config->num_warps, config->num_stages);
  if (config->num_ctas != 1)
    text_printf(out, " num_ctas=%d%s", config->num_ctas,
                config_ctas_known(config->num_ctas) ? ""
                                                    : " (refused: not a power of two up to 16)");
  if (config->max_registers)
    text_printf(out, " maxnreg=%d", config->max_registers);
  if (config->pre_hook)
    text_printf(out, " pre_hook=%s", config->pre_hook);
  text_puts(out, "\n");
}

void listing_print(const tile_configurations *list, struct text *out) {
  if (list->computed)
    text_printf(out, "%s: configurations computed at run time: %s\n", list->kernel, list->computed);
  else if (list->tuned)
    text_printf(out, "%s: %zu configuration%s\n", list->kernel, list->count,
                list->count == 1 ? "" : "s");
  else
    text_printf(out, "%s: no @triton.autotune\n", list->kernel);
  for (int which = 0; which < TILE_NAMES_COUNT; which++)
    print_names(&list->names[which], labels[which], out);
  if (list->left_count != list->count)
    text_printf(out, "  pruned: %zu remain\n", list->left_count);
  if (list->pruning_note)
    text_printf(out, "  not pruned: %s\n", list->pruning_note);
  for (size_t i = 0; i < list->left_count; i++)
    print_config(&list->left[i], list->left_numbers[i], out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_text(const char *text, struct text *out) {
  if (text)
    text_json_string(out, text);
  else
    text_puts(out, "null");
}

static void json_constant(const tile_constant *constant, struct text *out) {
  switch (constant->kind) {
  case TILE_CONSTANT_NONE:
    text_puts(out, "null");
    break;
  case TILE_CONSTANT_BOOL:
    text_puts(out, constant->integer ? "true" : "false");
    break;
  case TILE_CONSTANT_INTEGER:
    text_printf(out, "%" PRId64, constant->integer);
    break;
  case TILE_CONSTANT_FLOAT:
    if (isfinite(constant->number))
      text_puts(out, constant->text);
    else
      json_text(constant->text, out);
    break;
  case TILE_CONSTANT_STRING:
  case TILE_CONSTANT_TYPE:
  case TILE_CONSTANT_OTHER:
    json_text(constant->text, out);
    break;
  }
}

static void json_config(const tile_configuration *config, int64_t number, struct text *out) {
  text_puts(out, "{\"number\": ");
  if (number >= 0)
    text_printf(out, "%" PRId64, number);
  else
    text_puts(out, "null");
  text_puts(out, ", \"constants\": {");
  for (size_t i = 0; i < config->constant_count; i++) {
    text_puts(out, i ? ", " : "");
    json_text(config->constants[i].name, out);
    text_puts(out, ": ");
    json_constant(&config->constants[i], out);
  }
  text_printf(out, "}, \"num_warps\": %d, \"num_stages\": %d, \"num_ctas\": %d, \"maxnreg\": ",
              config->num_warps, config->num_stages, config->num_ctas);
  if (config->max_registers)
    text_printf(out, "%d", config->max_registers);
  else
    text_puts(out, "null");
  text_puts(out, ", \"pre_hook\": ");
  json_text(config->pre_hook, out);
  text_puts(out, "}");
}

static void json_names(const struct listed_names *names, struct text *out) {
  text_puts(out, "[");
  for (size_t i = 0; i < names->count; i++) {
    text_puts(out, i ? ", " : "");
    json_text(names->names[i], out);
  }
  text_puts(out, "]");
}

static void json_number(const char *name, double value, struct text *out) {
  text_printf(out, ", \"%s\": ", name);
  if (value < 0)
    text_puts(out, "null");
  else
    text_printf(out, "%.15g", value);
}

static void json_settings(const tile_tuning_settings *settings, struct text *out) {
  const struct {
    const char *name, *text;
  } functions[] = {{"do_bench", settings->do_bench},
                   {"pre_hook", settings->pre_hook},
                   {"post_hook", settings->post_hook}};
  json_number("warmup", settings->warmup, out);
  json_number("rep", settings->rep, out);
  text_printf(out, ", \"use_cuda_graph\": %s, \"cache_results\": %s",
              settings->use_cuda_graph ? "true" : "false",
              settings->cache_results ? "true" : "false");
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    text_printf(out, ", \"%s\": ", functions[i].name);
    json_text(functions[i].text, out);
  }
}

void listing_print_json(const tile_configurations *list, struct text *out) {
  text_puts(out, "{\"kernel\": ");
  json_text(list->kernel, out);
  text_printf(out, ", \"autotune\": %s, \"computed\": ", list->tuned ? "true" : "false");
  json_text(list->computed, out);
  for (int which = 0; which < TILE_NAMES_SETTINGS; which++) { /* whose values follow one by one */
    text_printf(out, ", \"%s\": ", labels[which]);
    json_names(&list->names[which], out);
  }
  text_puts(out, ", \"heuristics_computed\": ");
  json_text(list->names[TILE_NAMES_HEURISTICS].computed, out);
  json_settings(&list->settings, out);
  text_printf(out, ", \"configurations\": %zu, \"not_pruned\": ", list->count);
  json_text(list->pruning_note, out);
  text_puts(out, ", \"configs\": [");
  for (size_t i = 0; i < list->left_count; i++) {
    text_puts(out, i ? ", " : "");
    json_config(&list->left[i], list->left_numbers[i], out);
  }
  text_puts(out, "]}\n");
}
