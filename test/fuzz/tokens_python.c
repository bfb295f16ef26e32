/* SPDX-License-Identifier: MIT */
/* See tokens.h: Python text. Blanks, line ends, continuation lines and comments are the space
   before a token, so that the indentation of a line belongs to its first token. */
#include "tokens.h"

#include <ctype.h>
#include <string.h>

static size_t space_length(const char *at, const char *end) {
  const char *start = at;
  while (at < end) {
    if (isspace((unsigned char)*at) || (*at == '\\' && at + 1 < end && at[1] == '\n')) {
      at++;
    } else if (*at == '#') {
      while (at < end && *at != '\n')
        at++;
    } else {
      break;
    }
  }
  return (size_t)(at - start);
}

static bool starts(const char *at, const char *end, const char *prefix) {
  size_t length = strlen(prefix);
  return (size_t)(end - at) >= length && memcmp(at, prefix, length) == 0;
}

static size_t string_length(const char *at, const char *end) {
  const char *start = at;
  char quote[] = {*at, *at, *at, 0};
  bool is_long = starts(at, end, quote);
  if (!is_long)
    quote[1] = 0;
  for (at += strlen(quote); at < end && (is_long || *at != '\n'); at++) {
    if (*at == '\\' && at + 1 < end)
      at++;
    else if (starts(at, end, quote))
      return (size_t)(at - start) + strlen(quote);
  }
  return (size_t)(at - start);
}

static size_t mark_length(const char *at, const char *end) {
  static const char *const marks[] = {"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>",
                                      "<<",  "==",  "!=",  "<=",  ">=",  "->", ":=", "+=",
                                      "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "@="};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (starts(at, end, marks[i]))
      return strlen(marks[i]);
  return 1;
}

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static struct token next_token(const char *at, const char *end) {
  struct token token = {.kind = TOKEN_MARK, .space = {at, space_length(at, end)}};
  at += token.space.length;
  size_t length = 0;
  if (at == end) {
  } else if (isdigit((unsigned char)*at)) {
    token.kind = TOKEN_NUMBER;
    while (at + length < end && (in_word(at[length]) || at[length] == '.'))
      length++;
  } else if (in_word(*at)) {
    token.kind = TOKEN_WORD;
    while (at + length < end && in_word(at[length]))
      length++;
  } else if (*at == '"' || *at == '\'') {
    token.kind = TOKEN_STRING;
    length = string_length(at, end);
  } else {
    length = mark_length(at, end);
  }
  token.text = (struct slice){at, length};
  return token;
}

void tokenize_python(struct slice text, struct tokens *out) {
  const char *at = text.data, *end = text.data + text.length;
  while (at < end) {
    struct token token = next_token(at, end);
    insert_token(out, out->count, token);
    at = token.text.data + token.text.length;
  }
}
