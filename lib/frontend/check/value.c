/* Values: construction, description, conversion to run-time values, broadcasting. */
#include "frontend/check/value.h"

#include <math.h>
#include <string.h>

bool emit_fail(struct emitter *e, const char *format, ...) {
  va_list arguments;
  e->error.length = 0;
  va_start(arguments, format);
  text_vprintf(&e->error, format, arguments);
  va_end(arguments);
  return false;
}

struct value value_none(void) {
  return (struct value){.kind = VALUE_NONE};
}

struct value value_bool(bool boolean) {
  return (struct value){.kind = VALUE_BOOL, .boolean = boolean};
}

struct value value_integer(int64_t integer) {
  return (struct value){.kind = VALUE_INTEGER, .integer = integer};
}

struct value value_float(double number) {
  return (struct value){.kind = VALUE_FLOAT, .number = number};
}

struct value value_runtime(MlirValue ir, struct dtype dtype) {
  return (struct value){.kind = VALUE_RUNTIME, .run_time = {ir, dtype}};
}

struct value value_tuple(struct emitter *e, const struct value *items, size_t count) {
  struct value *copy = ARENA_ARRAY(&e->arena, struct value, count + 1);
  for (size_t i = 0; i < count; i++)
    copy[i] = items[i];
  return (struct value){.kind = VALUE_TUPLE, .tuple = {copy, count}};
}

bool value_is_number(const struct value *value) {
  return value->kind == VALUE_BOOL || value->kind == VALUE_INTEGER || value->kind == VALUE_FLOAT;
}

bool value_is_compile_time(const struct value *value) {
  return value->kind != VALUE_RUNTIME;
}

bool value_is_composite(const struct value *value) {
  return value->kind == VALUE_TUPLE || value->kind == VALUE_BLOCK_POINTER ||
         value->kind == VALUE_DESCRIPTOR;
}

double value_as_double(const struct value *value) {
  if (value->kind == VALUE_BOOL)
    return value->boolean;
  return value->kind == VALUE_INTEGER ? (double)value->integer : value->number;
}

bool value_truth(const struct value *value) {
  switch (value->kind) {
  case VALUE_NONE:
    return false;
  case VALUE_BOOL:
    return value->boolean;
  case VALUE_INTEGER:
    return value->integer != 0;
  case VALUE_FLOAT:
    return value->number != 0;
  case VALUE_STRING:
    return value->text.length != 0;
  case VALUE_TUPLE:
    return value->tuple.count != 0;
  case VALUE_DTYPE:
  case VALUE_BLOCK_POINTER:
  case VALUE_DESCRIPTOR:
  case VALUE_RUNTIME:
  case VALUE_FUNCTION:
  case VALUE_BUILTIN:
  case VALUE_MODULE:
    return true;
  }
  return true;
}

static void describe_runtime(const struct value *value, struct text *out) {
  MlirType type = mlirValueGetType(value->run_time.ir);
  if (type_is_tensor(type)) {
    int64_t shape[MAX_RANK];
    int rank = type_shape(type, shape);
    text_puts(out, "a tile ");
    for (int i = 0; i < rank; i++)
      text_printf(out, "%lldx", (long long)shape[i]);
  }
  dtype_print(value->run_time.dtype, out);
}

void value_describe(const struct value *value, struct text *out) {
  switch (value->kind) {
  case VALUE_NONE:
    text_puts(out, "None");
    break;
  case VALUE_BOOL:
    text_puts(out, value->boolean ? "True" : "False");
    break;
  case VALUE_INTEGER:
    text_printf(out, "the integer %lld", (long long)value->integer);
    break;
  case VALUE_FLOAT:
    text_printf(out, "the number %g", value->number);
    break;
  case VALUE_STRING:
    text_printf(out, "the string \"%.*s\"", (int)value->text.length, value->text.data);
    break;
  case VALUE_DTYPE:
    text_puts(out, "the type ");
    dtype_print(value->dtype, out);
    break;
  case VALUE_TUPLE:
    text_printf(out, "a tuple of %zu", value->tuple.count);
    break;
  case VALUE_BLOCK_POINTER:
    text_puts(out, "a block pointer");
    break;
  case VALUE_DESCRIPTOR:
    text_puts(out, "a tensor descriptor");
    break;
  case VALUE_RUNTIME:
    describe_runtime(value, out);
    break;
  case VALUE_FUNCTION:
    text_puts(out, "a function");
    break;
  case VALUE_BUILTIN:
    text_puts(out, "a builtin function");
    break;
  case VALUE_MODULE:
    text_printf(out, "the module %.*s", (int)value->text.length, value->text.data);
    break;
  }
}

/* --- Types ------------------------------------------------------------------------------------------ */

MlirType dtype_to_mlir(struct emitter *e, struct dtype dtype) {
  MlirContext context = e->session->context;
  if (dtype.pointers) {
    dtype.pointers--;
    return pointer_to(&e->session->types, dtype_to_mlir(e, dtype));
  }
  switch ((int)dtype.id) {
  case DTYPE_FLOAT8E4NV:
    return mlirFloat8E4M3FNTypeGet(context);
  case DTYPE_FLOAT8E5:
    return mlirFloat8E5M2TypeGet(context);
  case DTYPE_FLOAT8E4B8:
    return mlirFloat8E4M3FNUZTypeGet(context);
  case DTYPE_FLOAT8E5B16:
    return mlirFloat8E5M2FNUZTypeGet(context);
  case DTYPE_FLOAT16:
    return mlirF16TypeGet(context);
  case DTYPE_BFLOAT16:
    return mlirBF16TypeGet(context);
  case DTYPE_FLOAT32:
    return mlirF32TypeGet(context);
  case DTYPE_FLOAT64:
    return mlirF64TypeGet(context);
  default:
    return mlirIntegerTypeGet(context, dtype_bits(dtype));
  }
}

MlirType tile_type_like(struct emitter *e, MlirValue like, struct dtype dtype) {
  return type_with_element(mlirValueGetType(like), dtype_to_mlir(e, dtype));
}

/* --- Numbers ---------------------------------------------------------------------------------------- */

/* Python's int() of a float that fits, else no integer. */
static bool truncate_number(const struct value *number, int64_t *out) {
  if (number->kind == VALUE_FLOAT) {
    bool fits = number->number > -0x1p63 && number->number < 0x1p63; /* false for NaN */
    *out = fits ? (int64_t)number->number : 0;
    return fits;
  }
  *out = number->kind == VALUE_BOOL ? number->boolean : number->integer;
  return true;
}

static bool integer_fits(int64_t value, struct dtype dtype) {
  unsigned bits = dtype_bits(dtype);
  if (dtype_is_bool(dtype))
    return value == 0 || value == 1;
  if (dtype_is_unsigned(dtype))
    return value >= 0 && (bits == 64 || value < INT64_C(1) << bits);
  return bits == 64 || (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1));
}

bool emit_number(struct emitter *e, const struct value *number, struct dtype dtype,
                 struct value *out) {
  MlirType type = dtype_to_mlir(e, dtype);
  MlirAttribute attribute;
  int64_t integer;
  if (dtype_is_pointer(dtype))
    return emit_fail(e, "a number cannot become a pointer");
  if (dtype.id == DTYPE_FLOAT8E4B15) { /* carried as bits: no constant of its own */
    struct value half;
    return emit_number(e, number, DTYPE(FLOAT16), &half) && emit_cast(e, &half, dtype, out);
  }
  if (dtype_is_float(dtype)) {
    attribute = mlirFloatAttrDoubleGet(e->session->context, type, value_as_double(number));
  } else if (!truncate_number(number, &integer)) {
    return emit_fail(e, "%g does not fit %s", number->number, dtype_table[dtype.id].name);
  } else if (!integer_fits(integer, dtype)) {
    return emit_fail(e, "%lld does not fit %s", (long long)integer, dtype_table[dtype.id].name);
  } else {
    attribute = mlirIntegerAttrGet(type, integer);
  }
  *out = value_runtime(build_constant(&e->b, attribute, type), dtype);
  return true;
}

/* The type that a number has on its own. */
static struct dtype own_dtype(const struct value *number) {
  if (number->kind == VALUE_BOOL)
    return DTYPE(INT1);
  if (number->kind == VALUE_INTEGER)
    return dtype_of_integer(number->integer, false);
  return DTYPE(FLOAT32);
}

bool emit_runtime(struct emitter *e, const struct value *value, struct value *out) {
  if (value->kind == VALUE_RUNTIME) {
    *out = *value;
    return true;
  }
  if (value_is_number(value))
    return emit_number(e, value, own_dtype(value), out);
  struct text text = {0};
  value_describe(value, &text);
  emit_fail(e, "a number or a tile is needed here, not %s", text_string(&text));
  text_free(&text);
  return false;
}

/* --- Broadcasting ----------------------------------------------------------------------------------- */

static MlirValue reshape_step(struct emitter *e, const char *name, MlirValue ir, int rank,
                              const int64_t *shape, int axis) {
  MlirType type =
      tensor_type(rank, shape, type_element(mlirValueGetType(ir)), (MlirAttribute){0});
  MlirNamedAttribute attribute =
      attribute_named(e->session->context, "axis",
                      attribute_integer(e->session->context, 32, axis < 0 ? 0 : axis));
  return build_value(&e->b, &(struct op_spec){.name = name,
                                              .in = &ir,
                                              .in_count = 1,
                                              .out = &type,
                                              .out_count = 1,
                                              .attributes = &attribute,
                                              .attribute_count = axis >= 0});
}

bool emit_expand_dims(struct emitter *e, struct value *value, int axis) {
  int64_t shape[MAX_RANK + 1];
  int rank = type_shape(mlirValueGetType(value->run_time.ir), shape);
  if (rank == MAX_RANK)
    return emit_fail(e, "a tile has at most %d dimensions", MAX_RANK);
  memmove(shape + axis + 1, shape + axis, sizeof *shape * (size_t)(rank - axis));
  shape[axis] = 1;
  value->run_time.ir =
      reshape_step(e, "tile.expand_dims", value->run_time.ir, rank + 1, shape, axis);
  return true;
}

bool emit_broadcast_to(struct emitter *e, struct value *value, int rank, const int64_t *shape) {
  MlirValue ir = value->run_time.ir;
  if (!type_is_tensor(mlirValueGetType(ir))) {
    value->run_time.ir = rank ? reshape_step(e, "tile.splat", ir, rank, shape, -1) : ir;
    return true;
  }
  int64_t own[MAX_RANK];
  int own_rank = type_shape(mlirValueGetType(ir), own);
  while (own_rank < rank) { /* new dimensions come in front */
    memmove(own + 1, own, sizeof *own * (size_t)own_rank);
    own[0] = 1;
    ir = reshape_step(e, "tile.expand_dims", ir, ++own_rank, own, 0);
  }
  bool grows = false;
  for (int i = 0; i < rank; i++) {
    if (own[i] != shape[i] && own[i] != 1)
      return emit_fail(e, "dimension %d is %lld on one side and %lld on the other; they are equal or "
                       "one is 1", i, (long long)own[i], (long long)shape[i]);
    grows |= own[i] != shape[i];
  }
  value->run_time.ir = grows ? reshape_step(e, "tile.broadcast", ir, rank, shape, -1) : ir;
  return true;
}

bool emit_broadcast(struct emitter *e, struct value *a, struct value *b) {
  int64_t x[MAX_RANK], y[MAX_RANK], shape[MAX_RANK];
  int rank_x = type_shape(mlirValueGetType(a->run_time.ir), x);
  int rank_y = type_shape(mlirValueGetType(b->run_time.ir), y);
  int rank = rank_x > rank_y ? rank_x : rank_y;
  for (int i = 0; i < rank; i++) {
    int64_t p = i < rank - rank_x ? 1 : x[i - (rank - rank_x)];
    int64_t q = i < rank - rank_y ? 1 : y[i - (rank - rank_y)];
    shape[i] = p > q ? p : q;
  }
  return emit_broadcast_to(e, a, rank, shape) && emit_broadcast_to(e, b, rank, shape);
}
