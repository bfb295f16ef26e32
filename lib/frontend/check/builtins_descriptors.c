/* Methods of tensor descriptors, and their functions from before they had methods. */
#include "frontend/check/memory.h"

/* `offsets`, one a dimension of the block, as run-time values. */
static bool place(struct checker *c, const struct argument *descriptor,
                  const struct argument *offsets, struct value *storage, struct view *out) {
  const struct value *items;
  size_t count;
  if (descriptor->value.kind == VALUE_RUNTIME && dtype_is_pointer(descriptor->value.run_time.dtype))
    return check_fail(c, descriptor->span,
                      "a descriptor that lies in memory cannot be read; write "
                      "tensordesc<TYPE[SIZES]> in the signature for one that the host makes, or use "
                      "tl.make_tensor_descriptor");
  if (descriptor->value.kind != VALUE_DESCRIPTOR)
    return argument_fail(c, descriptor, "a tensor descriptor");
  *out = view_read(&descriptor->value);
  argument_items(offsets, &items, &count);
  if (count != (size_t)out->rank)
    return check_fail(c, offsets->span, "%zu offset%s for %d dimension%s", count,
                      count == 1 ? "" : "s", out->rank, out->rank == 1 ? "" : "s");
  for (size_t i = 0; i < count; i++)
    if (!emit_cast(&c->e, &items[i], DTYPE(INT64), &storage[i]))
      return check_fail_emitter(c, offsets->span);
  out->offsets = storage;
  return true;
}

static bool access_of(struct checker *c, const struct builtin_call *call, struct access *out,
                      struct view *view) {
  struct value offsets[MAX_RANK];
  return place(c, &call->arguments[0], &call->arguments[1], offsets, view) &&
         view_access(c, view, (1u << view->rank) - 1, call->span, out);
}

/* desc.load([i, j]): what lies outside of the tensor reads as the descriptor's padding. */
bool builtin_descriptor_load(struct checker *c, const struct builtin_call *call,
                             struct value *out) {
  struct access access;
  struct view view;
  return access_of(c, call, &access, &view) &&
         view_pad(c, view.pads_with_nan, call->span, &access) &&
         access_load(c, &access, call->span, out);
}

/* desc.store([i, j], value): what lies outside of the tensor is not written. */
bool builtin_descriptor_store(struct checker *c, const struct builtin_call *call,
                              struct value *out) {
  struct access access;
  struct view view;
  *out = value_none();
  return access_of(c, call, &access, &view) && access_store(c, &access, &call->arguments[2]);
}

/* tl._experimental_descriptor_store(desc, value, offsets). */
bool builtin_old_descriptor_store(struct checker *c, const struct builtin_call *call,
                                  struct value *out) {
  struct builtin_call turned = *call;
  turned.arguments[1] = call->arguments[2];
  turned.arguments[2] = call->arguments[1];
  return builtin_descriptor_store(c, &turned, out);
}

/* tl._experimental_descriptor_load(desc, offsets, shape, dtype): the descriptor knows the last two.
 */
bool builtin_old_descriptor_load(struct checker *c, const struct builtin_call *call,
                                 struct value *out) {
  return builtin_descriptor_load(c, call, out);
}

bool builtin_descriptor_refused(struct checker *c, const struct builtin_call *call,
                                struct value *out) {
  (void)out;
  return check_fail(c, call->span,
                    "%s is not supported on tensor descriptors; use pointers and a mask",
                    builtin_label(c, call->builtin));
}
