/* SPDX-License-Identifier: MIT */
/* Ends a block of code after loads for a loop's next turn, so that nobody waits for them before.

   An instruction whose latency varies is waited for by one of the six scoreboards of its warp. For
   what is in flight where a block of code ends ptxas (13.0) keeps one; within a block it
   shares them. In a loop that loads an iteration ahead, an exponential or a shuffle that comes
   after the loads gets the scoreboard of one of them, and who waits for the exponential waits for
   the memory: nothing is ahead any more.

     loop:                                 loop:
       %next = ld.global ...                 %next = ld.global ...
       %y = ex2 %x                           membar.gl, where %nctaid.z == 0
       barrier                       ->      %y = ex2 %x
       ...                                   barrier
       %x = phi [%next, loop], ...           ...
                                             %x = phi [%next, loop], ...

   A grid has a block along z, so that no thread gets to the fence, but ptxas does not know that. It
   moves no load across a fence, and makes no predicate of a branch around it. Other ways fail:
   loads sink below a branch to `exit`, a branch around `bar.sync` becomes a predicate, and around
   `brkpt` it won nothing for sixteen warps (driver 580.159.04).

   It moves nothing else across the branch either. So it is for loops over rows, whose threads wait
   for one another and store in each iteration, and for much in flight, as where few blocks share a
   multiprocessor: a softmax of rows of 10240 to 12672 columns in f32 gains 3 to 10% (an H200), of
   4096 and fewer nothing. Loops without a barrier lose 1 to 2%, one without a store 1%. */
#include <llvm-c/Target.h>
#include <string.h>
#include "target/target.h"

enum { LEAST_BITS = 512 }; /* of a thread in flight */
enum { GENERIC_MEMORY = 0, GLOBAL_MEMORY = 1 };

static bool text_has(const char *text, size_t length, const char *word) {
  size_t size = strlen(word);
  for (size_t i = 0; i + size <= length; i++)
    if (memcmp(text + i, word, size) == 0)
      return true;
  return false;
}

/* Is it a call of assembly with `word` in its text, or of a function with `word` in its name? */
static bool calls(LLVMValueRef instruction, bool assembly, const char *word) {
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  if (!callee || assembly != (LLVMIsAInlineAsm(callee) != NULL))
    return false;
  size_t length = 0;
  const char *text =
      assembly ? LLVMGetInlineAsmAsmString(callee, &length) : LLVMGetValueName2(callee, &length);
  return text_has(text, length, word);
}

static bool is_global(LLVMValueRef pointer) {
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  return space == GLOBAL_MEMORY || space == GENERIC_MEMORY;
}

static bool is_global_load(LLVMValueRef instruction) {
  return LLVMIsALoadInst(instruction) ? is_global(LLVMGetOperand(instruction, 0))
                                      : calls(instruction, true, "ld.global");
}

static bool is_global_store(LLVMValueRef instruction) {
  return LLVMIsAStoreInst(instruction) ? is_global(LLVMGetOperand(instruction, 1))
                                       : calls(instruction, true, "st.global");
}

/* Parts of words that are loaded together and handed on together: no instruction. */
static bool moves_bits(LLVMValueRef instruction) {
  return LLVMIsAExtractValueInst(instruction) || LLVMIsAExtractElementInst(instruction) ||
         LLVMIsAInsertElementInst(instruction) || LLVMIsAShuffleVectorInst(instruction) ||
         LLVMIsABitCastInst(instruction);
}

/* In the order of the text: the head of a loop comes before its end. */
static bool comes_first(LLVMBasicBlockRef head, LLVMBasicBlockRef block) {
  while (block && block != head)
    block = LLVMGetPreviousBasicBlock(block);
  return block != NULL;
}

/* Is `value` for another turn of the loop that its block ends, and nothing needs it before, but for
   what only moves its bits? */
static bool is_for_next_turn(LLVMValueRef value, LLVMBasicBlockRef block) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  bool next = use != NULL;
  for (; use && next; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMBasicBlockRef place = LLVMGetInstructionParent(user);
    next = LLVMIsAPHINode(user)
               ? comes_first(place, block)
               : place == block && moves_bits(user) && is_for_next_turn(user, block);
  }
  return next;
}

static void build_end(LLVMBuilderRef builder, LLVMValueRef before, LLVMContextRef context) {
  static const char text[] = "{\n\t.reg .pred always;\n\t.reg .b32 blocks;\n\t"
                             "mov.u32 blocks, %nctaid.z;\n\tsetp.ne.u32 always, blocks, 0;\n\t"
                             "@always bra.uni tile$$on;\n\tmembar.gl;\n\ttile$$on:\n\t}";
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
  LLVMValueRef assembly = LLVMGetInlineAsm(type, text, sizeof text - 1, "", 0, true, false,
                                           LLVMInlineAsmDialectATT, false);
  LLVMPositionBuilderBefore(builder, before);
  LLVMBuildCall2(builder, type, assembly, NULL, 0, "");
}

/* ptxas lets wgmmas wait for one another where it finds a branch between them. */
static void visit(LLVMBasicBlockRef block, LLVMBuilderRef builder, LLVMContextRef context) {
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block));
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMValueRef last = NULL;
  unsigned long long bits = 0;
  bool waits = false, stores = false;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    if (calls(i, true, "wgmma."))
      return;
    if (is_global_load(i) && is_for_next_turn(i, block)) {
      last = i;
      bits += LLVMSizeOfTypeInBits(layout, LLVMTypeOf(i));
      waits = stores = false;
    }
    stores |= is_global_store(i);
    waits |= calls(i, false, "llvm.nvvm.barrier.");
  }
  if (waits && stores && bits >= LEAST_BITS)
    build_end(builder, LLVMGetNextInstruction(last), context);
}

void keep_loads_in_flight(LLVMModuleRef module, LLVMContextRef context) {
  visit_blocks(module, context, visit);
}
