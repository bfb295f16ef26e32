/* SPDX-License-Identifier: MIT */
/* Maxima and minima of a NaN and a number are the number, whatever NaN it is.

   PTX's max and min are so, and so is LLVM's maximumnum. Its maxnum becomes the same instruction,
   but InstCombine makes one of two, whose constant is NaN where one of theirs is a signaling one:

       max(max(%x, 0xH7C01), 1.0)    =  %x               with llvm.maxnum
                                     =  max(%x, 1.0)     where the inner one is llvm.maximumnum

   Of maxnum LLVM knows more (that max(x, 1) is no less than 1), so it stays but for such constants.
   Two constants fold neither way. */
#include <llvm-c/Core.h>
#include <math.h>
#include <string.h>
#include "target/target.h"

static bool is_nan(LLVMValueRef value) {
  LLVMBool loses;
  return LLVMIsAConstantFP(value) && isnan(LLVMConstRealGetDouble(value, &loses));
}

/* An element of it, of a vector. */
static bool has_nan(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || !LLVMIsConstant(value))
    return is_nan(value);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
    LLVMValueRef element = LLVMGetAggregateElement(value, i);
    if (element && is_nan(element))
      return true;
  }
  return false;
}

static bool calls(LLVMValueRef instruction, const char *name) {
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  return callee && LLVMIsAFunction(callee) &&
         LLVMGetIntrinsicID(callee) == LLVMLookupIntrinsicID(name, strlen(name));
}

/* A call of two arguments of which one is a NaN; few are, and names take longer to look up. */
static bool takes_nan(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) && LLVMGetNumArgOperands(instruction) == 2 &&
         (has_nan(LLVMGetOperand(instruction, 0)) || has_nan(LLVMGetOperand(instruction, 1)));
}

/* A call of the one becomes one of the other. */
static void replace(LLVMModuleRef module, LLVMValueRef call, const char *one, const char *other) {
  if (!calls(call, one))
    return;
  LLVMTypeRef type = LLVMTypeOf(call);
  unsigned id = LLVMLookupIntrinsicID(other, strlen(other));
  LLVMSetOperand(call, 2, LLVMGetIntrinsicDeclaration(module, id, &type, 1));
}

void fold_number_extremes(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        if (!takes_nan(i))
          continue;
        replace(module, i, "llvm.maxnum", "llvm.maximumnum");
        replace(module, i, "llvm.minnum", "llvm.minimumnum");
      }
}
