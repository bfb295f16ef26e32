/* SPDX-License-Identifier: MIT */
/* tile_emulator_launch: checks the options, runs the blocks (residency.c), sums up. */
#include "emulator/launch.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

void launch_block(const struct emulator_launch *launch, uint64_t number, uint32_t block[3]) {
  const uint32_t *grid = launch->options->grid;
  block[0] = (uint32_t)(number % grid[0]);
  block[1] = (uint32_t)(number / grid[0] % grid[1]);
  block[2] = (uint32_t)(number / grid[0] / grid[1]);
}

tile_emulator_site launch_site(const struct emulator_thread *thread, const char *location) {
  const uint32_t *block = thread->block->index;
  return (tile_emulator_site){
      .location = location, .block = {block[0], block[1], block[2]}, .thread = thread->index};
}

tile_emulator_hazard launch_shared_hazard(const struct emulator_thread *thread,
                                          tile_emulator_hazard_kind kind, size_t offset,
                                          const char *location) {
  const struct region *region = &thread->block->memory.shared;
  return (tile_emulator_hazard){.kind = kind,
                                .site = launch_site(thread, location),
                                .address = region->base + offset,
                                .bytes = 1,
                                .buffer = region->name,
                                .buffer_bytes = region->bytes,
                                .offset = (int64_t)offset};
}

static tile_status check_grid(const tile_emulator_launch_options *options) {
  for (int axis = 0; axis < 3; axis++)
    if (options->grid[axis] == 0 || options->grid[axis] > machine_grid_limit(axis))
      return FAIL(TILE_INVALID_ARGUMENT, "grid %c = %u is not in 1..%u", "xyz"[axis],
                  (unsigned)options -> grid[axis], (unsigned)machine_grid_limit(axis));
  return NULL;
}

static tile_status check_threads(const struct emulator_kernel *kernel, uint32_t threads) {
  if (threads == 0 || threads > MACHINE_BLOCK_THREADS)
    return FAIL(TILE_INVALID_ARGUMENT, "threads = %u is not in 1..%d", (unsigned)threads,
                MACHINE_BLOCK_THREADS);
  if (kernel->threads && kernel->threads != threads)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s' is compiled for %u threads per block, the launch asks for %u",
                kernel->name, (unsigned)kernel->threads, (unsigned)threads);
  return NULL;
}

/* What cuLaunchKernel says of such grids: CUDA_ERROR_INVALID_CLUSTER_SIZE. */
static tile_status check_cluster(const struct emulator_kernel *kernel, const uint32_t grid[3]) {
  if (kernel->cluster_blocks > WARP_ORDER_BLOCKS)
    return FAIL(TILE_UNSUPPORTED, "kernel '%s': the emulator has clusters of %d blocks, not of %u",
                kernel->name, WARP_ORDER_BLOCKS, (unsigned)kernel->cluster_blocks);
  if (kernel->cluster_blocks && grid[0] % kernel->cluster_blocks)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s': grid x = %u is no multiple of its clusters' %u blocks", kernel->name,
                (unsigned)grid[0], (unsigned)kernel->cluster_blocks);
  return NULL;
}

static tile_status check_options(const struct emulator_kernel *kernel,
                                 const tile_emulator_launch_options *options) {
  TRY(check_grid(options));
  TRY(check_cluster(kernel, options->grid));
  uint32_t most = (uint32_t)machine_most_shared_bytes();
  if (options->shared_bytes > most)
    return FAIL(TILE_INVALID_ARGUMENT, "shared_bytes = %u exceeds the limit of %u",
                (unsigned)options->shared_bytes, (unsigned)most);
  if (kernel->shared_bytes > most)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s' needs %u bytes of shared memory, the limit is %u", kernel->name,
                (unsigned)kernel->shared_bytes, (unsigned)most);
  if (options->resident_blocks > EMULATOR_RESIDENT_LIMIT)
    return FAIL(TILE_INVALID_ARGUMENT, "resident_blocks = %u exceeds the limit of %d",
                (unsigned)options->resident_blocks, EMULATOR_RESIDENT_LIMIT);
  if (options->argument_count != kernel->argument_count)
    return FAIL(TILE_INVALID_ARGUMENT, "kernel '%s' takes %zu arguments, the launch passes %zu",
                kernel->name, kernel->argument_count, options->argument_count);
  if (options->argument_count && !options->arguments)
    return FAIL(TILE_INVALID_ARGUMENT, "arguments is NULL, with argument_count = %zu",
                options->argument_count);
  if (options->buffer_count && !options->buffers)
    return FAIL(TILE_INVALID_ARGUMENT, "buffers is NULL, with buffer_count = %zu",
                options->buffer_count);
  for (size_t i = 0; i < options->argument_count; i++)
    if (!options->arguments[i])
      return FAIL(TILE_INVALID_ARGUMENT, "arguments[%zu] is NULL; it must point to the value", i);
  return NULL;
}

static tile_status unknown_kernel(const tile_emulator_program *program, const char *name) {
  struct text names = {0};
  for (size_t i = 0; i < tile_emulator_program_kernel_count(program); i++)
    text_printf(&names, "%s'%s'", i ? ", " : "", tile_emulator_program_kernel_name(program, i));
  tile_status status = FAIL(TILE_NOT_FOUND, "no kernel named '%s'; the program has %s", name,
                            names.length ? text_string(&names) : "no kernels");
  text_free(&names);
  return status;
}

/* Kernels compute with the default rounding and with subnormals, whatever the host has set. */
static tile_status run_in_default_environment(struct emulator_launch *launch) {
  fenv_t environment;
  fegetenv(&environment);
  fesetenv(FE_DFL_ENV);
  tile_status status = residency_run(launch);
  fesetenv(&environment);
  return status;
}

/* What the race check could not remember. */
static void say_incomplete(struct emulator_launch *launch) {
  const struct readers *readers = &launch->memory.readers;
  if (!readers->lost)
    return;
  const char *place = launch->memory.locations[readers->first_lost.location];
  struct text text = {0};
  text_printf(&text,
              "the race check is incomplete: of one byte it remembers %d accesses that nothing "
              "orders, and %d in all; it had to leave out more, first of the %s at %s",
              READERS_SET_LIMIT, READERS_TOTAL_LIMIT,
              readers->first_lost.kind == SHADOW_IS_ATOMIC ? "atomic operation" : "load",
              place ? place : "an unknown location");
  launch->report->incomplete = arena_copy_string(&launch->report->arena, text.data, text.length);
  text_free(&text);
}

/* Runs with everything allocated so far hanging on `launch`, which the caller clears. */
static tile_status run(struct emulator_launch *launch) {
  const tile_emulator_launch_options *options = launch->options;
  TRY(memory_create(&launch->memory, options->buffers, options->buffer_count, options->check));
  launch->report = tile_allocate(sizeof *launch->report);
  memset(launch->report, 0, sizeof *launch->report);
  launch->workspace->launch = launch;
  TRY(run_in_default_environment(launch));
  say_incomplete(launch);
  launch->report->counts = launch->counts;
  launch->report->counts.blocks = launch->done;
  launch->report->counts.barriers /= launch->thread_count;
  report_finish(launch->report);
  return NULL;
}

static tile_status summarise(const char *kernel_name, const struct tile_emulator_report *report) {
  if (!report->count)
    return NULL;
  struct text text = {0};
  text_printf(&text, "kernel '%s': %s", kernel_name, report->hazards[0].text);
  uint64_t more = report->count - 1 + report->dropped;
  if (more)
    text_printf(&text, "; and %llu more hazard%s", (unsigned long long)more, more == 1 ? "" : "s");
  tile_status status = FAIL(TILE_HAZARD, "%s", text_string(&text));
  text_free(&text);
  return status;
}

static tile_status launch_kernel(const struct emulator_compiled_kernel *kernel, uint32_t threads,
                                 const tile_emulator_launch_options *options, uint64_t turn_limit,
                                 struct tile_emulator_report **out_report) {
  struct emulator_launch *launch = calloc(1, sizeof *launch);
  struct emulator_workspace *workspace = workspace_borrow();
  if (!launch || !workspace) {
    free(launch);
    if (workspace)
      workspace_return(workspace);
    return FAIL(TILE_OUT_OF_MEMORY, "no memory to launch '%s'", kernel->info.name);
  }
  const uint32_t *grid = options->grid;
  launch->options = options;
  launch->entry = kernel->entry;
  launch->thread_count = threads;
  launch->cluster = kernel->info.cluster_blocks ? kernel->info.cluster_blocks : 1;
  launch->machine = kernel->info.machine;
  launch->workspace = workspace;
  launch->total = (uint64_t)grid[0] * grid[1] * grid[2];
  launch->turn_limit = turn_limit ? turn_limit : UINT64_MAX;
  launch->random.state = random_mix(options->seed ^ 0x7469);
  tile_status status = run(launch);
  residency_destroy(launch);
  memory_destroy(&launch->memory);
  workspace_return(workspace);
  *out_report = launch->report;
  free(launch);
  return status;
}

tile_status emulator_launch_limited(tile_emulator_program *program, const char *kernel_name,
                                    const tile_emulator_launch_options *options,
                                    uint64_t turn_limit, tile_emulator_report **out_report) {
  if (out_report)
    *out_report = NULL;
  const struct emulator_compiled_kernel *kernel = emulator_program_find(program, kernel_name);
  if (!kernel)
    return unknown_kernel(program, kernel_name);
  uint32_t threads = options->threads ? options->threads : kernel->info.threads;
  TRY(check_threads(&kernel->info, threads));
  TRY(check_options(&kernel->info, options));
  tile_emulator_launch_options effective = *options;
  if (effective.shared_bytes < kernel->info.shared_bytes)
    effective.shared_bytes = kernel->info.shared_bytes;
  struct tile_emulator_report *report = NULL;
  tile_status status = launch_kernel(kernel, threads, &effective, turn_limit, &report);
  if (!status)
    status = summarise(kernel_name, report);
  if (out_report && (!status || tile_status_code(status) == TILE_HAZARD))
    *out_report = report;
  else
    tile_emulator_report_free(report);
  return status;
}

tile_status tile_emulator_launch(tile_emulator_program *program, const char *kernel_name,
                                 const tile_emulator_launch_options *options,
                                 tile_emulator_report **out_report) {
  TRY(REQUIRED(program, kernel_name, options));
  return emulator_launch_limited(program, kernel_name, options, 0, out_report);
}
