/* SPDX-License-Identifier: MIT */
/* Program ids, and tiles from nothing or from other tiles. */
#include "frontend/check/checker.h"
#include "frontend/check/shapes.h"

/* program_id(axis), num_programs(axis) */
bool builtin_grid_index(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct value *axis = &call->arguments[0].value;
  const char *name = call->builtin->name;
  struct span span = call->arguments[0].span;
  if (axis->kind != VALUE_INTEGER)
    return check_fail(c, span, "%s axis must be 0, 1, or 2 but got %s", name,
                      value_describe(&c->e.arena, axis));
  if (axis->integer < 0 || axis->integer > 2)
    return check_fail(c, span, "%s axis must be 0, 1, or 2 but got %lld", name,
                      (long long)axis->integer);
  *out = value_runtime(BUILD(&c->e.b, call->variant ? "tile.num_programs" : "tile.program_id",
                             OUT(dtype_to_mlir(&c->e, DTYPE(INT32))),
                             ATTRIBUTES(integer_attribute(&c->e, "axis", axis->integer))),
                       DTYPE(INT32));
  return true;
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
    return check_fail(c, call->span,
                      "tl.arange's length %lld is not a power of two; take the next "
                      "one and mask",
                      (long long)length);
  if (length > MAX_TILE_ELEMENTS)
    return check_fail(c, call->span, "a tile has at most %d elements", MAX_TILE_ELEMENTS);
  emit_range(&c->e, start, end, out);
  return true;
}

/* The type that a tile filled with the value has on its own. */
static struct dtype filled_dtype(const struct value *value) {
  return value->kind == VALUE_RUNTIME   ? value->run_time.dtype
         : value->kind == VALUE_INTEGER ? dtype_of_integer(value->integer, false)
                                        : DTYPE(FLOAT32);
}

/* zeros(shape, dtype), full(shape, value, dtype); x_like(x, ...): as x in shape and type. */
bool builtin_fill(struct checker *c, const struct builtin_call *call, struct value *out) {
  bool is_like = call->variant & FILL_LIKE, has_value = call->variant & FILL_VALUE;
  const struct argument *a = call->arguments, *type = &a[has_value ? 2 : 1];
  const struct argument zero = {.value = value_integer(0), .span = call->span};
  const struct argument *number = has_value ? &a[1] : &zero;
  int64_t shape[MAX_RANK];
  int rank;
  struct value like;
  struct dtype dtype = has_value ? filled_dtype(&number->value) : DTYPE(FLOAT32);
  if (is_like ? !argument_run_time(c, &a[0], &like) : !argument_shape(c, &a[0], &rank, shape))
    return false;
  if (is_like) {
    rank = value_shape(&like, shape);
    dtype = like.run_time.dtype;
  }
  return argument_dtype(c, type, dtype, &dtype) && ((emit_cast(&c->e, &number->value, dtype, out) &&
                                                     emit_broadcast_to(&c->e, out, rank, shape)) ||
                                                    check_fail_emitter(c, number->span));
}

bool builtin_broadcast_to(struct checker *c, const struct builtin_call *call, struct value *out) {
  int rank;
  int64_t shape[MAX_RANK];
  if (!argument_shape(c, &call->arguments[1], &rank, shape) ||
      !argument_run_time(c, &call->arguments[0], out))
    return false;
  return emit_broadcast_to(&c->e, out, rank, shape);
}

/* broadcast(a, b): both in the shape that an operator would give them. */
bool builtin_broadcast(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value both[2];
  if (!argument_run_time(c, &call->arguments[0], &both[0]) ||
      !argument_run_time(c, &call->arguments[1], &both[1]) ||
      !emit_broadcast(&c->e, &both[0], &both[1]))
    return false;
  *out = value_tuple(&c->e.arena, both, 2);
  return true;
}

/* --- Indices ---------------------------------------------------------------------------------- */

/* Rows and columns are counted from 0. The sizes, which are mostly known at run time only, could
   have any sign as far as the compiler can tell; a remainder of what is computed from the numbers
   (`% M`) is contiguous only if they have none. */
static bool assume_counted(struct emitter *e, const struct value *number) {
  struct value zero = value_integer(0), holds;
  if (value_is_compile_time(number) || type_is_tensor(mlirValueGetType(number->run_time.ir)))
    return true;
  if (!emit_binary(e, BINARY_GREATER_EQUAL, number, &zero, &holds))
    return false;
  BUILD_OP(&e->b, "tile.assume", IN(holds.run_time.ir));
  return true;
}

/* The cell (i, j) of a size_i x size_j grid in row-major order becomes one of the order that goes
   down columns of size_g rows (the last group may be lower), so that neighbours share operands. */
bool builtin_swizzle2d(struct checker *c, const struct builtin_call *call, struct value *out) {
  struct value i = call->arguments[0].value, j = call->arguments[1].value;
  struct value rows = call->arguments[2].value, columns = call->arguments[3].value;
  struct value group = call->arguments[4].value, index, area, first, left, new[2];
  struct emitter *e = &c->e;
  if (!emit_binary(e, BINARY_MULTIPLY, &i, &columns, &index) ||
      !emit_binary(e, BINARY_ADD, &index, &j, &index) ||
      !emit_binary(e, BINARY_MULTIPLY, &group, &columns, &area) ||
      !emit_binary(e, BINARY_FLOOR_DIVIDE, &index, &area, &first) ||
      !emit_binary(e, BINARY_MULTIPLY, &first, &group, &first) ||
      !emit_binary(e, BINARY_SUBTRACT, &rows, &first, &left) ||
      !emit_binary(e, BINARY_MINIMUM, &left, &group, &left) ||
      !emit_binary(e, BINARY_REMAINDER, &index, &area, &index) ||
      !emit_binary(e, BINARY_REMAINDER, &index, &left, &new[0]) ||
      !emit_binary(e, BINARY_ADD, &first, &new[0], &new[0]) ||
      !emit_binary(e, BINARY_FLOOR_DIVIDE, &index, &left, &new[1]) || !assume_counted(e, &new[0]) ||
      !assume_counted(e, &new[1]))
    return false;
  *out = value_tuple(&c->e.arena, new, 2);
  return true;
}

/* triton.next_power_of_2(n), at compile time. */
bool builtin_next_power_of_2(struct checker *c, const struct builtin_call *call,
                             struct value *out) {
  int64_t n, power = 1;
  if (!argument_given(&call->arguments[0]))
    return argument_fail(c, &call->arguments[0], "a compile-time integer");
  if (!argument_integer(c, &call->arguments[0], 0, &n))
    return false;
  if (n > INT64_C(1) << 62)
    return check_fail(c, call->span, "the next power of two of %lld does not fit 64 bits",
                      (long long)n);
  while (power < n)
    power *= 2;
  *out = value_integer(n > 0 ? power : 0);
  return true;
}
