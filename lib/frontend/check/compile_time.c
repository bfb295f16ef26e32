/* SPDX-License-Identifier: MIT */
/* What exists at compile time only: f-strings, comprehensions, lambdas and functions of the host.

   A host function is carried out statement by statement like a kernel's, in a frame whose loops are
   unrolled and whose numbers stay Python's; its arguments must be known at compile time. */
#include <stdio.h>
#include <string.h>
#include "frontend/check/control.h"

/* --- f-strings -------------------------------------------------------------------------------- */

/* {x:.2f}, {x:04d}, {x:>8} without its alignment: what printf knows of the format. */
static bool format_spec(struct checker *c, const struct node *node, const struct value *value,
                        const char *spec, struct text *out) {
  char format[24];
  size_t length = strlen(spec), tail = length ? length - 1 : 0;
  char kind = length ? spec[tail] : 0;
  bool is_float = value->kind == VALUE_FLOAT || (kind && strchr("fFeEgG", kind));
  bool is_integer = kind && strchr("dxX", kind);
  if (length == 0 || length > 8 || strspn(spec, "0123456789.") < tail ||
      (!is_integer && !(kind && strchr("fFeEgG", kind))) || !value_is_number(value) ||
      (is_integer && value->kind == VALUE_FLOAT) || strspn(spec, "0123456789") > 2)
    return check_fail(c, node->span, "the format '%s' is not supported in a kernel's f-string",
                      spec);
  snprintf(format, sizeof format, "%%%.*s%s%c", (int)tail, spec, is_float ? "" : "ll", kind);
  if (is_float)
    text_printf(out, format, value_as_double(value)); /* NOLINT */
  else
    text_printf(out, format, (long long)value_as_integer(value)); /* NOLINT */
  return true;
}

static bool format_part(struct checker *c, const struct node *part, struct text *out) {
  struct value value, spec;
  if (node_is(part, NODE_STRING)) {
    text_append(out, part->string.value.data, part->string.value.length);
    return true;
  }
  if (!check_expression(c, part->formatted.value, &value))
    return false;
  if (!value_is_constant(&value))
    return check_fail(c, part->formatted.value->span,
                      "an f-string in a kernel takes compile-time values; this one is known at run "
                      "time: print it with tl.device_print");
  bool quoted = value.kind == VALUE_STRING && part->formatted.conversion == 'r';
  if (part->formatted.spec) {
    if (!check_expression(c, part->formatted.spec, &spec))
      return false;
    if (spec.text.length)
      return format_spec(c, part, &value, spec.text.data, out);
  }
  text_puts(out, quoted ? "'" : "");
  value_format(&value, out);
  text_puts(out, quoted ? "'" : "");
  return true;
}

bool check_fstring(struct checker *c, const struct node *node, struct value *out) {
  struct text text = {0};
  bool good = true;
  for (uint32_t i = 0; i < node->fstring.parts.count && good; i++)
    good = format_part(c, node->fstring.parts.items[i], &text) &&
           check_text_size(c, node->span, text.length);
  size_t length = text.length;
  *out = (struct value){.kind = VALUE_STRING, .text = {text_keep(&text, &c->e.arena), length}};
  return good;
}

/* --- Comprehensions --------------------------------------------------------------------------- */

static bool add_element(struct evaluator *ev, const struct comprehension *comprehension) {
  return eval_element(ev, comprehension->node->comprehension.element, comprehension->data);
}

bool check_comprehension(struct checker *c, const struct node *node, struct value *out) {
  struct value_list list = {0};
  if (node->comprehension.style == COMPREHENSION_DICT ||
      node->comprehension.style == COMPREHENSION_SET)
    return check_fail(c, node->span,
                      "sets and dictionaries are not supported in a kernel; use a tuple");
  struct map saved = copy_variables(&c->frame->variables);
  const struct comprehension comprehension = {node, add_element, &list};
  bool good = eval_clauses(&c->eval, &comprehension);
  restore_variables(c, &saved);
  return good && c->eval.rules->sequence(&c->eval, node->span, &list, out);
}

/* --- Lambdas and host functions --------------------------------------------------------------- */

/* A lambda remembers the variables around it as they are now. */
bool check_lambda(struct checker *c, const struct node *node, struct value *out) {
  struct callable *callable = ARENA_NEW(&c->e.arena, struct callable);
  struct kernel *kernel = ARENA_NEW(&c->e.arena, struct kernel);
  const struct map *variables = &c->frame->variables;
  *kernel = (struct kernel){.name = "lambda", .scope = c->frame->kernel->scope};
  *callable = (struct callable){.node = node, .kernel = kernel};
  callable->words = ARENA_ARRAY(&c->e.arena, const char *, variables->count + 1);
  callable->captured = ARENA_ARRAY(&c->e.arena, struct variable *, variables->count + 1);
  for (size_t i = 0; i < variables->capacity; i++)
    if (variables->slots[i].key) {
      callable->words[callable->count] = variables->slots[i].key;
      callable->captured[callable->count++] = variables->slots[i].value;
    }
  *out = (struct value){.kind = VALUE_CALLABLE, .object = callable};
  return true;
}

/* An argument of a host function must be known: its operators would be the host's. */
static bool check_constants(struct checker *c, const struct callable *callable,
                            const struct given *given, size_t count) {
  for (size_t i = 0; i < count && node_is(callable->node, NODE_FUNCTION); i++)
    if (!value_is_constant(&given[i].value))
      return check_fail(
          c, given[i].span,
          "'%s' is host code, which takes compile-time values; decorate it with triton.jit "
          "to call it with run-time ones",
          callable->kernel->name);
  return true;
}

bool call_callable(struct checker *c, const struct callable *callable, const struct given *given,
                   size_t count, struct span span, struct value *out) {
  const struct node *node = callable->node;
  struct frame frame = {.kernel = callable->kernel,
                        .call = span,
                        .kind = node_is(node, NODE_LAMBDA) ? FRAME_JIT : FRAME_HOST};
  if (!check_depth(c, span) || !count_statement(c, node) ||
      !check_constants(c, callable, given, count))
    return false;
  for (size_t i = 0; i < callable->count; i++)
    map_set(&frame.variables, callable->words[i], callable->captured[i]);
  bool good = call_in_frame(c, &frame, node, given, count, out);
  map_free(&frame.variables);
  return good;
}
