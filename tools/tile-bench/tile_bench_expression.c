/* SPDX-License-Identifier: MIT */
/* Expressions of a benchmark's file: the front end's parser reads them, and its arithmetic
   (frontend/eval/numbers.h) computes. Integers are exact in 64 bits; what leaves them, or divides
   by zero, is an error at its place in the file. */
#include "tile_bench.h"

#include <string.h>
#include "ahead/expression.h"
#include "frontend/eval/numbers.h"

void bench_names_set(struct bench_names *names, const char *name, struct value value) {
  size_t i = 0;
  while (i < names->count && strcmp(names->list[i].name, name) != 0)
    i++;
  if (i == BENCH_MAX_NAMES)
    return;
  names->count += i == names->count;
  names->list[i].name = name;
  names->list[i].value = value;
}

/* --- Parsing ---------------------------------------------------------------------------------- */

/* Where a byte of the expression stands in the file; else the whole value. */
static struct toml_span place_of(const struct bench_expression *expression, struct span span) {
  if (!expression->lead)
    return expression->span;
  return (struct toml_span){expression->lead + span.offset, span.length};
}

bool bench_expression_parse(struct bench_text *text, const struct toml_value *value, size_t from,
                            size_t length, struct bench_expression *out) {
  struct problems problems;
  *out = (struct bench_expression){.span = value->span, .given = true};
  if (value->is_plain)
    out->lead = value->span.offset + 1 + (uint32_t)from;
  for (; length && strchr(" \t", value->string.data[from]); from++, length--)
    out->lead += out->lead > 0;
  const char *copy = arena_copy_string(&text->arena, value->string.data + from, length);
  if (strlen(copy) != length || strchr(copy, '\n'))
    return bench_fail(text, value->span, "an expression is one line of text");
  problems_create(&problems, &text->arena);
  out->source = expression_source(&text->arena, "an expression", copy);
  out->node = expression_parse(&text->arena, &problems, out->source,
                               "a number, or names and operators: cdiv(n, 2) * m");
  for (const struct problem *problem = problems.first; problem; problem = problem->next)
    if (!problem->deferred && problem->severity == PROBLEM_ERROR)
      bench_fail(text, place_of(out, problem->span), "%s", problem->message);
  return out->node;
}

bool bench_expression_read(struct bench_text *text, const struct toml_value *value,
                           struct bench_expression *out) {
  if (value->kind == TOML_STRING)
    return bench_expression_parse(text, value, 0, value->string.length, out);
  *out = (struct bench_expression){.span = value->span, .given = true};
  if (value->kind != TOML_INTEGER && value->kind != TOML_FLOAT)
    return bench_fail(text, value->span,
                      "expected a number or an expression in quotation marks, not %s",
                      toml_kind_phrase(value->kind));
  out->number =
      value->kind == TOML_INTEGER ? value_integer(value->integer) : value_float(value->number);
  return true;
}

/* --- Evaluation ------------------------------------------------------------------------------- */

struct evaluation {
  struct bench_text *text;
  const struct bench_expression *expression;
  const struct bench_names *names;
};

static bool evaluate(const struct evaluation *e, const struct node *node, struct value *out);

static bool fail(const struct evaluation *e, const struct node *node, const char *format, ...)
    TILE_PRINTF(3, 4);
static bool fail(const struct evaluation *e, const struct node *node, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bench_fail(e->text, place_of(e->expression, node->span), "%s",
             text_vformat(&e->text->arena, format, arguments));
  va_end(arguments);
  return false;
}

static bool unknown_name(const struct evaluation *e, const struct node *node) {
  const char *known[BENCH_MAX_NAMES], *name = node->name.id;
  struct text list = {0};
  for (size_t i = 0; i < e->names->count; i++) {
    known[i] = e->names->list[i].name;
    text_printf(&list, "%s%s", i ? ", " : "; there is ", known[i]);
  }
  const char *near = word_suggestion(&e->text->arena, name, known, e->names->count);
  const char *all = text_keep(&list, &e->text->arena);
  return fail(e, node, "'%s' is no size and no constant here%s", name,
              *near  ? near
              : *all ? all
                     : "; there is none");
}

static bool evaluate_name(const struct evaluation *e, const struct node *node, struct value *out) {
  for (size_t i = 0; i < e->names->count; i++)
    if (strcmp(e->names->list[i].name, node->name.id) == 0) {
      *out = e->names->list[i].value;
      return true;
    }
  return unknown_name(e, node);
}

static bool evaluate_integer(const struct evaluation *e, const struct node *node,
                             struct value *out) {
  *out = value_integer((int64_t)node->integer.value);
  return (!node->integer.too_large && node->integer.value <= INT64_MAX) ||
         fail(e, node, "the number does not fit 64 bits");
}

static bool evaluate_float(const struct evaluation *e, const struct node *node, struct value *out) {
  (void)e;
  *out = value_float(node->floating.value);
  return true;
}

static bool evaluate_bool(const struct evaluation *e, const struct node *node, struct value *out) {
  (void)e;
  *out = value_integer(node->boolean.value);
  return true;
}

/* a operation b; `out` may be one of them. */
static bool compute(const struct evaluation *e, const struct node *node,
                    enum binary_operator operation, const struct value *a, const struct value *b,
                    struct value *out) {
  struct value result;
  enum number_fault fault = number_operation(operation, a, b, &result);
  if (fault == NUMBER_DIVIDED_BY_ZERO)
    return fail(e, node, "division by zero");
  if (fault || result.is_huge)
    return fail(e, node, "the result does not fit 64 bits");
  *out = result.kind == VALUE_BOOL ? value_integer(result.boolean) : result;
  return true;
}

static bool evaluate_binary(const struct evaluation *e, const struct node *node,
                            struct value *out) {
  enum operator_kind op = node->binary.op;
  enum binary_operator operation = BINARY_AND;
  struct value a, b;
  binary_of(op, &operation);
  if (operation > BINARY_REMAINDER && operation != BINARY_POWER)
    return fail(e, node, "the operator '%s' cannot be used here; there are + - * / // %% **",
                operator_spelling(op));
  return evaluate(e, node->binary.left, &a) && evaluate(e, node->binary.right, &b) &&
         compute(e, node, operation, &a, &b, out);
}

/* --- Functions -------------------------------------------------------------------------------- */

typedef bool apply_function(const struct evaluation *e, const struct node *node,
                            const struct value *a, const struct value *b, struct value *out);

static bool check_integers(const struct evaluation *e, const struct node *node,
                           const struct value *a, const struct value *b) {
  return (value_is_integer(a) && value_is_integer(b)) ||
         fail(e, node, "this function takes integers");
}

/* -(-a // b) */
static bool apply_cdiv(const struct evaluation *e, const struct node *node, const struct value *a,
                       const struct value *b, struct value *out) {
  const struct value minus = value_integer(-1);
  return check_integers(e, node, a, b) && compute(e, node, BINARY_MULTIPLY, a, &minus, out) &&
         compute(e, node, BINARY_FLOOR_DIVIDE, out, b, out) &&
         compute(e, node, BINARY_MULTIPLY, out, &minus, out);
}

static bool choose(const struct evaluation *e, const struct node *node,
                   enum binary_operator operation, const struct value *a, const struct value *b,
                   struct value *out) {
  struct value first = value_none();
  if (!compute(e, node, operation, a, b, &first))
    return false;
  *out = first.integer ? *a : *b;
  return true;
}

static bool apply_min(const struct evaluation *e, const struct node *node, const struct value *a,
                      const struct value *b, struct value *out) {
  return choose(e, node, BINARY_LESS, a, b, out);
}

static bool apply_max(const struct evaluation *e, const struct node *node, const struct value *a,
                      const struct value *b, struct value *out) {
  return choose(e, node, BINARY_GREATER, a, b, out);
}

static bool apply_next_power(const struct evaluation *e, const struct node *node,
                             const struct value *a, const struct value *b, struct value *out) {
  int64_t power = 1;
  if (!check_integers(e, node, a, b))
    return false;
  if (a->integer < 1 || a->integer > INT64_C(1) << 62)
    return fail(e, node, "next_power_of_2 is of numbers from 1 to 2**62");
  while (power < a->integer)
    power *= 2;
  *out = value_integer(power);
  return true;
}

static bool apply_log2(const struct evaluation *e, const struct node *node, const struct value *a,
                       const struct value *b, struct value *out) {
  (void)b;
  return (value_as_double(a) > 0 && number_function("log2", a, out) == NUMBER_FINE) ||
         fail(e, node, "log2 is of positive numbers");
}

/* What functions there are: of `count` arguments, 0 meaning two or more, one after the other. */
static const struct function {
  const char *name;
  apply_function *apply;
  uint32_t count;
} functions[] = {{"cdiv", apply_cdiv, 2},
                 {"triton.cdiv", apply_cdiv, 2},
                 {"tl.cdiv", apply_cdiv, 2},
                 {"min", apply_min, 0},
                 {"max", apply_max, 0},
                 {"next_power_of_2", apply_next_power, 1},
                 {"triton.next_power_of_2", apply_next_power, 1},
                 {"log2", apply_log2, 1}};

static const struct function *find_function(const struct node *node) {
  const struct function *found = NULL;
  struct text name = {0};
  bool named = node_dotted_name(node, &name);
  for (size_t i = 0; named && i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, text_string(&name)) == 0)
      found = &functions[i];
  text_free(&name);
  return found;
}

static bool evaluate_call(const struct evaluation *e, const struct node *node, struct value *out) {
  const struct node_list *arguments = &node->call.arguments;
  const struct function *function = find_function(node->call.function);
  struct value so_far, next = value_integer(0);
  if (!function)
    return fail(e, node->call.function,
                "only cdiv, min, max, next_power_of_2 and log2 can be called here");
  if (function->count ? arguments->count != function->count : arguments->count < 2)
    return fail(e, node, "%s takes %s", function->name,
                function->count == 1 ? "one number"
                : function->count    ? "two numbers"
                                     : "two numbers or more");
  if (!evaluate(e, arguments->items[0], out))
    return false;
  uint32_t i = 1;
  do {
    so_far = *out;
    if ((i < arguments->count && !evaluate(e, arguments->items[i], &next)) ||
        !function->apply(e, node, &so_far, &next, out))
      return false;
  } while (++i < arguments->count);
  return true;
}

/* --- Conditions ------------------------------------------------------------------------------- */

static bool truth(const struct value *value) {
  return value_as_double(value) != 0;
}

/* a < b < c is a < b and b < c. */
static bool evaluate_compare(const struct evaluation *e, const struct node *node,
                             struct value *out) {
  const struct node_compare *parts = &node->compare;
  struct value a, b, pair = value_none();
  bool holds = true;
  if (!evaluate(e, parts->operands.items[0], &a))
    return false;
  for (uint32_t i = 0; i + 1 < parts->operands.count; i++, a = b) {
    enum binary_operator operation = BINARY_ADD;
    if (!evaluate(e, parts->operands.items[i + 1], &b))
      return false;
    binary_of(parts->operators[i], &operation);
    if (!binary_operator_is_comparison(operation))
      return fail(e, node, "the operator '%s' cannot be used here",
                  operator_spelling(parts->operators[i]));
    if (!compute(e, node, operation, &a, &b, &pair))
      return false;
    holds &= pair.integer != 0;
  }
  *out = value_integer(holds);
  return true;
}

static bool evaluate_logical(const struct evaluation *e, const struct node *node,
                             struct value *out) {
  for (uint32_t i = 0; i < node->logical.operands.count; i++) {
    if (!evaluate(e, node->logical.operands.items[i], out))
      return false;
    if (truth(out) == (node->logical.op == OPERATOR_OR))
      return true;
  }
  return true;
}

static bool evaluate_unary(const struct evaluation *e, const struct node *node, struct value *out) {
  const struct value minus = value_integer(-1);
  if (!evaluate(e, node->unary.operand, out))
    return false;
  if (node->unary.op == OPERATOR_INVERT)
    return fail(e, node, "the operator '~' cannot be used here");
  if (node->unary.op == OPERATOR_NOT)
    *out = value_integer(!truth(out));
  return node->unary.op != OPERATOR_NEGATE || compute(e, node, BINARY_MULTIPLY, out, &minus, out);
}

static bool evaluate_conditional(const struct evaluation *e, const struct node *node,
                                 struct value *out) {
  const struct node_conditional *parts = &node->conditional;
  return evaluate(e, parts->condition, out) &&
         evaluate(e, truth(out) ? parts->then : parts->otherwise, out);
}

static bool evaluate(const struct evaluation *e, const struct node *node, struct value *out) {
  typedef bool rule(const struct evaluation *e, const struct node *node, struct value *out);
  static rule *const rules[NODE_KIND_COUNT] = {
      [NODE_INTEGER] = evaluate_integer, [NODE_FLOAT] = evaluate_float,
      [NODE_BOOL] = evaluate_bool,       [NODE_NAME] = evaluate_name,
      [NODE_BINARY] = evaluate_binary,   [NODE_UNARY] = evaluate_unary,
      [NODE_CALL] = evaluate_call,       [NODE_CONDITIONAL] = evaluate_conditional,
      [NODE_COMPARE] = evaluate_compare, [NODE_LOGICAL] = evaluate_logical};
  return rules[node->kind] ? rules[node->kind](e, node, out)
                           : fail(e, node, "%s is no number", node_kind_phrase(node_kind(node)));
}

bool bench_expression_evaluate(struct bench_text *text, const struct bench_expression *expression,
                               const struct bench_names *names, struct value *out) {
  *out = expression->number;
  const struct evaluation e = {text, expression, names};
  return !expression->node || evaluate(&e, expression->node, out);
}

static bool check_integer(struct bench_text *text, struct toml_span span, const char *what,
                          struct value number, int64_t low, int64_t high, int64_t *out) {
  if (number.kind == VALUE_FLOAT)
    return bench_fail(text, span,
                      "%s is %g, but an integer is wanted; '//' divides without remainder", what,
                      number.number);
  if (number.integer < low || number.integer > high)
    return bench_fail(text, span, "%s is %lld; it has to be from %lld to %lld", what,
                      (long long)number.integer, (long long)low, (long long)high);
  *out = number.integer;
  return true;
}

bool bench_expression_integer(struct bench_text *text, const struct bench_expression *expression,
                              const struct bench_names *names, const char *what, int64_t low,
                              int64_t high, int64_t *out) {
  struct value number;
  return bench_expression_evaluate(text, expression, names, &number) &&
         check_integer(text, expression->span, what, number, low, high, out);
}

bool bench_expression_grid(struct bench_text *text, const struct bench_expression *expression,
                           const struct bench_names *names, uint32_t out[3]) {
  const struct evaluation e = {text, expression, names};
  const struct node *node = expression->node;
  bool is_tuple = node && node_is(node, NODE_TUPLE);
  uint32_t count = is_tuple ? node->tuple.elements.count : 1;
  out[0] = out[1] = out[2] = 1;
  if (count < 1 || count > 3)
    return bench_fail(text, expression->span, "a grid has one to three sizes");
  for (uint32_t i = 0; i < count; i++) {
    struct value number = expression->number;
    int64_t size = 1;
    if (node && !evaluate(&e, is_tuple ? node->tuple.elements.items[i] : node, &number))
      return false;
    if (!check_integer(text, expression->span, "the grid", number, 1, i ? 65535 : INT32_MAX, &size))
      return false;
    out[i] = (uint32_t)size;
  }
  return true;
}
