/* SPDX-License-Identifier: MIT */
/* Atoms, and what may follow them: attributes, subscripts, calls. */
#include "frontend/parser_internal.h"

#include <string.h>

/* --- Atoms ------------------------------------------------------------------------------------ */

/* Advice for what people write where an expression should begin. */
static const char *const advice[TOKEN_KIND_COUNT] = {
    [TOKEN_EQUAL] = "; '==' compares",
    [TOKEN_PLUS_EQUAL] = "; there is no '++' or '--'",
    [TOKEN_MINUS_EQUAL] = "; there is no '++' or '--'",
    [TOKEN_STAR_STAR] = "; '**' unpacks a dictionary only in calls and dictionaries",
    [TOKEN_NEWLINE] = "; end the line with an operand, or put the expression in parentheses to go "
                      "on below",
};

static struct node *no_expression(struct parser *parser) {
  char buffer[TOKEN_PHRASE_SIZE];
  const char *hint = advice[parser->token.kind];
  syntax_error_here(parser, "expected an expression, found %s%s", token_phrase(parser, buffer),
                    hint ? hint : "");
  return NULL;
}

/* The node that a name or a literal is; of another token a BROKEN one. */
static struct node atom_of(const struct token *token) {
  enum token_kind kind = token->kind;
  return kind == TOKEN_NAME ? (struct node){.kind = NODE_NAME, .name = {token->word}}
         : kind == TOKEN_INTEGER
             ? (struct node){.kind = NODE_INTEGER, .integer = {token->integer, token->too_large}}
         : kind == TOKEN_FLOAT ? (struct node){.kind = NODE_FLOAT, .floating = {token->real}}
         : kind == TOKEN_IMAGINARY
             ? (struct node){.kind = NODE_IMAGINARY, .imaginary = {token->real}}
         : kind == TOKEN_NONE     ? (struct node){.kind = NODE_NONE}
         : kind == TOKEN_TRUE     ? (struct node){.kind = NODE_BOOL, .boolean = {true}}
         : kind == TOKEN_FALSE    ? (struct node){.kind = NODE_BOOL, .boolean = {false}}
         : kind == TOKEN_ELLIPSIS ? (struct node){.kind = NODE_ELLIPSIS}
                                  : (struct node){.kind = NODE_BROKEN};
}

static struct node *parse_atom(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  bool items_allowed = parser->items_allowed;
  struct node atom = atom_of(&parser->token);
  parser->items_allowed = items_allowed && at_token(parser, TOKEN_PAREN_OPEN);
  if (at_token(parser, TOKEN_STRING))
    return parse_strings(parser);
  if (at_token(parser, TOKEN_PAREN_OPEN))
    return parse_parentheses(parser);
  if (at_token(parser, TOKEN_BRACKET_OPEN))
    return parse_brackets(parser);
  if (at_token(parser, TOKEN_BRACE_OPEN))
    return parse_braces(parser);
  if (atom.kind == NODE_BROKEN)
    return no_expression(parser);
  next_token(parser);
  return make_node(parser, start, &atom);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* name=value; the name was parsed as an expression. */
static struct node *parse_keyword(struct parser *parser, const struct node *name) {
  if (!node_is(name, NODE_NAME)) {
    syntax_error(parser, name->span,
                 "only a name can stand before '=' in a call, not %s; '==' compares",
                 node_kind_phrase(node_kind(name)));
    return NULL;
  }
  const char *word = name->name.id;
  struct span name_span = name->span;
  next_token(parser);
  struct node *value = parse_expression(parser);
  return MAKE(parser, name_span.offset, NODE_KEYWORD, .keyword = {word, name_span, value});
}

static struct node *parse_argument(struct parser *parser, bool *is_keyword) {
  uint32_t start = parser->token.span.offset;
  *is_keyword = false;
  if (accept_token(parser, TOKEN_STAR)) {
    struct node *value = parse_expression(parser);
    return MAKE(parser, start, NODE_STARRED, .starred = {value});
  }
  if (accept_token(parser, TOKEN_STAR_STAR)) {
    *is_keyword = true;
    struct node *value = parse_expression(parser);
    return MAKE(parser, start, NODE_KEYWORD, .keyword = {.value = value});
  }
  struct node *value = parse_named_expression(parser);
  if (at_token(parser, TOKEN_EQUAL)) {
    *is_keyword = true;
    return parse_keyword(parser, value);
  }
  if (!at_clause(parser))
    return value;
  struct node_list clauses = parse_clauses(parser);
  return MAKE(parser, start, NODE_COMPREHENSION,
              .comprehension = {COMPREHENSION_GENERATOR, NULL, value, clauses});
}

struct node_list parse_arguments(struct parser *parser, uint32_t open) {
  size_t mark = parser->stack_count;
  struct node *keyword = NULL;
  while (!at_token(parser, TOKEN_PAREN_CLOSE) && !parser->panic) {
    bool is_keyword;
    struct node *argument = parse_argument(parser, &is_keyword);
    if (parser->panic)
      break;
    if (is_keyword)
      keyword = argument;
    else if (keyword && argument->kind != NODE_STARRED)
      syntax_note(parser,
                  syntax_error(parser, argument->span,
                               "a positional argument after a keyword argument; move it before "
                               "that or give its name"),
                  keyword->span, "the keyword argument");
    push_node(parser, argument);
    if (!accept_token(parser, TOKEN_COMMA))
      break;
  }
  expect_close(parser, TOKEN_PAREN_CLOSE, open);
  return take_nodes(parser, mark);
}

/* triton.jit(f) may make a kernel, so that what it stands in is looked into (add_candidate). */
static bool is_jit(const struct node *function) {
  const char *name = node_is(function, NODE_NAME)        ? function->name.id
                     : node_is(function, NODE_ATTRIBUTE) ? function->attribute.name
                                                         : "";
  return strcmp(name, "jit") == 0;
}

static struct node *parse_call(struct parser *parser, uint32_t start, struct node *function) {
  parser->kernel_count += is_jit(function);
  uint32_t open = parser->token.span.offset;
  next_token(parser);
  struct node_list arguments = parse_arguments(parser, open);
  return MAKE(parser, start, NODE_CALL, .call = {function, arguments});
}

/* --- Subscripts ------------------------------------------------------------------------------- */

static struct node *parse_slice_part(struct parser *parser) {
  return begins_expression(parser->token.kind) ? parse_expression(parser) : NULL;
}

static struct node *parse_index(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  if (accept_token(parser, TOKEN_STAR)) {
    struct node *value = parse_operand(parser);
    return MAKE(parser, start, NODE_STARRED, .starred = {value});
  }
  struct node *lower = at_token(parser, TOKEN_COLON) ? NULL : parse_named_expression(parser);
  if (!accept_token(parser, TOKEN_COLON))
    return lower;
  struct node *upper = parse_slice_part(parser), *step = NULL;
  if (accept_token(parser, TOKEN_COLON))
    step = parse_slice_part(parser);
  return MAKE(parser, start, NODE_SLICE, .slice = {lower, upper, step});
}

static struct node *parse_subscript(struct parser *parser, uint32_t start, struct node *value) {
  uint32_t open = parser->token.span.offset;
  size_t mark = parser->stack_count;
  bool is_tuple = false;
  next_token(parser);
  do {
    if (is_tuple && at_token(parser, TOKEN_BRACKET_CLOSE))
      break;
    push_node(parser, parse_index(parser));
    is_tuple |= at_token(parser, TOKEN_COMMA);
  } while (accept_token(parser, TOKEN_COMMA));
  expect_close(parser, TOKEN_BRACKET_CLOSE, open);
  struct node_list indices = take_nodes(parser, mark);
  if (!parser->panic && !is_tuple && indices.items[0]->kind == NODE_TUPLE) {
    is_tuple = true;
    indices = indices.items[0]->tuple.elements;
  }
  is_tuple |= !parser->panic && indices.count > 0 && indices.items[0]->kind == NODE_STARRED;
  return MAKE(parser, start, NODE_SUBSCRIPT, .subscript = {value, indices, is_tuple});
}

static struct node *parse_attribute(struct parser *parser, uint32_t start, struct node *value) {
  next_token(parser);
  struct span name_span = parser->token.span;
  const char *name = expect_name(parser, "the name of an attribute after '.'");
  return MAKE(parser, start, NODE_ATTRIBUTE, .attribute = {value, name, name_span});
}

struct node *parse_primary(struct parser *parser) {
  uint32_t start = parser->token.span.offset;
  struct node *node = parse_atom(parser);
  for (;;)
    if (at_token(parser, TOKEN_DOT))
      node = parse_attribute(parser, start, node);
    else if (at_token(parser, TOKEN_PAREN_OPEN))
      node = parse_call(parser, start, node);
    else if (at_token(parser, TOKEN_BRACKET_OPEN))
      node = parse_subscript(parser, start, node);
    else
      return node;
}
