/* SPDX-License-Identifier: MIT */
/* See laid_out.h. */
#include "driver/laid_out.h"

struct tensors {
  struct session *session;
  bool any, plain; /* without a layout */
};

static void inspect_value(struct tensors *tensors, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!type_is_tensor(type))
    return;
  tensors->any = true;
  tensors->plain |= mlirAttributeIsNull(type_layout(type));
}

static MlirLogicalResult inspect(MlirOperation op, void *data) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    inspect_value(data, op_result(op, i));
  return SUCCESS;
}

int64_t laid_out_warps(struct session *session, MlirModule module) {
  int64_t warps = attribute_number(mlirModuleGetOperation(module), ATTR_NUM_WARPS, 0);
  struct tensors tensors = {.session = session};
  bool functions = false;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; warps && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (kind_of(session, op) != OP_FUNC)
      continue;
    functions = true;
    visit_operations(op, inspect, &tensors);
  }
  return (tensors.any || !functions) && !tensors.plain ? warps : 0;
}
