/* SPDX-License-Identifier: MIT */
/* Rules of the operations that change shapes: reshape, permute, join, split, gather. */
#include "ir/verify_tile.h"

#include <string.h>

MlirLogicalResult verify_reshape(struct session *session, MlirOperation op) {
  (void)session;
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  TRY_IR(verify_tensors(op, source, result));
  if (type_elements(source) != type_elements(result))
    return fail_types(op, "numbers of elements differ; a reshape keeps every element", source,
                      result);
  return SUCCESS;
}

/* The permutation into `order`; false when the attribute is none of `rank` dimensions. */
static bool read_order(MlirOperation op, int rank, int *order) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, ref("order"));
  if (!mlirAttributeIsADenseI32Array(attribute) || mlirDenseArrayGetNumElements(attribute) != rank)
    return false;
  unsigned seen = 0;
  for (int i = 0; i < rank; i++) {
    order[i] = mlirDenseI32ArrayGetElement(attribute, i);
    if (order[i] < 0 || order[i] >= rank || seen >> order[i] & 1)
      return false;
    seen |= 1u << order[i];
  }
  return true;
}

MlirLogicalResult verify_permute(struct session *session, MlirOperation op) {
  (void)session;
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  TRY_IR(verify_tensors(op, source, result));
  int64_t from[MAX_RANK], to[MAX_RANK];
  int order[MAX_RANK], rank = type_shape(source, from);
  if (!read_order(op, rank, order))
    return fail_op(op, "order is an array<i32: ...> attribute with each of 0 to %d once", rank - 1);
  if (type_shape(result, to) != rank)
    return fail_types(op, "ranks differ; use tile.reshape or tile.expand_dims", source, result);
  for (int i = 0; i < rank; i++)
    if (to[i] != from[order[i]])
      return fail_op(op,
                     "dimension %d of the result is %lld, expected %lld, which is dimension %d "
                     "of the operand",
                     i, (long long)to[i], (long long)from[order[i]], order[i]);
  return SUCCESS;
}

/* `whole` is `part` with a new last dimension of size 2. */
static MlirLogicalResult verify_pair(MlirOperation op, MlirType part, MlirType whole) {
  int64_t half[MAX_RANK], full[MAX_RANK];
  int rank = type_shape(part, half);
  TRY_IR(verify_same_element(op, part, whole));
  if (type_shape(whole, full) != rank + 1 || full[rank] != 2 ||
      memcmp(half, full, (size_t)rank * sizeof *half) != 0)
    return fail_types(op,
                      "the whole is a part with one more dimension, the last, of size 2; reshape "
                      "and permute it first",
                      part, whole);
  return SUCCESS;
}

MlirLogicalResult verify_join(struct session *session, MlirOperation op) {
  (void)session;
  return verify_pair(op, op_operand_type(op, 0), op_result_type(op, 0));
}

MlirLogicalResult verify_split(struct session *session, MlirOperation op) {
  (void)session;
  return verify_pair(op, op_result_type(op, 0), op_operand_type(op, 0));
}

MlirLogicalResult verify_gather(struct session *session, MlirOperation op) {
  (void)session;
  MlirType source = op_operand_type(op, 0), index = op_operand_type(op, 1);
  MlirType result = op_result_type(op, 0);
  TRY_IR(verify_tensors(op, source, result));
  if (!type_is_tensor(index) || !mlirTypeIsAInteger(type_element(index)) ||
      type_is_integer(type_element(index), 1))
    return fail_op(op, "the index is a tensor of i8, i16, i32 or i64");
  int64_t from[MAX_RANK], at[MAX_RANK];
  int rank = type_shape(source, from);
  if (type_shape(index, at) != rank)
    return fail_types(op, "ranks of source and index differ; use tile.expand_dims", source, index);
  TRY_IR(verify_axis(op, rank));
  TRY_IR(verify_alike(op, index, result));
  for (int i = 0; i < rank; i++)
    if (i != op_integer(op, "axis", 0) && from[i] != at[i])
      return fail_op(op,
                     "dimension %d is %lld in the source and %lld in the index; only the one along "
                     "axis may differ",
                     i, (long long)from[i], (long long)at[i]);
  return SUCCESS;
}
