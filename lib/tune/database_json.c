/* SPDX-License-Identifier: MIT */
/* See database.h. The content as JSON, one row a line:

       {"format":"tile-tune 1",
       "winners":[
       {"kernel":"add","content":"0f...",...,"candidate":{...},"milliseconds":0.012288,
        "space":"","changed":1700000000000}
       ],
       "measurements":[
       ]}

   What its rows must be like is a table here. */
#include <string.h>
#include "base/toml.h"
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
  unsigned kinds; /* of enum toml_kind */
  const char *what;
};

#define TEXT 1u << TOML_STRING, "a string"
#define WHOLE 1u << TOML_INTEGER, "a whole number"
#define TIME 1u << TOML_INTEGER | 1u << TOML_FLOAT, "a number"
#define KEY_MEMBERS                                                                                \
  {"kernel", TEXT}, {"content", TEXT}, {"arguments", TEXT}, {"device", TEXT},                      \
      {"capability", TEXT}, {"driver", TEXT}, {"toolkit", TEXT}, {                                 \
    "candidate", 1u << TOML_TABLE, "an object"                                                     \
  }

enum { CANDIDATE = TUNE_KEY_COLUMNS, OWN /* members from here on */, MAX_MEMBERS = OWN + 8 };

static const struct member winner_members[] = {
    KEY_MEMBERS, {"milliseconds", TIME}, {"space", TEXT}, {"changed", WHOLE}};
static const struct member measurement_members[] = {
    KEY_MEMBERS,    {"outcome", TEXT}, {"message", TEXT}, {"milliseconds", TIME}, {"low", TIME},
    {"high", TIME}, {"rounds", WHOLE}, {"place", WHOLE},  {"changed", WHOLE}};

struct reading {
  struct tune_database *into;
  const char *name, *json;
  size_t length;
  struct arena arena;
};

/* A row: the values of its members, in the order of the table, and whose it is. */
struct row {
  size_t number;
  const struct toml_value *values[MAX_MEMBERS];
  struct tune_key key;
  const char *candidate;
};

struct rows {
  const char *name;
  const struct member *members;
  size_t count;
  tile_status (*put)(struct reading *reading, const struct row *row);
};

static tile_status check_row(const struct reading *reading, const struct rows *rows,
                             const struct toml_value *table, struct row *row) {
  for (size_t i = 0; i < rows->count; i++) {
    const struct member *member = &rows->members[i];
    const struct toml_value *value = row->values[i] = toml_get(table, member->name);
    if (!value || !(member->kinds >> value->kind & 1))
      return FAIL(TILE_INVALID_ARGUMENT,
                  "'%s': %s, row %zu: \"%s\" is %s, not %s; nothing was imported", reading->name,
                  rows->name, row->number, member->name,
                  value ? toml_kind_phrase(value->kind) : "missing", member->what);
  }
  return NULL;
}

static double number_of(const struct toml_value *value) {
  return value->kind == TOML_INTEGER ? (double)value->integer : value->number;
}

static tile_status put_winner(struct reading *reading, const struct row *row) {
  const struct toml_value *const *own = row->values + OWN;
  struct tune_winner winner = {.candidate = row->candidate,
                               .milliseconds = number_of(own[0]),
                               .space = own[1]->string.data,
                               .changed = own[2]->integer};
  return tune_put_winner(reading->into, &row->key, &winner);
}

static tile_status put_measurement(struct reading *reading, const struct row *row) {
  const struct toml_value *const *own = row->values + OWN;
  struct tune_measurement measurement = {.candidate = row->candidate,
                                         .message = own[1]->string.data,
                                         .milliseconds = number_of(own[2]),
                                         .low = number_of(own[3]),
                                         .high = number_of(own[4]),
                                         .rounds = (int)own[5]->integer,
                                         .place = (int)own[6]->integer,
                                         .changed = own[7]->integer};
  if (!tune_outcome_parse(own[0]->string.data, &measurement.outcome))
    return FAIL(
        TILE_INVALID_ARGUMENT,
        "'%s': measurements, row %zu: the outcome '%s' is not ok, dropped, failed, wrong or "
        "timeout; nothing was imported",
        reading->name, row->number, own[0]->string.data);
  return tune_put_measurement(reading->into, MERGE_MEASUREMENT, &row->key, &measurement);
}

static tile_status read_rows(struct reading *reading, const struct toml_value *document,
                             const struct rows *rows) {
  const struct toml_value *list = toml_get(document, rows->name);
  for (size_t i = 0; list && list->kind == TOML_ARRAY && i < list->array.count; i++) {
    struct row row = {.number = i + 1};
    TRY(check_row(reading, rows, list->array.items[i], &row));
    for (int k = 0; k < TUNE_KEY_COLUMNS; k++)
      *tune_key_member(&row.key, k) = row.values[k]->string.data;
    struct toml_span span = row.values[CANDIDATE]->span;
    row.candidate = arena_copy_string(&reading->arena, reading->json + span.offset, span.length);
    TRY(rows->put(reading, &row));
  }
  return NULL;
}

static tile_status check_format(const struct reading *reading, const struct toml_value *document) {
  const struct toml_value *value = toml_get(document, "format");
  const char *format = value && value->kind == TOML_STRING ? value->string.data : "";
  if (strcmp(format, FORMAT) == 0)
    return NULL;
  if (strncmp(format, "tile-tune ", 10) == 0)
    return FAIL(TILE_UNSUPPORTED, "'%s' has the format '%s', and this toolkit reads '%s'",
                reading->name, format, FORMAT);
  return FAIL(TILE_INVALID_ARGUMENT,
              "'%s' does not say \"format\": \"%s\"; tile-tune import reads what "
              "tile-tune export writes",
              reading->name, FORMAT);
}

static tile_status read_text(struct tune_database *into, void *data) {
  static const struct rows tables[] = {
      {"winners", winner_members, sizeof winner_members / sizeof *winner_members, put_winner},
      {"measurements", measurement_members,
       sizeof measurement_members / sizeof *measurement_members, put_measurement}};
  struct reading *reading = data;
  const struct toml_value *document;
  struct toml_error error;
  reading->into = into;
  if (!json_parse(&reading->arena, reading->json, reading->length, &document, &error))
    return FAIL(TILE_INVALID_ARGUMENT,
                "'%s' is not JSON, at byte %u: %s; tile-tune import reads what tile-tune export "
                "writes",
                reading->name, (unsigned)error.span.offset, error.message);
  TRY(check_format(reading, document));
  TRY(read_rows(reading, document, &tables[0]));
  return read_rows(reading, document, &tables[1]);
}

/* By way of a database in memory: what is wrong shows before the file is locked. */
tile_status tune_database_import(struct tune_database *database, const char *name, const char *json,
                                 size_t length) {
  struct tune_database *staged;
  TRY(tune_database_open(":memory:", TUNE_WRITE, &staged));
  struct reading reading = {.name = name, .json = json, .length = length};
  tile_status status = tune_transaction(staged, read_text, &reading);
  arena_destroy(&reading.arena);
  if (!status)
    status = tune_database_merge(database, staged);
  tune_database_close(staged);
  return status;
}
