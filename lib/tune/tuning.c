/* SPDX-License-Identifier: MIT */
/* tile_tune, and what it found. */
#include "tune/tuning.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/status.h"
#include "tune/memory.h"

static const char *const outcome_names[] = {[TILE_TUNE_OK] = "ok",
                                            [TILE_TUNE_DROPPED] = "dropped",
                                            [TILE_TUNE_FAILED] = "failed",
                                            [TILE_TUNE_WRONG] = "wrong",
                                            [TILE_TUNE_TIMEOUT] = "timeout"};

const char *tile_tune_outcome_name(tile_tune_outcome outcome) {
  return (unsigned)outcome <= TILE_TUNE_TIMEOUT ? outcome_names[outcome] : "unknown";
}

/* --- Entries ---------------------------------------------------------------------------------- */

void tuning_out(struct tune_entry *entry, tile_tune_outcome outcome, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  entry->outcome = outcome;
  text_free(&entry->message);
  text_vprintf(&entry->message, format, arguments);
  va_end(arguments);
}

void tuning_failed(struct tune_entry *entry, tile_status status) {
  tuning_out(entry, TILE_TUNE_FAILED, "%s", tile_status_message(status));
  tile_status_free(status);
}

size_t tuning_left(const tile_tuning *tuning) {
  size_t left = 0;
  for (size_t i = 0; i < tuning->count; i++)
    left += tuning->entries[i].outcome == TILE_TUNE_OK;
  return left;
}

tile_status tuning_progress(const tile_tuning *tuning, const tile_tune_progress *progress) {
  const tile_tune_options *options = tuning->options;
  if (!options->progress || options->progress(options->progress_context, progress))
    return NULL;
  return FAIL(TILE_NOT_FOUND, "the tuning of '%s' was ended by its caller", tuning->name);
}

/* --- The result ------------------------------------------------------------------------------- */

static void fill_row(tile_tuning *tuning, struct tune_entry *entry, tile_tune_row *row) {
  struct text candidate = {0}, description = {0};
  tune_candidate_print(&entry->candidate, &candidate);
  tune_candidate_describe(&entry->candidate, &description);
  *row = (tile_tune_row){.candidate = text_keep(&candidate, &tuning->arena),
                         .description = text_keep(&description, &tuning->arena),
                         .config = entry->config,
                         .outcome = entry->outcome,
                         .message = text_keep(&entry->message, &tuning->arena),
                         .milliseconds = entry->score.milliseconds,
                         .low = entry->score.low,
                         .high = entry->score.high,
                         .rounds = entry->score.rounds};
}

/* Keeps what is told of the candidates, and ends everything else. */
static void finish(tile_tuning *tuning) {
  tuning->rows = ARENA_ARRAY(&tuning->arena, tile_tune_row, tuning->count + 1);
  if (tuning->winner != TUNE_NOBODY)
    tuning->constants =
        tuning_constants(&tuning->arena, tuning->options->import,
                         &tuning->entries[tuning->winner].candidate, &tuning->constant_count);
  for (size_t i = 0; i < tuning->count; i++) {
    struct tune_entry *entry = &tuning->entries[i];
    fill_row(tuning, entry, &tuning->rows[i]);
    if (!tuning->endless)
      tile_module_unload(entry->module);
    tile_image_free(entry->image);
    tune_candidate_free(&entry->candidate);
    text_free(&entry->message);
  }
  free(tuning->entries);
  tuning->entries = NULL;
  tile_configurations_destroy(tuning->list);
  tuning->list = NULL;
  tuning->text = NULL, tuning->name = NULL, tuning->options = NULL;
}

/* --- The order of it all ---------------------------------------------------------------------- */

/* What the first of those that went wrong says, where nobody is left. */
static tile_status nobody(const tile_tuning *tuning) {
  for (size_t i = 0; i < tuning->count; i++)
    if (tuning->entries[i].outcome != TILE_TUNE_OK)
      return FAIL(
          TILE_NOT_FOUND, "none of the %zu candidates of '%s' can be used; candidate %zu %s: %s",
          tuning->count, tuning->name, i, tile_tune_outcome_name(tuning->entries[i].outcome),
          text_string(&tuning->entries[i].message));
  return FAIL(TILE_NOT_FOUND, "'%s' was not tuned", tuning->name);
}

double tuning_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static tile_status make_and_measure(tile_tuning *tuning) {
  double begin = tuning_now();
  tile_status status = tuning_make(tuning);
  tuning->seconds[0] += tuning_now() - begin;
  if (!status && tuning_left(tuning))
    status = tuning_measure(tuning);
  return status;
}

/* Where nobody is left of those with hope, the hopeless get their turn: an estimate may be wrong.
 */
static tile_status tune_anew(tile_tuning *tuning) {
  double begin = tuning_now();
  if ((tuning->extras.shards ? tuning->total : tuning_left(tuning)) > 1) {
    tuning_read_bounds(tuning);
    tune_bound_drop(tuning);
  }
  tuning->seconds[0] = tuning_now() - begin;
  TRY(make_and_measure(tuning));
  if (tuning->winner == TUNE_NOBODY && tune_bound_revive(tuning))
    TRY(make_and_measure(tuning));
  return tuning->winner == TUNE_NOBODY && !tuning->extras.shards ? nobody(tuning) : NULL;
}

static tile_status tune(tile_tuning *tuning) {
  TRY(tuning_plan(tuning, true));
  if (!tuning->options->again && tuning_recall(tuning, false))
    return NULL;
  if (!tuning->options->again)
    tuning_recall_dangers(tuning);
  tile_status status = tune_anew(tuning);
  tuning_remember(tuning, !status);
  return status;
}

static tile_status find(tile_tuning *tuning) {
  TRY(tuning_plan(tuning, false));
  if (tuning_recall(tuning, true))
    return NULL;
  return FAIL(
      TILE_NOT_FOUND, "kernel '%s' has not been tuned for these arguments on this device%s%s",
      tuning->key.kernel, tuning->problem ? ": " : "", tuning->problem ? tuning->problem : "");
}

static tile_status check_arguments(const char *function, const tile_tune_options *options) {
  if (options->argument_count && !options->arguments)
    return FAIL(TILE_INVALID_ARGUMENT, "%s: arguments is NULL, with argument_count = %zu", function,
                options->argument_count);
  for (size_t i = 0; i < options->argument_count; i++)
    if (!options->arguments[i].name)
      return FAIL(TILE_INVALID_ARGUMENT, "%s: argument %zu has no name", function, i);
  for (size_t i = 0; i < options->key_count; i++)
    if (!options->key || !options->key[i])
      return FAIL(TILE_INVALID_ARGUMENT, "%s: key has no string %zu, of %zu", function, i,
                  options->key_count);
  return NULL;
}

static tile_status check_options(const char *function, const char *name, const char *text,
                                 size_t length, const tile_tune_options *options) {
  text = length ? text : "";
  TRY(REQUIRED_BY(function, name, text, options));
  if (!options->device || !options->import)
    return FAIL(TILE_INVALID_ARGUMENT, "%s: options.%s is NULL", function,
                options->device ? "import" : "device");
  return check_arguments(function, options);
}

static tile_status check_grid(const tile_tune_options *options) {
  if (!options->grid != !options->grid_function)
    return NULL;
  return FAIL(TILE_INVALID_ARGUMENT, "tile_tune: options take grid or grid_function, %s",
              options->grid ? "not both" : "and there is neither");
}

static tile_tuning *create(const char *name, const char *text, size_t length,
                           const tile_tune_options *options, const struct tune_extras *extras) {
  tile_tuning *tuning = tile_allocate(sizeof *tuning);
  *tuning = (tile_tuning){.name = name,
                          .text = length ? text : "",
                          .length = length,
                          .options = options,
                          .winner = TUNE_NOBODY};
  if (extras)
    tuning->extras = *extras;
  tuning->estimated =
      strcmp(tile_driver_name(tile_device_get_driver(options->device)), "emulator") == 0;
  return tuning;
}

/* Of one that failed, what was tried is kept where `keeps` says so. */
static tile_status run(tile_tuning *tuning, tile_status (*body)(tile_tuning *), bool keeps,
                       tile_tuning **out) {
  tile_status status = body(tuning);
  bool tried = keeps && tuning->count > 0;
  finish(tuning);
  if (status && !tried)
    tile_tuning_destroy(tuning);
  else
    *out = tuning;
  return status;
}

tile_status tuning_run(const char *name, const char *text, size_t length,
                       const tile_tune_options *options, const struct tune_extras *extras,
                       tile_tuning **out) {
  TRY(REQUIRED_BY("tile_tune", out));
  *out = NULL;
  TRY(check_options("tile_tune", name, text, length, options));
  TRY(check_grid(options));
  return run(create(name, text, length, options, extras), tune, true, out);
}

tile_status tuning_find(const char *name, const char *text, size_t length,
                        const tile_tune_options *options, const struct tune_extras *extras,
                        tile_tuning **out) {
  TRY(REQUIRED_BY("tile_tune_find", out));
  *out = NULL;
  TRY(check_options("tile_tune_find", name, text, length, options));
  return run(create(name, text, length, options, extras), find, false, out);
}

tile_status tuning_count(const char *name, const char *text, size_t length,
                         const tile_tune_options *options, const struct tune_extras *extras,
                         size_t *out) {
  TRY(check_options("tile_tune", name, text, length, options));
  tile_tuning *tuning = create(name, text, length, options, extras);
  tile_status status = tuning_plan(tuning, true);
  *out = 0;
  for (size_t i = 0; i < tuning->count; i++)
    *out += !tuning->entries[i].repeated;
  finish(tuning);
  tile_tuning_destroy(tuning);
  return status;
}

tile_status tile_tune(const char *name, const char *text, size_t length,
                      const tile_tune_options *options, tile_tuning **out) {
  return tuning_run(name, text, length, options, NULL, out);
}

tile_status tile_tune_find(const char *name, const char *text, size_t length,
                           const tile_tune_options *options, tile_tuning **out) {
  return tuning_find(name, text, length, options, NULL, out);
}

void tile_tuning_destroy(tile_tuning *tuning) {
  if (!tuning)
    return;
  arena_destroy(&tuning->arena);
  free(tuning);
}

size_t tile_tuning_count(const tile_tuning *tuning) {
  return tuning->count;
}

const tile_tune_row *tile_tuning_row(const tile_tuning *tuning, size_t index) {
  return index < tuning->count ? &tuning->rows[index] : NULL;
}

size_t tile_tuning_winner(const tile_tuning *tuning) {
  return tuning->winner == TUNE_NOBODY ? tuning->count : tuning->winner;
}

bool tile_tuning_estimated(const tile_tuning *tuning) {
  return tuning->estimated;
}

const char *const *tile_tuning_constants(const tile_tuning *tuning, size_t *out_count) {
  *out_count = tuning->constant_count;
  return tuning->winner == TUNE_NOBODY ? NULL : tuning->constants;
}

bool tile_tuning_remembered(const tile_tuning *tuning) {
  return tuning->remembered;
}

const char *tile_tuning_problem(const tile_tuning *tuning) {
  return tuning->problem;
}
