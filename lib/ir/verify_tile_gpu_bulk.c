/* SPDX-License-Identifier: MIT */
/* The rules of barriers in shared memory and of bulk copies: mbarrier_init, mbarrier_inval,
   mbarrier_expect, mbarrier_wait, bulk_load, bulk_store; and of clusters of blocks. */
#include "base/machine.h"
#include "ir/module_target.h"
#include "ir/shared_attribute.h"
#include "ir/tensor_boxes.h"
#include "ir/tensor_maps.h"
#include "ir/verify_tile.h"
#include "layout/warp_boxes.h"

static MlirLogicalResult verify_has_bulk_copies(MlirOperation op) {
  const struct machine *machine = machine_of(op);
  if (machine_has(machine, FEATURE_BULK_COPY))
    return SUCCESS;
  return fail_op(op, "%s has no bulk copies; %s is the first target that has", machine->name,
                 machine_first_with(FEATURE_BULK_COPY)->name);
}

/* Operand `index` is a buffer of barriers; of a single one where `stages` is false. */
static MlirLogicalResult verify_barriers(struct session *session, MlirOperation op, intptr_t index,
                                         bool stages) {
  struct shared_buffer buffer;
  tile_status status = shared_buffer_read(&session->layouts, op_operand_type(op, index), &buffer);
  bool fits = !status && type_is_integer(buffer.element, 64) && buffer.elements == 1;
  tile_status_free(status);
  TRY_IR(verify_has_bulk_copies(op));
  if (!fits)
    return fail_op(op,
                   "operand %d is a buffer of barriers, an i64 each: memref<4x1xi64, "
                   "#tile_gpu.swizzled<{vec = 1, per_phase = 1, max_phase = 1, order = [0]}>>",
                   (int)index);
  if (!stages && buffer.leading)
    return fail_op(op, "the buffer has several barriers; take one with tile_gpu.index");
  return SUCCESS;
}

/* Counts of arrivals and of bytes have 20 bits (PTX ISA, "Contents of the mbarrier object"). */
static MlirLogicalResult verify_count(MlirOperation op, const char *name) {
  int64_t count = op_integer(op, name, 0);
  if (count < 1 || count > TENSOR_MAX_BYTES)
    return fail_op(op, "%s is an integer from 1 to %d", name, TENSOR_MAX_BYTES);
  return SUCCESS;
}

MlirLogicalResult verify_mbarrier_init(struct session *session, MlirOperation op) {
  TRY_IR(verify_barriers(session, op, 0, true));
  return verify_count(op, "arrivals");
}

MlirLogicalResult verify_mbarrier_inval(struct session *session, MlirOperation op) {
  return verify_barriers(session, op, 0, true);
}

MlirLogicalResult verify_mbarrier_expect(struct session *session, MlirOperation op) {
  TRY_IR(verify_barriers(session, op, 0, false));
  return verify_count(op, "bytes");
}

MlirLogicalResult verify_mbarrier_arrive(struct session *session, MlirOperation op) {
  return verify_barriers(session, op, 0, false);
}

/* How many blocks the clusters of the operation's kernel have. */
static int64_t cluster_blocks(struct session *session, MlirOperation op) {
  return attribute_number(function_of(session, op), ATTR_CLUSTER_BLOCKS, 1);
}

MlirLogicalResult verify_cluster(struct session *session, MlirOperation op) {
  if (cluster_blocks(session, op) > 1)
    return SUCCESS;
  return fail_op(op, "the kernel has no clusters; it has the attribute tile_gpu.cluster_blocks = 2 "
                     ": i32 where its blocks are to reach one another");
}

MlirLogicalResult verify_mbarrier_arrive_at(struct session *session, MlirOperation op) {
  TRY_IR(verify_barriers(session, op, 0, false));
  return verify_cluster(session, op);
}

MlirLogicalResult verify_mbarrier_wait(struct session *session, MlirOperation op) {
  TRY_IR(verify_barriers(session, op, 0, false));
  return verify_token_result(session, op);
}

/* The stage takes the descriptor's block, and is cut into boxes. */
static MlirLogicalResult verify_stage(struct session *session, MlirOperation op) {
  struct tensor_boxes boxes;
  MlirType descriptor = op_operand_type(op, 0), stage = op_operand_type(op, 1);
  if (!type_is_descriptor(&session->types, descriptor))
    return fail_op(op, "operand 0 is a !tile.descriptor<tensor<...>>");
  TRY_IR(raise_status(op, tensor_boxes_of(session, stage, &boxes)));
  MlirType block = descriptor_block(&session->types, descriptor);
  bool same = mlirShapedTypeGetRank(block) == boxes.rank &&
              mlirTypeEqual(type_element(block), mlirShapedTypeGetElementType(stage));
  for (int i = 0; same && i < boxes.rank; i++)
    same = mlirShapedTypeGetDimSize(block, i) == mlirShapedTypeGetDimSize(stage, i);
  if (!same)
    return fail_types(op, "descriptor and buffer differ; they have one shape and element type",
                      descriptor, stage);
  intptr_t offsets = mlirOperationGetNumOperands(op) - 4;
  if (offsets < boxes.rank || offsets > TENSOR_MAX_RANK)
    return fail_op(
        op,
        "there is one offset for each of the block's %d dimensions, after those of outer "
        "ones, %d in all at most",
        boxes.rank, TENSOR_MAX_RANK);
  int rank = tensor_map_rank(session, op_operand(op, 0));
  if (rank && rank != offsets)
    return fail_op(op, "%d offsets for a tensor of %d dimensions; give one a dimension",
                   (int)offsets, rank);
  return SUCCESS;
}

/* A block of the cluster copies a part, and there is one for each. */
static MlirLogicalResult verify_parts(struct session *session, MlirOperation op) {
  int64_t parts = op_integer(op, "parts", 1);
  struct tensor_boxes boxes;
  TRY_IR(raise_status(op, tensor_boxes_of(session, op_operand_type(op, 1), &boxes)));
  if (parts < 1 || parts > TENSOR_MAX_BOX || tensor_boxes_part(&boxes, (int32_t)parts) < 0)
    return fail_op(op, "the block cannot be cut into %lld parts of equal boxes", (long long)parts);
  if (!op_has_attribute(op, "multicast"))
    return SUCCESS;
  TRY_IR(verify_cluster(session, op));
  if (parts != cluster_blocks(session, op))
    return fail_op(op, "%lld parts for a cluster of %lld blocks; with multicast each has one",
                   (long long)parts, (long long)cluster_blocks(session, op));
  return SUCCESS;
}

MlirLogicalResult verify_bulk_load(struct session *session, MlirOperation op) {
  TRY_IR(verify_barriers(session, op, 2, false));
  TRY_IR(verify_stage(session, op));
  TRY_IR(verify_parts(session, op));
  return verify_token_result(session, op);
}

/* --- Stores ----------------------------------------------------------------------------------- */

/* A descriptor of a block of two dimensions, and an offset for each of the tensor's. */
static MlirLogicalResult verify_stored(struct session *session, MlirOperation op, intptr_t first) {
  TRY_IR(verify_has_bulk_copies(op));
  MlirType descriptor = op_operand_type(op, 0);
  if (!type_is_descriptor(&session->types, descriptor) ||
      mlirShapedTypeGetRank(descriptor_block(&session->types, descriptor)) != 2)
    return fail_op(op, "operand 0 is a descriptor of blocks of two dimensions, "
                       "!tile.descriptor<tensor<128x256xf16>>");
  intptr_t offsets = mlirOperationGetNumOperands(op) - first;
  int rank = tensor_map_rank(session, op_operand(op, 0));
  if (offsets < 2 || offsets > TENSOR_MAX_RANK || (rank && rank != offsets))
    return fail_op(op, "%d offsets; give one for each of the tensor's dimensions, 2 to %d",
                   (int)offsets, TENSOR_MAX_RANK);
  return SUCCESS;
}

MlirLogicalResult verify_store_box(struct session *session, MlirOperation op) {
  return verify_stored(session, op, 1);
}

/* As many boxes for each warp, of one row of the swizzle's bytes each line. */
static bool is_for_boxes(struct session *session, MlirType type, MlirType tile,
                         struct warp_boxes *boxes) {
  struct shared_buffer buffer;
  tile_status status = shared_buffer_read(&session->layouts, type, &buffer);
  bool fits = !status && buffer.info->kind == SHARED_KIND_NVMMA && buffer.leading == 1 &&
              !buffer.info->nvmma.transposed && mlirTypeEqual(buffer.element, type_element(tile)) &&
              buffer.shape[2] * buffer.bytes == buffer.info->nvmma.swizzle;
  tile_status_free(status);
  if (!fits)
    return false;
  const struct linear_layout *layout = layout_to_linear(&session->layouts, tile);
  return buffer.shape[0] % linear_layout_in_size(layout, LAYOUT_WARP) == 0 &&
         warp_boxes_of(layout, buffer.shape[1], buffer.shape[2], boxes);
}

MlirLogicalResult verify_bulk_store(struct session *session, MlirOperation op) {
  struct warp_boxes boxes;
  TRY_IR(verify_stored(session, op, 3));
  MlirType tile = op_operand_type(op, 1),
           block = descriptor_block(&session->types, op_operand_type(op, 0));
  if (!type_is_tensor(tile) || mlirAttributeIsNull(type_layout(tile)) ||
      !mlirTypeEqual(type_with_layout(tile, (MlirAttribute){0}), block))
    return fail_types(op, "descriptor and tile differ; they have one shape and element type",
                      op_operand_type(op, 0), tile);
  if (op_has_attribute(op, "kind") &&
      !(ref_equals(op_string(op, "kind"), "add") && mlirTypeIsAF32(type_element(tile))))
    return fail_op(op, "it adds up f32 alone, and does nothing else to what is there");
  if (!is_for_boxes(session, op_operand_type(op, 2), tile, &boxes))
    return fail_types(op,
                      "the buffer has no boxes as the tile's warps hold them; it is "
                      "memref<16x16x64xf16, #tile_gpu.nvmma<...>> with one or more for each "
                      "warp, and rows of the swizzle's bytes",
                      tile, op_operand_type(op, 2));
  return SUCCESS;
}
