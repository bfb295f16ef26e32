/* SPDX-License-Identifier: MIT */
/* See hoist.h. */
#include "transforms/hoist.h"

/* May `op` be executed earlier, together with something that needs it? */
static bool may_move_along(struct session *session, MlirOperation op) {
  return op_info(&session->names, op)->effects == EFFECTS_PURE &&
         mlirOperationGetNumRegions(op) == 0 && !op_has(session, op, CROSSES_THREADS);
}

static bool is_between(MlirOperation op, MlirOperation first, MlirOperation last) {
  return mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(last)) &&
         !mlirOperationIsBeforeInBlock(op, first) && mlirOperationIsBeforeInBlock(op, last);
}

bool hoisted_contains(const struct hoisted *hoisted, MlirOperation op) {
  for (int i = 0; i < hoisted->count; i++)
    if (mlirOperationEqual(hoisted->ops[i], op))
      return true;
  return false;
}

/* A chain of operations that is longer than what may move need not be followed to its end. */
static bool collect(struct session *session, MlirOperation op, MlirOperation first,
                    MlirOperation last, int depth, struct hoisted *out) {
  if (hoisted_contains(out, op))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation source = value_definition(op_operand(op, i));
    if (mlirOperationIsNull(source) || !is_between(source, first, last))
      continue;
    if (depth == MAX_HOISTED || !may_move_along(session, source) ||
        !collect(session, source, first, last, depth + 1, out))
      return false;
  }
  if (out->count == MAX_HOISTED)
    return false;
  out->ops[out->count++] = op;
  return true;
}

bool hoist_collect(struct session *session, MlirOperation op, MlirOperation first,
                   MlirOperation last, struct hoisted *out) {
  return collect(session, op, first, last, 1, out);
}
