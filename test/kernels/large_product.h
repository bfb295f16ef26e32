/* SPDX-License-Identifier: MIT */
/* Is c = a b, for sizes at which the product in double would take minutes?

   Three looks at c, whose cost is some hundredths of the product's:

   - every element is finite; who launches puts NaNs where results are to be;
   - samples, against sums in double: of each 32 x 32 elements at least one, in all some thousands,
     and the rows and columns at the edges of c and beside those of large tiles;
   - every element, in folds: 32 neighbours of a row at a time, each times a random weight v_j,
     are added up to one number, which must be the product of the row of a with 32 columns of b that
     were added up likewise (Freivalds' check, in pieces):
         sum_j v_j c_ij = sum_l a_il (sum_j v_j b_lj).
     Weights are random signs times 32/64 to 63/64, so that neither two wrong elements nor two
     columns that changed places are likely to balance.

   What is allowed, for an element: its sum may be off by `sum` times s_ij = |a_i| |b_j| / sqrt(k),
   which is how large a sum of k products with random signs is (root mean square), and the result
   by `result` times itself and `least`. `sum` is the root mean square that is expected; elements
   may have six times that, which one of 10^9 would exceed, were errors normally distributed.

   What is allowed, for a fold: its error is sum_j v_j e_j, with the errors e_j of 32 elements. The
   v_j were drawn independently of them, have mean 0 and are at most 1, so that by Hoeffding's
   inequality it exceeds 8 sqrt(sum_j v_j^2 e_j^2) with a probability of 2 exp(-32) = 2.5e-14,
   whatever the errors are. In place of e_j^2 stand the squares that are allowed:
   (sum s_ij)^2 + (result |c_ij| + least)^2. So one wrong element shows when it is off by some
   16 sqrt(32) = 90 of these; a wrong tile does when each of its elements is off by a few.
   Integers are exact: sums of at most 2^53 / 64 in double are. */
#ifndef TILE_TEST_LARGE_PRODUCT_H
#define TILE_TEST_LARGE_PRODUCT_H

#include <time.h>
#include "large_numbers.h"

enum { FOLD = 32, SAMPLES = 16384, EDGES = 1024 };

/* --- Operands --------------------------------------------------------------------------------- */

/* A matrix in memory; steps are in elements. */
struct view {
  const char *type;
  const void *data;
  int64_t rows, columns;
  size_t row_step, column_step;
};

static inline struct view view_transposed(struct view v) {
  return (struct view){.type = v.type,
                       .data = v.data,
                       .rows = v.columns,
                       .columns = v.rows,
                       .row_step = v.column_step,
                       .column_step = v.row_step};
}

/* The rows of a, or the columns of b: `count` lines of k doubles. */
struct lines {
  int64_t count, k;
  double *values;
  double *squares; /* of each line, the sum */
};

struct reading {
  const struct view *view;
  const struct number_reader *reader;
  double *values;
};

static inline void read_rows(void *data, int64_t first, int64_t past) {
  const struct reading *r = data;
  const struct view *v = r->view;
  for (int64_t l = 0; l < v->columns; l++) /* of all rows, which may be neighbours in memory */
    for (int64_t i = first; i < past; i++)
      r->values[i * v->columns + l] = number_reader_at(
          r->reader, v->data, (size_t)i * v->row_step + (size_t)l * v->column_step);
}

/* The elements of a view, row by row; the caller frees them. */
static inline double *view_doubles(const struct view *v) {
  struct reading reading = {.view = v, .reader = number_reader_of(v->type)};
  reading.values = malloc((size_t)(v->rows * v->columns) * sizeof(double));
  if (!reading.values)
    exit(1);
  for_rows(read_rows, &reading, v->rows);
  return reading.values;
}

static inline struct lines lines_of(struct view v) {
  return (struct lines){.count = v.rows, .k = v.columns, .values = view_doubles(&v)};
}

static inline void lines_free(struct lines *lines) {
  free(lines->values);
  free(lines->squares);
}

/* Eight sums at a time: a sum alone would wait for each of its additions. */
static inline double dot(const double *a, const double *b, int64_t k) {
  double sums[8] = {0}, sum = 0;
  int64_t l = 0;
  for (; l + 8 <= k; l += 8)
    for (int i = 0; i < 8; i++)
      sums[i] += a[l + i] * b[l + i];
  for (; l < k; l++)
    sum += a[l] * b[l];
  for (int i = 0; i < 8; i++)
    sum += sums[i];
  return sum;
}

static inline void square_rows(void *data, int64_t first, int64_t past) {
  struct lines *lines = data;
  for (int64_t i = first; i < past; i++) {
    const double *line = lines->values + i * lines->k;
    lines->squares[i] = dot(line, line, lines->k);
  }
}

static inline void lines_square(struct lines *lines) {
  free(lines->squares);
  lines->squares = malloc((size_t)lines->count * sizeof(double));
  if (!lines->squares)
    exit(1);
  for_rows(square_rows, lines, lines->count);
}

/* Element l of line i times scales[i / lines_each][l / block]. */
static inline void lines_scale(struct lines *lines, const float *scales, int64_t lines_each,
                               int64_t block) {
  int64_t steps = (lines->k + block - 1) / block;
  for (int64_t i = 0; i < lines->count; i++)
    for (int64_t l = 0; l < lines->k; l++)
      lines->values[i * lines->k + l] *= (double)scales[i / lines_each * steps + l / block];
}

/* One element more in each line: step 0 gives all the same, step 1 line i the element i. A bias is
   one more in the lines of b, next to ones in those of a. */
static inline void lines_append(struct lines *lines, const double *last, int step) {
  int64_t k = lines->k + 1;
  double *values = malloc((size_t)(lines->count * k) * sizeof *values);
  if (!values)
    exit(1);
  for (int64_t i = 0; i < lines->count; i++) {
    memcpy(values + i * k, lines->values + i * lines->k, (size_t)lines->k * sizeof *values);
    values[i * k + lines->k] = last[i * step];
  }
  free(lines->values);
  *lines = (struct lines){.count = lines->count, .k = k, .values = values};
}

/* A bias with an element for each column of the product. */
static inline void append_bias(struct lines *rows, struct lines *columns, const struct view *bias) {
  const double one = 1;
  double *values = view_doubles(bias);
  lines_append(rows, &one, 0);
  lines_append(columns, values, 1);
  free(values);
}

/* --- Folding b -------------------------------------------------------------------------------- */

/* Weight of column j. */
static inline double weight(uint64_t seed, int64_t j) {
  uint64_t bits = scatter(seed ^ (uint64_t)j << 20);
  double magnitude = (double)(32 + (bits & 31)) / 64;
  return bits >> 63 ? -magnitude : magnitude;
}

struct folding {
  const struct lines *from;
  uint64_t seed;
  struct lines to; /* squares: of the columns, each times its weight's square, added up */
};

static inline void fold_rows(void *data, int64_t first, int64_t past) {
  struct folding *f = data;
  for (int64_t fold = first; fold < past; fold++) {
    double *to = f->to.values + fold * f->to.k;
    int64_t end = (fold + 1) * FOLD < f->from->count ? (fold + 1) * FOLD : f->from->count;
    for (int64_t j = fold * FOLD; j < end; j++) {
      double v = weight(f->seed, j);
      const double *line = f->from->values + j * f->to.k;
      for (int64_t l = 0; l < f->to.k; l++)
        to[l] += v * line[l];
      f->to.squares[fold] += v * v * f->from->squares[j];
    }
  }
}

static inline struct lines fold_lines(const struct lines *from, uint64_t seed) {
  struct folding f = {.from = from, .seed = seed, .to = {.k = from->k}};
  f.to.count = (from->count + FOLD - 1) / FOLD;
  f.to.values = calloc((size_t)(f.to.count * f.to.k), sizeof(double));
  f.to.squares = calloc((size_t)f.to.count, sizeof(double));
  if (!f.to.values || !f.to.squares)
    exit(1);
  for_rows(fold_rows, &f, f.to.count);
  return f.to;
}

/* --- Looking at c ----------------------------------------------------------------------------- */

/* See the top of the file. All 0: exactly. */
struct allowed {
  double sum, result, least;
};

struct place {
  int64_t row, column;
};

/* How many are wrong, and one of them. */
struct findings {
  int64_t not_finite, samples, wrong_samples, wrong_folds;
  struct place infinite, sample, fold;
  double worst_sample, worst_fold; /* in units of what is allowed; 0 where that is nothing */
};

struct look {
  const struct view *c;
  const struct lines *a, *b;
  struct lines folded;
  struct allowed allowed;
  uint64_t seed;
  const struct number_reader *reader;
  struct findings found;
  pthread_mutex_t lock;
};

static inline void note(int64_t *count, struct place *place, double *worst, double apart,
                        double most, int64_t row, int64_t column) {
  if (most > 0 && apart / most > *worst)
    *worst = apart / most;
  if (apart <= most) /* not so for NaN */
    return;
  if (!(*count)++)
    *place = (struct place){row, column};
}

static inline void look_at_sample(const struct look *look, const double *c, int64_t i, int64_t j,
                                  struct findings *found) {
  int64_t k = look->a->k;
  double sum = dot(look->a->values + i * k, look->b->values + j * k, k);
  double size = sqrt(look->a->squares[i] * look->b->squares[j] / (double)k);
  double most = 6 * look->allowed.sum * size + look->allowed.result * (1 + 0x1p-10) * fabs(sum) +
                look->allowed.least;
  found->samples++;
  note(&found->wrong_samples, &found->sample, &found->worst_sample, fabs(c[j] - sum), most, i, j);
}

static inline bool is_edge(int64_t i, int64_t count) {
  return i % EDGES == 0 || i % EDGES == EDGES - 1 || i == count - 1;
}

/* Of each FOLD columns of FOLD rows one, and more where the matrix is small. */
static inline void look_at_samples(const struct look *look, const double *c, int64_t i,
                                   struct findings *found) {
  int64_t n = look->b->count, folds = look->folded.count;
  int64_t each = SAMPLES / (folds * look->a->count); /* of a fold; less than 1: not of each fold */
  if (is_edge(i, look->a->count) || each >= FOLD) {
    for (int64_t j = 0; j < n; j++)
      look_at_sample(look, c, i, j, found);
    return;
  }
  for (int64_t fold = 0; fold < folds; fold++)
    for (int64_t s = 0; s < (each ? each : (fold + i) % FOLD == 0); s++) {
      uint64_t bits = scatter(look->seed + (uint64_t)((i * folds + fold) * FOLD + s));
      int64_t j = fold * FOLD + (int64_t)(bits % FOLD);
      look_at_sample(look, c, i, j < n ? j : n - 1, found);
    }
  for (int64_t j = 0; j < n; j += EDGES) {
    look_at_sample(look, c, i, j, found);
    look_at_sample(look, c, i, j + EDGES <= n ? j + EDGES - 1 : n - 1, found);
  }
}

static inline void look_at_fold(const struct look *look, const double *c, int64_t i, int64_t fold,
                                struct findings *found) {
  const struct allowed *allowed = &look->allowed;
  int64_t k = look->a->k, end = (fold + 1) * FOLD;
  double expected = dot(look->a->values + i * k, look->folded.values + fold * k, k);
  double sum = 0, squares = allowed->sum * allowed->sum / (double)k * look->a->squares[i] *
                            look->folded.squares[fold];
  for (int64_t j = fold * FOLD; j < look->b->count && j < end; j++) {
    double v = weight(look->seed, j), most = v * (allowed->result * fabs(c[j]) + allowed->least);
    sum += v * c[j];
    squares += most * most;
  }
  note(&found->wrong_folds, &found->fold, &found->worst_fold, fabs(sum - expected),
       8 * sqrt(squares), i, fold * FOLD);
}

static inline void add_findings(struct findings *to, const struct findings *from) {
  if (!to->not_finite)
    to->infinite = from->infinite;
  if (!to->wrong_samples)
    to->sample = from->sample;
  if (!to->wrong_folds)
    to->fold = from->fold;
  to->not_finite += from->not_finite;
  to->samples += from->samples;
  to->wrong_samples += from->wrong_samples;
  to->wrong_folds += from->wrong_folds;
  to->worst_sample = fmax(to->worst_sample, from->worst_sample);
  to->worst_fold = fmax(to->worst_fold, from->worst_fold);
}

static inline void look_at_rows(void *data, int64_t first, int64_t past) {
  struct look *look = data;
  const struct view *v = look->c;
  struct findings found = {0};
  double unused = 0, *c = malloc((size_t)((past - first) * v->columns) * sizeof *c);
  if (!c)
    exit(1);
  for (int64_t i = first; i < past; i++) {
    double *row = c + (i - first) * v->columns;
    for (int64_t j = 0; j < v->columns; j++) {
      row[j] = number_reader_at(look->reader, v->data,
                                (size_t)i * v->row_step + (size_t)j * v->column_step);
      note(&found.not_finite, &found.infinite, &unused, isfinite(row[j]) ? 0 : 1, 0, i, j);
    }
    look_at_samples(look, row, i, &found);
  }
  for (int64_t fold = 0; fold < look->folded.count; fold++) /* one of b for several rows */
    for (int64_t i = first; i < past; i++)
      look_at_fold(look, c + (i - first) * v->columns, i, fold, &found);
  free(c);
  pthread_mutex_lock(&look->lock);
  add_findings(&look->found, &found);
  pthread_mutex_unlock(&look->lock);
}

/* c against the lines of a and b. */
static inline struct findings find_wrong(const struct view *c, struct lines *a, struct lines *b,
                                         struct allowed allowed, uint64_t seed) {
  lines_square(a);
  lines_square(b);
  struct look look = {.c = c, .a = a, .b = b, .allowed = allowed, .seed = scatter(seeded(seed))};
  look.folded = fold_lines(b, look.seed);
  look.reader = number_reader_of(c->type);
  pthread_mutex_init(&look.lock, NULL);
  for_rows(look_at_rows, &look, c->rows);
  pthread_mutex_destroy(&look.lock);
  lines_free(&look.folded);
  return look.found;
}

/* The same as a check of a test. */
static inline bool check_large(const char *what, const struct view *c, struct lines *a,
                               struct lines *b, struct allowed allowed) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  struct findings found = find_wrong(c, a, b, allowed, 11);
  clock_gettime(CLOCK_MONOTONIC, &end);
  if (verbose_test)
    printf("%s, %lldx%lldx%lld of %s: %lld samples within %.3f of what is allowed, folds within "
           "%.3f; %.2f s\n",
           what, (long long)c->rows, (long long)c->columns, (long long)a->k, c->type,
           (long long)found.samples, found.worst_sample, found.worst_fold,
           (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9);
  if (!found.not_finite && !found.wrong_samples && !found.wrong_folds)
    return true;
  printf(
      "%s, %lldx%lldx%lld of %s: %lld elements are not finite, as (%lld, %lld); %lld of %lld "
      "samples are wrong, as (%lld, %lld), by up to %g of what is allowed; and %lld folds, as at "
      "(%lld, %lld), by up to %g\n",
      what, (long long)c->rows, (long long)c->columns, (long long)a->k, c->type,
      (long long)found.not_finite, (long long)found.infinite.row, (long long)found.infinite.column,
      (long long)found.wrong_samples, (long long)found.samples, (long long)found.sample.row,
      (long long)found.sample.column, found.worst_sample, (long long)found.wrong_folds,
      (long long)found.fold.row, (long long)found.fold.column, found.worst_fold);
  check_failures_++;
  return false;
}

/* --- What sums may be off by ------------------------------------------------------------------ */

/* Sums in f32 that tensor cores make, `step` products at a time: each of k / step additions to the
   sum cuts off up to a unit in its last place, always towards zero, and what is rounded to nearest
   on the way, at most k times, adds up like a square root. */
static inline double f32_sums(int64_t k, int step) {
  return sqrt((double)k) * 0x1p-24 + (double)k / step * 0x1p-23;
}

/* Sums in f32 of as many fused multiplications and additions, rounded to nearest. */
static inline double fused_sums(int64_t k) {
  return sqrt((double)k) * 0x1p-24;
}

/* Sums in f16, which each instruction, of at least 8 products, rounds to nearest. */
static inline double f16_sums(int64_t k) {
  return sqrt((double)k / 8) * 0x1p-11;
}

/* Products of 8-bit floats, of which `alone` are added up before the sum goes to f32. On a GPU
   each 32 of them cut off what is below 13 bits of fraction: towards zero within `alone`. */
static inline double fp8_sums(int64_t k, int64_t alone, bool gpu) {
  return f32_sums(k, 16) + (gpu ? 0x1p-13 * (double)alone / 32 : 0);
}

#endif
