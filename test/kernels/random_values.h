/* SPDX-License-Identifier: MIT */
/* Carries out a random kernel (random_tree.h), program by program on plain arrays of bits. */
#ifndef TILE_TEST_RANDOM_VALUES_H
#define TILE_TEST_RANDOM_VALUES_H

#include "random_moves.h"

/* --- Elementwise, loads ----------------------------------------------------------------------- */

static inline void binary_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct node *x = n->in[0], *y = n->in[1];
  enum kind k = common_kind(n), shifted = x->op == NODE_LITERAL ? y->kind : x->kind;
  uint64_t *a = value_of(m, x), *b = value_of(m, y);
  enum binary op = (enum binary)n->number;
  for (int i = 0; i < shape_count(n->shape); i++) {
    uint64_t p = operand(m, x, a, i, k), q = operand(m, y, b, i, k);
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

/* What lies outside of the tensor reads as zero. */
static inline void block_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct tree_buffer *buffer = &m->tree->buffers[n->number];
  int64_t starts[MAX_RANK];
  int index[MAX_RANK];
  for (int d = 0; d < n->shape.rank; d++)
    starts[d] = signed_value(n->in[d]->kind, value_of(m, n->in[d])[0]);
  for (int i = 0; i < shape_count(n->shape); i++) {
    int64_t at = 0;
    bool inside = true;
    split_index(n->shape, i, index);
    for (int d = 0; d < n->shape.rank; d++) {
      int64_t place = starts[d] + index[d];
      inside &= place >= 0 && place < n->sizes[d];
      at += place * n->strides[d];
    }
    if (inside && (at < 0 || (size_t)at >= buffer->count))
      m->tree->is_wrong = true;
    else if (inside)
      out[i] = zoo_bits(buffer->input, kinds[n->kind].type, (size_t)at);
  }
}

static inline void place_values(const struct node *n, uint64_t *out) {
  int index[MAX_RANK];
  for (int i = 0; i < shape_count(n->shape); i++) {
    int64_t sum = n->number;
    split_index(n->shape, i, index);
    for (int d = 0; d < n->shape.rank; d++)
      sum += (int64_t)index[d] * n->strides[d];
    out[i] = (uint32_t)sum;
  }
}

static inline void elementwise_values(struct machine *m, const struct node *n, uint64_t *out) {
  uint64_t *a = n->in[0] ? value_of(m, n->in[0]) : NULL;
  uint64_t *b = n->op == NODE_WHERE ? value_of(m, n->in[1]) : NULL;
  uint64_t *c = n->op == NODE_WHERE ? value_of(m, n->in[2]) : NULL;
  for (int i = 0; i < shape_count(n->shape); i++) {
    uint64_t x = a ? element(n->in[0], a, i) : 0;
    if (n->op == NODE_WHERE)
      out[i] = operand(m, n->in[x ? 1 : 2], x ? b : c, i, n->kind);
    else if (n->op == NODE_UNARY)
      out[i] = unary_value((enum unary)n->number, n->kind, x);
    else if (n->op == NODE_BITCAST)
      out[i] = x;
    else if (n->op == NODE_FULL)
      out[i] =
          operand(m, &(struct node){.op = NODE_LITERAL, .number = n->number}, NULL, 0, n->kind);
    else
      out[i] = convert(n->in[0]->kind, n->kind, x, n->op == NODE_TRUNCATE);
  }
}

static inline void three_values(struct machine *m, const struct node *n, uint64_t *out) {
  uint64_t *in[3];
  enum kind k = n->kind;
  for (int i = 0; i < 3; i++)
    in[i] = value_of(m, n->in[i]);
  for (int i = 0; i < shape_count(n->shape); i++) {
    uint64_t x = operand(m, n->in[0], in[0], i, k), y = operand(m, n->in[1], in[1], i, k);
    uint64_t z = operand(m, n->in[2], in[2], i, k);
    if (n->op == NODE_FMA)
      out[i] = fused_value(k, x, y, z);
    else
      out[i] = float_binary(n->number ? MIN_NAN : MIN, k,
                            float_binary(n->number ? MAX_NAN : MAX, k, x, y), z);
  }
}

static inline void run_block(struct machine *m, const struct block *block);

static inline void called_values(struct machine *m, const struct node *n, uint64_t *out) {
  const struct tree_function *f = &m->tree->functions[n->number];
  uint64_t *arguments[MAX_PARAMETERS];
  for (int i = 0; i < f->parameter_count; i++)
    arguments[i] = value_of(m, n->in[i]);
  for (int i = 0; i < f->parameter_count; i++)
    m->variables[f->parameters[i]] = arguments[i];
  run_block(m, &f->body);
  if (!m->has_returned)
    m->tree->is_wrong = true;
  else
    memcpy(out, m->results[n->axis], (size_t)shape_count(n->shape) * sizeof *out);
  m->has_returned = false;
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
  case NODE_PLACES:
    place_values(n, out);
    break;
  case NODE_LOAD:
    load_values(m, n, out);
    break;
  case NODE_BLOCK:
    block_values(m, n, out);
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
  case NODE_BEST:
    best_values(m, n, out);
    break;
  case NODE_SCAN:
  case NODE_LINE:
    scanned_values(m, n, out);
    break;
  case NODE_SORT:
  case NODE_TOPK:
    sorted_values(m, n, out);
    break;
  case NODE_HISTOGRAM:
    counted_values(m, n, out);
    break;
  case NODE_FLIP:
  case NODE_GATHER:
    gathered_values(m, n, out);
    break;
  case NODE_JOIN:
  case NODE_INTERLEAVE:
  case NODE_CAT:
    joined_values(m, n, out);
    break;
  case NODE_SPLIT:
    split_values(m, n, out);
    break;
  case NODE_DOT:
    multiplied_values(m, n, out);
    break;
  case NODE_CALL:
    called_values(m, n, out);
    break;
  case NODE_FMA:
  case NODE_CLAMP:
    three_values(m, n, out);
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

/* --- Statements ------------------------------------------------------------------------------- */

/* Is the element inside of the tensor that a block pointer or a descriptor is of? */
static inline bool is_stored(const struct machine *m, const struct statement *s, int i) {
  int index[MAX_RANK];
  struct shape shape = s->value->shape;
  split_index(shape, i, index);
  for (int d = 0; d < shape.rank && s->number; d++)
    if (index[d] + (d ? 0 : m->program * shape.size[0]) >= s->sizes[d])
      return false;
  return true;
}

static inline void run_store(struct machine *m, const struct statement *s) {
  struct tree_buffer *buffer = &m->tree->buffers[s->variable];
  int count = shape_count(s->value->shape);
  uint64_t *bits = value_of(m, s->value), *mask = s->mask ? value_of(m, s->mask) : NULL;
  for (int i = 0; i < count; i++)
    if (is_stored(m, s, i) && (!mask || element(s->mask, mask, i)))
      zoo_set_bits(buffer->expected, kinds[buffer->kind].type, (size_t)(m->program * count + i),
                   convert(s->value->kind, buffer->kind, bits[i], false));
}

/* One operation a buffer, so that any order gives the same. */
static inline void run_atomic(struct machine *m, const struct statement *s) {
  static const enum binary operators[] = {ADD, MAX, MIN, AND, OR, XOR};
  struct tree_buffer *buffer = &m->tree->buffers[s->variable];
  enum zoo_type type = kinds[buffer->kind].type;
  enum binary op = operators[s->number];
  uint64_t *at = value_of(m, s->at), *bits = value_of(m, s->value);
  uint64_t *mask = s->mask ? value_of(m, s->mask) : NULL;
  for (int i = 0; i < shape_count(s->at->shape); i++) {
    int64_t place = signed_value(s->at->kind, at[i]);
    if (mask && !element(s->mask, mask, i))
      continue;
    if (place < 0 || (size_t)place >= buffer->count) {
      m->tree->is_wrong = true;
      return;
    }
    uint64_t old = zoo_bits(buffer->expected, type, (size_t)place);
    uint64_t next = convert(s->value->kind, buffer->kind, element(s->value, bits, i), false);
    zoo_set_bits(buffer->expected, type, (size_t)place,
                 kind_is_float(buffer->kind)
                     ? float_binary(op, buffer->kind, old, next)
                     : integer_binary(op, buffer->kind, buffer->kind, old, next));
  }
}

static inline uint64_t *count_of(struct machine *m, int number) {
  uint64_t *count = take_bits(m, (struct shape){0});
  count[0] = (uint32_t)number;
  return count;
}

static inline void run_loop(struct machine *m, const struct statement *s) {
  int trips = s->trips < 0 ? m->tree->n : s->trips, i = 0;
  m->variables[s->variable] = count_of(m, s->first);
  for (; i < trips; i++) {
    m->tree->variables[s->variable].constant = s->first + i * s->step;
    m->variables[s->variable] = count_of(m, s->first + i * s->step);
    if (s->op == WHILE && s->value && !value_of(m, s->value)[0])
      return;
    run_block(m, &s->body[0]);
  }
  m->variables[s->variable] = count_of(m, s->first + i * s->step);
}

static inline void run_return(struct machine *m, const struct statement *s) {
  uint64_t *first = value_of(m, s->value);
  m->results[1] = s->mask ? value_of(m, s->mask) : NULL;
  m->results[0] = first;
  m->has_returned = true;
}

static inline void run_block(struct machine *m, const struct block *block) {
  for (int i = 0; i < block->count && !m->has_returned; i++) {
    const struct statement *s = block->items[i];
    switch (s->op) {
    case ASSIGN:
      m->variables[s->variable] = value_of(m, s->value);
      break;
    case STORE:
      run_store(m, s);
      break;
    case ATOMIC:
      run_atomic(m, s);
      break;
    case FOR:
    case WHILE:
      run_loop(m, s);
      break;
    case IF:
      run_block(m, &s->body[value_of(m, s->value)[0] == 0]);
      break;
    case RETURN:
      run_return(m, s);
      break;
    }
  }
}

/* Fills the outputs' `expected`; sets is_wrong where the kernel does what it must not: a load out
   of bounds, a division by zero, a shift by too much. */
static inline void tree_run(struct tree *tree) {
  tree->is_wrong = false;
  for (int i = 0; i < tree->buffer_count; i++) {
    struct tree_buffer *b = &tree->buffers[i];
    if (b->starts)
      memcpy(b->expected, b->input, b->count * kind_bytes(b->kind));
    else
      memset(b->expected, 0xCB, b->count * kind_bytes(b->kind));
  }
  for (int p = 0; p < tree->programs; p++) {
    struct machine m = {.tree = tree, .program = p, .mark = tree->used};
    run_block(&m, &tree->body);
    tree->used = m.mark;
  }
}

#endif
