/* SPDX-License-Identifier: MIT */
/* Compile time: Python's conversions and its math module, on numbers that are known; types made
   from numbers; what is asked of the target. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "frontend/check/checker.h"

/* --- Conversions ------------------------------------------------------------------------------ */

/* Python's text of a float: "1.5e3", "-inf", "Infinity", spaces around it. */
static bool parse_float(struct slice text, double *out) {
  char copy[64], *end;
  text = slice_trim(text);
  if (text.length == 0 || text.length >= sizeof copy)
    return false;
  memcpy(copy, text.data, text.length);
  copy[text.length] = 0;
  if (strpbrk(copy, "xX(")) /* hexadecimal and nan(...) are C's */
    return false;
  *out = c_strtod(copy, &end);
  return *end == 0;
}

/* float("inf"), float(3). */
bool builtin_to_float(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *x = &call->arguments[0];
  double number = 0;
  if (!x->given || value_is_number(&x->value))
    number = x->given ? value_as_double(&x->value) : 0;
  else if (x->value.kind != VALUE_STRING || !parse_float(x->value.text, &number))
    return argument_fail(c, x,
                         "a compile-time number, \"inf\" or \"nan\" (of a tile use "
                         ".to(tl.float32))");
  *out = value_float(number);
  return true;
}

bool builtin_to_int(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *x = &call->arguments[0];
  if (!value_is_number(&x->value) || !(fabs(value_as_double(&x->value)) < 0x1p63))
    return argument_fail(c, x, "a compile-time number (of a tile use .to(tl.int32))");
  *out = x->value.kind == VALUE_INTEGER ? x->value
                                        : value_integer((int64_t)value_as_double(&x->value));
  return true;
}

/* bool(x): the truth of a compile-time value; of a tile, element by element. */
bool builtin_to_bool(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *x = &call->arguments[0];
  if (value_is_compile_time(&x->value)) {
    *out = value_bool(value_truth(&x->value));
    return true;
  }
  return emit_truth(&c->e, &x->value, out) || check_fail_emitter(c, x->span);
}

bool builtin_to_string(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *x = &call->arguments[0];
  if (!value_is_constant(&x->value))
    return argument_fail(c, x, "a value that is known at compile time");
  *out = value_string(&c->e.arena, &x->value);
  return check_text_size(c, call->span, out->text.length);
}

/* round(x): to the nearest integer, halves to the even one; round(x, n): to n decimal places. */
bool builtin_py_round(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *x = &call->arguments[0];
  int64_t digits;
  if (!value_is_number(&x->value))
    return argument_fail(c, x, "a compile-time number (of a tile use libdevice.rint)");
  if (!argument_integer(c, &call->arguments[1], 0, &digits))
    return false;
  double number = value_as_double(&x->value);
  if (x->value.kind != VALUE_FLOAT) {
    *out = x->value;
  } else if (argument_given(&call->arguments[1])) {
    double scale = pow(10, (double)digits);
    *out = value_float(nearbyint(number * scale) / scale);
  } else {
    return number_rounded(nearbyint(number), out) == NUMBER_FINE ||
           check_fail(c, x->span, "the number does not fit 64 bits");
  }
  return true;
}

/* --- Python's math module --------------------------------------------------------------------- */

static bool fail_math(struct checker *c, const struct builtin_call *call,
                      const struct argument *argument) {
  const char *name = call->builtin->name + strlen("py.math.");
  return argument_fail(c, argument,
                       text_format(&c->e.arena, "a compile-time number (of a tile use %s.%s)",
                                   builtin_find(name) ? "tl" : "libdevice", name));
}

bool builtin_py_math(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *x = &call->arguments[0];
  const char *name = call->builtin->name + strlen("py.math.");
  if (!value_is_number(&x->value))
    return fail_math(c, call, x);
  enum number_fault fault = number_function(name, &x->value, out);
  if (fault == NUMBER_UNDEFINED)
    return check_fail(c, x->span, "math.%s of %g is not defined", name, value_as_double(&x->value));
  return fault != NUMBER_TOO_LARGE || check_fail(c, x->span, "the number does not fit 64 bits");
}

bool builtin_py_math_pow(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *arguments = call->arguments;
  for (int i = 0; i < 2; i++)
    if (!value_is_number(&arguments[i].value))
      return fail_math(c, call, &arguments[i]);
  *out =
      value_float(pow(value_as_double(&arguments[0].value), value_as_double(&arguments[1].value)));
  return true;
}

/* --- Of powers of two ------------------------------------------------------------------------- */

static bool read_positive(struct checker *c, const struct argument *argument, int64_t *out) {
  if (!argument_integer(c, argument, 0, out))
    return false;
  return *out > 0 ||
         check_fail(c, argument->span, "a positive number is needed, not %lld", (long long)*out);
}

/* tl._log2(n): the exponent of the largest power of two in n. */
bool builtin_log2_of_integer(struct checker *c, const struct builtin_call *call,
                             struct value *out) {
  int64_t number, exponent = 0;
  if (!read_positive(c, &call->arguments[0], &number))
    return false;
  for (; number > 1; number >>= 1)
    exponent++;
  *out = value_integer(exponent);
  return true;
}

bool builtin_is_power_of_two(struct checker *c, const struct builtin_call *call,
                             struct value *out) {
  int64_t number;
  if (!argument_integer(c, &call->arguments[0], 0, &number))
    return false;
  *out = value_bool(number > 0 && (number & (number - 1)) == 0);
  return true;
}

/* --- Types ------------------------------------------------------------------------------------ */

/* get_int_dtype(bitwidth, signed). */
bool builtin_get_int_dtype(struct checker *c, const struct builtin_call *call, struct value *out) {
  int64_t bits;
  bool is_signed;
  if (!argument_integer(c, &call->arguments[0], 0, &bits) ||
      !argument_bool(c, &call->arguments[1], true, &is_signed))
    return false;
  for (int id = 0; id < DTYPE_COUNT; id++) {
    struct dtype dtype = {.id = (enum dtype_id)id};
    bool wanted = dtype_is_integer(dtype) && dtype_bits(dtype) == bits &&
                  (dtype_is_unsigned(dtype) == !is_signed || bits == 1);
    if (!wanted)
      continue;
    *out = (struct value){.kind = VALUE_DTYPE, .dtype = dtype};
    return true;
  }
  return check_fail(c, call->arguments[0].span, "integers have 1, 8, 16, 32 or 64 bits, not %lld",
                    (long long)bits);
}

/* torch.finfo(type), torch.iinfo(type): a module whose names are in constants.def. */
bool builtin_type_limits(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct dtype dtype;
  bool floats = call->variant;
  if (!argument_dtype(c, &call->arguments[0], DTYPE(FLOAT32), &dtype))
    return false;
  if (dtype.pointers || dtype_is_float(dtype) != floats)
    return argument_fail(c, &call->arguments[0],
                         floats ? "a floating-point type" : "a type of integers");
  struct text name = {0};
  text_printf(&name, "%s.", call->builtin->name + strlen("py."));
  dtype_print(dtype, &name);
  *out = (struct value){.kind = VALUE_MODULE, .text = slice_of(text_keep(&name, &c->e.arena))};
  return true;
}

/* --- The target ------------------------------------------------------------------------------- */

/* target_info.is_cuda() and its kin: the vendor is part of the name. */
bool builtin_is_vendor(struct checker *c, const struct builtin_call *call, struct value *out) {
  (void)c;
  *out = value_bool(call->variant);
  return true;
}

/* target_info.cuda_capability_geq(major, minor). */
bool builtin_cuda_capability_geq(struct checker *c, const struct builtin_call *call,
                                 struct value *out) {
  int64_t major, minor;
  if (!argument_integer(c, &call->arguments[0], 0, &major) ||
      !argument_integer(c, &call->arguments[1], 0, &minor))
    return false;
  if (!c->e.capability)
    return check_fail(c, call->span,
                      "the target is not known here; name it (tile-translate "
                      "--target), or make the answer a tl.constexpr parameter");
  *out = value_bool(c->e.capability / 10 > major ||
                    (c->e.capability / 10 == major && c->e.capability % 10 >= minor));
  return true;
}
