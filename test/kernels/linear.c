/* SPDX-License-Identifier: MIT */
/* linear.py: x w^T with bias, activation and residual in one kernel, against double. */
#include "product.h"

struct linear_product {
  const char *type, *activation;
  bool has_bias, has_residual, keeps_sum;
  int block[3], num_warps;
  bool aligned;   /* N and K are promised to be multiples of 16: loads become asynchronous copies */
  int num_stages; /* 0: the usual */
};

static double activate(const char *activation, double x) {
  if (strcmp(activation, "gelu") == 0)
    return 0.5 * x * (1 + erf(x * sqrt(0.5)));
  if (strcmp(activation, "gelu_tanh") == 0)
    return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  return strcmp(activation, "relu") == 0 && x < 0 ? 0 : x;
}

struct layer {
  struct matrix x, w, bias, residual, y, sum;
};

static struct layer make_layer(const char *type, struct size size, uint64_t seed) {
  return (struct layer){.x = matrix_random(type, 1, size.m, size.k, seed),
                        .w = matrix_random(type, 1, size.n, size.k, seed + 10),
                        .bias = matrix_random(type, 1, 1, size.n, seed + 20),
                        .residual = matrix_random(type, 1, size.m, size.n, seed + 30),
                        .y = matrix_empty(type, 1, size.m, size.n),
                        .sum = matrix_empty(type, 1, size.m, size.n)};
}

static void free_layer(struct layer *layer) {
  matrix_free(&layer->x);
  matrix_free(&layer->w);
  matrix_free(&layer->bias);
  matrix_free(&layer->residual);
  matrix_free(&layer->y);
  matrix_free(&layer->sum);
}

static void launch_layer(tile_module *module, const struct linear_product *p, struct size size,
                         uint64_t seed, struct layer *layer) {
  struct argument arguments[12] = {MATRIX(layer->x), MATRIX(layer->w)};
  size_t count = 2;
  if (p->has_bias)
    arguments[count++] = (struct argument)MATRIX(layer->bias);
  if (p->has_residual)
    arguments[count++] = (struct argument)MATRIX(layer->residual);
  arguments[count++] = (struct argument)MATRIX(layer->y);
  if (p->keeps_sum)
    arguments[count++] = (struct argument)MATRIX(layer->sum);
  const struct argument scalars[] = {SCALAR(size.m),          SCALAR(size.n),
                                     SCALAR(size.k),          SCALAR(layer->x.stride),
                                     SCALAR(layer->w.stride), SCALAR(layer->y.stride)};
  memcpy(arguments + count, scalars, sizeof scalars);
  count += sizeof scalars / sizeof *scalars;
  launch_twice(module, "linear_act_kernel",
               GRID(tiles(size.m, p->block[0]) * tiles(size.n, p->block[1]), 1, 1), seed, arguments,
               count, &layer->y);
}

static void check_layer(tile_module *module, const void *product, struct size size, uint64_t seed) {
  const struct linear_product *p = product;
  struct layer l = make_layer(p->type, size, seed);
  launch_layer(module, p, size, seed, &l);
  double *expected = product_of(&l.x, &l.w, true);
  FOR_EACH_ELEMENT(&l.y, b, i, j)
  expected[i * size.n + j] += p->has_bias ? matrix_at(&l.bias, 0, 0, j) : 0;
  if (p->keeps_sum)
    check_matrix("sum", &l.sum, expected, sum_error(size.k));
  FOR_EACH_ELEMENT(&l.y, b, i, j) {
    double *value = &expected[i * size.n + j];
    *value =
        activate(p->activation, *value) + (p->has_residual ? matrix_at(&l.residual, 0, i, j) : 0);
  }
  /* gelu is at most 1.13 times as steep as its argument; its functions are within 2^-20 of sums
   * below 2^5 */
  check_matrix("linear", &l.y, expected, 1.13 * sum_error(size.k) + 0x1p-15);
  free(expected);
  free_layer(&l);
}

static tile_module *compile_linear(const char *target, const struct linear_product *p) {
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
  return compile_staged("linear.py", "linear_act_kernel", signature, p->num_warps, p->num_stages,
                        target);
}

static void check_linear(const char *target, const void *data) {
  const struct linear_product *p = data;
  tile_module *module = compile_linear(target, p);
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

/* --- Large ------------------------------------------------------------------------------------ */

/* y is compared at each element with what follows from the sums that the kernel keeps, and these
   with x w^T. */
struct activation {
  const struct linear_product *product;
  const struct layer *layer;
  double *sum, *residual, *y;
  atomic_int wrong;
};

/* The sum and the result are rounded to their type; gelu is at most 1.13 times as steep as its
   argument, its functions are within 2^-20 of it, and of 2^-15 where it is small. */
static void check_activation(void *data, int64_t first, int64_t past) {
  struct activation *a = data;
  int64_t n = a->layer->y.columns;
  double rounding = rounding_of(a->product->type);
  for (int64_t i = first * n; i < past * n; i++) {
    double sum = a->sum[i], value = activate(a->product->activation, sum);
    value += a->product->has_residual ? a->residual[i] : 0;
    double most = (1.13 * rounding + 0x1p-20) * fabs(sum) + rounding * (1 + 0x1p-10) * fabs(value);
    a->wrong += !(fabs(a->y[i] - value) <= most + 0x1p-15);
  }
}

static void check_activations(const struct linear_product *p, const struct layer *layer) {
  struct view sum = matrix_view(&layer->sum, 0), residual = matrix_view(&layer->residual, 0);
  struct view y = matrix_view(&layer->y, 0);
  struct activation activation = {.product = p,
                                  .layer = layer,
                                  .sum = view_doubles(&sum),
                                  .residual = view_doubles(&residual),
                                  .y = view_doubles(&y)};
  for_rows(check_activation, &activation, layer->y.rows);
  CHECK_EQUAL(activation.wrong, 0);
  CHECK_EQUAL(count_overrun(&layer->y), 0);
  free(activation.sum);
  free(activation.residual);
  free(activation.y);
}

static void check_sums(const struct linear_product *p, const struct layer *layer) {
  struct lines rows = lines_of(matrix_view(&layer->x, 0));
  struct lines columns = lines_of_columns(&layer->w, 0, true);
  struct view sum = matrix_view(&layer->sum, 0), bias = matrix_view(&layer->bias, 0);
  if (p->has_bias)
    append_bias(&rows, &columns, &bias);
  check_large("sum", &sum, &rows, &columns,
              allowed_for(p->type, p->type, layer->x.columns, layer->x.columns));
  CHECK_EQUAL(count_overrun(&layer->sum), 0);
  lines_free(&rows);
  lines_free(&columns);
}

/* The kernel that keeps its sums, and the one that does not, on the same data. */
static void check_large_linear(const char *target, const void *data) {
  const struct linear_product *given = data;
  struct linear_product p[2] = {*given, *given};
  p[0].keeps_sum = true;
  p[1].keeps_sum = false;
  tile_module *modules[] = {compile_linear(target, &p[0]), compile_linear(target, &p[1])};
  for (int i = 0; i < LARGE_SIZES && modules[0] && modules[1]; i++) {
    struct size size = shrink(large_sizes[i]);
    if (p->aligned)
      size = (struct size){size.m, round_up(size.n), round_up(size.k)};
    struct layer layer = make_layer(p->type, size, (uint64_t)i);
    launch_layer(modules[0], &p[0], size, 1, &layer);
    check_sums(&p[0], &layer);
    check_activations(&p[0], &layer);
    matrix_free(&layer.y);
    layer.y = matrix_empty(p->type, 1, size.m, size.n);
    launch_layer(modules[1], &p[1], size, 1, &layer);
    check_activations(&p[1], &layer);
    free_layer(&layer);
  }
  tile_module_unload(modules[0]);
  tile_module_unload(modules[1]);
}

static void large_linear(void) {
  static const struct linear_product rows[] = {
      {"fp16", "gelu", true, false, false, {128, 128, 64}, 8, true, 3},
      {"bf16", "gelu_tanh", true, true, false, {128, 256, 64}, 8, true, 3},
      {"fp32", "relu", false, true, false, {128, 128, 32}, 8, true, 3},
      {"fp16", "", true, true, false, {128, 64, 64}, 4, false, 4},
      {"bf16", "relu", true, false, false, {16, 128, 64}, 4, true, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_large_linear, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"linear", linear}, {"large linear", large_linear});
}
