/* SPDX-License-Identifier: MIT */
/* The parser's frame: tokens, errors and recovery, making nodes, and the loop over statements. */
#include "frontend/parser_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Tokens ----------------------------------------------------------------------------------- */

static void begin_panic(struct parser *parser, struct token stopped) {
  parser->panic = true;
  parser->stopped = stopped;
  parser->token = (struct token){.kind = TOKEN_STOP, .span = stopped.span};
}

static bool is_layout(enum token_kind kind) {
  return kind == TOKEN_NEWLINE || kind == TOKEN_INDENT || kind == TOKEN_DEDENT;
}

static bool closes_bracket(enum token_kind kind) {
  return kind == TOKEN_PAREN_CLOSE || kind == TOKEN_BRACKET_CLOSE || kind == TOKEN_BRACE_CLOSE;
}

/* Remembers the first token on a line inside brackets that is less deep than the statement. */
static void note_outdented(struct parser *parser) {
  const struct token *token = &parser->token;
  if (token->begins_line && parser->lexer.depth > 0 && !parser->lexer.in_field &&
      !parser->outdented.begins_line && !closes_bracket(token->kind) &&
      lexer_column(&parser->lexer, token) < parser->statement_column)
    parser->outdented = *token;
}

/* A STOP at the start of a line is left to the statement that begins there: the one before it is
   whole. */
void next_token(struct parser *parser) {
  if (parser->panic)
    return;
  bool after_layout = is_layout(parser->token.kind);
  if (!after_layout)
    parser->previous_end = span_end(parser->token.span);
  parser->token = lexer_next(&parser->lexer);
  if (at_token(parser, TOKEN_STOP) && !after_layout)
    begin_panic(parser, parser->token);
  note_outdented(parser);
}

bool accept_token(struct parser *parser, enum token_kind kind) {
  if (parser->token.kind != kind)
    return false;
  next_token(parser);
  return true;
}

const char *token_phrase(const struct parser *parser, char buffer[static TOKEN_PHRASE_SIZE]) {
  const struct token *token = &parser->token;
  if (token->kind != TOKEN_NAME && token->kind != TOKEN_INTEGER && token->kind != TOKEN_FLOAT)
    return token_kind_phrase(token->kind);
  struct slice text = source_slice(parser->source, token->span);
  if (text.length > TOKEN_PHRASE_SIZE - 3)
    return token_kind_phrase(token->kind);
  snprintf(buffer, TOKEN_PHRASE_SIZE, "'%.*s'", (int)text.length, text.data);
  return buffer;
}

bool expect_token(struct parser *parser, enum token_kind kind, const char *place) {
  if (accept_token(parser, kind))
    return true;
  char buffer[TOKEN_PHRASE_SIZE];
  syntax_error_here(parser, "expected %s%s%s, found %s", token_kind_phrase(kind), place ? " " : "",
                    place ? place : "", token_phrase(parser, buffer));
  return false;
}

/* At an error inside brackets: the token that probably begins the next statement, because the
   bracket was forgotten. It is the current one if it begins a line no deeper than the statement, or
   an earlier one on a line that is less deep. NULL when nothing looks like that. */
static const struct token *next_statement(const struct parser *parser, struct span *bracket) {
  const struct token *token = &parser->token;
  if (parser->lexer.in_field)
    return NULL;
  if (parser->outdented.begins_line &&
      lexer_open_bracket(&parser->lexer, parser->outdented.span.offset, bracket))
    return &parser->outdented;
  bool found = token->begins_line && token->kind != TOKEN_STOP && !closes_bracket(token->kind) &&
               lexer_open_bracket(&parser->lexer, token->span.offset, bracket) &&
               lexer_column(&parser->lexer, token) <= parser->statement_column;
  return found ? token : NULL;
}

bool expect_close(struct parser *parser, enum token_kind kind, uint32_t open) {
  if (accept_token(parser, kind))
    return true;
  struct span bracket = {open, 1};
  char opened = *source_at(parser->source, open), buffer[TOKEN_PHRASE_SIZE];
  struct problem *problem =
      syntax_error_here(parser, "expected ',' or %s, found %s", token_kind_phrase(kind),
                        token_phrase(parser, buffer));
  if (problem && problem->span.offset != open)
    syntax_note(parser, problem, bracket, "'%c' was opened here", opened);
  return false;
}

const char *expect_name(struct parser *parser, const char *what) {
  const char *word = parser->token.word;
  if (accept_token(parser, TOKEN_NAME))
    return word;
  char buffer[TOKEN_PHRASE_SIZE];
  bool keyword = !at_token(parser, TOKEN_STOP) && parser->token.kind >= TOKEN_FALSE &&
                 parser->token.kind <= TOKEN_YIELD;
  syntax_error_here(parser, "expected %s, found %s%s", what, token_phrase(parser, buffer),
                    keyword ? ", which is a keyword; choose another name" : "");
  return NULL;
}

/* --- Errors ----------------------------------------------------------------------------------- */

static struct problem *syntax_error_v(struct parser *parser, struct span span, const char *format,
                                      va_list arguments) {
  if (parser->panic)
    return NULL;
  if (at_token(parser, TOKEN_STOP)) {
    begin_panic(parser, parser->token);
    return NULL;
  }
  struct problem *problem =
      problems_add_v(parser->problems, PROBLEM_ERROR, parser->source, span, format, arguments);
  begin_panic(parser, parser->token);
  return problem;
}

struct problem *syntax_error(struct parser *parser, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  struct problem *problem = syntax_error_v(parser, span, format, arguments);
  va_end(arguments);
  return problem;
}

struct problem *syntax_error_here(struct parser *parser, const char *format, ...) {
  struct span span = parser->token.span, bracket;
  if (next_statement(parser, &bracket))
    return syntax_error(parser, bracket, "'%c' was never closed",
                        *source_at(parser->source, bracket.offset));
  if (at_token(parser, TOKEN_NEWLINE) || at_token(parser, TOKEN_END))
    span = (struct span){parser->previous_end, 0};
  va_list arguments;
  va_start(arguments, format);
  struct problem *problem = syntax_error_v(parser, span, format, arguments);
  va_end(arguments);
  return problem;
}

void syntax_note(struct parser *parser, struct problem *problem, struct span span,
                 const char *format, ...) {
  if (!problem)
    return;
  va_list arguments;
  va_start(arguments, format);
  problem_note(parser->problems, problem, parser->source, span, "%s",
               text_vformat(parser->arena, format, arguments));
  va_end(arguments);
}

bool enter_rule(struct parser *parser) {
  if (parser->nesting++ < PARSER_DEEPEST)
    return true;
  parser->nesting--;
  syntax_error_here(parser, "this is nested more than %d deep; split it over several statements",
                    PARSER_DEEPEST);
  return false;
}

void begin_statement(struct parser *parser) {
  parser->outdented.begins_line = false;
  parser->statement_column = lexer_column(&parser->lexer, &parser->token);
  if (at_token(parser, TOKEN_STOP) && !parser->panic)
    begin_panic(parser, parser->token);
}

void recover_statement(struct parser *parser) {
  if (!parser->panic)
    return;
  struct token token = parser->stopped;
  lexer_recover(&parser->lexer, true, parser->statement_column);
  parser->token = token;
  struct span bracket;
  const struct token *restart = next_statement(parser, &bracket);
  if (restart) {
    lexer_restart_line(&parser->lexer, restart);
    token = lexer_next(&parser->lexer);
  }
  while (!is_layout(token.kind) && token.kind != TOKEN_END) {
    parser->previous_end = span_end(token.span);
    token = lexer_next(&parser->lexer);
  }
  lexer_recover(&parser->lexer, false, 0);
  parser->panic = false;
  parser->token = token;
  accept_token(parser, TOKEN_NEWLINE);
}

/* --- Nodes ------------------------------------------------------------------------------------ */

struct measure {
  struct field_visitor visitor; /* first: the callbacks' argument is the measure */
  uint32_t height;
};

static void measure_child(struct field_visitor *visitor, const char *name, struct node *child) {
  (void)name;
  struct measure *measure = (struct measure *)visitor;
  if (child && child->height > measure->height)
    measure->height = child->height;
}

static void measure_list(struct field_visitor *visitor, const char *name,
                         const struct node_list *list) {
  for (uint32_t i = 0; i < list->count; i++)
    measure_child(visitor, name, list->items[i]);
}

struct node *make_node(struct parser *parser, uint32_t start, const struct node *node) {
  if (parser->panic)
    return NULL;
  struct measure measure = {{.child = measure_child, .list = measure_list}, 0};
  node_visit_fields(node, &measure.visitor);
  struct span span = span_from(parser, start);
  if (measure.height >= SYNTAX_HIGHEST_EXPRESSION &&
      node_kind_class(node_kind(node)) == NODE_CLASS_EXPRESSION) {
    syntax_error(parser, span,
                 "this expression has more than %d operations inside one another; split it over "
                 "several statements",
                 SYNTAX_HIGHEST_EXPRESSION);
    return NULL;
  }
  struct node *copy = ARENA_NEW(parser->arena, struct node);
  *copy = *node;
  copy->span = span;
  copy->height = (uint16_t)(measure.height + 1);
  return copy;
}

void push_node(struct parser *parser, struct node *node) {
  if (!node)
    return;
  parser->stack =
      tile_grow(parser->stack, parser->stack_count, &parser->stack_capacity, sizeof *parser->stack);
  parser->stack[parser->stack_count++] = node;
}

struct node_list take_nodes(struct parser *parser, size_t mark) {
  size_t count = parser->stack_count - mark;
  struct node_list list = {.count = (uint32_t)count};
  parser->stack_count = mark;
  if (count == 0)
    return list;
  list.items = ARENA_ARRAY(parser->arena, struct node *, count);
  memcpy(list.items, parser->stack + mark, count * sizeof *list.items);
  return list;
}

/* Made during a panic or after one, and of things whose height was checked: always succeeds. */
struct node *make_broken(struct parser *parser, uint32_t start, const char *name, size_t mark) {
  struct node *node = ARENA_NEW(parser->arena, struct node);
  node->kind = NODE_BROKEN;
  node->span = span_from(parser, start);
  node->broken = (struct node_broken){.name = name, .body = take_nodes(parser, mark)};
  struct measure measure = {{.child = measure_child, .list = measure_list}, 0};
  node_visit_fields(node, &measure.visitor);
  node->height = (uint16_t)(measure.height + 1);
  return node;
}

/* --- The file --------------------------------------------------------------------------------- */

struct node *parse_file(const struct source *source, struct arena *arena, struct words *words,
                        struct problems *problems, size_t *kernels) {
  struct parser parser = {.source = source, .arena = arena, .words = words, .problems = problems};
  problems->deferring = true;
  lexer_create(&parser.lexer, source, words, problems);
  parser.token.kind = TOKEN_NEWLINE;
  parser.previous_end = source->start;
  next_token(&parser);
  while (!at_token(&parser, TOKEN_END)) {
    parse_statements(&parser);
    accept_token(&parser, TOKEN_DEDENT);
  }
  problems->deferring = false;
  struct node *module = make_broken(&parser, source->start, NULL, 0);
  module->kind = NODE_MODULE;
  module->span.length = source->end - source->start;
  module->module = (struct node_module){.body = module->broken.body};
  *kernels = parser.kernel_count;
  map_free(&parser.imports);
  free(parser.stack);
  return module;
}
