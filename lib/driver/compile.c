/* SPDX-License-Identifier: MIT */
/* Compilation from text to bytes; the public API over it is in compiler.c. */
#include "driver/compile.h"

#include <llvm-c/Analysis.h>
#include <mlir-c/RegisterEverything.h>
#include <mlir-c/Target/LLVMIR.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/machine.h"
#include "base/status.h"
#include "driver/kernel_info.h"
#include "driver/laid_out.h"
#include "emulator/compile/compile.h"
#include "emulator/object.h"
#include "ir/module_target.h"
#include "ir/symbol_names.h"
#include "runtime/image.h"
#include "tile/version.h"

tile_compile_options tile_compile_options_default(void) {
  return (tile_compile_options){.target = MACHINE_DEFAULT, .optimization_level = 1};
}

tile_status compile_check_options(const tile_compile_options *options,
                                  const struct machine **target) {
  int warps = options->num_warps;
  if (warps != 0 && !machine_is_warp_count(warps))
    return FAIL(TILE_INVALID_ARGUMENT, "num_warps = %d is not a power of two from 1 to 32", warps);
  if (options->num_stages < 0 || options->num_stages > 16)
    return FAIL(TILE_INVALID_ARGUMENT, "num_stages = %d is not from 1 to 16", options->num_stages);
  int programs = options->programs_per_block;
  if (programs != TILE_FILL_BLOCK && programs != 0 && !machine_is_warp_count(programs))
    return FAIL(TILE_INVALID_ARGUMENT, "programs_per_block = %d is not a power of two from 1 to 32",
                programs);
  if (options->optimization_level != 1 && options->optimization_level != 3)
    return FAIL(TILE_INVALID_ARGUMENT, "the optimisation level is 1 or 3, not %d%s",
                options->optimization_level,
                options->optimization_level ? "" : "; begin with tile_compile_options_default()");
  if ((unsigned)options->fewer_warps > TILE_CHOICE_NO ||
      (unsigned)options->low_occupancy > TILE_CHOICE_NO ||
      (unsigned)options->tensor_maps > TILE_CHOICE_NO || (unsigned)options->pairs > TILE_CHOICE_NO)
    return FAIL(TILE_INVALID_ARGUMENT,
                "fewer_warps, low_occupancy, tensor_maps and pairs are values of tile_choice, not "
                "%d, %d, %d and %d",
                (int)options->fewer_warps, (int)options->low_occupancy, (int)options->tensor_maps,
                (int)options->pairs);
  return target_find(options->target ? options->target : MACHINE_DEFAULT, target);
}

const struct pipeline_options compile_quietly = {
#ifdef TILE_VERIFY_EACH
    .verify_each = true
#else
    .verify_each = false
#endif
};

/* What the options ask for, else what the module was imported with, else four. */
static int64_t choose_warps(MlirModule module, const tile_compile_options *options) {
  return options->num_warps ? options->num_warps
                            : attribute_number(mlirModuleGetOperation(module), ATTR_ASKED_WARPS, 4);
}

/* The pipeliner reads the number of stages from the module. */
static void set_stages(MlirModule module, const tile_compile_options *options) {
  MlirOperation top = mlirModuleGetOperation(module);
  int64_t stages =
      options->num_stages ? options->num_stages : attribute_number(top, ATTR_NUM_STAGES, 3);
  attribute_set_integer(top, ATTR_NUM_STAGES, stages);
}

tile_status compile_lower(struct session *session, MlirModule module,
                          const tile_compile_options *options, const char *pipeline,
                          const struct pipeline_options *how) {
  const struct machine *target;
  TRY(compile_check_options(options, &target));
  if (FAILED(symbols_rename_for_code(session, module)))
    return FAIL(TILE_INVALID_ARGUMENT, "the module has names that cannot be told apart");
  attribute_set(mlirModuleGetOperation(module), ATTR_TARGET,
                attribute_string(session->context, target->name));
  set_stages(module, options);
  if (options->low_occupancy == TILE_CHOICE_YES)
    attribute_set_unit(mlirModuleGetOperation(module), ATTR_LOW_OCCUPANCY);
  if (options->tensor_maps == TILE_CHOICE_NO)
    attribute_set_unit(mlirModuleGetOperation(module), ATTR_TENSOR_MAPS_OFF);
  if (options->pairs != TILE_CHOICE_NO)
    attribute_set_unit(mlirModuleGetOperation(module),
                       options->pairs == TILE_CHOICE_YES ? ATTR_PAIRS : ATTR_PAIRS_OF_ROWS);
  struct text text = {0};
  int programs = options->programs_per_block;
  int64_t laid_out = laid_out_warps(session, module);
  if (laid_out && options->num_warps && options->num_warps != laid_out)
    return FAIL(TILE_INVALID_ARGUMENT,
                "the module is laid out for %lld warps, not %d; leave the number to it",
                (long long)laid_out, options->num_warps);
  text_printf(&text, "tile-%s%s{", laid_out ? "gpu-" : "", pipeline + strlen("tile-"));
  if (!laid_out)
    text_printf(&text, "num-warps=%lld fewer-warps=%s fma=%s ",
                (long long)choose_warps(module, options),
                options->fewer_warps == TILE_CHOICE_YES ? "true" : "false",
                options->no_fma ? "false" : "true");
  text_printf(&text, "programs-per-block=%d}%s",
              programs == TILE_FILL_BLOCK ? 0
              : programs                  ? programs
                                          : 1,
              options->line_tables ? ",tile-emit-line-tables" : "");
  tile_status status = pipeline_run(session, text_string(&text), how, module);
  text_free(&text);
  return status;
}

tile_status compile_emit(struct session *session, MlirModule module,
                         const tile_compile_options *options, tile_output output, struct text *out,
                         struct text *log) {
  struct target_options target = {.line_tables = options->line_tables,
                                  .optimization_level = options->optimization_level};
  TRY(compile_check_options(options, &target.target));
  if (output == TILE_OUTPUT_LLVMIR)
    return translate_to_llvmir(session, module, &target, out);
  if (output == TILE_OUTPUT_PTX)
    return translate_to_ptx(session, module, &target, out);
  struct text ptx = {0}, report = {0};
  tile_status status = translate_to_ptx(session, module, &target, &ptx);
  if (!status)
    status = assemble_cubin(text_string(&ptx), ptx.length, &target, out, &report);
  if (!status)
    ptxas_report(session, module, text_string(&report));
  if (log)
    text_append(log, text_string(&report), report.length);
  text_free(&report);
  text_free(&ptx);
  return status;
}

/* --- The emulator ----------------------------------------------------------------------------- */

enum { MAX_KERNELS = 256 };

/* The kernels of a module in emulator form, with names owned by the arena. */
static size_t list_kernels(struct session *session, MlirModule module, struct arena *arena,
                           struct emulator_kernel *kernels) {
  MlirOperation top = mlirModuleGetOperation(module);
  const struct machine *machine = machine_of(top);
  int64_t warps = attribute_number(top, ATTR_NUM_WARPS, 1);
  size_t count = 0;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (kind_of(session, op) != OP_LLVM_FUNC || !attribute_has(op, ATTR_KERNEL_ARGUMENTS) ||
        count == MAX_KERNELS)
      continue;
    MlirStringRef symbol = op_string(op, "sym_name");
    MlirStringRef name = symbol_is_second_version(op) ? symbol : symbol_source_name(op);
    kernels[count++] = (struct emulator_kernel){
        .name = arena_copy_string(arena, name.data, name.length),
        .symbol = arena_copy_string(arena, symbol.data, symbol.length),
        .argument_count = (size_t)attribute_number(op, ATTR_KERNEL_ARGUMENTS, 0),
        .threads =
            (uint32_t)(machine->lanes * (warps * attribute_number(op, ATTR_PROGRAMS_PER_BLOCK, 1) +
                                         attribute_number(op, ATTR_PRODUCER_WARPS, 0))),
        .shared_bytes = (uint32_t)attribute_number(op, ATTR_SHARED_BYTES, 0),
        .machine = machine,
        .cluster_blocks = (uint32_t)attribute_number(op, ATTR_CLUSTER_BLOCKS, 1)};
  }
  return count;
}

/* What becomes of a module in emulator form: a program, or the bytes of an object. */
struct emulator_output {
  tile_emulator_program **program;
  struct text *object;
};

static tile_status emulate(struct session *session, MlirModule module,
                           const struct emulator_output *out) {
  mlirRegisterAllLLVMTranslations(session->context);
  struct arena arena = {0};
  struct emulator_kernel *kernels = ARENA_ARRAY(&arena, struct emulator_kernel, MAX_KERNELS);
  size_t count = list_kernels(session, module, &arena, kernels);
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef llvm = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), context);
  tile_status status;
  if (!llvm) {
    LLVMContextDispose(context);
    status = FAIL(TILE_INTERNAL, "the module cannot be translated to LLVM IR");
  } else if (out->program) {
    status = emulator_program_create(llvm, context, kernels, count, out->program);
  } else {
    status = emulator_object_create(llvm, context, kernels, count, out->object);
  }
  arena_destroy(&arena);
  return status;
}

tile_status compile_emulate(struct session *session, MlirModule module,
                            tile_emulator_program **out) {
  return emulate(session, module, &(struct emulator_output){.program = out});
}

tile_status compile_for_emulator(struct session *session, MlirModule module,
                                 const tile_compile_options *options, tile_emulator_program **out) {
  tile_compile_options plain = *options;
  plain.line_tables = false;
  TRY(compile_lower(session, module, &plain, "tile-to-emulator", &compile_quietly));
  return compile_emulate(session, module, out);
}

/* --- Images ----------------------------------------------------------------------------------- */

static void destroy_program(const void *program) {
  tile_emulator_program_destroy((tile_emulator_program *)(uintptr_t)program);
}

static tile_status emulator_code(struct session *session, MlirModule module,
                                 const tile_compile_options *options, struct owned_image *out,
                                 tile_section *section) {
  tile_emulator_program *program;
  TRY(compile_for_emulator(session, module, options, &program));
  section->data = out->data = program;
  out->destroy_data = destroy_program;
  return NULL;
}

static tile_status object_code(struct session *session, MlirModule module,
                               const tile_compile_options *options, struct arena *arena,
                               tile_section *section) {
  tile_compile_options plain = *options;
  struct text object = {0};
  plain.line_tables = false;
  TRY(compile_lower(session, module, &plain, "tile-to-emulator", &compile_quietly));
  tile_status status = emulate(session, module, &(struct emulator_output){.object = &object});
  if (!status) {
    section->data = arena_copy_string(arena, object.data, object.length);
    section->size = object.length;
  }
  text_free(&object);
  return status;
}

static tile_status device_code(struct session *session, MlirModule module,
                               const tile_compile_options *options,
                               const struct pipeline_options *how, struct text *log,
                               struct arena *arena, tile_section *section) {
  TRY(compile_lower(session, module, options, "tile-to-ptx", how));
  struct text code = {0};
  tile_output output = section->format == TILE_IMAGE_CUBIN ? TILE_OUTPUT_CUBIN : TILE_OUTPUT_PTX;
  tile_status status = compile_emit(session, module, options, output, &code, log);
  if (!status) {
    section->data = arena_copy_string(arena, text_string(&code), code.length);
    section->size = code.length;
  }
  text_free(&code);
  return status;
}

static tile_status fill_image(struct session *session, MlirModule module,
                              const tile_compile_options *options,
                              const struct pipeline_options *how, struct text *report,
                              tile_image_format format, struct owned_image *out) {
  bool emulated = format == TILE_IMAGE_EMULATOR || format == TILE_IMAGE_OBJECT;
  tile_section *section = ARENA_NEW(&out->arena, tile_section);
  const struct machine *target;
  struct kernel_infos infos;
  *section = (tile_section){.format = format, .target = "", .ptx_isa = ""};
  TRY(compile_check_options(options, &target));
  TRY(pipeline_run(session, "", &compile_quietly, module)); /* verifies what is read next */
  kernel_infos_read(session, module, &out->arena, &infos);
  kernel_infos_strip(session, module);
  TRY(format == TILE_IMAGE_OBJECT ? object_code(session, module, options, &out->arena, section)
      : emulated                  ? emulator_code(session, module, options, out, section)
                 : device_code(session, module, options, how, report, &out->arena, section));
  struct machine needed = target_for(session, target, module);
  if (format == TILE_IMAGE_OBJECT) {
    section->target = OBJECT_HOST;
    section->ptx_isa = tile_version()->text;
  } else if (!emulated) {
    section->target = needed.name;
    section->ptx_isa = needed.ptx_isa;
    section->minimum_driver = needed.driver;
  }
  out->image = (tile_image){section, 1, infos.kernels, infos.count};
  TRY(kernel_infos_complete(session, module, &needed, &out->arena, &infos));
  kernel_infos_add_report(&infos, text_string(report));
  return NULL;
}

tile_status compile_to_image(struct session *session, MlirModule module,
                             const tile_compile_options *options, tile_image_format format,
                             const struct pipeline_options *how, struct text *log,
                             tile_image **out) {
  struct owned_image *image = image_create();
  struct text report = {0};
  tile_status status = fill_image(session, module, options, how, &report, format, image);
  if (log)
    text_append(log, text_string(&report), report.length);
  text_free(&report);
  if (status)
    tile_image_free(&image->image);
  else
    *out = &image->image;
  return status;
}

tile_status compile_module(struct session *session, MlirModule module,
                           const tile_compile_options *options, tile_output output,
                           const struct pipeline_options *how, struct text *out, struct text *log) {
  if (output == TILE_OUTPUT_LLVMIR) {
    TRY(compile_lower(session, module, options, "tile-to-ptx", how));
    return compile_emit(session, module, options, output, out, log);
  }
  static const tile_image_format formats[] = {[TILE_OUTPUT_PTX] = TILE_IMAGE_PTX,
                                              [TILE_OUTPUT_CUBIN] = TILE_IMAGE_CUBIN,
                                              [TILE_OUTPUT_EMULATOR] = TILE_IMAGE_OBJECT};
  tile_image *image;
  TRY(compile_to_image(session, module, options, formats[output], how, log, &image));
  tile_status status = compile_print_image(image, out);
  tile_image_free(image);
  return status;
}

tile_status compile_print_image(const tile_image *image, struct text *out) {
  if (image->kernel_count)
    return image_append(image, out);
  text_append(out, image->sections->data, image->sections->size);
  return NULL;
}

void compile_set_device_defaults(tile_compile_options *options) {
  if (!options->programs_per_block)
    options->programs_per_block = TILE_FILL_BLOCK;
  if (options->fewer_warps == TILE_CHOICE_DEFAULT)
    options->fewer_warps = TILE_CHOICE_YES;
  if (options->low_occupancy == TILE_CHOICE_DEFAULT)
    options->low_occupancy = TILE_CHOICE_YES;
}

tile_compile_options compile_options_for(const tile_compile_options *options, bool own_target,
                                         const tile_device *device, tile_image_format *out_format) {
  const tile_device_properties *properties = tile_device_get_properties(device);
  bool emulated = properties->image_formats & 1u << TILE_IMAGE_EMULATOR;
  tile_compile_options own = *options;
  if (own_target && properties->target[0])
    own.target = properties->target;
  /* The emulator's hazards name programs by their blocks and threads as they were asked for. */
  if (!emulated)
    compile_set_device_defaults(&own);
  *out_format = emulated ? TILE_IMAGE_EMULATOR : TILE_IMAGE_PTX;
  return own;
}
