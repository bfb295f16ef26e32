/* SPDX-License-Identifier: MIT */
/* Products of twice the width: arith.mului_extended and mulsi_extended, register by register.

     %low, %high = arith.mului_extended %a, %b : tensor<256xi32, #l>
       ->  %p = DEVICE_PRODUCT_U32 %a0, %b0        %l0 = trunc %p     %h0 = trunc (%p >> 32)

   LLVM would widen what stands between such products (in Philox, every exclusive or) to 64 bits,
   and so multiply 64 bits by 64; the instruction as assembly keeps the words apart. 64-bit products
   stay arith's. */
#include "lowering/tile_gpu_to_llvm/device_ops.h"

/* The register before r, near enough to be worth looking for, that has the same operands; -1. */
static int find_equal(const MlirValue *x, const MlirValue *y, int r) {
  for (int earlier = r - 1; earlier >= 0 && earlier >= r - 16; earlier--)
    if (x[earlier].ptr == x[r].ptr && y[earlier].ptr == y[r].ptr)
      return earlier;
  return -1;
}

/* low and high word of x * y. */
static void build_product(struct lowering *lw, bool is_unsigned, MlirType type, MlirValue x,
                          MlirValue y, MlirValue *low, MlirValue *high) {
  MlirType i64 = mlirIntegerTypeGet(lw->session->context, 64);
  if (!type_is_integer(type, 32)) {
    MlirOperation product =
        BUILD_OP(&lw->b, is_unsigned ? "arith.mului_extended" : "arith.mulsi_extended", IN(x, y),
                 OUT(type, type));
    *low = op_result(product, 0);
    *high = op_result(product, 1);
    return;
  }
  MlirValue product =
      build_device_arithmetic(lw, is_unsigned ? DEVICE_PRODUCT_U32 : DEVICE_PRODUCT_S32, x, y, i64);
  MlirValue shifted =
      BUILD(&lw->b, "arith.shrui", IN(product, constant_integer(lw, 64, 32)), OUT(i64));
  *low = BUILD(&lw->b, "arith.trunci", IN(product), OUT(type));
  *high = BUILD(&lw->b, "arith.trunci", IN(shifted), OUT(type));
}

MlirLogicalResult lower_extended_product(struct lowering *lw, MlirOperation op) {
  struct lowered *a = lowered_of(lw, op_operand(op, 0)), *b = lowered_of(lw, op_operand(op, 1));
  struct lowered *low = lowered_create(lw, op_result_type(op, 0));
  struct lowered *high = lowered_create(lw, op_result_type(op, 1));
  MlirValue *x = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)low->count);
  MlirValue *y = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)low->count);
  bool is_unsigned = op_is(lw->session, op, OP_ARITH_MULUI_EXTENDED);
  for (int r = 0; r < low->count; r++) {
    x[r] = register_value(lw, a, a->count == 1 ? 0 : r);
    y[r] = register_value(lw, b, b->count == 1 ? 0 : r);
    int equal = find_equal(x, y, r);
    if (equal >= 0) {
      low->base[r] = low->base[equal];
      high->base[r] = high->base[equal];
      continue;
    }
    build_product(lw, is_unsigned, low->type, x[r], y[r], &low->base[r], &high->base[r]);
  }
  lowered_set(lw, op_result(op, 0), low);
  lowered_set(lw, op_result(op, 1), high);
  return SUCCESS;
}
