/* grouped.py: products of different sizes in one launch, whose matrices are found through addresses
   in memory; rows that go to different experts. Against double. */
#include "product.h"

enum { PROGRAMS = 4, MOST_PRODUCTS = 8 };

struct grouped_product {
  const char *type, *element; /* in signatures, and as tl.... */
  int block[3], num_warps;
  bool aligned; /* the kernel is told that all sizes but M are multiples of 16: loads become
                   asynchronous copies */
};

/* --- Arrays of addresses
 * --------------------------------------------------------------------------------------- */

/* One launch on matrices that no argument points to: a, b and c of product g are matrices[3 * g]
 * and so on. */
struct group {
  int count;
  struct matrix matrices[3 * MOST_PRODUCTS];
  tile_buffer *buffers[3 * MOST_PRODUCTS];
  tile_buffer *addresses[3]; /* of all a, of all b, of all c */
  tile_buffer *sizes, *leading;
};

static tile_status upload_bytes(const char *name, const void *data, size_t bytes,
                                tile_buffer **out) {
  tile_status status = tile_buffer_create(test_device, bytes, out);
  if (status)
    return status;
  tile_emulator_name_buffer(*out, name);
  return tile_buffer_write(*out, 0, data, bytes, NULL);
}

static tile_status upload_group(struct group *group) {
  static const char *const names[3] = {"a", "b", "c"};
  uint64_t addresses[3][MOST_PRODUCTS];
  int32_t sizes[MOST_PRODUCTS][3], leading[MOST_PRODUCTS][3];
  tile_status status = NULL;
  for (int i = 0; i < 3 * group->count && !status; i++) {
    const struct matrix *m = &group->matrices[i];
    status = upload_bytes(names[i % 3], m->data, m->bytes, &group->buffers[i]);
    if (!status)
      addresses[i % 3][i / 3] = tile_buffer_address(group->buffers[i]);
    leading[i / 3][i % 3] = m->stride;
  }
  for (int g = 0; g < group->count; g++) {
    sizes[g][0] = group->matrices[3 * g].rows;
    sizes[g][1] = group->matrices[3 * g + 1].columns;
    sizes[g][2] = group->matrices[3 * g].columns;
  }
  size_t count = (size_t)group->count;
  for (int i = 0; i < 3 && !status; i++)
    status =
        upload_bytes("addresses", addresses[i], count * sizeof(uint64_t), &group->addresses[i]);
  if (!status)
    status = upload_bytes("sizes", sizes, count * sizeof *sizes, &group->sizes);
  return status ? status
                : upload_bytes("leading", leading, count * sizeof *leading, &group->leading);
}

static tile_status run_group(tile_module *module, struct group *group, uint64_t seed) {
  tile_kernel *kernel;
  tile_status status = tile_module_kernel(module, "grouped_matmul_kernel", &kernel);
  if (!status)
    status = upload_group(group);
  tile_emulator_device_configure(
      test_device,
      &(tile_emulator_device_options){.seed = seed, .check = true, .on_report = print_hazards});
  if (!status) {
    const tile_argument arguments[] = {
        tile_argument_buffer(group->addresses[0]), tile_argument_buffer(group->addresses[1]),
        tile_argument_buffer(group->addresses[2]), tile_argument_buffer(group->sizes),
        tile_argument_buffer(group->leading),      tile_argument_i32(group->count)};
    status = tile_launch(kernel, GRID(PROGRAMS, 1, 1), NULL, arguments,
                         sizeof arguments / sizeof *arguments);
  }
  for (int i = 2; i < 3 * group->count && !status; i += 3)
    status = tile_buffer_read(group->buffers[i], 0, group->matrices[i].data,
                              group->matrices[i].bytes, NULL);
  for (int i = 0; i < 3 * group->count; i++)
    tile_buffer_destroy(group->buffers[i]);
  for (int i = 0; i < 3; i++)
    tile_buffer_destroy(group->addresses[i]);
  tile_buffer_destroy(group->sizes);
  tile_buffer_destroy(group->leading);
  return status;
}

static void check_group(tile_module *module, const struct grouped_product *p,
                        const struct size *sizes, int count, uint64_t seed) {
  void *first[MOST_PRODUCTS] = {0};
  for (uint64_t time = 0; time < 2; time++) { /* the second time must give the same bits */
    struct group group = {.count = count};
    for (int g = 0; g < count; g++) {
      struct matrix *m = &group.matrices[3 * g];
      uint64_t own = seed * 100 + (uint64_t)g;
      m[0] = matrix_random(p->type, 1, sizes[g].m, sizes[g].k, own);
      m[1] = matrix_random(p->type, 1, sizes[g].k, sizes[g].n, own + 50);
      m[2] = matrix_empty(p->type, 1, sizes[g].m, sizes[g].n);
    }
    check_ok(run_group(module, &group, seed + 1000 * time), "grouped_matmul_kernel");
    for (int g = 0; g < count; g++) {
      struct matrix *m = &group.matrices[3 * g];
      if (time == 0) {
        double *expected = product_of(&m[0], &m[1], false);
        check_matrix("grouped", &m[2], expected, sum_error(sizes[g].k));
        free(expected);
        first[g] = memcpy(poisoned(m[2].bytes), m[2].data, m[2].bytes);
      } else {
        CHECK(memcmp(first[g], m[2].data, m[2].bytes) == 0);
        free(first[g]);
      }
      for (int i = 0; i < 3; i++)
        matrix_free(&m[i]);
    }
  }
}

static void compile_grouped(const char *target, const void *data) {
  const struct grouped_product *p = data;
  char signature[200];
  snprintf(signature, sizeof signature,
           "*i64:16, *i64:16, *i64:16, *i32:16, *i32:16, i32, %s, %s, %d, %d, %d, %d", p->element,
           p->aligned ? "True" : "False", PROGRAMS, p->block[0], p->block[1], p->block[2]);
  tile_module *module =
      compile_product("grouped.py", "grouped_matmul_kernel", signature, p->num_warps, target);
  if (!module)
    return;
  struct size sizes[MOST_SIZES];
  int count = list_sizes(sizes, MOST_SIZES);
  for (int i = 0; i < count && p->aligned; i++)
    sizes[i] = (struct size){sizes[i].m, round_up(sizes[i].n), round_up(sizes[i].k)};
  for (uint64_t seed = 1; seed <= seeds_for(target); seed++)
    for (int i = 0; i < count; i += MOST_PRODUCTS)
      check_group(module, p, sizes + i, count - i < MOST_PRODUCTS ? count - i : MOST_PRODUCTS,
                  seed);
  check_group(module, p, sizes, 1, 4);
  check_group(module, p, sizes, 0, 5); /* nothing to do */
  tile_module_unload(module);
}

static void grouped(void) {
  static const struct grouped_product rows[] = {
      {"fp16", "tl.float16", {64, 64, 32}, 4, true},
      {"bf16", "tl.bfloat16", {32, 64, 16}, 2, false},
      {"fp32", "tl.float32", {64, 32, 32}, 4, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(compile_grouped, &rows[i]);
}

/* --- Rows by expert
 * -----------------------------------------------------------------------------------------------
 */

enum { EXPERTS = 5, EXPERT_ROWS = 150 };

static void check_experts(tile_module *module, const struct grouped_product *p, int32_t n,
                          int32_t k, uint64_t seed) {
  int32_t offsets[EXPERTS + 1] = {0,  17,  17,
                                  18, 147, EXPERT_ROWS}; /* one has no row, one a single one */
  struct matrix x = matrix_random(p->type, 1, EXPERT_ROWS, k, seed);
  struct matrix w = matrix_random(p->type, EXPERTS, k, n, seed + 10);
  struct matrix y = matrix_empty(p->type, 1, EXPERT_ROWS, n);
  int32_t stride_we = k * w.stride;
  LAUNCH_TWICE(module, "expert_matmul_kernel",
               GRID(tiles(n, p->block[1]), tiles(EXPERT_ROWS, p->block[0]) + EXPERTS, 1), seed, &y,
               MATRIX(x), MATRIX(w), MATRIX(y), BUFFER(offsets, sizeof offsets), SCALAR(n),
               SCALAR(k), SCALAR(x.stride), SCALAR(stride_we), SCALAR(w.stride), SCALAR(y.stride));
  double *expected = calloc((size_t)(EXPERT_ROWS * n), sizeof *expected);
  double *rows = matrix_doubles(&x), *weights = matrix_doubles(&w);
  for (int e = 0; e < EXPERTS; e++)
    for (int i = offsets[e]; i < offsets[e + 1]; i++)
      for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++)
          expected[i * n + j] += rows[i * k + l] * weights[(e * k + l) * n + j];
  free(rows);
  free(weights);
  check_matrix("experts", &y, expected, sum_error(k));
  free(expected);
  matrix_free(&x);
  matrix_free(&w);
  matrix_free(&y);
}

static void compile_experts(const char *target, const void *data) {
  const struct grouped_product *p = data;
  const char *size = p->aligned ? "i32:16" : "i32";
  char signature[200];
  snprintf(
      signature, sizeof signature,
      "*%s:16, *%s:16, *%s:16, *i32:16, %s, %s, i32:16, i32:16, i32:16, i32:16, %d, %d, %d, %d",
      p->type, p->type, p->type, size, size, EXPERTS, p->block[0], p->block[1], p->block[2]);
  tile_module *module =
      compile_product("grouped.py", "expert_matmul_kernel", signature, p->num_warps, target);
  if (!module)
    return;
  for (uint64_t seed = 1; seed <= seeds_for(target); seed++)
    check_experts(module, p, p->aligned ? 48 : 33, p->aligned ? 80 : 41, seed);
  tile_module_unload(module);
}

static void experts(void) {
  static const struct grouped_product rows[] = {
      {"fp16", NULL, {64, 32, 32}, 4, true},
      {"bf16", NULL, {32, 32, 16}, 4, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(compile_experts, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"grouped", grouped}, {"experts", experts});
}
