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

static bool assign_name(struct host *host, const struct node *target, const struct value *value) {
  host_set(host, host->frame, target->name.id, value);
  return true;
}

static bool assign_parts(struct host *host, const struct node *target, const struct value *value) {
  const struct node_list *parts = node_elements(target);
  if (value->kind != VALUE_LIST)
    return host_unknown(host, target->span, "unpacking %s is not evaluated",
                        host_describe(host, value));
  if (value->list->count != parts->count)
    return host_wrong(host, target->span, "it unpacks %zu values into %u names", value->list->count,
                      (unsigned)parts->count);
  for (uint32_t i = 0; i < parts->count; i++)
    if (!host_assign(host, parts->items[i], &value->list->items[i]))
      return false;
  return true;
}

static bool assign_element(struct host *host, const struct node *target,
                           const struct value *value) {
  const struct node_list *indices = &target->subscript.indices;
  struct value object, index, old;
  if (indices->count != 1 || indices->items[0]->kind == NODE_SLICE)
    return host_unknown(host, target->span, "this assignment is not evaluated");
  if (!host_evaluate(host, target->subscript.value, &object) ||
      !host_evaluate(host, indices->items[0], &index))
    return false;
  if (object.kind == VALUE_DICT)
    return host_dict_set(host, target->span, object.dict, &index, value);
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
static bool assign_attribute(struct host *host, const struct node *target,
                             const struct value *value) {
  struct value object;
  if (!host_evaluate(host, target->attribute.value, &object))
    return false;
  return object.kind == VALUE_CONFIG
             ? host_config_assign(host, target->span, object.config, target->attribute.name, value)
             : host_unknown(host, target->span, "assignment to an attribute of %s is not evaluated",
                            host_describe(host, &object));
}

bool host_assign(struct host *host, const struct node *target, const struct value *value) {
  typedef bool assign_rule(struct host * host, const struct node *target,
                           const struct value *value);
  static assign_rule *const rules[NODE_KIND_COUNT] = {[NODE_NAME] = assign_name,
                                                      [NODE_TUPLE] = assign_parts,
                                                      [NODE_LIST] = assign_parts,
                                                      [NODE_SUBSCRIPT] = assign_element,
                                                      [NODE_ATTRIBUTE] = assign_attribute};
  assign_rule *rule = rules[target->kind];
  return host_step(host, target->span, 1) &&
         (rule ? rule(host, target, value)
               : host_unknown(host, target->span, "assignment to %s is not evaluated",
                              node_kind_phrase(node_kind(target))));
}

static bool run_assign(struct host *host, const struct node *node) {
  struct value value;
  if (!host_evaluate(host, node->assign.value, &value))
    return false;
  for (uint32_t i = 0; i < node->assign.targets.count; i++)
    if (!host_assign(host, node->assign.targets.items[i], &value))
      return false;
  return true;
}

static bool run_annotated(struct host *host, const struct node *node) {
  struct value value;
  return !node->annotated.value || (host_evaluate(host, node->annotated.value, &value) &&
                                    host_assign(host, node->annotated.target, &value));
}

/* `list += items` changes the list itself, as in Python. */
static bool run_augmented(struct host *host, const struct node *node) {
  struct value old, operand, value;
  if (!host_evaluate(host, node->augmented.target, &old) ||
      !host_evaluate(host, node->augmented.value, &operand))
    return false;
  bool extends =
      old.kind == VALUE_LIST && operand.kind == VALUE_LIST && node->augmented.op == OPERATOR_ADD;
  value = old;
  if (!(extends
            ? host_list_extend(host, node->span, old.list, operand.list->items, operand.list->count)
            : host_operator(host, node->augmented.op, node->span, &old, &operand, &value)))
    return false;
  return host_assign(host, node->augmented.target, &value);
}

static bool run_evaluate(struct host *host, const struct node *node) {
  struct value ignored;
  return host_evaluate(host, node->evaluate.value, &ignored);
}

/* --- Control flow ----------------------------------------------------------------------------- */

static bool run_if(struct host *host, const struct node *node) {
  const struct node_list *branches = &node->if_statement.branches;
  for (uint32_t i = 0; i < branches->count; i++) {
    bool truth;
    if (!host_test(host, branches->items[i]->branch.condition, &truth))
      return false;
    if (truth)
      return host_run(host, &branches->items[i]->branch.body);
  }
  return host_run(host, &node->if_statement.orelse);
}

/* The body of a loop, once; *stop says whether it ends the loop, without its `else`. */
static bool run_turn(struct host *host, const struct node_list *body, bool *stop) {
  if (!host_run(host, body))
    return false;
  *stop = host->frame->flow == HOST_RETURN || host->frame->flow == HOST_BREAK;
  if (host->frame->flow != HOST_RETURN)
    host->frame->flow = HOST_NEXT;
  return true;
}

static bool run_for(struct host *host, const struct node *node) {
  struct value items;
  bool stop = false;
  if (!host_evaluate(host, node->for_loop.iterable, &items))
    return false;
  if (items.kind != VALUE_LIST)
    return host_unknown(host, node->for_loop.iterable->span, "a loop over %s is not evaluated",
                        host_describe(host, &items));
  for (size_t i = 0; i < items.list->count && !stop; i++) {
    struct value item = items.list->items[i];
    if (!host_assign(host, node->for_loop.target, &item) ||
        !run_turn(host, &node->for_loop.body, &stop))
      return false;
  }
  return stop || host_run(host, &node->for_loop.orelse);
}

static bool run_while(struct host *host, const struct node *node) {
  bool truth, stop = false;
  while (!stop) {
    if (!host_test(host, node->while_loop.condition, &truth))
      return false;
    if (!truth)
      return host_run(host, &node->while_loop.orelse);
    if (!run_turn(host, &node->while_loop.body, &stop))
      return false;
  }
  return true;
}

static bool run_return(struct host *host, const struct node *node) {
  host->frame->flow = HOST_RETURN;
  host->frame->result = value_none();
  return !node->return_statement.value ||
         host_evaluate(host, node->return_statement.value, &host->frame->result);
}

static bool run_jump(struct host *host, const struct node *node) {
  host->frame->flow = node_is(node, NODE_BREAK) ? HOST_BREAK : HOST_CONTINUE;
  return true;
}

static bool run_assert(struct host *host, const struct node *node) {
  bool truth;
  if (!host_test(host, node->assertion.condition, &truth))
    return false;
  return truth || host_wrong(host, node->span, "its assertion fails");
}

static bool run_raise(struct host *host, const struct node *node) {
  return host_wrong(host, node->span, "it raises an exception");
}

/* The body, unless an import in it is not to be had: then its first handler. */
static bool run_try(struct host *host, const struct node *node) {
  const struct node_list *handlers = &node->try_statement.handlers;
  bool fails = try_runs(host->scope, node) == TRUTH_NO && handlers->count > 0;
  return host_run(host, fails ? &handlers->items[0]->handler.body : &node->try_statement.body) &&
         (fails || host_run(host, &node->try_statement.orelse)) &&
         host_run(host, &node->try_statement.finally_body);
}

/* pass; and definitions and imports, whose names are looked up, not assigned. */
static bool run_nothing(struct host *host, const struct node *node) {
  (void)host, (void)node;
  return true;
}

/* --- All of them ------------------------------------------------------------------------------ */

typedef bool statement_rule(struct host *host, const struct node *node);
static statement_rule *const statements[NODE_KIND_COUNT] = {
    [NODE_ASSIGN] = run_assign,
    [NODE_AUGMENTED] = run_augmented,
    [NODE_ANNOTATED] = run_annotated,
    [NODE_EVALUATE] = run_evaluate,
    [NODE_IF] = run_if,
    [NODE_FOR] = run_for,
    [NODE_WHILE] = run_while,
    [NODE_RETURN] = run_return,
    [NODE_ASSERT] = run_assert,
    [NODE_RAISE] = run_raise,
    [NODE_BREAK] = run_jump,
    [NODE_CONTINUE] = run_jump,
    [NODE_TRY] = run_try,
    [NODE_PASS] = run_nothing,
    [NODE_FUNCTION] = run_nothing,
    [NODE_CLASS] = run_nothing,
    [NODE_IMPORT] = run_nothing,
    [NODE_IMPORT_FROM] = run_nothing,
};

bool host_run_statement(struct host *host, const struct node *node) {
  statement_rule *rule = statements[node->kind];
  if (!host_step(host, node->span, 1))
    return false;
  if (++host->depth > HOST_DEPTH)
    return host_unknown(host, node->span, "it is nested too deeply");
  bool good = rule ? rule(host, node)
                   : host_unknown(host, node->span, "%s is not evaluated",
                                  node_kind_phrase(node_kind(node)));
  host->depth--;
  return good;
}

bool host_run(struct host *host, const struct node_list *list) {
  for (uint32_t i = 0; i < list->count && host->frame->flow == HOST_NEXT; i++)
    if (!host_run_statement(host, list->items[i]))
      return false;
  return true;
}
