/* Products of twice the width: arith.mului_extended and mulsi_extended, register by register.

     %low, %high = arith.mului_extended %a, %b : tensor<256xi32, #l>
       ->  %l0, %h0 = arith.mului_extended %a0, %b0 : i32         (mul.lo, mul.hi)                    */
#include "lowering/tile_gpu_to_nvvm/lowering.h"

/* The register before r, near enough to be worth looking for, that has the same operands; -1. */
static int find_equal(const MlirValue *x, const MlirValue *y, int r) {
  for (int earlier = r - 1; earlier >= 0 && earlier >= r - 16; earlier--)
    if (x[earlier].ptr == x[r].ptr && y[earlier].ptr == y[r].ptr)
      return earlier;
  return -1;
}

MlirLogicalResult lower_extended_product(struct lowering *lw, MlirOperation op) {
  struct lowered *a = lowered_of(lw, op_operand(op, 0)), *b = lowered_of(lw, op_operand(op, 1));
  struct lowered *low = lowered_create(lw, op_result_type(op, 0));
  struct lowered *high = lowered_create(lw, op_result_type(op, 1));
  MlirValue *x = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)low->count);
  MlirValue *y = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)low->count);
  const char *name = op_is_named(op, "arith.mului_extended") ? "arith.mului_extended"
                                                              : "arith.mulsi_extended";
  for (int r = 0; r < low->count; r++) {
    x[r] = register_value(lw, a, a->count == 1 ? 0 : r);
    y[r] = register_value(lw, b, b->count == 1 ? 0 : r);
    int equal = find_equal(x, y, r);
    if (equal >= 0) {
      low->base[r] = low->base[equal];
      high->base[r] = high->base[equal];
      continue;
    }
    MlirOperation product = BUILD_OP(&lw->b, name, IN(x[r], y[r]), OUT(low->type, high->type));
    low->base[r] = op_result(product, 0);
    high->base[r] = op_result(product, 1);
  }
  lowered_set(lw, op_result(op, 0), low);
  lowered_set(lw, op_result(op, 1), high);
  return SUCCESS;
}
