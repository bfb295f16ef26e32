/* SPDX-License-Identifier: MIT */
/* cache_time: what a kernel costs when it is compiled, found on disk, and found in memory.

     cache_time FILE.py KERNEL SIGNATURE [TARGET] [--device cuda|null] [--limit-ms MS]

   In milliseconds, from the kernel's text to an image that can be loaded: import and compilation,
   PTX and cubin. On disk means: a new cache and a new compiler each time, so that nothing is in
   memory; the files are in the system's cache. Medians. Exit code 1 when a median from disk is
   above MS (5), or when what was found differs from what was made.

   With --device instead: from the kernel's text to the end of its first launch on that device,
   found on disk, beside loading and launching the same image, in turns. Numbers are 0, so that
   masks are false. Exit code 1 when the first takes more than MS longer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tile/compiler.h"
#include "tile/runtime.h"

enum { LARGEST = 1 << 20, MISSES = 9, HITS = 101 };

struct kernel {
  const char *path, *name, *signature, *target;
  char text[LARGEST];
  size_t length;
};

static void check(tile_status status) {
  if (!status)
    return;
  fprintf(stderr, "cache_time: error: %s\n", tile_status_message(status));
  exit(1);
}

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *times, int count) {
  qsort(times, (size_t)count, sizeof *times, compare);
  return times[count / 2];
}

/* From text to image; `out` may be NULL. */
static void make(tile_compiler *compiler, const struct kernel *kernel, tile_image_format format,
                 tile_image **out) {
  tile_import_options import = {
      .kernel = kernel->name, .signature = kernel->signature, .target = kernel->target};
  tile_compile_options options = tile_compile_options_default();
  tile_blob mlir;
  tile_image *image;
  options.target = kernel->target;
  check(tile_import_triton(compiler, kernel->path, kernel->text, kernel->length, &import, &mlir));
  check(
      tile_compile_kernels(compiler, kernel->path, mlir.data, mlir.size, &options, format, &image));
  free(mlir.data);
  if (out)
    *out = image;
  else
    tile_image_free(image);
}

static tile_compiler *open_compiler(tile_cache *cache) {
  tile_compiler *compiler;
  check(tile_compiler_create(&compiler));
  check(tile_compiler_use_cache(compiler, cache));
  return compiler;
}

static double time_misses(const struct kernel *kernel, tile_image_format format, tile_image **out) {
  double times[MISSES];
  for (int i = 0; i < MISSES; i++) {
    double start = now_ms();
    tile_compiler *compiler = open_compiler(NULL);
    make(compiler, kernel, format, i ? NULL : out);
    times[i] = now_ms() - start;
    tile_compiler_destroy(compiler);
  }
  return median(times, MISSES);
}

static double time_disk(const struct kernel *kernel, tile_image_format format, const char *folder,
                        tile_image **out) {
  double times[HITS];
  for (int i = 0; i <= HITS; i++) { /* the first fills the disk */
    double start = now_ms();
    tile_cache *cache;
    check(tile_cache_open(&(tile_cache_options){.folder = folder}, &cache));
    tile_compiler *compiler = open_compiler(cache);
    make(compiler, kernel, format, i == 1 ? out : NULL);
    tile_compiler_destroy(compiler);
    tile_cache_close(cache);
    times[i ? i - 1 : 0] = now_ms() - start;
  }
  return median(times, HITS);
}

static double time_memory(const struct kernel *kernel, tile_image_format format) {
  double times[HITS];
  tile_cache *cache;
  check(tile_cache_open(&(tile_cache_options){.folder = ""}, &cache));
  tile_compiler *compiler = open_compiler(cache);
  make(compiler, kernel, format, NULL);
  for (int i = 0; i < HITS; i++) {
    double start = now_ms();
    make(compiler, kernel, format, NULL);
    times[i] = now_ms() - start;
  }
  tile_compiler_destroy(compiler);
  tile_cache_close(cache);
  return median(times, HITS);
}

static int measure(const struct kernel *kernel, tile_image_format format, const char *folder,
                   double limit) {
  tile_image *made, *found;
  double miss = time_misses(kernel, format, &made);
  double disk = time_disk(kernel, format, folder, &found), memory = time_memory(kernel, format);
  const tile_section *first = made->sections, *second = found->sections;
  printf("%s, %s, %s: made %.2f ms, from disk %.3f ms, from memory %.4f ms, %zu bytes\n",
         kernel->name, kernel->target, format == TILE_IMAGE_CUBIN ? "cubin" : "PTX", miss, disk,
         memory, first->size);
  int failed = disk > limit || first->size != second->size ||
               memcmp(first->data, second->data, first->size) != 0;
  tile_image_free(made);
  tile_image_free(found);
  return failed;
}

/* --- To the first launch ---------------------------------------------------------------------- */

/* One program, all numbers 0, all pointers the buffer; until it is done. */
static void launch(tile_device *device, tile_module *module, tile_buffer *buffer) {
  enum { MOST = 64 };
  static const uint32_t grid[3] = {1, 1, 1};
  uint64_t address = tile_buffer_address(buffer), zero = 0;
  void *pointers[MOST];
  tile_kernel *kernel;
  check(tile_module_kernel(module, NULL, &kernel));
  const tile_kernel_info *info = tile_kernel_get_info(kernel);
  for (size_t i = 0; i < info->parameter_count && i < MOST; i++)
    pointers[i] = info->parameters[i].kind == TILE_ARGUMENT_POINTER ? &address : &zero;
  check(tile_launch_pointers(kernel, grid, NULL, pointers));
  check(tile_device_synchronize(device));
}

static double time_load(tile_device *device, const tile_image *image, tile_buffer *buffer) {
  tile_module *module;
  double start = now_ms();
  check(tile_module_load(device, image, &module));
  launch(device, module, buffer);
  double time = now_ms() - start;
  tile_module_unload(module);
  return time;
}

static double time_found(const struct kernel *kernel, tile_device *device, const char *folder,
                         tile_buffer *buffer) {
  tile_import_options import = {
      .kernel = kernel->name, .signature = kernel->signature, .target = kernel->target};
  tile_compile_options options = tile_compile_options_default();
  tile_cache *cache;
  tile_blob mlir;
  tile_module *module;
  double start = now_ms();
  check(tile_cache_open(&(tile_cache_options){.folder = folder}, &cache));
  tile_compiler *compiler = open_compiler(cache);
  options.target = kernel->target;
  check(tile_import_triton(compiler, kernel->path, kernel->text, kernel->length, &import, &mlir));
  check(tile_compile_for_device(compiler, kernel->path, mlir.data, mlir.size, &options, device,
                                &module));
  launch(device, module, buffer);
  double time = now_ms() - start;
  free(mlir.data);
  tile_module_unload(module);
  tile_compiler_destroy(compiler);
  tile_cache_close(cache);
  return time;
}

/* The image that tile_compile_for_device loads. */
static tile_image *image_for_device(const struct kernel *kernel) {
  tile_import_options import = {
      .kernel = kernel->name, .signature = kernel->signature, .target = kernel->target};
  tile_compile_options options = tile_compile_options_default();
  tile_compiler *compiler = open_compiler(NULL);
  tile_blob mlir;
  tile_image *image;
  options.target = kernel->target;
  options.fewer_warps = options.low_occupancy = TILE_CHOICE_YES;
  options.programs_per_block = TILE_FILL_BLOCK;
  check(tile_import_triton(compiler, kernel->path, kernel->text, kernel->length, &import, &mlir));
  check(tile_compile_kernels(compiler, kernel->path, mlir.data, mlir.size, &options, TILE_IMAGE_PTX,
                             &image));
  free(mlir.data);
  tile_compiler_destroy(compiler);
  return image;
}

static int measure_launch(struct kernel *kernel, const char *name, const char *folder,
                          double limit) {
  static double found[HITS], loaded[HITS];
  const tile_driver *driver;
  tile_device *device;
  tile_buffer *buffer;
  check(tile_driver_find(name, &driver));
  check(tile_device_open(driver, 0, &device));
  check(tile_buffer_create(device, LARGEST, &buffer));
  if (tile_device_get_properties(device)->target[0])
    kernel->target = tile_device_get_properties(device)->target;
  tile_image *image = image_for_device(kernel);
  for (int i = -1; i < HITS; i++) { /* the first one fills the disk, and the driver's own cache */
    double first = time_found(kernel, device, folder, buffer),
           second = time_load(device, image, buffer);
    found[i < 0 ? 0 : i] = first, loaded[i < 0 ? 0 : i] = second;
  }
  double all = median(found, HITS), load = median(loaded, HITS);
  printf("%s, %s: from disk to the end of the first launch %.2f ms, loading and launching %.2f ms: "
         "%.2f ms on top (at most %.2f)\n",
         kernel->name, tile_device_get_properties(device)->name, all, load, all - load, limit);
  tile_image_free(image);
  tile_buffer_destroy(buffer);
  tile_device_close(device);
  return all - load > limit;
}

static void read_kernel(struct kernel *kernel) {
  FILE *file = fopen(kernel->path, "rb");
  if (!file) {
    perror(kernel->path);
    exit(1);
  }
  kernel->length = fread(kernel->text, 1, sizeof kernel->text, file);
  fclose(file);
}

int main(int argc, char **argv) {
  static struct kernel kernel;
  double limit = 5;
  const char *device = NULL;
  for (; argc > 2 && strncmp(argv[argc - 2], "--", 2) == 0; argc -= 2)
    if (strcmp(argv[argc - 2], "--limit-ms") == 0)
      limit = strtod(argv[argc - 1], NULL);
    else if (strcmp(argv[argc - 2], "--device") == 0)
      device = argv[argc - 1];
    else
      break;
  if (argc < 4 || argc > 5 || strncmp(argv[argc - 2], "--", 2) == 0) {
    fputs("usage: cache_time FILE.py KERNEL SIGNATURE [TARGET] [--device cuda|null] [--limit-ms "
          "MS]\n",
          stderr);
    return 1;
  }
  kernel.path = argv[1], kernel.name = argv[2], kernel.signature = argv[3];
  kernel.target = argc > 4 ? argv[4] : "sm_90a";
  read_kernel(&kernel);
  char folder[4096];
  const char *place = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/tile-cache-time.XXXXXX", place && *place ? place : "/tmp");
  if (!mkdtemp(folder)) {
    perror(folder);
    return 1;
  }
  int failed = 0;
  if (device) {
    failed = measure_launch(&kernel, device, folder, limit);
  } else {
    failed = measure(&kernel, TILE_IMAGE_PTX, folder, limit);
    failed |= measure(&kernel, TILE_IMAGE_CUBIN, folder, limit);
  }
  tile_cache *cache;
  check(tile_cache_open(&(tile_cache_options){.folder = folder}, &cache));
  check(tile_cache_clear(cache));
  tile_cache_close(cache);
  return failed;
}
