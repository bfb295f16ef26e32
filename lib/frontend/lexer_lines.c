/* SPDX-License-Identifier: MIT */
/* Lines and blocks: indentation, line ends, and brackets that are given up because a line inside
   them can only be a statement. */
#include "frontend/lexer_internal.h"

#include <string.h>

/* --- Lines ------------------------------------------------------------------------------------ */

static bool at_line_end(const struct lexer *lexer) {
  char c = peek(lexer, 0);
  return lexer->position >= lexer->end || c == '\n' || c == '\r';
}

void lexer_skip_line_end(struct lexer *lexer) {
  if (lexer->position < lexer->end)
    lexer->position += peek(lexer, 0) == '\r' && peek(lexer, 1) == '\n' ? 2 : 1;
  lexer->fresh_line = true;
}

void lexer_skip_comment(struct lexer *lexer) {
  while (!at_line_end(lexer))
    lexer->position++;
}

/* Advances over the blanks at the start of a line. A form feed begins anew, as in Python. */
static struct indentation measure_indentation(const struct lexer *lexer, uint32_t *position) {
  struct indentation at = {0, 0};
  for (; *position < lexer->end; ++*position) {
    char c = *source_at(lexer->source, *position);
    if (c == ' ')
      at.column++, at.other_column++;
    else if (c == '\t')
      at.column = (at.column / 8 + 1) * 8, at.other_column++;
    else if (c == '\f')
      at = (struct indentation){0, 0};
    else
      break;
  }
  return at;
}

static struct indentation skip_indentation(struct lexer *lexer) {
  return measure_indentation(lexer, &lexer->position);
}

/* Advances to the first line from here on that has a token; returns its indentation. */
static struct indentation skip_empty_lines(struct lexer *lexer) {
  for (;;) {
    struct indentation at = skip_indentation(lexer);
    if (peek(lexer, 0) == '#')
      lexer_skip_comment(lexer);
    if (!at_line_end(lexer) || lexer->position >= lexer->end)
      return at;
    lexer_skip_line_end(lexer);
  }
}

static struct span indentation_span(const struct lexer *lexer) {
  uint32_t start = lexer->position;
  for (; start > lexer->source->start; start--) {
    char c = *source_at(lexer->source, start - 1);
    if (c != ' ' && c != '\t' && c != '\f')
      break;
  }
  return (struct span){start, lexer->position - start};
}

static void check_tabs(struct lexer *lexer, bool consistent) {
  if (!consistent)
    lexer_error(lexer, indentation_span(lexer),
                "tabs and spaces are mixed in a way that depends on how wide a tab is; indent this "
                "line as the lines around it");
}

/* A line that is less indented than its block, but as no block around it: takes it for a line of
   the nearer of the two blocks that it lies between. */
static void choose_nearer_block(struct lexer *lexer, struct indentation at) {
  uint32_t inner = lexer->stack[lexer->blocks + 1].column,
           outer = lexer->stack[lexer->blocks].column;
  lexer_error(lexer, indentation_span(lexer),
              "unindent does not match any outer indentation level; indent this line by %u or %u "
              "columns, not %u",
              outer, inner, at.column);
  if (inner - at.column <= at.column - outer) {
    lexer->blocks++;
    lexer->pending++;
  }
}

static void open_block(struct lexer *lexer, struct indentation at) {
  if (lexer->blocks < LEXER_DEEPEST_BLOCKS) {
    lexer->stack[++lexer->blocks] = at;
    lexer->pending = 1;
    return;
  }
  lexer_error(lexer, indentation_span(lexer),
              "blocks are nested more than %d deep; move the inner ones into functions",
              LEXER_DEEPEST_BLOCKS);
}

void lexer_begin_line(struct lexer *lexer) {
  lexer->at_line_start = false;
  lexer->fresh_line = true;
  struct indentation at = skip_empty_lines(lexer), top = lexer->stack[lexer->blocks];
  if (lexer->position >= lexer->end)
    at = (struct indentation){0, 0};
  if (at.column > top.column) {
    check_tabs(lexer, at.other_column > top.other_column);
    open_block(lexer, at);
    return;
  }
  while (at.column < lexer->stack[lexer->blocks].column) {
    lexer->blocks--;
    lexer->pending--;
  }
  top = lexer->stack[lexer->blocks];
  if (at.column > top.column)
    choose_nearer_block(lexer, at);
  else
    check_tabs(lexer, at.other_column == top.other_column);
}

/* --- Brackets that are never closed ----------------------------------------------------------- */

bool lexer_open_bracket(const struct lexer *lexer, uint32_t offset, struct span *out) {
  for (uint32_t i = lexer->depth; i-- > 0;)
    if (lexer->brackets[i] < offset) {
      *out = (struct span){lexer->brackets[i], 1};
      return true;
    }
  return false;
}

/* After a string that begins at `i`, as far as one line shows. */
static uint32_t skip_string(const struct lexer *lexer, uint32_t i) {
  const struct source *source = lexer->source;
  char quote = *source_at(source, i++);
  for (; i < lexer->end; i++) {
    char c = *source_at(source, i);
    if (c == quote || c == '\n' || c == '\r')
      break;
    i += c == '\\';
  }
  return i;
}

/* The line reads as the head of an `if`, `for` or `else`, not as a part of an expression: it closes
   no bracket that it did not open, has no `else` after an `if`, and ends in a colon. */
static bool is_head(const struct lexer *lexer, uint32_t word_length) {
  uint32_t depth = 0;
  char last = 0, previous = 0;
  for (uint32_t i = lexer->position + word_length; i < lexer->end; i++) {
    const char *at = source_at(lexer->source, i);
    char c = *at;
    if (c == '\n' || c == '\r' || c == '#')
      break;
    bool ends_word = previous == ' ' && depth == 0 && lexer->end - i > 4;
    if (ends_word && memcmp(at, "else", 4) == 0 && !is_name_part(at[4]))
      return false;
    if (c == '"' || c == '\'')
      i = skip_string(lexer, i);
    if (c == ')' || c == ']' || c == '}')
      if (depth-- == 0)
        return false;
    depth += c == '(' || c == '[' || c == '{';
    previous = c;
    last = c == ' ' || c == '\t' ? last : c;
  }
  return last == ':';
}

/* At the first token of a line inside brackets: true when it can only be a statement. */
static bool begins_statement(const struct lexer *lexer, struct indentation at) {
  if (peek(lexer, 0) == '@')
    return at.column == 0 && is_name_start(peek(lexer, 1));
  uint32_t length = 0;
  while (length < 16 && is_name_part(peek(lexer, length)))
    length++;
  struct slice word = {source_at(lexer->source, lexer->position), length};
  if (slice_equals(word, "if") || slice_equals(word, "for") || slice_equals(word, "else"))
    return is_head(lexer, length);
  return lexer_is_statement_word(word);
}

bool lexer_gives_up_brackets(struct lexer *lexer) {
  uint32_t start = lexer->position;
  struct indentation at = skip_indentation(lexer);
  bool empty = at_line_end(lexer) || peek(lexer, 0) == '#';
  bool closes = strchr(")]}", peek(lexer, 0)) != NULL;
  bool is_statement = !empty && begins_statement(lexer, at);
  lexer->position = start;
  return is_statement ||
         (lexer->recovering && !empty && !closes && at.column <= lexer->recover_column);
}

struct token lexer_never_closed(struct lexer *lexer) {
  struct span bracket = {0};
  lexer_open_bracket(lexer, lexer->position, &bracket);
  lexer_error(lexer, bracket, "'%c' was never closed", *source_at(lexer->source, bracket.offset));
  lexer->depth = 0;
  lexer->closing = true;
  return (struct token){.kind = TOKEN_STOP, .span = {lexer->position, 0}};
}

void lexer_recover(struct lexer *lexer, bool on, uint32_t column) {
  lexer->recovering = on;
  lexer->recover_column = column;
}

static uint32_t line_start(const struct source *source, uint32_t offset) {
  return source->lines[source_place(source, offset).line - 1];
}

void lexer_restart_line(struct lexer *lexer, const struct token *token) {
  lexer->position = line_start(lexer->source, token->span.offset);
  lexer->depth = 0;
  lexer->closing = true;
}

uint32_t lexer_column(const struct lexer *lexer, const struct token *token) {
  uint32_t position = line_start(lexer->source, token->span.offset);
  return measure_indentation(lexer, &position).column;
}
