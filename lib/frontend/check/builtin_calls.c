/* SPDX-License-Identifier: MIT */
/* Calls of builtin functions: the arguments of a call bound to the parameters of a row of
   builtins.def.

   Arguments are evaluated as they stand, from left to right, into a list; binding then works on
   that list, so that a call in the source, a method x.f(...) and a call from inside the front end
   (a combiner that is a builtin) are one thing. */
#include <string.h>
#include "frontend/check/checker.h"

struct parameter {
  struct slice name;
  bool optional; /* name? */
  bool rest;     /* *name: takes the positional arguments that are left, as a tuple */
  bool keywords; /* **name: takes those by keyword that no other has, as a named tuple */
};

static int read_parameters(const char *text, struct parameter *out) {
  int count = 0;
  text += *text == '.'; /* the row is a method too */
  while (*text && count < MAX_PARAMETERS) {
    size_t length = strcspn(text, ",");
    struct slice name = slice_trim((struct slice){text, length});
    struct parameter *parameter = &out[count++];
    parameter->rest = name.length && name.data[0] == '*';
    parameter->keywords = name.length > 1 && parameter->rest && name.data[1] == '*';
    parameter->rest &= !parameter->keywords;
    size_t stars = parameter->keywords ? 2 : parameter->rest;
    name.data += stars;
    name.length -= stars;
    bool marked = name.length && name.data[name.length - 1] == '?';
    name.length -= marked;
    parameter->optional = marked || parameter->keywords;
    parameter->name = name;
    text += length + (text[length] == ',');
  }
  return count;
}

/* --- Binding ---------------------------------------------------------------------------------- */

static bool fail_keyword(struct checker *c, const struct builtin *builtin,
                         const struct parameter *parameters, int count, const struct given *given) {
  const char *names[MAX_PARAMETERS];
  for (int i = 0; i < count; i++)
    names[i] = arena_copy_string(&c->e.arena, parameters[i].name.data, parameters[i].name.length);
  return check_fail(c, given->span, "%s has no parameter '%s'%s", builtin_label(c, builtin),
                    given->name, word_suggestion(&c->e.arena, given->name, names, (size_t)count));
}

static bool put(struct checker *c, struct builtin_call *call, const struct parameter *parameter,
                int index, const struct given *given) {
  if (call->arguments[index].given)
    return check_fail(c, given->span, "%s: the argument '%.*s' is given twice",
                      builtin_label(c, call->builtin), (int)parameter->name.length,
                      parameter->name.data);
  call->arguments[index] = (struct argument){given->value, given->span, true};
  return true;
}

/* The positional arguments from `given` on, which *name collects; a tuple that stands alone is the
   list itself. */
static void collect(struct checker *c, struct argument *argument, const struct given *given,
                    size_t count) {
  struct value_list list = {0};
  size_t taken = 0;
  *argument = (struct argument){given->value, given->span, true};
  for (size_t i = 0; i < count; i++)
    taken += !given[i].name;
  bool alone = taken == 1 && (given->value.kind == VALUE_TUPLE || given->value.kind == VALUE_NONE);
  for (size_t i = 0; i < count && !alone; i++)
    if (!given[i].name)
      value_list_add(&c->e.arena, &list, &given[i].value);
  if (!alone)
    argument->value = (struct value){.kind = VALUE_TUPLE, .tuple = {list.items, list.count}};
}

static bool collect_keyword(struct checker *c, struct argument *argument,
                            const struct given *given) {
  const struct value *old = &argument->value;
  size_t count = argument->given ? old->tuple.count : 0;
  struct record *record = ARENA_NEW(&c->e.arena, struct record);
  struct value *items = ARENA_ARRAY(&c->e.arena, struct value, count + 1);
  record->fields = ARENA_ARRAY(&c->e.arena, const char *, count + 1);
  for (size_t i = 0; i < count; i++) {
    record->fields[i] = old->tuple.record->fields[i];
    items[i] = old->tuple.items[i];
    if (strcmp(record->fields[i], given->name) == 0)
      return check_fail(c, given->span, "the argument '%s' is given twice", given->name);
  }
  record->fields[count] = given->name;
  items[count] = given->value;
  record->count = count + 1;
  *argument = (struct argument){
      {.kind = VALUE_TUPLE, .tuple = {items, count + 1, record}}, given->span, true};
  return true;
}

/* The compiler's own handle, which kernels sometimes hand on. */
static bool is_internal(const char *name) {
  return name && (strcmp(name, "_builder") == 0 || strcmp(name, "_semantic") == 0 ||
                  strcmp(name, "_generator") == 0);
}

static bool bind_keyword(struct checker *c, struct builtin_call *call,
                         const struct parameter *parameters, int count, const struct given *given) {
  if (is_internal(given->name))
    return true;
  for (int i = 0; i < count; i++)
    if (!parameters[i].keywords && slice_equals(parameters[i].name, given->name))
      return put(c, call, &parameters[i], i, given);
  if (count && parameters[count - 1].keywords)
    return collect_keyword(c, &call->arguments[count - 1], given);
  return fail_keyword(c, call->builtin, parameters, count, given);
}

bool builtin_apply(struct checker *c, const struct builtin *builtin, const struct given *given,
                   size_t count, struct span span, struct value *out) {
  struct parameter parameters[MAX_PARAMETERS];
  int parameter_count = read_parameters(builtin->parameters, parameters), next = 0;
  struct builtin_call call = {.builtin = builtin, .variant = builtin->variant, .span = span};
  for (int i = 0; i < MAX_PARAMETERS; i++)
    call.arguments[i].span = span;
  for (size_t i = 0; i < count; i++) {
    if (given[i].name) {
      if (!bind_keyword(c, &call, parameters, parameter_count, &given[i]))
        return false;
    } else if (next < parameter_count && parameters[next].rest) {
      if (!call.arguments[next].given)
        collect(c, &call.arguments[next], &given[i], count - i);
    } else if (next == parameter_count || parameters[next].keywords) {
      return check_fail(c, given[i].span, "%s takes %d argument%s: %s", builtin_label(c, builtin),
                        parameter_count, parameter_count == 1 ? "" : "s",
                        builtin->parameters + (builtin->parameters[0] == '.'));
    } else if (!put(c, &call, &parameters[next], next, &given[i])) {
      return false;
    } else {
      next++;
    }
  }
  for (int i = 0; i < parameter_count; i++)
    if (!call.arguments[i].given && !parameters[i].optional)
      return check_fail(c, span, "%s: the argument '%.*s' is missing", builtin_label(c, builtin),
                        (int)parameters[i].name.length, parameters[i].name.data);
  check_locate(c, span);
  c->e.lacked = NULL;
  c->e.error.length = 0;
  if (builtin->run(c, &call, out))
    return check_fp8(c, span);
  return c->e.error.length ? check_fail_emitter(c, span) : false;
}

/* --- Calls in the source ---------------------------------------------------------------------- */

struct given_list {
  struct given *items; /* in the checker's arena */
  size_t count, capacity;
};

static void add_given(struct checker *c, struct given_list *list, const char *name,
                      const struct value *value, struct span span) {
  list->items =
      arena_grow(&c->e.arena, list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] = (struct given){name, *value, span};
}

static bool evaluate_argument(struct checker *c, const struct node *argument,
                              struct given_list *list) {
  struct value value;
  const char *name = node_is(argument, NODE_KEYWORD) ? argument->keyword.name : NULL;
  bool starred = node_is(argument, NODE_STARRED);
  const struct node *expression = name      ? argument->keyword.value
                                  : starred ? argument->starred.value
                                            : argument;
  if (node_is(argument, NODE_KEYWORD) && !name)
    return check_fail(c, argument->span, "'**' is not supported in a call in a kernel");
  if (!check_expression(c, expression, &value))
    return false;
  if (!starred) {
    add_given(c, list, name, &value, argument->span);
    return true;
  }
  if (value.kind != VALUE_TUPLE)
    return check_fail(c, argument->span, "'*' in a call takes a tuple");
  for (size_t i = 0; i < value.tuple.count; i++)
    add_given(c, list, NULL, &value.tuple.items[i], argument->span);
  return check_item_count(c, argument->span, list->count);
}

bool call_arguments(struct checker *c, const struct node *node, const struct value *self,
                    struct given **out, size_t *count) {
  struct given_list list = {0};
  if (self)
    add_given(c, &list, NULL, self, node->span);
  for (uint32_t i = 0; i < node->call.arguments.count; i++)
    if (!evaluate_argument(c, node->call.arguments.items[i], &list))
      return false;
  *out = list.items;
  *count = list.count;
  return true;
}

bool builtin_method(struct checker *c, const struct value *owner, const struct node *node,
                    struct value *out) {
  const struct node *function = node->call.function;
  const char *name = function->attribute.name;
  const struct builtin *builtin = builtin_find_method(name, owner->kind == VALUE_DESCRIPTOR);
  struct given *given;
  size_t count;
  if (builtin)
    return call_arguments(c, node, owner, &given, &count) &&
           builtin_apply(c, builtin, given, count, node->span, out);
  return check_fail(c, function->attribute.name_span, "%s has no method '%s'%s",
                    value_describe(&c->e.arena, owner), name, builtin_suggestion(c, name, true));
}
