/* SPDX-License-Identifier: MIT */
/* What is tuned: the decorators are read, and the candidates listed. Nothing of MLIR runs here. */
#include <string.h>
#include "base/status.h"
#include "driver/import_files.h"
#include "driver/source.h"
#include "frontend/config/listing.h"
#include "tune/tuning.h"

/* --- The decorators
 * ------------------------------------------------------------------------------------ */

struct reading {
  tile_configurations *list;
  size_t count;
  struct text names;
};

static void take_list(tile_configurations *list, void *data) {
  struct reading *reading = data;
  text_printf(&reading->names, "%s%s", reading->count++ ? ", " : "", list->kernel);
  tile_configurations_destroy(reading->list);
  reading->list = list;
}

/* The first of the problems, as the message of a status. */
static tile_status problem_status(const struct module *module, tile_status status) {
  struct text text = {0};
  problems_print(&module->problems, &text);
  if (text.length) {
    tile_code code = status ? tile_status_code(status) : TILE_INVALID_ARGUMENT;
    tile_status_free(status);
    status = FAIL(code, "%s", text_string(&text));
  }
  text_free(&text);
  return status;
}

static tile_status read_module(tile_tuning *tuning, const struct import_options *import,
                               struct reading *reading) {
  struct module module;
  tile_status status;
  if (tuning->length > SOURCE_LARGEST)
    return FAIL(TILE_INVALID_ARGUMENT, "'%s' is larger than 64 MiB", tuning->name);
  if (module_read_with(&module, tuning->name, tuning->text, tuning->length, &import->packages))
    status = listing_read(&module, import, take_list, reading);
  else
    status = FAIL(TILE_INVALID_ARGUMENT, "'%s' cannot be read", tuning->name);
  if (status)
    status = problem_status(&module, status);
  module_free(&module);
  return status;
}

tile_status tuning_import_options(const tile_tuning *tuning, const tile_import_options *given,
                                  struct import_files *files, struct import_options *out) {
  TRY(import_options_read(given, tuning->name, files, out));
  out->derived_names = tuning->extras.derived_names;
  out->derived_values = out->derived_names != NULL;
  if (tuning->extras.reads_files && !given->read_source)
    out->packages = import_files_options(files, tuning->name, given->import_folders,
                                         given->import_folder_count);
  return NULL;
}

static tile_status read_decorators(tile_tuning *tuning) {
  struct import_files files = {0};
  struct import_options import;
  struct reading reading = {0};
  TRY(tuning_import_options(tuning, tuning->options->import, &files, &import));
  tile_status status = read_module(tuning, &import, &reading);
  import_files_free(&files);
  if (!status && reading.count != 1)
    status = FAIL(TILE_INVALID_ARGUMENT, "'%s' has %zu kernels; name one: %s", tuning->name,
                  reading.count, text_string(&reading.names));
  tuning->list = reading.list;
  text_free(&reading.names);
  return status;
}

/* --- The candidates
 * ------------------------------------------------------------------------------------- */

static int find_config(const tile_configurations *list, const struct tune_candidate *candidate) {
  int found = -1;
  for (size_t i = 0; i < list->count && found < 0; i++) {
    struct tune_candidate own = tune_candidate_of(&list->configs[i]);
    if (tune_candidate_compare(&own, candidate) == 0)
      found = (int)i;
    tune_candidate_free(&own);
  }
  return found;
}

static void add_entry(tile_tuning *tuning, struct tune_candidate candidate, int config) {
  struct tune_entry *entry = &tuning->entries[tuning->count++];
  *entry = (struct tune_entry){.candidate = candidate, .config = config};
  for (size_t i = 0; i + 1 < tuning->count; i++)
    if (tune_candidate_compare(&tuning->entries[i].candidate, &candidate) == 0) {
      tuning_out(entry, TILE_TUNE_DROPPED, "the same as candidate %zu", i);
      break;
    }
}

static tile_status add_given(tile_tuning *tuning) {
  const tile_tune_options *options = tuning->options;
  for (size_t i = 0; i < options->candidate_count; i++) {
    struct tune_candidate candidate;
    if (!options->candidates || !options->candidates[i])
      return FAIL(TILE_INVALID_ARGUMENT, "tile_tune: candidates has no string %zu, of %zu", i,
                  options->candidate_count);
    TRY(tune_candidate_parse(options->candidates[i], strlen(options->candidates[i]), &candidate));
    add_entry(tuning, candidate, find_config(tuning->list, &candidate));
  }
  return NULL;
}

static tile_status check_list(const tile_tuning *tuning) {
  const tile_configurations *list = tuning->list;
  if (list->computed)
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "the configurations of kernel '%s' are computed at run time (%s); give the candidates",
        list->kernel, list->computed);
  if (list->count && !list->left_count)
    return FAIL(TILE_INVALID_ARGUMENT, "prune_configs_by of kernel '%s' leaves no configuration",
                list->kernel);
  if (!list->count)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s' has no configurations to choose from: there is no @triton.autotune; "
                "give candidates",
                list->kernel);
  return NULL;
}

tile_status tuning_plan(tile_tuning *tuning) {
  TRY(read_decorators(tuning));
  size_t given = tuning->options->candidate_count;
  if (!given)
    TRY(check_list(tuning));
  size_t most = given ? given : tuning->list->left_count;
  tuning->entries = tile_allocate((most + 1) * sizeof *tuning->entries);
  if (given)
    return add_given(tuning);
  for (size_t i = 0; i < most; i++)
    add_entry(tuning, tune_candidate_of(&tuning->list->left[i]), (int)tuning->list->left_numbers[i]);
  return NULL;
}

/* --- As options of an import
 * ------------------------------------------------------------------------------ */

struct constant_list {
  struct arena *arena;
  const char **list;
  size_t count;
};

static void add_constant(struct constant_list *out, const char *name, const char *value) {
  struct text text = {0};
  text_printf(&text, "%s=%s", name, value);
  out->list[out->count++] = arena_copy_string(out->arena, text_string(&text), text.length);
  text_free(&text);
}

static void add_number(struct constant_list *out, const char *name, int value) {
  char digits[16];
  snprintf(digits, sizeof digits, "%d", value);
  if (value)
    add_constant(out, name, digits);
}

const char **tuning_constants(struct arena *arena, const tile_import_options *import,
                              const struct tune_candidate *candidate, size_t *out_count) {
  struct constant_list out = {.arena = arena};
  out.list = ARENA_ARRAY(arena, const char *, import->constant_count + candidate->count + 5);
  for (size_t i = 0; i < import->constant_count; i++)
    out.list[out.count++] =
        arena_copy_string(arena, import->constants[i], strlen(import->constants[i]));
  for (size_t i = 0; i < candidate->count; i++)
    add_constant(&out, candidate->constants[i].name, candidate->constants[i].value);
  add_number(&out, "num_warps", candidate->num_warps);
  add_number(&out, "num_stages", candidate->num_stages);
  add_number(&out, "num_ctas", candidate->num_ctas);
  add_number(&out, "maxnreg", candidate->maxnreg);
  *out_count = out.count;
  return out.list;
}
