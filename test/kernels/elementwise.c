/* SPDX-License-Identifier: MIT */
/* Two- and three-dimensional tiles, control flow, scalars, calls, and every element type, each
   kernel of elementwise.mlir against its reference; several seeds and numbers of warps, checks on.
 */
#include "kernel_test.h"

static tile_module *module; /* of elementwise.mlir, for the warps under test */

static void scale_and_bias(void) {
  int32_t rows = 50, columns = 80, stride = 96; /* neither a multiple of the tile */
  size_t bytes = (size_t)(rows * stride) * sizeof(float);
  float *x = random_floats((size_t)(rows * stride), 1), *row_scale = random_floats(50, 2);
  float *column_bias = random_floats(80, 3);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    float *out = poisoned(bytes), *untouched = poisoned(bytes);
    LAUNCH(module, "scale_and_bias", GRID(2, 2, 1), seed, BUFFER(x, bytes),
           BUFFER(row_scale, 50 * sizeof(float)), BUFFER(column_bias, 80 * sizeof(float)),
           BUFFER(out, bytes), SCALAR(rows), SCALAR(columns), SCALAR(stride));
    int wrong = 0;
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < stride; j++) {
        int at = i * stride + j;
        float expected = j < columns ? fmaf(x[at], row_scale[i], column_bias[j]) : untouched[at];
        wrong += memcmp(&out[at], &expected, sizeof expected) != 0;
      }
    CHECK_EQUAL(wrong, 0);
    free(out);
    free(untouched);
  }
  free(x);
  free(row_scale);
  free(column_bias);
}

static void transpose(void) {
  int32_t n = 96;
  size_t bytes = (size_t)(n * n) * sizeof(float);
  float *x = random_floats((size_t)(n * n), 4);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    float *out = poisoned(bytes);
    LAUNCH(module, "transpose", GRID(3, 3, 1), seed, BUFFER(x, bytes), BUFFER(out, bytes),
           SCALAR(n));
    int wrong = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        wrong += out[j * n + i] != x[i * n + j];
    CHECK_EQUAL(wrong, 0);
    free(out);
  }
  free(x);
}

/* One loaded vector along rows and columns: it changes its layout through shared memory. */
static void outer_difference(void) {
  float *x = random_floats(16, 5);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    float *out = poisoned(256 * sizeof(float));
    LAUNCH(module, "outer_difference", GRID(1, 1, 1), seed, BUFFER(x, 16 * sizeof(float)),
           BUFFER(out, 256 * sizeof(float)));
    int wrong = 0;
    for (int i = 0; i < 16; i++)
      for (int j = 0; j < 16; j++)
        wrong += out[i * 16 + j] != x[i] - x[j];
    CHECK_EQUAL(wrong, 0);
    free(out);
  }
  free(x);
}

static void three_dimensions(void) {
  int64_t *x = poisoned(512 * sizeof *x);
  for (int i = 0; i < 512; i++)
    x[i] = (int64_t)i * 1000003 - 7;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    int64_t *out = poisoned(512 * sizeof *out);
    LAUNCH(module, "add_indices", GRID(1, 1, 1), seed, BUFFER(x, 512 * sizeof *x),
           BUFFER(out, 512 * sizeof *out));
    int wrong = 0;
    for (int i = 0; i < 512; i++)
      wrong += out[i] != x[i] + i / 128 * 100 + i / 16 % 8 * 10 + i % 16;
    CHECK_EQUAL(wrong, 0);
    free(out);
  }
  free(x);
}

static int32_t collatz_steps(int32_t v, int32_t limit) {
  int32_t count = 0;
  for (int32_t turn = 0; turn < limit && v != 1; turn++, count++)
    v = v % 2 ? 3 * v + 1 : v / 2;
  return count;
}

static void loops_and_branches(void) {
  int32_t limit = 150;
  int32_t *x = poisoned(128 * sizeof *x);
  for (int i = 0; i < 128; i++)
    x[i] = i * 31 + 1;
  for (int negate = 0; negate < 2; negate++) {
    bool flag = negate;
    int32_t *out = poisoned(128 * sizeof *out);
    LAUNCH(module, "collatz", GRID(1, 1, 1), 7, BUFFER(x, 128 * sizeof *x),
           BUFFER(out, 128 * sizeof *out), SCALAR(flag), SCALAR(limit));
    int wrong = 0;
    for (int i = 0; i < 128; i++)
      wrong += out[i] != (negate ? -1 : 1) * collatz_steps(x[i], limit);
    CHECK_EQUAL(wrong, 0);
    free(out);
  }
  free(x);
}

static void pointers_that_spread(void) {
  int32_t steps = 4;
  size_t count = 255 * 4 + 1;
  float *x = random_floats(count, 6);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    float *out = poisoned(256 * sizeof *out);
    LAUNCH(module, "triangle", GRID(1, 1, 1), seed, BUFFER(x, count * sizeof *x),
           BUFFER(out, 256 * sizeof *out), SCALAR(steps));
    int wrong = 0;
    for (int i = 0; i < 256; i++) {
      float sum = 0;
      for (int t = 0; t < steps; t++)
        sum += x[i + t * i];
      wrong += out[i] != sum;
    }
    CHECK_EQUAL(wrong, 0);
    free(out);
  }
  free(x);
}

static void scalars(void) {
  double x[9], out[9];
  int32_t sizes[9];
  for (int i = 0; i < 9; i++)
    x[i] = 1.0 / (i + 3);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    memset(out, 0xCB, sizeof out);
    memset(sizes, 0xCB, sizeof sizes);
    LAUNCH(module, "scalars", GRID(9, 1, 1), seed, BUFFER(x, sizeof x), BUFFER(out, sizeof out),
           BUFFER(sizes, sizeof sizes));
    for (int i = 0; i < 9; i++) {
      CHECK(out[i] == x[i] * x[i]);
      CHECK_EQUAL(sizes[i], 9);
    }
  }
}

static void in_place_through_a_call(void) {
  int32_t n = 200;
  float *original = random_floats(256, 8);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    float *x = poisoned(256 * sizeof *x);
    memcpy(x, original, 256 * sizeof *x);
    LAUNCH(module, "call_square", GRID(1, 1, 1), seed, BUFFER(x, 256 * sizeof *x), SCALAR(n));
    int wrong = 0;
    for (int i = 0; i < 256; i++)
      wrong += x[i] != (i < n ? original[i] * original[i] : original[i]);
    CHECK_EQUAL(wrong, 0);
    free(x);
  }
  free(original);
}

/* --- Every element type ----------------------------------------------------------------------- */

struct element {
  const char *name;
  size_t bytes;
};

static const struct element elements[] = {{"i1", 1},   {"i8", 1},  {"i16", 2},
                                          {"i32", 4},  {"i64", 8}, {"f16", 2},
                                          {"bf16", 2}, {"f32", 4}, {"f64", 8}};

/* Random bytes that are valid for the type: i1 is 0 or 1; floats are compared as bits, so NaNs with
   any payload are kept out by clearing an exponent bit. */
static void fill(const struct element *element, unsigned char *bytes, size_t count) {
  uint64_t state = seeded(99);
  for (size_t i = 0; i < count * element->bytes; i++) {
    draw(&state);
    bytes[i] = (unsigned char)(state >> 56);
    if (element->bytes == 1 && element->name[1] == '1')
      bytes[i] &= 1;
    if (element->name[0] != 'i' && i % element->bytes == element->bytes - 1)
      bytes[i] &= 0xBF;
  }
}

static void select_elements(const struct element *element) {
  enum { COUNT = 512 };
  size_t bytes = COUNT * element->bytes;
  unsigned char *x = poisoned(bytes), *mask = poisoned(COUNT), other[8] = {1, 0, 0, 0, 0, 0, 0, 0};
  fill(element, x, COUNT);
  for (int i = 0; i < COUNT; i++)
    mask[i] = (unsigned char)(i * i % 7 < 3);
  char name[32];
  snprintf(name, sizeof name, "select_%s", element->name);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    unsigned char *out = poisoned(bytes);
    LAUNCH(module, name, GRID(1, 1, 1), seed, BUFFER(x, bytes), BUFFER(mask, COUNT),
           BUFFER(out, bytes), {"other", other, 0});
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
      wrong += memcmp(out + i * element->bytes, mask[i] ? x + i * element->bytes : other,
                      element->bytes) != 0;
    CHECK_EQUAL(wrong, 0);
    free(out);
  }
  free(x);
  free(mask);
}

static void copy_elements(const struct element *element) {
  enum { COUNT = 2048 };
  int32_t n = 1040;
  size_t bytes = COUNT * element->bytes, valid = (size_t)n * element->bytes;
  unsigned char *x = poisoned(valid), other[8] = {1, 0, 0, 0, 0, 0, 0, 0};
  fill(element, x, (size_t)n);
  char name[32];
  snprintf(name, sizeof name, "copy_%s", element->name);
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    unsigned char *out = poisoned(bytes);
    LAUNCH(module, name, GRID(1, 1, 1), seed, BUFFER(x, valid), BUFFER(out, bytes), SCALAR(n),
           {"other", other, 0});
    CHECK(memcmp(out, x, valid) == 0);
    int wrong = 0;
    for (size_t i = (size_t)n; i < COUNT; i++)
      wrong += memcmp(out + i * element->bytes, other, element->bytes) != 0;
    CHECK_EQUAL(wrong, 0);
    free(out);
  }
  free(x);
}

static void every_type(void) {
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
    select_elements(&elements[i]);
    copy_elements(&elements[i]);
  }
}

static void with_warps(int num_warps) {
  module = compile_kernels("elementwise.mlir", num_warps);
  if (!module)
    return;
  scale_and_bias();
  transpose();
  outer_difference();
  three_dimensions();
  loops_and_branches();
  pointers_that_spread();
  scalars();
  in_place_through_a_call();
  every_type();
  tile_module_unload(module);
}

static void one_warp(void) {
  with_warps(1);
}

static void four_warps(void) {
  with_warps(4);
}

static void sixteen_warps(void) {
  with_warps(16);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"1 warp", one_warp}, {"4 warps", four_warps},
                          {"16 warps", sixteen_warps});
}
