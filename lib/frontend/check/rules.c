/* SPDX-License-Identifier: MIT */
/* What the evaluator of compile-time Python (eval/evaluator.h) asks of a kernel. */
#include "frontend/check/control.h"

static struct checker *checker_of(struct evaluator *ev) {
  return (struct checker *)ev;
}

static bool expression(struct evaluator *ev, const struct node *node, struct value *out) {
  return check_expression(checker_of(ev), node, out);
}

static bool operation(struct evaluator *ev, enum operator_kind op, struct span span,
                      const struct value *a, const struct value *b, struct value *out) {
  return check_operator(checker_of(ev), op, span, a, b, out);
}

static bool assign(struct evaluator *ev, const struct node *target, const struct value *value) {
  return assign_target(checker_of(ev), target, value);
}

static bool truth(struct evaluator *ev, struct span span, const struct value *value, bool *out) {
  *out = value_truth(value);
  return value->kind != VALUE_RUNTIME ||
         check_fail(checker_of(ev), span, "a condition here is a compile-time value");
}

static bool turn(struct evaluator *ev, struct span span) {
  return count_statement_at(checker_of(ev), span);
}

static bool add(struct evaluator *ev, struct span span, struct value_list *list,
                const struct value *item) {
  if (!check_item_count(checker_of(ev), span, list->count + 1))
    return false;
  value_list_add(ev->arena, list, item);
  return true;
}

static bool text(struct evaluator *ev, struct span span, size_t length) {
  return check_text_size(checker_of(ev), span, length);
}

static bool sequence(struct evaluator *ev, struct span span, const struct value_list *list,
                     struct value *out) {
  *out = value_tuple_of(list);
  return check_value_size(checker_of(ev), span, out);
}

static bool refuse(struct evaluator *ev, struct span span, const struct value *value,
                   const char *message) {
  (void)value;
  return check_fail(checker_of(ev), span, "%s", message);
}

const struct evaluator_rules check_rules = {.loops =
                                                "a comprehension in a kernel runs over a tuple or "
                                                "a range of compile-time numbers",
                                            .expression = expression,
                                            .operation = operation,
                                            .assign = assign,
                                            .truth = truth,
                                            .turn = turn,
                                            .add = add,
                                            .text = text,
                                            .sequence = sequence,
                                            .refuse = refuse};
