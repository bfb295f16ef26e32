/* SPDX-License-Identifier: MIT */
/* tile-verify-lowered: what is left can be translated and selected.

   Needs: the module after all conversions to llvm and nvvm. Keeps: everything; it only reads.
   LLVM aborts the process on what its code generator cannot select (exp, pow, tanh without approx,
   ...), so only listed intrinsics, and types with a machine form, may reach it. */
#include <string.h>
#include "ir/passes.h"

const struct pass_option verify_lowered_options[] = {
    {"device", OPTION_STRING, "ptx", "who runs the result: ptx or emulator"}, {0}};

/* llvm.intr.* that NVPTX and the host both select for the types we use. */
static const char *const selectable_intrinsics[] = {
    "llvm.intr.abs",     "llvm.intr.assume",    "llvm.intr.bitreverse", "llvm.intr.bswap",
    "llvm.intr.ceil",    "llvm.intr.copysign",  "llvm.intr.ctlz",       "llvm.intr.ctpop",
    "llvm.intr.cttz",    "llvm.intr.fabs",      "llvm.intr.floor",      "llvm.intr.fma",
    "llvm.intr.fptosi.sat", "llvm.intr.fptoui.sat", "llvm.intr.fshl",   "llvm.intr.fshr",
    "llvm.intr.maximum", "llvm.intr.maxnum",    "llvm.intr.minimum",    "llvm.intr.minnum",
    "llvm.intr.rint",    "llvm.intr.roundeven", "llvm.intr.smax",       "llvm.intr.smin",
    "llvm.intr.sqrt",    "llvm.intr.trunc",     "llvm.intr.umax",       "llvm.intr.umin",
    "llvm.intr.strip.invariant.group",
};

static bool has_prefix(MlirStringRef name, const char *prefix) {
  size_t length = strlen(prefix);
  return name.length >= length && memcmp(name.data, prefix, length) == 0;
}

static bool is_selectable(MlirStringRef name) {
  for (size_t i = 0; i < sizeof selectable_intrinsics / sizeof *selectable_intrinsics; i++)
    if (ref_equals(name, selectable_intrinsics[i]))
      return true;
  return false;
}

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
  MlirStringRef name = op_name(op);
  TRY_IR(check_types(op));
  if (has_prefix(name, "tile_ptx.") || has_prefix(name, "nvvm."))
    return SUCCESS;
  if (has_prefix(name, "llvm.intr.") && !is_selectable(name))
    return fail_op(op, "the code generator cannot select this intrinsic");
  if (has_prefix(name, "llvm."))
    return SUCCESS;
  return fail_op(op, "the operation is still there after lowering to llvm; it has no lowering to %s",
                 emulator ? "the emulator" : "PTX");
}

MlirLogicalResult run_verify_lowered(struct pass_context *context, MlirOperation module) {
  const char *device = context->values[0].string;
  if (strcmp(device, "ptx") != 0 && strcmp(device, "emulator") != 0)
    return fail_at(mlirOperationGetLocation(module),
                   "tile-verify-lowered: device is ptx or emulator, not '%s'", device);
  return visit_operations(module, check_operation, context);
}
