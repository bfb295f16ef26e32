/* SPDX-License-Identifier: MIT */
/* cache_time: what a kernel costs when it is compiled, found on disk, and found in memory.

     cache_time FILE.py KERNEL SIGNATURE [TARGET] [--limit-ms MS]

   In milliseconds, from the kernel's text to an image that can be loaded: import and compilation, PTX and cubin. On disk
   means: a new cache and a new compiler each time, so that nothing is in memory; the files are in the system's cache. Medians. Exit code
   1 when a median from disk is above MS (5), or when what was found differs from what was made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tile/compiler.h"

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
static void make(tile_compiler *compiler, const struct kernel *kernel, tile_image_format format, tile_image **out) {
  tile_import_options import = {.kernel = kernel->name, .signature = kernel->signature, .target = kernel->target};
  tile_compile_options options = tile_compile_options_default();
  tile_blob mlir;
  tile_image *image;
  options.target = kernel->target;
  check(tile_import_triton(compiler, kernel->path, kernel->text, kernel->length, &import, &mlir));
  check(tile_compile_kernels(compiler, kernel->path, mlir.data, mlir.size, &options, format, &image));
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

static double time_disk(const struct kernel *kernel, tile_image_format format, const char *folder, tile_image **out) {
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

static int measure(const struct kernel *kernel, tile_image_format format, const char *folder, double limit) {
  tile_image *made, *found;
  double miss = time_misses(kernel, format, &made);
  double disk = time_disk(kernel, format, folder, &found), memory = time_memory(kernel, format);
  const tile_section *first = made->sections, *second = found->sections;
  printf("%s, %s, %s: made %.2f ms, from disk %.3f ms, from memory %.4f ms, %zu bytes\n", kernel->name, kernel->target,
         format == TILE_IMAGE_CUBIN ? "cubin" : "PTX", miss, disk, memory, first->size);
  int failed = disk > limit || first->size != second->size || memcmp(first->data, second->data, first->size) != 0;
  tile_image_free(made);
  tile_image_free(found);
  return failed;
}

int main(int argc, char **argv) {
  static struct kernel kernel;
  double limit = 5;
  if (argc > 2 && strcmp(argv[argc - 2], "--limit-ms") == 0) {
    limit = strtod(argv[argc - 1], NULL);
    argc -= 2;
  }
  if (argc < 4) {
    fputs("usage: cache_time FILE.py KERNEL SIGNATURE [TARGET] [--limit-ms MS]\n", stderr);
    return 1;
  }
  kernel.path = argv[1], kernel.name = argv[2], kernel.signature = argv[3];
  kernel.target = argc > 4 ? argv[4] : "sm_90a";
  FILE *file = fopen(kernel.path, "rb");
  if (!file) {
    perror(kernel.path);
    return 1;
  }
  kernel.length = fread(kernel.text, 1, sizeof kernel.text, file);
  fclose(file);
  char folder[4096];
  const char *place = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/tile-cache-time.XXXXXX", place && *place ? place : "/tmp");
  if (!mkdtemp(folder)) {
    perror(folder);
    return 1;
  }
  int failed = measure(&kernel, TILE_IMAGE_PTX, folder, limit);
  failed |= measure(&kernel, TILE_IMAGE_CUBIN, folder, limit);
  tile_cache *cache;
  check(tile_cache_open(&(tile_cache_options){.folder = folder}, &cache));
  check(tile_cache_clear(cache));
  tile_cache_close(cache);
  return failed;
}
