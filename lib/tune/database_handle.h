/* SPDX-License-Identifier: MIT */
/* A handle from inside: what the files of this part share. See database.h. */
#ifndef TILE_TUNE_DATABASE_HANDLE_H
#define TILE_TUNE_DATABASE_HANDLE_H

#include <sqlite3.h>
#include "base/status.h"
#include "tune/database.h"

/* Statements that are prepared once; the texts stand in database_rows.c. */
enum tune_statement {
  PUT_MEASUREMENT,
  PUT_WINNER,
  MERGE_MEASUREMENT,
  FIND_WINNER,
  CHOOSE_WINNER,
  STATEMENT_COUNT
};

struct tune_database {
  sqlite3 *sqlite;
  char *path;
  int patience;    /* milliseconds */
  int code;        /* of the last error, SQLite's */
  double deadline; /* of the call that runs: how long its locks are waited for */
  sqlite3_stmt *statements[STATEMENT_COUNT];
  struct text candidate, space; /* what find_winner and choose hand out */
};

/* Whether locks and shared memory of the file reach other machines only in part; tests replace it.
 */
extern bool (*tune_file_is_remote)(const char *path);

/* The patience of new handles, in milliseconds; tests change it. */
extern int tune_patience;

/* Every public function calls it first: from now on the handle's patience counts. */
void tune_start(struct tune_database *database);
/* The error that SQLite's result code means; `doing` is "read", "write", "open". */
tile_status tune_error(struct tune_database *database, int code, const char *doing);

/* A prepared statement without values, for the caller to step and then to reset; see tune_finish.
 */
tile_status tune_prepared(struct tune_database *database, enum tune_statement which,
                          sqlite3_stmt **out);
/* Steps, waiting for locks: SQLITE_ROW, SQLITE_DONE, or an error's code. */
int tune_step(struct tune_database *database, sqlite3_stmt *statement);
/* Runs a statement without values and rows. */
tile_status tune_execute(struct tune_database *database, const char *sql, const char *doing);
/* Steps a statement without rows to its end and resets it. */
tile_status tune_finish(struct tune_database *database, sqlite3_stmt *statement);

/* Runs `body` in one transaction, which is undone when it fails. */
typedef tile_status tune_body(struct tune_database *database, void *data);
tile_status tune_transaction(struct tune_database *database, tune_body *body, void *data);

/* The members of a key by column. */
extern const char *const tune_key_names[TUNE_KEY_COLUMNS];
const char **tune_key_member(struct tune_key *key, int column);

/* database_rows.c, within a transaction: as tune_database_put_measurements and its like. */
tile_status tune_put_measurement(struct tune_database *database, enum tune_statement how,
                                 const struct tune_key *key,
                                 const struct tune_measurement *measurement);
tile_status tune_put_winner(struct tune_database *database, const struct tune_key *key,
                            const struct tune_winner *winner);
tile_status tune_choose(struct tune_database *database, const struct tune_key *key,
                        const char *space);

#endif
