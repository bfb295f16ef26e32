/* SPDX-License-Identifier: MIT */
/* Loops with wgmma stay loops: ptxas is told not to unroll them.

   ptxas (12.8 to 13.0) loses wgmmas where it unrolls a loop of constant length whose accumulators
   are changed between the wgmmas of two iterations: of n iterations the last one, or all but the
   first, is left as an empty HGMMA without operands, and the accumulators are wrong. It says
   nothing of it. The same wgmmas written one after the other are right.

       $L__BB0_1:                                    $L__BB0_1:
         ...                                             .pragma "nounroll";
         wgmma.mma_async ...                 ->          ...
         @%p bra $L__BB0_1;

   LLVM writes the pragma where the branch back carries llvm.loop.unroll.disable (LLVM's language
   reference, 'llvm.loop'). */
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>
#include "base/map.h"
#include "target/target.h"

static bool is_wgmma(LLVMValueRef instruction) {
  if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  if (!LLVMIsAInlineAsm(callee))
    return false;
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(callee, &length);
  return strstr(text, "wgmma.mma_async") != NULL;
}

static bool has_wgmma(LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (is_wgmma(i))
      return true;
  return false;
}

/* Blocks in the order of the text, from the target of a branch back to the branch: the loop, and
   perhaps more. */
static bool loop_has_wgmma(LLVMBasicBlockRef first, LLVMBasicBlockRef last) {
  for (LLVMBasicBlockRef block = first; block; block = LLVMGetNextBasicBlock(block)) {
    if (has_wgmma(block))
      return true;
    if (block == last)
      break;
  }
  return false;
}

/* !0 = distinct !{!0, !{!"llvm.loop.unroll.disable"}} */
static LLVMValueRef not_unrolled(LLVMContextRef context) {
  static const char name[] = "llvm.loop.unroll.disable";
  LLVMMetadataRef word = LLVMMDStringInContext2(context, name, sizeof name - 1);
  LLVMMetadataRef itself = LLVMTemporaryMDNode(context, NULL, 0);
  LLVMMetadataRef parts[] = {itself, LLVMMDNodeInContext2(context, &word, 1)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, 2);
  LLVMMetadataReplaceAllUsesWith(itself, node); /* ends `itself` */
  return LLVMMetadataAsValue(context, node);
}

static void keep_loops_of(LLVMValueRef function, LLVMContextRef context, unsigned kind) {
  struct map seen = {0}; /* blocks up to the current one */
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    map_set(&seen, block, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
      LLVMBasicBlockRef target = LLVMGetSuccessor(end, i);
      if (map_get(&seen, target) && loop_has_wgmma(target, block))
        LLVMSetMetadata(end, kind, not_unrolled(context));
    }
  }
  map_free(&seen);
}

void keep_wgmma_loops(LLVMModuleRef module, LLVMContextRef context) {
  static const char name[] = "llvm.loop";
  unsigned kind = LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    keep_loops_of(function, context, kind);
}
