/* SPDX-License-Identifier: MIT */
/* tile-cleanup, counters: a number that a loop carries and that counts as the loop's own counter
   does is that counter.

     for %i = %a to %n step %s, %c = %a          every %c is %i
       yield %c + %s

     for %i = %a to %n step %s, %c = %a - %s     every %c + %s is %i
       %next = %c + %s
       yield %next

   Integers wrap alike on both sides, so that it holds whatever they are. What the loop carries then
   without a use canonicalize takes away. Persistent kernels count twice to keep fewer registers
   over a product; that both counters are one is what tells that a tile is stored where it was
   loaded for. */
#include "transforms/cleanup.h"

#include "ir/build.h"

/* One SSA value, or two constants that are equal. */
static bool are_equal(struct session *session, MlirValue a, MlirValue b) {
  int64_t x, y;
  return mlirValueEqual(a, b) ||
         (uniform_integer(session, a, &x) && uniform_integer(session, b, &y) && x == y);
}

static bool are_opposite(struct session *session, MlirValue a, MlirValue b) {
  int64_t x, y;
  return uniform_integer(session, a, &x) && uniform_integer(session, b, &y) && x == -y;
}

/* Is it a + b? Not where the sum has hints, which the counter has no place for. */
static bool is_sum(struct session *session, MlirValue sum, MlirValue a, MlirValue b) {
  MlirOperation op = value_definition(sum);
  if (!op_is(session, op, OP_ARITH_ADDI) || mlirOperationGetNumDiscardableAttributes(op) > 0)
    return false;
  return (mlirValueEqual(op_operand(op, 0), a) && are_equal(session, op_operand(op, 1), b)) ||
         (mlirValueEqual(op_operand(op, 1), a) && are_equal(session, op_operand(op, 0), b));
}

/* Is it value - by? */
static bool is_difference(struct session *session, MlirValue difference, MlirValue value,
                          MlirValue by) {
  int64_t a, b, c;
  if (uniform_integer(session, difference, &a) && uniform_integer(session, value, &b) &&
      uniform_integer(session, by, &c))
    return a == b - c;
  MlirOperation op = value_definition(difference);
  if (op_is(session, op, OP_ARITH_SUBI))
    return are_equal(session, op_operand(op, 0), value) &&
           are_equal(session, op_operand(op, 1), by);
  return op_is(session, op, OP_ARITH_ADDI) && mlirValueEqual(op_operand(op, 0), value) &&
         are_opposite(session, op_operand(op, 1), by);
}

static bool replace_uses(MlirValue value, MlirValue by) {
  bool used = value_is_used(value);
  mlirValueReplaceAllUsesOfWith(value, by);
  return used;
}

/* Of a number that the loop carries. */
static bool merge_carried(struct session *session, MlirOperation loop, intptr_t number) {
  MlirBlock body = op_body(loop, 0);
  MlirValue counter = mlirBlockGetArgument(body, 0);
  MlirValue carried = mlirBlockGetArgument(body, number + 1);
  MlirValue next = op_operand(mlirBlockGetTerminator(body), number);
  MlirValue first = op_operand(loop, 0), step = op_operand(loop, 2);
  MlirValue init = op_operand(loop, 3 + number);
  if (!mlirTypeEqual(mlirValueGetType(carried), mlirValueGetType(counter)) ||
      !is_sum(session, next, carried, step))
    return false;
  if (are_equal(session, init, first))
    return replace_uses(carried, counter);
  return is_difference(session, init, first, step) && replace_uses(next, counter);
}

struct merger {
  struct session *session;
  bool changed;
};

static MlirWalkResult merge_of(MlirOperation loop, void *data) {
  struct merger *merger = data;
  if (!op_is(merger->session, loop, OP_SCF_FOR))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++)
    merger->changed |= merge_carried(merger->session, loop, i);
  return MlirWalkResultAdvance;
}

bool cleanup_count(struct session *session, MlirOperation root) {
  struct merger merger = {.session = session};
  mlirOperationWalk(root, merge_of, &merger, MlirWalkPostOrder);
  return merger.changed;
}
