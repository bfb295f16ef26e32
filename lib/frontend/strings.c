/* SPDX-License-Identifier: MIT */
/* String literals: prefixes and escapes (Python reference 2.4.1). */
#include "frontend/strings.h"

#include <string.h>

struct string_form string_form_of(const struct source *source, struct span token) {
  struct string_form form = {0};
  const char *text = source_at(source, token.offset);
  uint32_t start = 0, quotes = 1;
  for (; text[start] != '"' && text[start] != '\''; start++) {
    form.is_raw |= (text[start] | 0x20) == 'r';
    form.is_bytes |= (text[start] | 0x20) == 'b';
    form.is_formatted |= (text[start] | 0x20) == 'f';
  }
  if (token.length - start >= 6 && text[start + 1] == text[start] && text[start + 2] == text[start])
    quotes = 3;
  form.body = (struct span){token.offset + start + quotes, token.length - start - 2 * quotes};
  return form;
}

/* \xhh, \uhhhh, \Uhhhhhhhh: exactly `digits` digits. */
static const char *decode_hex(const struct source *source, const struct string_form *form,
                              uint32_t end, uint32_t *position, uint32_t digits, struct text *out) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < digits; i++, ++*position) {
    int digit = *position < end ? digit_value(*source_at(source, *position)) : 16;
    if (digit >= 16)
      return digits == 2   ? "two hexadecimal digits follow '\\x'"
             : digits == 4 ? "four hexadecimal digits follow '\\u'"
                           : "eight hexadecimal digits follow '\\U'";
    value = value << 4 | (uint32_t)digit;
  }
  if (value > 0x10FFFF)
    return "there is no character beyond '\\U0010FFFF'";
  if (form->is_bytes)
    text_append(out, (const char[]){(char)value}, 1);
  else
    text_character(out, value);
  return NULL;
}

static void decode_octal(const struct source *source, const struct string_form *form, uint32_t end,
                         uint32_t *position, struct text *out) {
  uint32_t value = 0, start = *position;
  for (; *position < end && *position < start + 3; ++*position) {
    char digit = *source_at(source, *position);
    if (digit < '0' || digit > '7')
      break;
    value = value << 3 | (uint32_t)(digit - '0');
  }
  if (form->is_bytes)
    text_append(out, (const char[]){(char)value}, 1);
  else
    text_character(out, value);
}

/* \N{...}: the spelling is kept. */
static const char *keep_named(const struct source *source, uint32_t end, uint32_t *position,
                              struct text *out) {
  uint32_t start = *position - 2;
  const char *open = source_at(source, *position);
  const char *close = *position < end && *open == '{' ? memchr(open, '}', end - *position) : NULL;
  if (!close)
    return "the name of a character in braces follows '\\N'";
  *position += (uint32_t)(close - open) + 1;
  text_append(out, source_at(source, start), *position - start);
  return NULL;
}

static uint32_t line_end_length(const char *text, uint32_t available) {
  return available == 0                                        ? 0
         : text[0] == '\r' && available > 1 && text[1] == '\n' ? 2
         : text[0] == '\r' || text[0] == '\n'                  ? 1
                                                               : 0;
}

/* After a backslash. */
static const char *decode_escape(const struct source *source, const struct string_form *form,
                                 uint32_t end, uint32_t *position, struct text *out) {
  static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
  char c = *source_at(source, *position);
  uint32_t line_end = line_end_length(source_at(source, *position), end - *position);
  if (line_end) {
    *position += line_end;
    return NULL;
  }
  const char *simple = c ? strchr(from, c) : NULL;
  if (simple) {
    ++*position;
    text_append(out, &to[simple - from], 1);
    return NULL;
  }
  if (c >= '0' && c <= '7') {
    decode_octal(source, form, end, position, out);
    return NULL;
  }
  if (c == 'x' || (!form->is_bytes && (c == 'u' || c == 'U'))) {
    ++*position;
    return decode_hex(source, form, end, position, c == 'x' ? 2 : c == 'u' ? 4 : 8, out);
  }
  if (c == 'N' && !form->is_bytes) {
    ++*position;
    return keep_named(source, end, position, out);
  }
  text_puts(out, "\\");
  return NULL;
}

const char *string_decode_next(const struct source *source, const struct string_form *form,
                               uint32_t end, uint32_t *position, struct text *out) {
  const char *at = source_at(source, *position);
  uint32_t line_end = line_end_length(at, end - *position);
  if (line_end) {
    *position += line_end;
    text_puts(out, "\n");
    return NULL;
  }
  ++*position;
  if (*at == '\\' && !form->is_raw && *position < end)
    return decode_escape(source, form, end, position, out);
  text_append(out, at, 1);
  return NULL;
}
