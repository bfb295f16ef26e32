/* SPDX-License-Identifier: MIT */
/* See short_blocks.h. */
#include "emulator/compile/short_blocks.h"

#include <stddef.h>

enum { MAX_INSTRUCTIONS = 200 };

/* Where a first part of `block` may end: after all of its phis and allocas, and MAX_INSTRUCTIONS
   besides: a loop may carry thousands of values, and phis take none of that time. NULL: it stays
   whole. */
static LLVMValueRef end_of_part(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block), end = NULL;
  int count = 0;
  for (; at && count <= 2 * MAX_INSTRUCTIONS; at = LLVMGetNextInstruction(at)) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    if (opcode == LLVMPHI || opcode == LLVMAlloca)
      end = NULL;
    else if (count++ >= MAX_INSTRUCTIONS && !end)
      end = at;
  }
  return count > 2 * MAX_INSTRUCTIONS ? end : NULL;
}

/* The first part becomes a block before it, where branches to `block` then go; branches and phis
   after it know the rest by its name as before. */
static void split(LLVMContextRef context, LLVMBuilderRef builder, LLVMBasicBlockRef block,
                  LLVMValueRef end) {
  LLVMBasicBlockRef first = LLVMInsertBasicBlockInContext(context, block, "");
  LLVMBasicBlockRef from = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(block));
  for (; from; from = LLVMGetNextBasicBlock(from)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0, count = last ? LLVMGetNumSuccessors(last) : 0; i < count; i++)
      if (LLVMGetSuccessor(last, i) == block)
        LLVMSetSuccessor(last, i, first);
  }
  LLVMPositionBuilderAtEnd(builder, first);
  for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != end; at = next) {
    next = LLVMGetNextInstruction(at);
    LLVMInstructionRemoveFromParent(at);
    LLVMInsertIntoBuilder(builder, at);
  }
  LLVMBuildBr(builder, block);
}

void make_blocks_short(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef end = end_of_part(block); end; end = end_of_part(block))
        split(context, builder, block, end);
  LLVMDisposeBuilder(builder);
}
