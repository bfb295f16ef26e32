/* SPDX-License-Identifier: MIT */
/* Running sums, histograms and row sums: chunk_scan.py, top_k.py and what attention.py needs for
   its backward pass. */
#include <stdlib.h>
#include "suite.h"

static const struct shape shapes[] = {
    {3, 781, 0, 4}, {1, 3000, 0, 8}, {5, 1, 0, 1},    {1, 1, 0, 4},
    {9, 65, 0, 2},  {4, 512, 0, 4},  {7, 100, 0, 1},  {2, 1023, 0, 8},
    {17, 33, 0, 4}, {3, 333, 0, 16}, {61, 781, 0, 4}, {512, 4096, 0, 8, true},
};

/* --- Sums within chunks ----------------------------------------------------------------------- */

static const char *const cumsums[] = {
    "", "reverse scale", "head_first", "head_first reverse", "varlen", "varlen reverse scale"};
enum { CUMSUMS = sizeof cumsums / sizeof *cumsums, HEADS = 2, CHUNK = 64 };

/* The elements s[at], s[at + step], ...: `length` of them, in chunks. */
static void expect_sums(const double *s, double *o, double *scales, int length, int step,
                        bool reverse, double factor) {
  for (int start = 0; start < length; start += CHUNK) {
    int end = start + CHUNK < length ? start + CHUNK : length;
    double sum = 0, size = 1;
    for (int k = 0; k < end - start; k++)
      size += fabs(s[(start + k) * step]);
    for (int k = 0; k < end - start; k++) {
      int at = (reverse ? end - 1 - k : start + k) * step;
      sum += s[at];
      o[at] = sum * factor;
      scales[at] = size * factor;
    }
  }
}

/* Sequences of different lengths, laid end to end: their ends, and (sequence, chunk) of each chunk.
 */
static int add_sequences(struct problem *p, int total, int ends[3], bool on) {
  double offsets[3] = {0, (double)(total / 3), (double)total}, *pairs;
  int count = 0;
  if (!on) {
    add_none(p, "offsets");
    add_none(p, "chunks");
    return 0;
  }
  pairs = calloc((size_t)(2 * (total / CHUNK + 3)), sizeof *pairs);
  for (int n = 0; n < 2 && pairs; n++)
    for (int i = 0; i * CHUNK < (int)(offsets[n + 1] - offsets[n]); i++, count++)
      pairs[2 * count] = n, pairs[2 * count + 1] = i;
  add_values(p, "offsets", I64, 3, offsets);
  add_values(p, "chunks", I64, (size_t)(2 * count), pairs);
  free(pairs);
  for (int i = 0; i < 3; i++)
    ends[i] = (int)offsets[i];
  return count;
}

static void chunk_cumsum(struct suite *suite, int variant, enum type type,
                         const struct shape *shape) {
  const char *on = cumsums[variant];
  bool varlen = has(on, "varlen"), reverse = has(on, "reverse"), head_first = has(on, "head_first");
  int length = shape->n, batches = varlen ? 1 : shape->m, ends[3];
  struct problem *p =
      begin(suite, "chunk_scan.py", "chunk_cumsum_kernel",
            GRID((uint32_t)(length + CHUNK - 1) / CHUNK, (uint32_t)(batches * HEADS), 1), on, type,
            shape);
  if (!p)
    return;
  size_t count = (size_t)batches * HEADS * (size_t)length;
  const double *s = add_input(p, "s", type, count, fill_uniform, 1);
  double *o = add_output(p, "o", F32, count), *scales = add_scale(p, latest(p));
  double factor = has(on, "scale") ? 0.5 : 1;
  if (has(on, "scale"))
    add_number(p, "scale", 0.5f);
  else
    add_none(p, "scale");
  int chunks = add_sequences(p, length, ends, varlen);
  if (varlen)
    p->grid[0] = (uint32_t)chunks;
  add_integer(p, "T", length);
  add_constant(p, "B", "%d", batches);
  add_constant(p, "H", "%d", HEADS);
  add_constant(p, "BT", "%d", CHUNK);
  add_flag(p, "REVERSE", reverse);
  add_flag(p, "HAS_SCALE", has(on, "scale"));
  add_flag(p, "IS_VARLEN", varlen);
  add_flag(p, "HEAD_FIRST", head_first);
  for (int b = 0; b < batches; b++)
    for (int h = 0; h < HEADS; h++) {
      int step = head_first ? 1 : HEADS, at = b * length * HEADS + h * (head_first ? length : 1);
      for (int n = 0; n < (varlen ? 2 : 1); n++) {
        int start = varlen ? ends[n] : 0, end = varlen ? ends[n + 1] : length;
        expect_sums(s + at + start * step, o + at + start * step, scales + at + start * step,
                    end - start, step, reverse, factor);
      }
    }
  finish(p);
}

/* --- Sums over whole rows --------------------------------------------------------------------- */

static void global_cumsum(struct suite *suite, int variant, enum type type,
                          const struct shape *shape) {
  int m = shape->m, n = shape->n;
  struct problem *p = begin(suite, "chunk_scan.py", "global_cumsum_kernel", GRID((uint32_t)m, 1, 1),
                            variant ? "reverse" : "", type, shape);
  if (!p)
    return;
  const double *s = add_input(p, "s", type, (size_t)(m * n), fill_uniform, 1);
  double *o = add_output(p, "o", F32, (size_t)(m * n)), *scales = add_scale(p, latest(p));
  for (int r = 0; r < m; r++) {
    double sum = 0, size = 1;
    for (int k = 0; k < n; k++) {
      int at = r * n + (variant ? n - 1 - k : k);
      o[at] = sum += s[at];
      scales[at] = size += fabs(s[at]);
    }
  }
  add_integer(p, "T", n);
  add_integer(p, "stride", n);
  add_constant(p, "BT", "128");
  add_flag(p, "REVERSE", variant);
  finish(p);
}

static void recurrence(struct suite *suite, int variant, enum type type,
                       const struct shape *shape) {
  enum { BD = 16 };
  (void)variant;
  int t = shape->n, d = shape->m;
  struct problem *p = begin(suite, "chunk_scan.py", "recurrence_kernel",
                            GRID((uint32_t)(d + BD - 1) / BD, 1, 1), "", type, shape);
  if (!p)
    return;
  size_t count = (size_t)t * (size_t)d;
  const double *a = add_input(p, "a_ptr", type, count, fill_unit, 0);
  const double *x = add_input(p, "x_ptr", type, count, fill_uniform, 1);
  double *h = add_output(p, "h_ptr", F32, count), *scales = add_scale(p, latest(p));
  for (int i = 0; i < t; i++)
    for (int j = 0; j < d; j++) {
      int at = i * d + j;
      h[at] = (i ? a[at] * h[at - d] : 0) + x[at];
      scales[at] = (i ? a[at] * scales[at - d] : 1) + fabs(x[at]);
    }
  add_integer(p, "T", t);
  add_integer(p, "D", d);
  add_constant(p, "BT", "32");
  add_constant(p, "BD", "%d", BD);
  finish(p);
}

/* --- Histograms and row sums ------------------------------------------------------------------ */

static void histogram(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  enum { BLOCK = 256 };
  static const int experts[] = {8, 64, 128};
  (void)type;
  size_t n = (size_t)shape->m * (size_t)shape->n;
  struct problem *p = begin(suite, "top_k.py", "expert_histogram_kernel",
                            GRID((uint32_t)((n + BLOCK - 1) / BLOCK), 1, 1), "", I32, shape);
  if (!p)
    return;
  const double *index = add_input(p, "indices_ptr", I32, n, fill_below, experts[variant]);
  struct parameter *counts =
      add_in_place(p, "counts_ptr", I32, (size_t)experts[variant], fill_below, 3);
  counts->tolerance = 0;
  for (int i = 0; i < experts[variant]; i++)
    counts->expected[i] = counts->before[i];
  for (size_t i = 0; i < n; i++)
    counts->expected[(size_t)index[i]]++;
  add_integer(p, "n", (int32_t)n);
  add_constant(p, "N_EXPERTS", "%d", experts[variant]);
  add_constant(p, "BLOCK", "%d", BLOCK);
  finish(p);
}

/* The row sums of o * do: whole blocks of rows. */
static void attention_sums(struct suite *suite, int variant, enum type type,
                           const struct shape *shape) {
  enum { BLOCK_M = 16, HEADS_TIMES_BATCH = 2 };
  static const int dims[] = {16, 64, 128};
  int dim = dims[variant], context = (shape->m + BLOCK_M - 1) / BLOCK_M * BLOCK_M;
  struct shape own = {HEADS_TIMES_BATCH * context, dim, 0, shape->warps, shape->large};
  struct problem *p =
      begin(suite, "attention.py", "attention_bwd_sums_kernel",
            GRID((uint32_t)(context / BLOCK_M), HEADS_TIMES_BATCH, 1), "", type, &own);
  if (!p)
    return;
  size_t rows = (size_t)own.m, count = rows * (size_t)dim;
  const double *o = add_input(p, "O", type, count, fill_uniform, 2);
  const double *d = add_input(p, "DO", type, count, fill_uniform, 2);
  double *delta = add_output(p, "Delta", F32, rows), *scales = add_scale(p, latest(p));
  for (size_t r = 0; r < rows; r++) {
    delta[r] = 0;
    for (size_t i = r * (size_t)dim; i < (r + 1) * (size_t)dim; i++)
      delta[r] += o[i] * d[i], scales[r] += fabs(o[i] * d[i]);
  }
  add_integer(p, "N_CTX", context);
  add_constant(p, "BLOCK_M", "%d", BLOCK_M);
  add_constant(p, "HEAD_DIM", "%d", dim);
  finish(p);
}

void run_sums(struct suite *suite) {
  FOR_EACH_CASE(suite, CUMSUMS, shapes, chunk_cumsum);
  FOR_EACH_CASE(suite, 2, shapes, global_cumsum);
  FOR_EACH_TYPE(suite, shapes, recurrence);
  FOR_EACH_CASE(suite, 3, shapes, histogram);
  FOR_EACH_CASE(suite, 3, shapes, attention_sums);
}
