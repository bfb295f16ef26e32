/* SPDX-License-Identifier: MIT */
/* What the lexer's files share. */
#ifndef TILE_FRONTEND_LEXER_INTERNAL_H
#define TILE_FRONTEND_LEXER_INTERNAL_H

#include "frontend/lexer.h"

/* The byte at `position + ahead`, 0 after the end (a zero in the text is never confused with it,
   as no token contains one). */
static inline char peek(const struct lexer *lexer, uint32_t ahead) {
  uint32_t offset = lexer->position + ahead;
  return offset < lexer->end ? *source_at(lexer->source, offset) : 0;
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
/* The STOP token for an error at `span`; goes on after it. */
struct token lexer_stop(struct lexer *lexer, struct span span);

/* --- lexer_lines.c ---------------------------------------------------------------------------- */

/* Advances over "\n", "\r\n" or "\r". */
void lexer_skip_line_end(struct lexer *lexer);
void lexer_skip_comment(struct lexer *lexer);
/* Goes to the next line with a token and compares its indentation with the blocks around it;
   INDENTs and DEDENTs are then pending. */
void lexer_begin_line(struct lexer *lexer);
/* At the start of a line inside brackets: true when they end here, though they were not closed. */
bool lexer_gives_up_brackets(struct lexer *lexer);
/* Reports that; a STOP token. */
struct token lexer_never_closed(struct lexer *lexer);

/* --- lexer.c, lexer_characters.c -------------------------------------------------------------- */

/* True for keywords that can stand only at the start of a statement. */
bool lexer_is_statement_word(struct slice word);
/* True for characters beyond ASCII that may be part of a name. */
bool lexer_is_letter(uint32_t character);
/* Reports the character at `position`, which begins no token. */
struct token lexer_misfit(struct lexer *lexer);

/* --- lexer_numbers.c, lexer_strings.c --------------------------------------------------------- */

/* A number at `position`, a digit or a dot with a digit after it. */
struct token lexer_number(struct lexer *lexer);
/* A string whose prefix begins at `position` and whose opening quote is `prefix` bytes on. */
struct token lexer_string(struct lexer *lexer, uint32_t prefix);

#endif
