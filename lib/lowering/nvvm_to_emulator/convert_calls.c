/* SPDX-License-Identifier: MIT */
/* convert-to-emulator: operations that become one call, which a text describes
   (dialects/tile_ptx/ops.def has its form).

     tile_ptx.cp_async %s, %g, %n, %c {bytes = 16, ...} : (ptr<3>, ptr<1>, i32, i1)
       "tile_emu_cp_async(thread, *0, *1, #bytes, $2, ?3, place)"
       ->  llvm.call @tile_emu_cp_async(%thread, %s, %g, 16, %n, %c, @"k.mlir:7:8")          */
#include <stdlib.h>
#include <string.h>
#include "lowering/nvvm_to_emulator/convert_to_emulator.h"

static MlirValue predicate_word(struct conversion *c, struct builder *b, MlirOperation op,
                                intptr_t operand) {
  return operand < mlirOperationGetNumOperands(op)
             ? BUILD(b, "llvm.zext", IN(op_operand(op, operand)), OUT(c->i32))
             : build_llvm_integer(b, 32, 1);
}

static MlirValue argument(struct conversion *c, struct builder *b, MlirOperation op,
                          const char *text, size_t length) {
  intptr_t operand = strtol(text + 1, NULL, 10);
  MlirAttribute attribute;
  switch (*text) {
  case 't':
    return c->thread;
  case 'p':
    return conversion_location(c, b);
  case '$':
    return op_operand(op, operand);
  case '*':
    return BUILD(b, "llvm.addrspacecast", IN(op_operand(op, operand)), OUT(c->pointer));
  case '?':
    return predicate_word(c, b, op, operand);
  case '#':
    attribute = mlirOperationGetAttributeByName(op, mlirStringRefCreate(text + 1, length - 1));
    return build_llvm_integer(b, 32, mlirIntegerAttrGetValueInt(attribute));
  default:
    return build_llvm_integer(b, 32, strtol(text, NULL, 10));
  }
}

/* The arguments of a text, "(" first; without them the operands as they are. */
static intptr_t arguments(struct conversion *c, struct builder *b, MlirOperation op,
                          const char *text, MlirValue in[MAX_CALL_OPERANDS]) {
  intptr_t count = 0;
  if (!*text) {
    for (; count < mlirOperationGetNumOperands(op); count++)
      in[count] = op_operand(op, count);
    return count;
  }
  for (text++; *text && count < MAX_CALL_OPERANDS;) {
    size_t length = strcspn(text, ",)");
    in[count++] = argument(c, b, op, text, length);
    text += length + strspn(text + length, ", )");
  }
  return count;
}

MlirLogicalResult convert_call_text(struct conversion *c, MlirOperation op, const char *text) {
  enum { MAX_NAME = 64 };
  struct builder b = builder_before(op);
  char name[MAX_NAME] = {0};
  size_t length = strcspn(text, "(");
  memcpy(name, text, length < MAX_NAME - 1 ? length : MAX_NAME - 1);
  MlirValue in[MAX_CALL_OPERANDS];
  intptr_t count = arguments(c, &b, op, text + length, in);
  bool gives_back = op_has(c->session, op, GIVES_BACK);
  bool returns = mlirOperationGetNumResults(op) > 0 && !gives_back;
  MlirType type = returns ? op_result_type(op, 0) : (MlirType){0};
  MlirOperation call = conversion_call(c, &b, name, count, in, type);
  if (returns)
    mlirValueReplaceAllUsesOfWith(op_result(op, 0), op_result(call, 0));
  for (intptr_t i = 0; gives_back && i < mlirOperationGetNumResults(op); i++)
    mlirValueReplaceAllUsesOfWith(op_result(op, i), op_operand(op, i));
  return replace_op(op, NULL);
}
