/* Draws random kernels (random_tree.h). A profile says how often what is drawn; each kernel follows
   from its seed.

   Divisors are positive, shifts shorter than the type, offsets inside their buffer or masked off. A
   float's bits are only looked at where they come from memory or from integers: a computed NaN has
   any. */
#ifndef TILE_TEST_RANDOM_MAKE_H
#define TILE_TEST_RANDOM_MAKE_H

#include "random_tree.h"

/* Weights. kinds: how many of the types, from int1 on: KE4 for integers alone. */
struct profile {
  int statements, depth, kinds, control;
  int arithmetic, casts, shapes, loads, reductions;
};

struct maker {
  struct tree *tree;
  const struct profile *profile;
  uint64_t state;
  int budget; /* nodes that may still be drawn */
  int loops;  /* around what is being drawn */
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
  struct shape shape = {.rank = 1 + below(m, chance(m, 70) ? 2 : 3)};
  int bits = 2 + below(m, 7);
  for (int d = 0; d < shape.rank; d++) {
    int own = d == shape.rank - 1 ? bits : below(m, bits + 1);
    shape.size[d] = 1 << own;
    bits -= own;
  }
  return shape;
}

/* --- Nodes ------------------------------------------------------------------------- */

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

/* --- Leaves ------------------------------------------------------------------------ */

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

static inline int add_buffer(struct maker *m, enum kind kind, size_t count, bool is_output) {
  struct tree *tree = m->tree;
  struct tree_buffer *buffer = &tree->buffers[tree->buffer_count];
  size_t bytes = count * kind_bytes(kind);
  *buffer = (struct tree_buffer){.kind = kind, .count = count, .is_output = is_output};
  buffer->input = tree_take(tree, bytes);
  buffer->expected = tree_take(tree, bytes);
  buffer->actual = tree_take(tree, bytes);
  uint64_t specials[128];
  size_t special = zoo_specials(kinds[kind].type, specials);
  for (size_t i = 0; i < count; i++) {
    uint64_t bits =
        chance(m, 40) ? specials[(size_t)below(m, (int)special)] : zoo_random(&m->state);
    if (!kind_is_float(kind) && chance(m, 50))
      bits = (uint64_t)(int64_t)(below(m, 40) - 15);
    if (kind_is_float(kind) && chance(m, 50))
      bits = encode(kinds[kind].type, (below(m, 4001) - 2000) / 8.0L, false);
    zoo_set_bits(buffer->input, kinds[kind].type, i, kind == KI1 ? bits & 1 : bits);
  }
  return tree->buffer_count++;
}

/* A buffer to read, and its number of elements, a power of two. */
static inline int input_buffer(struct maker *m, enum kind kind) {
  for (int i = 0; i < m->tree->buffer_count; i++)
    if (!m->tree->buffers[i].is_output && m->tree->buffers[i].kind == kind && chance(m, 60))
      return i;
  if (m->tree->buffer_count > MOST_TREE_BUFFERS - 10)
    return -1;
  return add_buffer(m, kind, (size_t)1 << (5 + below(m, 5)), false);
}

static inline struct node *draw_leaf(struct maker *m, struct shape shape);

/* Row-major numbers of a tile's elements, int32. */
static inline struct node *linear_index(struct maker *m, struct shape shape) {
  struct shape line = {1, {shape_count(shape)}};
  struct node *n = make_node(m, NODE_RANGE, KI32, line);
  n->number = 0;
  n->raw = true;
  return same_shape(line, shape) ? n : make_one(m, NODE_RESHAPE, KI32, shape, n, 0);
}

/* Offsets within `count`: cut to its bits, or any with a mask. */
static inline struct node *draw_offsets(struct maker *m, struct shape shape, int64_t count,
                                        int depth, struct node **mask) {
  bool plain = depth <= 0 || chance(m, 50);
  struct node *at = shape.rank && plain
                        ? linear_index(m, shape)
                        : draw_kind(m, chance(m, 75) ? KI32 : KI64, shape, depth - 1);
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

static inline struct node *draw_load(struct maker *m, enum kind kind, struct shape shape,
                                     int depth) {
  int buffer = input_buffer(m, kind);
  if (buffer < 0)
    return draw_leaf(m, shape);
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
    if (same_shape(m->tree->variables[i].shape, shape) && below(m, ++seen) == 0)
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
    return make_node(m, chance(m, 60) ? NODE_PROGRAM : NODE_ARGUMENT, KI32, shape);
  enum kind kind = any_kind(m);
  return make_full(m, kind, shape, any_number(m, kind));
}

/* --- Operations -------------------------------------------------------------------- */

static inline struct node *draw_division(struct maker *m, struct node *x, int depth) {
  enum binary op = chance(m, 50) ? DIV : REM;
  if (kind_is_float(x->kind) || x->kind == KI1)
    x = as_kind(m, x, any_integer(m));
  if (chance(m, 50))
    return make_binary(m, op, x, make_literal(m, 1 + below(m, 100), x));
  struct node *y = draw_kind(m, x->kind, x->shape, depth - 1);
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
  return promote(x->kind, y->kind) == KINDS ? as_kind(m, y, x->kind) : y;
}

static inline struct node *draw_arithmetic(struct maker *m, struct shape shape, int depth) {
  struct node *x = draw(m, shape, depth - 1);
  int dice = below(m, 100);
  if (dice < 10)
    return draw_division(m, x, depth);
  if (dice < 20)
    return draw_shift(m, x, depth);
  if (dice < 30) {
    enum unary op =
        (enum unary)below(m, kind_is_float(x->kind) && !kind_is_fp8(x->kind) ? UNARIES : 3);
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
  struct node *y = draw_beside(m, x, depth);
  if (dice < 55)
    return make_binary(m, (enum binary)(LT + below(m, 6)), x, y);
  if (dice < 65)
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
  bool narrows = kind_is_float(x->kind) && kind_is_float(to) && kind_bits(to) < kind_bits(x->kind);
  if (narrows && chance(m, 30))
    return make_one(m, NODE_TRUNCATE, to, shape, x, 0);
  return x->kind == to ? x : make_one(m, NODE_CAST, to, shape, x, 0);
}

/* The order that brings dimension `order[d]` of the operand to d. */
static inline struct node *draw_permutation(struct maker *m, struct shape shape, int depth) {
  int order[MOST_RANK] = {0, 1, 2};
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

static inline struct node *draw_shaped(struct maker *m, struct shape shape, int depth) {
  int dice = below(m, 100);
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

/* Sums and scans of integers, extrema of all, so that any order gives the same. */
static inline enum kind reduction_kind(enum reduce op, enum kind k) {
  if (op == ARGMAX || op == ARGMIN)
    return KI32;
  if (op == XOR_SUM || kind_bits(k) >= 32)
    return k;
  if (kind_is_float(k))
    return KF32;
  return op == SUM && kinds[k].is_unsigned ? KU32 : KI32;
}

static inline struct node *draw_reduction(struct maker *m, struct shape shape, int depth) {
  struct shape from = shape;
  int axis = below(m, shape.rank + 1), size = 1 << below(m, 6);
  if (shape.rank == MOST_RANK || shape_count(shape) * size > 1024)
    return draw_leaf(m, shape);
  from.rank++;
  for (int d = from.rank - 1; d > axis; d--)
    from.size[d] = from.size[d - 1];
  from.size[axis] = size;
  enum reduce op = (enum reduce)below(m, REDUCES);
  struct node *x = draw(m, from, depth - 1);
  if ((op == SUM || op == XOR_SUM) && kind_is_float(x->kind))
    op = MAXIMUM;
  if (op >= ARGMAX &&
      (kind_is_float(x->kind) || x->kind == KI1)) /* NaNs have no place in an order */
    x = as_kind(m, x, any_integer(m));
  if (x->kind == KI1 && op != SUM)
    x = as_kind(m, x, any_integer(m));
  struct node *n = make_one(m, NODE_REDUCE, reduction_kind(op, x->kind), shape, x, op);
  n->axis = axis;
  n->raw = false;
  return n;
}

static inline struct node *draw_scan(struct maker *m, struct shape shape, int depth) {
  struct node *x = draw(m, shape, depth - 1);
  if (kind_is_float(x->kind) || x->kind == KI1)
    x = as_kind(m, x, any_integer(m));
  if (chance(m, 30))
    return make_one(m, NODE_SORT, x->kind, shape, x, below(m, 2));
  enum scan op = chance(m, 70) ? CUMSUM : CUMPROD;
  struct node *n = make_one(m, NODE_SCAN, reduction_kind(SUM, x->kind), shape, x, op);
  n->axis = below(m, shape.rank);
  if (chance(m, 30))
    n->axis = -1 - n->axis;
  return n;
}

static inline struct node *draw(struct maker *m, struct shape shape, int depth) {
  const struct profile *p = m->profile;
  int all = p->arithmetic + p->casts + p->shapes + p->loads + p->reductions;
  int dice = below(m, all);
  if (depth <= 0 || m->budget <= 0)
    return chance(m, 50) && m->budget > -60 ? draw_load(m, any_kind(m), shape, 0)
                                            : draw_leaf(m, shape);
  if ((dice -= p->arithmetic) < 0)
    return draw_arithmetic(m, shape, depth);
  if ((dice -= p->casts) < 0)
    return draw_cast(m, shape, depth);
  if ((dice -= p->loads) < 0)
    return draw_load(m, any_kind(m), shape, depth);
  if ((dice -= p->reductions) < 0)
    return !shape.rank || chance(m, 50) ? draw_reduction(m, shape, depth)
                                        : draw_scan(m, shape, depth);
  return shape.rank ? draw_shaped(m, shape, depth) : draw_leaf(m, shape);
}

/* --- Statements -------------------------------------------------------------------- */

static inline struct statement *add_statement(struct maker *m, struct block *block,
                                              enum statement_op op) {
  struct statement *s = tree_take(m->tree, sizeof *s);
  s->op = op;
  block->items[block->count++] = s;
  return s;
}

static inline int add_variable(struct maker *m, enum kind kind, struct shape shape) {
  int v = m->tree->variable_count++;
  m->tree->variables[v].kind = kind;
  m->tree->variables[v].shape = shape;
  return v;
}

static inline void hide(struct maker *m, int variable) {
  m->tree->variables[variable].shape.rank = -1;
}

/* v = 5: a tensor of run time that is known at compile time. */
static inline void draw_number(struct maker *m, struct block *block) {
  enum kind kind = chance(m, 60) || m->profile->kinds <= KE4 ? KI32 : KF32;
  struct node *value = make_node(m, NODE_NUMBER, kind, (struct shape){0});
  value->number = any_number(m, KI32);
  if (kind == KF32)
    make_fraction(m, value);
  struct statement *s = add_statement(m, block, ASSIGN);
  s->value = value;
  s->variable = add_variable(m, kind, value->shape);
}

static inline void draw_assignment(struct maker *m, struct block *block) {
  struct shape shape = chance(m, 15) ? (struct shape){0} : any_shape(m);
  for (int i = 0; i < m->tree->variable_count && chance(m, 50); i++) {
    struct shape known = m->tree->variables[below(m, m->tree->variable_count)].shape;
    shape = known.rank < 0 ? shape : known;
  }
  struct node *value = draw(m, shape, m->profile->depth);
  struct statement *s = add_statement(m, block, ASSIGN);
  s->value = value;
  s->variable = add_variable(m, value->kind, shape);
}

static inline bool may_change(const struct maker *m, int v) {
  return m->tree->variables[v].shape.rank >= 0 && !m->tree->variables[v].is_index;
}

/* A new value of an earlier variable: what control flow carries. */
static inline void draw_change(struct maker *m, struct block *block, int visible) {
  int v = below(m, visible);
  for (int i = 0; i < visible && !may_change(m, v); i++)
    v = (v + 1) % visible;
  if (!may_change(m, v))
    return;
  enum kind kind = m->tree->variables[v].kind;
  struct shape shape = m->tree->variables[v].shape;
  struct node *value = draw_kind(m, kind, shape, m->profile->depth - 1);
  if (chance(m, 60)) { /* of what it was */
    struct node *old = make_node(m, NODE_VARIABLE, kind, shape);
    old->number = v;
    enum binary op = chance(m, 50) ? ADD : chance(m, 50) ? MAX : SUB;
    value = as_kind(m, make_binary(m, op, old, value), kind);
  }
  struct statement *s = add_statement(m, block, ASSIGN);
  s->value = value;
  s->variable = v;
}

static inline void draw_store(struct maker *m, struct block *block, struct node *value) {
  enum kind kind = chance(m, 80) ? value->kind : any_kind(m);
  size_t count = (size_t)(shape_count(value->shape) * m->tree->programs);
  struct node *mask = chance(m, 30) ? draw_kind(m, KI1, value->shape, m->profile->depth / 2) : NULL;
  struct statement *s = add_statement(m, block, STORE);
  s->value = value;
  s->mask = mask;
  s->variable = add_buffer(m, kind, count, true);
}

static inline void draw_control(struct maker *m, struct block *block) {
  int visible = m->tree->variable_count;
  if (!visible || m->loops == 2)
    return;
  bool loop = chance(m, 55);
  struct node *condition =
      loop ? NULL : draw_kind(m, KI1, (struct shape){0}, m->profile->depth - 1);
  struct statement *s = add_statement(m, block, loop ? FOR : IF);
  s->value = condition;
  s->first = below(m, 4);
  s->step = 1 + below(m, 3);
  s->trips = chance(m, 50) ? -1 : below(m, 4);
  s->is_static = s->trips >= 0 && chance(m, 30);
  if (loop) {
    s->variable = add_variable(m, KI32, (struct shape){0});
    m->tree->variables[s->variable].is_index = true;
    if (s->is_static) /* a number of the source: no int32 */
      hide(m, s->variable);
  }
  m->loops++;
  for (int side = 0; side < (loop ? 1 : 2); side++) {
    int more = 1 + below(m, 3);
    int known = m->tree->variable_count;
    for (int i = 0; i < more; i++) {
      if (chance(m, 20) && m->tree->variable_count < MOST_VARIABLES - 6)
        draw_assignment(m, &s->body[side]);
      else if (chance(m, 15))
        draw_control(m, &s->body[side]);
      draw_change(m, &s->body[side], visible);
    }
    for (int v = known; v < m->tree->variable_count; v++)
      hide(m, v); /* what is assigned there is not known behind it */
    if (side == 0 && chance(m, 30) && !loop)
      break;
  }
  m->loops--;
  if (loop) /* nor is the loop's own variable */
    hide(m, s->variable);
  if (s->body[0].count == 0) { /* Python wants a statement */
    block->count--;
  }
}

static inline void tree_make(struct tree *tree, const struct profile *profile, uint64_t seed) {
  struct maker m = {.tree = tree, .profile = profile, .state = seed * 0x9E3779B97F4A7C15u + 1};
  for (int i = 0; i < 4; i++)
    zoo_random(&m.state);
  tree->programs = 1 + below(&m, 3);
  tree->num_warps = 1 << below(&m, 4);
  tree->n = below(&m, 4);
  int count = 1 + below(&m, profile->statements);
  for (int i = 0; i < count; i++) {
    m.budget = 40;
    if (chance(&m, 25))
      draw_number(&m, &tree->body);
    draw_assignment(&m, &tree->body);
    if (below(&m, 100) < profile->control)
      draw_control(&m, &tree->body);
  }
  int stored = 0;
  for (int v = tree->variable_count - 1; v >= 0 && stored < 3; v--) {
    if (tree->variables[v].shape.rank < 0)
      continue;
    struct node *value =
        make_node(&m, NODE_VARIABLE, tree->variables[v].kind, tree->variables[v].shape);
    value->number = v;
    m.budget = 10;
    draw_store(&m, &tree->body, value);
    stored++;
  }
}

#endif
