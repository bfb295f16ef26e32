/* SPDX-License-Identifier: MIT */
/* Compound statements other than definitions. A statement with an error in one of its headers
   becomes BROKEN, with everything that could be parsed as its body: kernels may hide there. */
#include "frontend/parser_internal.h"

#include <string.h>

static void push_all(struct parser *parser, const struct node_list *list) {
  for (uint32_t i = 0; i < list->count; i++)
    push_node(parser, list->items[i]);
}

/* A part of a statement, pushed: `node`, or after an error what there is of it, BROKEN. */
static bool push_part(struct parser *parser, bool good, struct node *node, uint32_t start,
                      const struct node_list *body) {
  size_t mark = parser->stack_count;
  if (!good)
    push_all(parser, body);
  push_node(parser, good ? node : make_broken(parser, start, NULL, mark));
  return good;
}

/* `else:` and its block, if there is one; false after an error in it. */
static bool parse_else(struct parser *parser, struct node_list *out) {
  *out = (struct node_list){0};
  if (!accept_token(parser, TOKEN_ELSE))
    return true;
  if (at_token(parser, TOKEN_IF))
    syntax_error_here(parser, "there is no 'else if'; write 'elif'");
  return parse_block(parser, "'else'", out);
}

/* --- if --------------------------------------------------------------------------------------- */

/* One `if` or `elif` with its block, pushed as BRANCH, or after an error as BROKEN. */
static bool parse_branch(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  struct node_list body;
  next_token(parser);
  struct node *condition = parse_named_expression(parser);
  bool good = parse_block(parser, "the condition", &body);
  struct node *node = good ? MAKE(parser, start, NODE_BRANCH, .branch = {condition, body}) : NULL;
  return push_part(parser, good, node, start, &body);
}

static struct node *parse_if(struct parser *parser, uint32_t start) {
  size_t mark = parser->stack_count;
  bool good = parse_branch(parser);
  while (at_token(parser, TOKEN_ELIF))
    good &= parse_branch(parser);
  struct node_list orelse;
  good &= parse_else(parser, &orelse);
  if (!good) {
    push_all(parser, &orelse);
    return make_broken(parser, start, NULL, mark);
  }
  struct node_list branches = take_nodes(parser, mark);
  return MAKE(parser, start, NODE_IF, .if_statement = {branches, orelse});
}

/* --- Loops ------------------------------------------------------------------------------------ */

/* The body of a loop and its `else`; false after an error. */
static bool parse_loop(struct parser *parser, const char *what, struct node_list *body,
                       struct node_list *orelse) {
  parser->loops++;
  bool good = parse_block(parser, what, body);
  parser->loops--;
  return parse_else(parser, orelse) && good;
}

static struct node *broken_loop(struct parser *parser, uint32_t start, const struct node_list *body,
                                const struct node_list *orelse) {
  size_t mark = parser->stack_count;
  push_all(parser, body);
  push_all(parser, orelse);
  return make_broken(parser, start, NULL, mark);
}

static struct node *parse_for(struct parser *parser, uint32_t start) {
  struct node_list body, orelse;
  bool is_async = start != parser->token.span.offset;
  next_token(parser);
  struct node *target = parse_targets(parser);
  expect_token(parser, TOKEN_IN, "after the variable of the 'for' loop");
  struct node *iterable = parse_expression_list(parser);
  if (!parse_loop(parser, "the head of the 'for' loop", &body, &orelse))
    return broken_loop(parser, start, &body, &orelse);
  return MAKE(parser, start, NODE_FOR, .for_loop = {target, iterable, body, orelse, is_async});
}

static struct node *parse_while(struct parser *parser, uint32_t start) {
  struct node_list body, orelse;
  next_token(parser);
  struct node *condition = parse_named_expression(parser);
  if (!parse_loop(parser, "the condition", &body, &orelse))
    return broken_loop(parser, start, &body, &orelse);
  return MAKE(parser, start, NODE_WHILE, .while_loop = {condition, body, orelse});
}

/* --- with ------------------------------------------------------------------------------------- */

/* expression ["as" target]; a tuple in parentheses is its elements. Pushed. */
static void parse_with_item(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  struct node *target = NULL;
  bool parentheses = at_token(parser, TOKEN_PAREN_OPEN);
  parser->items_allowed = true;
  struct node *value = parse_expression(parser);
  parser->items_allowed = false;
  if (accept_token(parser, TOKEN_AS)) {
    target = parse_operand(parser);
    check_target(parser, target, "assign to");
  } else if (parentheses && node_is(value, NODE_TUPLE) && value->tuple.elements.count > 0 &&
             at_token(parser, TOKEN_COLON)) {
    for (uint32_t i = 0; i < value->tuple.elements.count; i++) {
      struct node *element = value->tuple.elements.items[i];
      if (element->kind != NODE_WITH_ITEM) {
        uint32_t end = parser->previous_end;
        parser->previous_end = span_end(element->span);
        element = MAKE(parser, element->span.offset, NODE_WITH_ITEM, .with_item = {element, NULL});
        parser->previous_end = end;
      }
      push_node(parser, element);
    }
    return;
  }
  push_node(parser, MAKE(parser, start, NODE_WITH_ITEM, .with_item = {value, target}));
}

static struct node *parse_with(struct parser *parser, uint32_t start) {
  bool is_async = start != parser->token.span.offset;
  size_t mark = parser->stack_count;
  struct node_list body;
  next_token(parser);
  do
    parse_with_item(parser);
  while (accept_token(parser, TOKEN_COMMA));
  struct node_list items = take_nodes(parser, mark);
  if (parse_block(parser, "the items of the 'with' statement", &body))
    return MAKE(parser, start, NODE_WITH, .with = {items, body, is_async});
  push_all(parser, &body);
  return make_broken(parser, start, NULL, mark);
}

/* --- try -------------------------------------------------------------------------------------- */

/* except [*] [type [as name]]: block. Pushed; false after an error. */
static bool parse_handler(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  struct node_list body;
  struct node *type = NULL;
  const char *name = NULL;
  next_token(parser);
  accept_token(parser, TOKEN_STAR);
  if (begins_expression(parser->token.kind))
    type = parse_expression_list(parser);
  if (accept_token(parser, TOKEN_AS))
    name = expect_name(parser, "a name after 'as'");
  bool good = parse_block(parser, "'except'", &body);
  struct node *node =
      good ? MAKE(parser, start, NODE_HANDLER, .handler = {type, name, body}) : NULL;
  return push_part(parser, good, node, start, &body);
}

static struct node *parse_try(struct parser *parser, uint32_t start) {
  size_t mark = parser->stack_count;
  struct node_list body, orelse, finally_body = {0};
  next_token(parser);
  bool good = parse_block(parser, "'try'", &body), has_finally = false;
  while (at_token(parser, TOKEN_EXCEPT))
    good &= parse_handler(parser);
  bool has_handlers = parser->stack_count > mark;
  good &= parse_else(parser, &orelse);
  if (accept_token(parser, TOKEN_FINALLY)) {
    has_finally = true;
    good &= parse_block(parser, "'finally'", &finally_body);
  }
  if (!has_handlers && !has_finally) {
    report_error(parser, (struct span){start, 3},
                 "this 'try' has neither an 'except' nor a 'finally' block");
    good = false;
  }
  if (!good) {
    push_all(parser, &body);
    push_all(parser, &orelse);
    push_all(parser, &finally_body);
    return make_broken(parser, start, NULL, mark);
  }
  struct node_list handlers = take_nodes(parser, mark);
  return MAKE(parser, start, NODE_TRY, .try_statement = {body, handlers, orelse, finally_body});
}

/* --- match ------------------------------------------------------------------------------------ */

static bool at_word(const struct parser *parser, const char *word) {
  return at_token(parser, TOKEN_NAME) && strcmp(parser->token.word, word) == 0;
}

/* Tokens that are looked at to tell a `match` statement from a call of `match`. */
enum { LONGEST_LOOK = 256 };

/* A line that begins with `match`, an expression, and ends with a colon. */
static bool at_match(const struct parser *parser) {
  if (!at_word(parser, "match"))
    return false;
  struct lexer ahead = parser->lexer;
  ahead.problems = NULL;
  struct token token = lexer_next(&ahead), last = token;
  if (!begins_expression(token.kind))
    return false;
  for (int i = 0; i < LONGEST_LOOK && token.kind != TOKEN_NEWLINE; i++) {
    last = token;
    token = lexer_next(&ahead);
    if (token.kind == TOKEN_END || token.kind == TOKEN_STOP)
      return false;
  }
  return token.kind == TOKEN_NEWLINE && last.kind == TOKEN_COLON;
}

/* case pattern: block. The pattern is skipped. Pushed; false after an error. */
static bool parse_case(struct parser *parser) {
  uint32_t start = parser->token.span.offset, depth = 0;
  struct node_list body;
  if (!at_word(parser, "case"))
    syntax_error_here(parser, "expected 'case' in the 'match' statement");
  while (!parser->panic && !at_token(parser, TOKEN_NEWLINE) &&
         !(depth == 0 && at_token(parser, TOKEN_COLON))) {
    depth += at_token(parser, TOKEN_PAREN_OPEN) || at_token(parser, TOKEN_BRACKET_OPEN) ||
             at_token(parser, TOKEN_BRACE_OPEN);
    depth -= at_token(parser, TOKEN_PAREN_CLOSE) || at_token(parser, TOKEN_BRACKET_CLOSE) ||
             at_token(parser, TOKEN_BRACE_CLOSE);
    next_token(parser);
  }
  bool good = parse_block(parser, "the pattern", &body);
  struct node *node = good ? MAKE(parser, start, NODE_CASE, .case_clause = {body}) : NULL;
  return push_part(parser, good, node, start, &body);
}

static struct node *parse_match(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  size_t mark = parser->stack_count;
  next_token(parser);
  struct node *subject = parse_named_expression_list(parser);
  expect_token(parser, TOKEN_COLON, "after the subject of the 'match' statement");
  expect_token(parser, TOKEN_NEWLINE, NULL);
  if (!at_token(parser, TOKEN_INDENT))
    syntax_error_here(parser, "expected an indented block of 'case' after 'match'");
  if (parser->panic)
    return NULL;
  next_token(parser);
  bool good = true;
  while (!at_token(parser, TOKEN_DEDENT) && !at_token(parser, TOKEN_END))
    good &= parse_case(parser);
  accept_token(parser, TOKEN_DEDENT);
  if (!good)
    return make_broken(parser, start, NULL, mark);
  struct node_list cases = take_nodes(parser, mark);
  return MAKE(parser, start, NODE_MATCH, .match = {subject, cases});
}

/* --- All of them ------------------------------------------------------------------------------ */

static struct node *parse_plain_definition(struct parser *parser, uint32_t start) {
  return parse_definition(parser, start, (struct node_list){0}, false);
}

static struct node *parse_async(struct parser *parser, uint32_t start) {
  next_token(parser);
  if (at_token(parser, TOKEN_DEF))
    return parse_plain_definition(parser, start);
  if (at_token(parser, TOKEN_FOR))
    return parse_for(parser, start);
  if (at_token(parser, TOKEN_WITH))
    return parse_with(parser, start);
  syntax_error_here(parser, "expected 'def', 'for' or 'with' after 'async'");
  return NULL;
}

static struct node *parse_decorators(struct parser *parser, uint32_t start) {
  (void)start;
  return parse_decorated(parser);
}

static struct node *stray(struct parser *parser, uint32_t start) {
  (void)start;
  const char *owners = at_token(parser, TOKEN_ELIF)   ? "'if'"
                       : at_token(parser, TOKEN_ELSE) ? "'if', 'for', 'while' or 'try'"
                                                      : "'try'";
  syntax_error_here(parser, "this %s belongs to no %s; is it indented as the %s is?",
                    token_kind_phrase(parser->token.kind), owners, owners);
  return NULL;
}

/* By their first token, at which the parser is; `start` is where `async` or that stands. */
typedef struct node *compound_rule(struct parser *parser, uint32_t start);
static compound_rule *const rules[TOKEN_KIND_COUNT] = {
    [TOKEN_IF] = parse_if,
    [TOKEN_FOR] = parse_for,
    [TOKEN_WHILE] = parse_while,
    [TOKEN_WITH] = parse_with,
    [TOKEN_TRY] = parse_try,
    [TOKEN_DEF] = parse_plain_definition,
    [TOKEN_CLASS] = parse_plain_definition,
    [TOKEN_AT] = parse_decorators,
    [TOKEN_ASYNC] = parse_async,
    [TOKEN_ELIF] = stray,
    [TOKEN_ELSE] = stray,
    [TOKEN_EXCEPT] = stray,
    [TOKEN_FINALLY] = stray,
};

bool parse_compound(struct parser *parser, struct node **out) {
  compound_rule *rule = rules[parser->token.kind];
  if (!rule && !at_match(parser))
    return false;
  *out = rule ? rule(parser, parser->token.span.offset) : parse_match(parser);
  return true;
}
