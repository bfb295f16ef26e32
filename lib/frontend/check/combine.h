/* SPDX-License-Identifier: MIT */
/* tile.reduce and tile.scan: operands combined along an axis by a region of scalars.

       struct combination sum = {.call = call, .operands = {x}, .count = 1, .axis = 0,
                                 .combine = combine_binary, .operation = BINARY_ADD};
       combine_reduce(c, &sum, &result);

   The region takes the left values of all operands, then the right ones, and yields one value for
   each operand, of the operand's own type. */
#ifndef TILE_FRONTEND_COMBINE_H
#define TILE_FRONTEND_COMBINE_H

#include "frontend/check/checker.h"

enum { MAX_COMBINED = 8 };

struct combination;

/* Emits the combination of `values` (left ones, then right ones) into `results`, one for each
   operand; false after a problem. */
typedef bool combine_function(struct checker *c, const struct combination *combination,
                              const struct value *values, struct value *results);

struct combination {
  const struct builtin_call *call;
  struct value operands[MAX_COMBINED]; /* run-time tiles of one shape, or all scalars */
  size_t count;
  int axis;
  bool all;       /* reduce along all axes; `axis` says nothing */
  bool keep_dims; /* reduce: the axis stays, with size 1 */
  bool reverse;   /* scan: from the last element on */
  combine_function *combine;
  enum binary_operator operation; /* of combine_binary */
  const struct value *callee;     /* of combine_callee: a jit function or a builtin */
};

combine_function combine_binary; /* one operand: left `operation` right */
combine_function combine_callee;

/* One result for each operand: without the axis, a scalar when no axis is left. The operands may
   have been flattened after it (`all`). */
bool combine_reduce(struct checker *c, struct combination *combination, struct value *results);
/* Results with the shape of the operands. */
bool combine_scan(struct checker *c, const struct combination *combination, struct value *results);

/* Reads `axis`, which None (or leaving it out) makes all axes, for operands that are set. */
bool combine_read_axis(struct checker *c, struct combination *combination,
                       const struct argument *argument);
/* x, or (x, y, ...) of one shape, as the operands. */
bool combine_read_operands(struct checker *c, struct combination *combination,
                           const struct argument *argument);
/* All operands as tiles of rank 1, in row-major order or in any. */
void combine_flatten(struct checker *c, struct combination *combination, bool any_order);
/* The type in which numbers are added up: small integers in 32 bits, with their sign. */
struct dtype combine_sum_dtype(struct dtype dtype);

#endif
