/* tile-cleanup, hoisting: moves operations that compute the same in every iteration in front of
   their scf.for.

   Only operations directly in the loop's body, only PURE ones: they may then run though the loop
   does not, which a division (PURE_MAY_TRAP) must not and a load had better not. Inner loops come
   first, so that an operation can rise through several. */
#include "transforms/cleanup.h"

struct hoister {
  struct session *session;
  MlirOperation root;
  bool changed;
};

static MlirBlock block_of(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                          : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

/* An operand of an operation in `body` is defined in that block or outside of the loop. */
static bool is_invariant(MlirOperation op, MlirBlock body) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; i++)
    if (mlirBlockEqual(block_of(op_operand(op, i)), body))
      return false;
  return true;
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
        mlirOperationGetNumRegions(op) > 0 || !is_invariant(op, body))
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
