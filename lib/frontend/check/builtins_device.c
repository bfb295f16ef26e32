/* SPDX-License-Identifier: MIT */
/* The machine: barriers, dependent launches, clocks. */
#include "frontend/check/checker.h"

bool builtin_plain(struct checker *c, const struct builtin_call *call, struct value *out) {
  static const char *const operations[] = {"tile.barrier", "tile.grid_wait", "tile.grid_launch"};
  BUILD_OP(&c->e.b, operations[call->variant], .in = NULL);
  *out = value_none();
  return true;
}

/* A special register of so many bits, read anew each time. */
bool builtin_special_register(struct checker *c, const struct builtin_call *call,
                              struct value *out) {
  bool wide = call->variant == 64;
  const char *assembly = wide ? "mov.u64 $0, %globaltimer;" : "mov.u32 $0, %smid;";
  const char *constraints = wide ? "=l" : "=r";
  struct dtype dtype = wide ? DTYPE(INT64) : DTYPE(INT32);
  *out = value_runtime(
      BUILD(&c->e.b, "tile.inline_asm", OUT(dtype_to_mlir(&c->e, dtype)),
            ATTRIBUTES(text_attribute(&c->e, "asm", slice_of(assembly)),
                       text_attribute(&c->e, "constraints", slice_of(constraints)),
                       integer_attribute(&c->e, "pack", 1), bool_attribute(&c->e, "pure", false),
                       segments_attribute(&c->e, "operandSegmentSizes", 0),
                       segments_attribute(&c->e, "resultSegmentSizes", 1))),
      dtype);
  return true;
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
