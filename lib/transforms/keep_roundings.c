/* tile-keep-roundings: two roundings that are written stay two.

     %f = arith.sitofp %i : i32 to f32            %f = arith.sitofp %i : i32 to f32
     %h = arith.truncf %f : f32 to bf16     ->    %h = arith.truncf %f to_nearest_even : f32 to bf16

   Upstream's canonicalize makes one conversion, i32 to bf16, of the pair on the left: it rounds once, and so
   gives another number where f32 cannot hold the integer. With its rounding mode spelled out, which changes
   nothing, the second conversion stays.

   Needs: any IR in front of the first canonicalize. Keeps: what is computed. Left to be merged is a pair that is proved
   equal to one conversion: the integer has no more bits than the float's significand, so that the first does not
   round. A truncf is marked, too, where such a pair may come about later: its operand is carried by control flow, chosen, or
   of another shape. */
#include "ir/build.h"
#include "ir/passes.h"

/* Bits of a float's significand, the hidden one counted. */
static int significand_bits(MlirType type) {
  return mlirTypeIsAF64(type) ? 53 : mlirTypeIsAF32(type) ? 24 : mlirTypeIsAF16(type) ? 11 : 8;
}

/* Is no integer of the operand's type rounded? */
static bool is_exact(MlirOperation conversion) {
  MlirType from = type_element(op_operand_type(conversion, 0));
  bool is_signed = op_is_named(conversion, "arith.sitofp");
  int bits = (int)mlirIntegerTypeGetWidth(from) - is_signed;
  return bits <= significand_bits(type_element(op_result_type(conversion, 0)));
}

static bool takes_operands_as_they_are(struct session *session, MlirOperation op) {
  switch ((int)kind_of(session, op)) {
  case OP_TILE_SPLAT:
  case OP_TILE_BROADCAST:
  case OP_TILE_EXPAND_DIMS:
  case OP_TILE_RESHAPE:
  case OP_TILE_PERMUTE:
  case OP_ARITH_SELECT:
    return true;
  default:
    return false;
  }
}

/* Is `value` the result of a conversion that rounds integers, or may it become one? */
static bool may_be_rounded_integer(struct session *session, MlirValue value, int depth) {
  enum { DEEPEST = 8 };
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op)) { /* not the kernel's own arguments */
    MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    return !op_is_named(around, "func.func");
  }
  if (mlirOperationGetNumRegions(op) > 0)
    return kind_of(session, op) == OP_SCF_FOR || kind_of(session, op) == OP_SCF_IF ||
           kind_of(session, op) == OP_SCF_WHILE;
  if (op_is_named(op, "arith.sitofp") || op_is_named(op, "arith.uitofp"))
    return !is_exact(op);
  if (!takes_operands_as_they_are(session, op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (depth == DEEPEST || may_be_rounded_integer(session, op_operand(op, i), depth + 1))
      return true;
  return false;
}

static MlirLogicalResult keep(MlirOperation op, void *data) {
  struct session *session = data;
  if (!op_is_named(op, "arith.truncf") || op_has_attribute(op, "roundingmode") ||
      !may_be_rounded_integer(session, op_operand(op, 0), 0))
    return SUCCESS;
  enum { TO_NEAREST_EVEN = 0 };
  mlirOperationSetAttributeByName(op, ref("roundingmode"),
                                  attribute_integer(session->context, 32, TO_NEAREST_EVEN));
  return SUCCESS;
}

MlirLogicalResult run_keep_roundings(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, keep, context->session);
}
