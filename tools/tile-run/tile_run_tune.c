/* SPDX-License-Identifier: MIT */
/* --tune, what was tuned before, and grids that are expressions. */
#define _GNU_SOURCE /* memmem */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/arena.h"
#include "base/files.h"
#include "base/status.h"
#include "driver/command_line.h"
#include "tile/emulator.h"
#include "tile/tune.h"
#include "tile_run.h"
#include "tune/grid.h"
#include "tune/space.h"
#include "tune/tuning.h"

/* --- Arguments -------------------------------------------------------------------------------- */

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

/* --- Grids ------------------------------------------------------------------------------------ */

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

/* --- Progress --------------------------------------------------------------------------------- */

static bool show_stage(void *context, const tile_tune_progress *progress) {
  static const char *const stages[] = {"compiling", "checking", "timing"};
  struct text what = {0};
  text_printf(&what, "%s %zu of %zu", stages[progress->stage], progress->done, progress->total);
  if (progress->best)
    text_printf(&what, ": %zu left, best %.4f ms: %s", progress->left, progress->milliseconds,
                progress->best);
  progress_show(context, progress->done, progress->total, text_string(&what));
  text_free(&what);
  return true;
}

/* --- The table -------------------------------------------------------------------------------- */

static void print_row(const tile_tuning *tuning, size_t index, size_t width, struct text *out) {
  const tile_tune_row *row = tile_tuning_row(tuning, index);
  text_printf(out, "%c %3zu  %-*s  ", index == tile_tuning_winner(tuning) ? '*' : ' ', index,
              (int)width, row->description);
  if (row->rounds)
    text_printf(out, "%10.*f", row->milliseconds < 0.1 ? 6 : 4, row->milliseconds);
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
  if (tile_tuning_remembered(tuning))
    text_puts(out, "remembered from an earlier tuning; --tune=again measures anew\n");
  if (tile_tuning_estimated(tuning))
    text_puts(out, "times are the emulator's estimates: tune on a GPU to choose for one\n");
}

static void print_json(const tile_tuning *tuning, struct text *out) {
  text_printf(out, ", \"tuning\": {\"estimated\": %s, \"remembered\": %s, \"winner\": ",
              tile_tuning_estimated(tuning) ? "true" : "false",
              tile_tuning_remembered(tuning) ? "true" : "false");
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

/* --- Tuning ----------------------------------------------------------------------------------- */

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

/* What the public options point to. */
struct request {
  struct run_source from;
  tile_import_options import;
  tile_compile_options compile;
  struct tune_extras extras;
  tile_tune_argument *arguments; /* owned, with their buffers */
  struct tune_space space;       /* owned */
  const char **candidates;       /* owned, with the texts */
  tile_tune_options options;
};

/* --configs and --space. */
static tile_status read_candidates(const struct run_options *run, struct request *out) {
  const char *kernel = out->import.kernel;
  if (!run->candidates)
    return NULL;
  TRY(run->has_space
          ? tune_space_parse("--space", run->candidates, strlen(run->candidates), &out->space)
          : tune_space_read_file(run->candidates, kernel, &out->space));
  out->candidates = tile_allocate(out->space.count * sizeof *out->candidates);
  for (size_t i = 0; i < out->space.count; i++) {
    struct text text = {0};
    tune_candidate_print(&out->space.list[i], &text);
    out->candidates[i] = text_take(&text);
  }
  out->options.candidates = out->candidates;
  out->options.candidate_count = out->space.count;
  return NULL;
}

static tile_status begin(const struct run_options *run, const struct run_argument *arguments,
                         tile_device *device, struct request *out) {
  *out = (struct request){.compile = run->compile};
  tile_grid_function *grid_function = run->grid_function ? run->grid_function
                                      : run->grid_text   ? NULL
                                                         : fixed_grid;
  run_source_begin(run, arguments, &out->from);
  const struct source_options *options = &out->from.options;
  out->import = (tile_import_options){.kernel = options->import.kernel,
                                      .signature = options->import.signature,
                                      .constants = options->constants,
                                      .constant_count = options->import.constant_count,
                                      .argument_values = options->argument_values,
                                      .argument_value_count = options->import.argument_value_count,
                                      .target = options->import.target,
                                      .import_folders = options->folders,
                                      .import_folder_count = options->import.packages.folder_count};
  out->extras = (struct tune_extras){.derived_names = options->import.derived_names,
                                     .reads_files = true,
                                     .shard = run->shard.index,
                                     .shards = run->shard.count};
  out->options = (tile_tune_options){
      .device = device,
      .import = &out->import,
      .compile = &out->compile,
      .argument_count = run->spec_count,
      .grid = run->grid_text,
      .grid_function = grid_function,
      .grid_context = run->grid_function ? run->grid_context : (void *)(uintptr_t)run->grid,
      .cache = run->cache,
      .again = run->tune_again,
      .progress = run->progress ? show_stage : NULL,
      .progress_context = run->progress};
  out->arguments = calloc(run->spec_count + 1, sizeof *out->arguments);
  out->options.arguments = out->arguments;
  return out->arguments ? read_candidates(run, out)
                        : FAIL(TILE_OUT_OF_MEMORY, "no memory for the arguments");
}

static void end(struct request *request) {
  for (size_t i = 0; i < request->options.argument_count && request->arguments; i++)
    tile_buffer_destroy(request->arguments[i].buffer);
  free(request->arguments);
  for (size_t i = 0; i < request->options.candidate_count; i++)
    free((char *)(uintptr_t)request->candidates[i]);
  free(request->candidates);
  tune_space_free(&request->space);
  run_source_end(&request->from);
}

/* By its number; a candidate that is none of the decorator's, by its constants. */
static void choose(struct run_options *run, const tile_tuning *tuning, struct run_result *result) {
  size_t count;
  const char *const *constants = tile_tuning_constants(tuning, &count);
  int config = tile_tuning_row(tuning, tile_tuning_winner(tuning))->config;
  if (config >= 0) {
    char digits[16];
    int length = snprintf(digits, sizeof digits, "%d", config);
    run->source.import.config = arena_copy_string(&result->chosen, digits, (size_t)length);
    return;
  }
  for (size_t i = run->source.import.constant_count; i < count && i < MAX_CONSTANTS; i++)
    run->source.constants[run->source.import.constant_count++] =
        arena_copy_string(&result->chosen, constants[i], strlen(constants[i]));
}

static void say_problem(const tile_tuning *tuning) {
  if (tile_tuning_problem(tuning))
    fprintf(stderr, "tile-run: warning: %s\n", tile_tuning_problem(tuning));
}

static void report(const struct run_options *run, const tile_tuning *tuning, tile_status status,
                   struct run_result *result) {
  say_problem(tuning);
  if (run->json && !status)
    print_json(tuning, &result->tuning);
  else if (status || !run->quiet)
    print_table(tuning, &result->tuning);
  if (status)
    fputs(text_string(&result->tuning), stderr);
}

tile_status run_tune(struct run_options *run, const struct text *source,
                     const struct run_argument *arguments, tile_device *device,
                     struct run_result *result) {
  struct request request;
  tile_tuning *tuning = NULL;
  TRY(check(run));
  tile_status status = begin(run, arguments, device, &request);
  if (!status)
    status = upload(run, arguments, device, request.arguments);
  double begun = tuning_now();
  if (!status)
    status = tuning_run(request.from.name, text_string(source), source->length, &request.options,
                        &request.extras, &tuning);
  if (run->progress)
    progress_clear(run->progress);
  if (run->verbose && tuning)
    fprintf(stderr,
            "tile-run: note: tuning took %.3f s: compiling %.3f, checking %.3f, timing %.3f\n",
            tuning_now() - begun, tuning->seconds[0], tuning->seconds[1], tuning->seconds[2]);
  if (tuning)
    report(run, tuning, status, result);
  if (tuning && tuning->endless) { /* all that is to be destroyed would wait for the device */
    fflush(stdout);
    _exit(report_status("tile-run", status));
  }
  if (!status && !run->shard.count)
    choose(run, tuning, result);
  tile_tuning_destroy(tuning);
  end(&request);
  return status;
}

/* --- What was tuned before -------------------------------------------------------------------- */

/* Files without @triton.autotune are not looked up; neither is what says how it is to be compiled.
 */
static bool may_be_tuned(const struct run_options *run, const struct text *source) {
  return source_is_triton(run->input, &run->source) && !run->source.import.config &&
         !run->compile.num_warps && !run->compile.num_stages &&
         memmem(text_string(source), source->length, "autotune", 8);
}

static bool sets(const struct run_options *run, const struct tune_constant *constant) {
  size_t length = strlen(constant->name);
  for (size_t i = 0; i < run->source.import.constant_count; i++)
    if (strncmp(run->source.constants[i], constant->name, length) == 0 &&
        run->source.constants[i][length] == '=')
      return true;
  return false;
}

/* A winner of which the command line sets a constant is not what was asked for. */
static bool is_overridden(const struct run_options *run, const tile_tune_row *row) {
  struct tune_candidate candidate;
  bool overridden = false;
  tile_status_free(tune_candidate_parse(row->candidate, strlen(row->candidate), &candidate));
  for (size_t i = 0; i < candidate.count; i++)
    overridden |= sets(run, &candidate.constants[i]);
  tune_candidate_free(&candidate);
  return overridden;
}

static void take_winner(struct run_options *run, const tile_tuning *tuning,
                        struct run_result *result) {
  const tile_tune_row *row = tile_tuning_row(tuning, tile_tuning_winner(tuning));
  if (is_overridden(run, row))
    return;
  choose(run, tuning, result);
  if (run->verbose)
    fprintf(stderr, "tile-run: note: the fastest configuration of an earlier tuning: %s\n",
            row->description);
}

static void describe_arguments(const struct run_options *run, const struct run_argument *arguments,
                               tile_tune_argument *out) {
  for (size_t i = 0; i < run->spec_count; i++)
    out[i] = (tile_tune_argument){.name = arguments[i].name,
                                  .value = arguments[i].is_buffer ? tile_argument_address(1)
                                                                  : scalar(&arguments[i])};
}

tile_status run_recall(struct run_options *run, const struct text *source,
                       const struct run_argument *arguments, tile_device *device,
                       struct run_result *result) {
  struct request request;
  tile_tuning *tuning = NULL;
  if (!may_be_tuned(run, source))
    return NULL;
  tile_status status = begin(run, arguments, device, &request);
  if (!status) {
    describe_arguments(run, arguments, request.arguments);
    tile_status_free(tuning_find(request.from.name, text_string(source), source->length,
                                 &request.options, &request.extras, &tuning));
  }
  if (tuning)
    take_winner(run, tuning, result);
  tile_tuning_destroy(tuning);
  end(&request);
  return status;
}

tile_status run_find_winner(const struct run_options *run, const struct text *source,
                            const struct run_argument *arguments, tile_device *device,
                            tile_tuning **out) {
  struct request request;
  *out = NULL;
  TRY(check(run));
  tile_status status = begin(run, arguments, device, &request);
  if (!status) {
    describe_arguments(run, arguments, request.arguments);
    status = tuning_find(request.from.name, text_string(source), source->length, &request.options,
                         &request.extras, out);
    if (tile_status_code(status) == TILE_NOT_FOUND) {
      tile_status_free(status);
      status = upload(run, arguments, device, request.arguments);
      if (!status)
        status = tuning_run(request.from.name, text_string(source), source->length,
                            &request.options, &request.extras, out);
    }
  }
  if (!*out || !(*out)->endless)
    end(&request);
  return status;
}

/* --- How many there are ----------------------------------------------------------------------- */

static tile_status count_in(const struct run_options *run, const struct text *source,
                            const struct run_argument *arguments, size_t *out) {
  struct request request = {0};
  tile_device *device;
  TRY(check(run));
  TRY(tile_emulator_device_create(NULL, &device)); /* stands for any */
  tile_status status = begin(run, arguments, device, &request);
  if (!status) {
    describe_arguments(run, arguments, request.arguments);
    status = tuning_count(request.from.name, text_string(source), source->length, &request.options,
                          &request.extras, out);
  }
  end(&request);
  tile_device_close(device);
  return status;
}

/* Of buffers their types and shapes count, not what is in them. */
tile_status run_count_candidates(size_t count, const char *const *words, size_t *out) {
  struct run_options run;
  struct text source = {0};
  TRY(run_parse_words(count, words, &run));
  struct run_argument *arguments = tile_allocate((run.spec_count + 1) * sizeof *arguments);
  memset(arguments, 0, (run.spec_count + 1) * sizeof *arguments);
  tile_status status = file_read(run.input, &source);
  for (size_t i = 0; i < run.spec_count && !status; i++)
    status = run_argument_parse(run.specs[i], run.data_seed, &arguments[i]);
  if (!status)
    status = count_in(&run, &source, arguments, out);
  for (size_t i = 0; i < run.spec_count; i++)
    run_argument_destroy(&arguments[i]);
  free(arguments);
  text_free(&source);
  return status;
}
