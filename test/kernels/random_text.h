/* SPDX-License-Identifier: MIT */
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
  int count = vsnprintf(NULL, 0, format, list);
  va_end(list);
  if (w->length + (size_t)count >= w->room) {
    w->room = 2 * (w->length + (size_t)count + 1);
    w->text = realloc(w->text, w->room);
    if (!w->text)
      abort();
  }
  va_start(list, format);
  vsnprintf(w->text + w->length, w->room - w->length, format, list);
  va_end(list);
  w->length += (size_t)count;
}

static inline void put_shape(struct writer *w, struct shape shape) {
  put(w, "(");
  for (int d = 0; d < shape.rank; d++)
    put(w, "%d, ", shape.size[d]);
  put(w, ")");
}

/* first + arange[:, None] * stride + ...: a one-dimensional tile has no brackets. */
static inline void put_places(struct writer *w, struct shape shape, const int *strides) {
  for (int d = 0; d < shape.rank; d++) {
    put(w, "%stl.arange(0, %d)", d ? " + " : "", shape.size[d]);
    put(w, shape.rank > 1 ? "[" : "");
    for (int e = 0; e < shape.rank && shape.rank > 1; e++)
      put(w, "%s%s", e ? ", " : "", e == d ? ":" : "None");
    put(w, strides[d] < 0 ? "%s * (%d)" : "%s * %d", shape.rank > 1 ? "]" : "", strides[d]);
  }
}

static inline void put_numbers(struct writer *w, const int *numbers, int count) {
  put(w, "[");
  for (int i = 0; i < count; i++)
    put(w, "%s%d", i ? ", " : "", numbers[i]);
  put(w, "]");
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

/* A block pointer, or a descriptor, of a tensor in buffer `number`. */
static inline void put_tensor(struct writer *w, int buffer, enum style style, struct shape shape,
                              const int *sizes, const int *strides) {
  put(w, "tl.make_%s(p%d, ", style == STYLE_BLOCK ? "block_ptr" : "tensor_descriptor", buffer);
  put_numbers(w, sizes, shape.rank);
  put(w, ", ");
  put_numbers(w, strides, shape.rank);
  put(w, ", ");
}

static inline void put_order_of(struct writer *w, struct shape shape) {
  put(w, ", (");
  for (int d = shape.rank - 1; d >= 0; d--)
    put(w, "%d, ", d);
  put(w, ")");
}

static inline void put_dimensions(struct writer *w, struct shape shape) {
  put(w, "(");
  for (int d = 0; d < shape.rank; d++)
    put(w, "%d, ", d);
  put(w, ")");
}

static inline void put_starts(struct writer *w, const struct node *n) {
  put(w, "[");
  for (int d = 0; d < n->shape.rank; d++) {
    put(w, d ? ", " : "");
    put_node(w, n->in[d]);
  }
  put(w, "]");
}

/* Made where it is wanted, or at the beginning and moved there. */
static inline void put_pointer_load(struct writer *w, const struct node *n) {
  static const int zeros[MAX_RANK];
  put(w, n->divisor ? "tl.load(tl.advance(" : "tl.load(");
  put_tensor(w, (int)n->number, STYLE_BLOCK, n->shape, n->sizes, n->strides);
  if (n->divisor)
    put_numbers(w, zeros, n->shape.rank);
  else
    put_starts(w, n);
  put(w, ", ");
  put_numbers(w, n->shape.size, n->shape.rank);
  put_order_of(w, n->shape);
  put(w, ")");
  if (n->divisor) {
    put(w, ", ");
    put_starts(w, n);
    put(w, ")");
  }
  put(w, ", boundary_check=");
  put_dimensions(w, n->shape);
  put(w, ", padding_option=\"zero\")");
}

static inline void put_block_load(struct writer *w, const struct node *n) {
  if (n->axis == STYLE_BLOCK) {
    put_pointer_load(w, n);
    return;
  }
  put_tensor(w, (int)n->number, STYLE_DESCRIPTOR, n->shape, n->sizes, n->strides);
  put_numbers(w, n->shape.size, n->shape.rank);
  put(w, ").load(");
  put_starts(w, n);
  put(w, ")");
}

static inline void put_dot(struct writer *w, const struct node *n) {
  put_call(w, "tl.dot", n, n->in[2] ? 3 : 2);
  if (n->in[0]->kind == KF32)
    put(w, ", input_precision=\"%s\"", precision_texts[n->number]);
  if (!n->in[2])
    put(w, ", out_dtype=tl.%s", kinds[n->kind].name);
  put(w, ")");
}

static inline void put_reduce(struct writer *w, const struct node *n) {
  if (n->number >= REDUCES) {
    put_call(w, "tl.reduce", n, 1);
    put(w, ", axis=%d, combine_fn=%s)", n->axis, reduce_texts[n->number]);
    return;
  }
  put(w, "tl.%s(", reduce_texts[n->number]);
  put_node(w, n->in[0]);
  if (n->axis >= 0)
    put(w, ", axis=%d", n->axis);
  put(w, n->number == MAX_INDEX ? ", return_indices=True)[1]" : ")");
}

static inline void put_scan(struct writer *w, const struct node *n) {
  const char *reverse = n->axis < 0 ? "True" : "False";
  int axis = n->axis < 0 ? -1 - n->axis : n->axis;
  if (n->op == NODE_LINE) {
    put_call(w, "tl.associative_scan(", n, 2);
    put(w, "), %d, by_line, reverse=%s)[%d]", axis, reverse, (int)n->number);
  } else if (n->number >= SCANS) {
    put_call(w, "tl.associative_scan", n, 1);
    put(w, ", %d, %s, reverse=%s)", axis, reduce_texts[BY_AND + n->number - SCANS], reverse);
  } else {
    put(w, "tl.%s(", scan_texts[n->number]);
    put_node(w, n->in[0]);
    put(w, ", axis=%d, reverse=%s)", axis, reverse);
  }
}

static inline void put_binary(struct writer *w, const struct node *n) {
  if (n->number >= MIN && n->number <= DIV_RN) {
    put(w, "tl.");
    put_call(w, binary_texts[n->number], n, 2);
    bool propagates = n->number == MIN_NAN || n->number == MAX_NAN;
    put(w, propagates ? ", propagate_nan=tl.PropagateNan.ALL)" : ")");
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
    if (n->op == NODE_LITERAL && n->axis)
      put(w, "v%d", n->axis - 1);
    else if (n->divisor)
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
  case NODE_PLACES:
    put(w, "(%d + ", (int)n->number);
    put_places(w, n->shape, n->strides);
    put(w, ")");
    break;
  case NODE_LOAD:
    put_load(w, n);
    break;
  case NODE_BLOCK:
    put_block_load(w, n);
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
  case NODE_FMA:
    put_call(w, "tl.fma", n, 3);
    put(w, ")");
    break;
  case NODE_CLAMP:
    put_call(w, "tl.clamp", n, 3);
    put(w, n->number ? ", propagate_nan=tl.PropagateNan.ALL)" : ")");
    break;
  case NODE_FLIP:
    put_call(w, "tl.flip", n, 1);
    put(w, ", %d)", n->axis);
    break;
  case NODE_GATHER:
    put_call(w, "tl.gather", n, 2);
    put(w, ", %d)", n->axis);
    break;
  case NODE_JOIN:
  case NODE_INTERLEAVE:
    put_call(w, n->op == NODE_JOIN ? "tl.join" : "tl.interleave", n, 2);
    put(w, ")");
    break;
  case NODE_CAT:
    put_call(w, "tl.cat", n, 2);
    put(w, ", can_reorder=%s)", n->number ? "True" : "False");
    break;
  case NODE_SPLIT:
    put_call(w, "tl.split", n, 1);
    put(w, ")[%d]", (int)n->number);
    break;
  case NODE_REDUCE:
    put_reduce(w, n);
    break;
  case NODE_BEST:
    put_call(w, "tl.reduce(", n, 2);
    put(w, "), %d, by_best)[%d]", n->axis, (int)n->number);
    break;
  case NODE_SCAN:
  case NODE_LINE:
    put_scan(w, n);
    break;
  case NODE_TOPK:
    put_call(w, "tl.topk", n, 1);
    put(w, ", %d)", n->shape.size[n->shape.rank - 1]);
    break;
  case NODE_HISTOGRAM:
    put_call(w, "tl.histogram", n, 1);
    put(w, ", %d", n->shape.size[0]);
    if (n->in[1]) {
      put(w, ", mask=");
      put_node(w, n->in[1]);
    }
    put(w, ")");
    break;
  case NODE_DOT:
    put_dot(w, n);
    break;
  case NODE_CALL:
    put(w, "f%d(", (int)n->number);
    for (int i = 0; i < 3 && n->in[i]; i++) {
      put(w, i ? ", " : "");
      put_node(w, n->in[i]);
    }
    put(w, n->divisor ? ")[%d]" : ")", n->axis);
    break;
  case NODE_SORT:
    put(w, "tl.sort(");
    put_node(w, n->in[0]);
    put(w, ", descending=%s)", n->number ? "True" : "False");
    break;
  }
}

/* Where the elements of a tile lie in an output: program by program, row-major. */
static inline void row_major(struct shape shape, int *strides) {
  int stride = 1;
  for (int d = shape.rank - 1; d >= 0; stride *= shape.size[d--])
    strides[d] = stride;
}

static inline void put_offsets(struct writer *w, struct shape shape) {
  int strides[MAX_RANK];
  row_major(shape, strides);
  put(w, "tl.program_id(0) * %d%s", shape_count(shape), shape.rank ? " + " : "");
  put_places(w, shape, strides);
}

static inline void put_block(struct writer *w, const struct block *block, int depth);

/* Into a tensor in which programs lie along the first dimension, and that ends at `sizes`. */
static inline void put_tensor_store(struct writer *w, const struct statement *s) {
  struct shape shape = s->value->shape;
  int strides[MAX_RANK];
  row_major(shape, strides);
  bool is_block = s->number == STYLE_BLOCK;
  put(w, is_block ? "tl.store(" : "");
  put_tensor(w, s->variable, (enum style)s->number, shape, s->sizes, strides);
  if (!is_block) {
    put_numbers(w, shape.size, shape.rank);
    put(w, ").store(");
  }
  put(w, "[tl.program_id(0) * %d%s]", shape.size[0],
      shape.rank == 1   ? ""
      : shape.rank == 2 ? ", 0"
                        : ", 0, 0");
  if (is_block) {
    put(w, ", ");
    put_numbers(w, shape.size, shape.rank);
    put_order_of(w, shape);
    put(w, ")");
  }
  put(w, ", ");
  put_node(w, s->value);
  if (is_block) {
    put(w, ", boundary_check=");
    put_dimensions(w, shape);
  }
  put(w, ")\n");
}

static inline void put_store(struct writer *w, const struct statement *s) {
  if (s->op == STORE && s->number) {
    put_tensor_store(w, s);
    return;
  }
  if (s->op == STORE) {
    put(w, "tl.store(p%d + ", s->variable);
    put_offsets(w, s->value->shape);
  } else {
    put(w, "tl.atomic_%s(p%d + ", atomic_texts[s->number], s->variable);
    put_node(w, s->at);
  }
  put(w, ", ");
  put_node(w, s->value);
  if (s->mask) {
    put(w, ", mask=");
    put_node(w, s->mask);
  }
  put(w, ")\n");
}

static inline void put_last(struct writer *w, const struct statement *s) {
  if (s->trips < 0)
    put(w, "%d + %d * n", s->first, s->step);
  else
    put(w, "%d", s->first + s->step * s->trips);
}

static inline void put_for(struct writer *w, const struct statement *s, int depth) {
  const char *range = s->is_static ? "tl.static_range" : s->stages ? "tl.range" : "range";
  put(w, "for v%d in %s(%d, ", s->variable, range, s->first);
  put_last(w, s);
  put(w, ", %d", s->step);
  if (s->stages)
    put(w, ", num_stages=%d", s->stages);
  put(w, "):\n");
  put_block(w, &s->body[0], depth + 1);
}

/* Its counter goes on at the end of the body. */
static inline void put_while(struct writer *w, const struct statement *s, int depth) {
  put(w, "v%d = tl.full((), %d, tl.int32)\n%*swhile (v%d < ", s->variable, s->first, depth * 4, "",
      s->variable);
  put_last(w, s);
  put(w, ")");
  if (s->value) {
    put(w, " & ");
    put_node(w, s->value);
  }
  put(w, ":\n");
  put_block(w, &s->body[0], depth + 1);
  put(w, "%*sv%d += %d\n", depth * 4 + 4, "", s->variable, s->step);
}

static inline void put_if(struct writer *w, const struct statement *s, int depth) {
  put(w, "if ");
  put_node(w, s->value);
  put(w, ":\n");
  put_block(w, &s->body[0], depth + 1);
  if (s->body[1].count) {
    put(w, "%*selse:\n", depth * 4, "");
    put_block(w, &s->body[1], depth + 1);
  }
}

static inline void put_statement(struct writer *w, const struct statement *s, int depth) {
  put(w, "%*s", depth * 4, "");
  switch (s->op) {
  case ASSIGN:
    put(w, "v%d = ", s->variable);
    put_node(w, s->value);
    put(w, "\n");
    break;
  case RETURN:
    put(w, "return ");
    put_node(w, s->value);
    if (s->mask) {
      put(w, ", ");
      put_node(w, s->mask);
    }
    put(w, "\n");
    break;
  case STORE:
  case ATOMIC:
    put_store(w, s);
    break;
  case FOR:
    put_for(w, s, depth);
    break;
  case WHILE:
    put_while(w, s, depth);
    break;
  case IF:
    put_if(w, s, depth);
    break;
  }
}

static inline void put_block(struct writer *w, const struct block *block, int depth) {
  for (int i = 0; i < block->count; i++)
    put_statement(w, block->items[i], depth);
}

/* What reductions and scans combine by. */
static const char *const combine_texts[] = {
    "by_and(a, b):\n    return a & b\n",
    "by_or(a, b):\n    return a | b\n",
    "by_mul(a, b):\n    return a * b\n",
    "by_max(a, b):\n    return tl.maximum(a, b)\n",
    "by_last(a, b):\n    return tl.where(b != 0, b, a)\n",
    "by_line(a, b, c, d):\n    return a * c, b * c + d\n",
    ("by_best(a, i, b, j):\n    better = (b > a) | ((b == a) & (j > i))\n"
     "    return tl.where(better, b, a), tl.where(better, j, i)\n")};

/* Those that combine are there whether they are used or not. */
static inline void put_functions(struct writer *w, const struct tree *tree) {
  for (size_t i = 0; i < sizeof combine_texts / sizeof *combine_texts; i++)
    put(w, "@triton.jit\ndef %s\n\n", combine_texts[i]);
  for (int f = 0; f < tree->function_count; f++) {
    const struct tree_function *function = &tree->functions[f];
    put(w, "@triton.jit\ndef f%d(", f);
    for (int i = 0; i < function->parameter_count; i++)
      put(w, "%sv%d", i ? ", " : "", function->parameters[i]);
    put(w, "):\n");
    put_block(w, &function->body, 1);
    put(w, "\n\n");
  }
}

/* The whole file, and its signature. */
static inline void put_tree(struct writer *w, const struct tree *tree, struct writer *signature) {
  put(w, "import triton\nimport triton.language as tl\n\n\n");
  put_functions(w, tree);
  put(w, "@triton.jit\ndef random_kernel(");
  for (int i = 0; i < tree->buffer_count; i++) {
    put(w, "p%d, ", i);
    put(signature, "*%s:16, ", kinds[tree->buffers[i].kind].pointee);
  }
  put(w, "n):\n");
  put(signature, "i32");
  put_block(w, &tree->body, 1);
}

#endif
