/* SPDX-License-Identifier: MIT */
/* Comparisons of floats. One is not left as it is: "is it zero" of 16-bit floats, where the bits
   may have been those of the other 16-bit type. LLVM 22 makes an AND of such a value, without a
   cast to an integer, which is no valid IR:

     %b = bitcast half %x to bfloat                  %c = and half %x, 32767       (InstCombine)
     %z = fcmp une bfloat %b, 0.0          ->

   So the integer is compared here: x is zero where all bits but the sign are; a NaN is not. Other
   floats stay floats: ptxas (13.0) compared the bits of a minimum together with what lay in the
   upper half of the register. */
#include "lowering/tile_gpu_to_llvm/lowering.h"

static bool is_zero(struct session *session, MlirValue value) {
  MlirAttribute number = uniform_number(session, value);
  return !mlirAttributeIsNull(number) && mlirAttributeIsAFloat(number) &&
         mlirFloatAttrGetValueDouble(number) == 0;
}

/* May LLVM see a cast from another type right after the value's name? */
static bool is_cast(struct session *session, MlirValue value, int depth) {
  enum { DEEPEST = 8 };
  MlirOperation op = value_definition(value);
  if (!mlirOperationIsNull(op) &&
      KIND_IN(kind_of(session, op), OP_ARITH_BITCAST, OP_TILE_FROM_BITS))
    return true;
  bool followed = op_has(session, op, REARRANGES);
  for (intptr_t i = 0; followed && i < mlirOperationGetNumOperands(op); i++)
    if (depth == DEEPEST || is_cast(session, op_operand(op, i), depth + 1))
      return true;
  return false;
}

static int64_t predicate_of(MlirOperation op) {
  return mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(op, ref("predicate")));
}

static MlirValue emit_zero_test(struct lowering *lw, MlirOperation op, const MlirValue *operands) {
  MlirType bits = integer_type(&lw->b, 16);
  MlirValue x = BUILD(&lw->b, "arith.bitcast", IN(operands[0]), OUT(bits));
  x = BUILD(&lw->b, "arith.andi", IN(x, constant_integer(lw, 16, 0x7fff)), OUT(bits));
  return build_compare(&lw->b, predicate_of(op) == F_EQUAL ? I_EQUAL : I_UNEQUAL, x,
                       constant_integer(lw, 16, 0));
}

MlirLogicalResult lower_cmpf(struct lowering *lw, MlirOperation op) {
  MlirType type = type_element(op_operand_type(op, 0));
  int64_t predicate = predicate_of(op);
  bool zero_test = (mlirTypeIsAF16(type) || mlirTypeIsABF16(type)) &&
                   (predicate == F_EQUAL || predicate == F_UNEQUAL) &&
                   is_zero(lw->session, op_operand(op, 1)) &&
                   is_cast(lw->session, op_operand(op, 0), 0);
  return zero_test ? lower_each(lw, op, emit_zero_test) : lower_elementwise(lw, op);
}
