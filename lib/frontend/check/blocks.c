/* SPDX-License-Identifier: MIT */
/* Blocks that are loaded and stored through tensor descriptors, as the tile dialect has them. */
#include "frontend/check/memory.h"

enum { MAX_DESCRIPTOR_RANK = 5 };

static struct dtype element_of(const struct view *view) {
  return dtype_pointee(view->base.run_time.dtype);
}

/* int1 is stored as int8. */
static struct dtype stored_as(struct dtype element) {
  return dtype_is_bool(element) ? DTYPE(INT8) : element;
}

bool view_is_block(const struct view *view) {
  const struct value *last = &view->strides[view->rank - 1];
  struct dtype element = element_of(view);
  return !view->mixed && view->rank <= MAX_DESCRIPTOR_RANK && !element.pointers &&
         element.id != DTYPE_FLOAT8E4B15 && last->kind == VALUE_INTEGER && last->integer == 1;
}

static MlirType block_type(struct checker *c, const struct view *view) {
  MlirType element = dtype_to_mlir(&c->e, stored_as(element_of(view)));
  return tensor_type(view->rank, view->block, element, (MlirAttribute){0});
}

/* tile.make_descriptor. */
static bool make_descriptor(struct checker *c, const struct view *view, MlirValue *out) {
  struct dtype pointer = stored_as(element_of(view));
  struct value base = view->base, part;
  MlirValue in[1 + 2 * MAX_DESCRIPTOR_RANK];
  pointer.pointers = 1;
  if (dtype_is_bool(element_of(view)) && !emit_cast(&c->e, &base, pointer, &base))
    return false;
  in[0] = base.run_time.ir;
  for (int i = 0; i < 2 * view->rank; i++) { /* the strides follow the sizes */
    if (!emit_cast(&c->e, &view->shape[i], DTYPE(INT64), &part))
      return false;
    in[1 + i] = part.run_time.ir;
  }
  MlirContext context = c->e.session->context;
  int32_t segments[] = {1, view->rank, view->rank};
  MlirNamedAttribute attributes[] = {
      attribute_named(context, "operandSegmentSizes", attribute_dense_i32(context, 3, segments)),
      unit_attribute(&c->e, "pads_with_nan")};
  MlirType type = descriptor_for(&c->e.session->types, block_type(c, view));
  *out = BUILD(&c->e.b, "tile.make_descriptor", INS(in, 1 + 2 * view->rank), OUT(type),
               ATTRIBUTE_LIST(attributes, 1 + view->pads_with_nan));
  return true;
}

static intptr_t put_offsets(const struct view *view, MlirValue *in) {
  for (int i = 0; i < view->rank; i++)
    in[i] = view->offsets[i].run_time.ir;
  return view->rank;
}

bool block_load(struct checker *c, const struct view *view, struct span span, struct value *out) {
  struct dtype element = element_of(view);
  MlirValue in[1 + MAX_DESCRIPTOR_RANK];
  check_locate(c, span);
  if (!make_descriptor(c, view, &in[0]))
    return check_fail_emitter(c, span);
  intptr_t count = 1 + put_offsets(view, in + 1);
  MlirValue ir = BUILD(&c->e.b, "tile.descriptor_load", INS(in, count), OUT(block_type(c, view)));
  *out = value_runtime(ir, stored_as(element));
  return emit_cast(&c->e, out, element, out) || check_fail_emitter(c, span);
}

/* Can a value of that type be broadcast to the block? */
static bool fits_block(const struct view *view, MlirType type) {
  int64_t shape[MAX_RANK];
  int rank = type_shape(type, shape);
  for (int i = 0; i < rank && rank <= view->rank; i++)
    if (view->block[view->rank - rank + i] == 1 && shape[i] != 1)
      return false;
  return rank <= view->rank;
}

bool block_store(struct checker *c, const struct view *view, const struct argument *argument,
                 struct span span) {
  struct dtype element = element_of(view);
  struct value value;
  MlirValue in[2 + MAX_DESCRIPTOR_RANK];
  check_locate(c, span);
  if (!check_writable(c, &view->base, argument->span))
    return false;
  if (!emit_convert(&c->e, &argument->value, element, &value))
    return check_fail_emitter(c, argument->span);
  if (!fits_block(view, mlirValueGetType(value.run_time.ir)))
    return argument_fail(c, argument, "a value of the block's shape");
  if (!emit_broadcast_to(&c->e, &value, view->rank, view->block) ||
      !emit_cast(&c->e, &value, stored_as(element), &value) || !make_descriptor(c, view, &in[0]))
    return check_fail_emitter(c, argument->span);
  in[1] = value.run_time.ir;
  intptr_t count = 2 + put_offsets(view, in + 2);
  BUILD_OP(&c->e.b, "tile.descriptor_store", INS(in, count));
  return true;
}
