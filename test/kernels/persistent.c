/* persistent.py: few programs for many tiles, by two loops and by one, against double. */
#include "product.h"

enum { PROGRAMS = 3, GROUP = 2 };

struct persistent_product {
  const char *kernel, *in, *out;
  int block[3], num_warps;
  bool transposed; /* b is N x K, and the kernel has rows' strides only */
  bool aligned; /* N and K are promised to be multiples of 16: loads become asynchronous copies */
};

static void check_product(tile_module *module, const void *product, struct size size,
                          uint64_t seed) {
  const struct persistent_product *p = product;
  struct matrix a = matrix_random(p->in, 1, size.m, size.k, seed);
  struct matrix b = p->transposed ? matrix_random(p->in, 1, size.n, size.k, seed + 10)
                                  : matrix_random(p->in, 1, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(p->out, 1, size.m, size.n);
  uint32_t all = tiles(size.m, p->block[0]) * tiles(size.n, p->block[1]);
  LAUNCH_TWICE(module, p->kernel, GRID(all < PROGRAMS ? all : PROGRAMS, 1, 1), seed, &c, MATRIX(a),
               MATRIX(b), MATRIX(c), SCALAR(size.m), SCALAR(size.n), SCALAR(size.k),
               SCALAR(a.stride), SCALAR(b.stride), SCALAR(c.stride));
  double *expected = product_of(&a, &b, p->transposed);
  bool narrow = strncmp(p->in, "fp8", 3) == 0;
  check_matrix(p->kernel, &c, expected, narrow ? fp8_sum_error(size.k, size.k) : sum_error(size.k));
  free(expected);
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
}

static void check_kernel(const char *target, const void *data) {
  const struct persistent_product *p = data;
  const char *size = p->aligned ? "i32:16" : "i32";
  char signature[200];
  const char *stride = p->transposed ? "i32:16" : "i32:16, 1";
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, i32, %s, %s, %s, %s, %s, %d, %d, %d, %d, %d", p->in, p->in,
           p->out, size, size, stride, stride, stride, p->block[0], p->block[1], p->block[2], GROUP,
           PROGRAMS);
  tile_module *module =
      compile_product("persistent.py", p->kernel, signature, p->num_warps, target);
  if (!module)
    return;
  for_each_size(check_product, module, p, p->aligned, target);
  tile_module_unload(module);
}

static void nested(void) {
  static const struct persistent_product rows[] = {
      {"matmul_persistent_kernel", "fp16", "fp16", {64, 64, 32}, 4, false, true},
      {"matmul_persistent_kernel", "bf16", "bf16", {16, 32, 16}, 2, false, false},
      {"matmul_persistent_kernel", "fp8e4nv", "fp32", {64, 32, 64}, 4, false, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_kernel, &rows[i]);
}

static void flattened(void) {
  static const struct persistent_product rows[] = {
      {"matmul_flattened_kernel", "fp16", "fp16", {64, 64, 32}, 4, false, true},
      {"matmul_flattened_kernel", "fp32", "fp32", {32, 32, 16}, 4, false, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_kernel, &rows[i]);
}

static void descriptors(void) {
  static const struct persistent_product rows[] = {
      {"matmul_descriptor_kernel", "fp16", "fp16", {64, 64, 32}, 4, true, true},
      {"matmul_descriptor_kernel", "fp8e5", "fp32", {64, 32, 64}, 4, true, true},
      {"matmul_descriptor_kernel", "fp32", "fp32", {64, 32, 32}, 4, true, true},
      {"matmul_descriptor_kernel", "bf16", "bf16", {32, 16, 16}, 2, true, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_kernel, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"nested", nested}, {"flattened", flattened},
                          {"descriptors", descriptors});
}
