/* SPDX-License-Identifier: MIT */
/* Goes through LLVM IR, for changes that come after LLVM's passes. */
#include "target/target.h"

void visit_blocks(LLVMModuleRef module, LLVMContextRef context, visit_block_fn *visit) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      visit(b, builder, context);
  LLVMDisposeBuilder(builder);
}
