/* SPDX-License-Identifier: MIT */
/* tile-cleanup: folds, merges, hoists and removes tile operations, and makes loops of one iteration
   at most branches.

   Needs: any IR, at any stage. Keeps: what is computed, all locations of what stays, all hints.
   Breaks: nothing. It does for our operations what upstream's canonicalize, cse and
   loop-invariant-code-motion do for theirs, since those cannot see into operations without traits;
   folding of scalar arithmetic stays with canonicalize.

   One part makes work for another (a fold makes two operations equal, a hoist makes one dead), so
   they take turns until nothing changes. */
#include "transforms/cleanup.h"

#include "ir/passes.h"

/* Turns are few: what enables a change is nearly always earlier in the program, and each part goes
   through it in order. */
enum { MAX_ROUNDS = 10 };

bool cleanup_is_volatile(MlirOperation read) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(read, ref("volatile"));
  if (!mlirAttributeIsNull(attribute) &&
      !(mlirAttributeIsABool(attribute) && !mlirBoolAttrGetValue(attribute)))
    return true;
  return ref_equals(op_string(read, "cache"), "cv"); /* "fetch again" */
}

MlirLogicalResult run_cleanup(struct pass_context *context, MlirOperation root) {
  struct session *session = context->session;
  bool changed = true;
  for (int round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = cleanup_fold(session, root);
    changed |= cleanup_branch(session, root);
    changed |= cleanup_count(session, root);
    changed |= cleanup_merge(session, root);
    changed |= cleanup_hoist(session, root);
    changed |= cleanup_remove(session, root);
  }
  return SUCCESS;
}
