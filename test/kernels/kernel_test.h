/* What kernel tests share: compile a file of kernels for the emulator, launch with all checks on and
   several seeds, and compare with a reference. Public API only. */
#ifndef TILE_TEST_KERNEL_TEST_H
#define TILE_TEST_KERNEL_TEST_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "tile/compiler.h"
#include "tile/emulator.h"

enum { SEEDS = 3 };

/* Reads a file of test/kernels; aborts the test program when it cannot. */
static inline char *read_kernels(const char *name, size_t *length) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", KERNEL_DIRECTORY, name);
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

/* Compiles all kernels of a file for the emulator; NULL after a failed check. The kernels also have
   to become PTX. */
static inline tile_emulator_program *compile_kernels(const char *name, int num_warps) {
  size_t length;
  char *text = read_kernels(name, &length);
  tile_compiler *compiler = NULL;
  tile_emulator_program *program = NULL;
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = num_warps;
  check_ok(tile_compiler_create(&compiler), "tile_compiler_create");
  if (compiler) {
    tile_blob ptx = {0};
    check_ok(tile_compile(compiler, name, text, length, &options, TILE_OUTPUT_PTX, &ptx), name);
    CHECK(ptx.size > 0);
    free(ptx.data);
    check_ok(tile_compile_for_emulator(compiler, name, text, length, &options, &program), name);
  }
  tile_compiler_destroy(compiler);
  free(text);
  return program;
}

/* An argument: a buffer (bytes > 0) or a scalar (bytes == 0), whose value is at `data`. */
struct argument {
  const char *name;
  void *data;
  size_t bytes;
};

static inline void launch(tile_emulator_program *program, const char *kernel, const uint32_t grid[3],
                          uint64_t seed, const struct argument *arguments, size_t count) {
  tile_emulator_buffer buffers[32];
  void *addresses[32], *pointers[32];
  size_t buffer_count = 0;
  for (size_t i = 0; i < count; i++) {
    addresses[i] = arguments[i].data;
    pointers[i] = arguments[i].bytes ? (void *)&addresses[i] : arguments[i].data;
    if (arguments[i].bytes)
      buffers[buffer_count++] = (tile_emulator_buffer){
          .name = arguments[i].name, .base = arguments[i].data, .bytes = arguments[i].bytes};
  }
  tile_emulator_report *report = NULL;
  tile_status status =
      tile_emulator_launch(program, kernel,
                           &(tile_emulator_launch_options){.grid = {grid[0], grid[1], grid[2]},
                                                           .seed = seed,
                                                           .check = true,
                                                           .buffers = buffers,
                                                           .buffer_count = buffer_count,
                                                           .arguments = pointers,
                                                           .argument_count = count},
                           &report);
  for (size_t i = 0; i < tile_emulator_report_count(report); i++)
    printf("  %s\n", tile_emulator_report_hazard(report, i)->text);
  tile_emulator_report_free(report);
  check_ok(status, kernel);
}

#define GRID(...) ((const uint32_t[3]){__VA_ARGS__})
#define LAUNCH(program, kernel, grid, seed, ...)                                                   \
  launch((program), (kernel), (grid), (seed), (const struct argument[]){__VA_ARGS__},              \
         sizeof((const struct argument[]){__VA_ARGS__}) / sizeof(struct argument))
#define BUFFER(array, size) {#array, (array), (size)}
#define SCALAR(variable) {#variable, &(variable), 0}

/* `count` bytes, aligned as cudaMalloc aligns, filled with the poison pattern. */
static inline void *poisoned(size_t bytes) {
  void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory)
    exit(1);
  return memset(memory, 0xCB, bytes);
}

/* Uniform in [-1, 1), drawn from a state. */
static inline float draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (float)((double)(*state >> 11) * 0x1p-52 - 1.0);
}

static inline float *random_floats(size_t count, uint64_t seed) {
  float *values = poisoned(count * sizeof *values);
  for (size_t i = 0; i < count; i++)
    values[i] = draw(&seed);
  return values;
}

#endif
