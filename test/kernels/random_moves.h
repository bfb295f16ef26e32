/* SPDX-License-Identifier: MIT */
/* Carries out a random kernel (random_tree.h): what moves elements, and what puts several together.
 */
#ifndef TILE_TEST_RANDOM_MOVES_H
#define TILE_TEST_RANDOM_MOVES_H

#include "random_elements.h"

static inline void moved_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0];
  uint64_t *a = value_of(m, x);
  int index[MAX_RANK], from[MAX_RANK];
  for (int i = 0; i < shape_count(n->shape); i++) {
    split_index(n->shape, i, index);
    for (int d = 0; d < x->shape.rank; d++)
      from[d] = x->shape.size[d] == 1 ? 0 : index[d];
    if (n->op == NODE_PERMUTE)
      for (int d = 0; d < n->shape.rank; d++)
        from[n->number >> (4 * d) & 15] = index[d];
    bool in_order = n->op == NODE_RESHAPE || n->op == NODE_EXPAND;
    out[i] = in_order ? a[i] : x->shape.rank ? a[join_index(x->shape, from)] : a[0];
  }
}

/* Where element `index` of a tile of two comes from: in which of them, and where there. */
static inline int part_index(const struct node *n, const int *index, int *part) {
  struct shape from = n->in[0]->shape;
  int at[MAX_RANK], last = from.rank - 1;
  memcpy(at, index, sizeof at);
  if (n->op == NODE_JOIN) {
    *part = index[from.rank];
  } else if (n->op == NODE_INTERLEAVE) {
    *part = index[last] % 2;
    at[last] = index[last] / 2;
  } else {
    *part = index[0] / from.size[0];
    at[0] = index[0] % from.size[0];
  }
  return join_index(from, at);
}

static inline void joined_values(struct machine *m, const struct node *n, uint64_t *out) {
  uint64_t *parts[] = {value_of(m, n->in[0]), value_of(m, n->in[1])};
  int index[MAX_RANK] = {0}, part;
  for (int i = 0; i < shape_count(n->shape); i++) {
    split_index(n->shape, i, index);
    int at = part_index(n, index, &part);
    out[i] = parts[part][at];
  }
}

static inline void gathered_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0];
  uint64_t *a = value_of(m, x), *at = n->op == NODE_GATHER ? value_of(m, n->in[1]) : NULL;
  int index[MAX_RANK];
  for (int i = 0; i < shape_count(n->shape); i++) {
    split_index(n->shape, i, index);
    int64_t from =
        at ? signed_value(n->in[1]->kind, at[i]) : n->shape.size[n->axis] - 1 - index[n->axis];
    if (from < 0 || from >= x->shape.size[n->axis]) {
      m->tree->is_wrong = true;
      return;
    }
    index[n->axis] = (int)from;
    out[i] = a[join_index(x->shape, index)];
  }
}

static inline void split_values(struct machine *m, const struct node *n, uint64_t *out) {
  uint64_t *a = value_of(m, n->in[0]);
  for (int i = 0; i < shape_count(n->shape); i++)
    out[i] = a[2 * i + (int)n->number];
}

/* --- Reductions, scans, sorting --------------------------------------------------------------- */

static inline bool compare_values(enum binary op, enum kind k, uint64_t a, uint64_t b) {
  return kind_is_float(k) ? float_binary(op, k, a, b) : integer_binary(op, k, k, a, b);
}

static inline uint64_t fold_values(enum reduce op, enum kind k, uint64_t a, uint64_t b) {
  static const enum binary operators[REDUCTIONS] = {
      [SUM] = ADD,    [MAXIMUM] = MAX, [MINIMUM] = MIN, [XOR_SUM] = XOR,
      [BY_AND] = AND, [BY_OR] = OR,    [BY_MUL] = MUL,  [BY_MAX] = MAX};
  if (op == BY_LAST)
    return b ? b : a;
  return kind_is_float(k) ? float_binary(operators[op], k, a, b)
                          : integer_binary(operators[op], k, k, a, b) & kind_mask(k);
}

/* Is b strictly better? */
static inline bool is_better(enum reduce op, enum kind k, uint64_t a, uint64_t b) {
  enum binary test = op == ARGMIN ? LT : GT;
  return kind_is_float(k) ? float_binary(test, k, b, a) : integer_binary(test, k, k, b, a);
}

static inline bool gives_index(enum reduce op) {
  return op == ARGMAX || op == ARGMIN || op == MAX_INDEX;
}

/* Rows of a tile along an axis, of which `inner` lie side by side; axis -1: one row. */
struct rows {
  int size, inner;
};

static inline struct rows rows_of(struct shape shape, int axis) {
  struct rows rows = {axis < 0 ? shape_count(shape) : shape.size[axis], 1};
  for (int d = axis + 1; axis >= 0 && d < shape.rank; d++)
    rows.inner *= shape.size[d];
  return rows;
}

static inline void reduced_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0];
  uint64_t *a = value_of(m, x);
  enum reduce op = (enum reduce)n->number;
  struct rows rows = rows_of(x->shape, n->axis);
  for (int i = 0; i < shape_count(n->shape); i++) {
    const uint64_t *row = a + i / rows.inner * rows.inner * rows.size + i % rows.inner;
    uint64_t best = row[0];
    out[i] = gives_index(op) ? 0 : convert(x->kind, n->kind, row[0], false);
    for (int j = 1; j < rows.size; j++) {
      uint64_t next = row[j * rows.inner];
      if (!gives_index(op))
        out[i] = fold_values(op, n->kind, out[i], convert(x->kind, n->kind, next, false));
      else if (is_better(op, x->kind, best, next))
        best = next, out[i] = (uint64_t)j;
    }
  }
}

/* The greatest pair in lexical order. */
static inline void best_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0], *y = n->in[1];
  uint64_t *a = value_of(m, x), *b = value_of(m, y);
  struct rows rows = rows_of(x->shape, n->axis);
  for (int i = 0; i < shape_count(n->shape); i++) {
    int first = i / rows.inner * rows.inner * rows.size + i % rows.inner, best = first;
    for (int at = first; at < first + rows.size * rows.inner; at += rows.inner)
      if (integer_binary(GT, x->kind, x->kind, a[at], a[best]) ||
          (a[at] == a[best] && integer_binary(GT, y->kind, y->kind, b[at], b[best])))
        best = at;
    out[i] = n->number ? b[best] : a[best];
  }
}

static inline uint64_t scan_step(const struct node *n, uint64_t a, uint64_t b) {
  enum reduce op = n->number == CUMSUM    ? SUM
                   : n->number == CUMPROD ? BY_MUL
                                          : (enum reduce)(BY_AND + n->number - SCANS);
  return fold_values(op, n->kind, a, b);
}

/* Both of a line's numbers, or one number. */
static inline void scanned_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0];
  uint64_t *a = value_of(m, x), *b = n->in[1] ? value_of(m, n->in[1]) : NULL;
  bool backwards = n->axis < 0;
  struct rows rows = rows_of(x->shape, backwards ? -1 - n->axis : n->axis);
  for (int i = 0; i < shape_count(n->shape); i++) {
    uint64_t sum = 0, line = 0;
    for (int j = 0; j < rows.size && i / rows.inner % rows.size == 0; j++) {
      int at = i + (backwards ? rows.size - 1 - j : j) * rows.inner;
      uint64_t next = convert(x->kind, n->kind, a[at], false);
      if (b)
        line = (j ? line * next + b[at] : b[at]) & kind_mask(n->kind);
      sum = !j ? next : b ? sum * next & kind_mask(n->kind) : scan_step(n, sum, next);
      out[at] = b && n->number ? line : sum;
    }
  }
}

/* The first ones of the operand's sorted rows. */
static inline void sorted_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0];
  uint64_t *a = value_of(m, x), *sorted = take_bits(m, x->shape);
  int size = x->shape.size[x->shape.rank - 1], kept = n->shape.size[n->shape.rank - 1];
  enum binary before = n->op == NODE_TOPK || n->number ? GT : LT;
  for (int i = 0; i < shape_count(x->shape); i++) {
    int at = i;
    for (; at % size && compare_values(before, n->kind, a[i], sorted[at - 1]); at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = a[i];
  }
  for (int i = 0; i < shape_count(n->shape); i++)
    out[i] = sorted[i / kept * size + i % kept];
}

static inline void counted_values(struct machine *m, const struct node *n, uint64_t *out) {
  uint64_t *a = value_of(m, n->in[0]), *mask = n->in[1] ? value_of(m, n->in[1]) : NULL;
  for (int i = 0; i < shape_count(n->in[0]->shape); i++) {
    if (mask && !mask[i])
      continue;
    if (a[i] >= (uint64_t)n->shape.size[0])
      m->tree->is_wrong = true;
    else
      out[a[i]]++;
  }
}

/* --- Products --------------------------------------------------------------------------------- */

static inline double number_at(const struct node *n, const uint64_t *bits, int at) {
  return kind_is_float(n->kind) ? float_value(n->kind, bits[at])
                                : (double)signed_value(n->kind, bits[at]);
}

/* All numbers are integers that double holds, with their sums. */
static inline void multiplied_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0], *y = n->in[1];
  uint64_t *a = value_of(m, x), *b = value_of(m, y), *c = n->in[2] ? value_of(m, n->in[2]) : NULL;
  int rank = n->shape.rank, rows = n->shape.size[rank - 2], columns = n->shape.size[rank - 1];
  int depth = x->shape.size[rank - 1];
  for (int i = 0; i < shape_count(n->shape); i++) {
    int matrix = i / (rows * columns), row = i / columns % rows, column = i % columns;
    double sum = c ? number_at(n->in[2], c, i) : 0;
    for (int k = 0; k < depth; k++)
      sum += number_at(x, a, (matrix * rows + row) * depth + k) *
             number_at(y, b, (matrix * depth + k) * columns + column);
    out[i] = kind_is_float(n->kind) ? encode_kind(n->kind, sum, false)
                                    : (uint64_t)(int64_t)sum & kind_mask(n->kind);
  }
}

#endif
