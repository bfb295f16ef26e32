/* SPDX-License-Identifier: MIT */
/* --tune, and grids that are expressions. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/status.h"
#include "driver/command_line.h"
#include "tile/tune.h"
#include "tile_run.h"
#include "tune/grid.h"
#include "tune/tuning.h"

/* --- Arguments
 * ------------------------------------------------------------------------------------------- */

static const tile_argument_kind kinds[ELEMENT_TYPE_COUNT] = {
    [ELEMENT_I1] = TILE_ARGUMENT_I1,      [ELEMENT_I8] = TILE_ARGUMENT_I8,
    [ELEMENT_I16] = TILE_ARGUMENT_I16,    [ELEMENT_I32] = TILE_ARGUMENT_I32,
    [ELEMENT_I64] = TILE_ARGUMENT_I64,    [ELEMENT_U8] = TILE_ARGUMENT_I8,
    [ELEMENT_U16] = TILE_ARGUMENT_I16,    [ELEMENT_U32] = TILE_ARGUMENT_I32,
    [ELEMENT_U64] = TILE_ARGUMENT_I64,    [ELEMENT_F16] = TILE_ARGUMENT_F16,
    [ELEMENT_BF16] = TILE_ARGUMENT_BF16,  [ELEMENT_F32] = TILE_ARGUMENT_F32,
    [ELEMENT_F64] = TILE_ARGUMENT_F64,    [ELEMENT_FP8E4NV] = TILE_ARGUMENT_I8,
    [ELEMENT_FP8E5] = TILE_ARGUMENT_I8,   [ELEMENT_FP8E4B8] = TILE_ARGUMENT_I8,
    [ELEMENT_FP8E5B16] = TILE_ARGUMENT_I8};

static tile_argument scalar(const struct run_argument *argument) {
  tile_argument out = {.kind = kinds[argument->type]};
  memcpy(&out.value, argument->data, argument->bytes);
  return out;
}

/* --- Grids
 * ------------------------------------------------------------------------------------------------
 */

tile_status run_compute_grid(const struct run_options *options, const struct run_code *code,
                             uint32_t out[3]) {
  if (!options->grid_text) {
    memcpy(out, options->grid, sizeof options->grid);
    return NULL;
  }
  tile_argument values[RUN_MAX_ARGUMENTS];
  struct tune_grid_argument list[RUN_MAX_ARGUMENTS];
  for (size_t i = 0; i < code->kernel->parameter_count; i++) {
    values[i] = code->ordered[i]->is_buffer ? tile_argument_address(0) : scalar(code->ordered[i]);
    list[i] = (struct tune_grid_argument){code->ordered[i]->name, &values[i]};
  }
  return tune_grid(options->grid_text, list, code->kernel->parameter_count,
                   &code->kernel->versions[0], out);
}

static tile_status fixed_grid(void *context, const tile_kernel_version *version,
                              void *const *arguments, uint32_t grid[3]) {
  (void)version, (void)arguments;
  memcpy(grid, context, 3 * sizeof *grid);
  return NULL;
}

/* --- Progress
 * ------------------------------------------------------------------------------------------------
 */

enum { BAR = 24 };

struct bar {
  bool shows; /* standard error is a terminal, and nobody wants it quiet */
  bool shown;
};

static bool show_bar(void *context, const tile_tune_progress *progress) {
  static const char *const stages[] = {"compiling", "checking", "timing"};
  struct bar *bar = context;
  if (!bar->shows)
    return true;
  int filled = progress->total ? (int)(progress->done * BAR / progress->total) : 0;
  fprintf(stderr, "\r\033[K%-9s [%.*s%*s] %zu/%zu", stages[progress->stage], filled,
          "########################", BAR - filled, "", progress->done, progress->total);
  if (progress->best)
    fprintf(stderr, "  %zu left, best %.4f ms: %s", progress->left, progress->milliseconds,
            progress->best);
  fflush(stderr);
  bar->shown = true;
  return true;
}

static void clear_bar(const struct bar *bar) {
  if (bar->shown)
    fputs("\r\033[K", stderr);
}

/* --- The table
 * ---------------------------------------------------------------------------------------------------
 */

static void print_row(const tile_tuning *tuning, size_t index, size_t width, struct text *out) {
  const tile_tune_row *row = tile_tuning_row(tuning, index);
  text_printf(out, "%c %3zu  %-*s  ", index == tile_tuning_winner(tuning) ? '*' : ' ', index,
              (int)width, row->description);
  if (row->rounds)
    text_printf(out, "%10.4f", row->milliseconds);
  else
    text_puts(out, "         -");
  size_t first_line = strcspn(row->message, "\n");
  text_printf(out, "  %s%s%.*s\n", tile_tune_outcome_name(row->outcome), first_line ? ": " : "",
              (int)first_line, row->message);
}

static void print_table(const tile_tuning *tuning, struct text *out) {
  size_t width = sizeof "configuration" - 1, count = tile_tuning_count(tuning);
  for (size_t i = 0; i < count; i++) {
    size_t own = strlen(tile_tuning_row(tuning, i)->description);
    width = own > width ? own : width;
  }
  text_printf(out, "  %3s  %-*s  %10s  %s\n", "#", (int)width, "configuration",
              tile_tuning_estimated(tuning) ? "est. ms" : "ms", "outcome");
  for (size_t i = 0; i < count; i++)
    print_row(tuning, i, width, out);
  if (tile_tuning_estimated(tuning))
    text_puts(out, "times are the emulator's estimates: tune on a GPU to choose for one\n");
}

static void print_json(const tile_tuning *tuning, struct text *out) {
  text_printf(out, ", \"tuning\": {\"estimated\": %s, \"winner\": ",
              tile_tuning_estimated(tuning) ? "true" : "false");
  if (tile_tuning_winner(tuning) < tile_tuning_count(tuning))
    text_printf(out, "%zu", tile_tuning_winner(tuning));
  else
    text_puts(out, "null");
  text_puts(out, ", \"candidates\": [");
  for (size_t i = 0; i < tile_tuning_count(tuning); i++) {
    const tile_tune_row *row = tile_tuning_row(tuning, i);
    text_printf(out, "%s{\"candidate\": %s, \"config\": ", i ? ", " : "", row->candidate);
    if (row->config >= 0)
      text_printf(out, "%d", row->config);
    else
      text_puts(out, "null");
    text_printf(out, ", \"outcome\": \"%s\", \"message\": ", tile_tune_outcome_name(row->outcome));
    text_json_string(out, row->message);
    text_printf(out, ", \"milliseconds\": %.6f, \"low\": %.6f, \"high\": %.6f, \"rounds\": %d}",
                row->milliseconds, row->low, row->high, row->rounds);
  }
  text_puts(out, "]}");
}

/* --- Tuning
 * --------------------------------------------------------------------------------------------------------
 */

static tile_status check(const struct run_options *run) {
  if (!source_is_triton(run->input, &run->source))
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "--tune chooses among configurations of a kernel in the Triton language, a .py file");
  if (run->source.import.config)
    return FAIL(TILE_INVALID_ARGUMENT,
                "--tune chooses the configuration, and --config names one; leave one of them out");
  if (run->compile.num_warps || run->compile.num_stages)
    return FAIL(TILE_INVALID_ARGUMENT, "--tune chooses %s; leave --%s out",
                run->compile.num_warps ? "the number of warps" : "the number of stages",
                run->compile.num_warps ? "num-warps" : "num-stages");
  return NULL;
}

static tile_status upload(const struct run_options *run, const struct run_argument *arguments,
                          tile_device *device, tile_tune_argument *out) {
  for (size_t i = 0; i < run->spec_count; i++) {
    out[i].name = arguments[i].name;
    if (!arguments[i].is_buffer) {
      out[i].value = scalar(&arguments[i]);
      continue;
    }
    TRY(tile_buffer_create(device, arguments[i].bytes, &out[i].buffer));
    TRY(tile_buffer_write(out[i].buffer, 0, arguments[i].data, arguments[i].bytes, NULL));
    out[i].value = tile_argument_buffer(out[i].buffer);
  }
  return NULL;
}

static tile_status tune(const struct run_options *run, const struct text *source,
                        const struct run_source *from, const tile_tune_argument *arguments,
                        tile_device *device, tile_tuning **out) {
  struct bar bar = {.shows = !run->quiet && isatty(STDERR_FILENO)};
  const struct source_options *options = &from->options;
  const tile_import_options import = {.kernel = options->import.kernel,
                                      .signature = options->import.signature,
                                      .constants = options->constants,
                                      .constant_count = options->import.constant_count,
                                      .argument_values = options->argument_values,
                                      .argument_value_count = options->import.argument_value_count,
                                      .target = options->import.target,
                                      .import_folders = options->folders,
                                      .import_folder_count = options->import.packages.folder_count};
  tile_compile_options compile = run->compile;
  const tile_tune_options tune_options = {.device = device,
                                          .import = &import,
                                          .compile = &compile,
                                          .arguments = arguments,
                                          .argument_count = run->spec_count,
                                          .grid = run->grid_text,
                                          .grid_function = run->grid_text ? NULL : fixed_grid,
                                          .grid_context = (void *)(uintptr_t)run->grid,
                                          .cache = run->cache,
                                          .progress = show_bar,
                                          .progress_context = &bar};
  const struct tune_extras extras = {.derived_names = options->import.derived_names,
                                     .reads_files = true};
  tile_status status =
      tuning_run(from->name, text_string(source), source->length, &tune_options, &extras, out);
  clear_bar(&bar);
  return status;
}

/* The winner, by its number. */
static void choose(struct run_options *run, const tile_tuning *tuning) {
  snprintf(run->chosen, sizeof run->chosen, "%d",
           tile_tuning_row(tuning, tile_tuning_winner(tuning))->config);
  run->source.import.config = run->chosen;
}

tile_status run_tune(struct run_options *run, const struct text *source,
                     const struct run_argument *arguments, tile_device *device,
                     struct run_result *result) {
  TRY(check(run));
  struct run_source from;
  tile_tuning *tuning = NULL;
  tile_tune_argument *list = calloc(run->spec_count + 1, sizeof *list);
  run_source_begin(run, arguments, &from);
  tile_status status = list ? upload(run, arguments, device, list)
                            : FAIL(TILE_OUT_OF_MEMORY, "no memory for the arguments");
  if (!status)
    status = tune(run, source, &from, list, device, &tuning);
  if (!status)
    choose(run, tuning);
  if (tuning && run->json && !status)
    print_json(tuning, &result->tuning);
  else if (tuning && (status || !run->quiet))
    print_table(tuning, &result->tuning);
  if (status && tuning)
    fputs(text_string(&result->tuning), stderr);
  tile_tuning_destroy(tuning);
  for (size_t i = 0; i < run->spec_count && list; i++)
    tile_buffer_destroy(list[i].buffer);
  free(list);
  run_source_end(&from);
  return status;
}
