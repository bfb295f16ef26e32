/* Calls of jit functions, which are inlined, and what a call calls. */
#include <string.h>
#include "frontend/check/checker.h"

/* --- Calls of jit functions ---------------------------------------------------------------------------- */

enum { DEEPEST_CALL = 64 };

static bool check_recursion(struct checker *c, const struct kernel *kernel, struct span span) {
  for (struct frame *frame = c->frame; frame; frame = frame->caller)
    if (frame->kernel == kernel)
      return check_fail(c, span, "'%s' calls itself; a kernel cannot recurse", kernel->name);
  if (c->depth >= DEEPEST_CALL)
    return check_fail(c, span, "calls are nested more than %d deep", DEEPEST_CALL);
  return true;
}

static const struct node *find_parameter(const struct node *function, const char *word,
                                         uint32_t *index) {
  const struct node_list *parameters = &function->function.parameters;
  for (*index = 0; *index < parameters->count; ++*index)
    if (parameters->items[*index]->parameter.name == word)
      return parameters->items[*index];
  return NULL;
}

/* Evaluates the arguments in the caller's frame into the callee's variables. */
static bool bind_call(struct checker *c, const struct kernel *kernel, const struct node *node,
                      struct frame *callee) {
  const struct node_list *parameters = &kernel->function->function.parameters;
  const struct node_list *given = &node->call.arguments;
  struct argument *bound = ARENA_ARRAY(&c->e.arena, struct argument, parameters->count + 1);
  uint32_t next = 0;
  for (uint32_t i = 0; i < given->count; i++) {
    const struct node *argument = given->items[i], *value = argument;
    uint32_t index = next;
    if (node_is(argument, NODE_STARRED))
      return check_fail(c, argument->span, "'*' is not supported in a call");
    if (node_is(argument, NODE_KEYWORD)) {
      value = argument->keyword.value;
      if (!argument->keyword.name ||
          !find_parameter(kernel->function, argument->keyword.name, &index))
        return check_fail(c, argument->span, "'%s' has no parameter '%s'", kernel->name,
                          argument->keyword.name ? argument->keyword.name : "**");
    } else {
      next++;
    }
    if (index >= parameters->count)
      return check_fail(c, argument->span, "'%s' takes %u arguments", kernel->name,
                        (unsigned)parameters->count);
    if (bound[index].given)
      return check_fail(c, argument->span, "the argument '%s' is given twice",
                        parameters->items[index]->parameter.name);
    bound[index].given = true;
    if (!check_expression(c, value, &bound[index].value))
      return false;
  }
  for (uint32_t i = 0; i < parameters->count; i++) {
    const struct node *parameter = parameters->items[i];
    if (!bound[i].given && !parameter->parameter.default_value)
      return check_fail(c, node->span, "the argument '%s' of '%s' is missing",
                        parameter->parameter.name, kernel->name);
    if (!bound[i].given &&
        !check_expression(c, parameter->parameter.default_value, &bound[i].value))
      return false;
    struct variable *variable = ARENA_NEW(&c->e.arena, struct variable);
    *variable = (struct variable){.value = bound[i].value, .assigned = parameter->span};
    map_set(&callee->variables, parameter->parameter.name, variable);
  }
  return true;
}

/* The callee's body, with its parameters set; ends the frame. */
static bool run_function(struct checker *c, struct frame *callee, struct value *out) {
  c->frame = callee;
  c->depth++;
  bool good = check_function(c, out);
  c->depth--;
  c->frame = callee->caller;
  map_free(&callee->variables);
  return good;
}

static bool call_function(struct checker *c, const struct kernel *kernel, const struct node *node,
                          struct value *out) {
  struct frame callee = {.kernel = kernel, .caller = c->frame, .call = node->span};
  if (!check_recursion(c, kernel, node->span))
    return false;
  if (bind_call(c, kernel, node, &callee))
    return run_function(c, &callee, out);
  map_free(&callee.variables);
  return false;
}

static bool apply_function(struct checker *c, const struct kernel *kernel,
                           const struct value *arguments, size_t count, struct span span,
                           struct value *out) {
  struct frame callee = {.kernel = kernel, .caller = c->frame, .call = span};
  const struct node_list *parameters = &kernel->function->function.parameters;
  if (!check_recursion(c, kernel, span))
    return false;
  if (count > parameters->count)
    return check_fail(c, span, "'%s' takes %u arguments; it is called with %zu", kernel->name,
                      (unsigned)parameters->count, count);
  for (uint32_t i = 0; i < parameters->count; i++) {
    const struct node *parameter = parameters->items[i];
    struct variable *variable = ARENA_NEW(&c->e.arena, struct variable);
    *variable = (struct variable){.assigned = parameter->span};
    if (i < count)
      variable->value = arguments[i];
    else if (!parameter->parameter.default_value)
      return map_free(&callee.variables),
             check_fail(c, span, "'%s' takes %u arguments; it is called with %zu", kernel->name,
                        (unsigned)parameters->count, count);
    else if (!check_expression(c, parameter->parameter.default_value, &variable->value))
      return map_free(&callee.variables), false;
    map_set(&callee.variables, parameter->parameter.name, variable);
  }
  return run_function(c, &callee, out);
}

static bool apply_builtin(struct checker *c, const struct builtin *builtin,
                          const struct value *arguments, size_t count, struct span span,
                          struct value *out) {
  struct given *given = ARENA_ARRAY(&c->e.arena, struct given, count + 1);
  for (size_t i = 0; i < count; i++)
    given[i] = (struct given){NULL, arguments[i], span};
  return builtin_apply(c, builtin, given, count, span, out);
}

bool check_apply(struct checker *c, const struct value *callee, const struct value *arguments,
                 size_t count, struct span span, struct value *out) {
  if (callee->kind == VALUE_FUNCTION)
    return apply_function(c, callee->object, arguments, count, span, out);
  if (callee->kind == VALUE_BUILTIN)
    return apply_builtin(c, callee->object, arguments, count, span, out);
  struct text text = {0};
  value_describe(callee, &text);
  check_fail(c, span, "%s cannot be called", text_string(&text));
  text_free(&text);
  return false;
}

static bool call_value(struct checker *c, const struct value *callee, const struct node *node,
                       struct value *out) {
  if (callee->kind == VALUE_BUILTIN)
    return builtin_call(c, callee->object, node, NULL, out);
  if (callee->kind == VALUE_FUNCTION)
    return call_function(c, callee->object, node, out);
  struct text text = {0};
  value_describe(callee, &text);
  check_fail(c, node->call.function->span, "%s cannot be called", text_string(&text));
  text_free(&text);
  return false;
}

/* x.f(...) where x.f is no dotted name of the language: x is a value, or a module in a variable. */
static bool call_attribute(struct checker *c, const struct node *node, struct value *out) {
  const struct node *function = node->call.function;
  struct value owner, callee;
  if (!check_expression(c, function->attribute.value, &owner))
    return false;
  if (owner.kind != VALUE_MODULE)
    return builtin_method(c, &owner, node, out);
  return check_member(c, &owner, function, &callee) && call_value(c, &callee, node, out);
}

bool check_call(struct checker *c, const struct node *node, struct value *out) {
  const struct node *function = node->call.function;
  struct value callee;
  enum builtin_lookup found = builtin_resolve(c, function, &callee);
  if (found == BUILTIN_UNKNOWN)
    return builtin_fail_unknown(c, function);
  if (found == BUILTIN_NONE && node_is(function, NODE_ATTRIBUTE))
    return call_attribute(c, node, out);
  if (found == BUILTIN_NONE && !check_expression(c, function, &callee))
    return false;
  return call_value(c, &callee, node, out);
}
