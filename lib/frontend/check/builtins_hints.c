/* What the kernel's author knows and the compiler cannot see. */
#include "frontend/check/checker.h"

/* Puts `name` on the operation that makes the value; on a copy of an argument it needs one first. */
static bool hint(struct checker *c, const struct builtin_call *call, const char *name,
                 struct value *out) {
  const struct argument *input = &call->arguments[0], *values = &call->arguments[1];
  if (input->value.kind != VALUE_RUNTIME) {
    *out = input->value;
    return true;
  }
  const struct value *items =
      values->value.kind == VALUE_TUPLE ? values->value.tuple.items : &values->value;
  size_t count = values->value.kind == VALUE_TUPLE ? values->value.tuple.count : 1;
  int64_t shape[MAX_RANK];
  int rank = type_shape(mlirValueGetType(input->value.run_time.ir), shape);
  MlirAttribute attributes[MAX_RANK];
  if (count != (size_t)(rank ? rank : 1))
    return check_fail(c, values->span, "one number a dimension: %d, not %zu", rank, count);
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind != VALUE_INTEGER || items[i].integer < 1)
      return check_fail(c, values->span, "a hint is made of positive compile-time integers");
    attributes[i] = attribute_integer(c->e.session->context, 32, items[i].integer);
  }
  *out = input->value;
  MlirOperation op = value_definition(out->run_time.ir);
  if (mlirOperationIsNull(op))
    return true; /* a parameter or loop variable: its signature speaks for it */
  MlirAttribute attribute =
      count == 1 ? attributes[0]
                 : mlirArrayAttrGet(c->e.session->context, (intptr_t)count, attributes);
  mlirOperationSetDiscardableAttributeByName(op, ref(name), attribute);
  return true;
}

bool builtin_multiple_of(struct checker *c, const struct builtin_call *call, struct value *out) {
  return hint(c, call, "tile.divisibility", out);
}

bool builtin_max_contiguous(struct checker *c, const struct builtin_call *call,
                            struct value *out) {
  return hint(c, call, "tile.contiguity", out);
}

bool builtin_assume(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value condition;
  *out = value_none();
  if (value_is_compile_time(&call->arguments[0].value))
    return true;
  if (!emit_truth(&c->e, &call->arguments[0].value, &condition) ||
      type_is_tensor(mlirValueGetType(condition.run_time.ir)))
    return check_fail(c, call->arguments[0].span, "tl.assume takes a scalar condition");
  BUILD_OP(&c->e.b, "tile.assume", IN(condition.run_time.ir));
  return true;
}

bool builtin_static_assert(struct checker *c, const struct builtin_call *call,
                           struct value *out) {
  const struct argument *condition = &call->arguments[0], *message = &call->arguments[1];
  *out = value_none();
  if (!value_is_compile_time(&condition->value))
    return check_fail(c, condition->span, "tl.static_assert takes a compile-time condition");
  if (value_truth(&condition->value))
    return true;
  if (message->given && message->value.kind == VALUE_STRING)
    return check_fail(c, call->span, "static assertion failed: %.*s",
                      (int)message->value.text.length, message->value.text.data);
  return check_fail(c, call->span, "static assertion failed");
}
