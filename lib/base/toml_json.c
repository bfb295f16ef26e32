/* SPDX-License-Identifier: MIT */
/* JSON as trees of toml.h. */
#include "base/toml_reader.h"

static void skip_blanks(struct toml_reader *reader) {
  for (int c; c = toml_peek(reader, 0), c == ' ' || c == '\t' || c == '\n' || c == '\r';)
    reader->at++;
}

static bool read_value(struct toml_reader *reader, struct toml_value **out);

static bool read_member(struct toml_reader *reader, struct toml_value *object) {
  struct slice key;
  bool plain;
  size_t start = reader->at;
  struct toml_value *value;
  if (toml_peek(reader, 0) != '"')
    return toml_fail_expected(reader, "a name in quotation marks");
  if (!toml_read_string(reader, true, &key, &plain))
    return false;
  struct toml_span span = {(uint32_t)start, (uint32_t)(reader->at - start)};
  skip_blanks(reader);
  if (toml_peek(reader, 0) != ':')
    return toml_fail_expected(reader, "':'");
  reader->at++;
  skip_blanks(reader);
  return read_value(reader, &value) && toml_table_add(reader, object, key, span, value);
}

static bool read_item(struct toml_reader *reader, struct toml_value *array) {
  struct toml_value *item;
  if (!read_value(reader, &item))
    return false;
  toml_array_add(reader, array, item);
  return true;
}

/* From the bracket to after its partner. */
static bool read_group(struct toml_reader *reader, struct toml_value **out) {
  size_t start = reader->at;
  bool is_array = reader->text[reader->at++] == '[';
  int closing = is_array ? ']' : '}';
  if (reader->depth++ == TOML_DEEPEST)
    return toml_fail(reader, start, 1, "arrays and objects are nested more than %d deep",
                     TOML_DEEPEST);
  *out = toml_value_new(reader, is_array ? TOML_ARRAY : TOML_TABLE, start);
  skip_blanks(reader);
  for (bool first = true; toml_peek(reader, 0) != closing; first = false) {
    if (!first && toml_peek(reader, 0) != ',')
      return toml_fail_expected(reader, is_array ? "',' or ']'" : "',' or '}'");
    reader->at += !first;
    skip_blanks(reader);
    if (!(is_array ? read_item(reader, *out) : read_member(reader, *out)))
      return false;
    skip_blanks(reader);
  }
  reader->at++;
  reader->depth--;
  (*out)->span.length = (uint32_t)(reader->at - start);
  return true;
}

static bool read_value(struct toml_reader *reader, struct toml_value **out) {
  int c = toml_peek(reader, 0);
  return c == '[' || c == '{' ? read_group(reader, out) : toml_read_simple(reader, out);
}

bool json_parse(struct arena *arena, const char *text, size_t length, const struct toml_value **out,
                struct toml_error *error) {
  struct toml_reader reader = {
      .arena = arena, .text = text, .length = length, .is_json = true, .error = error};
  struct toml_value *value;
  if (!toml_check_text(&reader))
    return false;
  skip_blanks(&reader);
  if (!read_value(&reader, &value))
    return false;
  skip_blanks(&reader);
  *out = value;
  return reader.at == length || toml_fail_expected(&reader, "the end");
}
