/* SPDX-License-Identifier: MIT */
/* tile-gpu-optimize-dot-operands: operands that go through shared memory get there and back in wide
   accesses.

   Needs: layouts that are final; loads that are copied to shared memory are (tile-gpu-pipeline).
   Keeps: what is computed. Leaves: in place of conversions into operand layouts a buffer, whose
   rows' 16-byte chunks are permuted, so that both sides are free of bank conflicts, stores are 16
   bytes wide and loads are ldmatrix (ldmatrix.c).

     %y = tile_gpu.convert_layout %x : #dot_operand   ->   %m = tile_gpu.alloc %x : #swizzled
                                                           %y = tile_gpu.local_load %m

   Where shuffles carry the values, or a row is shorter than two chunks, or ldmatrix cannot turn
   elements of this size round, the conversion stays.

   A product whose operands both come so has both stored before the first is loaded: they share the
   barriers, and no registers hold the one while the other is stored. What is stored last is loaded
   first, so that the barrier which that needs stands before both.

     %m = alloc %x; %y = local_load %m        ->   %m = alloc %x; %n = alloc %v
     %n = alloc %v; %w = local_load %n             %w = local_load %n; %y = local_load %m
     dot %y, %w                                    dot %y, %w

   The smaller of the buffers, 8 KiB at most, is what that may take of shared memory: as much is
   left for the scratch that a conversion keeps (loop_stages.c). What is wanted so twice in a block
   is stored once, 1 KiB of a kernel in all. */
#include "analysis/buffers.h"
#include "analysis/scratch.h"
#include "ir/build.h"
#include "ir/passes.h"
#include "ir/shared_attribute.h"
#include "transforms/dot_choice.h"

enum { CHUNK_BYTES = 16, MAX_SHARED_BYTES = 8192, MAX_TWICE_BYTES = 1024 };

struct bringing {
  struct session *session;
  MlirOperation function; /* the one at hand */
  int64_t twice;          /* bytes of its buffers that are in use from one product to another */
};

/* The operand layout that `type` has, or NULL. */
static const struct layout_info *operand_layout(struct session *session, MlirType type) {
  const struct layout_info *info = layout_of_type(&session->layouts, type);
  return info && info->kind == LAYOUT_KIND_DOT_OPERAND ? info : NULL;
}

/* Fills the buffer's layout; false where the conversion should stay. */
static bool choose_space(struct session *session, MlirOperation op, struct swizzled_layout *out) {
  MlirType type = op_result_type(op, 0);
  const struct layout_info *info = operand_layout(session, type);
  if (!info || info->rank != 2 || !scratch_bytes(session, op))
    return false;
  int64_t shape[MAX_RANK], bytes = memory_bytes(session, type_element(type));
  type_shape(type, shape);
  int k = info->index ? 0 : 1, fast = dot_fast_dimension(session, op_operand_type(op, 0), k);
  int64_t row = shape[fast] * bytes;
  bool fits =
      bytes <= 4 && bytes * info->k_width == 4 && row >= 2 * CHUNK_BYTES && shape[1 - fast] >= 8;
  if (!fits || (fast != k && bytes != 2))
    return false;
  int64_t phases = row < MACHINE_BANK_ROW ? row / CHUNK_BYTES : MACHINE_BANK_ROW / CHUNK_BYTES;
  *out = (struct swizzled_layout){
      .rank = 2,
      .vec = (int32_t)(CHUNK_BYTES / bytes),
      .per_phase = (int32_t)(row < MACHINE_BANK_ROW ? MACHINE_BANK_ROW / row : 1),
      .max_phase = (int32_t)phases,
      .order = {fast, 1 - fast}};
  return true;
}

/* Whether a buffer is filled with one tile and only loaded since. */
static bool is_only_loaded(struct session *session, MlirOperation alloc) {
  if (!op_is(session, alloc, OP_TILE_GPU_ALLOC) || mlirOperationGetNumOperands(alloc) != 1)
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(op_result(alloc, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!op_is(session, mlirOpOperandGetOwner(use), OP_TILE_GPU_LOCAL_LOAD))
      return false;
  return true;
}

/* A buffer of this type that `value` has been stored in before `op`, in its block; or null. */
static MlirValue find_buffer(struct bringing *state, MlirOperation op, MlirValue value,
                             MlirType type) {
  struct session *session = state->session;
  int64_t alignment;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_only_loaded(session, user) && mlirTypeEqual(op_result_type(user, 0), type) &&
        mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op)) &&
        mlirOperationIsBeforeInBlock(user, op)) {
      int64_t bytes = buffer_bytes(session, user, &alignment);
      bool more = value_has_one_use(op_result(user, 0)); /* it was not kept until now */
      if (more && state->twice + bytes > MAX_TWICE_BYTES)
        continue;
      state->twice += more ? bytes : 0;
      return op_result(user, 0);
    }
  }
  return (MlirValue){0};
}

static MlirLogicalResult rewrite(MlirOperation op, void *data) {
  struct bringing *state = data;
  struct session *session = state->session;
  struct swizzled_layout space;
  if (kind_of(session, op) != OP_TILE_GPU_CONVERT_LAYOUT || !choose_space(session, op, &space))
    return SUCCESS;
  MlirOperation function = function_of(session, op);
  if (!mlirOperationEqual(function, state->function))
    *state = (struct bringing){.session = session, .function = function};
  int64_t shape[MAX_RANK];
  MlirType type = op_result_type(op, 0);
  int rank = type_shape(type, shape);
  struct builder b = builder_before(op);
  MlirType buffer =
      shared_type(rank, shape, type_element(type), swizzled_attribute(&session->layouts, &space));
  MlirValue alloc = find_buffer(state, op, op_operand(op, 0), buffer);
  if (mlirValueIsNull(alloc))
    alloc = BUILD(&b, "tile_gpu.alloc", IN(op_operand(op, 0)), OUT(buffer));
  MlirValue loaded = BUILD(&b, "tile_gpu.local_load", IN(alloc), OUT(type));
  replace_op(op, &loaded);
  return SUCCESS;
}

/* Whether an operand of `dot` is loaded, for nothing else, from a buffer that is filled in this
   block and only loaded since. */
static bool is_brought(struct session *session, MlirOperation dot, intptr_t operand,
                       MlirOperation *load, int64_t *bytes) {
  *load = value_definition(op_operand(dot, operand));
  if (mlirOperationIsNull(*load) || !op_is(session, *load, OP_TILE_GPU_LOCAL_LOAD) ||
      !value_has_one_use(op_result(*load, 0)) || mlirOperationGetNumOperands(*load) != 1)
    return false;
  MlirOperation alloc = value_definition(op_operand(*load, 0));
  MlirBlock block = mlirOperationGetBlock(dot);
  int64_t alignment;
  if (mlirOperationIsNull(alloc) || !is_only_loaded(session, alloc) ||
      !mlirBlockEqual(mlirOperationGetBlock(alloc), block) ||
      !mlirBlockEqual(mlirOperationGetBlock(*load), block))
    return false;
  *bytes = buffer_bytes(session, alloc, &alignment);
  return true;
}

static MlirLogicalResult store_both_first(MlirOperation op, void *data) {
  struct session *session = data;
  MlirOperation a, b;
  int64_t a_bytes, b_bytes;
  if (kind_of(session, op) != OP_TILE_DOT || !is_brought(session, op, 0, &a, &a_bytes) ||
      !is_brought(session, op, 1, &b, &b_bytes) ||
      (a_bytes < b_bytes ? a_bytes : b_bytes) > MAX_SHARED_BYTES)
    return SUCCESS;
  bool b_last = mlirOperationIsBeforeInBlock(value_definition(op_operand(a, 0)),
                                             value_definition(op_operand(b, 0)));
  MlirOperation first = b_last ? b : a, second = b_last ? a : b;
  if (mlirOperationIsBeforeInBlock(second, first))
    mlirOperationMoveAfter(second, first);
  return SUCCESS;
}

MlirLogicalResult run_optimize_dot_operands(struct pass_context *context, MlirOperation root) {
  struct bringing state = {.session = context->session};
  TRY_IR(visit_operations(root, rewrite, &state));
  return visit_operations(root, store_both_first, context->session);
}
