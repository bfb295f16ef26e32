/* SPDX-License-Identifier: MIT */
/* See operands.h. */
#include "frontend/check/operands.h"

#include <string.h>

bool operand_fail(struct checker *c, const struct builtin_call *call, int index,
                  const char *wanted) {
  return check_fail(c, call->arguments[index].span, "%s takes %s, not %s",
                    builtin_label(c, call->builtin), wanted,
                    value_describe(&c->e.arena, &call->arguments[index].value));
}

bool operand_number(struct checker *c, const struct builtin_call *call, int index,
                    struct value *out) {
  const struct value *value = &call->arguments[index].value;
  if (!value_is_number(value) &&
      (value->kind != VALUE_RUNTIME || dtype_is_pointer(value->run_time.dtype)))
    return operand_fail(c, call, index, "numbers and tiles of numbers");
  return emit_runtime(&c->e, value, out) || check_fail_emitter(c, call->arguments[index].span);
}

/* Whether a value can stand among floating-point numbers, or among integers. */
static bool is_wanted(const struct value *value, bool floats) {
  if (value->kind != VALUE_RUNTIME)
    return value_is_number(value) && (floats || value->kind != VALUE_FLOAT);
  struct dtype dtype = value->run_time.dtype;
  return floats ? dtype_is_float(dtype) && dtype_bits(dtype) >= 16 : dtype_is_integer(dtype);
}

bool operands_alike(struct checker *c, const struct builtin_call *call, int count, bool floats,
                    struct value *out) {
  for (int i = 0; i < count; i++) {
    out[i] = call->arguments[i].value;
    if (!is_wanted(&out[i], floats))
      return operand_fail(
          c, call, i, floats ? "floating-point numbers (cast with .to(tl.float32))" : "integers");
    if (floats && value_is_number(&out[i]) && out[i].kind != VALUE_FLOAT)
      out[i] = value_float(value_as_double(&out[i])); /* gives way to any float type */
    else if (value_is_number(&out[i]) && !emit_runtime(&c->e, &out[i], &out[i]))
      return check_fail_emitter(c, call->arguments[i].span);
  }
  return emit_common(&c->e, out, (size_t)count);
}

/* A number that a run-time operand can hold takes its type: what is left to be a tensor of its own.
 */
static bool stays_tensor(const struct value *number, const struct value *values, int count,
                         bool floats) {
  for (int i = 0; i < count; i++)
    if (values[i].kind == VALUE_RUNTIME &&
        (floats || number_fits(number, values[i].run_time.dtype)))
      return false;
  return true;
}

bool operands_promoted(struct checker *c, const struct builtin_call *call, int count, bool floats,
                       struct value *out) {
  for (int i = 0; i < count; i++) {
    out[i] = call->arguments[i].value;
    if (!value_is_number(&out[i]) && !operand_number(c, call, i, &out[i]))
      return false;
  }
  for (int i = 0; i < count; i++)
    if (value_is_number(&out[i]) && stays_tensor(&out[i], out, count, floats) &&
        !emit_runtime(&c->e, &out[i], &out[i]))
      return check_fail_emitter(c, call->arguments[i].span);
  if (!emit_common(&c->e, out, (size_t)count))
    return false;
  for (int i = 0; i < count; i++) /* the first operand that is to blame */
    if (!is_wanted(&out[0], floats) &&
        (i == count - 1 || !is_wanted(&call->arguments[i].value, floats)))
      return operand_fail(c, call, i,
                          floats ? "floating-point operands (one at least; cast with "
                                   ".to(tl.float32))"
                                 : "integers");
  return true;
}

bool operand_is_half(const struct value *value) {
  enum dtype_id id = value->run_time.dtype.id;
  return !value->run_time.dtype.pointers && (id == DTYPE_FLOAT16 || id == DTYPE_BFLOAT16);
}

bool operand_cast(struct checker *c, struct dtype dtype, struct value *value) {
  struct value source = *value;
  return emit_cast(&c->e, &source, dtype, value);
}

struct value operand_build(struct checker *c, const char *operation, const struct value *operands,
                           int count, const char *flags) {
  enum { MAX_OPERANDS = 3 };
  MlirValue in[MAX_OPERANDS];
  for (int i = 0; i < count; i++)
    in[i] = operands[i].run_time.ir;
  MlirType type = mlirValueGetType(in[0]);
  MlirNamedAttribute attribute = {0};
  if (flags)
    attribute = emit_fastmath(&c->e, strcmp(flags, "afn") == 0 ? FASTMATH_AFN : FASTMATH_ARCP);
  MlirValue ir = BUILD(&c->e.b, operation, .in = in, .in_count = count, OUT(type),
                       .attributes = &attribute, .attribute_count = flags != NULL);
  return value_runtime(ir, operands[0].run_time.dtype);
}

struct value operand_quotient(struct checker *c, const struct value *operands, bool exact) {
  bool fast = !exact && dtype_equal(operands[0].run_time.dtype, DTYPE(FLOAT32));
  return operand_build(c, "arith.divf", operands, 2, fast ? "arcp" : NULL);
}

struct value operand_exp(struct checker *c, const struct value *x) {
  bool fast = dtype_equal(x->run_time.dtype, DTYPE(FLOAT32));
  return operand_build(c, "math.exp", x, 1, fast ? "afn" : NULL);
}
