/* SPDX-License-Identifier: MIT */
/* Casts between numbers.

   fp8 lives in 8-bit integer registers. Conversions to it round to nearest even and saturate, as
   cvt.rn.satfinite does, which converts two at a time where the machine has it. Elsewhere, toward
   zero, and with the FNUZ types they are integer arithmetic and exact float operations, with the
   same results. Floats become integers by cvt.rzi's rule: truncated,
   saturated, NaN is 0. arith.truncf with roundingmode = toward_zero truncates. Each float is
   rounded once: where LLVM has no direct conversion the value takes a detour with round-to-odd
   (Boldo, Melquiond, Emulation of FMA and correctly rounded sums, 2008). */
#include <string.h>
#include "ir/module_target.h"
#include "ir/tile_ops.h"
#include "lowering/math/math_build.h"

/* --- fp8 -------------------------------------------------------------------------------------- */

struct fp8_format {
  int fraction_bits, bias;
  double greatest;
  bool fnuz;     /* no -0, whose bits are the only NaN; no infinities */
  bool infinite; /* exponent 31 holds infinities and NaNs, as in f16 */
};

static struct fp8_format format_of(MlirType type) {
  if (mlirTypeIsAFloat8E4M3FN(type))
    return (struct fp8_format){.fraction_bits = 3, .bias = 7, .greatest = 448};
  if (mlirTypeIsAFloat8E5M2(type))
    return (struct fp8_format){.fraction_bits = 2, .bias = 15, .greatest = 57344, .infinite = true};
  if (mlirTypeIsAFloat8E4M3FNUZ(type))
    return (struct fp8_format){.fraction_bits = 3, .bias = 8, .greatest = 240, .fnuz = true};
  return (struct fp8_format){.fraction_bits = 2, .bias = 16, .greatest = 57344, .fnuz = true};
}

/* The fp8 number's exponent and fraction, put at a float's place, are the number times 2^(bias -
   127), also when it is subnormal; the product with a power of two is exact. */
static MlirValue from_fp8(struct maths *m, MlirValue byte, struct fp8_format format) {
  MlirValue bits = i_convert(m, "arith.extui", byte, 32);
  MlirValue magnitude = i_with(m, "arith.andi", bits, 0x7F);
  MlirValue sign = i_shift_left(m, i_with(m, "arith.andi", bits, 0x80), 24);
  MlirValue y = f_from_bits(m, i_shift_left(m, magnitude, 23 - format.fraction_bits));
  y = f_mul_by(m, y, ldexp(1.0, 127 - format.bias));
  MlirValue nan = f_constant(m, NAN);
  if (format.infinite) {
    y = choose(m, i_compare_to(m, I_EQUAL, magnitude, 0x7C), f_constant(m, INFINITY), y);
    y = choose(m, i_compare_to(m, I_ABOVE, magnitude, 0x7C), nan, y);
  } else if (!format.fnuz) {
    y = choose(m, i_compare_to(m, I_EQUAL, magnitude, 0x7F), nan, y);
  }
  y = f_from_bits(m, i_or(m, f_bits(m, y), sign));
  return format.fnuz ? choose(m, i_compare_to(m, I_EQUAL, bits, 0x80), nan, y) : y;
}

/* |x| is clamped to the greatest number. A normal result is x's bits with the lower ones rounded
   off; for a subnormal one, adding a number whose last bit is the least fp8 makes the adder round.
 */
static MlirValue to_fp8(struct maths *m, MlirValue x, struct fp8_format format, bool toward_zero) {
  int dropped = 23 - format.fraction_bits;
  MlirValue bits = f_bits(m, x);
  MlirValue sign = i_with(m, "arith.andi", i_shift_right(m, bits, 24), 0x80);
  MlirValue magnitude = f_absolute(m, x), greatest = f_constant(m, format.greatest);
  MlirValue clamped = choose(m, f_compare(m, F_GREATER, magnitude, greatest), greatest, magnitude);
  MlirValue whole = f_bits(m, clamped), rounding = i_constant(m, 32, 0);
  double least_normal = ldexp(1.0, 1 - format.bias),
         step = ldexp(least_normal, -format.fraction_bits);
  double aligner = ldexp(step, 23);
  MlirValue subnormal;
  if (toward_zero) {
    MlirValue count = f_mul_by(m, clamped, 1 / step);
    subnormal = BUILD(&m->lw->b, "arith.fptosi", IN(count), OUT(i_type(m, 32)));
  } else {
    MlirValue last = i_with(m, "arith.andi", i_shift_right(m, whole, dropped), 1);
    rounding = i_with(m, "arith.addi", last, (1 << (dropped - 1)) - 1);
    subnormal = f_bits(m, f_add_to(m, clamped, aligner));
    float aligned = (float)aligner;
    int32_t aligner_bits;
    memcpy(&aligner_bits, &aligned, sizeof aligned);
    subnormal = i_with(m, "arith.subi", subnormal, aligner_bits);
  }
  MlirValue normal = i_shift_right(m, i_add(m, whole, rounding), dropped);
  normal = i_with(m, "arith.subi", normal, (int64_t)(127 - format.bias) << format.fraction_bits);
  MlirValue y = choose(m, f_compare_to(m, F_LESS, clamped, least_normal), subnormal, normal);
  MlirValue result = i_or(m, y, sign);
  if (format.fnuz) /* no -0 */
    result = choose(m, i_compare_to(m, I_EQUAL, y, 0), y, result);
  result = choose(m, f_compare(m, F_UNORDERED, x, x), i_constant(m, 32, format.fnuz ? 0x80 : 0x7F),
                  result);
  return i_convert(m, "arith.trunci", result, 8);
}

/* --- fp8, two at a time ----------------------------------------------------------------------- */

/* Does the machine convert this type? */
static bool converts_pairs(MlirOperation op, MlirType fp8) {
  return machine_has(machine_of(op), FEATURE_FP8) &&
         (mlirTypeIsAFloat8E4M3FN(fp8) || mlirTypeIsAFloat8E5M2(fp8));
}

static MlirValue cast_bits(struct lowering *lw, MlirValue x, MlirType type) {
  return BUILD(&lw->b, "llvm.bitcast", IN(x), OUT(type));
}

/* Two f16 as fp8, in an i16; others are f32. */
static MlirValue pair_to_fp8(struct lowering *lw, MlirType fp8, const MlirValue *x) {
  bool e4m3 = mlirTypeIsAFloat8E4M3FN(fp8);
  MlirType i16 = integer_type(&lw->b, 16);
  if (!mlirTypeIsAF16(mlirValueGetType(x[0])))
    return build_device_arithmetic(lw, e4m3 ? DEVICE_F32_TO_E4M3 : DEVICE_F32_TO_E5M2, x[0], x[1],
                                   i16);
  MlirValue word = cast_bits(lw, build_vector(lw, x, 2), integer_type(&lw->b, 32));
  return build_device_arithmetic(lw, e4m3 ? DEVICE_F16_TO_E4M3 : DEVICE_F16_TO_E5M2, word,
                                 (MlirValue){0}, i16);
}

/* One f32. */
static MlirValue one_to_fp8(struct maths *m, MlirValue x, MlirType fp8, bool toward_zero) {
  if (toward_zero || !converts_pairs(m->op, fp8))
    return to_fp8(m, x, format_of(fp8), toward_zero);
  return i_convert(m, "arith.trunci", pair_to_fp8(m->lw, fp8, (MlirValue[]){x, x}), 8);
}

/* Two fp8, in an i16, as f16. */
static void pair_from_fp8(struct lowering *lw, MlirType fp8, MlirValue bytes, MlirValue *halves) {
  bool e4m3 = mlirTypeIsAFloat8E4M3FN(fp8);
  MlirValue word = build_device_arithmetic(lw, e4m3 ? DEVICE_E4M3_TO_F16 : DEVICE_E5M2_TO_F16,
                                           bytes, (MlirValue){0}, integer_type(&lw->b, 32));
  MlirType f16 = mlirF16TypeGet(lw->session->context);
  split_vector(lw, cast_bits(lw, word, mlirVectorTypeGet(1, (int64_t[]){2}, f16)), halves, 2);
}

/* --- Narrower floats -------------------------------------------------------------------------- */

static struct maths in_f32(struct lowering *lw, MlirOperation op) {
  return maths_of(lw, op, mlirF32TypeGet(lw->session->context));
}

static unsigned float_bits(struct lowering *lw, MlirType type) {
  return type_bits(&lw->session->types, type);
}

/* Where `rounded`, extended again, differs from x: its bits, moved by one where that is asked for.
 */
struct neighbour {
  MlirValue bits, larger, inexact; /* larger: |rounded| > |x| */
};

static struct neighbour compare_with(struct maths *m, MlirValue x, MlirValue rounded) {
  struct lowering *lw = m->lw;
  MlirType integer = i_type(m, float_bits(lw, mlirValueGetType(rounded)));
  MlirValue back = BUILD(&lw->b, "arith.extf", IN(rounded), OUT(m->type));
  return (struct neighbour){.bits = BUILD(&lw->b, "arith.bitcast", IN(rounded), OUT(integer)),
                            .larger =
                                f_compare(m, F_GREATER, f_absolute(m, back), f_absolute(m, x)),
                            .inexact = f_compare(m, F_UNEQUAL, back, x)};
}

/* x rounded toward zero: the nearest number, or its neighbour where that is larger than x. The bits
   of the number below infinity are those of infinity minus one. */
static MlirValue truncate(struct maths *m, MlirValue x, MlirType to) {
  MlirValue rounded = BUILD(&m->lw->b, "arith.truncf", IN(x), OUT(to));
  struct neighbour near = compare_with(m, x, rounded);
  MlirValue below = i_with(m, "arith.subi", near.bits, 1);
  return BUILD(&m->lw->b, "arith.bitcast", IN(choose(m, near.larger, below, near.bits)), OUT(to));
}

/* f64 to f32, rounded to odd: where inexact, of the two neighbours the one with an odd last bit.
   Another rounding, to at most 22 bits, then gives what one from f64 would. */
static MlirValue round_to_odd(struct maths *m, MlirValue x) {
  MlirType f32 = mlirF32TypeGet(m->lw->session->context);
  MlirValue toward_zero = truncate(m, x, f32);
  struct neighbour near = compare_with(m, x, toward_zero);
  MlirValue inexact = i_and(m, near.inexact, f_compare(m, F_EQUAL, x, x));
  MlirValue odd = i_or(m, near.bits, i_convert(m, "arith.extui", inexact, 32));
  return BUILD(&m->lw->b, "arith.bitcast", IN(odd), OUT(f32));
}

static bool is_toward_zero(MlirOperation op) {
  MlirAttribute mode = mlirOperationGetAttributeByName(op, ref("roundingmode"));
  return !mlirAttributeIsNull(mode) && mlirIntegerAttrGetValueInt(mode) == 3;
}

/* Is a bf16 among the numbers that a sum, difference, product or quotient is made of? */
static bool is_made_of_bf16(struct lowering *lw, MlirValue value, int depth) {
  enum { DEEPEST = 6 };
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || depth == DEEPEST)
    return false;
  enum op_kind kind = kind_of(lw->session, op);
  if (kind == OP_ARITH_EXTF)
    return mlirTypeIsABF16(type_element(op_operand_type(op, 0)));
  bool followed = kind_has(kind, REARRANGES) ||
                  KIND_IN(kind, OP_ARITH_ADDF, OP_ARITH_SUBF, OP_ARITH_MULF, OP_ARITH_DIVF,
                          OP_ARITH_REMF, OP_ARITH_NEGF, OP_ARITH_SELECT);
  for (intptr_t i = 0; followed && i < mlirOperationGetNumOperands(op); i++)
    if (is_made_of_bf16(lw, op_operand(op, i), depth + 1))
      return true;
  return false;
}

/* An f32 or f64 as f16 by an intrinsic that LLVM does not look into. Of `fptrunc` to half of
   arithmetic with extended bfloats InstCombine (LLVM 22) makes arithmetic on halves, whose
   exponents are shorter: 1e30 * 0 becomes inf * 0. */
static MlirValue build_half(struct lowering *lw, MlirType from, MlirType to, MlirValue x) {
  MlirContext context = lw->session->context;
  const char *name = mlirTypeIsAF64(from) ? "llvm.convert.to.fp16.f64" : "llvm.convert.to.fp16.f32";
  const int32_t segments[] = {1, 0};
  MlirValue bits =
      BUILD(&lw->b, "llvm.call_intrinsic", IN(x), OUT(integer_type(&lw->b, 16)),
            ATTRIBUTES(
                attribute_named(context, "intrin", mlirStringAttrGet(context, ref(name))),
                attribute_named(context, "op_bundle_sizes", mlirDenseI32ArrayGet(context, 0, NULL)),
                attribute_named(context, "operandSegmentSizes",
                                mlirDenseI32ArrayGet(context, 2, segments))));
  return BUILD(&lw->b, "arith.bitcast", IN(bits), OUT(to));
}

/* What is converted to fp8 is f32, or f16 where the machine takes that. */
static MlirValue before_fp8(struct lowering *lw, MlirOperation op, MlirValue x, bool keeps_f16) {
  MlirType from = mlirValueGetType(x);
  struct maths m = maths_of(lw, op, from);
  if (mlirTypeIsAF64(from))
    return round_to_odd(&m, x);
  if (mlirTypeIsAF32(from) || (keeps_f16 && mlirTypeIsAF16(from)))
    return x;
  return BUILD(&lw->b, "arith.extf", IN(x), OUT(mlirF32TypeGet(lw->session->context)));
}

static void emit_pair_to_fp8(struct lowering *lw, MlirOperation op, const MlirValue *operands,
                             MlirValue *results) {
  MlirValue x[] = {before_fp8(lw, op, operands[0], true), before_fp8(lw, op, operands[1], true)};
  MlirValue bytes = pair_to_fp8(lw, type_element(op_result_type(op, 0)), x);
  MlirType pair = mlirVectorTypeGet(1, (int64_t[]){2}, integer_type(&lw->b, 8));
  split_vector(lw, cast_bits(lw, bytes, pair), results, 2);
}

/* --- Sums of wgmma as numbers of 16 bits ------------------------------------------------------ */

/* Is `value` the sums of a product, in the registers where wgmma left them? */
static bool is_accumulator(struct lowering *lw, MlirValue value) {
  const struct layout_info *info = NULL;
  tile_status_free(
      layout_decode(&lw->session->layouts, type_layout(mlirValueGetType(value)), &info));
  if (!info || info->kind != LAYOUT_KIND_MMA || info->mma.version != 3)
    return false;
  MlirOperation op = value_definition(value);
  while (!mlirOperationIsNull(op) && kind_has(kind_of(lw->session, op), REARRANGES))
    op = value_definition(op_operand(op, 0));
  return mlirOperationIsNull(op) || mlirOperationGetNumRegions(op) > 0 ||
         KIND_IN(kind_of(lw->session, op), OP_TILE_GPU_WARPGROUP_DOT,
                 OP_TILE_GPU_WARPGROUP_DOT_WAIT);
}

static bool stores_vectors(struct lowering *lw, MlirOperation op) {
  struct tile_store store;
  return op_is(lw->session, op, OP_TILE_STORE) && tile_store_read(op, &store) &&
         access_width(lw, store.pointer, store.mask) > 1;
}

/* Do all that take `value` put its elements into words? For those LLVM converts two at a time. */
static bool goes_into_words(struct lowering *lw, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    enum op_kind kind = kind_of(lw->session, user);
    bool passed_on = kind_has(kind, REARRANGES); /* conversions, too */
    bool stores = kind_has(kind, IS_DOT) || stores_vectors(lw, user) ||
                  KIND_IN(kind, OP_TILE_GPU_STORE_PART, OP_TILE_GPU_LOCAL_STORE, OP_TILE_GPU_ALLOC,
                          OP_TILE_GPU_STORE_BOX, OP_TILE_GPU_BULK_STORE);
    if (passed_on ? !goes_into_words(lw, op_result(user, 0)) : !stores)
      return false;
  }
  return true;
}

static bool rounds_accumulators(struct lowering *lw, MlirOperation op) {
  MlirType to = type_element(op_result_type(op, 0));
  return type_is_tensor(op_operand_type(op, 0)) &&
         mlirTypeIsAF32(type_element(op_operand_type(op, 0))) &&
         (mlirTypeIsAF16(to) || mlirTypeIsABF16(to)) && !is_toward_zero(op) &&
         register_count(lw, op_result_type(op, 0)) % 2 == 0 &&
         is_accumulator(lw, op_operand(op, 0)) && !goes_into_words(lw, op_result(op, 0));
}

/* Two by two. Of conversions of one accumulator each, though they stand after the wait, ptxas (CUDA
   13.0) may say that they read it while the product runs, and make all products wait (C7514). */
static void lower_accumulators(struct lowering *lw, MlirOperation op) {
  MlirType type = op_result_type(op, 0);
  const struct lowered *sums = lowered_of(lw, op_operand(op, 0));
  enum device_arithmetic conversion =
      mlirTypeIsAF16(type_element(type)) ? DEVICE_F32_TO_F16X2 : DEVICE_F32_TO_BF16X2;
  MlirValue *words = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)sums->count / 2);
  for (int i = 0; i < sums->count / 2; i++)
    words[i] =
        build_device_arithmetic(lw, conversion, register_value(lw, sums, 2 * i),
                                register_value(lw, sums, 2 * i + 1), integer_type(&lw->b, 32));
  lowered_set(lw, op_result(op, 0), lowered_from_pairs(lw, type, words));
}

static MlirValue emit_truncf(struct lowering *lw, MlirOperation op, const MlirValue *operands) {
  MlirType from = mlirValueGetType(operands[0]), to = type_element(op_result_type(op, 0));
  MlirValue x = operands[0];
  bool toward_zero = is_toward_zero(op);
  if (!type_is_fp8(to)) {
    struct maths m = maths_of(lw, op, from);
    if (toward_zero)
      return truncate(&m, x, to);
    if (mlirTypeIsAF16(to) && is_made_of_bf16(lw, op_operand(op, 0), 0))
      return build_half(lw, from, to, x);
    return BUILD(&lw->b, "arith.truncf", IN(x), OUT(to));
  }
  struct maths m = in_f32(lw, op);
  return one_to_fp8(&m, before_fp8(lw, op, x, false), to, toward_zero);
}

/* toward_zero and to_nearest_even are arith's numbers 3 and 0. */
MlirLogicalResult lower_truncf(struct lowering *lw, MlirOperation op) {
  MlirAttribute mode = mlirOperationGetAttributeByName(op, ref("roundingmode"));
  if (!mlirAttributeIsNull(mode) && !is_toward_zero(op) && mlirIntegerAttrGetValueInt(mode) != 0)
    return fail_op(op, "this rounding mode is not supported; use to_nearest_even or toward_zero");
  if (type_is_fp8(type_element(op_operand_type(op, 0))))
    return fail_op(op, "an fp8 number is extended to f32 before it becomes another fp8 type");
  if (!is_toward_zero(op) && converts_pairs(op, type_element(op_result_type(op, 0))) &&
      register_count(lw, op_result_type(op, 0)) % 2 == 0) {
    lower_each_pair(lw, op, emit_pair_to_fp8);
    return SUCCESS;
  }
  if (rounds_accumulators(lw, op)) {
    lower_accumulators(lw, op);
    return SUCCESS;
  }
  return lower_each(lw, op, emit_truncf);
}

/* An f16 that was fp8: exact in every type. */
static MlirValue from_half(struct lowering *lw, MlirValue x, MlirType to) {
  if (mlirTypeIsAF16(to))
    return x;
  if (!mlirTypeIsABF16(to))
    return BUILD(&lw->b, "arith.extf", IN(x), OUT(to));
  x = BUILD(&lw->b, "arith.extf", IN(x), OUT(mlirF32TypeGet(lw->session->context)));
  return BUILD(&lw->b, "arith.truncf", IN(x), OUT(to));
}

MlirValue build_extension(struct lowering *lw, MlirOperation op, MlirType from, MlirType to,
                          MlirValue x) {
  if (!type_is_fp8(from))
    return BUILD(&lw->b, "arith.extf", IN(x), OUT(to));
  struct maths m = in_f32(lw, op);
  if (converts_pairs(op, from)) {
    MlirValue halves[2];
    pair_from_fp8(lw, from, i_convert(&m, "arith.extui", x, 16), halves);
    return from_half(lw, halves[0], to);
  }
  if (mlirTypeIsAFloat8E5M2(from) && mlirTypeIsAF16(to)) { /* the upper half of an f16 */
    MlirValue bits = i_shift_left(&m, i_convert(&m, "arith.extui", x, 16), 8);
    return BUILD(&lw->b, "arith.bitcast", IN(bits), OUT(to));
  }
  MlirValue y = from_fp8(&m, x, format_of(from));
  if (mlirTypeIsAF32(to))
    return y;
  return BUILD(&lw->b, mlirTypeIsAF64(to) ? "arith.extf" : "arith.truncf", IN(y), OUT(to));
}

static MlirValue emit_extf(struct lowering *lw, MlirOperation op, const MlirValue *operands) {
  return build_extension(lw, op, type_element(op_operand_type(op, 0)),
                         type_element(op_result_type(op, 0)), operands[0]);
}

static void emit_pair_from_fp8(struct lowering *lw, MlirOperation op, const MlirValue *operands,
                               MlirValue *results) {
  MlirType from = type_element(op_operand_type(op, 0)), to = type_element(op_result_type(op, 0));
  MlirValue bytes = cast_bits(lw, build_vector(lw, operands, 2), integer_type(&lw->b, 16));
  pair_from_fp8(lw, from, bytes, results);
  for (int i = 0; i < 2; i++)
    results[i] = from_half(lw, results[i], to);
}

/* Registers of 16 bits as new ones, of which neither LLVM nor ptxas knows that they are equal: they
   would take a conversion of them for the earlier one of the same registers, and keep its result
   (tile-gpu-rematerialise-widening). Whatever takes the tile from here on takes the new registers:
   the old ones are done with. */
static const struct lowered *hidden_copy(struct lowering *lw, MlirValue value) {
  enum { LEAST_SHIFT = 16, SHIFTS = 16 };
  MlirType i32 = integer_type(&lw->b, 32);
  MlirValue *pairs = pairs_of(lw, lowered_of(lw, value));
  int count = register_count(lw, mlirValueGetType(value)) / 2;
  MlirValue shift = constant_integer(lw, 32, LEAST_SHIFT + lw->next_zero++ % SHIFTS);
  MlirValue zero = build_device_arithmetic(lw, DEVICE_HIDDEN_ZERO, shift, (MlirValue){0}, i32);
  MlirValue *copies = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)count);
  for (int i = 0; i < count; i++)
    copies[i] = BUILD(&lw->b, "arith.ori", IN(pairs[i], zero), OUT(i32));
  struct lowered *registers = lowered_from_pairs(lw, mlirValueGetType(value), copies);
  lowered_set(lw, value, registers);
  return registers;
}

MlirLogicalResult lower_extf(struct lowering *lw, MlirOperation op) {
  MlirValue narrow = op_operand(op, 0);
  int count = register_count(lw, mlirValueGetType(narrow));
  if (count % 2 == 0 && converts_pairs(op, type_element(mlirValueGetType(narrow)))) {
    lower_each_pair(lw, op, emit_pair_from_fp8);
    return SUCCESS;
  }
  if (!attribute_has(op, ATTR_REMATERIALISED) || count % 2)
    return lower_each(lw, op, emit_extf);
  const struct lowered *copy = hidden_copy(lw, narrow);
  struct lowered *wide = lowered_create(lw, op_result_type(op, 0));
  for (int r = 0; r < wide->count; r++) {
    MlirValue x = register_value(lw, copy, r);
    wide->base[r] = emit_extf(lw, op, &x);
  }
  lowered_set(lw, op_result(op, 0), wide);
  return SUCCESS;
}

/* --- Integers --------------------------------------------------------------------------------- */

/* cvt.rzi to 32 or 64 bits, of what has been truncated as well as of the number itself. */
static MlirValue convert_to_integer(struct lowering *lw, MlirOperation op, MlirValue x,
                                    bool is_signed, unsigned width) {
  MlirType from = type_element(op_operand_type(op, 0));
  bool wide = mlirTypeIsAF64(from);
  struct maths m = maths_of(lw, op, wide ? from : mlirF32TypeGet(lw->session->context));
  if (op_is(lw->session, value_definition(x), OP_MATH_TRUNC))
    x = op_operand(value_definition(x), 0);
  if (!wide && !mlirTypeIsAF32(from))
    x = build_extension(lw, op, from, m.type, x);
  static const enum device_arithmetic conversions[2][2][2] = {
      {{DEVICE_F32_TO_U32, DEVICE_F32_TO_S32}, {DEVICE_F32_TO_U64, DEVICE_F32_TO_S64}},
      {{DEVICE_F64_TO_U32, DEVICE_F64_TO_S32}, {DEVICE_F64_TO_U64, DEVICE_F64_TO_S64}}};
  MlirValue y = build_device_arithmetic(lw, conversions[wide][width == 64][is_signed], x,
                                        (MlirValue){0}, i_type(&m, width));
  if (width == 64 || wide) /* where the device makes 2^63 or 2^31 of NaN */
    y = choose(&m, f_compare(&m, F_UNORDERED, x, x), i_constant(&m, width, 0), y);
  return y;
}

/* Integers that are narrower than the machine's are clamped from 32 bits. */
static MlirValue emit_float_to_integer(struct lowering *lw, MlirOperation op,
                                       const MlirValue *operands) {
  bool is_signed = op_is(lw->session, op, OP_ARITH_FPTOSI);
  unsigned width = mlirIntegerTypeGetWidth(register_type(lw, op_result_type(op, 0)));
  unsigned machine = width > 32 ? 64 : 32;
  MlirValue y = convert_to_integer(lw, op, operands[0], is_signed, machine);
  if (width == machine)
    return y;
  struct maths m = in_f32(lw, op);
  int64_t most = (INT64_C(1) << (is_signed ? width - 1 : width)) - 1;
  y = i_with(&m, is_signed ? "arith.minsi" : "arith.minui", y, most);
  if (is_signed)
    y = i_with(&m, "arith.maxsi", y, -most - 1);
  return i_convert(&m, "arith.trunci", y, width);
}

/* Two of 8 bits, which one instruction clamps and packs. */
static void emit_pair_to_bytes(struct lowering *lw, MlirOperation op, const MlirValue *operands,
                               MlirValue *results) {
  MlirValue low = convert_to_integer(lw, op, operands[0], true, 32),
            high = convert_to_integer(lw, op, operands[1], true, 32);
  bool is_signed = op_is(lw->session, op, OP_ARITH_FPTOSI);
  MlirValue bytes = build_device_arithmetic(lw, is_signed ? DEVICE_PACK_S8 : DEVICE_PACK_U8, low,
                                            high, integer_type(&lw->b, 16));
  MlirType pair = mlirVectorTypeGet(1, (int64_t[]){2}, integer_type(&lw->b, 8));
  split_vector(lw, cast_bits(lw, bytes, pair), results, 2);
}

MlirLogicalResult lower_float_to_integer(struct lowering *lw, MlirOperation op) {
  MlirType type = op_result_type(op, 0);
  bool is_byte = mlirIntegerTypeGetWidth(register_type(lw, type)) == 8;
  if (!is_byte || register_count(lw, type) % 2)
    return lower_each(lw, op, emit_float_to_integer);
  lower_each_pair(lw, op, emit_pair_to_bytes);
  return SUCCESS;
}

/* An integer of more than `kept` bits with the others gathered into its last bit but `dropped`,
   which makes that odd: exact in a float of `kept` bits, and rounded further as the integer itself
   would be. */
static MlirValue gather_low_bits(struct maths *m, MlirValue x, bool is_signed, unsigned kept) {
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(x)), dropped = width - kept;
  int64_t mask = (INT64_C(1) << dropped) - 1, limit = INT64_C(1) << kept;
  MlirValue low = i_compare_to(m, I_UNEQUAL, i_with(m, "arith.andi", x, mask), 0);
  MlirValue sticky = i_shift_left(m, i_convert(m, "arith.extui", low, width), dropped);
  MlirValue gathered = i_or(m, i_with(m, "arith.andi", x, ~mask), sticky);
  MlirValue large = is_signed
                        ? i_compare_to(m, I_ABOVE, i_with(m, "arith.addi", x, limit), 2 * limit)
                        : i_compare_to(m, I_ABOVE, x, limit);
  return choose(m, large, gathered, x);
}

/* Through f32: what that rounds is beyond every fp8 number, and saturates. */
static MlirValue integer_to_fp8(struct lowering *lw, MlirOperation op, const char *name,
                                MlirValue x) {
  struct maths m = in_f32(lw, op);
  x = BUILD(&lw->b, name, IN(x), OUT(m.type));
  return one_to_fp8(&m, x, type_element(op_result_type(op, 0)), false);
}

/* To f16 through f32: what that rounds is beyond every f16, and these two conversions are faster
   than the one. LLVM may not see that: it would make one of them, and where it knows that the
   integer has few significant bits, forget that it may be beyond (f16 of x << 20 to f32). To bf16
   LLVM goes through f32, which rounds integers of more than 24 bits once too often. */
static MlirValue emit_integer_to_float(struct lowering *lw, MlirOperation op,
                                       const MlirValue *operands) {
  bool is_signed = op_is(lw->session, op, OP_ARITH_SITOFP);
  const char *name = is_signed ? "arith.sitofp" : "arith.uitofp";
  MlirType to = register_type(lw, op_result_type(op, 0));
  MlirValue x = operands[0];
  if (type_is_fp8(type_element(op_result_type(op, 0))))
    return integer_to_fp8(lw, op, name, x);
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(x));
  if (mlirTypeIsAF16(to) && width > 1) {
    MlirType f32 = mlirF32TypeGet(lw->session->context);
    return build_half(lw, f32, to, BUILD(&lw->b, name, IN(x), OUT(f32)));
  }
  if (!mlirTypeIsABF16(to) || width <= 16)
    return BUILD(&lw->b, name, IN(x), OUT(to));
  bool wide = width > 32;
  MlirContext context = lw->session->context;
  struct maths m = maths_of(lw, op, wide ? mlirF64TypeGet(context) : mlirF32TypeGet(context));
  x = BUILD(&lw->b, name, IN(gather_low_bits(&m, x, is_signed, wide ? 53 : 24)), OUT(m.type));
  if (wide)
    x = round_to_odd(&m, x);
  return BUILD(&lw->b, "arith.truncf", IN(x), OUT(to));
}

MlirLogicalResult lower_integer_to_float(struct lowering *lw, MlirOperation op) {
  return lower_each(lw, op, emit_integer_to_float);
}

/* Between fp8 and i8, or two fp8 types, nothing changes: both are i8 registers. */
static MlirValue emit_bitcast(struct lowering *lw, MlirOperation op, const MlirValue *operands) {
  MlirType to = register_type(lw, op_result_type(op, 0));
  if (mlirTypeEqual(to, mlirValueGetType(operands[0])))
    return operands[0];
  return BUILD(&lw->b, "arith.bitcast", IN(operands[0]), OUT(to));
}

MlirLogicalResult lower_bitcast(struct lowering *lw, MlirOperation op) {
  return lower_each(lw, op, emit_bitcast);
}

/* llvm's: the conversion of arith folds, too. */
static MlirValue emit_from_bits(struct lowering *lw, MlirOperation op, const MlirValue *operands) {
  return cast_bits(lw, operands[0], register_type(lw, op_result_type(op, 0)));
}

MlirLogicalResult lower_from_bits(struct lowering *lw, MlirOperation op) {
  return lower_each(lw, op, emit_from_bits);
}
