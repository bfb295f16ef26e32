/* SPDX-License-Identifier: MIT */
/* Checks on modules: everything that would end in a crash, an abort or a silently different result
   further on becomes a named error here. */
#include "emulator/compile/host_module.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/status.h"
#include "emulator/fiber.h"

#define X(result, name, parameters) #name,
#define RUNTIME(symbol, function, summary) #symbol,
static const char *const known_names[] = {
#include "emulator/device.def"
#include "emulator/runtime.def"
};
#undef X
#undef RUNTIME

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_known(const char *name) {
  for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++)
    if (strcmp(known_names[i], name) == 0)
      return true;
  return false;
}

static tile_status check_declaration(LLVMValueRef function) {
  const char *name = LLVMGetValueName(function);
  if (!LLVMGetFirstUse(function))
    return NULL;
  if (starts_with(name, "llvm.nvvm.") || starts_with(name, "llvm.amdgcn."))
    return FAIL(TILE_UNSUPPORTED,
                "the emulator cannot run the intrinsic '%s'; lower it to a device "
                "function of lib/emulator/device.def",
                name);
  if ((starts_with(name, "llvm.fma.") || starts_with(name, "llvm.fmuladd.")) &&
      strstr(name, "bf16"))
    return FAIL(TILE_UNSUPPORTED,
                "'%s' would round twice on the host; call tile_emu_fma_bf16 for each element",
                name);
  if (!starts_with(name, "llvm.") && !is_known(name))
    return FAIL(TILE_UNSUPPORTED,
                "the emulator has no function '%s'; add it to "
                "lib/emulator/device.def",
                name);
  return NULL;
}

/* Flags that let LLVM compute other numbers. They are refused, not cleared: LLVMSetFastMathFlags
   only ever adds flags. */
static const LLVMFastMathFlags inexact_flags = LLVMFastMathAllowReassoc |
                                               LLVMFastMathAllowContract |
                                               LLVMFastMathAllowReciprocal | LLVMFastMathApproxFunc;

static tile_status check_instruction(LLVMValueRef function, LLVMValueRef instruction) {
  if (LLVMCanValueUseFastMathFlags(instruction) &&
      (LLVMGetFastMathFlags(instruction) & inexact_flags))
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "function '%s' has fast-math flags (contract, reassoc, arcp or afn), which would make "
        "results differ from the device's",
        LLVMGetValueName(function));
  if (LLVMIsACallInst(instruction) && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)))
    return FAIL(TILE_UNSUPPORTED,
                "function '%s' contains inline assembly, which the emulator "
                "cannot run",
                LLVMGetValueName(function));
  return NULL;
}

/* A fiber's stack less what the emulator's own functions take. */
enum { LARGEST_FRAME = EMULATOR_STACK_BYTES - (256 << 10) };

static void note(LLVMDiagnosticInfoRef info, void *data) {
  struct text *noted = data;
  char *message = LLVMGetDiagInfoDescription(info);
  LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
  bool is_frame = severity == LLVMDSWarning && strstr(message, "stack frame size");
  if ((is_frame || severity == LLVMDSError) && !noted->length)
    text_puts(noted, message);
  LLVMDisposeMessage(message);
}

void host_module_note(LLVMContextRef context, struct text *noted) {
  LLVMContextSetDiagnosticHandler(context, noted ? note : NULL, noted);
}

tile_status host_module_noted(const struct text *noted) {
  const char *bytes = strchr(text_string(noted), '(');
  if (!noted->length)
    return NULL;
  if (!bytes || !strstr(text_string(noted), "stack frame size"))
    return FAIL(TILE_INTERNAL, "LLVM: %s", text_string(noted));
  return FAIL(TILE_UNSUPPORTED,
              "a thread needs %lu bytes of stack for what it holds at one time, and has %d on the "
              "emulator; use more warps, or smaller tiles",
              strtoul(bytes + 1, NULL, 10), LARGEST_FRAME);
}

static tile_status check_body(LLVMValueRef function, size_t *count) {
  char largest[24];
  snprintf(largest, sizeof largest, "%d", LARGEST_FRAME);
  LLVMAddTargetDependentFunctionAttr(function, "probe-stack", "inline-asm");
  LLVMAddTargetDependentFunctionAttr(function, "warn-stack-size", largest);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
         instruction = LLVMGetNextInstruction(instruction), ++*count)
      TRY(check_instruction(function, instruction));
  return NULL;
}

static tile_status check_entry(LLVMModuleRef module, const char *name) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function || LLVMIsDeclaration(function))
    return FAIL(TILE_INVALID_ARGUMENT, "the module does not define the kernel '%s'", name);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMTypeRef parameters[2];
  bool fits = LLVMCountParamTypes(type) == 2 &&
              LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind;
  if (fits)
    LLVMGetParamTypes(type, parameters);
  for (int i = 0; i < 2 && fits; i++)
    fits = LLVMGetTypeKind(parameters[i]) == LLVMPointerTypeKind;
  if (!fits)
    return FAIL(TILE_INVALID_ARGUMENT,
                "kernel '%s' is not of the form void (ptr thread, ptr arguments)", name);
  LLVMSetLinkage(function, LLVMExternalLinkage);
  return NULL;
}

static tile_status verify(LLVMModuleRef module) {
  char *message = NULL;
  tile_status status = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
    status = FAIL(TILE_INVALID_ARGUMENT, "the emulator got a broken module: %s", message);
  LLVMDisposeMessage(message);
  return status;
}

tile_status host_module_prepare(LLVMModuleRef module, const struct emulator_kernel *kernels,
                                size_t count, size_t *out_instruction_count) {
  *out_instruction_count = 0;
  TRY(verify(module));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    TRY(LLVMIsDeclaration(function) ? check_declaration(function)
                                    : check_body(function, out_instruction_count));
  for (size_t i = 0; i < count; i++)
    TRY(check_entry(module, kernels[i].symbol ? kernels[i].symbol : kernels[i].name));
  return NULL;
}
