/* SPDX-License-Identifier: MIT */
/* split_k.py: programs that share a tile of the product, by atomic additions and by a count of
   those that are done, against double. */
#include "product.h"

struct split_product {
  const char *in, *out;
  int block[3], split, num_warps;
  bool aligned;   /* N and K are promised to be multiples of 16 */
  int num_stages; /* 0: the usual */
};

/* A result to which all programs add; bits depend on their order. f16 and bf16 round at each
 * addition. */
static void check_sum(tile_module *module, const void *product, struct size size, uint64_t seed) {
  const struct split_product *p = product;
  struct matrix a = matrix_random(p->in, 1, size.m, size.k, seed);
  struct matrix b = matrix_random(p->in, 1, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(p->out, 1, size.m, size.n);
  for (int i = 0; i < c.rows; i++)
    memset((char *)c.data + matrix_place(&c, 0, i, 0) * number_bytes(c.type), 0,
           (size_t)c.columns * number_bytes(c.type));
  LAUNCH(module, "matmul_split_k_kernel",
         GRID(tiles(size.m, p->block[0]) * tiles(size.n, p->block[1]), (uint32_t)p->split, 1), seed,
         MATRIX(a), MATRIX(b), MATRIX(c), SCALAR(size.m), SCALAR(size.n), SCALAR(size.k),
         SCALAR(a.stride), SCALAR(b.stride), SCALAR(c.stride));
  double additions = p->split * rounding_of(p->out); /* relative to sums, below 2 sqrt(k) */
  struct allowed allowed = allowed_for(p->in, p->out, size.k, size.k);
  allowed.sum += additions;
  check_product_within("split k", &a, &b, false, &c,
                       sum_error(size.k) + additions * sqrt(size.k) * 2, allowed);
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
}

static void check_atomics(const char *target, const void *data) {
  const struct split_product *p = data;
  const char *size = p->aligned ? "i32:16" : "i32";
  char signature[200];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, i32, %s, %s, i32:16, 1, i32:16, 1, i32:16, 1, %d, %d, %d, %d, "
           "False, 2",
           p->in, p->in, p->out, size, size, p->block[0], p->block[1], p->block[2], p->split);
  tile_module *module = compile_staged("split_k.py", "matmul_split_k_kernel", signature,
                                       p->num_warps, p->num_stages, target);
  if (!module)
    return;
  for_each_size(check_sum, module, p, p->aligned, target);
  tile_module_unload(module);
}

static void atomics(void) {
  static const struct split_product rows[] = {
      {"fp16", "fp32", {64, 64, 32}, 2, 4, true},
      {"bf16", "bf16", {32, 32, 16}, 3, 2, false},
      {"fp16", "fp16", {32, 64, 16}, 4, 4, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_atomics, &rows[i]);
}

static void large_atomics(void) {
  static const struct split_product rows[] = {
      {"fp16", "fp32", {128, 128, 64}, 4, 8, true, 3},
      {"bf16", "fp32", {64, 64, 64}, 16, 4, true, 4},
      {"fp16", "fp16", {32, 64, 64}, 8, 4, true, 4},
      {"bf16", "bf16", {64, 128, 32}, 3, 4, false, 3},
      {"fp32", "fp32", {128, 64, 32}, 4, 4, true, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_atomics, &rows[i]);
}

/* --- The last one adds up --------------------------------------------------------------------- */

static void check_last(tile_module *module, const void *product, struct size size, uint64_t seed) {
  const struct split_product *p = product;
  struct matrix a = matrix_random(p->in, 1, size.m, size.k, seed);
  struct matrix b = matrix_random(p->in, 1, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(p->out, 1, size.m, size.n);
  struct matrix parts = matrix_empty("fp32", p->split, size.m, size.n);
  uint32_t grid[] = {tiles(size.m, p->block[0]), tiles(size.n, p->block[1]), (uint32_t)p->split};
  size_t count = (size_t)grid[0] * grid[1];
  int32_t *counts = calloc(count, sizeof *counts);
  LAUNCH_TWICE(module, "matmul_split_k_last_kernel", grid, seed, &c, MATRIX(a), MATRIX(b),
               MATRIX(c), MATRIX(parts), BUFFER(counts, count * sizeof *counts), SCALAR(size.m),
               SCALAR(size.n), SCALAR(size.k), SCALAR(a.stride), SCALAR(b.stride),
               SCALAR(c.stride));
  for (size_t i = 0; i < count; i++)
    CHECK_EQUAL(counts[i], 0);
  free(counts);
  check_product("split k, in order", &a, &b, false, &c, sum_error(size.k));
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
  matrix_free(&parts);
}

static void check_counted(const char *target, const void *data) {
  const struct split_product *p = data;
  const char *size = p->aligned ? "i32:16" : "i32";
  char signature[200];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, *fp32:16, *i32:16, i32, %s, %s, i32:16, i32:16, i32:16, %d, "
           "%d, %d, %d",
           p->in, p->in, p->out, size, size, p->block[0], p->block[1], p->block[2], p->split);
  tile_module *module = compile_staged("split_k.py", "matmul_split_k_last_kernel", signature,
                                       p->num_warps, p->num_stages, target);
  if (!module)
    return;
  for_each_size(check_last, module, p, p->aligned, target);
  tile_module_unload(module);
}

static void counted(void) {
  static const struct split_product rows[] = {
      {"fp16", "fp16", {64, 64, 32}, 3, 4, true},
      {"fp32", "fp32", {32, 32, 32}, 2, 4, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_counted, &rows[i]);
}

static void large_counted(void) {
  static const struct split_product rows[] = {
      {"fp16", "fp16", {128, 128, 64}, 4, 8, true, 3},
      {"bf16", "fp32", {64, 64, 64}, 8, 4, true, 4},
      {"fp32", "fp32", {64, 64, 32}, 2, 4, false, 3},
      {"fp8e5", "fp32", {128, 64, 128}, 4, 4, true, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_counted, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"atomics", atomics}, {"counted", counted},
                          {"large atomics", large_atomics}, {"large counted", large_counted});
}
