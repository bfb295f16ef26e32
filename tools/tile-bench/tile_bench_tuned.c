/* SPDX-License-Identifier: MIT */
/* configs = "tuned": at each size the configuration that tile-run --tune would choose for the same
   arguments. Where an earlier tuning has left its winner in the database, that is taken; else the
   kernel is tuned now, and its winner kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/c_locale.h"
#include "base/status.h"
#include "driver/command_line.h"
#include "tile_bench_kernel.h"
#include "tune/candidate.h"
#include "tune/tuning.h"

/* --- The grid of a candidate ------------------------------------------------------------------ */

struct grid_of {
  struct bench *bench;
  const struct bench_step *step;
};

/* Python's numbers and booleans; false for other values. */
static bool read_number(const char *text, struct value *out) {
  char *end;
  *out = value_integer(strtoll(text, &end, 10));
  if (strcmp(text, "True") == 0 || strcmp(text, "False") == 0) {
    out->integer = *text == 'T';
    return true;
  }
  if (*text && !*end)
    return true;
  *out = value_float(c_strtod(text, &end));
  return *text && !*end;
}

static tile_status compute_grid(void *context, const tile_kernel_version *version,
                                void *const *arguments, uint32_t grid[3]) {
  const struct grid_of *own = context;
  struct bench *bench = own->bench;
  struct bench_names names = bench->names;
  struct value number;
  (void)arguments;
  for (size_t i = 0; i < version->constant_count; i++)
    if (read_number(version->constants[i].value, &number))
      bench_names_set(&names, version->constants[i].name, number);
  TRY(bench_set_names(bench, own->step->constants, own->step->constant_count, &names));
  return bench_expression_grid(&bench->file->text, &own->step->grid, &names, grid)
             ? NULL
             : bench_problems(bench);
}

/* --- The winner ------------------------------------------------------------------------------- */

static const char *keep(struct bench *bench, const char *text) {
  return arena_copy_string(&bench->arena, text, strlen(text));
}

static void keep_constant(struct bench *bench, const struct tune_constant *from,
                          struct bench_constant *out) {
  *out = (struct bench_constant){.name = keep(bench, from->name)};
  if (read_number(from->value, &out->value.number))
    out->value.given = true;
  else
    out->text = keep(bench, from->value);
}

static void keep_number(int number, struct bench_expression *out) {
  if (number)
    *out = (struct bench_expression){.given = true, .number = value_integer(number)};
}

static void keep_winner(struct bench *bench, const tile_tuning *tuning, struct bench_config *out) {
  const tile_tune_row *row = tile_tuning_row(tuning, tile_tuning_winner(tuning));
  const char *const *constants = tile_tuning_constants(tuning, &out->tuned_count);
  struct tune_candidate candidate = {0};
  out->tuned = ARENA_ARRAY(&bench->arena, const char *, out->tuned_count + 1);
  for (size_t i = 0; i < out->tuned_count; i++)
    out->tuned[i] = keep(bench, constants[i]);
  tile_status_free(tune_candidate_parse(row->candidate, strlen(row->candidate), &candidate));
  for (size_t i = 0; i < candidate.count && i < BENCH_MAX_CONSTANTS; i++)
    keep_constant(bench, &candidate.constants[i], &out->constants[out->constant_count++]);
  keep_number(candidate.num_warps, &out->num_warps);
  keep_number(candidate.num_stages, &out->num_stages);
  tune_candidate_free(&candidate);
}

static void say(struct bench *bench, const struct bench_provider *provider,
                const tile_tuning *tuning) {
  const char *problem = tile_tuning_problem(tuning);
  size_t winner = tile_tuning_winner(tuning);
  progress_clear(bench->progress);
  if (problem && !bench->options->quiet)
    fprintf(stderr, "tile-bench: warning: %s\n", problem);
  if (bench->options->verbose && winner < tile_tuning_count(tuning))
    fprintf(stderr, "tile-bench: note: %s: %s is %s\n", provider->name,
            tile_tuning_row(tuning, winner)->description,
            tile_tuning_remembered(tuning) ? "an earlier tuning's winner" : "the winner");
}

/* Where the candidates were tried, they fail at this size, which is no mistake in the file. */
static tile_status failed(struct bench *bench, const struct bench_step *step,
                          const tile_tuning *tuning, tile_status status) {
  if (!tuning && !step->state->info->tuned) {
    tile_status_free(status);
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s' has no @triton.autotune, and no tuning has left a winner for these "
                "arguments; give 'configs' as an array, or tune it with tile-run --tune --space",
                step->state->info->name);
  }
  if (bench->file->text.problems.errors) {
    tile_status_free(status);
    return bench_problems(bench);
  }
  if (tuning && tuning->endless) { /* all that is to be destroyed would wait for the device */
    fflush(stdout);
    _exit(report_status("tile-bench", status));
  }
  if (!tuning || tile_status_code(status) != TILE_NOT_FOUND)
    return status;
  tile_status told = FAIL(TILE_UNSUPPORTED, "%s", tile_status_message(status));
  tile_status_free(status);
  return told;
}

static tile_status find_winner(struct bench *bench, const struct bench_provider *provider,
                               struct run_options *run, const struct given *given,
                               struct bench_config *out) {
  const struct bench_step *step = &provider->steps[0];
  tile_tuning *tuning;
  tile_status status =
      run_find_winner(run, &step->state->source, given->list, bench->device, &tuning);
  if (tuning)
    say(bench, provider, tuning);
  if (status)
    status = failed(bench, step, tuning, status);
  else
    keep_winner(bench, tuning, out);
  tile_tuning_destroy(tuning);
  return status;
}

tile_status bench_tuned_config(struct bench *bench, const struct bench_provider *provider,
                               struct given *given, struct bench_config *out) {
  const struct bench_step *step = &provider->steps[0];
  struct grid_of grid = {bench, step};
  struct bench_names names = bench->names;
  struct run_options run;
  struct arena arena = {0};
  *out = (struct bench_config){.span = provider->span};
  TRY(bench_set_names(bench, step->constants, step->constant_count, &names));
  TRY(bench_give_all(bench, step, NULL, &names, given));
  tile_status status = bench_step_options(bench, step, &names, given, &arena, &run);
  run.progress = bench->progress;
  run.grid_function = compute_grid;
  run.grid_context = &grid;
  if (!status)
    status = find_winner(bench, provider, &run, given, out);
  arena_destroy(&arena);
  return status;
}
