/* SPDX-License-Identifier: MIT */
/* Operators at run time: promotion, broadcasting, one arith operation. fold.c has compile time. */
#include "frontend/check/value.h"

static bool is_bitwise(enum binary_operator operation) {
  return operation >= BINARY_AND && operation <= BINARY_SHIFT_RIGHT;
}

/* --- Run time --------------------------------------------------------------------------------- */

/* The arith operation for one family of types: floating-point, signed, unsigned. */
struct operation_row {
  const char *on_float, *on_signed, *on_unsigned;
};

static const struct operation_row operation_rows[] = {
    [BINARY_ADD] = {"arith.addf", "arith.addi", "arith.addi"},
    [BINARY_SUBTRACT] = {"arith.subf", "arith.subi", "arith.subi"},
    [BINARY_MULTIPLY] = {"arith.mulf", "arith.muli", "arith.muli"},
    [BINARY_DIVIDE] = {"arith.divf", NULL, NULL},
    [BINARY_FLOOR_DIVIDE] = {NULL, "arith.divsi", "arith.divui"},
    [BINARY_REMAINDER] = {"arith.remf", "arith.remsi", "arith.remui"},
    [BINARY_AND] = {NULL, "arith.andi", "arith.andi"},
    [BINARY_OR] = {NULL, "arith.ori", "arith.ori"},
    [BINARY_XOR] = {NULL, "arith.xori", "arith.xori"},
    [BINARY_SHIFT_LEFT] = {NULL, "arith.shli", "arith.shli"},
    [BINARY_SHIFT_RIGHT] = {NULL, "arith.shrsi", "arith.shrui"},
    [BINARY_MINIMUM] = {"arith.minnumf", "arith.minsi", "arith.minui"},
    [BINARY_MAXIMUM] = {"arith.maxnumf", "arith.maxsi", "arith.maxui"},
};

/* Predicates of arith.cmpf (ordered; != is unordered) and arith.cmpi, by operator. */
struct predicate_row {
  int on_float, on_signed, on_unsigned;
};

static const struct predicate_row predicate_rows[] = {
    [BINARY_LESS] = {4, 2, 6},    [BINARY_LESS_EQUAL] = {5, 3, 7},
    [BINARY_GREATER] = {2, 4, 8}, [BINARY_GREATER_EQUAL] = {3, 5, 9},
    [BINARY_EQUAL] = {1, 0, 0},   [BINARY_NOT_EQUAL] = {13, 1, 1},
};

static struct value compare(struct emitter *e, enum binary_operator operation,
                            const struct value *a, const struct value *b, struct dtype common) {
  const struct predicate_row *row = &predicate_rows[operation];
  bool is_float = dtype_is_float(common);
  bool is_unsigned = dtype_is_unsigned(common) || dtype_is_bool(common) || common.pointers;
  int predicate = is_float ? row->on_float : is_unsigned ? row->on_unsigned : row->on_signed;
  MlirValue ir = build_compare(&e->b, predicate, a->run_time.ir, b->run_time.ir);
  return value_runtime(ir, DTYPE(INT1));
}

static bool fail_operands(struct emitter *e, enum binary_operator operation, const struct value *a,
                          const struct value *b, const char *why) {
  return emit_fail(e, "%s %s %s: %s", value_describe(&e->arena, a), binary_operator_text(operation),
                   value_describe(&e->arena, b), why);
}

/* pointer + integer, integer + pointer, pointer - integer. */
static bool move_pointer(struct emitter *e, enum binary_operator operation, struct value pointer,
                         struct value offset, struct value *out) {
  if (!dtype_is_integer(offset.run_time.dtype))
    return fail_operands(e, operation, &pointer, &offset, "a pointer moves by integers");
  if (dtype_bits(offset.run_time.dtype) < 32 && !emit_cast(e, &offset, DTYPE(INT32), &offset))
    return false;
  if (offset.run_time.dtype.id == DTYPE_UINT32 && !emit_cast(e, &offset, DTYPE(INT64), &offset))
    return false; /* addptr extends with the sign */
  if (operation == BINARY_SUBTRACT && !emit_negate(e, &offset, &offset))
    return false;
  if (!emit_broadcast(e, &pointer, &offset))
    return false;
  *out = value_runtime(BUILD(&e->b, "tile.addptr", IN(pointer.run_time.ir, offset.run_time.ir),
                             OUT(mlirValueGetType(pointer.run_time.ir))),
                       pointer.run_time.dtype);
  return true;
}

static bool compare_pointers(struct emitter *e, enum binary_operator operation, struct value a,
                             struct value b, struct value *out) {
  if (!emit_cast(e, &a, DTYPE(INT64), &a) || !emit_cast(e, &b, DTYPE(INT64), &b) ||
      !emit_broadcast(e, &a, &b))
    return false;
  *out = compare(e, operation, &a, &b, DTYPE(UINT64));
  return true;
}

/* Numbers of the source take the other operand's type. Beside an integer that cannot hold them,
   those of bitwise operators, minimum and maximum keep their own, as with Triton up to 3.6; later
   ones refuse. */
static bool is_weak(enum binary_operator operation, const struct value *value,
                    const struct value *other) {
  if (!value_is_number(value) || value->is_typed)
    return false;
  bool keeps_large =
      is_bitwise(operation) || operation == BINARY_MINIMUM || operation == BINARY_MAXIMUM;
  if (!keeps_large || value->kind != VALUE_INTEGER || (value_is_number(other) && !other->is_typed))
    return true;
  struct dtype type = value_is_number(other) ? number_dtype(other) : other->run_time.dtype;
  return !dtype_is_integer(type) || dtype_is_bool(type) || number_fits(value, type);
}

bool binary_operator_type(struct emitter *e, enum binary_operator operation, const struct value *a,
                          const struct value *b, struct dtype *out) {
  bool a_weak = is_weak(operation, a, b), b_weak = is_weak(operation, b, a);
  struct dtype type_a = value_is_number(a) ? number_dtype(a) : a->run_time.dtype;
  struct dtype type_b = value_is_number(b) ? number_dtype(b) : b->run_time.dtype;
  const char *why;
  if (!dtype_promote(type_a, a_weak, type_b, b_weak, binary_operator_is_division(operation), out,
                     &why))
    return fail_operands(e, operation, a, b, why);
  if (operation == BINARY_DIVIDE && dtype_is_integer(*out))
    *out = DTYPE(FLOAT32);
  return !is_bitwise(operation) || dtype_is_integer(*out) ||
         fail_operands(e, operation, a, b,
                       text_format(&e->arena,
                                   "invalid operands of type triton.language.%s and "
                                   "triton.language.%s; bitwise operators take integers",
                                   dtype_table[type_a.id].name, dtype_table[type_b.id].name));
}

bool number_in_range(struct emitter *e, const struct value *value, struct dtype dtype) {
  if (!value_is_number(value) || dtype_is_bool(dtype) || !dtype_is_integer(dtype) ||
      number_fits(value, dtype))
    return true;
  if (dtype_is_unsigned(dtype) && value_as_double(value) < 0)
    return emit_fail(e,
                     "Cannot perform a binary operation between an unsigned tensor and a negative "
                     "scalar: %s cannot hold it; cast the tensor with .to()",
                     dtype_table[dtype.id].name);
  return emit_fail(e, "Scalar %s is out of range for type %s; cast the tensor with .to()",
                   value_string(&e->arena, value).text.data, dtype_table[dtype.id].name);
}

/* The operand in the type of the operation; a number must fit it, one of a variable is converted
   from its own type, as the tensor that it is. */
static bool cast_operand(struct emitter *e, const struct value *value, struct dtype dtype,
                         struct value *out) {
  struct value own;
  if (value_is_number(value) && value->is_typed && !number_fits(value, dtype))
    return emit_runtime(e, value, &own) && emit_cast(e, &own, dtype, out);
  return number_in_range(e, value, dtype) && emit_cast(e, value, dtype, out);
}

/* `fast` leaves a division two units in the last place, as Triton's / on fp32; tl.div_rn is exact.
 */
static MlirValue build_operation(struct emitter *e, const char *name, MlirValue x, MlirValue y,
                                 bool fast) {
  MlirType type = mlirValueGetType(x);
  MlirValue in[] = {x, y};
  MlirNamedAttribute flags = {0};
  if (fast)
    flags = emit_fastmath(e, FASTMATH_ARCP);
  return BUILD(&e->b, name, .in = in, .in_count = 2, OUT(type), .attributes = &flags,
               .attribute_count = fast);
}

/* x ** n for a number n >= 0, by squaring. */
static bool emit_small_power(struct emitter *e, const struct value *x, int64_t n,
                             struct value *out) {
  struct value square = *x, one = value_integer(1);
  bool started = false;
  if (n == 0) { /* ones of the type and shape of x */
    square.run_time.ir = emit_zero(e, x);
    return emit_binary(e, BINARY_ADD, &square, &one, out);
  }
  for (; n; n >>= 1) {
    if (n & 1 && started && !emit_binary(e, BINARY_MULTIPLY, out, &square, out))
      return false;
    if (n & 1 && !started)
      *out = square;
    started |= n & 1;
    if (n > 1 && !emit_binary(e, BINARY_MULTIPLY, &square, &square, &square))
      return false;
  }
  return true;
}

enum { LARGEST_MULTIPLIED_POWER = 64 };

static bool emit_power(struct emitter *e, const struct value *a, const struct value *b,
                       struct value *out) {
  if (b->kind == VALUE_INTEGER && b->integer >= 0 && b->integer <= LARGEST_MULTIPLIED_POWER &&
      a->kind == VALUE_RUNTIME && !a->run_time.dtype.pointers)
    return emit_small_power(e, a, b->integer, out);
  return fail_operands(e, BINARY_POWER, a, b,
                       "at run time ** takes a compile-time exponent from 0 to 64; for others use "
                       "libdevice.pow, tl.exp2 or tl.sqrt");
}

/* x >> y: what comes in from the left is x's own sign, whatever the common type. A number that is
   shifted has the type of y, as in Triton. */
static struct dtype shifted_dtype(const struct value *x, const struct value *y) {
  const struct value *owner = value_is_number(x) && !x->is_typed ? y : x;
  return value_is_number(owner) ? number_dtype(owner) : owner->run_time.dtype;
}

static bool emit_numbers(struct emitter *e, enum binary_operator operation, const struct value *a,
                         const struct value *b, struct value *out) {
  struct dtype common;
  struct value x, y;
  if (!binary_operator_type(e, operation, a, b, &common))
    return false;
  struct dtype result = common;
  if (dtype_is_fp8(common)) /* no arithmetic of their own: computed in fp32 */
    common = DTYPE(FLOAT32);
  if (!cast_operand(e, a, common, &x) || !cast_operand(e, b, common, &y) ||
      !emit_broadcast(e, &x, &y))
    return false;
  if (binary_operator_is_comparison(operation)) {
    *out = compare(e, operation, &x, &y, common);
    return true;
  }
  struct dtype family = operation == BINARY_SHIFT_RIGHT ? shifted_dtype(a, b) : common;
  const struct operation_row *row = &operation_rows[operation];
  const char *name = dtype_is_float(family)                               ? row->on_float
                     : dtype_is_unsigned(family) || dtype_is_bool(family) ? row->on_unsigned
                                                                          : row->on_signed;
  if (!name)
    return fail_operands(e, operation, a, b,
                         operation == BINARY_FLOOR_DIVIDE ? "// takes integers; use / on floats"
                                                          : "the operator does not take this type");
  bool fast = operation == BINARY_DIVIDE && dtype_equal(common, DTYPE(FLOAT32));
  *out = value_runtime(build_operation(e, name, x.run_time.ir, y.run_time.ir, fast), common);
  return emit_cast(e, out, result, out);
}

bool emit_binary(struct emitter *e, enum binary_operator operation, const struct value *a,
                 const struct value *b, struct value *out) {
  if (value_is_number(a) && value_is_number(b))
    return fold_binary(e, operation, a, b, out);
  struct value x, y;
  bool pointer_a = a->kind == VALUE_RUNTIME && a->run_time.dtype.pointers;
  bool pointer_b = b->kind == VALUE_RUNTIME && b->run_time.dtype.pointers;
  if (!pointer_a && !pointer_b) {
    if ((a->kind != VALUE_RUNTIME && !value_is_number(a)) ||
        (b->kind != VALUE_RUNTIME && !value_is_number(b)))
      return fail_operands(e, operation, a, b, "numbers or tiles are needed");
    if (operation == BINARY_POWER)
      return emit_power(e, a, b, out);
    return emit_numbers(e, operation, a, b, out);
  }
  if (!emit_runtime(e, a, &x) || !emit_runtime(e, b, &y))
    return false;
  if (pointer_a && pointer_b && binary_operator_is_comparison(operation))
    return compare_pointers(e, operation, x, y, out);
  if (pointer_a && !pointer_b && (operation == BINARY_ADD || operation == BINARY_SUBTRACT))
    return move_pointer(e, operation, x, y, out);
  if (pointer_b && !pointer_a && operation == BINARY_ADD)
    return move_pointer(e, operation, y, x, out);
  return fail_operands(e, operation, a, b,
                       "a pointer takes part in + and - with integers and in comparisons only");
}

bool emit_negate(struct emitter *e, const struct value *a, struct value *out) {
  struct value zero = value_integer(0);
  if (a->kind == VALUE_RUNTIME && dtype_is_bool(a->run_time.dtype))
    zero = value_bool(false);                 /* -mask is a mask: 0 - 1 in one bit */
  if (a->kind == VALUE_BOOL && a->is_typed) { /* the same of a variable that is known */
    *out = *a;
    return true;
  }
  if (value_is_number(a))
    return a->kind == VALUE_FLOAT ? (*out = *a, out->number = -a->number, true)
                                  : fold_binary(e, BINARY_SUBTRACT, &zero, a, out);
  if (a->kind == VALUE_RUNTIME && dtype_is_float(a->run_time.dtype)) {
    struct dtype dtype = a->run_time.dtype;
    struct value x = *a;
    if (dtype_is_fp8(dtype) && !emit_cast(e, a, DTYPE(FLOAT32), &x))
      return false;
    MlirType type = mlirValueGetType(x.run_time.ir);
    *out =
        value_runtime(BUILD(&e->b, "arith.negf", IN(x.run_time.ir), OUT(type)), x.run_time.dtype);
    return emit_cast(e, out, dtype, out);
  }
  return emit_binary(e, BINARY_SUBTRACT, &zero, a, out);
}

bool emit_invert(struct emitter *e, const struct value *a, struct value *out) {
  struct value ones = value_integer(-1), one = value_bool(true), own;
  if (a->kind == VALUE_INTEGER && a->is_typed && dtype_is_unsigned(number_dtype(a)))
    return emit_runtime(e, a, &own) && emit_invert(e, &own, out); /* -1 is none of its type */
  if (a->kind == VALUE_BOOL && a->is_typed) { /* a mask, where Python's ~False is -1 */
    *out = value_bool(!a->boolean);
    out->is_typed = true;
    return true;
  }
  if (value_is_number(a))
    return a->kind == VALUE_FLOAT ? emit_fail(e, "'~' takes integers")
                                  : fold_binary(e, BINARY_XOR, a, &ones, out);
  if (a->kind == VALUE_RUNTIME && dtype_is_bool(a->run_time.dtype))
    return emit_binary(e, BINARY_XOR, a, &one, out);
  if (a->kind == VALUE_RUNTIME && dtype_is_integer(a->run_time.dtype)) {
    struct dtype type = a->run_time.dtype;
    MlirType element = dtype_to_mlir(e, type);
    struct value all =
        value_runtime(build_constant(&e->b, mlirIntegerAttrGet(element, -1), element), type);
    return emit_binary(e, BINARY_XOR, a, &all, out);
  }
  return emit_fail(e, "'~' takes integers");
}

bool emit_truth(struct emitter *e, const struct value *a, struct value *out) {
  if (a->kind != VALUE_RUNTIME)
    return emit_number(e, &(struct value){.kind = VALUE_BOOL, .boolean = value_truth(a)},
                       DTYPE(INT1), out);
  return emit_cast(e, a, DTYPE(INT1), out);
}

bool emit_where(struct emitter *e, const struct value *condition, const struct value *a,
                const struct value *b, struct value *out) {
  struct value c, x, y;
  struct dtype common;
  if (!emit_truth(e, condition, &c))
    return false;
  if ((a->kind != VALUE_RUNTIME && !value_is_number(a)) ||
      (b->kind != VALUE_RUNTIME && !value_is_number(b)))
    return fail_operands(e, BINARY_ADD, a, b, "numbers or tiles are needed");
  bool pointers = a->kind == VALUE_RUNTIME && a->run_time.dtype.pointers;
  if (pointers) {
    common = a->run_time.dtype;
  } else if (!binary_operator_type(e, BINARY_ADD, a, b, &common)) {
    return false;
  }
  if (!cast_operand(e, a, common, &x) || !cast_operand(e, b, common, &y) ||
      !emit_broadcast(e, &x, &y) || !emit_broadcast(e, &c, &x) || !emit_broadcast(e, &c, &y))
    return false;
  *out = value_runtime(BUILD(&e->b, "arith.select", IN(c.run_time.ir, x.run_time.ir, y.run_time.ir),
                             OUT(mlirValueGetType(x.run_time.ir))),
                       common);
  return true;
}

/* --- Several operands ------------------------------------------------------------------------- */

/* Lets `common` take in the values that give way to others (weak) or those that do not. */
static bool common_of(struct emitter *e, const struct value *values, size_t count, bool weak,
                      bool *first, struct value *common) {
  for (size_t i = 0; i < count; i++) {
    if ((value_is_number(&values[i]) && !values[i].is_typed) != weak)
      continue;
    struct dtype type;
    if (*first)
      *common = values[i];
    else if (!binary_operator_type(e, BINARY_ADD, common, &values[i], &type))
      return false;
    else
      *common = value_runtime((MlirValue){0}, type);
    *first = false;
  }
  return true;
}

bool emit_common(struct emitter *e, struct value *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!value_is_number(&values[i]) &&
        (values[i].kind != VALUE_RUNTIME || values[i].run_time.dtype.pointers))
      return emit_fail(e, "numbers or tiles of numbers are needed");
  struct value common = value_none(), own;
  bool first = true;
  if (!common_of(e, values, count, false, &first, &common) ||
      !common_of(e, values, count, true, &first, &common))
    return false;
  if (value_is_number(&common)) { /* one number alone */
    if (!emit_runtime(e, &common, &own))
      return false;
    common = own;
  }
  for (size_t i = 0; i < count; i++) {
    struct value source = values[i];
    if (!cast_operand(e, &source, common.run_time.dtype, &values[i]))
      return false;
  }
  for (int pass = 0; pass < 2; pass++) /* the first takes every shape, then gives it to all */
    for (size_t i = 1; i < count; i++)
      if (!emit_broadcast(e, &values[0], &values[i]))
        return false;
  return true;
}
