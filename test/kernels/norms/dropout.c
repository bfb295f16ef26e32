/* SPDX-License-Identifier: MIT */
/* dropout.py: with a mask, from a seed, and from a seed with four numbers a Philox call. A shape's
   m x n elements are one array. */
#include "suite.h"

static const struct shape shapes[] = {
    {1, 1, 0, 1},    {1, 100, 0, 4},          {1, 3000, 0, 4}, {5, 77, 0, 2},
    {1, 256, 0, 4},  {3, 333, 0, 8},          {1, 1023, 0, 1}, {1, 1025, 0, 4},
    {7, 512, 0, 16}, {1823, 781, 0, 4, true}, {2, 4, 0, 4},    {1823, 78, 0, 4},
};

static const float probabilities[] = {0.5f, 0.25f, 0.0f, 0.9f};
static const int32_t seeds[] = {123, 0, -1, 0x7FFFFFFF};
enum { VARIANTS = 4, BLOCK = 256 };

/* What is kept is scaled; in 16 bits the kernels compute in single precision or in the type. */
static void expect(struct problem *p, double *y, const double *x, size_t i, bool kept,
                   float probability) {
  (void)p;
  y[i] = kept ? x[i] / (1 - (double)probability) : 0;
}

static struct problem *start(struct suite *suite, const char *kernel, int variant, enum type type,
                             const struct shape *shape) {
  static const char *const names[] = {"p=0.5", "p=0.25", "p=0", "p=0.9"};
  uint32_t programs = (uint32_t)(shape->m * shape->n + BLOCK - 1) / BLOCK;
  return begin(suite, "dropout.py", kernel, GRID(programs, 1, 1), names[variant], type, shape);
}

/* Relative: the quotient, in 16 bits the scale 1 / (1 - p) too, may be rounded to the type. */
static double *add_result(struct problem *p, enum type type, size_t count, const double *x,
                          float probability) {
  double *y = add_output(p, "out_ptr", type, count), *scale = add_scale(p, latest(p));
  latest(p)->tolerance = type == F32 ? 1e-6 : 1.5 * type_rounding(type);
  for (size_t i = 0; i < count; i++)
    scale[i] = fabs(x[i]) / (1 - (double)probability) + 1e-6;
  return y;
}

static void masked(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  static const enum type masks[] = {I1, I32, I8, I1};
  struct problem *p = start(suite, "masked_dropout_kernel", variant, type, shape);
  if (!p)
    return;
  float probability = probabilities[variant];
  size_t n = (size_t)(shape->m * shape->n);
  const double *x = add_input(p, "x_ptr", type, n, fill_uniform, 4);
  const double *keep = add_input(p, "keep_ptr", masks[variant], n, fill_below, 2);
  double *y = add_result(p, type, n, x, probability);
  for (size_t i = 0; i < n; i++)
    expect(p, y, x, i, keep[i] != 0, probability);
  add_integer(p, "n", (int32_t)n);
  add_number(p, "p", probability);
  add_constant(p, "BLOCK", "%d", BLOCK);
  finish(p);
}

/* Which of the four words of which Philox call element i gets. */
static bool is_kept(bool four, size_t i, int32_t seed, float probability) {
  enum { PART = BLOCK / 4 };
  uint32_t words[4], offset = (uint32_t)i;
  if (four)
    offset = (uint32_t)(i / BLOCK * PART + i % PART);
  philox((uint64_t)(int64_t)seed, offset, 10, words);
  return uniform_of(words[four ? i % BLOCK / PART : 0]) > probability;
}

static void seeded_of(struct suite *suite, bool four, int variant, enum type type,
                      const struct shape *shape) {
  struct problem *p = start(suite, four ? "seeded_dropout_4x_kernel" : "seeded_dropout_kernel",
                            variant, type, shape);
  if (!p)
    return;
  float probability = probabilities[variant];
  size_t n = (size_t)(shape->m * shape->n);
  const double *x = add_input(p, "x_ptr", type, n, fill_uniform, 4);
  double *y = add_result(p, type, n, x, probability);
  for (size_t i = 0; i < n; i++)
    expect(p, y, x, i, is_kept(four, i, seeds[variant], probability), probability);
  add_integer(p, "n", (int32_t)n);
  add_number(p, "p", probability);
  add_integer(p, "seed", seeds[variant]);
  add_constant(p, "BLOCK", "%d", BLOCK);
  finish(p);
}

static void seeded(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  seeded_of(suite, false, variant, type, shape);
}

static void seeded_4x(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  seeded_of(suite, true, variant, type, shape);
}

void run_dropout(struct suite *suite) {
  FOR_EACH_CASE(suite, VARIANTS, shapes, masked);
  FOR_EACH_CASE(suite, VARIANTS, shapes, seeded);
  FOR_EACH_CASE(suite, VARIANTS, shapes, seeded_4x);
}
