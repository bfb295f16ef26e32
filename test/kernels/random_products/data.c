/* SPDX-License-Identifier: MIT */
/* See products.h: matrices of integers, and what their product is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../numbers.h"
#include "../parallel.h"
#include "products.h"

enum { POISON = 0xCB };

static size_t place_of(const struct numbers *n, int32_t row, int32_t column) {
  return (size_t)row * (size_t)n->stride[0] + (size_t)column * (size_t)n->stride[1];
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory)
    exit(1);
  return memory;
}

/* Up to the last element, and no further. */
static struct numbers make(const char *type, int32_t rows, int32_t columns,
                           const int32_t stride[2]) {
  struct numbers n = {
      .type = type, .rows = rows, .columns = columns, .stride = {stride[0], stride[1]}};
  n.count = place_of(&n, rows - 1, columns - 1) + 1;
  n.bytes = n.count * number_bytes(type);
  n.data = poisoned(n.bytes);
  n.integers = allocate((size_t)rows * (size_t)columns * sizeof *n.integers);
  return n;
}

static void fill(struct numbers *n, int largest, uint64_t seed) {
  for (int32_t i = 0; i < n->rows; i++)
    for (int32_t j = 0; j < n->columns; j++) {
      double number = floor(draw(&seed) * (largest + 0.5) + 0.5);
      n->integers[(size_t)i * (size_t)n->columns + (size_t)j] = (int64_t)number;
      number_write(n->data, place_of(n, i, j), n->type, number);
    }
}

struct numbers numbers_of(const struct product *p, int matrix) {
  struct numbers n =
      make(p->type[matrix], product_rows(p, matrix), product_columns(p, matrix), p->stride[matrix]);
  if (matrix != C)
    fill(&n, p->largest, p->seed * 4 + (uint64_t)matrix);
  return n;
}

struct numbers numbers_of_bias(const struct product *p) {
  struct numbers n = make(p->type[C], 1, p->size[1], (const int32_t[]){p->size[1], 1});
  fill(&n, 8, p->seed * 4 + C);
  return n;
}

void numbers_free(struct numbers *n) {
  free(n->integers);
  free(n->data);
}

void numbers_poison(struct numbers *n) {
  memset(n->data, POISON, n->bytes);
}

/* --- Poison ----------------------------------------------------------------------------------- */

/* The first element that is no matrix's and was written; `count`: there is none. */
static size_t find_overrun(const struct numbers *c) {
  size_t bytes = number_bytes(c->type);
  bool *is_ours = calloc(c->count, 1);
  if (!is_ours)
    exit(1);
  for (int32_t i = 0; i < c->rows; i++)
    for (int32_t j = 0; j < c->columns; j++)
      is_ours[place_of(c, i, j)] = true;
  size_t at = 0;
  for (; at < c->count; at++) {
    bool poison = true;
    for (size_t k = 0; k < bytes; k++)
      poison &= ((const unsigned char *)c->data)[at * bytes + k] == POISON;
    if (!is_ours[at] && !poison)
      break;
  }
  free(is_ours);
  return at;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* To the nearest number of the type, the even one of two. */
static double round_to(const char *type, double value) {
  const struct number_format *format = number_format(type);
  if (!format || value == 0)
    return value;
  int exponent;
  frexp(value, &exponent);
  int scale = format->fraction + 1 - exponent;
  return ldexp(nearbyint(ldexp(value, scale)), -scale);
}

struct reference {
  const struct product *p;
  const struct numbers *in, *bias, *c;
  int64_t *vector, *folded; /* of large ones: v, and b v */
  atomic_int wrong;
  atomic_llong first; /* wrong element, row by row; or row */
};

static void note(struct reference *r, int64_t place) {
  long long first = atomic_load(&r->first);
  atomic_fetch_add(&r->wrong, 1);
  while (place < first && !atomic_compare_exchange_weak(&r->first, &first, place))
    continue;
}

static double expected_of(const struct reference *r, int64_t sum, int64_t column) {
  if (r->p->has_bias) {
    sum += r->bias->integers[column];
    sum = sum > 0 ? sum : 0;
  }
  return round_to(r->c->type, (double)sum);
}

static void row_of(const struct reference *r, int64_t i, int64_t *sums) {
  int64_t n = r->p->size[1], k = r->p->size[2];
  memset(sums, 0, (size_t)n * sizeof *sums);
  for (int64_t l = 0; l < k; l++)
    for (int64_t j = 0, x = r->in[A].integers[i * k + l]; j < n; j++)
      sums[j] += x * r->in[B].integers[l * n + j];
}

static void check_rows(void *data, int64_t first, int64_t past) {
  struct reference *r = data;
  int64_t n = r->p->size[1], *sums = allocate((size_t)n * sizeof *sums);
  for (int64_t i = first; i < past; i++) {
    row_of(r, i, sums);
    for (int64_t j = 0; j < n; j++)
      if (number_read(r->c->data, place_of(r->c, (int32_t)i, (int32_t)j), r->c->type) !=
          expected_of(r, sums[j], j))
        note(r, i * n + j);
  }
  free(sums);
}

/* c v is a (b v), exactly. */
static void check_folded_rows(void *data, int64_t first, int64_t past) {
  struct reference *r = data;
  int64_t n = r->p->size[1], k = r->p->size[2];
  for (int64_t i = first; i < past; i++) {
    int64_t expected = 0;
    double sum = 0;
    for (int64_t l = 0; l < k; l++)
      expected += r->in[A].integers[i * k + l] * r->folded[l];
    for (int64_t j = 0; j < n; j++)
      sum += number_read(r->c->data, place_of(r->c, (int32_t)i, (int32_t)j), r->c->type) *
             (double)r->vector[j];
    if (sum != (double)expected)
      note(r, i * n);
  }
}

/* Numbers up to 16: all sums stay below 2^53. */
static void fold(struct reference *r) {
  int64_t n = r->p->size[1], k = r->p->size[2];
  uint64_t state = r->p->seed;
  r->vector = allocate((size_t)n * sizeof *r->vector);
  r->folded = calloc((size_t)k, sizeof *r->folded);
  if (!r->folded)
    exit(1);
  for (int64_t j = 0; j < n; j++)
    r->vector[j] = 1 + (int64_t)floor((draw(&state) + 1) * 8);
  for (int64_t l = 0; l < k; l++)
    for (int64_t j = 0; j < n; j++)
      r->folded[l] += r->in[B].integers[l * n + j] * r->vector[j];
}

static void say(const struct reference *r, bool large) {
  int64_t n = r->p->size[1], at = atomic_load(&r->first), i = at / n, j = at % n;
  double got = number_read(r->c->data, place_of(r->c, (int32_t)i, (int32_t)j), r->c->type);
  if (large) {
    printf("%d rows are wrong, the first one is %lld\n", atomic_load(&r->wrong), (long long)i);
    return;
  }
  int64_t *sums = allocate((size_t)n * sizeof *sums);
  row_of(r, i, sums);
  printf("%d elements are wrong; that of row %lld, column %lld is %g, expected %g\n",
         atomic_load(&r->wrong), (long long)i, (long long)j, got, expected_of(r, sums[j], j));
  free(sums);
}

bool product_is_right(const struct product *p, const struct numbers in[2],
                      const struct numbers *bias, const struct numbers *c, bool large, bool quiet) {
  struct reference r = {.p = p, .in = in, .bias = bias, .c = c, .first = INT64_MAX};
  if (large)
    fold(&r);
  for_rows(large ? check_folded_rows : check_rows, &r, p->size[0]);
  free(r.vector);
  free(r.folded);
  int wrong = atomic_load(&r.wrong);
  if (wrong && !quiet)
    say(&r, large);
  size_t overrun = find_overrun(c);
  if (overrun < c->count && !quiet)
    printf("element %zu of the buffer, which is none of c, was written\n", overrun);
  return !wrong && overrun == c->count;
}
