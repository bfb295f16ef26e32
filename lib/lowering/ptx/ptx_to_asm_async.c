/* SPDX-License-Identifier: MIT */
/* tile-ptx-to-asm, asynchronous copies (PTX ISA, cp.async and cp.async.bulk.tensor). The clobber of
   memory keeps LLVM from moving accesses of shared memory over them. */
#include "lowering/ptx/ptx_to_asm.h"

static bool is_constant(struct session *session, MlirValue value, int64_t expected) {
  MlirOperation op = value_definition(value);
  bool constant = op_is(session, op, OP_LLVM_CONSTANT) || op_is(session, op, OP_ARITH_CONSTANT);
  return constant && op_integer(op, "value", -1) == expected;
}

/* The condition of `bytes` or nothing, where `source_bytes` is that; else null. */
static MlirValue all_or_nothing(struct session *session, MlirValue source_bytes, int64_t bytes) {
  MlirOperation op = value_definition(source_bytes);
  bool is_select = op_is(session, op, OP_LLVM_SELECT) || op_is(session, op, OP_ARITH_SELECT);
  bool is_choice = is_select && is_constant(session, op_operand(op, 1), bytes) &&
                   is_constant(session, op_operand(op, 2), 0);
  return is_choice ? op_operand(op, 0) : (MlirValue){0};
}

/* All or nothing is one predicate in SASS. ptxas sees that where the two numbers are chosen from
   next to the copy; left to LLVM, a choice by two conditions becomes two choices, of which ptxas
   makes three instructions more for each mask. */
MlirLogicalResult copy_to_asm(struct session *session, MlirOperation op) {
  struct builder b = builder_before(op);
  int64_t bytes = op_integer(op, "bytes", 0);
  bool whole = is_constant(session, op_operand(op, 2), bytes);
  bool always = mlirOperationGetNumOperands(op) == 3 || is_true(session, op_operand(op, 3));
  MlirValue in[4] = {op_operand(op, 0), op_operand(op, 1)};
  MlirValue chosen = all_or_nothing(session, op_operand(op, 2), bytes);
  bool is_choice = !mlirValueIsNull(chosen);
  intptr_t count = 2;
  struct text assembly = {0}, constraints = {0};
  text_puts(&constraints, "l,l");
  if (is_choice)
    text_printf(&assembly, "{ .reg .b32 n; selp.b32 n, %d, 0, $2; ", (int)bytes);
  if (!whole) {
    in[count++] = is_choice ? chosen : op_operand(op, 2);
    text_puts(&constraints, is_choice ? ",b" : ",r");
  }
  if (!always) {
    text_printf(&assembly, "@$%d ", (int)count);
    in[count++] = op_operand(op, 3);
    text_puts(&constraints, ",b");
  }
  text_puts(&constraints, ",~{memory}");
  MlirStringRef cache = op_string(op, "cache");
  text_printf(&assembly, "cp.async.%.*s.shared.global [$0], [$1], %d%s;%s", (int)cache.length,
              cache.data, (int)bytes,
              whole       ? ""
              : is_choice ? ", n"
                          : ", $2",
              is_choice ? " }" : "");
  build_asm(&b, &assembly, &constraints, count, in, 0, NULL, true);
  return replace_op(op, NULL);
}

/* The form of a cluster: a block that is in none is one of its own, and addresses of its own shared
   memory are addresses of the cluster's. With several blocks the copy goes to the same place of
   each, and so do its bytes to their barriers. */
MlirLogicalResult tensor_copy_to_asm(struct session *session, MlirOperation op) {
  enum { FIXED = 4, MAX_OPERANDS = 9 };
  struct builder b = builder_before(op);
  bool always = is_true(session, op_operand(op, 3));
  int blocks = (int)op_integer(op, "blocks", 0);
  int rank = (int)mlirOperationGetNumOperands(op) - FIXED, count = 3;
  MlirValue in[MAX_OPERANDS] = {op_operand(op, 0), op_operand(op, 1), op_operand(op, 2)};
  struct text assembly = {0}, constraints = {0};
  text_puts(&constraints, "l,l,l");
  if (!always) {
    text_printf(&assembly, "@$%d ", count);
    text_puts(&constraints, ",b");
    in[count++] = op_operand(op, 3);
  }
  text_printf(
      &assembly,
      "cp.async.bulk.tensor.%dd.shared::cluster.global.mbarrier::complete_tx::bytes%s [$0], "
      "[$1, {",
      rank, blocks ? ".multicast::cluster" : "");
  for (int i = 0; i < rank; i++) {
    text_printf(&assembly, "%s$%d", i ? ", " : "", count);
    text_puts(&constraints, ",r");
    in[count++] = op_operand(op, FIXED + i);
  }
  text_puts(&assembly, "}], [$2]");
  if (blocks)
    text_printf(&assembly, ", %d", blocks);
  text_puts(&assembly, ";");
  text_puts(&constraints, ",~{memory}");
  build_asm(&b, &assembly, &constraints, count, in, 0, NULL, true);
  return replace_op(op, NULL);
}

MlirLogicalResult tensor_store_to_asm(struct session *session, MlirOperation op) {
  enum { FIXED = 3, MAX_OPERANDS = 8 };
  struct builder b = builder_before(op);
  bool always = is_true(session, op_operand(op, 2));
  int rank = (int)mlirOperationGetNumOperands(op) - FIXED, count = 2;
  MlirValue in[MAX_OPERANDS] = {op_operand(op, 0), op_operand(op, 1)};
  struct text assembly = {0}, constraints = {0};
  text_puts(&constraints, "l,l");
  if (!always) {
    text_printf(&assembly, "@$%d ", count);
    text_puts(&constraints, ",b");
    in[count++] = op_operand(op, 2);
  }
  bool adds = op_has_attribute(op, "kind");
  text_printf(&assembly, "cp.%sasync.bulk.tensor.%dd.global.shared::cta%s.bulk_group [$0, {",
              adds ? "reduce." : "", rank, adds ? ".add" : "");
  for (int i = 0; i < rank; i++) {
    text_printf(&assembly, "%s$%d", i ? ", " : "", count);
    text_puts(&constraints, ",r");
    in[count++] = op_operand(op, FIXED + i);
  }
  text_puts(&assembly, "}], [$1];");
  text_puts(&constraints, ",~{memory}");
  build_asm(&b, &assembly, &constraints, count, in, 0, NULL, true);
  return replace_op(op, NULL);
}
