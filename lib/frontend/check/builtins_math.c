/* Elementwise functions and casts. */
#include <math.h>
#include "frontend/check/checker.h"

bool builtin_where(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  return emit_where(&c->e, &a[0].value, &a[1].value, &a[2].value, out) ||
         check_fail_emitter(c, call->span);
}

static bool binary(struct checker *c, const struct builtin_call *call,
                   enum binary_operator operation, struct value *out) {
  return emit_binary(&c->e, operation, &call->arguments[0].value, &call->arguments[1].value, out) ||
         check_fail_emitter(c, call->span);
}

bool builtin_minimum(struct checker *c, const struct builtin_call *call, struct value *out) {
  return binary(c, call, BINARY_MINIMUM, out);
}

bool builtin_maximum(struct checker *c, const struct builtin_call *call, struct value *out) {
  return binary(c, call, BINARY_MAXIMUM, out);
}

/* (x + y - 1) // y. */
bool builtin_cdiv(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *x = &call->arguments[0].value, *y = &call->arguments[1].value;
  struct value one = value_integer(1), less, sum;
  return (emit_binary(&c->e, BINARY_SUBTRACT, y, &one, &less) &&
          emit_binary(&c->e, BINARY_ADD, x, &less, &sum) &&
          emit_binary(&c->e, BINARY_FLOOR_DIVIDE, &sum, y, out)) ||
         check_fail_emitter(c, call->span);
}

bool builtin_absolute(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *x = &call->arguments[0].value;
  if (x->kind == VALUE_INTEGER || x->kind == VALUE_FLOAT) {
    *out = *x;
    if (x->kind == VALUE_FLOAT)
      out->number = fabs(x->number);
    else if (x->integer < 0)
      return emit_negate(&c->e, x, out) || check_fail_emitter(c, call->span);
    return true;
  }
  if (!emit_runtime(&c->e, x, out))
    return check_fail_emitter(c, call->span);
  if (dtype_is_pointer(out->run_time.dtype))
    return check_fail(c, call->span, "tl.abs takes numbers, not pointers");
  if (dtype_is_unsigned(out->run_time.dtype) || dtype_is_bool(out->run_time.dtype))
    return true;
  out->run_time.ir =
      BUILD(&c->e.b, dtype_is_float(out->run_time.dtype) ? "math.absf" : "math.absi",
            IN(out->run_time.ir), OUT(mlirValueGetType(out->run_time.ir)));
  return true;
}

/* A function of one floating-point tile. */
static bool unary(struct checker *c, const struct builtin_call *call, const char *name,
                  struct value *out) {
  if (!emit_runtime(&c->e, &call->arguments[0].value, out))
    return check_fail_emitter(c, call->span);
  if (!dtype_is_float(out->run_time.dtype)) {
    struct text text = {0};
    value_describe(out, &text);
    check_fail(c, call->arguments[0].span,
               "tl.%s takes floating-point numbers, not %s; cast it with .to(tl.float32)",
               call->builtin->name, text_string(&text));
    text_free(&text);
    return false;
  }
  out->run_time.ir = BUILD(&c->e.b, name, IN(out->run_time.ir),
                           OUT(mlirValueGetType(out->run_time.ir)));
  return true;
}

#define UNARY(function)                                                                            \
  bool builtin_##function(struct checker *c, const struct builtin_call *call,                      \
                          struct value *out) {                                                     \
    return unary(c, call, "math." #function, out);                                                 \
  }
UNARY(exp)
UNARY(exp2)
UNARY(log)
UNARY(log2)
UNARY(sqrt)
UNARY(rsqrt)
UNARY(floor)
UNARY(ceil)

bool builtin_fma(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value x = call->arguments[0].value, y = call->arguments[1].value;
  struct value z = call->arguments[2].value, sum;
  if (!emit_binary(&c->e, BINARY_MULTIPLY, &x, &y, &sum) ||
      !emit_binary(&c->e, BINARY_ADD, &sum, &z, &sum))
    return check_fail_emitter(c, call->span); /* dead; its type is the common one */
  if (sum.kind != VALUE_RUNTIME || !dtype_is_float(sum.run_time.dtype))
    return check_fail(c, call->span, "tl.fma takes floating-point tiles");
  struct dtype type = sum.run_time.dtype;
  if (!emit_cast(&c->e, &x, type, &x) || !emit_cast(&c->e, &y, type, &y) ||
      !emit_cast(&c->e, &z, type, &z) || !emit_broadcast(&c->e, &x, &sum) ||
      !emit_broadcast(&c->e, &y, &sum) || !emit_broadcast(&c->e, &z, &sum))
    return check_fail_emitter(c, call->span);
  *out = value_runtime(BUILD(&c->e.b, "math.fma",
                             IN(x.run_time.ir, y.run_time.ir, z.run_time.ir),
                             OUT(mlirValueGetType(sum.run_time.ir))),
                       type);
  return true;
}

static bool reinterpret(struct checker *c, const struct builtin_call *call, struct dtype to,
                        struct value *out) {
  struct value x;
  if (!emit_runtime(&c->e, &call->arguments[0].value, &x))
    return check_fail_emitter(c, call->span);
  if (x.run_time.dtype.pointers || to.pointers)
    return emit_cast(&c->e, &x, to, out) || check_fail_emitter(c, call->span);
  if (dtype_bits(x.run_time.dtype) != dtype_bits(to))
    return check_fail(c, call->span, "a bitcast keeps the number of bits: %u and %u",
                      dtype_bits(x.run_time.dtype), dtype_bits(to));
  bool same = mlirTypeEqual(dtype_to_mlir(&c->e, x.run_time.dtype), dtype_to_mlir(&c->e, to));
  MlirType type = tile_type_like(&c->e, x.run_time.ir, to);
  *out = value_runtime(
      same ? x.run_time.ir : BUILD(&c->e.b, "arith.bitcast", IN(x.run_time.ir), OUT(type)), to);
  return true;
}

/* tl.cast and x.to: fp_downcast_rounding="rtne" is what arith.truncf does. */
bool builtin_cast(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *arguments = call->arguments;
  if (arguments[1].value.kind != VALUE_DTYPE)
    return check_fail(c, arguments[1].span, "a type such as tl.float32 is needed");
  if (arguments[2].given && arguments[2].value.kind == VALUE_STRING &&
      !slice_equals(arguments[2].value.text, "rtne"))
    return check_fail(c, arguments[2].span, "only fp_downcast_rounding=\"rtne\" is supported");
  struct dtype to = arguments[1].value.dtype;
  if (arguments[3].given && value_truth(&arguments[3].value))
    return reinterpret(c, call, to, out);
  return emit_cast(&c->e, &arguments[0].value, to, out) || check_fail_emitter(c, call->span);
}

/* float("inf"), float(3): compile time only. */
bool builtin_to_float(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *x = &call->arguments[0].value;
  if (value_is_number(x)) {
    *out = value_float(value_as_double(x));
    return true;
  }
  static const struct {
    const char *text;
    double value;
  } words[] = {{"inf", INFINITY},  {"+inf", INFINITY},     {"-inf", -INFINITY},
               {"Inf", INFINITY},  {"infinity", INFINITY}, {"nan", NAN}};
  for (size_t i = 0; x->kind == VALUE_STRING && i < sizeof words / sizeof *words; i++)
    if (slice_equals(x->text, words[i].text)) {
      *out = value_float(words[i].value);
      return true;
    }
  return check_fail(c, call->span, "float() takes a compile-time number, \"inf\" or \"nan\"; of a tile "
                                   "use .to(tl.float32)");
}

bool builtin_to_int(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *x = &call->arguments[0].value;
  if (!value_is_number(x) || fabs(value_as_double(x)) >= 0x1p63)
    return check_fail(c, call->span, "int() takes a compile-time number; of a tile use .to(tl.int32)");
  *out = value_integer(x->kind == VALUE_INTEGER ? x->integer : (int64_t)value_as_double(x));
  return true;
}
