/* SPDX-License-Identifier: MIT */
/* tile-gpu-store-by-warps: each warp stores what it has computed in a block with a producer, and
   adds it up in a loop.

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
   group goes on to its next tile at its own pace.

   What a loop adds up in memory by atomic operations goes there as the dot holds it, in blocks
   without roles, too, where the cache has no more to do for that: it works by sectors of 32 bytes,
   and four lanes with two f32 each fill one. Then no iteration makes warps wait for one another,
   and what the exchange would take of shared memory is for the loop's stages. */
#include "analysis/scratch.h"
#include "base/machine.h"
#include "base/numbers.h"
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

/* --- Sums in memory --------------------------------------------------------------------------- */

/* Sectors that a warp's instructions touch, all together, where elements along `fast` lie beside
   each other in memory, and an instruction takes `width` of a thread. */
static int64_t sectors_of(struct session *session, MlirType type, int fast, int width) {
  const struct linear_layout *held = layout_to_linear(&session->layouts, type);
  int64_t bytes = memory_bytes(session, type_element(type));
  int64_t run = linear_layout_contiguous_run(held, (enum layout_dim)(LAYOUT_DIM0 + fast));
  struct linear_layout sectors = linear_layout_into(&held->out);
  linear_layout_declare_in(&sectors, LAYOUT_LANE);
  for (int bit = 0; bit < held->in.bits[LAYOUT_LANE]; bit++) {
    struct layout_point at =
        layout_space_unpack(&held->out, linear_layout_basis(held, LAYOUT_LANE, bit));
    at.at[LAYOUT_DIM0 + fast] &= ~(uint32_t)(MACHINE_SECTOR_BYTES / bytes - 1);
    linear_layout_append(&sectors, LAYOUT_LANE, layout_space_pack(&held->out, &at));
  }
  int64_t instructions = linear_layout_in_size(held, LAYOUT_REGISTER) / smaller(run, width);
  return instructions << linear_layout_rank(&sectors);
}

/* Does the cache have as little to do where the tile is held as the dot holds it? */
static bool is_as_good(struct session *session, MlirOperation op, MlirOperation conversion) {
  MlirType from = op_operand_type(conversion, 0), to = op_result_type(conversion, 0);
  const struct layout_info *info = layout_of_type(&session->layouts, to);
  const struct layout_info *source = layout_of_type(&session->layouts, from);
  if (!info || info->kind != LAYOUT_KIND_BLOCKED || !source || source->kind != LAYOUT_KIND_MMA)
    return false;
  int fast = info->blocked.order[0], width = tile_atomic_width(op);
  return sectors_of(session, from, fast, width) <= sectors_of(session, to, fast, width);
}

static MlirLogicalResult visit_atomic(MlirOperation op, void *data) {
  struct session *session = data;
  if (!op_is(session, op, OP_TILE_ATOMIC_RMW) || !is_in_loop(session, op) ||
      value_is_used(op_result(op, 0)))
    return SUCCESS;
  MlirOperation conversion = value_definition(op_operand(op, 1));
  if (mlirOperationIsNull(conversion) ||
      kind_of(session, conversion) != OP_TILE_GPU_CONVERT_LAYOUT ||
      !scratch_waits_for_block(session, conversion) || !is_as_good(session, op, conversion))
    return SUCCESS;
  MlirAttribute layout = type_layout(op_operand_type(conversion, 0));
  struct rebuild_budget budget = {.operations = MAX_REMATERIALISED};
  bool masked = mlirOperationGetNumOperands(op) > 2;
  MlirValue mask = masked ? op_operand(op, 2) : (MlirValue){0};
  if (!can_have(session, op_operand(op, 0), layout, &budget) ||
      !can_have(session, mask, layout, &budget))
    return SUCCESS;
  mlirOperationSetOperand(op, 0, rebuild(session, op_operand(op, 0), layout));
  mlirOperationSetOperand(op, 1, op_operand(conversion, 0));
  if (masked)
    mlirOperationSetOperand(op, 2, rebuild(session, mask, layout));
  mlirValueSetType(op_result(op, 0), type_with_layout(op_result_type(op, 0), layout));
  if (!value_is_used(op_result(conversion, 0)))
    mlirOperationDestroy(conversion);
  return SUCCESS;
}

MlirLogicalResult run_store_by_warps(struct pass_context *context, MlirOperation module) {
  MlirOperation kernel = {0};
  while (next_kernel(context->session, module, &kernel)) {
    if (attribute_has(kernel, ATTR_PRODUCER_WARPS))
      TRY_IR(visit_operations(kernel, visit_store, context->session));
    TRY_IR(visit_operations(kernel, visit_atomic, context->session));
  }
  return SUCCESS;
}
