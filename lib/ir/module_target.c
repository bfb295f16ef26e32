/* SPDX-License-Identifier: MIT */
/* See module_target.h. */
#include "ir/module_target.h"

#include <string.h>

enum { DEFAULT_CAPABILITY = 90 };

int module_capability(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !op_has_attribute(op, MODULE_TARGET))
    op = mlirOperationGetParentOperation(op);
  MlirStringRef name = mlirOperationIsNull(op) ? ref("") : op_string(op, MODULE_TARGET);
  int capability = 0;
  for (size_t i = strlen("sm_"); i < name.length && name.data[i] >= '0' && name.data[i] <= '9'; i++)
    capability = capability < 10000 ? capability * 10 + (name.data[i] - '0') : capability;
  return capability ? capability : DEFAULT_CAPABILITY;
}

int module_registers(MlirOperation module, int num_warps) {
  enum { ALL = 65536, MOST = 255, LANES = 32 };
  int64_t part = ALL / (LANES * (num_warps > 0 ? num_warps : 1)), asked = op_integer(module, "tile.maxnreg", MOST);
  int64_t least = part < asked ? part : asked;
  return (int)(least < MOST ? least : MOST);
}
