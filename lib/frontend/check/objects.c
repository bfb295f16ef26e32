/* SPDX-License-Identifier: MIT */
/* Objects of simple classes: @triton.aggregate, and named tuples with methods.

       @triton.aggregate
       class Pair:                          a record with the fields first and second
           first: tl.tensor
           second: tl.constexpr
           def __init__(self, x): ...       carried out on an object whose fields are None
           @triton.jit
           def swap(self): ...              called with the object before the arguments

   An object is a tuple with named items (records.c); a method that assigns self.first gets another
   object of its own, as nothing in a kernel changes in place. */
#include <string.h>
#include "frontend/check/control.h"
#include "frontend/check/objects.h"

enum { MAX_BASES = 8 };

bool class_is_aggregate(const struct scope *scope, const struct node *class) {
  const struct node_list *decorators = &class->class_definition.decorators;
  for (uint32_t i = 0; i < decorators->count; i++) {
    const char *name = after_last(scope_path(scope, decorators->items[i]), '.');
    if (!node_is(decorators->items[i], NODE_CALL) &&
        (strcmp(name, "aggregate") == 0 || strcmp(name, "_aggregate") == 0))
      return true;
  }
  return false;
}

const struct node *class_base(const struct scope *scope, const struct node *class) {
  const struct node_list *bases = &class->class_definition.arguments;
  const struct node *first = bases->count ? bases->items[0] : NULL;
  const struct binding *binding =
      node_is(first, NODE_NAME) ? scope_find(scope, first->name.id) : NULL;
  return binding && binding->kind == BINDING_CLASS ? binding->node : NULL;
}

/* --- Methods ---------------------------------------------------------------------------------- */

static const struct node *find_method(const struct record *record, const char *name) {
  const struct node *owner = record->class;
  for (int depth = 0; owner && depth < MAX_BASES; depth++) {
    const struct node_list *body = &owner->class_definition.body;
    for (uint32_t i = body->count; i-- > 0;)
      if (node_is(body->items[i], NODE_FUNCTION) &&
          strcmp(body->items[i]->function.name, name) == 0)
        return body->items[i];
    owner = class_base(record->scope, owner);
  }
  return NULL;
}

bool object_has_method(const struct value *object, const char *name) {
  return object->kind == VALUE_TUPLE && object->tuple.record && object->tuple.record->class &&
         find_method(object->tuple.record, name);
}

static bool is_static(const struct node *method) {
  const struct node_list *decorators = &method->function.decorators;
  for (uint32_t i = 0; i < decorators->count; i++)
    if (node_is(decorators->items[i], NODE_NAME) &&
        strcmp(decorators->items[i]->name.id, "staticmethod") == 0)
      return true;
  return false;
}

static bool all_constant(const struct given *given, size_t count) {
  bool constant = true;
  for (size_t i = 0; i < count; i++)
    constant &= value_is_constant(&given[i].value);
  return constant;
}

/* Runs a method's body in a frame of its own; *self, unless NULL, is what its first parameter holds
   at the end. What is not under triton.jit is host code where all that it is given is known. */
static bool run_method(struct checker *c, const struct record *record, const struct node *method,
                       const struct given *given, size_t count, struct span span,
                       struct value *self, struct value *out) {
  const struct kernel *known = module_kernel_of(c->module, method);
  struct kernel named = {.name = method->function.name, .scope = record->scope};
  const struct node_list *parameters = &method->function.parameters;
  bool is_bound = parameters->count && !is_static(method);
  struct frame frame = {.kernel = known ? known : ARENA_NEW(&c->e.arena, struct kernel),
                        .call = span,
                        .kind =
                            known || !all_constant(given, count) || self ? FRAME_JIT : FRAME_HOST,
                        .object = is_bound ? parameters->items[0]->parameter.name : NULL};
  if (!known)
    *(struct kernel *)(uintptr_t)frame.kernel = named;
  if (!check_depth(c, span) || !count_statement(c, method))
    return false;
  bool good = call_in_frame(c, &frame, method, given, count, out);
  struct variable *variable = self && good ? frame_find(&frame, frame.object) : NULL;
  if (variable)
    *self = variable->value;
  map_free(&frame.variables);
  return good;
}

bool object_call(struct checker *c, const struct value *object, const char *name,
                 const struct given *given, size_t count, struct span span, struct value *out) {
  const struct record *record = object->tuple.record;
  const struct node *method = find_method(record, name);
  struct given *all = ARENA_ARRAY(&c->e.arena, struct given, count + 1);
  bool with_self = !is_static(method);
  all[0] = (struct given){NULL, *object, span};
  if (count)
    memcpy(all + with_self, given, count * sizeof *given);
  return run_method(c, record, method, all, count + with_self, span, NULL, out);
}

bool class_call(struct checker *c, const struct record *record, const struct node *call,
                struct value *out) {
  const struct node *function = call->call.function;
  const struct node *method = find_method(record, function->attribute.name);
  struct given *given;
  size_t count;
  if (!method)
    return check_fail(c, function->attribute.name_span, "the class '%s' has no method '%s'",
                      record->name, function->attribute.name);
  return call_arguments(c, call, NULL, &given, &count) &&
         run_method(c, record, method, given, count, call->span, NULL, out);
}

/* --- Objects ---------------------------------------------------------------------------------- */

bool object_create(struct checker *c, const struct record *record, const struct given *given,
                   size_t count, struct span span, struct value *out) {
  const struct node *method = find_method(record, "__init__");
  if (!method)
    return call_record(c, record, given, count, span, out);
  struct value *fields = ARENA_ARRAY(&c->e.arena, struct value, record->count + 1), ignored;
  struct given *all = ARENA_ARRAY(&c->e.arena, struct given, count + 1);
  for (size_t i = 0; i < record->count; i++)
    fields[i] = record->has_default[i] ? record->defaults[i] : value_none();
  *out = (struct value){.kind = VALUE_TUPLE, .tuple = {fields, record->count, record}};
  all[0] = (struct given){NULL, *out, span};
  if (count)
    memcpy(all + 1, given, count * sizeof *given);
  return run_method(c, record, method, all, count + 1, span, out, &ignored) &&
         check_value_size(c, span, out);
}

/* aggregate_replace(instance, **changes): an object of the same class, made by its constructor of
   the same fields, but for those that are given. */
bool builtin_aggregate_replace(struct checker *c, const struct builtin_call *call,
                               struct value *out) {
  const struct value *object = &call->arguments[0].value, *changes = &call->arguments[1].value;
  const struct record *record = object->kind == VALUE_TUPLE ? object->tuple.record : NULL;
  if (!record || !record->class || !class_is_aggregate(record->scope, record->class))
    return argument_fail(c, &call->arguments[0], "an object of a class under triton.aggregate");
  struct given *given = ARENA_ARRAY(&c->e.arena, struct given, record->count + 1);
  for (size_t i = 0; i < record->count; i++)
    given[i] = (struct given){record->fields[i], object->tuple.items[i], call->span};
  for (size_t i = 0; call->arguments[1].given && i < changes->tuple.count; i++) {
    size_t field = 0;
    while (field < record->count &&
           strcmp(record->fields[field], changes->tuple.record->fields[i]) != 0)
      field++;
    if (field == record->count)
      return check_fail(c, call->span, "'%s' has no field '%s'", record->name,
                        changes->tuple.record->fields[i]);
    given[field].value = changes->tuple.items[i];
  }
  return object_create(c, record, given, record->count, call->span, out);
}

bool object_assign(struct checker *c, const struct node *target, const struct value *value) {
  const struct node *name = target->attribute.value;
  bool own = node_is(name, NODE_NAME) && c->frame->object == name->name.id;
  struct variable *variable = own ? frame_find(c->frame, name->name.id) : NULL;
  const struct record *record =
      variable && variable->value.kind == VALUE_TUPLE ? variable->value.tuple.record : NULL;
  for (size_t i = 0; record && i < record->count; i++)
    if (strcmp(record->fields[i], target->attribute.name) == 0) {
      struct value object = value_tuple(&c->e.arena, variable->value.tuple.items, record->count);
      object.tuple.record = record;
      object.tuple.items[i] = *value;
      frame_set(c, name->name.id, &object, target->span);
      return true;
    }
  return record
             ? check_fail(c, target->attribute.name_span, "'%s' has no field '%s'", record->name,
                          target->attribute.name)
             : check_fail(c, target->span,
                          "a kernel assigns to names and tuples of names, and a method to fields "
                          "of its object; use tl.store to write memory");
}
