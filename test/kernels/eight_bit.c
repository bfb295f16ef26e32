/* SPDX-License-Identifier: MIT */
/* eight_bit.py: products of int8, exactly, and of fp8, against double. */
#include "product.h"

struct narrow_product {
  const char *a, *b, *c;
  int block[3], num_warps;
  bool transposed; /* b's columns are contiguous, as wgmma wants them */
  bool aligned; /* N and K are promised to be multiples of 16: loads become asynchronous copies */
  int max_imprecise; /* 0: None */
  int num_stages;    /* 0: the usual */
};

static struct matrix second(const struct narrow_product *p, struct size size, uint64_t seed) {
  return p->transposed ? matrix_random(p->b, 1, size.n, size.k, seed)
                       : matrix_random(p->b, 1, size.k, size.n, seed);
}

/* "stride_bk, stride_bn" */
static const char *strides_of_b(const struct narrow_product *p) {
  return p->transposed ? "1, i32:16" : "i32:16, 1";
}

/* --- int8 ------------------------------------------------------------------------------------- */

/* The sum becomes an f32 and is multiplied twice. */
static void check_large_int8(const struct narrow_product *p, const struct matrix *a,
                             const struct matrix *b, const struct matrix *c,
                             const struct matrix *a_scale, const struct matrix *b_scale) {
  struct lines rows = lines_of(matrix_view(a, 0)), columns = lines_of_columns(b, 0, p->transposed);
  struct allowed allowed = allowed_for(p->a, p->c, a->columns, a->columns);
  if (a_scale) {
    lines_scale(&rows, a_scale->data, 1, rows.k);
    lines_scale(&columns, b_scale->data, 1, rows.k);
    allowed.result += 3 * 0x1p-24;
    allowed.sum = 0x1p-48; /* doubles are not exact either */
  }
  struct view result = matrix_view(c, 0);
  check_large("int8", &result, &rows, &columns, allowed);
  CHECK_EQUAL(count_overrun(c), 0);
  lines_free(&rows);
  lines_free(&columns);
}

/* NULL: no scales. */
static void check_int8_result(const struct narrow_product *p, const struct matrix *a,
                              const struct matrix *b, const struct matrix *c,
                              const struct matrix *a_scale, const struct matrix *b_scale) {
  if (large_test) {
    check_large_int8(p, a, b, c, a_scale, b_scale);
    return;
  }
  double *expected = product_of(a, b, p->transposed);
  FOR_EACH_ELEMENT(c, batch, i, j)
  expected[i * c->columns + j] *=
      a_scale ? matrix_at(a_scale, 0, 0, i) * matrix_at(b_scale, 0, 0, j) : 1;
  check_matrix("int8", c, expected, a_scale ? 0x1p-20 * a->columns * 128 * 128 : 0);
  free(expected);
}

static void check_int8(tile_module *module, const void *product, struct size size, uint64_t seed) {
  const struct narrow_product *p = product;
  bool has_scale = strcmp(p->c, "i32") != 0;
  struct matrix a = matrix_random(p->a, 1, size.m, size.k, seed), b = second(p, size, seed + 10);
  struct matrix c = matrix_empty(p->c, 1, size.m, size.n);
  struct matrix a_scale = matrix_random("fp32", 1, 1, size.m, seed + 20);
  struct matrix b_scale = matrix_random("fp32", 1, 1, size.n, seed + 30);
  struct argument arguments[12] = {MATRIX(a), MATRIX(b), MATRIX(c)};
  size_t count = 3;
  if (has_scale) {
    arguments[count++] = (struct argument)MATRIX(a_scale);
    arguments[count++] = (struct argument)MATRIX(b_scale);
  }
  const struct argument scalars[] = {SCALAR(size.m),   SCALAR(size.n),   SCALAR(size.k),
                                     SCALAR(a.stride), SCALAR(b.stride), SCALAR(c.stride)};
  memcpy(arguments + count, scalars, sizeof scalars);
  count += sizeof scalars / sizeof *scalars;
  launch_twice(module, "matmul_int8_kernel",
               GRID(tiles(size.m, p->block[0]), tiles(size.n, p->block[1]), 1), seed, arguments,
               count, &c);
  check_int8_result(p, &a, &b, &c, has_scale ? &a_scale : NULL, &b_scale);
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
  matrix_free(&a_scale);
  matrix_free(&b_scale);
}

static void compile_int8(const char *target, const void *data) {
  const struct narrow_product *p = data;
  bool has_scale = strcmp(p->c, "i32") != 0;
  const char *size = p->aligned ? "i32:16" : "i32", *scale = has_scale ? "*fp32:16" : "None";
  char signature[200];
  snprintf(signature, sizeof signature,
           "*i8:16, *i8:16, *%s:16, %s, %s, i32, %s, %s, i32:16, 1, %s, i32:16, 1, %s, %d, %d, %d",
           p->c, scale, scale, size, size, strides_of_b(p), has_scale ? "True" : "False",
           p->block[0], p->block[1], p->block[2]);
  tile_module *module = compile_staged("eight_bit.py", "matmul_int8_kernel", signature,
                                       p->num_warps, p->num_stages, target);
  if (!module)
    return;
  for_each_size(check_int8, module, p, p->aligned, target);
  tile_module_unload(module);
}

static void int8(void) {
  static const struct narrow_product rows[] = {
      {"i8", "i8", "i32", {64, 32, 64}, 4, true, true, 0},
      {"i8", "i8", "i32", {64, 32, 32}, 4, false, true, 0},
      {"i8", "i8", "bf16", {32, 32, 32}, 2, true, false, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(compile_int8, &rows[i]);
}

static void large_int8(void) {
  static const struct narrow_product rows[] = {
      {"i8", "i8", "i32", {128, 128, 128}, 8, true, true, 0, 3},
      {"i8", "i8", "i32", {128, 256, 128}, 8, true, true, 0, 3},
      {"i8", "i8", "i32", {128, 64, 64}, 4, false, true, 0, 4},
      {"i8", "i8", "i32", {16, 128, 128}, 4, true, true, 0, 4},
      {"i8", "i8", "bf16", {64, 128, 64}, 4, true, false, 0, 3},
      {"i8", "i8", "bf16", {128, 128, 128}, 8, true, true, 0, 4},
      {"i8", "i8", "fp32", {64, 64, 64}, 4, false, false, 0, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(compile_int8, &rows[i]);
}

/* --- fp8 -------------------------------------------------------------------------------------- */

static double fp8_error(const struct narrow_product *p, int k) {
  return fp8_sum_error(k, p->max_imprecise ? p->max_imprecise : k);
}

/* Sums are multiplied once more. */
static struct allowed fp8_allowed(const struct narrow_product *p, int k, int alone) {
  struct allowed allowed = allowed_for(p->a, p->c, k, alone);
  allowed.result += 0x1p-24;
  return allowed;
}

static void check_large_fp8(const struct narrow_product *p, const struct matrix *a,
                            const struct matrix *b, const struct matrix *c, float scale) {
  struct lines rows = lines_of(matrix_view(a, 0)), columns = lines_of_columns(b, 0, p->transposed);
  lines_scale(&rows, &scale, rows.count, rows.k);
  struct view result = matrix_view(c, 0);
  check_large("fp8", &result, &rows, &columns,
              fp8_allowed(p, a->columns, p->max_imprecise ? p->max_imprecise : a->columns));
  CHECK_EQUAL(count_overrun(c), 0);
  lines_free(&rows);
  lines_free(&columns);
}

static void check_fp8_result(const struct narrow_product *p, const struct matrix *a,
                             const struct matrix *b, const struct matrix *c, float scale) {
  if (large_test) {
    check_large_fp8(p, a, b, c, scale);
    return;
  }
  double *expected = product_of(a, b, p->transposed);
  FOR_EACH_ELEMENT(c, batch, i, j)
  expected[i * c->columns + j] *= (double)scale;
  check_matrix("fp8", c, expected, fp8_error(p, a->columns));
  free(expected);
}

static void check_fp8(tile_module *module, const void *product, struct size size, uint64_t seed) {
  const struct narrow_product *p = product;
  struct matrix a = matrix_random(p->a, 1, size.m, size.k, seed), b = second(p, size, seed + 10);
  struct matrix c = matrix_empty(p->c, 1, size.m, size.n);
  float scale = 0.75f;
  LAUNCH_TWICE(module, "matmul_fp8_kernel",
               GRID(tiles(size.m, p->block[0]) * tiles(size.n, p->block[1]), 1, 1), seed, &c,
               MATRIX(a), MATRIX(b), MATRIX(c), SCALAR(scale), SCALAR(size.m), SCALAR(size.n),
               SCALAR(size.k), SCALAR(a.stride), SCALAR(b.stride), SCALAR(c.stride));
  check_fp8_result(p, &a, &b, &c, scale);
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
}

static void compile_fp8(const char *target, const void *data) {
  const struct narrow_product *p = data;
  const char *size = p->aligned ? "i32:16" : "i32";
  char signature[200], imprecise[16] = "None";
  if (p->max_imprecise)
    snprintf(imprecise, sizeof imprecise, "%d", p->max_imprecise);
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, fp32, i32, %s, %s, i32:16, 1, %s, i32:16, 1, %d, %d, %d, 2, %s",
           p->a, p->b, p->c, size, size, strides_of_b(p), p->block[0], p->block[1], p->block[2],
           imprecise);
  tile_module *module = compile_staged("eight_bit.py", "matmul_fp8_kernel", signature, p->num_warps,
                                       p->num_stages, target);
  if (!module)
    return;
  for_each_size(check_fp8, module, p, p->aligned, target);
  tile_module_unload(module);
}

static void fp8(void) {
  static const struct narrow_product rows[] = {
      {"fp8e4nv", "fp8e4nv", "bf16", {64, 32, 64}, 4, true, true, 0},
      {"fp8e5", "fp8e5", "fp32", {64, 32, 64}, 4, true, true, 32},
      {"fp8e4nv", "fp8e5", "fp16", {32, 32, 32}, 2, false, false, 0},
      {"fp8e5", "fp8e4nv", "fp32", {32, 32, 64}, 4, true, false, 32},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for_each_target(compile_fp8, &rows[i]);
    if (tile_device_get_driver(test_device) == tile_emulator_driver())
      compile_fp8("sm_89", &rows[i]); /* whose mma.sync takes fp8; on sm_80 it is widened */
  }
}

static void large_fp8(void) {
  static const struct narrow_product rows[] = {
      {"fp8e4nv", "fp8e4nv", "bf16", {128, 128, 128}, 8, true, true, 0, 3},
      {"fp8e4nv", "fp8e4nv", "fp32", {128, 256, 128}, 8, true, true, 0, 3},
      {"fp8e5", "fp8e5", "fp32", {128, 128, 128}, 8, true, true, 32, 3},
      {"fp8e4nv", "fp8e4nv", "bf16", {128, 128, 128}, 4, true, true, 128, 4},
      {"fp8e4nv", "fp8e5", "fp16", {64, 128, 64}, 4, false, false, 0, 3},
      {"fp8e5", "fp8e4nv", "fp32", {64, 64, 64}, 4, true, false, 32, 4},
      {"fp8e4nv", "fp8e4nv", "bf16", {16, 128, 128}, 4, true, true, 0, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(compile_fp8, &rows[i]);
}

/* 2^30, and in the next 32 products 128: each alone is less than half of a unit in the last place
 * of the sum, and gets lost unless these products are summed first. */
static void check_partial(const char *target, const int block[3], int num_warps) {
  enum { M = 17, N = 33, K = 64, LARGE = 1 << 15 };
  char signature[160];
  snprintf(
      signature, sizeof signature,
      "*fp8e5:16, *fp8e5:16, *fp32:16, fp32, i32, i32, i32:16, i32:16, 1, 1, i32:16, i32:16, 1, "
      "%d, %d, %d, 2, 32",
      block[0], block[1], block[2]);
  tile_module *module =
      compile_product("eight_bit.py", "matmul_fp8_kernel", signature, num_warps, target);
  if (!module)
    return;
  struct matrix a = matrix_empty("fp8e5", 1, M, K), b = matrix_empty("fp8e5", 1, N, K);
  struct matrix c = matrix_empty("fp32", 1, M, N);
  FOR_EACH_ELEMENT(&a, batch, i, k)
  number_write(a.data, matrix_place(&a, batch, i, k), a.type, k == 0 ? LARGE : k < 32 ? 0 : 2);
  FOR_EACH_ELEMENT(&b, batch, j, k)
  number_write(b.data, matrix_place(&b, batch, j, k), b.type, k == 0 ? LARGE : 2);
  float scale = 1;
  int32_t m = M, n = N, k = K;
  LAUNCH(module, "matmul_fp8_kernel", GRID(tiles(M, block[0]) * tiles(N, block[1]), 1, 1), 1,
         MATRIX(a), MATRIX(b), MATRIX(c), SCALAR(scale), SCALAR(m), SCALAR(n), SCALAR(k),
         SCALAR(a.stride), SCALAR(b.stride), SCALAR(c.stride));
  int wrong = 0;
  FOR_EACH_ELEMENT(&c, batch, i, j)
  wrong += matrix_at(&c, batch, i, j) != 0x1p30 + 128;
  CHECK_EQUAL(wrong, 0);
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
  tile_module_unload(module);
}

static void partial_sums(void) {
  check_partial("sm_90a", (const int[]){64, 32, 64}, 4); /* wgmma, two parts of one product */
  check_partial("sm_90a", (const int[]){64, 32, 32}, 4);
  check_partial("sm_90a", (const int[]){32, 16, 64}, 2); /* mma.sync */
  check_partial("sm_89", (const int[]){64, 32, 64}, 4);
}

/* --- Scales for blocks of 128 ----------------------------------------------------------------- */

enum { SCALED_BLOCK = 128 };

/* N and K, which the kernel has as constants; multiples of 16. */
static int32_t scaled_n(void) {
  return large_test ? round_up(shrink_number(2896)) : 80;
}

static int32_t scaled_k(void) {
  return large_test ? round_up(shrink_number(4112)) : 272;
}

static int scaled_blocks(int32_t size) {
  return (size + SCALED_BLOCK - 1) / SCALED_BLOCK;
}

/* The sum of each block is left to the tensor cores. */
static void check_scaled_lines(const struct narrow_product *p, const struct matrix *a,
                               const struct matrix *b, const struct matrix *c, const float *a_scale,
                               const float *b_scale) {
  struct lines rows = lines_of(matrix_view(a, 0)), columns = lines_of_columns(b, 0, true);
  lines_scale(&rows, a_scale, 1, SCALED_BLOCK);
  lines_scale(&columns, b_scale, SCALED_BLOCK, SCALED_BLOCK);
  if (large_test) {
    struct view result = matrix_view(c, 0);
    check_large("fp8 in blocks", &result, &rows, &columns,
                fp8_allowed(p, a->columns, SCALED_BLOCK));
    CHECK_EQUAL(count_overrun(c), 0);
  } else {
    double *expected = calloc((size_t)(c->rows * c->columns), sizeof *expected);
    FOR_EACH_ELEMENT(c, batch, i, j)
    expected[i * c->columns + j] =
        dot(rows.values + i * rows.k, columns.values + j * rows.k, rows.k);
    check_matrix("fp8 in blocks", c, expected, fp8_error(p, a->columns));
    free(expected);
  }
  lines_free(&rows);
  lines_free(&columns);
}

static void check_blocks(tile_module *module, const struct narrow_product *p, int32_t m,
                         uint64_t seed) {
  int32_t n = scaled_n(), k = scaled_k();
  struct matrix a = matrix_random(p->a, 1, m, k, seed), b = matrix_random(p->b, 1, n, k, seed + 10);
  struct matrix c = matrix_empty(p->c, 1, m, n);
  size_t a_scales = (size_t)(m * scaled_blocks(k)),
         b_scales = (size_t)(scaled_blocks(n) * scaled_blocks(k));
  float *a_scale = random_floats(a_scales, seed + 20),
        *b_scale = random_floats(b_scales, seed + 30);
  LAUNCH_TWICE(module, "matmul_fp8_blocks_kernel",
               GRID(tiles(m, p->block[0]), tiles(n, p->block[1]), 1), seed, &c, MATRIX(a),
               MATRIX(b), MATRIX(c), BUFFER(a_scale, a_scales * sizeof(float)),
               BUFFER(b_scale, b_scales * sizeof(float)), SCALAR(m));
  check_scaled_lines(p, &a, &b, &c, a_scale, b_scale);
  free(a_scale);
  free(b_scale);
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
}

static void compile_blocks(const char *target, const void *data) {
  const struct narrow_product *p = data;
  char signature[160];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, *fp32:16, *fp32:16, i32, %d, %d, %d, %d, %d", p->a, p->b, p->c,
           scaled_n(), scaled_k(), p->block[0], p->block[1], p->block[2]);
  tile_module *module = compile_staged("eight_bit.py", "matmul_fp8_blocks_kernel", signature,
                                       p->num_warps, p->num_stages, target);
  if (!module)
    return;
  static const int32_t small_rows[] = {1, 17, 129}, large_rows[] = {1, 16, 1021, 4096};
  for (size_t i = 0; i < (large_test ? 4 : 3); i++)
    check_blocks(module, p, large_test ? shrink_number(large_rows[i]) : small_rows[i], i + 1);
  tile_module_unload(module);
}

static void fp8_blocks(void) {
  static const struct narrow_product rows[] = {
      {"fp8e4nv", "fp8e4nv", "bf16", {64, 64, 128}, 4, true, true, 0},
      {"fp8e5", "fp8e4nv", "fp32", {16, 32, 128}, 2, true, true, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(compile_blocks, &rows[i]);
}

static void large_fp8_blocks(void) {
  static const struct narrow_product rows[] = {
      {"fp8e4nv", "fp8e4nv", "bf16", {128, 128, 128}, 8, true, true, 0, 3},
      {"fp8e4nv", "fp8e4nv", "bf16", {64, 128, 128}, 4, true, true, 0, 4},
      {"fp8e5", "fp8e4nv", "fp32", {16, 128, 128}, 4, true, true, 0, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(compile_blocks, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"int8", int8}, {"fp8", fp8}, {"partial sums", partial_sums},
                          {"fp8 blocks", fp8_blocks}, {"large int8", large_int8},
                          {"large fp8", large_fp8}, {"large fp8 blocks", large_fp8_blocks});
}
