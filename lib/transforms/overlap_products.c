/* SPDX-License-Identifier: MIT */
/* tile-gpu-overlap-products: what a loop computes between two products is to run under a third.

   Needs: final layouts, dots by warp groups with a wait right behind each, versions of kernels by
   tile-version-descriptors. Keeps: the program. Leaves: tile_gpu.overlaps_products on loops of
   these versions that tile-gpu-pipeline shall make one iteration ahead with their early products
   (analysis/product_stages.h, transforms/overlap.h), if tile-gpu-assign-roles gives the kernel
   roles; else that takes it off. Without roles it made attention no faster: what a block's threads
   wait for, and when they copy, then stands between the products.

   What this iteration's products are computed from runs under the next one's early products where
   that is short and registers suffice for it, else before them ("under", "together":
   transforms/overlap.h).

   Exponentials of the next iteration then run while the product is computed that this iteration's
   weigh. What it costs is registers: accumulators of early and late products at one time, and what
   crosses. It is done where the estimate (analysis/pressure.h) of the loop that comes out, which is
   built for that and taken away again, is within what a thread of a consumer has; the addresses
   of copies are the producer's. With the option remarks, a remark says where it is not.

   tile-gpu-print-schedule says what is early and late, or why nothing is. */
#include "analysis/loop_stages.h"
#include "ir/dot_form.h"
#include "ir/module_target.h"
#include "ir/passes.h"
#include "transforms/overlap.h"

const struct pass_option overlap_products_options[] = {
    {"registers", OPTION_INTEGER, "0",
     "registers of a thread that a loop may take so; 0: what a consumer has"},
    {"remarks", OPTION_BOOLEAN, "false", "says of each loop that would take more why it stays"},
    {0}};

/* A number that the loop carries, and that only its next one is made of: the number's user, or
 * null.
 */
static MlirOperation counts_alone(MlirOperation loop, intptr_t number) {
  MlirOperation yield = mlirBlockGetTerminator(op_body(loop, 0)), none = {0};
  MlirOperation op = only_user(mlirBlockGetArgument(op_body(loop, 0), number + 1));
  if (mlirOperationIsNull(op) || mlirOperationGetNumResults(op) != 1 ||
      !mlirOperationEqual(only_user(op_result(op, 0)), yield) ||
      !mlirValueEqual(op_operand(yield, number), op_result(op, 0)))
    return none;
  return op;
}

/* The producer counts where the blocks are. Takes that from the loop, which serves the estimate
   alone. */
static void leave_to_producer(struct session *session, MlirOperation loop) {
  MlirBlock body = op_body(loop, 0);
  MlirOperation yield = mlirBlockGetTerminator(body), op = mlirBlockGetFirstOperation(body);
  struct builder b = builder_before(op);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (intptr_t i = 1;
         op_is(session, op, OP_TILE_DESCRIPTOR_LOAD) && i < mlirOperationGetNumOperands(op); i++)
      mlirOperationSetOperand(op, i, build_uniform(&b, op_operand_type(op, i), 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
    MlirOperation next = counts_alone(loop, i);
    if (mlirOperationIsNull(next) || type_is_tensor(op_result_type(loop, i)))
      continue;
    mlirOperationSetOperand(yield, i, build_uniform(&b, op_result_type(loop, i), 0));
    mlirOperationDestroy(next);
  }
}

/* Are there vectors that come with the blocks (tile-find-descriptors), or a block that several
   products read? Then no product's blocks would have mbarriers of their own
   (transforms/bulk_ring.h), and what waits for all of them and gives all back would be early. */
static bool shares_mbarriers(struct session *session, MlirOperation loop) {
  bool shares = false;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(loop, 0));
  for (; !mlirOperationIsNull(op) && !shares; op = mlirOperationGetNextInBlock(op)) {
    if (!op_is(session, op, OP_TILE_DESCRIPTOR_LOAD))
      continue;
    MlirOperation buffer = only_user(op_result(op, 0));
    shares = mlirShapedTypeGetRank(op_result_type(op, 0)) == 1 ||
             (!mlirOperationIsNull(buffer) && op_is(session, buffer, OP_TILE_GPU_ALLOC) &&
              mlirOperationIsNull(only_product(session, buffer)));
  }
  return shares;
}

/* What a thread needs in that order. */
static int64_t registers_of(const struct product_stages *stages, enum overlap_order order) {
  struct overlap overlap = overlap_build(stages, order);
  leave_to_producer(stages->session, overlap.ahead);
  int64_t needed = loop_registers_used(stages->session, overlap.ahead);
  overlap_undo(stages, overlap);
  return needed;
}

/* Is what late products read computed as fast as the tensor cores are with one instruction of each
   early product? ptxas (13.0) puts all of it between the first one and the second.

     64 x N by 32 bytes of K   N / 2 cycles: 2048 multiply-adds of 16 bits in one, a multiprocessor
                               (NVIDIA H100 Tensor Core GPU Architecture, dense rates)
     a warp's numbers          a cycle each of its scheduler (CUDA Programming Guide, throughput of
                               arithmetic instructions)

   Where it takes longer attention was up to 4% slower in that order, and where numbers are rounded,
   too, though that would fit (docs/attention.md). */
static bool is_short(const struct product_stages *stages) {
  struct session *session = stages->session;
  struct late_numbers late = overlap_late_numbers(stages);
  bool fits = late.count > 0 && !late.rounds;
  MlirOperation op = mlirBlockGetFirstOperation(op_body(stages->loop, 0));
  for (; fits && !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (starts_async_dot(session, op) && !product_stages_is_late(stages, op)) {
      const struct layout_info *info = layout_of_type(&session->layouts, op_result_type(op, 0));
      fits = late.count <= info->mma.instr_shape[1] / 2;
    }
  return fits;
}

static void decide(struct session *session, MlirOperation loop, int64_t registers, bool remarks) {
  const char *reason; /* tile-gpu-print-schedule says it */
  struct product_stages stages;
  if (shares_mbarriers(session, loop))
    return;
  if (product_stages_make(&stages, session, loop, NULL, &reason)) {
    bool under = is_short(&stages) && registers_of(&stages, OVERLAP_UNDER) <= registers;
    int64_t needed = under ? 0 : registers_of(&stages, OVERLAP_TOGETHER);
    if (needed <= registers)
      overlap_mark(loop, under ? OVERLAP_UNDER : OVERLAP_TOGETHER);
    else if (remarks)
      diagnostics_report(&session->diagnostics, SEVERITY_REMARK, mlirOperationGetLocation(loop),
                         "scf.for: its products are computed one after the other: with the next "
                         "iteration's beside them it would take about %lld registers of %lld",
                         (long long)needed, (long long)registers);
  }
  product_stages_destroy(&stages);
}

MlirLogicalResult run_overlap_products(struct pass_context *context, MlirOperation module) {
  struct session *session = context->session;
  int64_t registers = context->values[0].integer;
  int64_t warps = attribute_number(module, ATTR_NUM_WARPS, 4);
  if (!registers)
    registers = machine_role_registers(machine_of(module), warps, PRODUCER_WARPS,
                                       MACHINE_PRODUCER_REGISTERS)
                    .consumers;
  MlirOperation kernel = {0};
  while (next_kernel(session, module, &kernel)) {
    if (!attribute_has(kernel, ATTR_TENSOR_MAPS_OF))
      continue;
    struct loop_list loops = loops_of(session, kernel);
    for (size_t i = 0; i < loops.count; i++)
      if (loop_num_stages(loops.list[i]) > 1)
        decide(session, loops.list[i], registers, context->values[1].integer);
    loops_free(&loops);
  }
  return SUCCESS;
}
