/* SPDX-License-Identifier: MIT */
/* Growing text: doubling buffer. */
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/c_locale.h"

static void reserve(struct text *text, size_t extra) {
  size_t needed = text->length + extra + 1;
  if (needed <= text->capacity)
    return;
  size_t capacity = text->capacity ? text->capacity * 2 : 64;
  if (capacity < needed)
    capacity = needed;
  text->data = tile_reallocate(text->data, capacity);
  text->capacity = capacity;
}

void text_append(struct text *text, const char *bytes, size_t length) {
  reserve(text, length);
  if (length)
    memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = 0;
}

void text_puts(struct text *text, const char *string) {
  text_append(text, string, strlen(string));
}

void text_vprintf(struct text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  reserve(text, 0);
  size_t room = text->capacity - text->length;
  int length = c_vsnprintf(text->data + text->length, room, format, again);
  va_end(again);
  if (length < 0) {
    text->data[text->length] = 0;
    return;
  }
  if ((size_t)length >= room) {
    reserve(text, (size_t)length);
    c_vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
  }
  text->length += (size_t)length;
}

void text_printf(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vprintf(text, format, arguments);
  va_end(arguments);
}

void text_character(struct text *text, uint32_t code) {
  static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
  char bytes[4];
  size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = count - 1; i > 0; i--, code >>= 6)
    bytes[i] = (char)(0x80 | (code & 0x3F));
  bytes[0] = (char)(first[count] | code);
  text_append(text, bytes, count);
}

void text_json_string(struct text *text, const char *string) {
  text_puts(text, "\"");
  for (const unsigned char *c = (const unsigned char *)string; *c; c++)
    if (*c == '"' || *c == '\\')
      text_printf(text, "\\%c", *c);
    else if (*c < ' ')
      text_printf(text, "\\u%04x", *c);
    else
      text_append(text, (const char *)c, 1);
  text_puts(text, "\"");
}

const char *text_string(const struct text *text) {
  return text->data ? text->data : "";
}

char *text_take(struct text *text) {
  reserve(text, 0);
  text->data[text->length] = 0;
  char *result = text->data;
  *text = (struct text){0};
  return result;
}

void text_free(struct text *text) {
  free(text->data);
  *text = (struct text){0};
}

void text_quote(struct text *text, struct slice string, char quote) {
  text_append(text, &quote, 1);
  for (size_t i = 0; i < string.length; i++) {
    unsigned char c = (unsigned char)string.data[i];
    if (c == (unsigned char)quote || c == '\\')
      text_printf(text, "\\%c", c);
    else if (c == '\n')
      text_puts(text, "\\n");
    else if (c < ' ' || c == 0x7f)
      text_printf(text, "\\x%02x", c);
    else
      text_append(text, (const char *)&c, 1);
  }
  text_append(text, &quote, 1);
}

char *text_keep(struct text *text, struct arena *arena) {
  char *copy = arena_copy_string(arena, text_string(text), text->length);
  text_free(text);
  return copy;
}

char *text_vformat(struct arena *arena, const char *format, va_list arguments) {
  struct text text = {0};
  text_vprintf(&text, format, arguments);
  return text_keep(&text, arena);
}

char *text_format(struct arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = text_vformat(arena, format, arguments);
  va_end(arguments);
  return text;
}

struct slice slice_of(const char *string) {
  return (struct slice){string, strlen(string)};
}

bool slice_equals(struct slice slice, const char *string) {
  return slice.length == strlen(string) && memcmp(slice.data, string, slice.length) == 0;
}

bool slice_begins(struct slice slice, const char *start) {
  size_t length = strlen(start);
  return slice.length >= length && memcmp(slice.data, start, length) == 0;
}

struct slice slice_trim(struct slice slice) {
  while (slice.length && isspace((unsigned char)slice.data[0]))
    slice.data++, slice.length--;
  while (slice.length && isspace((unsigned char)slice.data[slice.length - 1]))
    slice.length--;
  return slice;
}

enum { LONGEST_WORD = 63 };

/* Levenshtein distance with one row of memory. Words longer than LONGEST_WORD never match. */
static size_t edit_distance(const char *a, const char *b) {
  size_t length_a = strlen(a), length_b = strlen(b);
  if (length_a > LONGEST_WORD || length_b > LONGEST_WORD)
    return (size_t)-1;
  size_t row[LONGEST_WORD + 1];
  for (size_t j = 0; j <= length_b; j++)
    row[j] = j;
  for (size_t i = 1; i <= length_a; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= length_b; j++) {
      size_t best = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      if (row[j] + 1 < best)
        best = row[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[length_b];
}

const char *nearest_word(const char *word, const char *const *candidates, size_t count) {
  const char *best = NULL;
  size_t best_distance = strlen(word) / 3 + 2;
  for (size_t i = 0; i < count; i++) {
    size_t distance = edit_distance(word, candidates[i]);
    if (distance < best_distance) {
      best = candidates[i];
      best_distance = distance;
    }
  }
  return best;
}

int digit_value(int character) {
  return character >= '0' && character <= '9'   ? character - '0'
         : character >= 'a' && character <= 'f' ? character - 'a' + 10
         : character >= 'A' && character <= 'F' ? character - 'A' + 10
                                                : 99;
}

const char *after_last(const char *name, char mark) {
  const char *last = strrchr(name, mark);
  return last ? last + 1 : name;
}

const char *word_suggestion(struct arena *arena, const char *word, const char *const *candidates,
                            size_t count) {
  const char *near = nearest_word(word, candidates, count);
  return near ? text_format(arena, "; did you mean '%s'?", near) : "";
}
