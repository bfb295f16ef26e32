/* SPDX-License-Identifier: MIT */
/* Sorting along an axis: whole, or the first elements only. */
#include "frontend/check/operands.h"

/* Integers without a sign need to be told from those with one; a mask has none. */
static bool sort(struct checker *c, const struct builtin_call *call, int dim, bool descending,
                 int64_t keep, struct value *out) {
  int64_t shape[MAX_RANK];
  int rank, axis;
  if (!argument_tile(c, &call->arguments[0], &rank, shape) ||
      !argument_axis(c, &call->arguments[dim], rank, -1, &axis) || !operand_number(c, call, 0, out))
    return false;
  if (keep < 1 || (keep & (keep - 1)) || keep > shape[axis]) {
    if (keep)
      return check_fail(c, call->arguments[1].span,
                        "k is a power of two up to the tile's size %lld along the axis, not %lld",
                        (long long)shape[axis], (long long)keep);
    keep = shape[axis];
  }
  shape[axis] = keep;
  struct dtype dtype = out->run_time.dtype;
  bool is_unsigned = dtype_is_unsigned(dtype) || dtype_is_bool(dtype);
  MlirType type = tensor_type(rank, shape, dtype_to_mlir(&c->e, dtype), (MlirAttribute){0});
  MlirNamedAttribute attributes[] = {
      integer_attribute(&c->e, "axis", axis),
      bool_attribute(&c->e, "descending", descending),
      unit_attribute(&c->e, "unsigned"),
  };
  out->run_time.ir = BUILD(&c->e.b, "tile.sort", IN(out->run_time.ir), OUT(type),
                           .attributes = attributes, .attribute_count = is_unsigned ? 3 : 2);
  return true;
}

/* sort(x, dim, descending), and bitonic_merge: what a bitonic sequence becomes by merging is what
   it becomes by sorting. */
bool builtin_sort(struct checker *c, const struct builtin_call *call, struct value *out) {
  bool descending;
  return argument_bool(c, &call->arguments[2], false, &descending) &&
         sort(c, call, 1, descending, 0, out);
}

/* topk(x, k, dim, descending): the k largest, the largest first, or the k smallest, the smallest
   first. */
bool builtin_topk(struct checker *c, const struct builtin_call *call, struct value *out) {
  int64_t k;
  bool descending;
  if (!argument_integer(c, &call->arguments[1], 0, &k) ||
      !argument_bool(c, &call->arguments[3], true, &descending))
    return false;
  return sort(c, call, 2, descending, k ? k : -1, out);
}
