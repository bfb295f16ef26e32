/* SPDX-License-Identifier: MIT */
/* Long rows of addresses in parts, for LLVM's straight-line strength reduction.

   That pass (in NVPTX's code generator; it cannot be left out from here) looks, for each addition,
   product and address, for an earlier one with the same first or second operand that it could be
   computed from. Where the difference is no constant, it goes through all of them, with a proof for
   each: a row of n addresses takes n^2 / 2 proofs. A thread of a large tile without a loop has rows
   of hundreds: 512 elements took 4.5 seconds, of which all else in LLVM took 0.1.

       a1 = getelementptr p, i1                      a1 = getelementptr p, i1
       ...                                           ...
       a32 = getelementptr p, i32          ->        q = freeze p
       ...                                           a32 = getelementptr q, i32

   The operand of a long row gets a new name (a freeze of what is a number anyway) every PART uses;
   the pass compares names. The early CSE that follows it takes the names for one again. Rows of up
   to LONG uses, as dots and what has loops have them, stay as they are. */
#include <llvm-c/Core.h>
#include "base/arena.h"
#include "base/map.h"
#include "target/target.h"

enum { LONG = 96, PART = 32 };

/* One operand of addresses. */
struct row {
  size_t length, used; /* uses in all; of the current name */
  LLVMValueRef name;
  LLVMBasicBlockRef block; /* where `name` is known; NULL: everywhere */
};

static bool is_candidate(LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  return opcode == LLVMAdd || opcode == LLVMMul || opcode == LLVMGetElementPtr;
}

/* A generic pointer is left to the pass that finds its address space. */
static bool can_be_renamed(LLVMValueRef operand) {
  if (LLVMIsConstant(operand))
    return false;
  LLVMTypeRef type = LLVMTypeOf(operand);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMIntegerTypeKind ||
         (kind == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) != 0);
}

typedef void operand_function(LLVMValueRef instruction, unsigned index, void *data);

static void visit_candidates(LLVMValueRef function, operand_function *visit, void *data) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      for (unsigned k = 0; is_candidate(i) && k < (unsigned)LLVMGetNumOperands(i); k++)
        if (can_be_renamed(LLVMGetOperand(i, k)))
          visit(i, k, data);
}

struct rows {
  struct map by_operand; /* LLVMValueRef -> struct row * */
  struct arena arena;
  LLVMBuilderRef builder;
};

static void count_use(LLVMValueRef instruction, unsigned index, void *data) {
  struct rows *rows = data;
  LLVMValueRef operand = LLVMGetOperand(instruction, index);
  struct row *row = map_get(&rows->by_operand, operand);
  if (!row) {
    row = ARENA_NEW(&rows->arena, struct row);
    *row = (struct row){.name = operand};
    map_set(&rows->by_operand, operand, row);
  }
  row->length++;
}

static void rename_use(LLVMValueRef instruction, unsigned index, void *data) {
  struct rows *rows = data;
  LLVMValueRef operand = LLVMGetOperand(instruction, index);
  struct row *row = map_get(&rows->by_operand, operand);
  if (!row || row->length <= LONG)
    return;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  if (row->used == PART || (row->block && row->block != block)) {
    LLVMPositionBuilderBefore(rows->builder, instruction);
    row->name = LLVMBuildFreeze(rows->builder, operand, "");
    row->block = block;
    row->used = 0;
  }
  row->used++;
  LLVMSetOperand(instruction, index, row->name);
}

static void part_rows(LLVMValueRef function, LLVMBuilderRef builder) {
  struct rows rows = {.builder = builder};
  visit_candidates(function, count_use, &rows);
  visit_candidates(function, rename_use, &rows);
  map_free(&rows.by_operand);
  arena_destroy(&rows.arena);
}

void part_addresses(LLVMModuleRef module, LLVMContextRef context) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    part_rows(function, builder);
  LLVMDisposeBuilder(builder);
}
