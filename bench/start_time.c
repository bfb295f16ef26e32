/* SPDX-License-Identifier: MIT */
/* start_time: what a program with an ahead-of-time kernel takes from its start to its end, beside a
   program that does the same with libcuda alone.

     start_time [--device cuda|null|emulator] [--runs N] [--limit-ms MS]

   Both are this program once more, as processes of their own, in turns: open the device, allocate,
   load an empty kernel, launch it, wait, end. On the null device and the emulator, which have no
   libcuda, the other program does nothing. Prints the medians of N runs (51), as wall time of the
   process; exit code 1 when ours takes more than MS milliseconds longer (2). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "empty_start.h"

enum { MAX_RUNS = 1001 };

static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n{ ret; }\n";

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* --- The two programs ------------------------------------------------------------------------- */

static int run_ours(const char *name) {
  const tile_driver *driver;
  tile_device *device = NULL;
  tile_buffer *buffer = NULL;
  tile_status status = tile_driver_find(name, &driver);
  if (!status)
    status = tile_device_open(driver, 0, &device);
  if (!status)
    status = tile_buffer_create(device, 4096, &buffer);
  uint64_t address = buffer ? tile_buffer_address(buffer) : 0;
  if (!status)
    status = empty_start(device, NULL, address, address, address, 16);
  if (!status)
    status = tile_device_synchronize(device);
  if (status)
    fprintf(stderr, "start_time: error: %s\n", tile_status_message(status));
  int code = status != NULL;
  tile_status_free(status);
  tile_buffer_destroy(buffer);
  tile_device_close(device);
  return code;
}

/* A function of libcuda; ends the process where there is none. */
static void *cuda(const char *name) {
  static void *library;
  if (!library)
    library = dlopen("libcuda.so.1", RTLD_NOW);
  void *function = library ? dlsym(library, name) : NULL;
  if (!function) {
    fprintf(stderr, "start_time: error: libcuda has no %s\n", name);
    exit(1);
  }
  return function;
}

static int run_bare(void) {
  int device;
  void *context, *module, *function;
  unsigned long long address;
  unsigned n = 16;
  void *arguments[] = {&address, &address, &address, &n};
  int code = ((int (*)(unsigned))cuda("cuInit"))(0) ||
             ((int (*)(int *, int))cuda("cuDeviceGet"))(&device, 0) ||
             ((int (*)(void **, int))cuda("cuDevicePrimaryCtxRetain"))(&context, device) ||
             ((int (*)(void *))cuda("cuCtxSetCurrent"))(context) ||
             ((int (*)(unsigned long long *, size_t))cuda("cuMemAlloc_v2"))(&address, 4096) ||
             ((int (*)(void **, const void *))cuda("cuModuleLoadData"))(&module, ptx) ||
             ((int (*)(void **, void *, const char *))cuda("cuModuleGetFunction"))(&function,
                                                                                   module, "k") ||
             ((int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       void *, void **, void **))cuda("cuLaunchKernel"))(
                 function, 1, 1, 1, 128, 1, 1, 0, NULL, arguments, NULL) ||
             ((int (*)(void))cuda("cuCtxSynchronize"))() ||
             ((int (*)(void *))cuda("cuModuleUnload"))(module) ||
             ((int (*)(unsigned long long))cuda("cuMemFree_v2"))(address) ||
             ((int (*)(int))cuda("cuDevicePrimaryCtxRelease_v2"))(device);
  if (code)
    fprintf(stderr, "start_time: error: libcuda refuses\n");
  return code;
}

/* --- Measuring -------------------------------------------------------------------------------- */

/* One process; its wall time in milliseconds. */
static double run_once(const char *what, const char *device) {
  double start = now_ms();
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "start_time", what, device, (char *)NULL);
    _exit(127);
  }
  int state;
  if (child < 0 || waitpid(child, &state, 0) < 0 || !WIFEXITED(state) || WEXITSTATUS(state)) {
    fprintf(stderr, "start_time: error: a run of '%s' failed\n", what);
    exit(1);
  }
  return now_ms() - start;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int measure(const char *device, int runs, double limit) {
  static double times[2][MAX_RUNS];
  for (int i = -1; i < runs; i++) /* the first ones warm up */
    for (int way = 0; way < 2; way++) {
      double time = run_once(way ? "--ours" : "--bare", device);
      if (i >= 0)
        times[way][i] = time;
    }
  for (int way = 0; way < 2; way++)
    qsort(times[way], (size_t)runs, sizeof *times[way], compare);
  double bare = times[0][runs / 2], ours = times[1][runs / 2];
  printf("%s: a program with an ahead-of-time kernel %.2f ms, %s %.2f ms: %.2f ms more (at most "
         "%.2f)\n",
         device, ours, strcmp(device, "cuda") == 0 ? "with libcuda alone" : "that does nothing",
         bare, ours - bare, limit);
  return ours - bare > limit;
}

int main(int argc, char **argv) {
  const char *device = "cuda";
  int runs = 51;
  double limit = 2;
  if (argc == 3 && strcmp(argv[1], "--ours") == 0)
    return run_ours(argv[2]);
  if (argc == 3 && strcmp(argv[1], "--bare") == 0)
    return strcmp(argv[2], "cuda") == 0 ? run_bare() : 0;
  for (int i = 1; i + 1 < argc; i += 2)
    if (strcmp(argv[i], "--device") == 0)
      device = argv[i + 1];
    else if (strcmp(argv[i], "--runs") == 0)
      runs = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--limit-ms") == 0)
      limit = atof(argv[i + 1]);
    else
      runs = 0;
  if (argc % 2 == 0 || runs < 1 || runs > MAX_RUNS) {
    fputs("usage: start_time [--device cuda|null|emulator] [--runs N] [--limit-ms MS]\n", stderr);
    return 1;
  }
  return measure(device, runs, limit);
}
