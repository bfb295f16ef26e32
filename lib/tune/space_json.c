/* SPDX-License-Identifier: MIT */
/* Candidates from files (space.h): where they are in JSON.

       [{"constants": {"BLOCK": 64}, "num_warps": 4}, ...]
           a list; or one candidate a line
       {"kernel": "k", ..., "configs": [{"number": 0, "constants": ...}, ...]}
           tile-translate --list-configs --json, a line a kernel
       {"format": "tile-tune 1", "winners": [{"kernel": "k", ..., "candidate": {...}}],
        "measurements": [...]}
           tile-tune export */
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "tune/space.h"

struct json {
  const char *name, *kernel; /* of the file; NULL: of any kernel */
  struct tune_space *out;
  struct arena arena;
  const char *text; /* of the document at hand */
  size_t line;      /* where it begins, from 1 */
  size_t seen;      /* candidates of the file */
  bool others;      /* there are candidates of other kernels */
};

static tile_status read_candidate(struct json *json, const struct toml_value *value) {
  struct tune_candidate candidate;
  struct toml_error error;
  if (!tune_candidate_read(json->text, value, &candidate, &error))
    return FAIL(TILE_INVALID_ARGUMENT, "%s: candidate %zu: %s", json->name, json->seen,
                error.message);
  json->seen++;
  return tune_space_add(json->out, &candidate);
}

/* Is what has this kernel's name, if it has one, asked for? */
static bool is_wanted(struct json *json, const struct toml_value *owner) {
  const struct toml_value *kernel = toml_get(owner, "kernel");
  bool wanted = !json->kernel || !kernel || kernel->kind != TOML_STRING ||
                slice_equals(kernel->string, json->kernel);
  json->others |= !wanted;
  return wanted;
}

static bool is_array(const struct toml_value *value) {
  return value && value->kind == TOML_ARRAY;
}

static tile_status read_list(struct json *json, const struct toml_value *list) {
  for (size_t i = 0; i < list->array.count; i++)
    TRY(read_candidate(json, list->array.items[i]));
  return NULL;
}

/* Rows of a database. */
static tile_status read_rows(struct json *json, const struct toml_value *rows) {
  for (size_t i = 0; is_array(rows) && i < rows->array.count; i++) {
    const struct toml_value *row = rows->array.items[i];
    if (row->kind == TOML_TABLE && is_wanted(json, row))
      TRY(read_candidate(json, toml_get(row, "candidate")));
  }
  return NULL;
}

/* A document by what is in it. */
static tile_status read_document(struct json *json, const struct toml_value *document) {
  const struct toml_value *configs = toml_get(document, "configs"),
                          *winners = toml_get(document, "winners");
  if (is_array(document))
    return read_list(json, document);
  if (is_array(configs))
    return is_wanted(json, document) ? read_list(json, configs) : NULL;
  if (is_array(winners)) {
    TRY(read_rows(json, winners));
    return read_rows(json, toml_get(document, "measurements"));
  }
  if (toml_get(document, "constants"))
    return read_candidate(json, document);
  return FAIL(TILE_INVALID_ARGUMENT,
              "%s:%zu: it has no candidates: a list of them, what tile-translate --list-configs "
              "--json prints, or what tile-tune export writes is read",
              json->name, json->line);
}

static tile_status no_json(const struct json *json, const char *text,
                           const struct toml_error *error) {
  size_t line = json->line;
  for (size_t i = 0; i < error->span.offset; i++)
    line += text[i] == '\n';
  return FAIL(TILE_INVALID_ARGUMENT, "%s:%zu: it is not JSON: %s", json->name, line,
              error->message);
}

/* The whole text, or a document a line. */
static tile_status read_documents(struct json *json, const char *text, size_t length) {
  const char *end = text + length;
  const struct toml_value *document;
  struct toml_error whole, error;
  json->text = text;
  if (json_parse(&json->arena, text, length, &document, &whole))
    return read_document(json, document);
  bool first = true;
  for (const char *at = text; at < end; json->line++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    struct slice line = slice_trim((struct slice){at, (size_t)((stop ? stop : end) - at)});
    at = stop ? stop + 1 : end;
    if (!line.length)
      continue;
    json->text = line.data;
    if (!json_parse(&json->arena, line.data, line.length, &document, &error))
      return first ? no_json(json, text, &whole) : no_json(json, line.data, &error);
    TRY(read_document(json, document));
    first = false;
  }
  return NULL;
}

static tile_status read_json(const char *name, const char *text, size_t length, const char *kernel,
                             struct tune_space *out) {
  struct tune_space space = {0};
  struct json json = {.name = name, .kernel = kernel, .out = &space, .line = 1};
  tile_status status = read_documents(&json, text, length);
  arena_destroy(&json.arena);
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
