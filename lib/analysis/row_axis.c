/* SPDX-License-Identifier: MIT */
/* See row_axis.h. */
#include "analysis/row_axis.h"

static int64_t size_of(MlirType type, int64_t axis) {
  return mlirShapedTypeGetDimSize(type, (intptr_t)axis);
}

/* A dimension of the same size with as many elements in the dimensions before it. */
static int axis_of_reshape(MlirType from, MlirType to, int axis) {
  int64_t before = 1, passed = 1;
  for (int i = 0; i < axis; i++)
    before *= size_of(from, i);
  for (int i = 0; i < mlirShapedTypeGetRank(to); i++) {
    if (passed == before && size_of(to, i) == size_of(from, axis))
      return i;
    passed *= size_of(to, i);
  }
  return -1;
}

static int axis_of_permutation(MlirOperation op, int axis, bool after) {
  MlirAttribute order = mlirOperationGetAttributeByName(op, ref("order"));
  if (!after)
    return mlirDenseI32ArrayGetElement(order, axis);
  int to = 0;
  while (mlirDenseI32ArrayGetElement(order, to) != axis)
    to++;
  return to;
}

/* Where a dimension `at` is left out. */
static int axis_without(int axis, int at) {
  return axis == at ? -1 : axis - (axis > at);
}

static int axis_through(struct session *session, MlirOperation op, int axis, bool after) {
  MlirType operand = op_operand_type(op, 0), result = op_result_type(op, 0);
  enum op_kind kind = kind_of(session, op);
  int at = (int)op_integer(op, "axis", 0);
  if (KIND_IN(kind, OP_TILE_GPU_CONVERT_LAYOUT, OP_TILE_BROADCAST, OP_TILE_GPU_ALLOC))
    return axis;
  if (kind == OP_TILE_RESHAPE && op_has_attribute(op, "reorder"))
    return -1;
  if (kind == OP_TILE_RESHAPE)
    return axis_of_reshape(after ? operand : result, after ? result : operand, axis);
  if (KIND_IN(kind, OP_TILE_PERMUTE, OP_TILE_GPU_TRANSPOSE))
    return axis_of_permutation(op, axis, after);
  if (KIND_IN(kind, OP_TILE_EXPAND_DIMS, OP_TILE_REDUCE))
    return (kind == OP_TILE_REDUCE) == after ? axis_without(axis, at) : axis + (axis >= at);
  return -1;
}

int row_axis_after(struct session *session, MlirOperation op, int axis) {
  return axis_through(session, op, axis, true);
}

int row_axis_before(struct session *session, MlirOperation op, int axis) {
  return axis_through(session, op, axis, false);
}
