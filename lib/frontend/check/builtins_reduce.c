/* SPDX-License-Identifier: MIT */
/* Reductions: sums, extrema and where they are, and reductions by a function of the kernel's file.
 */
#include "frontend/check/combine.h"
#include "frontend/check/operands.h"
#include "frontend/check/shapes.h"

/* --- Of one tile ------------------------------------------------------------------------------ */

/* The first argument as the only operand, of numbers. */
static bool read_tile(struct checker *c, const struct builtin_call *call,
                      struct combination *combination) {
  combination->call = call;
  combination->count = 1;
  return operand_number(c, call, 0, &combination->operands[0]);
}

static bool cast_tile(struct checker *c, struct combination *combination, struct dtype dtype) {
  return operand_cast(c, dtype, &combination->operands[0]);
}

/* One operator along an axis, on operands that are read: arguments axis (1) and keep_dims. */
static bool reduce_binary(struct checker *c, struct combination *combination,
                          enum binary_operator operation, int keep_dims, struct value *out) {
  const struct argument *arguments = combination->call->arguments;
  combination->combine = combine_binary;
  combination->operation = operation;
  return combine_read_axis(c, combination, &arguments[1]) &&
         argument_bool(c, &arguments[keep_dims], false, &combination->keep_dims) &&
         combine_reduce(c, combination, out);
}

/* sum(input, axis, keep_dims, dtype): in `dtype` when it is given. */
bool builtin_sum(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct combination sum = {0};
  struct dtype dtype;
  return read_tile(c, call, &sum) &&
         argument_dtype(c, &call->arguments[3], combine_sum_dtype(sum.operands[0].run_time.dtype),
                        &dtype) &&
         cast_tile(c, &sum, dtype) && reduce_binary(c, &sum, BINARY_ADD, 2, out);
}

/* xor_sum, reduce_or */
bool builtin_reduce_bits(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct combination combination = {0};
  if (!read_tile(c, call, &combination))
    return false;
  if (!dtype_is_integer(combination.operands[0].run_time.dtype))
    return operand_fail(c, call, 0, "integers");
  return reduce_binary(c, &combination, (enum binary_operator)call->variant, 2, out);
}

/* --- Extrema ---------------------------------------------------------------------------------- */

/* Without indices all of less than 32 bits goes on in 32, as in Triton. */
static bool widen_extremum(struct checker *c, struct combination *combination) {
  struct dtype dtype = combination->operands[0].run_time.dtype;
  if (dtype_bits(dtype) >= 32)
    return true;
  return cast_tile(c, combination, dtype_is_float(dtype) ? DTYPE(FLOAT32) : DTYPE(INT32));
}

/* (value, index) of the better of two elements; of equal ones the left one, or either (`fast`). */
static bool combine_indexed(struct checker *c, const struct combination *combination, bool fast,
                            const struct value *values, struct value *results) {
  const struct value *left = &values[0], *right = &values[2];
  struct value take, equal, earlier;
  bool good = emit_binary(&c->e, combination->operation, &left[0], &right[0], &take);
  if (!fast)
    good = good && emit_binary(&c->e, BINARY_EQUAL, &left[0], &right[0], &equal) &&
           emit_binary(&c->e, BINARY_LESS, &left[1], &right[1], &earlier) &&
           emit_binary(&c->e, BINARY_AND, &equal, &earlier, &equal) &&
           emit_binary(&c->e, BINARY_OR, &take, &equal, &take);
  return good && emit_where(&c->e, &take, &left[0], &right[0], &results[0]) &&
         emit_where(&c->e, &take, &left[1], &right[1], &results[1]);
}

static bool combine_indexed_left(struct checker *c, const struct combination *combination,
                                 const struct value *values, struct value *results) {
  return combine_indexed(c, combination, false, values, results);
}

static bool combine_indexed_fast(struct checker *c, const struct combination *combination,
                                 const struct value *values, struct value *results) {
  return combine_indexed(c, combination, true, values, results);
}

/* The second operand: each element's index along the axis, i32. */
static bool add_indices(struct checker *c, struct combination *combination) {
  int64_t shape[MAX_RANK];
  int rank = type_shape(mlirValueGetType(combination->operands[0].run_time.ir), shape);
  struct value *indices = &combination->operands[1];
  combination->count = 2;
  emit_range(&c->e, 0, shape[combination->axis], indices);
  for (int i = 1; i < rank; i++) /* new dimensions after it, then before */
    if (!emit_expand_dims(&c->e, indices, i < rank - combination->axis ? i : 0))
      return false;
  return emit_broadcast_to(&c->e, indices, rank, shape);
}

/* `better`: BINARY_GREATER for the maximum. Arguments axis (1), tie (`tie`), keep_dims
   (`keep_dims`). results: the value, its index. */
static bool reduce_indexed(struct checker *c, struct combination *combination,
                           enum binary_operator better, int tie, int keep_dims,
                           struct value *results) {
  const struct argument *arguments = combination->call->arguments;
  bool left;
  combination->operation = better;
  if (!combine_read_axis(c, combination, &arguments[1]) ||
      !argument_bool(c, &arguments[tie], true, &left) ||
      !argument_bool(c, &arguments[keep_dims], false, &combination->keep_dims))
    return false;
  if (!argument_is_tile(&arguments[0]))
    return operand_fail(c, combination->call, 0, "a tile");
  int64_t shape[MAX_RANK];
  int rank = type_shape(mlirValueGetType(combination->operands[0].run_time.ir), shape);
  if (combination->all) { /* the index counts all elements, in row-major order */
    if (combination->keep_dims && rank > 1)
      return check_fail(c, combination->call->span, "an index with keep_dims needs an axis");
    combine_flatten(c, combination, false);
    combination->all = false;
    combination->axis = 0;
  }
  combination->combine = left ? combine_indexed_left : combine_indexed_fast;
  return add_indices(c, combination) && combine_reduce(c, combination, results);
}

/* max(input, axis, return_indices, return_indices_tie_break_left, keep_dims), and min. */
bool builtin_reduce_extremum(struct checker *c, const struct builtin_call *call,
                             struct value *out) {
  enum binary_operator operation = (enum binary_operator)call->variant;
  enum binary_operator better = operation == BINARY_MAXIMUM ? BINARY_GREATER : BINARY_LESS;
  struct combination combination = {0};
  struct value results[2];
  bool indices;
  if (!read_tile(c, call, &combination) || !argument_bool(c, &call->arguments[2], false, &indices))
    return false;
  if (!indices)
    return widen_extremum(c, &combination) && reduce_binary(c, &combination, operation, 4, out);
  if (!reduce_indexed(c, &combination, better, 3, 4, results))
    return false;
  *out = value_tuple(&c->e.arena, results, 2);
  return true;
}

/* argmax(input, axis, tie_break_left, keep_dims), and argmin. */
bool builtin_reduce_index(struct checker *c, const struct builtin_call *call, struct value *out) {
  enum binary_operator better = (enum binary_operator)call->variant;
  struct combination combination = {0};
  struct value results[2];
  if (!read_tile(c, call, &combination) || !reduce_indexed(c, &combination, better, 2, 3, results))
    return false;
  *out = results[1];
  return true;
}

/* --- By a function ---------------------------------------------------------------------------- */

/* reduce(input, axis, combine_fn, keep_dims): a tuple of tiles gives a tuple. */
bool builtin_reduce(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *arguments = call->arguments;
  struct combination combination = {
      .call = call, .combine = combine_callee, .callee = &arguments[2].value};
  struct value results[MAX_COMBINED];
  if (!combine_read_operands(c, &combination, &arguments[0]) ||
      !combine_read_axis(c, &combination, &arguments[1]) ||
      !argument_bool(c, &arguments[3], false, &combination.keep_dims) ||
      !combine_reduce(c, &combination, results))
    return false;
  *out = arguments[0].value.kind == VALUE_TUPLE
             ? value_tuple(&c->e.arena, results, combination.count)
             : results[0];
  return true;
}

/* --- Softmax ---------------------------------------------------------------------------------- */

/* Reduces x along the axis and gives the result x's shape again. */
static bool reduce_back(struct checker *c, const struct builtin_call *call, int axis,
                        enum binary_operator operation, const struct value *x, struct value *out) {
  struct combination combination = {.call = call,
                                    .operands = {*x},
                                    .count = 1,
                                    .axis = axis,
                                    .keep_dims = true,
                                    .combine = combine_binary,
                                    .operation = operation};
  struct value like = *x;
  return combine_reduce(c, &combination, out) && emit_broadcast(&c->e, out, &like);
}

/* softmax(x, dim, keep_dims, ieee_rounding): exp(x - max) / sum(exp(x - max)) along dim (0 if
   None). The result has x's shape, with and without keep_dims. */
bool builtin_softmax(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *arguments = call->arguments;
  int64_t shape[MAX_RANK];
  int rank, axis;
  bool keep_dims, exact;
  struct value x, largest, quotient[2];
  if (!argument_tile(c, &arguments[0], &rank, shape) ||
      !argument_axis(c, &arguments[1], rank, 0, &axis) ||
      !argument_bool(c, &arguments[2], false, &keep_dims) ||
      !argument_bool(c, &arguments[3], false, &exact) || !operands_alike(c, call, 1, true, &x))
    return false;
  struct dtype own = x.run_time.dtype;
  if (operand_is_half(&x) && !operand_cast(c, DTYPE(FLOAT32), &x))
    return false;
  if (!reduce_back(c, call, axis, BINARY_MAXIMUM, &x, &largest) ||
      !emit_binary(&c->e, BINARY_SUBTRACT, &x, &largest, &x))
    return false;
  quotient[0] = operand_exp(c, &x);
  if (!reduce_back(c, call, axis, BINARY_ADD, &quotient[0], &quotient[1]))
    return false;
  *out = operand_quotient(c, quotient, exact);
  return operand_cast(c, own, out);
}
