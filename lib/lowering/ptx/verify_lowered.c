/* SPDX-License-Identifier: MIT */
/* tile-verify-lowered: what is left can be translated and selected.

   Needs: the module after all conversions to llvm and nvvm. Keeps: everything; it only reads.
   LLVM aborts the process on what its code generator cannot select (exp, pow, tanh without approx,
   ...), so only listed intrinsics, and types with a machine form, may reach it. */
#include <string.h>
#include "ir/passes.h"

const struct pass_option verify_lowered_options[] = {
    {"device", OPTION_STRING, "ptx", "who runs the result: ptx or emulator"}, {0}};

/* f80, f128, odd integers, tensors: types with no register on the device. */
static bool is_machine_type(MlirType type) {
  if (mlirTypeIsATensor(type) || mlirTypeIsAMemRef(type) || mlirTypeIsAIndex(type))
    return false;
  if (mlirTypeIsAVector(type))
    return is_machine_type(mlirShapedTypeGetElementType(type));
  if (mlirTypeIsAInteger(type)) {
    unsigned width = mlirIntegerTypeGetWidth(type);
    return width == 1 || width == 8 || width == 16 || width == 32 || width == 64 || width == 128;
  }
  if (mlirTypeIsAFloat(type))
    return type_is_float(type);
  return true;
}

static MlirLogicalResult check_types(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirType type = op_result_type(op, i);
    if (is_machine_type(type))
      continue;
    struct text text = {0};
    type_print(type, &text);
    fail_op(op, "type %s has no machine form", text_string(&text));
    text_free(&text);
    return FAILURE;
  }
  return SUCCESS;
}

static MlirLogicalResult check_operation(MlirOperation op, void *data) {
  const struct pass_context *context = data;
  bool emulator = strcmp(context->values[0].string, "emulator") == 0;
  const struct op_info *info = op_info(&context->session->names, op);
  TRY_IR(check_types(op));
  if (info->dialect == DIALECT_INTRINSIC && !(info->properties & IS_SELECTABLE))
    return fail_op(op, "the code generator cannot select this intrinsic");
  if (info->dialect == DIALECT_TILE_PTX || info->dialect > DIALECT_UPSTREAM)
    return SUCCESS;
  return fail_op(op,
                 "the operation is still there after lowering to llvm; it has no lowering to %s",
                 emulator ? "the emulator" : "PTX");
}

MlirLogicalResult run_verify_lowered(struct pass_context *context, MlirOperation module) {
  const char *device = context->values[0].string;
  if (strcmp(device, "ptx") != 0 && strcmp(device, "emulator") != 0)
    return fail_at(mlirOperationGetLocation(module),
                   "tile-verify-lowered: device is ptx or emulator, not '%s'", device);
  return visit_operations(module, check_operation, context);
}
