/* SPDX-License-Identifier: MIT */
/* Products of matrices in a loop over K, against double precision: every element type and
   accumulator, the precisions of f32, operands by rows, by columns and transposed in the kernel,
   operands converted in the loop, batches, 1 to 8 warps, 1 to 5 stages, both generations of tensor
   cores. Sizes lie around those of the tiles.

   Each case runs twice and has to give the same bits. By default each type has a few of the ways to
   be multiplied, so that every way occurs; --full has all of them with all sizes. --large:
   dots_large.h. */
#include "dots_large.h"
#include "dots_product.h"

/* --- How -------------------------------------------------------------------------------------- */

static const struct way ways[] = {
    {"sm_80", 0, 0, 0, 0, 0, 32, 32, 1, 4, 3}, {"sm_90a", 0, 0, 0, 0, 0, 64, 32, 2, 4, 3},
    {"sm_80", 1, 0, 0, 0, 0, 16, 8, 1, 1, 2},  {"sm_90a", 1, 1, 0, 0, 0, 64, 64, 2, 4, 4},
    {"sm_89", 0, 1, 0, 1, 0, 64, 32, 2, 2, 5}, {"sm_90a", 0, 1, 0, 0, 0, 128, 32, 1, 8, 5},
    {"sm_80", 1, 0, 1, 0, 0, 32, 64, 2, 8, 1}, {"sm_90a", 1, 0, 1, 0, 0, 64, 16, 4, 4, 2},
    {"sm_89", 0, 0, 1, 1, 0, 64, 16, 4, 4, 4}, {"sm_90a", 0, 0, 0, 1, 0, 64, 64, 1, 8, 1},
    {"sm_80", 0, 0, 0, 0, 2, 16, 32, 2, 2, 3}, {"sm_90a", 0, 1, 1, 1, 0, 64, 128, 2, 4, 3},
    {"sm_89", 1, 1, 1, 0, 4, 32, 16, 1, 8, 2}, {"sm_90a", 1, 0, 0, 1, 4, 16, 16, 2, 4, 2},
    {"sm_80", 1, 1, 0, 0, 0, 8, 4, 4, 1, 3},   {"sm_90a", 0, 0, 0, 0, 0, 1, 64, 2, 2, 4},
    {"sm_80", 0, 1, 0, 0, 0, 64, 64, 1, 4, 2}, {"sm_90a", 0, 1, 0, 1, 0, 32, 16, 1, 1, 5},
};

enum { WAYS = sizeof ways / sizeof *ways, QUICK_WAYS = 3 };

/* --- Running ---------------------------------------------------------------------------------- */

static struct matrix make_matrix(const char *type, const char *held, size_t batch, size_t rows,
                                 size_t columns, bool by_columns, uint64_t seed) {
  size_t count = rows * columns;
  struct matrix matrix = {.bytes = batch * count * number_bytes(type)};
  matrix.data = poisoned(matrix.bytes);
  matrix.values = malloc(batch * count * sizeof *matrix.values);
  if (!matrix.values)
    exit(1);
  uint64_t state = seeded(seed);
  for (size_t i = 0; i < batch * count; i++) {
    double value = (double)draw(&state);
    uint64_t bits;
    number_write(&bits, 0, held, value);
    value = *type == 'i' ? floor(value * 128) : number_read(&bits, 0, held);
    size_t row = i / columns % rows, column = i % columns;
    size_t at = i / count * count + (by_columns ? column * rows + row : row * columns + column);
    number_write(matrix.data, at, type, value);
    matrix.values[i] = number_read(matrix.data, at, type);
  }
  return matrix;
}

/* Elements of c that are off by more than is allowed; `worst` is the largest error in units of
 * that. */
static int count_wrong(const struct product *p, const struct sizes *s, int batch,
                       const struct matrix *a, const struct matrix *b, const void *c,
                       double *worst) {
  size_t m = (size_t)s->m, n = (size_t)s->n, k = (size_t)s->k;
  double rounding = strcmp(p->c, "fp16") == 0 ? 0x1p-11 : strcmp(p->c, "bf16") == 0 ? 0x1p-8 : 0;
  double least = strcmp(p->c, "fp16") == 0 ? 0x1p-24 : 0; /* a subnormal f16's last place */
  int wrong = 0;
  for (size_t i = 0; i < (size_t)batch * m * n; i++) {
    size_t row = i / n, column = i % n; /* rows of all matrices */
    const double *left = a->values + row * k, *right = b->values + row / m * k * n + column;
    double sum = 0, size = 0;
    for (size_t at = 0; at < k; at++) {
      sum += left[at] * right[at * n];
      size += fabs(left[at] * right[at * n]);
    }
    double allowed = p->tolerance * size + rounding * fabs(sum) + (p->tolerance > 0 ? least : 0);
    double error = fabs(number_read(c, i, p->c) - sum);
    wrong += !(error <= allowed);
    if (allowed > 0 && error / allowed > *worst)
      *worst = error / allowed;
  }
  return wrong;
}

static void check_sizes(tile_module *module, const struct product *p, const struct way *way,
                        const struct sizes *s, uint64_t seed) {
  size_t m = (size_t)s->m, n = (size_t)s->n, k = (size_t)s->k;
  int batch = way->batch ? way->batch : 1;
  struct matrix a = make_matrix(p->a, p->held, (size_t)batch, m, k, way->a_by_columns, seed);
  struct matrix b = make_matrix(p->b, p->held, (size_t)batch, k, n, way->b_by_columns, seed + 100);
  size_t bytes = (size_t)batch * m * n * number_bytes(p->c);
  void *c = poisoned(bytes), *again = poisoned(bytes);
  launch_product(module, way, s, seed, &a, &b, c, bytes);
  launch_product(module, way, s, seed + 1, &a, &b, again, bytes);
  double worst = 0;
  int wrong = count_wrong(p, s, batch, &a, &b, c, &worst);
  bool differ = memcmp(c, again, bytes) != 0;
  if (wrong || differ) {
    char signature[256];
    write_signature(p, way, signature, sizeof signature);
    printf("%s, %s, warps %d, stages %d: %d x %dx%dx%d, seed %llu: %d wrong, by %g of what is "
           "allowed%s\n",
           way->target, signature, way->num_warps, way->num_stages, batch, s->m, s->n, s->k,
           (unsigned long long)seed, wrong, worst, differ ? "; a second run differs" : "");
    check_failures_++;
  }
  free_matrix(&a);
  free_matrix(&b);
  free(c);
  free(again);
}

/* Sizes around those of tiles and instructions: each dimension takes each of them. `number` is the
 * way's. */
static void check_way(const struct product *p, const struct way *way, int number) {
  static const int32_t around[2][6] = {{1, 15, 16, 17, 127, 129}, {16, 32, 48, 80, 128, 144}};
  static const int quick[][3] = {{3, 1, 5}, {5, 0, 2}, {0, 4, 1},
                                 {2, 2, 4}, {1, 5, 3}, {4, 3, 0}}; /* of `around` */
  enum { SIZES = 6, ALL = SIZES * SIZES * SIZES, QUICK = sizeof quick / sizeof *quick };
  const int32_t *size = around[way->aligned];
  tile_module *module = compile_product(p, way);
  if (!module)
    return;
  for (int i = 0; i < (full_test ? ALL : SEEDS); i++) {
    const int *few = quick[(number + i) % QUICK];
    struct sizes all = {size[i / (SIZES * SIZES)], size[i / SIZES % SIZES], size[i % SIZES]};
    struct sizes some = {size[few[0]], size[few[1]], size[few[2]]};
    check_sizes(module, p, way, full_test ? &all : &some, (uint64_t)(1 + i % SEEDS));
  }
  tile_module_unload(module);
}

static void check_products(const struct product *list, int count) {
  for (int i = 0; i < count * (full_test ? WAYS * 2 : QUICK_WAYS); i++) {
    struct way way = ways[(full_test ? i / 2 : i) % WAYS];
    way.aligned = full_test ? i % 2 : i / 2 % 2;
    if (i % test_parts == test_part)
      check_way(&list[full_test ? i / (WAYS * 2) : i / QUICK_WAYS], &way, i);
  }
}

static void types(void) {
  check_products(products, PRODUCTS);
}

static void mixed(void) {
  check_products(mixed_products, MIXED_PRODUCTS);
}

/* Tiles as large as the registers allow: what is stored of them goes through the place of the
 * loop's buffers. */
static void wide_tiles(void) {
  static const struct way wide_ways[] = {
      {"sm_90a", 0, 0, 0, 0, 0, 128, 256, 4, 8, 3, true},
      {"sm_90a", 0, 1, 0, 0, 0, 128, 256, 2, 8, 2, false},
      {"sm_80", 0, 0, 0, 0, 0, 128, 128, 2, 4, 3, true},
  };
  static const char *const outputs[] = {"fp16", "bf16"};
  for (size_t i = 0; i < sizeof wide_ways / sizeof *wide_ways; i++) {
    struct product p = products[0];
    p.c = outputs[i % 2];
    check_way(&p, &wide_ways[i], (int)i);
  }
}

/* Elements that warp groups read along K alone, in memory along M and N: threads turn them round in
 * the loop. */
static void turned_round(void) {
  static const struct way turning[] = {
      {"sm_90a", 1, 0, 0, 0, 0, 64, 64, 2, 4, 3, true},
      {"sm_90a", 0, 0, 0, 0, 0, 128, 32, 4, 8, 4, true},
  };
  static const int types_of_words_and_bytes[] = {4, 8, 9, 11}; /* f32 as tf32, e4m3, e5m2, i8 */
  for (int i = 0; i < 4; i++)
    check_way(&products[types_of_words_and_bytes[i]], &turning[i % 2], i);
}

int main(int argc, char **argv) {
  return RUN_KERNEL_TESTS(
      argc, argv, {"types", types}, {"two formats of 8 bits", mixed}, {"wide tiles", wide_tiles},
      {"turned round", turned_round}, {"large types, 1 of 4", large_types_1},
      {"large types, 2 of 4", large_types_2}, {"large types, 3 of 4", large_types_3},
      {"large types, 4 of 4", large_types_4}, {"large two formats of 8 bits", large_mixed});
}
