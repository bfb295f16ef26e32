/* SPDX-License-Identifier: MIT */
/* Rows of addresses that LLVM compares in vain get an index or a base each
   (target/separate_addresses.c), other rows do not, and early CSE makes the code what it was. */
#include <llvm-c/Core.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>
#include "check.h"
#include "target/target.h"

enum { ROW = 8 };

/* void kernel(ptr addrspace(1) p, i32 x, i64 y), which hands addresses to use(ptr addrspace(1)). */
struct built {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef i16, i32, i64, pointer, use_type;
  LLVMValueRef function, use;
};

static struct built begin(void) {
  struct built b = {.context = LLVMContextCreate()};
  b.module = LLVMModuleCreateWithNameInContext("kernel", b.context);
  b.builder = LLVMCreateBuilderInContext(b.context);
  b.i16 = LLVMInt16TypeInContext(b.context);
  b.i32 = LLVMInt32TypeInContext(b.context);
  b.i64 = LLVMInt64TypeInContext(b.context);
  b.pointer = LLVMPointerTypeInContext(b.context, 1);
  LLVMTypeRef none = LLVMVoidTypeInContext(b.context);
  b.use_type = LLVMFunctionType(none, &b.pointer, 1, false);
  b.use = LLVMAddFunction(b.module, "use", b.use_type);
  LLVMTypeRef parameters[] = {b.pointer, b.i32, b.i64};
  b.function = LLVMAddFunction(b.module, "kernel", LLVMFunctionType(none, parameters, 3, false));
  LLVMPositionBuilderAtEnd(b.builder, LLVMAppendBasicBlockInContext(b.context, b.function, ""));
  return b;
}

static LLVMValueRef parameter(const struct built *b, unsigned index) {
  return LLVMGetParam(b->function, index);
}

/* sext(x * 64 op i), where the or is disjoint. */
static LLVMValueRef column(struct built *b, LLVMOpcode opcode, unsigned i) {
  LLVMValueRef start =
      LLVMBuildMul(b->builder, parameter(b, 1), LLVMConstInt(b->i32, 64, false), "");
  LLVMValueRef sum =
      LLVMBuildBinOp(b->builder, opcode, start, LLVMConstInt(b->i32, i + 1, false), "");
  if (opcode == LLVMOr)
    LLVMSetIsDisjoint(sum, true);
  return LLVMBuildSExt(b->builder, sum, b->i64, "");
}

static LLVMValueRef address(struct built *b, LLVMValueRef base, LLVMValueRef index) {
  return LLVMBuildGEP2(b->builder, b->i16, base, &index, 1, "");
}

static void use(struct built *b, LLVMValueRef value) {
  LLVMBuildCall2(b->builder, b->use_type, b->use, &value, 1, "");
}

/* `count` addresses with the index y, from bases that are `opcode` of something. */
static void build_one_index(struct built *b, LLVMOpcode opcode, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    use(b, address(b, address(b, parameter(b, 0), column(b, opcode, i)), parameter(b, 2)));
}

/* `count` addresses with the base p. */
static void build_one_base(struct built *b, LLVMOpcode opcode, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    use(b, address(b, parameter(b, 0), column(b, opcode, i)));
}

struct hidden {
  int indices, bases;
};

static struct hidden count_hidden(LLVMValueRef function) {
  struct hidden hidden = {0};
  LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(function);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    hidden.indices += LLVMGetInstructionOpcode(i) == LLVMSDiv;
    hidden.bases += LLVMIsACallInst(i) && LLVMGetIntrinsicID(LLVMGetCalledValue(i)) != 0;
  }
  return hidden;
}

static char *print_after_cse(const struct built *b) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  CHECK(LLVMRunPasses(b->module, "function(early-cse)", NULL, options) == NULL);
  LLVMDisposePassBuilderOptions(options);
  return LLVMPrintValueToString(b->function);
}

typedef void build_function(struct built *b, LLVMOpcode opcode, unsigned count);

/* What is hidden; and after early CSE the code is that without. */
static struct hidden separated(build_function *build, LLVMOpcode opcode, unsigned count) {
  struct hidden hidden = {0};
  char *texts[2];
  for (int pass = 0; pass < 2; pass++) {
    struct built b = begin();
    build(&b, opcode, count);
    LLVMBuildRetVoid(b.builder);
    if (pass) {
      separate_addresses(b.module, b.context);
      hidden = count_hidden(b.function);
    }
    texts[pass] = print_after_cse(&b);
    LLVMDisposeBuilder(b.builder);
    LLVMDisposeModule(b.module);
    LLVMContextDispose(b.context);
  }
  CHECK(strcmp(texts[0], texts[1]) == 0);
  LLVMDisposeMessage(texts[0]);
  LLVMDisposeMessage(texts[1]);
  return hidden;
}

/* All but the first get an index of their own. */
static void one_index(void) {
  struct hidden hidden = separated(build_one_index, LLVMOr, ROW);
  CHECK(hidden.indices == ROW - 1);
}

static void one_base(void) {
  struct hidden hidden = separated(build_one_base, LLVMOr, ROW);
  CHECK(hidden.bases == ROW - 1 && hidden.indices == 0);
}

/* LLVM's proof gets through a sum: it may compute one from the other. */
static void sums(void) {
  struct hidden index = separated(build_one_index, LLVMAdd, ROW);
  CHECK(index.indices == 0 && index.bases == 0);
  struct hidden base = separated(build_one_base, LLVMAdd, ROW);
  CHECK(base.indices == 0 && base.bases == 0);
}

static void short_row(void) {
  struct hidden hidden = separated(build_one_base, LLVMOr, 3);
  CHECK(hidden.indices == 0 && hidden.bases == 0);
}

static void build_accessed(struct built *b, LLVMOpcode opcode, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    LLVMBuildStore(b->builder, LLVMConstInt(b->i16, i, false),
                   address(b, parameter(b, 0), column(b, opcode, i)));
}

/* An access is a proof by itself. */
static void accessed(void) {
  struct hidden hidden = separated(build_accessed, LLVMOr, ROW);
  CHECK(hidden.indices == 0 && hidden.bases == 0);
}

/* An index from which LLVM takes a constant before. */
static void build_index_of_sum(struct built *b, LLVMOpcode opcode, unsigned count) {
  LLVMValueRef index =
      LLVMBuildAdd(b->builder, parameter(b, 2), LLVMConstInt(b->i64, 8, false), "");
  for (unsigned i = 0; i < count; i++)
    use(b, address(b, address(b, parameter(b, 0), column(b, opcode, i)), index));
}

static void index_of_sum(void) {
  CHECK(separated(build_index_of_sum, LLVMOr, ROW).indices == 0);
}

int main(int argc, char **argv) {
  return RUN_TESTS(argc, argv, {"addresses with one index get one each", one_index},
                   {"addresses with one base get one each", one_base},
                   {"what can be computed one from the other stays", sums},
                   {"short rows stay", short_row}, {"what is accessed stays", accessed},
                   {"an index that is a sum stays", index_of_sum});
}
