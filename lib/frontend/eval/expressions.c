/* SPDX-License-Identifier: MIT */
/* Expressions of host code. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "frontend/eval/host.h"

/* --- Troubles
 * --------------------------------------------------------------------------------------- */

static bool trouble(struct host *host, enum host_trouble_kind kind, struct span span,
                    const char *format, va_list arguments) {
  struct text text = {0};
  text_vprintf(&text, format, arguments);
  host->trouble =
      (struct host_trouble){.kind = kind,
                            .span = span,
                            .message = arena_copy_string(host->arena, text.data, text.length)};
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
  return host->arena->allocated >> 20 < HOST_MEBIBYTES ||
         host_unknown(host, span, "its values take more than %d MiB", HOST_MEBIBYTES);
}

/* --- Names and displays
 * ------------------------------------------------------------------------------- */

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

static bool evaluate_elements(struct host *host, struct host_frame *frame,
                              const struct node_list *nodes, struct value *out) {
  *out = host_list_new(host);
  for (uint32_t i = 0; i < nodes->count; i++) {
    const struct node *node = nodes->items[i];
    bool starred = node->kind == NODE_STARRED;
    struct value item;
    if (!host_evaluate(host, frame, starred ? node->starred.value : node, &item))
      return false;
    if (!starred) {
      if (!host_list_add(host, node->span, out->list, &item))
        return false;
      continue;
    }
    if (item.kind != VALUE_LIST)
      return host_unknown(host, node->span, "'*' on %s is not evaluated",
                          host_describe(host, &item));
    for (size_t k = 0; k < item.list->count; k++)
      if (!host_list_add(host, node->span, out->list, &item.list->items[k]))
        return false;
  }
  return true;
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

/* --- Comprehensions
 * ----------------------------------------------------------------------------------- */

static bool run_clauses(struct host *host, struct host_frame *frame, const struct node *node,
                        uint32_t clause, struct value *out);

/* One turn of a clause whose target has been assigned. */
static bool run_turn(struct host *host, struct host_frame *frame, const struct node *node,
                     uint32_t clause, struct value *out) {
  const struct node_list *conditions =
      &node->comprehension.clauses.items[clause]->clause.conditions;
  for (uint32_t i = 0; i < conditions->count; i++) {
    struct value value;
    bool truth;
    if (!host_evaluate(host, frame, conditions->items[i], &value) ||
        !host_truth(host, conditions->items[i]->span, &value, &truth))
      return false;
    if (!truth)
      return true;
  }
  return run_clauses(host, frame, node, clause + 1, out);
}

static bool run_clauses(struct host *host, struct host_frame *frame, const struct node *node,
                        uint32_t clause, struct value *out) {
  const struct node_comprehension *comprehension = &node->comprehension;
  struct value key, value;
  if (clause == comprehension->clauses.count) {
    if (comprehension->key && !host_evaluate(host, frame, comprehension->key, &key))
      return false;
    if (!host_evaluate(host, frame, comprehension->element, &value))
      return false;
    return comprehension->key ? host_dict_set(host, node->span, out->dict, &key, &value)
                              : host_list_add(host, node->span, out->list, &value);
  }
  const struct node *part = comprehension->clauses.items[clause];
  const struct node *iterable = part->clause.iterable;
  struct value items;
  if (!host_evaluate(host, frame, iterable, &items))
    return false;
  if (items.kind != VALUE_LIST)
    return host_unknown(host, iterable->span, "a loop over %s is not evaluated",
                        host_describe(host, &items));
  for (size_t i = 0; i < items.list->count; i++)
    if (!host_step(host, part->span, 1) ||
        !host_assign(host, frame, part->clause.target, &items.list->items[i]) ||
        !run_turn(host, frame, node, clause, out))
      return false;
  return true;
}

/* A generator is a list: everything that takes one here reads it once, from start to end. */
static bool evaluate_comprehension(struct host *host, struct host_frame *frame,
                                   const struct node *node, struct value *out) {
  struct host_frame *inner = ARENA_NEW(host->arena, struct host_frame);
  inner->parent = frame;
  *out = node->comprehension.key ? host_dict_new(host) : host_list_new(host);
  return run_clauses(host, inner, node, 0, out);
}

/* --- Operators
 * ---------------------------------------------------------------------------------------- */

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

static bool evaluate_binary(struct host *host, struct host_frame *frame, const struct node *node,
                            struct value *out) {
  struct value left, right;
  return host_evaluate(host, frame, node->binary.left, &left) &&
         host_evaluate(host, frame, node->binary.right, &right) &&
         host_operator(host, node->binary.op, node->span, &left, &right, out);
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

/* --- Elements
 * ----------------------------------------------------------------------------------------- */

static bool slice_bound(struct host *host, struct host_frame *frame, const struct node *node,
                        int64_t count, int64_t otherwise, int64_t *out) {
  struct value value;
  *out = otherwise;
  if (!node)
    return true;
  if (!host_evaluate(host, frame, node, &value))
    return false;
  if (!value_is_integer(&value))
    return host_unknown(host, node->span, "a slice by %s is not evaluated",
                        host_describe(host, &value));
  int64_t at = value_as_integer(&value);
  at += at < 0 ? count : 0;
  *out = at < 0 ? 0 : at > count ? count : at;
  return true;
}

static bool evaluate_slice(struct host *host, struct host_frame *frame, const struct node *node,
                           const struct value *object, struct value *out) {
  int64_t from, to, count = object->kind == VALUE_LIST ? (int64_t)object->list->count : 0;
  if (object->kind != VALUE_LIST || node->slice.step)
    return host_unknown(host, node->span, "this slice is not evaluated");
  if (!slice_bound(host, frame, node->slice.lower, count, 0, &from) ||
      !slice_bound(host, frame, node->slice.upper, count, count, &to))
    return false;
  *out = host_list_new(host);
  for (; from < to; from++)
    if (!host_list_add(host, node->span, out->list, &object->list->items[from]))
      return false;
  return true;
}

static bool evaluate_subscript(struct host *host, struct host_frame *frame, const struct node *node,
                               struct value *out) {
  const struct node_list *indices = &node->subscript.indices;
  struct value object, index;
  if (!host_evaluate(host, frame, node->subscript.value, &object))
    return false;
  if (indices->count == 1 && indices->items[0]->kind == NODE_SLICE)
    return evaluate_slice(host, frame, indices->items[0], &object, out);
  if (indices->count == 1 && !node->subscript.is_tuple) {
    if (!host_evaluate(host, frame, indices->items[0], &index))
      return false;
  } else if (!evaluate_elements(host, frame, indices, &index)) {
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

/* --- Calls
 * -------------------------------------------------------------------------------------------- */

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
    struct value key = value_text(host->arena, node->keyword.name, strlen(node->keyword.name));
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
                           .node = node,
                           .positional = positional.items,
                           .count = positional.count,
                           .named = named.entries,
                           .named_count = named.count};
  return host_call(host, &callee, &call, out);
}

/* --- All of them
 * -------------------------------------------------------------------------------------- */

static bool evaluate_integer(struct host *host, const struct node *node, struct value *out) {
  if (node->integer.too_large || node->integer.value > INT64_MAX)
    return host_wrong(host, node->span, "the number does not fit 64 bits");
  *out = value_integer((int64_t)node->integer.value);
  return true;
}

static bool evaluate_lambda(struct host *host, struct host_frame *frame, const struct node *node,
                            struct value *out) {
  struct host_function *function = ARENA_NEW(host->arena, struct host_function);
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
    return evaluate_integer(host, node, out);
  case NODE_FLOAT:
    *out = value_float(node->floating.value);
    return true;
  case NODE_STRING:
    *out = (struct value){.kind = VALUE_STRING, .text = node->string.value};
    return true;
  case NODE_NONE:
    *out = value_none();
    return true;
  case NODE_BOOL:
    *out = value_bool(node->boolean.value);
    return true;
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
    return evaluate_binary(host, frame, node, out);
  case NODE_LOGICAL:
    return evaluate_logical(host, frame, node, out);
  case NODE_COMPARE:
    return evaluate_compare(host, frame, node, out);
  case NODE_CONDITIONAL:
    return evaluate_conditional(host, frame, node, out);
  case NODE_LAMBDA:
    return evaluate_lambda(host, frame, node, out);
  case NODE_TUPLE:
    return evaluate_elements(host, frame, &node->tuple.elements, out);
  case NODE_LIST:
    return evaluate_elements(host, frame, &node->list_display.elements, out);
  case NODE_SET:
    return evaluate_elements(host, frame, &node->set_display.elements, out);
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
  bool good = evaluate(host, frame, node, out);
  host->depth--;
  return good;
}
