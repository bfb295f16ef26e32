/* SPDX-License-Identifier: MIT */
/* Block pointers and tensor descriptors: windows on a tensor in memory, which become pointers and
   masks where they are used. Loads and stores of most descriptors' blocks are operations of their
   own instead (blocks.c); tile-decompose-descriptors makes the same pointers of them later.

   The parts of a block pointer, in order: the base; shape, strides and offsets, one a dimension;
   block shape and order. Of a descriptor: the base; shape and strides; block shape; 1 if it pads
   with NaN. What is known at compile time stays a number; all else is int64, so that neither sizes
   nor offsets wrap. Offsets are always run-time values: tl.advance in a loop then carries them as
   they are.

   The address of element (i, j, ...) of the window at (p, q, ...):

       base + (p * stride_0 + q * stride_1 + ...)     scalars: one sum a block
            + (i * stride_0 + j * stride_1 + ...)     a tile that moving the window does not change

   so a loop that advances a block pointer keeps the tile and moves one scalar. In bounds is what

       max(-p, 0) <= i < shape_0 - p                  clamped to [0, block]: 32 bits are enough

   says of every checked dimension; again only scalars depend on the window's place. */
#include <math.h>
#include <string.h>
#include "frontend/check/memory.h"
#include "frontend/check/shapes.h"

bool value_is_view(const struct value *value) {
  return value->kind == VALUE_BLOCK_POINTER || value->kind == VALUE_DESCRIPTOR;
}

struct view view_read(const struct value *value) {
  bool descriptor = value->kind == VALUE_DESCRIPTOR;
  const struct value *items = value->tuple.items;
  int rank = (int)(value->tuple.count - 1 - descriptor) / (descriptor ? 3 : 5);
  struct view view = {.rank = rank, .base = items[0], .shape = items + 1};
  view.strides = view.shape + rank;
  view.offsets = descriptor ? NULL : view.strides + rank;
  const struct value *block = view.strides + rank + (descriptor ? 0 : rank);
  view.mixed = descriptor && block[rank].kind != VALUE_INTEGER;
  for (int i = 0; i < rank; i++) {
    view.mixed |= block[i].kind != VALUE_INTEGER;
    view.block[i] = block[i].kind == VALUE_INTEGER ? block[i].integer : 1;
  }
  view.pads_with_nan = descriptor && !view.mixed && block[rank].integer != 0;
  return view;
}

/* --- Making them ------------------------------------------------------------------------------ */

bool view_read_parts(struct checker *c, const struct argument *argument, int count,
                     bool keep_numbers, struct value *out) {
  const struct value *items;
  size_t length;
  argument_items(argument, &items, &length);
  if (length != (size_t)count)
    return check_fail(c, argument->span, "%zu number%s for %d dimension%s", length,
                      length == 1 ? "" : "s", count, count == 1 ? "" : "s");
  for (int i = 0; i < count; i++) {
    bool number = items[i].kind == VALUE_INTEGER;
    bool scalar = items[i].kind == VALUE_RUNTIME && dtype_is_integer(items[i].run_time.dtype) &&
                  !type_is_tensor(mlirValueGetType(items[i].run_time.ir));
    if (!number && !scalar) {
      struct argument item = {items[i], argument->span, true};
      return argument_fail(c, &item, "an integer");
    }
    out[i] = items[i];
    if (!(number && keep_numbers) && !emit_cast(&c->e, &items[i], DTYPE(INT64), &out[i]))
      return check_fail_emitter(c, argument->span);
  }
  return true;
}

static bool read_base(struct checker *c, const struct argument *argument) {
  if (argument->value.kind == VALUE_RUNTIME && dtype_is_pointer(argument->value.run_time.dtype) &&
      !argument_is_tile(argument))
    return true;
  return argument_fail(c, argument, "a pointer");
}

static void put_integers(struct value *out, int count, const int64_t *integers) {
  for (int i = 0; i < count; i++)
    out[i] = value_integer(integers[i]);
}

bool builtin_make_block_ptr(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  int64_t block[MAX_RANK], order[MAX_RANK];
  int rank, order_count;
  if (!read_base(c, &a[0]) || !argument_shape(c, &a[4], &rank, block) ||
      !argument_integers(c, &a[5], "an order", &order_count, order))
    return false;
  if (rank == 0)
    return check_fail(c, a[4].span, "a block has at least one dimension");
  unsigned seen = 0;
  for (int i = 0; i < order_count; i++)
    seen |= order[i] >= 0 && order[i] < rank ? 1u << order[i] : 0;
  if (order_count != rank || seen != (1u << rank) - 1)
    return check_fail(c, a[5].span, "the order names each of the %d dimensions once", rank);
  struct value *items = ARENA_ARRAY(&c->e.arena, struct value, 1 + 5 * (size_t)rank);
  items[0] = a[0].value;
  if (!view_read_parts(c, &a[1], rank, true, items + 1) ||
      !view_read_parts(c, &a[2], rank, true, items + 1 + rank) ||
      !view_read_parts(c, &a[3], rank, false, items + 1 + 2 * rank))
    return false;
  put_integers(items + 1 + 3 * rank, rank, block);
  put_integers(items + 1 + 4 * rank, rank, order);
  *out = (struct value){.kind = VALUE_BLOCK_POINTER, .tuple = {items, 1 + 5 * (size_t)rank}};
  return true;
}

bool builtin_advance(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *base = &call->arguments[0], *offsets = &call->arguments[1];
  if (base->value.kind != VALUE_BLOCK_POINTER)
    return argument_fail(c, base, "a block pointer");
  struct view view = view_read(&base->value);
  struct value steps[MAX_RANK];
  if (!view_read_parts(c, offsets, view.rank, true, steps))
    return false;
  *out = value_tuple(&c->e.arena, base->value.tuple.items, base->value.tuple.count);
  out->kind = VALUE_BLOCK_POINTER;
  struct value *moved = out->tuple.items + (view.offsets - base->value.tuple.items);
  for (int i = 0; i < view.rank; i++) {
    if (steps[i].kind == VALUE_INTEGER && steps[i].integer == 0)
      continue;
    if (!emit_binary(&c->e, BINARY_ADD, &moved[i], &steps[i], &moved[i]))
      return check_fail_emitter(c, offsets->span);
  }
  return true;
}

bool builtin_make_tensor_descriptor(struct checker *c, const struct builtin_call *call,
                                    struct value *out) {
  static const char *const paddings[] = {"zero", "nan", NULL};
  const struct argument *a = call->arguments;
  int64_t block[MAX_RANK];
  int rank, padding;
  if (!read_base(c, &a[0]) || !argument_shape(c, &a[3], &rank, block) ||
      !argument_word(c, &a[4], paddings, 0, &padding))
    return false;
  if (rank == 0)
    return check_fail(c, a[3].span, "a block has at least one dimension");
  size_t count = 2 + 3 * (size_t)rank;
  struct value *items = ARENA_ARRAY(&c->e.arena, struct value, count);
  items[0] = a[0].value;
  if (!view_read_parts(c, &a[1], rank, true, items + 1) ||
      !view_read_parts(c, &a[2], rank, true, items + 1 + rank))
    return false;
  const struct value *last = &items[2 * rank];
  if (last->kind == VALUE_INTEGER && last->integer != 1)
    return check_fail(c, a[2].span,
                      "the last dimension of a descriptor is contiguous: its stride is "
                      "1, not %lld",
                      (long long)last->integer);
  if (padding == 1 && !dtype_is_float((struct dtype){.id = a[0].value.run_time.dtype.id}))
    return check_fail(c, a[4].span, "only floating-point elements are padded with NaN");
  put_integers(items + 1 + 2 * rank, rank, block);
  items[count - 1] = value_integer(padding);
  *out = (struct value){.kind = VALUE_DESCRIPTOR, .tuple = {items, count}};
  return true;
}

bool view_attribute(struct checker *c, const struct value *value, const char *name,
                    struct value *out) {
  struct view view = view_read(value);
  bool descriptor = value->kind == VALUE_DESCRIPTOR;
  int64_t rank = view.rank;
  if (view.mixed)
    return false;
  if (strcmp(name, "dtype") == 0 || (!descriptor && strcmp(name, "type") == 0)) {
    *out = (struct value){.kind = VALUE_DTYPE, .dtype = view.base.run_time.dtype};
    if (descriptor)
      out->dtype = dtype_pointee(out->dtype);
    return true;
  }
  if (strcmp(name, "block_shape") == 0 || (!descriptor && strcmp(name, "shape") == 0)) {
    struct value items[MAX_RANK];
    put_integers(items, (int)rank, view.block);
    *out = value_tuple(&c->e.arena, items, (size_t)rank);
    return true;
  }
  if (descriptor && strcmp(name, "shape") == 0)
    *out = value_tuple(&c->e.arena, view.shape, (size_t)rank);
  else if (descriptor && strcmp(name, "strides") == 0)
    *out = value_tuple(&c->e.arena, view.strides, (size_t)rank);
  else
    return false;
  return true;
}

/* --- Using them ------------------------------------------------------------------------------- */

bool view_check_boundary(struct checker *c, const struct view *view,
                         const struct argument *boundary_check, unsigned *out) {
  int64_t dims[MAX_RANK];
  int count = 0;
  *out = 0;
  if (argument_given(boundary_check) &&
      !argument_integers(c, boundary_check, "boundary_check", &count, dims))
    return false;
  for (int i = 0; i < count; i++) {
    if (dims[i] < 0 || dims[i] >= view->rank)
      return check_fail(c, boundary_check->span,
                        "boundary_check names dimension %lld; the block has dimensions 0 to %d",
                        (long long)dims[i], view->rank - 1);
    *out |= 1u << dims[i];
  }
  return true;
}

/* 0, 1, 2, ... along dimension `dim`, of size 1 along the others. */
static bool emit_positions(struct emitter *e, const struct view *view, int dim, struct value *out) {
  emit_range(e, 0, view->block[dim], out);
  for (int i = 0; i < view->rank; i++)
    if (i != dim && !emit_expand_dims(e, out, i))
      return false;
  return true;
}

/* positions * stride: in 32 bits where the stride is a number that allows it. */
static bool emit_distance(struct emitter *e, const struct view *view, int dim,
                          struct value positions, struct value *out) {
  const struct value *stride = &view->strides[dim];
  if (stride->kind != VALUE_INTEGER)
    return emit_cast(e, &positions, DTYPE(INT64), &positions) &&
           emit_binary(e, BINARY_MULTIPLY, &positions, stride, out);
  *out = positions;
  if (stride->integer == 1)
    return true;
  int64_t most = INT32_MAX / view->block[dim];
  if ((stride->integer < -most || stride->integer > most) &&
      !emit_cast(e, &positions, DTYPE(INT64), out))
    return false;
  return emit_binary(e, BINARY_MULTIPLY, out, stride, out);
}

/* sum = sum + term, for the first term the term. */
static bool add_term(struct emitter *e, struct value *sum, const struct value *term) {
  if (sum->kind != VALUE_NONE)
    return emit_binary(e, BINARY_ADD, sum, term, sum);
  *sum = *term;
  return true;
}

static bool emit_pointer(struct emitter *e, const struct view *view, const struct value *positions,
                         struct value *out) {
  struct value start = value_none(), tile = value_none(), term;
  for (int i = 0; i < view->rank; i++)
    if (!emit_binary(e, BINARY_MULTIPLY, &view->offsets[i], &view->strides[i], &term) ||
        !add_term(e, &start, &term) || !emit_distance(e, view, i, positions[i], &term) ||
        !add_term(e, &tile, &term))
      return false;
  return emit_binary(e, BINARY_ADD, &view->base, &start, out) &&
         emit_binary(e, BINARY_ADD, out, &tile, out);
}

/* min(max(x, 0), size) as int32. */
static bool emit_clamped(struct emitter *e, const struct value *x, int64_t size,
                         struct value *out) {
  struct value zero = value_integer(0), most = value_integer(size);
  return emit_binary(e, BINARY_MAXIMUM, x, &zero, out) &&
         emit_binary(e, BINARY_MINIMUM, out, &most, out) && emit_cast(e, out, DTYPE(INT32), out);
}

static bool emit_in_bounds(struct emitter *e, const struct view *view, int dim,
                           const struct value *positions, struct value *out) {
  struct value zero = value_integer(0), below, left, first, end, low, high;
  return emit_binary(e, BINARY_SUBTRACT, &zero, &view->offsets[dim], &below) &&
         emit_binary(e, BINARY_SUBTRACT, &view->shape[dim], &view->offsets[dim], &left) &&
         emit_clamped(e, &below, view->block[dim], &first) &&
         emit_clamped(e, &left, view->block[dim], &end) &&
         emit_binary(e, BINARY_GREATER_EQUAL, positions, &first, &low) &&
         emit_binary(e, BINARY_LESS, positions, &end, &high) &&
         emit_binary(e, BINARY_AND, &low, &high, out);
}

static bool check_block(struct checker *c, const struct view *view, struct span span) {
  return !view->mixed || check_fail(c, span,
                                    "the block has one shape in one branch and another in the "
                                    "other; keep one");
}

bool view_access(struct checker *c, const struct view *view, unsigned checked, struct span span,
                 struct access *out) {
  struct emitter *e = &c->e;
  struct value positions[MAX_RANK], mask = value_none(), inside;
  check_locate(c, span);
  *out = (struct access){.fixed = true};
  if (!check_block(c, view, span))
    return false;
  for (int i = 0; i < view->rank; i++)
    if (!emit_positions(e, view, i, &positions[i]))
      return check_fail_emitter(c, span);
  if (!emit_pointer(e, view, positions, &out->pointer))
    return check_fail_emitter(c, span);
  for (int i = 0; i < view->rank; i++) {
    if (!(checked & 1u << i))
      continue;
    if (!emit_in_bounds(e, view, i, &positions[i], &inside) ||
        (mask.kind != VALUE_NONE && !emit_binary(e, BINARY_AND, &mask, &inside, &inside)))
      return check_fail_emitter(c, span);
    mask = inside;
  }
  out->has_mask = mask.kind != VALUE_NONE;
  if (!out->has_mask)
    return true;
  out->mask = mask;
  return emit_broadcast(e, &out->pointer, &out->mask) || check_fail_emitter(c, span);
}

/* 0 <= x < size of the dimension. */
static bool emit_inside(struct emitter *e, const struct view *view, int dim, const struct value *x,
                        struct value *out) {
  struct value zero = value_integer(0), low, high;
  return emit_binary(e, BINARY_GREATER_EQUAL, x, &zero, &low) &&
         emit_binary(e, BINARY_LESS, x, &view->shape[dim], &high) &&
         emit_binary(e, BINARY_AND, &low, &high, out);
}

bool view_pick(struct checker *c, const struct view *view, int dim, const struct value *x,
               struct span span, struct access *access) {
  struct emitter *e = &c->e;
  struct value distance, inside;
  check_locate(c, span);
  if (!emit_binary(e, BINARY_MULTIPLY, x, &view->strides[dim], &distance) ||
      !emit_binary(e, BINARY_ADD, &access->pointer, &distance, &access->pointer) ||
      !emit_inside(e, view, dim, x, &inside) ||
      (access->has_mask && !emit_binary(e, BINARY_AND, &access->mask, &inside, &inside)) ||
      !emit_broadcast(e, &access->pointer, &inside))
    return check_fail_emitter(c, span);
  access->has_mask = true;
  access->mask = inside;
  return true;
}

bool view_pad(struct checker *c, bool with_nan, struct span span, struct access *access) {
  struct dtype element = dtype_pointee(access->pointer.run_time.dtype);
  struct value zero = value_integer(0), nan = value_float((double)NAN);
  if (access->has_mask && with_nan && !dtype_is_float(element))
    return check_fail(c, span, "only floating-point elements are padded with NaN");
  return access_fill(c, with_nan ? &nan : &zero, span, access);
}
