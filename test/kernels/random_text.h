/* Prints a random kernel (random_tree.h) in the Triton language. */
#ifndef TILE_TEST_RANDOM_TEXT_H
#define TILE_TEST_RANDOM_TEXT_H

#include "random_tree.h"

struct writer {
  char *text;
  size_t length, room;
};

static inline void put(struct writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void put(struct writer *w, const char *format, ...) {
  va_list list;
  va_start(list, format);
  w->length += (size_t)vsnprintf(w->text + w->length, w->room - w->length, format, list);
  va_end(list);
  if (w->length >= w->room)
    abort();
}

static inline void put_shape(struct writer *w, struct shape shape) {
  put(w, "(");
  for (int d = 0; d < shape.rank; d++)
    put(w, "%d, ", shape.size[d]);
  put(w, ")");
}

static inline void put_node(struct writer *w, const struct node *n);

static inline void put_call(struct writer *w, const char *name, const struct node *n, int count) {
  put(w, "%s(", name);
  for (int i = 0; i < count; i++) {
    put(w, i ? ", " : "");
    put_node(w, n->in[i]);
  }
}

static inline void put_load(struct writer *w, const struct node *n) {
  static const char *const names[] = {"", ", mask=", ", other="};
  put(w, "tl.load(p%d + ", (int)n->number);
  for (int i = 0; i < 3; i++)
    if (n->in[i]) {
      put(w, "%s", names[i]);
      put_node(w, n->in[i]);
    }
  put(w, ")");
}

static inline void put_binary(struct writer *w, const struct node *n) {
  if (n->number >= MIN && n->number <= MAX_NAN) {
    put(w, "tl.");
    put_call(w, binary_texts[n->number], n, 2);
    put(w, n->number >= MIN_NAN ? ", propagate_nan=tl.PropagateNan.ALL)" : ")");
    return;
  }
  put(w, "(");
  put_node(w, n->in[0]);
  put(w, " %s ", binary_texts[n->number]);
  put_node(w, n->in[1]);
  put(w, ")");
}

static inline void put_order(struct writer *w, const struct node *n) {
  put(w, "tl.permute(");
  put_node(w, n->in[0]);
  put(w, ", (");
  for (int d = 0; d < n->shape.rank; d++)
    put(w, "%d, ", (int)(n->number >> (4 * d) & 15));
  put(w, "))");
}

static inline void put_shaped(struct writer *w, const char *name, const struct node *n) {
  put(w, "tl.%s(", name);
  put_node(w, n->in[0]);
  put(w, ", ");
  put_shape(w, n->shape);
  put(w, ")");
}

static inline void put_node(struct writer *w, const struct node *n) {
  switch (n->op) {
  case NODE_VARIABLE:
    put(w, "v%d", (int)n->number);
    break;
  case NODE_LITERAL:
  case NODE_NUMBER:
    if (n->divisor)
      put(w, n->number < 0 ? "(%.17g)" : "%.17g", number_value(n));
    else
      put(w, n->number < 0 ? "(%lld)" : "%lld", (long long)n->number);
    break;
  case NODE_ARGUMENT:
    put(w, "n");
    break;
  case NODE_FULL:
    put(w, "tl.full(");
    put_shape(w, n->shape);
    put(w, ", %lld, tl.%s)", (long long)n->number, kinds[n->kind].name);
    break;
  case NODE_RANGE:
    put(w, "tl.arange(%d, %d)", (int)n->number, (int)n->number + n->shape.size[0]);
    break;
  case NODE_PROGRAM:
    put(w, "tl.program_id(0)");
    break;
  case NODE_LOAD:
    put_load(w, n);
    break;
  case NODE_BINARY:
    put_binary(w, n);
    break;
  case NODE_WHERE:
    put_call(w, "tl.where", n, 3);
    put(w, ")");
    break;
  case NODE_UNARY:
    put(w, "(");
    put_call(w, unary_texts[n->number], n, 1);
    put(w, "))");
    break;
  case NODE_CAST:
  case NODE_TRUNCATE:
  case NODE_BITCAST:
    put_node(w, n->in[0]);
    put(w, ".to(tl.%s%s)", kinds[n->kind].name,
        n->op == NODE_BITCAST    ? ", bitcast=True"
        : n->op == NODE_TRUNCATE ? ", fp_downcast_rounding=\"rtz\""
                                 : "");
    break;
  case NODE_EXPAND:
    put(w, "tl.expand_dims(");
    put_node(w, n->in[0]);
    put(w, ", %d)", (int)n->number);
    break;
  case NODE_BROADCAST:
    put_shaped(w, "broadcast_to", n);
    break;
  case NODE_RESHAPE:
    put_shaped(w, "reshape", n);
    break;
  case NODE_PERMUTE:
    put_order(w, n);
    break;
  case NODE_REDUCE:
    put(w, "tl.%s(", reduce_texts[n->number]);
    put_node(w, n->in[0]);
    put(w, ", axis=%d)", n->axis);
    break;
  case NODE_SCAN:
    put(w, "tl.%s(", scan_texts[n->number]);
    put_node(w, n->in[0]);
    put(w, ", axis=%d, reverse=%s)", n->axis < 0 ? -1 - n->axis : n->axis,
        n->axis < 0 ? "True" : "False");
    break;
  case NODE_SORT:
    put(w, "tl.sort(");
    put_node(w, n->in[0]);
    put(w, ", descending=%s)", n->number ? "True" : "False");
    break;
  }
}

/* Where the elements of a tile lie in an output: program by program, row-major. */
static inline void put_offsets(struct writer *w, struct shape shape) {
  int stride = shape_count(shape);
  put(w, "tl.program_id(0) * %d", stride);
  for (int d = 0; d < shape.rank; d++) {
    stride /= shape.size[d];
    put(w, " + tl.arange(0, %d)", shape.size[d]);
    put(w, shape.rank > 1 ? "[" : "");
    for (int e = 0; e < shape.rank && shape.rank > 1; e++)
      put(w, "%s%s", e ? ", " : "", e == d ? ":" : "None");
    put(w, "%s * %d", shape.rank > 1 ? "]" : "", stride);
  }
}

static inline void put_block(struct writer *w, const struct block *block, int depth);

static inline void put_statement(struct writer *w, const struct statement *s, int depth) {
  put(w, "%*s", depth * 4, "");
  if (s->op == ASSIGN) {
    put(w, "v%d = ", s->variable);
    put_node(w, s->value);
  } else if (s->op == STORE) {
    put(w, "tl.store(p%d + ", s->variable);
    put_offsets(w, s->value->shape);
    put(w, ", ");
    put_node(w, s->value);
    if (s->mask) {
      put(w, ", mask=");
      put_node(w, s->mask);
    }
    put(w, ")");
  } else if (s->op == FOR) {
    put(w, "for v%d in %s(%d, ", s->variable, s->is_static ? "tl.static_range" : "range", s->first);
    if (s->trips < 0)
      put(w, "%d + %d * n", s->first, s->step);
    else
      put(w, "%d", s->first + s->step * s->trips);
    put(w, ", %d):\n", s->step);
    put_block(w, &s->body[0], depth + 1);
    return;
  } else {
    put(w, "if ");
    put_node(w, s->value);
    put(w, ":\n");
    put_block(w, &s->body[0], depth + 1);
    if (s->body[1].count) {
      put(w, "%*selse:\n", depth * 4, "");
      put_block(w, &s->body[1], depth + 1);
    }
    return;
  }
  put(w, "\n");
}

static inline void put_block(struct writer *w, const struct block *block, int depth) {
  for (int i = 0; i < block->count; i++)
    put_statement(w, block->items[i], depth);
}

/* The whole file, and its signature. */
static inline void put_tree(struct writer *w, const struct tree *tree, struct writer *signature) {
  put(w, "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef random_kernel(");
  for (int i = 0; i < tree->buffer_count; i++) {
    put(w, "p%d, ", i);
    put(signature, "*%s:16, ", kinds[tree->buffers[i].kind].pointee);
  }
  put(w, "n):\n");
  put(signature, "i32");
  put_block(w, &tree->body, 1);
}

#endif
