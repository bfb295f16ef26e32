/* SPDX-License-Identifier: MIT */
/* tile-gpu-store-by-warps: in a block with a producer each warp stores what it has computed.

     %c = convert_layout %dot                    %c = convert_layout %dot
          : mma -> blocked<[1, 8]>        ->          : mma -> blocked<[8, 8]>
     tile.store %p, %c                           tile.store %p', %c

   Needs: final layouts, and the kernel's roles (tile-gpu-assign-roles). Keeps: what is stored, and
   how wide and how far apart the accesses of an instruction are. Where the addresses and the mask
   can be computed in the other layout (rematerialise.h).

   A result goes from the layout of a dot to one whose lanes store whole rows, through shared
   memory: in rows that are dealt out to all warps it goes from warp to warp, and all consumers wait
   for one another twice. Then all end a tile together and begin the next one together, and nobody
   multiplies meanwhile. With as many rows of one thread together as a warp's part of the dot has,
   it stays in the warp, whose lanes wait for themselves alone (layout/conversion.h): each warp
   group goes on to its next tile at its own pace. */
#include "analysis/scratch.h"
#include "base/status.h"
#include "ir/passes.h"
#include "ir/tile_ops.h"
#include "transforms/rematerialise.h"

/* Does a conversion between these types move nothing from one warp to another? */
static bool stays_in_warps(struct session *session, MlirOperation op, MlirType from, MlirType to) {
  struct layout_conversion plan = {0};
  int bytes = (int)memory_bytes(session, type_element(from));
  struct conversion_means means = relabelling_means(session, op);
  tile_status status =
      conversion_plan_chunked(layout_to_linear(&session->layouts, from),
                              layout_to_linear(&session->layouts, to), bytes, &means, &plan);
  bool stays = !status && (plan.kind != CONVERSION_SHARED || plan.within_warp);
  tile_status_free(status);
  return stays;
}

/* The conversion's layout with more rows of a thread together, in which nothing leaves its warp;
   null: there is none. */
static MlirAttribute layout_by_warps(struct session *session, MlirOperation conversion) {
  MlirType from = op_operand_type(conversion, 0), to = op_result_type(conversion, 0);
  const struct layout_info *info = layout_of_type(&session->layouts, to);
  const struct layout_info *source = layout_of_type(&session->layouts, from);
  int64_t shape[MAX_RANK];
  if (type_shape(to, shape) != 2 || !info || info->kind != LAYOUT_KIND_BLOCKED || !source ||
      source->kind != LAYOUT_KIND_MMA)
    return (MlirAttribute){0};
  struct blocked_layout blocked = info->blocked;
  int rows = blocked.order[1];
  while (blocked.size_per_thread[rows] < shape[rows]) {
    blocked.size_per_thread[rows] *= 2;
    MlirAttribute layout = blocked_attribute(&session->layouts, &blocked);
    if (stays_in_warps(session, conversion, from, type_with_layout(to, layout)))
      return layout;
  }
  return (MlirAttribute){0};
}

static bool can_have(struct session *session, MlirValue value, MlirAttribute layout,
                     struct rebuild_budget *budget) {
  return mlirValueIsNull(value) || can_rebuild(session, value, layout, budget);
}

static MlirLogicalResult visit_store(MlirOperation op, void *data) {
  struct session *session = data;
  struct tile_store store;
  if (!op_is(session, op, OP_TILE_STORE) || !tile_store_read(op, &store) ||
      !type_is_tensor(mlirValueGetType(store.value)))
    return SUCCESS;
  MlirOperation conversion = value_definition(store.value);
  if (mlirOperationIsNull(conversion) ||
      kind_of(session, conversion) != OP_TILE_GPU_CONVERT_LAYOUT ||
      !value_has_one_use(store.value) || !scratch_waits_for_block(session, conversion))
    return SUCCESS;
  MlirAttribute layout = layout_by_warps(session, conversion);
  struct rebuild_budget budget = {.operations = MAX_REMATERIALISED};
  if (mlirAttributeIsNull(layout) || !can_have(session, store.pointer, layout, &budget) ||
      !can_have(session, store.mask, layout, &budget))
    return SUCCESS;
  mlirOperationSetOperand(op, 0, rebuild(session, store.pointer, layout));
  mlirValueSetType(store.value, type_with_layout(mlirValueGetType(store.value), layout));
  if (!mlirValueIsNull(store.mask))
    mlirOperationSetOperand(op, 2, rebuild(session, store.mask, layout));
  return SUCCESS;
}

MlirLogicalResult run_store_by_warps(struct pass_context *context, MlirOperation module) {
  MlirOperation kernel = {0};
  while (next_kernel(context->session, module, &kernel))
    if (attribute_has(kernel, ATTR_PRODUCER_WARPS))
      TRY_IR(visit_operations(kernel, visit_store, context->session));
  return SUCCESS;
}
