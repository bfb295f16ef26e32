/* SPDX-License-Identifier: MIT */
/* tile.histogram against counting one by one: few and many bins, masks, values without a bin, a
   tile smaller than the block, several types and numbers of warps. */
#include "kernel_test.h"

enum { PROGRAMS = 3 };

/* Counts x[0 .. count) of `bytes` each into bins, as the operation is defined. */
static void count(const void *x, size_t count, size_t bytes, int32_t *bins, int64_t bin_count) {
  memset(bins, 0, (size_t)bin_count * sizeof *bins);
  for (size_t i = 0; i < count; i++) {
    int64_t value = 0;
    const char *at = (const char *)x + i * bytes;
    memcpy(&value, at, bytes);
    if (bytes == 1)
      value = (int8_t)value;
    if (bytes == 4)
      value = (int32_t)value;
    if (value >= 0 && value < bin_count)
      bins[value]++;
  }
}

struct shape {
  const char *kernel;
  int32_t tile;
  int64_t bins;
  size_t bytes;
  bool masked;
};

static const struct shape shapes[] = {{"few_bins", 1024, 64, 4, true},
                                      {"many_bins", 32, 2048, 4, false},
                                      {"bytes", 512, 256, 1, false},
                                      {"wide", 512, 16, 8, true}};

static void run_shape(const struct shape *shape, int num_warps) {
  tile_module *module = compile_kernels("histogram.mlir", num_warps);
  int32_t n = PROGRAMS * shape->tile - (shape->masked ? shape->tile / 3 : 0);
  unsigned char *x = poisoned((size_t)n * shape->bytes);
  size_t out_bytes = (size_t)(PROGRAMS * shape->bins) * sizeof(int32_t);
  int32_t *expected = poisoned(out_bytes);
  uint64_t state = seeded(5);
  for (int32_t i = 0; i < n; i++) { /* a tenth has no bin, on either side */
    int64_t value = (int64_t)((draw(&state) * 0.55f + 0.5f) * (float)shape->bins);
    if (i % 97 == 0)
      value = i % 2 ? INT64_MIN : INT64_MAX; /* the low bytes are 0 and -1 */
    memcpy(x + (size_t)i * shape->bytes, &value, shape->bytes);
  }
  for (int32_t p = 0; p < PROGRAMS; p++) {
    int32_t left = n - p * shape->tile < shape->tile ? n - p * shape->tile : shape->tile;
    count(x + (size_t)(p * shape->tile) * shape->bytes, (size_t)left, shape->bytes,
          expected + p * shape->bins, shape->bins);
  }
  for (uint64_t seed = 0; seed < SEEDS && module; seed++) {
    int32_t *out = poisoned(out_bytes);
    LAUNCH(module, shape->kernel, GRID(PROGRAMS, 1, 1), seed, BUFFER(x, (size_t)n * shape->bytes),
           BUFFER(out, out_bytes), SCALAR(n));
    CHECK(memcmp(out, expected, out_bytes) == 0);
    free(out);
  }
  tile_module_unload(module);
  free(x);
  free(expected);
}

static void four_warps(void) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    run_shape(&shapes[i], 4);
}

static void one_warp(void) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    run_shape(&shapes[i], 1);
}

static void thirty_two_warps(void) {
  run_shape(&shapes[0], 32);
  run_shape(&shapes[1], 32);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"four warps", four_warps}, {"one warp", one_warp},
                          {"32 warps", thirty_two_warps});
}
