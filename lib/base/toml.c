/* SPDX-License-Identifier: MIT */
/* See toml.h. How a table came to be says what may still be added to it:

     [a.b]        a: IMPLIED (a header [a] may come), b: DEFINED (no other header)
     a.b = 1      a: DOTTED (more of its keys may come right here, no header)
     {a = 1}      CLOSED, with everything inside
     [[a]]        an array, OPEN for further elements; [1, 2] is CLOSED */
#include "base/toml_reader.h"

#include <stdio.h>
#include <string.h>

enum { IMPLIED, DEFINED, DOTTED, CLOSED, OPEN };

/* --- Errors and trees ------------------------------------------------------------------------- */

bool toml_fail(struct toml_reader *reader, size_t offset, size_t length, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  reader->error->span = (struct toml_span){(uint32_t)offset, (uint32_t)length};
  vsnprintf(reader->error->message, sizeof reader->error->message, format, arguments);
  va_end(arguments);
  return false;
}

bool toml_fail_expected(struct toml_reader *reader, const char *what) {
  int c = toml_peek(reader, 0);
  if (c < 0)
    return toml_fail(reader, reader->at, 0, "expected %s, but the text ends here", what);
  if (c == '\n' || c == '\r')
    return toml_fail(reader, reader->at, 0, "expected %s, but the line ends here", what);
  if (c < 0x20 || c >= 0x7F)
    return toml_fail(reader, reader->at, 1, "expected %s, not the byte 0x%02X", what, (unsigned)c);
  return toml_fail(reader, reader->at, 1, "expected %s, not '%c'", what, c);
}

bool toml_check_text(struct toml_reader *reader) {
  size_t largest = reader->is_json ? JSON_LARGEST : TOML_LARGEST;
  if (reader->length > largest)
    return toml_fail(reader, 0, 0, "the text is larger than %zu MiB", largest >> 20);
  for (size_t bytes; reader->at < reader->length; reader->at += bytes)
    if (!(bytes = toml_character_bytes(reader)))
      return toml_fail(reader, reader->at, 1, "the text is not UTF-8");
  reader->at = 0;
  return true;
}

struct toml_value *toml_value_new(struct toml_reader *reader, enum toml_kind kind, size_t offset) {
  struct toml_value *value = ARENA_NEW(reader->arena, struct toml_value);
  value->kind = kind;
  value->span = (struct toml_span){(uint32_t)offset, (uint32_t)(reader->at - offset)};
  return value;
}

void toml_array_add(struct toml_reader *reader, struct toml_value *array, struct toml_value *item) {
  array->array.items = arena_grow(reader->arena, array->array.items, array->array.count,
                                  &array->array.capacity, sizeof *array->array.items);
  array->array.items[array->array.count++] = item;
}

struct toml_entry *toml_lookup(const struct toml_value *table, struct slice key) {
  for (struct toml_entry *entry = table->table.first; entry; entry = entry->next)
    if (entry->key.length == key.length && memcmp(entry->key.data, key.data, key.length) == 0)
      return entry;
  return NULL;
}

bool toml_table_add(struct toml_reader *reader, struct toml_value *table, struct slice key,
                    struct toml_span span, struct toml_value *value) {
  if (toml_lookup(table, key))
    return toml_fail(reader, span.offset, span.length, "the key '%.60s' is given twice", key.data);
  if (table->table.count == TOML_MAX_KEYS)
    return toml_fail(reader, span.offset, span.length, "a table has at most %d keys",
                     TOML_MAX_KEYS);
  struct toml_entry *entry = ARENA_NEW(reader->arena, struct toml_entry);
  *entry = (struct toml_entry){.key = key, .span = span, .value = value};
  *(table->table.last ? &table->table.last->next : &table->table.first) = entry;
  table->table.last = entry;
  table->table.count++;
  return true;
}

/* --- Blanks and line ends --------------------------------------------------------------------- */

static void skip_blanks(struct toml_reader *reader) {
  while (toml_peek(reader, 0) == ' ' || toml_peek(reader, 0) == '\t')
    reader->at++;
}

static bool skip_comment(struct toml_reader *reader) {
  if (toml_peek(reader, 0) != '#')
    return true;
  for (int c; c = toml_peek(reader, 0), c >= 0 && c != '\n' && !toml_starts(reader, "\r\n");
       reader->at++)
    if ((c < 0x20 && c != '\t') || c == 0x7F)
      return toml_fail(reader, reader->at, 1, "a comment holds no control characters");
  return true;
}

static bool skip_line_end(struct toml_reader *reader) {
  size_t bytes = toml_starts(reader, "\r\n") ? 2 : toml_starts(reader, "\n");
  reader->at += bytes;
  return bytes;
}

/* Blanks, comments and line ends, as stand between the elements of an array. */
static bool skip_lines(struct toml_reader *reader) {
  do {
    skip_blanks(reader);
    if (!skip_comment(reader))
      return false;
  } while (skip_line_end(reader));
  return true;
}

static bool end_line(struct toml_reader *reader) {
  skip_blanks(reader);
  if (!skip_comment(reader))
    return false;
  return skip_line_end(reader) || reader->at == reader->length ||
         toml_fail_expected(reader, "the end of the line");
}

/* --- Keys ------------------------------------------------------------------------------------- */

struct key_part {
  struct slice name;
  struct toml_span span;
};
struct key {
  struct key_part parts[TOML_DEEPEST];
  size_t count;
};

static bool is_bare(int c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-';
}

static bool read_key_part(struct toml_reader *reader, struct key_part *out) {
  size_t start = reader->at;
  bool plain;
  if (toml_peek(reader, 0) == '"' || toml_peek(reader, 0) == '\'') {
    if (!toml_read_string(reader, true, &out->name, &plain))
      return false;
  } else {
    while (is_bare(toml_peek(reader, 0)))
      reader->at++;
    if (reader->at == start)
      return toml_fail_expected(reader, "a key");
    out->name =
        (struct slice){arena_copy_string(reader->arena, reader->text + start, reader->at - start),
                       reader->at - start};
  }
  out->span = (struct toml_span){(uint32_t)start, (uint32_t)(reader->at - start)};
  return true;
}

static bool read_key(struct toml_reader *reader, struct key *key) {
  key->count = 0;
  for (;;) {
    skip_blanks(reader);
    if (key->count == TOML_DEEPEST)
      return toml_fail(reader, reader->at, 0, "a key has at most %d parts", TOML_DEEPEST);
    if (!read_key_part(reader, &key->parts[key->count++]))
      return false;
    skip_blanks(reader);
    if (toml_peek(reader, 0) != '.')
      return true;
    reader->at++;
  }
}

/* --- Values ----------------------------------------------------------------------------------- */

static bool read_value(struct toml_reader *reader, struct toml_value **out);
static bool read_pair(struct toml_reader *reader, struct toml_value *table);

static bool read_array(struct toml_reader *reader, struct toml_value *array) {
  for (;;) {
    struct toml_value *item;
    if (!skip_lines(reader))
      return false;
    if (toml_peek(reader, 0) == ']')
      break;
    if (!read_value(reader, &item) || !skip_lines(reader))
      return false;
    toml_array_add(reader, array, item);
    if (toml_peek(reader, 0) != ',')
      break;
    reader->at++;
  }
  return toml_peek(reader, 0) == ']' || toml_fail_expected(reader, "',' or ']'");
}

/* On one line, without a comma after the last pair. */
static bool read_inline_table(struct toml_reader *reader, struct toml_value *table) {
  skip_blanks(reader);
  if (toml_peek(reader, 0) == '}')
    return true;
  for (;;) {
    if (!read_pair(reader, table))
      return false;
    skip_blanks(reader);
    if (toml_peek(reader, 0) != ',')
      return toml_peek(reader, 0) == '}' || toml_fail_expected(reader, "',' or '}'");
    reader->at++;
  }
}

static void close_tables(struct toml_value *value) {
  value->state = CLOSED;
  if (value->kind == TOML_TABLE)
    for (struct toml_entry *entry = value->table.first; entry; entry = entry->next)
      if (entry->value->kind == TOML_TABLE && entry->value->state != CLOSED)
        close_tables(entry->value);
}

static bool read_group(struct toml_reader *reader, struct toml_value **out) {
  size_t start = reader->at;
  bool is_array = reader->text[reader->at++] == '[';
  if (reader->depth == TOML_DEEPEST)
    return toml_fail(reader, start, 1, "arrays and tables are nested more than %d deep",
                     TOML_DEEPEST);
  reader->depth++;
  *out = toml_value_new(reader, is_array ? TOML_ARRAY : TOML_TABLE, start);
  (*out)->state = DOTTED; /* while it is open */
  if (!(is_array ? read_array(reader, *out) : read_inline_table(reader, *out)))
    return false;
  reader->at++;
  reader->depth--;
  (*out)->span.length = (uint32_t)(reader->at - start);
  close_tables(*out);
  return true;
}

bool toml_read_simple(struct toml_reader *reader, struct toml_value **out) {
  int c = toml_peek(reader, 0);
  size_t start = reader->at;
  struct slice string;
  bool plain;
  if (c != '"' && (c != '\'' || reader->is_json))
    return toml_read_scalar(reader, out);
  if (!toml_read_string(reader, reader->is_json, &string, &plain))
    return false;
  *out = toml_value_new(reader, TOML_STRING, start);
  (*out)->string = string;
  (*out)->is_plain = plain;
  return true;
}

static bool read_value(struct toml_reader *reader, struct toml_value **out) {
  int c = toml_peek(reader, 0);
  return c == '[' || c == '{' ? read_group(reader, out) : toml_read_simple(reader, out);
}

/* --- Tables ----------------------------------------------------------------------------------- */

static bool fail_no_table(struct toml_reader *reader, const struct key_part *part,
                          const struct toml_value *value) {
  return toml_fail(reader, part->span.offset, part->span.length, "'%.60s' %s", part->name.data,
                   value->kind != TOML_TABLE ? "is no table"
                   : value->state == CLOSED
                       ? "is complete: nothing is added to a table in braces"
                       : "is a table that is defined elsewhere; write the key there");
}

/* Of a dotted key all parts but the last: tables that such keys alone make. */
static bool walk_dotted(struct toml_reader *reader, struct toml_value **table,
                        const struct key *key) {
  for (size_t i = 0; i + 1 < key->count; i++) {
    const struct key_part *part = &key->parts[i];
    struct toml_entry *entry = toml_lookup(*table, part->name);
    if (entry && (entry->value->kind != TOML_TABLE || entry->value->state != DOTTED))
      return fail_no_table(reader, part, entry->value);
    struct toml_value *next =
        entry ? entry->value : toml_value_new(reader, TOML_TABLE, part->span.offset);
    next->state = DOTTED;
    if (!entry && !toml_table_add(reader, *table, part->name, part->span, next))
      return false;
    *table = next;
  }
  return true;
}

/* key = value */
static bool read_pair(struct toml_reader *reader, struct toml_value *table) {
  struct key key;
  struct toml_value *value;
  if (!read_key(reader, &key))
    return false;
  if (toml_peek(reader, 0) != '=')
    return toml_fail_expected(reader, "'=' after the key");
  reader->at++;
  skip_blanks(reader);
  if (!walk_dotted(reader, &table, &key))
    return false;
  const struct key_part *last = &key.parts[key.count - 1];
  if (toml_lookup(table, last->name)) /* before the value, which may be long */
    return toml_fail(reader, last->span.offset, last->span.length, "the key '%.60s' is given twice",
                     last->name.data);
  return read_value(reader, &value) && toml_table_add(reader, table, last->name, last->span, value);
}

/* Of a header all parts but the last: tables, or the last elements of arrays of tables. */
static bool walk_header(struct toml_reader *reader, struct toml_value **table,
                        const struct key *key) {
  for (size_t i = 0; i + 1 < key->count; i++) {
    const struct key_part *part = &key->parts[i];
    struct toml_entry *entry = toml_lookup(*table, part->name);
    struct toml_value *next =
        entry ? entry->value : toml_value_new(reader, TOML_TABLE, part->span.offset);
    if (!entry && !toml_table_add(reader, *table, part->name, part->span, next))
      return false;
    if (next->kind == TOML_ARRAY && next->state == OPEN)
      next = next->array.items[next->array.count - 1];
    if (next->kind != TOML_TABLE || next->state == CLOSED)
      return fail_no_table(reader, part, next);
    *table = next;
  }
  return true;
}

static bool add_element(struct toml_reader *reader, struct toml_value *table,
                        const struct key_part *part, struct toml_value *element) {
  struct toml_entry *entry = toml_lookup(table, part->name);
  struct toml_value *array =
      entry ? entry->value : toml_value_new(reader, TOML_ARRAY, element->span.offset);
  if (entry && (array->kind != TOML_ARRAY || array->state != OPEN))
    return toml_fail(reader, part->span.offset, part->span.length, "'%.60s' is no array of tables",
                     part->name.data);
  array->state = OPEN;
  toml_array_add(reader, array, element);
  return entry || toml_table_add(reader, table, part->name, part->span, array);
}

/* [key] and [[key]]: `*table` is what the pairs after them go to. */
static bool read_header(struct toml_reader *reader, struct toml_value *root,
                        struct toml_value **table) {
  size_t start = reader->at;
  bool is_element = toml_starts(reader, "[[");
  const char *closing = is_element ? "]]" : "]";
  struct key key;
  reader->at += strlen(closing);
  if (!read_key(reader, &key))
    return false;
  if (!toml_starts(reader, closing))
    return toml_fail_expected(reader, is_element ? "']]' after the key" : "']' after the key");
  reader->at += strlen(closing);
  struct toml_value *place = root;
  if (!walk_header(reader, &place, &key))
    return false;
  const struct key_part *last = &key.parts[key.count - 1];
  struct toml_entry *entry = is_element ? NULL : toml_lookup(place, last->name);
  if (entry && (entry->value->kind != TOML_TABLE || entry->value->state != IMPLIED))
    return toml_fail(reader, last->span.offset, last->span.length, "'%.60s' is defined already",
                     last->name.data);
  *table = entry ? entry->value : toml_value_new(reader, TOML_TABLE, start);
  (*table)->span = (struct toml_span){(uint32_t)start, (uint32_t)(reader->at - start)};
  (*table)->state = DEFINED;
  return is_element ? add_element(reader, place, last, *table)
                    : entry || toml_table_add(reader, place, last->name, last->span, *table);
}

static bool read_document(struct toml_reader *reader, struct toml_value *root) {
  struct toml_value *table = root;
  for (;;) {
    if (!skip_lines(reader))
      return false;
    if (reader->at == reader->length)
      return true;
    if (!(toml_peek(reader, 0) == '[' ? read_header(reader, root, &table)
                                      : read_pair(reader, table)) ||
        !end_line(reader))
      return false;
  }
}

bool toml_parse(struct arena *arena, const char *text, size_t length, const struct toml_value **out,
                struct toml_error *error) {
  struct toml_reader reader = {.arena = arena, .text = text, .length = length, .error = error};
  if (!toml_check_text(&reader))
    return false;
  reader.at = toml_starts(&reader, "\xEF\xBB\xBF") ? 3 : 0; /* a byte-order mark */
  struct toml_value *root = toml_value_new(&reader, TOML_TABLE, reader.at);
  root->state = DEFINED;
  *out = root;
  return read_document(&reader, root);
}

/* --- Reading the tree ------------------------------------------------------------------------- */

const struct toml_entry *toml_find(const struct toml_value *table, const char *key) {
  return table && table->kind == TOML_TABLE ? toml_lookup(table, slice_of(key)) : NULL;
}

const struct toml_value *toml_get(const struct toml_value *table, const char *key) {
  const struct toml_entry *entry = toml_find(table, key);
  return entry ? entry->value : NULL;
}

const char *toml_kind_phrase(enum toml_kind kind) {
  static const char *const phrases[] = {
      [TOML_STRING] = "a string", [TOML_INTEGER] = "an integer",
      [TOML_FLOAT] = "a float",   [TOML_BOOLEAN] = "true or false",
      [TOML_ARRAY] = "an array",  [TOML_TABLE] = "a table",
      [TOML_NULL] = "null"};
  return phrases[kind];
}
