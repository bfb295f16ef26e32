/* SPDX-License-Identifier: MIT */
/* Random kernels of several products of matrices, of mixed types and precisions, with what stands
   between them.

   A kernel is a list of statements over numbered values, which are tiles. All numbers are integers,
   and each value has a bound, which its type and every sum holds exactly: so each element of each
   result is known, however products are computed and in whatever order they are summed. make.c
   draws kernels, text.c writes them in the Triton language, evaluate.c computes them in double. */
#ifndef TILE_TEST_MIXED_PRODUCTS_H
#define TILE_TEST_MIXED_PRODUCTS_H

#include <stdbool.h>
#include <stdint.h>

enum element { F16, BF16, F32, F64, I8, I32, E4M3, E5M2, ELEMENTS };

struct element_info {
  const char *name, *tile; /* in a signature, and in a kernel */
  double exact;            /* integers up to this one are held exactly */
  bool computes;           /* has arithmetic, rather than products alone */
};

extern const struct element_info elements[ELEMENTS];

/* A way to multiply. `a` and `b` bound what is multiplied exactly; operands are drawn from less. */
struct product_kind {
  enum element factor, sum;
  const char *precision; /* NULL: not said */
  double a, b;
  int least_k;
};

extern const struct product_kind product_kinds[];

enum action {
  LOAD, /* input `number`, at the innermost loop's iteration */
  ZEROS,
  DOT, /* operands a, b, and c or -1; product_kinds[number]; flag: as out_dtype and a sum of its own
        */
  CAST,
  WRAP, /* modulo `number`, into [-number / 2, number / 2) */
  ADD,
  SUBTRACT,
  MAXIMUM,
  SELECT,  /* where(a > b, a - b, b) */
  SCALE,   /* 2 * a + 1 */
  SUM,     /* a + sum(a, axis = number) */
  LARGEST, /* a - max(a, axis = number) */
  SCAN,    /* cumsum(a, axis = number) */
  SORT,    /* rows */
  TURN,    /* rows become columns */
  RESHAPE,
  ASSIGN, /* to a value that is there: a loop's or a branch's variable */
  LOOP,   /* flag: to a constant; number: num_stages, or 0; STATIC: unrolled */
  BRANCH, /* if n > number */
  STORE   /* a to output `number`; flag: by atomic_add */
};

struct statement;
struct block {
  struct statement *list;
  int count, capacity;
};

struct statement {
  enum action action;
  int result, operand[3], number;
  bool flag;
  struct block body;
};

struct value {
  int rows, columns;
  enum element element;
  double bound;
};

enum { STATIC = -1 };

enum { /* MAX_RANKS: dimensions of batches that are drawn */ MAX_BATCH = 3,
       MAX_RANKS = 3,
       MAX_VALUES = 240,
       MAX_BUFFERS = 40,
       MAX_ITERATIONS = 4 };

/* How a tile is loaded or stored. */
enum way { BY_POINTERS, BY_BLOCK, BY_DESCRIPTOR };

struct buffer {
  int rows, columns, steps; /* steps: tiles after each other, one for an iteration */
  enum element element;
  double bound;
  enum way way; /* where not by pointers, rows lie in order, and masks are the end of the tensor */
  bool by_columns, masked, moves; /* moves: a loop carries the pointers */
};

struct mixed_kernel {
  uint64_t seed;
  const char *target;
  int num_warps, num_stages, batch[MAX_BATCH], batch_rank, iterations,
      limit; /* limit: rows that masks let through */
  bool aligned;
  struct value values[MAX_VALUES];
  struct buffer inputs[MAX_BUFFERS], outputs[MAX_BUFFERS];
  int value_count, input_count, output_count;
  struct block body;
};

void mixed_make(struct mixed_kernel *kernel, uint64_t seed);
void mixed_free(struct mixed_kernel *kernel);
/* Matrices in a tile. */
int mixed_batch(const struct mixed_kernel *kernel);

/* As text that the caller frees: a file in the Triton language, and the kernel's signature. */
char *mixed_text(const struct mixed_kernel *kernel);
char *mixed_signature(const struct mixed_kernel *kernel);

/* `inputs` and `outputs` hold the elements as they lie in memory; outputs that are added to start
 * from zero. */
void mixed_evaluate(const struct mixed_kernel *kernel, double *const *inputs,
                    double *const *outputs);
int mixed_buffer_count(const struct mixed_kernel *kernel, const struct buffer *buffer);

#endif
