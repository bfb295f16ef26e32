/* SPDX-License-Identifier: MIT */
/* The measurement. At each size: every provider is made ready, runs once and is compared with the
   first; of several configurations the fastest is found; then all are timed in rounds, one after
   the other in each, beginning with another one each time. So what the device's clock does in the
   meantime, it does to all of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/numbers.h"
#include "base/status.h"
#include "tile_bench_run.h"

enum { CHOOSING_PASSES = 2 };

/* A provider at the size that is measured. */
struct entry {
  struct bench_provider *provider;
  struct bench_cell *cell;
  size_t variants, chosen;
  bool *right; /* which variants gave the right results; the arena's */
  tile_bench_result *rounds;
};

struct measuring {
  struct bench *bench;
  struct entry entries[BENCH_MAX_PROVIDERS];
  size_t done, total; /* of all sizes and rounds, for the progress */
};

static void note(struct bench *bench, const char *format, ...) TILE_PRINTF(2, 3);
static void note(struct bench *bench, const char *format, ...) {
  va_list arguments;
  progress_clear(bench->progress);
  if (bench->options->quiet)
    return;
  fputs("tile-bench: note: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

/* "n = 4096, m = 8" */
static void print_point(const struct bench *bench, struct text *out) {
  for (size_t i = 0; i < bench->file->axis_count; i++)
    text_printf(out, "%s%s = %lld", i ? ", " : "", bench->file->axes[i],
                (long long)bench->file->points[bench->point][i]);
}

/* The provider has no time at this size. */
static void give_up(struct bench *bench, struct entry *entry, enum bench_state state,
                    const char *why) {
  struct text point = {0};
  print_point(bench, &point);
  entry->cell->state = state;
  entry->cell->note = arena_copy_string(&bench->arena, why, strlen(why));
  bench->wrong += state == BENCH_WRONG;
  note(bench, "%s at %s %s: %s", entry->provider->name, text_string(&point),
       state == BENCH_WRONG    ? "gives wrong results and is left out"
       : state == BENCH_FAILED ? "fails and is left out"
                               : "is left out",
       why);
  text_free(&point);
}

/* True for an error that only concerns this provider at this size, which is noted then. */
static bool is_local(struct bench *bench, struct entry *entry, tile_status *status) {
  tile_code code = tile_status_code(*status);
  if (code == TILE_INVALID_ARGUMENT || code == TILE_NOT_FOUND || code == TILE_DEVICE_FAILED ||
      bench->file->text.problems.errors)
    return false;
  give_up(bench, entry, code == TILE_UNSUPPORTED ? BENCH_NOT_RUN : BENCH_FAILED,
          tile_status_message(*status));
  tile_status_free(*status);
  *status = NULL;
  return true;
}

/* What ends the benchmark is told at the provider, where nothing in the file was found to be wrong
   before. */
static tile_status locate(struct bench *bench, const struct bench_provider *provider,
                          tile_status status) {
  tile_code code = tile_status_code(status);
  if (bench->file->text.problems.errors ||
      (code != TILE_INVALID_ARGUMENT && code != TILE_NOT_FOUND))
    return status;
  progress_clear(bench->progress);
  bench_fail(&bench->file->text, provider->span, "provider '%s': %s", provider->name,
             tile_status_message(status));
  tile_status_free(status);
  return bench_problems(bench);
}

/* --- Running once ----------------------------------------------------------------------------- */

static tile_status run_once(struct bench *bench, struct entry *entry, size_t variant) {
  const struct bench_provider_kind *kind = entry->provider->kind;
  if (!kind->launch)
    return kind->run(bench, entry->provider);
  TRY(bench_data_reset(bench));
  TRY(kind->launch(bench, entry->provider, variant, NULL));
  return bench_data_collect(bench);
}

static tile_status check_variant(struct bench *bench, struct entry *entry, size_t variant,
                                 struct text *why) {
  why->length = 0;
  TRY(run_once(bench, entry, variant));
  entry->right[variant] = bench_data_agree(bench, entry->provider, why);
  return NULL;
}

/* All variants run; the provider is wrong when none is right. */
static tile_status check_entry(struct bench *bench, struct entry *entry) {
  struct text why = {0};
  size_t right = 0;
  tile_status status = NULL;
  for (size_t i = 0; i < entry->variants && !status; i++) {
    status = check_variant(bench, entry, i, &why);
    right += !status && entry->right[i];
    if (!status && !entry->right[i] && entry->variants > 1 && bench->options->verbose)
      note(bench, "configuration %zu of %s is wrong: %s", i, entry->provider->name,
           text_string(&why));
  }
  if (!status && !right)
    give_up(bench, entry, BENCH_WRONG, text_string(&why));
  text_free(&why);
  return status;
}

static tile_status prepare_entry(struct bench *bench, struct entry *entry) {
  TRY(entry->provider->kind->prepare(bench, entry->provider, &entry->variants));
  entry->right = ARENA_ARRAY(&bench->arena, bool, entry->variants);
  entry->cell->state = BENCH_GOOD; /* so far */
  return check_entry(bench, entry);
}

/* --- Timing ----------------------------------------------------------------------------------- */

struct timed {
  struct bench *bench;
  struct bench_provider *provider;
  size_t variant;
};

static tile_status launch_timed(void *context, tile_stream *stream) {
  const struct timed *timed = context;
  return timed->provider->kind->launch(timed->bench, timed->provider, timed->variant, stream);
}

static tile_status time_variant(struct bench *bench, struct entry *entry, size_t variant,
                                double share, tile_bench_result *out) {
  const tile_bench_options options = {.warmup_ms = bench->file->warmup_ms * share,
                                      .repeat_ms = bench->file->repeat_ms * share};
  const struct bench_provider_kind *kind = entry->provider->kind;
  if (!kind->launch)
    return kind->time(bench, entry->provider, &options, out);
  struct timed timed = {bench, entry->provider, variant};
  return tile_do_bench(bench->device, launch_timed, &timed, &options, out);
}

/* The fastest of the right variants, from a few short looks at each, in turns. Of equal ones the
   first. */
static tile_status choose(struct bench *bench, struct entry *entry) {
  double *best = ARENA_ARRAY(&bench->arena, double, entry->variants);
  size_t right = 0;
  for (size_t i = entry->variants; i-- > 0;)
    if (entry->right[i]) {
      entry->chosen = i;
      right++;
    }
  for (int pass = 0; pass < CHOOSING_PASSES && right > 1; pass++)
    for (size_t i = 0; i < entry->variants; i++) {
      tile_bench_result result;
      if (!entry->right[i])
        continue;
      TRY(time_variant(bench, entry, i, 0.25, &result));
      best[i] = pass && best[i] < result.median ? best[i] : result.median;
    }
  for (size_t i = 0; i < entry->variants && right > 1; i++)
    if (entry->right[i] && best[i] < best[entry->chosen])
      entry->chosen = i;
  return NULL;
}

static tile_status time_round(struct measuring *measuring, int64_t round) {
  struct bench *bench = measuring->bench;
  size_t count = bench->file->provider_count;
  for (size_t i = 0; i < count; i++) {
    struct entry *entry = &measuring->entries[((size_t)round + i) % count];
    if (entry->cell->state != BENCH_GOOD)
      continue;
    tile_status status = time_variant(bench, entry, entry->chosen, 1, &entry->rounds[round]);
    if (status && !is_local(bench, entry, &status))
      return locate(bench, entry->provider, status);
  }
  return NULL;
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Sorts the values. */
static double median_of(double *values, size_t count) {
  qsort(values, count, sizeof *values, compare_numbers);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

void bench_summarise(double *times, size_t count, tile_bench_result *out) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += times[i];
  qsort(times, count, sizeof *times, compare_numbers);
  *out = (tile_bench_result){.runs = count,
                             .minimum = times[0],
                             .quantile20 = sorted_quantile(times, count, 0.2),
                             .median = sorted_quantile(times, count, 0.5),
                             .quantile80 = sorted_quantile(times, count, 0.8),
                             .maximum = times[count - 1],
                             .mean = sum / (double)count};
}

static double median_field(const struct bench *bench, const struct entry *entry, size_t offset,
                           double *scratch) {
  for (int64_t i = 0; i < bench->rounds; i++)
    memcpy(&scratch[i], (const char *)&entry->rounds[i] + offset, sizeof *scratch);
  return median_of(scratch, (size_t)bench->rounds);
}

static void summarise(struct bench *bench, struct entry *entry) {
  struct bench_cell *cell = entry->cell;
  struct text variant = {0};
  double *scratch = ARENA_ARRAY(&bench->arena, double, bench->rounds);
  cell->rounds = ARENA_ARRAY(&bench->arena, double, bench->rounds);
  for (int64_t i = 0; i < bench->rounds; i++) {
    cell->rounds[i] = entry->rounds[i].median;
    cell->runs += entry->rounds[i].runs;
  }
  cell->median = median_field(bench, entry, offsetof(tile_bench_result, median), scratch);
  cell->quantile20 = median_field(bench, entry, offsetof(tile_bench_result, quantile20), scratch);
  cell->quantile80 = median_field(bench, entry, offsetof(tile_bench_result, quantile80), scratch);
  if (entry->provider->kind->describe)
    entry->provider->kind->describe(entry->provider, entry->chosen, &variant);
  cell->variant = text_keep(&variant, &bench->arena);
}

/* Against the first provider, round by round. */
static void compare_speeds(struct measuring *measuring) {
  struct bench *bench = measuring->bench;
  const struct bench_cell *first = measuring->entries[0].cell;
  double *scratch = ARENA_ARRAY(&bench->arena, double, bench->rounds);
  for (size_t i = 0; i < bench->file->provider_count; i++) {
    struct bench_cell *cell = measuring->entries[i].cell;
    if (first->state != BENCH_GOOD || cell->state != BENCH_GOOD)
      continue;
    for (int64_t round = 0; round < bench->rounds; round++)
      scratch[round] = first->rounds[round] > 0 ? cell->rounds[round] / first->rounds[round] : 0;
    cell->speedup = median_of(scratch, (size_t)bench->rounds);
  }
}

/* --- One size after the other ----------------------------------------------------------------- */

static void show(struct measuring *measuring, const char *what) {
  struct text line = {0};
  print_point(measuring->bench, &line);
  text_printf(&line, ": %s", what);
  progress_show(measuring->bench->progress, measuring->done, measuring->total, text_string(&line));
  text_free(&line);
}

static tile_status prepare_all(struct measuring *measuring) {
  struct bench *bench = measuring->bench;
  for (size_t i = 0; i < bench->file->provider_count; i++) {
    struct entry *entry = &measuring->entries[i];
    if (entry->provider->absent)
      continue;
    show(measuring, entry->provider->name);
    tile_status status = prepare_entry(bench, entry);
    if (!status && entry->cell->state == BENCH_GOOD)
      status = choose(bench, entry);
    if (status && !is_local(bench, entry, &status))
      return locate(bench, entry->provider, status);
  }
  return NULL;
}

static tile_status measure_ready(struct measuring *measuring) {
  struct bench *bench = measuring->bench;
  for (int64_t round = 0; round < bench->rounds; round++) {
    show(measuring, "timing");
    TRY(time_round(measuring, round));
    measuring->done++;
  }
  for (size_t i = 0; i < bench->file->provider_count; i++)
    if (measuring->entries[i].cell->state == BENCH_GOOD)
      summarise(bench, &measuring->entries[i]);
  compare_speeds(measuring);
  return NULL;
}

static tile_status evaluate_point(struct bench *bench) {
  const struct bench_file *file = bench->file;
  const struct {
    const struct bench_expression *expression;
    double *out;
  } counts[] = {{&file->bytes, &bench->bytes[bench->point]},
                {&file->flops, &bench->flops[bench->point]}};
  bench_point_names(file, bench->point, tile_device_get_properties(bench->device)->multiprocessors,
                    &bench->names);
  for (size_t i = 0; i < 2; i++) {
    struct value number;
    if (!counts[i].expression->given)
      continue;
    if (!bench_expression_evaluate(&bench->file->text, counts[i].expression, &bench->names,
                                   &number))
      return bench_problems(bench);
    *counts[i].out = value_as_double(&number);
  }
  return NULL;
}

static tile_status measure_point(struct measuring *measuring) {
  struct bench *bench = measuring->bench;
  for (size_t i = 0; i < bench->file->provider_count; i++) {
    struct bench_provider *provider = &bench->file->providers[i];
    measuring->entries[i] =
        (struct entry){.provider = provider,
                       .cell = bench_cell_of(bench, bench->point, provider),
                       .rounds = ARENA_ARRAY(&bench->arena, tile_bench_result, bench->rounds)};
  }
  tile_status status = bench_data_create(bench);
  if (!status)
    status = prepare_all(measuring);
  if (!status)
    status = measure_ready(measuring);
  for (size_t i = 0; i < bench->file->provider_count; i++)
    if (!bench->file->providers[i].absent)
      bench->file->providers[i].kind->release(&bench->file->providers[i]);
  bench_data_release(bench);
  return status;
}

/* What is not here is noted and left out; the rest goes on. */
static tile_status open_all(struct bench *bench) {
  size_t absent = 0;
  for (size_t i = 0; i < bench->file->provider_count; i++) {
    struct bench_provider *provider = &bench->file->providers[i];
    tile_status status = provider->kind->open ? provider->kind->open(bench, provider) : NULL;
    tile_code code = tile_status_code(status);
    if (!status)
      continue;
    if (code != TILE_NO_DEVICE && code != TILE_UNSUPPORTED && code != TILE_EXTERNAL_TOOL)
      return locate(bench, provider, status);
    note(bench, "%s is left out: %s", provider->name, tile_status_message(status));
    tile_status_free(status);
    provider->absent = true;
    absent++;
  }
  return absent < bench->file->provider_count
             ? NULL
             : FAIL(TILE_NO_DEVICE, "none of the providers is here");
}

tile_status bench_measure(struct bench *bench) {
  struct measuring measuring = {.bench = bench,
                                .total = bench->file->point_count * (size_t)bench->rounds};
  TRY(open_all(bench));
  /* Mistakes in what is counted show before hours of work. */
  for (bench->point = 0; bench->point < bench->file->point_count; bench->point++)
    TRY(evaluate_point(bench));
  for (bench->point = 0; bench->point < bench->file->point_count; bench->point++) {
    TRY(evaluate_point(bench));
    TRY(measure_point(&measuring));
  }
  return NULL;
}
