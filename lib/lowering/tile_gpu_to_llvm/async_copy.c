/* SPDX-License-Identifier: MIT */
/* Asynchronous copies from global to shared memory, and the waits for them.

   One copy brings registers' worth of elements that are adjacent in global memory (axis info:
   aligned) and in the buffer. Their mask is one, or true up to some element
   (analysis/mask_prefix.h): the instruction reads that many bytes and fills the rest with zeros. A
   tile that allows no width that the device copies is loaded into registers and stored into the
   buffer at once. Of the holders of an element one copies it. Tokens are no values of a thread:
   they are gone here. */
#include "analysis/mask_prefix.h"
#include "ir/tile_ops.h"
#include "layout/conversion.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* Are all accesses of `side` registers r, r + 1, ..., from a multiple of their number on? */
static bool is_in_register_order(struct lowering *lw, const struct conversion_side *side, int all) {
  uint32_t *registers = ARENA_ARRAY(&lw->arena, uint32_t, (size_t)all);
  int count = conversion_registers(side, registers);
  for (int i = 0; i < count; i++)
    if (registers[i] != registers[i - i % side->vector] + (uint32_t)(i % side->vector) ||
        (i % side->vector == 0 && registers[i] % (uint32_t)side->vector))
      return false;
  return true;
}

struct copy_state {
  const struct lowered *pointers;
  MlirValue mask;      /* of the tile; null: none */
  MlirValue predicate; /* this thread copies; null: every thread does */
  int64_t bytes, element_bytes;
  int dim; /* along which an access goes */
};

/* --- Masks ------------------------------------------------------------------------------------ */

static MlirValue bytes_if(struct lowering *lw, MlirValue bit, int64_t bytes) {
  MlirType i32 = integer_type(&lw->b, 32);
  return BUILD(&lw->b, "arith.select",
               IN(bit, constant_integer(lw, 32, bytes), constant_integer(lw, 32, 0)), OUT(i32));
}

/* offset < bound, of the access's first element: min(bound - offset, elements), as an unsigned
   number because the difference may be any. */
static MlirValue bytes_to_bound(struct lowering *lw, const struct copy_state *state,
                                MlirOperation compared, intptr_t offset, bool equal) {
  MlirValue bit = op_result(compared, 0);
  MlirValue rest = build_binary(&lw->b, "arith.subi", op_operand(compared, 1 - offset),
                                op_operand(compared, offset));
  unsigned bits = type_bits(&lw->session->types, mlirValueGetType(rest));
  MlirValue most = constant_integer(lw, bits, state->bytes / state->element_bytes - equal);
  rest = build_binary(&lw->b, "arith.minui", rest, most);
  if (bits > 32)
    rest = BUILD(&lw->b, "arith.trunci", IN(rest), OUT(integer_type(&lw->b, 32)));
  if (equal)
    rest = build_binary(&lw->b, "arith.addi", rest, constant_integer(lw, 32, 1));
  rest = build_binary(&lw->b, "arith.muli", rest, constant_integer(lw, 32, state->element_bytes));
  return BUILD(&lw->b, "arith.select", IN(bit, rest, constant_integer(lw, 32, 0)),
               OUT(mlirValueGetType(rest)));
}

/* How many bytes from register r on `mask` lets through: its true elements come first
   (mask_prefix). */
static MlirValue source_bytes(struct lowering *lw, const struct copy_state *state, MlirValue mask,
                              int r) {
  const struct lowered *bits = lowered_of(lw, mask);
  int count = (int)(state->bytes / state->element_bytes);
  MlirValue first = register_value(lw, bits, r);
  if (axis_mask_constancy(&lw->axis, mask, state->dim) >= count)
    return bytes_if(lw, first, state->bytes);
  MlirOperation op = value_definition(mask), compared = value_definition(first);
  if (!mlirOperationIsNull(op) && kind_of(lw->session, op) == OP_ARITH_ANDI)
    return build_binary(&lw->b, "arith.minui", source_bytes(lw, state, op_operand(op, 0), r),
                        source_bytes(lw, state, op_operand(op, 1), r));
  intptr_t offset;
  bool equal;
  if (!mlirOperationIsNull(mask_comparison(&lw->axis, mask, state->dim, &offset, &equal)) &&
      !mlirOperationIsNull(compared) && kind_of(lw->session, compared) == OP_ARITH_CMPI)
    return bytes_to_bound(lw, state, compared, offset, equal);
  MlirValue sum = bytes_if(lw, first, state->element_bytes);
  for (int i = 1; i < count; i++)
    sum = build_binary(&lw->b, "arith.addi", sum,
                       bytes_if(lw, register_value(lw, bits, r + i), state->element_bytes));
  return sum;
}

/* --- Copies ----------------------------------------------------------------------------------- */

static void build_one_copy(struct lowering *lw, MlirValue address, int r, void *data) {
  const struct copy_state *state = data;
  MlirValue bytes = mlirValueIsNull(state->mask) ? constant_integer(lw, 32, state->bytes)
                                                 : source_bytes(lw, state, state->mask, r);
  lw->device->copy(lw, address, register_value(lw, state->pointers, r), state->bytes, bytes,
                   state->predicate);
}

/* Zeros for what the mask leaves out. */
static struct lowered *zeros(struct lowering *lw, MlirType type) {
  struct lowered *zero = lowered_create(lw, type);
  for (int r = 0; r < zero->count && !zero->width; r++)
    zero->base[r] = constant_attribute(
        lw, mlirFloatAttrDoubleGet(lw->session->context, zero->type, 0), zero->type);
  return zero;
}

static void load_and_store(struct lowering *lw, const struct tile_async_copy *copy,
                           const struct shared_view *view, struct conversion_side *side) {
  MlirType pointers = mlirValueGetType(copy->pointers);
  MlirType element = pointer_pointee(&lw->session->types, type_element(pointers));
  MlirType tile = type_with_element(pointers, element);
  const struct lowered *other = mlirValueIsNull(copy->mask) ? NULL : zeros(lw, tile);
  struct lowered *value = build_tile_load(lw, copy->pointers, copy->mask, other, tile);
  build_buffer_stores(lw, side, view->start, 0, view->bytes, value);
  lw->device->publish(lw);
}

MlirLogicalResult lower_async_copy(struct lowering *lw, MlirOperation op) {
  struct tile_async_copy copy;
  if (!tile_async_copy_read(op, &copy))
    return fail_op(op, "malformed operands");
  const struct shared_view *view = shared_view_of(lw, op, copy.buffer);
  if (!view)
    return FAILURE;
  const struct linear_layout *layout = layout_of_pointer(lw, copy.pointers);
  const struct lowered *pointers = lowered_of(lw, copy.pointers);
  struct conversion_side side =
      conversion_at_offsets(layout, &view->to_offset, view->origin, true, (int)view->bytes);
  struct conversion_side wide = side;
  int dim, width = copy_width(lw, copy.pointers, copy.mask, &dim);
  wide.vector = side.vector < width ? side.vector : width;
  while (wide.vector > 1 && !is_in_register_order(lw, &wide, pointers->count))
    wide.vector /= 2;
  int64_t bytes = (int64_t)wide.vector * view->bytes;
  lowered_set(lw, op_result(op, 0), lowered_create(lw, op_result_type(op, 0)));
  if (bytes < lw->device->least_copy_bytes) {
    load_and_store(lw, &copy, view, &side);
    return SUCCESS;
  }
  struct copy_state state = {.pointers = pointers,
                             .mask = copy.mask,
                             .predicate = storing_thread(lw, layout),
                             .bytes = bytes,
                             .element_bytes = view->bytes,
                             .dim = dim};
  build_buffer_copies(lw, &wide, view->start, view->bytes, build_one_copy, &state);
  return SUCCESS;
}

MlirLogicalResult lower_async_commit(struct lowering *lw, MlirOperation op) {
  lw->device->copy_commit(lw);
  return lowered_result(lw, op, lowered_create(lw, op_result_type(op, 0)));
}

MlirLogicalResult lower_async_wait(struct lowering *lw, MlirOperation op) {
  lw->device->copy_wait(lw, op_integer(op, "pending", 0));
  return lowered_result(lw, op, lowered_create(lw, op_result_type(op, 0)));
}
