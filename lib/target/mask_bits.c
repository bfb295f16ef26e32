/* SPDX-License-Identifier: MIT */
/* Conversions of a mask's bits are made of numbers, out of ptxas's sight.

   ptxas (12.9 and 13.0) takes a conversion of `selp 1, 0` for one from an integer, where it keeps
   the mask as a predicate: the bits 1 as a float are the least subnormal number, not 1. It does so
   for f16 and f32 sources and every result; ptxas -O0, and bits that come in any other way, are
   right.

       %z = zext i1 %p to i16                    %w = select i1 %p, float 0x3E70000000000000,
       %x = bitcast i16 %z to half         ->                       float 0.0
       %w = fpext half %x to float

   Both numbers are converted at compile time, by LLVM or, for conversions that are assembly, by
   ptxas, which is right for numbers. */
#include <llvm-c/Core.h>
#include "target/target.h"

/* An i1 and the two floats that it chooses from. */
struct choice {
  LLVMValueRef mask, yes, no;
};

static bool is_one_or_zero(LLVMValueRef constant, LLVMTypeRef bits) {
  LLVMValueRef number = LLVMConstBitCast(constant, bits);
  return LLVMIsAConstantInt(number) && LLVMConstIntGetZExtValue(number) <= 1;
}

static LLVMTypeRef bits_of_float(LLVMTypeRef type, LLVMContextRef context) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind                                ? LLVMInt32TypeInContext(context)
         : kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ? LLVMInt16TypeInContext(context)
                                                                  : NULL;
}

/* Is `value` a float with the bits 1 where a mask is set and 0 elsewhere, or the other way round?
 */
static bool is_mask_bits(LLVMValueRef value, LLVMContextRef context, struct choice *out) {
  LLVMTypeRef type = LLVMTypeOf(value), bits = bits_of_float(type, context);
  if (!bits)
    return false;
  if (LLVMIsABitCastInst(value))
    value = LLVMGetOperand(value, 0);
  LLVMValueRef yes = LLVMConstInt(bits, 1, false), no = LLVMConstInt(bits, 0, false);
  if (LLVMIsASelectInst(value)) {
    yes = LLVMGetOperand(value, 1), no = LLVMGetOperand(value, 2);
    if (!LLVMIsConstant(yes) || !LLVMIsConstant(no) || !is_one_or_zero(yes, bits) ||
        !is_one_or_zero(no, bits))
      return false;
  } else if (!LLVMIsAZExtInst(value)) {
    return false;
  }
  LLVMValueRef mask = LLVMGetOperand(value, 0);
  *out = (struct choice){mask, LLVMConstBitCast(yes, type), LLVMConstBitCast(no, type)};
  return LLVMTypeOf(mask) == LLVMInt1TypeInContext(context);
}

/* Of one float, and of nothing else: an instruction, a function of LLVM's or assembly. */
static bool is_conversion(LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode == LLVMCall)
    return LLVMGetNumArgOperands(instruction) == 1 &&
           LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
  return opcode == LLVMFPExt || opcode == LLVMFPTrunc || opcode == LLVMFPToSI ||
         opcode == LLVMFPToUI;
}

static LLVMValueRef convert_number(LLVMBuilderRef builder, LLVMValueRef conversion,
                                   LLVMValueRef number) {
  if (LLVMGetInstructionOpcode(conversion) != LLVMCall)
    return LLVMBuildCast(builder, LLVMGetInstructionOpcode(conversion), number,
                         LLVMTypeOf(conversion), "");
  LLVMValueRef copy = LLVMInstructionClone(conversion);
  LLVMSetOperand(copy, 0, number);
  LLVMInsertIntoBuilder(builder, copy);
  return copy;
}

static void convert_numbers(LLVMBuilderRef builder, LLVMValueRef conversion,
                            const struct choice *choice) {
  LLVMPositionBuilderBefore(builder, conversion);
  LLVMValueRef yes = convert_number(builder, conversion, choice->yes);
  LLVMValueRef no = convert_number(builder, conversion, choice->no);
  LLVMReplaceAllUsesWith(conversion, LLVMBuildSelect(builder, choice->mask, yes, no, ""));
  LLVMInstructionEraseFromParent(conversion);
}

static void convert_in_block(LLVMBasicBlockRef block, LLVMBuilderRef builder,
                             LLVMContextRef context) {
  struct choice choice;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (is_conversion(i) && is_mask_bits(LLVMGetOperand(i, 0), context, &choice))
      convert_numbers(builder, i, &choice);
  }
}

void convert_mask_bits(LLVMModuleRef module, LLVMContextRef context) {
  visit_blocks(module, context, convert_in_block);
}
