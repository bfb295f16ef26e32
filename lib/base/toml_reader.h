/* SPDX-License-Identifier: MIT */
/* What the files of the TOML reader share: where it stands in a text, and scalars. */
#ifndef TILE_BASE_TOML_READER_H
#define TILE_BASE_TOML_READER_H

#include "base/toml.h"

struct toml_reader {
  struct arena *arena;
  const char *text;
  size_t length, at;
  bool is_json;
  int depth;
  struct toml_error *error;
};

/* The byte `ahead` of where the reader stands, or -1 after the text. */
static inline int toml_peek(const struct toml_reader *reader, size_t ahead) {
  return reader->at + ahead < reader->length ? (unsigned char)reader->text[reader->at + ahead] : -1;
}
static inline bool toml_starts(const struct toml_reader *reader, const char *word) {
  for (size_t i = 0; word[i]; i++)
    if (toml_peek(reader, i) != (unsigned char)word[i])
      return false;
  return true;
}

/* Notes the error at `offset`, `length` bytes long; false. */
bool toml_fail(struct toml_reader *reader, size_t offset, size_t length, const char *format, ...)
    TILE_PRINTF(4, 5);
/* The same at the character where the reader stands: "expected WHAT, not 'x'". */
bool toml_fail_expected(struct toml_reader *reader, const char *what);

/* How many bytes the UTF-8 character at the reader has; 0 for what is none (RFC 3629). */
size_t toml_character_bytes(const struct toml_reader *reader);
/* Whether the text is UTF-8 and not too long; the reader stands at its beginning again. */
bool toml_check_text(struct toml_reader *reader);

/* A value of this kind that begins at `offset` and ends where the reader stands. */
struct toml_value *toml_value_new(struct toml_reader *reader, enum toml_kind kind, size_t offset);
/* Appends to an array. */
void toml_array_add(struct toml_reader *reader, struct toml_value *array, struct toml_value *item);
/* Appends an entry; false, after an error, when the table has the key already, or too many. */
bool toml_table_add(struct toml_reader *reader, struct toml_value *table, struct slice key,
                    struct toml_span span, struct toml_value *value);
struct toml_entry *toml_lookup(const struct toml_value *table, struct slice key);

/* A string of any kind, from its quotation mark on; `single_line` refuses """ and '''. */
bool toml_read_string(struct toml_reader *reader, bool single_line, struct slice *out,
                      bool *out_plain);
/* A number, true, false, inf, nan (in JSON: a number, true, false, null). */
bool toml_read_scalar(struct toml_reader *reader, struct toml_value **out);
/* A string or a scalar. */
bool toml_read_simple(struct toml_reader *reader, struct toml_value **out);

#endif
