/* Program ids and grid sizes: special registers. */
#include <stdio.h>
#include "lowering/tile_gpu_to_nvvm/lowering.h"

static MlirLogicalResult lower_special(struct lowering *lw, MlirOperation op, const char *family) {
  char name[48];
  snprintf(name, sizeof name, "nvvm.read.ptx.sreg.%s.%c", family,
           "xyz"[op_integer(op, "axis", 0)]);
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  result->base[0] = BUILD(&lw->b, name, OUT(result->type));
  lowered_set(lw, op_result(op, 0), result);
  return SUCCESS;
}

MlirLogicalResult lower_program_id(struct lowering *lw, MlirOperation op) {
  return lower_special(lw, op, "ctaid");
}

MlirLogicalResult lower_num_programs(struct lowering *lw, MlirOperation op) {
  return lower_special(lw, op, "nctaid");
}
