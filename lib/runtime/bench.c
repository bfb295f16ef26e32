/* SPDX-License-Identifier: MIT */
/* tile_do_bench, after triton.testing.do_bench: the same numbers of runs from the same estimate,
   the same flush, the same quantiles, so that figures of both can stand side by side. */
#include <stdlib.h>
#include "base/numbers.h"
#include "base/status.h"
#include "runtime/objects.h"

enum { ESTIMATE_RUNS = 5, MAX_RUNS = 1 << 24 };

struct bench {
  tile_device *device;
  tile_bench_function *function;
  void *context;
  tile_bench_options options;
  tile_buffer *flush;  /* or NULL */
  tile_event **events; /* 2 * runs */
  double *times;
  size_t runs;
};

static tile_status flush_and_run(struct bench *bench) {
  if (bench->flush)
    TRY(tile_buffer_fill(bench->flush, 0, 0, tile_buffer_bytes(bench->flush), NULL));
  return bench->function(bench->context, NULL);
}

/* Milliseconds of one flush and run, from ESTIMATE_RUNS of them. */
static tile_status estimate(struct bench *bench, tile_event *start, tile_event *end, double *out) {
  TRY(bench->function(bench->context, NULL));
  TRY(tile_device_synchronize(bench->device));
  TRY(tile_event_record(start, NULL));
  for (int i = 0; i < ESTIMATE_RUNS; i++)
    TRY(flush_and_run(bench));
  TRY(tile_event_record(end, NULL));
  TRY(tile_event_synchronize(end));
  TRY(tile_event_elapsed(start, end, out));
  *out /= ESTIMATE_RUNS;
  return NULL;
}

static size_t runs_in(double milliseconds, double each, size_t maximum) {
  double runs = each > 0 ? milliseconds / each : (double)maximum;
  return runs < 1 ? 1 : runs > (double)maximum ? maximum : (size_t)runs;
}

static tile_status create_events(struct bench *bench, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    TRY(tile_event_create(bench->device, &bench->events[i]));
  return NULL;
}

static tile_status measure(struct bench *bench, size_t warmup_runs) {
  for (size_t i = 0; i < warmup_runs; i++)
    TRY(bench->function(bench->context, NULL));
  for (size_t i = 0; i < bench->runs; i++) {
    if (bench->flush)
      TRY(tile_buffer_fill(bench->flush, 0, 0, tile_buffer_bytes(bench->flush), NULL));
    TRY(tile_event_record(bench->events[2 * i], NULL));
    TRY(bench->function(bench->context, NULL));
    TRY(tile_event_record(bench->events[2 * i + 1], NULL));
  }
  TRY(tile_device_synchronize(bench->device));
  for (size_t i = 0; i < bench->runs; i++)
    TRY(tile_event_elapsed(bench->events[2 * i], bench->events[2 * i + 1], &bench->times[i]));
  return NULL;
}

static tile_status run(struct bench *bench) {
  const tile_bench_options *options = &bench->options;
  bool has_cache = tile_device_get_properties(bench->device)->l2_bytes > 0;
  if (has_cache)
    TRY(tile_buffer_create(bench->device, options->flush_bytes, &bench->flush));
  bench->events = calloc(2 * options->maximum_runs, sizeof *bench->events);
  bench->times = calloc(options->maximum_runs, sizeof *bench->times);
  if (!bench->events || !bench->times)
    return FAIL(TILE_OUT_OF_MEMORY, "no memory for the times of %zu runs", options->maximum_runs);
  double each;
  TRY(create_events(bench, 0, 2));
  TRY(estimate(bench, bench->events[0], bench->events[1], &each));
  bench->runs = runs_in(options->repeat_ms, each, options->maximum_runs);
  TRY(create_events(bench, 2, 2 * bench->runs));
  return measure(bench, runs_in(options->warmup_ms, each, options->maximum_runs));
}

static void summarise(struct bench *bench, tile_bench_result *out) {
  double sum = 0;
  for (size_t i = 0; i < bench->runs; i++)
    sum += bench->times[i];
  qsort(bench->times, bench->runs, sizeof *bench->times, compare_numbers);
  *out = (tile_bench_result){.runs = bench->runs,
                             .minimum = bench->times[0],
                             .quantile20 = sorted_quantile(bench->times, bench->runs, 0.2),
                             .median = sorted_quantile(bench->times, bench->runs, 0.5),
                             .quantile80 = sorted_quantile(bench->times, bench->runs, 0.8),
                             .maximum = bench->times[bench->runs - 1],
                             .mean = sum / (double)bench->runs};
}

static tile_bench_options with_defaults(const tile_bench_options *options) {
  tile_bench_options full = options ? *options : (tile_bench_options){0};
  if (!(full.warmup_ms > 0))
    full.warmup_ms = 25;
  if (!(full.repeat_ms > 0))
    full.repeat_ms = 100;
  if (full.flush_bytes == 0)
    full.flush_bytes = (size_t)256 << 20;
  if (full.maximum_runs == 0)
    full.maximum_runs = 10000;
  return full;
}

tile_status tile_do_bench(tile_device *device, tile_bench_function *function, void *context,
                          const tile_bench_options *options, tile_bench_result *out) {
  TRY(REQUIRED(device, out));
  if (!function)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_do_bench: function is NULL");
  if (options && options->maximum_runs > MAX_RUNS)
    return FAIL(TILE_INVALID_ARGUMENT, "tile_do_bench: maximum_runs = %zu is more than %d",
                options->maximum_runs, MAX_RUNS);
  struct bench bench = {.device = device,
                        .function = function,
                        .context = context,
                        .options = with_defaults(options)};
  tile_status status = run(&bench);
  if (!status)
    summarise(&bench, out);
  for (size_t i = 0; bench.events && i < 2 * bench.options.maximum_runs; i++)
    tile_event_destroy(bench.events[i]);
  free(bench.events);
  free(bench.times);
  tile_buffer_destroy(bench.flush);
  return status;
}
