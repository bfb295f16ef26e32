/* SPDX-License-Identifier: MIT */
/* Strings of TOML and JSON: the four kinds, escapes, UTF-8. */
#include <string.h>
#include "base/toml_reader.h"

size_t toml_character_bytes(const struct toml_reader *reader) {
  int first = toml_peek(reader, 0);
  if (first < 0x80)
    return first >= 0;
  size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4)
    return 0;
  for (size_t i = 1; i < bytes; i++)
    if ((toml_peek(reader, i) & ~0x3F) != 0x80) /* -1 has other bits, too */
      return 0;
  int second = toml_peek(reader, 1);
  bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
               (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? 0 : bytes;
}

static bool read_hex(struct toml_reader *reader, int digits, uint32_t *out) {
  *out = 0;
  for (int i = 0; i < digits; i++, reader->at++) {
    int digit = digit_value(toml_peek(reader, 0));
    if (digit >= 16)
      return toml_fail_expected(reader, "a hexadecimal digit");
    *out = *out << 4 | (uint32_t)digit;
  }
  return true;
}

/* \uHHHH and \UHHHHHHHH, after the letter; of JSON also a pair of surrogates. */
static bool read_code(struct toml_reader *reader, int digits, struct text *out) {
  uint32_t code, low;
  size_t start = reader->at - 2;
  if (!read_hex(reader, digits, &code))
    return false;
  if (reader->is_json && code >= 0xD800 && code < 0xDC00 && toml_starts(reader, "\\u")) {
    reader->at += 2;
    if (!read_hex(reader, 4, &low))
      return false;
    if (low >= 0xDC00 && low < 0xE000)
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
    return toml_fail(reader, start, reader->at - start, "there is no such Unicode character");
  text_character(out, code);
  return true;
}

/* A backslash at the end of a line of """: it, the line's end and all blanks after it are nothing.
 */
static bool skip_line_end(struct toml_reader *reader) {
  size_t start = reader->at, lines = 0;
  while (toml_peek(reader, 0) >= 0 && strchr(" \t\n", toml_peek(reader, 0)))
    lines += reader->text[reader->at++] == '\n';
  while (toml_starts(reader, "\r\n") ||
         (lines && toml_peek(reader, 0) >= 0 && strchr(" \t\n", toml_peek(reader, 0)))) {
    reader->at += toml_starts(reader, "\r\n") ? 2 : 1;
    lines++;
  }
  if (!lines)
    reader->at = start;
  return lines;
}

static bool read_escape(struct toml_reader *reader, bool many_lines, struct text *out) {
  static const char names[] = "btnfr\"\\/", codes[] = "\b\t\n\f\r\"\\/";
  reader->at++;
  if (many_lines && skip_line_end(reader))
    return true;
  int c = toml_peek(reader, 0);
  const char *found = c > 0 ? strchr(names, c) : NULL;
  if (found && (c != '/' || reader->is_json)) {
    reader->at++;
    text_append(out, &codes[found - names], 1);
    return true;
  }
  if (c != 'u' && (c != 'U' || reader->is_json))
    return toml_fail(reader, reader->at - 1, 1 + (c >= 0),
                     "unknown escape; there are \\b \\t \\n \\f \\r \\\" \\\\ %s",
                     reader->is_json ? "\\/ \\uHHHH" : "\\uHHHH \\UHHHHHHHH");
  reader->at++;
  return read_code(reader, c == 'u' ? 4 : 8, out);
}

/* One character as it is. */
static bool read_plain(struct toml_reader *reader, bool many_lines, struct text *out) {
  int c = toml_peek(reader, 0);
  size_t bytes = toml_character_bytes(reader);
  bool line_end = c == '\n' || toml_starts(reader, "\r\n");
  if (line_end && !many_lines)
    return toml_fail(reader, reader->at, 0, "the string is not closed on its line");
  if (line_end)
    bytes = c == '\n' ? 1 : 2;
  else if (c == 0x7F || (c < 0x20 && c != '\t') || (reader->is_json && c == '\t'))
    return toml_fail(reader, reader->at, 1, "a string holds control characters as escapes: \\u%04X",
                     (unsigned)c);
  text_append(out, reader->text + reader->at, bytes);
  reader->at += bytes;
  return true;
}

/* After the opening marks, to after the closing ones; of """ up to two marks may stand before them.
 */
static bool read_rest(struct toml_reader *reader, int quote, bool many_lines, struct text *out,
                      bool *plain) {
  size_t marks = many_lines ? 3 : 1, start = reader->at - marks;
  if (many_lines)
    reader->at += toml_starts(reader, "\r\n") ? 2 : toml_starts(reader, "\n");
  for (;;) {
    int c = toml_peek(reader, 0);
    if (c < 0)
      return toml_fail(reader, start, marks, "the string that begins here is not closed");
    if (c == quote && !many_lines) {
      reader->at++;
      return true;
    }
    if (c == quote && toml_peek(reader, 1) == quote && toml_peek(reader, 2) == quote &&
        toml_peek(reader, 3) != quote) {
      reader->at += 3;
      return true;
    }
    if (c == quote && toml_starts(reader, quote == '"' ? "\"\"\"\"\"\"" : "''''''"))
      return toml_fail(reader, reader->at, 6, "at most five quotation marks may stand together");
    bool escape = c == '\\' && quote == '"';
    *plain = *plain && !escape;
    if (!(escape ? read_escape(reader, many_lines, out) : read_plain(reader, many_lines, out)))
      return false;
  }
}

bool toml_read_string(struct toml_reader *reader, bool single_line, struct slice *out,
                      bool *out_plain) {
  int quote = toml_peek(reader, 0);
  bool many_lines =
      !reader->is_json && toml_peek(reader, 1) == quote && toml_peek(reader, 2) == quote;
  struct text text = {0};
  if (many_lines && single_line)
    return toml_fail(reader, reader->at, 3, "a key is written on one line: in \"...\" or '...'");
  reader->at += many_lines ? 3 : 1;
  *out_plain = !many_lines;
  bool good = read_rest(reader, quote, many_lines, &text, out_plain);
  *out = (struct slice){arena_copy_string(reader->arena, text_string(&text), text.length),
                        text.length};
  text_free(&text);
  return good;
}
