/* SPDX-License-Identifier: MIT */
/* tile-gpu-warp-specialize: the block's threads get roles: one starts the copies, the others
   compute.

     alloc, mbarrier_init                       alloc, mbarrier_init
     for ...                                    barrier
       wait, start copies   (producer)   ->     %p = tile_gpu.in_producer
       wait, products                           scf.if %p
     store                                        for ...  wait, start copies
                                                else
                                                  for ...  wait, products
                                                  store

   Needs: loops as pipeline_roles.c leaves them, in kernels of the attribute
   tile_gpu.producer_warps. Keeps: what the kernels compute. Each role is the whole kernel without
   the other's operations: loops and what they count are computed by both, and nothing is handed
   from one to the other but through the mbarriers. The buffers of the stages and their mbarriers
   stay before the roles, and are there for the whole kernel. The block has so many warps more, of
   which one thread works; the lowering says how many registers each role has (nvvm/roles.c).

   That the producer's operations need no tensor is asked for before (assign_roles.c).

   Where blocks are transposed on their way (tile_gpu.local_transpose), two more of the producer's
   warps do that, in a part of their own of its arm (tile_gpu.in_transposer).

   Blocks of a cluster (tile_gpu.cluster_blocks) use one another's stages and mbarriers between two
   barriers of the cluster: one in place of the block's before the roles, one after them. */
#include <stdlib.h>
#include "base/arena.h"
#include "ir/build.h"
#include "ir/passes.h"

/* --- Before the roles ------------------------------------------------------------------------- */

static bool is_setup(struct session *session, MlirOperation op) {
  return op_is(session, op, OP_TILE_GPU_MBARRIER_INIT) ||
         (op_is(session, op, OP_TILE_GPU_ALLOC) && mlirOperationGetNumOperands(op) == 0);
}

/* Buffers and mbarriers to the start of the kernel; the first operation after them. */
static MlirOperation hoist_setup(struct session *session, MlirBlock body) {
  MlirOperation last = {0}, next;
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!is_setup(session, op))
      continue;
    if (mlirOperationIsNull(last)) {
      MlirOperation first = mlirBlockGetFirstOperation(body);
      if (!mlirOperationEqual(first, op))
        mlirOperationMoveBefore(op, first);
    } else {
      mlirOperationMoveAfter(op, last);
    }
    last = op;
  }
  return mlirOperationGetNextInBlock(last);
}

/* --- Two of everything ------------------------------------------------------------------------ */

static void move_all(MlirBlock from, MlirOperation first, MlirBlock to) {
  MlirOperation end = mlirBlockGetTerminator(to), stop = mlirBlockGetTerminator(from), next;
  for (MlirOperation op = first; !mlirOperationEqual(op, stop); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockInsertOwnedOperationBefore(to, end, op);
  }
}

static MlirRegion empty_region(struct builder *b) {
  MlirRegion region = region_with_block(b, 0, NULL);
  struct builder end = builder_at_end(b->context, mlirRegionGetFirstBlock(region), b->location);
  BUILD_OP(&end, "scf.yield", .in = NULL);
  return region;
}

/* All operations of `body` from `first` on, in both arms of a branch on `condition`. */
static MlirOperation build_arms(MlirBlock body, MlirOperation first, const char *condition) {
  struct builder b = builder_before(first);
  MlirValue taken = BUILD(&b, condition, OUT(integer_type(&b, 1)));
  MlirOperation branch =
      BUILD_OP(&b, "scf.if", IN(taken), REGIONS(empty_region(&b), empty_region(&b)));
  move_all(body, mlirOperationGetNextInBlock(branch), op_body(branch, 0));
  MlirOperation copy = mlirOperationClone(branch);
  move_all(op_body(copy, 0), mlirBlockGetFirstOperation(op_body(copy, 0)), op_body(branch, 1));
  mlirOperationDestroy(copy);
  return branch;
}

/* --- One of each ------------------------------------------------------------------------------ */

static bool is_producer(MlirOperation op) {
  return attribute_has(op, ATTR_PRODUCER);
}

static bool is_transposer(MlirOperation op) {
  return attribute_has(op, ATTR_TRANSPOSER);
}

static bool is_not_consumer(MlirOperation op) {
  return is_producer(op) || is_transposer(op);
}

static MlirLogicalResult find_producer(MlirOperation op, void *data) {
  (void)data;
  return is_producer(op) ? FAILURE : SUCCESS;
}

static MlirLogicalResult find_transposer(MlirOperation op, void *data) {
  (void)data;
  return is_transposer(op) ? FAILURE : SUCCESS;
}

static bool has_producer(MlirOperation op) {
  return is_producer(op) || FAILED(visit_operations(op, find_producer, NULL));
}

static bool has_transposer(MlirOperation op) {
  return is_transposer(op) || FAILED(visit_operations(op, find_transposer, NULL));
}

/* Nothing that the producer does needs what `op` takes as a tile here: zeros will do. Tiles of
   pointers stay, as addresses are computed from scalars. */
static void forget_operand(MlirOperation op, intptr_t index) {
  MlirType type = op_operand_type(op, index), element = type_element(type);
  if (!mlirTypeIsAInteger(element) && !mlirTypeIsAFloat(element))
    return;
  struct builder b = builder_before(op);
  mlirOperationSetOperand(op, index, build_uniform(&b, type, 0));
}

/* What the loop carries as tiles stays what it was. */
static void forget_carried(MlirOperation loop) {
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++)
    if (type_is_tensor(op_result_type(loop, i))) {
      forget_operand(loop, i + 3);
      mlirOperationSetOperand(yield, i, mlirBlockGetArgument(body, i + 1));
    }
}

/* The tiles that a branch gives. */
static void forget_given(MlirOperation branch) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); i++)
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(branch); r++)
      if (type_is_tensor(op_result_type(branch, i)))
        forget_operand(mlirBlockGetTerminator(op_body(branch, r)), i);
}

/* The operations of a block but its terminator, as many as *count; free them. */
static MlirOperation *list_operations(MlirBlock block, size_t *count) {
  MlirOperation *list = NULL, end = mlirBlockGetTerminator(block);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  size_t capacity = 0;
  for (*count = 0; !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    list = tile_grow(list, *count, &capacity, sizeof *list);
    list[(*count)++] = op;
  }
  return list;
}

/* Takes operations out of a role, from the last to the first: those of its body for which
   `leaves` holds, and of the loops and branches in it. True where there was one. */
static bool strip(MlirBlock block, bool (*leaves)(MlirOperation op)) {
  size_t count;
  MlirOperation *list = list_operations(block, &count);
  bool changed = false;
  while (count--) {
    MlirOperation op = list[count];
    if (leaves(op)) {
      mlirOperationDestroy(op);
      changed = true;
      continue;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++)
      if (!mlirBlockIsNull(op_body(op, i)))
        changed |= strip(op_body(op, i), leaves);
  }
  free(list);
  return changed;
}

/* What is the consumers' alone, and nobody needs. */
static bool leaves_producer(MlirOperation op) {
  return !op_is_used(op) && !has_producer(op);
}

static bool leaves_transposer(MlirOperation op) {
  return !op_is_used(op) && !has_transposer(op);
}

static MlirLogicalResult forget_tiles_of(MlirOperation op, void *session) {
  if (op_is(session, op, OP_SCF_FOR))
    forget_carried(op);
  else if (op_is(session, op, OP_SCF_IF))
    forget_given(op);
  return SUCCESS;
}

static void forget_tiles_in(struct session *session, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    forget_tiles_of(op, session);
    visit_operations(op, forget_tiles_of, session);
  }
}

static MlirLogicalResult unmark(MlirOperation op, void *data) {
  (void)data;
  attribute_remove(op, ATTR_PRODUCER);
  attribute_remove(op, ATTR_TRANSPOSER);
  return SUCCESS;
}

static void keep_role(MlirBlock block, bool (*leaves)(MlirOperation op)) {
  while (strip(block, leaves))
    ;
}

/* The producer's arm: beside it, where there are any, the transposers'. */
static void specialize_producer(MlirOperation kernel, MlirBlock block) {
  if (!has_transposer(kernel)) {
    keep_role(block, leaves_producer);
    return;
  }
  MlirOperation branch =
      build_arms(block, mlirBlockGetFirstOperation(block), "tile_gpu.in_transposer");
  keep_role(op_body(branch, 0), leaves_transposer);
  keep_role(op_body(branch, 1), leaves_producer);
}

static void specialize(struct session *session, MlirOperation kernel) {
  MlirBlock body = op_body(kernel, 0);
  bool in_cluster = attribute_number(kernel, ATTR_CLUSTER_BLOCKS, 1) > 1;
  MlirOperation first = hoist_setup(session, body);
  struct builder b = builder_before(first);
  BUILD_OP(&b, in_cluster ? "tile_gpu.cluster_barrier" : "tile_gpu.barrier", .in = NULL);
  MlirOperation branch = build_arms(body, first, "tile_gpu.in_producer");
  forget_tiles_in(session, op_body(branch, 0));
  specialize_producer(kernel, op_body(branch, 0));
  strip(op_body(branch, 1), is_not_consumer);
  visit_operations(branch, unmark, NULL);
  struct builder end = builder_before(mlirBlockGetTerminator(body));
  if (in_cluster)
    BUILD_OP(&end, "tile_gpu.cluster_barrier", .in = NULL);
}

MlirLogicalResult run_warp_specialize(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  MlirOperation op = {0};
  while (next_kernel(session, module, &op))
    if (attribute_has(op, ATTR_PRODUCER_WARPS) && has_producer(op))
      specialize(session, op);
  return SUCCESS;
}
