/* SPDX-License-Identifier: MIT */
/* Program ids and grid sizes. */
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* `packed` is the value along x where a block holds several programs. */
static MlirLogicalResult lower_place(struct lowering *lw, MlirOperation op, enum device_index index,
                                     MlirValue packed) {
  int axis = (int)op_integer(op, "axis", 0);
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  bool is_packed = lw->programs > 1 && axis == 0;
  result->base[0] = is_packed ? packed : lw->device->index(lw, index, axis);
  return lowered_result(lw, op, result);
}

MlirLogicalResult lower_program_id(struct lowering *lw, MlirOperation op) {
  return lower_place(lw, op, INDEX_BLOCK, lw->program);
}

MlirLogicalResult lower_num_programs(struct lowering *lw, MlirOperation op) {
  return lower_place(lw, op, INDEX_BLOCK_COUNT, lw->program_count);
}
