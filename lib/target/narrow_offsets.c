/* SPDX-License-Identifier: MIT */
/* Remainders of 64 bits that are offsets of addresses, in 32 bits.

   `offset % 4096` of an i64 is an `and` whose upper half is 0, which LLVM keeps as 64 bits: times
   the size of an element that is two shifts, and two additions for each address. A number of 32
   bits is one multiply-add of 64 bits with the address, and one register as long as it waits.

       %r = and i64 %x, 4095                     %t = trunc i64 %x to i32
       %a = getelementptr half, p, %r     ->     %s = and i32 %t, 4095
                                                 %r = zext nneg i32 %s to i64
                                                 %a = getelementptr half, p, %r

   After LLVM's own passes, which would take the three for one. */
#include <llvm-c/Core.h>
#include "target/target.h"

static bool is_index(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 1) == value)
      return true;
  }
  return false;
}

/* The mask of a remainder whose sign and upper half are 0; or 0. */
static unsigned long long narrow_mask(LLVMValueRef instruction) {
  LLVMTypeRef type = LLVMTypeOf(instruction);
  if (LLVMGetInstructionOpcode(instruction) != LLVMAnd ||
      LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 64)
    return 0;
  LLVMValueRef mask = LLVMGetOperand(instruction, 1);
  unsigned long long bits = LLVMIsAConstantInt(mask) ? LLVMConstIntGetZExtValue(mask) : 0;
  return bits >> 31 ? 0 : bits;
}

static void narrow(LLVMValueRef remainder, unsigned long long mask, LLVMBuilderRef builder,
                   LLVMContextRef context) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMPositionBuilderBefore(builder, remainder);
  LLVMValueRef low = LLVMBuildTrunc(builder, LLVMGetOperand(remainder, 0), i32, "");
  LLVMValueRef masked = LLVMBuildAnd(builder, low, LLVMConstInt(i32, mask, 0), "");
  LLVMValueRef wide = LLVMBuildZExt(builder, masked, LLVMTypeOf(remainder), "");
  LLVMSetNNeg(wide, 1);
  LLVMReplaceAllUsesWith(remainder, wide);
  LLVMInstructionEraseFromParent(remainder);
}

static void narrow_in_block(LLVMBasicBlockRef block, LLVMBuilderRef builder,
                            LLVMContextRef context) {
  LLVMValueRef next;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
    next = LLVMGetNextInstruction(i);
    unsigned long long mask = narrow_mask(i);
    if (mask && is_index(i))
      narrow(i, mask, builder, context);
  }
}

void narrow_offsets(LLVMModuleRef module, LLVMContextRef context) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
      narrow_in_block(block, builder, context);
  LLVMDisposeBuilder(builder);
}
