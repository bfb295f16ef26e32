/* SPDX-License-Identifier: MIT */
/* Random kernels in double. See mixed.h. */
#include "mixed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run {
  const struct mixed_kernel *kernel;
  double *const *inputs, *const *outputs, *values[MAX_VALUES];
  int iteration;
};

int mixed_batch(const struct mixed_kernel *kernel) {
  int matrices = 1;
  for (int i = 0; i < kernel->batch_rank; i++)
    matrices *= kernel->batch[i];
  return matrices;
}

int mixed_buffer_count(const struct mixed_kernel *kernel, const struct buffer *buffer) {
  return mixed_batch(kernel) * buffer->rows * buffer->columns * buffer->steps;
}

static int count_of(const struct run *run, int value) {
  const struct value *v = &run->kernel->values[value];
  return mixed_batch(run->kernel) * v->rows * v->columns;
}

/* Where element (row, column) of a matrix is in a buffer. */
static int place(const struct run *run, const struct buffer *buffer, int step, int matrix, int row,
                 int column) {
  int inside = buffer->by_columns ? column * buffer->rows + row : row * buffer->columns + column;
  return (step * mixed_batch(run->kernel) + matrix) * buffer->rows * buffer->columns + inside;
}

static void load(struct run *run, const struct statement *s, double *out) {
  const struct buffer *buffer = &run->kernel->inputs[s->number];
  int step = buffer->steps > 1 ? run->iteration : 0, at = 0;
  for (int matrix = 0; matrix < mixed_batch(run->kernel); matrix++)
    for (int row = 0; row < buffer->rows; row++)
      for (int column = 0; column < buffer->columns; column++)
        out[at++] = buffer->masked && row >= run->kernel->limit
                        ? 0
                        : run->inputs[s->number][place(run, buffer, step, matrix, row, column)];
}

static void store(struct run *run, const struct statement *s, const double *a) {
  const struct buffer *buffer = &run->kernel->outputs[s->number];
  int at = 0;
  for (int matrix = 0; matrix < mixed_batch(run->kernel); matrix++)
    for (int row = 0; row < buffer->rows; row++)
      for (int column = 0; column < buffer->columns; column++)
        run->outputs[s->number][place(run, buffer, 0, matrix, row, column)] = a[at++];
}

static void multiply(const struct run *run, const struct statement *s, double *out) {
  const struct value *a = &run->kernel->values[s->operand[0]], *c = &run->kernel->values[s->result];
  const double *x = run->values[s->operand[0]], *y = run->values[s->operand[1]];
  const double *start = s->operand[2] < 0 ? NULL : run->values[s->operand[2]];
  for (int i = 0; i < count_of(run, s->result); i++) {
    int matrix = i / (c->rows * c->columns), row = i / c->columns % c->rows,
        column = i % c->columns;
    double sum = start ? start[i] : 0;
    for (int k = 0; k < a->columns; k++)
      sum += x[(matrix * a->rows + row) * a->columns + k] *
             y[(matrix * a->columns + k) * c->columns + column];
    out[i] = sum;
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What runs along rows or columns: `out` is filled from line after line of `a`. */
static void along(const struct run *run, const struct statement *s, const double *a, double *out) {
  const struct value *v = &run->kernel->values[s->operand[0]];
  int length = s->number ? v->columns : v->rows, step = s->number ? 1 : v->columns;
  for (int i = 0; i < count_of(run, s->operand[0]); i++) {
    int column = i % v->columns, row = i / v->columns % v->rows;
    if (s->number ? column : row)
      continue; /* not a line's first */
    double sum = 0, largest = a[i];
    for (int j = 0; j < length; j++) {
      sum += a[i + j * step];
      largest = fmax(largest, a[i + j * step]);
      if (s->action == SCAN)
        out[i + j * step] = sum;
    }
    for (int j = 0; j < length && s->action != SCAN; j++)
      out[i + j * step] = s->action == SUM ? a[i + j * step] + sum : a[i + j * step] - largest;
  }
}

static void turn(const struct run *run, const struct statement *s, const double *a, double *out) {
  const struct value *v = &run->kernel->values[s->operand[0]];
  for (int i = 0; i < count_of(run, s->result); i++) {
    int matrix = i / (v->rows * v->columns), row = i / v->rows % v->columns, column = i % v->rows;
    out[i] = a[(matrix * v->rows + column) * v->columns + row];
  }
}

static double elementwise(const struct statement *s, double a, double b) {
  switch (s->action) {
  case WRAP:
    return a - floor(a / s->number) * s->number - s->number / 2;
  case ADD:
    return a + b;
  case SUBTRACT:
    return a - b;
  case MAXIMUM:
    return fmax(a, b);
  case SELECT:
    return a > b ? a - b : b;
  case SCALE:
    return 2 * a + 1;
  default: /* CAST, RESHAPE, ASSIGN */
    return a;
  }
}

static void compute(struct run *run, const struct statement *s, double *out) {
  const double *a = s->operand[0] < 0 ? NULL : run->values[s->operand[0]];
  const double *b = s->operand[1] < 0 ? NULL : run->values[s->operand[1]];
  const struct value *v = &run->kernel->values[s->result];
  switch (s->action) {
  case LOAD:
    load(run, s, out);
    break;
  case ZEROS:
    memset(out, 0, (size_t)count_of(run, s->result) * sizeof *out);
    break;
  case DOT:
    multiply(run, s, out);
    break;
  case SUM:
  case LARGEST:
  case SCAN:
    along(run, s, a, out);
    break;
  case TURN:
    turn(run, s, a, out);
    break;
  case SORT:
    memcpy(out, a, (size_t)count_of(run, s->result) * sizeof *out);
    for (int i = 0; i < count_of(run, s->result); i += v->columns)
      qsort(out + i, (size_t)v->columns, sizeof *out, compare);
    break;
  default:
    for (int i = 0; i < count_of(run, s->result); i++)
      out[i] = elementwise(s, a[i], b ? b[i] : 0);
    break;
  }
}

static void execute(struct run *run, const struct block *block) {
  int outer = run->iteration;
  for (const struct statement *s = block->list; s < block->list + block->count; s++) {
    if (s->action == LOOP) {
      for (run->iteration = 0; run->iteration < run->kernel->iterations; run->iteration++)
        execute(run, &s->body);
      run->iteration = outer;
    } else if (s->action == BRANCH) {
      if (run->kernel->iterations > s->number)
        execute(run, &s->body);
    } else if (s->action == STORE) {
      store(run, s, run->values[s->operand[0]]);
    } else {
      double *out = malloc((size_t)count_of(run, s->result) * sizeof *out);
      compute(run, s, out);
      free(run->values[s->result]);
      run->values[s->result] = out;
    }
  }
}

void mixed_evaluate(const struct mixed_kernel *kernel, double *const *inputs,
                    double *const *outputs) {
  struct run run = {.kernel = kernel, .inputs = inputs, .outputs = outputs};
  execute(&run, &kernel->body);
  for (int i = 0; i < kernel->value_count; i++)
    free(run.values[i]);
}
