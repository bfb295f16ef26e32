/* SPDX-License-Identifier: MIT */
/* vector_add: the time of test/kernels/vector_add.mlir, as CSV, on a GPU if there is one.

     vector_add [--kernel FILE] [--num-warps N] [--from LOG2] [--to LOG2] [--device
   auto|cuda|emulator] [--beside CUBIN]

   For 2^12 to 2^27 elements (2^16 on the emulator, which is no clock for GPUs): random inputs, the
   output poisoned, one launch compared with a double-precision reference, then tile_do_bench as the
   peers are timed (bench/peers/vector_add.py). A last row gives the device's copy bandwidth.

   --beside names a cubin that bench/peers/vector_add.py has saved: Triton's kernel, launched by the
   same runtime on the same buffers, in turns with ours, so that nothing but the code differs. Its
   rows are called "triton-kernel". */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tile/compiler.h"

enum { BLOCK = 1024, COPY_LOG2 = 32, ROUNDS = 9 };

struct bench {
  const char *kernel_file, *device_name, *beside_file;
  int num_warps, from, to;
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  tile_module *beside_module;
  tile_kernel *beside;
  tile_buffer *x, *y, *out;
  float *host_x, *host_y, *host_out;
  int32_t n;
};

static const tile_bench_options timing = {.warmup_ms = 15, .repeat_ms = 60};

/* Ends the program after an error: it has nothing to clean up that the system does not. */
static void check(tile_status status) {
  if (!status)
    return;
  fprintf(stderr, "vector_add: error: %s\n", tile_status_message(status));
  exit(1);
}

static void open_device(struct bench *bench) {
  bool automatic = strcmp(bench->device_name, "auto") == 0;
  if (automatic || strcmp(bench->device_name, "cuda") == 0) {
    tile_status status = tile_device_open(tile_cuda_driver(), 0, &bench->device);
    if (!status)
      return;
    if (!automatic)
      check(status);
    fprintf(stderr, "vector_add: note: %s; timing the emulator\n", tile_status_message(status));
    tile_status_free(status);
  }
  check(tile_device_open(tile_emulator_driver(), 0, &bench->device));
}

static void compile(struct bench *bench) {
  FILE *file = fopen(bench->kernel_file, "rb");
  static char text[1 << 20];
  size_t length = file ? fread(text, 1, sizeof text, file) : 0;
  if (length == 0) {
    fprintf(stderr,
            "vector_add: error: cannot read '%s'; run it in the repository, or name the file "
            "with --kernel\n",
            bench->kernel_file);
    exit(1);
  }
  fclose(file);
  tile_compiler *compiler;
  tile_compile_options options = tile_compile_options_default();
  options.num_warps = bench->num_warps;
  check(tile_compiler_create(&compiler));
  check(tile_compile_for_device(compiler, bench->kernel_file, text, length, &options, bench->device,
                                &bench->module));
  tile_compiler_destroy(compiler);
  check(tile_module_kernel(bench->module, NULL, &bench->kernel));
}

/* Triton's kernel: three pointers, the size and two scratch pointers that it does not use. */
static void load_beside(struct bench *bench) {
  static const tile_parameter parameters[] = {
      {"x", "f32", TILE_ARGUMENT_POINTER, 16},      {"y", "f32", TILE_ARGUMENT_POINTER, 16},
      {"out", "f32", TILE_ARGUMENT_POINTER, 16},    {"n", "i32", TILE_ARGUMENT_I32, 16},
      {"scratch", "f32", TILE_ARGUMENT_POINTER, 1}, {"profile", "f32", TILE_ARGUMENT_POINTER, 1}};
  static const tile_kernel_version version = {.num_warps = 4, .threads = 128};
  static const tile_kernel_info info = {.name = "add_kernel",
                                        .parameters = parameters,
                                        .parameter_count = 6,
                                        .versions = &version,
                                        .version_count = 1};
  static char cubin[1 << 20];
  FILE *file = fopen(bench->beside_file, "rb");
  size_t length = file ? fread(cubin, 1, sizeof cubin, file) : 0;
  if (file)
    fclose(file);
  if (length == 0) {
    fprintf(stderr, "vector_add: error: cannot read '%s'\n", bench->beside_file);
    exit(1);
  }
  tile_section section = {.format = TILE_IMAGE_CUBIN,
                          .target = "sm_90a",
                          .ptx_isa = "8.0",
                          .data = cubin,
                          .size = length};
  tile_image image = {
      .sections = &section, .section_count = 1, .kernels = &info, .kernel_count = 1};
  check(tile_module_load(bench->device, &image, &bench->beside_module));
  bench->beside = tile_module_kernel_at(bench->beside_module, 0);
}

static float draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (float)((double)(*state >> 11) * 0x1p-52 - 1.0);
}

static void make_data(struct bench *bench) {
  size_t count = (size_t)1 << bench->to;
  bench->host_x = malloc(count * sizeof(float));
  bench->host_y = malloc(count * sizeof(float));
  bench->host_out = malloc(count * sizeof(float));
  if (!bench->host_x || !bench->host_y || !bench->host_out)
    check(tile_status_make(TILE_OUT_OF_MEMORY, "vector_add.c", "no memory for the data"));
  uint64_t state = 1;
  for (size_t i = 0; i < count; i++) {
    bench->host_x[i] = draw(&state);
    bench->host_y[i] = draw(&state);
  }
}

static tile_status add(void *context, tile_stream *stream) {
  struct bench *bench = context;
  tile_argument arguments[] = {tile_argument_buffer(bench->x), tile_argument_buffer(bench->y),
                               tile_argument_buffer(bench->out), tile_argument_i32(bench->n)};
  uint32_t grid[3] = {((uint32_t)bench->n + BLOCK - 1) / BLOCK, 1, 1};
  return tile_launch(bench->kernel, grid, stream, arguments, 4);
}

static tile_status add_beside(void *context, tile_stream *stream) {
  struct bench *bench = context;
  tile_argument arguments[] = {tile_argument_buffer(bench->x),   tile_argument_buffer(bench->y),
                               tile_argument_buffer(bench->out), tile_argument_i32(bench->n),
                               tile_argument_buffer(bench->out), tile_argument_buffer(bench->out)};
  uint32_t grid[3] = {((uint32_t)bench->n + BLOCK - 1) / BLOCK, 1, 1};
  return tile_launch(bench->beside, grid, stream, arguments, 6);
}

static void verify(struct bench *bench, tile_bench_function *run, size_t bytes) {
  check(tile_buffer_fill(bench->out, 0, 0xCB, bytes, NULL));
  check(run(bench, NULL));
  check(tile_buffer_read(bench->out, 0, bench->host_out, bytes, NULL));
  for (int32_t i = 0; i < bench->n; i++) {
    float expected = (float)((double)bench->host_x[i] + (double)bench->host_y[i]);
    if (memcmp(&bench->host_out[i], &expected, sizeof expected) != 0) {
      fprintf(stderr, "vector_add: error: n = %d: out[%d] is %.9g, not %.9g\n", bench->n, i,
              bench->host_out[i], expected);
      exit(1);
    }
  }
}

static void print_row(const char *what, uint64_t size, double bytes,
                      const tile_bench_result *result) {
  printf("%s,%llu,%.6f,%.6f,%.6f,%.6f,%zu,%.1f\n", what, (unsigned long long)size, result->median,
         result->minimum, result->quantile20, result->quantile80, result->runs,
         bytes / (result->median * 1e6));
  fflush(stdout);
}

static void add_to(tile_bench_result *sum, const tile_bench_result *round) {
  sum->median += round->median / ROUNDS;
  sum->minimum += round->minimum / ROUNDS;
  sum->quantile20 += round->quantile20 / ROUNDS;
  sum->quantile80 += round->quantile80 / ROUNDS;
  sum->runs += round->runs;
}

/* Ours and the kernel beside it in turns; of each the mean over the rounds, because the device's
   clock ticks too slowly to tell the medians of short runs apart. */
static void run_in_turns(struct bench *bench, double bytes) {
  tile_bench_result ours = {0}, beside = {0}, result;
  for (int round = 0; round < ROUNDS; round++) {
    check(tile_do_bench(bench->device, add, bench, &timing, &result));
    add_to(&ours, &result);
    check(tile_do_bench(bench->device, add_beside, bench, &timing, &result));
    add_to(&beside, &result);
  }
  print_row("add", (uint64_t)bench->n, bytes, &ours);
  print_row("triton-kernel", (uint64_t)bench->n, bytes, &beside);
}

static void run_size(struct bench *bench, int log2) {
  tile_bench_result result;
  size_t bytes = sizeof(float) << log2;
  bench->n = (int32_t)1 << log2;
  check(tile_buffer_create(bench->device, bytes, &bench->x));
  check(tile_buffer_create(bench->device, bytes, &bench->y));
  check(tile_buffer_create(bench->device, bytes, &bench->out));
  check(tile_buffer_write(bench->x, 0, bench->host_x, bytes, NULL));
  check(tile_buffer_write(bench->y, 0, bench->host_y, bytes, NULL));
  verify(bench, add, bytes);
  if (bench->beside) {
    verify(bench, add_beside, bytes);
    run_in_turns(bench, 3.0 * (double)bytes);
  } else {
    check(tile_do_bench(bench->device, add, bench, &timing, &result));
    print_row("add", (uint64_t)bench->n, 3.0 * (double)bytes, &result);
  }
  tile_buffer_destroy(bench->x);
  tile_buffer_destroy(bench->y);
  tile_buffer_destroy(bench->out);
}

static tile_status copy(void *context, tile_stream *stream) {
  struct bench *bench = context;
  return tile_buffer_copy(bench->out, 0, bench->x, 0, tile_buffer_bytes(bench->x), stream);
}

/* 4 GiB from one place to another, where the device has room. */
static void run_copy(struct bench *bench) {
  tile_bench_result result;
  size_t bytes = (size_t)1 << COPY_LOG2;
  uint64_t free_bytes;
  check(tile_device_free_memory(bench->device, &free_bytes));
  if (free_bytes < 3 * (uint64_t)bytes)
    return;
  check(tile_buffer_create(bench->device, bytes, &bench->x));
  check(tile_buffer_create(bench->device, bytes, &bench->out));
  check(tile_buffer_fill(bench->x, 0, 0x5A, bytes, NULL));
  check(tile_do_bench(bench->device, copy, bench,
                      &(tile_bench_options){.warmup_ms = 15, .repeat_ms = 200}, &result));
  print_row("copy", bytes, 2.0 * (double)bytes, &result);
  tile_buffer_destroy(bench->x);
  tile_buffer_destroy(bench->out);
}

static void parse(int argc, char **argv, struct bench *bench) {
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (value && strcmp(argv[i], "--kernel") == 0)
      bench->kernel_file = value;
    else if (value && strcmp(argv[i], "--num-warps") == 0)
      bench->num_warps = atoi(value);
    else if (value && strcmp(argv[i], "--from") == 0)
      bench->from = atoi(value);
    else if (value && strcmp(argv[i], "--to") == 0)
      bench->to = atoi(value);
    else if (value && strcmp(argv[i], "--device") == 0)
      bench->device_name = value;
    else if (value && strcmp(argv[i], "--beside") == 0)
      bench->beside_file = value;
    else
      bench->from = -1;
  }
  if (bench->from < 4 || bench->to > 28 || (bench->to && bench->from > bench->to)) {
    fprintf(stderr, "usage: vector_add [--kernel FILE] [--num-warps N] [--from LOG2] [--to LOG2] "
                    "[--device auto|cuda|emulator] [--beside CUBIN]\n");
    exit(1);
  }
}

int main(int argc, char **argv) {
  struct bench bench = {.kernel_file = "test/kernels/vector_add.mlir",
                        .device_name = "auto",
                        .num_warps = 4,
                        .from = 12};
  parse(argc, argv, &bench);
  open_device(&bench);
  const tile_device_properties *properties = tile_device_get_properties(bench.device);
  bool emulated = tile_device_get_driver(bench.device) == tile_emulator_driver();
  if (!bench.to)
    bench.to = emulated ? 16 : 27;
  fprintf(stderr, "vector_add: %s (%s), %d warps\n", properties->name,
          tile_driver_name(tile_device_get_driver(bench.device)), bench.num_warps);
  compile(&bench);
  if (bench.beside_file && !emulated)
    load_beside(&bench);
  make_data(&bench);
  printf("what,size,median_ms,minimum_ms,quantile20_ms,quantile80_ms,runs,gigabytes_per_second\n");
  for (int log2 = bench.from; log2 <= bench.to; log2++)
    run_size(&bench, log2);
  if (!emulated)
    run_copy(&bench);
  tile_module_unload(bench.module);
  tile_module_unload(bench.beside_module);
  tile_device_close(bench.device);
  free(bench.host_x);
  free(bench.host_y);
  free(bench.host_out);
  return 0;
}
