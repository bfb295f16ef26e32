/* SPDX-License-Identifier: MIT */
/* The elements of tiles in another shape or order: reshape, permute, join, split and what is made
   of them. */
#include "frontend/check/checker.h"
#include "frontend/check/shapes.h"

static bool is_descriptor(const struct argument *argument) {
  return argument->value.kind == VALUE_DESCRIPTOR;
}

/* --- The same elements ------------------------------------------------------------------------ */

/* reshape(x, 4, 8), x.reshape((4, 8)), view. */
bool builtin_reshape(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  int64_t shape[MAX_RANK];
  int rank;
  bool can_reorder, allow_reorder;
  return argument_run_time(c, &a[0], out) && argument_shape(c, &a[1], &rank, shape) &&
         argument_bool(c, &a[2], false, &can_reorder) &&
         argument_bool(c, &a[3], false, &allow_reorder) &&
         emit_reshape(&c->e, out, rank, shape, can_reorder || allow_reorder);
}

bool builtin_ravel(struct checker *c, const struct builtin_call *call, struct value *out) {
  int64_t shape[MAX_RANK], elements = 1;
  bool can_reorder;
  if (!argument_run_time(c, &call->arguments[0], out) ||
      !argument_bool(c, &call->arguments[1], false, &can_reorder))
    return false;
  for (int i = value_shape(out, shape); i > 0; i--)
    elements *= shape[i - 1];
  return emit_reshape(&c->e, out, 1, &elements, can_reorder);
}

bool builtin_item(struct checker *c, const struct builtin_call *call, struct value *out) {
  return argument_run_time(c, &call->arguments[0], out) && emit_item(&c->e, out);
}

/* expand_dims(x, axis) and unsqueeze: axis counts in the result, a tuple makes several. */
bool builtin_expand_dims(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *axis = &call->arguments[1];
  int64_t axes[MAX_RANK], shape[MAX_RANK];
  int count;
  unsigned seen = 0;
  if (!argument_run_time(c, &call->arguments[0], out) ||
      !argument_integers(c, axis, "an axis", &count, axes))
    return false;
  int rank = value_shape(out, shape) + count;
  if (rank > MAX_RANK)
    return check_fail(c, call->span, "a tile has at most %d dimensions", MAX_RANK);
  for (int i = 0; i < count; i++) {
    int64_t at = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (at < 0 || at >= rank)
      return check_fail(c, axis->span, "invalid axis %lld; it is %d to %d", (long long)axes[i],
                        -rank, rank - 1);
    if (seen & 1u << at)
      return check_fail(c, axis->span, "the axis %lld is given twice", (long long)at);
    seen |= 1u << at;
  }
  for (int at = 0; at < rank; at++) {
    if (!(seen & 1u << at))
      continue;
    bool scalar = value_shape(out, shape) == 0;
    int64_t one = 1;
    if (!(scalar ? emit_broadcast_to(&c->e, out, 1, &one) : emit_expand_dims(&c->e, out, at)))
      return false;
  }
  return true;
}

bool builtin_squeeze(struct checker *c, const struct builtin_call *call, struct value *out) {
  int64_t shape[MAX_RANK];
  int rank, dim;
  if (!argument_tile(c, &call->arguments[0], &rank, shape) ||
      !argument_axis(c, &call->arguments[1], rank, 0, &dim))
    return false;
  if (shape[dim] != 1)
    return check_fail(c, call->arguments[1].span, "dimension %d has %lld elements, not 1", dim,
                      (long long)shape[dim]);
  for (int i = dim; i + 1 < rank; i++)
    shape[i] = shape[i + 1];
  *out = call->arguments[0].value;
  return emit_reshape(&c->e, out, rank - 1, shape, false);
}

/* --- Dimensions permuted ---------------------------------------------------------------------- */

/* permute(x, 1, 0), trans(x, 1, 0); trans(x) swaps the last two. */
bool builtin_permute(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *dims = &call->arguments[1];
  int64_t shape[MAX_RANK], given[MAX_RANK] = {0};
  int rank, count = 0, order[MAX_RANK];
  if (!argument_tile(c, &call->arguments[0], &rank, shape))
    return false;
  for (int i = 0; i < rank; i++)
    order[i] = i;
  if (!argument_given(dims)) {
    if (rank < 2)
      return check_fail(c, call->span, "a tile of one dimension has none to transpose");
    order[rank - 2] = rank - 1;
    order[rank - 1] = rank - 2;
  } else {
    if (!argument_integers(c, dims, "an order", &count, given))
      return false;
    if (count != rank)
      return check_fail(c, dims->span, "the order names each of the %d dimensions once", rank);
    for (int i = 0; i < rank; i++)
      order[i] = (int)(given[i] < -rank || given[i] >= rank ? -1
                       : given[i] < 0                       ? given[i] + rank
                                                            : given[i]);
  }
  *out = call->arguments[0].value;
  return emit_permute(&c->e, out, order);
}

/* --- Two tiles and one ------------------------------------------------------------------------ */

/* Two arguments of one type and shape. A number takes the other's type. */
static bool alike(struct checker *c, const struct builtin_call *call, struct value *a,
                  struct value *b) {
  const struct argument *x = &call->arguments[0], *y = &call->arguments[1];
  *a = x->value;
  *b = y->value;
  if (a->kind == VALUE_RUNTIME && value_is_number(b)) {
    if (!emit_cast(&c->e, &y->value, a->run_time.dtype, b))
      return check_fail_emitter(c, y->span);
  } else if (b->kind == VALUE_RUNTIME && value_is_number(a)) {
    if (!emit_cast(&c->e, &x->value, b->run_time.dtype, a))
      return check_fail_emitter(c, x->span);
  }
  if (!argument_run_time(c, &(struct argument){*a, x->span, true}, a) ||
      !argument_run_time(c, &(struct argument){*b, y->span, true}, b))
    return false;
  if (!dtype_equal(a->run_time.dtype, b->run_time.dtype))
    return check_fail(c, call->span, "%s takes two of one type, not %s and %s; cast one with .to()",
                      builtin_label(c, call->builtin), dtype_text(&c->e.arena, a->run_time.dtype),
                      dtype_text(&c->e.arena, b->run_time.dtype));
  return emit_broadcast(&c->e, a, b);
}

bool builtin_join(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value a, b;
  return alike(c, call, &a, &b) && emit_join(&c->e, &a, &b, out);
}

bool builtin_split(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value parts[2];
  int64_t shape[MAX_RANK];
  int rank;
  if (!argument_tile(c, &call->arguments[0], &rank, shape) ||
      !emit_split(&c->e, &call->arguments[0].value, &parts[0], &parts[1]))
    return false;
  *out = value_tuple(&c->e.arena, parts, 2);
  return true;
}

/* a0 b0 a1 b1 ...: joined, and the new dimension merged with the last. */
bool builtin_interleave(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value a, b;
  int64_t shape[MAX_RANK];
  if (!alike(c, call, &a, &b) || !emit_join(&c->e, &a, &b, out))
    return false;
  int rank = value_shape(&a, shape);
  if (rank == 0)
    return true;
  shape[rank - 1] *= 2;
  return emit_reshape(&c->e, out, rank, shape, false);
}

/* The second after the first along `dim`: joined, the new dimension moved before dim and
   merged with it. */
bool builtin_cat(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value a, b;
  int64_t shape[MAX_RANK];
  int dim, order[MAX_RANK];
  bool can_reorder;
  if (!alike(c, call, &a, &b) || !argument_bool(c, &call->arguments[2], false, &can_reorder))
    return false;
  int rank = value_shape(&a, shape);
  if (rank == 0) {
    int64_t one = 1;
    if (!emit_broadcast_to(&c->e, &a, 1, &one) || !emit_broadcast_to(&c->e, &b, 1, &one))
      return false;
    rank = value_shape(&a, shape);
  }
  if (!argument_axis(c, &call->arguments[3], rank, 0, &dim) || !emit_join(&c->e, &a, &b, out))
    return false;
  for (int i = 0; i <= rank; i++)
    order[i] = i < dim ? i : i == dim ? rank : i - 1;
  shape[dim] *= 2;
  return emit_permute(&c->e, out, order) && emit_reshape(&c->e, out, rank, shape, false);
}

/* --- Elements picked -------------------------------------------------------------------------- */

bool builtin_gather(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *index = &call->arguments[1];
  int64_t shape[MAX_RANK];
  int rank, axis;
  if (is_descriptor(&call->arguments[0]))
    return check_fail(c, call->span,
                      "gathering through a tensor descriptor is not supported; load "
                      "through a tile of pointers");
  if (!argument_tile(c, &call->arguments[0], &rank, shape) ||
      !argument_axis(c, &call->arguments[2], rank, 0, &axis))
    return false;
  if (!argument_is_tile(index) || !dtype_is_integer(index->value.run_time.dtype) ||
      dtype_is_bool(index->value.run_time.dtype))
    return argument_fail(c, index, "a tile of integers");
  return emit_gather(&c->e, &call->arguments[0].value, &index->value, axis, out);
}

/* flip(x, dim): gathered from the far end. Without a dimension, the last. */
bool builtin_flip(struct checker *c, const struct builtin_call *call, struct value *out) {
  int64_t shape[MAX_RANK];
  int rank, dim;
  struct value index, last;
  if (!argument_tile(c, &call->arguments[0], &rank, shape) ||
      !argument_axis(c, &call->arguments[1], rank, rank - 1, &dim))
    return false;
  last = value_integer(shape[dim] - 1);
  emit_range(&c->e, 0, shape[dim], &index);
  if (!emit_binary(&c->e, BINARY_SUBTRACT, &last, &index, &index))
    return false;
  for (int i = dim + 1; i < rank; i++)
    if (!emit_expand_dims(&c->e, &index, i - dim))
      return false;
  return emit_broadcast_to(&c->e, &index, rank, shape) &&
         emit_gather(&c->e, &call->arguments[0].value, &index, dim, out);
}

/* How often each of 0 .. num_bins - 1 occurs. */
bool builtin_histogram(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *input = &call->arguments[0], *mask = &call->arguments[2];
  int64_t shape[MAX_RANK], bins[MAX_RANK];
  int rank, bin_rank;
  struct value truth;
  if (!argument_tile(c, input, &rank, shape) ||
      !argument_shape(c, &call->arguments[1], &bin_rank, bins))
    return false;
  if (rank != 1 || !dtype_is_integer(input->value.run_time.dtype))
    return argument_fail(c, input, "a tile of integers with one dimension");
  if (bin_rank != 1)
    return argument_fail(c, &call->arguments[1], "the number of bins");
  bool masked = argument_given(mask);
  struct value data = input->value;
  if (masked &&
      (!emit_truth(&c->e, &mask->value, &truth) || !emit_broadcast_to(&c->e, &truth, rank, shape)))
    return check_fail_emitter(c, mask->span);
  if (dtype_bits(data.run_time.dtype) < 32 && !emit_cast(&c->e, &data, DTYPE(INT32), &data))
    return check_fail_emitter(c, input->span);
  MlirType type = tensor_type(1, bins, dtype_to_mlir(&c->e, DTYPE(INT32)), (MlirAttribute){0});
  MlirValue in[] = {data.run_time.ir, masked ? truth.run_time.ir : (MlirValue){0}};
  *out = value_runtime(
      BUILD(&c->e.b, "tile.histogram", .in = in, .in_count = 1 + masked, OUT(type)), DTYPE(INT32));
  return true;
}
