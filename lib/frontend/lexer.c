/* SPDX-License-Identifier: MIT */
/* The lexer: names, symbols, brackets, and the choice of what comes next. */
#include "frontend/lexer_internal.h"

#include <string.h>

/* --- Tables ----------------------------------------------------------------------------------- */

static const struct {
  const char *name, *phrase;
} token_texts[] = {
#define TOKEN(identifier, phrase) {#identifier, phrase},
#define KEYWORD(identifier, spelling, place) {spelling, "'" spelling "'"},
#define SYMBOL(identifier, spelling) {spelling, "'" spelling "'"},
#include "frontend/tokens.def"
#undef TOKEN
#undef KEYWORD
#undef SYMBOL
};

static const struct {
  enum token_kind kind;
  char spelling[4];
} symbols[] = {
#define TOKEN(identifier, phrase)
#define KEYWORD(identifier, spelling, place)
#define SYMBOL(identifier, spelling) {TOKEN_##identifier, spelling},
#include "frontend/tokens.def"
#undef TOKEN
#undef KEYWORD
#undef SYMBOL
};

/* Characters that begin one symbol only, themselves: most symbols of a text. */
static const unsigned char lone_symbols[128] = {
    ['('] = TOKEN_PAREN_OPEN,    [')'] = TOKEN_PAREN_CLOSE, ['['] = TOKEN_BRACKET_OPEN,
    [']'] = TOKEN_BRACKET_CLOSE, ['{'] = TOKEN_BRACE_OPEN,  ['}'] = TOKEN_BRACE_CLOSE,
    [','] = TOKEN_COMMA,         [';'] = TOKEN_SEMICOLON,   ['~'] = TOKEN_TILDE,
};

enum keyword_place { PLACE_NONE, PLACE_ANYWHERE, PLACE_STATEMENT };

static const unsigned char keyword_places[TOKEN_KIND_COUNT] = {
#define TOKEN(identifier, phrase)
#define KEYWORD(identifier, spelling, place) [TOKEN_##identifier] = PLACE_##place,
#define SYMBOL(identifier, spelling)
#include "frontend/tokens.def"
#undef TOKEN
#undef KEYWORD
#undef SYMBOL
};

const char *token_kind_phrase(enum token_kind kind) {
  return token_texts[kind].phrase;
}

const char *token_kind_name(enum token_kind kind) {
  return token_texts[kind].name;
}

bool lexer_is_statement_word(struct slice word) {
  for (int kind = 0; kind < TOKEN_KIND_COUNT && word.length >= 3; kind++)
    if (keyword_places[kind] == PLACE_STATEMENT && slice_equals(word, token_texts[kind].name))
      return true;
  return false;
}

/* --- Making lexers ---------------------------------------------------------------------------- */

static void add_keywords(struct words *words) {
  for (int kind = 0; kind < TOKEN_KIND_COUNT; kind++)
    if (keyword_places[kind])
      words_slot(words, token_texts[kind].name, strlen(token_texts[kind].name))->tag = kind;
}

void lexer_create(struct lexer *lexer, const struct source *source, struct words *words,
                  struct problems *problems) {
  *lexer = (struct lexer){.source = source,
                          .words = words,
                          .problems = problems,
                          .position = source->start,
                          .end = source->end,
                          .at_line_start = true,
                          .no_end = {UINT32_MAX, UINT32_MAX}};
  add_keywords(words);
}

void lexer_create_field(struct lexer *lexer, const struct source *source, struct words *words,
                        struct problems *problems, struct span span) {
  *lexer = (struct lexer){.source = source,
                          .words = words,
                          .problems = problems,
                          .position = span.offset,
                          .end = span_end(span),
                          .in_field = true,
                          .no_end = {UINT32_MAX, UINT32_MAX}};
}

struct problem *lexer_error(struct lexer *lexer, struct span span, const char *format, ...) {
  if (!lexer->problems || lexer->recovering)
    return NULL;
  va_list arguments;
  va_start(arguments, format);
  struct problem *problem =
      problems_add_v(lexer->problems, PROBLEM_ERROR, lexer->source, span, format, arguments);
  va_end(arguments);
  return problem;
}

struct token lexer_stop(struct lexer *lexer, struct span span) {
  lexer->position = span_end(span);
  return (struct token){.kind = TOKEN_STOP, .span = span};
}

/* --- Tokens ----------------------------------------------------------------------------------- */

/* Advances over blanks, comments, joined lines, and line ends inside brackets. False when brackets
   end here though they were not closed. */
static bool skip_blanks(struct lexer *lexer) {
  for (;;) {
    char c = peek(lexer, 0);
    if (c == ' ' || c == '\t' || c == '\f') {
      lexer->position++;
    } else if (c == '#') {
      lexer_skip_comment(lexer);
    } else if (c == '\\' && (peek(lexer, 1) == '\n' || peek(lexer, 1) == '\r')) {
      lexer->position++;
      lexer_skip_line_end(lexer);
    } else if ((c == '\n' || c == '\r') && (lexer->depth > 0 || lexer->in_field)) {
      lexer_skip_line_end(lexer);
      if (!lexer->in_field && lexer_gives_up_brackets(lexer))
        return false;
    } else {
      return true;
    }
  }
}

/* The length of a string prefix with a quote after it, or UINT32_MAX when there is no string. */
static uint32_t string_prefix(const struct lexer *lexer) {
  static const char *const prefixes[] = {"r", "b", "f", "u", "rb", "br", "rf", "fr"};
  uint32_t length = 0;
  char prefix[3] = {0};
  while (length < 2 && is_name_start(peek(lexer, length))) {
    prefix[length] = peek(lexer, length) | 0x20;
    length++;
  }
  if (peek(lexer, length) != '"' && peek(lexer, length) != '\'')
    return UINT32_MAX;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && length > 0; i++)
    if (strcmp(prefix, prefixes[i]) == 0)
      return length;
  return length == 0 ? 0 : UINT32_MAX;
}

static struct token name(struct lexer *lexer) {
  uint32_t start = lexer->position;
  while (is_name_part(peek(lexer, 0))) {
    size_t bytes = 1;
    if ((unsigned char)peek(lexer, 0) >= 0x80 &&
        !lexer_is_letter(utf8_decode(source_at(lexer->source, lexer->position),
                                     lexer->end - lexer->position, &bytes)))
      break;
    lexer->position += (uint32_t)bytes;
  }
  if (lexer->position == start)
    return lexer_misfit(lexer);
  struct span span = {start, lexer->position - start};
  const struct word_slot *slot =
      words_slot(lexer->words, source_at(lexer->source, start), span.length);
  return (struct token){.kind = slot->tag ? (enum token_kind)slot->tag : TOKEN_NAME,
                        .span = span,
                        .word = slot->text};
}

static struct token open_bracket(struct lexer *lexer, struct token token) {
  if (lexer->depth < LEXER_DEEPEST_BRACKETS) {
    lexer->brackets[lexer->depth++] = token.span.offset;
    return token;
  }
  lexer_error(lexer, token.span,
              "brackets are nested more than %d deep; split the expression over several statements",
              LEXER_DEEPEST_BRACKETS);
  return lexer_stop(lexer, token.span);
}

static struct token close_bracket(struct lexer *lexer, struct token token) {
  static const char partners[] = ")(][}{";
  char closing = *source_at(lexer->source, token.span.offset),
       opening = strchr(partners, closing)[1];
  struct span open;
  if (!lexer_open_bracket(lexer, lexer->position, &open)) {
    if (lexer->in_field)
      return token;
    lexer_error(lexer, token.span, "'%c' has no opening '%c'; remove it", closing, opening);
    return lexer_stop(lexer, token.span);
  }
  lexer->depth--;
  char opened = *source_at(lexer->source, open.offset);
  if (opened == opening)
    return token;
  struct problem *problem =
      lexer_error(lexer, token.span, "'%c' does not close '%c'", closing, opened);
  if (problem)
    problem_note(lexer->problems, problem, lexer->source, open, "'%c' was opened here", opened);
  return lexer_stop(lexer, token.span);
}

/* A colon, a bare '!' and closing brackets end the expression of a field. */
static bool field_symbol(struct lexer *lexer, struct token *out) {
  char c = peek(lexer, 0);
  if (!lexer->in_field || lexer->depth > 0 || (c != ':' && (c != '!' || peek(lexer, 1) == '=')))
    return false;
  *out = (struct token){.kind = c == ':' ? TOKEN_COLON : TOKEN_EXCLAMATION,
                        .span = {lexer->position++, 1}};
  return true;
}

/* The symbol at `position` and its length; false when there is none. */
static bool find_symbol(const struct lexer *lexer, enum token_kind *kind, uint32_t *length) {
  char c = peek(lexer, 0);
  *kind = (unsigned char)c < 128 ? (enum token_kind)lone_symbols[(unsigned char)c] : TOKEN_END;
  *length = 1;
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols && *kind == TOKEN_END; i++) {
    const char *spelling = symbols[i].spelling;
    if (spelling[0] != c || (spelling[1] && spelling[1] != peek(lexer, 1)) ||
        (spelling[1] && spelling[2] && spelling[2] != peek(lexer, 2)))
      continue;
    *kind = symbols[i].kind;
    *length = (uint32_t)strlen(spelling);
  }
  return *kind != TOKEN_END;
}
_Static_assert(TOKEN_END == 0, "0 stands for no symbol");

static struct token symbol(struct lexer *lexer) {
  struct token token = {0};
  uint32_t length;
  if (field_symbol(lexer, &token))
    return token;
  if (!find_symbol(lexer, &token.kind, &length))
    return lexer_misfit(lexer);
  token.span = (struct span){lexer->position, length};
  lexer->position += length;
  char first = symbols[token.kind - TOKEN_ELLIPSIS].spelling[0];
  return strchr("([{", first)   ? open_bracket(lexer, token)
         : strchr(")]}", first) ? close_bracket(lexer, token)
                                : token;
}

/* INDENT and DEDENT are points where the line's text begins. */
static struct token change_of_block(struct lexer *lexer) {
  enum token_kind kind = lexer->pending > 0 ? TOKEN_INDENT : TOKEN_DEDENT;
  lexer->pending += lexer->pending > 0 ? -1 : 1;
  return (struct token){.kind = kind, .span = {lexer->position, 0}};
}

static struct token new_line(struct lexer *lexer) {
  struct token token = {.kind = TOKEN_NEWLINE, .span = {lexer->position, 0}};
  if (!lexer->closing && lexer->position < lexer->end) {
    lexer_skip_line_end(lexer);
    token.span.length = lexer->position - token.span.offset;
  }
  lexer->closing = false;
  lexer->line_has_tokens = false;
  lexer->at_line_start = true;
  return token;
}

static struct token next_on_line(struct lexer *lexer) {
  if (!skip_blanks(lexer))
    return lexer_never_closed(lexer);
  if (lexer->position >= lexer->end) {
    if (lexer->depth > 0 && !lexer->in_field)
      return lexer_never_closed(lexer);
    if (lexer->line_has_tokens && !lexer->in_field)
      return new_line(lexer);
    return (struct token){.kind = TOKEN_END, .span = {lexer->position, 0}};
  }
  char c = peek(lexer, 0);
  if (c == '\n' || c == '\r')
    return new_line(lexer);
  bool begins_line = lexer->fresh_line;
  lexer->fresh_line = false;
  lexer->line_has_tokens = true;
  uint32_t prefix = string_prefix(lexer);
  struct token token = prefix != UINT32_MAX ? lexer_string(lexer, prefix)
                       : is_digit(c) || (c == '.' && is_digit(peek(lexer, 1))) ? lexer_number(lexer)
                       : is_name_start(c)                                      ? name(lexer)
                                                                               : symbol(lexer);
  token.begins_line = begins_line;
  return token;
}

struct token lexer_next(struct lexer *lexer) {
  if (lexer->closing)
    return new_line(lexer);
  if (lexer->at_line_start && !lexer->in_field)
    lexer_begin_line(lexer);
  if (lexer->pending)
    return change_of_block(lexer);
  return next_on_line(lexer);
}
