/* SPDX-License-Identifier: MIT */
/* bf16 in the upper half of a word becomes f32 by one mask.

   A bf16 is the upper half of the f32 of the same value. Of two that lie in one word, ptxas extends
   the lower one by a shift, but moves the upper one down first (PRMT) and then up again.

       %x = extractelement <8 x bfloat> %v, 3         %w = bitcast <8 x bfloat> %v to <4 x i32>
       %y = fpext bfloat %x to float            ->    %u = extractelement <4 x i32> %w, 1
                                                      %m = and i32 %u, 0xFFFF0000
                                                      %y = bitcast i32 %m to float

   This comes after LLVM's passes, which make arithmetic of bf16 out of what is extended, computed
   and truncated again. */
#include <llvm-c/Core.h>
#include "target/target.h"

/* Is `value` an element at an odd place of a vector of whole words? */
static bool is_upper_half(LLVMValueRef value) {
  if (!LLVMIsAExtractElementInst(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMBFloatTypeKind)
    return false;
  LLVMValueRef index = LLVMGetOperand(value, 1);
  return LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) % 2 == 1 &&
         LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(value, 0))) % 2 == 0;
}

static LLVMValueRef build_word(LLVMBuilderRef builder, LLVMValueRef vector, uint64_t index,
                               LLVMTypeRef i32) {
  unsigned words = LLVMGetVectorSize(LLVMTypeOf(vector)) / 2;
  if (words == 1)
    return LLVMBuildBitCast(builder, vector, i32, "");
  LLVMValueRef all = LLVMBuildBitCast(builder, vector, LLVMVectorType(i32, words), "");
  return LLVMBuildExtractElement(builder, all, LLVMConstInt(i32, index, false), "");
}

static void extend(LLVMBuilderRef builder, LLVMValueRef extension, LLVMContextRef context) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMValueRef half = LLVMGetOperand(extension, 0);
  uint64_t index = LLVMConstIntGetZExtValue(LLVMGetOperand(half, 1));
  LLVMPositionBuilderBefore(builder, extension);
  LLVMValueRef word = build_word(builder, LLVMGetOperand(half, 0), index / 2, i32);
  word = LLVMBuildAnd(builder, word, LLVMConstInt(i32, 0xFFFF0000, false), "");
  LLVMReplaceAllUsesWith(extension, LLVMBuildBitCast(builder, word, LLVMTypeOf(extension), ""));
  LLVMInstructionEraseFromParent(extension);
}

static void extend_in_block(LLVMBasicBlockRef block, LLVMBuilderRef builder,
                            LLVMContextRef context) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (LLVMIsAFPExtInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMFloatTypeKind &&
        is_upper_half(LLVMGetOperand(i, 0)))
      extend(builder, i, context);
  }
}

void extend_upper_halves(LLVMModuleRef module, LLVMContextRef context) {
  visit_blocks(module, context, extend_in_block);
}
