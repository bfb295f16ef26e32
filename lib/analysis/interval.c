/* SPDX-License-Identifier: MIT */
/* See interval.h. */
#include "analysis/interval.h"

#include "analysis/offsets.h"
#include "base/numbers.h"
#include "ir/build.h"

enum { MAX_DEPTH = 16 };

struct reader {
  struct session *session;
  MlirOperation at;
  int depth;
};

static const struct interval everything = {INT64_MIN, INT64_MAX};

/* Bits of an integer type, 64 of index; 0 of other types. */
static unsigned bits_of(MlirType type) {
  if (mlirTypeIsAIndex(type))
    return 64;
  unsigned bits = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  return bits <= 64 ? bits : 0;
}

/* All numbers of the type. */
static struct interval all_of(MlirType type) {
  unsigned bits = bits_of(type);
  if (bits == 0 || bits == 64)
    return everything;
  return (struct interval){-(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1};
}

static struct interval both(struct interval a, struct interval b) {
  return (struct interval){larger(a.low, b.low), smaller(a.high, b.high)};
}

static struct interval either(struct interval a, struct interval b) {
  return (struct interval){smaller(a.low, b.low), larger(a.high, b.high)};
}

static struct interval read_value(struct reader *reader, MlirValue value);

static struct interval read_operand(struct reader *reader, MlirOperation op, intptr_t operand) {
  return read_value(reader, op_operand(op, operand));
}

/* The constant that an operand is, if it is positive; else 0. */
static int64_t positive_constant(struct reader *reader, MlirOperation op, intptr_t operand) {
  int64_t number;
  return uniform_integer(reader->session, op_operand(op, operand), &number) && number > 0 ? number
                                                                                          : 0;
}

/* --- Operations ------------------------------------------------------------------------------- */

/* Each gives the interval of an operation's result; what leaves the type is cut off afterwards, by
   knowing nothing. */
typedef struct interval rule(struct reader *reader, MlirOperation op);

static struct interval add(struct reader *reader, MlirOperation op) {
  struct interval a = read_operand(reader, op, 0), b = read_operand(reader, op, 1), sum;
  if (__builtin_add_overflow(a.low, b.low, &sum.low) ||
      __builtin_add_overflow(a.high, b.high, &sum.high))
    return everything;
  return sum;
}

static struct interval subtract(struct reader *reader, MlirOperation op) {
  struct interval a = read_operand(reader, op, 0), b = read_operand(reader, op, 1), difference;
  if (__builtin_sub_overflow(a.low, b.high, &difference.low) ||
      __builtin_sub_overflow(a.high, b.low, &difference.high))
    return everything;
  return difference;
}

static struct interval multiply(struct reader *reader, MlirOperation op) {
  int64_t factor = positive_constant(reader, op, 1);
  struct interval a = read_operand(reader, op, 0), product;
  if (!factor || __builtin_mul_overflow(a.low, factor, &product.low) ||
      __builtin_mul_overflow(a.high, factor, &product.high))
    return everything;
  return product;
}

static struct interval divide(struct reader *reader, MlirOperation op) {
  int64_t divisor = positive_constant(reader, op, 1);
  struct interval a = read_operand(reader, op, 0);
  return divisor ? (struct interval){a.low / divisor, a.high / divisor} : everything;
}

static int64_t divide_up(int64_t a, int64_t divisor) {
  return a / divisor + (a % divisor > 0);
}

static struct interval divide_upward(struct reader *reader, MlirOperation op) {
  int64_t divisor = positive_constant(reader, op, 1);
  struct interval a = read_operand(reader, op, 0);
  return divisor ? (struct interval){divide_up(a.low, divisor), divide_up(a.high, divisor)}
                 : everything;
}

static struct interval remainder_of(struct reader *reader, MlirOperation op) {
  int64_t divisor = positive_constant(reader, op, 1);
  struct interval a = read_operand(reader, op, 0);
  if (!divisor)
    return everything;
  struct interval rest = {a.low < 0 ? 1 - divisor : 0, a.high > 0 ? divisor - 1 : 0};
  return both(rest, (struct interval){smaller(a.low, 0), larger(a.high, 0)});
}

/* With a constant that is not negative, no more bits than it has. */
static struct interval mask(struct reader *reader, MlirOperation op) {
  int64_t bits = positive_constant(reader, op, 1);
  return bits ? (struct interval){0, bits} : everything;
}

static struct interval minimum(struct reader *reader, MlirOperation op) {
  struct interval a = read_operand(reader, op, 0), b = read_operand(reader, op, 1);
  return (struct interval){smaller(a.low, b.low), smaller(a.high, b.high)};
}

static struct interval maximum(struct reader *reader, MlirOperation op) {
  struct interval a = read_operand(reader, op, 0), b = read_operand(reader, op, 1);
  return (struct interval){larger(a.low, b.low), larger(a.high, b.high)};
}

static struct interval select_one(struct reader *reader, MlirOperation op) {
  struct interval a = read_operand(reader, op, 1), b = read_operand(reader, op, 2);
  return either(a, b);
}

/* In another type: what does not fit there wraps. */
static struct interval convert(struct reader *reader, MlirOperation op) {
  return read_operand(reader, op, 0);
}

static struct interval extend_unsigned(struct reader *reader, MlirOperation op) {
  struct interval a = read_operand(reader, op, 0);
  unsigned bits = bits_of(op_operand_type(op, 0));
  if (a.low >= 0)
    return a;
  return bits && bits < 63 ? (struct interval){0, (INT64_C(1) << bits) - 1} : everything;
}

static struct interval program(struct reader *reader, MlirOperation op) {
  (void)reader, (void)op;
  return (struct interval){0, INT32_MAX};
}

static struct interval read_operation(struct reader *reader, MlirOperation op) {
  static rule *const rules[OP_KIND_COUNT] = {
      [OP_ARITH_ADDI] = add,
      [OP_ARITH_SUBI] = subtract,
      [OP_ARITH_MULI] = multiply,
      [OP_ARITH_DIVSI] = divide,
      [OP_ARITH_CEILDIVSI] = divide_upward,
      [OP_ARITH_REMSI] = remainder_of,
      [OP_ARITH_ANDI] = mask,
      [OP_ARITH_MINSI] = minimum,
      [OP_ARITH_MAXSI] = maximum,
      [OP_ARITH_SELECT] = select_one,
      [OP_ARITH_EXTSI] = convert,
      [OP_ARITH_TRUNCI] = convert,
      [OP_ARITH_INDEX_CAST] = convert,
      [OP_ARITH_EXTUI] = extend_unsigned,
      [OP_TILE_PROGRAM_ID] = program,
      [OP_TILE_NUM_PROGRAMS] = program,
  };
  rule *rule = rules[kind_of(reader->session, op)];
  return rule ? rule(reader, op) : everything;
}

/* --- Values ----------------------------------------------------------------------------------- */

/* What a loop counts: from its lower bound to below its upper one. */
static struct interval read_argument(struct reader *reader, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation loop = mlirBlockGetParentOperation(block);
  int64_t step;
  if (!op_is(reader->session, loop, OP_SCF_FOR) || mlirBlockArgumentGetArgNumber(value) != 0 ||
      op_has_attribute(loop, "unsignedCmp") ||
      !uniform_integer(reader->session, op_operand(loop, 2), &step) || step < 1)
    return everything;
  struct interval lower = read_operand(reader, loop, 0), upper = read_operand(reader, loop, 1);
  int64_t last = upper.high > INT64_MIN ? upper.high - 1 : upper.high;
  return (struct interval){lower.low, larger(lower.low, last)};
}

/* Does `assume` stand before reader->at, in its block or one around it? */
static bool holds(struct reader *reader, MlirOperation assume) {
  MlirOperation here = op_in_block(reader->at, mlirOperationGetBlock(assume));
  return !mlirOperationIsNull(here) && mlirOperationIsBeforeInBlock(assume, here);
}

static bool is_assumed(struct reader *reader, MlirOperation comparison) {
  MlirOpOperand use = mlirValueGetFirstUse(op_result(comparison, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (op_is(reader->session, mlirOpOperandGetOwner(use), OP_TILE_ASSUME) &&
        holds(reader, mlirOpOperandGetOwner(use)))
      return true;
  return false;
}

/* What `value predicate number` says. */
static struct interval from_comparison(int64_t predicate, int64_t number) {
  switch (predicate) {
  case I_EQUAL:
    return (struct interval){number, number};
  case I_LESS:
    return (struct interval){INT64_MIN, number > INT64_MIN ? number - 1 : number};
  case I_NOT_GREATER:
    return (struct interval){INT64_MIN, number};
  case I_GREATER:
    return (struct interval){number < INT64_MAX ? number + 1 : number, INT64_MAX};
  case I_NOT_LESS:
    return (struct interval){number, INT64_MAX};
  default:
    return everything;
  }
}

/* What tile.assume says of a comparison of the value with a constant. */
static struct interval read_assumptions(struct reader *reader, MlirValue value) {
  struct interval interval = everything;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    int64_t number;
    if (op_is(reader->session, op, OP_ARITH_CMPI) && mlirOpOperandGetOperandNumber(use) == 0 &&
        uniform_integer(reader->session, op_operand(op, 1), &number) && is_assumed(reader, op))
      interval = both(interval, from_comparison(op_integer(op, "predicate", -1), number));
  }
  return interval;
}

static struct interval read_value(struct reader *reader, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  struct interval all = all_of(type), interval = everything;
  int64_t number;
  if (!bits_of(type) || reader->depth == MAX_DEPTH)
    return all;
  if (uniform_integer(reader->session, value, &number))
    return (struct interval){number, number};
  reader->depth++;
  MlirOperation op = value_definition(value);
  interval = mlirOperationIsNull(op) ? read_argument(reader, value) : read_operation(reader, op);
  reader->depth--;
  bool wraps = interval.low < all.low || interval.high > all.high;
  interval = both(wraps ? all : interval, read_assumptions(reader, value));
  return interval.low <= interval.high ? interval : all;
}

struct interval interval_of(struct session *session, MlirValue value, MlirOperation at) {
  struct reader reader = {.session = session, .at = at};
  return bits_of(mlirValueGetType(value)) ? read_value(&reader, value) : everything;
}

enum loop_runs loop_runs_of(struct session *session, MlirOperation loop) {
  int64_t step, distance;
  bool exact;
  if (op_has_attribute(loop, "unsignedCmp") ||
      !uniform_integer(session, op_operand(loop, 2), &step) || step < 1)
    return LOOP_RUNS_ANY;
  struct interval lower = interval_of(session, op_operand(loop, 0), loop);
  struct interval upper = interval_of(session, op_operand(loop, 1), loop);
  bool once = loop_most_trips(session, loop, &exact) == 1 ||
              (!__builtin_sub_overflow(upper.high, lower.low, &distance) && distance <= step);
  if (!once)
    return LOOP_RUNS_ANY;
  return lower.high < upper.low ? LOOP_RUNS_ONCE : LOOP_RUNS_ONCE_AT_MOST;
}
