/* SPDX-License-Identifier: MIT */
/* tile.gather: the source goes to shared memory in row-major order; after the barrier each thread
   loads what its indices say.

     result[i, j] = shared[index[i, j] along the axis, the other coordinates as they are]

   An index is cut to the axis's size, a power of two, so that none can leave the scratch. */
#include "analysis/scratch.h"
#include "lowering/tile_gpu_to_llvm/lowering.h"

/* An index register as i32 with only the bits of the axis. */
static MlirValue cut_index(struct lowering *lw, const struct lowered *index, int r, int bits) {
  MlirType i32 = integer_type(&lw->b, 32);
  MlirValue value = register_value(lw, index, r);
  if (index->width > 32)
    value = BUILD(&lw->b, "arith.trunci", IN(value), OUT(i32));
  else if (index->width < 32)
    value = BUILD(&lw->b, "arith.extui", IN(value), OUT(i32));
  return BUILD(&lw->b, "arith.andi", IN(value, constant_integer(lw, 32, (1 << bits) - 1)),
               OUT(i32));
}

static MlirValue combined(struct lowering *lw, const char *name, MlirValue a, MlirValue b) {
  return mlirValueIsNull(b) ? a : BUILD(&lw->b, name, IN(a, b), OUT(integer_type(&lw->b, 32)));
}

MlirLogicalResult lower_gather(struct lowering *lw, MlirOperation op) {
  struct layout_cache *layouts = &lw->session->layouts;
  const struct linear_layout *from = layout_to_linear(layouts, op_operand_type(op, 0));
  const struct linear_layout *to = layout_to_linear(layouts, op_result_type(op, 0));
  int axis = (int)op_integer(op, "axis", 0);
  unsigned bytes = conversion_bytes(lw, op_operand_type(op, 0));
  int64_t scratch;
  TRY_IR(scratch_offset(lw, op, scratch_bytes(lw->session, op), &scratch));
  struct conversion_side write = conversion_row_major(from, (int)bytes);
  build_conversion_stores(lw, &write, scratch, bytes, lowered_of(lw, op_operand(op, 0)));
  build_barrier(lw);

  struct linear_layout places = linear_layout_places(to, &from->out, axis);
  MlirValue thread = build_thread_part(lw, &places, LAYOUT_OFFSET);
  const struct lowered *index = lowered_of(lw, op_operand(op, 1));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  int shift = layout_space_shift(&from->out, LAYOUT_DIM0 + axis);
  for (int r = 0; r < result->count; r++) {
    MlirValue at = cut_index(lw, index, r, from->out.bits[LAYOUT_DIM0 + axis]);
    if (shift)
      at = combined(lw, "arith.shli", at, constant_integer(lw, 32, shift));
    uint32_t own = linear_layout_apply_flat(&places, (uint32_t)r); /* register bits are lowest */
    if (own)
      at = combined(lw, "arith.xori", at, constant_integer(lw, 32, own));
    MlirValue address = shared_address(lw, combined(lw, "arith.xori", at, thread), bytes, scratch);
    MlirValue bits = BUILD(&lw->b, "llvm.load", IN(address), OUT(integer_type(&lw->b, bytes * 8)),
                           ATTRIBUTES(llvm_alignment(lw->session->context, bytes)));
    result->base[r] = register_from_bits(lw, result, bits);
  }
  return lowered_result(lw, op, result);
}
