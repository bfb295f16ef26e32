/* SPDX-License-Identifier: MIT */
/* Elementwise operations: the same operation on each register, once per distinct operands.

     arith.mulf %a, %b : tensor<256xf32, #l>   ->   arith.mulf %a0, %b0 : f32
                                                    arith.mulf %a1, %b1 : f32 */
#include <stdlib.h>
#include <string.h>
#include "lowering/tile_gpu_to_llvm/lowering.h"

enum { MAX_OPERANDS = 4 };

/* A table of the operand tuples seen in one operation, so that registers with equal operands
   (a row's value broadcast along columns) share one result. Operands are base and offset: their sum
   is only built for the first of equals. */
struct seen {
  const void *base[MAX_OPERANDS];
  int64_t offset[MAX_OPERANDS];
  MlirValue result;
};

static size_t hash_operands(const struct seen *seen, intptr_t count) {
  uint64_t hash = 0;
  for (intptr_t i = 0; i < count; i++) {
    hash = (hash ^ (uint64_t)(uintptr_t)seen->base[i]) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ (uint64_t)seen->offset[i]) * 0x9E3779B97F4A7C15u;
  }
  return (size_t)(hash >> 24);
}

static bool same_operands(const struct seen *a, const struct seen *b) {
  return memcmp(a->base, b->base, sizeof a->base) == 0 &&
         memcmp(a->offset, b->offset, sizeof a->offset) == 0;
}

/* Index of an operand's register that stands at register r of the result: a scalar has only one. */
static int operand_register(const struct lowered *operand, int r) {
  return operand->count == 1 ? 0 : r;
}

/* Register bits that do not change the result. A mask `columns < n` with n a multiple of 8 is one
   comparison for 8 columns. */
static uint32_t equal_registers(struct lowering *lw, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return type_is_tensor(type) ? axis_equal_registers(axis_info_of(&lw->axis, value),
                                                     layout_to_linear(&lw->session->layouts, type))
                              : 0;
}

/* The same for one result of an operation that has several. */
static MlirLogicalResult lower_each_result(struct lowering *lw, MlirOperation op,
                                           intptr_t result_index, emit_element *emit) {
  intptr_t operand_count = mlirOperationGetNumOperands(op);
  if (operand_count > MAX_OPERANDS)
    return fail_op(op, "an elementwise operation has at most %d operands", MAX_OPERANDS);
  const struct lowered *operands[MAX_OPERANDS];
  for (intptr_t i = 0; i < operand_count; i++)
    operands[i] = lowered_of(lw, op_operand(op, i));
  struct lowered *result = lowered_create(lw, op_result_type(op, result_index));
  size_t capacity = 4;
  while (capacity < (size_t)result->count * 2)
    capacity *= 2;
  struct seen *table = ARENA_ARRAY(&lw->arena, struct seen, capacity);
  uint32_t equal = equal_registers(lw, op_result(op, result_index));
  for (int r = 0; r < result->count; r++) {
    struct seen now = {0};
    if ((uint32_t)r & equal) {
      result->base[r] = result->base[(uint32_t)r & ~equal];
      continue;
    }
    for (intptr_t i = 0; i < operand_count; i++) {
      now.base[i] = operands[i]->base[operand_register(operands[i], r)].ptr;
      now.offset[i] = operands[i]->offset[operand_register(operands[i], r)];
    }
    size_t slot = hash_operands(&now, operand_count) & (capacity - 1);
    while (!mlirValueIsNull(table[slot].result) && !same_operands(&table[slot], &now))
      slot = (slot + 1) & (capacity - 1);
    if (mlirValueIsNull(table[slot].result)) {
      MlirValue values[MAX_OPERANDS];
      for (intptr_t i = 0; i < operand_count; i++)
        values[i] = register_value(lw, operands[i], operand_register(operands[i], r));
      now.result = emit(lw, op, values);
      if (mlirValueIsNull(now.result))
        return FAILURE;
      table[slot] = now;
    }
    result->base[r] = table[slot].result;
  }
  lowered_set(lw, op_result(op, result_index), result);
  return SUCCESS;
}

MlirLogicalResult lower_each(struct lowering *lw, MlirOperation op, emit_element *emit) {
  if (mlirOperationGetNumResults(op) != 1)
    return fail_op(op, "an elementwise operation has one result");
  return lower_each_result(lw, op, 0, emit);
}

static bool same_pair(const MlirValue *a, const MlirValue *b) {
  return mlirValueEqual(a[0], b[0]) && mlirValueEqual(a[1], b[1]);
}

void lower_each_pair(struct lowering *lw, MlirOperation op, emit_pair *emit) {
  const struct lowered *operand = lowered_of(lw, op_operand(op, 0));
  struct lowered *result = lowered_create(lw, op_result_type(op, 0));
  MlirValue *operands = ARENA_ARRAY(&lw->arena, MlirValue, (size_t)result->count);
  for (int r = 0; r < result->count; r += 2) {
    int known = 0;
    for (int i = r; i < r + 2; i++)
      operands[i] = register_value(lw, operand, i);
    while (!same_pair(operands + known, operands + r))
      known += 2;
    if (known == r)
      emit(lw, op, operands + r, result->base + r);
    for (int i = 0; i < 2; i++)
      result->base[r + i] = result->base[known + i];
  }
  lowered_set(lw, op_result(op, 0), result);
}

/* Fast-math flags stay after: what they allow is decided here and in the rules, not by LLVM. */
static MlirValue emit_same(struct lowering *lw, MlirOperation op, const MlirValue *operands) {
  enum { MAX_ATTRIBUTES = 8 };
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op) && count < MAX_ATTRIBUTES; i++) {
    attributes[count] = mlirOperationGetAttribute(op, i);
    count += !ref_equals(mlirIdentifierStr(attributes[count].name), "fastmath");
  }
  MlirType type = register_type(lw, op_result_type(op, 0));
  char name[64];
  MlirStringRef full = op_name(op);
  size_t length = full.length < sizeof name ? full.length : sizeof name - 1;
  memcpy(name, full.data, length);
  name[length] = 0;
  return BUILD(&lw->b, name, INS(operands, mlirOperationGetNumOperands(op)), OUTS(&type, 1),
               ATTRIBUTE_LIST(attributes, count));
}

/* fp8 registers hold bits: they may be chosen between, not computed with. */
MlirLogicalResult lower_elementwise(struct lowering *lw, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (type_is_fp8(type_element(op_operand_type(op, i))) &&
        !op_is(lw->session, op, OP_ARITH_SELECT))
      return fail_op(op, "fp8 has no arithmetic; convert to f32 first");
  return lower_each(lw, op, emit_same);
}
