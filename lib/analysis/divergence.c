/* SPDX-License-Identifier: MIT */
/* See divergence.h: postdominators by sets, then values and branches in turn until nothing changes.
 */
#include "analysis/divergence.h"

#include <stdlib.h>
#include <string.h>
#include "base/machine.h"

/* --- Blocks ----------------------------------------------------------------------------------- */

static int number_of(const struct divergence_analysis *a, MlirBlock block) {
  return (int)(uintptr_t)map_get(&a->numbers, block.ptr) - 1;
}

static bool has(const uint64_t *set, int number) {
  return set[number / 64] >> (number % 64) & 1;
}

static int words_of(const struct divergence_analysis *a) {
  return (a->count + 63) / 64;
}

static void number_blocks(MlirOperation function, struct divergence_analysis *a) {
  MlirBlock first = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)), block = first;
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    a->count++;
  a->blocks = ARENA_ARRAY(&a->arena, MlirBlock, (size_t)a->count + 1);
  block = first;
  for (int i = 0; i < a->count; i++, block = mlirBlockGetNextInRegion(block)) {
    a->blocks[i] = block;
    map_set(&a->numbers, block.ptr, (void *)(uintptr_t)(i + 1));
  }
}

/* One step of: a block, and what postdominates all its successors. A block that ends in a trap has
   no end that the others could miss, and leaves every set as it is. */
static bool narrow(struct divergence_analysis *a, int number, uint64_t *scratch) {
  MlirOperation last = mlirBlockGetTerminator(a->blocks[number]);
  intptr_t successors = mlirOperationGetNumSuccessors(last);
  size_t bytes = (size_t)words_of(a) * sizeof *scratch;
  if (successors == 0 && op_is(a->session, last, OP_LLVM_UNREACHABLE))
    return false;
  memset(scratch, successors ? 0xFF : 0, bytes);
  for (intptr_t i = 0; i < successors; i++)
    for (int word = 0; word < words_of(a); word++)
      scratch[word] &= a->postdominate[number_of(a, mlirOperationGetSuccessor(last, i))][word];
  scratch[number / 64] |= UINT64_C(1) << (number % 64);
  bool changed = memcmp(scratch, a->postdominate[number], bytes) != 0;
  memcpy(a->postdominate[number], scratch, bytes);
  return changed;
}

static void find_postdominators(struct divergence_analysis *a) {
  size_t words = (size_t)words_of(a);
  uint64_t *scratch = ARENA_ARRAY(&a->arena, uint64_t, words + 1);
  a->postdominate = ARENA_ARRAY(&a->arena, uint64_t *, (size_t)a->count + 1);
  for (int i = 0; i < a->count; i++) {
    a->postdominate[i] = ARENA_ARRAY(&a->arena, uint64_t, words + 1);
    memset(a->postdominate[i], 0xFF, words * sizeof(uint64_t));
  }
  bool changed;
  do {
    changed = false;
    for (int i = a->count - 1; i >= 0; i--)
      changed |= narrow(a, i, scratch);
  } while (changed);
}

static int size_of(const struct divergence_analysis *a, int number) {
  int size = 0;
  for (int word = 0; word < words_of(a); word++)
    size += __builtin_popcountll(a->postdominate[number][word]);
  return size;
}

/* Where all ways out of a block meet again: of its postdominators, which all postdominate one
   another in a row, the first after itself. -1: nowhere. */
static int meeting_point(const struct divergence_analysis *a, int number) {
  int size = size_of(a, number);
  for (int i = 0; i < a->count; i++)
    if (i != number && has(a->postdominate[number], i) && size_of(a, i) == size - 1)
      return i;
  return -1;
}

static void enter(const struct divergence_analysis *a, int number, int end, bool *inside) {
  int *stack = tile_allocate(((size_t)a->count + 1) * sizeof *stack), depth = 0;
  if (number != end && !inside[number]) {
    inside[number] = true;
    stack[depth++] = number;
  }
  while (depth) {
    MlirOperation last = mlirBlockGetTerminator(a->blocks[stack[--depth]]);
    for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(last); i++) {
      int next = number_of(a, mlirOperationGetSuccessor(last, i));
      if (next != end && !inside[next]) {
        inside[next] = true;
        stack[depth++] = next;
      }
    }
  }
  free(stack);
}

void divergence_region(const struct divergence_analysis *a, int number, bool *inside) {
  MlirOperation last = mlirBlockGetTerminator(a->blocks[number]);
  int end = meeting_point(a, number);
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(last); i++)
    enter(a, number_of(a, mlirOperationGetSuccessor(last, i)), end, inside);
}

/* --- Values ----------------------------------------------------------------------------------- */

static enum divergence divergence_of(const struct divergence_analysis *a, MlirValue value) {
  return (enum divergence)(uintptr_t)map_get(&a->values, value.ptr);
}

static bool raise_value(struct divergence_analysis *a, MlirValue value, enum divergence to) {
  if (divergence_of(a, value) >= to)
    return false;
  map_set(&a->values, value.ptr, (void *)(uintptr_t)to);
  return true;
}

/* tid >> n, tid & ~(2^n - 1): the same for `threads` = 2^n neighbours. */
static bool is_of_neighbours(struct session *session, MlirOperation op, enum op_kind kind,
                             int threads) {
  bool shift = kind == OP_LLVM_LSHR;
  if ((!shift && kind != OP_LLVM_AND) ||
      !op_is(session, value_definition(op_operand(op, 0)), OP_NVVM_TID_X))
    return false;
  MlirOperation other = value_definition(op_operand(op, 1));
  if (!op_is(session, other, OP_LLVM_CONSTANT))
    return false;
  int64_t constant = op_integer(other, "value", 0);
  return shift ? constant < 31 && 1 << constant >= threads : (constant & (threads - 1)) == 0;
}

static enum divergence join_operands(const struct divergence_analysis *a, MlirOperation op) {
  enum divergence most = DIVERGENCE_NONE;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    enum divergence one = divergence_of(a, op_operand(op, i));
    if (one > most)
      most = one;
  }
  return most;
}

static enum divergence result_of(const struct divergence_analysis *a, MlirOperation op) {
  enum op_kind kind = kind_of(a->session, op);
  if (KIND_IN(kind, OP_NVVM_TID_X, OP_NVVM_LANEID, OP_NVVM_ELECT))
    return DIVERGENCE_LANES;
  if (is_of_neighbours(a->session, op, kind, MACHINE_GROUP_LANES))
    return DIVERGENCE_GROUPS;
  if (kind == OP_NVVM_WARPID || is_of_neighbours(a->session, op, kind, MACHINE_LANES))
    return DIVERGENCE_WARPS;
  if (kind_has(kind, IS_WARP_COLLECTIVE))
    return DIVERGENCE_EXCHANGED;
  return join_operands(a, op);
}

/* --- Branches --------------------------------------------------------------------------------- */

enum divergence divergence_of_branch(const struct divergence_analysis *a, int number) {
  MlirOperation last = mlirBlockGetTerminator(a->blocks[number]);
  if (mlirOperationGetNumSuccessors(last) < 2)
    return DIVERGENCE_NONE;
  return divergence_of(a, op_operand(last, 0));
}

/* The operands that go to successor `index`: the first, and how many. */
static intptr_t passed(MlirOperation branch, intptr_t index, intptr_t *out_first) {
  MlirAttribute segments = mlirOperationGetAttributeByName(branch, ref("operandSegmentSizes"));
  intptr_t all = mlirOperationGetNumOperands(branch);
  *out_first = 0;
  if (mlirOperationGetNumSuccessors(branch) == 1)
    return all;
  if (mlirAttributeIsNull(segments) || mlirDenseArrayGetNumElements(segments) <= index + 1)
    return 0;
  for (intptr_t i = 0; i <= index; i++)
    *out_first += mlirDenseI32ArrayGetElement(segments, i);
  return mlirDenseI32ArrayGetElement(segments, index + 1);
}

static bool pass_operands(struct divergence_analysis *a, MlirOperation branch) {
  bool changed = false;
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(branch); i++) {
    MlirBlock block = mlirOperationGetSuccessor(branch, i);
    intptr_t first, count = passed(branch, i, &first);
    for (intptr_t j = 0; j < count && j < mlirBlockGetNumArguments(block); j++)
      changed |= raise_value(a, mlirBlockGetArgument(block, j),
                             divergence_of(a, op_operand(branch, first + j)));
  }
  return changed;
}

static bool raise_arguments(struct divergence_analysis *a, int number, enum divergence to) {
  bool changed = false;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(a->blocks[number]); i++)
    changed |= raise_value(a, mlirBlockGetArgument(a->blocks[number], i), to);
  return changed;
}

/* Threads come to the blocks after a branch, and to where its ways meet, by different ways. */
static bool mark_ways(struct divergence_analysis *a, int number) {
  enum divergence by = divergence_of_branch(a, number);
  if (by == DIVERGENCE_NONE)
    return false;
  bool changed = false, *inside = tile_allocate((size_t)a->count * sizeof *inside);
  memset(inside, 0, (size_t)a->count * sizeof *inside);
  divergence_region(a, number, inside);
  int end = meeting_point(a, number);
  for (int i = 0; i < a->count; i++)
    if (inside[i] || i == end)
      changed |= raise_arguments(a, i, by);
  free(inside);
  return changed;
}

static bool visit(struct divergence_analysis *a, int number) {
  bool changed = false;
  MlirOperation op = mlirBlockGetFirstOperation(a->blocks[number]);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    enum divergence result = mlirOperationGetNumResults(op) ? result_of(a, op) : DIVERGENCE_NONE;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      changed |= raise_value(a, op_result(op, i), result);
  }
  changed |= pass_operands(a, mlirBlockGetTerminator(a->blocks[number]));
  return changed | mark_ways(a, number);
}

void divergence_create(struct session *session, MlirOperation function,
                       struct divergence_analysis *out) {
  *out = (struct divergence_analysis){.session = session};
  number_blocks(function, out);
  find_postdominators(out);
  bool changed;
  do {
    changed = false;
    for (int i = 0; i < out->count; i++)
      changed |= visit(out, i);
  } while (changed);
}

void divergence_destroy(struct divergence_analysis *analysis) {
  map_free(&analysis->numbers);
  map_free(&analysis->values);
  arena_destroy(&analysis->arena);
}
