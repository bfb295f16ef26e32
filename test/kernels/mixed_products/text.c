/* SPDX-License-Identifier: MIT */
/* Random kernels in the Triton language. See mixed.h. */
#include "mixed.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
  const struct mixed_kernel *kernel;
  char *data;
  size_t length, capacity;
  int depth; /* of blocks */
  int loops;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (w->length + (size_t)length + 1 > w->capacity) {
    w->capacity = 2 * (w->capacity + (size_t)length + 64);
    w->data = realloc(w->data, w->capacity);
  }
  va_start(arguments, format);
  vsnprintf(w->data + w->length, w->capacity - w->length, format, arguments);
  va_end(arguments);
  w->length += (size_t)length;
}

static void indent(struct writer *w) {
  put(w, "%*s", 4 * w->depth, "");
}

static int rank_of(const struct writer *w) {
  return w->kernel->batch_rank + 2;
}

/* tl.arange(0, size) along one dimension. */
static void put_range(struct writer *w, int size, int dim) {
  put(w, "tl.arange(0, %d)[", size);
  for (int i = 0; i < rank_of(w); i++)
    put(w, "%s%s", i ? ", " : "", i == dim ? ":" : "None");
  put(w, "]");
}

/* Where a tile's elements are in a buffer. */
static void put_places(struct writer *w, const struct buffer *buffer) {
  int rows = w->kernel->batch_rank, stride = buffer->rows * buffer->columns;
  for (int dim = rows - 1; dim >= 0; dim--) {
    put_range(w, w->kernel->batch[dim], dim);
    put(w, " * %d + ", stride);
    stride *= w->kernel->batch[dim];
  }
  put_range(w, buffer->rows, rows);
  put(w, " * %d + ", buffer->by_columns ? 1 : buffer->columns);
  put_range(w, buffer->columns, rows + 1);
  put(w, " * %d", buffer->by_columns ? buffer->rows : 1);
}

static void put_shape(struct writer *w, const struct value *v) {
  put(w, "(");
  for (int i = 0; i < w->kernel->batch_rank; i++)
    put(w, "%d, ", w->kernel->batch[i]);
  put(w, "%d, %d)", v->rows, v->columns);
}

static int step_of(const struct writer *w, const struct buffer *buffer) {
  return mixed_batch(w->kernel) * buffer->rows * buffer->columns;
}

/* The tensor whose tiles lie after each other, of which a block pointer or a descriptor gives one.
 */
static void put_tensor(struct writer *w, const char *name, int number,
                       const struct buffer *buffer) {
  bool is_block = buffer->way == BY_BLOCK;
  put(w, "tl.make_%s(%s%d, [", is_block ? "block_ptr" : "tensor_descriptor", name, number);
  if (buffer->masked)
    put(w, "limit");
  else
    put(w, "%d", buffer->rows * buffer->steps);
  put(w, ", %d], [%d, 1], ", buffer->columns, buffer->columns);
  if (!is_block)
    put(w, "[%d, %d])", buffer->rows, buffer->columns);
}

static void put_tile_load(struct writer *w, const struct statement *s) {
  const struct buffer *buffer = &w->kernel->inputs[s->number];
  bool is_block = buffer->way == BY_BLOCK;
  put(w, is_block ? "tl.load(" : "");
  put_tensor(w, "in", s->number, buffer);
  put(w, is_block ? "[" : ".load([");
  if (buffer->steps > 1)
    put(w, "i%d * %d", w->loops, buffer->rows);
  else
    put(w, "0");
  put(w, ", 0]");
  if (is_block)
    put(w, ", [%d, %d], (1, 0)), boundary_check=(0, 1), padding_option=\"zero\"", buffer->rows,
        buffer->columns);
  put(w, ")");
}

static void put_load(struct writer *w, const struct statement *s) {
  const struct buffer *buffer = &w->kernel->inputs[s->number];
  if (buffer->way) {
    put_tile_load(w, s);
    return;
  }
  if (buffer->moves && buffer->steps > 1) {
    put(w, "tl.load(p%d", s->number);
  } else {
    put(w, "tl.load(in%d + ", s->number);
    if (buffer->steps > 1)
      put(w, "i%d * %d + ", w->loops, step_of(w, buffer));
    put_places(w, buffer);
  }
  if (buffer->masked) {
    put(w, ", mask=");
    put_range(w, buffer->rows, w->kernel->batch_rank);
    put(w, " < limit, other=0");
  }
  put(w, ")");
}

static void put_dot(struct writer *w, const struct statement *s) {
  const struct product_kind *kind = &product_kinds[s->number];
  put(w, "tl.dot(v%d, v%d", s->operand[0], s->operand[1]);
  if (s->operand[2] >= 0 && !s->flag)
    put(w, ", acc=v%d", s->operand[2]);
  if (kind->precision)
    put(w, ", input_precision=\"%s\"", kind->precision);
  put(w, ", out_dtype=%s)", elements[kind->sum].tile);
  if (s->operand[2] >= 0 && s->flag)
    put(w, " + v%d", s->operand[2]);
}

static void put_turn(struct writer *w, const struct statement *s) {
  int rows = w->kernel->batch_rank;
  put(w, "tl.permute(v%d, (", s->operand[0]);
  for (int i = 0; i < rows; i++)
    put(w, "%d, ", i);
  put(w, "%d, %d))", rows + 1, rows);
}

static void put_wrap(struct writer *w, const struct statement *s) {
  int a = s->operand[0], m = s->number;
  if (w->kernel->values[a].element == I32)
    put(w, "(v%d & %d) - %d", a, m - 1, m / 2);
  else
    put(w, "v%d - tl.floor(v%d * (1 / %d)) * %d - %d", a, a, m, m, m / 2);
}

static void put_expression(struct writer *w, const struct statement *s) {
  const struct value *v = &w->kernel->values[s->result];
  int a = s->operand[0], b = s->operand[1], axis = w->kernel->batch_rank + s->number;
  switch (s->action) {
  case LOAD:
    put_load(w, s);
    break;
  case ZEROS:
    put(w, "tl.zeros(");
    put_shape(w, v);
    put(w, ", %s)", elements[v->element].tile);
    break;
  case DOT:
    put_dot(w, s);
    break;
  case CAST:
    put(w, "v%d.to(%s)", a, elements[v->element].tile);
    break;
  case WRAP:
    put_wrap(w, s);
    break;
  case ADD:
    put(w, "v%d + v%d", a, b);
    break;
  case SUBTRACT:
    put(w, "v%d - v%d", a, b);
    break;
  case MAXIMUM:
    put(w, "tl.maximum(v%d, v%d)%s", a, b,
        v->element == BF16 ? ".to(tl.bfloat16)" : ""); /* of bf16 it is f32 */
    break;
  case SELECT:
    put(w, "tl.where(v%d > v%d, v%d - v%d, v%d)", a, b, a, b, b);
    break;
  case SCALE:
    put(w, "v%d * 2 + 1", a);
    break;
  case SUM:
    put(w, "v%d + tl.expand_dims(tl.sum(v%d, axis=%d), %d)", a, a, axis, axis);
    break;
  case LARGEST:
    put(w, "v%d - tl.expand_dims(tl.max(v%d, axis=%d), %d)", a, a, axis, axis);
    break;
  case SCAN:
    put(w, "tl.cumsum(v%d, axis=%d)", a, axis);
    break;
  case SORT:
    put(w, "tl.sort(v%d)", a);
    break;
  case TURN:
    put_turn(w, s);
    break;
  case RESHAPE:
    put(w, "tl.reshape(v%d, ", a);
    put_shape(w, v);
    put(w, ")");
    break;
  default: /* ASSIGN */
    put(w, "v%d", a);
    break;
  }
}

static void put_store(struct writer *w, const struct statement *s) {
  const struct buffer *buffer = &w->kernel->outputs[s->number];
  if (buffer->way == BY_DESCRIPTOR) {
    put_tensor(w, "out", s->number, buffer);
    put(w, ".store([0, 0], v%d)\n", s->operand[0]);
    return;
  }
  if (buffer->way == BY_BLOCK) {
    put(w, "tl.store(");
    put_tensor(w, "out", s->number, buffer);
    put(w, "[0, 0], [%d, %d], (1, 0)), v%d)\n", buffer->rows, buffer->columns, s->operand[0]);
    return;
  }
  put(w, "%s(out%d + ", s->flag ? "tl.atomic_add" : "tl.store", s->number);
  put_places(w, &w->kernel->outputs[s->number]);
  put(w, ", v%d)\n", s->operand[0]);
}

/* Does the loop itself, not one in it, carry this load's pointers? */
static bool carries(const struct writer *w, const struct statement *s) {
  return s->action == LOAD && w->kernel->inputs[s->number].moves &&
         w->kernel->inputs[s->number].steps > 1;
}

/* Loads in branches belong to the loop around them, and their pointers move whether or not the
 * branch is taken. */
static void put_pointers(struct writer *w, const struct block *body, bool begin) {
  for (const struct statement *s = body->list; s < body->list + body->count; s++) {
    if (s->action == BRANCH)
      put_pointers(w, &s->body, begin);
    if (!carries(w, s))
      continue;
    indent(w);
    if (!begin) {
      put(w, "p%d += %d\n", s->number, step_of(w, &w->kernel->inputs[s->number]));
      continue;
    }
    put(w, "p%d = in%d + ", s->number, s->number);
    put_places(w, &w->kernel->inputs[s->number]);
    put(w, "\n");
  }
}

static void put_block(struct writer *w, const struct block *block);

static void put_loop(struct writer *w, const struct statement *s) {
  put_pointers(w, &s->body, true);
  indent(w);
  w->loops++;
  put(w, "for i%d in %s(0, ", w->loops,
      s->number == STATIC ? "tl.static_range"
      : s->number         ? "tl.range"
                          : "range");
  if (s->flag)
    put(w, "%d", w->kernel->iterations);
  else
    put(w, "n");
  if (s->number > 0)
    put(w, ", num_stages=%d", s->number);
  put(w, "):\n");
  w->depth++;
  put_block(w, &s->body);
  put_pointers(w, &s->body, false);
  w->depth--;
  w->loops--;
}

static void put_block(struct writer *w, const struct block *block) {
  for (const struct statement *s = block->list; s < block->list + block->count; s++) {
    if (s->action == LOOP) {
      put_loop(w, s);
      continue;
    }
    indent(w);
    if (s->action == BRANCH) {
      put(w, "if n > %d:\n", s->number);
      w->depth++;
      put_block(w, &s->body);
      w->depth--;
    } else if (s->action == STORE) {
      put_store(w, s);
    } else {
      put(w, "v%d = ", s->result);
      put_expression(w, s);
      put(w, "\n");
    }
  }
}

char *mixed_text(const struct mixed_kernel *kernel) {
  struct writer w = {.kernel = kernel, .depth = 1};
  put(&w, "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel(");
  for (int i = 0; i < kernel->input_count; i++)
    put(&w, "in%d, ", i);
  for (int i = 0; i < kernel->output_count; i++)
    put(&w, "out%d, ", i);
  put(&w, "n, limit):\n");
  put_block(&w, &kernel->body);
  return w.data;
}

char *mixed_signature(const struct mixed_kernel *kernel) {
  struct writer w = {.kernel = kernel};
  const char *promise = kernel->aligned ? ":16" : "";
  for (int i = 0; i < kernel->input_count; i++)
    put(&w, "*%s%s, ", elements[kernel->inputs[i].element].name, promise);
  for (int i = 0; i < kernel->output_count; i++)
    put(&w, "*%s%s, ", elements[kernel->outputs[i].element].name, promise);
  put(&w, "i32, i32");
  return w.data;
}
