/* tile-gpu-defer-waits: the product of one iteration is in flight while the next one begins.

   Needs: loops whose loads are copied to shared memory ahead (tile-gpu-pipeline). Keeps: what is computed. Leaves:
   waits that let the latest product go on, and one wait for it behind the loop.

     for ..., %c:                                          for ..., %c:
       %f = tile_gpu.warpgroup_dot %x, %y, %c                %f = tile_gpu.warpgroup_dot %x, %y, %c
       %w = tile_gpu.warpgroup_dot_wait %f {pending = 0}  ->   %w = tile_gpu.warpgroup_dot_wait %f {pending = 1}
       yield %w                                              yield %w
                                                           tile_gpu.warpgroup_dot_wait {pending = 0}

   When iteration i has passed its wait, the product of i - 1 is done, and that of i still reads its stage. So a copy
   that iteration i + 1 starts may go into the stage of i - 1, or of an earlier one: with copies d ahead a buffer has
   d + 2 stages or more. Nothing else may store into it. Only a loop with one product, on buffers alone, whose result
   goes nowhere but into the next iteration, is rewritten. */
#include "ir/build.h"
#include "ir/passes.h"

/* What is known of a loop that fits. */
struct deferral {
  struct session *session;
  MlirOperation loop, dot, wait;
  intptr_t carried; /* number of the loop variable that holds the accumulators */
  int dots;
};

static MlirLogicalResult count_dots(MlirOperation op, void *data) {
  struct deferral *d = data;
  if (kind_of(d->session, op) == OP_TILE_GPU_WARPGROUP_DOT) {
    d->dots++;
    d->dot = op;
  }
  return SUCCESS;
}

/* The only use's operation and operand; null when there is another number of uses. */
static MlirOperation only_user(MlirValue value, intptr_t *operand) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){0};
  *operand = (intptr_t)mlirOpOperandGetOperandNumber(use);
  return mlirOpOperandGetOwner(use);
}

/* loop variable -> dot -> wait -> yield, each with one use. */
static bool follow_accumulators(struct deferral *d) {
  MlirBlock body = op_body(d->loop, 0);
  intptr_t operand;
  d->wait = only_user(op_result(d->dot, 0), &operand);
  if (mlirOperationIsNull(d->wait) || kind_of(d->session, d->wait) != OP_TILE_GPU_WARPGROUP_DOT_WAIT ||
      mlirOperationGetNumOperands(d->wait) != 1 || op_integer(d->wait, "pending", -1) != 0 ||
      !mlirBlockEqual(mlirOperationGetBlock(d->dot), body) || !mlirBlockEqual(mlirOperationGetBlock(d->wait), body))
    return false;
  MlirOperation yield = only_user(op_result(d->wait, 0), &d->carried);
  if (mlirOperationIsNull(yield) || !mlirOperationEqual(yield, mlirBlockGetTerminator(body)))
    return false;
  MlirValue variable = mlirBlockGetArgument(body, d->carried + 1);
  MlirOperation first = only_user(variable, &operand);
  return !mlirOperationIsNull(first) && mlirOperationEqual(first, d->dot) && operand == 2;
}

/* The constant that a loop variable starts with; -1 for anything else. */
static int64_t start_of(const struct deferral *d, MlirValue variable) {
  if (!mlirValueIsABlockArgument(variable) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(variable), op_body(d->loop, 0)))
    return -1;
  intptr_t number = mlirBlockArgumentGetArgNumber(variable);
  MlirOperation start = number ? value_definition(op_operand(d->loop, number + 2)) : (MlirOperation){0};
  bool constant = !mlirOperationIsNull(start) && kind_of(d->session, start) == OP_ARITH_CONSTANT;
  return constant ? op_integer(start, "value", -1) : -1;
}

/* May the buffer of stages be read one iteration longer? `read` is the first stage that is read. */
static bool has_spare_stage(const struct deferral *d, MlirValue buffer, int64_t read) {
  int64_t stages = mlirShapedTypeGetDimSize(mlirValueGetType(buffer), 0);
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation view = mlirOpOperandGetOwner(use);
    if (!op_is_inside(view, d->loop))
      continue;
    if (kind_of(d->session, view) != OP_TILE_GPU_INDEX)
      return false;
    MlirOpOperand stage = mlirValueGetFirstUse(op_result(view, 0));
    for (; !mlirOpOperandIsNull(stage); stage = mlirOpOperandGetNextUse(stage)) {
      MlirOperation user = mlirOpOperandGetOwner(stage);
      if (mlirOperationEqual(user, d->dot))
        continue;
      int64_t written = start_of(d, op_operand(view, 1));
      if (kind_of(d->session, user) != OP_TILE_GPU_ASYNC_COPY || written < 0 || stages - (written - read) < 2)
        return false;
    }
  }
  return true;
}

/* An operand is a stage of a buffer from outside that has one to spare, or a whole buffer from outside that nothing in
   the loop but the product touches. */
static bool may_be_read_longer(const struct deferral *d, MlirValue operand) {
  MlirOperation view = value_definition(operand);
  if (!mlirTypeIsAMemRef(mlirValueGetType(operand)) || mlirOperationIsNull(view))
    return false;
  if (kind_of(d->session, view) == OP_TILE_GPU_INDEX) {
    MlirOperation alloc = value_definition(op_operand(view, 0));
    int64_t read = start_of(d, op_operand(view, 1));
    return read >= 0 && !mlirOperationIsNull(alloc) && kind_of(d->session, alloc) == OP_TILE_GPU_ALLOC &&
           !op_is_inside(alloc, d->loop) && has_spare_stage(d, op_result(alloc, 0), read);
  }
  if (kind_of(d->session, view) != OP_TILE_GPU_ALLOC || op_is_inside(view, d->loop))
    return false;
  MlirOpOperand use = mlirValueGetFirstUse(operand);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (op_is_inside(mlirOpOperandGetOwner(use), d->loop) && !mlirOperationEqual(mlirOpOperandGetOwner(use), d->dot))
      return false;
  return true;
}

static void set_pending(struct deferral *d, int64_t pending) {
  mlirOperationSetAttributeByName(d->wait, ref("pending"), attribute_integer(d->session->context, 32, pending));
}

/* The wait behind the loop is a copy of the one in it. It stands first there: what follows may store to the buffers. */
static void rewrite(struct deferral *d) {
  MlirValue result = op_result(d->loop, d->carried);
  MlirOperation last = mlirOperationClone(d->wait);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(d->loop), d->loop, last);
  mlirValueReplaceAllUsesOfWith(result, op_result(last, 0));
  mlirOperationSetOperand(last, 0, result);
  set_pending(d, 1);
}

static MlirLogicalResult visit_loop(MlirOperation op, void *data) {
  struct deferral d = {.session = data, .loop = op};
  if (kind_of(d.session, op) != OP_SCF_FOR)
    return SUCCESS;
  visit_operations(op, count_dots, &d);
  if (d.dots == 1 && follow_accumulators(&d) && may_be_read_longer(&d, op_operand(d.dot, 0)) &&
      may_be_read_longer(&d, op_operand(d.dot, 1)))
    rewrite(&d);
  return SUCCESS;
}

MlirLogicalResult run_defer_waits(struct pass_context *context, MlirOperation root) {
  return visit_operations(root, visit_loop, context->session);
}
