/* SPDX-License-Identifier: MIT */
/* See space.h. */
#include "tune/space.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/status.h"

/* --- Candidates ------------------------------------------------------------------------------- */

void tune_space_free(struct tune_space *space) {
  for (size_t i = 0; i < space->count; i++)
    tune_candidate_free(&space->list[i]);
  free(space->list);
  *space = (struct tune_space){0};
}

static void append(struct tune_space *space, struct tune_candidate *candidate) {
  space->list = tile_grow(space->list, space->count, &space->capacity, sizeof *space->list);
  space->list[space->count++] = *candidate;
  *candidate = (struct tune_candidate){0};
}

tile_status tune_space_add(struct tune_space *space, struct tune_candidate *candidate) {
  for (size_t i = 0; i < space->count; i++)
    if (tune_candidate_compare(&space->list[i], candidate) == 0) {
      tune_candidate_free(candidate);
      return NULL;
    }
  if (space->count == TUNE_SPACE_MAX) {
    tune_candidate_free(candidate);
    return FAIL(TILE_INVALID_ARGUMENT, "there are more than %d candidates; leave some away",
                TUNE_SPACE_MAX);
  }
  append(space, candidate);
  return NULL;
}

/* --- Reading an entry ------------------------------------------------------------------------- */

/* NAME=VALUES, with the values as texts. */
struct entry {
  char *name;
  char **values;
  size_t count;
};

struct reading {
  const char *name, *text, *at, *end;
  struct entry *entries;
  size_t count;
  size_t combinations; /* of the entries so far */
};

static tile_status wrong(const struct reading *r, const char *at, const char *what) {
  size_t line = 1, column = 1;
  for (const char *c = r->text; c < at; c++)
    column = *c == '\n' ? (line++, 1) : column + 1;
  return FAIL(TILE_INVALID_ARGUMENT, "%s:%zu:%zu: %s", r->name, line, column, what);
}

static char *copy_bytes(const char *from, size_t length) {
  char *copy = tile_allocate(length + 1);
  memcpy(copy, from, length);
  copy[length] = 0;
  return copy;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* Goes over blanks, and over what divides entries where `lines`: commas, line ends and comments. */
static void skip(struct reading *r, bool lines) {
  while (r->at < r->end) {
    if (lines && *r->at == '#')
      while (r->at < r->end && *r->at != '\n')
        r->at++;
    else if (is_blank(*r->at) || (lines && (*r->at == ',' || *r->at == '\n')))
      r->at++;
    else
      return;
  }
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static tile_status add_value(struct reading *r, const char *at, struct entry *entry,
                             const char *value, size_t length) {
  for (size_t i = 0; i < entry->count; i++)
    if (strlen(entry->values[i]) == length && memcmp(entry->values[i], value, length) == 0)
      return wrong(r, at, "the value is there already");
  if (entry->count == TUNE_SPACE_MAX)
    return wrong(r, at, "there are more than 4096 values; leave some away");
  entry->values = tile_reallocate(entry->values, (entry->count + 1) * sizeof *entry->values);
  entry->values[entry->count++] = copy_bytes(value, length);
  return NULL;
}

/* The end of a value, or of a part of a range: at `|`, `:`, a comma, a line end or a comment
 * outside of quotes and brackets. */
static tile_status find_end(const struct reading *r, const char **out) {
  const char *at = r->at;
  int depth = 0;
  for (char quote = 0; at < r->end; at++) {
    if (*at == '\n' || (!quote && !depth && strchr("|:,#", *at)))
      break;
    if (quote && *at == '\\' && at + 1 < r->end)
      at++;
    else if (quote ? *at == quote : (*at == '\'' || *at == '"'))
      quote = quote ? 0 : *at;
    else if (!quote)
      depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
    if (depth < 0)
      return wrong(r, at, "a bracket is closed that is not open");
    if (at + 1 == r->end || at[1] == '\n') {
      if (quote || depth)
        return wrong(r, r->at,
                     quote ? "the string does not end on its line" : "a bracket is not closed");
    }
  }
  while (at > r->at && is_blank(at[-1]))
    at--;
  *out = at;
  return NULL;
}

static bool whole_number(const char *begin, const char *end, long long *out) {
  char digits[24], *last;
  size_t length = (size_t)(end - begin);
  if (length == 0 || length >= sizeof digits || *begin == '+' || is_blank(*begin))
    return false;
  memcpy(digits, begin, length);
  digits[length] = 0;
  errno = 0;
  *out = strtoll(digits, &last, 10);
  return !*last && !errno;
}

/* One part of a range, after ':'. */
static tile_status read_part(struct reading *r, long long *out) {
  const char *end;
  skip(r, false);
  TRY(find_end(r, &end));
  if (!whole_number(r->at, end, out))
    return wrong(r, r->at, "a range has whole numbers: FROM:TO, FROM:TO:STEP or FROM:TO:*FACTOR");
  r->at = end;
  skip(r, false);
  return NULL;
}

static tile_status add_range(struct reading *r, const char *at, struct entry *entry,
                             long long from) {
  long long to, step = 1;
  bool factor = false;
  r->at++;
  TRY(read_part(r, &to));
  if (r->at < r->end && *r->at == ':') {
    r->at++;
    skip(r, false);
    factor = r->at < r->end && *r->at == '*';
    r->at += factor;
    TRY(read_part(r, &step));
  }
  if (to < from)
    return wrong(r, at, "the range ends before it begins");
  if (factor ? step < 2 || from < 1 : step < 1)
    return wrong(r, at,
                 factor ? "a factor is 2 or more, and its range begins at 1 or more"
                        : "a step is 1 or more");
  for (long long value = from;;) {
    struct text digits = {0};
    text_printf(&digits, "%lld", value);
    tile_status status = add_value(r, at, entry, text_string(&digits), digits.length);
    text_free(&digits);
    TRY(status);
    if ((factor ? __builtin_mul_overflow(value, step, &value)
                : __builtin_add_overflow(value, step, &value)) ||
        value > to)
      return NULL;
  }
}

static tile_status read_value(struct reading *r, struct entry *entry) {
  const char *end, *at;
  long long number;
  skip(r, false);
  at = r->at;
  TRY(find_end(r, &end));
  if (end == at)
    return wrong(r, at, "a value is missing");
  r->at = end;
  skip(r, false);
  bool range = r->at < r->end && *r->at == ':';
  if (range && !whole_number(at, end, &number))
    return wrong(r, at, "a range has whole numbers: FROM:TO, FROM:TO:STEP or FROM:TO:*FACTOR");
  if (range)
    return add_range(r, at, entry, number);
  for (const char *c = at; c < end && *at != '\'' && *at != '"' && *at != '(' && *at != '['; c++)
    if (is_blank(*c) || *c == '=')
      return wrong(r, c, "values have '|' between them, entries ',' or a line end");
  return add_value(r, at, entry, at, (size_t)(end - at));
}

/* Launch options are checked as they are in a candidate's text. */
static tile_status check_option(struct reading *r, const char *at, const struct entry *entry) {
  static const char *const options[] = {"num_warps", "num_stages", "num_ctas", "maxnreg"};
  bool is_option = false;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    is_option |= strcmp(options[i], entry->name) == 0;
  for (size_t i = 0; i < entry->count && is_option; i++) {
    struct text text = {0};
    struct tune_candidate candidate;
    text_printf(&text, "{\"%s\": %s}", entry->name, entry->values[i]);
    tile_status status = tune_candidate_parse(text_string(&text), text.length, &candidate);
    text_free(&text);
    if (!status) {
      tune_candidate_free(&candidate);
      continue;
    }
    tile_status_free(status);
    return wrong(r, at,
                 "num_warps is a power of two up to 32, num_stages up to 16, num_ctas a power of "
                 "two up to 16, "
                 "maxnreg up to 255");
  }
  return NULL;
}

static tile_status read_entry(struct reading *r) {
  struct entry *entry = &r->entries[r->count - 1];
  const char *at = r->at;
  while (r->at < r->end && (is_letter(*r->at) || (r->at > at && *r->at >= '0' && *r->at <= '9')))
    r->at++;
  size_t length = (size_t)(r->at - at);
  skip(r, false);
  if (length == 0 || r->at == r->end || *r->at != '=')
    return wrong(r, at, "an entry is NAME=VALUES, as in BLOCK=32:256:*2 or num_warps=4|8");
  entry->name = copy_bytes(at, length);
  for (size_t i = 0; i + 1 < r->count; i++)
    if (strcmp(r->entries[i].name, entry->name) == 0)
      return wrong(r, at, "the name is there already");
  do {
    r->at++;
    TRY(read_value(r, entry));
  } while (r->at < r->end && *r->at == '|');
  if (r->at < r->end && !strchr(",\n#", *r->at))
    return wrong(r, r->at, "values have '|' between them, entries ',' or a line end");
  r->combinations *= entry->count;
  if (r->combinations > TUNE_SPACE_MAX) {
    struct text message = {0};
    text_printf(&message,
                "with this entry there are %zu candidates, of at most %d; leave values away",
                r->combinations, TUNE_SPACE_MAX);
    tile_status status = wrong(r, at, text_string(&message));
    text_free(&message);
    return status;
  }
  return check_option(r, at, entry);
}

static tile_status read_entries(struct reading *r) {
  for (skip(r, true); r->at < r->end; skip(r, true)) {
    r->entries = tile_reallocate(r->entries, (r->count + 1) * sizeof *r->entries);
    r->entries[r->count++] = (struct entry){0};
    TRY(read_entry(r));
  }
  return r->count ? NULL
                  : wrong(r, r->at, "the space is empty; it has entries such as BLOCK=32:256:*2");
}

/* --- Combining them --------------------------------------------------------------------------- */

static void set(struct tune_candidate *candidate, const char *name, const char *value) {
  int *option = strcmp(name, "num_warps") == 0    ? &candidate->num_warps
                : strcmp(name, "num_stages") == 0 ? &candidate->num_stages
                : strcmp(name, "num_ctas") == 0   ? &candidate->num_ctas
                : strcmp(name, "maxnreg") == 0    ? &candidate->maxnreg
                                                  : NULL;
  if (option)
    *option = atoi(value);
  else
    tune_candidate_add(candidate, name, value);
}

/* Candidate number `index`, whose digits are the entries' values, the last entry's lowest. */
static struct tune_candidate combine(const struct reading *r, size_t index) {
  struct tune_candidate out = {0};
  size_t below = r->combinations;
  for (size_t i = 0; i < r->count; i++) {
    const struct entry *entry = &r->entries[i];
    below /= entry->count;
    set(&out, entry->name, entry->values[index / below % entry->count]);
  }
  return out;
}

tile_status tune_space_parse(const char *name, const char *text, size_t length,
                             struct tune_space *out) {
  struct reading r = {
      .name = name, .text = text, .at = text, .end = text + length, .combinations = 1};
  struct tune_space space = {0};
  tile_status status = memchr(text, 0, length) ? wrong(&r, memchr(text, 0, length), "a zero byte")
                                               : read_entries(&r);
  for (size_t i = 0; i < r.combinations && !status; i++) {
    struct tune_candidate candidate = combine(&r, i);
    append(&space, &candidate); /* all are different */
  }
  for (size_t i = 0; i < r.count; i++) {
    for (size_t k = 0; k < r.entries[i].count; k++)
      free(r.entries[i].values[k]);
    free(r.entries[i].values);
    free(r.entries[i].name);
  }
  free(r.entries);
  if (status)
    tune_space_free(&space);
  else
    *out = space;
  return status;
}
