/* SPDX-License-Identifier: MIT */
/* Rules of reduce, scan and map: operands and results, and the region that combines two elements or
   makes one.

   With n operands the region's block takes a0 .. a(n-1), b0 .. b(n-1), the operands' element types
   twice, and ends in gpu.yield of n values of these types. It works on scalars and has no effect.
   From outside it takes only what is known when the kernel is compiled. The region of a map with
   `pack` k takes k elements of each operand and yields k of each result. */
#include "ir/verify_tile.h"

static MlirLogicalResult fail_argument(MlirOperation op, intptr_t i, MlirType expected) {
  struct text text = {0};
  fail_op(op, "argument %d of the region is of type %s, as the operand's elements", (int)i,
          show_type(expected, &text));
  text_free(&text);
  return FAILURE;
}

static MlirLogicalResult verify_region_arguments(MlirOperation op, MlirBlock block) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (mlirBlockGetNumArguments(block) != 2 * count)
    return fail_op(op, "the region takes %d values, all left ones, then all right ones, not %d",
                   (int)(2 * count), (int)mlirBlockGetNumArguments(block));
  for (intptr_t i = 0; i < 2 * count; i++) {
    MlirType expected = type_element(op_operand_type(op, i % count));
    if (!mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(block, i)), expected))
      return fail_argument(op, i, expected);
  }
  return SUCCESS;
}

static MlirOperation last_operation(MlirBlock block) {
  MlirOperation last = {0}, op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    last = op;
  return last;
}

static MlirLogicalResult verify_yield(struct session *session, MlirOperation op, MlirBlock block) {
  MlirOperation yield = last_operation(block);
  if (mlirOperationIsNull(yield) || kind_of(session, yield) != OP_GPU_YIELD)
    return fail_op(op, "the region ends in gpu.yield of the combined values");
  intptr_t count = mlirOperationGetNumOperands(op);
  if (mlirOperationGetNumOperands(yield) != count)
    return fail_op(yield, "one value for each operand of %.*s: %d, not %d", (int)op_name(op).length,
                   op_name(op).data, (int)count, (int)mlirOperationGetNumOperands(yield));
  for (intptr_t i = 0; i < count; i++)
    if (!mlirTypeEqual(op_operand_type(yield, i), type_element(op_operand_type(op, i))))
      return fail_types(yield, "value and operand have different types; convert the value",
                        op_operand_type(yield, i), op_operand_type(op, i));
  return SUCCESS;
}

static bool may_combine(const struct op_info *info) {
  switch (info->effects) {
  case EFFECTS_PURE:
  case EFFECTS_PURE_MAY_TRAP:
  case EFFECTS_HINT:
  case EFFECTS_REGION:
  case EFFECTS_TERMINATOR:
    return true;
  case EFFECTS_UNKNOWN:
  case EFFECTS_READ:
  case EFFECTS_WRITE:
    /* A call is seen once it is inlined; an assertion is checked wherever two elements are
       combined. */
    return info->kind == OP_CALL || info->kind == OP_TILE_ASSERT;
  }
  return false;
}

/* Constants, and what is computed from them. */
static bool is_known(struct session *session, MlirValue value, int depth) {
  enum { DEEPEST = 12 };
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || depth == DEEPEST)
    return false;
  if (kind_of(session, op) == OP_ARITH_CONSTANT)
    return true;
  intptr_t operands = mlirOperationGetNumOperands(op);
  bool known = operands > 0 && op_info(&session->names, op)->effects == EFFECTS_PURE;
  for (intptr_t i = 0; i < operands && known; i++)
    known = is_known(session, op_operand(op, i), depth + 1);
  return known;
}

/* Where an operand is made, as an operation: that of its block for an argument. */
static MlirOperation maker_of(MlirValue value) {
  return mlirValueIsAOpResult(value)
             ? mlirOpResultGetOwner(value)
             : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
}

/* A region that is looked through, and what its messages call the operation. */
struct combiner {
  struct session *session;
  MlirOperation reduction;
  const char *name;
};

static MlirLogicalResult verify_captures(const struct combiner *combiner, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!op_is_inside(maker_of(op_operand(op, i)), combiner->reduction) &&
        !is_known(combiner->session, op_operand(op, i), 0))
      return fail_op(op,
                     "the %s takes operand %d from outside, which is known "
                     "at run time only; it computes with its arguments and constants",
                     combiner->name, (int)i);
  return SUCCESS;
}

static MlirLogicalResult verify_combiner_operation(MlirOperation op, void *data) {
  struct combiner *combiner = data;
  struct session *session = combiner->session;
  if (!may_combine(op_info(&session->names, op)))
    return fail_op(op, "the %s has no effects; move this out of it", combiner->name);
  intptr_t operands = mlirOperationGetNumOperands(op);
  intptr_t count = operands + mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; i++)
    if (type_is_tensor(i < operands ? op_operand_type(op, i) : op_result_type(op, i - operands)))
      return fail_op(op, "the %s works on scalars; make another operand of the tile",
                     combiner->name);
  return verify_captures(combiner, op);
}

static MlirLogicalResult verify_combiner(struct session *session, MlirOperation op) {
  MlirBlock block = op_body(op, 0);
  TRY_IR(verify_region_arguments(op, block));
  TRY_IR(verify_yield(session, op, block));
  return visit_operations(op, verify_combiner_operation,
                          &(struct combiner){session, op, "combiner of a reduction or scan"});
}

/* One to eight tensors of one shape, and as many results. */
static MlirLogicalResult verify_operands(MlirOperation op) {
  TRY_IR(verify_prefix(op, "operandSegmentSizes"));
  TRY_IR(verify_prefix(op, "resultSegmentSizes"));
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count == 0)
    return fail_op(op, "there are one to eight operands, not none");
  if (mlirOperationGetNumResults(op) != count)
    return fail_op(op, "each of the %d operands has a result, there are %d", (int)count,
                   (int)mlirOperationGetNumResults(op));
  MlirType first = op_operand_type(op, 0);
  if (!type_is_tensor(first))
    return fail_op(op, "the operands are tensors; a scalar is its own result");
  for (intptr_t i = 1; i < count; i++)
    TRY_IR(verify_alike(op, first, op_operand_type(op, i)));
  return verify_axis(op, (int)mlirShapedTypeGetRank(first));
}

static MlirLogicalResult fail_result(MlirOperation op, intptr_t i, MlirType expected) {
  struct text wanted = {0}, found = {0};
  fail_op(op, "result %d is %s, not %s", (int)i, show_type(expected, &wanted),
          show_type(op_result_type(op, i), &found));
  text_free(&wanted);
  text_free(&found);
  return FAILURE;
}

/* `type` without dimension `axis`; its element when no dimension is left. */
static MlirType type_without(MlirType type, int axis) {
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  for (int i = axis; i + 1 < rank; i++)
    shape[i] = shape[i + 1];
  return rank == 1 ? type_element(type)
                   : tensor_type(rank - 1, shape, type_element(type), (MlirAttribute){0});
}

MlirLogicalResult verify_reduce(struct session *session, MlirOperation op) {
  TRY_IR(verify_operands(op));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirType expected = type_without(op_operand_type(op, i), (int)op_integer(op, "axis", 0));
    MlirType result = type_with_layout(op_result_type(op, i), (MlirAttribute){0});
    if (!mlirTypeEqual(result, expected))
      return fail_result(op, i, expected);
    TRY_IR(verify_alike(op, op_result_type(op, 0), op_result_type(op, i)));
  }
  return verify_combiner(session, op);
}

MlirLogicalResult verify_scan(struct session *session, MlirOperation op) {
  TRY_IR(verify_operands(op));
  TRY_IR(verify_boolean(op, "reverse"));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!mlirTypeEqual(op_result_type(op, i), op_operand_type(op, i)))
      return fail_result(op, i, op_operand_type(op, i));
  return verify_combiner(session, op);
}

/* --- Maps ------------------------------------------------------------------------------------- */

/* One to eight tensors of one shape, and as many results of that shape. */
static MlirLogicalResult verify_map_operands(MlirOperation op) {
  TRY_IR(verify_prefix(op, "operandSegmentSizes"));
  TRY_IR(verify_prefix(op, "resultSegmentSizes"));
  intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  if (operands == 0 || results == 0)
    return fail_op(op, "there are one to eight operands, and as many results");
  MlirType first = op_operand_type(op, 0);
  if (!type_is_tensor(first))
    return fail_op(op, "the operands are tensors; the function of a scalar needs no map");
  for (intptr_t i = 1; i < operands + results; i++)
    TRY_IR(verify_alike(op, first,
                        i < operands ? op_operand_type(op, i) : op_result_type(op, i - operands)));
  return SUCCESS;
}

static MlirLogicalResult verify_map_block(struct session *session, MlirOperation op,
                                          MlirBlock block, intptr_t pack) {
  intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  MlirOperation yield = last_operation(block);
  if (mlirBlockGetNumArguments(block) != pack * operands)
    return fail_op(op, "the region takes %d values, those of the first operand first, not %d",
                   (int)(pack * operands), (int)mlirBlockGetNumArguments(block));
  for (intptr_t i = 0; i < pack * operands; i++) {
    MlirType expected = type_element(op_operand_type(op, i / pack));
    if (!mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(block, i)), expected))
      return fail_argument(op, i, expected);
  }
  if (mlirOperationIsNull(yield) || kind_of(session, yield) != OP_GPU_YIELD)
    return fail_op(op, "the region ends in gpu.yield of the results");
  if (mlirOperationGetNumOperands(yield) != pack * results)
    return fail_op(yield, "%d values for %d results, not %d", (int)(pack * results), (int)results,
                   (int)mlirOperationGetNumOperands(yield));
  for (intptr_t i = 0; i < pack * results; i++)
    if (!mlirTypeEqual(op_operand_type(yield, i), type_element(op_result_type(op, i / pack))))
      return fail_types(yield, "value and result have different types; convert the value",
                        op_operand_type(yield, i), op_result_type(op, i / pack));
  return SUCCESS;
}

MlirLogicalResult verify_map(struct session *session, MlirOperation op) {
  TRY_IR(verify_map_operands(op));
  TRY_IR(verify_integer(op, "pack"));
  int64_t pack = op_integer(op, "pack", 1);
  if (pack < 1 || pack > 16 || (pack & (pack - 1)) || pack > type_elements(op_operand_type(op, 0)))
    return fail_op(op,
                   "pack is 1, 2, 4, 8 or 16 and at most the number of elements (%lld), not %lld",
                   (long long)type_elements(op_operand_type(op, 0)), (long long)pack);
  TRY_IR(verify_map_block(session, op, op_body(op, 0), (intptr_t)pack));
  return visit_operations(op, verify_combiner_operation,
                          &(struct combiner){session, op, "function of a map"});
}
