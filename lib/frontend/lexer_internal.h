/* What the lexer's files share. */
#ifndef TILE_FRONTEND_LEXER_INTERNAL_H
#define TILE_FRONTEND_LEXER_INTERNAL_H

#include "frontend/lexer.h"

/* The byte at `position + ahead`, 0 behind the end (a zero in the text is never confused with it,
   as no token contains one). */
static inline char peek(const struct lexer *lexer, uint32_t ahead) {
  return lexer->position + ahead < lexer->end ? lexer->source->text[lexer->position + ahead] : 0;
}

static inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static inline bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}
static inline bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

/* Reports an error unless the lexer is silent or recovering; returns NULL then. */
struct problem *lexer_error(struct lexer *lexer, struct span span, const char *format, ...)
    TILE_PRINTF(3, 4);
/* The STOP token for an error at `span`; goes on behind it. */
struct token lexer_stop(struct lexer *lexer, struct span span);

/* A number at `position`, a digit or a dot with a digit behind it (lexer_numbers.c). */
struct token lexer_number(struct lexer *lexer);
/* A string whose prefix begins at `position` and whose opening quote is `prefix` bytes on
   (lexer_strings.c). */
struct token lexer_string(struct lexer *lexer, uint32_t prefix);

#endif
