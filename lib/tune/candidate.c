/* SPDX-License-Identifier: MIT */
/* See candidate.h. */
#include "tune/candidate.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/machine.h"
#include "base/status.h"

static char *copy_string(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(tile_allocate(size), text, size);
}

void tune_candidate_add(struct tune_candidate *candidate, const char *name, const char *value) {
  candidate->constants =
      tile_reallocate(candidate->constants, (candidate->count + 1) * sizeof *candidate->constants);
  candidate->constants[candidate->count++] =
      (struct tune_constant){.name = copy_string(name), .value = copy_string(value)};
}

const char *tune_candidate_get(const struct tune_candidate *candidate, const char *name) {
  for (size_t i = 0; i < candidate->count; i++)
    if (strcmp(candidate->constants[i].name, name) == 0)
      return candidate->constants[i].value;
  return NULL;
}

struct tune_candidate tune_candidate_copy(const struct tune_candidate *candidate) {
  struct tune_candidate copy = *candidate;
  copy.constants = NULL;
  copy.count = 0;
  for (size_t i = 0; i < candidate->count; i++)
    tune_candidate_add(&copy, candidate->constants[i].name, candidate->constants[i].value);
  return copy;
}

struct tune_candidate tune_candidate_of(const tile_configuration *configuration) {
  struct tune_candidate out = {.num_warps = configuration->num_warps,
                               .num_stages = configuration->num_stages,
                               .num_ctas = configuration->num_ctas,
                               .maxnreg = configuration->max_registers};
  for (size_t i = 0; i < configuration->constant_count; i++)
    tune_candidate_add(&out, configuration->constants[i].name, configuration->constants[i].text);
  return out;
}

void tune_candidate_free(struct tune_candidate *candidate) {
  for (size_t i = 0; i < candidate->count; i++) {
    free(candidate->constants[i].name);
    free(candidate->constants[i].value);
  }
  free(candidate->constants);
  *candidate = (struct tune_candidate){0};
}

/* --- Launch options: one row each ------------------------------------------------------------- */

static const struct launch_option {
  const char *name;
  size_t offset;
  int most;
  bool power_of_two;
  int quiet; /* a value that people need not see */
} launch_options[] = {
    {"num_warps", offsetof(struct tune_candidate, num_warps), MACHINE_BLOCK_WARPS, true, 0},
    {"num_stages", offsetof(struct tune_candidate, num_stages), 16, false, 0},
    {"num_ctas", offsetof(struct tune_candidate, num_ctas), 16, true, 1},
    {"maxnreg", offsetof(struct tune_candidate, maxnreg), MACHINE_THREAD_REGISTERS, false, 0},
};
enum { OPTION_COUNT = sizeof launch_options / sizeof *launch_options };

static int option_value(const struct tune_candidate *candidate, size_t option) {
  return *(const int *)((const char *)candidate + launch_options[option].offset);
}

static void set_option(struct tune_candidate *candidate, size_t option, int value) {
  *(int *)((char *)candidate + launch_options[option].offset) = value;
}

/* --- Texts ------------------------------------------------------------------------------------ */

void tune_candidate_print(const struct tune_candidate *candidate, struct text *out) {
  text_puts(out, "{\"constants\":{");
  for (size_t i = 0; i < candidate->count; i++) {
    text_puts(out, i ? "," : "");
    text_json_string(out, candidate->constants[i].name);
    text_puts(out, ":");
    text_json_string(out, candidate->constants[i].value);
  }
  text_puts(out, "}");
  for (size_t i = 0; i < OPTION_COUNT; i++)
    text_printf(out, ",\"%s\":%d", launch_options[i].name, option_value(candidate, i));
  text_puts(out, "}");
}

void tune_candidate_describe(const struct tune_candidate *candidate, struct text *out) {
  const char *separator = "";
  for (size_t i = 0; i < candidate->count; i++, separator = " ")
    text_printf(out, "%s%s=%s", separator, candidate->constants[i].name,
                candidate->constants[i].value);
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    int value = option_value(candidate, i);
    if (value == 0 || value == launch_options[i].quiet)
      continue;
    text_printf(out, "%s%s=%d", separator, launch_options[i].name, value);
    separator = " ";
  }
  text_puts(out, *separator ? "" : "(no constants)");
}

/* --- Reading: the little JSON that a candidate is --------------------------------------------- */

struct reader {
  const char *text, *at, *end;
};

static tile_status wrong(const struct reader *reader, const char *what) {
  return FAIL(TILE_INVALID_ARGUMENT, "a candidate's text, at byte %zu: %s, in '%.*s%s'",
              (size_t)(reader->at - reader->text), what,
              (int)(reader->end - reader->text > 200 ? 200 : reader->end - reader->text),
              reader->text, reader->end - reader->text > 200 ? "..." : "");
}

static void skip_blanks(struct reader *reader) {
  while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at)
    reader->at++;
}

/* Goes over `c`, with blanks before it. */
static bool take(struct reader *reader, char c) {
  skip_blanks(reader);
  if (reader->at == reader->end || *reader->at != c)
    return false;
  reader->at++;
  return true;
}

static tile_status read_four_digits(struct reader *reader, unsigned *out) {
  *out = 0;
  for (int i = 0; i < 4; i++, reader->at++) {
    char c = reader->at < reader->end ? *reader->at : 0;
    unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                     : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                            : 16;
    if (digit == 16)
      return wrong(reader, "\\u takes four hexadecimal digits");
    *out = *out * 16 + digit;
  }
  return NULL;
}

static void append_utf8(struct text *out, unsigned code) {
  char bytes[4];
  size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = count; i-- > 1; code >>= 6)
    bytes[i] = (char)(0x80 | (code & 0x3f));
  bytes[0] = (char)(first[count] | code);
  text_append(out, bytes, count);
}

/* After "\u"; two of them are one character beyond U+FFFF. */
static tile_status read_unicode(struct reader *reader, struct text *out) {
  unsigned code, low;
  TRY(read_four_digits(reader, &code));
  if (code >= 0xd800 && code < 0xdc00) {
    if (reader->end - reader->at < 2 || memcmp(reader->at, "\\u", 2) != 0)
      return wrong(reader, "half a character");
    reader->at += 2;
    TRY(read_four_digits(reader, &low));
    if (low < 0xdc00 || low > 0xdfff)
      return wrong(reader, "half a character");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    return wrong(reader, "half a character");
  }
  if (code == 0)
    return wrong(reader, "a string with a zero in it");
  append_utf8(out, code);
  return NULL;
}

static tile_status read_escape(struct reader *reader, struct text *out) {
  static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  char c = reader->at < reader->end ? *reader->at++ : 0;
  const char *found = c ? strchr(letters, c) : NULL;
  if (c == 'u')
    return read_unicode(reader, out);
  if (!found)
    return wrong(reader, "no such escape");
  text_append(out, &meant[found - letters], 1);
  return NULL;
}

/* A string into `out`, which is emptied first. */
static tile_status read_string(struct reader *reader, struct text *out) {
  text_free(out);
  if (!take(reader, '"'))
    return wrong(reader, "a string in double quotes is missing");
  while (reader->at < reader->end && *reader->at != '"') {
    if ((unsigned char)*reader->at < ' ')
      return wrong(reader, "a control character in a string");
    if (*reader->at == '\\') {
      reader->at++;
      TRY(read_escape(reader, out));
    } else {
      text_append(out, reader->at++, 1);
    }
  }
  return take(reader, '"') ? NULL : wrong(reader, "the string does not end");
}

static tile_status read_number(struct reader *reader, const struct launch_option *option,
                               int *out) {
  long value = 0;
  skip_blanks(reader);
  const char *begin = reader->at;
  while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9' && value < 1000)
    value = value * 10 + (*reader->at++ - '0');
  if (reader->at == begin)
    return wrong(reader, "a whole number is missing");
  if (value > option->most || (option->power_of_two && (value & (value - 1)))) {
    char what[96];
    snprintf(what, sizeof what, "%s is %s up to %d, or 0", option->name,
             option->power_of_two ? "a power of two" : "a number", option->most);
    return wrong(reader, what);
  }
  *out = (int)value;
  return NULL;
}

/* One entry of "constants", or one member of the candidate, whose name was read. */
typedef tile_status read_entry(struct reader *reader, struct tune_candidate *out, struct text *name,
                               unsigned *seen);

static tile_status read_object(struct reader *reader, struct tune_candidate *out,
                               read_entry *entry) {
  struct text name = {0};
  unsigned seen = 0;
  if (!take(reader, '{'))
    return wrong(reader, "'{' is missing");
  if (take(reader, '}'))
    return NULL;
  tile_status status;
  do {
    status = read_string(reader, &name);
    if (!status && !take(reader, ':'))
      status = wrong(reader, "':' is missing");
    if (!status)
      status = entry(reader, out, &name, &seen);
  } while (!status && take(reader, ','));
  if (!status && !take(reader, '}'))
    status = wrong(reader, "',' or '}' is missing");
  text_free(&name);
  return status;
}

static tile_status read_constant(struct reader *reader, struct tune_candidate *out,
                                 struct text *name, unsigned *seen) {
  (void)seen;
  struct text value = {0};
  if (!name->length || tune_candidate_get(out, text_string(name)))
    return wrong(reader, name->length ? "a constant is given twice" : "a constant has no name");
  tile_status status = read_string(reader, &value);
  if (!status && !value.length)
    status = wrong(reader, "a constant has no value");
  if (!status)
    tune_candidate_add(out, text_string(name), text_string(&value));
  text_free(&value);
  return status;
}

static tile_status read_member(struct reader *reader, struct tune_candidate *out, struct text *name,
                               unsigned *seen) {
  size_t found = 0;
  while (found < OPTION_COUNT && strcmp(text_string(name), launch_options[found].name) != 0)
    found++;
  bool is_constants = strcmp(text_string(name), "constants") == 0;
  if (found == OPTION_COUNT && !is_constants)
    return wrong(reader,
                 "there are constants, num_warps, num_stages, num_ctas and maxnreg, nothing else");
  if (*seen & (1u << found))
    return wrong(reader, "a member is given twice");
  *seen |= 1u << found;
  if (is_constants)
    return read_object(reader, out, read_constant);
  int value;
  TRY(read_number(reader, &launch_options[found], &value));
  set_option(out, found, value);
  return NULL;
}

tile_status tune_candidate_parse(const char *text, size_t length, struct tune_candidate *out) {
  struct reader reader = {.text = text, .at = text, .end = text + length};
  struct tune_candidate read = {0};
  tile_status status = read_object(&reader, &read, read_member);
  skip_blanks(&reader);
  if (!status && reader.at != reader.end)
    status = wrong(&reader, "there is more after the candidate");
  if (status)
    tune_candidate_free(&read);
  else
    *out = read;
  return status;
}

/* --- Order ------------------------------------------------------------------------------------ */

static bool whole_number(const char *text, long long *out) {
  char *end;
  errno = 0;
  *out = strtoll(text, &end, 10);
  return end != text && !*end && !errno && text[0] != '+' && text[0] != ' ';
}

/* Numbers are before everything else: an order needs that, beside a rule of its own for two of
 * them. */
static int compare_values(const char *a, const char *b) {
  long long left, right;
  bool first = whole_number(a, &left), second = whole_number(b, &right);
  if (first && second && left != right)
    return left < right ? -1 : 1;
  return first != second ? (first ? -1 : 1) : strcmp(a, b);
}

int tune_candidate_compare(const struct tune_candidate *a, const struct tune_candidate *b) {
  int order = 0;
  if (a->count != b->count)
    return a->count < b->count ? -1 : 1;
  for (size_t i = 0; i < a->count && !order; i++) {
    order = strcmp(a->constants[i].name, b->constants[i].name);
    if (!order)
      order = compare_values(a->constants[i].value, b->constants[i].value);
  }
  for (size_t i = 0; i < OPTION_COUNT && !order; i++)
    order = option_value(a, i) - option_value(b, i);
  return order;
}
