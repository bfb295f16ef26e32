/* eight_bit.py: products of int8, exactly, and of fp8, against double. */
#include "product.h"

struct narrow_product {
  const char *a, *b, *c;
  int block[3], num_warps;
  bool transposed; /* b's columns are contiguous, as wgmma wants them */
  bool aligned; /* N and K are promised to be multiples of 16: loads become asynchronous copies */
  int max_imprecise; /* 0: None */
};

static struct matrix second(const struct narrow_product *p, struct size size, uint64_t seed) {
  return p->transposed ? matrix_random(p->b, 1, size.n, size.k, seed)
                       : matrix_random(p->b, 1, size.k, size.n, seed);
}

/* "stride_bk, stride_bn" */
static const char *strides_of_b(const struct narrow_product *p) {
  return p->transposed ? "1, i32:16" : "i32:16, 1";
}

/* --- int8
 * ----------------------------------------------------------------------------------------------------
 */

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
  double *expected = product_of(&a, &b, p->transposed);
  FOR_EACH_ELEMENT(&c, batch, i, j)
  expected[i * size.n + j] *=
      has_scale ? matrix_at(&a_scale, 0, 0, i) * matrix_at(&b_scale, 0, 0, j) : 1;
  check_matrix("int8", &c, expected, has_scale ? 0x1p-20 * size.k * 128 * 128 : 0);
  free(expected);
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
  tile_module *module =
      compile_product("eight_bit.py", "matmul_int8_kernel", signature, p->num_warps, target);
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

/* --- fp8
 * -------------------------------------------------------------------------------------------------------
 */

static double fp8_error(const struct narrow_product *p, int k) {
  return fp8_sum_error(k, p->max_imprecise ? p->max_imprecise : k);
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
  double *expected = product_of(&a, &b, p->transposed);
  FOR_EACH_ELEMENT(&c, batch, i, j)
  expected[i * size.n + j] *= (double)scale;
  check_matrix("fp8", &c, expected, fp8_error(p, size.k));
  free(expected);
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
  tile_module *module =
      compile_product("eight_bit.py", "matmul_fp8_kernel", signature, p->num_warps, target);
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

/* --- Scales for blocks of 128
 * ------------------------------------------------------------------------------------ */

enum { SCALED_N = 80, SCALED_K = 272, SCALED_BLOCK = 128 };

static void check_blocks(tile_module *module, const struct narrow_product *p, int32_t m,
                         uint64_t seed) {
  int steps = (SCALED_K + SCALED_BLOCK - 1) / SCALED_BLOCK;
  struct matrix a = matrix_random(p->a, 1, m, SCALED_K, seed),
                b = matrix_random(p->b, 1, SCALED_N, SCALED_K, seed + 10);
  struct matrix c = matrix_empty(p->c, 1, m, SCALED_N);
  float *a_scale = random_floats((size_t)(m * steps), seed + 20),
        *b_scale = random_floats((size_t)steps, seed + 30);
  LAUNCH_TWICE(module, "matmul_fp8_blocks_kernel",
               GRID(tiles(m, p->block[0]), tiles(SCALED_N, p->block[1]), 1), seed, &c, MATRIX(a),
               MATRIX(b), MATRIX(c), BUFFER(a_scale, (size_t)(m * steps) * 4),
               BUFFER(b_scale, (size_t)steps * 4), SCALAR(m));
  double *expected = calloc((size_t)(m * SCALED_N), sizeof *expected);
  double *x = matrix_doubles(&a), *y = matrix_doubles(&b);
  FOR_EACH_ELEMENT(&c, batch, i, j)
  for (int k = 0; k < SCALED_K; k++)
    expected[i * SCALED_N + j] += x[i * SCALED_K + k] * y[j * SCALED_K + k] *
                                  (double)a_scale[i * steps + k / SCALED_BLOCK] *
                                  (double)b_scale[k / SCALED_BLOCK];
  free(x);
  free(y);
  check_matrix("fp8 in blocks", &c, expected, fp8_error(p, SCALED_K));
  free(expected);
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
           SCALED_N, SCALED_K, p->block[0], p->block[1], p->block[2]);
  tile_module *module =
      compile_product("eight_bit.py", "matmul_fp8_blocks_kernel", signature, p->num_warps, target);
  if (!module)
    return;
  static const int32_t rows[] = {1, 17, 129};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_blocks(module, p, rows[i], i + 1);
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

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"int8", int8}, {"fp8", fp8}, {"partial sums", partial_sums},
                          {"fp8 blocks", fp8_blocks});
}
