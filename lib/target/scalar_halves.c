/* SPDX-License-Identifier: MIT */
/* Arithmetic of vectors of 8- or 16-bit integers, which LLVM's O3 makes, one element at a time.

   LLVM's code generator computes two of them by add.s16x2 and its like. Where only the upper half
   is used, ptxas (13.0) computes in the lower one, with the lower half of a constant operand:

       %s = add <2 x i8> %v, <i8 0, i8 1>        %a = extractelement <2 x i8> %v, i32 1
       %y = extractelement <2 x i8> %s, 1   ->   %y = add i8 %a, 1 */
#include <llvm-c/Core.h>
#include <string.h>
#include "target/target.h"

static bool is_narrow_vector(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
         LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMGetElementType(type)) > 1 &&
         LLVMGetIntTypeWidth(LLVMGetElementType(type)) <= 16;
}

/* An intrinsic function that takes such vectors, and gives one, element by element; 0: another. */
static unsigned elementwise_intrinsic(LLVMValueRef value) {
  static const char *const names[] = {"llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax"};
  LLVMValueRef function = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
  unsigned id = function && LLVMIsAFunction(function) ? LLVMGetIntrinsicID(function) : 0;
  for (size_t i = 0; id && i < sizeof names / sizeof *names; i++)
    if (id == LLVMLookupIntrinsicID(names[i], strlen(names[i])))
      return id;
  return 0;
}

static bool is_arithmetic(LLVMValueRef value) {
  if (!is_narrow_vector(LLVMTypeOf(value)))
    return false;
  if (!LLVMIsABinaryOperator(value))
    return elementwise_intrinsic(value) != 0;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  return opcode != LLVMAnd && opcode != LLVMOr && opcode != LLVMXor;
}

static LLVMValueRef build_element(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef value,
                                  LLVMValueRef *operands) {
  if (LLVMIsABinaryOperator(value))
    return LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(value), operands[0], operands[1], "");
  LLVMTypeRef type = LLVMTypeOf(operands[0]);
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(module, elementwise_intrinsic(value), &type, 1);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, operands, 2, "");
}

static void compute_elements(LLVMBuilderRef builder, LLVMValueRef value, LLVMContextRef context) {
  LLVMTypeRef type = LLVMTypeOf(value), i32 = LLVMInt32TypeInContext(context);
  LLVMModuleRef module =
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(value)));
  LLVMValueRef result = LLVMGetPoison(type);
  LLVMPositionBuilderBefore(builder, value);
  for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
    LLVMValueRef at = LLVMConstInt(i32, i, false), operands[2];
    for (unsigned o = 0; o < 2; o++)
      operands[o] = LLVMBuildExtractElement(builder, LLVMGetOperand(value, o), at, "");
    result = LLVMBuildInsertElement(builder, result,
                                    build_element(module, builder, value, operands), at, "");
  }
  LLVMReplaceAllUsesWith(value, result);
  LLVMInstructionEraseFromParent(value);
}

static void visit(LLVMBasicBlockRef block, LLVMBuilderRef builder, LLVMContextRef context) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (is_arithmetic(i))
      compute_elements(builder, i, context);
  }
}

void compute_halves_alone(LLVMModuleRef module, LLVMContextRef context) {
  visit_blocks(module, context, visit);
}
