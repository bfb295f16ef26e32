/* SPDX-License-Identifier: MIT */
/* See expectations.h. */
#include "driver/expectations.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"

struct expectation {
  enum severity severity;
  unsigned line;    /* where the message is to appear; 0: without a place */
  unsigned column;  /* 0: anywhere in the line */
  unsigned written; /* line of the comment */
  unsigned count, seen;
  bool is_pattern;
  char *text;
};

struct expectations {
  const char *file;
  struct arena arena;
  struct expectation *rows;
  size_t count, capacity;
  bool failed; /* something unexpected came, or a comment is malformed */
};

static void complain(struct expectations *all, unsigned line, const char *what, const char *text) {
  fprintf(stderr, "%s:%u: error: %s%s%s\n", all->file, line, what, text ? ": " : "",
          text ? text : "");
  all->failed = true;
}

static struct expectation *add_row(struct expectations *all) {
  all->rows = tile_grow(all->rows, all->count, &all->capacity, sizeof *all->rows);
  struct expectation *row = &all->rows[all->count++];
  *row = (struct expectation){.count = 1};
  return row;
}

static const char *skip_spaces(const char *at) {
  return at + strspn(at, " \t");
}

/* "@+2", "@-1", "@above", "@below", "@7", "@unknown" after the keyword, without the "@". */
static const char *parse_line(const char *at, struct expectation *row) {
  if (strncmp(at, "above", 5) == 0) {
    row->line--;
    return at + 5;
  }
  if (strncmp(at, "below", 5) == 0) {
    row->line++;
    return at + 5;
  }
  if (strncmp(at, "unknown", 7) == 0) {
    row->line = 0;
    return at + 7;
  }
  char *end;
  long value = strtol(at, &end, 10);
  if (end != at)
    row->line = *at == '+' || *at == '-' ? (unsigned)((long)row->line + value) : (unsigned)value;
  return end;
}

/* The line, and the column after it: "@+2:14", "@:14". */
static const char *parse_place(const char *at, struct expectation *row) {
  if (*at != '@')
    return at;
  at = parse_line(at + 1, row);
  if (*at != ':')
    return at;
  char *end;
  row->column = (unsigned)strtoul(at + 1, &end, 10);
  return end;
}

static bool parse_keyword(const char **at, struct expectation *row) {
  static const char *const words[] = {"error", "warning", "remark", "note"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (strncmp(*at, words[i], length) != 0)
      continue;
    row->severity = (enum severity)i;
    *at += length;
    if (strncmp(*at, "-re", 3) == 0) {
      row->is_pattern = true;
      *at += 3;
    }
    return true;
  }
  return false;
}

/* Pieces outside {{...}} are literal, those inside are POSIX extended regular expressions. */
static char *make_pattern(struct arena *arena, const char *text, size_t length) {
  struct text pattern = {0};
  bool inside = false;
  for (size_t i = 0; i < length; i++) {
    if (i + 1 < length && text[i] == (inside ? '}' : '{') && text[i + 1] == text[i]) {
      text_puts(&pattern, inside ? ")" : "(");
      inside = !inside;
      i++;
    } else if (!inside && strchr(".[]{}()\\*+?|^$", text[i])) {
      text_printf(&pattern, "\\%c", text[i]);
    } else {
      text_append(&pattern, &text[i], 1);
    }
  }
  return text_keep(&pattern, arena);
}

static void parse_comment(struct expectations *all, const char *at, unsigned line) {
  struct expectation row = {.line = line, .written = line, .count = 1};
  if (!parse_keyword(&at, &row))
    return; /* "expected-" of something else */
  at = skip_spaces(parse_place(skip_spaces(at), &row));
  char *end;
  unsigned long count = strtoul(at, &end, 10);
  if (end != at) {
    row.count = (unsigned)count;
    at = skip_spaces(end);
  }
  const char *close = NULL;
  if (strncmp(at, "{{", 2) == 0) /* the last "}}" of the line, so that a pattern may hold some */
    for (const char *c = at + 2; *c && *c != '\n'; c++)
      if (c[0] == '}' && c[1] == '}')
        close = c;
  if (!close) {
    complain(all, line, "an expected-* comment has its text in {{...}}", NULL);
    return;
  }
  size_t length = (size_t)(close - at - 2);
  row.text = row.is_pattern ? make_pattern(&all->arena, at + 2, length)
                            : arena_copy_string(&all->arena, at + 2, length);
  *add_row(all) = row;
}

struct expectations *expectations_read(const char *file, const char *text) {
  struct expectations *all = tile_allocate(sizeof *all);
  *all = (struct expectations){.file = file};
  static const char keyword[] = "expected-";
  unsigned line = 1;
  for (const char *at = text; *at; at++) {
    if (*at == '\n')
      line++;
    if (strncmp(at, keyword, sizeof keyword - 1) == 0)
      parse_comment(all, at + sizeof keyword - 1, line);
  }
  return all;
}

static bool matches(const struct expectation *row, const char *message) {
  if (!row->is_pattern)
    return strstr(message, row->text) != NULL;
  regex_t pattern;
  if (regcomp(&pattern, row->text, REG_EXTENDED | REG_NOSUB) != 0)
    return false;
  bool found = regexec(&pattern, message, 0, NULL, 0) == 0;
  regfree(&pattern);
  return found;
}

/* MLIR adds the operation in full to what a verifier says; mlir-opt turns that off when it compares
   diagnostics, which the C API cannot. */
static bool is_echo(const struct diagnostic *diagnostic) {
  static const char echo[] = "see current operation";
  return diagnostic->severity == SEVERITY_NOTE &&
         strncmp(diagnostic->message, echo, sizeof echo - 1) == 0;
}

void expectations_receive(const struct diagnostic *diagnostic, void *data) {
  struct expectations *all = data;
  for (size_t i = 0; i < all->count; i++) {
    struct expectation *row = &all->rows[i];
    if (row->severity == diagnostic->severity && row->line == diagnostic->line &&
        (row->column == 0 || row->column == diagnostic->column) && row->seen < row->count &&
        matches(row, diagnostic->message)) {
      row->seen++;
      return;
    }
  }
  if (is_echo(diagnostic)) /* may be expected, need not be */
    return;
  struct text what = {0};
  text_printf(&what, "unexpected %s", severity_name(diagnostic->severity));
  if (diagnostic->column)
    text_printf(&what, " at column %u", diagnostic->column);
  complain(all, diagnostic->line, text_string(&what), diagnostic->message);
  text_free(&what);
}

bool expectations_check(struct expectations *all) {
  for (size_t i = 0; i < all->count; i++) {
    const struct expectation *row = &all->rows[i];
    if (row->seen == row->count)
      continue;
    struct text what = {0};
    text_printf(&what, "expected %s %u time(s) at line %u", severity_name(row->severity),
                row->count, row->line);
    if (row->column)
      text_printf(&what, ", column %u", row->column);
    text_printf(&what, ", saw %u", row->seen);
    complain(all, row->written, text_string(&what), row->text);
    text_free(&what);
  }
  return !all->failed;
}

void expectations_destroy(struct expectations *all) {
  arena_destroy(&all->arena);
  free(all->rows);
  free(all);
}

/* --- Pieces ----------------------------------------------------------------------------------- */

/* The next line that is the separator, or NULL. */
static const char *find_separator(const char *text, const char *separator) {
  size_t length = strlen(separator);
  for (const char *line = text; line && *line;) {
    if (strncmp(line, separator, length) == 0 &&
        line[length + strspn(line + length, " \t\r")] == '\n')
      return line;
    line = strchr(line, '\n');
    if (line)
      line++;
  }
  return NULL;
}

tile_status split_pieces(const char *text, const char *separator, piece_fn *piece, void *data) {
  unsigned line = 0;
  tile_status first_error = NULL;
  for (const char *at = text; at;) {
    const char *end = find_separator(at, separator);
    struct text padded = {0};
    for (unsigned i = 0; i < line; i++)
      text_puts(&padded, "\n");
    text_append(&padded, at, end ? (size_t)(end - at) : strlen(at));
    tile_status status = piece(text_string(&padded), padded.length, at == text, data);
    if (first_error)
      tile_status_free(status);
    else
      first_error = status;
    text_free(&padded);
    for (const char *c = at; end && c < end; c++)
      line += *c == '\n';
    at = end ? strchr(end, '\n') + 1 : NULL;
    line++;
  }
  return first_error;
}
