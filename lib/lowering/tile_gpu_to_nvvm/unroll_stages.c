/* tile-unroll-stages: a loop in stages becomes as many iterations in a row as there are stages, so that the number of a stage is a constant.

     ^loop(%i, %sum, %stage):                     ^loop0(%i0, %sum0, _):   as ^loop, to ^body0 and ^behind(%sum0)
       cond_br (%i < %n), ^body, ^behind          ^body0: ... stage 0 ...  br ^loop1(%i0 + 1, ...)
     ^body: ... stage %stage ...             ->   ^loop1(%i1, %sum1, _):   as ^loop, to ^body1 and ^behind(%sum1)
       br ^loop(%i + 1, ..., (%stage + 1) mod 2)  ^body1: ... stage 1 ...  br ^loop0(%i1 + 1, ...)
     ^behind:                                     ^behind(%sum):

   Needs: the operations of one thread (llvm, nvvm and tile_ptx). Keeps: what is computed, in the same order: each iteration is tested for as
   before. Leaves: more code.

   Small products of warps (mma.sync) are short of instructions: of 67 in an iteration of 32 x 64 x 32 sixteen multiply, and a dozen find out where in
   shared memory to read and to write, some of them between the barrier and the first read. With the stage's number constant
   all of these are part of the accesses, and so are the constant distances of pointers: 54 are left.

   A number of a stage starts from a constant below n and goes round: i + 1, or 0 in place of n (transforms/pipeline.c). So it is what it
   started from again after n iterations. Loops of one block with such numbers, all of one n, and not too many products are unrolled. */
#include <stdlib.h>
#include "base/arena.h"
#include "ir/build.h"
#include "ir/passes.h"

enum { MOST_STAGES = 4, MOST_PRODUCTS = 16, MOST_ARGUMENTS = 512 };

struct stage_loop {
  MlirBlock header, body, behind;
  MlirOperation entry, latch, test; /* the branches to the header, and its own */
  intptr_t arguments;
  int64_t first[MOST_ARGUMENTS]; /* of an argument that is a number of a stage; else -1 */
  int64_t stages;
  intptr_t given[MOST_ARGUMENTS]; /* arguments that are used behind the loop */
  intptr_t given_count;
};

/* --- Numbers of stages ------------------------------------------------------------------------------------- */

static bool is_constant(MlirValue value, int64_t *out) {
  MlirOperation op = value_definition(value);
  if (mlirOperationIsNull(op) || !op_is_named(op, "llvm.mlir.constant"))
    return false;
  *out = op_integer(op, "value", -1);
  return *out >= 0;
}

static bool is_successor(MlirValue value, MlirValue number) {
  MlirOperation op = value_definition(value);
  int64_t one;
  return !mlirOperationIsNull(op) && op_is_named(op, "llvm.add") && mlirValueEqual(op_operand(op, 0), number) &&
         is_constant(op_operand(op, 1), &one) && one == 1;
}

/* Is `next` (number + 1 == n ? 0 : number + 1)? */
static bool goes_round(MlirValue next, MlirValue number, int64_t *out_stages) {
  MlirOperation op = value_definition(next);
  int64_t zero;
  if (mlirOperationIsNull(op) || !op_is_named(op, "llvm.select") || !is_constant(op_operand(op, 1), &zero) ||
      zero != 0 || !is_successor(op_operand(op, 2), number))
    return false;
  MlirOperation compared = value_definition(op_operand(op, 0));
  enum { EQUAL = 0 };
  return !mlirOperationIsNull(compared) && op_is_named(compared, "llvm.icmp") &&
         op_integer(compared, "predicate", -1) == EQUAL && is_successor(op_operand(compared, 0), number) &&
         is_constant(op_operand(compared, 1), out_stages);
}

/* --- Loops ------------------------------------------------------------------------------------------------- */

static MlirOperation terminator(MlirBlock block) {
  return mlirBlockGetTerminator(block);
}

/* How many branches lead to `block`; the last one of them from another block than `from` in *out_other. */
static int branches_to(MlirOperation function, MlirBlock block, MlirBlock from, MlirOperation *out_other) {
  int count = 0;
  MlirBlock at = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  for (; !mlirBlockIsNull(at); at = mlirBlockGetNextInRegion(at)) {
    MlirOperation branch = terminator(at);
    for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(branch); i++)
      if (mlirBlockEqual(mlirOperationGetSuccessor(branch, i), block)) {
        count++;
        if (!mlirBlockEqual(at, from))
          *out_other = branch;
      }
  }
  return count;
}

static int products_of(MlirBlock block) {
  int count = 0;
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    count += op_is_named(op, "tile_ptx.mma");
  return count;
}

/* Fills the blocks and branches; false where there is no loop of this form at `header`. */
static bool read_loop(MlirOperation function, MlirBlock header, struct stage_loop *out) {
  *out = (struct stage_loop){.header = header, .test = terminator(header), .arguments = mlirBlockGetNumArguments(header)};
  if (!op_is_named(out->test, "llvm.cond_br") || mlirOperationGetNumOperands(out->test) != 1 ||
      out->arguments > MOST_ARGUMENTS)
    return false;
  out->body = mlirOperationGetSuccessor(out->test, 0);
  out->behind = mlirOperationGetSuccessor(out->test, 1);
  out->latch = terminator(out->body);
  MlirOperation other;
  return op_is_named(out->latch, "llvm.br") && mlirBlockEqual(mlirOperationGetSuccessor(out->latch, 0), header) &&
         mlirBlockGetNumArguments(out->body) == 0 && mlirBlockGetNumArguments(out->behind) == 0 &&
         branches_to(function, out->body, header, &other) == 1 &&
         branches_to(function, out->behind, header, &other) == 1 &&
         branches_to(function, header, out->body, &out->entry) == 2 && op_is_named(out->entry, "llvm.br");
}

static bool read_stages(struct stage_loop *loop) {
  for (intptr_t i = 0; i < loop->arguments; i++) {
    int64_t first, stages;
    MlirValue number = mlirBlockGetArgument(loop->header, i);
    loop->first[i] = -1;
    if (!is_constant(op_operand(loop->entry, i), &first) || !goes_round(op_operand(loop->latch, i), number, &stages))
      continue;
    if (first >= stages || (loop->stages && loop->stages != stages))
      return false;
    loop->first[i] = first;
    loop->stages = stages;
  }
  int products = products_of(loop->body);
  return loop->stages > 1 && loop->stages <= MOST_STAGES && products > 0 && products <= MOST_PRODUCTS;
}

/* --- The rewrite --------------------------------------------------------------------------------------------- */

static bool is_inside(const struct stage_loop *loop, MlirOpOperand use) {
  MlirBlock block = mlirOperationGetBlock(mlirOpOperandGetOwner(use));
  return mlirBlockEqual(block, loop->header) || mlirBlockEqual(block, loop->body);
}

/* What is used of the header's arguments behind the loop becomes an argument there. */
static void give_arguments(struct stage_loop *loop) {
  for (intptr_t i = 0; i < loop->arguments; i++) {
    MlirValue argument = mlirBlockGetArgument(loop->header, i), given = {0};
    MlirOpOperand use = mlirValueGetFirstUse(argument), next;
    for (; !mlirOpOperandIsNull(use); use = next) {
      next = mlirOpOperandGetNextUse(use);
      if (is_inside(loop, use))
        continue;
      if (mlirValueIsNull(given)) {
        given = mlirBlockAddArgument(loop->behind, mlirValueGetType(argument), mlirOperationGetLocation(loop->test));
        loop->given[loop->given_count++] = i;
      }
      mlirOperationSetOperand(mlirOpOperandGetOwner(use), (intptr_t)mlirOpOperandGetOperandNumber(use), given);
    }
  }
}

/* The header's branch, in `header`: to `body`, or behind the loop with what that is given. */
static void build_test(const struct stage_loop *loop, MlirBlock header, MlirValue condition, MlirBlock body) {
  struct builder b = builder_at_end(mlirOperationGetContext(loop->test), header, mlirOperationGetLocation(loop->test));
  MlirValue *in = tile_allocate((size_t)(loop->given_count + 1) * sizeof *in);
  in[0] = condition;
  for (intptr_t i = 0; i < loop->given_count; i++)
    in[i + 1] = mlirBlockGetArgument(header, loop->given[i]);
  MlirBlock successors[] = {body, loop->behind};
  int32_t sizes[] = {1, 0, (int32_t)loop->given_count};
  build_op(&b, &(struct op_spec){.name = "llvm.cond_br",
                                 .in = in,
                                 .in_count = loop->given_count + 1,
                                 ATTRIBUTES(attribute_named(b.context, "operandSegmentSizes",
                                                            attribute_dense_i32(b.context, 3, sizes))),
                                 .successors = successors,
                                 .successor_count = 2});
  free(in);
}

/* Copies all but the last operation of `from` to `to`. `values`: MlirValue.ptr there -> MlirValue.ptr here. */
static void copy_operations(struct map *values, MlirBlock from, MlirBlock to) {
  MlirOperation last = terminator(from), op = mlirBlockGetFirstOperation(from);
  for (;; op = mlirOperationGetNextInBlock(op)) {
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++) {
      void *known = map_get(values, op_operand(copy, i).ptr);
      if (known)
        mlirOperationSetOperand(copy, i, (MlirValue){known});
    }
    mlirBlockAppendOwnedOperation(to, copy);
    if (mlirOperationEqual(op, last))
      return;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      map_set(values, op_result(op, i).ptr, (void *)op_result(copy, i).ptr);
  }
}

/* The number's value in iteration k of a row, where the loop does not depend on it. */
static MlirValue stage_constant(const struct stage_loop *loop, intptr_t argument, int64_t k) {
  struct builder b = builder_before(loop->entry);
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(mlirBlockGetArgument(loop->header, argument)));
  return build_llvm_integer(&b, width, (loop->first[argument] + k) % loop->stages);
}

/* Iteration k of a row behind `after`: its header, which is to be branched to; its last branch in *out_latch. */
static MlirBlock copy_iteration(const struct stage_loop *loop, int64_t k, MlirBlock after, MlirOperation *out_latch) {
  MlirRegion region = mlirBlockGetParentRegion(loop->header);
  MlirBlock header = mlirBlockCreate(0, NULL, NULL), body = mlirBlockCreate(0, NULL, NULL);
  mlirRegionInsertOwnedBlockAfter(region, after, header);
  mlirRegionInsertOwnedBlockAfter(region, header, body);
  struct map values = {0};
  for (intptr_t i = 0; i < loop->arguments; i++) {
    MlirValue old = mlirBlockGetArgument(loop->header, i);
    MlirValue argument = mlirBlockAddArgument(header, mlirValueGetType(old), mlirOperationGetLocation(loop->test));
    map_set(&values, old.ptr, (void *)(loop->first[i] < 0 ? argument : stage_constant(loop, i, k)).ptr);
  }
  copy_operations(&values, loop->header, header);
  MlirOperation test = terminator(header);
  MlirValue condition = op_operand(test, 0);
  mlirOperationDestroy(test);
  build_test(loop, header, condition, body);
  copy_operations(&values, loop->body, body);
  map_free(&values);
  *out_latch = terminator(body);
  return header;
}

/* The numbers are constants in the first iteration of a row, too. */
static void set_first(const struct stage_loop *loop) {
  for (intptr_t i = 0; i < loop->arguments; i++)
    if (loop->first[i] >= 0)
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(loop->header, i), stage_constant(loop, i, 0));
}

static void unroll(struct stage_loop *loop) {
  give_arguments(loop);
  MlirOperation latch = loop->latch;
  MlirBlock after = loop->body;
  for (int64_t k = 1; k < loop->stages; k++) {
    MlirOperation last;
    MlirBlock header = copy_iteration(loop, k, after, &last);
    mlirOperationSetSuccessor(latch, 0, header);
    latch = last;
    after = mlirOperationGetBlock(last);
  }
  mlirOperationSetSuccessor(latch, 0, loop->header);
  MlirValue condition = op_operand(loop->test, 0);
  build_test(loop, loop->header, condition, loop->body);
  mlirOperationDestroy(loop->test);
  set_first(loop);
}

MlirLogicalResult run_unroll_stages(struct pass_context *context, MlirOperation module) {
  struct stage_loop *loop = tile_allocate(sizeof *loop);
  MlirOperation op = mlirBlockGetFirstOperation(op_body(module, 0));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (kind_of(context->session, op) != OP_LLVM_FUNC || !op_has_attribute(op, "nvvm.kernel"))
      continue;
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      if (read_loop(op, block, loop) && read_stages(loop))
        unroll(loop);
  }
  free(loop);
  return SUCCESS;
}
