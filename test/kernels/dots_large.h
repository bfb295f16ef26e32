/* SPDX-License-Identifier: MIT */
/* The products of dots.c at large sizes, in tiles that are used at such: 128x128 and the like, and
   16 rows for the skinny ones. large_product.h looks at the results.

   Each product is multiplied in one way of each group, and each group's ways take turns, as the
   sizes do; --full has all ways of all products. */
#ifndef TILE_TEST_DOTS_LARGE_H
#define TILE_TEST_DOTS_LARGE_H

#include "dots_product.h"
#include "large_product.h"

enum { GROUPS = 5, MAX_OF_GROUP = 4, SIZES_OF_WAY = 3, MAX_OF_SIZES = 6 };

struct large_group {
  struct way ways[MAX_OF_GROUP];
  int count;
  struct sizes sizes[MAX_OF_SIZES];
  int sizes_count;
};

#define WIDE_SIZES                                                                                 \
  {{1024, 1024, 1024}, {4095, 2049, 4097}, {2048, 2048, 2048},                                     \
   {128, 128, 65536},  {4096, 4096, 4096}, {3000, 1111, 2500}},                                    \
      6

/* A tile's K is 128 bytes with 4 steps. */
static const struct large_group large_groups[GROUPS] = {
    {{{"sm_90a", 0, 0, 0, 0, 0, 128, 128, 4, 8, 3, true},
      {"sm_90a", 0, 1, 0, 0, 0, 128, 128, 4, 4, 4, true},
      {"sm_90a", 0, 1, 0, 0, 0, 128, 256, 4, 8, 3, true},
      {"sm_90a", 1, 1, 0, 0, 0, 64, 256, 4, 8, 3, true}},
     4,
     WIDE_SIZES},
    {{{"sm_90a", 1, 0, 0, 0, 0, 128, 64, 4, 4, 3, false},
      {"sm_90a", 0, 1, 0, 1, 0, 64, 128, 4, 4, 4, true},
      {"sm_90a", 1, 1, 1, 0, 0, 128, 128, 2, 8, 4, true},
      {"sm_90a", 0, 0, 1, 1, 0, 128, 128, 4, 8, 3, false}},
     4,
     WIDE_SIZES},
    {{{"sm_80", 0, 0, 0, 0, 0, 128, 128, 2, 8, 3, true},
      {"sm_80", 0, 1, 0, 1, 0, 64, 128, 4, 4, 4, false},
      {"sm_80", 1, 0, 1, 1, 0, 128, 64, 2, 8, 3, true}},
     3,
     WIDE_SIZES},
    {{{"sm_90a", 0, 0, 0, 0, 0, 16, 128, 4, 4, 4, true},
      {"sm_90a", 0, 1, 0, 0, 0, 16, 64, 4, 4, 3, false},
      {"sm_80", 0, 1, 0, 0, 0, 16, 128, 4, 8, 4, true},
      {"sm_80", 1, 0, 0, 0, 0, 16, 64, 2, 4, 3, false}},
     4,
     {{16, 8192, 4096}, {1, 4096, 14336}, {13, 3001, 4099}},
     3},
    {{{"sm_80", 0, 0, 0, 0, 2, 32, 64, 2, 4, 3, true},
      {"sm_90a", 0, 1, 0, 0, 2, 32, 32, 2, 4, 4, false},
      {"sm_90a", 1, 0, 0, 0, 4, 16, 32, 2, 8, 3, true}},
     3,
     {{1024, 1024, 1024}, {515, 1030, 777}, {48, 2048, 2048}},
     3},
};

/* What the product may be off by; see large_product.h. tf32 cuts 13 bits off each of two f32
   numbers, unless they are zeros; tf32x3 has 21 bits of each and adds three times as often. */
static struct allowed allowed_for(const struct product *p, int64_t k) {
  const struct number_format *result = number_format(p->c);
  const char *multiplied = p->multiplied ? p->multiplied : "tl.float8";
  bool gpu = tile_device_get_driver(test_device) != tile_emulator_driver();
  struct allowed allowed = {.sum = f32_sums(k, 8),
                            .result = result ? ldexp(1, -result->fraction - 1) : 0,
                            .least = strcmp(p->c, "fp16") == 0 ? 0x1p-25 : 0};
  if (strcmp(p->sums, "tl.float16") == 0)
    allowed.sum = f16_sums(k);
  else if (strcmp(p->sums, "tl.float64") == 0)
    allowed.sum = sqrt((double)k) * 0x1p-52; /* as the reference may be */
  else if (strcmp(p->sums, "tl.int32") == 0)
    allowed.sum = 0;
  else if (strncmp(multiplied, "tl.float8", 9) == 0)
    allowed.sum = fp8_sums(k, k, gpu);
  else if (strcmp(p->precision, "ieee") == 0)
    allowed.sum = fused_sums(k);
  else if (strcmp(p->precision, "tf32x3") == 0)
    allowed.sum = f32_sums(3 * k, 4) + 0x1p-20;
  else if (strcmp(multiplied, "tl.float32") == 0)
    allowed.sum = f32_sums(k, 4) + (strcmp(p->held, "fp32") == 0 ? 0x1p-9 : 0);
  return allowed;
}

/* Rows and columns of one of a batch of matrices. */
static struct view view_of(const struct matrix *m, const char *type, int64_t rows, int64_t columns,
                           bool by_columns, int batch) {
  size_t place = (size_t)batch * (size_t)(rows * columns) * number_bytes(type);
  return (struct view){.type = type,
                       .data = (const char *)m->data + place,
                       .rows = rows,
                       .columns = columns,
                       .row_step = by_columns ? 1 : (size_t)columns,
                       .column_step = by_columns ? (size_t)rows : 1};
}

static struct matrix draw_matrix(const char *type, const char *held, int batch, int32_t rows,
                                 int32_t columns, uint64_t seed) {
  struct matrix m = {0};
  size_t all = (size_t)batch * (size_t)rows;
  m.bytes = all * (size_t)columns * number_bytes(type);
  m.data = poisoned(m.bytes);
  draw_numbers(m.data, type, held, all, (size_t)columns, (size_t)columns, seed);
  return m;
}

static bool looks_right(const struct product *p, const struct way *way, const struct sizes *s,
                        const struct matrix *a, const struct matrix *b, const struct matrix *c) {
  bool right = true;
  for (int i = 0; i < (way->batch ? way->batch : 1) && right; i++) {
    struct lines rows = lines_of(view_of(a, p->a, s->m, s->k, way->a_by_columns, i));
    struct lines columns =
        lines_of(view_transposed(view_of(b, p->b, s->k, s->n, way->b_by_columns, i)));
    struct view result = view_of(c, p->c, s->m, s->n, false, i);
    right = check_large(p->a, &result, &rows, &columns, allowed_for(p, s->k));
    lines_free(&rows);
    lines_free(&columns);
  }
  return right;
}

static void check_large_sizes(tile_module *module, const struct product *p, const struct way *way,
                              const struct sizes *s, uint64_t seed) {
  int batch = way->batch ? way->batch : 1;
  struct matrix a = draw_matrix(p->a, p->held, batch, s->m, s->k, seed);
  struct matrix b = draw_matrix(p->b, p->held, batch, s->k, s->n, seed + 100);
  struct matrix c = {.bytes = (size_t)batch * (size_t)s->m * (size_t)s->n * number_bytes(p->c)};
  void *again = poisoned(c.bytes);
  c.data = poisoned(c.bytes);
  launch_product(module, way, s, seed, &a, &b, c.data, c.bytes);
  launch_product(module, way, s, seed + 1, &a, &b, again, c.bytes);
  bool same = memcmp(c.data, again, c.bytes) == 0;
  CHECK(same);
  if (!looks_right(p, way, s, &a, &b, &c) || !same) {
    char signature[256];
    write_signature(p, way, signature, sizeof signature);
    printf("%s, %s, warps %d, stages %d: %d x %dx%dx%d\n", way->target, signature, way->num_warps,
           way->num_stages, batch, s->m, s->n, s->k);
  }
  free_matrix(&a);
  free_matrix(&b);
  free_matrix(&c);
  free(again);
}

static int32_t large_number(int32_t size, bool aligned) {
  int32_t by = large_test * (aligned ? 16 : 1);
  return (size + by - 1) / by * (aligned ? 16 : 1);
}

/* `number` turns the sizes. Of f64 half a tile fits into the registers. */
static void check_large_way(const struct product *p, const struct large_group *group,
                            int way_number, int number) {
  struct way way = group->ways[way_number];
  if (strcmp(p->sums, "tl.float64") == 0)
    way.n /= 2;
  tile_module *module = compile_product(p, &way);
  for (int i = 0; i < SIZES_OF_WAY && module; i++) {
    const struct sizes *size = &group->sizes[(number + i) % group->sizes_count];
    struct sizes own = {large_number(size->m, way.aligned), large_number(size->n, way.aligned),
                        large_number(size->k, way.aligned)};
    check_large_sizes(module, p, &way, &own, (uint64_t)(1 + number + i));
  }
  tile_module_unload(module);
}

static void check_large_product(const struct product *p, int number) {
  for (int i = 0; i < GROUPS; i++)
    for (int way = 0; way < large_groups[i].count; way++)
      if (full_test || way == (number + i) % large_groups[i].count)
        check_large_way(p, &large_groups[i], way, number * SIZES_OF_WAY + i);
}

/* Parts that a caller may run beside each other. */
static void large_types(int part) {
  for (int i = part; i < PRODUCTS; i += 4)
    check_large_product(&products[i], i);
}

static void large_types_1(void) {
  large_types(0);
}

static void large_types_2(void) {
  large_types(1);
}

static void large_types_3(void) {
  large_types(2);
}

static void large_types_4(void) {
  large_types(3);
}

static void large_mixed(void) {
  for (int i = 0; i < MIXED_PRODUCTS; i++)
    check_large_product(&mixed_products[i], i);
}

#endif
