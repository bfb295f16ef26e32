/* SPDX-License-Identifier: MIT */
/* steps.py: loops over K whose steps tile-coarsen-k makes longer, or must not, against double; and
   bit for bit against the same loop with its steps as they were written (loop_unroll_factor = 1).
   */
#include "product.h"

/* What is summed up besides a b. */
enum extra { NOTHING, ONES_BEHIND, ONES_AND_COLUMNS_OF_B };

struct form {
  const char *kernel, *a, *b, *out;
  int block[3], num_warps, stages;
  bool a_transposed, b_linear; /* A is K x M; B is N x K */
  bool whole;                  /* K is a multiple of block[2] */
  bool aligned;                /* K and N are promised to be multiples of 16: copies are wide */
  bool rarely;                 /* only with --full */
  enum extra extra;
  const char *arguments; /* more of them */
  double rounding;       /* of each addition, relative to a sum of numbers below 1 */
  bool fp8;              /* is multiplied as such */
};

struct programs {
  const struct form *form;
  tile_module *fused, *kept;
};

/* Without a row there would be no buffer. */
static int32_t at_least_one(int32_t size) {
  return size < 1 ? 1 : size;
}

static struct matrix random_of(const char *type, bool turned, int32_t rows, int32_t columns,
                               uint64_t seed) {
  return turned ? matrix_random(type, 1, at_least_one(columns), at_least_one(rows), seed)
                : matrix_random(type, 1, at_least_one(rows), at_least_one(columns), seed);
}

static double entry(const struct matrix *m, bool turned, int row, int column) {
  return turned ? matrix_at(m, 0, column, row) : matrix_at(m, 0, row, column);
}

static double *expected_of(const struct form *f, const struct matrix *a, const struct matrix *b,
                           struct size size) {
  double *out = calloc((size_t)(size.m * size.n), sizeof *out);
  int after = size.k > 0 ? (f->block[2] - size.k % f->block[2]) % f->block[2] : 0;
  for (int i = 0; i < size.m; i++)
    for (int j = 0; j < size.n; j++) {
      double sum = f->extra != NOTHING ? after : 0;
      for (int k = 0; k < size.k; k++)
        sum += (entry(a, f->a_transposed, i, k) + (f->extra == ONES_AND_COLUMNS_OF_B)) *
               entry(b, f->b_linear, k, j);
      out[i * size.n + j] = sum;
    }
  return out;
}

static void launch_form(tile_module *module, const struct form *f, const struct matrix *a,
                        const struct matrix *b, const struct matrix *c, struct size size,
                        uint64_t seed) {
  bool few = strcmp(f->kernel, "persistent") == 0;
  LAUNCH(module, f->kernel,
         GRID(few ? 1 : tiles(size.m, f->block[0]), few ? 2 : tiles(size.n, f->block[1]), 1), seed,
         MATRIX(*a), MATRIX(*b), MATRIX(*c), SCALAR(size.m), SCALAR(size.n), SCALAR(size.k),
         {"stride_a", (void *)&a->stride, 0}, {"stride_b", (void *)&b->stride, 0},
         {"stride_c", (void *)&c->stride, 0});
}

static void check_form(const struct programs *p, struct size size, uint64_t seed) {
  const struct form *f = p->form;
  struct matrix a = random_of(f->a, f->a_transposed, size.m, size.k, seed);
  struct matrix b = random_of(f->b, f->b_linear, size.k, size.n, seed + 10);
  struct matrix c = matrix_empty(f->out, 1, size.m, size.n),
                kept = matrix_empty(f->out, 1, size.m, size.n);
  launch_form(p->fused, f, &a, &b, &c, size, seed);
  launch_form(p->kept, f, &a, &b, &kept, size, seed);
  char what[100];
  snprintf(what, sizeof what, "%s of %s, K = %d", f->kernel, f->a, size.k);
  if (memcmp(c.data, kept.data, c.bytes) != 0) {
    printf("%s: not what the loop gives as it is written\n", what);
    check_failures_++;
  }
  double *expected = expected_of(f, &a, &b, size);
  int k = size.k < 0 ? 0 : size.k;
  double sum = f->fp8 ? fp8_sum_error(k, k) : sum_error(k);
  double most = sum * (f->extra ? 64 : 1) + f->rounding * (size.k + 1);
  check_matrix(what, &c, expected, most);
  free(expected);
  matrix_free(&a);
  matrix_free(&b);
  matrix_free(&c);
  matrix_free(&kept);
}

/* KEEP: "1" or "None". */
static tile_module *compile_form(const struct form *f, const char *keep, const char *target) {
  const char *size = f->aligned ? "i32:16" : "i32";
  char signature[240];
  snprintf(signature, sizeof signature,
           "*%s:16, *%s:16, *%s:16, i32, %s, %s, i32:16, i32:16, i32:16, %d, %d, %d, %d, %s%s%s",
           f->a, f->b, f->out, size, size, f->block[0], f->block[1], f->block[2], f->stages, keep,
           f->arguments ? ", " : "", f->arguments ? f->arguments : "");
  return compile_product("steps.py", f->kernel, signature, f->num_warps, target);
}

/* Sizes along K around those of steps. */
static void check_sizes(const struct programs *p) {
  static const int32_t depths[] = {97, 0,  33, 64, 1,   96,  31,  129, -1,
                                   95, 63, 32, 65, 128, 160, 192, 257, INT32_MIN};
  enum { COUNT = sizeof depths / sizeof *depths, FEW = 5 };
  const struct form *f = p->form;
  for (int i = 0; i < (full_test ? COUNT : FEW); i++)
    for (uint64_t seed = 1; seed <= (full_test ? SEEDS : 1); seed++) {
      struct size size = {f->block[0] + 1, f->block[1] - 3, depths[i]};
      if (f->aligned)
        size = (struct size){size.m, round_up(size.n), round_up(size.k)};
      if (f->whole)
        size.k = (size.k + f->block[2] - 1) / f->block[2] * f->block[2];
      check_form(p, size, seed);
    }
}

static void check_target(const char *target, const void *data) {
  struct programs p = {.form = data,
                       .fused = compile_form(data, "None", target),
                       .kept = compile_form(data, "1", target)};
  if (p.fused && p.kept)
    check_sizes(&p);
  tile_module_unload(p.fused);
  tile_module_unload(p.kept);
}

static void check_forms(const struct form *forms, size_t count) {
  bool emulated = tile_device_get_driver(test_device) == tile_emulator_driver();
  for (size_t i = 0; i < count; i++)
    if (full_test || !emulated) /* in turns, else */
      for_each_target(check_target, &forms[i]);
    else if (!forms[i].rarely)
      check_target(i % 2 ? "sm_80" : "sm_90a", &forms[i]);
}
#define CHECK_FORMS(...)                                                                           \
  check_forms((const struct form[]){__VA_ARGS__},                                                  \
              sizeof((const struct form[]){__VA_ARGS__}) / sizeof(struct form))

#define HALF "fp16", "fp16", "fp16"

static void steps(void) {
  CHECK_FORMS({"counted", HALF, {64, 32, 32}, 4, 4},
              {"counted", HALF, {64, 64, 16}, 4, 5, .aligned = true, .rarely = true},
              {"stepped", HALF, {64, 32, 32}, 4, 3, .aligned = true},
              {"stepped", HALF, {32, 32, 32}, 2, 4, .rarely = true},
              {"anew", HALF, {32, 32, 32}, 1, 4, .b_linear = true},
              {"base", HALF, {64, 32, 32}, 4, 4, .aligned = true},
              {"descending", HALF, {64, 64, 32}, 8, 4, .b_linear = true},
              {"descending", HALF, {32, 64, 32}, 4, 4, .b_linear = true, .rarely = true},
              {"whole", HALF, {64, 32, 32}, 4, 4, .whole = true},
              {"whole", HALF, {32, 32, 16}, 4, 5, .whole = true});
}

static void operands(void) {
  CHECK_FORMS({"linear", HALF, {64, 32, 32}, 4, 4, .b_linear = true, .aligned = true},
              {"transposed", HALF, {64, 32, 32}, 4, 4, .a_transposed = true, .b_linear = true},
              {"wrapped", HALF, {64, 32, 32}, 4, 4, .aligned = true},
              {"long", HALF, {64, 32, 32}, 4, 4},
              {"blocks", HALF, {64, 32, 32}, 4, 4, .aligned = true, .rarely = true});
}

static void types(void) {
  CHECK_FORMS(
      {"counted", "bf16", "bf16", "fp32", {64, 32, 32}, 4, 4, .aligned = true},
      {"converted", "i8", "i8", "fp32", {32, 32, 32}, 4, 5, .b_linear = true},
      {"converted",
       "fp32",
       "fp32",
       "fp16",
       {32, 32, 16},
       4,
       4,
       .b_linear = true,
       .rounding = 0x1p-11},
      {"converted", "fp8e5", "fp8e5", "fp16", {32, 32, 32}, 4, 5, .b_linear = true, .rarely = true},
      {"whole_numbers", "i8", "i8", "i32", {64, 32, 32}, 4, 5, .b_linear = true},
      {"whole_numbers", "i8", "i8", "i32", {64, 32, 64}, 4, 4, .b_linear = true, .rarely = true},
      {"counted", "fp8e5", "fp8e5", "fp32", {64, 32, 64}, 4, 4, .fp8 = true},
      {"halves", HALF, {64, 32, 32}, 4, 4, .aligned = true, .rounding = 0x1p-9});
}

static void precisions(void) {
  CHECK_FORMS({"singles",
               "fp32",
               "fp32",
               "fp32",
               {64, 32, 16},
               4,
               4,
               .b_linear = true,
               .aligned = true,
               .arguments = "\"tf32\""},
              {"singles",
               "fp32",
               "fp32",
               "fp32",
               {32, 32, 16},
               4,
               4,
               .b_linear = true,
               .arguments = "\"tf32x3\""},
              {"singles",
               "fp32",
               "fp32",
               "fp32",
               {32, 32, 16},
               4,
               4,
               .b_linear = true,
               .arguments = "\"ieee\""});
}

static void nested(void) {
  CHECK_FORMS({"persistent", HALF, {32, 32, 32}, 4, 4},
              {"persistent", HALF, {64, 32, 32}, 4, 4, .aligned = true, .rarely = true});
}

static void unchanged(void) {
  CHECK_FORMS(
      {"split", HALF, {64, 32, 32}, 4, 4, .aligned = true, .rarely = true},
      {"others", HALF, {64, 32, 32}, 4, 4, .extra = ONES_BEHIND, .rounding = 0x1p-12},
      {"shifted", HALF, {64, 32, 32}, 4, 4, .extra = ONES_AND_COLUMNS_OF_B, .rounding = 0x1p-10});
}

/* --- Loops of other data ---------------------------------------------------------------------- */

/* a a^T; one tile. */
static void check_square(const char *target, const void *data) {
  struct form f = *(const struct form *)data;
  struct programs p = {
      .form = &f, .fused = compile_form(&f, "None", target), .kept = compile_form(&f, "1", target)};
  for (int32_t k = 31; k < 98 && p.fused && p.kept; k += 33) {
    struct size size = {f.block[0], f.block[0], k};
    struct matrix a = matrix_random(f.a, 1, size.m, k, 1);
    struct matrix c = matrix_empty(f.out, 1, size.m, size.m),
                  kept = matrix_empty(f.out, 1, size.m, size.m);
    launch_form(p.fused, &f, &a, &a, &c, size, 1);
    launch_form(p.kept, &f, &a, &a, &kept, size, 1);
    CHECK(memcmp(c.data, kept.data, c.bytes) == 0);
    double *expected = product_of(&a, &a, true);
    check_matrix("square", &c, expected, sum_error(k));
    free(expected);
    matrix_free(&a);
    matrix_free(&c);
    matrix_free(&kept);
  }
  tile_module_unload(p.fused);
  tile_module_unload(p.kept);
}

static void square(void) {
  static const struct form rows[] = {{"square", HALF, {32, 32, 32}, 4, 4},
                                     {"square", HALF, {64, 64, 32}, 4, 4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for_each_target(check_square, &rows[i]);
}

/* The rows of B that are to be taken stand after it, in its first column. After them there is
   nothing. */
static void check_gathered(const char *target, const void *data) {
  const struct form *f = data;
  tile_module *module = compile_form(f, "None", target);
  for (int32_t k = 32; k <= 96 && module; k += 64) {
    struct size size = {f->block[0], f->block[1], k};
    struct matrix a = matrix_random(f->a, 1, size.m, k, 1),
                  all = matrix_random(f->b, 1, 2 * k, size.n, 2);
    struct matrix b = matrix_empty(f->b, 1, k, size.n), c = matrix_empty(f->out, 1, size.m, size.n);
    for (int i = 0; i < k; i++)
      number_write(all.data, matrix_place(&all, 0, k + i, 0), f->b, i * 7 % k);
    FOR_EACH_ELEMENT(&b, batch, i, j)
    number_write(b.data, matrix_place(&b, 0, i, j), f->b, matrix_at(&all, 0, i * 7 % k, j));
    launch_form(module, f, &a, &all, &c, size, 1);
    double *expected = product_of(&a, &b, false);
    check_matrix("gathered", &c, expected, sum_error(k));
    free(expected);
    matrix_free(&a);
    matrix_free(&all);
    matrix_free(&b);
    matrix_free(&c);
  }
  tile_module_unload(module);
}

static void gathered(void) {
  static const struct form form = {"gathered", HALF, {64, 32, 32}, 4, 4, .aligned = true};
  for_each_target(check_gathered, &form);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(argc, argv, {"steps", steps}, {"operands", operands}, {"types", types},
                          {"precisions", precisions}, {"nested", nested}, {"unchanged", unchanged},
                          {"square", square}, {"gathered", gathered});
}
