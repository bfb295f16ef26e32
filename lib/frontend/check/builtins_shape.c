/* Program ids, and tiles from nothing or from other tiles. */
#include "frontend/check/checker.h"

static bool special(struct checker *c, const struct builtin_call *call, const char *name,
                    struct value *out) {
  const struct value *axis = &call->arguments[0].value;
  if (axis->kind != VALUE_INTEGER || axis->integer < 0 || axis->integer > 2)
    return check_fail(c, call->arguments[0].span, "the axis is 0, 1 or 2");
  MlirContext context = c->e.session->context;
  *out = value_runtime(
      BUILD(&c->e.b, name, OUT(dtype_to_mlir(&c->e, DTYPE(INT32))),
            ATTRIBUTES(attribute_named(context, "axis",
                                       attribute_integer(context, 32, axis->integer)))),
      DTYPE(INT32));
  return true;
}

bool builtin_program_id(struct checker *c, const struct builtin_call *call, struct value *out) {
  return special(c, call, "tile.program_id", out);
}

bool builtin_num_programs(struct checker *c, const struct builtin_call *call, struct value *out) {
  return special(c, call, "tile.num_programs", out);
}

bool builtin_arange(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *arguments = call->arguments;
  for (int i = 0; i < 2; i++)
    if (arguments[i].value.kind != VALUE_INTEGER)
      return check_fail(c, arguments[i].span,
                        "tl.arange takes compile-time integers; make the size a tl.constexpr");
  int64_t start = arguments[0].value.integer, end = arguments[1].value.integer;
  if (start < INT32_MIN || end > INT32_MAX || end <= start)
    return check_fail(c, call->span, "tl.arange(%lld, %lld) is empty or beyond 32 bits",
                      (long long)start, (long long)end);
  int64_t length = end - start;
  if (length & (length - 1))
    return check_fail(c, call->span, "tl.arange's length %lld is not a power of two; take the next "
                                     "one and mask", (long long)length);
  if (length > MAX_TILE_ELEMENTS)
    return check_fail(c, call->span, "a tile has at most %d elements", MAX_TILE_ELEMENTS);
  MlirContext context = c->e.session->context;
  MlirType type = tensor_type(1, &length, dtype_to_mlir(&c->e, DTYPE(INT32)), (MlirAttribute){0});
  *out = value_runtime(
      BUILD(&c->e.b, "tile.range", OUT(type),
            ATTRIBUTES(attribute_named(context, "start", attribute_integer(context, 32, start)),
                       attribute_named(context, "end", attribute_integer(context, 32, end)))),
      DTYPE(INT32));
  return true;
}

static bool fill(struct checker *c, const struct argument *shape_argument,
                 const struct argument *value, struct dtype dtype, struct value *out) {
  int rank;
  int64_t shape[MAX_RANK];
  if (!argument_shape(c, shape_argument, &rank, shape))
    return false;
  if (!emit_cast(&c->e, &value->value, dtype, out) || !emit_broadcast_to(&c->e, out, rank, shape))
    return check_fail_emitter(c, value->span);
  return true;
}

bool builtin_zeros(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct dtype dtype;
  struct argument zero = {.value = value_integer(0), .span = call->span};
  return argument_dtype(c, &call->arguments[1], DTYPE(FLOAT32), &dtype) &&
         fill(c, &call->arguments[0], &zero, dtype, out);
}

bool builtin_full(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct dtype dtype, own = DTYPE(FLOAT32);
  if (call->arguments[1].value.kind == VALUE_RUNTIME)
    own = call->arguments[1].value.run_time.dtype;
  else if (call->arguments[1].value.kind == VALUE_INTEGER)
    own = dtype_of_integer(call->arguments[1].value.integer, false);
  return argument_dtype(c, &call->arguments[2], own, &dtype) &&
         fill(c, &call->arguments[0], &call->arguments[1], dtype, out);
}

bool builtin_zeros_like(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *like = &call->arguments[0].value;
  int64_t shape[MAX_RANK];
  int rank;
  if (!argument_tile(c, &call->arguments[0], &rank, shape))
    return false;
  struct value zero = value_integer(0);
  return (emit_cast(&c->e, &zero, like->run_time.dtype, out) &&
          emit_broadcast_to(&c->e, out, rank, shape)) ||
         check_fail_emitter(c, call->span);
}

bool builtin_expand_dims(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *axis = &call->arguments[1];
  int64_t shape[MAX_RANK];
  int rank;
  if (!argument_tile(c, &call->arguments[0], &rank, shape))
    return false;
  *out = call->arguments[0].value;
  int64_t at = axis->value.kind == VALUE_INTEGER ? axis->value.integer : MAX_RANK + 1;
  at = at < 0 ? at + rank + 1 : at;
  if (at < 0 || at > rank)
    return check_fail(c, axis->span, "the axis is a compile-time integer from %d to %d", -rank - 1,
                      rank);
  return emit_expand_dims(&c->e, out, (int)at) || check_fail_emitter(c, call->span);
}

bool builtin_broadcast_to(struct checker *c, const struct builtin_call *call, struct value *out) {
  int rank;
  int64_t shape[MAX_RANK];
  if (!argument_shape(c, &call->arguments[1], &rank, shape))
    return false;
  if (!emit_runtime(&c->e, &call->arguments[0].value, out) ||
      !emit_broadcast_to(&c->e, out, rank, shape))
    return check_fail_emitter(c, call->span);
  return true;
}
