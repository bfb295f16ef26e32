/* Programs: a JIT and its kernels. */
#include "emulator/program.h"

#include <llvm-c/Core.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "emulator/host_module.h"
#include "emulator/jit.h"
#include "emulator/launch.h"

struct tile_emulator_program {
  atomic_size_t references;
  struct jit jit;
  struct emulator_compiled_kernel *kernels; /* owned */
  size_t count;
};

/* In the JIT a kernel is "kernel.NAME": its own name may be that of a function that the code calls,
   fma for one. */
static void print_symbol(const char *kernel, struct text *out) {
  out->length = 0;
  text_printf(out, "kernel.%s", kernel);
}

static void rename_kernels(const tile_emulator_program *program, LLVMModuleRef module) {
  struct text symbol = {0};
  for (size_t i = 0; i < program->count; i++) {
    const struct emulator_kernel *kernel = &program->kernels[i].info;
    print_symbol(kernel->name, &symbol);
    LLVMSetValueName2(LLVMGetNamedFunction(module, kernel->symbol), text_string(&symbol), symbol.length);
  }
  text_free(&symbol);
}

static tile_status find_kernel(tile_emulator_program *program,
                               struct emulator_compiled_kernel *kernel) {
  struct text symbol = {0};
  void *address = NULL;
  print_symbol(kernel->info.name, &symbol);
  tile_status status = jit_find(&program->jit, text_string(&symbol), &address);
  text_free(&symbol);
  kernel->entry = (emulator_entry *)(uintptr_t)address;
  return status;
}

static tile_status compile(tile_emulator_program *program, LLVMModuleRef module,
                           LLVMContextRef context) {
  rename_kernels(program, module);
  TRY(jit_add(&program->jit, module, context));
  for (size_t i = 0; i < program->count; i++)
    TRY(find_kernel(program, &program->kernels[i]));
  return NULL;
}

static char *copy_name(const char *name) {
  size_t length = strlen(name) + 1;
  return memcpy(tile_allocate(length), name, length);
}

static tile_emulator_program *make_program(const struct emulator_kernel *kernels, size_t count) {
  tile_emulator_program *program = tile_allocate(sizeof *program);
  *program = (tile_emulator_program){.count = count};
  atomic_init(&program->references, 1);
  program->kernels = tile_allocate((count + 1) * sizeof *program->kernels);
  for (size_t i = 0; i < count; i++) {
    program->kernels[i] = (struct emulator_compiled_kernel){.info = kernels[i]};
    program->kernels[i].info.name = copy_name(kernels[i].name);
    program->kernels[i].info.symbol = copy_name(kernels[i].symbol ? kernels[i].symbol : kernels[i].name);
  }
  return program;
}

tile_status emulator_program_create(LLVMModuleRef module, LLVMContextRef context,
                                    const struct emulator_kernel *kernels, size_t count,
                                    tile_emulator_program **out_program) {
  tile_emulator_program *program = make_program(kernels, count);
  size_t instruction_count;
  tile_status status = host_module_prepare(module, kernels, count, &instruction_count);
  if (!status)
    status = jit_create(&program->jit, instruction_count);
  if (status) {
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
  } else {
    status = compile(program, module, context);
  }
  if (status) {
    tile_emulator_program_destroy(program);
    return status;
  }
  *out_program = program;
  return NULL;
}

tile_emulator_program *emulator_program_retain(tile_emulator_program *program) {
  atomic_fetch_add_explicit(&program->references, 1, memory_order_relaxed);
  return program;
}

void tile_emulator_program_destroy(tile_emulator_program *program) {
  if (!program ||
      atomic_fetch_sub_explicit(&program->references, 1, memory_order_acq_rel) != 1)
    return;
  jit_destroy(&program->jit);
  for (size_t i = 0; i < program->count; i++) {
    free((char *)program->kernels[i].info.name);
    free((char *)program->kernels[i].info.symbol);
  }
  free(program->kernels);
  free(program);
}

const struct emulator_compiled_kernel *emulator_program_find(const tile_emulator_program *program,
                                                             const char *name) {
  for (size_t i = 0; i < program->count; i++)
    if (strcmp(program->kernels[i].info.name, name) == 0)
      return &program->kernels[i];
  for (size_t i = 0; i < program->count; i++)
    if (strcmp(program->kernels[i].info.symbol, name) == 0)
      return &program->kernels[i];
  return NULL;
}

size_t tile_emulator_program_kernel_count(const tile_emulator_program *program) {
  return program->count;
}

const char *tile_emulator_program_kernel_name(const tile_emulator_program *program, size_t index) {
  return index < program->count ? program->kernels[index].info.name : NULL;
}
