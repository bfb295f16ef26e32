/* SPDX-License-Identifier: MIT */
/* grid_wait and grid_launch: programmatic dependent launch. */
#include "ir/module_target.h"
#include "lowering/nvvm/nvvm.h"

static MlirLogicalResult lower_dependency(struct lowering *lw, MlirOperation op, const char *kind) {
  if (machine_has(machine_of(op), FEATURE_GRID_DEPENDENCY))
    BUILD_OP(&lw->b, "nvvm.griddepcontrol", ATTRIBUTES(nvvm_kind(lw, "grid_dep_action", kind)));
  return SUCCESS;
}

MlirLogicalResult lower_grid_wait(struct lowering *lw, MlirOperation op) {
  return lower_dependency(lw, op, "wait");
}

MlirLogicalResult lower_grid_launch(struct lowering *lw, MlirOperation op) {
  return lower_dependency(lw, op, "launch_dependents");
}
