/* SPDX-License-Identifier: MIT */
/* Source text: the index of lines, and quoting with a caret. */
#include "frontend/source.h"

#include <string.h>

static const char byte_order_mark[] = "\xEF\xBB\xBF";

static bool ends_line(const char *text, size_t length, size_t i) {
  return text[i] == '\n' || (text[i] == '\r' && (i + 1 == length || text[i + 1] != '\n'));
}

struct source source_create(struct arena *arena, const char *name, const char *text, size_t length,
                            uint32_t base) {
  struct source source = {.name = arena_copy_string(arena, name, strlen(name)),
                          .text = arena_copy_string(arena, text, length),
                          .base = base,
                          .end = base + (uint32_t)length,
                          .start = base,
                          .line_count = 1};
  if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0)
    source.start += 3;
  for (size_t i = source.start - base; i < length; i++)
    source.line_count += ends_line(text, length, i);
  uint32_t *lines = ARENA_ARRAY(arena, uint32_t, source.line_count), line = 0;
  lines[line++] = source.start;
  for (size_t i = source.start - base; i < length; i++)
    if (ends_line(text, length, i))
      lines[line++] = base + (uint32_t)i + 1;
  source.lines = lines;
  return source;
}

struct place source_place(const struct source *source, uint32_t offset) {
  if (offset > source->end)
    offset = source->end;
  if (offset < source->start)
    offset = source->start;
  uint32_t low = 0, high = source->line_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return (struct place){low + 1, offset - source->lines[low] + 1};
}

struct slice source_line(const struct source *source, uint32_t line) {
  if (line == 0 || line > source->line_count)
    return (struct slice){"", 0};
  uint32_t start = source->lines[line - 1];
  uint32_t end = line < source->line_count ? source->lines[line] : source->end;
  const char *text = source_at(source, start);
  size_t length = end - start;
  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
    length--;
  return (struct slice){text, length};
}

struct slice source_slice(const struct source *source, struct span span) {
  if (span.offset > source->end)
    span.offset = source->end;
  if (span.length > source->end - span.offset)
    span.length = source->end - span.offset;
  return (struct slice){source_at(source, span.offset), span.length};
}

/* --- Quoting ---------------------------------------------------------------------------------- */

uint32_t utf8_decode(const char *text, size_t length, size_t *bytes) {
  const unsigned char *p = (const unsigned char *)text;
  size_t count = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
  *bytes = 1;
  if (count == 1)
    return p[0];
  if (count == 0 || p[0] > 0xF4 || count > length)
    return 0xFFFD;
  uint32_t character = p[0] & (0x7F >> count);
  for (size_t i = 1; i < count; i++) {
    if ((p[i] & 0xC0) != 0x80)
      return 0xFFFD;
    character = character << 6 | (p[i] & 0x3F);
  }
  *bytes = count;
  return character;
}

struct character_range {
  uint32_t first, last;
  int cells;
};

/* Cells a terminal gives to a character, where it is not one. */
static const struct character_range widths[] = {
    {0x0300, 0x036F, 0},   {0x200B, 0x200F, 0}, {0xFE00, 0xFE0F, 0}, {0xFEFF, 0xFEFF, 0},
    {0x1100, 0x115F, 2},   {0x2E80, 0xA4CF, 2}, {0xAC00, 0xD7A3, 2}, {0xF900, 0xFAFF, 2},
    {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2}, {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1FAFF, 2},
    {0x20000, 0x3FFFD, 2},
};

static int cells_of(uint32_t character) {
  if (character >= 0x300)
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
      if (widths[i].first <= character && character <= widths[i].last)
        return widths[i].cells;
  return 1;
}

/* A line is shown whole up to this many bytes, else a window of it. */
enum { LONGEST_QUOTE = 160, BEFORE_CARET = 60 };

static bool is_continuation(char c) {
  return ((unsigned char)c & 0xC0) == 0x80;
}

/* Cuts the line to a window around `column` (bytes from 0) at whole characters; returns how many
   bytes were cut before it. */
static size_t cut_window(struct slice *line, size_t column) {
  size_t first = column > BEFORE_CARET ? column - BEFORE_CARET : 0;
  while (first > 0 && is_continuation(line->data[first]))
    first--;
  size_t last = first + LONGEST_QUOTE < line->length ? first + LONGEST_QUOTE : line->length;
  while (last > first && last < line->length && is_continuation(line->data[last]))
    last--;
  *line = (struct slice){line->data + first, last - first};
  return first;
}

static bool is_shown(uint32_t character) {
  return character != 0xFFFD && character >= 0x20 && !(character >= 0x7F && character < 0xA0) &&
         !(character >= 0x202A && character <= 0x202E) &&
         !(character >= 0x2066 && character <= 0x2069);
}

void source_quote(const struct source *source, struct span span, struct text *out) {
  struct place place = source_place(source, span.offset);
  struct slice whole = source_line(source, place.line), line = whole;
  size_t start = place.column - 1 < line.length ? place.column - 1 : line.length;
  size_t end = span.length < line.length - start ? start + span.length : line.length;
  size_t cut = whole.length > LONGEST_QUOTE ? cut_window(&line, start) : 0;
  start -= cut, end -= cut;
  struct text marks = {0};
  const char *indent = cut ? "  ..." : "  ";
  text_puts(out, indent);
  text_printf(&marks, "%*s", (int)strlen(indent), "");
  for (size_t i = 0, bytes; i < line.length; i += bytes) {
    uint32_t character = utf8_decode(line.data + i, line.length - i, &bytes);
    bool tab = character == '\t', shown = tab || is_shown(character);
    text_append(out, shown ? line.data + i : "?", shown ? bytes : 1);
    if (i < start)
      text_printf(&marks, "%*s", shown ? cells_of(character) : 1, tab ? "\t" : "");
    else if (i == start || i < end)
      for (int cell = 0; cell < (tab ? 1 : cells_of(character)); cell++)
        text_puts(&marks, i == start && cell == 0 ? "^" : "~");
  }
  if (start >= line.length)
    text_puts(&marks, "^");
  text_printf(out, "%s\n%s\n", cut + line.length < whole.length ? "..." : "", text_string(&marks));
  text_free(&marks);
}
