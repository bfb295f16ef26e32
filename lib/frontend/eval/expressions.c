/* SPDX-License-Identifier: MIT */
/* Expressions of host code. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "frontend/eval/host.h"

/* --- Troubles --------------------------------------------------------------------------------- */

static bool trouble(struct host *host, enum host_trouble_kind kind, struct span span,
                    const char *format, va_list arguments) {
  struct text text = {0};
  text_vprintf(&text, format, arguments);
  host->trouble =
      (struct host_trouble){.kind = kind,
                            .span = span,
                            .message = arena_copy_string(host->eval.arena, text.data, text.length)};
  text_free(&text);
  return false;
}

bool host_unknown(struct host *host, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  trouble(host, HOST_UNKNOWN, span, format, arguments);
  va_end(arguments);
  return false;
}

bool host_wrong(struct host *host, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  trouble(host, HOST_WRONG, span, format, arguments);
  va_end(arguments);
  return false;
}

bool host_needs(struct host *host, struct span span, const char *argument) {
  host_unknown(host, span, "it needs the value of argument '%s'", argument);
  host->trouble.kind = HOST_NEEDS_ARGUMENT;
  host->trouble.argument = argument;
  return false;
}

bool host_needs_type(struct host *host, struct span span, const char *argument) {
  return host_unknown(host, span, "it needs the type of argument '%s', which a signature gives",
                      argument);
}

bool host_step(struct host *host, struct span span, size_t work) {
  host->steps += work;
  if (host->steps > HOST_STEPS)
    return host_unknown(host, span, "it takes more than %d steps", HOST_STEPS);
  return host->eval.arena->allocated >> 20 < HOST_MEBIBYTES ||
         host_unknown(host, span, "its values take more than %d MiB", HOST_MEBIBYTES);
}

/* --- Names and displays ----------------------------------------------------------------------- */

static bool evaluate_name(struct host *host, struct host_frame *frame, const struct node *node,
                          struct value *out) {
  size_t work = 1;
  for (; frame; frame = frame->parent)
    for (const struct host_variable *v = frame->variables; v; v = v->next, work++)
      if (v->name == node->name.id) {
        *out = v->value;
        return host_step(host, node->span, work);
      }
  return host_step(host, node->span, work) && host_find_global(host, node, out);
}

static bool evaluate_dict(struct host *host, struct host_frame *frame, const struct node *node,
                          struct value *out) {
  const struct node_list *entries = &node->dict_display.entries;
  *out = host_dict_new(host);
  for (uint32_t i = 0; i < entries->count; i++) {
    const struct node *key_node = entries->items[i]->entry.key;
    const struct node *value_node = entries->items[i]->entry.value;
    struct value key, value;
    if (key_node && !host_evaluate(host, frame, key_node, &key))
      return false;
    if (!host_evaluate(host, frame, value_node, &value))
      return false;
    if (key_node) {
      if (!host_dict_set(host, key_node->span, out->dict, &key, &value))
        return false;
      continue;
    }
    if (value.kind != VALUE_DICT)
      return host_unknown(host, value_node->span, "'**' on %s is not evaluated",
                          host_describe(host, &value));
    for (size_t k = 0; k < value.dict->count; k++)
      if (!host_dict_set(host, value_node->span, out->dict, &value.dict->entries[k].key,
                         &value.dict->entries[k].value))
        return false;
  }
  return true;
}

/* --- Comprehensions --------------------------------------------------------------------------- */

static bool add_result(struct evaluator *ev, const struct comprehension *comprehension) {
  struct host *host = (struct host *)ev;
  const struct node_comprehension *parts = &comprehension->node->comprehension;
  struct value key, value, *out = comprehension->data;
  if (parts->key && !host_evaluate(host, host->frame, parts->key, &key))
    return false;
  if (!host_evaluate(host, host->frame, parts->element, &value))
    return false;
  return parts->key ? host_dict_set(host, comprehension->node->span, out->dict, &key, &value)
                    : host_list_add(host, comprehension->node->span, out->list, &value);
}

/* A generator is a list: everything that takes one here reads it once, from start to end. */
static bool evaluate_comprehension(struct host *host, struct host_frame *frame,
                                   const struct node *node, struct value *out) {
  struct comprehension comprehension = {.node = node, .element = add_result, .data = out};
  host->frame = ARENA_NEW(host->eval.arena, struct host_frame);
  host->frame->parent = frame;
  *out = node->comprehension.key ? host_dict_new(host) : host_list_new(host);
  return eval_clauses(&host->eval, &comprehension);
}

/* --- Operators -------------------------------------------------------------------------------- */

static bool evaluate_logical(struct host *host, struct host_frame *frame, const struct node *node,
                             struct value *out) {
  const struct node_list *operands = &node->logical.operands;
  for (uint32_t i = 0; i < operands->count; i++) {
    bool truth;
    if (!host_evaluate(host, frame, operands->items[i], out))
      return false;
    if (i + 1 == operands->count)
      break;
    if (!host_truth(host, operands->items[i]->span, out, &truth))
      return false;
    if (truth == (node->logical.op == OPERATOR_OR))
      break;
  }
  return true;
}

static bool evaluate_compare(struct host *host, struct host_frame *frame, const struct node *node,
                             struct value *out) {
  const struct node_list *operands = &node->compare.operands;
  struct value left, right;
  bool truth = true;
  if (!host_evaluate(host, frame, operands->items[0], &left))
    return false;
  for (uint32_t i = 1; i < operands->count && truth; i++) {
    if (!host_evaluate(host, frame, operands->items[i], &right) ||
        !host_compare(host, node->compare.operators[i - 1], node->span, &left, &right, &truth))
      return false;
    left = right;
  }
  *out = value_bool(truth);
  return true;
}

static bool evaluate_conditional(struct host *host, struct host_frame *frame,
                                 const struct node *node, struct value *out) {
  const struct node_conditional *parts = &node->conditional;
  struct value condition;
  bool truth;
  return host_evaluate(host, frame, parts->condition, &condition) &&
         host_truth(host, parts->condition->span, &condition, &truth) &&
         host_evaluate(host, frame, truth ? parts->then : parts->otherwise, out);
}

/* --- Elements --------------------------------------------------------------------------------- */

static bool evaluate_subscript(struct host *host, struct host_frame *frame, const struct node *node,
                               struct value *out) {
  const struct node_list *indices = &node->subscript.indices;
  struct value object, index;
  if (!host_evaluate(host, frame, node->subscript.value, &object))
    return false;
  if (indices->count == 1 && indices->items[0]->kind == NODE_SLICE)
    return object.kind == VALUE_LIST
               ? eval_slice(&host->eval, indices->items[0], object.list->items, object.list->count,
                            out)
               : host_unknown(host, indices->items[0]->span, "this slice is not evaluated");
  if (indices->count == 1 && !node->subscript.is_tuple) {
    if (!host_evaluate(host, frame, indices->items[0], &index))
      return false;
  } else if (!eval_display(&host->eval, node->span, indices, &index)) {
    return false;
  }
  return host_index(host, node->span, &object, &index, out);
}

static bool evaluate_attribute(struct host *host, struct host_frame *frame, const struct node *node,
                               struct value *out) {
  struct value object;
  return host_evaluate(host, frame, node->attribute.value, &object) &&
         host_attribute(host, node->span, &object, node->attribute.name, out);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* One argument: appended to `positional`, or set in `named`. */
static bool add_argument(struct host *host, struct host_frame *frame, const struct node *node,
                         struct value_list *positional, struct value_dict *named) {
  struct value value;
  const struct node *inner = node->kind == NODE_KEYWORD   ? node->keyword.value
                             : node->kind == NODE_STARRED ? node->starred.value
                                                          : node;
  /* pre_hook= takes a function that runs at a launch: only its text is of interest. */
  if (node->kind == NODE_KEYWORD && node->keyword.name && !strcmp(node->keyword.name, "pre_hook") &&
      inner->kind != NODE_ATTRIBUTE) /* another configuration's */
    value = host_name(host, host_source(host, inner->span));
  else if (!host_evaluate(host, frame, inner, &value))
    return false;
  if (node->kind == NODE_KEYWORD && node->keyword.name) {
    struct value key = value_text(host->eval.arena, node->keyword.name, strlen(node->keyword.name));
    return host_dict_set(host, node->span, named, &key, &value);
  }
  if (inner == node)
    return host_list_add(host, node->span, positional, &value);
  bool is_dict = node->kind == NODE_KEYWORD;
  if (value.kind != (is_dict ? VALUE_DICT : VALUE_LIST))
    return host_unknown(host, node->span, "'%s' on %s is not evaluated", is_dict ? "**" : "*",
                        host_describe(host, &value));
  for (size_t i = 0; is_dict && i < value.dict->count; i++)
    if (!host_dict_set(host, node->span, named, &value.dict->entries[i].key,
                       &value.dict->entries[i].value))
      return false;
  for (size_t i = 0; !is_dict && i < value.list->count; i++)
    if (!host_list_add(host, node->span, positional, &value.list->items[i]))
      return false;
  return true;
}

static bool evaluate_call(struct host *host, struct host_frame *frame, const struct node *node,
                          struct value *out) {
  const struct node_list *arguments = &node->call.arguments;
  struct value_list positional = {0};
  struct value_dict named = {0};
  struct value callee;
  if (!host_evaluate(host, frame, node->call.function, &callee))
    return false;
  for (uint32_t i = 0; i < arguments->count; i++)
    if (!add_argument(host, frame, arguments->items[i], &positional, &named))
      return false;
  struct host_call call = {.span = node->span,
                           .positional = positional.items,
                           .count = positional.count,
                           .named = named.entries,
                           .named_count = named.count};
  return host_call(host, &callee, &call, out);
}

/* --- All of them ------------------------------------------------------------------------------ */

static bool evaluate_lambda(struct host *host, struct host_frame *frame, const struct node *node,
                            struct value *out) {
  struct host_function *function = ARENA_NEW(host->eval.arena, struct host_function);
  *function = (struct host_function){.node = node, .scope = host->scope, .closure = frame};
  *out = (struct value){.kind = VALUE_HOST_FUNCTION, .function = function};
  return true;
}

static bool evaluate(struct host *host, struct host_frame *frame, const struct node *node,
                     struct value *out) {
  struct value operand;
  switch ((int)node->kind) {
  case NODE_NAME:
    return evaluate_name(host, frame, node, out);
  case NODE_INTEGER:
  case NODE_FLOAT:
  case NODE_STRING:
  case NODE_NONE:
  case NODE_BOOL:
    return eval_literal(&host->eval, node, out) &&
           (!out->is_huge || host_wrong(host, node->span, "the integer does not fit 64 bits"));
  case NODE_ATTRIBUTE:
    return evaluate_attribute(host, frame, node, out);
  case NODE_SUBSCRIPT:
    return evaluate_subscript(host, frame, node, out);
  case NODE_CALL:
    return evaluate_call(host, frame, node, out);
  case NODE_UNARY:
    return host_evaluate(host, frame, node->unary.operand, &operand) &&
           host_unary(host, node->unary.op, node->span, &operand, out);
  case NODE_BINARY:
    return eval_binary(&host->eval, node, out);
  case NODE_LOGICAL:
    return evaluate_logical(host, frame, node, out);
  case NODE_COMPARE:
    return evaluate_compare(host, frame, node, out);
  case NODE_CONDITIONAL:
    return evaluate_conditional(host, frame, node, out);
  case NODE_LAMBDA:
    return evaluate_lambda(host, frame, node, out);
  case NODE_TUPLE:
    return eval_display(&host->eval, node->span, &node->tuple.elements, out);
  case NODE_LIST:
    return eval_display(&host->eval, node->span, &node->list_display.elements, out);
  case NODE_SET:
    return eval_display(&host->eval, node->span, &node->set_display.elements, out);
  case NODE_DICT:
    return evaluate_dict(host, frame, node, out);
  case NODE_COMPREHENSION:
    return evaluate_comprehension(host, frame, node, out);
  default:
    return host_unknown(host, node->span, "%s is not evaluated", node_kind_phrase(node_kind(node)));
  }
}

bool host_evaluate(struct host *host, struct host_frame *frame, const struct node *node,
                   struct value *out) {
  if (!host_step(host, node->span, 1))
    return false;
  if (++host->depth > HOST_DEPTH)
    return host_unknown(host, node->span, "it is nested too deeply");
  struct host_frame *outer = host->frame;
  host->frame = frame;
  bool good = evaluate(host, frame, node, out);
  host->frame = outer;
  host->depth--;
  return good;
}

/* --- Rules ------------------------------------------------------------------------------------ */

static bool in_frame(struct evaluator *ev, const struct node *node, struct value *out) {
  struct host *host = (struct host *)ev;
  return host_evaluate(host, host->frame, node, out);
}

static bool operation(struct evaluator *ev, enum operator_kind op, struct span span,
                      const struct value *a, const struct value *b, struct value *out) {
  return host_operator((struct host *)ev, op, span, a, b, out);
}

static bool assign(struct evaluator *ev, const struct node *target, const struct value *value) {
  struct host *host = (struct host *)ev;
  return host_assign(host, host->frame, target, value);
}

static bool truth(struct evaluator *ev, struct span span, const struct value *value, bool *out) {
  return host_truth((struct host *)ev, span, value, out);
}

static bool turn(struct evaluator *ev, struct span span) {
  return host_step((struct host *)ev, span, 1);
}

static bool add(struct evaluator *ev, struct span span, struct value_list *list,
                const struct value *item) {
  return host_list_add((struct host *)ev, span, list, item);
}

static bool text(struct evaluator *ev, struct span span, size_t length) {
  struct host *host = (struct host *)ev;
  if (length > HOST_LENGTH)
    return host_unknown(host, span, "a string grows beyond %d bytes", HOST_LENGTH);
  return host_step(host, span, length);
}

static bool sequence(struct evaluator *ev, struct span span, const struct value_list *list,
                     struct value *out) {
  (void)span;
  *out = host_list_new((struct host *)ev);
  *out->list = *list;
  return true;
}

static bool refuse(struct evaluator *ev, struct span span, const struct value *value,
                   const char *message) {
  struct host *host = (struct host *)ev;
  return value ? host_unknown(host, span, "%s, not %s", message, host_describe(host, value))
               : host_wrong(host, span, "%s", message);
}

const struct evaluator_rules host_rules = {.loops = "a comprehension runs over a list",
                                           .expression = in_frame,
                                           .operation = operation,
                                           .assign = assign,
                                           .truth = truth,
                                           .turn = turn,
                                           .add = add,
                                           .text = text,
                                           .sequence = sequence,
                                           .refuse = refuse};
