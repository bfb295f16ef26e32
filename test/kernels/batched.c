/* SPDX-License-Identifier: MIT */
/* batched.py: a grid of three dimensions, and small pairs in batches of one tl.dot, against double.
 */
#include "product.h"

struct batched_product {
  const char *in, *out;
  int block[3], num_warps;
  bool aligned;   /* N and K are promised to be multiples of 16: loads become asynchronous copies */
  int num_stages; /* 0: the usual */
};

/* --- A program for each tile of each pair ----------------------------------------------------- */

static void check_batch(tile_module *module, const void *product, int32_t batch, struct size size,
                        uint64_t seed) {
  const struct batched_product *p = product;
  bool one_b = seed % 2; /* for the whole batch */
  struct matrix a = matrix_random(p->in, batch, size.m, size.k, seed);
  struct matrix b = matrix_random(p->in, one_b ? 1 : batch, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(p->out, batch, size.m, size.n);
  int32_t stride_ab = a.rows * a.stride, stride_bb = one_b ? 0 : b.rows * b.stride;
  int32_t stride_cb = c.rows * c.stride;
  LAUNCH_TWICE(module, "batched_matmul_kernel",
               GRID(tiles(size.m, p->block[0]), tiles(size.n, p->block[1]), batch), seed, &c,
               MATRIX(a), MATRIX(b), MATRIX(c), SCALAR(size.m), SCALAR(size.n), SCALAR(size.k),
               SCALAR(stride_ab), SCALAR(a.stride), SCALAR(stride_bb), SCALAR(b.stride),
               SCALAR(stride_cb), SCALAR(c.stride));
  check_product("batched", &a, &b, false, &c, sum_error(size.k));
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
}

static void check_pairs(tile_module *module, const void *product, struct size size, uint64_t seed) {
  check_batch(module, product, 2, size, seed);
}

/* Few large pairs and many smaller ones; odd seeds have one b. */
static void check_large_pairs(tile_module *module, const struct batched_product *p) {
  static const struct {
    int32_t batch;
    struct size size;
  } cases[] = {
      {3, {2048, 2048, 2048}}, {64, {512, 512, 512}},  {300, {77, 130, 260}},
      {5, {1023, 2049, 1025}}, {40, {1, 1024, 4096}},  {16, {16, 2048, 1024}},
      {200, {128, 128, 1024}}, {2, {4096, 128, 8192}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct size size = shrink(cases[i].size);
    if (p->aligned)
      size = (struct size){size.m, round_up(size.n), round_up(size.k)};
    check_batch(module, p, shrink_number(cases[i].batch), size, i);
  }
}

static void check_batched(const char *target, const void *data) {
  const struct batched_product *p = data;
  const char *size = p->aligned ? "i32:16" : "i32";
  char signature[240];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, i32, %s, %s, i32:16, i32:16, 1, i32:16, i32:16, 1, i32:16, "
           "i32:16, 1, %d, %d, %d, 2",
           p->in, p->in, p->out, size, size, p->block[0], p->block[1], p->block[2]);
  tile_module *module = compile_staged("batched.py", "batched_matmul_kernel", signature,
                                       p->num_warps, p->num_stages, target);
  if (!module)
    return;
  if (large_test)
    check_large_pairs(module, p);
  else
    for_each_size(check_pairs, module, p, p->aligned, target);
  tile_module_unload(module);
}

static void batched(void) {
  static const struct batched_product rows[] = {
      {"fp16", "fp16", {64, 64, 32}, 4, true},
      {"bf16", "fp32", {32, 64, 32}, 2, false},
      {"fp32", "fp32", {64, 32, 32}, 4, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_batched, &rows[i]);
}

static void large_batched(void) {
  static const struct batched_product rows[] = {
      {"fp16", "fp16", {128, 128, 64}, 8, true, 3},
      {"bf16", "fp32", {128, 64, 64}, 4, true, 4},
      {"fp16", "bf16", {64, 64, 32}, 4, false, 4},
      {"fp32", "fp32", {128, 128, 32}, 8, true, 3},
      {"fp8e4nv", "bf16", {128, 128, 128}, 8, true, 3},
      {"bf16", "bf16", {16, 128, 64}, 4, true, 4},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_batched, &rows[i]);
}

/* --- Several small pairs in a program --------------------------------------------------------- */

static void check_few(tile_module *module, const struct batched_product *p, int32_t batch,
                      struct size size, uint64_t seed) {
  struct matrix a = matrix_random(p->in, batch, size.m, size.k, seed);
  struct matrix b = matrix_random(p->in, batch, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(p->out, batch, size.m, size.n);
  LAUNCH_TWICE(module, "small_matmuls_kernel", GRID(tiles(batch, 4), 1, 1), seed, &c, MATRIX(a),
               MATRIX(b), MATRIX(c), SCALAR(batch), SCALAR(size.m), SCALAR(size.n), SCALAR(size.k),
               SCALAR(a.stride), SCALAR(b.stride), SCALAR(c.stride));
  check_product("small", &a, &b, false, &c, sum_error(size.k));
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
}

static void check_small(const char *target, const void *data) {
  const struct batched_product *p = data;
  const char *size = p->aligned ? "i32:16" : "i32";
  char signature[160];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, i32, i32, %s, %s, i32:16, i32:16, i32:16, 4, %d, %d, %d", p->in,
           p->in, p->out, size, size, p->block[0], p->block[1], p->block[2]);
  tile_module *module =
      compile_product("batched.py", "small_matmuls_kernel", signature, p->num_warps, target);
  if (!module)
    return;
  static const struct size sizes[] = {
      {1, 15, 17}, {16, 16, 127}, {15, 1, 129}, {13, 16, 1}, {16, 16, 16}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (uint64_t seed = 1; seed <= seeds_for(target); seed++) {
      struct size own = sizes[i];
      if (p->aligned)
        own = (struct size){own.m, round_up(own.n), round_up(own.k)};
      int32_t batch = i % 2 ? 5 : 4;
      check_few(module, p, large_test ? shrink_number(500 * batch + 1) : batch, own, seed);
    }
  tile_module_unload(module);
}

static void small(void) {
  static const struct batched_product rows[] = {
      {"fp16", "fp16", {16, 16, 32}, 4, true},
      {"bf16", "fp32", {16, 16, 16}, 2, false},
      {"fp32", "fp32", {16, 16, 16}, 8, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_small, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"batched", batched}, {"small", small},
                          {"large batched", large_batched}, {"large many small", small});
}
