/* SPDX-License-Identifier: MIT */
/* tile-gpu-optimize-dot-operands: operands that go through shared memory get there and back in wide
   accesses.

   Needs: layouts that are final; loads that are copied to shared memory are (tile-gpu-pipeline).
   Keeps: what is computed. Leaves: in place of conversions into operand layouts a buffer, whose
   rows' 16-byte chunks are permuted, so that both sides are free of bank conflicts, stores are 16
   bytes wide and loads are ldmatrix (ldmatrix.c).

     %y = tile_gpu.convert_layout %x : #dot_operand   ->   %m = tile_gpu.alloc %x : #swizzled
                                                           %y = tile_gpu.local_load %m

   Where values stay in their warp, or a row is shorter than two chunks, or ldmatrix cannot turn
   elements of this size round, the conversion stays. */
#include "analysis/scratch.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/shared_attribute.h"
#include "transforms/dot_choice.h"

enum { CHUNK_BYTES = 16, LINE_BYTES = 128 };

/* The operand layout that `type` has, or NULL. */
static const struct layout_info *operand_layout(struct session *session, MlirType type) {
  const struct layout_info *info = layout_of_type(&session->layouts, type);
  return info && info->kind == LAYOUT_KIND_DOT_OPERAND ? info : NULL;
}

static bool through_shared_memory(struct session *session, MlirOperation op) {
  struct layout_conversion plan;
  struct linear_layout from = relabelled_layout(session, op), to = layout_of_result(session, op);
  tile_status status = conversion_plan(
      &from, &to, (int)memory_bytes(session, type_element(op_result_type(op, 0))), &plan);
  tile_status_free(status);
  return !status && plan.kind == CONVERSION_SHARED;
}

/* Fills the buffer's layout; false where the conversion should stay. */
static bool choose_space(struct session *session, MlirOperation op, struct swizzled_layout *out) {
  MlirType type = op_result_type(op, 0);
  const struct layout_info *info = operand_layout(session, type);
  if (!info || info->rank != 2 || !through_shared_memory(session, op))
    return false;
  int64_t shape[MAX_RANK], bytes = memory_bytes(session, type_element(type));
  type_shape(type, shape);
  int k = info->index ? 0 : 1, fast = dot_fast_dimension(session, op_operand_type(op, 0), k);
  int64_t row = shape[fast] * bytes;
  bool fits =
      bytes <= 4 && bytes * info->k_width == 4 && row >= 2 * CHUNK_BYTES && shape[1 - fast] >= 8;
  if (!fits || (fast != k && bytes != 2))
    return false;
  int64_t phases = row < LINE_BYTES ? row / CHUNK_BYTES : LINE_BYTES / CHUNK_BYTES;
  *out = (struct swizzled_layout){.rank = 2,
                                  .vec = (int32_t)(CHUNK_BYTES / bytes),
                                  .per_phase = (int32_t)(row < LINE_BYTES ? LINE_BYTES / row : 1),
                                  .max_phase = (int32_t)phases,
                                  .order = {fast, 1 - fast}};
  return true;
}

static MlirLogicalResult rewrite(MlirOperation op, void *data) {
  struct session *session = data;
  struct swizzled_layout space;
  if (kind_of(session, op) != OP_TILE_GPU_CONVERT_LAYOUT || !choose_space(session, op, &space))
    return SUCCESS;
  int64_t shape[MAX_RANK];
  MlirType type = op_result_type(op, 0);
  int rank = type_shape(type, shape);
  struct builder b = builder_before(op);
  MlirType buffer =
      shared_type(rank, shape, type_element(type), swizzled_attribute(&session->layouts, &space));
  MlirValue alloc = BUILD(&b, "tile_gpu.alloc", IN(op_operand(op, 0)), OUT(buffer));
  MlirValue loaded = BUILD(&b, "tile_gpu.local_load", IN(alloc), OUT(type));
  replace_op(op, &loaded);
  return SUCCESS;
}

MlirLogicalResult run_optimize_dot_operands(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, rewrite, context->session);
}
