/* SPDX-License-Identifier: MIT */
/* Values: making them, and what can be told of them without computing. */
#include "frontend/eval/value.h"

#include <math.h>
#include <string.h>

struct value value_none(void) {
  return (struct value){.kind = VALUE_NONE};
}

struct value value_bool(bool boolean) {
  return (struct value){.kind = VALUE_BOOL, .boolean = boolean};
}

struct value value_integer(int64_t integer) {
  return (struct value){.kind = VALUE_INTEGER, .integer = integer};
}

struct value value_float(double number) {
  return (struct value){.kind = VALUE_FLOAT, .number = number};
}

struct value value_runtime(MlirValue ir, struct dtype dtype) {
  return (struct value){.kind = VALUE_RUNTIME, .run_time = {ir, dtype}};
}

struct value value_tuple(struct arena *arena, const struct value *items, size_t count) {
  struct value *copy = ARENA_ARRAY(arena, struct value, count + 1);
  for (size_t i = 0; i < count; i++)
    copy[i] = items[i];
  return (struct value){.kind = VALUE_TUPLE, .tuple = {copy, count}};
}

struct value value_text(struct arena *arena, const char *text, size_t length) {
  return (struct value){.kind = VALUE_STRING,
                        .text = {arena_copy_string(arena, text, length), length}};
}

void value_list_add(struct arena *arena, struct value_list *list, const struct value *value) {
  list->items = arena_grow(arena, list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] = *value;
}

struct value value_tuple_of(const struct value_list *list) {
  return (struct value){.kind = VALUE_TUPLE, .tuple = {list->items, list->count}};
}

bool value_is_integer(const struct value *value) {
  return value->kind == VALUE_BOOL || value->kind == VALUE_INTEGER;
}

bool value_is_number(const struct value *value) {
  return value_is_integer(value) || value->kind == VALUE_FLOAT;
}

int64_t value_as_integer(const struct value *value) {
  return value->kind == VALUE_BOOL ? value->boolean : value->integer;
}

bool value_is_compile_time(const struct value *value) {
  return value->kind != VALUE_RUNTIME;
}

bool value_is_composite(const struct value *value) {
  return value->kind == VALUE_TUPLE || value->kind == VALUE_BLOCK_POINTER ||
         value->kind == VALUE_DESCRIPTOR;
}

bool value_is_constant(const struct value *value) {
  if (!value_is_composite(value))
    return value->kind != VALUE_RUNTIME;
  for (size_t i = 0; i < value->tuple.count; i++)
    if (!value_is_constant(&value->tuple.items[i]))
      return false;
  return true;
}

static bool same_parts(const struct value *a, const struct value *b) {
  if (a->tuple.count != b->tuple.count)
    return false;
  for (size_t i = 0; i < a->tuple.count; i++)
    if (!value_same(&a->tuple.items[i], &b->tuple.items[i]))
      return false;
  return true;
}

bool value_same(const struct value *a, const struct value *b) {
  if (a->kind != b->kind)
    return false;
  switch (a->kind) {
  case VALUE_NONE:
    return true;
  case VALUE_BOOL:
    return a->boolean == b->boolean;
  case VALUE_INTEGER:
    return a->integer == b->integer && a->is_huge == b->is_huge;
  case VALUE_FLOAT: /* bit for bit: NaN equals itself, 0.0 is not -0.0 */
    return memcmp(&a->number, &b->number, sizeof a->number) == 0;
  case VALUE_STRING:
  case VALUE_MODULE:
  case VALUE_NAME:
    return a->text.length == b->text.length &&
           memcmp(a->text.data, b->text.data, a->text.length) == 0;
  case VALUE_DTYPE:
    return dtype_equal(a->dtype, b->dtype);
  case VALUE_BLOCK_TYPE:
    return dtype_equal(a->block_type.dtype, b->block_type.dtype) &&
           a->block_type.rank == b->block_type.rank &&
           memcmp(a->block_type.shape, b->block_type.shape,
                  sizeof(int64_t) * (size_t)a->block_type.rank) == 0;
  case VALUE_TUPLE:
  case VALUE_BLOCK_POINTER:
  case VALUE_DESCRIPTOR:
    return same_parts(a, b);
  case VALUE_RUNTIME:
    return mlirValueEqual(a->run_time.ir, b->run_time.ir) &&
           dtype_equal(a->run_time.dtype, b->run_time.dtype);
  case VALUE_CALLABLE: /* functions by their definition: each use makes a value of its own */
    return ((const struct callable *)a->object)->node == ((const struct callable *)b->object)->node;
  case VALUE_RECORD: /* likewise, by its name */
    return ((const struct record *)a->object)->name == ((const struct record *)b->object)->name;
  case VALUE_ARGUMENT:
    return a->argument.name == b->argument.name;
  case VALUE_FUNCTION:
  case VALUE_BUILTIN:
  case VALUE_CLASS:
  case VALUE_HOST_FUNCTION:
  case VALUE_METHOD:
  case VALUE_LIST:
  case VALUE_DICT:
  case VALUE_CONFIG:
    return a->object == b->object; /* all are pointers */
  case VALUE_POISON:
    return a->poison == b->poison;
  }
  return false;
}

double value_as_double(const struct value *value) {
  if (value->kind == VALUE_BOOL)
    return value->boolean;
  if (value->kind == VALUE_INTEGER)
    return value->is_huge ? (double)(uint64_t)value->integer : (double)value->integer;
  return value->number;
}

bool value_truth(const struct value *value) {
  if (value_is_integer(value))
    return value_as_integer(value) != 0;
  if (value->kind == VALUE_FLOAT)
    return value->number != 0;
  size_t count = value->kind == VALUE_NONE     ? 0
                 : value->kind == VALUE_STRING ? value->text.length
                 : value->kind == VALUE_TUPLE  ? value->tuple.count
                 : value->kind == VALUE_LIST   ? value->list->count
                 : value->kind == VALUE_DICT   ? value->dict->count
                                               : 1;
  return count != 0;
}

bool value_of_name(const char *name, struct value *out) {
  static const struct {
    const char *name;
    struct value value;
  } rows[] = {
#define N(name, value) {name, {.kind = VALUE_FLOAT, .number = value}},
#define I(name, value) {name, {.kind = VALUE_INTEGER, .integer = value}},
#define T(name, type) {name, {.kind = VALUE_DTYPE, .dtype = {.id = DTYPE_##type}}},
#define NONE(name) {name, {.kind = VALUE_NONE}},
#include "frontend/eval/constants.def"
#undef N
#undef I
#undef T
#undef NONE
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, name) == 0) {
      *out = rows[i].value;
      return true;
    }
  return false;
}
