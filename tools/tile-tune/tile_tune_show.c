/* SPDX-License-Identifier: MIT */
/* tile-tune show: a table for people, or lines of JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/arena.h"
#include "base/build_id.h"
#include "base/status.h"
#include "tile_tune.h"
#include "tune/candidate.h"

enum column { KERNEL, DEVICE, TIME, CANDIDATE, ARGUMENTS, TOOLKIT, MEASURED, OUTCOME, COLUMNS };
static const char *const headings[COLUMNS] = {
    [KERNEL] = "kernel",       [DEVICE] = "device",       [TIME] = "ms",
    [CANDIDATE] = "candidate", [ARGUMENTS] = "arguments", [TOOLKIT] = "toolkit",
    [MEASURED] = "measured",   [OUTCOME] = "outcome"};

struct row {
  char *cells[COLUMNS]; /* owned */
};

struct listing {
  const struct tune_arguments *arguments;
  struct row *rows;
  size_t count, capacity;
};

/* --- Cells ------------------------------------------------------------------------------------ */

static char *copy(const char *text) {
  struct text out = {0};
  text_puts(&out, text);
  return text_take(&out);
}

/* As a line for people; as it stands, when another toolkit wrote what this one does not know. */
static char *describe(const char *candidate) {
  struct tune_candidate parsed = {0};
  struct text out = {0};
  tile_status status = tune_candidate_parse(candidate, strlen(candidate), &parsed);
  if (status)
    text_puts(&out, candidate);
  else
    tune_candidate_describe(&parsed, &out);
  if (!status)
    tune_candidate_free(&parsed);
  tile_status_free(status);
  return text_take(&out);
}

static char *print_time(double milliseconds) {
  struct text out = {0};
  if (milliseconds > 0)
    text_printf(&out, "%.*f", milliseconds < 0.1 ? 6 : 4, milliseconds);
  else
    text_puts(&out, "-");
  return text_take(&out);
}

static char *print_date(int64_t changed) {
  char date[32] = "?";
  time_t seconds = (time_t)(changed / 1000);
  struct tm parts;
  if (gmtime_r(&seconds, &parts))
    strftime(date, sizeof date, "%Y-%m-%d %H:%MZ", &parts);
  return copy(date);
}

/* Whether the row is of use to this toolkit is what people want to know. */
static char *print_toolkit(const char *toolkit) {
  struct text out = {0};
  if (strcmp(toolkit, build_id()) == 0)
    text_puts(&out, "this");
  else
    text_printf(&out, "%.8s", toolkit);
  return text_take(&out);
}

static char *print_outcome(const struct tune_measurement *measurement) {
  struct text out = {0};
  size_t line = strcspn(measurement->message, "\n");
  text_printf(&out, "%s%s%.*s", tune_outcome_name(measurement->outcome), line ? ": " : "",
              (int)line, measurement->message);
  return text_take(&out);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static struct row *add_row(struct listing *listing, const struct tune_key *key,
                           const char *candidate, double milliseconds, int64_t changed) {
  listing->rows =
      tile_grow(listing->rows, listing->count, &listing->capacity, sizeof *listing->rows);
  struct row *row = &listing->rows[listing->count++];
  *row = (struct row){.cells = {[KERNEL] = copy(key->kernel),
                                [DEVICE] = copy(key->device),
                                [TIME] = print_time(milliseconds),
                                [CANDIDATE] = describe(candidate),
                                [ARGUMENTS] = copy(key->arguments),
                                [TOOLKIT] = print_toolkit(key->toolkit),
                                [MEASURED] = print_date(changed)}};
  return row;
}

static void print_json(void (*print)(const struct tune_key *, const void *, struct text *),
                       const struct tune_key *key, const void *content) {
  struct text line = {0};
  print(key, content, &line);
  puts(text_string(&line));
  text_free(&line);
}

static void print_winner(const struct tune_key *key, const void *winner, struct text *out) {
  tune_print_winner(key, winner, out);
}

static void print_measurement(const struct tune_key *key, const void *measurement,
                              struct text *out) {
  tune_print_measurement(key, measurement, out);
}

static tile_status list_winner(const struct tune_key *key, const struct tune_winner *winner,
                               void *data) {
  struct listing *listing = data;
  if (listing->arguments->json)
    print_json(print_winner, key, winner);
  else
    add_row(listing, key, winner->candidate, winner->milliseconds, winner->changed);
  return NULL;
}

static tile_status list_measurement(const struct tune_key *key,
                                    const struct tune_measurement *measurement, void *data) {
  struct listing *listing = data;
  if (listing->arguments->json) {
    print_json(print_measurement, key, measurement);
    return NULL;
  }
  struct row *row = add_row(listing, key, measurement->candidate, measurement->milliseconds,
                            measurement->changed);
  row->cells[OUTCOME] = print_outcome(measurement);
  return NULL;
}

/* --- The table -------------------------------------------------------------------------------- */

static void print_cells(const char *const cells[COLUMNS], const size_t widths[COLUMNS]) {
  struct text line = {0};
  for (int i = 0; i < COLUMNS; i++)
    if (cells[i])
      text_printf(&line, i == TIME ? "%s%*s" : "%s%-*s", i ? "  " : "", (int)widths[i], cells[i]);
  while (line.length && line.data[line.length - 1] == ' ')
    line.data[--line.length] = 0;
  puts(text_string(&line));
  text_free(&line);
}

static void print_table(const struct listing *listing) {
  const char *first[COLUMNS] = {0};
  size_t widths[COLUMNS] = {0};
  for (int i = 0; i < COLUMNS; i++) {
    first[i] = listing->rows[0].cells[i] ? headings[i] : NULL;
    widths[i] = strlen(headings[i]);
    for (size_t k = 0; k < listing->count; k++) {
      size_t own = listing->rows[k].cells[i] ? strlen(listing->rows[k].cells[i]) : 0;
      widths[i] = own > widths[i] ? own : widths[i];
    }
  }
  print_cells(first, widths);
  for (size_t k = 0; k < listing->count; k++)
    print_cells((const char *const *)listing->rows[k].cells, widths);
}

static void free_rows(struct listing *listing) {
  for (size_t k = 0; k < listing->count; k++)
    for (int i = 0; i < COLUMNS; i++)
      free(listing->rows[k].cells[i]);
  free(listing->rows);
}

static tile_status list(struct tune_database *database, struct listing *listing) {
  const struct tune_key *filter = &listing->arguments->filter;
  if (listing->arguments->measurements)
    return tune_database_each_measurement(database, filter, list_measurement, listing);
  return tune_database_each_winner(database, filter, list_winner, listing);
}

tile_status database_show(const struct tune_arguments *arguments) {
  struct tune_database *database;
  struct listing listing = {.arguments = arguments};
  TRY(tune_database_open(arguments->database, TUNE_READ, &database));
  tile_status status = list(database, &listing);
  if (!status && listing.count)
    print_table(&listing);
  else if (!status && !arguments->json)
    printf("%s: no %s\n", tune_database_path(database),
           arguments->measurements ? "measurement"
                                   : "winner; --measurements shows all that was measured");
  tune_database_close(database);
  free_rows(&listing);
  return status;
}
