/* SPDX-License-Identifier: MIT */
/* convert-to-emulator: tensor-core operations. Their registers are handed over in an array on the
   thread's stack, one for the whole function.

     tile_ptx.mma %a..., %b..., %c... : (i32, ..., f32) -> (f32, ...)
       ->  stores of %a, %b, %c at registers + 0, 4, 8, ...
           llvm.call @tile_emu_mma(%thread, SHAPE, %registers, @"k.mlir:7:8")
           loads of the results where %c was */
#include "ir/mma_attributes.h"
#include "lowering/nvvm_to_emulator/convert_to_emulator.h"

/* The array, made at the function's start. */
MlirValue registers_of(struct conversion *c) {
  if (!mlirValueIsNull(c->registers))
    return c->registers;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(c->function, 0));
  struct builder b = {.context = c->session->context,
                      .block = entry,
                      .before = mlirBlockGetFirstOperation(entry),
                      .location = mlirOperationGetLocation(c->function)};
  MlirType type = integer_type(&b, 64);
  MlirValue count = build_llvm_integer(&b, 64, MMA_MAX_REGISTERS);
  c->registers = BUILD(&b, "llvm.alloca", IN(count), OUT(c->pointer),
                       ATTRIBUTES(attribute_named(b.context, "elem_type", mlirTypeAttrGet(type)),
                                  llvm_alignment(b.context, 16)));
  return c->registers;
}

/* The address of register `index`, each of `bytes`. */
static MlirValue slot(struct conversion *c, struct builder *b, unsigned bytes, intptr_t index) {
  return build_gep(b, integer_type(b, 8), c->registers, (MlirValue){0}, index * bytes);
}

/* Operands `first` .. `first + count - 1` become registers 0, 1, ... */
void store_registers(struct conversion *c, struct builder *b, MlirOperation op, intptr_t first,
                     intptr_t count, unsigned bytes) {
  registers_of(c);
  for (intptr_t i = 0; i < count; i++)
    BUILD_OP(b, "llvm.store", IN(op_operand(op, first + i), slot(c, b, bytes, i)));
}

void load_results(struct conversion *c, struct builder *b, MlirOperation op, intptr_t first,
                  unsigned bytes, MlirValue *values) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    values[i] = BUILD(b, "llvm.load", IN(slot(c, b, bytes, first + i)), OUT(op_result_type(op, i)));
}

MlirLogicalResult convert_mma(struct conversion *c, MlirOperation op) {
  struct mma_shape shape;
  enum machine_feature needed;
  intptr_t operands = mlirOperationGetNumOperands(op), results = mlirOperationGetNumResults(op);
  if (!mma_operation(op, &shape, &needed))
    return fail_op(op, "not a valid operation; tile-verify says why");
  struct builder b = builder_before(op);
  unsigned bytes = shape.a == MMA_F64 ? 8 : 4;
  MlirValue values[MMA_MAX_REGISTERS];
  store_registers(c, &b, op, 0, operands, bytes);
  MlirValue in[] = {c->thread, build_llvm_integer(&b, 32, (int64_t)mma_encode(&shape)),
                    c->registers, conversion_location(c, &b)};
  conversion_call(c, &b, "tile_emu_mma", 4, in, (MlirType){0});
  load_results(c, &b, op, operands - results, bytes, values);
  return replace_op(op, values);
}

MlirLogicalResult convert_matrix_access(struct conversion *c, MlirOperation op) {
  struct builder b = builder_before(op);
  bool load = kind_of(c->session, op) == OP_TILE_PTX_LDMATRIX;
  intptr_t count = load ? mlirOperationGetNumResults(op) : mlirOperationGetNumOperands(op) - 1;
  if (count < 1 || count > 4)
    return fail_op(op, "not a valid operation; tile-verify says why");
  MlirValue values[4];
  store_registers(c, &b, op, 1, load ? 0 : count, 4);
  MlirValue in[] = {c->thread,
                    BUILD(&b, "llvm.addrspacecast", IN(op_operand(op, 0)), OUT(c->pointer)),
                    build_llvm_integer(&b, 32, count),
                    build_llvm_integer(&b, 32, op_boolean(op, "transpose")),
                    c->registers,
                    conversion_location(c, &b)};
  conversion_call(c, &b, load ? "tile_emu_ldmatrix" : "tile_emu_stmatrix", 6, in, (MlirType){0});
  load_results(c, &b, op, 0, 4, values);
  return replace_op(op, values);
}
