/* Carries out a random kernel (random_tree.h), program by program on plain arrays of bits. */
#ifndef TILE_TEST_RANDOM_VALUES_H
#define TILE_TEST_RANDOM_VALUES_H

#include "random_tree.h"

struct machine {
  struct tree *tree;
  uint64_t *variables[MOST_VARIABLES];
  int program;
  size_t mark; /* where the arena was before this program */
};

static inline uint64_t *take_bits(struct machine *m, struct shape shape) {
  return tree_take(m->tree, (size_t)shape_count(shape) * sizeof(uint64_t));
}

static inline uint64_t kind_mask(enum kind k) {
  return UINT64_MAX >> (64 - kind_bits(k));
}

static inline int64_t signed_value(enum kind k, uint64_t bits) {
  int shift = 64 - kind_bits(k);
  return (int64_t)(bits << shift) >> shift;
}

static inline double float_value(enum kind k, uint64_t bits) {
  return zoo_decode(kinds[k].type, bits);
}

/* --- One element ------------------------------------------------------------------- */

static inline uint64_t convert(enum kind from, enum kind to, uint64_t bits, bool toward_zero) {
  enum zoo_type target = kinds[to].type;
  if (from == to)
    return bits;
  if (kind_is_float(from)) {
    long double x = float_value(from, bits);
    if (to == KI1)
      return x != 0; /* NaN is true */
    return kind_is_float(to) ? encode(target, x, toward_zero)
                             : to_integer(target, !kinds[to].is_unsigned, x);
  }
  if (to == KI1)
    return bits != 0;
  if (kind_is_float(to))
    return encode(target, from_integer(kinds[from].type, !kinds[from].is_unsigned, bits), false);
  return (kinds[from].is_unsigned ? bits : (uint64_t)signed_value(from, bits)) & kind_mask(to);
}

/* NaN loses, or wins; -0 is below +0. */
static inline double extremum(double a, double b, bool greatest, bool nan_wins) {
  if (isnan(a) || isnan(b))
    return nan_wins || (isnan(a) && isnan(b)) ? NAN : isnan(a) ? b : a;
  if (a == b)
    return signbit(a) == greatest ? b : a;
  return (a > b) == greatest ? a : b;
}

static inline uint64_t float_binary(enum binary op, enum kind k, uint64_t a, uint64_t b) {
  double x = float_value(k, a), y = float_value(k, b), z;
  switch (op) {
  case LT:
    return x < y;
  case LE:
    return x <= y;
  case GT:
    return x > y;
  case GE:
    return x >= y;
  case EQ:
    return x == y;
  case NE:
    return x != y;
  case MIN:
  case MAX:
  case MIN_NAN:
  case MAX_NAN:
    return encode(kinds[k].type, extremum(x, y, op == MAX || op == MAX_NAN, op >= MIN_NAN), false);
  default:
    z = op == ADD ? x + y : op == SUB ? x - y : x * y;
    if (k == KF32 || kind_is_fp8(k)) /* as f32 computes it */
      z = op == ADD ? (float)x + (float)y : op == SUB ? (float)x - (float)y : (float)x * (float)y;
    return encode(kinds[k].type, z, false);
  }
}

static inline uint64_t integer_binary(enum binary op, enum kind k, enum kind shifted, uint64_t a,
                                      uint64_t b) {
  int64_t s = signed_value(k, a), t = signed_value(k, b);
  bool is_unsigned = kinds[k].is_unsigned, less = is_unsigned ? a < b : s < t;
  switch (op) {
  case ADD:
    return a + b;
  case SUB:
    return a - b;
  case MUL:
    return a * b;
  case DIV: /* the divisor is positive */
    return is_unsigned ? a / b : (uint64_t)(s / t);
  case REM:
    return is_unsigned ? a % b : (uint64_t)(s % t);
  case AND:
    return a & b;
  case OR:
    return a | b;
  case XOR:
    return a ^ b;
  case SHL:
    return a << b;
  case SHR:
    return kinds[shifted].is_unsigned ? a >> b : (uint64_t)(s >> b);
  case MIN:
  case MIN_NAN:
    return less ? a : b;
  case MAX:
  case MAX_NAN:
    return less ? b : a;
  case LT:
    return less;
  case LE:
    return less || a == b;
  case GT:
    return !less && a != b;
  case GE:
    return !less;
  case EQ:
    return a == b;
  default:
    return a != b;
  }
}

static inline uint64_t unary_value(enum unary op, enum kind k, uint64_t a) {
  if (!kind_is_float(k)) {
    uint64_t result = op == NEGATE                                      ? 0 - a
                      : op == INVERT                                    ? ~a
                      : !kinds[k].is_unsigned && signed_value(k, a) < 0 ? 0 - a
                                                                        : a;
    return result & kind_mask(k);
  }
  double x = float_value(k, a);
  if (op == ABSOLUTE && isinf(x)) /* of bits: an infinite fp8e5 is not rounded again */
    return a & (kind_mask(k) >> 1);
  x = op == NEGATE ? -x : op == ABSOLUTE ? fabs(x) : op == FLOOR ? floor(x) : ceil(x);
  return encode(kinds[k].type, x, false);
}

/* --- Tiles ------------------------------------------------------------------------- */

static inline uint64_t *value_of(struct machine *m, const struct node *n);

static inline void split_index(struct shape s, int at, int *index) {
  for (int d = s.rank - 1; d >= 0; d--) {
    index[d] = at % s.size[d];
    at /= s.size[d];
  }
}

static inline int join_index(struct shape s, const int *index) {
  int at = 0;
  for (int d = 0; d < s.rank; d++)
    at = at * s.size[d] + index[d];
  return at;
}

/* Operands have the shape of the result, or are scalars. */
static inline uint64_t element(const struct node *n, const uint64_t *bits, int at) {
  return bits[n->shape.rank ? at : 0];
}

static inline enum kind common_kind(const struct node *n) {
  const struct node *a = n->in[0], *b = n->in[1];
  if (n->op == NODE_WHERE)
    a = n->in[1], b = n->in[2];
  return a->op == NODE_LITERAL   ? b->kind
         : b->op == NODE_LITERAL ? a->kind
                                 : promote(a->kind, b->kind);
}

/* An operand in the operation's type; a literal is one. */
static inline uint64_t operand(const struct node *n, const uint64_t *bits, int at, enum kind k) {
  if (n->op == NODE_LITERAL)
    return kind_is_float(k) ? encode(kinds[k].type, number_value(n), false)
                            : (uint64_t)n->number & kind_mask(k);
  return convert(n->kind, k, element(n, bits, at), false);
}

static inline void binary_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0], *y = n->in[1];
  enum kind k = common_kind(n), shifted = x->op == NODE_LITERAL ? y->kind : x->kind;
  uint64_t *a = value_of(m, x), *b = value_of(m, y);
  enum binary op = (enum binary)n->number;
  for (int i = 0; i < shape_count(n->shape); i++) {
    uint64_t p = operand(x, a, i, k), q = operand(y, b, i, k);
    bool is_float = kind_is_float(k), shifts = op == SHL || op == SHR;
    if (!is_float &&
        ((shifts && q >= (uint64_t)kind_bits(k)) || ((op == DIV || op == REM) && !q))) {
      m->tree->is_wrong = true;
      return;
    }
    out[i] = is_float ? float_binary(op, k, p, q)
                      : integer_binary(op, k, shifted, p, q) & kind_mask(n->kind);
  }
}

static inline void load_values(struct machine *m, const struct node *n, uint64_t *out) {
  uint64_t *at = value_of(m, n->in[0]);
  uint64_t *mask = n->in[1] ? value_of(m, n->in[1]) : NULL;
  uint64_t *other = n->in[2] ? value_of(m, n->in[2]) : NULL;
  const struct tree_buffer *buffer = &m->tree->buffers[n->number];
  for (int i = 0; i < shape_count(n->shape); i++) {
    if (mask && !element(n->in[1], mask, i)) {
      out[i] = other ? convert(n->in[2]->kind, n->kind, element(n->in[2], other, i), false) : 0;
      continue;
    }
    int64_t index = signed_value(n->in[0]->kind, element(n->in[0], at, i));
    if (index < 0 || (size_t)index >= buffer->count) {
      m->tree->is_wrong = true;
      return;
    }
    out[i] = zoo_bits(buffer->input, kinds[n->kind].type, (size_t)index);
    if (n->kind == KI1)
      out[i] = out[i] != 0;
  }
}

static inline void moved_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0];
  uint64_t *a = value_of(m, x);
  int index[MOST_RANK], from[MOST_RANK];
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

/* The type in which a reduction goes on. */
static inline enum kind reduced_kind(enum reduce op, enum kind k) {
  if (op == ARGMAX || op == ARGMIN)
    return KI32;
  if (op == XOR_SUM || kind_bits(k) >= 32)
    return k;
  if (kind_is_float(k))
    return op == SUM ? k : KF32;
  return op == SUM && kinds[k].is_unsigned ? KU32 : KI32;
}

static inline uint64_t fold_values(enum reduce op, enum kind k, uint64_t a, uint64_t b) {
  static const enum binary operators[] = {ADD, MAX, MIN, XOR};
  return kind_is_float(k) ? float_binary(operators[op], k, a, b)
                          : integer_binary(operators[op], k, k, a, b) & kind_mask(k);
}

/* Is b strictly better? */
static inline bool is_better(enum reduce op, enum kind k, uint64_t a, uint64_t b) {
  enum binary test = op == ARGMAX ? GT : LT;
  return kind_is_float(k) ? float_binary(test, k, b, a) : integer_binary(test, k, k, b, a);
}

static inline void reduced_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0];
  uint64_t *a = value_of(m, x);
  enum reduce op = (enum reduce)n->number;
  int inner = 1, size = x->shape.size[n->axis];
  for (int d = n->axis + 1; d < x->shape.rank; d++)
    inner *= x->shape.size[d];
  for (int i = 0; i < shape_count(n->shape); i++) {
    const uint64_t *row = a + i / inner * inner * size + i % inner;
    uint64_t best = row[0];
    out[i] = op >= ARGMAX ? 0 : convert(x->kind, n->kind, row[0], false);
    for (int j = 1; j < size; j++) {
      if (op < ARGMAX)
        out[i] = fold_values(op, n->kind, out[i], convert(x->kind, n->kind, row[j * inner], false));
      else if (is_better(op, x->kind, best, row[j * inner]))
        best = row[j * inner], out[i] = (uint64_t)j;
    }
  }
}

static inline void scanned_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0];
  uint64_t *a = value_of(m, x);
  bool backwards = n->axis < 0;
  int axis = backwards ? -1 - n->axis : n->axis, inner = 1, size = x->shape.size[axis];
  for (int d = axis + 1; d < x->shape.rank; d++)
    inner *= x->shape.size[d];
  for (int i = 0; i < shape_count(n->shape); i++) {
    if (i / inner % size)
      continue;
    uint64_t sum = n->number == CUMSUM ? 0 : 1;
    for (int j = 0; j < size; j++) {
      int at = i + (backwards ? size - 1 - j : j) * inner;
      uint64_t next = convert(x->kind, n->kind, a[at], false);
      sum = (n->number == CUMSUM ? sum + next : sum * next) & kind_mask(n->kind);
      out[at] = sum;
    }
  }
}

static inline void sorted_values(struct machine *m, const struct node *n, uint64_t *out) {
  uint64_t *a = value_of(m, n->in[0]);
  int size = n->shape.size[n->shape.rank - 1];
  for (int i = 0; i < shape_count(n->shape); i++) {
    int at = i;
    for (; at % size && integer_binary(n->number ? GT : LT, n->kind, n->kind, a[i], out[at - 1]);
         at--)
      out[at] = out[at - 1];
    out[at] = a[i];
  }
}

static inline void elementwise_values(struct machine *m, const struct node *n, uint64_t *out) {
  uint64_t *a = n->in[0] ? value_of(m, n->in[0]) : NULL;
  uint64_t *b = n->op == NODE_WHERE ? value_of(m, n->in[1]) : NULL;
  uint64_t *c = n->op == NODE_WHERE ? value_of(m, n->in[2]) : NULL;
  for (int i = 0; i < shape_count(n->shape); i++) {
    uint64_t x = a ? element(n->in[0], a, i) : 0;
    if (n->op == NODE_WHERE)
      out[i] = operand(n->in[x ? 1 : 2], x ? b : c, i, n->kind);
    else if (n->op == NODE_UNARY)
      out[i] = unary_value((enum unary)n->number, n->kind, x);
    else if (n->op == NODE_BITCAST)
      out[i] = x;
    else if (n->op == NODE_FULL)
      out[i] = operand(&(struct node){.op = NODE_LITERAL, .number = n->number}, NULL, 0, n->kind);
    else
      out[i] = convert(n->in[0]->kind, n->kind, x, n->op == NODE_TRUNCATE);
  }
}

static inline uint64_t *value_of(struct machine *m, const struct node *n) {
  uint64_t *out = take_bits(m, n->shape);
  switch (n->op) {
  case NODE_VARIABLE:
    if (m->variables[n->number])
      return m->variables[n->number];
    m->tree->is_wrong = true; /* not assigned */
    break;
  case NODE_LITERAL:
    break;
  case NODE_NUMBER:
    out[0] = kind_is_float(n->kind) ? encode(F32, number_value(n), false) : (uint32_t)n->number;
    break;
  case NODE_ARGUMENT:
    out[0] = (uint64_t)m->tree->n;
    break;
  case NODE_RANGE:
    for (int i = 0; i < n->shape.size[0]; i++)
      out[i] = (uint32_t)((int)n->number + i);
    break;
  case NODE_PROGRAM:
    out[0] = (uint64_t)m->program;
    break;
  case NODE_LOAD:
    load_values(m, n, out);
    break;
  case NODE_BINARY:
    binary_values(m, n, out);
    break;
  case NODE_EXPAND:
  case NODE_BROADCAST:
  case NODE_RESHAPE:
  case NODE_PERMUTE:
    moved_values(m, n, out);
    break;
  case NODE_REDUCE:
    reduced_values(m, n, out);
    break;
  case NODE_SCAN:
    scanned_values(m, n, out);
    break;
  case NODE_SORT:
    sorted_values(m, n, out);
    break;
  case NODE_WHERE:
  case NODE_UNARY:
  case NODE_CAST:
  case NODE_TRUNCATE:
  case NODE_BITCAST:
  case NODE_FULL:
    elementwise_values(m, n, out);
    break;
  }
  return out;
}

/* --- Statements -------------------------------------------------------------------- */

static inline void run_block(struct machine *m, const struct block *block);

static inline void run_store(struct machine *m, const struct statement *s) {
  struct tree_buffer *buffer = &m->tree->buffers[s->variable];
  int count = shape_count(s->value->shape);
  uint64_t *bits = value_of(m, s->value), *mask = s->mask ? value_of(m, s->mask) : NULL;
  for (int i = 0; i < count; i++)
    if (!mask || element(s->mask, mask, i))
      zoo_set_bits(buffer->expected, kinds[buffer->kind].type, (size_t)(m->program * count + i),
                   convert(s->value->kind, buffer->kind, bits[i], false));
}

static inline void run_loop(struct machine *m, const struct statement *s) {
  int trips = s->trips < 0 ? m->tree->n : s->trips;
  for (int i = 0; i < trips; i++) {
    uint64_t *index = take_bits(m, (struct shape){0});
    index[0] = (uint32_t)(s->first + i * s->step);
    m->variables[s->variable] = index;
    run_block(m, &s->body[0]);
  }
}

static inline void run_block(struct machine *m, const struct block *block) {
  for (int i = 0; i < block->count; i++) {
    const struct statement *s = block->items[i];
    if (s->op == ASSIGN)
      m->variables[s->variable] = value_of(m, s->value);
    else if (s->op == STORE)
      run_store(m, s);
    else if (s->op == FOR)
      run_loop(m, s);
    else
      run_block(m, &s->body[value_of(m, s->value)[0] == 0]);
  }
}

/* Fills the outputs' `expected`; sets is_wrong where the kernel does what it must not: a load out
   of bounds, a division by zero, a shift by too much. */
static inline void tree_run(struct tree *tree) {
  tree->is_wrong = false;
  for (int i = 0; i < tree->buffer_count; i++) {
    struct tree_buffer *b = &tree->buffers[i];
    memset(b->expected, 0xCB, b->count * kind_bytes(b->kind));
  }
  for (int p = 0; p < tree->programs; p++) {
    struct machine m = {.tree = tree, .program = p, .mark = tree->used};
    run_block(&m, &tree->body);
    tree->used = m.mark;
  }
}

#endif
