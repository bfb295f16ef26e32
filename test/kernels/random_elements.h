/* SPDX-License-Identifier: MIT */
/* Carries out a random kernel (random_tree.h) on plain arrays of bits: one element at a time. */
#ifndef TILE_TEST_RANDOM_ELEMENTS_H
#define TILE_TEST_RANDOM_ELEMENTS_H

#include "random_tree.h"

struct machine {
  struct tree *tree;
  uint64_t *variables[MAX_VARIABLES];
  int program;
  size_t mark;          /* where the arena was before this program */
  uint64_t *results[2]; /* of the function that has just returned */
  bool has_returned;
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

/* --- One element ------------------------------------------------------------------------------ */

static inline uint64_t convert(enum kind from, enum kind to, uint64_t bits, bool toward_zero) {
  enum zoo_type target = kinds[to].type; /* of integers */
  if (from == to)
    return bits;
  if (kind_is_float(from)) {
    long double x = float_value(from, bits);
    if (to == KI1)
      return x != 0; /* NaN is true */
    return kind_is_float(to) ? encode_kind(to, x, toward_zero)
                             : to_integer(target, !kinds[to].is_unsigned, x);
  }
  if (to == KI1)
    return bits != 0;
  if (kind_is_float(to))
    return encode_kind(to, from_integer(kinds[from].type, !kinds[from].is_unsigned, bits), false);
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

/* a * b + c, rounded once by `encode`: exact, or odd in the last bit where bits are lost. */
static inline double fused_odd(double a, double b, double c) {
  double product = a * b, sum = product + c, back = sum - product;
  double lost = (product - (sum - back)) + (c - back);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (lost != 0 && !(bits & 1))
    sum = nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
  return sum;
}

static inline uint64_t fused_value(enum kind k, uint64_t a, uint64_t b, uint64_t c) {
  double x = float_value(k, a), y = float_value(k, b), z = float_value(k, c);
  if (k == KF64)
    return encode(F64, fma(x, y, z), false);
  return encode_kind(k, isfinite(x * y + z) ? fused_odd(x, y, z) : x * y + z, false);
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
    return encode_kind(k, extremum(x, y, op == MAX || op == MAX_NAN, op >= MIN_NAN), false);
  case DIV_RN:
    return encode_kind(k, k == KF64 ? x / y : (double)((float)x / (float)y), false);
  default:
    z = op == ADD ? x + y : op == SUB ? x - y : x * y;
    if (k == KF32 || kind_is_fp8(k)) /* as f32 computes it */
      z = op == ADD ? (float)x + (float)y : op == SUB ? (float)x - (float)y : (float)x * (float)y;
    return encode_kind(k, z, false);
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
  case DIV: /* the least number by -1 is itself */
    return is_unsigned ? a / b : t == -1 ? 0 - a : (uint64_t)(s / t);
  case REM:
    return is_unsigned ? a % b : t == -1 ? 0 : (uint64_t)(s % t);
  case HIGH:
    return (uint64_t)((unsigned __int128)a * b >> kind_bits(k));
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
  x = op == NEGATE     ? -x
      : op == ABSOLUTE ? fabs(x)
      : op == FLOOR    ? floor(x)
      : op == CEIL     ? ceil(x)
      : k == KF64      ? sqrt(x)
                       : (double)sqrtf((float)x);
  return encode_kind(k, x, false);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

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

/* The number of a literal, which for a static loop's variable is that of the iteration. */
static inline struct node number_of(const struct machine *m, const struct node *n) {
  struct node number = *n;
  if (n->op == NODE_LITERAL && n->axis)
    number.number = m->tree->variables[n->axis - 1].constant;
  return number;
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
static inline uint64_t operand(const struct machine *m, const struct node *n, const uint64_t *bits,
                               int at, enum kind k) {
  if (n->op == NODE_LITERAL) {
    struct node number = number_of(m, n);
    return kind_is_float(k) ? encode_kind(k, number_value(&number), false)
                            : (uint64_t)number.number & kind_mask(k);
  }
  return convert(n->kind, k, element(n, bits, at), false);
}

#endif
