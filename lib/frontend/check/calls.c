/* SPDX-License-Identifier: MIT */
/* What a call calls: jit functions, which are inlined, builtins, types, and what is callable at
   compile time. Arguments are evaluated from left to right, then bound to the parameters. */
#include <string.h>
#include "frontend/check/checker.h"
#include "frontend/check/objects.h"

/* --- Parameters ------------------------------------------------------------------------------- */

enum { DEEPEST_CALL = 64 };

bool check_depth(struct checker *c, struct span span) {
  return c->depth < DEEPEST_CALL ||
         check_fail(c, span, "calls are nested more than %d deep", DEEPEST_CALL);
}

/* Arguments while they are bound to the parameters of a function. */
struct binder {
  const struct node_list *parameters;
  struct frame *frame; /* of the callee */
  const struct given **bound;
  struct value_list rest; /* of *args */
  uint32_t next;          /* for positional arguments */
  size_t given_count;
};

static const struct node_parameter *parameter_of(const struct binder *binder, uint32_t index) {
  return &binder->parameters->items[index]->parameter;
}

static bool fail_surplus(struct checker *c, const struct binder *binder,
                         const struct given *given) {
  uint32_t count = binder->parameters->count;
  check_fail(c, given->span, "'%s' takes %u argument%s; it is called with %zu",
             binder->frame->kernel->name, (unsigned)count, count == 1 ? "" : "s",
             binder->given_count);
  if (count)
    check_note(c, binder->parameters->items[0]->span, "the parameters");
  return false;
}

static bool bind_positional(struct checker *c, struct binder *binder, const struct given *given) {
  if (binder->next >= binder->parameters->count)
    return fail_surplus(c, binder, given);
  switch (parameter_of(binder, binder->next)->style) {
  case PARAMETER_REST:
    value_list_add(&c->e.arena, &binder->rest, &given->value);
    return true;
  case PARAMETER_PLAIN:
  case PARAMETER_POSITIONAL_ONLY:
    binder->bound[binder->next++] = given;
    return true;
  case PARAMETER_KEYWORD_ONLY:
  case PARAMETER_KEYWORD_REST:
    break;
  }
  return fail_surplus(c, binder, given);
}

static bool fail_keyword(struct checker *c, const struct binder *binder,
                         const struct given *given) {
  const char **names = parameter_names(&c->e.arena, binder->parameters);
  return check_fail(c, given->span, "'%s' has no parameter '%s'%s", binder->frame->kernel->name,
                    given->name,
                    word_suggestion(&c->e.arena, given->name, names, binder->parameters->count));
}

static bool bind_named(struct checker *c, struct binder *binder, const struct given *given) {
  for (uint32_t i = 0; i < binder->parameters->count; i++) {
    const struct node_parameter *parameter = parameter_of(binder, i);
    if (parameter->name != given->name || parameter->style == PARAMETER_REST ||
        parameter->style == PARAMETER_KEYWORD_REST)
      continue;
    if (binder->bound[i])
      return check_fail(c, given->span, "the argument '%s' is given twice", given->name);
    binder->bound[i] = given;
    return true;
  }
  return fail_keyword(c, binder, given);
}

/* The value of a parameter: its argument, its default, or the tuple of *args. */
static bool parameter_value(struct checker *c, struct binder *binder, uint32_t index,
                            struct span call, struct value *out) {
  const struct node_parameter *parameter = parameter_of(binder, index);
  if (binder->bound[index]) {
    *out = binder->bound[index]->value;
    return true;
  }
  if (parameter->style == PARAMETER_REST || parameter->style == PARAMETER_KEYWORD_REST) {
    *out = (struct value){.kind = VALUE_TUPLE, .tuple = {binder->rest.items, binder->rest.count}};
    return check_value_size(c, call, out);
  }
  if (parameter->default_value)
    return check_in_scope(c, binder->frame->kernel->scope, parameter->name,
                          parameter->default_value, call, out);
  check_fail(c, call, "'%s' takes %u argument%s; it is called with %zu: '%s' is missing",
             binder->frame->kernel->name, (unsigned)binder->parameters->count,
             binder->parameters->count == 1 ? "" : "s", binder->given_count, parameter->name);
  check_note(c, binder->parameters->items[index]->span, "the parameter");
  return false;
}

static bool bind_parameters(struct checker *c, struct frame *frame,
                            const struct node_list *parameters, const struct given *given,
                            size_t count) {
  struct binder binder = {
      .parameters = parameters,
      .frame = frame,
      .given_count = count,
      .bound = ARENA_ARRAY(&c->e.arena, const struct given *, parameters->count + 1)};
  for (size_t i = 0; i < count; i++)
    if (given[i].name ? !bind_named(c, &binder, &given[i])
                      : !bind_positional(c, &binder, &given[i]))
      return false;
  for (uint32_t i = 0; i < parameters->count; i++) {
    struct variable *variable = ARENA_NEW(&c->e.arena, struct variable);
    variable->assigned = parameters->items[i]->span;
    if (!parameter_value(c, &binder, i, frame->call, &variable->value))
      return false;
    variable->is_constexpr = check_is_constexpr(parameters->items[i]->parameter.annotation);
    if (variable->is_constexpr)
      variable->value.is_typed = false;
    if (frame->arguments)
      frame->arguments[i] = variable->value;
    map_set(&frame->variables, parameters->items[i]->parameter.name, variable);
  }
  return true;
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Do both make the same code of a parameter? Run-time values by their types, others by what they
   are. */
static bool same_code(const struct value *a, const struct value *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind == VALUE_RUNTIME)
    return mlirTypeEqual(mlirValueGetType(a->run_time.ir), mlirValueGetType(b->run_time.ir)) &&
           dtype_equal(a->run_time.dtype, b->run_time.dtype);
  if (!value_is_composite(a))
    return value_same(a, b);
  bool same = a->tuple.count == b->tuple.count;
  for (size_t i = 0; same && i < a->tuple.count; i++)
    same = same_code(&a->tuple.items[i], &b->tuple.items[i]);
  return same;
}

/* Is the call of `callee`, made in `caller`, one that would be made again and again? */
static bool repeats(const struct frame *caller, const struct frame *callee) {
  if (caller->kernel != callee->kernel)
    return false;
  uint32_t count = caller->arguments ? function_parameters(callee->kernel->function)->count : 0;
  for (uint32_t i = 0; i < count; i++)
    if (!same_code(&caller->arguments[i], &callee->arguments[i]))
      return false;
  return true;
}

static bool check_recursion(struct checker *c, const struct frame *callee) {
  for (struct frame *frame = c->frame; callee->arguments && frame; frame = frame->caller)
    if (repeats(frame, callee))
      return check_fail(c, callee->call,
                        "'%s' calls itself with arguments of the same types; a kernel recurses "
                        "over shapes and compile-time values only",
                        callee->kernel->name);
  return true;
}

bool call_in_frame(struct checker *c, struct frame *frame, const struct node *node,
                   const struct given *given, size_t count, struct value *out) {
  frame->caller = c->frame;
  if (!bind_parameters(c, frame, function_parameters(node), given, count) ||
      !check_recursion(c, frame))
    return false;
  c->frame = frame;
  c->depth++;
  bool good = node_is(node, NODE_LAMBDA) ? check_expression(c, node->lambda.body, out)
                                         : check_function(c, &node->function.body, out);
  c->depth--;
  c->frame = frame->caller;
  return good;
}

static bool call_function(struct checker *c, const struct kernel *kernel, const struct given *given,
                          size_t count, struct span span, struct value *out) {
  uint32_t parameters = function_parameters(kernel->function)->count;
  struct frame callee = {.kernel = kernel,
                         .call = span,
                         .arguments = ARENA_ARRAY(&c->e.arena, struct value, parameters + 1)};
  bool good = check_depth(c, span) && count_statement_at(c, span) &&
              call_in_frame(c, &callee, kernel->function, given, count, out);
  map_free(&callee.variables);
  return good;
}

/* tl.float32(x), tl.dtype values in variables: a cast. */
static bool call_type(struct checker *c, const struct value *type, const struct given *given,
                      size_t count, struct span span, struct value *out) {
  if (count != 1 || given[0].name)
    return check_fail(c, span, "a type is called with one value, which it converts");
  check_locate(c, span);
  return emit_convert(&c->e, &given[0].value, type->dtype, out) || check_fail_emitter(c, span);
}

static bool fail_call(struct checker *c, const struct value *callee, struct span span) {
  return check_fail(c, span, "%s cannot be called", value_describe(&c->e.arena, callee));
}

static bool apply(struct checker *c, const struct value *callee, const struct given *given,
                  size_t count, struct span span, struct value *out) {
  if (callee->kind == VALUE_FUNCTION)
    return call_function(c, callee->object, given, count, span, out);
  if (callee->kind == VALUE_BUILTIN)
    return builtin_apply(c, callee->object, given, count, span, out);
  if (callee->kind == VALUE_CALLABLE)
    return call_callable(c, callee->object, given, count, span, out);
  if (callee->kind == VALUE_DTYPE)
    return call_type(c, callee, given, count, span, out) && check_fp8(c, span);
  if (callee->kind == VALUE_RECORD)
    return object_create(c, callee->object, given, count, span, out);
  return fail_call(c, callee, span);
}

bool check_apply(struct checker *c, const struct value *callee, const struct value *arguments,
                 size_t count, struct span span, struct value *out) {
  struct given *given = ARENA_ARRAY(&c->e.arena, struct given, count + 1);
  for (size_t i = 0; i < count; i++)
    given[i] = (struct given){NULL, arguments[i], span};
  return apply(c, callee, given, count, span, out);
}

static bool call_value(struct checker *c, const struct value *callee, const struct node *node,
                       struct value *out) {
  struct given *given;
  size_t count;
  bool callable = callee->kind == VALUE_FUNCTION || callee->kind == VALUE_BUILTIN ||
                  callee->kind == VALUE_CALLABLE || callee->kind == VALUE_DTYPE ||
                  callee->kind == VALUE_RECORD;
  if (!callable)
    return fail_call(c, callee, node->call.function->span);
  return call_arguments(c, node, NULL, &given, &count) &&
         apply(c, callee, given, count, node->span, out);
}

static bool call_text_method(struct checker *c, const struct value *text, const struct node *node,
                             struct value *out) {
  const struct node *function = node->call.function;
  struct given *given;
  size_t count;
  if (!call_arguments(c, node, NULL, &given, &count))
    return false;
  struct value *positional = ARENA_ARRAY(&c->e.arena, struct value, count + 1);
  struct value_entry *named = ARENA_ARRAY(&c->e.arena, struct value_entry, count + 1);
  struct text_call call = {.text = text->text,
                           .name = function->attribute.name,
                           .span = node->span,
                           .positional = positional,
                           .named = named};
  for (size_t i = 0; i < count; i++)
    if (given[i].name)
      named[call.named_count++] = (struct value_entry){
          value_text(&c->e.arena, given[i].name, strlen(given[i].name)), given[i].value};
    else
      positional[call.count++] = given[i].value;
  bool good;
  if (eval_text_method(&c->eval, &call, out, &good))
    return good;
  return check_fail(c, function->attribute.name_span, "%s has no method '%s' for such arguments",
                    value_describe(&c->e.arena, text), call.name);
}

/* x.f(...) where x.f is no dotted name of the language: x is a value, or a module in a variable. */
static bool call_attribute(struct checker *c, const struct node *node, struct value *out) {
  const struct node *function = node->call.function;
  struct value owner, callee;
  bool imported, good = check_imported(c, function, &imported, &callee);
  if (imported)
    return good && call_value(c, &callee, node, out);
  if (!check_expression(c, function->attribute.value, &owner))
    return false;
  if (owner.kind == VALUE_DTYPE || owner.kind == VALUE_BLOCK_TYPE)
    return check_type_method(c, &owner, node, out);
  if (owner.kind == VALUE_CLASS)
    return check_class_attribute(c, owner.object, function, &callee) &&
           call_value(c, &callee, node, out);
  if (owner.kind == VALUE_RECORD && ((const struct record *)owner.object)->class)
    return class_call(c, owner.object, node, out);
  if (object_has_method(&owner, function->attribute.name)) {
    struct given *given;
    size_t count;
    return call_arguments(c, node, NULL, &given, &count) &&
           object_call(c, &owner, function->attribute.name, given, count, node->span, out);
  }
  if (record_field(&owner, function->attribute.name, &callee)) /* a function in a field */
    return call_value(c, &callee, node, out);
  if (owner.kind == VALUE_STRING)
    return call_text_method(c, &owner, node, out);
  if (owner.kind != VALUE_MODULE)
    return builtin_method(c, &owner, node, out);
  return check_member(c, &owner, function, &callee) && call_value(c, &callee, node, out);
}

bool check_call(struct checker *c, const struct node *node, struct value *out) {
  const struct node *function = node->call.function;
  struct value callee;
  enum builtin_lookup found = builtin_resolve(c, function, &callee);
  if (found == BUILTIN_UNKNOWN && node_is(function, NODE_ATTRIBUTE) &&
      is_type_name(c, function->attribute.value))
    found = BUILTIN_NONE;
  if (found == BUILTIN_UNKNOWN)
    return builtin_fail_unknown(c, function);
  const struct builtin *builtin =
      found == BUILTIN_FOUND && callee.kind == VALUE_BUILTIN ? callee.object : NULL;
  if (builtin && builtin->run == builtin_attribute_by_name)
    return check_attribute_by_name(c, node, builtin->variant, out);
  if (found == BUILTIN_NONE && node_is(function, NODE_ATTRIBUTE))
    return call_attribute(c, node, out);
  if (found == BUILTIN_NONE && !check_expression(c, function, &callee))
    return false;
  return call_value(c, &callee, node, out);
}
