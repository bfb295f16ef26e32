/* SPDX-License-Identifier: MIT */
/* persistent.py: few programs for many tiles, by two loops and by one, against double. */
#include "product.h"

enum { PROGRAMS = 3, GROUP = 2, LARGE_PROGRAMS = 132, LARGE_GROUP = 8 };

struct persistent_product {
  const char *kernel, *in, *out;
  int block[3], num_warps;
  bool transposed; /* b is N x K, and the kernel has rows' strides only */
  bool aligned;   /* N and K are promised to be multiples of 16: loads become asynchronous copies */
  int num_stages; /* 0: the usual */
};

static uint32_t programs(void) {
  return large_test ? LARGE_PROGRAMS : PROGRAMS;
}

static void check_launch(tile_module *module, const void *product, struct size size,
                         uint64_t seed) {
  const struct persistent_product *p = product;
  struct matrix a = matrix_random(p->in, 1, size.m, size.k, seed);
  struct matrix b = p->transposed ? matrix_random(p->in, 1, size.n, size.k, seed + 10)
                                  : matrix_random(p->in, 1, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(p->out, 1, size.m, size.n);
  uint32_t all = tiles(size.m, p->block[0]) * tiles(size.n, p->block[1]);
  LAUNCH_TWICE(module, p->kernel, GRID(all < programs() ? all : programs(), 1, 1), seed, &c,
               MATRIX(a), MATRIX(b), MATRIX(c), SCALAR(size.m), SCALAR(size.n), SCALAR(size.k),
               SCALAR(a.stride), SCALAR(b.stride), SCALAR(c.stride));
  bool narrow = strncmp(p->in, "fp8", 3) == 0;
  check_product(p->kernel, &a, &b, p->transposed, &c,
                narrow ? fp8_sum_error(size.k, size.k) : sum_error(size.k));
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
           p->out, size, size, stride, stride, stride, p->block[0], p->block[1], p->block[2],
           large_test ? LARGE_GROUP : GROUP, (int)programs());
  tile_module *module =
      compile_staged("persistent.py", p->kernel, signature, p->num_warps, p->num_stages, target);
  if (!module)
    return;
  for_each_size(check_launch, module, p, p->aligned, target);
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

/* --- Large ------------------------------------------------------------------------------------ */

static void large_nested(void) {
  static const struct persistent_product rows[] = {
      {"matmul_persistent_kernel", "fp16", "fp16", {128, 256, 64}, 8, false, true, 3},
      {"matmul_persistent_kernel", "fp16", "fp32", {128, 128, 64}, 4, false, true, 4},
      {"matmul_persistent_kernel", "bf16", "bf16", {64, 128, 64}, 4, false, false, 3},
      {"matmul_persistent_kernel", "fp8e4nv", "fp32", {128, 128, 128}, 8, false, true, 3},
      {"matmul_persistent_kernel", "fp32", "fp32", {128, 128, 32}, 8, false, true, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_kernel, &rows[i]);
}

static void large_flattened(void) {
  static const struct persistent_product rows[] = {
      {"matmul_flattened_kernel", "fp16", "fp16", {128, 256, 64}, 8, false, true, 3},
      {"matmul_flattened_kernel", "bf16", "bf16", {128, 128, 64}, 4, false, true, 4},
      {"matmul_flattened_kernel", "fp32", "fp32", {128, 64, 32}, 4, false, false, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_kernel, &rows[i]);
}

static void large_descriptors(void) {
  static const struct persistent_product rows[] = {
      {"matmul_descriptor_kernel", "fp16", "fp16", {128, 256, 64}, 8, true, true, 3},
      {"matmul_descriptor_kernel", "bf16", "bf16", {128, 128, 64}, 4, true, true, 4},
      {"matmul_descriptor_kernel", "fp8e5", "fp32", {128, 256, 128}, 8, true, true, 3},
      {"matmul_descriptor_kernel", "fp8e4nv", "bf16", {128, 128, 128}, 4, true, true, 4},
      {"matmul_descriptor_kernel", "fp32", "fp32", {128, 128, 32}, 8, true, true, 3},
      {"matmul_descriptor_kernel", "bf16", "bf16", {64, 64, 64}, 4, true, false, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_kernel, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"nested", nested}, {"flattened", flattened},
                          {"descriptors", descriptors}, {"large nested", large_nested},
                          {"large flattened", large_flattened},
                          {"large descriptors", large_descriptors});
}
