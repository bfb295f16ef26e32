/* SPDX-License-Identifier: MIT */
/* See listing.h. */
#include "frontend/config/listing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "frontend/config/choice.h"

/* --- From what was read
 * -------------------------------------------------------------------------------- */

static const char *keep(tile_configurations *list, const char *text) {
  return text ? arena_copy_string(&list->arena, text, strlen(text)) : NULL;
}

static const char *keep_trouble(tile_configurations *list, const struct host *host,
                                const struct host_trouble *trouble) {
  struct text text = {0};
  if (trouble->kind == HOST_FINE)
    return NULL;
  trouble_print(host, trouble, &text);
  const char *copy = keep(list, text_string(&text));
  text_free(&text);
  return copy;
}

static tile_constant keep_constant(tile_configurations *list, const struct host_entry *entry) {
  static const tile_constant_kind kinds[] = {
      [HOST_NONE] = TILE_CONSTANT_NONE,       [HOST_BOOL] = TILE_CONSTANT_BOOL,
      [HOST_INTEGER] = TILE_CONSTANT_INTEGER, [HOST_FLOAT] = TILE_CONSTANT_FLOAT,
      [HOST_STRING] = TILE_CONSTANT_STRING,   [HOST_DTYPE] = TILE_CONSTANT_TYPE};
  const struct host_value *value = &entry->value;
  tile_constant constant = {.name = keep(list, entry->key.text.data),
                            .kind = (int)value->kind <= HOST_DTYPE ? kinds[value->kind]
                                                                   : TILE_CONSTANT_OTHER};
  struct text text = {0};
  if (host_is_integer(value))
    constant.integer = host_as_integer(value);
  if (value->kind == HOST_FLOAT)
    constant.number = value->number;
  host_print(value, &text);
  constant.text = keep(list, text_string(&text));
  text_free(&text);
  return constant;
}

static void keep_config(tile_configurations *list, const struct host_config *config) {
  size_t count = config->values->count;
  tile_constant *constants = ARENA_ARRAY(&list->arena, tile_constant, count + 1);
  for (size_t i = 0; i < count; i++)
    constants[i] = keep_constant(list, &config->values->entries[i]);
  list->configs[list->count++] = (tile_configuration){.constants = constants,
                                                      .constant_count = count,
                                                      .num_warps = (int)config->num_warps,
                                                      .num_stages = (int)config->num_stages,
                                                      .num_ctas = (int)config->num_ctas,
                                                      .max_registers = (int)config->maxnreg,
                                                      .pre_hook = keep(list, config->pre_hook)};
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
  for (size_t i = 0; i < tuning->pruning_count; i++) {
    struct text text = {0};
    text_printf(&text, "%s = %s", tuning->prunings[i].name, tuning->prunings[i].text);
    add_name(list, TILE_NAMES_PRUNE, text_string(&text));
    text_free(&text);
  }
}

tile_configurations *listing_create(const struct host *host, const struct tuning *tuning) {
  tile_configurations *list = tile_allocate(sizeof *list);
  *list = (tile_configurations){.tuned = tuning->tuned};
  list->kernel = keep(list, tuning->kernel->qualified);
  list->computed = keep_trouble(list, host, &tuning->computed);
  list->configs = ARENA_ARRAY(&list->arena, tile_configuration, tuning->count + 1);
  for (size_t i = 0; i < tuning->count; i++)
    keep_config(list, tuning->configs[i]);
  keep_names(list, TILE_NAMES_KEY, &tuning->key);
  keep_names(list, TILE_NAMES_RESET_TO_ZERO, &tuning->reset_to_zero);
  keep_names(list, TILE_NAMES_RESTORE_VALUE, &tuning->restore_value);
  keep_prunings(list, tuning);
  for (size_t i = 0; i < tuning->heuristic_count; i++)
    add_name(list, TILE_NAMES_HEURISTICS, tuning->heuristics[i].name);
  list->names[TILE_NAMES_HEURISTICS].computed =
      keep_trouble(list, host, &tuning->computed_heuristics);
  return list;
}

static bool list_kernel(struct module *module, const struct kernel *kernel, int capability,
                        listing_visit *visit, void *data) {
  struct arena arena = {0};
  struct host host = {
      .arena = &arena, .module = module, .scope = kernel->scope, .capability = capability};
  struct tuning tuning;
  bool good = tuning_read(&host, kernel, &tuning);
  if (good)
    visit(listing_create(&host, &tuning), data);
  arena_destroy(&arena);
  return good;
}

tile_status listing_read(struct module *module, const char *kernel, const char *target,
                         listing_visit *visit, void *data) {
  int capability = target_capability(target);
  size_t wrong = 0;
  host_answer_conditions(module, capability);
  if (module->kernel_count == 0)
    return FAIL(TILE_NOT_FOUND, "'%s' has no kernel: no function is decorated with triton.jit",
                module->source.name);
  const struct kernel *one = kernel ? module_find_kernel(module, kernel) : NULL;
  if (kernel && !one)
    return FAIL(TILE_NOT_FOUND, "there is no kernel '%s' in '%s'", kernel, module->source.name);
  for (size_t i = 0; i < module->kernel_count; i++) {
    const struct kernel *at = &module->kernels[i];
    if (one ? at == one : !at->replaced_by)
      wrong += !list_kernel(module, at, capability, visit, data);
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

/* --- Text
 * ------------------------------------------------------------------------------------------------
 */

/* Flag-like names of the lists of names, in the order of the enum. */
static const char *const labels[TILE_NAMES_COUNT] = {[TILE_NAMES_KEY] = "key",
                                                     [TILE_NAMES_RESET_TO_ZERO] = "reset_to_zero",
                                                     [TILE_NAMES_RESTORE_VALUE] = "restore_value",
                                                     [TILE_NAMES_PRUNE] = "prune_configs_by",
                                                     [TILE_NAMES_HEURISTICS] = "heuristics"};

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

static void print_config(const tile_configuration *config, size_t index, struct text *out) {
  text_printf(out, "  %zu:", index);
  for (size_t i = 0; i < config->constant_count; i++)
    text_printf(out, " %s=%s", config->constants[i].name, config->constants[i].text);
  text_printf(out, " num_warps=%d num_stages=%d", config->num_warps, config->num_stages);
  if (config->num_ctas != 1)
    text_printf(out, " num_ctas=%d%s", config->num_ctas,
                config_ctas_known(config->num_ctas) ? "" : " (refused: not a power of two up to 16)");
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
  for (size_t i = 0; i < list->count; i++)
    print_config(&list->configs[i], i, out);
}

/* --- JSON
 * ------------------------------------------------------------------------------------------------
 */

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

static void json_config(const tile_configuration *config, struct text *out) {
  text_puts(out, "{\"constants\": {");
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

void listing_print_json(const tile_configurations *list, struct text *out) {
  text_puts(out, "{\"kernel\": ");
  json_text(list->kernel, out);
  text_printf(out, ", \"autotune\": %s, \"computed\": ", list->tuned ? "true" : "false");
  json_text(list->computed, out);
  for (int which = 0; which < TILE_NAMES_COUNT; which++) {
    text_printf(out, ", \"%s\": ", labels[which]);
    json_names(&list->names[which], out);
  }
  text_puts(out, ", \"heuristics_computed\": ");
  json_text(list->names[TILE_NAMES_HEURISTICS].computed, out);
  text_puts(out, ", \"configs\": [");
  for (size_t i = 0; i < list->count; i++) {
    text_puts(out, i ? ", " : "");
    json_config(&list->configs[i], out);
  }
  text_puts(out, "]}\n");
}
