/* SPDX-License-Identifier: MIT */
/* Atomic operations on one element of memory or on a tile of them. */
#include <string.h>
#include "frontend/check/memory.h"

static bool check_atomic_pointer(struct checker *c, const struct argument *argument) {
  if (argument->value.kind == VALUE_DESCRIPTOR)
    return check_fail(
        c, argument->span,
        "a tensor descriptor has atomics as methods: desc.atomic_add(offsets, value)");
  if (argument->value.kind == VALUE_RUNTIME && dtype_is_pointer(argument->value.run_time.dtype))
    return check_writable(c, &argument->value, argument->span);
  return argument_fail(c, argument, "a pointer or a tile of pointers");
}

/* What the operation does on memory of one type; the element types that it takes. */
enum atomic_types {
  ADDS = 1,      /* i32, i64, floats */
  COMPARES = 2,  /* i32, i64, fp32, fp64 */
  INTEGERS = 4,  /* i32, i64 */
  EXCHANGES = 8, /* 32 and 64 bits */
  SWAPS = 16     /* 16, 32 and 64 bits */
};

static bool takes(enum atomic_types types, struct dtype element) {
  unsigned bits = dtype_bits(element);
  bool number = !element.pointers, is_float = dtype_is_float(element);
  bool word = bits == 32 || bits == 64;
  switch (types) {
  case ADDS:
    return number && (word || (is_float && bits == 16));
  case COMPARES:
    return number && word;
  case INTEGERS:
    return dtype_is_integer(element) && word;
  case EXCHANGES:
    return number && word;
  case SWAPS:
    return number && (word || bits == 16);
  }
  return false;
}

/* Triton names the integers in full, the floats in short. */
static const char *type_name(struct dtype element) {
  const struct dtype_info *info = &dtype_table[element.id];
  return element.pointers                 ? "a pointer"
         : info->kind == DTYPE_KIND_FLOAT ? info->short_name
                                          : info->name;
}

static bool check_types(struct checker *c, const struct builtin_call *call, enum atomic_types types,
                        struct dtype element) {
  return takes(types, element) ||
         check_fail(c, call->span, "%s does not support %s; it takes %s",
                    builtin_label(c, call->builtin), type_name(element),
                    types == ADDS       ? "32- and 64-bit integers, fp16, bf16, fp32 and fp64"
                    : types == INTEGERS ? "32- and 64-bit integers"
                    : types == SWAPS    ? "integers and floats of 16, 32 and 64 bits"
                                        : "integers and floats of 32 and 64 bits");
}

/* What the copies of Hopper's and later devices combine in memory; Triton allows no more elsewhere.
 */
static bool check_descriptor_type(struct checker *c, const struct builtin_call *call,
                                  enum atomic_types types, struct dtype element) {
  bool word = dtype_is_integer(element) && dtype_bits(element) >= 32;
  bool half = dtype_is_float(element) && dtype_bits(element) == 16;
  bool fits = types == ADDS
                  ? (word && element.id != DTYPE_INT64) || half || element.id == DTYPE_FLOAT32
              : types == COMPARES ? word || half
                                  : word;
  return fits || check_fail(c, call->span, "%s: Unsupported dtype %s; it takes %s",
                            builtin_label(c, call->builtin), type_name(element),
                            types == ADDS       ? "int32, uint32, uint64, fp16, bf16 and fp32"
                            : types == COMPARES ? "32- and 64-bit integers, fp16 and bf16"
                                                : "32- and 64-bit integers");
}

/* sem and scope as attributes: acq_rel and gpu unless given. */
static bool read_order(struct checker *c, const struct argument *sem, const struct argument *scope,
                       MlirNamedAttribute *out) {
  static const char *const orders[] = {"acq_rel", "relaxed", "acquire", "release", NULL};
  static const char *const scopes[] = {"gpu", "cta", "sys", NULL};
  int order, reach;
  if (!argument_word(c, sem, orders, 0, &order) || !argument_word(c, scope, scopes, 0, &reach))
    return false;
  out[0] = text_attribute(&c->e, "sem", slice_of(orders[order]));
  out[1] = text_attribute(&c->e, "scope", slice_of(scopes[reach]));
  return true;
}

/* `argument`, in the pointee's type and the pointer's shape; may broadcast the pointer. */
static bool read_operand(struct checker *c, const struct argument *argument, struct value *pointer,
                         struct value *out) {
  struct dtype element = dtype_pointee(pointer->run_time.dtype);
  if (!check_not_wider(c, pointer, "the value", argument))
    return false;
  return (emit_convert(&c->e, &argument->value, element, out) &&
          emit_broadcast(&c->e, pointer, out)) ||
         check_fail_emitter(c, argument->span);
}

static bool read_atomic_mask(struct checker *c, const struct argument *argument,
                             struct value *pointer, struct value *value, bool *has,
                             struct value *out) {
  *has = argument_given(argument) &&
         !(value_is_number(&argument->value) && value_truth(&argument->value));
  if (!*has)
    return true;
  if (!check_not_wider(c, pointer, "the mask", argument))
    return false;
  return (emit_truth(&c->e, &argument->value, out) && emit_broadcast(&c->e, pointer, out) &&
          emit_broadcast(&c->e, pointer, value)) ||
         check_fail_emitter(c, argument->span);
}

/* --- Read, modify, write ---------------------------------------------------------------------- */

struct atomic_row {
  const char *on_signed, *on_unsigned; /* the operation's kind; floats take the first */
  enum atomic_types types;
};

static const struct atomic_row rows[] = {
    [ATOMIC_ADD] = {"add", "add", ADDS},         [ATOMIC_MAX] = {"max", "umax", COMPARES},
    [ATOMIC_MIN] = {"min", "umin", COMPARES},    [ATOMIC_AND] = {"and", "and", INTEGERS},
    [ATOMIC_OR] = {"or", "or", INTEGERS},        [ATOMIC_XOR] = {"xor", "xor", INTEGERS},
    [ATOMIC_XCHG] = {"xchg", "xchg", EXCHANGES},
};

/* The operation on operands of one shape; `mask` may be NULL; sem and scope in `attributes`. */
static void emit_rmw(struct checker *c, const struct atomic_row *row, const struct value *pointer,
                     const struct value *value, const struct value *mask,
                     MlirNamedAttribute *attributes, struct value *out) {
  struct dtype element = value->run_time.dtype;
  const char *kind = dtype_is_unsigned(element) ? row->on_unsigned : row->on_signed;
  attributes[2] = text_attribute(&c->e, "kind", slice_of(kind));
  MlirValue in[] = {pointer->run_time.ir, value->run_time.ir,
                    mask ? mask->run_time.ir : (MlirValue){0}};
  MlirType type = mlirValueGetType(value->run_time.ir);
  *out = value_runtime(BUILD(&c->e.b, "tile.atomic_rmw", .in = in, .in_count = 2 + !!mask,
                             OUT(type), .attributes = attributes, .attribute_count = 3),
                       element);
}

bool builtin_atomic_rmw(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  const struct atomic_row *row = &rows[call->variant];
  if (!check_atomic_pointer(c, &a[0]))
    return false;
  struct value pointer = a[0].value, value, mask;
  struct dtype element = dtype_pointee(pointer.run_time.dtype);
  MlirNamedAttribute attributes[3];
  bool masked;
  if (!check_types(c, call, row->types, element) || !read_operand(c, &a[1], &pointer, &value) ||
      !read_atomic_mask(c, &a[2], &pointer, &value, &masked, &mask) ||
      !read_order(c, &a[3], &a[4], attributes))
    return false;
  emit_rmw(c, row, &pointer, &value, masked ? &mask : NULL, attributes, out);
  return true;
}

/* --- Through descriptors ---------------------------------------------------------------------- */

/* desc.atomic_add([i, j], value): relaxed, as the copies that do it on the machine; gives nothing.
 */
bool builtin_descriptor_atomic(struct checker *c, const struct builtin_call *call,
                               struct value *out) {
  const struct argument *a = call->arguments, none = {.given = false};
  const struct atomic_row *row = &rows[call->variant];
  struct value offsets[MAX_RANK], value, old;
  MlirNamedAttribute attributes[3];
  struct access access;
  struct view view;
  *out = value_none();
  if (!view_place(c, &a[0], &a[1], offsets, &view) ||
      !view_access(c, &view, (1u << view.rank) - 1, call->span, &access))
    return false;
  struct dtype element = dtype_pointee(access.pointer.run_time.dtype);
  if (!check_writable(c, &access.pointer, call->span) ||
      !check_descriptor_type(c, call, row->types, element) ||
      !read_order(c, &none, &none, attributes))
    return false;
  if (!argument_is_tile(&a[2]) || !type_same_shape(mlirValueGetType(a[2].value.run_time.ir),
                                                   mlirValueGetType(access.pointer.run_time.ir)))
    return argument_fail(c, &a[2], "a value of the block's shape");
  if (!emit_convert(&c->e, &a[2].value, element, &value))
    return check_fail_emitter(c, a[2].span);
  attributes[0] = text_attribute(&c->e, "sem", slice_of("relaxed"));
  emit_rmw(c, row, &access.pointer, &value, access.has_mask ? &access.mask : NULL, attributes,
           &old);
  return true;
}

/* --- Compare and swap ------------------------------------------------------------------------- */

bool builtin_atomic_cas(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *a = call->arguments;
  if (!check_atomic_pointer(c, &a[0]))
    return false;
  struct value pointer = a[0].value, compare, value;
  struct dtype element = dtype_pointee(pointer.run_time.dtype);
  MlirNamedAttribute attributes[2];
  if (!check_types(c, call, SWAPS, element) || !read_operand(c, &a[1], &pointer, &compare) ||
      !read_operand(c, &a[2], &pointer, &value) || !read_order(c, &a[3], &a[4], attributes) ||
      !emit_broadcast(&c->e, &pointer, &compare))
    return false;
  *out = value_runtime(BUILD(&c->e.b, "tile.atomic_cas",
                             IN(pointer.run_time.ir, compare.run_time.ir, value.run_time.ir),
                             OUT(mlirValueGetType(value.run_time.ir)),
                             ATTRIBUTES(attributes[0], attributes[1])),
                       element);
  return true;
}
