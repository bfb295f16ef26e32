/* SPDX-License-Identifier: MIT */
/* Draws random kernels (random_tree.h): dice, nodes, and what they begin with. A profile says how
   often what is drawn; each kernel follows from its seed.

   Divisors are not zero, shifts shorter than the type, offsets inside their buffer or masked off. A
   float's bits are only looked at where they come from memory or from integers: a computed NaN has
   any. */
#ifndef TILE_TEST_RANDOM_MAKE_H
#define TILE_TEST_RANDOM_MAKE_H

#include "random_tree.h"

/* Weights. kinds: how many of the types, from int1 on: KE4 for integers alone. */
struct profile {
  int statements, depth, kinds, control;
  int arithmetic, casts, shapes, loads, reductions;
  int products, functions; /* of 100 statements; of 100 kernels */
};

struct maker {
  struct tree *tree;
  const struct profile *profile;
  uint64_t state;
  int budget;                /* nodes that may still be drawn */
  int loops;                 /* around what is being drawn */
  int static_loop, run_loop; /* variables of loops around it, or -1 */
  enum kind
      exact_kind; /* while exact_limit is not 0, draw() gives integers of this float up to it */
  double exact_limit;
  bool in_function; /* which has neither the kernel's parameters nor variables */
};

static inline int below(struct maker *m, int limit) {
  return (int)(zoo_random(&m->state) % (uint64_t)limit);
}

static inline bool chance(struct maker *m, int percent) {
  return below(m, 100) < percent;
}

static inline enum kind any_kind(struct maker *m) {
  return (enum kind)below(m, m->profile->kinds);
}

static inline enum kind any_integer(struct maker *m) {
  return (enum kind)(KI8 + below(m, KE4 - KI8));
}

static inline enum kind any_float(struct maker *m) {
  return (enum kind)(KE4 + below(m, KINDS - KE4));
}

static inline struct shape any_shape(struct maker *m) {
  struct shape shape = {.rank = 1 + below(m, chance(m, 70) ? 2 : 4)};
  int bits = 2 + below(m, chance(m, 90) ? 7 : 10);
  for (int d = 0; d < shape.rank; d++) {
    int own = d == shape.rank - 1 ? bits : below(m, bits + 1);
    shape.size[d] = 1 << own;
    bits -= own;
  }
  return shape;
}

/* --- Nodes ------------------------------------------------------------------------------------ */

static inline struct node *make_node(struct maker *m, enum node_op op, enum kind kind,
                                     struct shape shape) {
  struct node *n = tree_take(m->tree, sizeof *n);
  *n = (struct node){.op = op, .kind = kind, .shape = shape};
  m->budget--;
  return n;
}

static inline struct node *make_full(struct maker *m, enum kind kind, struct shape shape,
                                     int64_t number) {
  struct node *n = make_node(m, NODE_FULL, kind, shape);
  n->number = number;
  n->raw = true;
  return n;
}

static inline struct node *make_literal(struct maker *m, int64_t number, const struct node *like) {
  struct node *n = make_node(m, NODE_LITERAL, like->kind, (struct shape){0});
  n->number = number;
  return n;
}

static inline struct node *make_one(struct maker *m, enum node_op op, enum kind kind,
                                    struct shape shape, struct node *x, int64_t number) {
  struct node *n = make_node(m, op, kind, shape);
  n->in[0] = x;
  n->number = number;
  n->raw = op >= NODE_EXPAND && x->raw;
  return n;
}

static inline struct node *as_kind(struct maker *m, struct node *x, enum kind kind) {
  if (x->kind == kind)
    return x;
  if (kind == KE4B && kind_is_float(x->kind)) { /* which has a NaN's sign, and no NaN */
    struct node *clamped = make_one(m, NODE_CLAMP, KF32, x->shape, as_kind(m, x, KF32), 0);
    clamped->in[1] = make_full(m, KF32, (struct shape){0}, -3);
    clamped->in[2] = make_full(m, KF32, (struct shape){0}, 3);
    x = clamped;
  }
  return make_one(m, NODE_CAST, kind, x->shape, x, 0);
}

static inline struct node *make_binary(struct maker *m, enum binary op, struct node *a,
                                       struct node *b) {
  enum kind kind = a->op == NODE_LITERAL   ? b->kind
                   : b->op == NODE_LITERAL ? a->kind
                                           : promote(a->kind, b->kind);
  struct shape shape = a->shape.rank ? a->shape : b->shape;
  struct node *n = make_node(m, NODE_BINARY, op >= LT ? KI1 : kind, shape);
  n->number = op;
  n->in[0] = a;
  n->in[1] = b;
  return n;
}

static inline struct node *draw(struct maker *m, struct shape shape, int depth);

static inline struct node *draw_kind(struct maker *m, enum kind kind, struct shape shape,
                                     int depth) {
  return as_kind(m, draw(m, shape, depth), kind);
}

/* The same, of any numbers, also inside of what is exact. */
static inline struct node *draw_other(struct maker *m, enum kind kind, struct shape shape,
                                      int depth) {
  double limit = m->exact_limit;
  m->exact_limit = 0;
  struct node *n = draw_kind(m, kind, shape, depth);
  m->exact_limit = limit;
  return n;
}

/* --- Leaves ----------------------------------------------------------------------------------- */

static inline int64_t any_number(struct maker *m, enum kind kind) {
  static const int64_t numbers[] = {0,   1,   2,   3,   5,   7,    31,    64,
                                    100, 127, 128, 200, 255, 1000, 65535, 70000};
  int count = kind == KI1                             ? 2
              : kind_bits(kind) == 8                  ? 10
              : kind_bits(kind) == 16 || kind == KF16 ? 14
                                                      : 16;
  int64_t number = numbers[below(m, count)];
  return kinds[kind].is_unsigned || kind == KI1 || chance(m, 60) ? number : -number;
}

/* bound: of numbers that are integers up to it; 0: any; negative: zeros. */
static inline int add_buffer(struct maker *m, enum kind kind, size_t count, bool is_output,
                             double bound) {
  struct tree *tree = m->tree;
  struct tree_buffer *buffer = &tree->buffers[tree->buffer_count];
  size_t bytes = count * kind_bytes(kind);
  *buffer = (struct tree_buffer){.kind = kind, .count = count, .is_output = is_output};
  buffer->input = tree_take(tree, bytes);
  buffer->expected = tree_take(tree, bytes);
  buffer->actual = tree_take(tree, bytes);
  uint64_t specials[128];
  if (bound > 0)
    buffer->bound = bound;
  size_t special = zoo_specials(kinds[kind].type, specials);
  for (size_t i = 0; i < count; i++) {
    uint64_t bits =
        chance(m, 40) ? specials[(size_t)below(m, (int)special)] : zoo_random(&m->state);
    if (!kind_is_float(kind) && chance(m, 50))
      bits = (uint64_t)(int64_t)(below(m, 40) - 15);
    if (bound < 0)
      bits = 0;
    else if (bound > 0)
      bits = encode_kind(kind, below(m, 2 * (int)bound + 1) - (int)bound, false);
    else if (kind_is_float(kind) && chance(m, 50))
      bits = encode_kind(kind, (below(m, 4001) - 2000) / 8.0L, false);
    zoo_set_bits(buffer->input, kinds[kind].type, i, kind == KI1 ? bits & 1 : bits);
  }
  return tree->buffer_count++;
}

static inline bool has_buffers(const struct maker *m) {
  return m->tree->buffer_count <= MAX_TREE_BUFFERS - 10;
}

/* A buffer to read, and its number of elements, a power of two. */
static inline int input_buffer(struct maker *m, enum kind kind) {
  for (int i = 0; i < m->tree->buffer_count; i++)
    if (!m->tree->buffers[i].is_output && m->tree->buffers[i].kind == kind &&
        !m->tree->buffers[i].bound && chance(m, 60))
      return i;
  if (!has_buffers(m))
    return -1;
  return add_buffer(m, kind, (size_t)1 << (5 + below(m, 5)), false, 0);
}

static inline struct node *draw_leaf(struct maker *m, struct shape shape);

/* first + arange[:, None] * stride + ..., of dimensions in any order, some of them backwards. */
static inline struct node *draw_places(struct maker *m, struct shape shape) {
  struct node *n = make_node(m, NODE_PLACES, KI32, shape);
  int order[MAX_RANK], stride = chance(m, 80) ? 1 : 1 + below(m, 3);
  for (int d = 0; d < shape.rank; d++)
    order[d] = d;
  for (int d = shape.rank - 1; d > 0 && chance(m, 40); d--) {
    int other = below(m, d + 1), kept = order[d];
    order[d] = order[other];
    order[other] = kept;
  }
  n->raw = true;
  for (int i = shape.rank - 1; i >= 0; i--) {
    int d = order[i];
    bool backwards = chance(m, 15);
    n->strides[d] = backwards ? -stride : stride;
    n->number += backwards ? (int64_t)stride * (shape.size[d] - 1) : 0;
    stride *= shape.size[d];
  }
  return n;
}

/* Numbers of a tile's elements, int32; half of the time row-major. */
static inline struct node *linear_index(struct maker *m, struct shape shape) {
  if (chance(m, 50))
    return draw_places(m, shape);
  struct shape line = {1, {shape_count(shape)}};
  struct node *n = make_node(m, NODE_RANGE, KI32, line);
  n->number = 0;
  n->raw = true;
  return same_shape(line, shape) ? n : make_one(m, NODE_RESHAPE, KI32, shape, n, 0);
}

/* Offsets within `count`: cut to its bits, or any with a mask. */
static inline struct node *draw_offsets(struct maker *m, struct shape shape, int64_t count,
                                        int depth, struct node **mask) {
  static const enum kind wide[] = {KI32, KI32, KI32, KI32, KI32, KI64, KU32, KU64};
  bool plain = depth <= 0 || chance(m, 50);
  struct node *at = shape.rank && plain ? linear_index(m, shape)
                                        : draw_kind(m, wide[below(m, 8)], shape, depth - 1);
  if (plain && chance(m, 60)) {
    struct node *program = make_node(m, NODE_PROGRAM, KI32, (struct shape){0});
    struct node *start = make_binary(m, MUL, program, make_literal(m, 1 + below(m, 40), program));
    at = shape.rank ? make_binary(m, ADD, at, start) : at;
  }
  if (chance(m, 30)) {
    *mask = make_binary(m, AND, make_binary(m, GE, at, make_literal(m, 0, at)),
                        make_binary(m, LT, at, make_literal(m, count, at)));
    return at;
  }
  return make_binary(m, AND, at, make_literal(m, count - 1, at));
}

/* Whether a descriptor takes such a tile: 16 bytes in a row. */
static inline bool has_descriptor(enum kind kind, struct shape shape) {
  return kind != KI1 && shape.rank && shape.rank <= 3 &&
         (size_t)shape.size[shape.rank - 1] * kind_bytes(kind) >= 16 &&
         shape.size[shape.rank - 1] <= 256;
}

/* A tile of a tensor that may end inside of it, or before. */
static inline struct node *draw_block(struct maker *m, enum kind kind, struct shape shape,
                                      int buffer) {
  struct node *n = make_node(m, NODE_BLOCK, kind, shape);
  int left = (int)m->tree->buffers[buffer].count, line = 16 / (int)kind_bytes(kind);
  n->number = buffer;
  n->raw = true;
  n->divisor = chance(m, 30);
  n->axis =
      has_descriptor(kind, shape) && left > line && chance(m, 50) ? STYLE_DESCRIPTOR : STYLE_BLOCK;
  bool aligned = n->axis == STYLE_DESCRIPTOR;
  for (int d = shape.rank - 1, stride = 1; d >= 0; d--) {
    int most = left / stride < 1 ? 1 : left / stride, size = 1 + below(m, most);
    n->strides[d] = stride;
    n->sizes[d] = size;
    stride *= aligned && d == shape.rank - 1 ? (size + line - 1) / line * line : size;
    struct node *at = make_full(m, KI32, (struct shape){0}, below(m, size + 4) - 2);
    if (chance(m, 40))
      at = make_binary(m, ADD, make_node(m, NODE_PROGRAM, KI32, (struct shape){0}), at);
    if (m->run_loop >= 0 && chance(m, 50)) {
      struct node *index = make_node(m, NODE_VARIABLE, KI32, (struct shape){0});
      index->number = m->run_loop;
      at = make_binary(m, ADD, index, at);
    }
    n->in[d] = at;
  }
  return n;
}

static inline struct node *draw_load(struct maker *m, enum kind kind, struct shape shape,
                                     int depth) {
  int buffer = m->in_function ? -1 : input_buffer(m, kind);
  if (buffer < 0)
    return draw_leaf(m, shape);
  if (shape.rank && shape.rank <= 3 && chance(m, 20))
    return draw_block(m, kind, shape, buffer);
  struct node *mask = NULL;
  int64_t count = (int64_t)m->tree->buffers[buffer].count;
  struct node *at = draw_offsets(m, shape, count, depth, &mask);
  struct node *n = make_node(m, NODE_LOAD, kind, shape);
  n->number = buffer;
  n->in[0] = at;
  if (chance(m, 15) && depth > 0) {
    struct node *more = draw_kind(m, KI1, shape, depth - 1);
    mask = mask ? make_binary(m, AND, mask, more) : more;
  }
  n->in[1] = mask;
  n->in[2] = mask && chance(m, 60) ? make_full(m, kind, shape, any_number(m, kind)) : NULL;
  n->raw = true;
  return n;
}

static inline struct node *draw_variable(struct maker *m, struct shape shape) {
  int found = -1, seen = 0;
  for (int i = 0; i < m->tree->variable_count; i++)
    if (same_shape(m->tree->variables[i].shape, shape) && !m->tree->variables[i].bound &&
        below(m, ++seen) == 0)
      found = i;
  if (found < 0)
    return NULL;
  struct node *n = make_node(m, NODE_VARIABLE, m->tree->variables[found].kind, shape);
  n->number = found;
  return n;
}

static inline struct node *draw_leaf(struct maker *m, struct shape shape) {
  struct node *variable = chance(m, 60) ? draw_variable(m, shape) : NULL;
  if (variable)
    return variable;
  if (shape.rank == 1 && chance(m, 60)) {
    struct node *n = make_node(m, NODE_RANGE, KI32, shape);
    n->number = chance(m, 50) ? 0 : below(m, 50);
    n->raw = true;
    return n;
  }
  if (!shape.rank && chance(m, 50))
    return make_node(m, m->in_function || chance(m, 60) ? NODE_PROGRAM : NODE_ARGUMENT, KI32,
                     shape);
  enum kind kind = any_kind(m);
  return make_full(m, kind, shape, any_number(m, kind));
}

#endif
