/* SPDX-License-Identifier: MIT */
/* Draws random expressions (random_make.h): arithmetic, conversions, shapes. */
#ifndef TILE_TEST_RANDOM_MAKE_VALUES_H
#define TILE_TEST_RANDOM_MAKE_VALUES_H

#include "random_make.h"

/* --- Operations ------------------------------------------------------------------------------- */

/* fp8e4b15 is only converted. */
static inline struct node *computing(struct maker *m, struct node *x) {
  return x->kind == KE4B ? as_kind(m, x, KF16) : x;
}

static inline struct node *draw_division(struct maker *m, struct node *x, int depth) {
  enum binary op = chance(m, 50) ? DIV : REM;
  if (kind_is_float(x->kind) || x->kind == KI1)
    x = as_kind(m, x, any_integer(m));
  if (chance(m, 50))
    return make_binary(m, op, x, make_literal(m, 1 + below(m, 100), x));
  struct node *y = draw_kind(m, x->kind, x->shape, depth - 1);
  if (chance(m, 40)) /* of any sign */
    return make_binary(m, op, x, make_binary(m, OR, y, make_literal(m, 1, y)));
  y = make_binary(m, AND, y, make_literal(m, 62, y));
  return make_binary(m, op, x, make_binary(m, ADD, y, make_literal(m, 1, y)));
}

static inline struct node *draw_shift(struct maker *m, struct node *x, int depth) {
  enum binary op = chance(m, 40) ? SHL : SHR;
  if (kind_is_float(x->kind) || x->kind == KI1)
    x = as_kind(m, x, any_integer(m));
  int bits = kind_bits(x->kind);
  if (chance(m, 50))
    return make_binary(m, op, x, make_literal(m, below(m, bits), x));
  struct node *y = draw_kind(m, any_integer(m), x->shape, depth - 1);
  int least = kind_bits(y->kind) < bits ? kind_bits(y->kind) : bits;
  return make_binary(m, op, x, make_binary(m, AND, y, make_literal(m, least - 1, y)));
}

/* Tenths, whose digits no type has all of. */
static inline void make_fraction(struct maker *m, struct node *n) {
  n->divisor = 10;
  n->number = n->number % 1000 * 10 + 1 + below(m, 9);
}

static inline struct node *draw_literal(struct maker *m, struct node *x) {
  struct node *n = make_literal(m, any_number(m, x->kind), x);
  if (m->static_loop >= 0 && chance(m, 50)) {
    n->axis = m->static_loop + 1;
    return n;
  }
  if (kind_is_float(x->kind) && chance(m, 60))
    make_fraction(m, n);
  return n;
}

/* An operand beside x: of any type with which it has a common one, a scalar or a number of the
 * source. */
static inline struct node *draw_beside(struct maker *m, struct node *x, int depth) {
  if (chance(m, 20) && x->kind != KI1 && !kind_is_fp8(x->kind))
    return draw_literal(m, x);
  struct node *y = draw(m, chance(m, 12) ? (struct shape){0} : x->shape, depth - 1);
  y = computing(m, y);
  return promote(x->kind, y->kind) == KINDS ? as_kind(m, y, x->kind) : y;
}

static inline bool is_wide(enum kind k) {
  return k == KF32 || k == KF64;
}

/* Of three: fused, or between two numbers. */
static inline struct node *draw_three(struct maker *m, struct node *x, int depth) {
  if (!kind_is_float(x->kind) || kind_is_fp8(x->kind))
    x = as_kind(m, x, (enum kind)(KF16 + below(m, 4)));
  bool fused = chance(m, 60);
  int64_t least = below(m, 100) - 60;
  struct node *n = make_node(m, fused ? NODE_FMA : NODE_CLAMP, x->kind, x->shape);
  n->in[0] = x;
  n->in[1] = fused ? draw_kind(m, x->kind, x->shape, depth - 1)
                   : make_full(m, x->kind, (struct shape){0}, least);
  n->in[2] = fused ? draw_kind(m, x->kind, x->shape, depth - 1)
                   : make_full(m, x->kind, (struct shape){0}, least + below(m, 90));
  n->number = !fused && chance(m, 50);
  return n;
}

static inline struct node *draw_arithmetic(struct maker *m, struct shape shape, int depth) {
  struct node *x = computing(m, draw(m, shape, depth - 1));
  int dice = below(m, 100);
  if (dice < 10)
    return draw_division(m, x, depth);
  if (dice < 20)
    return draw_shift(m, x, depth);
  if (dice < 30) {
    enum unary op = (enum unary)below(m, is_wide(x->kind)                                  ? UNARIES
                                         : kind_is_float(x->kind) && !kind_is_fp8(x->kind) ? ROOT
                                                                                           : 3);
    if (op == INVERT && kind_is_float(x->kind))
      op = NEGATE;
    if (x->kind == KI1 && op == ABSOLUTE)
      op = INVERT;
    return make_one(m, NODE_UNARY, x->kind, shape, x, op);
  }
  if (dice < 40) {
    struct node *y = draw_beside(m, x, depth);
    struct node *condition = draw_kind(m, KI1, shape, depth - 1);
    struct node *n = make_binary(m, ADD, x, y);
    *n = (struct node){
        .op = NODE_WHERE, .kind = n->kind, .shape = n->shape, .in = {condition, x, y}};
    return n;
  }
  if (dice < 44)
    return draw_three(m, x, depth);
  if (dice < 47 && is_wide(x->kind))
    return make_binary(m, DIV_RN, x, draw_kind(m, x->kind, shape, depth - 1));
  if (dice < 47 && !kind_is_float(x->kind) && kind_bits(x->kind) >= 32)
    return make_binary(m, HIGH, x, draw_kind(m, x->kind, shape, depth - 1));
  struct node *y = draw_beside(m, x, depth);
  if (dice < 58)
    return make_binary(m, (enum binary)(LT + below(m, 6)), x, y);
  if (dice < 67)
    return make_binary(m, (enum binary)(MIN + below(m, 4)), x, y);
  bool integers = !kind_is_float(x->kind) && (y->op == NODE_LITERAL || !kind_is_float(y->kind));
  if (dice < 80 && integers)
    return make_binary(m, (enum binary)(AND + below(m, 3)), x, y);
  struct node *n = make_binary(m, (enum binary)below(m, 3), x, y);
  if (y->op != NODE_LITERAL && chance(m, 30)) {
    n->in[0] = y;
    n->in[1] = x;
    n->shape = shape;
  }
  return n;
}

static inline bool may_bitcast(const struct node *x, enum kind to) {
  return kind_bits(x->kind) == kind_bits(to) && x->kind != to && x->kind != KI1 &&
         (!kind_is_float(x->kind) || x->raw);
}

static inline struct node *draw_cast(struct maker *m, struct shape shape, int depth) {
  struct node *x = draw(m, shape, depth - 1);
  enum kind to = any_kind(m);
  for (int i = 0; i < 20 && chance(m, 70); i++) {
    enum kind candidate = any_kind(m);
    if (may_bitcast(x, candidate)) {
      struct node *n = make_one(m, NODE_BITCAST, candidate, shape, x, 0);
      n->raw = true;
      return n;
    }
  }
  bool narrows = kind_is_float(x->kind) && kind_is_float(to) && to != KE4B &&
                 kind_bits(to) < kind_bits(x->kind);
  if (narrows && chance(m, 30))
    return make_one(m, NODE_TRUNCATE, to, shape, x, 0);
  return as_kind(m, x, to);
}

/* --- Shapes ----------------------------------------------------------------------------------- */

/* The order that brings dimension `order[d]` of the operand to d. */
static inline struct node *draw_permutation(struct maker *m, struct shape shape, int depth) {
  int order[MAX_RANK] = {0, 1, 2, 3, 4};
  int64_t digits = 0;
  struct shape from = shape;
  for (int d = shape.rank - 1; d > 0; d--) {
    int other = below(m, d + 1), kept = order[d];
    order[d] = order[other];
    order[other] = kept;
  }
  for (int d = 0; d < shape.rank; d++) {
    from.size[order[d]] = shape.size[d];
    digits |= (int64_t)order[d] << (4 * d);
  }
  struct node *x = draw(m, from, depth - 1);
  return make_one(m, NODE_PERMUTE, x->kind, shape, x, digits);
}

/* Two tiles, of a common type, as one. */
static inline struct node *draw_joined(struct maker *m, struct shape shape, int depth) {
  struct shape from = shape;
  int last = shape.rank - 1;
  enum node_op op = shape.size[last] == 2 && shape.rank > 1 && chance(m, 70) ? NODE_JOIN
                    : shape.size[last] > 1 && chance(m, 50)                  ? NODE_INTERLEAVE
                                                                             : NODE_CAT;
  if (op == NODE_JOIN)
    from.rank--;
  else if (op == NODE_INTERLEAVE)
    from.size[last] /= 2;
  else if (from.size[0] > 1)
    from.size[0] /= 2;
  else
    return draw(m, shape, 0);
  struct node *x = draw(m, from, depth - 1);
  struct node *n = make_one(m, op, x->kind, shape, x, op == NODE_CAT && chance(m, 50));
  n->in[1] = draw_kind(m, x->kind, from, depth - 1);
  n->raw = x->raw && n->in[1]->raw;
  return n;
}

/* One half of a tile's last dimension, or of pairs of its elements. */
static inline struct node *draw_half(struct maker *m, struct shape shape, int depth) {
  struct shape from = shape;
  if (shape.rank == MAX_RANK)
    return draw(m, shape, 0);
  from.size[from.rank++] = 2;
  struct node *x = draw(m, from, depth - 1);
  return make_one(m, NODE_SPLIT, x->kind, shape, x, below(m, 2));
}

static inline struct node *draw_gather(struct maker *m, struct shape shape, int depth) {
  int axis = below(m, shape.rank);
  if (chance(m, 40)) {
    struct node *x = draw(m, shape, depth - 1);
    struct node *n = make_one(m, NODE_FLIP, x->kind, shape, x, 0);
    n->axis = axis;
    return n;
  }
  struct shape from = shape;
  from.size[axis] = 1 << below(m, 6);
  if (shape_count(from) > 2048)
    from.size[axis] = shape.size[axis];
  struct node *x = draw(m, from, depth - 1);
  struct node *at = draw_other(m, chance(m, 80) ? KI32 : any_integer(m), shape, depth - 1);
  int most = from.size[axis] - 1;
  struct node *n = make_one(m, NODE_GATHER, x->kind, shape, x, 0);
  n->in[1] = make_binary(m, AND, at, make_literal(m, most > 127 ? 127 : most, at));
  n->axis = axis;
  return n;
}

static inline struct node *draw_shaped(struct maker *m, struct shape shape, int depth) {
  int dice = below(m, 100);
  if (dice >= 88)
    return draw_gather(m, shape, depth);
  if (dice >= 80)
    return draw_joined(m, shape, depth);
  if (dice >= 75)
    return draw_half(m, shape, depth);
  if (dice < 25 && shape.rank > 1)
    return draw_permutation(m, shape, depth);
  struct shape from = shape;
  enum node_op op = NODE_BROADCAST;
  int64_t number = 0;
  if (dice < 50) {
    op = NODE_RESHAPE;
    do
      from = any_shape(m);
    while (shape_count(from) != shape_count(shape) && chance(m, 98));
    if (shape_count(from) != shape_count(shape))
      from = (struct shape){1, {shape_count(shape)}};
  } else {
    int ones = 0;
    for (int d = 0; d < shape.rank; d++)
      ones += shape.size[d] == 1;
    if (ones && shape.rank > 1) {
      op = NODE_EXPAND;
      while (shape.size[number] != 1)
        number++;
      from.rank--;
      for (int d = (int)number; d < from.rank; d++)
        from.size[d] = shape.size[d + 1];
    } else if (chance(m, 15)) {
      from = (struct shape){0};
    } else {
      for (int d = 0; d < shape.rank; d++)
        from.size[d] = chance(m, 50) ? 1 : shape.size[d];
    }
  }
  struct node *x = draw(m, from, depth - 1);
  return make_one(m, op, x->kind, shape, x, number);
}

#endif
