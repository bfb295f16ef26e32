/* SPDX-License-Identifier: MIT */
/* Expressions down to the operands of operators, and what can be assigned to.

       named       expression [":=" expression]
       expression  lambda | disjunction ["if" disjunction "else" expression]
       disjunction and, not, comparisons, in the order of operators.def
       operand     binary operators by precedence climbing; unary ones; "**" */
#include "frontend/parser_internal.h"

#include <string.h>

/* --- Tables from operators.def ---------------------------------------------------------------- */

struct infix {
  unsigned char op, precedence; /* precedence 0: no such operator */
};

#define BINARY(identifier, precedence, token) [TOKEN_##token] = {OPERATOR_##identifier, precedence},
#define UNARY(identifier, precedence, token)
#define LOGICAL(identifier, precedence, token)
#define COMPARISON(identifier, precedence, token)
#define OPERATOR(identifier, spelling, family, precedence, token)                                  \
  family(identifier, precedence, token)
static const struct infix binary_operators[TOKEN_KIND_COUNT] = {
#include "frontend/operators.def"
};
#undef BINARY
#undef UNARY
#undef LOGICAL
#undef COMPARISON
#undef OPERATOR

enum { PRECEDENCE_LOWEST = 5, PRECEDENCE_POWER = 12 };

bool augmented_operator(enum token_kind kind, enum operator_kind *out) {
  static const unsigned char augmented[TOKEN_KIND_COUNT] = {
      [TOKEN_PLUS_EQUAL] = OPERATOR_ADD,
      [TOKEN_MINUS_EQUAL] = OPERATOR_SUB,
      [TOKEN_STAR_EQUAL] = OPERATOR_MUL,
      [TOKEN_SLASH_EQUAL] = OPERATOR_DIV,
      [TOKEN_SLASH_SLASH_EQUAL] = OPERATOR_FLOOR_DIV,
      [TOKEN_PERCENT_EQUAL] = OPERATOR_MOD,
      [TOKEN_AT_EQUAL] = OPERATOR_MATMUL,
      [TOKEN_AMPERSAND_EQUAL] = OPERATOR_BIT_AND,
      [TOKEN_PIPE_EQUAL] = OPERATOR_BIT_OR,
      [TOKEN_CARET_EQUAL] = OPERATOR_BIT_XOR,
      [TOKEN_SHIFT_LEFT_EQUAL] = OPERATOR_SHIFT_LEFT,
      [TOKEN_SHIFT_RIGHT_EQUAL] = OPERATOR_SHIFT_RIGHT,
      [TOKEN_STAR_STAR_EQUAL] = OPERATOR_POWER,
  };
  *out = (enum operator_kind)augmented[kind];
  return augmented[kind] != 0;
}
_Static_assert(OPERATOR_OR == 0, "0 stands for no operator");

bool begins_expression(enum token_kind kind) {
  static const bool begins[TOKEN_KIND_COUNT] = {
      [TOKEN_NAME] = true,       [TOKEN_INTEGER] = true,    [TOKEN_FLOAT] = true,
      [TOKEN_IMAGINARY] = true,  [TOKEN_STRING] = true,     [TOKEN_FALSE] = true,
      [TOKEN_NONE] = true,       [TOKEN_TRUE] = true,       [TOKEN_AWAIT] = true,
      [TOKEN_LAMBDA] = true,     [TOKEN_NOT] = true,        [TOKEN_YIELD] = true,
      [TOKEN_ELLIPSIS] = true,   [TOKEN_PAREN_OPEN] = true, [TOKEN_BRACKET_OPEN] = true,
      [TOKEN_BRACE_OPEN] = true, [TOKEN_PLUS] = true,       [TOKEN_MINUS] = true,
      [TOKEN_TILDE] = true,      [TOKEN_STAR] = true,
  };
  return begins[kind];
}

/* --- Operands --------------------------------------------------------------------------------- */

/* await primary, primary ** unary */
static struct node *parse_unary(struct parser *parser);
static struct node *parse_power(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  struct node *left;
  if (accept_token(parser, TOKEN_AWAIT)) {
    left = parse_primary(parser);
    left = MAKE(parser, start, NODE_AWAIT, .await = {left});
  } else {
    left = parse_primary(parser);
  }
  struct span op_span = parser->token.span;
  if (!at_token(parser, TOKEN_STAR_STAR))
    return left;
  if (!enter_rule(parser))
    return NULL;
  next_token(parser);
  struct node *right = parse_unary(parser);
  leave_rule(parser);
  return MAKE(parser, start, NODE_BINARY, .binary = {OPERATOR_POWER, op_span, left, right});
}

static struct node *parse_unary(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  enum token_kind kind = parser->token.kind;
  if (kind != TOKEN_MINUS && kind != TOKEN_PLUS && kind != TOKEN_TILDE)
    return parse_power(parser);
  if (!enter_rule(parser))
    return NULL;
  next_token(parser);
  struct node *operand = parse_unary(parser);
  leave_rule(parser);
  enum operator_kind op = kind == TOKEN_MINUS  ? OPERATOR_NEGATE
                          : kind == TOKEN_PLUS ? OPERATOR_PLUS
                                               : OPERATOR_INVERT;
  return MAKE(parser, start, NODE_UNARY, .unary = {op, operand});
}

/* Nothing but blanks or a comment follows on the line. */
static bool at_last_token(const struct parser *parser) {
  uint32_t end = span_end(parser->token.span);
  while (end < parser->source->end && *source_at(parser->source, end) == ' ')
    end++;
  return end == parser->source->end || strchr("\r\n;#", *source_at(parser->source, end));
}

/* "x++", "a && b": what people write who come from C. */
static bool is_c_operator(struct parser *parser, enum token_kind op, struct span op_span) {
  enum token_kind kind = parser->token.kind;
  bool doubled = kind == op && parser->token.span.offset == span_end(op_span);
  struct span span = span_join(op_span, parser->token.span);
  if (doubled && (op == TOKEN_AMPERSAND || op == TOKEN_PIPE)) {
    syntax_error(parser, span, "there is no operator '%s'; write '%s'",
                 op == TOKEN_PIPE ? "||" : "&&", op == TOKEN_PIPE ? "or" : "and");
    return true;
  }
  if (doubled && (op == TOKEN_PLUS || op == TOKEN_MINUS) && at_last_token(parser)) {
    syntax_error(parser, span, "there is no operator '%s'; write '%s 1'",
                 op == TOKEN_PLUS ? "++" : "--", op == TOKEN_PLUS ? "+=" : "-=");
    return true;
  }
  return false;
}

static struct node *parse_binary(struct parser *parser, int lowest) {
  uint32_t start = parser->token.span.offset;
  struct node *left = parse_unary(parser);
  for (;;) {
    struct token token = parser->token;
    struct infix infix = binary_operators[token.kind];
    if (infix.precedence < lowest || infix.precedence >= PRECEDENCE_POWER)
      return left;
    next_token(parser);
    if (is_c_operator(parser, token.kind, token.span))
      return NULL;
    struct node *right = parse_binary(parser, infix.precedence + 1);
    left = MAKE(parser, start, NODE_BINARY,
                .binary = {(enum operator_kind)infix.op, token.span, left, right});
  }
}

struct node *parse_operand(struct parser *parser) {
  return parse_binary(parser, PRECEDENCE_LOWEST);
}

/* --- Comparisons and logic -------------------------------------------------------------------- */

/* Consumes a comparison operator. */
static bool accept_comparison(struct parser *parser, enum operator_kind *out) {
  static const unsigned char plain[TOKEN_KIND_COUNT] = {
      [TOKEN_EQUAL_EQUAL] = OPERATOR_EQ, [TOKEN_NOT_EQUAL] = OPERATOR_NE,
      [TOKEN_LESS] = OPERATOR_LT,        [TOKEN_LESS_EQUAL] = OPERATOR_LE,
      [TOKEN_GREATER] = OPERATOR_GT,     [TOKEN_GREATER_EQUAL] = OPERATOR_GE,
      [TOKEN_IN] = OPERATOR_IN,          [TOKEN_IS] = OPERATOR_IS,
      [TOKEN_NOT] = OPERATOR_NOT_IN};
  *out = (enum operator_kind)plain[parser->token.kind];
  if (!plain[parser->token.kind])
    return false;
  next_token(parser);
  if (*out == OPERATOR_IS && accept_token(parser, TOKEN_NOT))
    *out = OPERATOR_IS_NOT;
  return *out != OPERATOR_NOT_IN || expect_token(parser, TOKEN_IN, "after 'not' in a comparison");
}

/* Operators of one comparison while it is parsed; longer chains are nobody's. */
enum { LONGEST_CHAIN = 64 };

/* The operand after a comparison operator; "a <> b" has none. */
static struct node *parse_compared(struct parser *parser, enum operator_kind op) {
  if (op == OPERATOR_LT && at_token(parser, TOKEN_GREATER)) {
    syntax_error_here(parser, "there is no operator '<>'; write '!='");
    return NULL;
  }
  return parse_operand(parser);
}

static struct node *parse_comparison(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  size_t mark = parser->stack_count, count = 0;
  struct node *first = parse_operand(parser);
  enum operator_kind operators[LONGEST_CHAIN], op;
  if (!accept_comparison(parser, &op))
    return first;
  push_node(parser, first);
  do {
    if (count == LONGEST_CHAIN) {
      syntax_error_here(parser, "a chain of more than %d comparisons; join parts of it with 'and'",
                        LONGEST_CHAIN);
      break;
    }
    operators[count++] = op;
    push_node(parser, parse_compared(parser, op));
  } while (accept_comparison(parser, &op));
  struct node_list operands = take_nodes(parser, mark);
  enum operator_kind *copy = ARENA_ARRAY(parser->arena, enum operator_kind, count);
  for (size_t i = 0; i < count; i++)
    copy[i] = operators[i];
  return MAKE(parser, start, NODE_COMPARE, .compare = {operands, copy});
}

static struct node *parse_negation(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  if (!at_token(parser, TOKEN_NOT))
    return parse_comparison(parser);
  if (!enter_rule(parser))
    return NULL;
  next_token(parser);
  struct node *operand = parse_negation(parser);
  leave_rule(parser);
  return MAKE(parser, start, NODE_UNARY, .unary = {OPERATOR_NOT, operand});
}

/* rule (keyword rule)*: one LOGICAL node for the whole chain. */
static struct node *parse_chain(struct parser *parser, enum token_kind keyword,
                                enum operator_kind op, struct node *(*rule)(struct parser *)) {
  uint32_t start = parser->token.span.offset;
  size_t mark = parser->stack_count;
  struct node *first = rule(parser);
  if (!at_token(parser, keyword))
    return first;
  push_node(parser, first);
  while (accept_token(parser, keyword))
    push_node(parser, rule(parser));
  struct node_list operands = take_nodes(parser, mark);
  return MAKE(parser, start, NODE_LOGICAL, .logical = {op, operands});
}

static struct node *parse_conjunction(struct parser *parser) {
  return parse_chain(parser, TOKEN_AND, OPERATOR_AND, parse_negation);
}

struct node *parse_disjunction(struct parser *parser) {
  return parse_chain(parser, TOKEN_OR, OPERATOR_OR, parse_conjunction);
}

/* --- Whole expressions ------------------------------------------------------------------------ */

static struct node *parse_lambda(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  next_token(parser);
  struct node_list parameters = parse_parameters(parser, TOKEN_COLON);
  expect_token(parser, TOKEN_COLON, "after the parameters of the lambda");
  struct node *body = parse_expression(parser);
  return MAKE(parser, start, NODE_LAMBDA, .lambda = {parameters, body});
}

static struct node *parse_conditional(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  struct node *then = parse_disjunction(parser);
  if (!accept_token(parser, TOKEN_IF))
    return then;
  struct node *condition = parse_disjunction(parser);
  char buffer[TOKEN_PHRASE_SIZE];
  if (!at_token(parser, TOKEN_ELSE))
    syntax_error_here(parser,
                      "expected 'else' in the conditional expression, found %s; write 'a if "
                      "condition else b'",
                      token_phrase(parser, buffer));
  next_token(parser);
  struct node *otherwise = parse_expression(parser);
  return MAKE(parser, start, NODE_CONDITIONAL, .conditional = {then, condition, otherwise});
}

struct node *parse_expression(struct parser *parser) {
  if (!enter_rule(parser))
    return NULL;
  struct node *node =
      at_token(parser, TOKEN_LAMBDA) ? parse_lambda(parser) : parse_conditional(parser);
  leave_rule(parser);
  return node;
}

struct node *parse_named_expression(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  struct node *target = parse_expression(parser);
  if (!at_token(parser, TOKEN_COLON_EQUAL))
    return target;
  if (!node_is(target, NODE_NAME)) {
    syntax_error_here(parser, "only a name can stand before ':='");
    return NULL;
  }
  next_token(parser);
  struct node *value = parse_expression(parser);
  return MAKE(parser, start, NODE_WALRUS, .walrus = {target, value});
}

/* ["*"] element: an element of a tuple without parentheses. */
static struct node *parse_element(struct parser *parser, struct node *(*rule)(struct parser *)) {
  uint32_t start = parser->token.span.offset;
  if (!accept_token(parser, TOKEN_STAR))
    return rule(parser);
  struct node *value = parse_operand(parser);
  return MAKE(parser, start, NODE_STARRED, .starred = {value});
}

static struct node *parse_list_of(struct parser *parser, struct node *(*rule)(struct parser *)) {
  uint32_t start = parser->token.span.offset;
  size_t mark = parser->stack_count;
  struct node *first = parse_element(parser, rule);
  if (!at_token(parser, TOKEN_COMMA))
    return first;
  push_node(parser, first);
  while (accept_token(parser, TOKEN_COMMA) && begins_expression(parser->token.kind))
    push_node(parser, parse_element(parser, rule));
  struct node_list elements = take_nodes(parser, mark);
  return MAKE(parser, start, NODE_TUPLE, .tuple = {elements});
}

struct node *parse_starred(struct parser *parser) {
  return parse_element(parser, parse_expression);
}

struct node *parse_expression_list(struct parser *parser) {
  return parse_list_of(parser, parse_expression);
}

struct node *parse_named_expression_list(struct parser *parser) {
  return parse_list_of(parser, parse_named_expression);
}

struct node *parse_value(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  if (!accept_token(parser, TOKEN_YIELD))
    return parse_expression_list(parser);
  bool is_from = accept_token(parser, TOKEN_FROM);
  struct node *value = NULL;
  if (is_from || begins_expression(parser->token.kind))
    value = parse_expression_list(parser);
  return MAKE(parser, start, NODE_YIELD, .yield = {value, is_from});
}

/* --- Targets ---------------------------------------------------------------------------------- */

bool check_target(struct parser *parser, const struct node *target, const char *verb) {
  if (parser->panic)
    return false;
  if (node_is(target, NODE_STARRED))
    return check_target(parser, target->starred.value, verb);
  if (node_is(target, NODE_TUPLE) || node_is(target, NODE_LIST)) {
    const struct node_list *parts = node_elements(target);
    bool good = true;
    for (uint32_t i = 0; i < parts->count && good; i++)
      good = check_target(parser, parts->items[i], verb);
    return good;
  }
  if (is_single_target(target))
    return true;
  syntax_error(parser, target->span,
               "cannot %s %s; only names, attributes, subscripts and tuples of these can be "
               "targets%s",
               verb, node_kind_phrase(node_kind(target)),
               target->kind == NODE_COMPARE || target->kind == NODE_CALL ? " ('==' compares)" : "");
  return false;
}

struct node *parse_targets(struct parser *parser) {
  struct node *targets = parse_list_of(parser, parse_operand);
  check_target(parser, targets, "assign to");
  return targets;
}
