/* SPDX-License-Identifier: MIT */
/* See compile.h. */
#include "emulator/compile/compile.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"
#include "emulator/compile/host_module.h"
#include "emulator/compile/jit.h"
#include "emulator/object.h"

/* In the code a kernel is called EMULATOR_SYMBOL of its symbol. */
static void rename_kernels(LLVMModuleRef module, const struct emulator_kernel *kernels,
                           size_t count) {
  struct text symbol = {0};
  for (size_t i = 0; i < count; i++) {
    const char *name = kernels[i].symbol ? kernels[i].symbol : kernels[i].name;
    symbol.length = 0;
    text_printf(&symbol, EMULATOR_SYMBOL, name);
    LLVMSetValueName2(LLVMGetNamedFunction(module, name), text_string(&symbol), symbol.length);
  }
  text_free(&symbol);
}

/* Says which target the kernels are for (EMULATOR_TARGET). */
static void name_target(LLVMModuleRef module, const struct machine *machine) {
  struct text symbol = {0};
  LLVMContextRef context = LLVMGetModuleContext(module);
  text_printf(&symbol, EMULATOR_TARGET, machine->name);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
  LLVMValueRef function = LLVMAddFunction(module, text_string(&symbol), type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  text_free(&symbol);
}

static void dispose(LLVMModuleRef module, LLVMContextRef context) {
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}

/* --- In this process -------------------------------------------------------------------------- */

static tile_status find_in_jit(void *state, const char *name, void **out) {
  return jit_find(state, name, out);
}

static void destroy_jit(void *state) {
  jit_destroy(state);
  free(state);
}

static tile_status make_jit(struct jit *jit, LLVMModuleRef module, LLVMContextRef context,
                            const struct emulator_kernel *kernels, size_t count) {
  size_t instruction_count;
  tile_status status = host_module_prepare(module, kernels, count, &instruction_count);
  if (!status)
    status = jit_create(jit, instruction_count);
  if (status) {
    dispose(module, context);
    return status;
  }
  rename_kernels(module, kernels, count);
  return jit_add(jit, module, context);
}

tile_status emulator_program_create(LLVMModuleRef module, LLVMContextRef context,
                                    const struct emulator_kernel *kernels, size_t count,
                                    tile_emulator_program **out_program) {
  struct jit *jit = tile_allocate(sizeof *jit);
  *jit = (struct jit){0};
  tile_emulator_program *program = emulator_program_make(
      &(struct emulator_code){.state = jit, .find = find_in_jit, .destroy = destroy_jit});
  tile_status status = make_jit(jit, module, context, kernels, count);
  for (size_t i = 0; i < count && !status; i++)
    status = emulator_program_add(program, &kernels[i]);
  if (status)
    tile_emulator_program_destroy(program);
  else
    *out_program = program;
  return status;
}

/* --- For later -------------------------------------------------------------------------------- */

static tile_status emit(LLVMModuleRef module, size_t instruction_count, struct text *out) {
  LLVMTargetMachineRef machine;
  TRY(jit_object_machine(instruction_count, &machine));
  char *message = NULL;
  LLVMMemoryBufferRef buffer = NULL;
  struct text noted = {0};
  host_module_note(LLVMGetModuleContext(module), &noted);
  tile_status status = jit_prepare(module, machine);
  if (!status &&
      LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &buffer))
    status = FAIL(TILE_INTERNAL, "LLVM writes no object of the kernel: %s", message);
  if (!status)
    status = host_module_noted(&noted);
  host_module_note(LLVMGetModuleContext(module), NULL);
  text_free(&noted);
  if (buffer) {
    text_append(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
  }
  LLVMDisposeMessage(message);
  LLVMDisposeTargetMachine(machine);
  return status;
}

tile_status emulator_object_create(LLVMModuleRef module, LLVMContextRef context,
                                   const struct emulator_kernel *kernels, size_t count,
                                   struct text *out) {
  size_t instruction_count;
  tile_status status =
      OBJECT_HOST[0]
          ? NULL
          : FAIL(TILE_UNSUPPORTED, "objects for the emulator are written on x86-64 alone; "
                                   "compile for the emulator in the program that launches");
  if (!status)
    status = host_module_prepare(module, kernels, count, &instruction_count);
  if (!status) {
    rename_kernels(module, kernels, count);
    if (count && kernels->machine)
      name_target(module, kernels->machine);
    status = emit(module, instruction_count, out);
  }
  dispose(module, context);
  return status;
}
