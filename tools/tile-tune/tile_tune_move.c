/* SPDX-License-Identifier: MIT */
/* tile-tune export, import, merge, clear. */
#include <stdio.h>
#include <string.h>
#include "base/files.h"
#include "base/status.h"
#include "tile_tune.h"

/* --- Counting --------------------------------------------------------------------------------- */

static tile_status count_winner(const struct tune_key *key, const struct tune_winner *winner,
                                void *data) {
  (void)key, (void)winner;
  ++*(size_t *)data;
  return NULL;
}

static tile_status count_measurement(const struct tune_key *key,
                                     const struct tune_measurement *measurement, void *data) {
  (void)key, (void)measurement;
  ++*(size_t *)data;
  return NULL;
}

/* Rows of both tables. */
static tile_status count_rows(struct tune_database *database, size_t *out_winners,
                              size_t *out_measurements) {
  *out_winners = *out_measurements = 0;
  TRY(tune_database_each_winner(database, NULL, count_winner, out_winners));
  return tune_database_each_measurement(database, NULL, count_measurement, out_measurements);
}

/* Appends "1 winner and 20 measurements". */
static void print_counts(size_t winners, size_t measurements, struct text *out) {
  text_printf(out, "%zu winner%s and %zu measurement%s", winners, winners == 1 ? "" : "s",
              measurements, measurements == 1 ? "" : "s");
}

/* "FILE: removed 1 winner and 20 measurements" */
static void say(const struct tune_arguments *arguments, const char *path, const char *what,
                size_t winners, size_t measurements) {
  if (arguments->quiet)
    return;
  struct text line = {0};
  text_printf(&line, "%s: %s ", path, what);
  print_counts(winners, measurements, &line);
  puts(text_string(&line));
  text_free(&line);
}

/* --- Adding ----------------------------------------------------------------------------------- */

static bool is_database(const struct text *content) {
  static const char start[16] = "SQLite format 3";
  return content->length == 0 ||
         (content->length >= sizeof start && memcmp(content->data, start, sizeof start) == 0);
}

static tile_status add_database(struct tune_database *into, const char *path) {
  struct tune_database *from;
  TRY(tune_database_open(path, TUNE_READ, &from));
  tile_status status = tune_database_merge(into, from);
  tune_database_close(from);
  return status;
}

/* A database, or a file that `tile-tune export` wrote, "-" for standard input. */
static tile_status add_file(struct tune_database *into, const char *path) {
  struct text content = {0};
  tile_status status = file_read(path, &content);
  if (!status && is_database(&content) && strcmp(path, "-") != 0)
    status = add_database(into, path);
  else if (!status)
    status = tune_database_import(into, strcmp(path, "-") == 0 ? "standard input" : path,
                                  text_string(&content), content.length);
  text_free(&content);
  return status;
}

/* All files or none: they are put together in memory first. */
static tile_status add_files(const struct tune_arguments *arguments, struct tune_database *staged,
                             const char *path) {
  struct tune_database *into;
  size_t winners, measurements;
  for (size_t i = 0; i < arguments->file_count; i++)
    TRY(add_file(staged, arguments->files[i]));
  TRY(count_rows(staged, &winners, &measurements));
  TRY(tune_database_open(path, TUNE_WRITE, &into));
  tile_status status = tune_database_merge(into, staged);
  if (!status)
    say(arguments, tune_database_path(into), "added", winners, measurements);
  tune_database_close(into);
  return status;
}

static tile_status add_to(const struct tune_arguments *arguments, const char *path) {
  struct tune_database *staged;
  TRY(tune_database_open(":memory:", TUNE_WRITE, &staged));
  tile_status status = add_files(arguments, staged, path);
  tune_database_close(staged);
  return status;
}

tile_status database_import(const struct tune_arguments *arguments) {
  return add_to(arguments, arguments->database);
}

tile_status database_merge(const struct tune_arguments *arguments) {
  if (!arguments->output)
    return FAIL(TILE_INVALID_ARGUMENT,
                "tile-tune merge needs -o DATABASE, to which the files are added");
  return add_to(arguments, arguments->output);
}

/* --- Writing and removing --------------------------------------------------------------------- */

tile_status database_export(const struct tune_arguments *arguments) {
  struct tune_database *database;
  struct text out = {0};
  TRY(tune_database_open(arguments->database, TUNE_READ, &database));
  tile_status status = tune_database_export(database, &arguments->filter, &out);
  if (!status)
    status = file_write(arguments->output ? arguments->output : "-", out.data, out.length);
  tune_database_close(database);
  text_free(&out);
  return status;
}

/* Opened to be read first, so that no file is made for it. */
tile_status database_clear(const struct tune_arguments *arguments) {
  struct tune_database *database;
  size_t winners = 0, measurements = 0;
  TRY(tune_database_open(arguments->database, TUNE_READ, &database));
  tune_database_close(database);
  TRY(tune_database_open(arguments->database, TUNE_WRITE, &database));
  tile_status status = tune_database_clear(database, &arguments->filter, &winners, &measurements);
  if (!status)
    say(arguments, tune_database_path(database), "removed", winners, measurements);
  tune_database_close(database);
  return status;
}
