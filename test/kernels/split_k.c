/* split_k.py: programs that share a tile of the product, by atomic additions and by a count of
   those that are done, against double. */
#include "product.h"

struct split_product {
  const char *in, *out;
  int block[3], split, num_warps;
  bool aligned; /* N and K are promised to be multiples of 16 */
};

/* A result to which all programs add; bits depend on their order. f16 and bf16 round at each
 * addition. */
static void check_sum(tile_module *module, const void *product, struct size size, uint64_t seed) {
  const struct split_product *p = product;
  struct matrix a = matrix_random(p->in, 1, size.m, size.k, seed);
  struct matrix b = matrix_random(p->in, 1, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(p->out, 1, size.m, size.n);
  FOR_EACH_ELEMENT(&c, batch, i, j)
  number_write(c.data, matrix_place(&c, batch, i, j), c.type, 0);
  LAUNCH(module, "matmul_split_k_kernel",
         GRID(tiles(size.m, p->block[0]) * tiles(size.n, p->block[1]), (uint32_t)p->split, 1), seed,
         MATRIX(a), MATRIX(b), MATRIX(c), SCALAR(size.m), SCALAR(size.n), SCALAR(size.k),
         SCALAR(a.stride), SCALAR(b.stride), SCALAR(c.stride));
  double *expected = product_of(&a, &b, false);
  double additions =
      p->split * rounding_of(p->out) * sqrt(size.k) * 2; /* of sums below 2 sqrt(k) */
  check_matrix("split k", &c, expected, sum_error(size.k) + additions);
  free(expected);
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
  tile_module *module =
      compile_product("split_k.py", "matmul_split_k_kernel", signature, p->num_warps, target);
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

/* --- The last one adds up
 * ------------------------------------------------------------------------------------ */

static void check_last(tile_module *module, const void *product, struct size size, uint64_t seed) {
  const struct split_product *p = product;
  struct matrix a = matrix_random(p->in, 1, size.m, size.k, seed);
  struct matrix b = matrix_random(p->in, 1, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(p->out, 1, size.m, size.n);
  struct matrix parts = matrix_empty("fp32", p->split, size.m, size.n);
  uint32_t grid[] = {tiles(size.m, p->block[0]), tiles(size.n, p->block[1]), (uint32_t)p->split};
  int32_t counts[32] = {0};
  CHECK(grid[0] * grid[1] <= 32);
  LAUNCH_TWICE(module, "matmul_split_k_last_kernel", grid, seed, &c, MATRIX(a), MATRIX(b),
               MATRIX(c), MATRIX(parts), BUFFER(counts, sizeof counts), SCALAR(size.m),
               SCALAR(size.n), SCALAR(size.k), SCALAR(a.stride), SCALAR(b.stride),
               SCALAR(c.stride));
  for (int i = 0; i < 32; i++)
    CHECK_EQUAL(counts[i], 0);
  double *expected = product_of(&a, &b, false);
  check_matrix("split k, in order", &c, expected, sum_error(size.k));
  free(expected);
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
  tile_module *module =
      compile_product("split_k.py", "matmul_split_k_last_kernel", signature, p->num_warps, target);
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

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"atomics", atomics}, {"counted", counted});
}
