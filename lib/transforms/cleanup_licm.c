/* SPDX-License-Identifier: MIT */
/* tile-cleanup, hoisting: moves operations that compute the same in every iteration before
   their scf.for.

   Only operations directly in the loop's body, only PURE ones: they may then run though the loop
   does not, which a division (PURE_MAY_TRAP) must not and a load had better not. A reduction goes
   with its region, if that uses nothing of the iteration and has no division. Inner loops come
   first, so that an operation can rise through several. */
#include "transforms/cleanup.h"

struct hoister {
  struct session *session;
  MlirOperation root;
  bool changed;
};

/* An operand of an operation in `body`, or in a region of one, is defined in that block, in the
   region or outside of the loop. */
static bool uses_block(MlirOperation op, MlirBlock body) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; i++)
    if (mlirBlockEqual(value_block(op_operand(op, i)), body))
      return true;
  return false;
}

/* Where to look, and for what. */
struct search {
  struct session *session;
  MlirBlock body;
};

/* Fails at an operation of a region that keeps it in the loop. */
static MlirLogicalResult find_obstacle(MlirOperation op, void *data) {
  struct search *search = data;
  bool traps = op_info(&search->session->names, op)->effects == EFFECTS_PURE_MAY_TRAP;
  return traps || uses_block(op, search->body) ? FAILURE : SUCCESS;
}

static bool is_invariant(struct session *session, MlirOperation op, MlirBlock body) {
  struct search search = {session, body};
  return !uses_block(op, body) && !FAILED(visit_operations(op, find_obstacle, &search));
}

static MlirWalkResult hoist_from(MlirOperation loop, void *data) {
  struct hoister *hoister = data;
  if (kind_of(hoister->session, loop) != OP_SCF_FOR || mlirOperationEqual(loop, hoister->root))
    return MlirWalkResultAdvance;
  MlirBlock body = op_body(loop, 0);
  MlirOperation op = mlirBlockGetFirstOperation(body), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (op_info(&hoister->session->names, op)->effects != EFFECTS_PURE ||
        !is_invariant(hoister->session, op, body))
      continue;
    mlirOperationMoveBefore(op, loop);
    hoister->changed = true;
  }
  return MlirWalkResultAdvance;
}

bool cleanup_hoist(struct session *session, MlirOperation root) {
  struct hoister hoister = {.session = session, .root = root};
  mlirOperationWalk(root, hoist_from, &hoister, MlirWalkPostOrder);
  return hoister.changed;
}
