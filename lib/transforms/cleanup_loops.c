/* SPDX-License-Identifier: MIT */
/* tile-cleanup, loops: one that makes one iteration at most is a branch.

     %r = scf.for %i = %l to %u step %s          %c = %l < %u
         iter_args(%x = %a) {                    %r = scf.if %c {
       .. %i .. %x ..                     ->       .. %l .. %a ..
       yield %y                                    yield %y
     }                                           } else { yield %a }

   What it carries is then no variable, what it loads need not wait for what it stores, and no pass
   starts anything for an iteration that there is not. One that is known to run is its body. A loop
   with products stays: its operands are copied into shared memory before it (tile-gpu-pipeline). */
#include <stdlib.h>
#include "analysis/interval.h"
#include "base/arena.h"
#include "ir/build.h"
#include "transforms/cleanup.h"

struct brancher {
  struct session *session;
  MlirOperation root;
  bool changed;
};

static MlirLogicalResult find_product(MlirOperation op, void *data) {
  return op_has(data, op, IS_DOT) ? FAILURE : SUCCESS;
}

/* Moves the body of the first iteration, its yield as well, to the end of `block`. */
static void move_body(MlirOperation loop, MlirBlock block, MlirOperation before) {
  MlirBlock body = op_body(loop, 0);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), op_operand(loop, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i + 1), op_operand(loop, 3 + i));
  MlirOperation op = mlirBlockGetFirstOperation(body), next;
  for (; !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockInsertOwnedOperationBefore(block, before, op);
  }
}

/* A region that yields what the loop begins with. */
static MlirRegion region_without(struct builder *b, MlirOperation loop) {
  MlirRegion region = mlirRegionCreate();
  intptr_t count = mlirOperationGetNumResults(loop);
  if (count == 0)
    return region;
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
  struct builder inside =
      builder_at_end(b->context, mlirRegionGetFirstBlock(region), mlirOperationGetLocation(loop));
  MlirValue *initial = tile_allocate((size_t)count * sizeof *initial);
  for (intptr_t i = 0; i < count; i++)
    initial[i] = op_operand(loop, 3 + i);
  BUILD_OP(&inside, "scf.yield", INS(initial, count));
  free(initial);
  return region;
}

static MlirOperation build_branch(MlirOperation loop) {
  struct builder b = builder_before(loop);
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirType *types = tile_allocate((size_t)(count + 1) * sizeof *types);
  for (intptr_t i = 0; i < count; i++)
    types[i] = op_result_type(loop, i);
  MlirValue runs = build_compare(&b, I_LESS, op_operand(loop, 0), op_operand(loop, 1));
  MlirRegion regions[] = {region_with_block(&b, 0, NULL), region_without(&b, loop)};
  move_body(loop, mlirRegionGetFirstBlock(regions[0]), (MlirOperation){0});
  MlirOperation branch =
      BUILD_OP(&b, "scf.if", IN(runs), OUTS(types, count), REGION_LIST(regions, 2));
  free(types);
  return branch;
}

/* What takes the place of the loop's result `index`. */
static MlirValue value_of(MlirOperation made, bool is_yield, intptr_t index) {
  return is_yield ? op_operand(made, index) : op_result(made, index);
}

static void replace_loop(MlirOperation loop, bool always) {
  MlirOperation made;
  if (always) {
    made = mlirBlockGetTerminator(op_body(loop, 0));
    move_body(loop, mlirOperationGetBlock(loop), loop);
  } else {
    made = build_branch(loop);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++)
    mlirValueReplaceAllUsesOfWith(op_result(loop, i), value_of(made, always, i));
  if (always)
    mlirOperationDestroy(made);
  mlirOperationDestroy(loop);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  struct brancher *brancher = data;
  struct session *session = brancher->session;
  if (!op_is(session, op, OP_SCF_FOR) || mlirOperationEqual(op, brancher->root))
    return MlirWalkResultAdvance;
  enum loop_runs runs = loop_runs_of(session, op);
  if (runs == LOOP_RUNS_ANY || FAILED(visit_operations(op, find_product, session)))
    return MlirWalkResultAdvance;
  replace_loop(op, runs == LOOP_RUNS_ONCE);
  brancher->changed = true;
  return MlirWalkResultAdvance;
}

bool cleanup_branch(struct session *session, MlirOperation root) {
  struct brancher brancher = {.session = session, .root = root};
  mlirOperationWalk(root, visit, &brancher, MlirWalkPostOrder);
  return brancher.changed;
}
