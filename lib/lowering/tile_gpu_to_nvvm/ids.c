/* SPDX-License-Identifier: MIT */
/* Program ids and grid sizes: special registers. */
#include <stdio.h>
#include "lowering/tile_gpu_to_nvvm/lowering.h"

/* `packed` is the value along x where a block holds several programs. */
static MlirLogicalResult lower_special(struct lowering *lw, MlirOperation op, const char *family,
                                       MlirValue packed) {
  char name[48];
  snprintf(name, sizeof name, "nvvm.read.ptx.sreg.%s.%c", family, "xyz"[op_integer(op, "axis", 0)]);
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  bool is_packed = lw->programs > 1 && op_integer(op, "axis", 0) == 0;
  result->base[0] = is_packed ? packed : BUILD(&lw->b, name, OUT(result->type));
  lowered_set(lw, op_result(op, 0), result);
  return SUCCESS;
}

MlirLogicalResult lower_program_id(struct lowering *lw, MlirOperation op) {
  return lower_special(lw, op, "ctaid", lw->program);
}

MlirLogicalResult lower_num_programs(struct lowering *lw, MlirOperation op) {
  return lower_special(lw, op, "nctaid", lw->program_count);
}
