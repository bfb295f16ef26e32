/* Statements that are no control flow, and bodies. */
#include <string.h>
#include "frontend/check/checker.h"

static bool assign(struct checker *c, const struct node *target, const struct value *value);

static bool assign_tuple(struct checker *c, const struct node *target, const struct value *value) {
  const struct node_list *elements = &target->tuple.elements;
  if (value->kind != VALUE_TUPLE || value->tuple.count != elements->count) {
    struct text text = {0};
    value_describe(value, &text);
    check_fail(c, target->span, "%u names for %s", (unsigned)elements->count, text_string(&text));
    text_free(&text);
    return false;
  }
  for (uint32_t i = 0; i < elements->count; i++)
    if (!assign(c, elements->items[i], &value->tuple.items[i]))
      return false;
  return true;
}

static bool assign(struct checker *c, const struct node *target, const struct value *value) {
  if (node_is(target, NODE_TUPLE))
    return assign_tuple(c, target, value);
  if (!node_is(target, NODE_NAME))
    return check_fail(c, target->span, "a kernel assigns to names and tuples of names; use tl.store to "
                                       "write memory");
  struct variable *old = frame_find(c->frame, target->name.id);
  if (old && old->is_constexpr)
    return check_fail(c, target->span, "'%s' is a tl.constexpr and cannot be assigned again",
                      target->name.id);
  frame_set(c, target->name.id, value, target->span);
  return true;
}

static bool check_assign(struct checker *c, const struct node *node) {
  struct value value;
  if (!check_expression(c, node->assign.value, &value))
    return false;
  for (uint32_t i = 0; i < node->assign.targets.count; i++)
    if (!assign(c, node->assign.targets.items[i], &value))
      return false;
  return true;
}

static bool check_augmented(struct checker *c, const struct node *node) {
  struct value old, operand, result;
  return check_expression(c, node->augmented.target, &old) &&
         check_expression(c, node->augmented.value, &operand) &&
         check_operator(c, node->augmented.op, node->span, &old, &operand, &result) &&
         assign(c, node->augmented.target, &result);
}

bool check_is_constexpr(const struct node *annotation) {
  static const char word[] = "constexpr";
  struct text name = {0};
  if (node_is(annotation, NODE_STRING))
    text_append(&name, annotation->string.value.data, annotation->string.value.length);
  else if (annotation)
    node_dotted_name(annotation, &name);
  size_t length = name.length, tail = sizeof word - 1;
  bool found = length >= tail && strcmp(text_string(&name) + length - tail, word) == 0 &&
               (length == tail || text_string(&name)[length - tail - 1] == '.');
  text_free(&name);
  return found;
}

/* x: tl.constexpr = ... keeps a compile-time value; any other annotation is documentation. */
static bool check_annotated(struct checker *c, const struct node *node) {
  if (!node->annotated.value)
    return true;
  struct value value;
  if (!check_expression(c, node->annotated.value, &value))
    return false;
  bool is_constexpr = check_is_constexpr(node->annotated.annotation);
  if (is_constexpr && value.kind == VALUE_RUNTIME)
    return check_fail(c, node->annotated.value->span,
                      "a tl.constexpr needs a compile-time value; this one is known at run time");
  if (!assign(c, node->annotated.target, &value))
    return false;
  if (is_constexpr && node_is(node->annotated.target, NODE_NAME))
    frame_find(c->frame, node->annotated.target->name.id)->is_constexpr = true;
  return true;
}

static bool check_return(struct checker *c, const struct node *node) {
  if (c->frame->nesting)
    return check_fail(c, node->span, "return inside a run-time 'if' or a loop is not supported yet; "
                                     "mask the stores instead");
  c->frame->result = value_none();
  if (node->return_statement.value &&
      !check_expression(c, node->return_statement.value, &c->frame->result))
    return false;
  if (!c->frame->caller && c->frame->result.kind != VALUE_NONE)
    return check_fail(c, node->span, "a kernel returns nothing; store results through pointers");
  c->frame->returned = true;
  return true;
}

static bool check_evaluate(struct checker *c, const struct node *node) {
  struct value ignored;
  if (node_is(node->evaluate.value, NODE_STRING))
    return true; /* a docstring */
  return check_expression(c, node->evaluate.value, &ignored);
}

static bool check_assertion(struct checker *c, const struct node *node) {
  struct value condition;
  if (!check_expression(c, node->assertion.condition, &condition))
    return false;
  if (!value_is_compile_time(&condition))
    return check_fail(c, node->span, "assert takes a compile-time condition");
  if (value_truth(&condition))
    return true;
  const struct node *message = node->assertion.message;
  if (node_is(message, NODE_STRING))
    return check_fail(c, node->span, "assertion failed: %.*s", (int)message->string.value.length,
                      message->string.value.data);
  return check_fail(c, node->span, "assertion failed");
}

static bool check_statement(struct checker *c, const struct node *node) {
  switch ((int)node->kind) {
  case NODE_ASSIGN:
    return check_assign(c, node);
  case NODE_AUGMENTED:
    return check_augmented(c, node);
  case NODE_ANNOTATED:
    return check_annotated(c, node);
  case NODE_EVALUATE:
    return check_evaluate(c, node);
  case NODE_RETURN:
    return check_return(c, node);
  case NODE_IF:
    return check_if(c, node);
  case NODE_FOR:
    return check_for(c, node);
  case NODE_WHILE:
    return check_while(c, node);
  case NODE_ASSERT:
    return check_assertion(c, node);
  case NODE_PASS:
  case NODE_IMPORT:
  case NODE_IMPORT_FROM:
    return true;
  default:
    return check_fail(c, node->span, "%s is not supported in a kernel",
                      node_kind_phrase(node_kind(node)));
  }
}

bool check_body(struct checker *c, const struct node_list *body) {
  for (uint32_t i = 0; i < body->count && !c->frame->returned; i++)
    if (!check_statement(c, body->items[i]))
      return false;
  return true;
}
