/* SPDX-License-Identifier: MIT */
/* tile-gpu-bulk-stores: results of dots leave by bulk stores, each warp's by its own.

     tile_gpu.store_box %d, %i, %j {number 0}
     %c = convert_layout %dot : mma -> blocked          tile_gpu.bulk_store %d, %dot, %buffer, %i,
   %j tile.store %p, %c, %mask      {number 0}     ->

   Needs: final layouts, what tile-find-store-boxes has said, and the kernel's roles
   (tile-gpu-assign-roles). Keeps: what is stored; no launch takes the version for which the
   descriptor does not say it. Takes tile_gpu.store_box away, and the parameters of those that it
   does not use.

   Which stores: those whose tile goes through shared memory anyway, from the layout of a dot to one
   whose lanes store whole rows, and of which each warp holds whole boxes with rows of 64 bytes or
   more (layout/warp_boxes.h). What it takes of shared memory is what the change of layout took: in
   as much each warp has slots for two boxes, so that it fills one while the other is being read, or
   for one. Addresses, masks, and loads from shared memory are then the copy engine's.

   Sums in memory (tile.atomic_rmw) leave so in blocks with roles, through a buffer of their own
   where that of the stores is none for them: the engine adds a box up while the warp multiplies for
   the next one. Else threads add up what they hold (tile-gpu-store-by-warps), and wait for
   nothing.

   In a block with roles the buffer is there for the whole kernel and is waited for at its end:
   while the last boxes leave, the warp multiplies for its next tile. So what other operations work
   through must fit beside it into what they all took before. Else it is waited for right away. */
#include <stdlib.h>
#include "analysis/loop_stages.h"
#include "analysis/scratch.h"
#include "base/arena.h"
#include "base/numbers.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/shared_attribute.h"
#include "ir/tensor_maps.h"
#include "ir/tile_ops.h"
#include "layout/warp_boxes.h"

struct stores {
  struct session *session;
  MlirOperation kernel;
  MlirValue buffer; /* of a block with roles, for all its stores, */
  MlirValue sums;   /* and for those sums that do not go through it; null: none yet */
  MlirOperation hint;
};

/* Is it a tile.store, or a sum, that tile-find-store-boxes has given a number? */
static bool is_found(struct session *session, MlirOperation op) {
  return KIND_IN(kind_of(session, op), OP_TILE_STORE, OP_TILE_ATOMIC_RMW) &&
         attribute_has(op, ATTR_BOX);
}

/* The one of that number after the hint, in its block; null: it is gone. */
static MlirOperation store_of(struct session *session, MlirOperation hint) {
  int64_t number = attribute_number(hint, ATTR_BOX, -1);
  MlirOperation op = mlirOperationGetNextInBlock(hint);
  while (!mlirOperationIsNull(op) &&
         !(is_found(session, op) && attribute_number(op, ATTR_BOX, -1) == number))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

/* The change of layout, for the store alone, from a dot's; null: there is none. */
static MlirOperation conversion_of(struct session *session, MlirOperation store) {
  MlirValue value = op_operand(store, 1);
  MlirOperation op = value_definition(value), none = {0};
  if (mlirOperationIsNull(op) || kind_of(session, op) != OP_TILE_GPU_CONVERT_LAYOUT ||
      !value_has_one_use(value) || !scratch_bytes(session, op))
    return none;
  const struct layout_info *source = layout_of_type(&session->layouts, op_operand_type(op, 0));
  return source && source->kind == LAYOUT_KIND_MMA ? op : none;
}

/* --- The buffer ------------------------------------------------------------------------------- */

struct largest {
  struct session *session;
  MlirType tile; /* what stores of such tiles go through now, they will not */
  int64_t bytes;
};

/* Is it a change of layout that goes with the kernel's buffer, too? */
static bool goes_as_well(struct session *session, MlirOperation op, MlirType tile) {
  if (kind_of(session, op) != OP_TILE_GPU_CONVERT_LAYOUT ||
      !mlirTypeEqual(op_operand_type(op, 0), tile))
    return false;
  MlirOperation store = only_user(op_result(op, 0));
  return !mlirOperationIsNull(store) && is_found(session, store);
}

static MlirLogicalResult note_scratch(MlirOperation op, void *data) {
  struct largest *largest = data;
  bool stays = !op_is(largest->session, op, OP_TILE_GPU_ALLOC) &&
               !goes_as_well(largest->session, op, largest->tile);
  int64_t bytes = stays ? scratch_bytes(largest->session, op) : 0;
  largest->bytes = larger(bytes, largest->bytes);
  return SUCCESS;
}

/* What the buffer may take. */
static int64_t room_for(struct stores *stores, MlirOperation conversion, bool roles) {
  struct largest others = {.session = stores->session, .tile = op_operand_type(conversion, 0)};
  int64_t own = scratch_bytes(stores->session, conversion);
  if (roles)
    visit_operations(stores->kernel, note_scratch, &others);
  return larger(own, others.bytes) - others.bytes;
}

/* What the buffer of sums may take: what their change of layout took, and what is left beside the
   stages of their loop. */
static int64_t room_for_sums(struct stores *stores, MlirOperation conversion) {
  struct session *session = stores->session;
  MlirOperation loop = mlirOperationGetParentOperation(conversion);
  struct axis_analysis axis;
  const char *reason;
  int64_t room = room_for(stores, conversion, true);
  if (!op_is(session, loop, OP_SCF_FOR))
    return room;
  struct loop_schedule *schedule = tile_allocate(sizeof *schedule);
  axis_analysis_run(&axis, session, stores->kernel);
  if (loop_schedule_make(session, &axis, loop, schedule, &reason) && schedule->bulk)
    room += loop_stages_left(session, schedule);
  axis_analysis_destroy(&axis);
  free(schedule);
  return room;
}

/* The type of a buffer for the tile in so many bytes; null: there is none. */
static MlirType buffer_for(struct session *session, MlirType tile, int64_t room) {
  const struct linear_layout *layout = layout_to_linear(&session->layouts, tile);
  int64_t warps = linear_layout_in_size(layout, LAYOUT_WARP);
  int64_t bytes = memory_bytes(session, type_element(tile)), slots = 1;
  struct warp_boxes boxes;
  if (bytes > 4 || !warp_boxes_choose(layout, bytes, room / warps, &boxes))
    return (MlirType){0};
  int64_t box = boxes.rows * boxes.columns * bytes;
  while (2 * slots <= boxes.count && 2 * slots * box * warps <= room)
    slots *= 2;
  struct nvmma_layout space = {.swizzle = (int32_t)(boxes.columns * bytes),
                               .element_bits = (int32_t)(8 * bytes)};
  const int64_t shape[] = {warps * slots, boxes.rows, boxes.columns};
  return shared_type(3, shape, type_element(tile), nvmma_attribute(&session->layouts, &space));
}

/* Before the kernel's first operation, to its end. */
static MlirValue build_lasting_buffer(MlirOperation kernel, MlirType type) {
  MlirBlock body = op_body(kernel, 0);
  struct builder first = builder_before(mlirBlockGetFirstOperation(body));
  struct builder last = builder_before(mlirBlockGetTerminator(body));
  MlirValue buffer = BUILD(&first, "tile_gpu.alloc", OUT(type));
  BUILD_OP(&last, "tile_gpu.bulk_store_wait", IN(buffer));
  return buffer;
}

/* Is there a buffer, and does the tile go through it? */
static bool fits_buffer(struct session *session, MlirType tile, MlirValue buffer) {
  struct warp_boxes boxes;
  if (mlirValueIsNull(buffer))
    return false;
  MlirType type = mlirValueGetType(buffer);
  return mlirTypeEqual(mlirShapedTypeGetElementType(type), type_element(tile)) &&
         warp_boxes_of(layout_to_linear(&session->layouts, tile), mlirShapedTypeGetDimSize(type, 1),
                       mlirShapedTypeGetDimSize(type, 2), &boxes);
}

/* The buffer of a kernel with roles: one type for all its stores, and one for all its sums, where
   that of the others is none for them. */
static MlirValue lasting_buffer(struct stores *stores, MlirOperation conversion, bool adds) {
  MlirType tile = op_operand_type(conversion, 0);
  MlirValue *own = adds ? &stores->sums : &stores->buffer;
  if (fits_buffer(stores->session, tile, stores->buffer))
    return stores->buffer;
  if (fits_buffer(stores->session, tile, stores->sums))
    return stores->sums;
  if (!mlirValueIsNull(*own))
    return (MlirValue){0};
  int64_t room = adds ? room_for_sums(stores, conversion) : room_for(stores, conversion, true);
  MlirType type = buffer_for(stores->session, tile, room);
  if (!mlirTypeIsNull(type))
    *own = build_lasting_buffer(stores->kernel, type);
  return *own;
}

/* --- The store -------------------------------------------------------------------------------- */

/* What the launch must know: the box of one store, innermost dimension first. */
static void complete_recipe(struct session *session, MlirOperation hint, MlirType buffer) {
  int rank = (int)mlirOperationGetNumOperands(hint) - 1;
  int64_t bytes = memory_bytes(session, mlirShapedTypeGetElementType(buffer));
  int32_t box[MAX_RANK];
  for (int i = 0; i < rank; i++)
    box[i] = i < 2 ? (int32_t)mlirShapedTypeGetDimSize(buffer, 2 - i) : 1;
  tensor_map_complete(session, op_operand(hint, 0), rank, box,
                      (int)(mlirShapedTypeGetDimSize(buffer, 2) * bytes));
}

static void replace_store(struct session *session, MlirOperation hint, MlirOperation store,
                          MlirOperation conversion, MlirValue buffer) {
  struct builder b = builder_before(store);
  MlirValue in[3 + MAX_RANK] = {op_operand(hint, 0), op_operand(conversion, 0), buffer};
  intptr_t offsets = mlirOperationGetNumOperands(hint) - 1;
  for (intptr_t i = 0; i < offsets; i++)
    in[3 + i] = op_operand(hint, 1 + i);
  complete_recipe(session, hint, mlirValueGetType(buffer));
  MlirOperation made = BUILD_OP(&b, "tile_gpu.bulk_store", INS(in, 3 + offsets));
  if (op_is(session, store, OP_TILE_ATOMIC_RMW))
    mlirOperationSetAttributeByName(made, ref("kind"),
                                    mlirOperationGetAttributeByName(store, ref("kind")));
  mlirOperationDestroy(store);
  mlirOperationDestroy(conversion);
}

static bool try_store(struct stores *stores, MlirOperation hint, MlirOperation store) {
  struct session *session = stores->session;
  MlirOperation conversion = conversion_of(session, store);
  bool adds = op_is(session, store, OP_TILE_ATOMIC_RMW);
  if (mlirOperationIsNull(conversion))
    return false;
  if (attribute_has(stores->kernel, ATTR_PRODUCER_WARPS)) {
    MlirValue buffer = lasting_buffer(stores, conversion, adds);
    if (!mlirValueIsNull(buffer))
      replace_store(session, hint, store, conversion, buffer);
    return !mlirValueIsNull(buffer);
  }
  if (adds)
    return false;
  MlirType type =
      buffer_for(session, op_operand_type(conversion, 0), room_for(stores, conversion, false));
  if (mlirTypeIsNull(type))
    return false;
  struct builder b = builder_before(store);
  MlirOperation after = mlirOperationGetNextInBlock(store);
  MlirValue buffer = BUILD(&b, "tile_gpu.alloc", OUT(type));
  struct builder end = builder_before(after);
  end.location = b.location;
  replace_store(session, hint, store, conversion, buffer);
  BUILD_OP(&end, "tile_gpu.bulk_store_wait", IN(buffer));
  return true;
}

/* --- The pass --------------------------------------------------------------------------------- */

static MlirLogicalResult find_hint(MlirOperation op, void *data) {
  struct stores *stores = data;
  if (!op_is(stores->session, op, OP_TILE_GPU_STORE_BOX))
    return SUCCESS;
  stores->hint = op;
  return FAILURE;
}

/* Takes one hint away, with its store or without; false: there is none. */
static bool take_hint(struct stores *stores) {
  if (!FAILED(visit_operations(stores->kernel, find_hint, stores)))
    return false;
  MlirValue parameter = op_operand(stores->hint, 0);
  MlirOperation store = store_of(stores->session, stores->hint);
  if (!mlirOperationIsNull(store) && !try_store(stores, stores->hint, store))
    attribute_remove(store, ATTR_BOX);
  mlirOperationDestroy(stores->hint);
  if (!value_is_used(parameter))
    function_remove_parameter(parameter);
  return true;
}

MlirLogicalResult run_bulk_stores(struct pass_context *context, MlirOperation module) {
  MlirOperation kernel = {0};
  while (next_kernel(context->session, module, &kernel)) {
    struct stores stores = {.session = context->session, .kernel = kernel};
    while (take_hint(&stores))
      ;
  }
  return SUCCESS;
}
