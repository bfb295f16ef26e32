/* SPDX-License-Identifier: MIT */
/* Our kernels, each configuration compiled once, on several threads: each takes the next one that
 * is left. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "beside/beside.h"

static void source_free(struct source *source) {
  tile_module_unload(source->module);
  tile_status_free(source->status);
  free(source->text);
  free(source->key);
  free(source);
}

struct source *source_intern(struct bench *bench, struct source *source) {
  for (size_t i = 0; i < bench->source_count; i++)
    if (strcmp(bench->sources[i]->key, source->key) == 0) {
      source_free(source);
      return bench->sources[i];
    }
  size_t bytes = (bench->source_count + 1) * sizeof *bench->sources;
  struct source **sources = realloc(bench->sources, bytes);
  if (!sources)
    fail(bench, "no memory for", source->key);
  bench->sources = sources;
  return bench->sources[bench->source_count++] = source;
}

void sources_destroy(struct bench *bench) {
  for (size_t i = 0; i < bench->source_count; i++)
    source_free(bench->sources[i]);
  free(bench->sources);
}

/* --- One -------------------------------------------------------------------------------------- */

/* For the device; or for an older target, and the driver sees how the device runs it. */
static tile_status compile(struct bench *bench, tile_compiler *compiler,
                           const struct source *source, const tile_blob *module,
                           tile_module **out) {
  if (!*source->target)
    return tile_compile_for_device(compiler, source->file, module->data, module->size,
                                   &source->options, bench->device, out);
  tile_compile_options options = source->options;
  options.target = source->target;
  tile_image *image;
  tile_status status = tile_compile_kernels(compiler, source->file, module->data, module->size,
                                            &options, TILE_IMAGE_PTX, &image);
  if (status)
    return status;
  status = tile_module_load(bench->device, image, out);
  tile_image_free(image);
  return status;
}

/* A hash of the PTX that is made for the target, without a device's defaults (FNV-1a). */
static tile_status hash_ptx(tile_compiler *compiler, struct source *source,
                            const tile_blob *module) {
  tile_compile_options options = source->options;
  options.target = *source->target ? source->target : options.target;
  options.programs_per_block = TILE_FILL_BLOCK;
  options.low_occupancy = TILE_CHOICE_YES;
  if (!options.fewer_warps)
    options.fewer_warps = TILE_CHOICE_YES;
  tile_image *image;
  void *bytes;
  size_t size;
  tile_status status = tile_compile_kernels(compiler, source->file, module->data, module->size,
                                            &options, TILE_IMAGE_PTX, &image);
  if (status)
    return status;
  status = tile_image_serialize(image, &bytes, &size);
  tile_image_free(image);
  if (status)
    return status;
  source->ptx = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++)
    source->ptx = (source->ptx ^ ((unsigned char *)bytes)[i]) * 0x100000001b3u;
  free(bytes);
  return NULL;
}

/* A file of MLIR is not imported. */
static bool is_mlir(const struct source *source) {
  const char *end = strrchr(source->file, '.');
  return end && strcmp(end, ".mlir") == 0;
}

static tile_status import_source(tile_compiler *compiler, const struct source *source,
                                 tile_blob *out) {
  if (is_mlir(source)) {
    *out = (tile_blob){.data = malloc(source->length + 1), .size = source->length};
    if (!out->data)
      return tile_status_make(TILE_OUT_OF_MEMORY, "beside", "no memory for %s", source->file);
    memcpy(out->data, source->text, source->length + 1); /* bytecode has zeros inside */
    return NULL;
  }
  tile_import_options import = {.kernel = source->kernel,
                                .signature = source->signature,
                                .constants = source->constant_list,
                                .constant_count = source->constant_count,
                                .import_folders = source->folder_list,
                                .import_folder_count = source->folder_count,
                                .target = *source->target ? source->target : NULL};
  return tile_import_triton(compiler, source->file, source->text, source->length, &import, out);
}

static tile_status import_and_compile(struct bench *bench, tile_compiler **compiler,
                                      struct source *source, tile_module **out) {
  tile_blob module;
  tile_status status = *compiler ? NULL : tile_compiler_create(compiler);
  if (!status)
    status = import_source(*compiler, source, &module);
  if (status)
    return status;
  status = source->wants_ptx ? hash_ptx(*compiler, source, &module) : NULL;
  bool same = source->whole && source->ptx == source->whole->ptx;
  if (!status && !same)
    status = compile(bench, *compiler, source, &module, out);
  free(module.data);
  return status;
}

static tile_status load_image(struct bench *bench, struct source *source) {
  tile_image *image;
  tile_status status = tile_image_read(source->file, &image);
  if (status)
    return status;
  status = tile_module_load(bench->device, image, &source->module);
  tile_image_free(image);
  return status;
}

void compile_source(struct bench *bench, int compiler, struct source *source) {
  source->status = source->is_image ? load_image(bench, source)
                                    : import_and_compile(bench, &bench->compilers[compiler], source,
                                                         &source->module);
}

/* --- All -------------------------------------------------------------------------------------- */

struct work {
  struct bench *bench;
  const char *skip; /* those without this pass */
  size_t next;
  int threads;          /* that have begun: the next one's compiler */
  pthread_mutex_t lock; /* guards `next` and `threads` */
};

static struct source *take(struct work *work) {
  pthread_mutex_lock(&work->lock);
  struct source *source = NULL;
  while (!source && work->next < work->bench->source_count) {
    source = work->bench->sources[work->next++];
    source = strcmp(source->skip, work->skip) == 0 ? source : NULL;
  }
  pthread_mutex_unlock(&work->lock);
  return source;
}

static void *compile_some(void *context) {
  struct work *work = context;
  pthread_mutex_lock(&work->lock);
  int compiler = work->threads++;
  pthread_mutex_unlock(&work->lock);
  for (struct source *source; (source = take(work));)
    compile_source(work->bench, compiler, source);
  return NULL;
}

/* Those without the pass `skip`, which stands in the environment meanwhile; "": with all that the
   environment leaves. */
static void compile_without(struct bench *bench, const char *skip) {
  struct work work = {.bench = bench, .skip = skip, .lock = PTHREAD_MUTEX_INITIALIZER};
  const char *outside = getenv("TILE_SKIP_PASSES");
  char *kept = outside ? strdup(outside) : NULL;
  if (*skip)
    setenv("TILE_SKIP_PASSES", skip, 1);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t most = processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : (size_t)processors;
  pthread_t threads[MAX_THREADS];
  size_t started = 0;
  while (started + 1 < most && started + 1 < bench->source_count &&
         pthread_create(&threads[started], NULL, compile_some, &work) == 0)
    started++;
  compile_some(&work); /* this thread takes part */
  for (size_t i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
  if (*skip && kept)
    setenv("TILE_SKIP_PASSES", kept, 1);
  else if (*skip)
    unsetenv("TILE_SKIP_PASSES");
  free(kept);
}

void compile_sources(struct bench *bench) {
  compile_without(bench, "");
  for (size_t i = 0; i < bench->source_count; i++) {
    bool first = *bench->sources[i]->skip;
    for (size_t k = 0; k < i; k++)
      first &= strcmp(bench->sources[k]->skip, bench->sources[i]->skip) != 0;
    if (first)
      compile_without(bench, bench->sources[i]->skip);
  }
}
