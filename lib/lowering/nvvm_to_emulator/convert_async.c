/* SPDX-License-Identifier: MIT */
/* convert-to-emulator: asynchronous copies.

     tile_ptx.cp_async %s, %g, %n, %c {bytes = 16, ...} : (ptr<3>, ptr<1>, i32, i1)
       ->  llvm.call @tile_emu_cp_async(%thread, %s, %g, 16, %n, %c, @"k.mlir:7:8")          */
#include "lowering/nvvm_to_emulator/convert_to_emulator.h"

static MlirValue generic(struct conversion *c, struct builder *b, MlirValue pointer) {
  return BUILD(b, "llvm.addrspacecast", IN(pointer), OUT(c->pointer));
}

MlirLogicalResult convert_async_copy(struct conversion *c, MlirOperation op) {
  struct builder b = builder_before(op);
  MlirValue predicate = mlirOperationGetNumOperands(op) == 4
                            ? BUILD(&b, "llvm.zext", IN(op_operand(op, 3)), OUT(c->i32))
                            : build_llvm_integer(&b, 32, 1);
  MlirValue in[] = {c->thread,
                    generic(c, &b, op_operand(op, 0)),
                    generic(c, &b, op_operand(op, 1)),
                    build_llvm_integer(&b, 32, op_integer(op, "bytes", 0)),
                    op_operand(op, 2),
                    predicate,
                    conversion_location(c, &b)};
  conversion_call(c, &b, "tile_emu_cp_async", 7, in, (MlirType){0});
  mlirOperationDestroy(op);
  return SUCCESS;
}

MlirLogicalResult convert_async_commit(struct conversion *c, MlirOperation op) {
  struct builder b = builder_before(op);
  conversion_call(c, &b, "tile_emu_cp_async_commit", 1, &c->thread, (MlirType){0});
  mlirOperationDestroy(op);
  return SUCCESS;
}

MlirLogicalResult convert_async_wait(struct conversion *c, MlirOperation op) {
  struct builder b = builder_before(op);
  MlirValue in[] = {c->thread, build_llvm_integer(&b, 32, op_integer(op, "pending", 0))};
  conversion_call(c, &b, "tile_emu_cp_async_wait", 2, in, (MlirType){0});
  mlirOperationDestroy(op);
  return SUCCESS;
}
