/* SPDX-License-Identifier: MIT */
/* Two fp8 numbers in the upper half of a word are shifted down before they are converted, where
   ptxas may find out what the word is.

   ptxas (13.0) reads such a pair in place (F2FP.UNPACK_B R.H1). Where it learns later that
   the word is a constant, the second operand of a masked load whose mask is false, for one, it
   forms another number in place of the constant's upper half: of zero, the pair 0x0008 or 0x0020.

       %h = lshr i32 %w, 16                         %h = lshr i32 %w, 16
       %p = trunc i32 %h to i16             ->      %x = asm "{ .reg .b16 pair;
       %x = asm "cvt.rn.f16x2.e5m2x2 $0, $1;"                 cvt.u16.u32 pair, $1;
                                                              cvt.rn.f16x2.e5m2x2 $0, pair; }"

   What an access without a mask has loaded is read in place. */
#define _GNU_SOURCE /* memmem */
#include <llvm-c/Core.h>
#include <stdio.h>
#include <string.h>
#include "target/target.h"

static bool is_assembly(LLVMValueRef value) {
  return LLVMIsACallInst(value) && LLVMIsAInlineAsm(LLVMGetCalledValue(value));
}

static bool text_has(LLVMValueRef call, const char *part) {
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
  return memmem(text, length, part, strlen(part)) != NULL;
}

/* Is `word` what a load without a mask, or an instruction of its own kind, gives? */
static bool is_opaque(LLVMValueRef word) {
  while (LLVMIsAExtractValueInst(word) || LLVMIsAExtractElementInst(word) ||
         LLVMIsABitCastInst(word))
    word = LLVMGetOperand(word, 0);
  if (is_assembly(word))
    return !text_has(word, "@");
  return LLVMIsALoadInst(word) || LLVMIsACallInst(word);
}

/* Is `pair` the upper half of a word that may turn out to be a constant? What is put together of
   bytes is in registers of its own. */
static bool is_unsafe(LLVMValueRef pair) {
  if (!LLVMIsATruncInst(pair))
    return (LLVMIsAExtractElementInst(pair) ||
            (LLVMIsABitCastInst(pair) && !LLVMIsAInsertElementInst(LLVMGetOperand(pair, 0)))) &&
           !is_opaque(pair);
  LLVMValueRef wide = LLVMGetOperand(pair, 0);
  return LLVMIsABinaryOperator(wide) && LLVMGetInstructionOpcode(wide) == LLVMLShr &&
         !is_opaque(LLVMGetOperand(wide, 0));
}

static void shift_down(LLVMBuilderRef builder, LLVMValueRef call, const char *type,
                       LLVMTypeRef i32) {
  static const char format[] =
      "{ .reg .b16 pair; cvt.u16.u32 pair, $1; cvt.rn.f16x2.%s $0, pair; }";
  char text[96];
  int length = snprintf(text, sizeof text, format, type);
  LLVMTypeRef function = LLVMFunctionType(i32, &i32, 1, false);
  LLVMValueRef assembly = LLVMGetInlineAsm(function, text, (size_t)length, "=r,r", 4, false, false,
                                           LLVMInlineAsmDialectATT, false);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef word = LLVMBuildZExt(builder, LLVMGetOperand(call, 0), i32, "");
  LLVMReplaceAllUsesWith(call, LLVMBuildCall2(builder, function, assembly, &word, 1, ""));
  LLVMInstructionEraseFromParent(call);
}

static void shift_in_block(LLVMBasicBlockRef block, LLVMBuilderRef builder,
                           LLVMContextRef context) {
  static const char *const types[] = {"e4m3x2", "e5m2x2"};
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (!is_assembly(i) || LLVMGetNumArgOperands(i) != 1 || !is_unsafe(LLVMGetOperand(i, 0)))
      continue;
    for (int t = 0; t < 2; t++) {
      char whole[48];
      snprintf(whole, sizeof whole, "cvt.rn.f16x2.%s $0, $1;", types[t]);
      size_t length;
      const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &length);
      if (length == strlen(whole) && memcmp(text, whole, length) == 0) {
        shift_down(builder, i, types[t], LLVMInt32TypeInContext(context));
        break;
      }
    }
  }
}

void shift_fp8_halves(LLVMModuleRef module, LLVMContextRef context) {
  visit_blocks(module, context, shift_in_block);
}
