/* SPDX-License-Identifier: MIT */
/* Rules of tensor descriptors: make_descriptor, descriptor_load, descriptor_store. */
#include "ir/tensor_maps.h"
#include "ir/tile_ops.h"
#include "ir/verify_tile.h"

/* The block of a descriptor into `*block`. */
static MlirLogicalResult read_block(struct session *session, MlirOperation op, MlirType type,
                                    MlirType *block) {
  if (type_is_descriptor(&session->types, type)) {
    *block = descriptor_block(&session->types, type);
    return SUCCESS;
  }
  struct text text = {0};
  fail_op(op, "%s is not a descriptor (!tile.descriptor<tensor<128x64xf16>>)",
          show_type(type, &text));
  text_free(&text);
  return FAILURE;
}

static MlirLogicalResult verify_base(struct session *session, MlirOperation op, MlirType block) {
  MlirType base = op_operand_type(op, 0);
  TRY_IR(verify_pointer(session, op, base));
  if (type_is_tensor(base))
    return fail_op(op, "the base is one pointer; its tensor of pointers is what tile.load takes");
  if (!mlirTypeEqual(pointer_pointee(&session->types, base), type_element(block)))
    return fail_types(
        op,
        "the block's elements are not the pointee; tile.bitcast the pointer, or change the type",
        base, block);
  return SUCCESS;
}

/* Sizes and strides are counted in 64 bits. */
static MlirLogicalResult verify_counts(MlirOperation op) {
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); i++)
    if (!type_is_integer(op_operand_type(op, i), 64))
      return fail_op(op, "sizes and strides are i64; extend them with arith.extsi");
  return SUCCESS;
}

MlirLogicalResult verify_make_descriptor(struct session *session, MlirOperation op) {
  MlirType block;
  struct tile_descriptor made;
  int64_t last = 0;
  TRY_IR(read_block(session, op, op_result_type(op, 0), &block));
  TRY_IR(verify_base(session, op, block));
  TRY_IR(verify_counts(op));
  int rank = (int)mlirShapedTypeGetRank(block);
  if (!tile_descriptor_read(op, &made) || made.rank < rank || made.rank > MAX_DESCRIPTOR_RANK)
    return fail_op(op,
                   "a block of rank %d has as many sizes and strides, or up to %d with outer "
                   "dimensions: operandSegmentSizes = array<i32: 1, %d, %d>",
                   rank, MAX_DESCRIPTOR_RANK, rank, rank);
  if (!uniform_integer(session, made.strides[made.rank - 1], &last) || last != 1)
    return fail_op(op, "the last dimension is contiguous: its stride is the constant 1");
  if (made.pads_with_nan && !mlirTypeIsAFloat(type_element(block)))
    return fail_op(op, "only floating-point elements are padded with NaN");
  return SUCCESS;
}

/* Dimensions of the tensor, as far as the descriptor, or a parameter's recipe, says. */
static intptr_t rank_of_tensor(struct session *session, MlirOperation op, intptr_t otherwise) {
  struct tile_descriptor made;
  MlirOperation make = value_definition(op_operand(op, 0));
  if (op_is(session, make, OP_TILE_MAKE_DESCRIPTOR) && tile_descriptor_read(make, &made))
    return made.rank;
  int rank = tensor_map_rank(session, op_operand(op, 0));
  return rank ? rank : otherwise;
}

/* The offsets, from operand `first` on, of a tensor of that rank. */
static MlirLogicalResult verify_offsets(MlirOperation op, intptr_t first, intptr_t rank) {
  intptr_t count = mlirOperationGetNumOperands(op) - first;
  if (count != rank)
    return fail_op(op, "%d offset(s) for a tensor of rank %d; give one a dimension", (int)count,
                   (int)rank);
  MlirType type = op_operand_type(op, first);
  if (!type_is_integer(type, 32) && !type_is_integer(type, 64))
    return fail_op(op, "offsets are i32 or i64; convert them");
  return SUCCESS;
}

/* The value of a load or a store has the block's type, but for a layout. */
static MlirLogicalResult verify_block_value(MlirOperation op, MlirType block, MlirType value) {
  if (!mlirTypeEqual(type_with_layout(value, (MlirAttribute){0}), block))
    return fail_types(op, "the value's type is not the block; convert or reshape it", value, block);
  return SUCCESS;
}

/* The descriptor's block, and the offsets from operand `first` on: one a dimension of the tensor,
   which may have outer ones. */
static MlirLogicalResult verify_access(struct session *session, MlirOperation op, intptr_t first,
                                       MlirType *block) {
  TRY_IR(read_block(session, op, op_operand_type(op, 0), block));
  intptr_t rank = mlirShapedTypeGetRank(*block), count = mlirOperationGetNumOperands(op) - first;
  bool outer = count > rank && count <= MAX_DESCRIPTOR_RANK;
  return verify_offsets(op, first, rank_of_tensor(session, op, outer ? count : rank));
}

MlirLogicalResult verify_descriptor_load(struct session *session, MlirOperation op) {
  MlirType block;
  TRY_IR(verify_access(session, op, 1, &block));
  return verify_block_value(op, block, op_result_type(op, 0));
}

MlirLogicalResult verify_descriptor_store(struct session *session, MlirOperation op) {
  MlirType block;
  TRY_IR(verify_access(session, op, 2, &block));
  return verify_block_value(op, block, op_operand_type(op, 1));
}
