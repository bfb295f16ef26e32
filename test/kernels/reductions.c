/* SPDX-License-Identifier: MIT */
/* Kernels that reduce and scan, each of reductions.mlir against a double-precision reference; odd
   sizes, 1 to 16 warps, several seeds, checks on. Softmax runs on the tutorial's 1823 x 781. */
#include "kernel_test.h"

static tile_module *module; /* of reductions.mlir, for the warps under test */

static float from_bf16(uint16_t bits) {
  uint32_t word = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static uint16_t to_bf16(float value) { /* towards zero: only for inputs */
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return (uint16_t)(word >> 16);
}

static double from_half(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
  return bits & 0x8000 ? -value : value;
}

/* A number of f16 from 1 to 2 with either sign. */
static uint16_t random_half(uint64_t *seed) {
  uint32_t bits = (uint32_t)((draw(seed) + 1) * 32767.0f);
  return (uint16_t)(0x3C00 | (bits & 0x83FF));
}

/* exp of the difference to the row's maximum, and their sum. */
static double row_sum(const double *row, int count, double *out) {
  double most = row[0], sum = 0;
  for (int i = 1; i < count; i++)
    most = row[i] > most ? row[i] : most;
  for (int i = 0; i < count; i++)
    sum += out[i] = exp(row[i] - most);
  return sum;
}

static void softmax(void) {
  int32_t rows = 1823, columns = 781;
  size_t count = (size_t)rows * (size_t)columns, bytes = count * sizeof(float);
  float *x = random_floats(count, 1), *out = poisoned(bytes);
  for (size_t i = 0; i < count; i++)
    x[i] *= 8;
  LAUNCH(module, "softmax", GRID((uint32_t)rows, 1, 1), 1, BUFFER(x, bytes), BUFFER(out, bytes),
         SCALAR(columns));
  double row[781], e[781], worst = 0;
  for (int32_t r = 0; r < rows; r++) {
    for (int32_t i = 0; i < columns; i++)
      row[i] = x[r * columns + i];
    double sum = row_sum(row, columns, e);
    for (int32_t i = 0; i < columns; i++)
      worst = farther(worst, fabs(out[r * columns + i] - e[i] / sum) / (e[i] / sum));
  }
  CHECK(worst < 4e-6);
  free(x);
  free(out);
}

static void softmax_of_rows(void) {
  int32_t rows = 21, columns = 117;
  size_t count = (size_t)(rows * columns), bytes = count * sizeof(uint16_t);
  uint16_t *x = poisoned(bytes);
  uint64_t seed_of_x = 2;
  for (size_t i = 0; i < count; i++)
    x[i] = random_half(&seed_of_x);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    uint16_t *out = poisoned(bytes);
    LAUNCH(module, "softmax_rows", GRID(3, 1, 1), seed, BUFFER(x, bytes), BUFFER(out, bytes),
           SCALAR(rows), SCALAR(columns));
    double row[117], e[117], worst = 0;
    for (int32_t r = 0; r < rows; r++) {
      for (int32_t i = 0; i < columns; i++)
        row[i] = from_half(x[r * columns + i]);
      double sum = row_sum(row, columns, e);
      for (int32_t i = 0; i < columns; i++)
        worst = farther(worst, fabs(from_half(out[r * columns + i]) - e[i] / sum) / (e[i] / sum));
    }
    CHECK(worst < 0x1p-10);
    free(out);
  }
  free(x);
}

static void layernorm(void) {
  enum { ROWS = 7, COLUMNS = 1155 };
  int32_t columns = COLUMNS;
  float eps = 1e-5f;
  static uint16_t x[ROWS * COLUMNS], weight[COLUMNS], bias[COLUMNS];
  uint64_t state = seeded(3);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    x[i] = to_bf16(3 + 2 * draw(&state));
  for (int i = 0; i < COLUMNS; i++) {
    weight[i] = to_bf16(draw(&state));
    bias[i] = to_bf16(draw(&state));
  }
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    uint16_t *out = poisoned(sizeof x);
    float *means = poisoned(ROWS * sizeof *means);
    LAUNCH(module, "layernorm", GRID(ROWS, 1, 1), seed, BUFFER(x, sizeof x),
           BUFFER(weight, sizeof weight), BUFFER(bias, sizeof bias), BUFFER(out, sizeof x),
           BUFFER(means, ROWS * sizeof *means), SCALAR(columns), SCALAR(eps));
    double worst = 0;
    for (int r = 0; r < ROWS; r++) {
      double mean = 0, square = 0;
      for (int i = 0; i < COLUMNS; i++)
        mean += from_bf16(x[r * COLUMNS + i]) / (double)COLUMNS;
      for (int i = 0; i < COLUMNS; i++)
        square += pow(from_bf16(x[r * COLUMNS + i]) - mean, 2) / COLUMNS;
      CHECK(fabs(means[r] - mean) < 1e-5);
      for (int i = 0; i < COLUMNS; i++) {
        double y = (from_bf16(x[r * COLUMNS + i]) - mean) / sqrt(square + eps);
        y = y * from_bf16(weight[i]) + from_bf16(bias[i]);
        worst = farther(worst, fabs(from_bf16(out[r * COLUMNS + i]) - y));
      }
    }
    CHECK(worst < 0x1p-7); /* half a unit in the last place of bf16 below 4 */
    free(out);
    free(means);
  }
}

static void cumulative(void) {
  enum { ROWS = 16, COLUMNS = 64, PROGRAMS = 3, COUNT = ROWS * COLUMNS * PROGRAMS };
  static int32_t x[COUNT];
  for (int i = 0; i < COUNT; i++)
    x[i] = i * 7919 % 1000 - 500;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int32_t *along = poisoned(sizeof x), *up = poisoned(sizeof x);
    LAUNCH(module, "cumulative", GRID(PROGRAMS, 1, 1), seed, BUFFER(x, sizeof x),
           BUFFER(along, sizeof x), BUFFER(up, sizeof x));
    int wrong = 0;
    for (int p = 0; p < PROGRAMS * ROWS; p++)
      for (int j = 0, sum = 0; j < COLUMNS; j++)
        wrong += along[p * COLUMNS + j] != (sum += x[p * COLUMNS + j]);
    for (int p = 0; p < PROGRAMS; p++)
      for (int j = 0; j < COLUMNS; j++)
        for (int i = ROWS - 1, sum = 0; i >= 0; i--) {
          int at = (p * ROWS + i) * COLUMNS + j;
          wrong += up[at] != (sum += x[at]);
        }
    CHECK_EQUAL(wrong, 0);
    free(along);
    free(up);
  }
}

/* Values from a few, so that the largest occurs several times in most rows. */
static void argmax(void) {
  enum { ROWS = 33, COLUMNS = 389 };
  int32_t columns = COLUMNS;
  static float x[ROWS * COLUMNS];
  uint64_t state = seeded(4);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    x[i] = (float)(int)(draw(&state) * 100);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int32_t *out = poisoned(ROWS * sizeof *out);
    LAUNCH(module, "argmax", GRID(ROWS, 1, 1), seed, BUFFER(x, sizeof x),
           BUFFER(out, ROWS * sizeof *out), SCALAR(columns));
    for (int r = 0; r < ROWS; r++) {
      int best = 0;
      for (int i = 1; i < COLUMNS; i++)
        if (x[r * COLUMNS + i] > x[r * COLUMNS + best])
          best = i;
      CHECK_EQUAL(out[r], best);
    }
    free(out);
  }
}

static void run_all(int num_warps) {
  module = compile_kernels("reductions.mlir", num_warps);
  if (!module)
    return;
  if (num_warps == 4)
    softmax();
  softmax_of_rows();
  layernorm();
  cumulative();
  argmax();
  tile_module_unload(module);
}

static void one_warp(void) {
  run_all(1);
}

static void four_warps(void) {
  run_all(4);
}

static void sixteen_warps(void) {
  run_all(16);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"1 warp", one_warp}, {"4 warps", four_warps},
                          {"16 warps", sixteen_warps});
}
