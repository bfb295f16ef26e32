/* SPDX-License-Identifier: MIT */
/* Threads among each other: which of several holders of an element stores it, and barriers. Where
   barriers are needed is tile-gpu-insert-barriers' knowledge. */
#include "ir/build.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

MlirValue build_is_zero(struct lowering *lw, uint32_t mask) {
  MlirValue copy = build_binary(&lw->b, "arith.andi", lw->thread, constant_integer(lw, 32, mask));
  return build_compare(&lw->b, I_EQUAL, copy, constant_integer(lw, 32, 0));
}

MlirValue storing_thread(struct lowering *lw, const struct linear_layout *layout) {
  uint32_t mask = linear_layout_thread_copies(layout, lw->num_warps);
  return mask ? build_is_zero(lw, mask) : (MlirValue){0};
}

const struct linear_layout *layout_of_pointer(struct lowering *lw, MlirValue pointer) {
  MlirType type = mlirValueGetType(pointer);
  return type_is_tensor(type) ? layout_to_linear(&lw->session->layouts, type) : NULL;
}

/* The threads of a program of one warp are that warp's lanes. */
void build_barrier(struct lowering *lw) {
  (lw->num_warps == 1 ? lw->device->warp_barrier : lw->device->barrier)(lw);
}

MlirLogicalResult lower_barrier(struct lowering *lw, MlirOperation op) {
  if (op_has_attribute(op, "warp"))
    lw->device->warp_barrier(lw);
  else
    build_barrier(lw);
  return SUCCESS;
}
