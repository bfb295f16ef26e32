/* SPDX-License-Identifier: MIT */
/* Casts: tl.cast, x.to, and types made of types. */
#include "frontend/check/checker.h"

/* tl.cast(x, dtype, fp_downcast_rounding, bitcast) and x.to(dtype, ...). */
bool builtin_cast(struct checker *c, const struct builtin_call *call, struct value *out) {
  static const char *const modes[] = {"rtne", "rtz", NULL};
  const struct argument *x = &call->arguments[0], *rounding = &call->arguments[2];
  struct dtype to;
  int mode;
  bool bitcast;
  if (call->arguments[1].value.kind != VALUE_DTYPE)
    return argument_fail(c, &call->arguments[1], "a type such as tl.float32");
  to = call->arguments[1].value.dtype;
  if (!argument_word(c, rounding, modes, 0, &mode) ||
      !argument_bool(c, &call->arguments[3], false, &bitcast))
    return false;
  return bitcast     ? emit_bitcast(&c->e, &x->value, to, out)
         : mode == 1 ? emit_truncate(&c->e, &x->value, to, out)
                     : emit_convert(&c->e, &x->value, to, out);
}

/* tl.pointer_type(tl.float16): the type of a pointer to one. */
bool builtin_pointer_type(struct checker *c, const struct builtin_call *call, struct value *out) {
  if (call->arguments[0].value.kind != VALUE_DTYPE)
    return argument_fail(c, &call->arguments[0], "a type such as tl.float32");
  *out = call->arguments[0].value;
  out->dtype.pointers++;
  return true;
}

/* tl.to_tensor(3): a number as a run-time scalar of its own type. */
bool builtin_to_tensor(struct checker *c, const struct builtin_call *call, struct value *out) {
  return argument_run_time(c, &call->arguments[0], out);
}
