/* SPDX-License-Identifier: MIT */
/* Running on a device: choosing it, getting buffers there and back, the launch, the timing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "driver/command_line.h"
#include "driver/compile.h"
#include "tile_run.h"

/* --- Progress --------------------------------------------------------------------------------- */

/* What the emulator's handlers share. */
struct watch {
  struct progress progress;
  bool tunes; /* which shows what it does itself */
  size_t hazards;
};

/* Called after each block. */
static void show_progress(void *context, uint64_t done, uint64_t total) {
  struct watch *watch = context;
  char what[96];
  if (watch->tunes || !watch->progress.on)
    return;
  snprintf(what, sizeof what, "emulating: %" PRIu64 " of %" PRIu64 " programs, %u s", done, total,
           progress_seconds(&watch->progress));
  progress_show(&watch->progress, done, total, what);
}

static void print_hazards(void *context, const char *kernel, const tile_emulator_report *report) {
  struct watch *watch = context;
  (void)kernel;
  progress_clear(&watch->progress);
  watch->hazards = tile_emulator_report_count(report);
  for (size_t i = 0; i < watch->hazards; i++)
    fprintf(stderr, "%s\n", tile_emulator_report_hazard(report, i)->text);
  if (tile_emulator_report_dropped(report))
    fprintf(stderr, "%" PRIu64 " more hazards were found after the list was full\n",
            tile_emulator_report_dropped(report));
  if (tile_emulator_report_incomplete(report))
    fprintf(stderr, "tile-run: warning: %s\n", tile_emulator_report_incomplete(report));
}

/* --- The device ------------------------------------------------------------------------------- */

static tile_status parse_cuda_index(const char *name, int *out) {
  long long index = 0;
  if (name[4] == ':')
    TRY(parse_integer("--device cuda's index", name + 5, 0, 1023, &index));
  *out = (int)index;
  return NULL;
}

static bool is_cuda(const char *name) {
  return strncmp(name, "cuda", 4) == 0 && (name[4] == 0 || name[4] == ':');
}

tile_status run_check_device(const char *name) {
  int index;
  if (is_cuda(name))
    return parse_cuda_index(name, &index);
  if (strcmp(name, "auto") != 0 && strcmp(name, "emulator") != 0)
    return FAIL(TILE_INVALID_ARGUMENT, "--device is auto, cuda, cuda:N or emulator, not '%s'",
                name);
  return NULL;
}

static tile_status open_emulator(const struct run_options *options, struct watch *watch,
                                 tile_device **out) {
  TRY(tile_emulator_device_create(
      &(tile_emulator_device_options){.seed = options->seed,
                                      .check = options->check,
                                      .resident_blocks = options->resident_blocks,
                                      .on_report = print_hazards,
                                      .on_progress = show_progress,
                                      .context = watch},
      out));
  TRY(tile_device_set_option(*out, "multiprocessors", options->multiprocessors));
  return tile_device_set_option(*out, "turn_limit", options->turn_limit);
}

/* auto: a GPU if there is one and no check is asked for, which only the emulator makes. */
static tile_status open_any(const struct run_options *options, struct watch *watch,
                            tile_device **out) {
  if (options->check)
    return open_emulator(options, watch, out);
  tile_status status = tile_device_open(tile_cuda_driver(), 0, out);
  if (!status)
    return NULL;
  if (options->verbose || tile_status_code(status) != TILE_NO_DEVICE)
    fprintf(stderr, "tile-run: note: %s; running on the emulator\n", tile_status_message(status));
  tile_status_free(status);
  return open_emulator(options, watch, out);
}

static tile_status open_device(const struct run_options *options, struct watch *watch,
                               tile_device **out) {
  if (strcmp(options->device, "auto") == 0)
    return open_any(options, watch, out);
  if (!is_cuda(options->device))
    return open_emulator(options, watch, out);
  if (options->check)
    return FAIL(TILE_INVALID_ARGUMENT, "--check is the emulator's; leave it out, or use --device "
                                       "emulator");
  int index;
  TRY(parse_cuda_index(options->device, &index));
  return tile_device_open(tile_cuda_driver(), index, out);
}

/* --- The run ---------------------------------------------------------------------------------- */

struct run {
  const struct run_options *options;
  uint32_t grid[3];
  struct run_code *code;
  struct watch watch;
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel; /* borrowed from the module */
  tile_buffer *buffers[RUN_MAX_ARGUMENTS];
  tile_argument arguments[RUN_MAX_ARGUMENTS];
};

static tile_status upload(struct run *run, struct run_result *result) {
  for (size_t i = 0; i < run->code->kernel->parameter_count; i++) {
    const struct run_argument *argument = run->code->ordered[i];
    if (!argument->is_buffer) {
      run->arguments[i].kind = run->code->kernel->parameters[i].kind;
      memcpy(&run->arguments[i].value, argument->data, argument->bytes);
      continue;
    }
    if (argument->is_null) {
      run->arguments[i] = tile_argument_address(0);
      continue;
    }
    TRY(tile_buffer_create(run->device, argument->bytes, &run->buffers[i]));
    tile_emulator_name_buffer(run->buffers[i], argument->name);
    TRY(tile_buffer_write(run->buffers[i], 0, argument->data, argument->bytes, NULL));
    run->arguments[i] = tile_argument_buffer(run->buffers[i]);
    result->buffer_bytes += argument->bytes;
  }
  return NULL;
}

static tile_status download(struct run *run) {
  for (size_t i = 0; i < run->code->kernel->parameter_count; i++)
    if (run->buffers[i])
      TRY(tile_buffer_read(run->buffers[i], 0, run->code->ordered[i]->data,
                           run->code->ordered[i]->bytes, NULL));
  return NULL;
}

static tile_status launch(void *context, tile_stream *stream) {
  struct run *run = context;
  progress_restart(&run->watch.progress);
  tile_status status = tile_launch(run->kernel, run->grid, stream, run->arguments,
                                   run->code->kernel->parameter_count);
  progress_clear(&run->watch.progress);
  return status;
}

/* The hazards have been printed one by one; the message adds them up. */
static tile_status count_hazards(const struct run *run, tile_status status) {
  if (tile_status_code(status) != TILE_HAZARD)
    return status;
  tile_status_free(status);
  return FAIL(TILE_HAZARD, "kernel '%s' ran with %zu hazard%s", run->code->kernel->name,
              run->watch.hazards, run->watch.hazards == 1 ? "" : "s");
}

static void describe_device(const struct run *run, struct run_result *result) {
  result->device = *tile_device_get_properties(run->device);
  if (run->options->has_target)
    snprintf(result->device.target, sizeof result->device.target, "%s",
             run->options->compile.target);
  result->driver = tile_driver_name(tile_device_get_driver(run->device));
  if (run->options->verbose)
    fprintf(stderr, "tile-run: note: device %s: %s%s%s\n", result->driver, result->device.name,
            result->device.target[0] ? ", " : "", result->device.target);
}

static tile_status run_and_time(struct run *run, const struct text *source,
                                struct run_argument *arguments, struct run_result *result) {
  TRY(open_device(run->options, &run->watch, &run->device));
  describe_device(run, result);
  struct run_options own = *run->options;
  own.progress = &run->watch.progress;
  run->watch.tunes = own.tune;
  TRY((own.tune ? run_tune : run_recall)(&own, source, arguments, run->device, result));
  run->watch.tunes = false;
  if (own.shard.count)
    return NULL;
  TRY(run_make_code(&own, source, arguments, run->device, run->code));
  TRY(run_compute_grid(&own, run->code, run->grid));
  memcpy(result->grid, run->grid, sizeof result->grid);
  TRY(tile_module_load(run->device, run->code->image, &run->module));
  TRY(tile_module_kernel(run->module, run->code->kernel->name, &run->kernel));
  TRY(upload(run, result));
  TRY(count_hazards(run, launch(run, NULL)));
  TRY(tile_device_synchronize(run->device));
  TRY(download(run));
  if (run->options->bench)
    TRY(count_hazards(run, tile_do_bench(run->device, launch, run, NULL, &result->bench)));
  return NULL;
}

tile_status run_on_device(const struct run_options *options, const struct text *source,
                          struct run_argument *arguments, struct run_code *code,
                          struct run_result *out) {
  struct run run = {.options = options, .code = code};
  progress_begin(&run.watch.progress, options->quiet);
  tile_status status = run_and_time(&run, source, arguments, out);
  for (size_t i = 0; i < RUN_MAX_ARGUMENTS; i++)
    tile_buffer_destroy(run.buffers[i]);
  tile_module_unload(run.module);
  tile_device_close(run.device);
  return status;
}
