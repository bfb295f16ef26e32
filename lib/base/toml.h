/* SPDX-License-Identifier: MIT */
/* TOML 1.0 in, a tree of values out; and JSON texts as the same tree.

       title = "Vector addition"          struct toml_value of kind TOML_TABLE with two entries:
       [sizes]                            "title", a TOML_STRING, and "sizes", a TOML_TABLE
       n = [1024, 4096]                   whose entry "n" is a TOML_ARRAY

   Everything that the specification forbids is an error with its place: a key twice, a table
   defined twice, text that is not UTF-8, numbers with leading zeros. Dates and times are refused,
   too: nothing here has a use for them. Bounded: texts of at most TOML_LARGEST bytes
   (JSON_LARGEST), TOML_MAX_KEYS keys in a table, TOML_DEEPEST arrays and tables inside each other.

   Threads: what was parsed does not change; any number of threads may read it. */
#ifndef TILE_BASE_TOML_H
#define TILE_BASE_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/text.h"

enum { TOML_LARGEST = 4 << 20, JSON_LARGEST = 256 << 20, TOML_MAX_KEYS = 4096, TOML_DEEPEST = 64 };

enum toml_kind {
  TOML_STRING,
  TOML_INTEGER,
  TOML_FLOAT,
  TOML_BOOLEAN,
  TOML_ARRAY,
  TOML_TABLE,
  TOML_NULL /* of JSON alone */
};

/* Bytes of the text: `length` of them from `offset` on. */
struct toml_span {
  uint32_t offset, length;
};

struct toml_value {
  enum toml_kind kind;
  struct toml_span span; /* as written; of a [table] its header, of a root nothing */
  bool is_plain;         /* TOML_STRING: its characters stand in the text as they are, after one
                            quotation mark */
  union {
    struct slice string; /* UTF-8 with a zero after it; may contain zeros */
    int64_t integer;
    double number;
    bool boolean;
    struct {
      struct toml_value **items;
      size_t count, capacity;
    } array;
    struct {
      struct toml_entry *first, *last; /* in the order of the text */
      size_t count;
    } table;
  };
  int state; /* the parser's: how a table or array came to be */
};

struct toml_entry {
  struct slice key;
  struct toml_span span; /* of the key */
  struct toml_value *value;
  struct toml_entry *next;
};

struct toml_error {
  struct toml_span span;
  char message[160]; /* a sentence */
};

/* Parses a text; the values are the arena's. False after an error, of which the first is told. */
bool toml_parse(struct arena *arena, const char *text, size_t length, const struct toml_value **out,
                struct toml_error *error);
/* The same for one JSON text (RFC 8259). Integers beyond 64 bits are floats. */
bool json_parse(struct arena *arena, const char *text, size_t length, const struct toml_value **out,
                struct toml_error *error);

/* The entry of a table with this key, or NULL; also NULL for what is no table. */
const struct toml_entry *toml_find(const struct toml_value *table, const char *key);
/* Its value, or NULL. */
const struct toml_value *toml_get(const struct toml_value *table, const char *key);
/* What messages call a value of this kind: "a string". */
const char *toml_kind_phrase(enum toml_kind kind);

#endif
