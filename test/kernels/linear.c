/* linear.py: x w^T with bias, activation and residual in one kernel, against double. */
#include "product.h"

struct linear_product {
  const char *type, *activation;
  bool has_bias, has_residual, keeps_sum;
  int block[3], num_warps;
  bool aligned; /* N and K are promised to be multiples of 16: loads become asynchronous copies */
};

static double activate(const char *activation, double x) {
  if (strcmp(activation, "gelu") == 0)
    return 0.5 * x * (1 + erf(x * sqrt(0.5)));
  if (strcmp(activation, "gelu_tanh") == 0)
    return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  return strcmp(activation, "relu") == 0 && x < 0 ? 0 : x;
}

static void check_layer(tile_module *module, const void *product, struct size size, uint64_t seed) {
  const struct linear_product *p = product;
  struct matrix x = matrix_random(p->type, 1, size.m, size.k, seed);
  struct matrix w = matrix_random(p->type, 1, size.n, size.k, seed + 10);
  struct matrix bias = matrix_random(p->type, 1, 1, size.n, seed + 20);
  struct matrix residual = matrix_random(p->type, 1, size.m, size.n, seed + 30);
  struct matrix y = matrix_empty(p->type, 1, size.m, size.n);
  struct matrix sum = matrix_empty(p->type, 1, size.m, size.n);
  struct argument arguments[12] = {MATRIX(x), MATRIX(w)};
  size_t count = 2;
  if (p->has_bias)
    arguments[count++] = (struct argument)MATRIX(bias);
  if (p->has_residual)
    arguments[count++] = (struct argument)MATRIX(residual);
  arguments[count++] = (struct argument)MATRIX(y);
  if (p->keeps_sum)
    arguments[count++] = (struct argument)MATRIX(sum);
  const struct argument scalars[] = {SCALAR(size.m),   SCALAR(size.n),   SCALAR(size.k),
                                     SCALAR(x.stride), SCALAR(w.stride), SCALAR(y.stride)};
  memcpy(arguments + count, scalars, sizeof scalars);
  count += sizeof scalars / sizeof *scalars;
  launch_twice(module, "linear_act_kernel",
               GRID(tiles(size.m, p->block[0]) * tiles(size.n, p->block[1]), 1, 1), seed, arguments,
               count, &y);
  double *expected = product_of(&x, &w, true);
  FOR_EACH_ELEMENT(&y, b, i, j)
  expected[i * size.n + j] += p->has_bias ? matrix_at(&bias, 0, 0, j) : 0;
  if (p->keeps_sum)
    check_matrix("sum", &sum, expected, sum_error(size.k));
  FOR_EACH_ELEMENT(&y, b, i, j) {
    double *value = &expected[i * size.n + j];
    *value =
        activate(p->activation, *value) + (p->has_residual ? matrix_at(&residual, 0, i, j) : 0);
  }
  /* gelu is at most 1.13 times as steep as its argument; its functions are within 2^-20 of sums
   * below 2^5 */
  check_matrix("linear", &y, expected, 1.13 * sum_error(size.k) + 0x1p-15);
  free(expected);
  matrix_free(&x);
  matrix_free(&w);
  matrix_free(&bias);
  matrix_free(&residual);
  matrix_free(&y);
  matrix_free(&sum);
}

static void check_linear(const char *target, const void *data) {
  const struct linear_product *p = data;
  const char *size = p->aligned ? "i32:16" : "i32";
  char pointer[16], signature[240];
  snprintf(pointer, sizeof pointer, "*%s:16", p->type);
  snprintf(signature, sizeof signature,
           "%s, %s, %s, %s, %s, %s, i32, %s, %s, i32:16, i32:16, i32:16, '%s', %s, %s, %s, %d, %d, "
           "%d, 2",
           pointer, pointer, p->has_bias ? pointer : "None", p->has_residual ? pointer : "None",
           pointer, p->keeps_sum ? pointer : "None", size, size, p->activation,
           p->has_bias ? "True" : "False", p->has_residual ? "True" : "False",
           p->keeps_sum ? "True" : "False", p->block[0], p->block[1], p->block[2]);
  tile_module *module =
      compile_product("linear.py", "linear_act_kernel", signature, p->num_warps, target);
  if (!module)
    return;
  for_each_size(check_layer, module, p, p->aligned, target);
  tile_module_unload(module);
}

static void linear(void) {
  static const struct linear_product rows[] = {
      {"fp16", "gelu", true, false, false, {64, 64, 32}, 4, true},
      {"bf16", "gelu_tanh", true, true, true, {32, 32, 16}, 2, false},
      {"fp32", "relu", false, true, false, {64, 32, 32}, 4, true},
      {"fp16", "", true, false, true, {16, 64, 32}, 1, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_linear, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"linear", linear});
}
