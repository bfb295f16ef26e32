/* SPDX-License-Identifier: MIT */
/* grouped.py: products of different sizes in one launch, whose matrices are found through addresses
   in memory; rows that go to different experts. Against double. */
#include "product.h"

enum { PROGRAMS = 4, LARGE_PROGRAMS = 132, MAX_PRODUCTS = 32 };

struct grouped_product {
  const char *type, *element; /* in signatures, and as tl.... */
  int block[3], num_warps;
  bool aligned;   /* the kernel is told that all sizes but M are multiples of 16: loads become
                     asynchronous copies */
  int num_stages; /* 0: the usual */
};

static uint32_t programs(void) {
  return large_test ? LARGE_PROGRAMS : PROGRAMS;
}

/* --- Arrays of addresses ---------------------------------------------------------------------- */

/* One launch on matrices that no argument points to: a, b and c of product g are matrices[3 * g]
 * and so on. */
struct group {
  int count;
  struct matrix matrices[3 * MAX_PRODUCTS];
  tile_buffer *buffers[3 * MAX_PRODUCTS];
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
  uint64_t addresses[3][MAX_PRODUCTS];
  int32_t sizes[MAX_PRODUCTS][3], leading[MAX_PRODUCTS][3];
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
      test_device, &(tile_emulator_device_options){
                       .seed = seeded(seed), .check = true, .on_report = print_hazards});
  if (!status) {
    const tile_argument arguments[] = {
        tile_argument_buffer(group->addresses[0]), tile_argument_buffer(group->addresses[1]),
        tile_argument_buffer(group->addresses[2]), tile_argument_buffer(group->sizes),
        tile_argument_buffer(group->leading),      tile_argument_i32(group->count)};
    status = tile_launch(kernel, GRID(programs(), 1, 1), NULL, arguments,
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
  void *first[MAX_PRODUCTS] = {0};
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
        check_product("grouped", &m[0], &m[1], false, &m[2], sum_error(sizes[g].k));
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

/* All kinds of sizes in one launch: from one tile to hundreds, one row, long and short K. */
static void check_large_group(tile_module *module, const struct grouped_product *p) {
  struct size sizes[MAX_PRODUCTS];
  int count = 0;
  for (; count < MAX_PRODUCTS - LARGE_SIZES; count++) {
    int32_t g = count;
    sizes[count] = (struct size){1 + g * g * 3, 40 + g * 911 % 2100, 16 + g * 577 % 1900};
  }
  for (int i = 0; i < LARGE_SIZES; i++) /* all but the largest */
    sizes[count++] = large_sizes[i].m < 4095 ? large_sizes[i] : (struct size){700, 900, 3001};
  for (int g = 0; g < count; g++) {
    sizes[g] = shrink(sizes[g]);
    if (p->aligned)
      sizes[g] = (struct size){sizes[g].m, round_up(sizes[g].n), round_up(sizes[g].k)};
  }
  check_group(module, p, sizes, count, 1);
}

static void check_small_groups(tile_module *module, const struct grouped_product *p,
                               const char *target) {
  enum { FEW = 8 };
  struct size sizes[MAX_SIZES];
  int count = list_sizes(sizes, MAX_SIZES);
  for (int i = 0; i < count && p->aligned; i++)
    sizes[i] = (struct size){sizes[i].m, round_up(sizes[i].n), round_up(sizes[i].k)};
  for (uint64_t seed = 1; seed <= seeds_for(target); seed++)
    for (int i = 0; i < count; i += FEW)
      check_group(module, p, sizes + i, count - i < FEW ? count - i : FEW, seed);
  check_group(module, p, sizes, 1, 4);
  check_group(module, p, sizes, 0, 5); /* nothing to do */
}

static void compile_grouped(const char *target, const void *data) {
  const struct grouped_product *p = data;
  char signature[200];
  snprintf(signature, sizeof signature,
           "*i64:16, *i64:16, *i64:16, *i32:16, *i32:16, i32, %s, %s, %d, %d, %d, %d", p->element,
           p->aligned ? "True" : "False", (int)programs(), p->block[0], p->block[1], p->block[2]);
  tile_module *module = compile_staged("grouped.py", "grouped_matmul_kernel", signature,
                                       p->num_warps, p->num_stages, target);
  if (!module)
    return;
  if (large_test)
    check_large_group(module, p);
  else
    check_small_groups(module, p, target);
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

static void large_grouped(void) {
  static const struct grouped_product rows[] = {
      {"fp16", "tl.float16", {128, 128, 64}, 8, true, 3},
      {"bf16", "tl.bfloat16", {128, 64, 64}, 4, true, 4},
      {"bf16", "tl.bfloat16", {64, 128, 32}, 4, false, 3},
      {"fp32", "tl.float32", {128, 128, 32}, 8, true, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(compile_grouped, &rows[i]);
}

/* --- Rows by expert --------------------------------------------------------------------------- */

enum { EXPERTS = 5, EXPERT_ROWS = 150, LARGE_EXPERTS = 32 };

/* Expert e has rows [offsets[e], offsets[e + 1]). */
struct routing {
  int32_t experts, offsets[LARGE_EXPERTS + 1];
};

/* One expert has no row, one a single one. */
static struct routing make_routing(void) {
  struct routing few = {EXPERTS, {0, 17, 17, 18, 147, EXPERT_ROWS}};
  if (!large_test)
    return few;
  struct routing many = {.experts = LARGE_EXPERTS};
  for (int e = 0; e < LARGE_EXPERTS; e++)
    many.offsets[e + 1] = many.offsets[e] + (e == 7    ? 0
                                             : e == 11 ? 1
                                                       : shrink_number(50 + e * 613 % 900));
  return many;
}

static double *expected_of_experts(const struct routing *routing, const struct matrix *x,
                                   const struct matrix *w) {
  int n = w->columns, k = w->rows;
  double *expected = calloc((size_t)(x->rows * n), sizeof *expected);
  double *rows = matrix_doubles(x), *weights = matrix_doubles(w);
  for (int e = 0; e < routing->experts; e++)
    for (int i = routing->offsets[e]; i < routing->offsets[e + 1]; i++)
      for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++)
          expected[i * n + j] += rows[i * k + l] * weights[(e * k + l) * n + j];
  free(rows);
  free(weights);
  return expected;
}

static struct view rows_of_expert(const struct routing *routing, const struct matrix *m, int e) {
  struct view view = matrix_view(m, 0);
  size_t before = (size_t)routing->offsets[e] * view.row_step;
  view.data = (const char *)view.data + before * number_bytes(m->type);
  view.rows = routing->offsets[e + 1] - routing->offsets[e];
  return view;
}

static void check_large_experts(const struct routing *routing, const struct matrix *x,
                                const struct matrix *w, const struct matrix *y) {
  CHECK_EQUAL(count_overrun(y), 0);
  for (int e = 0; e < routing->experts; e++) {
    if (routing->offsets[e + 1] == routing->offsets[e])
      continue;
    struct lines rows = lines_of(rows_of_expert(routing, x, e));
    struct lines columns = lines_of_columns(w, e, false);
    struct view result = rows_of_expert(routing, y, e);
    check_large("experts", &result, &rows, &columns,
                allowed_for(x->type, y->type, x->columns, x->columns));
    lines_free(&rows);
    lines_free(&columns);
  }
}

static void check_experts(tile_module *module, const struct grouped_product *p, int32_t n,
                          int32_t k, uint64_t seed) {
  struct routing routing = make_routing();
  int32_t all = routing.offsets[routing.experts];
  struct matrix x = matrix_random(p->type, 1, all, k, seed);
  struct matrix w = matrix_random(p->type, routing.experts, k, n, seed + 10);
  struct matrix y = matrix_empty(p->type, 1, all, n);
  int32_t stride_we = k * w.stride;
  LAUNCH_TWICE(module, "expert_matmul_kernel",
               GRID(tiles(n, p->block[1]), tiles(all, p->block[0]) + (uint32_t)routing.experts, 1),
               seed, &y, MATRIX(x), MATRIX(w), MATRIX(y),
               BUFFER(routing.offsets, (size_t)(routing.experts + 1) * sizeof(int32_t)), SCALAR(n),
               SCALAR(k), SCALAR(x.stride), SCALAR(stride_we), SCALAR(w.stride), SCALAR(y.stride));
  if (large_test) {
    check_large_experts(&routing, &x, &w, &y);
  } else {
    double *expected = expected_of_experts(&routing, &x, &w);
    check_matrix("experts", &y, expected, sum_error(k));
    free(expected);
  }
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
      p->type, p->type, p->type, size, size, large_test ? LARGE_EXPERTS : EXPERTS, p->block[0],
      p->block[1], p->block[2]);
  tile_module *module = compile_staged("grouped.py", "expert_matmul_kernel", signature,
                                       p->num_warps, p->num_stages, target);
  if (!module)
    return;
  int32_t n = p->aligned ? 48 : 33, k = p->aligned ? 80 : 41;
  if (large_test) {
    n = p->aligned ? round_up(shrink_number(1500)) : shrink_number(1500) | 1;
    k = p->aligned ? round_up(shrink_number(1100)) : shrink_number(1100) | 1;
  }
  for (uint64_t seed = 1; seed <= seeds_for(target); seed++)
    check_experts(module, p, n, k, seed);
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

static void large_experts(void) {
  static const struct grouped_product rows[] = {
      {"fp16", NULL, {128, 128, 64}, 8, true, 3},
      {"bf16", NULL, {64, 128, 64}, 4, true, 4},
      {"fp16", NULL, {16, 64, 64}, 4, false, 3},
      {"fp32", NULL, {64, 64, 32}, 4, true, 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(compile_experts, &rows[i]);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"grouped", grouped}, {"experts", experts},
                          {"large grouped", large_grouped}, {"large experts", large_experts});
}
