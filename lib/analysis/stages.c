/* SPDX-License-Identifier: MIT */
/* See stages.h. */
#include "analysis/stages.h"
#include "ir/build.h"

#include "analysis/buffers.h"

MlirValue buffer_stage(struct session *session, MlirValue buffer) {
  MlirValue stage = {0};
  if (mlirOperationIsNull(buffer_root(session, buffer)))
    return stage;
  MlirOperation op = value_definition(buffer);
  for (; !op_is(session, op, OP_TILE_GPU_ALLOC); op = value_definition(op_operand(op, 0))) {
    if (!op_is(session, op, OP_TILE_GPU_INDEX))
      continue;
    if (!mlirValueIsNull(stage))
      return (MlirValue){0};
    stage = op_operand(op, 1);
  }
  return stage;
}

/* A loop-carried value that counts stages. */
struct counter {
  MlirOperation loop;
  int64_t first, count;
};

/* next == x + 1, with the constant on the right, as cleanup leaves it? */
static bool is_successor(struct session *session, MlirValue next, MlirValue x) {
  MlirOperation op = value_definition(next);
  int64_t one;
  return op_is(session, op, OP_ARITH_ADDI) && mlirValueEqual(op_operand(op, 0), x) &&
         uniform_integer(session, op_operand(op, 1), &one) && one == 1;
}

static bool read_counter(struct session *session, MlirValue value, struct counter *out) {
  if (!mlirValueIsABlockArgument(value))
    return false;
  intptr_t number = mlirBlockArgumentGetArgNumber(value);
  out->loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (number == 0 || !op_is(session, out->loop, OP_SCF_FOR) ||
      !uniform_integer(session, op_operand(out->loop, number + 2), &out->first))
    return false;
  MlirOperation yield = mlirBlockGetTerminator(op_body(out->loop, 0));
  MlirOperation select = value_definition(op_operand(yield, number - 1));
  int64_t zero;
  if (!op_is(session, select, OP_ARITH_SELECT) ||
      !uniform_integer(session, op_operand(select, 1), &zero) || zero != 0 ||
      !is_successor(session, op_operand(select, 2), value))
    return false;
  MlirOperation compare = value_definition(op_operand(select, 0));
  return op_is(session, compare, OP_ARITH_CMPI) &&
         op_integer(compare, "predicate", -1) == I_EQUAL &&
         is_successor(session, op_operand(compare, 0), value) &&
         uniform_integer(session, op_operand(compare, 1), &out->count) && out->first >= 0 &&
         out->first < out->count;
}

bool stage_counter(struct session *session, MlirValue value, int64_t *out_first,
                   int64_t *out_count) {
  struct counter counter;
  bool is = read_counter(session, value, &counter);
  if (is) {
    *out_first = counter.first;
    *out_count = counter.count;
  }
  return is;
}

bool stages_differ(struct session *session, MlirValue a, MlirValue b) {
  int64_t x, y;
  if (uniform_integer(session, a, &x) && uniform_integer(session, b, &y))
    return x != y;
  struct counter i, j;
  return read_counter(session, a, &i) && read_counter(session, b, &j) &&
         mlirOperationEqual(i.loop, j.loop) && i.count == j.count && i.first != j.first;
}
