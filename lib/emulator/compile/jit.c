/* SPDX-License-Identifier: MIT */
/* Compiling for the host.

   The processor is described as plain x86-64 plus a fixed list of extensions where the host has
   them. It is not "native" on purpose: LLVM would otherwise pick instructions that compute
   something else than the GPU does. AVX512-BF16's float-to-bfloat conversion, for one, flushes
   subnormals. So, too, results do not depend on the machine. Nothing fuses multiplications and
   additions: LLVM does that only for `contract` flags, which host_module.c refuses. */
#include "emulator/compile/jit.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "emulator/compile/bfloat_bits.h"
#include "emulator/compile/host_module.h"
#include "emulator/compile/short_blocks.h"
#include "emulator/symbols.h"

static const char optimisation[] =
    "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)";

/* Code generation at -O1 grows faster than its input: 3,300 instructions with 512 calls took 95 ms
   against 13 at -O0, whose code ran 15 % slower. -O2 is no better than -O1 at either. */
enum { FAST_CODEGEN_ABOVE = 1000 };

static const char *const extensions[] = {"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt",
                                         "avx",  "avx2",  "bmi",    "bmi2",   "lzcnt",
                                         "f16c", "fma",   "movbe",  "neon"};

static pthread_once_t initialised = PTHREAD_ONCE_INIT;

static void initialise(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

static tile_status status_of(LLVMErrorRef error, const char *doing) {
  if (!error)
    return NULL;
  char *message = LLVMGetErrorMessage(error);
  tile_status status = FAIL(TILE_INTERNAL, "the emulator's JIT failed %s: %s", doing, message);
  LLVMDisposeErrorMessage(message);
  return status;
}

/* "+avx2,+f16c,...": the extensions in the list that the host has. */
static void list_features(struct text *text) {
  char *host = LLVMGetHostCPUFeatures();
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
    struct text item = {0};
    text_printf(&item, "+%s", extensions[i]);
    const char *found = strstr(host, item.data);
    if (found && (found[item.length] == ',' || !found[item.length]))
      text_printf(text, "%s%s", text->length ? "," : "", item.data);
    text_free(&item);
  }
  LLVMDisposeMessage(host);
}

/* How code is to be generated. */
struct generation {
  const char *features;
  LLVMRelocMode relocations;
  LLVMCodeModel model;
};

static tile_status make_target_machine(const struct generation *how, size_t instruction_count,
                                       LLVMTargetMachineRef *out_machine) {
  pthread_once(&initialised, initialise);
  LLVMCodeGenOptLevel level =
      instruction_count > FAST_CODEGEN_ABOVE ? LLVMCodeGenLevelNone : LLVMCodeGenLevelLess;
  char *triple = LLVMGetDefaultTargetTriple();
  char *message = NULL;
  LLVMTargetRef target;
  tile_status status = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message))
    status = FAIL(TILE_UNSUPPORTED, "LLVM has no code generator for this host: %s", message);
  else
    *out_machine = LLVMCreateTargetMachine(target, triple, "", how->features, level,
                                           how->relocations, how->model);
  LLVMDisposeMessage(message);
  LLVMDisposeMessage(triple);
  return status;
}

/* For any processor of the architecture, and with addresses of 64 bits, which object.c counts on.
 */
tile_status jit_object_machine(size_t instruction_count, LLVMTargetMachineRef *out) {
  return make_target_machine(&(struct generation){.features = "",
                                                  .relocations = LLVMRelocStatic,
                                                  .model = LLVMCodeModelLarge},
                             instruction_count, out);
}

static tile_status make_jit_machine(size_t instruction_count, LLVMTargetMachineRef *out) {
  struct text features = {0};
  list_features(&features);
  tile_status status = make_target_machine(&(struct generation){.features = text_string(&features),
                                                                .relocations = LLVMRelocPIC,
                                                                .model = LLVMCodeModelSmall},
                                           instruction_count, out);
  text_free(&features);
  return status;
}

static tile_status define_symbols(LLVMOrcLLJITRef lljit) {
  size_t count;
  const struct emulator_symbol *symbols = emulator_symbols(&count);
  LLVMOrcCSymbolMapPair *pairs = tile_allocate(count * sizeof *pairs);
  LLVMJITSymbolFlags flags = {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable,
                              0};
  for (size_t i = 0; i < count; i++)
    pairs[i] = (LLVMOrcCSymbolMapPair){.Name = LLVMOrcLLJITMangleAndIntern(lljit, symbols[i].name),
                                       .Sym = {.Address = symbols[i].address, .Flags = flags}};
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, count);
  free(pairs);
  LLVMErrorRef error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(lljit), unit);
  if (error)
    LLVMOrcDisposeMaterializationUnit(unit);
  return status_of(error, "defining the device functions");
}

/* The session reports here, instead of on standard error, what made a lookup fail. */
static void keep_error(void *context, LLVMErrorRef error) {
  struct text *errors = context;
  char *message = LLVMGetErrorMessage(error);
  text_printf(errors, "; %s", message);
  LLVMDisposeErrorMessage(message);
}

tile_status jit_create(struct jit *jit, size_t instruction_count) {
  LLVMTargetMachineRef machine = NULL;
  TRY(make_jit_machine(instruction_count, &machine));
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
  TRY(status_of(LLVMOrcCreateLLJIT(&jit->lljit, builder), "starting"));
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit->lljit), keep_error,
                                          &jit->errors);
  return define_symbols(jit->lljit);
}

void jit_destroy(struct jit *jit) {
  if (jit->lljit)
    LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->lljit));
  text_free(&jit->errors);
  text_free(&jit->noted);
}

static tile_status optimise(LLVMModuleRef module) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, optimisation, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  return status_of(error, "optimising");
}

static tile_status make_ready(LLVMModuleRef module) {
  tile_status status = optimise(module);
  if (status)
    return status;
  make_blocks_short(module);
  pass_bfloats_as_bits(module);
  return NULL;
}

tile_status jit_prepare(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMSetTarget(module, triple);
  LLVMDisposeMessage(triple);
  LLVMDisposeTargetData(layout);
  return make_ready(module);
}

tile_status jit_add(struct jit *jit, LLVMModuleRef module, LLVMContextRef context) {
  LLVMSetTarget(module, LLVMOrcLLJITGetTripleString(jit->lljit));
  LLVMSetDataLayout(module, LLVMOrcLLJITGetDataLayoutStr(jit->lljit));
  tile_status status = make_ready(module);
  host_module_note(context, &jit->noted);
  LLVMOrcThreadSafeContextRef shared = LLVMOrcCreateNewThreadSafeContextFromLLVMContext(context);
  LLVMOrcThreadSafeModuleRef unit = LLVMOrcCreateNewThreadSafeModule(module, shared);
  LLVMOrcDisposeThreadSafeContext(shared);
  if (status) {
    LLVMOrcDisposeThreadSafeModule(unit);
    return status;
  }
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit->lljit);
  return status_of(LLVMOrcLLJITAddLLVMIRModule(jit->lljit, library, unit), "adding the module");
}

tile_status jit_find(struct jit *jit, const char *name, void **out_address) {
  LLVMOrcExecutorAddress address = 0;
  tile_status status = status_of(LLVMOrcLLJITLookup(jit->lljit, &address, name), "compiling");
  if (status && jit->errors.length) {
    tile_status more =
        FAIL(TILE_INTERNAL, "%s%s", tile_status_message(status), text_string(&jit->errors));
    tile_status_free(status);
    status = more;
  }
  *out_address = (void *)(uintptr_t)address;
  return status ? status : host_module_noted(&jit->noted);
}
