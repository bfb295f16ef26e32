/* SPDX-License-Identifier: MIT */
/* Expressions of a benchmark's file: the front end's parser reads them, this evaluates the tree.
   Integers are exact in 64 bits; what leaves them, or divides by zero, is an error at its place in
   the file. */
#include "tile_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "ahead/expression.h"

double bench_double(struct bench_number number) {
  return number.is_float ? number.number : (double)number.integer;
}

static struct bench_number integer_of(int64_t value) {
  return (struct bench_number){.integer = value};
}
static struct bench_number float_of(double value) {
  return (struct bench_number){.is_float = true, .number = value};
}

void bench_names_set(struct bench_names *names, const char *name, struct bench_number value) {
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
  out->number = value->kind == TOML_INTEGER ? integer_of(value->integer) : float_of(value->number);
  return true;
}

/* --- Evaluation ------------------------------------------------------------------------------- */

struct evaluation {
  struct bench_text *text;
  const struct bench_expression *expression;
  const struct bench_names *names;
};

static bool evaluate(const struct evaluation *e, const struct node *node, struct bench_number *out);

static bool fail(const struct evaluation *e, const struct node *node, const char *format, ...)
    TILE_PRINTF(3, 4);
static bool fail(const struct evaluation *e, const struct node *node, const char *format, ...) {
  struct text message = {0};
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(&message, format, arguments);
  va_end(arguments);
  bench_fail(e->text, place_of(e->expression, node->span), "%s", text_string(&message));
  text_free(&message);
  return false;
}

static bool unknown_name(const struct evaluation *e, const struct node *node) {
  const char *known[BENCH_MAX_NAMES];
  struct text list = {0};
  for (size_t i = 0; i < e->names->count; i++) {
    known[i] = e->names->list[i].name;
    text_printf(&list, "%s%s", i ? ", " : "", known[i]);
  }
  const char *near = nearest_word(node->name.id, known, e->names->count);
  if (near)
    fail(e, node, "'%s' is no size and no constant here; did you mean '%s'?", node->name.id, near);
  else
    fail(e, node, "'%s' is no size and no constant here; there is %s", node->name.id,
         list.length ? text_string(&list) : "none");
  text_free(&list);
  return false;
}

static bool find_name(const struct evaluation *e, const struct node *node,
                      struct bench_number *out) {
  for (size_t i = 0; i < e->names->count; i++)
    if (strcmp(e->names->list[i].name, node->name.id) == 0) {
      *out = e->names->list[i].value;
      return true;
    }
  return unknown_name(e, node);
}

static int64_t floor_divide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t floor_modulo(int64_t a, int64_t b) {
  int64_t rest = b == -1 ? 0 : a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static bool integer_power(int64_t a, int64_t b, int64_t *out) {
  *out = 1;
  if (a == 1 || a == -1 || a == 0) {
    *out = b == 0 || a == 1 ? 1 : a == 0 ? 0 : b % 2 ? -1 : 1;
    return true;
  }
  for (; b > 0; b--)
    if (__builtin_mul_overflow(*out, a, out))
      return false;
  return true;
}

/* False where the result does not fit. */
static bool compute_integers(enum operator_kind op, int64_t a, int64_t b,
                             struct bench_number *out) {
  *out = integer_of(0);
  switch ((int)op) {
  case OPERATOR_ADD:
    return !__builtin_add_overflow(a, b, &out->integer);
  case OPERATOR_SUB:
    return !__builtin_sub_overflow(a, b, &out->integer);
  case OPERATOR_MUL:
    return !__builtin_mul_overflow(a, b, &out->integer);
  case OPERATOR_FLOOR_DIV:
    out->integer = b == -1 ? 0 : floor_divide(a, b);
    return b != -1 || !__builtin_sub_overflow((int64_t)0, a, &out->integer);
  case OPERATOR_MOD:
    out->integer = floor_modulo(a, b);
    return true;
  default:
    return integer_power(a, b, &out->integer);
  }
}

static double compute_floats(enum operator_kind op, double a, double b) {
  switch ((int)op) {
  case OPERATOR_ADD:
    return a + b;
  case OPERATOR_SUB:
    return a - b;
  case OPERATOR_MUL:
    return a * b;
  case OPERATOR_DIV:
    return a / b;
  case OPERATOR_FLOOR_DIV:
    return floor(a / b);
  case OPERATOR_MOD:
    return a - b * floor(a / b);
  default:
    return pow(a, b);
  }
}

static bool is_known(enum operator_kind op) {
  return op == OPERATOR_ADD || op == OPERATOR_SUB || op == OPERATOR_MUL || op == OPERATOR_DIV ||
         op == OPERATOR_FLOOR_DIV || op == OPERATOR_MOD || op == OPERATOR_POWER;
}

static bool evaluate_binary(const struct evaluation *e, const struct node *node,
                            struct bench_number *out) {
  enum operator_kind op = node->binary.op;
  struct bench_number a, b;
  if (!is_known(op))
    return fail(e, node, "the operator '%s' cannot be used here; there are + - * / // %% **",
                operator_spelling(op));
  if (!evaluate(e, node->binary.left, &a) || !evaluate(e, node->binary.right, &b))
    return false;
  bool divides = op == OPERATOR_DIV || op == OPERATOR_FLOOR_DIV || op == OPERATOR_MOD;
  if (divides && bench_double(b) == 0)
    return fail(e, node, "division by zero");
  bool in_integers =
      !a.is_float && !b.is_float && op != OPERATOR_DIV && (op != OPERATOR_POWER || b.integer >= 0);
  if (!in_integers)
    *out = float_of(compute_floats(op, bench_double(a), bench_double(b)));
  else if (!compute_integers(op, a.integer, b.integer, out))
    return fail(e, node, "the result does not fit 64 bits");
  return true;
}

/* What functions there are: of `count` arguments, 0 meaning two or more, one after the other. */
enum function { CDIV, MIN, MAX, NEXT_POWER_OF_2, LOG2 };
static const struct {
  const char *name;
  enum function function;
  uint32_t count;
} functions[] = {{"cdiv", CDIV, 2},
                 {"triton.cdiv", CDIV, 2},
                 {"tl.cdiv", CDIV, 2},
                 {"min", MIN, 0},
                 {"max", MAX, 0},
                 {"next_power_of_2", NEXT_POWER_OF_2, 1},
                 {"triton.next_power_of_2", NEXT_POWER_OF_2, 1},
                 {"log2", LOG2, 1}};

static bool apply_integers(const struct evaluation *e, const struct node *node,
                           enum function function, int64_t a, int64_t b, struct bench_number *out) {
  if (function == CDIV && b == 0)
    return fail(e, node, "division by zero");
  if (function == CDIV && (b == -1 || a == INT64_MIN))
    return fail(e, node, "the result does not fit 64 bits");
  if (function == NEXT_POWER_OF_2 && (a < 1 || a > INT64_C(1) << 62))
    return fail(e, node, "next_power_of_2 is of numbers from 1 to 2**62");
  int64_t power = 1;
  while (function == NEXT_POWER_OF_2 && power < a)
    power *= 2;
  *out = integer_of(function == CDIV  ? -floor_divide(-a, b)
                    : function == MIN ? (a < b ? a : b)
                    : function == MAX ? (a > b ? a : b)
                                      : power);
  return true;
}

static bool apply(const struct evaluation *e, const struct node *node, enum function function,
                  struct bench_number a, struct bench_number b, struct bench_number *out) {
  if (function == LOG2 && !(bench_double(a) > 0))
    return fail(e, node, "log2 is of positive numbers");
  if (function == LOG2)
    *out = float_of(log2(bench_double(a)));
  else if (!a.is_float && !b.is_float)
    return apply_integers(e, node, function, a.integer, b.integer, out);
  else if (function == MIN || function == MAX)
    *out = (bench_double(a) < bench_double(b)) == (function == MIN) ? a : b;
  else
    return fail(e, node, "this function takes integers");
  return true;
}

static bool evaluate_call(const struct evaluation *e, const struct node *node,
                          struct bench_number *out) {
  const struct node_list *arguments = &node->call.arguments;
  struct text name = {0};
  size_t count = sizeof functions / sizeof *functions, found = count;
  bool named = node_dotted_name(node->call.function, &name);
  for (size_t i = 0; named && i < count; i++)
    if (strcmp(functions[i].name, text_string(&name)) == 0)
      found = i;
  text_free(&name);
  if (found == count)
    return fail(e, node->call.function,
                "only cdiv, min, max, next_power_of_2 and log2 can be called here");
  uint32_t wanted = functions[found].count;
  if (wanted ? arguments->count != wanted : arguments->count < 2)
    return fail(e, node, "%s takes %s", functions[found].name,
                wanted == 1 ? "one number"
                : wanted    ? "two numbers"
                            : "two numbers or more");
  struct bench_number next = integer_of(0);
  if (!evaluate(e, arguments->items[0], out))
    return false;
  for (uint32_t i = 1; i < arguments->count; i++)
    if (!evaluate(e, arguments->items[i], &next) ||
        !apply(e, node, functions[found].function, *out, next, out))
      return false;
  return wanted != 1 || apply(e, node, functions[found].function, *out, next, out);
}

static bool compare(enum operator_kind op, double a, double b, bool *known) {
  *known = true;
  switch ((int)op) {
  case OPERATOR_EQ:
    return a == b;
  case OPERATOR_NE:
    return a != b;
  case OPERATOR_LT:
    return a < b;
  case OPERATOR_LE:
    return a <= b;
  case OPERATOR_GT:
    return a > b;
  case OPERATOR_GE:
    return a >= b;
  default:
    *known = false;
    return false;
  }
}

/* a < b < c is a < b and b < c. */
static bool evaluate_compare(const struct evaluation *e, const struct node *node,
                             struct bench_number *out) {
  struct bench_number a, b;
  bool holds = true, known = true;
  if (!evaluate(e, node->compare.operands.items[0], &a))
    return false;
  for (uint32_t i = 0; i + 1 < node->compare.operands.count; i++, a = b) {
    if (!evaluate(e, node->compare.operands.items[i + 1], &b))
      return false;
    holds = compare(node->compare.operators[i], bench_double(a), bench_double(b), &known) && holds;
    if (!known)
      return fail(e, node, "the operator '%s' cannot be used here",
                  operator_spelling(node->compare.operators[i]));
  }
  *out = integer_of(holds);
  return true;
}

static bool evaluate_logical(const struct evaluation *e, const struct node *node,
                             struct bench_number *out) {
  for (uint32_t i = 0; i < node->logical.operands.count; i++) {
    if (!evaluate(e, node->logical.operands.items[i], out))
      return false;
    if ((bench_double(*out) != 0) == (node->logical.op == OPERATOR_OR))
      return true;
  }
  return true;
}

static bool evaluate_unary(const struct evaluation *e, const struct node *node,
                           struct bench_number *out) {
  if (!evaluate(e, node->unary.operand, out))
    return false;
  if (node->unary.op == OPERATOR_NOT)
    *out = integer_of(bench_double(*out) == 0);
  else if (node->unary.op == OPERATOR_NEGATE && out->is_float)
    out->number = -out->number;
  else if (node->unary.op == OPERATOR_NEGATE &&
           __builtin_sub_overflow((int64_t)0, out->integer, &out->integer))
    return fail(e, node, "the result does not fit 64 bits");
  else if (node->unary.op == OPERATOR_INVERT)
    return fail(e, node, "the operator '~' cannot be used here");
  return true;
}

static bool evaluate_conditional(const struct evaluation *e, const struct node *node,
                                 struct bench_number *out) {
  if (!evaluate(e, node->conditional.condition, out))
    return false;
  return evaluate(e, bench_double(*out) != 0 ? node->conditional.then : node->conditional.otherwise,
                  out);
}

static bool evaluate(const struct evaluation *e, const struct node *node,
                     struct bench_number *out) {
  switch ((int)node_kind(node)) {
  case NODE_INTEGER:
    if (node->integer.too_large || node->integer.value > INT64_MAX)
      return fail(e, node, "the number does not fit 64 bits");
    *out = integer_of((int64_t)node->integer.value);
    return true;
  case NODE_FLOAT:
    *out = float_of(node->floating.value);
    return true;
  case NODE_BOOL:
    *out = integer_of(node->boolean.value);
    return true;
  case NODE_NAME:
    return find_name(e, node, out);
  case NODE_BINARY:
    return evaluate_binary(e, node, out);
  case NODE_UNARY:
    return evaluate_unary(e, node, out);
  case NODE_CALL:
    return evaluate_call(e, node, out);
  case NODE_CONDITIONAL:
    return evaluate_conditional(e, node, out);
  case NODE_COMPARE:
    return evaluate_compare(e, node, out);
  case NODE_LOGICAL:
    return evaluate_logical(e, node, out);
  default:
    return fail(e, node, "%s is no number", node_kind_phrase(node_kind(node)));
  }
}

bool bench_expression_evaluate(struct bench_text *text, const struct bench_expression *expression,
                               const struct bench_names *names, struct bench_number *out) {
  *out = expression->number;
  const struct evaluation e = {text, expression, names};
  return !expression->node || evaluate(&e, expression->node, out);
}

static bool check_integer(struct bench_text *text, struct toml_span span, const char *what,
                          struct bench_number number, int64_t low, int64_t high, int64_t *out) {
  if (number.is_float)
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
  struct bench_number number;
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
    struct bench_number number = expression->number;
    int64_t size = 1;
    if (node && !evaluate(&e, is_tuple ? node->tuple.elements.items[i] : node, &number))
      return false;
    if (!check_integer(text, expression->span, "the grid", number, 1, i ? 65535 : INT32_MAX, &size))
      return false;
    out[i] = (uint32_t)size;
  }
  return true;
}
