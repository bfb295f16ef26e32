/* SPDX-License-Identifier: MIT */
/* Simple statements, blocks, and the loop over statements with its recovery. */
#include "frontend/parser_internal.h"

#include <string.h>

/* --- Assignment and expressions --------------------------------------------------------------- */

/* targets = ... = value; the first target was parsed. */
static struct node *parse_assignment(struct parser *parser, uint32_t start, struct node *first) {
  size_t mark = parser->stack_count;
  struct node *value = first;
  while (at_token(parser, TOKEN_EQUAL)) {
    if (!check_target(parser, value, "assign to"))
      break;
    push_node(parser, value);
    next_token(parser);
    value = parse_value(parser);
  }
  struct node_list targets = take_nodes(parser, mark);
  return MAKE(parser, start, NODE_ASSIGN, .assign = {targets, value});
}

static bool check_single_target(struct parser *parser, const struct node *target,
                                const char *what) {
  if (is_single_target(target))
    return true;
  if (target)
    syntax_error(parser, target->span,
                 "%s needs one name, attribute or subscript on its left, not %s", what,
                 node_kind_phrase(node_kind(target)));
  return false;
}

static struct node *parse_augmented(struct parser *parser, uint32_t start, struct node *target,
                                    enum operator_kind op) {
  struct span op_span = parser->token.span;
  check_single_target(parser, target, "an augmented assignment");
  next_token(parser);
  struct node *value = parse_value(parser);
  return MAKE(parser, start, NODE_AUGMENTED, .augmented = {target, op, op_span, value});
}

static struct node *parse_annotated(struct parser *parser, uint32_t start, struct node *target) {
  check_single_target(parser, target, "an annotation");
  next_token(parser);
  struct node *annotation = parse_expression(parser), *value = NULL;
  if (accept_token(parser, TOKEN_EQUAL))
    value = parse_value(parser);
  return MAKE(parser, start, NODE_ANNOTATED, .annotated = {target, annotation, value});
}

static struct node *parse_expression_statement(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  enum operator_kind op;
  struct node *value = parse_value(parser);
  if (at_token(parser, TOKEN_EQUAL))
    return parse_assignment(parser, start, value);
  if (augmented_operator(parser->token.kind, &op))
    return parse_augmented(parser, start, value, op);
  if (at_token(parser, TOKEN_COLON))
    return parse_annotated(parser, start, value);
  if (at_token(parser, TOKEN_COLON_EQUAL))
    syntax_error_here(parser, "':=' cannot stand in a statement of its own; write '='");
  return MAKE(parser, start, NODE_EVALUATE, .evaluate = {value});
}

/* --- Keywords --------------------------------------------------------------------------------- */

static struct node *parse_return(struct parser *parser, struct token first) {
  struct node *value = begins_expression(parser->token.kind) ? parse_expression_list(parser) : NULL;
  return MAKE(parser, first.span.offset, NODE_RETURN, .return_statement = {value});
}

static struct node *parse_assert(struct parser *parser, struct token first) {
  struct node *condition = parse_expression(parser), *message = NULL;
  if (accept_token(parser, TOKEN_COMMA))
    message = parse_expression(parser);
  return MAKE(parser, first.span.offset, NODE_ASSERT, .assertion = {condition, message});
}

static struct node *parse_raise(struct parser *parser, struct token first) {
  struct node *exception = NULL, *cause = NULL;
  if (begins_expression(parser->token.kind))
    exception = parse_expression(parser);
  if (exception && accept_token(parser, TOKEN_FROM))
    cause = parse_expression(parser);
  return MAKE(parser, first.span.offset, NODE_RAISE, .raise = {exception, cause});
}

static struct node *parse_delete(struct parser *parser, struct token first) {
  size_t mark = parser->stack_count;
  do {
    struct node *target = parse_operand(parser);
    check_target(parser, target, "delete");
    push_node(parser, target);
  } while (accept_token(parser, TOKEN_COMMA) && begins_expression(parser->token.kind));
  struct node_list targets = take_nodes(parser, mark);
  return MAKE(parser, first.span.offset, NODE_DELETE, .delete_statement = {targets});
}

/* global and nonlocal. */
static struct node *parse_scope_names(struct parser *parser, struct token first) {
  size_t mark = parser->stack_count;
  do {
    uint32_t name_start = parser->token.span.offset;
    const char *name = expect_name(parser, "a name");
    push_node(parser, MAKE(parser, name_start, NODE_NAME, .name = {name}));
  } while (accept_token(parser, TOKEN_COMMA));
  struct node_list names = take_nodes(parser, mark);
  return first.kind == TOKEN_GLOBAL
             ? MAKE(parser, first.span.offset, NODE_GLOBAL, .global = {names})
             : MAKE(parser, first.span.offset, NODE_NONLOCAL, .nonlocal = {names});
}

static struct node *parse_jump(struct parser *parser, struct token first) {
  if (parser->loops == 0)
    syntax_error(parser, span_from(parser, first.span.offset), "%s outside a loop",
                 token_kind_phrase(first.kind));
  return MAKE(parser, first.span.offset, first.kind == TOKEN_BREAK ? NODE_BREAK : NODE_CONTINUE);
}

static struct node *parse_pass(struct parser *parser, struct token first) {
  return MAKE(parser, first.span.offset, NODE_PASS);
}

/* `type X = ...` of Python 3.12: the word is no keyword, but no statement goes on with a name. */
static bool at_type_alias(const struct parser *parser) {
  if (!at_token(parser, TOKEN_NAME) || strcmp(parser->token.word, "type") != 0)
    return false;
  struct lexer ahead = parser->lexer;
  ahead.problems = NULL;
  return lexer_next(&ahead).kind == TOKEN_NAME;
}

static struct node *parse_type_alias(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  next_token(parser);
  const char *name = expect_name(parser, "the name of the type");
  if (at_token(parser, TOKEN_BRACKET_OPEN))
    parse_brackets(parser);
  expect_token(parser, TOKEN_EQUAL, "after the name of the type");
  struct node *value = parse_expression(parser);
  return MAKE(parser, start, NODE_TYPE_ALIAS, .type_alias = {name, value});
}

/* By their keyword, which has been consumed. */
typedef struct node *simple_rule(struct parser *parser, struct token first);
static simple_rule *const rules[TOKEN_KIND_COUNT] = {
    [TOKEN_IMPORT] = parse_import,        [TOKEN_FROM] = parse_import_from,
    [TOKEN_RETURN] = parse_return,        [TOKEN_PASS] = parse_pass,
    [TOKEN_BREAK] = parse_jump,           [TOKEN_CONTINUE] = parse_jump,
    [TOKEN_ASSERT] = parse_assert,        [TOKEN_RAISE] = parse_raise,
    [TOKEN_DEL] = parse_delete,           [TOKEN_GLOBAL] = parse_scope_names,
    [TOKEN_NONLOCAL] = parse_scope_names,
};

static struct node *parse_simple_statement(struct parser *parser) {
  struct token first = parser->token;
  if (!rules[first.kind])
    return at_type_alias(parser) ? parse_type_alias(parser) : parse_expression_statement(parser);
  next_token(parser);
  return rules[first.kind](parser, first);
}

/* --- Lines and blocks ------------------------------------------------------------------------- */

static void expect_end_of_statement(struct parser *parser) {
  char buffer[TOKEN_PHRASE_SIZE];
  if (!at_token(parser, TOKEN_NEWLINE))
    syntax_error_here(parser,
                      "expected the end of the statement, found %s; is an operator, a comma or a "
                      "bracket missing before it?",
                      token_phrase(parser, buffer));
}

/* Simple statements up to and with the end of the line, pushed. May leave in panic. */
static void parse_simple_line(struct parser *parser) {
  do {
    if (at_token(parser, TOKEN_NEWLINE))
      break;
    size_t mark = parser->stack_count;
    struct node *statement = parse_simple_statement(parser);
    if (!at_token(parser, TOKEN_SEMICOLON))
      expect_end_of_statement(parser);
    parser->stack_count = mark;
    if (parser->panic)
      return;
    push_node(parser, statement);
  } while (accept_token(parser, TOKEN_SEMICOLON));
  accept_token(parser, TOKEN_NEWLINE);
}

void report_error(struct parser *parser, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  problems_add_v(parser->problems, PROBLEM_ERROR, parser->source, span, format, arguments);
  va_end(arguments);
}

/* From INDENT to DEDENT. */
static void parse_indented(struct parser *parser) {
  next_token(parser);
  parse_statements(parser);
  accept_token(parser, TOKEN_DEDENT);
}

/* A statement with a syntax error on a line of its own, as in `if x: y = = 3`. */
static void parse_line_in_header(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  parse_simple_line(parser);
  if (!parser->panic)
    return;
  recover_statement(parser);
  push_node(parser, make_broken(parser, start, NULL, parser->stack_count));
}

bool parse_block(struct parser *parser, const char *what, struct node_list *out) {
  size_t mark = parser->stack_count;
  char buffer[TOKEN_PHRASE_SIZE];
  uint32_t header_end = parser->previous_end;
  if (!accept_token(parser, TOKEN_COLON))
    syntax_error_here(parser, "expected ':' after %s, found %s%s", what,
                      token_phrase(parser, buffer),
                      at_token(parser, TOKEN_EQUAL) ? "; '==' compares" : "");
  bool good = !parser->panic;
  recover_statement(parser);
  if (good && !accept_token(parser, TOKEN_NEWLINE)) {
    parse_line_in_header(parser);
  } else if (at_token(parser, TOKEN_INDENT)) {
    parse_indented(parser);
  } else if (good) {
    report_error(parser, (struct span){header_end, parser->previous_end - header_end},
                 "expected an indented block after %s; indent its statements, or write 'pass'",
                 what);
    good = false;
  }
  *out = take_nodes(parser, mark);
  return good;
}

/* --- Statements ------------------------------------------------------------------------------- */

/* The name that a broken `name = ...` or `name: ...` would have defined. */
static const char *assigned_name(const struct parser *parser, const struct token *first) {
  if (first->kind != TOKEN_NAME)
    return NULL;
  const char *at = source_at(parser->source, span_end(first->span));
  while (*at == ' ' || *at == '\t')
    at++;
  bool assigns = *at == ':' || (*at == '=' && at[1] != '=');
  return assigns ? first->word : NULL;
}

static void parse_statement(struct parser *parser) {
  struct token first = parser->token;
  struct node *compound = NULL;
  size_t mark = parser->stack_count;
  begin_statement(parser);
  if (parse_compound(parser, &compound)) {
    parser->stack_count = mark;
    push_node(parser, compound);
  } else {
    parse_simple_line(parser);
  }
  if (!parser->panic)
    return;
  recover_statement(parser);
  mark = parser->stack_count;
  if (at_token(parser, TOKEN_INDENT))
    parse_indented(parser);
  push_node(parser, make_broken(parser, first.span.offset, assigned_name(parser, &first), mark));
}

static void parse_unexpected_indent(struct parser *parser) {
  report_error(parser, parser->token.span,
               "this line is indented deeper than the block it stands in; align it with the line "
               "above");
  parse_indented(parser);
}

void parse_statements(struct parser *parser) {
  uint32_t column = parser->statement_column;
  while (!at_token(parser, TOKEN_DEDENT) && !at_token(parser, TOKEN_END))
    if (at_token(parser, TOKEN_INDENT))
      parse_unexpected_indent(parser);
    else
      parse_statement(parser);
  parser->statement_column = column;
}
