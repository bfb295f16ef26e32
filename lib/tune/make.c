/* SPDX-License-Identifier: MIT */
/* Candidates are compiled by several threads, each with a compiler of its own. What a candidate's
   compilation says to people becomes its message. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ahead/parameters.h"
#include "base/status.h"
#include "driver/cached.h"
#include "driver/compile.h"
#include "driver/import_files.h"
#include "driver/source.h"
#include "target/target.h"
#include "tune/grid.h"
#include "tune/tuning.h"

/* What the threads share. */
struct making {
  tile_tuning *tuning;
  void (*make)(struct making *making, tile_compiler *compiler, struct tune_entry *entry);
  bool assembles;     /* PTX, which the driver would do one after the other */
  atomic_size_t next; /* the entry that nobody has taken */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  size_t done;    /* under the lock, as are those below */
  bool stopped;   /* nothing more is begun */
  size_t working; /* threads that have not ended */
};

/* One candidate in one thread. */
struct job {
  tile_tuning *tuning;
  struct tune_entry *entry;
  tile_compiler *compiler; /* the thread's */
  bool assembles;
  struct arena arena;
  struct import_files files;
  tile_import_options given;
  struct import_options import;
  tile_compile_options options;
  tile_image_format format;
  char config[16];
  struct text said; /* the first error */
};

static void note_diagnostic(const tile_diagnostic *diagnostic, void *data) {
  struct text *said = data;
  if (said->length || strcmp(diagnostic->severity, "error") != 0)
    return;
  if (diagnostic->file[0])
    text_printf(said, "%s:%u:%u: ", diagnostic->file, diagnostic->line, diagnostic->column);
  text_puts(said, diagnostic->message);
}

static tile_status prepare(struct job *job) {
  const tile_tune_options *options = job->tuning->options;
  const struct tune_entry *entry = job->entry;
  tile_compile_options base = options->compile ? *options->compile : tile_compile_options_default();
  base.num_warps = base.num_stages = 0;
  job->options = compile_options_for(&base, !options->compile || !options->compile->target,
                                     options->device, &job->format);
  if (job->assembles && job->format == TILE_IMAGE_PTX)
    job->format = TILE_IMAGE_CUBIN;
  job->given = *options->import;
  job->given.config = NULL;
  snprintf(job->config, sizeof job->config, "%d", entry->config);
  if (entry->config >= 0)
    job->given.config = job->config;
  else
    job->given.constants = tuning_constants(&job->arena, options->import, &entry->candidate,
                                            &job->given.constant_count);
  return tuning_import_options(job->tuning, &job->given, &job->files, &job->import);
}

static tile_status compile_module_to_image(struct job *job, struct session *session,
                                           MlirModule module, const struct ahead_parameters *seen) {
  TRY(parameters_annotate_constants(session, module, seen));
  return compile_to_image(session, module, &job->options, job->format, &compile_quietly, NULL,
                          &job->entry->image);
}

static tile_status compile_anew(struct job *job, struct cached_request *request) {
  struct session *session;
  MlirModule module;
  TRY(compiler_session(job->compiler, &session));
  cached_record(request, &session->diagnostics);
  struct ahead_parameters seen = {.arena = &job->arena};
  ahead_watch(&job->import, &seen);
  TRY(import_kernel(session, job->tuning->name, job->tuning->text, job->tuning->length,
                    &job->import, &module));
  tile_status status = compile_module_to_image(job, session, module, &seen);
  mlirModuleDestroy(module);
  if (status || !request->cache)
    return status;
  struct text bytes = {0};
  status = compile_print_image(job->entry->image, &bytes);
  if (!status)
    cached_keep(request, bytes.data, bytes.length);
  text_free(&bytes);
  return status;
}

static bool find(struct job *job, struct cached_request *request) {
  struct diagnostics sink = compiler_sink(job->compiler);
  struct text bytes = {0};
  tile_status status =
      cached_find(request, &sink, &bytes)
          ? tile_image_parse("the entry of the cache", bytes.data, bytes.length, &job->entry->image)
          : FAIL(TILE_NOT_FOUND, "there is no entry");
  text_free(&bytes);
  tile_status_free(status);
  return !status;
}

/* The cache has images of candidates beside those of other requests: they name the kernel's
 * constants. */
static tile_status find_or_compile(struct job *job) {
  struct cached_request request;
  struct key_builder key;
  tile_cache *cache = job->format == TILE_IMAGE_EMULATOR ? NULL : job->tuning->options->cache;
  if (cache) {
    key_begin(&key, "tune");
    key_add_string(&key, job->tuning->name);
    key_add(&key, job->tuning->text, job->tuning->length);
    key_add_import_options(&key, &job->import);
    key_add_compile_options(&key, &job->options,
                            job->format == TILE_IMAGE_CUBIN ? TILE_OUTPUT_CUBIN : TILE_OUTPUT_PTX);
  }
  cached_begin(&request, cache, &key, &job->import.packages);
  tile_status status = find(job, &request) ? NULL : compile_anew(job, &request);
  cached_end(&request);
  return status;
}

static void make_entry(struct making *making, tile_compiler *compiler, struct tune_entry *entry) {
  struct job job = {.tuning = making->tuning,
                    .entry = entry,
                    .compiler = compiler,
                    .assembles = making->assembles};
  tile_compiler_on_diagnostic(compiler, note_diagnostic, &job.said);
  tile_status status = prepare(&job);
  if (!status)
    status = find_or_compile(&job);
  if (!status)
    status = tile_module_load(making->tuning->options->device, entry->image, &entry->module);
  if (status && job.said.length) {
    tuning_out(entry, TILE_TUNE_FAILED, "%s", text_string(&job.said));
    tile_status_free(status);
  } else if (status) {
    tuning_failed(entry, status);
  }
  tile_compiler_on_diagnostic(compiler, NULL, NULL);
  import_files_free(&job.files);
  arena_destroy(&job.arena);
  text_free(&job.said);
}

/* --- Bounds ----------------------------------------------------------------------------------- */

/* Programs of a launch, where an expression over scalars and constants says so; else 0. */
static uint64_t count_programs(const tile_tuning *tuning, struct arena *arena,
                               const struct ahead_parameters *seen) {
  const tile_tune_options *options = tuning->options;
  struct tune_grid_argument *list =
      ARENA_ARRAY(arena, struct tune_grid_argument, options->argument_count + 1);
  tile_named_constant *constants = ARENA_ARRAY(arena, tile_named_constant, seen->count + 1);
  tile_kernel_version version = {.constants = constants};
  uint32_t grid[3];
  if (!options->grid)
    return 0;
  for (size_t i = 0; i < options->argument_count; i++)
    list[i] = (struct tune_grid_argument){options->arguments[i].name, &options->arguments[i].value};
  for (size_t i = 0; i < seen->count; i++)
    if (seen->list[i].is_constant)
      constants[version.constant_count++] =
          (tile_named_constant){seen->list[i].name, seen->list[i].text};
  tile_status status = tune_grid(options->grid, list, options->argument_count, &version, grid);
  uint64_t programs = status ? 0 : (uint64_t)grid[0] * grid[1] * grid[2];
  tile_status_free(status);
  return programs;
}

static tile_status read_bound(struct job *job) {
  struct session *session;
  MlirModule module;
  struct ahead_parameters seen = {.arena = &job->arena};
  TRY(prepare(job));
  TRY(compiler_session(job->compiler, &session));
  ahead_watch(&job->import, &seen);
  TRY(import_kernel(session, job->tuning->name, job->tuning->text, job->tuning->length,
                    &job->import, &module));
  tune_bound_read(session, module, &job->entry->bound);
  job->entry->bound.programs = count_programs(job->tuning, &job->arena, &seen);
  mlirModuleDestroy(module);
  return NULL;
}

/* What is wrong is told when it is compiled. */
static void bound_entry(struct making *making, tile_compiler *compiler, struct tune_entry *entry) {
  struct job job = {.tuning = making->tuning, .entry = entry, .compiler = compiler};
  tile_compiler_on_diagnostic(compiler, note_diagnostic, &job.said);
  tile_status_free(read_bound(&job));
  tile_compiler_on_diagnostic(compiler, NULL, NULL);
  import_files_free(&job.files);
  arena_destroy(&job.arena);
  text_free(&job.said);
}

/* --- Threads ---------------------------------------------------------------------------------- */

static bool take_entry(struct making *making, struct tune_entry **out) {
  tile_tuning *tuning = making->tuning;
  for (;;) {
    pthread_mutex_lock(&making->lock);
    bool stopped = making->stopped;
    pthread_mutex_unlock(&making->lock);
    size_t index = atomic_fetch_add(&making->next, 1);
    if (stopped || index >= tuning->count)
      return false;
    *out = &tuning->entries[index];
    if ((*out)->outcome == TILE_TUNE_OK && !(*out)->module)
      return true;
  }
}

static void *work(void *data) {
  struct making *making = data;
  struct tune_entry *entry;
  tile_compiler *compiler = NULL;
  while (take_entry(making, &entry)) {
    tile_status status = compiler ? NULL : tile_compiler_create(&compiler);
    if (status)
      tuning_failed(entry, status);
    else
      making->make(making, compiler, entry);
    pthread_mutex_lock(&making->lock);
    making->done++;
    pthread_cond_signal(&making->changed);
    pthread_mutex_unlock(&making->lock);
  }
  tile_compiler_destroy(compiler);
  pthread_mutex_lock(&making->lock);
  making->working--;
  pthread_cond_signal(&making->changed);
  pthread_mutex_unlock(&making->lock);
  return NULL;
}

static size_t thread_count(const tile_tuning *tuning) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t most = tuning->options->threads > 0 ? (size_t)tuning->options->threads
                : processors > 0             ? (size_t)processors
                                             : 1;
  size_t left = tuning_left(tuning);
  return most < left ? most : left;
}

/* Tells the caller how far the compilations are, until the threads have ended. */
static tile_status watch(struct making *making, size_t total) {
  tile_status status = NULL;
  pthread_mutex_lock(&making->lock);
  for (size_t told = 0; making->working || (making->done != told && !status);) {
    if (making->done == told || status) {
      pthread_cond_wait(&making->changed, &making->lock);
      continue;
    }
    told = making->done;
    if (making->make != make_entry)
      continue;
    pthread_mutex_unlock(&making->lock);
    status = tuning_progress(making->tuning, &(tile_tune_progress){.stage = TILE_TUNE_COMPILING,
                                                                   .done = told,
                                                                   .total = total,
                                                                   .left = total});
    pthread_mutex_lock(&making->lock);
    making->stopped = status != NULL;
  }
  pthread_mutex_unlock(&making->lock);
  return status;
}

static tile_status run_threads(struct making *making) {
  tile_tuning *tuning = making->tuning;
  size_t total = tuning_left(tuning), wanted = thread_count(tuning), begun = 0;
  pthread_t *threads = tile_allocate((wanted + 1) * sizeof *threads);
  pthread_mutex_init(&making->lock, NULL);
  pthread_cond_init(&making->changed, NULL);
  making->working = wanted;
  while (begun < wanted && pthread_create(&threads[begun], NULL, work, making) == 0)
    begun++;
  pthread_mutex_lock(&making->lock);
  making->working -= wanted - begun;
  pthread_mutex_unlock(&making->lock);
  if (wanted && !begun) { /* no thread can be had: this one does it */
    making->working = 1;
    work(making);
  }
  tile_status status = watch(making, total);
  for (size_t i = 0; i < begun; i++)
    pthread_join(threads[i], NULL);
  pthread_cond_destroy(&making->changed);
  pthread_mutex_destroy(&making->lock);
  free(threads);
  return status;
}

void tuning_read_bounds(tile_tuning *tuning) {
  struct making making = {.tuning = tuning, .make = bound_entry};
  tile_status_free(run_threads(&making)); /* there is nothing that fails */
}

tile_status tuning_make(tile_tuning *tuning) {
  int driver = tile_device_get_properties(tuning->options->device)->driver_version;
  struct making making = {
      .tuning = tuning, .make = make_entry, .assembles = assembler_is_of_release(driver)};
  return run_threads(&making);
}
