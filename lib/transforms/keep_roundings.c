/* SPDX-License-Identifier: MIT */
/* tile-keep-roundings: two roundings that are written stay two, and bits that are a number stay
   that.

     %f = arith.sitofp %i : i32 to f32            %f = arith.sitofp %i : i32 to f32
     %h = arith.truncf %f : f32 to bf16     ->    %h = arith.truncf %f to_nearest_even : f32 to bf16

   Upstream's canonicalize makes one conversion, i32 to bf16, of the pair on the left: it rounds
   once, and so gives another number where f32 cannot hold the integer. With its rounding mode
   spelled out, which changes nothing, the second conversion stays.

   A conversion to an 8-bit float saturates, which upstream's folding does not know: it makes
   infinity or NaN of large constants, and takes an infinite e5m2 that is widened and narrowed again
   for what it was. So it becomes an operation that upstream leaves alone; an integer goes by way of
   f32, which gives the same number:

     %y = arith.truncf %x : f32 to f8E5M2   ->    %y = "tile.to_fp8"(%x) : (f32) -> f8E5M2
     %z = arith.sitofp %i : i32 to f8E5M2         %f = arith.sitofp %i : i32 to f32
                                                  %z = "tile.to_fp8"(%f) : (f32) -> f8E5M2

   A signaling NaN is a missing number to maxnumf and minnumf, as any other NaN is; to upstream's
   folding of two constants it is the result. Nothing computes one: it comes from bits, in a bitcast
   or a constant. So where such bits may go on to a maxnumf or minnumf they stay bits as long as
   upstream folds:

     %x = arith.bitcast %i : i16 to f16     ->    %x = "tile.from_bits"(%i) : (i16) -> f16
     %y = arith.maxnumf %x, %c : f16              %y = arith.maxnumf %x, %c : f16

   Needs: any IR before the first canonicalize. Keeps: what is computed. Left to be merged is a
   pair that is proved equal to one conversion: the integer has no more bits than the float's
   significand, so that the first does not round, and the other one is no 8-bit float. A truncf is
   marked, too, where such a pair may come about later: its operand is carried by control flow,
   chosen, or of another shape. */
#include <math.h>
#include "base/map.h"
#include "ir/build.h"
#include "ir/passes.h"

enum { TO_NEAREST_EVEN = 0 }; /* arith's number of the rounding mode */

/* Bits of a float's significand, the hidden one counted. */
static int significand_bits(MlirType type) {
  return mlirTypeIsAF64(type) ? 53 : mlirTypeIsAF32(type) ? 24 : mlirTypeIsAF16(type) ? 11 : 8;
}

/* Is no integer of the operand's type rounded? */
static bool is_exact(struct session *session, MlirOperation conversion) {
  MlirType from = type_element(op_operand_type(conversion, 0));
  bool is_signed = op_is(session, conversion, OP_ARITH_SITOFP);
  int bits = (int)mlirIntegerTypeGetWidth(from) - is_signed;
  return bits <= significand_bits(type_element(op_result_type(conversion, 0)));
}

/* Is `value` the result of a conversion that rounds integers, or may it become one? */
static bool may_be_rounded_integer(struct session *session, MlirValue value, int depth) {
  enum { DEEPEST = 8 };
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op)) { /* not the kernel's own arguments */
    MlirOperation around = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    return !op_is(session, around, OP_FUNC);
  }
  if (mlirOperationGetNumRegions(op) > 0)
    return op_info(&session->names, op)->effects == EFFECTS_REGION;
  enum op_kind kind = kind_of(session, op);
  if (KIND_IN(kind, OP_ARITH_SITOFP, OP_ARITH_UITOFP))
    return !is_exact(session, op);
  if (!kind_has(kind, REARRANGES) && kind != OP_ARITH_SELECT)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (depth == DEEPEST || may_be_rounded_integer(session, op_operand(op, i), depth + 1))
      return true;
  return false;
}

/* A conversion of a float, or of an integer by way of f32, to an 8-bit float. */
static void saturate(struct session *session, MlirOperation op) {
  MlirType to = op_result_type(op, 0);
  MlirValue x = op_operand(op, 0);
  struct builder b = builder_before(op);
  if (!op_is(session, op, OP_ARITH_TRUNCF)) {
    MlirType wide = type_with_element(to, mlirF32TypeGet(session->context));
    const char *name = op_is(session, op, OP_ARITH_SITOFP) ? "arith.sitofp" : "arith.uitofp";
    x = BUILD(&b, name, IN(x), OUT(wide));
  }
  MlirAttribute mode = mlirOperationGetAttributeByName(op, ref("roundingmode"));
  MlirNamedAttribute rounding = attribute_named(
      session->context, "roundingmode",
      mlirAttributeIsNull(mode) ? attribute_integer(session->context, 32, TO_NEAREST_EVEN) : mode);
  x = build_value(&b, &(struct op_spec){.name = "tile.to_fp8",
                                        .in = &x,
                                        .in_count = 1,
                                        .out = &to,
                                        .out_count = 1,
                                        .attributes = &rounding,
                                        .attribute_count = !mlirAttributeIsNull(mode)});
  replace_op(op, &x);
}

static MlirLogicalResult keep(MlirOperation op, void *data) {
  struct session *session = data;
  enum op_kind kind = kind_of(session, op);
  bool truncation = kind == OP_ARITH_TRUNCF;
  if (!truncation && !KIND_IN(kind, OP_ARITH_SITOFP, OP_ARITH_UITOFP))
    return SUCCESS;
  if (type_is_fp8(type_element(op_result_type(op, 0))))
    saturate(session, op);
  else if (truncation && !op_has_attribute(op, "roundingmode") &&
           may_be_rounded_integer(session, op_operand(op, 0), 0))
    mlirOperationSetAttributeByName(op, ref("roundingmode"),
                                    attribute_integer(session->context, 32, TO_NEAREST_EVEN));
  return SUCCESS;
}

/* --- Bits ---------------------------------------------------------------------------------------
 */

/* What a maxnumf or minnumf may be given, in the order found: whatever its operands are made of. As
   x * 1 folds to x, no operation but a dot is known to make something new. */
struct sources {
  struct session *session;
  struct map known; /* MlirValue.ptr */
};

static bool may_signal(MlirType type) {
  return mlirTypeIsAFloat(type) && mlirFloatTypeGetWidth(type) >= 16;
}

static void add_source(struct sources *sources, MlirValue value) {
  if (may_signal(type_element(mlirValueGetType(value))))
    map_set(&sources->known, value.ptr, sources);
}

static void add_operands(struct sources *sources, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    add_source(sources, op_operand(op, i));
}

/* What goes into the operation, and what its regions hand on. */
static void add_all_of(struct sources *sources, MlirOperation op) {
  add_operands(sources, op);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      if (!mlirOperationIsNull(mlirBlockGetTerminator(block)))
        add_operands(sources, mlirBlockGetTerminator(block));
  }
}

static MlirLogicalResult find_extremes(MlirOperation op, void *data) {
  struct sources *sources = data;
  if (KIND_IN(kind_of(sources->session, op), OP_ARITH_MAXNUMF, OP_ARITH_MINNUMF))
    add_operands(sources, op);
  return SUCCESS;
}

static void follow_source(struct sources *sources, MlirValue value) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op))
    op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (!op_is(sources->session, op, OP_FUNC) && !op_has(sources->session, op, IS_DOT))
    add_all_of(sources, op);
}

static bool is_number(struct session *session, MlirValue constant) {
  MlirAttribute number = uniform_number(session, constant);
  return !mlirAttributeIsNull(number) && !isnan(mlirFloatAttrGetValueDouble(number));
}

static MlirType bits_of(MlirType type) {
  MlirType element = type_element(type);
  return type_with_element(
      type, mlirIntegerTypeGet(mlirTypeGetContext(type), mlirFloatTypeGetWidth(element)));
}

/* The bits of a constant, folded, are an integer. */
static void keep_bits(struct session *session, MlirValue value) {
  MlirOperation op = value_definition(value);
  bool constant = op_is(session, op, OP_ARITH_CONSTANT);
  if (!op_is(session, op, OP_ARITH_BITCAST) && !(constant && !is_number(session, value)))
    return;
  MlirType type = mlirValueGetType(value);
  struct builder b = builder_before(constant ? mlirOperationGetNextInBlock(op) : op);
  MlirValue bits =
      constant ? BUILD(&b, "arith.bitcast", IN(value), OUT(bits_of(type))) : op_operand(op, 0);
  MlirValue kept = BUILD(&b, "tile.from_bits", IN(bits), OUT(type));
  if (!constant) {
    replace_op(op, &kept);
    return;
  }
  MlirOperation user = value_definition(bits);
  mlirValueReplaceAllUsesExcept(value, kept, 1, &user);
}

static void keep_all_bits(struct session *session, MlirOperation root) {
  struct sources sources = {.session = session};
  visit_operations(root, find_extremes, &sources);
  for (size_t i = 0; i < sources.known.count; i++)
    follow_source(&sources, (MlirValue){sources.known.slots[i].key});
  for (size_t i = 0; i < sources.known.count; i++)
    keep_bits(session, (MlirValue){sources.known.slots[i].key});
  map_free(&sources.known);
}

MlirLogicalResult run_keep_roundings(struct pass_context *context, MlirOperation root) {
  keep_all_bits(context->session, root);
  return visit_operations(root, keep, context->session);
}
