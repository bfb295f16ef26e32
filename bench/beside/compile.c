/* Our kernels of a case, compiled on several threads: each takes the next one that is left. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "beside/beside.h"

struct work {
  struct bench *bench;
  struct kernel *list[2 * MAX_KERNELS];
  size_t count, next;
  int threads;          /* that have begun: the next one's compiler */
  pthread_mutex_t lock; /* guards `next` and `threads` */
};

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

tile_status compile_source(struct bench *bench, int compiler, const struct source *source,
                           tile_module **out) {
  tile_compiler **own = &bench->compilers[compiler];
  tile_import_options import = {.kernel = source->kernel,
                                .signature = source->signature,
                                .constants = source->constant_list,
                                .constant_count = source->constant_count,
                                .target = *source->target ? source->target : NULL};
  tile_blob module;
  tile_status status = *own ? NULL : tile_compiler_create(own);
  if (!status)
    status = tile_import_triton(*own, source->file, source->text, source->length, &import, &module);
  if (status)
    return status;
  status = compile(bench, *own, source, &module, out);
  free(module.data);
  return status;
}

static struct kernel *take(struct work *work) {
  pthread_mutex_lock(&work->lock);
  struct kernel *kernel = work->next < work->count ? work->list[work->next++] : NULL;
  pthread_mutex_unlock(&work->lock);
  return kernel;
}

static void *compile_some(void *context) {
  struct work *work = context;
  pthread_mutex_lock(&work->lock);
  int compiler = work->threads++;
  pthread_mutex_unlock(&work->lock);
  for (struct kernel *kernel; (kernel = take(work));)
    kernel->source->status = compile_source(work->bench, compiler, kernel->source, &kernel->module);
  return NULL;
}

static void run(struct work *work) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t count = processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : (size_t)processors;
  pthread_t threads[MAX_THREADS];
  size_t started = 0;
  while (started + 1 < count && started + 1 < work->count &&
         pthread_create(&threads[started], NULL, compile_some, work) == 0)
    started++;
  compile_some(work); /* this thread takes part */
  for (size_t i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
}

void compile_sources(struct bench *bench) {
  struct work work = {.bench = bench, .lock = PTHREAD_MUTEX_INITIALIZER};
  for (size_t k = 0; k < bench->kernel_count; k++)
    for (struct kernel *kernel = &bench->kernels[k]; kernel; kernel = kernel->behind)
      if (kernel->source) {
        if (work.count == sizeof work.list / sizeof *work.list)
          fail(bench, "too many kernels in", bench->name);
        work.list[work.count++] = kernel;
      }
  run(&work);
  for (size_t i = 0; i < work.count; i++) {
    check(bench, work.list[i]->source->status);
    check(bench, tile_module_kernel(work.list[i]->module, NULL, &work.list[i]->kernel));
  }
}
