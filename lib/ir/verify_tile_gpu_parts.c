/* SPDX-License-Identifier: MIT */
/* The rules of tile_gpu.store_part, tile_gpu.add_part and tile_gpu.add_scaled_part. */
#include "ir/verify_tile.h"

static MlirLogicalResult verify_part(struct session *session, MlirOperation op, MlirType pointer,
                                     MlirType tile) {
  struct type_cache *types = &session->types;
  if (!type_is_pointer(types, pointer) || !type_is_integer(pointer_pointee(types, pointer), 32))
    return fail_op(op, "the address is a !tile.ptr<i32>, whatever the elements are");
  MlirType element = type_element(tile);
  if (!type_is_tensor(tile) || !(mlirTypeIsAF32(element) || type_is_integer(element, 32)))
    return fail_op(op, "a part is a tile of f32 or i32; extend its elements first");
  if (!layout_to_linear(&session->layouts, tile))
    return fail_op(op,
                   "the tile has no layout, and so no registers; run tile-assign-layouts first");
  return SUCCESS;
}

MlirLogicalResult verify_store_part(struct session *session, MlirOperation op) {
  return verify_part(session, op, op_operand_type(op, 1), op_operand_type(op, 0));
}

MlirLogicalResult verify_add_part(struct session *session, MlirOperation op) {
  return verify_part(session, op, op_operand_type(op, 1), op_operand_type(op, 0));
}

MlirLogicalResult verify_add_scaled_part(struct session *session, MlirOperation op) {
  TRY_IR(verify_part(session, op, op_operand_type(op, 1), op_operand_type(op, 0)));
  if (!mlirTypeIsAF32(type_element(op_operand_type(op, 0))))
    return fail_op(op, "what is scaled is a tile of f32; integers are added by tile_gpu.add_part");
  return SUCCESS;
}
