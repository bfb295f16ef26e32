/* SPDX-License-Identifier: MIT */
/* The grid of a candidate: an expression over scalars and the version's constants, or the caller's
 * function. */
#include <stdlib.h>
#include <string.h>
#include "ahead/expression.h"
#include "base/status.h"
#include "frontend/diagnostics.h"
#include "tune/grid.h"

static bool integer_of(const tile_argument *argument, int64_t *out) {
  switch (argument->kind) {
  case TILE_ARGUMENT_I1:
    *out = argument->value.i1;
    return true;
  case TILE_ARGUMENT_I8:
    *out = (int8_t)argument->value.i8;
    return true;
  case TILE_ARGUMENT_I16:
    *out = (int16_t)argument->value.i16;
    return true;
  case TILE_ARGUMENT_I32:
    *out = (int32_t)argument->value.i32;
    return true;
  case TILE_ARGUMENT_I64:
    *out = (int64_t)argument->value.i64;
    return true;
  case TILE_ARGUMENT_POINTER:
  case TILE_ARGUMENT_F16:
  case TILE_ARGUMENT_BF16:
  case TILE_ARGUMENT_F32:
  case TILE_ARGUMENT_F64:
    break;
  }
  return false;
}

static struct expression_name name_argument(const char *name, const tile_argument *argument) {
  struct expression_name out = {.name = name, .is_constant = true};
  bool known = integer_of(argument, &out.value);
  out.c = known ? "" : NULL;
  out.what = argument->kind == TILE_ARGUMENT_POINTER ? "a pointer" : "a float";
  return out;
}

static struct expression_name name_constant(const tile_named_constant *constant) {
  struct expression_name out = {.name = constant->name, .is_constant = true, .what = "no integer"};
  char *end;
  out.value = strtoll(constant->value, &end, 10);
  bool boolean = strcmp(constant->value, "True") == 0;
  if (boolean || strcmp(constant->value, "False") == 0)
    out.value = boolean;
  else if (end == constant->value || *end)
    return out;
  out.c = "";
  return out;
}

tile_status tune_grid(const char *text, const struct tune_grid_argument *arguments, size_t count,
                      const tile_kernel_version *version, uint32_t out[3]) {
  struct arena arena = {0};
  struct problems problems;
  struct expression_name *names =
      ARENA_ARRAY(&arena, struct expression_name, count + version->constant_count + 1);
  struct expression_names all = {.names = names};
  for (size_t i = 0; i < count; i++)
    names[all.count++] = name_argument(arguments[i].name, arguments[i].value);
  for (size_t i = 0; i < version->constant_count; i++)
    names[all.count++] = name_constant(&version->constants[i]);
  problems_create(&problems, &arena);
  tile_status status = NULL;
  if (!expression_grid_values(&arena, &problems, text, &all, out)) {
    struct text said = {0};
    problems_print(&problems, &said);
    while (said.length && said.data[said.length - 1] == '\n')
      said.data[--said.length] = 0;
    status = FAIL(TILE_INVALID_ARGUMENT, "the grid cannot be computed\n%s", text_string(&said));
    text_free(&said);
  }
  arena_destroy(&arena);
  return status;
}
