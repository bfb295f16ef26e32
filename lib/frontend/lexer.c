/* The lexer: lines and indentation, brackets, names and symbols. */
#include "frontend/lexer_internal.h"

#include <string.h>

/* ---- Tables ---- */

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

/* ---- Making lexers ---- */

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
                          .end = source->length,
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

/* ---- Lines ---- */

static bool at_line_end(const struct lexer *lexer) {
  char c = peek(lexer, 0);
  return lexer->position >= lexer->end || c == '\n' || c == '\r';
}

/* Advances over "\n", "\r\n" or "\r". */
static void skip_line_end(struct lexer *lexer) {
  if (lexer->position < lexer->end)
    lexer->position += peek(lexer, 0) == '\r' && peek(lexer, 1) == '\n' ? 2 : 1;
  lexer->fresh_line = true;
}

static void skip_comment(struct lexer *lexer) {
  while (!at_line_end(lexer))
    lexer->position++;
}

/* Advances over the blanks at the start of a line. A form feed begins anew, as in Python. */
static struct indentation skip_indentation(struct lexer *lexer) {
  struct indentation at = {0, 0};
  for (;; lexer->position++) {
    char c = peek(lexer, 0);
    if (c == ' ')
      at.column++, at.other_column++;
    else if (c == '\t')
      at.column = (at.column / 8 + 1) * 8, at.other_column++;
    else if (c == '\f')
      at = (struct indentation){0, 0};
    else
      return at;
  }
}

/* Advances to the first line from here on that has a token; returns its indentation. */
static struct indentation skip_empty_lines(struct lexer *lexer) {
  for (;;) {
    struct indentation at = skip_indentation(lexer);
    if (peek(lexer, 0) == '#')
      skip_comment(lexer);
    if (!at_line_end(lexer) || lexer->position >= lexer->end)
      return at;
    skip_line_end(lexer);
  }
}

static struct span indentation_span(const struct lexer *lexer) {
  uint32_t start = lexer->position;
  const char *text = lexer->source->text;
  while (start > lexer->source->start && strchr(" \t\f", text[start - 1]) && text[start - 1])
    start--;
  return (struct span){start, lexer->position - start};
}

static void check_tabs(struct lexer *lexer, bool consistent) {
  if (!consistent)
    lexer_error(lexer, indentation_span(lexer),
                "tabs and spaces are mixed in a way that depends on how wide a tab is; indent this "
                "line as the lines around it");
}

/* A line that is less indented than its block, but as no block around it: takes it for a line of the
   nearer of the two blocks that it lies between. */
static void choose_nearer_block(struct lexer *lexer, struct indentation at) {
  uint32_t inner = lexer->stack[lexer->blocks + 1].column, outer = lexer->stack[lexer->blocks].column;
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

/* Compares the indentation of a new logical line with the blocks around it. */
static void begin_line(struct lexer *lexer) {
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

/* ---- Brackets that are never closed ---- */

bool lexer_open_bracket(const struct lexer *lexer, uint32_t offset, struct span *out) {
  for (uint32_t i = lexer->depth; i-- > 0;)
    if (lexer->brackets[i] < offset) {
      *out = (struct span){lexer->brackets[i], 1};
      return true;
    }
  return false;
}

/* The last character of the line in front of a comment is a colon. */
static bool line_ends_in_colon(const struct lexer *lexer) {
  char last = 0;
  for (uint32_t i = lexer->position; i < lexer->end; i++) {
    char c = lexer->source->text[i];
    if (c == '\n' || c == '\r' || c == '#')
      break;
    if (c != ' ' && c != '\t')
      last = c;
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
  struct slice word = {lexer->source->text + lexer->position, length};
  if (slice_equals(word, "if") || slice_equals(word, "for") || slice_equals(word, "else"))
    return line_ends_in_colon(lexer);
  for (int kind = 0; kind < TOKEN_KIND_COUNT && length >= 3; kind++)
    if (keyword_places[kind] == PLACE_STATEMENT && slice_equals(word, token_texts[kind].name))
      return true;
  return false;
}

/* At the start of a line inside brackets: true when they end here, closed or not. */
static bool gives_up_brackets(struct lexer *lexer) {
  uint32_t start = lexer->position;
  struct indentation at = skip_indentation(lexer);
  bool empty = at_line_end(lexer) || peek(lexer, 0) == '#';
  bool closes = strchr(")]}", peek(lexer, 0)) != NULL;
  bool is_statement = !empty && begins_statement(lexer, at);
  lexer->position = start;
  return is_statement ||
         (lexer->recovering && !empty && !closes && at.column <= lexer->recover_column);
}

static struct token never_closed(struct lexer *lexer) {
  struct span bracket = {0};
  lexer_open_bracket(lexer, lexer->position, &bracket);
  lexer_error(lexer, bracket, "'%c' was never closed", lexer->source->text[bracket.offset]);
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
  struct lexer at = *lexer;
  at.position = line_start(lexer->source, token->span.offset);
  return skip_indentation(&at).column;
}

/* ---- Characters that begin no token ---- */

struct misfit {
  uint32_t character;
  const char *advice;
};

static const struct misfit misfits[] = {
    {'!', "write 'not' for negation, '!=' for inequality"},
    {'?', "a conditional expression is 'a if condition else b'"},
    {'$', "names have letters, digits and '_'"},
    {'`', "strings stand in ' or \""},
    {'\\', "a '\\' that continues a line must be its last character"},
    {0, "remove the zero byte"},
    {0xA0, "it looks like a space; write a space"},
    {0x201C, "write \""},
    {0x201D, "write \""},
    {0x2018, "write '"},
    {0x2019, "write '"},
    {0x2013, "write '-'"},
    {0x2014, "write '-'"},
    {0x2212, "write '-'"},
    {0xD7, "write '*'"},
    {0xF7, "write '/'"},
    {0x2264, "write '<='"},
    {0x2265, "write '>='"},
    {0x2260, "write '!='"},
    {0xFF08, "write '('"},
    {0xFF09, "write ')'"},
    {0xFF0C, "write ','"},
    {0xFF1A, "write ':'"},
    {0xFFFD, "the file is not UTF-8 here; save it as UTF-8"},
};

static const char *advice_for(uint32_t character) {
  for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++)
    if (misfits[i].character == character)
      return misfits[i].advice;
  return "remove it";
}

/* Whether a character beyond ASCII may be part of a name. Not Unicode's whole table: spaces,
   punctuation, symbols and pictures are out, everything else is taken for a letter. */
static bool is_letter(uint32_t c) {
  static const struct {
    uint32_t first, last;
  } others[] = {{0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB6},       {0xB8, 0xB9},
                {0xBB, 0xBF},     {0xD7, 0xD7},     {0xF7, 0xF7},       {0x2000, 0x203E},
                {0x2041, 0x2053}, {0x2055, 0x206F}, {0x20A0, 0x20CF},   {0x2190, 0x2BFF},
                {0x3000, 0x3004}, {0x3008, 0x3020}, {0xFF00, 0xFF0F},   {0xFF1A, 0xFF20},
                {0xFFF0, 0xFFFF}, {0xD800, 0xF8FF}, {0x1F000, 0x1FAFF}, {0xFE10, 0xFE6F}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].first <= c && c <= others[i].last)
      return false;
  return c >= 0x80;
}

static struct token misfit(struct lexer *lexer) {
  size_t bytes;
  const char *at = lexer->source->text + lexer->position;
  uint32_t character = utf8_decode(at, lexer->end - lexer->position, &bytes);
  struct span span = {lexer->position, (uint32_t)bytes};
  if (character > 0x20 && character < 0x7F)
    lexer_error(lexer, span, "'%c' is no operator here; %s", (char)character,
                advice_for(character));
  else
    lexer_error(lexer, span, "the character U+%04X cannot stand here; %s", character,
                advice_for(character));
  return lexer_stop(lexer, span);
}

/* ---- Tokens ---- */

/* Advances over blanks, comments, joined lines, and line ends inside brackets. False when brackets
   end here though they were not closed. */
static bool skip_blanks(struct lexer *lexer) {
  for (;;) {
    char c = peek(lexer, 0);
    if (c == ' ' || c == '\t' || c == '\f') {
      lexer->position++;
    } else if (c == '#') {
      skip_comment(lexer);
    } else if (c == '\\' && (peek(lexer, 1) == '\n' || peek(lexer, 1) == '\r')) {
      lexer->position++;
      skip_line_end(lexer);
    } else if ((c == '\n' || c == '\r') && (lexer->depth > 0 || lexer->in_field)) {
      skip_line_end(lexer);
      if (!lexer->in_field && gives_up_brackets(lexer))
        return false;
    } else {
      return true;
    }
  }
}

/* The length of a string prefix with a quote behind it, or UINT32_MAX when there is no string. */
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
  const char *text = lexer->source->text;
  while (is_name_part(peek(lexer, 0))) {
    size_t bytes = 1;
    if ((unsigned char)peek(lexer, 0) >= 0x80 &&
        !is_letter(utf8_decode(text + lexer->position, lexer->end - lexer->position, &bytes)))
      break;
    lexer->position += (uint32_t)bytes;
  }
  if (lexer->position == start)
    return misfit(lexer);
  struct span span = {start, lexer->position - start};
  const struct word_slot *slot = words_slot(lexer->words, text + start, span.length);
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
  char closing = lexer->source->text[token.span.offset], opening = strchr(partners, closing)[1];
  struct span open;
  if (!lexer_open_bracket(lexer, lexer->position, &open)) {
    if (lexer->in_field)
      return token;
    lexer_error(lexer, token.span, "'%c' has no opening '%c'; remove it", closing, opening);
    return lexer_stop(lexer, token.span);
  }
  lexer->depth--;
  char opened = lexer->source->text[open.offset];
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

static struct token symbol(struct lexer *lexer) {
  struct token token;
  if (field_symbol(lexer, &token))
    return token;
  char c = peek(lexer, 0);
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    const char *spelling = symbols[i].spelling;
    if (spelling[0] != c || (spelling[1] && spelling[1] != peek(lexer, 1)) ||
        (spelling[1] && spelling[2] && spelling[2] != peek(lexer, 2)))
      continue;
    token = (struct token){.kind = symbols[i].kind,
                           .span = {lexer->position, (uint32_t)strlen(spelling)}};
    lexer->position += token.span.length;
    if (strchr("([{", c))
      return open_bracket(lexer, token);
    return strchr(")]}", c) ? close_bracket(lexer, token) : token;
  }
  return misfit(lexer);
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
    skip_line_end(lexer);
    token.span.length = lexer->position - token.span.offset;
  }
  lexer->closing = false;
  lexer->line_has_tokens = false;
  lexer->at_line_start = true;
  return token;
}

static struct token next_on_line(struct lexer *lexer) {
  if (!skip_blanks(lexer))
    return never_closed(lexer);
  if (lexer->position >= lexer->end) {
    if (lexer->depth > 0 && !lexer->in_field)
      return never_closed(lexer);
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
                       : is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))
                           ? lexer_number(lexer)
                       : is_name_start(c) ? name(lexer)
                                          : symbol(lexer);
  token.begins_line = begins_line;
  return token;
}

struct token lexer_next(struct lexer *lexer) {
  if (lexer->closing)
    return new_line(lexer);
  if (lexer->at_line_start && !lexer->in_field)
    begin_line(lexer);
  if (lexer->pending)
    return change_of_block(lexer);
  return next_on_line(lexer);
}
