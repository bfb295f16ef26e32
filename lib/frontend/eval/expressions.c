/* SPDX-License-Identifier: MIT */
/* Expressions of host code. */
#include <stdarg.h>
#include <string.h>
#include "frontend/eval/host.h"

/* --- Troubles --------------------------------------------------------------------------------- */

bool host_fail(struct host *host, enum host_trouble_kind kind, struct span span, const char *format,
               ...) {
  va_list arguments;
  va_start(arguments, format);
  host->trouble = (struct host_trouble){
      .kind = kind, .span = span, .message = text_vformat(host->eval.arena, format, arguments)};
  va_end(arguments);
  return false;
}

void host_begin(struct host *host, uint32_t as_of) {
  host->depth = host->calls = 0;
  host->steps = 0;
  host->as_of = as_of;
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

static bool evaluate_name(struct host *host, const struct node *node, struct value *out) {
  size_t work = 1;
  for (const struct host_frame *frame = host->frame; frame; frame = frame->parent)
    for (const struct host_variable *v = frame->variables; v; v = v->next, work++)
      if (v->name == node->name.id) {
        *out = v->value;
        return host_step(host, node->span, work);
      }
  return host_step(host, node->span, work) && host_find_global(host, node, out);
}

/* Integers of host code have 63 bits and a sign. */
static bool evaluate_literal(struct host *host, const struct node *node, struct value *out) {
  return eval_literal(&host->eval, node, out) &&
         (!out->is_huge || host_wrong(host, node->span, "the integer does not fit 64 bits"));
}

static bool evaluate_display(struct host *host, const struct node *node, struct value *out) {
  return eval_display(&host->eval, node->span, node_elements(node), out);
}

static bool evaluate_dict(struct host *host, const struct node *node, struct value *out) {
  const struct node_list *entries = &node->dict_display.entries;
  *out = host_dict_new(host);
  for (uint32_t i = 0; i < entries->count; i++) {
    const struct node_entry *entry = &entries->items[i]->entry;
    struct span span = entry->value->span;
    struct value key, value;
    if ((entry->key && !host_evaluate(host, entry->key, &key)) ||
        !host_evaluate(host, entry->value, &value))
      return false;
    if (!entry->key && value.kind != VALUE_DICT)
      return host_unknown(host, span, "'**' on %s is not evaluated", host_describe(host, &value));
    if (!(entry->key ? host_dict_set(host, entry->key->span, out->dict, &key, &value)
                     : host_dict_merge(host, span, out->dict, value.dict)))
      return false;
  }
  return true;
}

/* --- Comprehensions --------------------------------------------------------------------------- */

static bool add_result(struct evaluator *ev, const struct comprehension *comprehension) {
  struct host *host = (struct host *)ev;
  const struct node_comprehension *parts = &comprehension->node->comprehension;
  struct value key, value, *out = comprehension->data;
  if ((parts->key && !host_evaluate(host, parts->key, &key)) ||
      !host_evaluate(host, parts->element, &value))
    return false;
  return parts->key ? host_dict_set(host, comprehension->node->span, out->dict, &key, &value)
                    : host_list_add(host, comprehension->node->span, out->list, &value);
}

/* A generator is a list: everything that takes one here reads it once, from start to end. */
static bool evaluate_comprehension(struct host *host, const struct node *node, struct value *out) {
  struct comprehension comprehension = {.node = node, .element = add_result, .data = out};
  struct host_frame *outer = host->frame;
  host->frame = ARENA_NEW(host->eval.arena, struct host_frame);
  host->frame->parent = outer;
  *out = node->comprehension.key ? host_dict_new(host) : host_list_new(host);
  bool good = eval_clauses(&host->eval, &comprehension);
  host->frame = outer;
  return good;
}

/* --- Operators -------------------------------------------------------------------------------- */

static bool evaluate_unary(struct host *host, const struct node *node, struct value *out) {
  struct value operand;
  return host_evaluate(host, node->unary.operand, &operand) &&
         host_unary(host, node->unary.op, node->span, &operand, out);
}

static bool evaluate_binary(struct host *host, const struct node *node, struct value *out) {
  return eval_binary(&host->eval, node, out);
}

static bool evaluate_logical(struct host *host, const struct node *node, struct value *out) {
  const struct node_list *operands = &node->logical.operands;
  bool decides = node->logical.op == OPERATOR_OR, truth = !decides;
  for (uint32_t i = 0; i < operands->count && truth != decides; i++)
    if (!host_evaluate(host, operands->items[i], out) ||
        (i + 1 < operands->count && !host_truth(host, operands->items[i]->span, out, &truth)))
      return false;
  return true;
}

static bool evaluate_compare(struct host *host, const struct node *node, struct value *out) {
  const struct node_list *operands = &node->compare.operands;
  struct value left, right;
  bool truth = true;
  if (!host_evaluate(host, operands->items[0], &left))
    return false;
  for (uint32_t i = 1; i < operands->count && truth; i++) {
    if (!host_evaluate(host, operands->items[i], &right) ||
        !host_compare(host, node->compare.operators[i - 1], node->span, &left, &right, &truth))
      return false;
    left = right;
  }
  *out = value_bool(truth);
  return true;
}

static bool evaluate_conditional(struct host *host, const struct node *node, struct value *out) {
  const struct node_conditional *parts = &node->conditional;
  bool truth;
  return host_test(host, parts->condition, &truth) &&
         host_evaluate(host, truth ? parts->then : parts->otherwise, out);
}

/* --- Elements --------------------------------------------------------------------------------- */

static bool evaluate_subscript(struct host *host, const struct node *node, struct value *out) {
  const struct node_list *indices = &node->subscript.indices;
  struct value object, index;
  if (!host_evaluate(host, node->subscript.value, &object))
    return false;
  if (indices->count == 1 && indices->items[0]->kind == NODE_SLICE)
    return object.kind == VALUE_LIST
               ? eval_slice(&host->eval, indices->items[0], object.list->items, object.list->count,
                            out)
               : host_unknown(host, indices->items[0]->span, "this slice is not evaluated");
  if (indices->count == 1 && !node->subscript.is_tuple) {
    if (!host_evaluate(host, indices->items[0], &index))
      return false;
  } else if (!eval_display(&host->eval, node->span, indices, &index)) {
    return false;
  }
  return host_index(host, node->span, &object, &index, out);
}

static bool evaluate_attribute(struct host *host, const struct node *node, struct value *out) {
  struct value object;
  return host_evaluate(host, node->attribute.value, &object) &&
         host_attribute(host, node->span, &object, node->attribute.name, out);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* One argument: appended to `positional`, or set in `named`. */
static bool add_argument(struct host *host, const struct node *node, struct value_list *positional,
                         struct value_dict *named) {
  struct value value;
  const struct node *inner = node->kind == NODE_KEYWORD   ? node->keyword.value
                             : node->kind == NODE_STARRED ? node->starred.value
                                                          : node;
  /* pre_hook= takes a function that runs at a launch: only its text is of interest. */
  if (node->kind == NODE_KEYWORD && node->keyword.name && !strcmp(node->keyword.name, "pre_hook") &&
      inner->kind != NODE_ATTRIBUTE) /* another configuration's */
    value = host_name(host, host_source(host, inner->span));
  else if (!host_evaluate(host, inner, &value))
    return false;
  if (node->kind == NODE_KEYWORD && node->keyword.name)
    return host_dict_put(host, node->span, named, node->keyword.name, &value);
  if (inner == node)
    return host_list_add(host, node->span, positional, &value);
  bool is_dict = node->kind == NODE_KEYWORD;
  if (value.kind != (is_dict ? VALUE_DICT : VALUE_LIST))
    return host_unknown(host, node->span, "'%s' on %s is not evaluated", is_dict ? "**" : "*",
                        host_describe(host, &value));
  return is_dict
             ? host_dict_merge(host, node->span, named, value.dict)
             : host_list_extend(host, node->span, positional, value.list->items, value.list->count);
}

static bool evaluate_call(struct host *host, const struct node *node, struct value *out) {
  const struct node_list *arguments = &node->call.arguments;
  struct value_list positional = {0};
  struct value_dict named = {0};
  struct value callee;
  if (!host_evaluate(host, node->call.function, &callee))
    return false;
  for (uint32_t i = 0; i < arguments->count; i++)
    if (!add_argument(host, arguments->items[i], &positional, &named))
      return false;
  struct host_call call = {.span = node->span,
                           .positional = positional.items,
                           .count = positional.count,
                           .named = named.entries,
                           .named_count = named.count};
  return host_call(host, &callee, &call, out);
}

/* --- All of them ------------------------------------------------------------------------------ */

static bool evaluate_lambda(struct host *host, const struct node *node, struct value *out) {
  struct host_function *function = ARENA_NEW(host->eval.arena, struct host_function);
  *function = (struct host_function){.node = node, .scope = host->scope, .closure = host->frame};
  *out = (struct value){.kind = VALUE_HOST_FUNCTION, .function = function};
  return true;
}

typedef bool expression_rule(struct host *host, const struct node *node, struct value *out);
static expression_rule *const expressions[NODE_KIND_COUNT] = {
    [NODE_NAME] = evaluate_name,           [NODE_INTEGER] = evaluate_literal,
    [NODE_FLOAT] = evaluate_literal,       [NODE_STRING] = evaluate_literal,
    [NODE_NONE] = evaluate_literal,        [NODE_BOOL] = evaluate_literal,
    [NODE_ATTRIBUTE] = evaluate_attribute, [NODE_SUBSCRIPT] = evaluate_subscript,
    [NODE_CALL] = evaluate_call,           [NODE_UNARY] = evaluate_unary,
    [NODE_BINARY] = evaluate_binary,       [NODE_LOGICAL] = evaluate_logical,
    [NODE_COMPARE] = evaluate_compare,     [NODE_CONDITIONAL] = evaluate_conditional,
    [NODE_LAMBDA] = evaluate_lambda,       [NODE_TUPLE] = evaluate_display,
    [NODE_LIST] = evaluate_display,        [NODE_SET] = evaluate_display,
    [NODE_DICT] = evaluate_dict,           [NODE_COMPREHENSION] = evaluate_comprehension,
};

bool host_evaluate(struct host *host, const struct node *node, struct value *out) {
  expression_rule *rule = expressions[node->kind];
  if (!host_step(host, node->span, 1))
    return false;
  if (++host->depth > HOST_DEPTH)
    return host_unknown(host, node->span, "it is nested too deeply");
  bool good = rule ? rule(host, node, out)
                   : host_unknown(host, node->span, "%s is not evaluated",
                                  node_kind_phrase(node_kind(node)));
  host->depth--;
  return good;
}

bool host_test(struct host *host, const struct node *condition, bool *out) {
  struct value value;
  return host_evaluate(host, condition, &value) && host_truth(host, condition->span, &value, out);
}

/* --- Rules ------------------------------------------------------------------------------------ */

static bool expression(struct evaluator *ev, const struct node *node, struct value *out) {
  return host_evaluate((struct host *)ev, node, out);
}

static bool operation(struct evaluator *ev, enum operator_kind op, struct span span,
                      const struct value *a, const struct value *b, struct value *out) {
  return host_operator((struct host *)ev, op, span, a, b, out);
}

static bool assign(struct evaluator *ev, const struct node *target, const struct value *value) {
  return host_assign((struct host *)ev, target, value);
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
                                           .expression = expression,
                                           .operation = operation,
                                           .assign = assign,
                                           .truth = truth,
                                           .turn = turn,
                                           .add = add,
                                           .text = text,
                                           .sequence = sequence,
                                           .refuse = refuse};
