/* SPDX-License-Identifier: MIT */
/* See module_target.h. */
#include "ir/module_target.h"

#include "ir/attributes.h"

const struct machine *machine_of(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !attribute_has(op, ATTR_TARGET))
    op = mlirOperationGetParentOperation(op);
  MlirStringRef name = mlirOperationIsNull(op) ? ref("") : attribute_text(op, ATTR_TARGET);
  const struct machine *machine = machine_find(name.data, name.length);
  return machine ? machine : machine_default();
}

MlirOperation module_of(MlirOperation op) {
  while (!mlirOperationIsNull(mlirOperationGetParentOperation(op)))
    op = mlirOperationGetParentOperation(op);
  return op;
}

int64_t loop_num_stages(MlirOperation loop) {
  MlirOperation asks = attribute_has(loop, ATTR_NUM_STAGES) ? loop : module_of(loop);
  return attribute_number(asks, ATTR_NUM_STAGES, 1);
}

int module_registers(MlirOperation module, int num_warps) {
  const struct machine *machine = machine_of(module);
  int64_t most =
      machine_registers_for(machine, (int64_t)machine->lanes * (num_warps > 0 ? num_warps : 1));
  int64_t asked = attribute_number(module, ATTR_MAXNREG, most);
  return (int)(asked < most ? asked : most);
}
