/* SPDX-License-Identifier: MIT */
/* tile-assign-layouts: every tensor gets a blocked layout, row-major, one element a thread.

   Needs: kernels without calls, tensors without layouts. Keeps: what the kernels compute, and
   functions that are no kernels. Leaves: tensors with layouts, and tile_gpu.num_warps on the
   module: the number asked for, or fewer (fewer_warps.h).

     tensor<1024xf32>  ->  tensor<1024xf32, #tile_gpu.blocked<{size_per_thread = [1], ...}>> */
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/verify.h"
#include "transforms/fewer_warps.h"
#include "transforms/layout_groups.h"

const struct pass_option assign_layouts_options[] = {
    {"num-warps", OPTION_INTEGER, "4", "warps per program: a power of two from 1 to 32"},
    {"fewer-warps", OPTION_BOOLEAN, "false", "fewer where the tiles are too small for them"},
    {0}};

static MlirAttribute choose_default(struct layout_groups *groups, struct layout_group *group,
                                    MlirAttribute followed, void *data) {
  (void)followed;
  (void)data;
  int rank = (int)mlirShapedTypeGetRank(group->largest);
  int32_t order[MAX_RANK];
  for (int i = 0; i < rank; i++)
    order[i] = rank - 1 - i;
  return default_blocked(groups, group, order, 1);
}

static MlirLogicalResult assign_function(struct session *session, MlirOperation function,
                                         int num_warps) {
  struct layout_groups groups;
  layout_groups_build(&groups, session, function, num_warps);
  MlirLogicalResult result = layout_groups_apply(&groups, function, choose_default, NULL);
  layout_groups_destroy(&groups);
  return result;
}

MlirLogicalResult run_assign_layouts(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t num_warps = context->values[0].integer;
  TRY_IR(verify_num_warps(module, "tile-assign-layouts", num_warps));
  if (context->values[1].integer)
    num_warps = fewer_warps(session, module, num_warps);
  attribute_set_integer(module, ATTR_NUM_WARPS, num_warps);
  MlirOperation op = {0};
  while (next_kernel(session, module, &op))
    TRY_IR(assign_function(session, op, (int)num_warps));
  return SUCCESS;
}
