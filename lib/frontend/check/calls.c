/* Calls: of builtins, with their arguments bound to parameters, and of jit functions, inlined. */
#include <string.h>
#include "frontend/check/checker.h"

static const struct builtin builtins[] = {
#define X(name_text, parameters_text, function)                                                    \
  {.name = name_text, .parameters = parameters_text, .run = builtin_##function},
#include "frontend/check/builtins.def"
#undef X
};
enum { BUILTIN_COUNT = sizeof builtins / sizeof *builtins };

const struct builtin *builtin_find(const char *name, bool method) {
  for (size_t i = 0; i < BUILTIN_COUNT; i++) {
    const char *own = builtins[i].name;
    if ((own[0] == '.') == method && strcmp(own + method, name) == 0)
      return &builtins[i];
  }
  return NULL;
}

const char *builtin_nearest(const char *name) {
  const char *names[BUILTIN_COUNT];
  for (size_t i = 0; i < BUILTIN_COUNT; i++)
    names[i] = builtins[i].name[0] == '.' ? builtins[i].name + 1 : builtins[i].name;
  return nearest_word(name, names, BUILTIN_COUNT);
}

/* --- Arguments of builtins ----------------------------------------------------------------------------- */

struct parameter {
  struct slice name;
  bool optional;
};

static int read_parameters(const char *text, struct parameter *out) {
  int count = 0;
  while (*text && count < MAX_PARAMETERS) {
    size_t length = strcspn(text, ",");
    struct slice name = slice_trim((struct slice){text, length});
    bool optional = name.length && name.data[name.length - 1] == '?';
    name.length -= optional;
    out[count++] = (struct parameter){name, optional};
    text += length + (text[length] == ',');
  }
  return count;
}

static bool bind_argument(struct checker *c, struct builtin_call *call, int index,
                          const struct node *node) {
  struct argument *argument = &call->arguments[index];
  if (argument->given)
    return check_fail(c, node->span, "tl.%s: the argument is given twice", call->builtin->name);
  argument->span = node->span;
  argument->given = true;
  return check_expression(c, node, &argument->value);
}

static bool bind_keyword(struct checker *c, struct builtin_call *call,
                         const struct parameter *parameters, int count, const struct node *node) {
  const char *names[MAX_PARAMETERS];
  struct text storage = {0};
  for (int i = 0; i < count; i++) {
    if (node->keyword.name && slice_equals(parameters[i].name, node->keyword.name))
      return bind_argument(c, call, i, node->keyword.value);
    names[i] = arena_copy_string(&c->e.arena, parameters[i].name.data, parameters[i].name.length);
  }
  text_free(&storage);
  const char *near = node->keyword.name ? nearest_word(node->keyword.name, names, (size_t)count)
                                        : NULL;
  return check_fail(c, node->keyword.name ? node->keyword.name_span : node->span,
                    "tl.%s has no parameter '%s'%s%s%s", call->builtin->name,
                    node->keyword.name ? node->keyword.name : "**", near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
}

/* `self`, for methods, is the first argument. */
static bool call_builtin(struct checker *c, const struct builtin *builtin, const struct node *node,
                         const struct value *self, struct value *out) {
  struct parameter parameters[MAX_PARAMETERS];
  int count = read_parameters(builtin->parameters, parameters), next = 0;
  struct builtin_call call = {.builtin = builtin, .span = node->span};
  if (self)
    call.arguments[next++] = (struct argument){*self, node->span, true};
  const struct node_list *given = &node->call.arguments;
  for (uint32_t i = 0; i < given->count; i++) {
    const struct node *argument = given->items[i];
    if (node_is(argument, NODE_KEYWORD)) {
      if (!bind_keyword(c, &call, parameters, count, argument))
        return false;
    } else if (node_is(argument, NODE_STARRED)) {
      return check_fail(c, argument->span, "'*' is not supported in a call of a builtin");
    } else if (next == count) {
      return check_fail(c, argument->span, "tl.%s takes %d arguments: %s", builtin->name, count,
                        builtin->parameters);
    } else if (!bind_argument(c, &call, next++, argument)) {
      return false;
    }
  }
  for (int i = 0; i < count; i++)
    if (!call.arguments[i].given && !parameters[i].optional)
      return check_fail(c, node->span, "tl.%s: the argument '%.*s' is missing", builtin->name,
                        (int)parameters[i].name.length, parameters[i].name.data);
  check_locate(c, node->span);
  return builtin->run(c, &call, out);
}

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
  bool good = check_body(c, &callee->kernel->function->function.body);
  c->depth--;
  c->frame = callee->caller;
  map_free(&callee->variables);
  *out = callee->returned ? callee->result : value_none();
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
  struct parameter parameters[MAX_PARAMETERS];
  int most = read_parameters(builtin->parameters, parameters);
  struct builtin_call call = {.builtin = builtin, .span = span};
  if (count > (size_t)most)
    return check_fail(c, span, "tl.%s takes %d arguments: %s", builtin->name, most,
                      builtin->parameters);
  for (int i = 0; i < most; i++) {
    if ((size_t)i < count)
      call.arguments[i] = (struct argument){arguments[i], span, true};
    else if (!parameters[i].optional)
      return check_fail(c, span, "tl.%s: the argument '%.*s' is missing", builtin->name,
                        (int)parameters[i].name.length, parameters[i].name.data);
  }
  check_locate(c, span);
  return builtin->run(c, &call, out);
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

/* x.to(...): a method of a value, when the owner is no module. */
static bool call_method(struct checker *c, const struct node *node, struct value *out) {
  const struct node *function = node->call.function;
  struct value owner;
  if (!check_expression(c, function->attribute.value, &owner))
    return false;
  const struct builtin *builtin = builtin_find(function->attribute.name, true);
  if (!builtin)
    return check_fail(c, function->attribute.name_span, "a value has no method '%s'",
                      function->attribute.name);
  return call_builtin(c, builtin, node, &owner, out);
}

bool check_call(struct checker *c, const struct node *node, struct value *out) {
  const struct node *function = node->call.function;
  if (node_is(function, NODE_ATTRIBUTE)) {
    struct text name = {0};
    bool dotted = scope_resolve(c->frame->kernel->scope, function, &name);
    bool module = dotted && (strncmp(text_string(&name), "triton.", 7) == 0 ||
                             strncmp(text_string(&name), "math.", 5) == 0);
    bool cdiv = dotted && strcmp(text_string(&name), "triton.cdiv") == 0;
    text_free(&name);
    if (cdiv)
      return call_builtin(c, builtin_find("cdiv", false), node, NULL, out);
    if (!module)
      return call_method(c, node, out);
  }
  struct value callee;
  if (!check_expression(c, function, &callee))
    return false;
  if (callee.kind == VALUE_BUILTIN)
    return call_builtin(c, callee.object, node, NULL, out);
  if (callee.kind == VALUE_FUNCTION)
    return call_function(c, callee.object, node, out);
  struct text text = {0};
  value_describe(&callee, &text);
  check_fail(c, function->span, "%s cannot be called", text_string(&text));
  text_free(&text);
  return false;
}
