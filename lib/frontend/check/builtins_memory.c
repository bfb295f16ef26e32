/* SPDX-License-Identifier: MIT */
/* tl.load and tl.store: on pointers, tiles of pointers and block pointers. */
#include "frontend/check/memory.h"

static bool is_scalar(const struct value *value) {
  return !type_is_tensor(mlirValueGetType(value->run_time.ir));
}

static bool check_pointer(struct checker *c, const struct argument *argument) {
  if (argument->value.kind == VALUE_RUNTIME && dtype_is_pointer(argument->value.run_time.dtype))
    return true;
  return argument_fail(c, argument, "a pointer, a tile of pointers or a block pointer");
}

bool check_not_wider(struct checker *c, const struct value *pointer, const char *what,
                     const struct argument *argument) {
  if (is_scalar(pointer) && argument_is_tile(argument))
    return check_fail(c, argument->span,
                      "%s is a tile, the pointer is not; add a tile of offsets to the pointer",
                      what);
  return true;
}

/* A mask that is True needs no mask. */
static bool read_mask(struct checker *c, const struct argument *mask, struct access *access) {
  access->has_mask =
      argument_given(mask) && !(value_is_number(&mask->value) && value_truth(&mask->value));
  if (!access->has_mask)
    return true;
  if (!check_not_wider(c, &access->pointer, "the mask", mask))
    return false;
  if (mask->value.kind == VALUE_RUNTIME && dtype_is_pointer(mask->value.run_time.dtype))
    return argument_fail(c, mask, "a mask");
  return (emit_truth(&c->e, &mask->value, &access->mask) &&
          emit_broadcast(&c->e, &access->pointer, &access->mask)) ||
         check_fail_emitter(c, mask->span);
}

/* What masked-off elements read as. It may widen the pointer, and with that the mask. */
static bool read_other(struct checker *c, const struct argument *other, struct access *access) {
  struct dtype element = dtype_pointee(access->pointer.run_time.dtype);
  access->has_other = argument_given(other) && access->has_mask;
  if (!access->has_other)
    return true;
  if (!check_not_wider(c, &access->pointer, "`other`", other))
    return false;
  return (emit_convert(&c->e, &other->value, element, &access->other) &&
          emit_broadcast(&c->e, &access->pointer, &access->other) &&
          emit_broadcast(&c->e, &access->mask, &access->pointer)) ||
         check_fail_emitter(c, other->span);
}

static bool refuse(struct checker *c, const struct argument *argument, const char *message) {
  return !argument_given(argument) || check_fail(c, argument->span, "%s", message);
}

static bool refuse_boundary(struct checker *c, const struct argument *boundary_check,
                            const struct argument *padding) {
  const struct value *items;
  size_t count;
  argument_items(boundary_check, &items, &count);
  bool none = boundary_check->value.kind == VALUE_TUPLE && count == 0;
  bool no_padding = padding && padding->value.kind == VALUE_STRING && !padding->value.text.length;
  return (none || refuse(c, boundary_check,
                         "`boundary_check` is for block pointers; give pointers a mask")) &&
         (!padding || no_padding ||
          refuse(c, padding,
                 "`padding_option` is for block pointers; give pointers a mask and "
                 "`other`"));
}

/* --- Load ------------------------------------------------------------------------------------- */

enum {
  LOAD_POINTER,
  LOAD_MASK,
  LOAD_OTHER,
  LOAD_BOUNDARY,
  LOAD_PADDING,
  LOAD_CACHE,
  LOAD_EVICTION,
  LOAD_VOLATILE
};

static bool load_view(struct checker *c, const struct builtin_call *call, struct value *out) {
  static const char *const paddings[] = {"", "zero", "nan", NULL};
  const struct argument *a = call->arguments;
  static const char masked[] = "a block pointer takes boundary_check and padding_option, no mask";
  struct view view = view_read(&a[LOAD_POINTER].value);
  struct access access;
  unsigned checked;
  int padding;
  return refuse(c, &a[LOAD_MASK], masked) && refuse(c, &a[LOAD_OTHER], masked) &&
         view_check_boundary(c, &view, &a[LOAD_BOUNDARY], &checked) &&
         argument_word(c, &a[LOAD_PADDING], paddings, 0, &padding) &&
         view_access(c, &view, checked, call->span, &access) &&
         (padding == 0 || view_pad(c, padding == 2, a[LOAD_PADDING].span, &access)) &&
         access_hints(c, &a[LOAD_CACHE], &a[LOAD_EVICTION], &a[LOAD_VOLATILE], &access) &&
         access_load(c, &access, call->span, out);
}

bool builtin_load(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  if (a[LOAD_POINTER].value.kind == VALUE_BLOCK_POINTER)
    return load_view(c, call, out);
  if (!check_pointer(c, &a[LOAD_POINTER]))
    return false;
  struct access access = {.pointer = a[LOAD_POINTER].value};
  if (argument_given(&a[LOAD_OTHER]) && !argument_given(&a[LOAD_MASK]))
    return check_fail(c, a[LOAD_OTHER].span, "`other` needs a mask");
  return refuse_boundary(c, &a[LOAD_BOUNDARY], &a[LOAD_PADDING]) &&
         read_mask(c, &a[LOAD_MASK], &access) && read_other(c, &a[LOAD_OTHER], &access) &&
         access_hints(c, &a[LOAD_CACHE], &a[LOAD_EVICTION], &a[LOAD_VOLATILE], &access) &&
         access_load(c, &access, call->span, out);
}

/* --- Store ------------------------------------------------------------------------------------ */

enum { STORE_POINTER, STORE_VALUE, STORE_MASK, STORE_BOUNDARY, STORE_CACHE, STORE_EVICTION };

static bool store_view(struct checker *c, const struct builtin_call *call) {
  const struct argument *a = call->arguments;
  struct view view = view_read(&a[STORE_POINTER].value);
  struct access access;
  unsigned checked;
  return refuse(c, &a[STORE_MASK], "a block pointer takes boundary_check, no mask") &&
         view_check_boundary(c, &view, &a[STORE_BOUNDARY], &checked) &&
         view_access(c, &view, checked, call->span, &access) &&
         access_hints(c, &a[STORE_CACHE], &a[STORE_EVICTION], NULL, &access) &&
         access_store(c, &access, &a[STORE_VALUE]);
}

bool builtin_store(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  *out = value_none();
  if (a[STORE_POINTER].value.kind == VALUE_BLOCK_POINTER)
    return store_view(c, call);
  if (!check_pointer(c, &a[STORE_POINTER]))
    return false;
  struct access access = {.pointer = a[STORE_POINTER].value};
  return check_writable(c, &access.pointer, a[STORE_POINTER].span) &&
         refuse_boundary(c, &a[STORE_BOUNDARY], NULL) &&
         check_not_wider(c, &access.pointer, "the value", &a[STORE_VALUE]) &&
         read_mask(c, &a[STORE_MASK], &access) &&
         access_hints(c, &a[STORE_CACHE], &a[STORE_EVICTION], NULL, &access) &&
         access_store(c, &access, &a[STORE_VALUE]);
}
