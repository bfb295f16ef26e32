/* SPDX-License-Identifier: MIT */
/* The rules of tile_ptx.wgmma and tile_ptx.wgmma_wait. */
#include "ir/mma_attributes.h"
#include "ir/verify_tile_ptx.h"

static MlirLogicalResult verify_transposes(MlirOperation op, const struct mma_shape *shape,
                                           bool a_in_registers) {
  if (!attribute_is_boolean(op, "transpose_a") || !attribute_is_boolean(op, "transpose_b"))
    return fail_op(op, "transpose_a and transpose_b are true or false");
  bool a = op_boolean(op, "transpose_a"), b = op_boolean(op, "transpose_b");
  if ((a || b) && mma_numbers[shape->a].bits != 16)
    return fail_op(op, "only f16 and bf16 can be transposed; store %s with k contiguous",
                   mma_numbers[shape->a].mlir);
  if (a && a_in_registers)
    return fail_op(op, "a in registers cannot be transposed");
  return SUCCESS;
}

MlirLogicalResult verify_wgmma(struct session *session, MlirOperation op) {
  (void)session;
  intptr_t c = op_segment(op, 4, 0), a = op_segment(op, 4, 1);
  if (c < 1 || a < 1)
    return fail_op(
        op, "operandSegmentSizes has the numbers of accumulators and of registers of a, 1 and 1");
  struct mma_shape shape;
  if (!mma_attributes(op, op_operand_type(op, 0), &shape))
    return fail_op(op,
                   "shape is array<i32: m, n, k>, a_type and b_type are f16, bf16, tf32, f8E4M3FN, "
                   "f8E5M2, i8 or ui8, c_type, where it is given, f16");
  const char *problem = wgmma_problem(&shape);
  if (problem)
    return fail_op(op, "%s", problem);
  if (c != wgmma_c_registers(&shape))
    return fail_op(op, "n = %u takes %u accumulators; it has %d", shape.n,
                   wgmma_c_registers(&shape), (int)c);
  if (!registers_are(op, 0, c, shape.c == MMA_F32 ? register_is_f32 : register_is_i32))
    return fail_op(op, "accumulators are f32, or i32 (which hold two f16 with c_type = f16)");
  bool in_registers = register_is_i32(op_operand_type(op, c));
  if (in_registers ? a != WGMMA_A_REGISTERS || !registers_are(op, c, a, register_is_i32) : a != 1)
    return fail_op(op, "a is one descriptor, i64, or four registers, i32");
  TRY_IR(verify_transposes(op, &shape, in_registers));
  return verify_results_follow(op, 0, c);
}

MlirLogicalResult verify_wgmma_wait(struct session *session, MlirOperation op) {
  (void)session;
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count > WGMMA_MAX_WAITED)
    return fail_op(op, "a thread has no more than %d registers; it waits for %d", WGMMA_MAX_WAITED,
                   (int)count);
  return verify_results_follow(op, 0, count);
}

MlirLogicalResult verify_wgmma_fence(struct session *session, MlirOperation op) {
  (void)session;
  return verify_results_follow(op, 0, mlirOperationGetNumOperands(op));
}
