/* SPDX-License-Identifier: MIT */
/* Operations that only rename or copy registers: ranges, splats, broadcasts, expand_dims and
   constants. */
#include "lowering/tile_gpu_to_llvm/lowering.h"

#include <assert.h>

static const struct linear_layout *layout_of(struct lowering *lw, MlirType type) {
  return layout_to_linear(&lw->session->layouts, type);
}

/* The registers' part of the coordinate along `dim`. */
static uint32_t register_coordinate(const struct linear_layout *layout, int r, int dim) {
  uint32_t coordinate = 0;
  for (int bit = 0; r >> bit; bit++)
    if (r >> bit & 1)
      coordinate ^= layout_basis(layout, LAYOUT_REGISTER, bit, dim);
  return coordinate;
}

/* range: register r of this thread is start + (thread's coordinate XOR register's coordinate);
   where the two have no bit in common, which named layouts guarantee, XOR is a sum. */
MlirLogicalResult lower_range(struct lowering *lw, MlirOperation op) {
  MlirType type = op_result_type(op, 0);
  const struct linear_layout *layout = layout_of(lw, type);
  struct lowered *result = lowered_create(lw, type);
  MlirValue thread = thread_coordinate(lw, layout, 0);
  int64_t start = op_integer(op, "start", 0);
  bool additive = linear_layout_registers_are_additive(layout);
  for (int r = 0; r < result->count; r++) {
    uint32_t own = register_coordinate(layout, r, 0);
    result->base[r] = thread;
    result->offset[r] = start + own;
    if (!additive && !mlirValueIsNull(thread)) {
      result->base[r] =
          BUILD(&lw->b, "arith.xori", IN(thread, constant_integer(lw, 32, own)), OUT(result->type));
      result->offset[r] = start;
    }
  }
  return lowered_result(lw, op, result);
}

MlirLogicalResult lower_splat(struct lowering *lw, MlirOperation op) {
  struct lowered *scalar = lowered_of(lw, op_operand(op, 0));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  for (int r = 0; r < result->count; r++) {
    result->base[r] = scalar->base[0];
    result->offset[r] = scalar->offset[0];
  }
  return lowered_result(lw, op, result);
}

/* The registers of a layout by the register part of their coordinates, the first of equals: an open
   hash table. */
struct register_index {
  const struct linear_layout *layout;
  int *slots; /* register + 1, 0 where empty */
  uint32_t mask;
};

static uint32_t flat_coordinate(const struct linear_layout *layout, int r) {
  uint32_t flat = 0;
  for (int bit = 0; r >> bit; bit++)
    if (r >> bit & 1)
      flat ^= linear_layout_basis(layout, LAYOUT_REGISTER, bit);
  return flat;
}

/* The slot of `flat`, or the empty one where it belongs. */
static int *register_slot(const struct register_index *index, uint32_t flat) {
  uint32_t slot = flat * 0x9E3779B9u & index->mask;
  while (index->slots[slot] && flat_coordinate(index->layout, index->slots[slot] - 1) != flat)
    slot = (slot + 1) & index->mask;
  return &index->slots[slot];
}

static struct register_index index_registers(struct lowering *lw,
                                             const struct linear_layout *layout, int count) {
  uint32_t capacity = 4;
  while (capacity < 2 * (uint32_t)count)
    capacity *= 2;
  struct register_index index = {layout, ARENA_ARRAY(&lw->arena, int, capacity), capacity - 1};
  for (int r = 0; r < count; r++) {
    int *slot = register_slot(&index, flat_coordinate(layout, r));
    if (!*slot)
      *slot = r + 1;
  }
  return index;
}

/* broadcast and expand_dims: the element at result coordinates c is the source's at c with the
   grown dimensions set to 0 (broadcast) or the new dimension taken out (expand_dims). Register r of
   the result takes the source register with the same remaining register coordinates. The thread's
   part agrees because both layouts come from one parent. */
static MlirLogicalResult project_registers(struct lowering *lw, MlirOperation op,
                                           const int *result_dim) {
  const struct linear_layout *from = layout_of(lw, op_operand_type(op, 0));
  const struct linear_layout *to = layout_of(lw, op_result_type(op, 0));
  struct lowered *source = lowered_of(lw, op_operand(op, 0));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  int64_t shape[MAX_RANK];
  int rank = type_shape(op_operand_type(op, 0), shape);
  struct register_index index = index_registers(lw, from, source->count);
  for (int r = 0; r < result->count; r++) {
    uint32_t wanted = 0;
    for (int d = 0; d < rank; d++)
      wanted |= (register_coordinate(to, r, result_dim[d]) & (uint32_t)(shape[d] - 1))
                << layout_space_shift(&from->out, (enum layout_dim)(LAYOUT_DIM0 + d));
    int found = *register_slot(&index, wanted) - 1;
    assert(found >= 0); /* tile-verify: the operand's layout is the result's, or its slice */
    result->base[r] = source->base[found];
    result->offset[r] = source->offset[found];
  }
  return lowered_result(lw, op, result);
}

MlirLogicalResult lower_broadcast(struct lowering *lw, MlirOperation op) {
  int dims[MAX_RANK];
  for (int d = 0; d < MAX_RANK; d++)
    dims[d] = d;
  return project_registers(lw, op, dims);
}

MlirLogicalResult lower_expand_dims(struct lowering *lw, MlirOperation op) {
  int dims[MAX_RANK];
  int axis = (int)op_integer(op, "axis", 0);
  for (int d = 0; d < MAX_RANK; d++)
    dims[d] = d < axis ? d : d + 1;
  return project_registers(lw, op, dims);
}

/* The byte of an fp8 constant, as the integer attribute that its register takes. */
static MlirAttribute fp8_bits(struct lowering *lw, MlirAttribute value, MlirType type) {
  MlirType one = tensor_type(1, (int64_t[]){1}, type, (MlirAttribute){0});
  MlirAttribute dense = mlirDenseElementsAttrSplatGet(one, value);
  uint8_t byte = *(const uint8_t *)mlirDenseElementsAttrGetRawData(dense);
  return attribute_integer(lw->session->context, 8, (int8_t)byte);
}

MlirLogicalResult lower_constant(struct lowering *lw, MlirOperation op) {
  MlirType element = type_element(op_result_type(op, 0));
  MlirAttribute value = mlirOperationGetAttributeByName(op, ref("value"));
  if (mlirAttributeIsADenseElements(value)) {
    if (!mlirDenseElementsAttrIsSplat(value))
      return fail_op(op, "a constant tile has one value for all elements; build others from "
                         "tile.range");
    value = mlirDenseElementsAttrGetSplatValue(value);
  }
  if (type_is_fp8(element))
    value = fp8_bits(lw, value, element);
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  for (int r = 0; r < result->count; r++) {
    if (result->width > 1)
      result->offset[r] = mlirIntegerAttrGetValueInt(value);
    else
      result->base[r] = constant_attribute(lw, value, result->type);
  }
  return lowered_result(lw, op, result);
}

MlirLogicalResult lower_assume(struct lowering *lw, MlirOperation op) {
  (void)lw, (void)op; /* axis info has read it */
  return SUCCESS;
}
