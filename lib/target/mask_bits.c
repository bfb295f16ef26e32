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
   ptxas, which is right for numbers.

   LLVM's code generator makes such bits of others, of min(2 * %thread + 1, zext %p), for one. So
   integers that may have the bits 1 or 0 are converted through an addition that neither it nor
   ptxas knows to be of zero: a grid has less than 2^16 blocks along y. */
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

/* May bit 0 of `value`, an integer, be set and all others be clear, as far as `depth` operations
   say? What is loaded, or comes from assembly, ptxas does not know either. */
static bool may_be_one(LLVMValueRef value, int depth) {
  if (LLVMIsAConstantInt(value))
    return LLVMConstIntGetZExtValue(value) == 1;
  if (!LLVMIsAInstruction(value) || LLVMIsALoadInst(value) || LLVMIsAExtractValueInst(value) ||
      LLVMIsAExtractElementInst(value) || LLVMIsABitCastInst(value) ||
      (LLVMIsACallInst(value) && LLVMIsAInlineAsm(LLVMGetCalledValue(value))))
    return false;
  if (depth == 0)
    return true;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  LLVMValueRef last = LLVMGetOperand(value, (unsigned)LLVMGetNumOperands(value) - 1);
  bool constant = LLVMIsAConstantInt(last);
  unsigned long long number = constant ? LLVMConstIntGetZExtValue(last) : 0;
  if (opcode == LLVMShl && constant)
    return number == 0;
  if (opcode == LLVMOr && constant && number > 1)
    return false;
  if (opcode == LLVMAnd && constant && number % 2 == 0)
    return false;
  if (opcode == LLVMOr || opcode == LLVMXor)
    return may_be_one(LLVMGetOperand(value, 0), depth - 1) || may_be_one(last, depth - 1);
  return true;
}

/* The integer that a float's bits come from, if ptxas may take it for a mask's; else null. */
static LLVMValueRef doubtful_bits(LLVMValueRef value, LLVMContextRef context) {
  enum { DEPTH = 6 };
  LLVMTypeRef bits = bits_of_float(LLVMTypeOf(value), context);
  if (!bits || !LLVMIsABitCastInst(value))
    return NULL;
  LLVMValueRef integer = LLVMGetOperand(value, 0);
  return LLVMTypeOf(integer) == bits && may_be_one(integer, DEPTH) ? integer : NULL;
}

static void hide_bits(LLVMBuilderRef builder, LLVMValueRef conversion, LLVMValueRef bits,
                      LLVMContextRef context) {
  static const char text[] = "{ .reg .b32 blocks; mov.u32 blocks, %nctaid.y; "
                             "shr.u32 blocks, blocks, 16; add.s32 $0, $1, blocks; }";
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef function = LLVMFunctionType(i32, &i32, 1, false);
  LLVMValueRef assembly = LLVMGetInlineAsm(function, text, sizeof text - 1, "=r,r", 4, false, false,
                                           LLVMInlineAsmDialectATT, false);
  LLVMPositionBuilderBefore(builder, conversion);
  LLVMValueRef word = LLVMBuildZExtOrBitCast(builder, bits, i32, "");
  word = LLVMBuildCall2(builder, function, assembly, &word, 1, "");
  word = LLVMBuildTruncOrBitCast(builder, word, LLVMTypeOf(bits), "");
  LLVMSetOperand(conversion, 0,
                 LLVMBuildBitCast(builder, word, LLVMTypeOf(LLVMGetOperand(conversion, 0)), ""));
}

static void convert_in_block(LLVMBasicBlockRef block, LLVMBuilderRef builder,
                             LLVMContextRef context) {
  struct choice choice;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (!is_conversion(i))
      continue;
    LLVMValueRef operand = LLVMGetOperand(i, 0), bits = doubtful_bits(operand, context);
    if (is_mask_bits(operand, context, &choice))
      convert_numbers(builder, i, &choice);
    else if (bits)
      hide_bits(builder, i, bits, context);
  }
}

void convert_mask_bits(LLVMModuleRef module, LLVMContextRef context) {
  visit_blocks(module, context, convert_in_block);
}
