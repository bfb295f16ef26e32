/* SPDX-License-Identifier: MIT */
/* launch_cost: host time of a launch, in several ways, beside bare cuLaunchKernel of the same
   libcuda.

     launch_cost [LIMIT]

   Exit code 1 when a ratio of medians to the bare one is above LIMIT (1.15).

   tile_launch          a kernel of one version
   tile_launch variants a kernel of two versions, of which the second is taken: the first counts
                        on more
   generated            the same by its generated function, with the grid's expression
                        (launch_cost.py)

   An empty kernel of four arguments with promised divisibility, so that all checks are paid for.
   Blocks of launches of each kind take turns, each on an idle device; a block is short enough to
   stay inside the queue, so that the host never waits for the device. Links libtile_runtime alone.
   */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tile/runtime.h"
#ifdef GENERATED
#include "empty.h"
#endif

enum { LAUNCHES = 500, ROUNDS = 101 };

static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                          ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, "
                          ".param .u32 n)\n{ ret; }\n";

static const tile_parameter parameters[] = {{"a", "f32", TILE_ARGUMENT_POINTER, 16},
                                            {"b", "f32", TILE_ARGUMENT_POINTER, 16},
                                            {"c", "f32", TILE_ARGUMENT_POINTER, 16},
                                            {"n", "i32", TILE_ARGUMENT_I32, 16}};
static const tile_kernel_version version = {.num_warps = 4, .threads = 128};
static const tile_kernel_info info = {.name = "k",
                                      .parameters = parameters,
                                      .parameter_count = 4,
                                      .versions = &version,
                                      .version_count = 1};
static const tile_section section = {.format = TILE_IMAGE_PTX,
                                     .target = "sm_80",
                                     .ptx_isa = "7.0",
                                     .data = ptx,
                                     .size = sizeof ptx - 1};

typedef int launch_function(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            unsigned, void *, void **, void **);
typedef int load_function(void **, const void *, unsigned, int *, void **);
typedef int find_function(void **, void *, const char *);
typedef int unload_function(void *);

static void check(tile_status status) {
  if (!status)
    return;
  fprintf(stderr, "launch_cost: error: %s\n", tile_status_message(status));
  exit(1);
}

static void *symbol(void *library, const char *name) {
  void *address = library ? dlsym(library, name) : NULL;
  if (!address) {
    fprintf(stderr, "launch_cost: error: libcuda has no %s\n", name);
    exit(1);
  }
  return address;
}

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What launches need. */
static tile_device *device;
static tile_buffer *buffer;
static tile_kernel *plain;
static launch_function *bare_launch;
static void *bare_function;

/* --- Ways to launch once ---------------------------------------------------------------------- */

static void launch_bare(void) {
  uint64_t address = tile_buffer_address(buffer);
  unsigned n = 16;
  void *arguments[] = {&address, &address, &address, &n};
  if (bare_launch(bare_function, 1, 1, 1, 128, 1, 1, 0, NULL, arguments, NULL)) {
    fprintf(stderr, "launch_cost: error: the bare launch fails\n");
    exit(1);
  }
}

static void launch_kernel(tile_kernel *kernel, int32_t n) {
  tile_argument arguments[] = {tile_argument_buffer(buffer), tile_argument_buffer(buffer),
                               tile_argument_buffer(buffer), tile_argument_i32(n)};
  check(tile_launch(kernel, (const uint32_t[3]){1, 1, 1}, NULL, arguments, 4));
}

static void launch_plain(void) {
  launch_kernel(plain, 16);
}

#ifdef GENERATED
static tile_kernel *variants;

static void launch_variants(void) {
  launch_kernel(variants, 17);
}

static void launch_generated(void) {
  uint64_t address = tile_buffer_address(buffer);
  check(empty(device, NULL, address, address, address, 17));
}
#endif

static const struct {
  const char *name;
  void (*once)(void);
} ways[] = {
    {"cuLaunchKernel", launch_bare},
    {"tile_launch", launch_plain},
#ifdef GENERATED
    {"tile_launch variants", launch_variants},
    {"generated", launch_generated},
#endif
};
enum { WAYS = sizeof ways / sizeof *ways };

static double times[WAYS][ROUNDS];

static void measure(void) {
  for (int round = -1; round < ROUNDS; round++) /* the first one warms up */
    for (int way = 0; way < WAYS; way++) {
      check(tile_device_synchronize(device));
      double start = now_us();
      for (int i = 0; i < LAUNCHES; i++)
        ways[way].once();
      if (round >= 0)
        times[way][round] = (now_us() - start) / LAUNCHES;
    }
  check(tile_device_synchronize(device));
  for (int way = 0; way < WAYS; way++)
    qsort(times[way], ROUNDS, sizeof *times[way], compare);
}

int main(int argc, char **argv) {
  double limit = argc > 1 ? atof(argv[1]) : 1.15;
  bool above = false;
  tile_module *module;
  check(tile_device_open(tile_cuda_driver(), 0, &device));
  tile_image image = {
      .sections = &section, .section_count = 1, .kernels = &info, .kernel_count = 1};
  check(tile_module_load(device, &image, &module));
  check(tile_buffer_create(device, 4096, &buffer));
  plain = tile_module_kernel_at(module, 0);
#ifdef GENERATED
  check(empty_kernel(device, &variants));
#endif

  /* The same library, and the context that tile_module_load left current on this thread. */
  const char *named = getenv("TILE_LIBCUDA");
  void *library = dlopen(named && *named ? named : "libcuda.so.1", RTLD_NOW);
  bare_launch = (launch_function *)(size_t)symbol(library, "cuLaunchKernel");
  load_function *load = (load_function *)(size_t)symbol(library, "cuModuleLoadDataEx");
  find_function *find = (find_function *)(size_t)symbol(library, "cuModuleGetFunction");
  unload_function *unload = (unload_function *)(size_t)symbol(library, "cuModuleUnload");
  void *bare_module;
  if (load(&bare_module, ptx, 0, NULL, NULL) || find(&bare_function, bare_module, "k")) {
    fprintf(stderr, "launch_cost: error: the bare module does not load\n");
    return 1;
  }
  measure();
  printf("what,median_us,minimum_us,ratio\n");
  for (int way = 0; way < WAYS; way++) {
    double ratio = times[way][ROUNDS / 2] / times[0][ROUNDS / 2];
    above |= ratio > limit;
    printf("%s,%.4f,%.4f,%.4f\n", ways[way].name, times[way][ROUNDS / 2], times[way][0], ratio);
  }
  unload(bare_module);
  tile_buffer_destroy(buffer);
  tile_module_unload(module);
  tile_device_close(device);
  return above;
}
