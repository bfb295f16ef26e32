/* SPDX-License-Identifier: MIT */
/* Buffers in shared memory: alloc, its views, and tiles loaded from them and stored into them.

   A buffer is an address and a linear layout known at compile time. A view changes one of the two:

     index       start += index * bytes of a stage
     subslice    origin ^= where the box's first element lies; an XOR, since boxes are aligned
     transpose   coordinates change their order

   Loads and stores are one side of a conversion (layout/conversion.h) whose order of elements is
   given. Barriers are tile-gpu-insert-barriers' business. */
#include "analysis/scratch.h"
#include "base/numbers.h"
#include "ir/module_target.h"
#include "ir/shared_attribute.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

const struct shared_view *shared_view_of(struct lowering *lw, MlirOperation op, MlirValue buffer) {
  const struct shared_view *view = map_get(&lw->views, buffer.ptr);
  if (!view)
    fail_op(op,
            "the buffer's address is not known at compile time, as a loop or a branch yields it; "
            "yield an index and take the stage with tile_gpu.index");
  return view;
}

static struct shared_view *view_create(struct lowering *lw, MlirOperation op) {
  struct shared_view *view = ARENA_NEW(&lw->arena, struct shared_view);
  map_set(&lw->views, op_result(op, 0).ptr, view);
  lowered_set(lw, op_result(op, 0), lowered_create(lw, op_result_type(op, 0)));
  return view;
}

/* The view that `op` changes, copied; NULL after a diagnostic. */
static struct shared_view *view_from(struct lowering *lw, MlirOperation op) {
  const struct shared_view *source = shared_view_of(lw, op, op_operand(op, 0));
  if (!source)
    return NULL;
  struct shared_view *view = view_create(lw, op);
  *view = *source;
  MlirType type = op_result_type(op, 0);
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++)
    view->shape[i] = mlirShapedTypeGetDimSize(type, i);
  return view;
}

/* Dimensions by their flat element number. */
static struct linear_layout flattened(const struct linear_layout *to_offset) {
  struct linear_layout flat = *to_offset;
  flat.in = (struct layout_space){
      .bits = {[LAYOUT_DIM0] = (uint8_t)layout_space_total_bits(&to_offset->in)},
      .dims = LAYOUT_SET(LAYOUT_DIM0)};
  return flat;
}

/* By stmatrix where that takes fewer instructions, and no longer. */
static void store_tile(struct lowering *lw, MlirOperation op, const struct shared_view *view) {
  const struct linear_layout *tensor =
      layout_to_linear(&lw->session->layouts, op_operand_type(op, 0));
  const struct lowered *value = lowered_of(lw, op_operand(op, 0));
  struct layout_conversion rows;
  struct conversion_side side =
      conversion_at_offsets(tensor, &view->to_offset, view->origin, true, (int)view->bytes);
  if (machine_has(machine_of(op), FEATURE_STMATRIX) && view->origin == 0 &&
      conversion_matrix_stores(tensor, &view->to_offset, (int)view->bytes, &rows) &&
      side.vector < rows.write.vector)
    lw->device->matrix_stores(lw, &rows, view->start, value);
  else
    build_buffer_stores(lw, &side, view->start, 0, view->bytes, value);
  lw->device->publish(lw);
}

MlirLogicalResult lower_alloc(struct lowering *lw, MlirOperation op) {
  struct shared_buffer buffer;
  struct linear_layout layout, to_offset;
  int64_t scratch;
  tile_status status = shared_buffer_read(&lw->session->layouts, op_result_type(op, 0), &buffer);
  if (!status)
    status = shared_to_linear(&lw->session->layouts, buffer.info->attribute, buffer.shape,
                              buffer.rank, buffer.bytes * 8, &layout);
  if (!status)
    status = linear_layout_invert(&layout, &to_offset);
  TRY_IR(raise_status(op, status));
  int64_t stage = buffer.elements * buffer.bytes;
  TRY_IR(scratch_offset(lw, op, stage * buffer.stages, &scratch));
  struct shared_view *view = view_create(lw, op);
  *view = (struct shared_view){.start = shared_address(lw, (MlirValue){0}, 1, scratch),
                               .to_offset = flattened(&to_offset),
                               .rank = buffer.info->rank,
                               .bytes = buffer.bytes,
                               .stage_bytes = stage};
  for (int i = 0; i < buffer.rank; i++)
    view->shape[i] = buffer.shape[i];
  if (mlirOperationGetNumOperands(op) > 0)
    store_tile(lw, op, view);
  return SUCCESS;
}

MlirLogicalResult lower_index(struct lowering *lw, MlirOperation op) {
  struct shared_view *view = view_from(lw, op);
  if (!view)
    return FAILURE;
  int64_t bytes = view->stage_bytes; /* the dimensions between the first and the stage's */
  int rank = (int)mlirShapedTypeGetRank(op_result_type(op, 0));
  for (int i = 0; i < rank - view->rank; i++)
    bytes *= view->shape[i];
  const struct lowered *index = lowered_of(lw, op_operand(op, 1));
  if (mlirValueIsNull(index->base[0])) {
    view->start = buffer_address(lw, view->start, (MlirValue){0}, 1, index->offset[0] * bytes);
    return SUCCESS;
  }
  MlirValue distance =
      BUILD(&lw->b, "arith.muli", IN(register_value(lw, index, 0), constant_integer(lw, 32, bytes)),
            OUT(integer_type(&lw->b, 32)));
  view->start = buffer_address(lw, view->start, distance, 1, 0);
  return SUCCESS;
}

/* Bits of the flat element number that stay, and those that the box's position fixes. */
MlirLogicalResult lower_subslice(struct lowering *lw, MlirOperation op) {
  const struct shared_view *source = shared_view_of(lw, op, op_operand(op, 0));
  if (!source)
    return FAILURE;
  struct shared_view *view = view_from(lw, op);
  MlirAttribute offsets = mlirOperationGetAttributeByName(op, ref("offsets"));
  struct linear_layout to_offset = {.out = source->to_offset.out,
                                    .in = {.dims = LAYOUT_SET(LAYOUT_DIM0)}};
  int kept = 0, from = 0;
  for (int dim = view->rank - 1; dim >= 0; dim--) { /* least significant first */
    for (int bit = 0; bit < log2_of(view->shape[dim]); bit++)
      to_offset.bases[kept++] = source->to_offset.bases[from + bit];
    uint32_t offset = (uint32_t)mlirDenseI32ArrayGetElement(offsets, dim);
    for (int bit = 0; bit < log2_of(source->shape[dim]); bit++, from++)
      view->origin ^= offset >> bit & 1 ? source->to_offset.bases[from] : 0;
  }
  to_offset.in.bits[LAYOUT_DIM0] = (uint8_t)kept;
  view->to_offset = to_offset;
  return SUCCESS;
}

MlirLogicalResult lower_transpose(struct lowering *lw, MlirOperation op) {
  const struct shared_view *source = shared_view_of(lw, op, op_operand(op, 0));
  if (!source)
    return FAILURE;
  struct shared_view *view = view_from(lw, op);
  MlirAttribute order = mlirOperationGetAttributeByName(op, ref("order"));
  int next = 0;
  for (int dim = view->rank - 1; dim >= 0; dim--) {
    int old = mlirDenseI32ArrayGetElement(order, dim), from = 0;
    for (int lower = view->rank - 1; lower > old; lower--)
      from += log2_of(source->shape[lower]);
    for (int bit = 0; bit < log2_of(view->shape[dim]); bit++)
      view->to_offset.bases[next++] = source->to_offset.bases[from + bit];
  }
  return SUCCESS;
}

/* Is the tile a dot's operand in registers? */
static bool is_operand(struct lowering *lw, MlirType tensor) {
  const struct layout_info *info;
  tile_status status = layout_decode(&lw->session->layouts, type_layout(tensor), &info);
  tile_status_free(status);
  return !status && info->kind == LAYOUT_KIND_DOT_OPERAND;
}

MlirLogicalResult lower_local_load(struct lowering *lw, MlirOperation op) {
  const struct shared_view *view = shared_view_of(lw, op, op_operand(op, 0));
  if (!view)
    return FAILURE;
  const struct linear_layout *tensor =
      layout_to_linear(&lw->session->layouts, op_result_type(op, 0));
  struct conversion_side side =
      conversion_at_offsets(tensor, &view->to_offset, view->origin, false, (int)view->bytes);
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  if (!is_operand(lw, op_result_type(op, 0)) ||
      !lw->device->matrix_loads(lw, &side, view->start, view->bytes, result))
    build_buffer_loads(lw, &side, view->start, 0, view->bytes, result);
  return lowered_result(lw, op, result);
}

MlirLogicalResult lower_local_store(struct lowering *lw, MlirOperation op) {
  const struct shared_view *view = shared_view_of(lw, op, op_operand(op, 1));
  if (!view)
    return FAILURE;
  store_tile(lw, op, view);
  return SUCCESS;
}
