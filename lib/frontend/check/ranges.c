/* SPDX-License-Identifier: MIT */
/* What a for loop runs over: range and tl.range at run time, tl.static_range and tuples at compile
 * time. */
#include <string.h>
#include "frontend/check/control.h"
#include "frontend/resolve.h"

/* The keywords of tl.range, which the operation keeps as attributes. */
static const char *const hint_names[] = {"num_stages",   "loop_unroll_factor",
                                         "flatten",      "warp_specialize",
                                         "disable_licm", "disallow_acc_multi_buffer"};
static const enum attribute_name hint_attributes[] = {
    ATTR_NUM_STAGES,      ATTR_UNROLL_FACTOR, ATTR_FLATTEN,
    ATTR_WARP_SPECIALIZE, ATTR_DISABLE_LICM,  ATTR_DISALLOW_ACC_MULTI_BUFFER};
enum { HINT_COUNT = sizeof hint_names / sizeof *hint_names, INTEGER_HINTS = 2 };

struct range {
  struct value bounds[3];
  struct span spans[3];
  MlirNamedAttribute hints[HINT_COUNT];
  intptr_t hint_count;
};

static bool fail_hint(struct checker *c, const struct node *keyword) {
  const char *name = keyword->keyword.name;
  if (!name)
    return check_fail(c, keyword->span, "tl.range has no parameter '**'");
  return check_fail(c, keyword->keyword.name_span, "tl.range has no parameter '%s'%s", name,
                    word_suggestion(&c->e.arena, name, hint_names, HINT_COUNT));
}

static bool read_hint(struct checker *c, const struct node *keyword, struct range *out) {
  static const char *const bound_names[] = {"arg1", "arg2", "step"};
  MlirContext context = c->e.session->context;
  struct value value;
  int index = 0;
  for (int i = 0; i < 3; i++)
    if (keyword->keyword.name && strcmp(keyword->keyword.name, bound_names[i]) == 0)
      return check_expression(c, keyword->keyword.value, &out->bounds[i]);
  while (index < HINT_COUNT &&
         !(keyword->keyword.name && strcmp(keyword->keyword.name, hint_names[index]) == 0))
    index++;
  if (index == HINT_COUNT)
    return fail_hint(c, keyword);
  if (!check_expression(c, keyword->keyword.value, &value))
    return false;
  if (value.kind == VALUE_NONE)
    return true;
  if (value.kind != VALUE_BOOL && value.kind != VALUE_INTEGER)
    return check_fail(c, keyword->span, "%s takes a compile-time %s", hint_names[index],
                      index < INTEGER_HINTS ? "integer" : "True or False");
  enum attribute_name name = hint_attributes[index];
  int64_t integer = value.kind == VALUE_BOOL ? value.boolean : value.integer;
  if (index < INTEGER_HINTS && (integer < 0 || integer > 1024))
    return check_fail(c, keyword->span, "%s is from 0 to 1024", hint_names[index]);
  if (index < INTEGER_HINTS)
    out->hints[out->hint_count++] =
        attribute_with(context, name, attribute_integer(context, 32, integer));
  else if (integer)
    out->hints[out->hint_count++] = attribute_with(context, name, mlirUnitAttrGet(context));
  return true;
}

static bool read_range(struct checker *c, const struct node *call, struct range *out) {
  struct value given[3];
  size_t count = 0;
  *out = (struct range){0};
  out->bounds[2] = value_integer(1);
  for (uint32_t i = 0; i < call->call.arguments.count; i++) {
    const struct node *argument = call->call.arguments.items[i];
    struct value_list values = {given, count, 3};
    if (node_is(argument, NODE_KEYWORD)) {
      if (!read_hint(c, argument, out))
        return false;
      continue;
    }
    if (!eval_element(&c->eval, argument, &values))
      return false;
    if (values.count > 3)
      return check_fail(c, argument->span, "range takes at most three arguments");
    count = values.count;
    if (values.items != given)
      memcpy(given, values.items, count * sizeof *given);
  }
  if (count == 0)
    return check_fail(c, call->span, "range needs an end");
  out->bounds[0] = count > 1 ? given[0] : value_integer(0);
  out->bounds[1] = count > 1 ? given[1] : given[0];
  if (count > 2)
    out->bounds[2] = given[2];
  if (out->bounds[2].kind == VALUE_INTEGER && out->bounds[2].integer == 0)
    return check_fail(c, call->span, "the step of a range is not 0");
  return true;
}

enum { MAX_UNROLLED = 4096 };

/* How many items a range has, MAX_UNROLLED + 1 for more; the step is not 0. */
static size_t range_length(int64_t start, int64_t end, int64_t step) {
  size_t count = 0;
  for (int64_t i = start; (step > 0 ? i < end : i > end) && count <= MAX_UNROLLED; count++)
    if (__builtin_add_overflow(i, step, &i))
      return count + 1;
  return count;
}

static bool static_for(struct checker *c, const struct node *node, const struct range *range,
                       const struct rest *rest, bool *consumed) {
  for (int i = 0; i < 3; i++)
    if (range->bounds[i].kind != VALUE_INTEGER && range->bounds[i].kind != VALUE_BOOL)
      return check_fail(
          c, node->for_loop.iterable->span,
          "tl.static_range takes compile-time integers; use range, or make the bound a "
          "tl.constexpr");
  int64_t b[3];
  for (int i = 0; i < 3; i++)
    b[i] =
        range->bounds[i].kind == VALUE_BOOL ? range->bounds[i].boolean : range->bounds[i].integer;
  size_t count = range_length(b[0], b[1], b[2]);
  if (count > MAX_UNROLLED)
    return check_fail(c, node->for_loop.iterable->span,
                      "tl.static_range unrolls at most %d iterations; use range", MAX_UNROLLED);
  struct value *items = ARENA_ARRAY(&c->e.arena, struct value, count + 1);
  for (size_t i = 0; i < count; i++)
    items[i] = value_integer(b[0] + (int64_t)i * b[2]);
  return check_unrolled(c, node, items, count, rest, consumed);
}

/* The same by value: of a variable, a constant of the file, or `a if condition else b`. */
static enum range_variant range_of_value(struct checker *c, const struct node *function) {
  struct value value;
  struct problems before = c->module->problems;
  bool chosen = node_is(function, NODE_NAME) || node_is(function, NODE_CONDITIONAL);
  bool known = chosen && check_expression(c, function, &value) && value.kind == VALUE_BUILTIN;
  check_rollback(c, &before);
  const struct builtin *builtin = known ? value.object : NULL;
  return builtin && builtin->run == builtin_py_range ? (enum range_variant)builtin->variant
                                                     : RANGE_NONE;
}

/* range, tl.range, tl.static_range by what their name stands for. */
static enum range_variant range_of(struct checker *c, const struct node *iterable) {
  if (!node_is(iterable, NODE_CALL))
    return RANGE_NONE;
  struct meaning meaning;
  const struct node *function = iterable->call.function;
  bool known = meaning_of(c->frame->kernel->scope, function, &meaning) &&
               meaning.kind != MEANS_BINDING && meaning.kind != MEANS_MODULE &&
               !(node_is(function, NODE_NAME) && frame_find(c->frame, function->name.id));
  const char *name = known ? after_last(meaning.name, '.') : "";
  return strcmp(name, "static_range") == 0 ? RANGE_UNROLLED
         : strcmp(name, "range") == 0      ? RANGE_RUN_TIME
                                           : range_of_value(c, function);
}

/* a or b of `for x in a if condition else b`, where the condition is known. */
static bool choose_iterable(struct checker *c, const struct node **iterable) {
  struct value condition;
  while (node_is(*iterable, NODE_CONDITIONAL)) {
    const struct node_conditional *parts = &(*iterable)->conditional;
    if (!check_condition(c, parts->condition, &condition))
      return false;
    if (condition.kind != VALUE_BOOL)
      return check_fail(c, parts->condition->span,
                        "what a loop runs over is chosen at compile time; this condition is known "
                        "at run time only");
    *iterable = condition.boolean ? parts->then : parts->otherwise;
  }
  return true;
}

bool check_for(struct checker *c, const struct node *node, const struct rest *rest,
               bool *consumed) {
  const struct node *iterable = node->for_loop.iterable;
  struct range range;
  struct value items;
  if (!check_loop(c, node, &node->for_loop.orelse) || !choose_iterable(c, &iterable))
    return false;
  enum range_variant kind = range_of(c, iterable);
  if (kind == RANGE_NONE) {
    if (!check_expression(c, iterable, &items))
      return false;
    if (items.kind != VALUE_TUPLE)
      return check_fail(c, iterable->span,
                        "a kernel loops over range, tl.range, tl.static_range, or a "
                        "tuple");
    return check_unrolled(c, node, items.tuple.items, items.tuple.count, rest, consumed);
  }
  if (!read_range(c, iterable, &range))
    return false;
  if (kind == RANGE_UNROLLED || c->frame->kind == FRAME_HOST)
    return static_for(c, node, &range, rest, consumed);
  return run_time_for(c, node, range.bounds, range.hints, range.hint_count);
}
