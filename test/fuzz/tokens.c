/* SPDX-License-Identifier: MIT */
/* See tokens.h. */
#include "tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void insert_token(struct tokens *tokens, size_t at, struct token token) {
  if (tokens->count == tokens->capacity) {
    tokens->capacity = tokens->capacity ? tokens->capacity * 2 : 512;
    tokens->list = tile_reallocate(tokens->list, tokens->capacity * sizeof *tokens->list);
  }
  memmove(&tokens->list[at + 1], &tokens->list[at], (tokens->count - at) * sizeof *tokens->list);
  tokens->list[at] = token;
  tokens->count++;
}

void remove_tokens(struct tokens *tokens, size_t at, size_t count) {
  if (count > tokens->count - at)
    count = tokens->count - at;
  memmove(&tokens->list[at], &tokens->list[at + count],
          (tokens->count - at - count) * sizeof *tokens->list);
  tokens->count -= count;
}

static size_t space_length(const char *at, const char *end) {
  const char *start = at;
  while (at < end) {
    if (isspace((unsigned char)*at)) {
      at++;
    } else if (*at == '/' && at + 1 < end && at[1] == '/') {
      while (at < end && *at != '\n')
        at++;
    } else {
      break;
    }
  }
  return (size_t)(at - start);
}

static bool is_word_character(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '-';
}

static size_t word_length(const char *at, const char *end) {
  const char *start = at;
  while (at < end && is_word_character(*at) && !(*at == '-' && at + 1 < end && at[1] == '>'))
    at++;
  return (size_t)(at - start);
}

static size_t string_length(const char *at, const char *end) {
  const char *start = at++;
  while (at < end && *at != '"' && *at != '\n')
    at += 1 + (*at == '\\' && at + 1 < end);
  return (size_t)((at < end ? at + 1 : end) - start);
}

/* Digits, with a fraction and an exponent; "16x" of a shape ends before the x. */
static size_t number_length(const char *at, const char *end) {
  const char *start = at;
  while (at < end && (isdigit((unsigned char)*at) || *at == '.'))
    at++;
  if (at < end && (*at == 'e' || *at == 'E'))
    at += 1 + (at + 1 < end && (at[1] == '-' || at[1] == '+'));
  while (at < end && isdigit((unsigned char)*at))
    at++;
  return (size_t)(at - start);
}

static struct token next_token(const char *at, const char *end) {
  struct token token = {.kind = TOKEN_MARK, .space = {at, space_length(at, end)}};
  at += token.space.length;
  size_t length = at < end;
  if (at == end) {
  } else if (isdigit((unsigned char)*at)) {
    token.kind = TOKEN_NUMBER;
    length = number_length(at, end);
  } else if (*at == 'x' && at + 1 < end && token.space.length == 0 &&
             (isalnum((unsigned char)at[1]) || at[1] == '!')) {
    length = 1; /* the x of a shape */
  } else if (*at == '"') {
    token.kind = TOKEN_STRING;
    length = string_length(at, end);
  } else if (strchr("%@^#!", *at)) {
    token.kind = *at == '!' ? TOKEN_TYPE : TOKEN_VALUE;
    length = 1 + word_length(at + 1, end);
  } else if (isalpha((unsigned char)*at) || *at == '_') {
    token.kind = TOKEN_WORD;
    length = word_length(at, end);
  } else if (at + 1 < end && at[0] == '-' && at[1] == '>') {
    length = 2;
  }
  token.text = (struct slice){at, length};
  return token;
}

void tokenize(struct slice text, struct tokens *out) {
  const char *at = text.data, *end = text.data + text.length;
  while (at < end) {
    struct token token = next_token(at, end);
    insert_token(out, out->count, token);
    at = token.text.data + token.text.length;
  }
}

void print_tokens(const struct tokens *tokens, struct text *out) {
  for (size_t i = 0; i < tokens->count; i++) {
    text_append(out, tokens->list[i].space.data, tokens->list[i].space.length);
    text_append(out, tokens->list[i].text.data, tokens->list[i].text.length);
  }
}

bool same_text(struct slice a, struct slice b) {
  return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

void tokens_free(struct tokens *tokens) {
  free(tokens->list);
  arena_destroy(&tokens->arena);
  *tokens = (struct tokens){0};
}
