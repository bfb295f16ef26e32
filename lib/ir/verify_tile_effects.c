/* SPDX-License-Identifier: MIT */
/* Rules of inline_asm, print and assert. */
#include "ir/asm_constraints.h"
#include "ir/verify_tile.h"

/* Operands and results of one shape, numbers or pointers. */
static MlirLogicalResult verify_asm_types(MlirOperation op) {
  intptr_t results = mlirOperationGetNumResults(op);
  MlirType first = op_result_type(op, 0);
  for (intptr_t i = 1; i < results; i++)
    TRY_IR(verify_alike(op, first, op_result_type(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    TRY_IR(verify_alike(op, first, op_operand_type(op, i)));
  return SUCCESS;
}

static MlirLogicalResult verify_asm_pack(MlirOperation op) {
  TRY_IR(verify_integer(op, "pack"));
  int64_t pack = op_integer(op, "pack", 0), elements = type_elements(op_result_type(op, 0));
  if (pack < 1 || pack > 16 || (pack & (pack - 1)) != 0)
    return fail_op(op, "pack is 1, 2, 4, 8 or 16, not %lld", (long long)pack);
  if (pack > elements)
    return fail_op(op, "pack = %lld, but there are only %lld elements", (long long)pack,
                   (long long)elements);
  return SUCCESS;
}

/* The 32-bit or wider registers that one instance takes for a value of this type. */
static int64_t asm_registers(struct session *session, MlirOperation op, MlirType type) {
  int64_t pack = op_integer(op, "pack", 1);
  unsigned bits = type_bits(&session->types, type_element(type));
  int64_t together = bits >= 8 && bits < 32 ? 32 / bits : 1;
  return pack / (together < pack ? together : pack);
}

static MlirLogicalResult verify_asm_constraints(struct session *session, MlirOperation op) {
  struct asm_constraints list;
  const char *problem = asm_constraints_read(op_string(op, "constraints"), &list);
  if (problem)
    return fail_op(op, "constraints: %s", problem);
  int64_t outputs = 0, inputs = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    outputs += asm_registers(session, op, op_result_type(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    inputs += asm_registers(session, op, op_operand_type(op, i));
  if (list.outputs != outputs || list.inputs != inputs)
    return fail_op(op,
                   "constraints name %d outputs and %d inputs; results and operands take %lld and "
                   "%lld registers with pack = %lld",
                   list.outputs, list.inputs, (long long)outputs, (long long)inputs,
                   (long long)op_integer(op, "pack", 1));
  problem = asm_text_check(op_string(op, "asm"), &list);
  return problem ? fail_op(op, "asm: %s", problem) : SUCCESS;
}

MlirLogicalResult verify_inline_asm(struct session *session, MlirOperation op) {
  TRY_IR(verify_prefix(op, "operandSegmentSizes"));
  TRY_IR(verify_prefix(op, "resultSegmentSizes"));
  if (mlirOperationGetNumResults(op) == 0)
    return fail_op(op, "there are one to eight results, not none; give one that is not used");
  TRY_IR(verify_string(op, "asm"));
  TRY_IR(verify_string(op, "constraints"));
  TRY_IR(verify_boolean(op, "pure"));
  TRY_IR(verify_asm_types(op));
  TRY_IR(verify_asm_pack(op));
  return verify_asm_constraints(session, op);
}

MlirLogicalResult verify_print(struct session *session, MlirOperation op) {
  (void)session;
  TRY_IR(verify_prefix(op, "operandSegmentSizes"));
  TRY_IR(verify_string(op, "prefix"));
  return verify_boolean(op, "hex");
}

MlirLogicalResult verify_assert(struct session *session, MlirOperation op) {
  (void)session;
  static const char *const strings[] = {"message", "file", "function"};
  for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
    TRY_IR(verify_string(op, strings[i]));
  TRY_IR(verify_integer(op, "line"));
  MlirType condition = op_operand_type(op, 0);
  if (!type_is_integer(type_element(condition), 1))
    return fail_op(op, "the condition is i1 or a tensor of i1; make one with arith.cmpi");
  return verify_mask(op, condition,
                     mlirOperationGetNumOperands(op) > 1 ? op_operand(op, 1) : (MlirValue){0});
}
