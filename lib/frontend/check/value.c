/* SPDX-License-Identifier: MIT */
/* Values: construction, description, conversion to run-time values, broadcasting. */
#include "frontend/check/checker.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool emit_fail(struct emitter *e, const char *format, ...) {
  va_list arguments;
  e->error.length = 0;
  va_start(arguments, format);
  text_vprintf(&e->error, format, arguments);
  va_end(arguments);
  return false;
}

/* --- Attributes ------------------------------------------------------------------------------- */

static MlirNamedAttribute named(struct emitter *e, const char *name, MlirAttribute value) {
  return attribute_named(e->session->context, name, value);
}

MlirNamedAttribute integer_attribute(struct emitter *e, const char *name, int64_t value) {
  return named(e, name, attribute_integer(e->session->context, 32, value));
}

MlirNamedAttribute text_attribute(struct emitter *e, const char *name, struct slice text) {
  return named(e, name,
               mlirStringAttrGet(e->session->context, mlirStringRefCreate(text.data, text.length)));
}

MlirNamedAttribute bool_attribute(struct emitter *e, const char *name, bool value) {
  return named(e, name, mlirBoolAttrGet(e->session->context, value));
}

MlirNamedAttribute unit_attribute(struct emitter *e, const char *name) {
  return named(e, name, mlirUnitAttrGet(e->session->context));
}

MlirNamedAttribute segments_attribute(struct emitter *e, const char *name, size_t count) {
  enum { SEGMENTS = 8 };
  int32_t ones[SEGMENTS];
  for (size_t i = 0; i < SEGMENTS; i++)
    ones[i] = i < count;
  return named(e, name, attribute_dense_i32(e->session->context, SEGMENTS, ones));
}

MlirNamedAttribute emit_fastmath(struct emitter *e, enum fastmath flag) {
  static const char *const texts[] = {"#arith.fastmath<arcp>", "#arith.fastmath<afn>"};
  if (mlirAttributeIsNull(e->fastmath[flag]))
    e->fastmath[flag] = mlirAttributeParseGet(e->session->context, ref(texts[flag]));
  return attribute_named(e->session->context, "fastmath", e->fastmath[flag]);
}

/* --- Types ------------------------------------------------------------------------------------ */

/* As Triton's compiler for NVIDIA devices. */
static bool has_dtype(const struct machine *machine, enum dtype_id id) {
  return !machine || !(id == DTYPE_FLOAT8E4B8 || id == DTYPE_FLOAT8E5B16 ||
                       (id == DTYPE_FLOAT8E4NV && !machine_has(machine, FEATURE_FP8)));
}

MlirType dtype_to_mlir(struct emitter *e, struct dtype dtype) {
  static MlirType (*const floats[DTYPE_COUNT])(MlirContext context) = {
      [DTYPE_FLOAT8E4NV] = mlirFloat8E4M3FNTypeGet,
      [DTYPE_FLOAT8E5] = mlirFloat8E5M2TypeGet,
      [DTYPE_FLOAT8E4B8] = mlirFloat8E4M3FNUZTypeGet,
      [DTYPE_FLOAT8E5B16] = mlirFloat8E5M2FNUZTypeGet,
      [DTYPE_FLOAT16] = mlirF16TypeGet,
      [DTYPE_BFLOAT16] = mlirBF16TypeGet,
      [DTYPE_FLOAT32] = mlirF32TypeGet,
      [DTYPE_FLOAT64] = mlirF64TypeGet};
  MlirContext context = e->session->context;
  if (dtype.pointers)
    return pointer_to(&e->session->types, dtype_to_mlir(e, dtype_pointee(dtype)));
  if (!has_dtype(e->machine, dtype.id))
    e->lacked = dtype_table[dtype.id].short_name;
  return floats[dtype.id] ? floats[dtype.id](context)
                          : mlirIntegerTypeGet(context, dtype_bits(dtype));
}

MlirType tile_type_like(struct emitter *e, MlirValue like, struct dtype dtype) {
  return type_with_element(mlirValueGetType(like), dtype_to_mlir(e, dtype));
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Python's int() of a float that fits, else no integer. */
static bool truncate_number(const struct value *number, int64_t *out) {
  if (number->kind == VALUE_FLOAT) {
    bool fits = number->number > -0x1p63 && number->number < 0x1p63; /* false for NaN */
    *out = fits ? (int64_t)number->number : 0;
    return fits;
  }
  *out = value_as_integer(number);
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

static bool fail_number(struct emitter *e, const struct value *number, struct dtype dtype) {
  return emit_fail(e, "%s does not fit %s", value_string(&e->arena, number).text.data,
                   dtype_table[dtype.id].name);
}

/* A number as the 8-bit float nearest to it: what is too large becomes the largest, as where run
   time converts, and not NaN or infinity; a number that a tensor of fp32 would hold is rounded to
   fp32 first. */
static double saturated(const struct value *number, struct dtype dtype) {
  double exact = value_as_double(number);
  double x = number_dtype(number).id == DTYPE_FLOAT64 ? exact : (double)(float)exact;
  double most = dtype.id == DTYPE_FLOAT8E4NV ? 448 : dtype.id == DTYPE_FLOAT8E4B8 ? 240 : 57344;
  return x > most ? most : x < -most ? -most : x;
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
    attribute = mlirFloatAttrDoubleGet(e->session->context, type,
                                       dtype_is_fp8(dtype) ? saturated(number, dtype)
                                                           : value_as_double(number));
  } else if (!truncate_number(number, &integer) ||
             !(number->is_huge ? dtype.id == DTYPE_UINT64 : integer_fits(integer, dtype))) {
    return fail_number(e, number, dtype);
  } else {
    attribute = mlirIntegerAttrGet(type, integer);
  }
  *out = value_runtime(build_constant(&e->b, attribute, type), dtype);
  return true;
}

struct dtype number_dtype(const struct value *number) {
  if (number->kind == VALUE_BOOL)
    return DTYPE(INT1);
  if (number->kind == VALUE_INTEGER)
    return dtype_of_integer(number->integer, number->is_huge);
  double magnitude = fabs(number->number);
  bool beyond = magnitude > FLT_MAX && !isinf(magnitude), subnormal = magnitude < FLT_MIN;
  return beyond || (subnormal && magnitude != 0) ? DTYPE(FLOAT64) : DTYPE(FLOAT32);
}

static MlirValue splat_zero(struct emitter *e, MlirValue like, struct dtype dtype) {
  return build_uniform(&e->b, tile_type_like(e, like, dtype), 0);
}

bool number_fits(const struct value *number, struct dtype dtype) {
  if (dtype.pointers)
    return false;
  if (dtype_is_float(dtype))
    return true;
  if (number->kind == VALUE_FLOAT || (dtype_is_bool(dtype) && number->kind != VALUE_BOOL))
    return false;
  if (number->kind == VALUE_BOOL)
    return true;
  return number->is_huge ? dtype.id == DTYPE_UINT64 : integer_fits(number->integer, dtype);
}

bool numbers_common_type(const struct value *a, const struct value *b, struct dtype *out) {
  const char *why;
  return dtype_promote(number_dtype(a), false, number_dtype(b), false, false, out, &why) &&
         number_fits(a, *out) && number_fits(b, *out);
}

MlirValue emit_zero(struct emitter *e, const struct value *like) {
  struct dtype dtype = like->run_time.dtype;
  if (!dtype.pointers)
    return splat_zero(e, like->run_time.ir, dtype);
  MlirValue zero = splat_zero(e, like->run_time.ir, DTYPE(INT64));
  return BUILD(&e->b, "tile.int_to_ptr", IN(zero), OUT(mlirValueGetType(like->run_time.ir)));
}

bool emit_runtime(struct emitter *e, const struct value *value, struct value *out) {
  if (value->kind == VALUE_RUNTIME) {
    *out = *value;
    return true;
  }
  if (value_is_number(value))
    return emit_number(e, value, number_dtype(value), out);
  return emit_fail(e, "a number or a tile is needed here, not %s",
                   value_describe(&e->arena, value));
}

/* --- Broadcasting ----------------------------------------------------------------------------- */

static MlirValue reshape_step(struct emitter *e, const char *name, MlirValue ir, int rank,
                              const int64_t *shape, int axis) {
  MlirType type = tensor_type(rank, shape, type_element(mlirValueGetType(ir)), (MlirAttribute){0});
  MlirNamedAttribute attribute = attribute_named(
      e->session->context, "axis", attribute_integer(e->session->context, 32, axis < 0 ? 0 : axis));
  return BUILD(&e->b, name, IN(ir), OUT(type), .attributes = &attribute,
               .attribute_count = axis >= 0);
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
  while (own_rank < rank) { /* new dimensions come first */
    memmove(own + 1, own, sizeof *own * (size_t)own_rank);
    own[0] = 1;
    ir = reshape_step(e, "tile.expand_dims", ir, ++own_rank, own, 0);
  }
  bool grows = false;
  for (int i = 0; i < rank; i++) {
    if (own[i] != shape[i] && own[i] != 1)
      return emit_fail(e,
                       "dimension %d is %lld on one side and %lld on the other; they are equal or "
                       "one is 1",
                       i, (long long)own[i], (long long)shape[i]);
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
