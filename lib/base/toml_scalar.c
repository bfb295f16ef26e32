/* SPDX-License-Identifier: MIT */
/* Numbers, true, false; and what only looks like a number: dates. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/toml_reader.h"

/* What a bare word may be made of: a number, a date, a name. */
static bool is_word(int c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c > 0 && strchr("+-_.:", c));
}

static bool is_digit(int c, int base) {
  return base == 16 ? (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
                    : c >= '0' && c < '0' + base;
}

/* Skips digits with single underscores between them; false when there is none, or '_' stands
   elsewhere. */
static bool skip_digits(const char **at, int base, bool underscores) {
  const char *c = *at;
  if (!is_digit(*c, base))
    return false;
  while (is_digit(*c, base) || (underscores && *c == '_' && is_digit(c[1], base)))
    c++;
  *at = c;
  return true;
}

static bool looks_like_date(const char *word) {
  size_t digits = strspn(word, "0123456789");
  return (digits == 4 && word[4] == '-') || (digits == 2 && word[2] == ':');
}

/* A float's shape: digits, then a fraction or an exponent or both. */
static bool is_float(const char *c, bool is_json) {
  c += *c == '-' || (*c == '+' && !is_json);
  if (c[0] == '0' && is_digit(c[1], 10))
    return false;
  if (!skip_digits(&c, 10, !is_json))
    return false;
  if (*c == '.' && (c++, !skip_digits(&c, 10, !is_json)))
    return false;
  if (*c == 'e' || *c == 'E') {
    c++;
    c += *c == '+' || *c == '-';
    if (!skip_digits(&c, 10, !is_json))
      return false;
  }
  return !*c;
}

static int base_of(const char *word) {
  return word[0] != '0' ? 10 : word[1] == 'x' ? 16 : word[1] == 'o' ? 8 : word[1] == 'b' ? 2 : 10;
}

static bool is_integer(const char *word, bool is_json) {
  int base = is_json ? 10 : base_of(word);
  const char *c = word + (base != 10 ? 2 : *word == '-' || (*word == '+' && !is_json));
  if (base == 10 && c[0] == '0' && c[1])
    return false;
  return skip_digits(&c, base, !is_json) && !*c;
}

static void drop_underscores(char *word) {
  char *to = word;
  for (; *word; word++)
    if (*word != '_')
      *to++ = *word;
  *to = 0;
}

static bool special_float(const char *word, double *out) {
  const char *name = word + (*word == '+' || *word == '-');
  if (strcmp(name, "inf") != 0 && strcmp(name, "nan") != 0)
    return false;
  *out = strcmp(name, "inf") == 0 ? HUGE_VAL : nan("");
  *out = *word == '-' ? -*out : *out;
  return true;
}

static bool read_integer(struct toml_reader *reader, char *word, size_t start,
                         struct toml_value **out) {
  int base = reader->is_json ? 10 : base_of(word);
  drop_underscores(word);
  errno = 0;
  long long value = strtoll(word + (base != 10 ? 2 : 0), NULL, base);
  if (errno && reader->is_json) {
    *out = toml_value_new(reader, TOML_FLOAT, start);
    (*out)->number = c_strtod(word, NULL);
    return true;
  }
  if (errno)
    return toml_fail(reader, start, reader->at - start, "the integer does not fit 64 bits");
  *out = toml_value_new(reader, TOML_INTEGER, start);
  (*out)->integer = value;
  return true;
}

static bool read_word(struct toml_reader *reader, char *word, size_t start,
                      struct toml_value **out) {
  bool json = reader->is_json;
  double number = 0;
  if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0) {
    *out = toml_value_new(reader, TOML_BOOLEAN, start);
    (*out)->boolean = *word == 't';
    return true;
  }
  if (json && strcmp(word, "null") == 0) {
    *out = toml_value_new(reader, TOML_NULL, start);
    return true;
  }
  if (is_integer(word, json))
    return read_integer(reader, word, start, out);
  if (!is_float(word, json) && (json || !special_float(word, &number))) {
    if (!json && looks_like_date(word))
      return toml_fail(reader, start, reader->at - start,
                       "dates and times have no use here; write a string");
    return toml_fail(reader, start, reader->at - start, "'%.40s' is no value; %s", word,
                     json ? "texts stand in quotation marks" : "strings stand in quotation marks");
  }
  *out = toml_value_new(reader, TOML_FLOAT, start);
  if (is_float(word, json)) {
    drop_underscores(word);
    number = c_strtod(word, NULL);
  }
  (*out)->number = number;
  return true;
}

bool toml_read_scalar(struct toml_reader *reader, struct toml_value **out) {
  size_t start = reader->at;
  while (is_word(toml_peek(reader, 0)))
    reader->at++;
  if (reader->at == start)
    return toml_fail_expected(reader, "a value");
  char *word = arena_copy_string(reader->arena, reader->text + start, reader->at - start);
  return read_word(reader, word, start, out);
}
