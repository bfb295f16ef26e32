/* SPDX-License-Identifier: MIT */
/* MLIR to LLVM IR to PTX.

   Four things happen between MLIR's translation and LLVM's first pass: every call of inline
   assembly is marked convergent, because MLIR cannot say so and LLVM otherwise clones collective
   instructions into both arms of divergent branches; arguments and what assembly returns are marked
   as defined; maxima of NaNs become those that fold right; triple and data layout are set. */
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <mlir-c/RegisterEverything.h>
#include <mlir-c/Target/LLVMIR.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include "base/status.h"
#include "target/target.h"

static void initialize_once(void) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

/* Registers LLVM's NVPTX code generator, once per process; thread-safe. */
static void llvm_initialize(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize_once);
}

/* --- Marking ---------------------------------------------------------------------------------- */

struct marks {
  LLVMAttributeRef convergent, noundef;
};

static void mark_assembly(LLVMValueRef call, const struct marks *marks) {
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, marks->convergent);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    LLVMAddCallSiteAttribute(call, LLVMAttributeReturnIndex, marks->noundef);
}

static void mark_function(LLVMValueRef function, const struct marks *marks) {
  for (unsigned i = 0; LLVMGetFirstBasicBlock(function) && i < LLVMCountParams(function); i++)
    LLVMAddAttributeAtIndex(function, i + 1, marks->noundef);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        mark_assembly(i, marks);
}

static LLVMAttributeRef attribute_called(LLVMContextRef context, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMCreateEnumAttribute(context, kind, 0);
}

/* What a kernel is given, and what assembly leaves in registers, are numbers. Where LLVM does not
   know that, its straight-line strength reduction tries to prove it for each pair of addresses,
   through all operands of all assembly. */
static void mark(LLVMModuleRef module, LLVMContextRef context) {
  struct marks marks = {attribute_called(context, "convergent"),
                        attribute_called(context, "noundef")};
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    mark_function(function, &marks);
}

/* --- Optimisation ----------------------------------------------------------------------------- */

static const char light_pipeline[] =
    "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)";

static tile_status take_llvm_error(LLVMErrorRef error, const char *doing) {
  if (!error)
    return NULL;
  char *message = LLVMGetErrorMessage(error);
  tile_status status = FAIL(TILE_INTERNAL, "%s: %s", doing, message);
  LLVMDisposeErrorMessage(message);
  return status;
}

static tile_status optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, int level) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
  LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
  LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
  const char *pipeline = level >= 3 ? "default<O3>" : light_pipeline;
  LLVMErrorRef error = LLVMRunPasses(module, pipeline, machine, options);
  LLVMDisposePassBuilderOptions(options);
  return take_llvm_error(error, "LLVM's optimiser");
}

static tile_status create_machine(const struct target_options *options, LLVMTargetMachineRef *out) {
  static const char triple[] = "nvptx64-nvidia-cuda";
  llvm_initialize();
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    tile_status status = FAIL(TILE_INTERNAL, "LLVM has no NVPTX code generator: %s", message);
    LLVMDisposeMessage(message);
    return status;
  }
  *out =
      LLVMCreateTargetMachine(target, triple, options->target->name, options->target->ptx_feature,
                              LLVMCodeGenLevelDefault, LLVMRelocDefault, LLVMCodeModelDefault);
  return *out ? NULL : FAIL(TILE_INTERNAL, "LLVM refuses target %s", options->target->name);
}

static void set_target(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMSetTarget(module, triple);
  LLVMDisposeMessage(triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
}

static MlirLogicalResult check_shared(MlirOperation op, void *data) {
  const struct machine *target = data;
  int64_t bytes = attribute_number(op, ATTR_SHARED_BYTES, 0);
  if (bytes > target->block_shared_bytes)
    return fail_op(op,
                   "the kernel needs %lld bytes of shared memory, %s has %d; use a smaller tile",
                   (long long)bytes, target->name, target->block_shared_bytes);
  return SUCCESS;
}

static tile_status translate_with(struct session *session, MlirModule module,
                                  LLVMContextRef context, const struct target_options *options,
                                  LLVMTargetMachineRef machine, LLVMModuleRef *out) {
  if (FAILED(
          visit_operations(mlirModuleGetOperation(module), check_shared, (void *)options->target)))
    return FAIL(TILE_INVALID_ARGUMENT, "a kernel does not fit %s", options->target->name);
  say_blocks_of_kernels(session, module, options->target);
  mlirRegisterAllLLVMTranslations(session->context);
  size_t errors = session->diagnostics.errors;
  /* It verifies what it makes, and nothing until the code generator makes what is not valid. */
  LLVMModuleRef result = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), context);
  if (!result)
    return FAIL(session->diagnostics.errors > errors ? TILE_INVALID_ARGUMENT : TILE_INTERNAL,
                "the module cannot be translated to LLVM IR");
  mark(result, context);
  fold_number_extremes(result);
  set_target(result, machine);
  tile_status status = optimize(result, machine, options->optimization_level);
  if (status)
    LLVMDisposeModule(result);
  else
    *out = result;
  return status;
}

/* Translates to LLVM IR in `context`, marks inline assembly convergent, sets triple and data
   layout, and optimises. The module is the caller's (LLVMDisposeModule). */
static tile_status translate_to_llvm(struct session *session, MlirModule module,
                                     LLVMContextRef context, const struct target_options *options,
                                     LLVMModuleRef *out) {
  LLVMTargetMachineRef machine;
  TRY(create_machine(options, &machine));
  tile_status status = translate_with(session, module, context, options, machine, out);
  LLVMDisposeTargetMachine(machine);
  return status;
}

tile_status translate_to_llvmir(struct session *session, MlirModule module,
                                const struct target_options *options, struct text *out) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef llvm;
  tile_status status = translate_to_llvm(session, module, context, options, &llvm);
  if (!status) {
    char *text = LLVMPrintModuleToString(llvm);
    text_puts(out, text);
    LLVMDisposeMessage(text);
    LLVMDisposeModule(llvm);
  }
  LLVMContextDispose(context);
  return status;
}

/* LLVM reports what its code generator cannot do through the context and goes on or aborts; the
   handler turns the former into our error. */
struct codegen_errors {
  struct text message;
};

static void collect_error(LLVMDiagnosticInfoRef info, void *data) {
  struct codegen_errors *errors = data;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  char *description = LLVMGetDiagInfoDescription(info);
  text_printf(&errors->message, "%s%s", errors->message.length ? "; " : "", description);
  LLVMDisposeMessage(description);
}

static tile_status emit_ptx(LLVMModuleRef llvm, LLVMTargetMachineRef machine, struct text *out) {
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, llvm, LLVMAssemblyFile, &message, &buffer)) {
    tile_status status = FAIL(TILE_UNSUPPORTED, "LLVM cannot generate PTX: %s", message);
    LLVMDisposeMessage(message);
    return status;
  }
  append_ptx(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), out);
  LLVMDisposeMemoryBuffer(buffer);
  return NULL;
}

tile_status translate_to_ptx(struct session *session, MlirModule module,
                             const struct target_options *options, struct text *out) {
  LLVMTargetMachineRef machine;
  struct machine target = target_for(session, options->target, module);
  struct target_options effective = *options;
  effective.target = &target;
  TRY(create_machine(&effective, &machine));
  LLVMContextRef context = LLVMContextCreate();
  struct codegen_errors errors = {0};
  LLVMContextSetDiagnosticHandler(context, collect_error, &errors);
  LLVMModuleRef llvm;
  tile_status status = translate_with(session, module, context, options, machine, &llvm);
  if (!status) {
    compute_halves_alone(llvm, context);
    narrow_offsets(llvm, context);
    part_addresses(llvm, context);
    separate_addresses(llvm, context);
    keep_wgmma_loops(llvm, context);
    convert_mask_bits(llvm, context);
    shift_fp8_halves(llvm, context);
    extend_upper_halves(llvm, context);
    keep_loads_in_flight(llvm, context);
    status = emit_ptx(llvm, machine, out);
    LLVMDisposeModule(llvm);
  }
  if (!status && errors.message.length)
    status = FAIL(TILE_UNSUPPORTED, "LLVM cannot generate PTX: %s", text_string(&errors.message));
  text_free(&errors.message);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  return status;
}
