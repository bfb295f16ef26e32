/* SPDX-License-Identifier: MIT */
/* Parentheses, lists, sets, dictionaries and comprehensions. */
#include "frontend/parser_internal.h"

/* --- Comprehensions --------------------------------------------------------------------------- */

/* [async] for targets in disjunction (if disjunction)* */
static struct node *parse_clause(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  bool is_async = accept_token(parser, TOKEN_ASYNC);
  expect_token(parser, TOKEN_FOR, "in the comprehension");
  struct node *target = parse_targets(parser);
  expect_token(parser, TOKEN_IN, "after the target of the comprehension");
  struct node *iterable = parse_disjunction(parser);
  size_t mark = parser->stack_count;
  while (accept_token(parser, TOKEN_IF)) {
    uint32_t condition_start = parser->token.span.offset;
    struct node *condition = parse_disjunction(parser);
    if (node_is(condition, NODE_NAME) && accept_token(parser, TOKEN_COLON_EQUAL)) {
      struct node *value = parse_expression(parser);
      condition = MAKE(parser, condition_start, NODE_WALRUS, .walrus = {condition, value});
    }
    push_node(parser, condition);
  }
  struct node_list conditions = take_nodes(parser, mark);
  return MAKE(parser, start, NODE_CLAUSE, .clause = {target, iterable, conditions, is_async});
}

struct node_list parse_clauses(struct parser *parser) {
  size_t mark = parser->stack_count;
  while (at_clause(parser))
    push_node(parser, parse_clause(parser));
  return take_nodes(parser, mark);
}

/* The clauses and the closing bracket after the first element. */
static struct node *finish_comprehension(struct parser *parser, uint32_t start,
                                         enum comprehension_style style, struct node *key,
                                         struct node *element, enum token_kind close) {
  struct node_list clauses = parse_clauses(parser);
  expect_close(parser, close, start);
  return MAKE(parser, start, NODE_COMPREHENSION, .comprehension = {style, key, element, clauses});
}

/* --- Elements --------------------------------------------------------------------------------- */

static struct node *parse_starred_or_named(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  if (!accept_token(parser, TOKEN_STAR))
    return parse_named_expression(parser);
  struct node *value = parse_operand(parser);
  return MAKE(parser, start, NODE_STARRED, .starred = {value});
}

/* element as target, when the parenthesis belongs to a `with`. */
static struct node *parse_item(struct parser *parser, bool items_allowed, bool *has_items) {
  uint32_t start = parser->token.span.offset;
  struct node *value =
      at_token(parser, TOKEN_YIELD) ? parse_value(parser) : parse_starred_or_named(parser);
  if (!items_allowed || !accept_token(parser, TOKEN_AS))
    return value;
  *has_items = true;
  struct node *target = parse_operand(parser);
  check_target(parser, target, "assign to");
  return MAKE(parser, start, NODE_WITH_ITEM, .with_item = {value, target});
}

/* (), (x), (x,), (x for ...), and the (a as b, c) of a `with`, which comes back as a TUPLE that
   holds WITH_ITEMs. */
struct node *parse_parentheses(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  size_t mark = parser->stack_count;
  bool items_allowed = parser->items_allowed, has_items = false, is_tuple = false;
  parser->items_allowed = false;
  next_token(parser);
  if (accept_token(parser, TOKEN_PAREN_CLOSE))
    return MAKE(parser, start, NODE_TUPLE);
  struct node *first = parse_item(parser, items_allowed, &has_items);
  if (at_clause(parser))
    return finish_comprehension(parser, start, COMPREHENSION_GENERATOR, NULL, first,
                                TOKEN_PAREN_CLOSE);
  push_node(parser, first);
  while (accept_token(parser, TOKEN_COMMA)) {
    is_tuple = true;
    if (!begins_expression(parser->token.kind))
      break;
    push_node(parser, parse_item(parser, items_allowed, &has_items));
  }
  expect_close(parser, TOKEN_PAREN_CLOSE, start);
  struct node_list elements = take_nodes(parser, mark);
  if (has_items && !at_token(parser, TOKEN_COLON))
    syntax_error_here(parser, "expected ':' after the items of the 'with' statement");
  return is_tuple || has_items ? MAKE(parser, start, NODE_TUPLE, .tuple = {elements}) : first;
}

struct node *parse_brackets(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  size_t mark = parser->stack_count;
  next_token(parser);
  if (accept_token(parser, TOKEN_BRACKET_CLOSE))
    return MAKE(parser, start, NODE_LIST);
  struct node *first = parse_starred_or_named(parser);
  if (at_clause(parser))
    return finish_comprehension(parser, start, COMPREHENSION_LIST, NULL, first,
                                TOKEN_BRACKET_CLOSE);
  push_node(parser, first);
  while (accept_token(parser, TOKEN_COMMA) && begins_expression(parser->token.kind))
    push_node(parser, parse_starred_or_named(parser));
  expect_close(parser, TOKEN_BRACKET_CLOSE, start);
  struct node_list elements = take_nodes(parser, mark);
  return MAKE(parser, start, NODE_LIST, .list_display = {elements});
}

/* --- Sets and dictionaries -------------------------------------------------------------------- */

/* An element of a set, or an ENTRY. */
static struct node *parse_member(struct parser *parser, struct node **key, bool *is_entry) {
  uint32_t start = parser->token.span.offset;
  *key = NULL;
  *is_entry = true;
  if (accept_token(parser, TOKEN_STAR_STAR)) {
    struct node *value = parse_operand(parser);
    return MAKE(parser, start, NODE_ENTRY, .entry = {NULL, value});
  }
  struct node *first = parse_starred_or_named(parser);
  if (!accept_token(parser, TOKEN_COLON)) {
    *is_entry = false;
    return first;
  }
  *key = first;
  struct node *value = parse_expression(parser);
  if (at_clause(parser))
    return value;
  return MAKE(parser, start, NODE_ENTRY, .entry = {first, value});
}

static struct node *finish_braces(struct parser *parser, uint32_t start, size_t mark,
                                  bool is_dict) {
  expect_close(parser, TOKEN_BRACE_CLOSE, start);
  struct node_list members = take_nodes(parser, mark);
  return is_dict ? MAKE(parser, start, NODE_DICT, .dict_display = {members})
                 : MAKE(parser, start, NODE_SET, .set_display = {members});
}

struct node *parse_braces(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  size_t mark = parser->stack_count;
  bool is_dict = true, is_entry;
  struct node *key;
  next_token(parser);
  if (at_token(parser, TOKEN_BRACE_CLOSE))
    return finish_braces(parser, start, mark, true);
  struct node *first = parse_member(parser, &key, &is_dict);
  if (at_clause(parser))
    return finish_comprehension(parser, start, is_dict ? COMPREHENSION_DICT : COMPREHENSION_SET,
                                key, first, TOKEN_BRACE_CLOSE);
  push_node(parser, first);
  while (accept_token(parser, TOKEN_COMMA) && !at_token(parser, TOKEN_BRACE_CLOSE)) {
    struct node *member = parse_member(parser, &key, &is_entry);
    if (member && is_entry != is_dict)
      syntax_error(parser, member->span,
                   is_dict ? "an entry of a dictionary needs 'key: value'"
                           : "a set has no 'key: value' entries");
    push_node(parser, member);
  }
  return finish_braces(parser, start, mark, is_dict);
}
