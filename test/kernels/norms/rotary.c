/* SPDX-License-Identifier: MIT */
/* rotary.py, in place: a group of heads a program, and queries and keys together; forward and
   backward, tables of sines in the tensors' type and in single precision. A shape is tokens x half
   a head. */
#include "suite.h"

static const char *const variants[] = {"", "backward", "wide tables", "backward wide tables"};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const struct shape shapes[] = {
    {3, 10, 0, 4}, {1, 64, 8, 4},  {5, 1, 0, 1},           {1, 1, 3, 4},
    {7, 32, 0, 2}, {4, 48, 16, 4}, {9, 40, 1, 1},          {2, 128, 1, 8},
    {17, 3, 0, 4}, {6, 37, 3, 8},  {4096, 64, 0, 4, true}, {333, 80, 0, 4},
};

/* The number of types of the tables: the tensors' or f32. */
struct tables {
  const double *cos, *sin;
  int stride;
};

/* (x1, x2) becomes (x1 cos - x2 sin, x2 cos + x1 sin); in 16 bits products and sums are rounded. */
static void expect_head(struct parameter *x, size_t at, int half, const double *cos,
                        const double *sin, double sign) {
  for (int i = 0; i < half; i++) {
    size_t left = at + (size_t)i, right = left + (size_t)half;
    double x1 = x->before[left], x2 = x->before[right], c = cos[i], s = sign * sin[i];
    x->expected[left] = x1 * c - x2 * s;
    x->expected[right] = x2 * c + x1 * s;
    x->scale[left] = fabs(x1 * c) + fabs(x2 * s);
    x->scale[right] = fabs(x2 * c) + fabs(x1 * s);
  }
}

static struct parameter *add_heads(struct problem *p, const char *name, enum type type,
                                   size_t count, enum type table_type) {
  struct parameter *x = add_in_place(p, name, type, count, fill_uniform, 2);
  add_scale(p, x);
  x->tolerance = 2.5 * type_rounding(table_type);
  return x;
}

static void heads(struct suite *suite, int variant, enum type type, const struct shape *shape) {
  static const int head_counts[] = {6, 4, 1, 9};
  int tokens = shape->m, half = shape->n, count = head_counts[variant], dim = 2 * half;
  int row = count * dim + shape->pad, positions = (tokens + 1) / 2, table = half + shape->pad;
  enum type table_type = variant >= 2 ? F32 : type;
  struct problem *p =
      begin(suite, "rotary.py", "rope_heads_kernel",
            GRID((uint32_t)tokens, (uint32_t)(count + 3) / 4, 1), variants[variant], type, shape);
  if (!p)
    return;
  struct parameter *x = add_heads(p, "X", type, (size_t)(tokens * row), table_type);
  add_integer(p, "row_stride", row);
  const double *cos = add_input(p, "cos", table_type, (size_t)(positions * table), fill_uniform, 1);
  add_integer(p, "cos_stride", table);
  const double *sin = add_input(p, "sin", table_type, (size_t)(positions * table), fill_uniform, 1);
  add_integer(p, "sin_stride", table);
  add_integer(p, "positions", positions);
  add_constant(p, "HEAD_DIM", "%d", dim);
  add_constant(p, "HEADS", "%d", count);
  add_flag(p, "BACKWARD", variant % 2);
  add_constant(p, "BLOCK", "%d", next_power_of_2(half));
  for (int t = 0; t < tokens; t++)
    for (int h = 0; h < count; h++)
      expect_head(x, (size_t)(t * row + h * dim), half, cos + t % positions * table,
                  sin + t % positions * table, variant % 2 ? -1 : 1);
  finish(p);
}

/* Two sequences; the tables are shared in the first half of the variants, else one each. */
static void queries_and_keys(struct suite *suite, int variant, enum type type,
                             const struct shape *shape) {
  enum { Q_HEADS = 5, K_HEADS = 2 };
  int half = shape->n, dim = 2 * half, length = shape->m, tokens = 2 * length;
  int q_row = Q_HEADS * dim + shape->pad, k_row = K_HEADS * dim, table = half + shape->pad;
  int batches = variant >= 2 ? 2 : 1;
  enum type table_type = variant >= 2 ? F32 : type;
  struct problem *p = begin(suite, "rotary.py", "rope_qk_kernel", GRID((uint32_t)tokens, 1, 1),
                            variants[variant], type, shape);
  if (!p)
    return;
  size_t entries = (size_t)(batches * length * table);
  struct parameter *q = add_heads(p, "q_ptr", type, (size_t)(tokens * q_row), table_type);
  add_integer(p, "q_stride", q_row);
  struct parameter *k = add_heads(p, "k_ptr", type, (size_t)(tokens * k_row), table_type);
  add_integer(p, "k_stride", k_row);
  const double *cos = add_input(p, "cos", table_type, entries, fill_uniform, 1);
  add_integer(p, "cos_stride", table);
  const double *sin = add_input(p, "sin", table_type, entries, fill_uniform, 1);
  add_integer(p, "sin_stride", table);
  add_integer(p, "seq_len", length);
  add_constant(p, "cos_batches", "%d", batches);
  add_constant(p, "q_heads", "%d", Q_HEADS);
  add_constant(p, "k_heads", "%d", K_HEADS);
  add_constant(p, "dim", "%d", dim);
  add_constant(p, "PAD_Q_HEADS", "8");
  add_constant(p, "PAD_K_HEADS", "2");
  add_constant(p, "PAD_DIM", "%d", next_power_of_2(dim));
  add_flag(p, "BACKWARD", variant % 2);
  for (int t = 0; t < tokens; t++) {
    int at = (batches == 1 ? t % length : t) * table;
    for (int h = 0; h < Q_HEADS; h++)
      expect_head(q, (size_t)(t * q_row + h * dim), half, cos + at, sin + at, variant % 2 ? -1 : 1);
    for (int h = 0; h < K_HEADS; h++)
      expect_head(k, (size_t)(t * k_row + h * dim), half, cos + at, sin + at, variant % 2 ? -1 : 1);
  }
  finish(p);
}

void run_rotary(struct suite *suite) {
  FOR_EACH_CASE(suite, VARIANTS, shapes, heads);
  FOR_EACH_CASE(suite, VARIANTS, shapes, queries_and_keys);
}
