/* SPDX-License-Identifier: MIT */
/* convert-to-emulator: multiplications by warp groups. Registers are handed over as in
   convert_mma.c.

     tile_ptx.wgmma %c..., %a, %b, %scale
       ->  llvm.call @tile_emu_wgmma(%thread, SHAPE, FLAGS, %registers, %a, %b, %scale, PLACE) */
#include "ir/mma_attributes.h"
#include "lowering/nvvm_to_emulator/convert_to_emulator.h"

MlirLogicalResult convert_wgmma(struct conversion *c, MlirOperation op) {
  struct mma_shape shape;
  intptr_t accumulators = op_segment(op, 4, 0), a = op_segment(op, 4, 1);
  if (!wgmma_operation(op, &shape))
    return fail_op(op, "not a valid operation; tile-verify says why");
  struct builder b = builder_before(op);
  bool in_registers = a > 1;
  uint32_t flags = (in_registers ? WGMMA_A_IN_REGISTERS : 0) |
                   (op_boolean(op, "transpose_a") ? WGMMA_TRANSPOSE_A : 0) |
                   (op_boolean(op, "transpose_b") ? WGMMA_TRANSPOSE_B : 0);
  store_registers(c, &b, op, 0, in_registers ? accumulators + a : accumulators, 4);
  MlirValue scale = BUILD(&b, "llvm.zext", IN(op_operand(op, accumulators + a + 1)), OUT(c->i32));
  MlirValue in[] = {c->thread,
                    build_llvm_integer(&b, 32, (int64_t)mma_encode(&shape)),
                    build_llvm_integer(&b, 32, flags),
                    c->registers,
                    in_registers ? build_llvm_integer(&b, 64, 0) : op_operand(op, accumulators),
                    op_operand(op, accumulators + a),
                    scale,
                    conversion_location(c, &b)};
  conversion_call(c, &b, "tile_emu_wgmma", sizeof in / sizeof *in, in, (MlirType){0});
  MlirValue values[MMA_MAX_REGISTERS];
  load_results(c, &b, op, 0, 4, values);
  return replace_op(op, values);
}

MlirLogicalResult convert_wgmma_wait(struct conversion *c, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (count != mlirOperationGetNumResults(op) || count > WGMMA_MAX_WAITED)
    return fail_op(op, "not a valid operation; tile-verify says why");
  struct builder b = builder_before(op);
  store_registers(c, &b, op, 0, count, 4);
  MlirValue in[] = {c->thread, build_llvm_integer(&b, 32, op_integer(op, "pending", 0)),
                    build_llvm_integer(&b, 32, count), c->registers, conversion_location(c, &b)};
  conversion_call(c, &b, "tile_emu_wgmma_wait", 5, in, (MlirType){0});
  MlirValue values[WGMMA_MAX_WAITED];
  load_results(c, &b, op, 0, 4, values);
  return replace_op(op, values);
}
