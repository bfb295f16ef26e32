/* SPDX-License-Identifier: MIT */
/* Names of the file. The value of one is what the statements that touch it make of it, carried out
   in their order up to host->as_of: those that assign to it, and calls on it such as
   `configs.append(...)`. Each such statement sees other names as they were at its own place, so
   that the search goes backwards in the file and ends. */
#include <string.h>
#include "frontend/eval/host.h"
#include "frontend/resolve.h"

/* --- Which statements touch which name -------------------------------------------------------- */

struct host_touch {
  const struct node *statement;
  struct host_touch *next;
};
struct host_touched {
  const char *name; /* a word */
  struct host_touch *first, *last;
  struct host_touched *next; /* in the same slot */
};
enum { SLOTS = 256 };
struct host_index {
  const struct scope *scope;
  struct host_touched *slots[SLOTS];
  struct host_index *next;
};

static struct host_touched **find_slot(struct host_index *index, const char *name) {
  size_t hash = 5381;
  for (const char *c = name; *c; c++)
    hash = hash * 33 + (unsigned char)*c;
  struct host_touched **slot = &index->slots[hash % SLOTS];
  while (*slot && (*slot)->name != name)
    slot = &(*slot)->next;
  return slot;
}

struct toucher {
  struct host *host;
  struct host_index *index;
  const struct node *statement;
};

static void touch(struct toucher *toucher, const char *name) {
  struct host_touched **slot = find_slot(toucher->index, name);
  if (!*slot) {
    *slot = ARENA_NEW(toucher->host->eval.arena, struct host_touched);
    (*slot)->name = name;
  }
  struct host_touched *touched = *slot;
  if (touched->last && touched->last->statement == toucher->statement)
    return;
  struct host_touch *new = ARENA_NEW(toucher->host->eval.arena, struct host_touch);
  new->statement = toucher->statement;
  if (touched->last)
    touched->last->next = new;
  else
    touched->first = new;
  touched->last = new;
}

/* What an element or attribute belongs to is touched. */
static void touch_target(const struct node *target, void *toucher) {
  while (node_is(target, NODE_SUBSCRIPT) || node_is(target, NODE_ATTRIBUTE))
    target = node_is(target, NODE_SUBSCRIPT) ? target->subscript.value : target->attribute.value;
  if (node_is(target, NODE_NAME))
    touch(toucher, target->name.id);
}

/* A call as a statement may change what it is called on, and its arguments. */
static void touch_call(struct toucher *toucher, const struct node *call) {
  if (call->call.function->kind == NODE_ATTRIBUTE)
    touch_target(call->call.function, toucher);
  else if (node_is(call->call.function, NODE_NAME) &&
           strcmp(call->call.function->name.id, "print") == 0)
    return;
  for (uint32_t i = 0; i < call->call.arguments.count; i++)
    if (call->call.arguments.items[i]->kind == NODE_NAME)
      touch(toucher, call->call.arguments.items[i]->name.id);
}

static bool touch_node(struct node *node, void *data) {
  if (node_is(node, NODE_FUNCTION) || node_is(node, NODE_CLASS) ||
      node_kind_class(node_kind(node)) == NODE_CLASS_EXPRESSION)
    return false;
  node_targets(node, touch_target, data);
  if (node_is(node, NODE_BROKEN) && node->broken.name)
    touch(data, node->broken.name);
  if (node_is(node, NODE_EVALUATE) && node_is(node->evaluate.value, NODE_CALL))
    touch_call(data, node->evaluate.value);
  return true;
}

static const struct node_list *scope_body(const struct scope *scope) {
  const struct node *owner = scope->owner;
  return !owner                         ? &scope->module->tree->module.body
         : owner->kind == NODE_FUNCTION ? &owner->function.body
                                        : &owner->class_definition.body;
}

static struct host_index *index_of(struct host *host, const struct scope *scope) {
  for (struct host_index *index = host->indexes; index; index = index->next)
    if (index->scope == scope)
      return index;
  struct host_index *index = ARENA_NEW(host->eval.arena, struct host_index);
  *index = (struct host_index){.scope = scope, .next = host->indexes};
  host->indexes = index;
  const struct node_list *body = scope_body(scope);
  for (uint32_t i = 0; i < body->count; i++) {
    struct toucher toucher = {.host = host, .index = index, .statement = body->items[i]};
    node_walk(body->items[i], touch_node, &toucher);
  }
  return index;
}

/* --- Values ----------------------------------------------------------------------------------- */

struct host_global {
  const struct host_touched *touched;
  const struct node *last; /* the last statement that counts */
  struct value value;
  struct host_global *next;
};

static bool run_touching(struct host *host, const struct host_touched *touched, uint32_t as_of,
                         struct span span, struct value *out) {
  struct host_frame frame = {0}, *caller = host->frame;
  uint32_t outer = host->as_of;
  bool good = true;
  host->frame = &frame;
  for (const struct host_touch *at = touched->first; at && good; at = at->next) {
    if (at->statement->span.offset >= as_of)
      break;
    host->as_of = at->statement->span.offset;
    frame.flow = HOST_NEXT;
    good = host_run_statement(host, at->statement);
  }
  host->as_of = outer;
  host->frame = caller;
  if (!good)
    return false;
  for (const struct host_variable *v = frame.variables; v; v = v->next)
    if (v->name == touched->name) {
      *out = v->value;
      return true;
    }
  return host_unknown(host, span, "'%s' is assigned only under conditions that do not hold",
                      touched->name);
}

static bool evaluate_global(struct host *host, const struct host_touched *touched, struct span span,
                            struct value *out) {
  const struct node *last = NULL;
  for (const struct host_touch *at = touched->first; at; at = at->next)
    if (at->statement->span.offset < host->as_of)
      last = at->statement;
  if (!last && host->scope->owner)
    return host_unknown(host, span, "'%s' is known at run time only", touched->name);
  if (!last)
    return host_wrong(host, span, "'%s' is used before its assignment", touched->name);
  struct host_global *global = host->globals;
  size_t work = 1;
  for (; global && (global->touched != touched || global->last != last); work++)
    global = global->next;
  if (!host_step(host, span, work))
    return false;
  if (global) {
    *out = global->value;
    return true;
  }
  if (!run_touching(host, touched, host->as_of, span, out))
    return false;
  global = ARENA_NEW(host->eval.arena, struct host_global);
  *global =
      (struct host_global){.touched = touched, .last = last, .value = *out, .next = host->globals};
  host->globals = global;
  return true;
}

/* --- Names ------------------------------------------------------------------------------------ */

/* What the name at `span` means at the place up to which the file has run: a definition below both,
   such as a stand-in for a library that `try` has not found, has not happened yet. */
static const struct binding *find(const struct host *host, const char *word, struct span span) {
  const struct binding *binding = scope_find(host->scope, word);
  size_t here = span.offset > host->as_of ? span.offset : host->as_of;
  bool sure = true;
  if (binding && (binding->guard || binding->earlier))
    binding = binding_choose(binding, &sure);
  if (!sure)
    binding = binding_prefer_import(binding);
  while (binding && binding->earlier && binding->span.offset >= here &&
         binding->scope->module == host->scope->module)
    binding = binding->earlier;
  return binding;
}

static bool evaluate_function(struct host *host, const struct binding *binding, struct span span,
                              struct value *out) {
  bool sure = true;
  binding_choose(scope_find(binding->scope, binding->name), &sure);
  if (!sure && binding->conditional && binding->earlier)
    return host_unknown(host, span, "'%s' has several definitions under conditions", binding->name);
  struct host_function *function = ARENA_NEW(host->eval.arena, struct host_function);
  *function = (struct host_function){.node = binding->node, .scope = binding->scope};
  *out = (struct value){.kind = VALUE_HOST_FUNCTION, .function = function};
  return true;
}

bool host_binding(struct host *host, const struct binding *binding, struct span span,
                  struct value *out) {
  if (binding->kind == BINDING_FUNCTION)
    return evaluate_function(host, binding, span, out);
  if (binding->kind == BINDING_CLASS)
    return host_unknown(host, span, "it uses the class '%s'", binding->name);
  const struct host_touched *touched = *find_slot(index_of(host, binding->scope), binding->name);
  if (!touched)
    return host_unknown(host, span, "'%s' is known at run time only", binding->name);
  return evaluate_global(host, touched, span, out);
}

bool host_is_changed(struct host *host, const struct binding *binding) {
  const struct host_touched *touched = *find_slot(index_of(host, binding->scope), binding->name);
  return touched && touched->first->next;
}

bool host_find_global(struct host *host, const struct node *name, struct value *out) {
  const char *word = name->name.id;
  const struct binding *binding = find(host, word, name->span);
  if (strcmp(word, "__name__") == 0) { /* imported, not run */
    *out = value_text(host->eval.arena, "kernels", 7);
    return true;
  }
  if (binding && binding->kind != BINDING_IMPORT)
    return host_binding(host, binding, name->span, out);
  struct meaning meaning =
      binding ? meaning_of_import(binding) : meaning_of_word(host->scope, word);
  return host_meaning(host, &meaning, name->span, out);
}
