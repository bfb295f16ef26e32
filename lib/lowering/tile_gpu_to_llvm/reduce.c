/* SPDX-License-Identifier: MIT */
/* tile.reduce: combined within each thread, then between lanes by shuffles, then between warps
   through shared memory, in one round:

     a thread's registers along the axis     a tree of combinations
     its warp's lanes along the axis         shfl.bfly and a combination per bit; redux.sync for
                                             integers; where sides matter, and there are three bits,
                                             the first lane has the result and shfl.idx spreads it;
                                             where the result goes on through shared memory, two
                                             lanes combine half of their registers each, and then
                                             have half as many: four sums of 32 lanes take 6
                                             shuffles for 20
     the warps along the axis                each stores its result; one barrier; each thread loads
                                             what it needs: four values in one access, or four a
                                             lane, which are then combined as above

   The tree's lowest levels may take what an operand is made of (reduce_operand.h): the factors of a
   product, or what is masked, where a mask is the same for several registers.

   Several operands, of one reduction or of several that tile-gpu-order has put together,
   go through all of this together, with one barrier.

   The order of combinations is fixed by the layout, so results repeat bit for bit. A combiner that
   is `ordered` gets its elements in their order along the axis: reduction_plan has chosen such a
   layout. */
#include "lowering/tile_gpu_to_llvm/reduce.h"

#include <string.h>
#include "ir/tile_ops.h"
#include "lowering/tile_gpu_to_llvm/reduce_operand.h"

/* Combines the registers that differ in `axis` bits only. `from` is NULL when they are no longer
   the operands'. */
static MlirLogicalResult reduce_registers(struct reducing *s, uint32_t axis,
                                          const struct reduce_operands *from) {
  int width = 1 << __builtin_popcount(axis), count = s->count / width;
  struct element *result = ARENA_ARRAY(&s->lw->arena, struct element, (size_t)count);
  struct element *row = ARENA_ARRAY(&s->lw->arena, struct element, (size_t)width);
  uint32_t others = (uint32_t)(s->count - 1) & ~axis;
  for (int r = 0; r < count; r++) {
    uint32_t base = deposit_bits((uint32_t)r, others);
    for (int j = 0; j < width; j++)
      row[j] = s->element[base | deposit_bits((uint32_t)j, axis)];
    for (int combined = 2; combined <= width; combined *= 2)
      for (int j = 0; j < width / combined; j++) {
        uint32_t first = base | deposit_bits((uint32_t)(j * combined), axis);
        if (combined == 2 && from)
          TRY_IR(reduce_operands_combine(s, from, first, &row[2 * j], &row[2 * j + 1], &row[j]));
        else
          TRY_IR(reducing_combine(s, &row[2 * j], &row[2 * j + 1], &row[j]));
        if (from)
          reduce_operands_mask(s, from, first, combined, &row[j]);
      }
    result[r] = row[0];
  }
  s->element = result;
  s->count = count;
  return SUCCESS;
}

/* The operation by which an operand's integers of up to 32 bits are combined in one instruction;
   OP_OTHER: there is none. */
static enum op_kind single_combiner(struct reducing *s, int operand) {
  enum op_kind kind = reduce_lone_combiner_of(s->lw->session, s->op, operand);
  MlirType type = type_element(op_operand_type(s->op, operand));
  bool fits = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 32;
  return fits && s->lw->device->reduces(kind) ? kind : OP_OTHER;
}

static void reduce_at_once(struct reducing *s, int operand, enum op_kind combiner) {
  struct lowering *lw = s->lw;
  MlirType i32 = integer_type(&lw->b, 32);
  MlirType type = s->count ? mlirValueGetType(s->element[0].value[operand]) : i32;
  bool narrow = mlirIntegerTypeGetWidth(type) < 32;
  bool sign = KIND_IN(combiner, OP_ARITH_MINSI, OP_ARITH_MAXSI);
  for (int r = 0; r < s->count; r++) {
    MlirValue x = s->element[r].value[operand];
    if (narrow)
      x = BUILD(&lw->b, sign ? "arith.extsi" : "arith.extui", IN(x), OUT(i32));
    x = lw->device->reduce(lw, combiner, x);
    s->element[r].value[operand] = narrow ? BUILD(&lw->b, "arith.trunci", IN(x), OUT(type)) : x;
  }
}

/* One instruction each for those operands that have one; returns the set of these. */
static uint32_t reduce_operands_at_once(struct reducing *s) {
  uint32_t done = 0;
  for (int i = 0; i < s->plan->count; i++) {
    enum op_kind combiner = single_combiner(s, i);
    if (combiner == OP_OTHER)
      continue;
    reduce_at_once(s, i, combiner);
    done |= UINT32_C(1) << i;
  }
  return done;
}

/* Element r with the one `distance` lanes away, but for the operands in `done`. `upper`: whether
   the thread's own is the right one; null: it is on the left. */
static MlirLogicalResult reduce_pair(struct reducing *s, int r, uint32_t distance, uint32_t done,
                                     MlirValue upper) {
  struct element own = s->element[r], both;
  struct element other =
      shuffle_element(s, SHUFFLE_BUTTERFLY, &own, constant_integer(s->lw, 32, distance), done);
  struct element left = own, right = other;
  if (!mlirValueIsNull(upper)) {
    left = select_element(s, upper, &other, &own);
    right = select_element(s, upper, &own, &other);
  }
  TRY_IR(reducing_combine(s, &left, &right, &both));
  for (int i = 0; i < s->plan->count; i++)
    if (!(done >> i & 1))
      s->element[r].value[i] = both.value[i];
  return SUCCESS;
}

/* Element r of the lane whose bits in `lanes` are zero, in all of them. */
static void spread_first_lane(struct reducing *s, uint32_t lanes, uint32_t done) {
  struct lowering *lw = s->lw;
  MlirValue others = constant_integer(lw, 32, MACHINE_LANES - 1 - lanes);
  MlirValue first = build_binary(&lw->b, "arith.andi", lw->lane, others);
  for (int r = 0; r < s->count; r++)
    s->element[r] = shuffle_element(s, SHUFFLE_LANE, &s->element[r], first, done);
}

/* Two selects of each value keep sides in one step; one more shuffle at the end does in all steps,
   as the first lane has its sides in order anyway. */
static MlirLogicalResult reduce_lanes(struct reducing *s, uint32_t lanes) {
  enum { ALL_LANES = MACHINE_LANES - 1, STEPS_TO_SPREAD = 3 };
  uint32_t done = lanes == ALL_LANES ? reduce_operands_at_once(s) : 0;
  if (done == (UINT32_C(1) << s->plan->count) - 1)
    return SUCCESS;
  bool spreads = s->keep_sides && __builtin_popcount(lanes) >= STEPS_TO_SPREAD;
  bool selects = s->keep_sides && !spreads;
  for (int bit = 0; lanes >> bit; bit++) {
    if (!(lanes >> bit & 1))
      continue;
    uint32_t distance = UINT32_C(1) << bit;
    MlirValue upper = selects ? build_has_bits(s->lw, s->lw->lane, distance) : (MlirValue){0};
    for (int r = 0; r < s->count; r++)
      TRY_IR(reduce_pair(s, r, distance, done, upper));
  }
  if (spreads)
    spread_first_lane(s, lanes, done);
  return SUCCESS;
}

/* Of each two elements the lane without the bit `distance` keeps the first and gives the second to
   the lane with it, which keeps that and gives the first: half of the elements are left in each. */
static MlirLogicalResult scatter_pairs(struct reducing *s, uint32_t distance) {
  MlirValue upper = build_has_bits(s->lw, s->lw->lane, distance);
  MlirValue offset = constant_integer(s->lw, 32, distance);
  s->count /= 2;
  for (int r = 0; r < s->count; r++) {
    const struct element *low = &s->element[2 * r], *high = &s->element[2 * r + 1];
    struct element given = select_element(s, upper, low, high);
    struct element kept = select_element(s, upper, high, low);
    struct element other = shuffle_element(s, SHUFFLE_BUTTERFLY, &given, offset, 0);
    TRY_IR(reducing_combine(s, &kept, &other, &s->element[r]));
  }
  return SUCCESS;
}

/* As reduce_lanes, and leaves the layout axis_scattered_layout. */
static MlirLogicalResult scatter_lanes(struct reducing *s, uint32_t lanes) {
  uint32_t left = lanes;
  for (; left && s->count > 1; left &= left - 1)
    TRY_IR(scatter_pairs(s, left & -left));
  return reduce_lanes(s, left);
}

/* Bits of the gathered layout's lanes that run along the axis. */
static uint32_t gathered_lanes(const struct reduction *plan) {
  uint32_t lanes = 0;
  const struct linear_layout *to = &plan->across.to;
  for (int bit = 0; bit < to->in.bits[LAYOUT_LANE]; bit++)
    if (axis_coordinate(to, LAYOUT_LANE, bit, plan->axis))
      lanes |= UINT32_C(1) << bit;
  return lanes;
}

static MlirLogicalResult reduce_warps(struct reducing *s) {
  reducing_conversion(s, &s->plan->across);
  uint32_t gathered = (UINT32_C(1) << axis_gathered_registers(&s->plan->bits)) - 1;
  TRY_IR(reduce_registers(s, gathered, NULL));
  return reduce_lanes(s, gathered_lanes(s->plan));
}

MlirLogicalResult lower_reduce(struct lowering *lw, MlirOperation op) {
  struct reducing s;
  TRY_IR(reducing_begin(lw, op, &s));
  struct reduce_operands from;
  reduce_operands_find(&s, &from);
  TRY_IR(reduce_registers(&s, s.plan->bits.registers, &from));
  TRY_IR(s.plan->scatters ? scatter_lanes(&s, s.plan->bits.lanes)
                          : reduce_lanes(&s, s.plan->bits.lanes));
  if (s.plan->across.needed)
    TRY_IR(reduce_warps(&s));
  reducing_end(&s);
  return SUCCESS;
}
