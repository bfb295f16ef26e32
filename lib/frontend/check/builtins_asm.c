/* SPDX-License-Identifier: MIT */
/* tl.inline_asm_elementwise: PTX applied to the elements of tiles. */
#include <string.h>
#include "frontend/check/asm_immediates.h"
#include "frontend/check/checker.h"

enum { MAX_VALUES = 8 }; /* operands, and results, of one tile.inline_asm */

/* The operands as run-time values of one shape; their types stay. Immediates go into the text. */
static bool read_operands(struct checker *c, const struct argument *argument,
                          struct asm_parts *parts, struct value *operands, size_t *count) {
  const struct value *items;
  argument_items(argument, &items, count);
  struct value *own = ARENA_ARRAY(&c->e.arena, struct value, *count + 1);
  for (size_t i = 0; i < *count; i++) {
    own[i] = items[i];
    struct argument item = {items[i], argument->span, true};
    if (!value_is_number(&own[i]) && !argument_run_time(c, &item, &own[i]))
      return false;
  }
  if (!asm_fold_immediates(c, parts, own, count))
    return false;
  if (*count > MAX_VALUES)
    return check_fail(c, argument->span, "assembly takes at most %d tiles, not %zu", MAX_VALUES,
                      *count);
  for (size_t i = 0; i < *count; i++) {
    struct argument item = {own[i], argument->span, true};
    if (!argument_run_time(c, &item, &operands[i]))
      return false;
  }
  for (size_t i = 0; i < 2 * *count; i++) /* the first takes every shape, then gives it to all */
    if (!emit_broadcast(&c->e, &operands[0], &operands[i % *count]))
      return check_fail_emitter(c, argument->span);
  return true;
}

static bool read_dtypes(struct checker *c, const struct argument *argument, struct dtype *dtypes,
                        size_t *count) {
  const struct value *items;
  argument_items(argument, &items, count);
  if (*count == 0 || *count > MAX_VALUES)
    return check_fail(c, argument->span,
                      "assembly gives one to %d tiles, not %zu; give one that is "
                      "not used",
                      MAX_VALUES, *count);
  for (size_t i = 0; i < *count; i++) {
    struct argument item = {items[i], argument->span, true};
    if (!argument_dtype(c, &item, DTYPE(INT32), &dtypes[i]))
      return false;
  }
  return true;
}

/* "=r, r" is written too; LLVM's form has no spaces. */
static struct slice without_spaces(struct checker *c, struct slice text) {
  char *copy = ARENA_ARRAY(&c->e.arena, char, text.length + 1);
  size_t length = 0;
  for (size_t i = 0; i < text.length; i++)
    if (!strchr(" \t\r\n", text.data[i]))
      copy[length++] = text.data[i];
  return (struct slice){copy, length};
}

/* inline_asm_elementwise(asm, constraints, args, dtype, is_pure, pack). */
bool builtin_inline_asm(struct checker *c, const struct builtin_call *call, struct value *out) {
  const struct argument *arguments = call->arguments;
  struct value operands[MAX_VALUES], results[MAX_VALUES];
  struct dtype dtypes[MAX_VALUES];
  size_t operand_count, result_count;
  bool pure;
  int64_t pack;
  for (int i = 0; i < 2; i++)
    if (arguments[i].value.kind != VALUE_STRING)
      return argument_fail(c, &arguments[i], "text that is known at compile time");
  if (!argument_integer(c, &arguments[5], 1, &pack))
    return false;
  struct asm_parts parts = {.text = arguments[0].value.text,
                            .constraints = without_spaces(c, arguments[1].value.text),
                            .pack = pack < 1 || pack > 16 ? 1 : pack,
                            .span = arguments[2].span};
  if (!read_operands(c, &arguments[2], &parts, operands, &operand_count) ||
      !read_dtypes(c, &arguments[3], dtypes, &result_count) ||
      !argument_bool(c, &arguments[4], false, &pure))
    return false;
  MlirValue in[MAX_VALUES];
  MlirType types[MAX_VALUES];
  for (size_t i = 0; i < operand_count; i++)
    in[i] = operands[i].run_time.ir;
  for (size_t i = 0; i < result_count; i++)
    types[i] =
        operand_count ? tile_type_like(&c->e, in[0], dtypes[i]) : dtype_to_mlir(&c->e, dtypes[i]);
  if (pack < 1 || pack > 16 || (pack & (pack - 1)) || pack > type_elements(types[0]))
    return check_fail(c, arguments[5].span,
                      "pack is 1, 2, 4, 8 or 16 and at most the number of "
                      "elements (%lld), not %lld",
                      (long long)type_elements(types[0]), (long long)pack);
  MlirNamedAttribute attributes[] = {
      text_attribute(&c->e, "asm", parts.text),
      text_attribute(&c->e, "constraints", parts.constraints),
      integer_attribute(&c->e, "pack", pack),
      bool_attribute(&c->e, "pure", pure),
      segments_attribute(&c->e, "operandSegmentSizes", operand_count),
      segments_attribute(&c->e, "resultSegmentSizes", result_count),
  };
  MlirOperation op = BUILD_OP(
      &c->e.b, "tile.inline_asm", .in = in, .in_count = (intptr_t)operand_count, .out = types,
      .out_count = (intptr_t)result_count, .attributes = attributes, .attribute_count = 6);
  for (size_t i = 0; i < result_count; i++)
    results[i] = value_runtime(op_result(op, (intptr_t)i), dtypes[i]);
  *out = arguments[3].value.kind == VALUE_TUPLE ? value_tuple(&c->e.arena, results, result_count)
                                                : results[0];
  return true;
}
