/* SPDX-License-Identifier: MIT */
/* large_product.h: products that were made and rounded as kernels do pass; one wrong element, a
   tile, a part of K that is missing and columns that changed places are found. No kernel runs. */
#include "large_product.h"

enum { M = 130, N = 200, K = 128, SEED = 3 };

struct sample {
  const char *in, *out;
  bool round_always; /* after each addition, to `out` */
  struct lines a, b;
  struct view c;
  struct allowed allowed;
  void *data, *right; /* of c, and as it was made */
  size_t bytes;
};

/* To nearest: number_write cuts off. */
static void write_rounded(void *data, size_t i, const char *type, double value) {
  const struct number_format *format = number_format(type);
  if (format && value != 0) {
    int exponent;
    frexp(value, &exponent);
    double unit = ldexp(1, exponent - 1 - format->fraction);
    value = rint(value / unit) * unit;
  }
  number_write(data, i, type, value);
}

static size_t c_place(int i, int j) {
  return (size_t)i * (N + 4) + (size_t)j;
}

/* A sum in f32 in the order of k, or in the type of the result; from `begin`. */
static void make_element(const struct sample *s, int i, int j, int begin) {
  size_t at = c_place(i, j);
  const double *a = s->a.values + i * K, *b = s->b.values + j * K;
  bool exact = *s->in == 'i';
  double sum = 0;
  for (int l = begin; l < K; l++) {
    sum = exact ? sum + a[l] * b[l] : (double)(float)(sum + a[l] * b[l]);
    if (s->round_always && l % 8 == 7) {
      write_rounded(s->data, at, s->out, sum);
      sum = number_read(s->data, at, s->out);
    }
  }
  write_rounded(s->data, at, s->out, sum);
}

static struct sample make_sample(const char *in, const char *out, struct allowed allowed,
                                 bool round_always) {
  struct sample s = {.in = in, .out = out, .round_always = round_always, .allowed = allowed};
  void *a = poisoned(M * K * number_bytes(in)), *b = poisoned(K * N * number_bytes(in));
  draw_numbers(a, in, in, M, K, K, 1);
  draw_numbers(b, in, in, K, N, N, 2);
  s.a = lines_of((struct view){in, a, M, K, K, 1});
  s.b = lines_of(view_transposed((struct view){in, b, K, N, N, 1}));
  s.bytes = c_place(M, 0) * number_bytes(out);
  s.data = poisoned(s.bytes);
  s.c = (struct view){out, s.data, M, N, N + 4, 1};
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      make_element(&s, i, j, 0);
  s.right = memcpy(poisoned(s.bytes), s.data, s.bytes);
  free(a);
  free(b);
  return s;
}

static void free_sample(struct sample *s) {
  lines_free(&s->a);
  lines_free(&s->b);
  free(s->data);
  free(s->right);
}

/* What is found; c becomes right again. */
static struct findings find_in(struct sample *s) {
  struct findings found = find_wrong(&s->c, &s->a, &s->b, s->allowed, SEED);
  memcpy(s->data, s->right, s->bytes);
  return found;
}

/* Copies an element. */
static void put(struct sample *s, int i, int j, int from_row, int from_column) {
  size_t bytes = number_bytes(s->out);
  memmove((char *)s->data + c_place(i, j) * bytes,
          (char *)s->data + c_place(from_row, from_column) * bytes, bytes);
}

static void swap_columns(struct sample *s, int j, int other) {
  for (int i = 0; i < M; i++) {
    double value = number_read(s->data, c_place(i, j), s->out);
    put(s, i, j, i, other);
    number_write(s->data, c_place(i, other), s->out, value);
  }
}

static void right_passes(struct sample *s) {
  struct findings found = find_in(s);
  CHECK_EQUAL(found.not_finite + found.wrong_samples + found.wrong_folds, 0);
  CHECK(found.samples > 4000);
}

/* A row whose element of that column is apart from that of `row` by as much as sums are large. */
static int other_row(const struct sample *s, int row, int column) {
  double value = number_read(s->data, c_place(row, column), s->out);
  double size = sqrt(s->a.squares[row] * s->b.squares[column] / K);
  for (int i = 0; i < M; i++)
    if (fabs(number_read(s->data, c_place(i, column), s->out) - value) > size)
      return i;
  return -1;
}

/* Only folds look at every element. */
static void one_element(struct sample *s) {
  put(s, 77, 133, other_row(s, 77, 133), 133);
  struct findings found = find_in(s);
  CHECK_EQUAL(found.wrong_folds, 1);
  CHECK_EQUAL(found.fold.row, 77);
  CHECK_EQUAL(found.fold.column, 128);
}

static void an_edge(struct sample *s) {
  put(s, M - 1, N - 1, other_row(s, M - 1, N - 1), N - 1);
  CHECK(find_in(s).wrong_samples > 0);
}

static void a_tile(struct sample *s) {
  for (int i = 64; i < 128; i++)
    for (int j = 128; j < 192; j++)
      put(s, i, j, i - 64, j);
  struct findings found = find_in(s);
  CHECK(found.wrong_samples >= 4);
  CHECK(found.wrong_folds > 120); /* of 2 x 64 */
}

/* The first 32 of K, in a tile. */
static void a_part_of_k(struct sample *s) {
  for (int i = 0; i < 64; i++)
    for (int j = 64; j < 128; j++)
      make_element(s, i, j, 32);
  struct findings found = find_in(s);
  CHECK(found.wrong_samples > 0);
  CHECK(found.wrong_folds > 32);
}

/* In one fold, where the difference of their weights counts. */
static void two_columns(struct sample *s) {
  int other = 160;
  while (fabs(weight(scatter(seeded(SEED)), other) - weight(scatter(seeded(SEED)), 170)) < 1)
    other++;
  swap_columns(s, 170, other);
  struct findings found = find_in(s);
  CHECK(found.wrong_samples > M / 4);
  CHECK(found.wrong_folds > M / 4);
}

static void not_written(struct sample *s) {
  size_t bytes = number_bytes(s->out);
  memset((char *)s->data + c_place(5, 9) * bytes, 0xFF, bytes);
  struct findings found = find_in(s);
  CHECK_EQUAL(found.not_finite, *s->out == 'i' ? 0 : 1);
  CHECK(found.wrong_folds == 1);
}

static void check_sample(const char *in, const char *out, struct allowed allowed,
                         bool round_always) {
  struct sample s = make_sample(in, out, allowed, round_always);
  right_passes(&s); /* and has the squares that other_row wants */
  one_element(&s);
  an_edge(&s);
  a_tile(&s);
  a_part_of_k(&s);
  two_columns(&s);
  not_written(&s);
  free_sample(&s);
}

static void f16(void) {
  check_sample("fp16", "fp16", (struct allowed){f32_sums(K, 8), 0x1p-11, 0x1p-25}, false);
}

static void bf16(void) {
  check_sample("bf16", "bf16", (struct allowed){f32_sums(K, 8), 0x1p-8, 0}, false);
}

static void f32(void) {
  check_sample("fp16", "fp32", (struct allowed){.sum = f32_sums(K, 8)}, false);
  check_sample("fp32", "fp32", (struct allowed){.sum = fused_sums(K)}, false);
}

static void f16_accumulators(void) {
  check_sample("fp16", "fp16", (struct allowed){f16_sums(K), 0x1p-11, 0x1p-25}, true);
}

static void fp8(void) {
  check_sample("fp8e5", "fp32", (struct allowed){.sum = fp8_sums(K, K, true)}, false);
}

static void i8(void) {
  check_sample("i8", "i32", (struct allowed){0}, false);
}

/* c = (a b) row scales, column scales, and a bias for each column. */
static void scales_and_bias(void) {
  struct sample s = make_sample("fp16", "fp32",
                                (struct allowed){.sum = f32_sums(K, 8), .result = 0x1p-22}, false);
  float row_scales[M], column_scales[N];
  double bias[N];
  uint64_t seed = 5;
  for (int i = 0; i < M; i++)
    row_scales[i] = draw(&seed);
  for (int j = 0; j < N; j++) {
    column_scales[j] = draw(&seed);
    bias[j] = (double)draw(&seed);
  }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double sum = number_read(s.data, c_place(i, j), s.out);
      sum = sum * (double)row_scales[i] * (double)column_scales[j] + bias[j];
      write_rounded(s.data, c_place(i, j), s.out, sum);
    }
  memcpy(s.right, s.data, s.bytes);
  lines_scale(&s.a, row_scales, 1, K);
  lines_scale(&s.b, column_scales, 1, K);
  append_bias(&s.a, &s.b, &(struct view){"fp64", bias, N, 1, 1, 1});
  right_passes(&s);
  s.a.values[7 * (K + 1) + K] = 0; /* row 7 without a bias */
  struct findings found = find_in(&s);
  CHECK_EQUAL(found.wrong_folds, (N + FOLD - 1) / FOLD);
  CHECK_EQUAL(found.fold.row, 7);
  free_sample(&s);
}

/* A scale for each block of K of some lines. */
static void scales_of_blocks(void) {
  double values[4][5] = {{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}};
  struct lines lines = {.count = 4, .k = 5, .values = values[0]};
  lines_scale(&lines, (const float[]){2, 3, 5, 7, 11, 13}, 3, 2);
  CHECK(values[0][0] == 2 && values[2][1] == 2 && values[1][2] == 3 && values[2][4] == 5);
  CHECK(values[3][0] == 7 && values[3][3] == 11 && values[3][4] == 13);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"f16", f16}, {"bf16", bf16}, {"f32", f32},
                   {"f16 accumulators", f16_accumulators}, {"fp8", fp8}, {"i8", i8},
                   {"scales and bias", scales_and_bias}, {"scales of blocks", scales_of_blocks});
}
