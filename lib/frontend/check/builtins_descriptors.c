/* SPDX-License-Identifier: MIT */
/* Methods of tensor descriptors, and their functions from before they had methods. */
#include "frontend/check/memory.h"

static bool read_descriptor(struct checker *c, const struct argument *descriptor,
                            struct view *out) {
  if (descriptor->value.kind == VALUE_RUNTIME && dtype_is_pointer(descriptor->value.run_time.dtype))
    return check_fail(
        c, descriptor->span,
        "a descriptor that lies in memory cannot be read; write "
        "tensordesc<TYPE[SIZES]> in the signature for one that the host makes, or use "
        "tl.make_tensor_descriptor");
  if (descriptor->value.kind != VALUE_DESCRIPTOR)
    return argument_fail(c, descriptor, "a tensor descriptor");
  *out = view_read(&descriptor->value);
  return true;
}

bool view_place(struct checker *c, const struct argument *descriptor,
                const struct argument *offsets, struct value *storage, struct view *out) {
  const struct value *items;
  size_t count;
  if (!read_descriptor(c, descriptor, out))
    return false;
  argument_items(offsets, &items, &count);
  if (count != (size_t)out->rank)
    return check_fail(c, offsets->span, "%zu offset%s for %d dimension%s", count,
                      count == 1 ? "" : "s", out->rank, out->rank == 1 ? "" : "s");
  out->offsets = storage;
  return view_read_parts(c, offsets, out->rank, false, storage);
}

/* The access to the view's block through pointers. */
static bool access_of(struct checker *c, const struct view *view, struct span span,
                      struct access *out) {
  return view_access(c, view, (1u << view->rank) - 1, span, out);
}

/* desc.load([i, j]), and tl._experimental_descriptor_load(desc, offsets, shape, dtype), whose last
   two the descriptor knows: what lies outside of the tensor reads as the descriptor's padding. */
bool builtin_descriptor_load(struct checker *c, const struct builtin_call *call,
                             struct value *out) {
  struct value offsets[MAX_RANK];
  struct access access;
  struct view view;
  if (!view_place(c, &call->arguments[0], &call->arguments[1], offsets, &view))
    return false;
  if (view_is_block(&view))
    return block_load(c, &view, call->span, out);
  return access_of(c, &view, call->span, &access) &&
         view_pad(c, view.pads_with_nan, call->span, &access) &&
         access_load(c, &access, call->span, out);
}

/* desc.store([i, j], value): what lies outside of the tensor is not written. */
bool builtin_descriptor_store(struct checker *c, const struct builtin_call *call,
                              struct value *out) {
  struct value offsets[MAX_RANK];
  struct access access;
  struct view view;
  *out = value_none();
  if (!view_place(c, &call->arguments[0], &call->arguments[1], offsets, &view))
    return false;
  if (view_is_block(&view))
    return block_store(c, &view, &call->arguments[2], call->span);
  return access_of(c, &view, call->span, &access) && access_store(c, &access, &call->arguments[2]);
}

/* tl._experimental_descriptor_store(desc, value, offsets). */
bool builtin_old_descriptor_store(struct checker *c, const struct builtin_call *call,
                                  struct value *out) {
  struct builtin_call reordered = *call;
  reordered.arguments[1] = call->arguments[2];
  reordered.arguments[2] = call->arguments[1];
  return builtin_descriptor_store(c, &reordered, out);
}

/* --- Rows picked by an index ------------------------------------------------------------------ */

/* The access to the columns from `column` on of the rows that the tile `rows` names. */
static bool access_of_rows(struct checker *c, const struct argument *descriptor,
                           const struct argument *rows, const struct argument *column,
                           struct span span, struct view *view, struct access *out) {
  struct value offsets[2] = {value_integer(0)}, row;
  int64_t shape[MAX_RANK];
  int rank;
  if (!read_descriptor(c, descriptor, view))
    return false;
  if (view->mixed || view->rank != 2 || view->block[0] != 1)
    return check_fail(
        c, descriptor->span,
        "rows are gathered and scattered through a descriptor whose block is one row, "
        "[1, N]");
  if (!argument_tile(c, rows, &rank, shape))
    return false;
  if (rank != 1 || !dtype_is_integer(rows->value.run_time.dtype))
    return argument_fail(c, rows, "a tile of integers of one dimension");
  view->offsets = offsets;
  if (!emit_cast(&c->e, &offsets[0], DTYPE(INT64), &offsets[0]))
    return check_fail_emitter(c, column->span);
  if (!view_read_parts(c, column, 1, false, &offsets[1]))
    return false;
  if (!emit_cast(&c->e, &rows->value, DTYPE(INT64), &row) || !emit_expand_dims(&c->e, &row, 1))
    return check_fail_emitter(c, rows->span);
  return view_access(c, view, 2, span, out) && view_pick(c, view, 0, &row, span, out);
}

/* desc.gather(rows, column): element (i, j) is that of row rows[i], column + j. */
bool builtin_descriptor_gather(struct checker *c, const struct builtin_call *call,
                               struct value *out) {
  const struct argument *a = call->arguments;
  struct access access;
  struct view view;
  return access_of_rows(c, &a[0], &a[1], &a[2], call->span, &view, &access) &&
         view_pad(c, view.pads_with_nan, call->span, &access) &&
         access_load(c, &access, call->span, out);
}

/* desc.scatter(value, rows, column): the same places, written. */
bool builtin_descriptor_scatter(struct checker *c, const struct builtin_call *call,
                                struct value *out) {
  const struct argument *a = call->arguments;
  struct access access;
  struct view view;
  *out = value_none();
  return access_of_rows(c, &a[0], &a[2], &a[3], call->span, &view, &access) &&
         access_store(c, &access, &a[1]);
}
