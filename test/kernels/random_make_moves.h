/* SPDX-License-Identifier: MIT */
/* Draws random expressions (random_make.h): reductions, scans, sorting, and products.

   Sums of floats and products are exact: what goes into them are integers within a bound, so that
   every sum is one that its type holds. What comes out leaves as an integer or a truth, as a sum's
   -0 may be +0 elsewhere. */
#ifndef TILE_TEST_RANDOM_MAKE_MOVES_H
#define TILE_TEST_RANDOM_MAKE_MOVES_H

#include "random_make_values.h"

/* --- Reductions, scans, sorting --------------------------------------------------------------- */

/* Sums and scans of integers, extrema of all, so that any order gives the same. */
static inline enum kind reduction_kind(enum reduce op, enum kind k) {
  if (op == ARGMAX || op == ARGMIN || op == MAX_INDEX)
    return KI32;
  if (op == XOR_SUM || op >= REDUCES || kind_bits(k) >= 32)
    return k;
  if (kind_is_float(k))
    return KF32;
  return op == SUM && kinds[k].is_unsigned ? KU32 : KI32;
}

/* What a reduction along `axis` is made of: one dimension more; or all of a tile, of which a scalar
   is left. False: there is no room. */
static inline bool unreduced(struct maker *m, struct shape shape, int *axis, struct shape *from) {
  int size = 1 << below(m, 6);
  if (!shape.rank && chance(m, 30)) {
    *axis = -1;
    *from = any_shape(m);
    return true;
  }
  if (shape.rank >= 3 || shape_count(shape) * size > 2048)
    return false;
  *from = shape;
  *axis = below(m, shape.rank + 1);
  from->rank++;
  for (int d = from->rank - 1; d > *axis; d--)
    from->size[d] = from->size[d - 1];
  from->size[*axis] = size;
  return true;
}

static inline struct node *draw_reduction(struct maker *m, struct shape shape, int depth) {
  struct shape from;
  int axis;
  if (!unreduced(m, shape, &axis, &from))
    return draw_leaf(m, shape);
  enum reduce op = (enum reduce)below(m, axis < 0 ? 3 : BY_LAST);
  bool integers = op != MAXIMUM && op != MINIMUM; /* NaNs have no place in an order */
  struct node *x = computing(m, draw(m, from, depth - 1));
  if (integers && op == SUM && kind_is_float(x->kind))
    op = MAXIMUM;
  else if ((integers && kind_is_float(x->kind)) || (x->kind == KI1 && op != SUM))
    x = as_kind(m, x, any_integer(m));
  if (integers && axis >= 0 && !kind_is_float(x->kind) && x->kind != KI1 && chance(m, 15)) {
    struct node *n = make_one(m, NODE_BEST, x->kind, shape, x, below(m, 2));
    n->in[1] = draw_kind(m, any_integer(m), from, depth - 1);
    n->kind = n->in[n->number]->kind;
    n->axis = axis;
    return n;
  }
  struct node *n = make_one(m, NODE_REDUCE, reduction_kind(op, x->kind), shape, x, op);
  n->axis = axis;
  n->raw = false;
  return n;
}

/* A thread sorts at most 128 elements: so many of 32 threads, whatever the kernel's warps. */
enum { MAX_SORTED = 128 * 32 };

/* Sorted, the first of what is sorted, or counted: of one type, or int32. */
static inline struct node *draw_sorted(struct maker *m, struct shape shape, int depth) {
  struct shape from = shape;
  int last = shape.rank - 1, dice = below(m, 100);
  if (dice < 25 && shape.rank == 1 && shape.size[0] <= 128) {
    from.size[0] = 1 << below(m, 9);
    struct node *x = draw_kind(m, any_integer(m), from, depth - 1);
    x = make_binary(m, AND, x, make_literal(m, shape.size[0] - 1, x));
    struct node *n = make_one(m, NODE_HISTOGRAM, KI32, shape, x, 0);
    n->in[1] = chance(m, 30) ? draw_kind(m, KI1, from, depth - 1) : NULL;
    return n;
  }
  if (dice < 50 && shape_count(shape) <= 256)
    from.size[last] <<= below(m, 3);
  if (shape_count(from) > MAX_SORTED)
    return draw(m, shape, depth - 1);
  struct node *x = draw(m, from, depth - 1);
  if (kind_is_float(x->kind) || x->kind == KI1)
    x = as_kind(m, x, any_integer(m));
  if (from.size[last] != shape.size[last])
    return make_one(m, NODE_TOPK, x->kind, shape, x, 0);
  return make_one(m, NODE_SORT, x->kind, shape, x, below(m, 2));
}

static inline struct node *draw_scan(struct maker *m, struct shape shape, int depth) {
  if (chance(m, 30))
    return draw_sorted(m, shape, depth);
  struct node *x = draw(m, shape, depth - 1);
  if (kind_is_float(x->kind) || x->kind == KI1)
    x = as_kind(m, x, any_integer(m));
  bool line = chance(m, 20), own = line || chance(m, 40);
  int op = line ? below(m, 2) : own ? SCANS + below(m, 1 + BY_LAST - BY_AND) : below(m, SCANS);
  struct node *n = make_one(m, line ? NODE_LINE : NODE_SCAN,
                            own ? x->kind : reduction_kind(SUM, x->kind), shape, x, op);
  n->in[1] = line ? draw_kind(m, x->kind, shape, depth - 1) : NULL;
  n->axis = below(m, shape.rank);
  if (chance(m, 30))
    n->axis = -1 - n->axis;
  return n;
}

/* --- Floats that are integers ----------------------------------------------------------------- */

/* The greatest integer up to which each is one. */
static inline double exact_most(enum kind k) {
  static const double most[KINDS] = {
      [KE4] = 16,      [KE5] = 8,       [KE4Z] = 16,     [KE5Z] = 8,
      [KF16] = 0x1p11, [KBF16] = 0x1p8, [KF32] = 0x1p24, [KF64] = 0x1p40};
  return most[k];
}

static inline struct node *exact(struct maker *m, enum kind kind, struct shape shape, double limit,
                                 int depth);

static inline struct node *bounded(struct node *n, double bound) {
  n->bound = bound;
  n->raw = false;
  return n;
}

static inline struct node *exact_variable(struct maker *m, enum kind kind, struct shape shape,
                                          double limit) {
  for (int i = m->tree->variable_count - 1; i >= 0; i--) {
    if (!same_shape(m->tree->variables[i].shape, shape) || m->tree->variables[i].kind != kind ||
        !m->tree->variables[i].bound || m->tree->variables[i].bound > limit)
      continue;
    struct node *n = make_node(m, NODE_VARIABLE, kind, shape);
    n->number = i;
    return bounded(n, m->tree->variables[i].bound);
  }
  return NULL;
}

enum { EXACT_TILES = 16 }; /* a buffer has so many: a loop goes from one to the next */

static inline int exact_buffer(struct maker *m, enum kind kind, int count, double limit) {
  for (int i = 0; i < m->tree->buffer_count; i++) {
    const struct tree_buffer *b = &m->tree->buffers[i];
    if (!b->is_output && b->kind == kind && b->bound && b->bound <= limit &&
        b->count >= (size_t)count && chance(m, 50))
      return i;
  }
  if (m->in_function || !has_buffers(m))
    return -1;
  double bound = 1 << below(m, 8);
  return add_buffer(m, kind, (size_t)count, false, bound > limit ? limit : bound);
}

/* Rows and columns in either order, one tile after another, or a tile of a tensor. */
static inline struct node *exact_load(struct maker *m, enum kind kind, struct shape shape,
                                      double limit) {
  int count = shape_count(shape);
  int buffer = exact_buffer(m, kind, count * EXACT_TILES, floor(limit));
  if (buffer < 0)
    return NULL;
  double bound = m->tree->buffers[buffer].bound;
  if (shape.rank <= 3 && chance(m, 40))
    return bounded(draw_block(m, kind, shape, buffer), bound);
  struct node *at = draw_places(m, shape);
  for (int d = 0; d < shape.rank; d++)
    at->strides[d] = at->strides[d] > 0 ? at->strides[d] : -at->strides[d];
  at->number = 0;
  for (int d = 0, last = 0; d < shape.rank; d++) {
    last += at->strides[d] * (shape.size[d] - 1);
    if (d == shape.rank - 1 && last >= count) /* steps of more than 1 */
      for (int e = shape.rank - 1, stride = 1; e >= 0; stride *= shape.size[e--])
        at->strides[e] = stride;
  }
  if (m->run_loop >= 0 && chance(m, 85)) {
    struct node *index = make_node(m, NODE_VARIABLE, KI32, (struct shape){0});
    index->number = m->run_loop;
    at = make_binary(m, ADD, at, make_binary(m, MUL, index, make_literal(m, count, index)));
  }
  struct node *n = make_node(m, NODE_LOAD, kind, shape);
  n->number = buffer;
  n->in[0] = at;
  if (chance(m, 15)) {
    n->in[1] = draw_other(m, KI1, shape, 1);
    n->in[2] = make_full(m, kind, shape, 0);
  }
  return bounded(n, bound);
}

static inline struct node *exact_leaf(struct maker *m, enum kind kind, struct shape shape,
                                      double limit, int depth) {
  struct node *known = chance(m, 50) ? exact_variable(m, kind, shape, limit) : NULL;
  if (!known && shape.rank && chance(m, 70))
    known = exact_load(m, kind, shape, limit);
  if (known)
    return known;
  int bound = 1;
  while (bound * 2 <= limit && bound < 64 && chance(m, 80))
    bound *= 2;
  struct node *x = draw_other(m, KI32, shape, depth - 1);
  x = make_binary(m, AND, x, make_literal(m, 2 * bound - 1, x));
  x = make_binary(m, SUB, x, make_literal(m, bound, x));
  return bounded(as_kind(m, x, kind), bound);
}

static inline struct node *exact_pair(struct maker *m, enum kind kind, struct shape shape,
                                      double limit, int depth) {
  static const enum binary operators[] = {ADD, SUB, MUL, MIN, MAX};
  enum binary op = operators[below(m, 5)];
  double left = op == MUL ? 4 : op <= SUB ? limit / 2 : limit;
  double right = op == MUL ? limit / 4 : left;
  struct node *x = exact(m, kind, shape, left, depth - 1);
  struct node *y = exact(m, kind, shape, right, depth - 1);
  struct node *n = make_binary(m, op, x, y);
  if (op >= MIN && chance(m, 30)) {
    n->op = NODE_WHERE;
    n->in[2] = y, n->in[1] = x;
    n->in[0] = draw_other(m, KI1, shape, depth - 1);
  }
  return bounded(n, limit);
}

/* A sum or an extremum along an axis, a running sum, sorted rows. */
static inline struct node *exact_along(struct maker *m, enum kind kind, struct shape shape,
                                       double limit, int depth) {
  struct shape from;
  int axis, dice = below(m, 100);
  if (dice < 50 && unreduced(m, shape, &axis, &from)) {
    int size = axis < 0 ? shape_count(from) : from.size[axis];
    enum reduce op = (enum reduce)below(m, 3);
    if (op == SUM && limit / size < 1)
      op = MAXIMUM;
    struct node *x = exact(m, kind, from, op == SUM ? limit / size : limit, depth - 1);
    struct node *n =
        make_one(m, NODE_REDUCE, op == SUM ? kind : reduction_kind(op, kind), shape, x, op);
    n->axis = axis;
    return bounded(as_kind(m, bounded(n, limit), kind), limit);
  }
  if (!shape.rank)
    return exact_leaf(m, kind, shape, limit, depth);
  int last = shape.rank - 1;
  bool sums = limit / shape.size[last] >= 1 && chance(m, 60);
  if (!sums && shape_count(shape) > MAX_SORTED)
    return exact_leaf(m, kind, shape, limit, depth);
  struct node *x = exact(m, kind, shape, sums ? limit / shape.size[last] : limit, depth - 1);
  struct node *n = make_one(m, sums ? NODE_SCAN : NODE_SORT, kind, shape, x, 0);
  n->axis = last;
  return bounded(n, limit);
}

static inline struct node *exact_shaped(struct maker *m, enum kind kind, struct shape shape,
                                        double limit, int depth) {
  enum kind outer = m->exact_kind;
  double outer_limit = m->exact_limit;
  m->exact_kind = kind, m->exact_limit = limit;
  struct node *n = draw_shaped(m, shape, depth);
  m->exact_kind = outer, m->exact_limit = outer_limit;
  return bounded(n, limit);
}

/* --- Products --------------------------------------------------------------------------------- */

static inline bool has_products(const struct maker *m, struct shape shape) {
  int rank = shape.rank;
  return m->profile->products && rank >= 2 && rank <= 3 && shape.size[rank - 1] >= 16 &&
         shape.size[rank - 2] >= 16 && shape_count(shape) <= 4096;
}

/* What is multiplied into sums of a type; KINDS: nothing. */
static inline enum kind draw_factor(struct maker *m, enum kind sum) {
  static const enum kind singles[] = {KF16, KF16, KBF16, KBF16, KF32, KF32, KF32, KE4, KE5};
  return sum == KF32                  ? singles[below(m, 9)]
         : sum == KI32                ? KI8
         : sum == KF16 || sum == KF64 ? sum
                                      : KINDS;
}

static inline struct node *draw_factor_tile(struct maker *m, enum kind kind, struct shape shape,
                                            double limit, int depth) {
  return kind == KI8 ? draw_other(m, KI8, shape, depth) : exact(m, kind, shape, limit, depth);
}

/* A product within `limit`, with `start` or without; NULL: none is that small. */
static inline struct node *draw_dot(struct maker *m, enum kind sum, struct shape shape,
                                    double limit, struct node *start, int depth) {
  enum kind factor = draw_factor(m, sum);
  int last = shape.rank - 1, k = 16 << below(m, 3);
  if (factor == KINDS)
    return NULL;
  if (kind_bits(factor) == 8 && k < 32)
    k = 32;
  if (kind_is_fp8(factor) && limit > 0x1p12) /* devices keep some 14 bits */
    limit = 0x1p12;
  double most = limit / k, a = factor == KF32 ? 0x1p10 : exact_most(factor), b = 1;
  if (sum != KI32 && most < 2)
    return NULL;
  while (b * 2 <= most / 2 && b < 8)
    b *= 2;
  a = a > most / b ? most / b : a;
  struct shape left = shape, right = shape;
  left.size[last] = right.size[last - 1] = k;
  struct node *n = make_node(m, NODE_DOT, sum, shape);
  n->number = below(m, PRECISIONS);
  bool turned = chance(m, 50);
  n->in[turned] = draw_factor_tile(m, factor, turned ? right : left, a, depth - 1);
  n->in[!turned] = draw_factor_tile(m, factor, turned ? left : right, b, depth - 1);
  n->in[2] = start;
  return bounded(n, limit + (start ? start->bound : 0));
}

static inline struct node *exact_dot(struct maker *m, enum kind kind, struct shape shape,
                                     double limit, int depth) {
  bool starts = chance(m, 40);
  struct node *start = starts ? exact(m, kind, shape, fmin(limit / 2, 0x1p12), depth - 1) : NULL;
  struct node *n = draw_dot(m, kind, shape, starts ? limit / 2 : limit, start, depth);
  return n ? n : exact_leaf(m, kind, shape, limit, depth);
}

static inline bool has_arithmetic(enum kind k) {
  return k >= KF16;
}

static inline struct node *exact(struct maker *m, enum kind kind, struct shape shape, double limit,
                                 int depth) {
  limit = fmin(limit, exact_most(kind));
  if (depth <= 0 || m->budget <= 0 || limit < 4)
    return exact_leaf(m, kind, shape, limit, depth);
  int dice = below(m, 100);
  if (dice < 25 && has_products(m, shape))
    return exact_dot(m, kind, shape, limit, depth);
  if (dice < 45 && shape.rank)
    return exact_shaped(m, kind, shape, limit, depth);
  if (dice < 60) {
    enum kind other = has_arithmetic(kind) ? (enum kind)(KF16 + below(m, 4)) : KF32;
    return bounded(as_kind(m, exact(m, other, shape, limit, depth - 1), kind), limit);
  }
  if (dice < 75 && has_arithmetic(kind))
    return exact_along(m, kind, shape, limit, depth);
  if (has_arithmetic(kind))
    return exact_pair(m, kind, shape, limit, depth);
  return exact_leaf(m, kind, shape, limit, depth);
}

/* A product of int8, and what is added to it. mma.sync saturates such sums and wgmma wraps, so what
   is added is small, and what comes out is no sum any more that could be one with another. */
static inline struct node *closed_product(struct maker *m, struct node *x, int depth) {
  if (chance(m, 50)) {
    struct node *y = draw_kind(m, KI32, x->shape, depth - 1);
    x = make_binary(m, ADD, x, make_binary(m, AND, y, make_literal(m, 0xffff, y)));
  }
  return make_binary(m, XOR, x, make_literal(m, 1 + below(m, 1 << 20), x));
}

/* A sum or product, as integers or as what it compares to. */
static inline struct node *draw_whole(struct maker *m, struct shape shape, int depth) {
  static const enum kind sums[] = {KF32, KF32, KF32, KF32, KF16, KF16, KBF16, KF64, KI32};
  enum kind sum = sums[below(m, 9)];
  struct node *x = NULL;
  if (has_products(m, shape) && (sum == KI32 || chance(m, 60)))
    x = draw_dot(m, sum, shape, sum == KI32 ? 1 : fmin(exact_most(sum), 0x1p18), NULL, depth);
  if (x && sum == KI32)
    return closed_product(m, x, depth);
  if (!x)
    x = exact(m, sum == KI32 ? KF32 : sum, shape, 0x1p18, depth);
  if (chance(m, 20))
    return make_binary(m, (enum binary)(LT + below(m, 6)), x, make_literal(m, below(m, 20) - 5, x));
  return as_kind(m, x, chance(m, 80) ? KI32 : KI64);
}

#endif
