/* SPDX-License-Identifier: MIT */
/* The machine: barriers, dependent launches, clocks. */
#include "frontend/check/checker.h"

static bool plain(struct checker *c, const char *operation, struct value *out) {
  BUILD_OP(&c->e.b, operation, .in = NULL);
  *out = value_none();
  return true;
}

bool builtin_debug_barrier(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)call;
  return plain(c, "tile.barrier", out);
}

bool builtin_gdc_wait(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)call;
  return plain(c, "tile.grid_wait", out);
}

bool builtin_gdc_launch_dependents(struct checker *c, const struct builtin_call *call,
                                   struct value *out) {
  (void)call;
  return plain(c, "tile.grid_launch", out);
}

/* A special register, read anew each time. */
static bool read_register(struct checker *c, const char *assembly, const char *constraints,
                          struct dtype dtype, struct value *out) {
  MlirContext context = c->e.session->context;
  int32_t operands[8] = {0}, results[8] = {1};
  *out = value_runtime(
      BUILD(&c->e.b, "tile.inline_asm", OUT(dtype_to_mlir(&c->e, dtype)),
            ATTRIBUTES(
                attribute_named(context, "asm", attribute_string(context, assembly)),
                attribute_named(context, "constraints", attribute_string(context, constraints)),
                attribute_named(context, "pack", attribute_integer(context, 32, 1)),
                attribute_named(context, "pure", mlirBoolAttrGet(context, false)),
                attribute_named(context, "operandSegmentSizes",
                                attribute_dense_i32(context, 8, operands)),
                attribute_named(context, "resultSegmentSizes",
                                attribute_dense_i32(context, 8, results)))),
      dtype);
  return true;
}

bool builtin_globaltimer(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)call;
  return read_register(c, "mov.u64 $0, %globaltimer;", "=l", DTYPE(INT64), out);
}

bool builtin_smid(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)call;
  return read_register(c, "mov.u32 $0, %smid;", "=r", DTYPE(INT32), out);
}

bool builtin_num_threads(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)out;
  return check_fail(c, call->span,
                    "%s is not known while a kernel is read; make it a tl.constexpr "
                    "parameter",
                    builtin_label(c, call->builtin));
}

bool builtin_tensormap(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)out;
  return check_fail(c, call->span,
                    "%s is not supported: descriptors are not laid out in memory; use "
                    "tl.make_tensor_descriptor where the tensor is read",
                    builtin_label(c, call->builtin));
}
