/* SPDX-License-Identifier: MIT */
/* tile.sort: a bitonic network (Batcher 1968) on rows that lie in one warp each.

     for k = 1 .. n              groups of 2^k become sorted, up and down in turn
       for j = k-1 .. 0          elements that differ in bit j of their place are compared

   Bit j is a bit of the register number (a comparison within the thread) or of the lane (shfl.bfly
   and a comparison in both lanes). Bit k says whether a group is sorted upwards; the last groups
   are the rows. Both sides of a comparison take the same decision, so what cannot be ordered (NaN)
   stays where it is and nothing is lost. Where the result is shorter, the lanes beyond it fetch
   copies of its elements. */
#include "analysis/scratch.h"
#include "base/numbers.h"
#include "lowering/tile_gpu_to_llvm/device_ops.h"

struct sort {
  struct lowering *lw;
  struct lowered *values; /* registers in the layout of the network */
  int register_bits;      /* of a place in its row: these, then */
  int lane_bits;          /* these, the lowest of the lane */
  bool descending, is_unsigned;
};

static MlirValue lane_bit(struct sort *s, int bit) {
  return build_is_zero(s->lw, UINT32_C(1) << bit); /* of the thread, whose low bits are the lane */
}

static MlirValue negated(struct sort *s, MlirValue x) {
  return BUILD(&s->lw->b, "arith.xori", IN(x, constant_integer(s->lw, 1, 1)),
               OUT(integer_type(&s->lw->b, 1)));
}

/* a < b. */
static MlirValue is_less(struct sort *s, MlirValue a, MlirValue b) {
  int on_integers = s->is_unsigned ? I_BELOW : I_LESS;
  return build_compare(&s->lw->b, mlirTypeIsAFloat(s->values->type) ? F_LESS : on_integers, a, b);
}

static MlirValue select_value(struct sort *s, MlirValue condition, MlirValue yes, MlirValue no) {
  return BUILD(&s->lw->b, "arith.select", IN(condition, yes, no), OUT(mlirValueGetType(no)));
}

/* Does a group go upwards? Known now (0 or 1), or by the lane (-1, *by_lane is true for upwards).
 */
static int goes_up(struct sort *s, int k, int r, MlirValue *by_lane) {
  if (k == s->register_bits + s->lane_bits)
    return !s->descending;
  if (k < s->register_bits)
    return (r >> k & 1) == s->descending;
  *by_lane = lane_bit(s, k - s->register_bits); /* true where the bit is 0 */
  if (s->descending)
    *by_lane = negated(s, *by_lane);
  return -1;
}

/* Registers that differ in bit j. */
static void compare_registers(struct sort *s, int k, int j) {
  MlirValue *value = s->values->base, by_lane = {0};
  for (int r = 0; r < s->values->count; r++) {
    int other = r | 1 << j, up = goes_up(s, k, r, &by_lane);
    if (other == r)
      continue;
    MlirValue a = value[r], b = value[other], swap;
    if (up >= 0)
      swap = up ? is_less(s, b, a) : is_less(s, a, b);
    else
      swap = select_value(s, by_lane, is_less(s, b, a), is_less(s, a, b));
    value[r] = select_value(s, swap, b, a);
    value[other] = select_value(s, swap, a, b);
  }
}

/* Lanes that differ in bit j of the place. */
static void compare_lanes(struct sort *s, int k, int j) {
  struct lowering *lw = s->lw;
  MlirValue distance = constant_integer(lw, 32, 1 << (j - s->register_bits));
  MlirValue is_lower = lane_bit(s, j - s->register_bits), by_lane = {0};
  for (int r = 0; r < s->values->count; r++) {
    int up = goes_up(s, k, r, &by_lane);
    MlirValue own = s->values->base[r];
    MlirValue other = register_from_bits(
        lw, s->values,
        build_shuffle(lw, SHUFFLE_BUTTERFLY, register_bits(lw, s->values, r), distance));
    /* The lower lane of a pair that goes up wants the smaller one. */
    MlirValue wants_less = up > 0    ? is_lower
                           : up == 0 ? negated(s, is_lower)
                                     : build_compare(&lw->b, I_EQUAL, is_lower, by_lane);
    MlirValue take = select_value(s, wants_less, is_less(s, other, own), is_less(s, own, other));
    s->values->base[r] = select_value(s, take, other, own);
  }
}

static void run_network(struct sort *s) {
  for (int k = 1; k <= s->register_bits + s->lane_bits; k++)
    for (int j = k - 1; j >= 0; j--)
      if (j < s->register_bits)
        compare_registers(s, k, j);
      else
        compare_lanes(s, k, j);
}

/* The registers of the first `size` elements of each row. Lanes beyond them fetch those of the
   lanes that hold them. */
static struct lowered *keep_first(struct sort *s, int64_t size) {
  struct lowering *lw = s->lw;
  int kept_bits = log2_of(size);
  int kept_registers = kept_bits < s->register_bits ? kept_bits : s->register_bits;
  uint32_t dropped =
      ((UINT32_C(1) << s->register_bits) - 1) & ~((UINT32_C(1) << kept_registers) - 1);
  uint32_t beyond =
      ((UINT32_C(1) << s->lane_bits) - 1) & ~((UINT32_C(1) << (kept_bits - kept_registers)) - 1);
  MlirValue from = {0};
  if (beyond)
    from = BUILD(&lw->b, "arith.andi",
                 IN(lw->lane, constant_integer(lw, 32, (MACHINE_LANES - 1) & ~beyond)),
                 OUT(integer_type(&lw->b, 32)));
  struct lowered *kept = lowered_like(lw, s->values, s->values->count);
  kept->count = 0;
  for (int r = 0; r < s->values->count; r++) {
    if ((uint32_t)r & dropped)
      continue;
    MlirValue value = s->values->base[r];
    if (beyond)
      value = register_from_bits(
          lw, kept, build_shuffle(lw, SHUFFLE_LANE, register_bits(lw, s->values, r), from));
    kept->base[kept->count++] = value;
  }
  return kept;
}

static struct lowered *converted(struct lowering *lw, MlirOperation op,
                                 const struct conversion_step *step, int64_t scratch,
                                 struct lowered *source) {
  struct lowered *target =
      lowered_like(lw, source, (int)linear_layout_in_size(&step->to, LAYOUT_REGISTER));
  if (!step->needed)
    return source;
  if (step->waits)
    build_barrier(lw);
  build_conversion(lw, &step->plan[0], scratch + step->offset[0],
                   conversion_bytes(lw, op_operand_type(op, 0)), source, target);
  return target;
}

MlirLogicalResult lower_sort(struct lowering *lw, MlirOperation op) {
  enum { MAX_REGISTERS = 1024 };
  struct sorting *plan = ARENA_NEW(&lw->arena, struct sorting);
  TRY_IR(raise_status(op, sorting_plan(lw->session, op, plan)));
  if (type_is_fp8(type_element(op_operand_type(op, 0))))
    return fail_op(op, "fp8 numbers are not compared; convert them to f16 first");
  int64_t scratch, shape[MAX_RANK],
      registers = linear_layout_in_size(&plan->layout, LAYOUT_REGISTER);
  if (registers > MAX_REGISTERS)
    return fail_op(
        op,
        "a thread would sort %lld elements, the limit is %d: a row lies in one warp; use "
        "a shorter or fewer rows",
        (long long)registers, MAX_REGISTERS);
  TRY_IR(scratch_offset(lw, op, plan->bytes, &scratch));
  struct lowered *operand =
      converted(lw, op, &plan->first, scratch, lowered_of(lw, op_operand(op, 0)));
  struct sort s = {.lw = lw, .values = lowered_like(lw, operand, operand->count)};
  for (int r = 0; r < operand->count; r++)
    s.values->base[r] = register_value(lw, operand, r);
  struct axis_bits bits;
  axis_bits_of(&plan->layout, plan->axis, &bits);
  s.register_bits = __builtin_popcount(bits.registers);
  s.lane_bits = __builtin_popcount(bits.lanes);
  MlirAttribute descending = mlirOperationGetAttributeByName(op, ref("descending"));
  s.descending = mlirAttributeIsABool(descending) && mlirBoolAttrGetValue(descending);
  s.is_unsigned = op_has_attribute(op, "unsigned") || s.values->width == 1;
  run_network(&s);
  type_shape(op_result_type(op, 0), shape);
  struct lowered *kept = keep_first(&s, shape[plan->axis]);
  struct lowered *result = converted(lw, op, &plan->last, scratch, kept);
  return lowered_result(lw, op, result);
}
