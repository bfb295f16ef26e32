/* SPDX-License-Identifier: MIT */
/* Where a string literal ends. The text between the quotes is left alone.

   An f-string holds expressions, which may hold strings with the same quotes (Python 3.12):

       f"{d["key"]:>{width}} {{not a field}}"

   so its end is searched with an eye on the fields. If a field is not closed the literal ends at
   the first closing quotes, as any other, and the parser will say what is wrong with the field.
   Both searches remember where they failed, so that a text full of bad strings still takes linear
   time. */
#include "frontend/lexer_internal.h"

enum { DEEPEST_STRINGS = 16 };

/* The quotes around a string: `count` times `quote`. */
struct quotes {
  char quote;
  uint32_t count;
};

/* A search: fails by returning false with `position` where it gave up. */
struct search {
  const char *text;
  uint32_t position, end;
};

static bool at_quotes(const struct search *search, struct quotes quotes) {
  for (uint32_t i = 0; i < quotes.count; i++)
    if (search->position + i >= search->end || search->text[search->position + i] != quotes.quote)
      return false;
  return true;
}

static struct quotes quotes_at(const struct search *search) {
  struct quotes quotes = {search->text[search->position], 3};
  if (!at_quotes(search, quotes))
    quotes.count = 1;
  return quotes;
}

static bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

/* Advances over a backslash and what it protects; "\r\n" counts as one. */
static void skip_escape(struct search *search) {
  search->position++;
  if (search->position < search->end)
    search->position += search->text[search->position] == '\r' &&
                                search->position + 1 < search->end &&
                                search->text[search->position + 1] == '\n'
                            ? 2
                            : 1;
}

/* From after the opening quotes to after the closing ones. */
static bool skip_plain(struct search *search, struct quotes quotes) {
  while (search->position < search->end) {
    char c = search->text[search->position];
    if (c == '\\') {
      skip_escape(search);
    } else if (c == quotes.quote && at_quotes(search, quotes)) {
      search->position += quotes.count;
      return true;
    } else if (quotes.count == 1 && is_line_end(c)) {
      return false;
    } else {
      search->position++;
    }
  }
  return false;
}

static bool skip_formatted(struct search *search, struct quotes quotes, int nesting);

/* A string inside a field: its prefix was passed already, `formatted` says whether with an f. */
static bool skip_inner_string(struct search *search, struct quotes outer, bool formatted,
                              int nesting) {
  struct quotes quotes = quotes_at(search);
  if (quotes.count == 3 && outer.count == 1)
    quotes.count = 1; /* an empty string, and what follows it */
  search->position += quotes.count;
  return formatted ? skip_formatted(search, quotes, nesting + 1) : skip_plain(search, quotes);
}

/* From after the colon of a field to its closing brace (not after it). */
static bool skip_field(struct search *search, struct quotes outer, int nesting);
static bool skip_specification(struct search *search, struct quotes outer, int nesting) {
  while (search->position < search->end) {
    char c = search->text[search->position];
    if (c == '}')
      return true;
    if (at_quotes(search, outer) || (outer.count == 1 && is_line_end(c)))
      return false;
    search->position++;
    if (c == '{' && !skip_field(search, outer, nesting + 1))
      return false;
  }
  return false;
}

static bool is_f_prefix(const struct search *search, uint32_t start) {
  uint32_t length = search->position - start;
  if (length == 0 || length > 2)
    return false;
  for (uint32_t i = start; i < search->position; i++)
    if ((search->text[i] | 0x20) == 'f')
      return true;
  return false;
}

/* From after the opening brace of a field to after the closing one. */
static bool skip_field(struct search *search, struct quotes outer, int nesting) {
  uint32_t depth = 0;
  if (nesting >= DEEPEST_STRINGS)
    return false;
  while (search->position < search->end) {
    char c = search->text[search->position];
    if (is_name_start(c)) {
      uint32_t start = search->position;
      while (search->position < search->end && is_name_part(search->text[search->position]))
        search->position++;
      c = search->position < search->end ? search->text[search->position] : 0;
      if ((c == '"' || c == '\'') &&
          !skip_inner_string(search, outer, is_f_prefix(search, start), nesting))
        return false;
      continue;
    }
    if (c == '"' || c == '\'') {
      if (!skip_inner_string(search, outer, false, nesting))
        return false;
      continue;
    }
    if (outer.count == 1 && is_line_end(c))
      return false;
    search->position++;
    if (c == '(' || c == '[' || c == '{')
      depth++;
    else if (c == '}' && depth == 0)
      return true;
    else if ((c == ')' || c == ']' || c == '}') && depth > 0)
      depth--;
    else if (c == ':' && depth == 0 && !skip_specification(search, outer, nesting))
      return false;
  }
  return false;
}

static bool skip_formatted(struct search *search, struct quotes quotes, int nesting) {
  while (search->position < search->end) {
    char c = search->text[search->position];
    if (c == quotes.quote && at_quotes(search, quotes)) {
      search->position += quotes.count;
      return true;
    }
    if (quotes.count == 1 && is_line_end(c))
      return false;
    char next = search->position + 1 < search->end ? search->text[search->position + 1] : 0;
    if (c == '\\' && next != '{' && next != '}') {
      skip_escape(search);
      continue;
    }
    search->position++;
    if (c != '{')
      continue;
    if (search->position < search->end && search->text[search->position] == '{')
      search->position++;
    else if (!skip_field(search, quotes, nesting))
      return false;
  }
  return false;
}

/* Finds the end with the fields in view, or notes how far it is no use to try again. */
static bool find_formatted_end(struct lexer *lexer, struct search *search, struct quotes quotes) {
  if (search->position < lexer->bad_fields_end)
    return false;
  struct search attempt = *search;
  if (!skip_formatted(&attempt, quotes, 0)) {
    lexer->bad_fields_end = attempt.position;
    return false;
  }
  *search = attempt;
  return true;
}

static bool find_plain_end(struct lexer *lexer, struct search *search, struct quotes quotes) {
  uint32_t *no_end = &lexer->no_end[quotes.quote == '"'];
  if (quotes.count == 3 && search->position >= *no_end)
    return false;
  uint32_t start = search->position;
  if (skip_plain(search, quotes))
    return true;
  if (quotes.count == 3)
    *no_end = start;
  return false;
}

static struct token unclosed(struct lexer *lexer, uint32_t start, struct quotes quotes) {
  uint32_t end = start;
  while (end < lexer->end && !is_line_end(*source_at(lexer->source, end)))
    end++;
  struct span span = {start, end - start};
  if (quotes.count == 3)
    lexer_error(lexer, span, "this string is never closed; add %c%c%c at its end", quotes.quote,
                quotes.quote, quotes.quote);
  else
    lexer_error(lexer, span,
                "this string is not closed on its line; add %c at its end, or use %c%c%c for a "
                "string of several lines",
                quotes.quote, quotes.quote, quotes.quote, quotes.quote);
  return lexer_stop(lexer, span);
}

struct token lexer_string(struct lexer *lexer, uint32_t prefix) {
  uint32_t start = lexer->position;
  uint32_t base = lexer->source->base; /* a search counts from the start of the text */
  struct search search = {lexer->source->text, start + prefix - base, lexer->end - base};
  bool formatted = is_f_prefix(&search, start - base);
  struct quotes quotes = quotes_at(&search);
  search.position += quotes.count;
  if (!(formatted && find_formatted_end(lexer, &search, quotes)) &&
      !find_plain_end(lexer, &search, quotes))
    return unclosed(lexer, start, quotes);
  lexer->position = base + search.position;
  return (struct token){.kind = TOKEN_STRING, .span = {start, lexer->position - start}};
}
