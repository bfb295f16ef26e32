/* SPDX-License-Identifier: MIT */
/* tile-check-lowered: what threads do together is done by all of them.

   Needs: lowered kernels (llvm, nvvm and tile_ptx operations). Keeps: everything; it only reads.

   A barrier waits for all threads of the block, a shuffle, an mma and their like for all lanes of the warp.
   Where such an operation stands behind a branch that not all of them take, the device hangs or computes
   something. Branches in a kernel depend on scalars, which all threads have alike; so an error here is
   the compiler's, or that of an assembly text in the kernel.                                        */
#include <stdlib.h>
#include <string.h>
#include "analysis/divergence.h"
#include "ir/passes.h"

struct collective {
  const char *op;
  enum divergence least; /* of a branch in front of it that is an error */
  const char *who;
};

static const struct collective collectives[] = {
    {"nvvm.barrier0", DIVERGENCE_WARPS, "threads of the block"},
    {"nvvm.barrier", DIVERGENCE_WARPS, "threads of the block"},
    {"tile_ptx.wgmma", DIVERGENCE_WARPS, "warps of the group"},
    {"tile_ptx.wgmma_fence", DIVERGENCE_WARPS, "warps of the group"},
    {"tile_ptx.wgmma_commit", DIVERGENCE_WARPS, "warps of the group"},
    {"tile_ptx.wgmma_wait", DIVERGENCE_WARPS, "warps of the group"},
    {"nvvm.bar.warp.sync", DIVERGENCE_LANES, "lanes of the warp"},
    {"nvvm.shfl.sync", DIVERGENCE_LANES, "lanes of the warp"},
    {"nvvm.redux.sync", DIVERGENCE_LANES, "lanes of the warp"},
    {"nvvm.vote.sync", DIVERGENCE_LANES, "lanes of the warp"},
    {"nvvm.match.sync", DIVERGENCE_LANES, "lanes of the warp"},
    {"nvvm.elect.sync", DIVERGENCE_LANES, "lanes of the warp"},
    {"tile_ptx.mma", DIVERGENCE_LANES, "lanes of the warp"},
    {"tile_ptx.ldmatrix", DIVERGENCE_LANES, "lanes of the warp"},
    {"tile_ptx.stmatrix", DIVERGENCE_LANES, "lanes of the warp"},
};

static const struct collective *find_collective(MlirOperation op) {
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
    if (op_is_named(op, collectives[i].op))
      return &collectives[i];
  return NULL;
}

static MlirLogicalResult check_block(MlirBlock block, MlirOperation branch, enum divergence by) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const struct collective *collective = find_collective(op);
    if (!collective || by < collective->least)
      continue;
    struct text place = {0};
    location_print(mlirOperationGetLocation(branch), &place);
    fail_op(op, "all %s must come here, but the branch at %s depends on the thread; take the operation "
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
      TRY_IR(check_block(analysis->blocks[i], mlirBlockGetTerminator(analysis->blocks[number]), by));
  return SUCCESS;
}

static MlirLogicalResult check_function(MlirOperation function) {
  struct divergence_analysis analysis;
  MlirLogicalResult result = SUCCESS;
  divergence_create(function, &analysis);
  bool *inside = ARENA_ARRAY(&analysis.arena, bool, (size_t)analysis.count + 1);
  for (int i = 0; i < analysis.count && !FAILED(result); i++)
    result = check_branch(&analysis, i, inside);
  divergence_destroy(&analysis);
  return result;
}

MlirLogicalResult run_check_lowered(struct pass_context *context, MlirOperation module) {
  MlirOperation op = {0};
  while (next_lowered_kernel(context->session, module, &op))
    TRY_IR(check_function(op));
  return SUCCESS;
}
