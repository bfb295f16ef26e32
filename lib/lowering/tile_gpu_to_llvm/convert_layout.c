/* SPDX-License-Identifier: MIT */
/* Operations whose result is the operand's elements, held by other threads or under other names:

     tile_gpu.convert_layout   tile.reshape   tile.permute   tile.join   tile.split

   The operand's layout, relabelled (a reshape changes no basis, a permutation renames dimensions, a
   join adds a register), is a layout of the result; from there on it is a conversion
   (conversion.c). Where tile-gpu-coalesce has given the result just that layout, nothing moves. */
#include "analysis/scratch.h"
#include "lowering/tile_gpu_to_llvm/lowering.h"

MlirLogicalResult scratch_offset(struct lowering *lw, MlirOperation op, int64_t bytes,
                                 int64_t *out) {
  *out = attribute_number(op, ATTR_SHARED_OFFSET, -1);
  if (bytes == 0 || *out >= 0)
    return SUCCESS;
  (void)lw;
  return fail_op(op,
                 "it needs %lld bytes of shared memory and has no place there; run "
                 "tile-gpu-allocate-shared first",
                 (long long)bytes);
}

/* The registers of the operand, or of a join's operands, as registers of the relabelled operand. */
static struct lowered *relabelled_registers(struct lowering *lw, MlirOperation op) {
  struct lowered *first = lowered_of(lw, op_operand(op, 0));
  if (kind_of(lw->session, op) != OP_TILE_JOIN)
    return first;
  struct lowered *second = lowered_of(lw, op_operand(op, 1));
  struct lowered *both = lowered_like(lw, first, 2 * first->count);
  for (int r = 0; r < both->count; r++) {
    const struct lowered *from = r & 1 ? second : first;
    both->base[r] = from->base[r / 2];
    both->offset[r] = from->offset[r / 2];
  }
  return both;
}

/* The relabelled operand of a split is the whole; its halves are what has bit 0 or 1 in the last
   dimension. */
static MlirLogicalResult conversion_into(struct lowering *lw, MlirOperation op,
                                         const struct lowered *source,
                                         const struct linear_layout *from, int64_t scratch,
                                         const struct linear_layout *to, struct lowered *result) {
  unsigned bytes = conversion_bytes(lw, op_operand_type(op, 0));
  struct conversion_means means = relabelling_means(lw->session, op);
  struct layout_conversion plan;
  TRY_IR(raise_status(op, conversion_plan_chunked(from, to, (int)bytes, &means, &plan)));
  build_conversion(lw, &plan, scratch, bytes, source, result);
  return SUCCESS;
}

MlirLogicalResult lower_relabelling(struct lowering *lw, MlirOperation op) {
  struct linear_layout from = relabelled_layout(lw->session, op);
  const struct linear_layout to = layout_of_result(lw->session, op);
  int64_t scratch;
  TRY_IR(scratch_offset(lw, op, scratch_bytes(lw->session, op), &scratch));
  struct lowered *source = relabelled_registers(lw, op);
  if (kind_of(lw->session, op) != OP_TILE_SPLIT) {
    struct lowered *result = lowered_create(lw, op_result_type(op, 0));
    TRY_IR(conversion_into(lw, op, source, &from, scratch, &to, result));
    lowered_set(lw, op_result(op, 0), result);
    return SUCCESS;
  }
  /* The whole in the results' layout with one more register, then its even and odd registers. */
  struct lowered *whole = lowered_like(lw, source, 2 * register_count(lw, op_result_type(op, 0)));
  TRY_IR(conversion_into(lw, op, source, &from, scratch, &to, whole));
  for (int half = 0; half < 2; half++) {
    struct lowered *result = lowered_create(lw, op_result_type(op, half));
    for (int r = 0; r < result->count; r++) {
      result->base[r] = whole->base[2 * r + half];
      result->offset[r] = whole->offset[2 * r + half];
    }
    lowered_set(lw, op_result(op, half), result);
  }
  return SUCCESS;
}
