/* tile-keep-roundings: two roundings that are written stay two.

     %f = arith.sitofp %i : i32 to f32            %f = arith.sitofp %i : i32 to f32
     %h = arith.truncf %f : f32 to bf16     ->    %h = arith.truncf %f to_nearest_even : f32 to bf16

   Upstream's canonicalize makes one conversion, i32 to bf16, of the pair on the left: it rounds
   once, and so gives another number where f32 cannot hold the integer. With its rounding mode
   spelled out, which changes nothing, the second conversion stays.

   For the same reason an integer becomes an 8-bit float by way of f32, which gives the same number:
   of a constant, upstream makes infinity or NaN where a conversion saturates.

   And an e5m2 that is widened and narrowed again stays what conversions make of it: upstream takes
   the pair for nothing, but an infinity becomes the largest number. The bits are chosen:

     %w = arith.extf %x : f8E5M2 to f16           %b = arith.bitcast %x : f8E5M2 to i8
     %y = arith.truncf %w : f16 to f8E5M2   ->    %y = bitcast of (%b & 0x7f == 0x7c ? %b - 1 : %b)

   A constant infinity is cut to the largest number before it becomes e5m2, which upstream would
   fold into an infinity:

     %y = arith.truncf %c : f16 to f8E5M2   ->    %m = arith.minimumf %c, 57344; %n = arith.maximumf
   %m, -57344 %y = arith.truncf %n : f16 to f8E5M2

   Needs: any IR in front of the first canonicalize. Keeps: what is computed. Left to be merged is a
   pair that is proved equal to one conversion: the integer has no more bits than the float's
   significand, so that the first does not round, and the other one is no 8-bit float. A truncf is
   marked, too, where such a pair may come about later: its operand is carried by control flow,
   chosen, or of another shape. */
#include <math.h>
#include <string.h>
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

static bool is_control_flow(struct session *session, MlirOperation op) {
  return kind_of(session, op) == OP_SCF_FOR || kind_of(session, op) == OP_SCF_IF ||
         kind_of(session, op) == OP_SCF_WHILE;
}

/* Is `value` the result of a conversion that rounds integers (`any`: or of one that does not), or
   may it become one? */
static bool may_be_rounded_integer(struct session *session, MlirValue value, bool any, int depth) {
  enum { DEEPEST = 8 };
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op)) { /* not the kernel's own arguments */
    MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    return !op_is_named(around, "func.func");
  }
  if (mlirOperationGetNumRegions(op) > 0)
    return is_control_flow(session, op);
  if (op_is_named(op, "arith.sitofp") || op_is_named(op, "arith.uitofp"))
    return any || !is_exact(op);
  if (!takes_operands_as_they_are(session, op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (depth == DEEPEST || may_be_rounded_integer(session, op_operand(op, i), any, depth + 1))
      return true;
  return false;
}

static MlirNamedAttribute to_nearest_even(MlirContext context) {
  enum { TO_NEAREST_EVEN = 0 };
  return attribute_named(context, "roundingmode", attribute_integer(context, 32, TO_NEAREST_EVEN));
}

static bool is_from_integer(MlirOperation op) {
  return op_is_named(op, "arith.sitofp") || op_is_named(op, "arith.uitofp");
}

static void go_through_f32(struct session *session, MlirOperation op) {
  MlirContext context = session->context;
  MlirType to = op_result_type(op, 0);
  MlirType wide = type_with_element(to, mlirF32TypeGet(context));
  struct builder b = builder_before(op);
  const char *name = op_is_named(op, "arith.sitofp") ? "arith.sitofp" : "arith.uitofp";
  MlirValue x = BUILD(&b, name, IN(op_operand(op, 0)), OUT(wide));
  x = BUILD(&b, "arith.truncf", IN(x), OUT(to), ATTRIBUTES(to_nearest_even(context)));
  replace_op(op, &x);
}

static MlirValue build_byte(struct builder *b, MlirType bytes, int64_t number) {
  MlirAttribute value = mlirIntegerAttrGet(type_element(bytes), number);
  return build_constant(
      b, type_is_tensor(bytes) ? mlirDenseElementsAttrSplatGet(bytes, value) : value, bytes);
}

static bool is_e5m2_again(MlirOperation op) {
  if (!op_is_named(op, "arith.truncf") ||
      !mlirTypeIsAFloat8E5M2(type_element(op_result_type(op, 0))))
    return false;
  MlirOperation widened = value_definition(op_operand(op, 0));
  return !mlirOperationIsNull(widened) && op_is_named(widened, "arith.extf") &&
         mlirTypeEqual(op_operand_type(widened, 0), op_result_type(op, 0));
}

static void choose_bits(struct session *session, MlirOperation op) {
  MlirContext context = session->context;
  struct builder b = builder_before(op);
  MlirType type = op_result_type(op, 0);
  MlirType bytes = type_with_element(type, mlirIntegerTypeGet(context, 8));
  MlirType bits = type_with_element(type, mlirIntegerTypeGet(context, 1));
  MlirValue x = op_operand(value_definition(op_operand(op, 0)), 0);
  x = BUILD(&b, "arith.bitcast", IN(x), OUT(bytes));
  MlirValue magnitude = BUILD(&b, "arith.andi", IN(x, build_byte(&b, bytes, 0x7f)), OUT(bytes));
  MlirValue infinite =
      BUILD(&b, "arith.cmpi", IN(magnitude, build_byte(&b, bytes, 0x7c)), OUT(bits),
            ATTRIBUTES(attribute_named(context, "predicate", attribute_integer(context, 64, 0))));
  MlirValue largest = BUILD(&b, "arith.subi", IN(x, build_byte(&b, bytes, 1)), OUT(bytes));
  x = BUILD(&b, "arith.select", IN(infinite, largest, x), OUT(bytes));
  x = BUILD(&b, "arith.bitcast", IN(x), OUT(type));
  replace_op(op, &x);
}

/* --- Constant infinities --- */

static bool is_computed(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return strncmp(name.data, "arith.", strlen("arith.")) == 0 ||
         strncmp(name.data, "math.", strlen("math.")) == 0;
}

static bool is_constant_infinity(MlirOperation constant) {
  MlirAttribute value = mlirOperationGetAttributeByName(constant, ref("value"));
  if (mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value))
    value = mlirDenseElementsAttrGetSplatValue(value);
  return !mlirAttributeIsAFloat(value) || isinf(mlirFloatAttrGetValueDouble(value));
}

/* Is it computed of constants alone? */
static bool is_of_constants(struct session *session, MlirValue value, int depth) {
  enum { DEEPEST = 8 };
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || depth == DEEPEST)
    return false;
  if (op_is_named(op, "arith.constant"))
    return true;
  intptr_t count = mlirOperationGetNumOperands(op);
  bool constant = count > 0 && (is_computed(op) || takes_operands_as_they_are(session, op));
  for (intptr_t i = 0; i < count && constant; i++)
    constant = is_of_constants(session, op_operand(op, i), depth + 1);
  return constant;
}

static bool may_be_infinite(struct session *session, MlirValue value, int depth);

/* A loop that runs once, or not at all, is nothing but what it starts from and what it yields; a
   branch that is known is what it yields. */
static bool may_be_carried(struct session *session, MlirOperation op, intptr_t result, int depth) {
  enum { FIRST_CARRIED = 3 };
  bool loop = kind_of(session, op) == OP_SCF_FOR;
  if (!loop && kind_of(session, op) != OP_SCF_IF)
    return true;
  if (loop && may_be_infinite(session, op_operand(op, FIRST_CARRIED + result), depth + 1))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (!mlirBlockIsNull(block) &&
        may_be_infinite(session, op_operand(mlirBlockGetTerminator(block), result), depth + 1))
      return true;
  }
  return false;
}

/* Is `value` an infinity that folding may find? */
static bool may_be_infinite(struct session *session, MlirValue value, int depth) {
  enum { DEEPEST = 8 };
  MlirOperation op = value_definition(value);
  if (depth == DEEPEST)
    return true;
  if (mlirOperationIsNull(op)) {
    MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    intptr_t place = mlirBlockArgumentGetArgNumber(value);
    return kind_of(session, around) == OP_SCF_FOR
               ? may_be_infinite(session, op_operand(around, 2 + place), depth + 1)
               : !op_is_named(around, "func.func");
  }
  if (op_is_named(op, "arith.constant"))
    return is_constant_infinity(op);
  if (mlirOperationGetNumRegions(op) > 0)
    return is_control_flow(session, op) &&
           may_be_carried(session, op, mlirOpResultGetResultNumber(value), depth);
  if (!takes_operands_as_they_are(session, op))
    return is_of_constants(session, value, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (may_be_infinite(session, op_operand(op, i), depth + 1))
      return true;
  return false;
}

static void cut_infinity(struct session *session, MlirOperation op) {
  static const char *const cuts[] = {"arith.minimumf", "arith.maximumf"};
  MlirValue x = op_operand(op, 0);
  MlirType type = mlirValueGetType(x), element = type_element(type);
  struct builder b = builder_before(op);
  for (int i = 0; i < 2; i++) {
    MlirAttribute limit = mlirFloatAttrDoubleGet(session->context, element, i ? -57344.0 : 57344.0);
    limit = type_is_tensor(type) ? mlirDenseElementsAttrSplatGet(type, limit) : limit;
    x = BUILD(&b, cuts[i], IN(x, build_constant(&b, limit, type)), OUT(type));
  }
  mlirOperationSetOperand(op, 0, x);
}

/* --- All of it --- */

static MlirLogicalResult keep(MlirOperation op, void *data) {
  struct session *session = data;
  if (is_e5m2_again(op)) {
    choose_bits(session, op);
    return SUCCESS;
  }
  if (op_is_named(op, "arith.truncf") &&
      mlirTypeIsAFloat8E5M2(type_element(op_result_type(op, 0))) &&
      may_be_infinite(session, op_operand(op, 0), 0))
    cut_infinity(session, op);
  bool narrow = (op_is_named(op, "arith.truncf") || is_from_integer(op)) &&
                type_is_fp8(type_element(op_result_type(op, 0)));
  if (narrow && is_from_integer(op)) {
    go_through_f32(session, op);
    return SUCCESS;
  }
  if (!op_is_named(op, "arith.truncf") || op_has_attribute(op, "roundingmode") ||
      !may_be_rounded_integer(session, op_operand(op, 0), narrow, 0))
    return SUCCESS;
  mlirOperationSetAttributeByName(op, ref("roundingmode"),
                                  to_nearest_even(session->context).attribute);
  return SUCCESS;
}

MlirLogicalResult run_keep_roundings(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, keep, context->session);
}
