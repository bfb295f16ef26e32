/* SPDX-License-Identifier: MIT */
/* tile-check-lowered: what threads do together is done by all of them.

   Needs: lowered kernels (llvm, nvvm and tile_ptx operations). Keeps: everything; it only reads.

   A barrier waits for all threads of the block, a shuffle, an mma and their like for all lanes of
   the warp. Where such an operation stands under a branch that not all of them take, the device
   hangs or computes something. Branches in a kernel depend on scalars, which all threads have
   alike; so an error here is the compiler's, or that of an assembly text in the kernel. */
#include <stdlib.h>
#include <string.h>
#include "analysis/divergence.h"
#include "ir/passes.h"

/* Who executes an operation of these properties together. */
static const struct collective {
  enum op_property property;
  enum divergence least; /* of a branch before it that is an error */
  const char *who;
} collectives[] = {
    {IS_BARRIER, DIVERGENCE_GROUPS, "threads of the block"},
    {IS_GROUP_COLLECTIVE, DIVERGENCE_WARPS, "warps of the group"},
    {IS_WARP_COLLECTIVE, DIVERGENCE_LANES, "lanes of the warp"},
};

/* bar.sync with a number and a count of threads: of whole warp groups, a role (nvvm/threads.c). */
static const struct collective role_barrier = {IS_BARRIER, DIVERGENCE_WARPS, "threads of the role"};

static const struct collective *find_collective(struct session *session, MlirOperation op) {
  enum op_kind kind = kind_of(session, op);
  if (kind == OP_NVVM_BARRIER && mlirOperationGetNumOperands(op) == 2)
    return &role_barrier;
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
    if (kind_has(kind, collectives[i].property))
      return &collectives[i];
  return NULL;
}

static MlirLogicalResult check_block(struct session *session, MlirBlock block, MlirOperation branch,
                                     enum divergence by) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const struct collective *collective = find_collective(session, op);
    if (!collective || by < collective->least)
      continue;
    struct text place = {0};
    location_print(mlirOperationGetLocation(branch), &place);
    fail_op(op,
            "all %s must come here, but the branch at %s depends on the thread; take the operation "
            "out of the branch",
            collective->who, text_string(&place));
    text_free(&place);
    return FAILURE;
  }
  return SUCCESS;
}

static MlirLogicalResult check_branch(const struct divergence_analysis *analysis, int number,
                                      bool *inside) {
  enum divergence by = divergence_of_branch(analysis, number);
  if (by == DIVERGENCE_NONE || by == DIVERGENCE_EXCHANGED)
    return SUCCESS;
  memset(inside, 0, (size_t)analysis->count * sizeof *inside);
  divergence_region(analysis, number, inside);
  for (int i = 0; i < analysis->count; i++)
    if (inside[i])
      TRY_IR(check_block(analysis->session, analysis->blocks[i],
                         mlirBlockGetTerminator(analysis->blocks[number]), by));
  return SUCCESS;
}

static MlirLogicalResult check_function(struct session *session, MlirOperation function) {
  struct divergence_analysis analysis;
  MlirLogicalResult result = SUCCESS;
  divergence_create(session, function, &analysis);
  bool *inside = ARENA_ARRAY(&analysis.arena, bool, (size_t)analysis.count + 1);
  for (int i = 0; i < analysis.count && !FAILED(result); i++)
    result = check_branch(&analysis, i, inside);
  divergence_destroy(&analysis);
  return result;
}

MlirLogicalResult run_check_lowered(struct pass_context *context, MlirOperation module) {
  MlirOperation op = {0};
  while (next_lowered_kernel(context->session, module, &op))
    TRY_IR(check_function(context->session, op));
  return SUCCESS;
}
