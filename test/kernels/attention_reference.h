/* SPDX-License-Identifier: MIT */
/* Attention in double, a query at a time: what tests of attention compare with. */
#ifndef TILE_TEST_ATTENTION_REFERENCE_H
#define TILE_TEST_ATTENTION_REFERENCE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numbers.h"

enum { MOST_DIMS = 256 };

/* For each result. Weights are rounded independently of the values: of more than 36 terms of one
   size six times the root of their squares is less than their sum, and what one of 10^9 exceeds,
   were they normally distributed. */
struct attention_allowed {
  double off[MOST_DIMS], sum[MOST_DIMS], squares[MOST_DIMS];
};

/* A query and the keys of its head: key j and its value are `step` numbers behind those before. */
struct attention_query {
  const float *q, *k, *v;
  size_t step;
  int dim, keys;
  double scale, sink; /* a key without a value; -INFINITY: none */
  /* What becomes of a score: -INFINITY, it is not seen. NULL: nothing. */
  double (*score)(const void *data, int key, double score);
  /* What a weight is multiplied with that is counted in the norm as it is. NULL: 1. */
  double (*weight)(const void *data, int key);
  const void *data;
  /* How far each result may be off where weights are rounded to the type `rounded` before they are
     multiplied with values. NULL: not asked. */
  const char *rounded;
  struct attention_allowed *allowed;
};

/* `count` numbers of a type, widened; the caller frees them. */
static inline float *widened(const void *data, const char *type, size_t count) {
  float *out = poisoned(count * sizeof *out);
  for (size_t i = 0; i < count; i++)
    out[i] = (float)number_read(data, i, type);
  return out;
}

static inline double inner_product(const float *a, const float *b, int count) {
  double sum[4] = {0};
  for (int i = 0; i < count; i += 4)
    for (int j = 0; j < 4; j++)
      sum[j] += i + j < count ? (double)a[i + j] * (double)b[i + j] : 0;
  return sum[0] + sum[1] + (sum[2] + sum[3]);
}

/* Half of the distance between neighbouring numbers below 1. */
static inline double unit_of(const char *type) {
  return ldexp(1, -1 - number_format(type)->fraction);
}

/* Half of the least number above 0. */
static inline double least_of(const char *type) {
  const struct number_format *format = number_format(type);
  return ldexp(1, 1 - (1 << (format->exponent - 1)) - format->fraction);
}

/* What rounding a weight adds to what is allowed. 2^-14: of the score, the exponential and the sums
   in f32. */
static inline void allow_weight(const struct attention_query *at, int key, double weight) {
  struct attention_allowed *allowed = at->allowed;
  double rounding = weight * unit_of(at->rounded) + least_of(at->rounded);
  for (int d = 0; d < at->dim; d++) {
    double size = fabs((double)at->v[(size_t)key * at->step + (size_t)d]);
    allowed->off[d] += weight * 0x1p-14 * size;
    allowed->sum[d] += rounding * size;
    allowed->squares[d] += rounding * rounding * size * size;
  }
}

static inline void end_allowed(const struct attention_query *at, double norm) {
  struct attention_allowed *allowed = at->allowed;
  for (int d = 0; norm > 0 && d < at->dim; d++)
    allowed->off[d] =
        (allowed->off[d] + fmin(allowed->sum[d], 6 * sqrt(allowed->squares[d]))) / norm;
}

/* The weighted sums of values; the logarithm of the norm is returned. A row that sees nothing is 0.
   `scores` has room for `keys` numbers. */
static inline double attend(const struct attention_query *at, double *scores, double *out) {
  double top = at->sink, norm;
  for (int j = 0; j < at->keys; j++) {
    scores[j] = inner_product(at->q, at->k + (size_t)j * at->step, at->dim) * at->scale;
    if (at->score)
      scores[j] = at->score(at->data, j, scores[j]);
    top = fmax(top, scores[j]);
  }
  memset(out, 0, (size_t)at->dim * sizeof *out);
  if (at->allowed)
    memset(at->allowed, 0, sizeof *at->allowed);
  norm = at->sink > -INFINITY ? exp(at->sink - top) : 0;
  for (int j = 0; j < at->keys; j++) {
    if (scores[j] == -INFINITY)
      continue;
    double weight = exp(scores[j] - top);
    norm += weight;
    if (at->weight)
      weight *= at->weight(at->data, j);
    if (at->allowed)
      allow_weight(at, j, weight);
    for (int d = 0; weight != 0 && d < at->dim; d++)
      out[d] += weight * (double)at->v[(size_t)j * at->step + (size_t)d];
  }
  for (int d = 0; norm > 0 && d < at->dim; d++)
    out[d] /= norm;
  if (at->allowed)
    end_allowed(at, norm);
  return top + log(norm);
}

/* The farthest that `count` numbers are from what they should be; NaN is infinitely far. */
static inline double farthest(const void *data, size_t first, const char *type,
                              const double *expected, int count) {
  double worst = 0;
  for (int d = 0; d < count; d++)
    worst = farther(worst, fabs(number_read(data, first + (size_t)d, type) - expected[d]));
  return worst;
}

/* The same in parts of what is allowed for each, and of what it loses where it is rounded to its
   own type. */
static inline double farthest_allowed(const void *data, size_t first, const char *type,
                                      const double *expected,
                                      const struct attention_allowed *allowed, int count) {
  double worst = 0, unit = unit_of(type);
  for (int d = 0; d < count; d++) {
    double most = allowed->off[d] + unit * fabs(expected[d]) + 1e-6;
    worst = farther(worst, fabs(number_read(data, first + (size_t)d, type) - expected[d]) / most);
  }
  return worst;
}

/* A length of --large's, divided by its N: a multiple of `least`, and at least that. */
static inline int32_t large_length(int32_t length, int32_t least) {
  int32_t divided = length / large_test / least * least;
  return divided > least ? divided : least;
}

/* Is row `row` of `count` compared? With --large one of sixteen is, and the last: of 4096 rows each
   place in a tile of up to 256 rows is looked at once. */
static inline bool is_compared(int64_t row, int64_t count) {
  return !large_test || row % 16 == (row / 16 + row / 256) % 16 || row == count - 1;
}

#endif
