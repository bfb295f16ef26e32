/* SPDX-License-Identifier: MIT */
/* What is tuned: the decorators are read, and the candidates listed. Nothing of MLIR runs here. */
#include <string.h>
#include "base/element.h"
#include "base/status.h"
#include "cache/key.h"
#include "driver/import_files.h"
#include "driver/source.h"
#include "frontend/config/listing.h"
#include "tune/key.h"
#include "tune/tuning.h"

/* --- The decorators --------------------------------------------------------------------------- */

/* "NAME=VALUE" of the scalars, for heuristics, pruning and the key, unless the caller gives them.
 */
static void derive_values(tile_tuning *tuning) {
  const tile_tune_options *options = tuning->options;
  static const enum element_type types[] = {
      [TILE_ARGUMENT_I1] = ELEMENT_I1,     [TILE_ARGUMENT_I8] = ELEMENT_I8,
      [TILE_ARGUMENT_I16] = ELEMENT_I16,   [TILE_ARGUMENT_I32] = ELEMENT_I32,
      [TILE_ARGUMENT_I64] = ELEMENT_I64,   [TILE_ARGUMENT_F16] = ELEMENT_F16,
      [TILE_ARGUMENT_BF16] = ELEMENT_BF16, [TILE_ARGUMENT_F32] = ELEMENT_F32,
      [TILE_ARGUMENT_F64] = ELEMENT_F64};
  tuning->values = ARENA_ARRAY(&tuning->arena, const char *, options->argument_count + 1);
  for (size_t i = 0; i < options->argument_count; i++) {
    const tile_argument *value = &options->arguments[i].value;
    if (value->kind == TILE_ARGUMENT_POINTER || (unsigned)value->kind > TILE_ARGUMENT_F64)
      continue;
    enum element_type type = types[value->kind];
    tuning->values[tuning->value_count++] =
        source_argument_value(&tuning->arena, options->arguments[i].name, type, &value->value);
  }
}

tile_status tuning_import_options(const tile_tuning *tuning, const tile_import_options *given,
                                  struct import_files *files, struct import_options *out) {
  TRY(import_options_read(given, tuning->name, files, out));
  out->derived_names = tuning->extras.derived_names;
  out->derived_values = out->derived_names != NULL || !given->argument_value_count;
  if (!given->argument_value_count) {
    out->argument_values = tuning->values;
    out->argument_value_count = tuning->value_count;
  }
  if (tuning->extras.reads_files && !given->read_source)
    out->packages = import_files_options(files, tuning->name, given->import_folders,
                                         given->import_folder_count);
  return NULL;
}

/* The first problem that is said, with its place. */
static void note_problem(const struct problem_line *line, void *data) {
  struct text *said = data;
  if (!said->length)
    problem_line_print(line, said);
}

static tile_status read_file(tile_tuning *tuning, const struct import_options *import) {
  tile_compile_options options =
      tuning->options->compile ? *tuning->options->compile : tile_compile_options_default();
  struct text content = {0}, arguments = {0}, said = {0};
  tile_status status = tune_key_read(tuning->name, tuning->text, tuning->length, import, &options,
                                     note_problem, &said, &content, &arguments, &tuning->list);
  if (!status && tuning->options->key_count) {
    text_free(&arguments);
    tune_key_arguments(tuning->list, tuning->options->key, tuning->options->key_count, &arguments);
  }
  tuning->key.content = text_keep(&content, &tuning->arena);
  tuning->key.arguments = text_keep(&arguments, &tuning->arena);
  if (status && said.length) {
    tile_code code = tile_status_code(status);
    tile_status_free(status);
    status = FAIL(code, "%s", text_string(&said));
  }
  text_free(&said);
  return status;
}

static tile_status read_decorators(tile_tuning *tuning) {
  struct import_files files = {0};
  struct import_options import;
  TRY(tuning_import_options(tuning, tuning->options->import, &files, &import));
  tile_status status = read_file(tuning, &import);
  import_files_free(&files);
  return status;
}

/* The other columns of the key: where it is measured, and by which toolkit. */
static void describe_device(tile_tuning *tuning) {
  const tile_device_properties *device = tile_device_get_properties(tuning->options->device);
  struct text kernel = {0}, name = {0}, capability = {0}, driver = {0};
  text_puts(&kernel, tuning->list->kernel);
  text_puts(&name, device->name);
  if (device->compute_major)
    text_printf(&capability, "%d.%d", device->compute_major, device->compute_minor);
  if (device->driver_version)
    text_printf(&driver, "%d", device->driver_version);
  tuning->key.kernel = text_keep(&kernel, &tuning->arena);
  tuning->key.device = text_keep(&name, &tuning->arena);
  tuning->key.capability = text_keep(&capability, &tuning->arena);
  tuning->key.driver = text_keep(&driver, &tuning->arena);
  tuning->key.toolkit = tile_compiler_build_id();
}

/* Hash of the candidates in their order: what there is to choose from. */
static void describe_space(tile_tuning *tuning) {
  struct text all = {0}, digits = {0};
  for (size_t i = 0; i < tuning->count; i++) {
    tune_candidate_print(&tuning->entries[i].candidate, &all);
    text_puts(&all, "\n");
  }
  struct cache_key hash = key_of_bytes(text_string(&all), all.length);
  for (size_t i = 0; i < KEY_BYTES; i++)
    text_printf(&digits, "%02x", hash.bytes[i]);
  text_free(&all);
  tuning->space = text_keep(&digits, &tuning->arena);
}

/* --- The candidates --------------------------------------------------------------------------- */

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
  *entry =
      (struct tune_entry){.candidate = candidate, .config = config, .place = tuning->count - 1};
  for (size_t i = 0; i + 1 < tuning->count; i++)
    if (tune_candidate_compare(&tuning->entries[i].candidate, &candidate) == 0) {
      tuning_out(entry, TILE_TUNE_DROPPED, "the same as candidate %zu", i);
      entry->repeated = true;
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

static tile_status add_entries(tile_tuning *tuning) {
  size_t given = tuning->options->candidate_count;
  size_t most = given ? given : tuning->list->left_count;
  tuning->entries = tile_allocate((most + 1) * sizeof *tuning->entries);
  if (given)
    return add_given(tuning);
  for (size_t i = 0; i < most; i++)
    add_entry(tuning, tune_candidate_of(&tuning->list->left[i]),
              (int)tuning->list->left_numbers[i]);
  return NULL;
}

/* `number`: of a candidate among those that are no repetitions. */
static bool is_in_shard(const struct tune_extras *extras, size_t number) {
  return number == 0 || (number - 1) % extras->shards == extras->shard;
}

static void keep_shard(tile_tuning *tuning) {
  size_t kept = 0, number = 0;
  for (size_t i = 0; i < tuning->count; i++) {
    struct tune_entry *entry = &tuning->entries[i];
    if (!entry->repeated && is_in_shard(&tuning->extras, number++)) {
      tuning->entries[kept++] = *entry;
    } else {
      tune_candidate_free(&entry->candidate);
      text_free(&entry->message);
    }
  }
  tuning->count = kept;
}

tile_status tuning_plan(tile_tuning *tuning, bool needs_candidates) {
  derive_values(tuning);
  TRY(read_decorators(tuning));
  if (!tuning->options->candidate_count && needs_candidates)
    TRY(check_list(tuning));
  TRY(add_entries(tuning));
  for (size_t i = 0; i < tuning->count; i++)
    tuning->total += !tuning->entries[i].repeated;
  if (tuning->extras.shards)
    keep_shard(tuning);
  describe_device(tuning);
  describe_space(tuning);
  return NULL;
}

/* --- As options of an import ------------------------------------------------------------------ */

struct constant_list {
  struct arena *arena;
  const char **list;
  size_t count;
};

static void add_constant(struct constant_list *out, const char *name, const char *value) {
  out->list[out->count++] = text_format(out->arena, "%s=%s", name, value);
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
