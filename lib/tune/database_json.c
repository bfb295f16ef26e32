/* SPDX-License-Identifier: MIT */
/* See database.h. The content as JSON, one row a line:

       {"format":"tile-tune 1",
       "winners":[
       {"kernel":"add","content":"0f...",...,"candidate":{...},"milliseconds":0.012288,
        "space":"","changed":1700000000000}
       ],
       "measurements":[
       ]}

   SQLite reads JSON; what its rows must be like is a table here. */
#include <string.h>
#include "tune/database_handle.h"

#define FORMAT "tile-tune 1"

/* --- Out -------------------------------------------------------------------------------------- */

static void print_key(const struct tune_key *key, struct text *out) {
  struct tune_key copy = *key;
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++) {
    text_printf(out, "%s\"%s\":", i ? "," : "", tune_key_names[i]);
    text_json_string(out, *tune_key_member(&copy, i));
  }
}

void tune_print_winner(const struct tune_key *key, const struct tune_winner *winner,
                       struct text *out) {
  text_puts(out, "{");
  print_key(key, out);
  text_printf(out, ",\"candidate\":%s,\"milliseconds\":%.6f,\"space\":", winner->candidate,
              winner->milliseconds);
  text_json_string(out, winner->space);
  text_printf(out, ",\"changed\":%lld}", (long long)winner->changed);
}

void tune_print_measurement(const struct tune_key *key, const struct tune_measurement *row,
                            struct text *out) {
  text_puts(out, "{");
  print_key(key, out);
  text_printf(out, ",\"candidate\":%s,\"outcome\":\"%s\",\"message\":", row->candidate,
              tune_outcome_name(row->outcome));
  text_json_string(out, row->message);
  text_printf(out,
              ",\"milliseconds\":%.6f,\"low\":%.6f,\"high\":%.6f,\"rounds\":%d,\"place\":%d,"
              "\"changed\":%lld}",
              row->milliseconds, row->low, row->high, row->rounds, row->place,
              (long long)row->changed);
}

struct listing {
  struct text *out;
  size_t count;
};

static void next_line(struct listing *listing) {
  text_puts(listing->out, listing->count++ ? ",\n" : "\n");
}

static tile_status list_winner(const struct tune_key *key, const struct tune_winner *winner,
                               void *data) {
  struct listing *listing = data;
  next_line(listing);
  tune_print_winner(key, winner, listing->out);
  return NULL;
}

static tile_status list_measurement(const struct tune_key *key,
                                    const struct tune_measurement *measurement, void *data) {
  struct listing *listing = data;
  next_line(listing);
  tune_print_measurement(key, measurement, listing->out);
  return NULL;
}

static tile_status export_rows(struct tune_database *database, const struct tune_key *filter,
                               struct text *out) {
  text_puts(out, "{\"format\":\"" FORMAT "\",\n\"winners\":[");
  TRY(tune_database_each_winner(database, filter, list_winner, &(struct listing){.out = out}));
  text_puts(out, "\n],\n\"measurements\":[");
  TRY(tune_database_each_measurement(database, filter, list_measurement,
                                     &(struct listing){.out = out}));
  text_puts(out, "\n]}\n");
  return NULL;
}

/* Both tables at one time. */
tile_status tune_database_export(struct tune_database *database, const struct tune_key *filter,
                                 struct text *out) {
  tune_start(database);
  TRY(tune_execute(database, "BEGIN", "read"));
  tile_status status = export_rows(database, filter, out),
              ended = tune_execute(database, "COMMIT", "read");
  if (status)
    tile_status_free(ended);
  return status ? status : ended;
}

/* --- In --------------------------------------------------------------------------------------- */

struct member {
  const char *name;
  const char *types; /* of SQLite's json_type, with a space after each */
  const char *what;
};

#define TEXT "text ", "a text"
#define WHOLE "integer ", "a whole number"
#define TIME "integer real ", "a number"
#define CANDIDATE                                                                                  \
  { "candidate", "object ", "an object" }
#define KEY_MEMBERS                                                                                \
  {"kernel", TEXT}, {"content", TEXT}, {"arguments", TEXT}, {"device", TEXT},                      \
      {"capability", TEXT}, {"driver", TEXT}, {"toolkit", TEXT}, CANDIDATE

static const struct member winner_members[] = {
    KEY_MEMBERS, {"milliseconds", TIME}, {"space", TEXT}, {"changed", WHOLE}};
static const struct member measurement_members[] = {
    KEY_MEMBERS,    {"outcome", TEXT}, {"message", TEXT}, {"milliseconds", TIME}, {"low", TIME},
    {"high", TIME}, {"rounds", WHOLE}, {"place", WHOLE},  {"changed", WHOLE}};

struct reading {
  struct tune_database *into;
  const char *name, *json;
  size_t length;
};

typedef tile_status put_row(struct reading *reading, sqlite3_stmt *row, const struct tune_key *key,
                            size_t number);

struct rows {
  const char *name;
  const struct member *members;
  size_t count;
  put_row *put;
};

/* Two columns for each member, value and type, of the rows of an array. */
static void print_selection(const struct rows *rows, struct text *sql) {
  text_puts(sql, "SELECT ");
  for (size_t i = 0; i < rows->count; i++)
    text_printf(sql, "%sjson_extract(value, '$.%s'), json_type(value, '$.%s')", i ? ", " : "",
                rows->members[i].name, rows->members[i].name);
  text_printf(sql,
              " FROM (SELECT CASE type WHEN 'object' THEN value ELSE '{}' END AS value "
              "FROM json_each(?1, '$.%s'))",
              rows->name);
}

static tile_status check_row(const struct reading *reading, const struct rows *rows,
                             sqlite3_stmt *row, size_t number) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct member *member = &rows->members[i];
    const char *type = (const char *)sqlite3_column_text(row, (int)(2 * i + 1));
    size_t length = type ? strlen(type) : 0;
    const char *found = type ? strstr(member->types, type) : NULL;
    if (!found || found[length] != ' ')
      return FAIL(TILE_INVALID_ARGUMENT,
                  "'%s': %s, row %zu: \"%s\" is %s, not %s; nothing was imported", reading->name,
                  rows->name, number, member->name, type ? type : "missing", member->what);
  }
  return NULL;
}

static const char *text_of(sqlite3_stmt *row, int member) {
  const char *text = (const char *)sqlite3_column_text(row, 2 * member);
  return text ? text : "";
}

static struct tune_key key_of(sqlite3_stmt *row) {
  struct tune_key key;
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++)
    *tune_key_member(&key, i) = text_of(row, i);
  return key;
}

static tile_status put_winner(struct reading *reading, sqlite3_stmt *row,
                              const struct tune_key *key, size_t number) {
  (void)number;
  struct tune_winner winner = {.candidate = text_of(row, 7),
                               .milliseconds = sqlite3_column_double(row, 16),
                               .space = text_of(row, 9),
                               .changed = sqlite3_column_int64(row, 20)};
  return tune_put_winner(reading->into, key, &winner);
}

static tile_status put_measurement(struct reading *reading, sqlite3_stmt *row,
                                   const struct tune_key *key, size_t number) {
  struct tune_measurement measurement = {.candidate = text_of(row, 7),
                                         .message = text_of(row, 9),
                                         .milliseconds = sqlite3_column_double(row, 20),
                                         .low = sqlite3_column_double(row, 22),
                                         .high = sqlite3_column_double(row, 24),
                                         .rounds = sqlite3_column_int(row, 26),
                                         .place = sqlite3_column_int(row, 28),
                                         .changed = sqlite3_column_int64(row, 30)};
  if (!tune_outcome_parse(text_of(row, 8), &measurement.outcome))
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "'%s': measurements, row %zu: the outcome '%s' is not ok, dropped, failed, wrong or "
        "timeout; nothing was imported",
        reading->name, number, text_of(row, 8));
  return tune_put_measurement(reading->into, MERGE_MEASUREMENT, key, &measurement);
}

static tile_status put_rows(struct reading *reading, const struct rows *rows,
                            sqlite3_stmt *statement) {
  int code;
  for (size_t number = 1; (code = tune_step(reading->into, statement)) == SQLITE_ROW; number++) {
    TRY(check_row(reading, rows, statement, number));
    struct tune_key key = key_of(statement);
    TRY(rows->put(reading, statement, &key, number));
  }
  return code == SQLITE_DONE ? NULL : tune_error(reading->into, code, "read");
}

static tile_status prepare_on_text(struct reading *reading, const char *sql, sqlite3_stmt **out) {
  int code = sqlite3_prepare_v2(reading->into->sqlite, sql, -1, out, NULL);
  if (code != SQLITE_OK)
    return tune_error(reading->into, code, "read");
  sqlite3_bind_text64(*out, 1, reading->json, reading->length, SQLITE_STATIC, SQLITE_UTF8);
  return NULL;
}

static tile_status read_rows(struct reading *reading, const struct rows *rows) {
  struct text sql = {0};
  sqlite3_stmt *statement = NULL;
  print_selection(rows, &sql);
  tile_status status = prepare_on_text(reading, text_string(&sql), &statement);
  text_free(&sql);
  if (!status)
    status = put_rows(reading, rows, statement);
  sqlite3_finalize(statement);
  return status;
}

static tile_status check_format(struct reading *reading) {
  sqlite3_stmt *statement;
  TRY(prepare_on_text(
      reading,
      "SELECT CASE WHEN json_valid(?1) THEN coalesce(json_extract(?1, '$.format'), '') END",
      &statement));
  tile_status status = NULL;
  int code = sqlite3_step(statement);
  const char *format = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
  if (code != SQLITE_ROW)
    status = tune_error(reading->into, code, "read");
  else if (!format)
    status = FAIL(TILE_INVALID_ARGUMENT,
                  "'%s' is not JSON; tile-tune import reads what tile-tune export writes",
                  reading->name);
  else if (strncmp(format, "tile-tune ", 10) == 0 && strcmp(format, FORMAT) != 0)
    status = FAIL(TILE_UNSUPPORTED, "'%s' has the format '%s', and this toolkit reads '%s'",
                  reading->name, format, FORMAT);
  else if (strcmp(format, FORMAT) != 0)
    status = FAIL(TILE_INVALID_ARGUMENT,
                  "'%s' does not say \"format\": \"%s\"; tile-tune import reads what "
                  "tile-tune export writes",
                  reading->name, FORMAT);
  sqlite3_finalize(statement);
  return status;
}

static tile_status read_text(struct tune_database *into, void *data) {
  static const struct rows tables[] = {
      {"winners", winner_members, sizeof winner_members / sizeof *winner_members, put_winner},
      {"measurements", measurement_members,
       sizeof measurement_members / sizeof *measurement_members, put_measurement}};
  struct reading *reading = data;
  reading->into = into;
  TRY(check_format(reading));
  TRY(read_rows(reading, &tables[0]));
  return read_rows(reading, &tables[1]);
}

/* By way of a database in memory: what is wrong shows before the file is locked. */
tile_status tune_database_import(struct tune_database *database, const char *name, const char *json,
                                 size_t length) {
  struct tune_database *staged;
  TRY(tune_database_open(":memory:", TUNE_WRITE, &staged));
  struct reading reading = {.name = name, .json = json, .length = length};
  tile_status status = tune_transaction(staged, read_text, &reading);
  if (!status)
    status = tune_database_merge(database, staged);
  tune_database_close(staged);
  return status;
}
