/* SPDX-License-Identifier: MIT */
/* The rules of tile_gpu.store_part and tile_gpu.add_part. */
#include "ir/verify_tile.h"

enum { ACCESS_REGISTERS = 4 };

static MlirLogicalResult verify_part(struct session *session, MlirOperation op, MlirType pointer,
                                     MlirType tile) {
  struct type_cache *types = &session->types;
  if (!type_is_pointer(types, pointer) || !type_is_integer(pointer_pointee(types, pointer), 32))
    return fail_op(op, "the address is a !tile.ptr<i32>, whatever the elements are");
  MlirType element = type_element(tile);
  if (!type_is_tensor(tile) || !(mlirTypeIsAF32(element) || type_is_integer(element, 32)))
    return fail_op(op, "a part is a tile of f32 or i32; extend its elements first");
  const struct linear_layout *layout = layout_to_linear(&session->layouts, tile);
  if (!layout)
    return fail_op(op,
                   "the tile has no layout, and so no registers; run tile-assign-layouts first");
  struct layout_point copies = linear_layout_free_masks(layout);
  if (copies.at[LAYOUT_REGISTER] || copies.at[LAYOUT_LANE] || copies.at[LAYOUT_WARP])
    return fail_op(op, "several registers or threads hold one element; convert the layout first");
  if (linear_layout_in_size(layout, LAYOUT_REGISTER) % ACCESS_REGISTERS)
    return fail_op(op, "a thread has %d registers of the tile, not a multiple of %d",
                   (int)linear_layout_in_size(layout, LAYOUT_REGISTER), ACCESS_REGISTERS);
  return SUCCESS;
}

MlirLogicalResult verify_store_part(struct session *session, MlirOperation op) {
  return verify_part(session, op, op_operand_type(op, 1), op_operand_type(op, 0));
}

MlirLogicalResult verify_add_part(struct session *session, MlirOperation op) {
  return verify_part(session, op, op_operand_type(op, 1), op_operand_type(op, 0));
}
