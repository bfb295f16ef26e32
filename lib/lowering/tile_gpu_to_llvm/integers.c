/* SPDX-License-Identifier: MIT */
/* Integer arithmetic on (base, offset) pairs. All of it is exact modulo 2^width:

     (b1 + o1) + (b2 + o2) = (b1 + b2) + (o1 + o2)        (b + o) * c = b * c + o * c */
#include "lowering/tile_gpu_to_llvm/lowering.h"

int64_t wrap_to(int64_t number, unsigned width) {
  unsigned unused = 64 - width;
  return (int64_t)((uint64_t)number << unused) >> unused;
}

/* One pair of bases and the operation between them, made once per distinct pair. */
static MlirValue combine(struct lowering *lw, const struct lowered *result, int r, const char *name,
                         MlirValue x, MlirValue y, const struct lowered *a,
                         const struct lowered *b) {
  for (int earlier = r - 1; earlier >= 0 && earlier >= r - 16; earlier--) {
    int i = a->count == 1 ? 0 : earlier, j = b->count == 1 ? 0 : earlier;
    if (a->base[i].ptr == x.ptr && b->base[j].ptr == y.ptr)
      return result->base[earlier];
  }
  return BUILD(&lw->b, name, IN(x, y), OUT(result->type));
}

static bool is_pair_type(const struct lowered *registers) {
  return registers->width > 1;
}

/* A sum, or (minus) a difference. */
static MlirLogicalResult lower_sum(struct lowering *lw, MlirOperation op, const char *name,
                                   bool minus) {
  struct lowered *a = lowered_of(lw, op_operand(op, 0)), *b = lowered_of(lw, op_operand(op, 1));
  struct lowered *sum = lowered_create(lw, op_result_type(op, 0));
  if (!is_pair_type(sum))
    return lower_elementwise(lw, op);
  for (int r = 0; r < sum->count; r++) {
    MlirValue x = a->base[r], y = b->base[r];
    uint64_t more = (uint64_t)b->offset[r];
    sum->offset[r] = (int64_t)((uint64_t)a->offset[r] + (minus ? 0 - more : more));
    if (mlirValueIsNull(x) && minus && !mlirValueIsNull(y))
      x = constant_integer(lw, sum->width, 0);
    sum->base[r] = mlirValueIsNull(x)   ? y
                   : mlirValueIsNull(y) ? x
                                        : combine(lw, sum, r, name, x, y, a, b);
  }
  return lowered_result(lw, op, sum);
}

MlirLogicalResult lower_addi(struct lowering *lw, MlirOperation op) {
  return lower_sum(lw, op, "arith.addi", false);
}

MlirLogicalResult lower_subi(struct lowering *lw, MlirOperation op) {
  return lower_sum(lw, op, "arith.subi", true);
}

/* True when every register is a compile-time constant. */
static bool is_constant(const struct lowered *registers) {
  for (int r = 0; r < registers->count; r++)
    if (!mlirValueIsNull(registers->base[r]))
      return false;
  return true;
}

/* registers * factor, factor a constant per register. */
static MlirLogicalResult scale(struct lowering *lw, MlirOperation op, const struct lowered *value,
                               const int64_t *factor) {
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  for (int r = 0; r < result->count; r++) {
    result->offset[r] = (int64_t)((uint64_t)value->offset[r] * (uint64_t)factor[r]);
    if (mlirValueIsNull(value->base[r]))
      continue;
    if (factor[r] == 1) {
      result->base[r] = value->base[r];
      continue;
    }
    for (int earlier = r - 1; earlier >= 0 && earlier >= r - 16; earlier--)
      if (value->base[earlier].ptr == value->base[r].ptr && factor[earlier] == factor[r])
        result->base[r] = result->base[earlier];
    if (mlirValueIsNull(result->base[r]))
      result->base[r] = BUILD(&lw->b, "arith.muli",
                              IN(value->base[r], constant_integer(lw, result->width, factor[r])),
                              OUT(result->type));
  }
  return lowered_result(lw, op, result);
}

MlirLogicalResult lower_muli(struct lowering *lw, MlirOperation op) {
  struct lowered *a = lowered_of(lw, op_operand(op, 0)), *b = lowered_of(lw, op_operand(op, 1));
  if (a->width > 1 && is_constant(b))
    return scale(lw, op, a, b->offset);
  if (a->width > 1 && is_constant(a))
    return scale(lw, op, b, a->offset);
  return lower_elementwise(lw, op);
}

MlirLogicalResult lower_shli(struct lowering *lw, MlirOperation op) {
  struct lowered *a = lowered_of(lw, op_operand(op, 0)), *b = lowered_of(lw, op_operand(op, 1));
  if (a->width <= 1 || !is_constant(b))
    return lower_elementwise(lw, op);
  int64_t *factor = ARENA_ARRAY(&lw->arena, int64_t, (size_t)b->count);
  for (int r = 0; r < b->count; r++) {
    if (b->offset[r] < 0 || b->offset[r] >= a->width)
      return lower_elementwise(lw, op);
    factor[r] = (int64_t)(UINT64_C(1) << b->offset[r]);
  }
  return scale(lw, op, a, factor);
}

/* --- Extensions ------------------------------------------------------------------------------- */

/* Are all numbers of the tile start + position along one dimension, with a start that is a multiple
   of the dimension's size? Then none of these sums wraps, signed or unsigned. */
static bool is_aligned_run(const struct axis_info *info, MlirType type) {
  int64_t shape[MAX_RANK];
  intptr_t rank = type_is_tensor(type) ? type_shape(type, shape) : 0;
  int varying = 0;
  for (intptr_t d = 0; d < rank; d++) {
    if (info->constancy[d] >= shape[d])
      continue;
    varying++;
    if (info->contiguity[d] < shape[d] || info->divisibility[d] < shape[d])
      return false;
  }
  return varying == 1;
}

enum {
  MAX_STEPS = 12, /* from an extension to a pointer */
  MIN_NUMBERS = 4 /* of a thread: with fewer little is saved */
};

/* A product by a number that is known now. */
static bool is_scaled(struct session *session, MlirOperation op) {
  int64_t unused;
  enum op_kind kind = kind_of(session, op);
  return (KIND_IN(kind, OP_ARITH_MULI, OP_ARITH_SHLI) &&
          uniform_integer(session, op_operand(op, 1), &unused)) ||
         (kind == OP_ARITH_MULI && uniform_integer(session, op_operand(op, 0), &unused));
}

/* Is what is made of the numbers offsets of pointers alone, through sums and products by constants?
   For a product by what is known at run time only, for a comparison of the numbers as they are, and
   for all else a wide sum for each register costs more than to extend each. */
static bool is_for_pointers(struct session *session, MlirValue value, bool summed, int depth) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    enum op_kind kind = kind_of(session, user);
    bool sum = KIND_IN(kind, OP_ARITH_ADDI, OP_ARITH_SUBI);
    if (kind == OP_TILE_ADDPTR || (kind == OP_ARITH_CMPI && summed))
      continue;
    if (!depth ||
        !(sum || is_scaled(session, user) ||
          KIND_IN(kind, OP_TILE_EXPAND_DIMS, OP_TILE_BROADCAST, OP_TILE_SPLAT)) ||
        !is_for_pointers(session, op_result(user, 0), summed || sum, depth - 1))
      return false;
  }
  return true;
}

/* ext(b + o2) = ext(b + o1) + (o2 - o1), where neither sum is apart from the other by a wrap: one
   extension for all registers of a base. */
MlirLogicalResult lower_extension(struct lowering *lw, MlirOperation op) {
  const struct lowered *narrow = lowered_of(lw, op_operand(op, 0));
  MlirType type = op_operand_type(op, 0);
  if (!is_pair_type(narrow) || narrow->count < MIN_NUMBERS ||
      !is_aligned_run(axis_info_of(&lw->axis, op_operand(op, 0)), type) ||
      !is_for_pointers(lw->session, op_result(op, 0), false, MAX_STEPS))
    return lower_elementwise(lw, op);
  const char *name = op_is(lw->session, op, OP_ARITH_EXTSI) ? "arith.extsi" : "arith.extui";
  struct lowered *wide = lowered_create(lw, op_result_type(op, 0));
  for (int r = 0; r < wide->count; r++) {
    int first = 0;
    while (first < r && narrow->base[first].ptr != narrow->base[r].ptr)
      first++;
    if (mlirValueIsNull(narrow->base[r]))
      return lower_elementwise(lw, op);
    uint64_t more = (uint64_t)narrow->offset[r] - (uint64_t)narrow->offset[first];
    wide->offset[r] = wrap_to((int64_t)more, narrow->width);
    wide->base[r] = first < r
                        ? wide->base[first]
                        : BUILD(&lw->b, name, IN(register_value(lw, narrow, r)), OUT(wide->type));
  }
  return lowered_result(lw, op, wide);
}

/* --- Divisions that round --------------------------------------------------------------------- */

/* The truncated quotient, and one less (floor) or more (ceil) where there is a remainder and the
   exact quotient is negative (floor) or positive (ceil). */
static MlirValue emit_rounded_division(struct lowering *lw, MlirOperation op, const MlirValue *x) {
  MlirType type = mlirValueGetType(x[0]), i1 = integer_type(&lw->b, 1);
  unsigned width = mlirIntegerTypeGetWidth(type);
  bool is_unsigned = op_is(lw->session, op, OP_ARITH_CEILDIVUI);
  bool floor = op_is(lw->session, op, OP_ARITH_FLOORDIVSI);
  MlirValue zero = constant_integer(lw, width, 0);
  MlirValue quotient =
      BUILD(&lw->b, is_unsigned ? "arith.divui" : "arith.divsi", IN(x[0], x[1]), OUT(type));
  MlirValue back = BUILD(&lw->b, "arith.muli", IN(quotient, x[1]), OUT(type));
  MlirValue inexact = build_compare(&lw->b, I_UNEQUAL, back, x[0]);
  if (!is_unsigned) {
    MlirValue signs = BUILD(&lw->b, "arith.xori", IN(x[0], x[1]), OUT(type));
    MlirValue negative = build_compare(&lw->b, I_LESS, signs, zero);
    if (!floor)
      negative = BUILD(&lw->b, "arith.xori", IN(negative, constant_integer(lw, 1, 1)), OUT(i1));
    inexact = BUILD(&lw->b, "arith.andi", IN(inexact, negative), OUT(i1));
  }
  MlirValue step = BUILD(&lw->b, floor ? "arith.extsi" : "arith.extui", IN(inexact), OUT(type));
  return BUILD(&lw->b, "arith.addi", IN(quotient, step), OUT(type));
}

MlirLogicalResult lower_rounded_division(struct lowering *lw, MlirOperation op) {
  if (type_is_integer(type_element(op_result_type(op, 0)), 1))
    return fail_op(op, "i1 is not divided; extend to i8 first");
  return lower_each(lw, op, emit_rounded_division);
}
