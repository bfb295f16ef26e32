/* SPDX-License-Identifier: MIT */
/* Python's operators on host values. Integers have 64 bits; a result that does not fit is an error.
 */
#include <string.h>
#include "frontend/eval/host.h"
#include "frontend/eval/numbers.h"

/* An operand whose value is known at a launch only: says which. */
static bool check_known(struct host *host, struct span span, const struct value *value) {
  if (value->kind == VALUE_ARGUMENT && value->argument.untyped)
    return host_needs(host, span, value->argument.name);
  if (value->kind == VALUE_ARGUMENT && !value->argument.dtype.pointers)
    return host_needs(host, span, value->argument.name);
  if (value->kind == VALUE_NAME || value->kind == VALUE_ARGUMENT)
    return host_unknown(host, span, "'%s' is known at run time only", host_source(host, span));
  return true;
}

/* --- Arithmetic ------------------------------------------------------------------------------- */

static bool overflow(struct host *host, struct span span) {
  return host_wrong(host, span, "the result does not fit 64 bits");
}

/* Integers of host code have 63 bits and a sign. */
static bool numbers(struct host *host, enum operator_kind op, struct span span,
                    const struct value *a, const struct value *b, struct value *out) {
  enum binary_operator operation;
  if (!binary_of(op, &operation))
    return host_unknown(host, span, "'%s' is not evaluated", operator_spelling(op));
  enum number_fault fault = number_operation(operation, a, b, out);
  if (fault == NUMBER_FINE && !out->is_huge)
    return true;
  return fault == NUMBER_NEEDS_INTEGERS
             ? host_wrong(host, span, "'%s' takes integers", operator_spelling(op))
             : host_wrong(host, span, "%s",
                          fault == NUMBER_DIVIDED_BY_ZERO      ? "it divides by zero"
                          : fault == NUMBER_SHIFTED_BELOW_ZERO ? "it shifts by a negative number"
                                                               : "the result does not fit 64 bits");
}

/* --- Containers ------------------------------------------------------------------------------- */

static bool merge(struct host *host, struct span span, const struct value_dict *a,
                  const struct value_dict *b, struct value *out) {
  *out = host_dict_new(host);
  return host_dict_merge(host, span, out->dict, a) && host_dict_merge(host, span, out->dict, b);
}

bool host_operator(struct host *host, enum operator_kind op, struct span span,
                   const struct value *a, const struct value *b, struct value *out) {
  if (!check_known(host, span, a) || !check_known(host, span, b))
    return false;
  if (value_is_number(a) && value_is_number(b))
    return numbers(host, op, span, a, b, out);
  bool good;
  if (eval_sequences(&host->eval, op, span, a, b, out, &good))
    return good;
  if (op == OPERATOR_BIT_OR && a->kind == VALUE_DICT && b->kind == VALUE_DICT)
    return merge(host, span, a->dict, b->dict, out);
  return host_wrong(host, span, "'%s' does not take %s and %s", operator_spelling(op),
                    host_describe(host, a), host_describe(host, b));
}

bool host_unary(struct host *host, enum operator_kind op, struct span span, const struct value *a,
                struct value *out) {
  bool truth;
  if (op == OPERATOR_NOT) {
    if (!host_truth(host, span, a, &truth))
      return false;
    *out = value_bool(!truth);
    return true;
  }
  if (!check_known(host, span, a))
    return false;
  if (a->kind == VALUE_FLOAT && op != OPERATOR_INVERT) {
    *out = value_float(op == OPERATOR_NEGATE ? -a->number : a->number);
    return true;
  }
  if (!value_is_integer(a))
    return host_wrong(host, span, "'%s' does not take %s", operator_spelling(op),
                      host_describe(host, a));
  int64_t value = value_as_integer(a);
  if (op == OPERATOR_NEGATE && value == INT64_MIN)
    return overflow(host, span);
  *out = value_integer(op == OPERATOR_NEGATE ? -value : op == OPERATOR_INVERT ? ~value : value);
  return true;
}

/* --- Comparisons ------------------------------------------------------------------------------ */

static bool compare_numbers(enum binary_operator operation, const struct value *a,
                            const struct value *b) {
  struct value truth = value_bool(false);
  number_operation(operation, a, b, &truth);
  return truth.boolean;
}

static bool equal_lists(struct host *host, struct span span, const struct value_list *a,
                        const struct value_list *b, bool *out) {
  *out = a->count == b->count;
  for (size_t i = 0; i < a->count && *out; i++)
    if (!host_equal(host, span, &a->items[i], &b->items[i], out))
      return false;
  return true;
}

static bool equal_known(struct host *host, struct span span, const struct value *a,
                        const struct value *b, bool *out) {
  *out = false;
  if (value_is_number(a) && value_is_number(b))
    *out = compare_numbers(BINARY_EQUAL, a, b);
  else if (a->kind != b->kind || a->kind <= VALUE_DTYPE || a->kind == VALUE_HOST_FUNCTION)
    *out = value_same(a, b);
  else if (a->kind == VALUE_LIST)
    return equal_lists(host, span, a->list, b->list, out);
  else if (a->kind == VALUE_CONFIG)
    return host_config_equal(host, span, a->config, b->config, out);
  else
    return host_unknown(host, span, "%s and %s are not compared", host_describe(host, a),
                        host_describe(host, b));
  return true;
}

bool host_equal(struct host *host, struct span span, const struct value *a, const struct value *b,
                bool *out) {
  if (!host_step(host, span, 1))
    return false;
  if (++host->depth > HOST_DEPTH)
    return host_unknown(host, span, "it is nested too deeply");
  bool untyped = (a->kind == VALUE_ARGUMENT && a->argument.untyped) ||
                 (b->kind == VALUE_ARGUMENT && b->argument.untyped);
  bool none =
      !untyped && (a->kind == VALUE_NONE || b->kind == VALUE_NONE); /* an argument is not None */
  bool good = true;
  if (none)
    *out = a->kind == b->kind;
  else
    good = check_known(host, span, a) && check_known(host, span, b) &&
           equal_known(host, span, a, b, out);
  host->depth--;
  return good;
}

static bool contains(struct host *host, struct span span, const struct value *item,
                     const struct value *container, bool *out) {
  *out = false;
  if (container->kind == VALUE_DICT) {
    struct value *found;
    if (!host_dict_find(host, span, container->dict, item, &found))
      return false;
    *out = found != NULL;
    return true;
  }
  if (container->kind == VALUE_STRING && item->kind == VALUE_STRING) {
    *out = eval_contains(container->text, item->text);
    return host_step(host, span, container->text.length + item->text.length);
  }
  if (container->kind != VALUE_LIST)
    return host_wrong(host, span, "'in' does not take %s", host_describe(host, container));
  for (size_t i = 0; i < container->list->count && !*out; i++)
    if (!host_equal(host, span, item, &container->list->items[i], out))
      return false;
  return true;
}

static int order_of_texts(struct slice a, struct slice b) {
  int sign = memcmp(a.data, b.data, a.length < b.length ? a.length : b.length);
  return sign ? sign : (a.length > b.length) - (a.length < b.length);
}

/* Lists as by their first elements that differ, else by their lengths. */
static bool order_lists(struct host *host, enum operator_kind op, struct span span,
                        const struct value_list *a, const struct value_list *b, bool *out) {
  enum binary_operator operation = BINARY_LESS;
  bool same = true;
  for (size_t i = 0; i < a->count && i < b->count; i++) {
    if (!host_equal(host, span, &a->items[i], &b->items[i], &same))
      return false;
    if (!same)
      return host_compare(host, op, span, &a->items[i], &b->items[i], out);
  }
  binary_of(op, &operation);
  *out = number_decide(operation, (a->count > b->count) - (a->count < b->count)).boolean;
  return true;
}

static bool order(struct host *host, enum operator_kind op, struct span span, const struct value *a,
                  const struct value *b, bool *out) {
  enum binary_operator operation = BINARY_LESS;
  binary_of(op, &operation);
  if (a->kind == VALUE_LIST && b->kind == VALUE_LIST)
    return order_lists(host, op, span, a->list, b->list, out);
  if (value_is_number(a) && value_is_number(b))
    *out = compare_numbers(operation, a, b);
  else if (a->kind == VALUE_STRING && b->kind == VALUE_STRING)
    *out = number_decide(operation, order_of_texts(a->text, b->text)).boolean;
  else
    return host_wrong(host, span, "'%s' does not compare %s with %s", operator_spelling(op),
                      host_describe(host, a), host_describe(host, b));
  return true;
}

/* `is`: None, booleans and small things compare as by ==; what else Python says is an accident. */
static bool is_same(struct host *host, struct span span, const struct value *a,
                    const struct value *b, bool *out) {
  if (a->kind == VALUE_NAME && b->kind == VALUE_NAME)
    return host_unknown(host, span, "'%s' is known at run time only", host_source(host, span));
  if (a->kind == VALUE_BOOL && value_is_number(b) && b->kind != VALUE_BOOL)
    return *out = false, true;
  return host_equal(host, span, a, b, out);
}

bool host_compare(struct host *host, enum operator_kind op, struct span span, const struct value *a,
                  const struct value *b, bool *out) {
  bool negated = op == OPERATOR_NE || op == OPERATOR_NOT_IN || op == OPERATOR_IS_NOT, good;
  if (op == OPERATOR_IS || op == OPERATOR_IS_NOT)
    good = is_same(host, span, a, b, out);
  else if (op == OPERATOR_EQ || op == OPERATOR_NE)
    good = host_equal(host, span, a, b, out);
  else if (op == OPERATOR_IN || op == OPERATOR_NOT_IN)
    good = (a->kind != VALUE_ARGUMENT || check_known(host, span, a)) &&
           check_known(host, span, b) && contains(host, span, a, b, out);
  else {
    if (++host->depth > HOST_DEPTH)
      return host_unknown(host, span, "it is nested too deeply");
    good = check_known(host, span, a) && check_known(host, span, b) &&
           order(host, op, span, a, b, out);
    host->depth--;
  }
  if (good && negated)
    *out = !*out;
  return good;
}

bool host_truth(struct host *host, struct span span, const struct value *value, bool *out) {
  if (!check_known(host, span, value))
    return false;
  *out = value_truth(value);
  return true;
}

/* --- Elements and attributes ------------------------------------------------------------------ */

bool host_index(struct host *host, struct span span, const struct value *object,
                const struct value *index, struct value *out) {
  if (!check_known(host, span, object))
    return false;
  if (object->kind == VALUE_DICT) {
    struct value *found;
    if (!host_dict_find(host, span, object->dict, index, &found))
      return false;
    if (found) {
      *out = *found;
      return true;
    }
    return host_wrong(host, span, "there is no key %s", value_source(host->eval.arena, index));
  }
  if (!check_known(host, span, index))
    return false;
  if ((object->kind != VALUE_LIST && object->kind != VALUE_STRING) || !value_is_integer(index))
    return host_wrong(host, span, "%s is not indexed by %s", host_describe(host, object),
                      host_describe(host, index));
  size_t count = object->kind == VALUE_LIST ? object->list->count : object->text.length;
  int64_t at = value_as_integer(index);
  if (at < 0)
    at += (int64_t)count;
  if (at < 0 || (size_t)at >= count)
    return host_wrong(host, span, "index %lld is outside of its %zu elements",
                      (long long)value_as_integer(index), count);
  *out = object->kind == VALUE_LIST ? object->list->items[at]
                                    : value_text(host->eval.arena, object->text.data + at, 1);
  return true;
}
