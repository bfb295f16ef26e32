/* SPDX-License-Identifier: MIT */
/* Readers of builtin arguments: what an argument must be, and the message when it is not. */
#include <string.h>
#include "frontend/check/checker.h"

bool argument_given(const struct argument *argument) {
  return argument->given && argument->value.kind != VALUE_NONE;
}

bool argument_is_tile(const struct argument *argument) {
  return argument->value.kind == VALUE_RUNTIME &&
         type_is_tensor(mlirValueGetType(argument->value.run_time.ir));
}

bool argument_fail(struct checker *c, const struct argument *argument, const char *needed) {
  return check_fail(c, argument->span, "%s is needed, not %s", needed,
                    value_describe(&c->e.arena, &argument->value));
}

bool argument_tile(struct checker *c, const struct argument *argument, int *rank, int64_t *shape) {
  if (!argument_is_tile(argument))
    return argument_fail(c, argument, "a tile");
  *rank = type_shape(mlirValueGetType(argument->value.run_time.ir), shape);
  return true;
}

bool argument_run_time(struct checker *c, const struct argument *argument, struct value *out) {
  return emit_runtime(&c->e, &argument->value, out) || check_fail_emitter(c, argument->span);
}

bool argument_integer(struct checker *c, const struct argument *argument, int64_t fallback,
                      int64_t *out) {
  *out = fallback;
  if (!argument_given(argument))
    return true;
  *out = value_as_integer(&argument->value);
  return value_is_integer(&argument->value) || argument_fail(c, argument, "a compile-time integer");
}

bool argument_bool(struct checker *c, const struct argument *argument, bool fallback, bool *out) {
  *out = fallback;
  if (!argument_given(argument))
    return true;
  if (argument->value.kind == VALUE_RUNTIME)
    return argument_fail(c, argument, "True or False");
  *out = value_truth(&argument->value);
  return true;
}

bool argument_word(struct checker *c, const struct argument *argument, const char *const *words,
                   int fallback, int *out) {
  *out = fallback;
  if (!argument_given(argument))
    return true;
  for (*out = 0; words[*out]; ++*out)
    if (argument->value.kind == VALUE_STRING && slice_equals(argument->value.text, words[*out]))
      return true;
  struct text list = {0};
  for (int i = 0; words[i]; i++)
    text_printf(&list, "%s\"%s\"", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
  return argument_fail(c, argument, text_keep(&list, &c->e.arena));
}

bool argument_dtype(struct checker *c, const struct argument *argument, struct dtype fallback,
                    struct dtype *out) {
  *out = fallback;
  if (!argument_given(argument))
    return true;
  if (argument->value.kind != VALUE_DTYPE)
    return argument_fail(c, argument, "a type such as tl.float32");
  *out = argument->value.dtype;
  return true;
}

bool argument_axis(struct checker *c, const struct argument *argument, int rank, int fallback,
                   int *out) {
  int64_t axis;
  if (!argument_integer(c, argument, fallback, &axis))
    return false;
  if (axis < -rank || axis >= rank)
    return check_fail(c, argument->span, "invalid axis %lld; it is %d to %d", (long long)axis,
                      -rank, rank - 1);
  *out = (int)(axis < 0 ? axis + rank : axis);
  return true;
}

void argument_items(const struct argument *argument, const struct value **items, size_t *count) {
  bool tuple = argument->value.kind == VALUE_TUPLE;
  *items = tuple ? argument->value.tuple.items : &argument->value;
  *count = tuple ? argument->value.tuple.count : 1;
}

bool argument_integers(struct checker *c, const struct argument *argument, const char *what,
                       int *count, int64_t *out) {
  const struct value *items;
  size_t length;
  argument_items(argument, &items, &length);
  if (length > MAX_RANK)
    return check_fail(c, argument->span, "a tile has at most %d dimensions", MAX_RANK);
  for (size_t i = 0; i < length; i++) {
    if (!value_is_integer(&items[i]))
      return check_fail(c, argument->span, "%s is made of compile-time integers%s", what,
                        items[i].kind == VALUE_RUNTIME ? "; make the size a tl.constexpr" : "");
    out[i] = value_as_integer(&items[i]);
  }
  *count = (int)length;
  return true;
}

bool argument_shape(struct checker *c, const struct argument *argument, int *rank, int64_t *shape) {
  if (!argument_integers(c, argument, "a shape", rank, shape))
    return false;
  int64_t elements = 1;
  for (int i = 0; i < *rank; i++) {
    if (shape[i] < 1 || (shape[i] & (shape[i] - 1)))
      return check_fail(c, argument->span,
                        "the size %lld is not a power of two; take the next one and mask",
                        (long long)shape[i]);
    if (shape[i] > MAX_TILE_ELEMENTS || (elements *= shape[i]) > MAX_TILE_ELEMENTS)
      return check_fail(c, argument->span, "a tile has at most %d elements", MAX_TILE_ELEMENTS);
  }
  return true;
}
