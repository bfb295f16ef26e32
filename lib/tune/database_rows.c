/* SPDX-License-Identifier: MIT */
/* See database.h. The rows: one statement for each way in and out, all with parameters. */
#include <math.h>
#include <string.h>
#include <time.h>
#include "tune/database_handle.h"

const char *const tune_key_names[TUNE_KEY_COLUMNS] = {
    "kernel", "content", "arguments", "device", "capability", "driver", "toolkit"};

const char **tune_key_member(struct tune_key *key, int column) {
  const char **const members[TUNE_KEY_COLUMNS] = {&key->kernel, &key->content,    &key->arguments,
                                                  &key->device, &key->capability, &key->driver,
                                                  &key->toolkit};
  return members[column];
}

static const char *const outcomes[TUNE_OUTCOMES] = {[TUNE_OK] = "ok",
                                                    [TUNE_DROPPED] = "dropped",
                                                    [TUNE_FAILED] = "failed",
                                                    [TUNE_WRONG] = "wrong",
                                                    [TUNE_TIMEOUT] = "timeout"};

const char *tune_outcome_name(enum tune_outcome outcome) {
  return outcomes[outcome];
}

/* --- Statements ------------------------------------------------------------------------------- */

#define KEY_LIST "kernel, content, arguments, device, capability, driver, toolkit"
#define THE_KEY                                                                                    \
  "kernel = ?1 AND content = ?2 AND arguments = ?3 AND device = ?4 AND capability = ?5 AND "       \
  "driver = ?6 AND toolkit = ?7"
#define MEASURED "candidate, outcome, message, nanoseconds, low, high, rounds, place, changed"
#define WON "candidate, nanoseconds, space, changed"
#define PUT_MEASURED                                                                               \
  "INSERT INTO measurements (" KEY_LIST ", " MEASURED ") "                                         \
  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, json(?8), ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) "          \
  "ON CONFLICT DO UPDATE SET outcome = excluded.outcome, message = excluded.message, "             \
  "nanoseconds = excluded.nanoseconds, low = excluded.low, high = excluded.high, "                 \
  "rounds = excluded.rounds, place = excluded.place, changed = excluded.changed"
#define PUT_WON                                                                                    \
  "INSERT INTO winners (" KEY_LIST ", " WON ") "                                                   \
  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, json(?8), ?9, ?10, ?11) "                                   \
  "ON CONFLICT DO UPDATE SET candidate = excluded.candidate, "                                     \
  "nanoseconds = excluded.nanoseconds, space = excluded.space, changed = excluded.changed"

/* Merging is the larger of two rows in an order of all rows, so that it is the same both ways. */
static const char *const statements[STATEMENT_COUNT] = {
    [PUT_MEASUREMENT] = PUT_MEASURED,
    [MERGE_MEASUREMENT] = PUT_MEASURED
    " WHERE (excluded.changed, excluded.rounds, -excluded.nanoseconds, "
    "excluded.outcome, excluded.message, excluded.low, excluded.high, excluded.place) > "
    "(measurements.changed, measurements.rounds, -measurements.nanoseconds, "
    "measurements.outcome, measurements.message, measurements.low, "
    "measurements.high, measurements.place)",
    [PUT_WINNER] = PUT_WON,
    [FIND_WINNER] = "SELECT " WON " FROM winners WHERE " THE_KEY,
    /* ?8 is what the fastest time is multiplied by. */
    [CHOOSE_WINNER] =
        "WITH able AS (SELECT " MEASURED " FROM measurements WHERE " THE_KEY " AND outcome = 'ok') "
        "SELECT candidate, nanoseconds, (SELECT max(changed) FROM able) FROM able "
        "WHERE nanoseconds <= (SELECT min(nanoseconds) FROM able) * ?8 "
        "ORDER BY place, nanoseconds, candidate LIMIT 1",
};

tile_status tune_prepared(struct tune_database *database, enum tune_statement which,
                          sqlite3_stmt **out) {
  sqlite3_stmt **kept = &database->statements[which];
  if (!*kept) {
    int code = sqlite3_prepare_v3(database->sqlite, statements[which], -1,
                                  SQLITE_PREPARE_PERSISTENT, kept, NULL);
    if (code != SQLITE_OK)
      return tune_error(database, code, "read");
  }
  sqlite3_clear_bindings(*kept);
  *out = *kept;
  return NULL;
}

/* --- Values ----------------------------------------------------------------------------------- */

static int64_t to_nanoseconds(double milliseconds) {
  return milliseconds > 0 && milliseconds < 1e12 ? llround(milliseconds * 1e6) : 0;
}

static double to_milliseconds(int64_t nanoseconds) {
  return (double)nanoseconds / 1e6;
}

static int64_t milliseconds_since_1970(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text) {
  sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

static void bind_key(sqlite3_stmt *statement, const struct tune_key *key) {
  struct tune_key copy = *key;
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++)
    bind_text(statement, i + 1, *tune_key_member(&copy, i));
}

static const char *text_at(sqlite3_stmt *statement, int column) {
  const char *text = (const char *)sqlite3_column_text(statement, column);
  return text ? text : ""; /* no memory */
}

static struct tune_key key_at(sqlite3_stmt *statement) {
  struct tune_key key;
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++)
    *tune_key_member(&key, i) = text_at(statement, i);
  return key;
}

bool tune_outcome_parse(const char *name, enum tune_outcome *out) {
  for (int i = 0; i < TUNE_OUTCOMES; i++)
    if (strcmp(outcomes[i], name) == 0) {
      *out = (enum tune_outcome)i;
      return true;
    }
  return false;
}

/* The table takes no other words. */
static enum tune_outcome outcome_of(const char *name) {
  enum tune_outcome outcome = TUNE_FAILED;
  tune_outcome_parse(name, &outcome);
  return outcome;
}

static struct tune_winner winner_at(sqlite3_stmt *statement, int column) {
  return (struct tune_winner){.candidate = text_at(statement, column),
                              .milliseconds =
                                  to_milliseconds(sqlite3_column_int64(statement, column + 1)),
                              .space = text_at(statement, column + 2),
                              .changed = sqlite3_column_int64(statement, column + 3)};
}

static struct tune_measurement measurement_at(sqlite3_stmt *statement, int column) {
  return (struct tune_measurement){
      .candidate = text_at(statement, column),
      .outcome = outcome_of(text_at(statement, column + 1)),
      .message = text_at(statement, column + 2),
      .milliseconds = to_milliseconds(sqlite3_column_int64(statement, column + 3)),
      .low = to_milliseconds(sqlite3_column_int64(statement, column + 4)),
      .high = to_milliseconds(sqlite3_column_int64(statement, column + 5)),
      .rounds = sqlite3_column_int(statement, column + 6),
      .place = sqlite3_column_int(statement, column + 7),
      .changed = sqlite3_column_int64(statement, column + 8)};
}

/* --- In --------------------------------------------------------------------------------------- */

tile_status tune_put_measurement(struct tune_database *database, enum tune_statement how,
                                 const struct tune_key *key,
                                 const struct tune_measurement *measurement) {
  sqlite3_stmt *statement;
  TRY(tune_prepared(database, how, &statement));
  bind_key(statement, key);
  bind_text(statement, 8, measurement->candidate);
  bind_text(statement, 9, tune_outcome_name(measurement->outcome));
  bind_text(statement, 10, measurement->message ? measurement->message : "");
  sqlite3_bind_int64(statement, 11, to_nanoseconds(measurement->milliseconds));
  sqlite3_bind_int64(statement, 12, to_nanoseconds(measurement->low));
  sqlite3_bind_int64(statement, 13, to_nanoseconds(measurement->high));
  sqlite3_bind_int(statement, 14, measurement->rounds);
  sqlite3_bind_int(statement, 15, measurement->place);
  sqlite3_bind_int64(statement, 16,
                     measurement->changed ? measurement->changed : milliseconds_since_1970());
  return tune_finish(database, statement);
}

tile_status tune_put_winner(struct tune_database *database, const struct tune_key *key,
                            const struct tune_winner *winner) {
  sqlite3_stmt *statement;
  TRY(tune_prepared(database, PUT_WINNER, &statement));
  bind_key(statement, key);
  bind_text(statement, 8, winner->candidate);
  sqlite3_bind_int64(statement, 9, to_nanoseconds(winner->milliseconds));
  bind_text(statement, 10, winner->space ? winner->space : "");
  sqlite3_bind_int64(statement, 11, winner->changed ? winner->changed : milliseconds_since_1970());
  return tune_finish(database, statement);
}

struct put {
  const struct tune_key *key;
  const struct tune_measurement *measurements;
  size_t count;
  const struct tune_winner *winner;
};

static tile_status put_measurements(struct tune_database *database, void *data) {
  const struct put *put = data;
  for (size_t i = 0; i < put->count; i++)
    TRY(tune_put_measurement(database, PUT_MEASUREMENT, put->key, &put->measurements[i]));
  return NULL;
}

tile_status tune_database_put_measurements(struct tune_database *database,
                                           const struct tune_key *key,
                                           const struct tune_measurement *measurements,
                                           size_t count) {
  tune_start(database);
  struct put put = {.key = key, .measurements = measurements, .count = count};
  return count ? tune_transaction(database, put_measurements, &put) : NULL;
}

static tile_status put_winner(struct tune_database *database, void *data) {
  const struct put *put = data;
  return tune_put_winner(database, put->key, put->winner);
}

tile_status tune_database_put_winner(struct tune_database *database, const struct tune_key *key,
                                     const struct tune_winner *winner) {
  tune_start(database);
  return tune_transaction(database, put_winner, &(struct put){.key = key, .winner = winner});
}

/* --- The winner ------------------------------------------------------------------------------- */

/* Copies: a statement that is not reset would keep the file from being tidied up. */
static void keep_winner(struct tune_database *database, struct tune_winner *winner) {
  database->candidate.length = database->space.length = 0;
  text_puts(&database->candidate, winner->candidate);
  text_puts(&database->space, winner->space);
  winner->candidate = text_string(&database->candidate);
  winner->space = text_string(&database->space);
}

tile_status tune_database_find_winner(struct tune_database *database, const struct tune_key *key,
                                      struct tune_winner *out) {
  sqlite3_stmt *statement;
  *out = (struct tune_winner){0};
  tune_start(database);
  TRY(tune_prepared(database, FIND_WINNER, &statement));
  bind_key(statement, key);
  int code = tune_step(database, statement);
  if (code == SQLITE_ROW) {
    *out = winner_at(statement, 0);
    keep_winner(database, out);
  }
  tile_status status =
      code == SQLITE_ROW || code == SQLITE_DONE ? NULL : tune_error(database, code, "read");
  sqlite3_reset(statement);
  return status;
}

struct choice {
  const struct tune_key *key;
  const char *space;
  struct tune_winner winner;
};

static tile_status find_best(struct tune_database *database, struct choice *choice) {
  sqlite3_stmt *statement;
  TRY(tune_prepared(database, CHOOSE_WINNER, &statement));
  bind_key(statement, choice->key);
  sqlite3_bind_double(statement, 8, 1 + TUNE_TIE);
  int code = tune_step(database, statement);
  if (code == SQLITE_ROW) {
    choice->winner =
        (struct tune_winner){.candidate = text_at(statement, 0),
                             .milliseconds = to_milliseconds(sqlite3_column_int64(statement, 1)),
                             .space = choice->space,
                             .changed = sqlite3_column_int64(statement, 2)};
    keep_winner(database, &choice->winner);
  }
  tile_status status =
      code == SQLITE_ROW || code == SQLITE_DONE ? NULL : tune_error(database, code, "read");
  sqlite3_reset(statement);
  return status;
}

static tile_status choose(struct tune_database *database, void *data) {
  struct choice *choice = data;
  TRY(find_best(database, choice));
  return choice->winner.candidate ? tune_put_winner(database, choice->key, &choice->winner) : NULL;
}

tile_status tune_choose(struct tune_database *database, const struct tune_key *key,
                        const char *space) {
  return choose(database, &(struct choice){.key = key, .space = space});
}

tile_status tune_database_choose(struct tune_database *database, const struct tune_key *key,
                                 const char *space, struct tune_winner *out) {
  tune_start(database);
  struct choice choice = {.key = key, .space = space ? space : ""};
  tile_status status = tune_transaction(database, choose, &choice);
  if (out)
    *out = status ? (struct tune_winner){0} : choice.winner;
  return status;
}

/* --- Out -------------------------------------------------------------------------------------- */

static bool is_pattern(int column) {
  return column == 0 || column == 3; /* kernel, device */
}

/* " WHERE kernel GLOB ?1 AND content = ?2", of what the filter names. */
static void print_filter(struct tune_key filter, struct text *out) {
  const char *word = " WHERE ";
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++) {
    if (!*tune_key_member(&filter, i))
      continue;
    text_printf(out, "%s%s %s ?%d", word, tune_key_names[i], is_pattern(i) ? "GLOB" : "=", i + 1);
    word = " AND ";
  }
}

/* "START [WHERE ...] END", for the caller to finalize. */
static tile_status prepare_filtered(struct tune_database *database, const char *start,
                                    const struct tune_key *filter, const char *end,
                                    sqlite3_stmt **out) {
  struct text sql = {0};
  struct tune_key all = filter ? *filter : (struct tune_key){0};
  text_puts(&sql, start);
  print_filter(all, &sql);
  text_puts(&sql, end);
  int code = sqlite3_prepare_v2(database->sqlite, text_string(&sql), -1, out, NULL);
  text_free(&sql);
  if (code != SQLITE_OK)
    return tune_error(database, code, "read");
  for (int i = 0; i < TUNE_KEY_COLUMNS; i++)
    if (*tune_key_member(&all, i))
      bind_text(*out, i + 1, *tune_key_member(&all, i));
  return NULL;
}

struct visit {
  tune_visit_winner *winner;
  tune_visit_measurement *measurement;
  void *data;
};

static tile_status visit_row(sqlite3_stmt *statement, const struct visit *visit) {
  struct tune_key key = key_at(statement);
  if (visit->winner) {
    struct tune_winner winner = winner_at(statement, TUNE_KEY_COLUMNS);
    return visit->winner(&key, &winner, visit->data);
  }
  struct tune_measurement measurement = measurement_at(statement, TUNE_KEY_COLUMNS);
  return visit->measurement(&key, &measurement, visit->data);
}

static tile_status visit_rows(struct tune_database *database, sqlite3_stmt *statement,
                              const struct visit *visit) {
  tile_status status = NULL;
  int code;
  while (!status && (code = tune_step(database, statement)) == SQLITE_ROW)
    status = visit_row(statement, visit);
  if (!status && code != SQLITE_DONE)
    status = tune_error(database, code, "read");
  sqlite3_finalize(statement);
  return status;
}

tile_status tune_database_each_winner(struct tune_database *database, const struct tune_key *filter,
                                      tune_visit_winner *visit, void *data) {
  sqlite3_stmt *statement;
  tune_start(database);
  TRY(prepare_filtered(database, "SELECT " KEY_LIST ", " WON " FROM winners", filter,
                       " ORDER BY " KEY_LIST, &statement));
  return visit_rows(database, statement, &(struct visit){.winner = visit, .data = data});
}

tile_status tune_database_each_measurement(struct tune_database *database,
                                           const struct tune_key *filter,
                                           tune_visit_measurement *visit, void *data) {
  sqlite3_stmt *statement;
  tune_start(database);
  TRY(prepare_filtered(database, "SELECT " KEY_LIST ", " MEASURED " FROM measurements", filter,
                       " ORDER BY " KEY_LIST ", place, candidate", &statement));
  return visit_rows(database, statement, &(struct visit){.measurement = visit, .data = data});
}

struct clearing {
  const struct tune_key *filter;
  size_t winners, measurements;
};

static tile_status remove_from(struct tune_database *database, const char *start,
                               const struct tune_key *filter, size_t *out_count) {
  sqlite3_stmt *statement;
  TRY(prepare_filtered(database, start, filter, "", &statement));
  tile_status status = tune_finish(database, statement);
  *out_count = status ? 0 : (size_t)sqlite3_changes64(database->sqlite);
  sqlite3_finalize(statement);
  return status;
}

static tile_status clear(struct tune_database *database, void *data) {
  struct clearing *clearing = data;
  TRY(remove_from(database, "DELETE FROM winners", clearing->filter, &clearing->winners));
  return remove_from(database, "DELETE FROM measurements", clearing->filter,
                     &clearing->measurements);
}

tile_status tune_database_clear(struct tune_database *database, const struct tune_key *filter,
                                size_t *out_winners, size_t *out_measurements) {
  tune_start(database);
  struct clearing clearing = {.filter = filter};
  TRY(tune_transaction(database, clear, &clearing));
  *out_winners = clearing.winners;
  *out_measurements = clearing.measurements;
  return NULL;
}
