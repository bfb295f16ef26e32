/* SPDX-License-Identifier: MIT */
/* Blocks in host form are cut into short ones (emulator/compile/short_blocks.h), whatever they
   begin with. */
#include "emulator/compile/short_blocks.h"

#include <llvm-c/Analysis.h>
#include <stdbool.h>
#include "check.h"

enum { MAX_KEPT = 400 };

struct built {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef i32;
  LLVMValueRef function;
};

static struct built begin(void) {
  struct built b = {.context = LLVMContextCreate()};
  b.module = LLVMModuleCreateWithNameInContext("kernel", b.context);
  b.builder = LLVMCreateBuilderInContext(b.context);
  b.i32 = LLVMInt32TypeInContext(b.context);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(b.context), &b.i32, 1, false);
  b.function = LLVMAddFunction(b.module, "kernel", type);
  return b;
}

static void end(struct built *b) {
  LLVMDisposeBuilder(b->builder);
  LLVMDisposeModule(b->module);
  LLVMContextDispose(b->context);
}

static LLVMBasicBlockRef add_block(struct built *b) {
  return LLVMAppendBasicBlockInContext(b->context, b->function, "");
}

/* A loop that carries `phis` values, each of which it squares `steps` times. */
static void build_loop(struct built *b, int phis, int steps) {
  LLVMValueRef carried[1200], next[1200], argument = LLVMGetParam(b->function, 0);
  LLVMBasicBlockRef entry = add_block(b), loop = add_block(b), after = add_block(b);
  LLVMPositionBuilderAtEnd(b->builder, entry);
  LLVMBuildBr(b->builder, loop);
  LLVMPositionBuilderAtEnd(b->builder, loop);
  for (int i = 0; i < phis; i++)
    next[i] = carried[i] = LLVMBuildPhi(b->builder, b->i32, "");
  for (int step = 0; step < steps; step++)
    for (int i = 0; i < phis; i++)
      next[i] = LLVMBuildMul(b->builder, next[i], next[i], "");
  LLVMValueRef more = LLVMBuildICmp(b->builder, LLVMIntNE, next[0], argument, "");
  LLVMBuildCondBr(b->builder, more, loop, after);
  for (int i = 0; i < phis; i++) {
    LLVMValueRef values[] = {argument, next[i]};
    LLVMBasicBlockRef blocks[] = {entry, loop};
    LLVMAddIncoming(carried[i], values, blocks, 2);
  }
  LLVMPositionBuilderAtEnd(b->builder, after);
  LLVMBuildRetVoid(b->builder);
}

/* What a block has besides phis. */
static int length_of(LLVMBasicBlockRef block) {
  int count = 0;
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  for (; at; at = LLVMGetNextInstruction(at))
    count += !LLVMIsAPHINode(at);
  return count;
}

static int longest_block(const struct built *b) {
  int longest = 0;
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(b->function);
  for (; block; block = LLVMGetNextBasicBlock(block))
    longest = length_of(block) > longest ? length_of(block) : longest;
  return longest;
}

static void check_loop(int phis, int steps) {
  struct built b = begin();
  build_loop(&b, phis, steps);
  CHECK(!LLVMVerifyModule(b.module, LLVMReturnStatusAction, NULL));
  CHECK(longest_block(&b) > MAX_KEPT);
  make_blocks_short(b.module);
  CHECK(longest_block(&b) <= MAX_KEPT);
  CHECK(!LLVMVerifyModule(b.module, LLVMReturnStatusAction, NULL));
  end(&b);
}

static void long_blocks_are_cut(void) {
  check_loop(1, 2000);
}

static void blocks_with_many_phis_are_cut(void) {
  check_loop(1200, 3);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"long blocks are cut", long_blocks_are_cut},
                   {"blocks with many phis are cut", blocks_with_many_phis_are_cut});
}
