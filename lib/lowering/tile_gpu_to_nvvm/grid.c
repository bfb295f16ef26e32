/* SPDX-License-Identifier: MIT */
/* grid_wait and grid_launch: programmatic dependent launch. */
#include "ir/module_target.h"
#include "lowering/tile_gpu_to_nvvm/lowering.h"

static MlirLogicalResult lower_dependency(struct lowering *lw, MlirOperation op, const char *kind) {
  MlirContext context = lw->session->context;
  if (machine_has(machine_of(op), FEATURE_GRID_DEPENDENCY))
    BUILD_OP(
        &lw->b, "nvvm.griddepcontrol",
        ATTRIBUTES(attribute_named(context, "kind", mlirAttributeParseGet(context, ref(kind)))));
  return SUCCESS;
}

MlirLogicalResult lower_grid_wait(struct lowering *lw, MlirOperation op) {
  return lower_dependency(lw, op, "#nvvm<grid_dep_action wait>");
}

MlirLogicalResult lower_grid_launch(struct lowering *lw, MlirOperation op) {
  return lower_dependency(lw, op, "#nvvm<grid_dep_action launch_dependents>");
}
