/* SPDX-License-Identifier: MIT */
/* Candidates from files (space.h). SQLite reads JSON; here stands where the candidates are in it:

       [{"constants": {"BLOCK": 64}, "num_warps": 4}, ...]                       a list; or one
   candidate a line
       {"kernel": "k", ..., "configs": [{"number": 0, "constants": ...}, ...]}   --list-configs
   --json, a line a kernel
       {"format": "tile-tune 1", "winners": [{"kernel": "k", ..., "candidate": {...}}],
   "measurements": [...]}          */
#include <sqlite3.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "tune/space.h"

struct json {
  sqlite3 *sqlite;
  const char *name, *kernel; /* of the file; NULL: of any kernel */
  struct tune_space *out;
  size_t line, seen; /* of the document at hand, from 1; candidates of the file, from 0 */
  bool others;       /* there are candidates of other kernels */
};

static tile_status wrong(const struct json *json, const char *what) {
  return FAIL(TILE_INVALID_ARGUMENT, "%s: candidate %zu: %s", json->name, json->seen, what);
}

static tile_status no_json(const struct json *json, const char *what) {
  return FAIL(TILE_INVALID_ARGUMENT, "%s:%zu: %s", json->name, json->line, what);
}

/* A statement over a text; ended with sqlite3_finalize. */
static tile_status begin(const struct json *json, const char *sql, const char *text, size_t length,
                         sqlite3_stmt **out) {
  if (sqlite3_prepare_v2(json->sqlite, sql, -1, out, NULL) != SQLITE_OK)
    return FAIL(TILE_OUT_OF_MEMORY, "%s: %s", json->name, sqlite3_errmsg(json->sqlite));
  sqlite3_bind_text64(*out, 1, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
  return NULL;
}

static const char *column(sqlite3_stmt *row, int index) {
  const char *text = (const char *)sqlite3_column_text(row, index);
  return text ? text : "";
}

/* --- A candidate ------------------------------------------------------------------------------ */

/* A constant's value as Python writes it; "" for what has no such form. */
static const char *python_value(const char *type, const char *value) {
  return strcmp(type, "true") == 0                                   ? "True"
         : strcmp(type, "false") == 0                                ? "False"
         : strcmp(type, "null") == 0                                 ? "None"
         : strcmp(type, "array") == 0 || strcmp(type, "object") == 0 ? ""
                                                                     : value;
}

static tile_status add_constants(struct json *json, sqlite3_stmt *rows,
                                 struct tune_candidate *out) {
  while (sqlite3_step(rows) == SQLITE_ROW) {
    const char *name = column(rows, 0), *value = python_value(column(rows, 1), column(rows, 2));
    if (!*name || tune_candidate_get(out, name))
      return wrong(json, *name ? "a constant is given twice" : "a constant has no name");
    if (!*value)
      return wrong(json, "a constant's value is a number, a text, true, false or null");
    tune_candidate_add(out, name, value);
  }
  return NULL;
}

/* The launch options go through the reader of candidates, which knows their limits. */
static tile_status add_members(struct json *json, sqlite3_stmt *rows, struct text *options) {
  static const char *const ignored[] = {"number", "pre_hook", "constants"};
  while (sqlite3_step(rows) == SQLITE_ROW) {
    const char *name = column(rows, 0), *type = column(rows, 1);
    bool known = false;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
      known |= strcmp(name, ignored[i]) == 0;
    if (known || strcmp(type, "null") == 0)
      continue;
    if (strcmp(type, "integer") != 0)
      return wrong(json, "it has constants, num_warps, num_stages, num_ctas and maxnreg; all but "
                         "the first are whole numbers");
    text_puts(options, options->length > 1 ? ", " : "");
    text_json_string(options, name);
    text_printf(options, ": %s", column(rows, 2));
  }
  text_puts(options, "}");
  return NULL;
}

static tile_status read_constants(struct json *json, const char *text, struct tune_candidate *out) {
  sqlite3_stmt *rows = NULL;
  TRY(begin(json, "SELECT key, type, atom FROM json_each(?1, '$.constants')", text, strlen(text),
            &rows));
  tile_status status = add_constants(json, rows, out);
  sqlite3_finalize(rows);
  return status;
}

static tile_status read_options(struct json *json, const char *text, struct tune_candidate *out) {
  struct text options = {0};
  sqlite3_stmt *rows = NULL;
  text_puts(&options, "{");
  TRY(begin(json, "SELECT key, type, atom FROM json_each(?1)", text, strlen(text), &rows));
  tile_status status = add_members(json, rows, &options);
  sqlite3_finalize(rows);
  if (!status &&
      (status = tune_candidate_parse(text_string(&options), options.length, out)) != NULL) {
    tile_status inner = wrong(json, tile_status_message(status));
    tile_status_free(status);
    status = inner;
  }
  text_free(&options);
  return status;
}

static tile_status read_candidate(struct json *json, const char *type, const char *text) {
  struct tune_candidate candidate = {0};
  if (strcmp(type, "object") != 0)
    return wrong(
        json,
        "it is an object with the members constants, num_warps, num_stages, num_ctas and maxnreg");
  TRY(read_options(json, text, &candidate));
  tile_status status = read_constants(json, text, &candidate);
  if (!status && !(status = tune_space_add(json->out, &candidate)))
    json->seen++;
  tune_candidate_free(&candidate);
  return status;
}

/* --- Where they are --------------------------------------------------------------------------- */

static bool is_wanted(struct json *json, const char *kernel) {
  bool wanted = !json->kernel || !*kernel || strcmp(json->kernel, kernel) == 0;
  json->others |= !wanted;
  return wanted;
}

/* Rows of type, text and kernel. */
static tile_status read_rows(struct json *json, const char *sql, const char *text, size_t length) {
  sqlite3_stmt *rows = NULL;
  tile_status status = begin(json, sql, text, length, &rows);
  while (!status && sqlite3_step(rows) == SQLITE_ROW)
    if (is_wanted(json, column(rows, 2)))
      status = read_candidate(json, column(rows, 0), column(rows, 1));
  sqlite3_finalize(rows);
  return status;
}

#define OF_TABLE(table)                                                                            \
  "SELECT json_type(value, '$.candidate'), json_extract(value, '$.candidate'), "                   \
  "json_extract(value, '$.kernel') "                                                               \
  "FROM json_each(?1, '$." table "') WHERE type = 'object'"

/* A document by what is in it. */
static tile_status read_document(struct json *json, const char *text, size_t length) {
  static const char kinds[] =
      "SELECT CASE WHEN NOT json_valid(?1) THEN 'none' "
      "WHEN json_type(?1) = 'array' THEN 'list' "
      "WHEN json_type(?1, '$.configs') = 'array' THEN 'configs' "
      "WHEN json_type(?1, '$.winners') = 'array' THEN 'table' "
      "WHEN json_type(?1, '$.constants') = 'object' THEN 'one' ELSE 'other' END";
  char kind[8] = "none";
  sqlite3_stmt *row = NULL;
  TRY(begin(json, kinds, text, length, &row));
  if (sqlite3_step(row) == SQLITE_ROW)
    strncpy(kind, column(row, 0), sizeof kind - 1);
  sqlite3_finalize(row);
  if (strcmp(kind, "list") == 0)
    return read_rows(json, "SELECT type, value, '' FROM json_each(?1)", text, length);
  if (strcmp(kind, "one") == 0)
    return read_rows(json, "SELECT json_type(?1), ?1, ''", text, length);
  if (strcmp(kind, "configs") == 0)
    return read_rows(
        json, "SELECT type, value, json_extract(?1, '$.kernel') FROM json_each(?1, '$.configs')",
        text, length);
  if (strcmp(kind, "table") == 0) {
    TRY(read_rows(json, OF_TABLE("winners"), text, length));
    return read_rows(json, OF_TABLE("measurements"), text, length);
  }
  return no_json(json,
                 strcmp(kind, "none") == 0
                     ? "it is not JSON"
                     : "it has no candidates: a list of them, what tile-translate "
                       "--list-configs --json prints, or what tile-tune export writes is read");
}

static bool is_document(const struct json *json, const char *text, size_t length) {
  sqlite3_stmt *row = NULL;
  tile_status status = begin(json, "SELECT json_valid(?1)", text, length, &row);
  bool valid = !status && sqlite3_step(row) == SQLITE_ROW && sqlite3_column_int(row, 0);
  sqlite3_finalize(row);
  tile_status_free(status);
  return valid;
}

/* The whole text, or a document a line. */
static tile_status read_documents(struct json *json, const char *text, size_t length) {
  const char *end = text + length;
  if (is_document(json, text, length))
    return read_document(json, text, length);
  for (const char *at = text; at < end; json->line++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    struct slice line = slice_trim((struct slice){at, (size_t)((stop ? stop : end) - at)});
    if (line.length)
      TRY(read_document(json, line.data, line.length));
    at = stop ? stop + 1 : end;
  }
  return NULL;
}

static tile_status read_json(const char *name, const char *text, size_t length, const char *kernel,
                             struct tune_space *out) {
  struct tune_space space = {0};
  struct json json = {.name = name, .kernel = kernel, .out = &space, .line = 1};
  tile_status status = NULL;
  if (sqlite3_open(":memory:", &json.sqlite) != SQLITE_OK)
    status = FAIL(TILE_OUT_OF_MEMORY, "%s: SQLite does not start", name);
  if (!status)
    status = read_documents(&json, text, length);
  sqlite3_close(json.sqlite);
  if (!status && space.count == 0)
    status = json.others
                 ? FAIL(TILE_NOT_FOUND,
                        "%s: there is no candidate for kernel '%s', only for others", name, kernel)
                 : FAIL(TILE_NOT_FOUND, "%s: there is no candidate", name);
  if (status)
    tune_space_free(&space);
  else
    *out = space;
  return status;
}

tile_status tune_space_read(const char *name, const char *text, size_t length, const char *kernel,
                            struct tune_space *out) {
  struct slice trimmed = slice_trim((struct slice){text, length});
  bool json = trimmed.length && (*trimmed.data == '[' || *trimmed.data == '{');
  return json ? read_json(name, text, length, kernel, out)
              : tune_space_parse(name, text, length, out);
}

tile_status tune_space_read_file(const char *path, const char *kernel, struct tune_space *out) {
  struct text text = {0};
  tile_status status = file_read(path, &text);
  if (!status)
    status = tune_space_read(strcmp(path, "-") == 0 ? "<stdin>" : path, text_string(&text),
                             text.length, kernel, out);
  text_free(&text);
  return status;
}
