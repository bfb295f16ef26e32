/* convert_layout: registers renamed where each thread already holds what it needs, values moved
   through shared memory everywhere else.

     barrier                      the scratch area may still be read by an earlier conversion
     scratch[element] = register  every thread, each of its registers, row-major element numbers
     barrier
     register = scratch[element]  in the new layout

   The scratch area begins at offset 0 of the block's shared memory; conversions share it. Accesses
   are one element wide and unswizzled. */
#include "lowering/tile_gpu_to_nvvm/lowering.h"

enum { MAX_SHARED_BYTES = 232448 }; /* 227 KiB: sm_90's limit per block */

static bool rename_registers(struct lowering *lw, MlirOperation op,
                             const struct linear_layout *from, const struct linear_layout *to) {
  struct linear_layout conversion;
  tile_status status = linear_layout_conversion(to, from, &conversion);
  bool movement = status || !linear_layout_is_identity_over(&conversion, LAYOUT_WARP) ||
                  !linear_layout_is_identity_over(&conversion, LAYOUT_LANE);
  tile_status_free(status);
  if (movement)
    return false;
  struct lowered *source = lowered_of(lw, op_operand(op, 0));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  for (int r = 0; r < result->count; r++) {
    struct layout_point place = {.at = {[LAYOUT_REGISTER] = (uint32_t)r}};
    uint32_t s = linear_layout_apply(&conversion, &place).at[LAYOUT_REGISTER];
    result->base[r] = source->base[s];
    result->offset[r] = source->offset[s];
  }
  lowered_set(lw, op_result(op, 0), result);
  return true;
}

/* The row-major element number of this thread's register 0; null for 0. */
static MlirValue thread_element(struct lowering *lw, const struct linear_layout *layout) {
  MlirType i32 = integer_type(&lw->b, 32);
  MlirValue sum = {0};
  for (int dim = 0; dim < layout_space_rank(&layout->out); dim++) {
    MlirValue part = thread_coordinate(lw, layout, dim);
    if (mlirValueIsNull(part))
      continue;
    int shift = layout_space_shift(&layout->out, (enum layout_dim)(LAYOUT_DIM0 + dim));
    if (shift)
      part = BUILD(&lw->b, "arith.shli", IN(part, constant_integer(lw, 32, shift)), OUT(i32));
    sum = mlirValueIsNull(sum) ? part : BUILD(&lw->b, "arith.xori", IN(sum, part), OUT(i32));
  }
  return sum;
}

/* Where a thread's registers lie in the scratch area. */
struct scratch {
  struct lowering *lw;
  const struct linear_layout *layout;
  MlirValue base;   /* ptr<3>: of the area, or of the thread's part when registers add to it */
  MlirValue thread; /* the thread's element number; null for 0 or when it is in `base` */
  unsigned bytes;   /* of an element */
};

static MlirValue advance(struct scratch *s, MlirValue pointer, MlirValue element, int32_t constant) {
  struct lowering *lw = s->lw;
  MlirContext context = lw->session->context;
  MlirType type = mlirValueGetType(pointer);
  MlirValue in[] = {pointer, element};
  MlirNamedAttribute attributes[] = {
      attribute_named(context, "elem_type",
                      mlirTypeAttrGet(mlirIntegerTypeGet(context, s->bytes * 8))),
      attribute_named(context, "rawConstantIndices", attribute_dense_i32(context, 1, &constant))};
  return build_value(&lw->b, &(struct op_spec){.name = "llvm.getelementptr",
                                               .in = in,
                                               .in_count = mlirValueIsNull(element) ? 1 : 2,
                                               .out = &type,
                                               .out_count = 1,
                                               .attributes = attributes,
                                               .attribute_count = 2});
}

static struct scratch scratch_for(struct lowering *lw, const struct linear_layout *layout,
                                  MlirValue area, unsigned bytes) {
  struct scratch s = {.lw = lw, .layout = layout, .base = area, .bytes = bytes};
  s.thread = thread_element(lw, layout);
  if (linear_layout_registers_are_additive(layout) && !mlirValueIsNull(s.thread)) {
    s.base = advance(&s, area, s.thread, INT32_MIN);
    s.thread = (MlirValue){0};
  }
  return s;
}

static MlirValue scratch_address(struct scratch *s, int r) {
  uint32_t element = linear_layout_apply_flat(s->layout, (uint32_t)r); /* register bits are lowest */
  if (mlirValueIsNull(s->thread))
    return element ? advance(s, s->base, (MlirValue){0}, (int32_t)element) : s->base;
  MlirValue index = BUILD(&s->lw->b, "arith.xori",
                          IN(s->thread, constant_integer(s->lw, 32, (int64_t)element)),
                          OUT(integer_type(&s->lw->b, 32)));
  return advance(s, s->base, index, INT32_MIN);
}

static MlirLogicalResult move_through_shared(struct lowering *lw, MlirOperation op,
                                             const struct linear_layout *from,
                                             const struct linear_layout *to) {
  struct lowered *source = lowered_of(lw, op_operand(op, 0));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  MlirType memory = memory_type(lw, source);
  unsigned bytes = type_bytes(&lw->session->types, memory);
  int64_t total = type_elements(op_result_type(op, 0)) * bytes;
  if (total > MAX_SHARED_BYTES)
    return fail_op(op, "this change of layout needs %lld bytes of shared memory, the limit is %d; "
                       "use a smaller tile",
                   (long long)total, MAX_SHARED_BYTES);
  if (total > lw->shared_bytes)
    lw->shared_bytes = total;
  MlirValue area = shared_memory(lw);
  struct scratch out = scratch_for(lw, from, area, bytes);
  struct scratch in = scratch_for(lw, to, area, bytes);
  MlirNamedAttribute alignment = attribute_named(
      lw->session->context, "alignment", attribute_integer(lw->session->context, 64, bytes));
  build_barrier(lw);
  for (int r = 0; r < source->count; r++) {
    MlirValue value = register_to_memory(lw, source, register_value(lw, source, r));
    BUILD_OP(&lw->b, "llvm.store", IN(value, scratch_address(&out, r)), ATTRIBUTES(alignment));
  }
  build_barrier(lw);
  for (int r = 0; r < result->count; r++) {
    MlirValue value = BUILD(&lw->b, "llvm.load", IN(scratch_address(&in, r)), OUT(memory),
                            ATTRIBUTES(alignment));
    result->base[r] = register_from_memory(lw, result, value);
  }
  lowered_set(lw, op_result(op, 0), result);
  return SUCCESS;
}

MlirLogicalResult lower_convert_layout(struct lowering *lw, MlirOperation op) {
  struct layout_cache *layouts = &lw->session->layouts;
  const struct linear_layout *from = layout_to_linear(layouts, op_operand_type(op, 0));
  const struct linear_layout *to = layout_to_linear(layouts, op_result_type(op, 0));
  if (rename_registers(lw, op, from, to))
    return SUCCESS;
  return move_through_shared(lw, op, from, to);
}
