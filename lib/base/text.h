/* SPDX-License-Identifier: MIT */
/* Growing text and small string helpers. */
#ifndef TILE_BASE_TEXT_H
#define TILE_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tile/status.h"

/* A borrowed run of bytes. */
struct slice {
  const char *data;
  size_t length;
};

/* A growing byte string, always zero-terminated once written to. Zero-initialise; text_free ends
   it. One thread at a time. */
struct text {
  char *data;
  size_t length, capacity;
};

void text_append(struct text *text, const char *bytes, size_t length);
void text_puts(struct text *text, const char *string);
void text_printf(struct text *text, const char *format, ...) TILE_PRINTF(2, 3);
void text_vprintf(struct text *text, const char *format, va_list arguments);
/* Appends a character of Unicode as UTF-8. */
void text_character(struct text *text, uint32_t code);
/* Appends a string literal of JSON. */
void text_json_string(struct text *text, const char *string);
/* Appends a string between quotes as Python writes it: escapes for quotes and control characters.
 */
void text_quote(struct text *text, struct slice string, char quote);
/* The content, "" when empty; borrowed until the next change. */
const char *text_string(const struct text *text);
/* Moves the content out (never NULL, free with free) and leaves the text empty. */
char *text_take(struct text *text);
void text_free(struct text *text);

struct arena;
/* Moves the content into an arena and ends the text. */
char *text_keep(struct text *text, struct arena *arena);
/* What printf would write, in an arena. */
char *text_format(struct arena *arena, const char *format, ...) TILE_PRINTF(2, 3);
char *text_vformat(struct arena *arena, const char *format, va_list arguments);

struct slice slice_of(const char *string);
bool slice_equals(struct slice slice, const char *string);
bool slice_begins(struct slice slice, const char *start);
struct slice slice_trim(struct slice slice);

/* The value of a digit of base 16 or less, 99 for all else. */
int digit_value(int character);

/* What stands after the last dot of a dotted name, or slash of a path; all of it without one. */
const char *after_last(const char *name, char mark);

/* Of `count` candidate words the one closest to `word` in edit distance, or NULL when none is near
   enough to be worth proposing. For "did you mean" messages. */
const char *nearest_word(const char *word, const char *const *candidates, size_t count);
/* The end of such a message, "; did you mean 'X'?", or "". In the arena. */
const char *word_suggestion(struct arena *arena, const char *word, const char *const *candidates,
                            size_t count);

#endif
