/* SPDX-License-Identifier: MIT */
/* Rules of sort and histogram. */
#include "ir/verify_tile.h"

/* The result's shape is the operand's, or shorter along axis. */
static MlirLogicalResult verify_top(MlirOperation op, MlirType source, MlirType result) {
  int64_t from[MAX_RANK], to[MAX_RANK];
  int rank = type_shape(source, from), axis = (int)op_integer(op, "axis", 0);
  if (type_shape(result, to) != rank)
    return fail_types(op, "ranks differ; use tile.reshape after the sort", source, result);
  for (int i = 0; i < rank; i++)
    if (i != axis && to[i] != from[i])
      return fail_op(op, "dimension %d goes from %lld to %lld; only the one along axis can shrink",
                     i, (long long)from[i], (long long)to[i]);
  if (to[axis] > from[axis])
    return fail_op(op, "the result has %lld elements along axis, the operand has only %lld",
                   (long long)to[axis], (long long)from[axis]);
  return SUCCESS;
}

MlirLogicalResult verify_sort(struct session *session, MlirOperation op) {
  (void)session;
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  if (!type_is_tensor(source) || !type_is_tensor(result))
    return fail_op(op, "operand and result are tensors");
  if (!type_is_number(type_element(source)))
    return fail_op(op, "the elements are numbers; use tile.ptr_to_int to sort pointers");
  TRY_IR(verify_same_element(op, source, result));
  TRY_IR(verify_boolean(op, "descending"));
  TRY_IR(verify_axis(op, (int)mlirShapedTypeGetRank(source)));
  return verify_top(op, source, result);
}

static bool is_vector_of_integers(MlirType type) {
  return type_is_tensor(type) && mlirShapedTypeGetRank(type) == 1 &&
         mlirTypeIsAInteger(type_element(type)) && !type_is_integer(type_element(type), 1);
}

MlirLogicalResult verify_histogram(struct session *session, MlirOperation op) {
  (void)session;
  MlirType source = op_operand_type(op, 0), result = op_result_type(op, 0);
  if (!is_vector_of_integers(source))
    return fail_op(op, "the operand is a 1-D tensor of i8, i16, i32 or i64; use tile.reshape");
  if (!is_vector_of_integers(result) || !type_is_integer(type_element(result), 32))
    return fail_op(op, "the result is a 1-D tensor of i32, one element a bin");
  return verify_mask(op, source,
                     mlirOperationGetNumOperands(op) > 1 ? op_operand(op, 1) : (MlirValue){0});
}
