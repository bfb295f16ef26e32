/* SPDX-License-Identifier: MIT */
/* Statements of host code: assignments, if, for, while, return. What has effects beyond its own
   variables (with, try, import, del) is not carried out: the value is then unknown. */
#include <string.h>
#include "frontend/eval/host.h"
#include "frontend/resolve.h"

void host_set(struct host *host, struct host_frame *frame, const char *word,
              const struct value *value) {
  for (struct host_variable *v = frame->variables; v; v = v->next)
    if (v->name == word) {
      v->value = *value;
      return;
    }
  struct host_variable *variable = ARENA_NEW(host->eval.arena, struct host_variable);
  *variable = (struct host_variable){.name = word, .value = *value, .next = frame->variables};
  frame->variables = variable;
}

static bool assign_parts(struct host *host, struct host_frame *frame, const struct node *target,
                         const struct node_list *parts, const struct value *value) {
  if (value->kind != VALUE_LIST)
    return host_unknown(host, target->span, "unpacking %s is not evaluated",
                        host_describe(host, value));
  if (value->list->count != parts->count)
    return host_wrong(host, target->span, "it unpacks %zu values into %u names", value->list->count,
                      (unsigned)parts->count);
  for (uint32_t i = 0; i < parts->count; i++)
    if (!host_assign(host, frame, parts->items[i], &value->list->items[i]))
      return false;
  return true;
}

static bool assign_element(struct host *host, struct host_frame *frame, const struct node *target,
                           const struct value *value) {
  const struct node_list *indices = &target->subscript.indices;
  struct value object, index;
  if (indices->count != 1 || indices->items[0]->kind == NODE_SLICE)
    return host_unknown(host, target->span, "this assignment is not evaluated");
  if (!host_evaluate(host, frame, target->subscript.value, &object) ||
      !host_evaluate(host, frame, indices->items[0], &index))
    return false;
  if (object.kind == VALUE_DICT)
    return host_dict_set(host, target->span, object.dict, &index, value);
  struct value old;
  if (object.kind != VALUE_LIST)
    return host_unknown(host, target->span, "assignment to a part of %s is not evaluated",
                        host_describe(host, &object));
  if (!host_index(host, target->span, &object, &index, &old))
    return false;
  int64_t at = value_as_integer(&index);
  object.list->items[at < 0 ? at + (int64_t)object.list->count : at] = *value;
  return true;
}

/* config.num_stages = 2 */
static bool assign_attribute(struct host *host, struct host_frame *frame, const struct node *target,
                             const struct value *value) {
  struct value object;
  if (!host_evaluate(host, frame, target->attribute.value, &object))
    return false;
  return object.kind == VALUE_CONFIG
             ? host_config_assign(host, target->span, object.config, target->attribute.name, value)
             : host_unknown(host, target->span, "assignment to an attribute of %s is not evaluated",
                            host_describe(host, &object));
}

bool host_assign(struct host *host, struct host_frame *frame, const struct node *target,
                 const struct value *value) {
  if (!host_step(host, target->span, 1))
    return false;
  switch ((int)target->kind) {
  case NODE_NAME:
    host_set(host, frame, target->name.id, value);
    return true;
  case NODE_TUPLE:
    return assign_parts(host, frame, target, &target->tuple.elements, value);
  case NODE_LIST:
    return assign_parts(host, frame, target, &target->list_display.elements, value);
  case NODE_SUBSCRIPT:
    return assign_element(host, frame, target, value);
  case NODE_ATTRIBUTE:
    return assign_attribute(host, frame, target, value);
  default:
    return host_unknown(host, target->span, "assignment to %s is not evaluated",
                        node_kind_phrase(node_kind(target)));
  }
}

static bool run_assign(struct host *host, struct host_frame *frame, const struct node *node) {
  struct value value;
  if (!host_evaluate(host, frame, node->assign.value, &value))
    return false;
  for (uint32_t i = 0; i < node->assign.targets.count; i++)
    if (!host_assign(host, frame, node->assign.targets.items[i], &value))
      return false;
  return true;
}

/* `list += items` changes the list itself, as in Python. */
static bool run_augmented(struct host *host, struct host_frame *frame, const struct node *node) {
  struct value old, operand, value;
  if (!host_evaluate(host, frame, node->augmented.target, &old) ||
      !host_evaluate(host, frame, node->augmented.value, &operand))
    return false;
  if (old.kind == VALUE_LIST && operand.kind == VALUE_LIST && node->augmented.op == OPERATOR_ADD) {
    for (size_t i = 0, count = operand.list->count; i < count; i++)
      if (!host_list_add(host, node->span, old.list, &operand.list->items[i]))
        return false;
    value = old;
  } else if (!host_operator(host, node->augmented.op, node->span, &old, &operand, &value)) {
    return false;
  }
  return host_assign(host, frame, node->augmented.target, &value);
}

static bool test(struct host *host, struct host_frame *frame, const struct node *condition,
                 bool *out) {
  struct value value;
  return host_evaluate(host, frame, condition, &value) &&
         host_truth(host, condition->span, &value, out);
}

static bool run_if(struct host *host, struct host_frame *frame, const struct node *node,
                   enum host_flow *flow, struct value *result) {
  const struct node_list *branches = &node->if_statement.branches;
  for (uint32_t i = 0; i < branches->count; i++) {
    bool truth;
    if (!test(host, frame, branches->items[i]->branch.condition, &truth))
      return false;
    if (truth)
      return host_run(host, frame, &branches->items[i]->branch.body, flow, result);
  }
  return host_run(host, frame, &node->if_statement.orelse, flow, result);
}

static bool run_for(struct host *host, struct host_frame *frame, const struct node *node,
                    enum host_flow *flow, struct value *result) {
  struct value items;
  if (!host_evaluate(host, frame, node->for_loop.iterable, &items))
    return false;
  if (items.kind != VALUE_LIST)
    return host_unknown(host, node->for_loop.iterable->span, "a loop over %s is not evaluated",
                        host_describe(host, &items));
  for (size_t i = 0; i < items.list->count; i++) {
    struct value item = items.list->items[i];
    if (!host_assign(host, frame, node->for_loop.target, &item) ||
        !host_run(host, frame, &node->for_loop.body, flow, result))
      return false;
    if (*flow == HOST_RETURN)
      return true;
    bool stop = *flow == HOST_BREAK;
    *flow = HOST_NEXT;
    if (stop)
      return true;
  }
  return host_run(host, frame, &node->for_loop.orelse, flow, result);
}

static bool run_while(struct host *host, struct host_frame *frame, const struct node *node,
                      enum host_flow *flow, struct value *result) {
  for (;;) {
    bool truth;
    if (!test(host, frame, node->while_loop.condition, &truth))
      return false;
    if (!truth)
      return host_run(host, frame, &node->while_loop.orelse, flow, result);
    if (!host_run(host, frame, &node->while_loop.body, flow, result))
      return false;
    if (*flow == HOST_RETURN)
      return true;
    bool stop = *flow == HOST_BREAK;
    *flow = HOST_NEXT;
    if (stop)
      return true;
  }
}

static bool run_return(struct host *host, struct host_frame *frame, const struct node *node,
                       enum host_flow *flow, struct value *result) {
  *flow = HOST_RETURN;
  *result = value_none();
  return !node->return_statement.value ||
         host_evaluate(host, frame, node->return_statement.value, result);
}

static bool run_assert(struct host *host, struct host_frame *frame, const struct node *node) {
  bool truth;
  if (!test(host, frame, node->assertion.condition, &truth))
    return false;
  return truth || host_wrong(host, node->span, "its assertion fails");
}

/* The body, unless an import in it is not to be had: then its first handler. */
static bool run_try(struct host *host, struct host_frame *frame, const struct node *node,
                    enum host_flow *flow, struct value *result) {
  const struct node_list *handlers = &node->try_statement.handlers;
  bool fails = try_runs(host->scope, node) == TRUTH_NO && handlers->count > 0;
  const struct node_list *body =
      fails ? &handlers->items[0]->handler.body : &node->try_statement.body;
  return host_run(host, frame, body, flow, result) &&
         (fails || host_run(host, frame, &node->try_statement.orelse, flow, result)) &&
         host_run(host, frame, &node->try_statement.finally_body, flow, result);
}

static bool run(struct host *host, struct host_frame *frame, const struct node *node,
                enum host_flow *flow, struct value *result) {
  struct value ignored;
  switch ((int)node->kind) {
  case NODE_ASSIGN:
    return run_assign(host, frame, node);
  case NODE_AUGMENTED:
    return run_augmented(host, frame, node);
  case NODE_ANNOTATED:
    return !node->annotated.value || (host_evaluate(host, frame, node->annotated.value, &ignored) &&
                                      host_assign(host, frame, node->annotated.target, &ignored));
  case NODE_EVALUATE:
    return host_evaluate(host, frame, node->evaluate.value, &ignored);
  case NODE_IF:
    return run_if(host, frame, node, flow, result);
  case NODE_FOR:
    return run_for(host, frame, node, flow, result);
  case NODE_WHILE:
    return run_while(host, frame, node, flow, result);
  case NODE_RETURN:
    return run_return(host, frame, node, flow, result);
  case NODE_ASSERT:
    return run_assert(host, frame, node);
  case NODE_BREAK:
    *flow = HOST_BREAK;
    return true;
  case NODE_CONTINUE:
    *flow = HOST_CONTINUE;
    return true;
  case NODE_PASS:
  case NODE_FUNCTION: /* names of these are looked up, not assigned */
  case NODE_CLASS:
  case NODE_IMPORT:
  case NODE_IMPORT_FROM:
    return true;
  case NODE_TRY:
    return run_try(host, frame, node, flow, result);
  case NODE_RAISE:
    return host_wrong(host, node->span, "it raises an exception");
  default:
    return host_unknown(host, node->span, "%s is not evaluated", node_kind_phrase(node_kind(node)));
  }
}

bool host_run_statement(struct host *host, struct host_frame *frame, const struct node *node,
                        enum host_flow *flow, struct value *result) {
  if (!host_step(host, node->span, 1))
    return false;
  if (++host->depth > HOST_DEPTH)
    return host_unknown(host, node->span, "it is nested too deeply");
  bool good = run(host, frame, node, flow, result);
  host->depth--;
  return good;
}

bool host_run(struct host *host, struct host_frame *frame, const struct node_list *statements,
              enum host_flow *flow, struct value *result) {
  for (uint32_t i = 0; i < statements->count && *flow == HOST_NEXT; i++)
    if (!host_run_statement(host, frame, statements->items[i], flow, result))
      return false;
  return true;
}
