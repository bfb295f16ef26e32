/* SPDX-License-Identifier: MIT */
/* tile-order-programs: the programs that take longest come first.

     %m = tile.program_id 0                     attributes {tile.longest_axis = 0,
     for %n = 0 to (%m + 1) * 128 step 64  ->               tile.longest_last}

   Needs: scalars folded, which tile-cleanup does. Keeps: every program, with what it computes.
   Leaves: tile.longest_axis on kernels whose loops are longer, or shorter, for later programs along
   one axis, and tile.longest_last where they are longer; the lowering of tile.program_id reads
   both.

   Why. The hardware starts blocks in the order of their numbers, along x first, as others end.
   Where the last ones are long, or where long and short ones alternate to the end, most of the
   device waits for a few: 2 to 6% of a causal attention of 4096 programs, a quarter of one of 512.
   Longest first leaves at the end what fills the gaps. But programs of one position along the other
   axes read the same memory (a head's keys), and so only as many positions as are in a group take
   part in one descent; docs/attention.md has the order, lowering/tile_gpu_to_llvm/ids.c the
   formula.

   Which kernels. The length of a loop is followed from its bounds to the numbers of programs: sums
   and products with constants exactly, least and greatest numbers and quotients in their direction;
   what is loaded is unknown along the axes that its address depends on. No loop may get longer
   along an axis while another one gets shorter, and of one axis alone the direction must be known.
   Only loops of constant steps count, and those that differ by an iteration from one program to the
   next: others share work out themselves. Not where a program could wait for another one, which may
   then come before it. */
#include "base/map.h"
#include "ir/passes.h"
#include "transforms/persist.h"

enum { AXES = 3 };

/* How a number changes from a program to the next one along an axis: by `slope`, or, not exactly,
   in its direction. */
struct change {
  bool unknown, exact;
  int64_t slope;
};

static const struct change SAME = {.exact = true}, UNKNOWN = {.unknown = true};

enum { MAX_NUMBERS = 256 };

/* What is known of an operation's operands along one axis. */
struct changes {
  struct session *session;
  int axis, count;
  struct map index; /* MlirValue.ptr -> number in `list`, from 1 on */
  struct change list[MAX_NUMBERS];
};

static int64_t sign_of(int64_t number) {
  return (number > 0) - (number < 0);
}

static bool is_same(struct change a) {
  return !a.unknown && a.exact && a.slope == 0;
}

/* Of a number that lies between two, or that is one of them. */
static struct change either(struct change a, struct change b) {
  int64_t x = sign_of(a.slope), y = sign_of(b.slope);
  if (a.unknown || b.unknown || x * y < 0)
    return UNKNOWN;
  if (a.exact && b.exact && a.slope == b.slope)
    return a;
  return (struct change){.slope = x ? x : y};
}

static struct change sum(struct change a, struct change b) {
  int64_t slope;
  if (a.unknown || b.unknown)
    return UNKNOWN;
  if (is_same(b))
    return a;
  if (a.exact && b.exact && !__builtin_add_overflow(a.slope, b.slope, &slope))
    return (struct change){.exact = true, .slope = slope};
  return is_same(a) ? b : either(a, b);
}

static struct change scaled(struct change a, int64_t factor) {
  int64_t slope;
  if (a.unknown || factor == 0)
    return a.unknown ? UNKNOWN : SAME;
  if (a.exact && !__builtin_mul_overflow(a.slope, factor, &slope))
    return (struct change){.exact = true, .slope = slope};
  return (struct change){.slope = sign_of(a.slope) * sign_of(factor)};
}

static struct change divided(struct change a, int64_t divisor) {
  return a.unknown || divisor <= 0 ? UNKNOWN : (struct change){.slope = sign_of(a.slope)};
}

static struct change change_of(struct changes *c, MlirValue value);

static struct change of_operand(struct changes *c, MlirOperation op, intptr_t i) {
  return change_of(c, op_operand(op, i));
}

static bool depends(struct changes *c, MlirOperation op) {
  if (mlirOperationGetNumRegions(op))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_same(of_operand(c, op, i)))
      return true;
  return false;
}

/* 0 or 1: a condition, as `tl.where(c, 1, 0)` makes it a number. */
static bool is_bit(struct changes *c, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return false;
  MlirOperation op = value_definition(value);
  enum op_kind kind = kind_of(c->session, op);
  int64_t a, b;
  if (KIND_IN(kind, OP_ARITH_EXTUI, OP_ARITH_EXTSI))
    return type_is_integer(mlirValueGetType(op_operand(op, 0)), 1) || is_bit(c, op_operand(op, 0));
  return kind == OP_ARITH_SELECT && uniform_integer(c->session, op_operand(op, 1), &a) &&
         uniform_integer(c->session, op_operand(op, 2), &b) && (a | b) == 1;
}

/* A product or a quotient with a constant. With a condition it is the other factor, or nothing. */
static struct change of_scaled(struct changes *c, MlirOperation op, bool is_product) {
  int64_t number;
  if (uniform_integer(c->session, op_operand(op, 1), &number))
    return is_product ? scaled(of_operand(c, op, 0), number)
                      : divided(of_operand(c, op, 0), number);
  if (is_product && uniform_integer(c->session, op_operand(op, 0), &number))
    return scaled(of_operand(c, op, 1), number);
  for (int i = 0; is_product && i < 2; i++)
    if (is_bit(c, op_operand(op, i)))
      return either(of_operand(c, op, 1 - i), SAME);
  return UNKNOWN;
}

/* Is a number at most a constant, which the next program already reaches? Then it is that constant,
   but at one end of the grid. */
static bool is_bounded(struct changes *c, MlirOperation op, enum op_kind kind) {
  int64_t number;
  for (int i = 0; i < 2 && KIND_IN(kind, OP_ARITH_MINSI, OP_ARITH_MINUI); i++) {
    struct change other = of_operand(c, op, 1 - i);
    if (uniform_integer(c->session, op_operand(op, i), &number) && number > 0 && !other.unknown &&
        other.exact && (other.slope >= number || other.slope <= -number))
      return true;
  }
  return false;
}

static struct change of_rule(struct changes *c, MlirOperation op, enum op_kind kind) {
  if (kind == OP_ARITH_ADDI)
    return sum(of_operand(c, op, 0), of_operand(c, op, 1));
  if (kind == OP_ARITH_SUBI)
    return sum(of_operand(c, op, 0), scaled(of_operand(c, op, 1), -1));
  if (is_bounded(c, op, kind))
    return SAME;
  if (KIND_IN(kind, OP_ARITH_MINSI, OP_ARITH_MAXSI, OP_ARITH_MINUI, OP_ARITH_MAXUI))
    return either(of_operand(c, op, 0), of_operand(c, op, 1));
  if (kind == OP_ARITH_SELECT && is_same(of_operand(c, op, 0)))
    return either(of_operand(c, op, 1), of_operand(c, op, 2));
  if (KIND_IN(kind, OP_ARITH_EXTSI, OP_ARITH_EXTUI, OP_ARITH_TRUNCI, OP_ARITH_INDEX_CAST))
    return of_operand(c, op, 0);
  if (KIND_IN(kind, OP_ARITH_MULI, OP_ARITH_DIVSI, OP_ARITH_DIVUI, OP_ARITH_CEILDIVSI,
              OP_ARITH_FLOORDIVSI))
    return of_scaled(c, op, kind == OP_ARITH_MULI);
  return UNKNOWN;
}

/* The number of an iteration, of a loop that begins and ends alike for all programs. */
static struct change of_argument(struct changes *c, MlirValue value) {
  MlirOperation owner = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (op_is(c->session, owner, OP_FUNC))
    return SAME;
  if (!op_is(c->session, owner, OP_SCF_FOR) || mlirBlockArgumentGetArgNumber(value))
    return UNKNOWN;
  return is_same(of_operand(c, owner, 0)) && is_same(of_operand(c, owner, 1)) ? SAME : UNKNOWN;
}

static struct change find_change(struct changes *c, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return of_argument(c, value);
  MlirOperation op = value_definition(value);
  enum op_kind kind = kind_of(c->session, op);
  if (kind == OP_TILE_PROGRAM_ID)
    return (struct change){.exact = true, .slope = op_integer(op, "axis", 0) == c->axis};
  return depends(c, op) ? of_rule(c, op, kind) : SAME;
}

/* Each number is looked at once; of very many, the later ones are not known. */
static struct change change_of(struct changes *c, MlirValue value) {
  intptr_t index = (intptr_t)map_get(&c->index, value.ptr);
  if (index)
    return c->list[index - 1];
  if (c->count == MAX_NUMBERS)
    return UNKNOWN;
  struct change *own = &c->list[c->count++];
  *own = UNKNOWN;
  map_set(&c->index, value.ptr, (void *)(intptr_t)c->count);
  return *own = find_change(c, value);
}

/* Of the number of iterations; less than one of them, as where programs share out a loop, is none.
 */
static struct change change_of_loop(struct changes *c, MlirOperation loop) {
  int64_t step;
  if (!uniform_integer(c->session, op_operand(loop, 2), &step) || step <= 0)
    return SAME;
  struct change own = sum(of_operand(c, loop, 1), scaled(of_operand(c, loop, 0), -1));
  return !own.unknown && own.exact && own.slope < step && own.slope > -step ? SAME : own;
}

static struct change change_of_loops(struct changes *c, const struct loop_list *loops) {
  struct change all = SAME;
  for (size_t i = 0; i < loops->count; i++)
    all = either(all, change_of_loop(c, loops->list[i]));
  return all;
}

static void order_kernel(struct session *session, MlirOperation kernel) {
  struct loop_list loops = loops_of(session, kernel);
  int longest = -1, several = 0;
  int64_t slope = 0;
  for (int axis = 0; axis < AXES; axis++) {
    struct changes c = {.session = session, .axis = axis};
    struct change own = change_of_loops(&c, &loops);
    map_free(&c.index);
    if (!own.unknown && own.slope)
      longest = axis, slope = own.slope, several++;
  }
  loops_free(&loops);
  if (several != 1)
    return;
  attribute_set_integer(kernel, ATTR_LONGEST_AXIS, longest);
  if (slope > 0)
    attribute_set_unit(kernel, ATTR_LONGEST_LAST);
}

MlirLogicalResult run_order_programs(struct pass_context *context, MlirOperation module) {
  MlirOperation kernel = {0};
  while (next_kernel(context->session, module, &kernel))
    if (!why_programs_meet(context->session, kernel))
      order_kernel(context->session, kernel);
  return SUCCESS;
}
