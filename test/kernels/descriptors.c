/* SPDX-License-Identifier: MIT */
/* descriptors.py: one tile a program, operands by tensor descriptors, against double. On targets
   with a copy engine the launch takes the version to which bulk copies bring the blocks. */
#include "product.h"

enum { GROUP = 2, LARGE_GROUP = 8 };

struct described_product {
  const char *in, *out;
  int block[3], num_warps, num_stages;
  bool transposed; /* b is N x K */
  bool aligned;    /* rows are multiples of 16 bytes: else the launch cannot describe them */
};

static void check_launch(tile_module *module, const void *product, struct size size,
                         uint64_t seed) {
  const struct described_product *p = product;
  struct matrix a = matrix_random(p->in, 1, size.m, size.k, seed);
  struct matrix b = p->transposed ? matrix_random(p->in, 1, size.n, size.k, seed + 10)
                                  : matrix_random(p->in, 1, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(p->out, 1, size.m, size.n);
  uint32_t all = tiles(size.m, p->block[0]) * tiles(size.n, p->block[1]);
  LAUNCH_TWICE(module, "matmul_descriptors", GRID(all, 1, 1), seed, &c, MATRIX(a), MATRIX(b),
               MATRIX(c), SCALAR(size.m), SCALAR(size.n), SCALAR(size.k), SCALAR(a.stride),
               SCALAR(b.stride), SCALAR(c.stride));
  bool is_fp8 = strcmp(p->in, "fp8e4nv") == 0;
  check_product("matmul_descriptors", &a, &b, p->transposed, &c,
                is_fp8 ? fp8_sum_error(size.k, size.k) : sum_error(size.k));
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
}

static tile_module *compile_with(const struct described_product *p,
                                 const tile_compile_options *options) {
  const char *stride = p->aligned ? "i32:16" : "i32";
  char signature[200];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, i32, i32, i32, %s, %s, %s, %d, %d, %d, %d, %s", p->in, p->in,
           p->out, stride, stride, stride, p->block[0], p->block[1], p->block[2],
           large_test ? LARGE_GROUP : GROUP, p->transposed ? "True" : "False");
  return compile_triton_with("descriptors.py", "matmul_descriptors", signature, options);
}

static tile_module *compile(const struct described_product *p, const char *target) {
  tile_compile_options options = staged_options(p->num_warps, p->num_stages, target);
  return compile_with(p, &options);
}

static void check_kernel(const char *target, const void *data) {
  const struct described_product *p = data;
  tile_module *module = compile(p, target);
  if (!module)
    return;
  for_each_size(check_launch, module, p, p->aligned, target);
  tile_module_unload(module);
}

static void small(void) {
  static const struct described_product rows[] = {
      {"fp16", "fp16", {64, 64, 32}, 4, 3, false, true},
      {"bf16", "fp32", {64, 32, 64}, 4, 4, true, true},
      {"fp16", "fp32", {128, 64, 16}, 8, 2, false, false},
      {"fp32", "fp32", {64, 32, 32}, 4, 3, true, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_kernel, &rows[i]);
}

/* Few tiles with long rows: several blocks share the last ones. Twice, as the first launch leaves
   the memory for that as it was. */
static void shared(void) {
  static const struct described_product rows[] = {
      {"fp16", "fp16", {128, 256, 64}, 8, 3, false, true},
      {"bf16", "fp32", {128, 256, 64}, 8, 3, true, true},
      {"fp8e4nv", "fp32", {128, 256, 128}, 8, 3, true, true},
  };
  static const struct size sizes[] = {{272, 256, 2592}, {136, 528, 2560}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tile_module *module = compile(&rows[i], "sm_90a");
    if (!module)
      continue;
    CHECK(tile_kernel_get_info(tile_module_kernel_at(module, 0))->versions[0].part_bytes > 0);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      check_launch(module, &rows[i], sizes[k], 71 + k);
    tile_module_unload(module);
  }
}

/* How many multiprocessors the emulator's launches are for; GPUs have theirs. */
static bool set_multiprocessors(uint64_t count) {
  tile_status status = tile_device_set_option(test_device, "multiprocessors", count);
  bool is_set = !status;
  tile_status_free(status);
  return is_set;
}

/* c = a * b, as for so many multiprocessors; whether the emulator took them. */
static bool product_for(tile_module *module, struct matrix *a, struct matrix *b, struct size size,
                        uint64_t multiprocessors, struct matrix *c) {
  uint32_t all = tiles(size.m, 128) * tiles(size.n, 256);
  bool chosen = set_multiprocessors(multiprocessors);
  const struct argument arguments[] = {MATRIX(*a),        MATRIX(*b),        MATRIX(*c),
                                       SCALAR(size.m),    SCALAR(size.n),    SCALAR(size.k),
                                       SCALAR(a->stride), SCALAR(b->stride), SCALAR(c->stride)};
  size_t count = sizeof arguments / sizeof *arguments;
  if (multiprocessors == 1)
    launch(module, "matmul_descriptors", GRID(all, 1, 1), 51, arguments, count);
  else
    launch_twice(module, "matmul_descriptors", GRID(all, 1, 1), 52, arguments, count, c);
  set_multiprocessors(0);
  return chosen;
}

/* Sums over K in another order differ somewhere from those that one block makes. */
static void check_tail(tile_module *module, const char *in, struct size size,
                       uint64_t multiprocessors, bool differs) {
  bool is_fp8 = strcmp(in, "fp8e4nv") == 0;
  struct matrix a = matrix_random(in, 1, size.m, size.k, 31);
  struct matrix b = matrix_random(in, 1, size.n, size.k, 41);
  struct matrix c = matrix_empty("fp32", 1, size.m, size.n);
  struct matrix whole = matrix_empty("fp32", 1, size.m, size.n);
  bool chosen = product_for(module, &a, &b, size, multiprocessors, &c);
  product_for(module, &a, &b, size, 1, &whole);
  check_product("matmul_descriptors", &a, &b, true, &c,
                is_fp8 ? fp8_sum_error(size.k, size.k) : sum_error(size.k));
  CHECK(!chosen || differs == (memcmp(c.data, whole.data, c.bytes) != 0));
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
  matrix_free(&whole);
}

/* Tails of a quarter to all of a turn: ranges of the tail, groups of two programs in three ranges,
   ranges of a turn more, parts of each program (of fp8, whose sums are exact here), and what is too
   short. Without --full one of three. */
static void tails(void) {
  static const struct {
    const char *in;
    struct size size;
    uint64_t multiprocessors;
    bool differs;
  } rows[] = {
      {"fp16", {120, 760, 3584}, 8, true},     {"bf16", {120, 1272, 3584}, 8, true},
      {"bf16", {248, 760, 3584}, 9, true},     {"fp16", {120, 1272, 2536}, 4, true},
      {"fp8e4nv", {120, 760, 2040}, 6, false}, {"fp16", {120, 504, 760}, 4, false},
  };
  size_t count = sizeof rows / sizeof *rows;
  for (size_t i = 0; i < count; i += full_test ? 1 : 3) {
    bool is_fp8 = strcmp(rows[i].in, "fp8e4nv") == 0;
    struct described_product p = {rows[i].in, "fp32", {128, 256, is_fp8 ? 128 : 64}, 8, 3,
                                  true,       true};
    tile_module *module = compile(&p, "sm_90a");
    if (module)
      check_tail(module, p.in, rows[i].size, rows[i].multiprocessors, rows[i].differs);
    tile_module_unload(module);
  }
}

/* The same, and an odd number of whole tiles, in clusters of two blocks. */
static void pairs(void) {
  static const struct described_product rows[] = {
      {"fp16", "fp16", {128, 256, 64}, 8, 3, false, true},
      {"bf16", "fp32", {128, 256, 64}, 8, 3, true, true},
      {"fp8e4nv", "fp32", {128, 256, 128}, 8, 3, true, true},
      {"fp16", "fp16", {256, 128, 64}, 8, 3, false, true},
  };
  static const struct size sizes[] = {{272, 256, 160}, {136, 528, 2560}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tile_compile_options options = staged_options(rows[i].num_warps, rows[i].num_stages, "sm_90a");
    options.pairs = TILE_CHOICE_YES;
    tile_module *module = compile_with(&rows[i], &options);
    if (!module)
      continue;
    CHECK_EQUAL(tile_kernel_get_info(tile_module_kernel_at(module, 0))->versions[0].cluster_blocks,
                2);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      check_launch(module, &rows[i], sizes[k], 91 + k);
    tile_module_unload(module);
  }
}

/* The tiles of products that are to be fast; with --large on large sizes. */
static void wide(void) {
  static const struct described_product rows[] = {
      {"fp16", "fp16", {128, 256, 64}, 8, 4, false, true},
      {"bf16", "bf16", {128, 128, 64}, 4, 4, true, true},
      {"fp16", "fp32", {256, 128, 64}, 8, 3, false, true},
      {"fp16", "fp16", {64, 256, 64}, 4, 4, true, false},
      {"fp32", "fp32", {128, 128, 32}, 8, 3, true, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_kernel, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"small", small}, {"shared", shared}, {"tails", tails},
                          {"pairs", pairs}, {"wide", wide}, {"large wide", wide});
}
