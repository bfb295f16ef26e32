/* SPDX-License-Identifier: MIT */
/* What kernel tests share: compile a file of kernels, launch them, and compare with a reference.
   Public API only. Every test runs on the emulator, with all checks on and several seeds, and then
   on a GPU where there is one; RUN_KERNEL_TESTS sees to it.

       kernel_rows [--device emulator|cuda] [--kernels DIRECTORY] [--full]
                   [--part I/N] [--large[=N] [-v]] [--seed N] [PART OF A TEST'S NAME]

   --device: only there. --kernels: where the files of kernels are, instead of where they were when
   the test was built. --full: the sizes that take long, too. --part 0/8: the first eighth of the
   cases, so that several processes share them (kernel_dots, kernel_attention_forms, and
   kernel_attention_backward). --large: instead of all others the tests whose names begin with
   "large": products of sizes around 1024 to 4096, checked as large_product.h says, and attention
   over 16,384 and 32,768 tokens; seconds on a GPU and hours on the emulator; =N divides these sizes
   by N, to see there that each way compiles and runs; -v prints a line for each of them, with its
   errors as parts of what is allowed, and of products the seconds that the check took. --seed:
   other random numbers, and on the emulator other orders of blocks and threads (0); kernel_converts
   and those that draw kernels have a --seed of their own. */
#ifndef TILE_TEST_KERNEL_TEST_H
#define TILE_TEST_KERNEL_TEST_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "tile/compiler.h"

enum { SEEDS = 3 };

static const char *kernel_directory = KERNEL_DIRECTORY;
static bool full_test;                /* --full */
static int large_test;                /* --large: what sizes are divided by; else 0 */
static bool verbose_test;             /* -v */
static uint64_t run_seed;             /* --seed */
static int test_part, test_parts = 1; /* --part I/N */

/* Reads a file of test/kernels; aborts the test program when it cannot. */
static inline char *read_kernels(const char *name, size_t *length) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", kernel_directory, name);
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "cannot open %s\n", path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(1, *length + 1);
  if (!text || fread(text, 1, *length, file) != *length)
    exit(1);
  fclose(file);
  return text;
}

static inline void check_ok(tile_status status, const char *what) {
  if (status) {
    printf("%s: %s\n", what, tile_status_message(status));
    check_failures_++;
  }
  tile_status_free(status);
}

static tile_device *test_device; /* what the running test runs on */

/* Compiles all kernels of a text, or a file, for the device under test; NULL after a failed check.
   The kernels also have to become PTX. End it with tile_module_unload. */
static inline tile_module *compile_text(const char *name, const char *text, size_t length,
                                        int num_warps) {
  tile_compiler *compiler = NULL;
  tile_module *module = NULL;
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = num_warps;
  check_ok(tile_compiler_create(&compiler), "tile_compiler_create");
  if (compiler) {
    tile_blob ptx = {0};
    check_ok(tile_compile(compiler, name, text, length, &options, TILE_OUTPUT_PTX, &ptx), name);
    CHECK(ptx.size > 0);
    free(ptx.data);
    check_ok(tile_compile_for_device(compiler, name, text, length, &options, test_device, &module),
             name);
  }
  tile_compiler_destroy(compiler);
  return module;
}

static inline tile_module *compile_kernels(const char *name, int num_warps) {
  size_t length;
  char *text = read_kernels(name, &length);
  tile_module *module = compile_text(name, text, length, num_warps);
  free(text);
  return module;
}

/* The same for one kernel of a file in the Triton language. The emulator takes code made for
   options->target. */
static inline tile_module *compile_triton_with(const char *name, const char *kernel,
                                               const char *signature,
                                               const tile_compile_options *options) {
  size_t length;
  char *text = read_kernels(name, &length);
  tile_compiler *compiler = NULL;
  tile_module *module = NULL;
  check_ok(tile_compiler_create(&compiler), "tile_compiler_create");
  if (compiler) {
    tile_import_options import = {.kernel = kernel, .signature = signature};
    tile_blob mlir = {0}, ptx = {0};
    check_ok(tile_import_triton(compiler, name, text, length, &import, &mlir), name);
    if (mlir.data) {
      check_ok(tile_compile(compiler, name, mlir.data, mlir.size, options, TILE_OUTPUT_PTX, &ptx),
               name);
      check_ok(tile_compile_for_device(compiler, name, mlir.data, mlir.size, options, test_device,
                                       &module),
               name);
    }
    free(mlir.data);
    free(ptx.data);
  }
  tile_compiler_destroy(compiler);
  free(text);
  return module;
}

static inline tile_module *compile_triton(const char *name, const char *kernel,
                                          const char *signature, int num_warps) {
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = num_warps;
  return compile_triton_with(name, kernel, signature, &options);
}

/* An argument: a buffer (bytes > 0) or a scalar (bytes == 0), whose value is at `data`. */
struct argument {
  const char *name;
  void *data;
  size_t bytes;
};

enum { MAX_ARGUMENTS = 64 };

/* A seed that the test names, in the run that --seed chooses. */
static inline uint64_t seeded(uint64_t seed) {
  return seed + run_seed * 0x9E3779B97F4A7C15u; /* odd: no two runs share one */
}

/* A device copy of an argument's array. One array given twice is one buffer: in-place kernels. */
static inline tile_status upload(const struct argument *arguments, size_t index,
                                 tile_buffer **buffers) {
  for (size_t i = 0; i < index; i++)
    if (buffers[i] && arguments[i].data == arguments[index].data) {
      buffers[index] = buffers[i];
      return NULL;
    }
  tile_status status = tile_buffer_create(test_device, arguments[index].bytes, &buffers[index]);
  if (status)
    return status;
  tile_emulator_name_buffer(buffers[index], arguments[index].name);
  return tile_buffer_write(buffers[index], 0, arguments[index].data, arguments[index].bytes, NULL);
}

static inline bool is_first(tile_buffer *const *buffers, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (buffers[i] == buffers[index])
      return false;
  return buffers[index] != NULL;
}

static inline tile_status launch_and_read(tile_module *module, const char *name,
                                          const uint32_t grid[3], const struct argument *arguments,
                                          size_t count, tile_buffer **buffers) {
  tile_argument values[MAX_ARGUMENTS];
  tile_kernel *kernel;
  tile_status status = tile_module_kernel(module, name, &kernel);
  for (size_t i = 0; i < count && !status; i++) {
    if (arguments[i].bytes) {
      status = upload(arguments, i, buffers);
      if (!status)
        values[i] = tile_argument_buffer(buffers[i]);
      continue;
    }
    const tile_kernel_info *info = tile_kernel_get_info(kernel);
    values[i].kind = i < info->parameter_count ? info->parameters[i].kind : TILE_ARGUMENT_POINTER;
    memcpy(&values[i].value, arguments[i].data, tile_argument_kind_bytes(values[i].kind));
  }
  if (!status)
    status = tile_launch(kernel, grid, NULL, values, count);
  for (size_t i = 0; i < count && !status; i++)
    if (is_first(buffers, i))
      status = tile_buffer_read(buffers[i], 0, arguments[i].data, arguments[i].bytes, NULL);
  return status;
}

static inline void print_hazards(void *context, const char *kernel,
                                 const tile_emulator_report *report) {
  (void)context, (void)kernel;
  for (size_t i = 0; i < tile_emulator_report_count(report); i++)
    printf("  %s\n", tile_emulator_report_hazard(report, i)->text);
}

static inline void launch(tile_module *module, const char *name, const uint32_t grid[3],
                          uint64_t seed, const struct argument *arguments, size_t count) {
  tile_buffer *buffers[MAX_ARGUMENTS] = {0};
  tile_emulator_device_configure(
      test_device, &(tile_emulator_device_options){
                       .seed = seeded(seed), .check = true, .on_report = print_hazards});
  check_ok(launch_and_read(module, name, grid, arguments, count, buffers), name);
  for (size_t i = count; i-- > 0;)
    if (is_first(buffers, i))
      tile_buffer_destroy(buffers[i]);
}

static inline void read_part(const char *text) {
  if (sscanf(text, "%d/%d", &test_part, &test_parts) == 2 && test_part >= 0 &&
      test_part < test_parts)
    return;
  fprintf(stderr, "--part takes I/N with I from 0 to N - 1, not '%s'\n", text);
  exit(1);
}

static inline void read_seed(const char *text) {
  char *end;
  errno = 0;
  run_seed = strtoull(text, &end, 10);
  if (*text >= '0' && *text <= '9' && !*end && !errno)
    return;
  fprintf(stderr, "--seed takes a number, not '%s'\n", text);
  exit(1);
}

/* What the command line says; the words that are left stay in argv. */
static inline const char *read_options(int *argc, char **argv) {
  const char *device = NULL;
  int left = 1;
  for (int i = 1; i < *argc; i++) {
    if (strcmp(argv[i], "--device") == 0 && i + 1 < *argc)
      device = argv[++i];
    else if (strcmp(argv[i], "--kernels") == 0 && i + 1 < *argc)
      kernel_directory = argv[++i];
    else if (strcmp(argv[i], "--full") == 0)
      full_test = true;
    else if (strcmp(argv[i], "-v") == 0)
      verbose_test = true;
    else if (strcmp(argv[i], "--large") == 0)
      large_test = 1;
    else if (strncmp(argv[i], "--large=", 8) == 0 && atoi(argv[i] + 8) > 0)
      large_test = atoi(argv[i] + 8);
    else if (strcmp(argv[i], "--part") == 0 && i + 1 < *argc)
      read_part(argv[++i]);
    else if (strcmp(argv[i], "--seed") == 0 && i + 1 < *argc)
      read_seed(argv[++i]);
    else
      argv[left++] = argv[i];
  }
  *argc = left;
  return device;
}

/* Runs the rows on the first GPU; where there is none that is a failure only if `required`. */
static inline int run_on_gpu(int argc, char **argv, const struct test_row *rows, size_t count,
                             bool required) {
  tile_status status = tile_device_open(tile_cuda_driver(), 0, &test_device);
  if (tile_status_code(status) == TILE_NO_DEVICE && !required) {
    printf("skipped: cuda: %s\n", tile_status_message(status));
    tile_status_free(status);
    return 0;
  }
  check_ok(status, "cuda");
  if (status)
    return 1;
  printf("on %s:\n", tile_device_get_properties(test_device)->name);
  int code = run_tests_(argc, argv, rows, count);
  tile_device_close(test_device);
  return code;
}

enum { MAX_ROWS = 64 };

/* The tests of large sizes, or all others. */
static inline size_t choose_rows(const struct test_row *rows, size_t count, struct test_row *out) {
  size_t chosen = 0;
  for (size_t i = 0; i < count && chosen < MAX_ROWS; i++)
    if ((strncmp(rows[i].name, "large ", 6) == 0) == (large_test != 0))
      out[chosen++] = rows[i];
  return chosen;
}

/* Runs the rows on the emulator, then on the first GPU. */
static inline int run_kernel_tests(int argc, char **argv, const struct test_row *all,
                                   size_t count) {
  const char *device = read_options(&argc, argv);
  struct test_row rows[MAX_ROWS];
  count = choose_rows(all, count, rows);
  bool cuda_only = device && strcmp(device, "cuda") == 0;
  int code = 0;
  if (!cuda_only) {
    check_ok(tile_device_open(tile_emulator_driver(), 0, &test_device), "the emulator");
    code = run_tests_(argc, argv, rows, count);
    tile_device_close(test_device);
    test_device = NULL;
  }
  if (!device || cuda_only)
    code |= run_on_gpu(argc, argv, rows, count, cuda_only);
  return code;
}
#define RUN_KERNEL_TESTS(argc, argv, ...)                                                          \
  run_kernel_tests((argc), (argv), (const struct test_row[]){__VA_ARGS__},                         \
                   sizeof((const struct test_row[]){__VA_ARGS__}) / sizeof(struct test_row))

#define GRID(...) ((const uint32_t[3]){__VA_ARGS__})
#define LAUNCH(module, kernel, grid, seed, ...)                                                    \
  launch((module), (kernel), (grid), (seed), (const struct argument[]){__VA_ARGS__},               \
         sizeof((const struct argument[]){__VA_ARGS__}) / sizeof(struct argument))
#define BUFFER(array, size)                                                                        \
  { #array, (array), (size) }
#define SCALAR(variable)                                                                           \
  { #variable, &(variable), 0 }

/* `count` bytes, aligned as cudaMalloc aligns, filled with the poison pattern. */
static inline void *poisoned(size_t bytes) {
  void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory)
    exit(1);
  return memset(memory, 0xCB, bytes);
}

/* Uniform in [-1, 1), drawn from a state. In float, what is nearest to 1 would round to it. */
static inline float draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  float value = (float)((double)(*state >> 11) * 0x1p-52 - 1.0);
  return value < 1 ? value : 0x1.fffffep-1f;
}

static inline float *random_floats(size_t count, uint64_t seed) {
  float *values = poisoned(count * sizeof *values);
  uint64_t state = seeded(seed);
  for (size_t i = 0; i < count; i++)
    values[i] = draw(&state);
  return values;
}

/* The larger distance. NaN, which fmax passes over, is infinitely far. */
static inline double farther(double worst, double apart) {
  return isnan(apart) ? INFINITY : fmax(worst, apart);
}

#endif
