/* SPDX-License-Identifier: MIT */
/* See memory.h: hints, loads and stores. */
#include "frontend/check/memory.h"

static void add_word(struct checker *c, struct access *access, const char *name, const char *word) {
  access->hints[access->hint_count++] = text_attribute(&c->e, name, slice_of(word));
}

bool access_hints(struct checker *c, const struct argument *cache, const struct argument *eviction,
                  const struct argument *is_volatile, struct access *access) {
  static const char *const loads[] = {"", ".ca", ".cg", ".cs", ".cv", NULL};
  static const char *const stores[] = {"", ".wb", ".cg", ".cs", ".wt", NULL};
  static const char *const policies[] = {"", "evict_normal", "evict_first", "evict_last", NULL};
  const char *const *modifiers = is_volatile ? loads : stores;
  int modifier, policy;
  bool fixed = false;
  access->hint_count = 0;
  if (!argument_word(c, cache, modifiers, 0, &modifier) ||
      !argument_word(c, eviction, policies, 0, &policy) ||
      (is_volatile && !argument_bool(c, is_volatile, false, &fixed)))
    return false;
  if (fixed)
    access->hints[access->hint_count++] = unit_attribute(&c->e, "volatile");
  else if (modifier > 1 || (modifier == 1 && policy < 2)) /* 1: what happens without one */
    add_word(c, access, "cache", modifiers[modifier] + 1);
  else if (policy > 0)
    add_word(c, access, "evict", policies[policy]);
  return true;
}

static struct dtype pointee(const struct access *access) {
  return dtype_pointee(access->pointer.run_time.dtype);
}

/* Pointers to int1 are pointers to bytes. */
static bool as_bytes(struct checker *c, struct access *access, struct span span) {
  struct dtype bytes = DTYPE(INT8);
  if (!dtype_is_bool(pointee(access)))
    return true;
  bytes.pointers = 1;
  return (emit_cast(&c->e, &access->pointer, bytes, &access->pointer) &&
          (!access->has_other || emit_cast(&c->e, &access->other, DTYPE(INT8), &access->other))) ||
         check_fail_emitter(c, span);
}

bool access_fill(struct checker *c, const struct value *number, struct span span,
                 struct access *access) {
  access->has_other = access->has_mask;
  return !access->has_mask ||
         (emit_convert(&c->e, number, pointee(access), &access->other) &&
          emit_broadcast(&c->e, &access->other, &access->pointer)) ||
         check_fail_emitter(c, span);
}

bool access_load(struct checker *c, const struct access *from, struct span span,
                 struct value *out) {
  struct value zero = value_integer(0);
  struct access access = *from;
  struct dtype element = pointee(&access);
  check_locate(c, span);
  if ((!access.has_other && !access_fill(c, &zero, span, &access)) || !as_bytes(c, &access, span))
    return false;
  MlirContext context = c->e.session->context;
  MlirNamedAttribute attributes[3] = {attribute_named(
      context, "operandSegmentSizes",
      attribute_dense_i32(context, 3, (int32_t[]){1, access.has_mask, access.has_other}))};
  for (int i = 0; i < access.hint_count; i++)
    attributes[1 + i] = access.hints[i];
  MlirValue in[] = {access.pointer.run_time.ir,
                    access.has_mask ? access.mask.run_time.ir : (MlirValue){0},
                    access.has_other ? access.other.run_time.ir : (MlirValue){0}};
  MlirType type = tile_type_like(&c->e, access.pointer.run_time.ir, pointee(&access));
  MlirValue ir =
      BUILD(&c->e.b, "tile.load", .in = in, .in_count = 1 + access.has_mask + access.has_other,
            OUT(type), .attributes = attributes, .attribute_count = 1 + access.hint_count);
  *out = value_runtime(ir, pointee(&access));
  return emit_cast(&c->e, out, element, out) || check_fail_emitter(c, span);
}

bool check_writable(struct checker *c, const struct value *pointer, struct span span) {
  return !pointer->run_time.dtype.constant ||
         check_fail(c, span,
                    "Cannot store to a constant pointer, %s: its parameter is a tl.const, or *k in "
                    "the signature",
                    dtype_text(&c->e.arena, pointer->run_time.dtype));
}

bool access_store(struct checker *c, const struct access *to, const struct argument *argument) {
  struct access access = *to;
  struct value value;
  if (!check_writable(c, &access.pointer, argument->span))
    return false;
  if (!emit_convert(&c->e, &argument->value, pointee(&access), &value) ||
      !emit_broadcast(&c->e, &access.pointer, &value))
    return check_fail_emitter(c, argument->span);
  if (to->fixed && !type_same_shape(mlirValueGetType(to->pointer.run_time.ir),
                                    mlirValueGetType(value.run_time.ir)))
    return argument_fail(c, argument, "a value of the block's shape");
  if (!as_bytes(c, &access, argument->span))
    return false;
  if (!emit_cast(&c->e, &value, pointee(&access), &value) ||
      (access.has_mask && !emit_broadcast(&c->e, &access.pointer, &access.mask)))
    return check_fail_emitter(c, argument->span);
  MlirValue in[] = {access.pointer.run_time.ir, value.run_time.ir,
                    access.has_mask ? access.mask.run_time.ir : (MlirValue){0}};
  BUILD_OP(&c->e.b, "tile.store", .in = in, .in_count = 2 + access.has_mask,
           .attributes = access.hints, .attribute_count = access.hint_count);
  return true;
}
