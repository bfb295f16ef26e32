/* SPDX-License-Identifier: MIT */
/* What was measured, and what came out best: one SQLite file that any number of processes use at
   once.

       struct tune_database *database;
       tile_status status = tune_database_open(NULL, TUNE_WRITE, &database);
       if (!status)
         status = tune_database_find_winner(database, &key, &winner);
       if (!status && !winner.candidate)
         ...measure..., tune_database_put_measurements(database, &key, measurements, count),
         tune_database_choose(database, &key, space, &winner);
       tune_database_close(database);

   A row is keyed by what is tuned (kernel, its content, the argument key), where (device,
   capability, driver) and by which toolkit. Each is a column, so that `tile-tune show --device` and
   a build ahead of time can match on some of them. docs/tuning.md says what a user sees of it.

   What a function has put there when it returns stays, whatever the process dies of: each is one
   transaction. Files are in write-ahead mode, on file systems of a network with a rollback journal,
   since shared memory does not reach other machines. Nothing that is not our database is ever
   written to.

   Errors: TILE_NOT_FOUND (TUNE_READ: no file), TILE_UNSUPPORTED (another format, another
   program's), TILE_BAD_IMAGE (damaged, or no database at all), TILE_IO_ERROR (locked for longer
   than the time limit, disk full, read-only), each with the path and the way out.

   Threads: a handle belongs to one thread at a time; any number of handles, in threads and
   processes, may be open on one file. A handle does not survive fork(): open one in the child. */
#ifndef TILE_TUNE_DATABASE_H
#define TILE_TUNE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/text.h"

struct tune_database;

enum tune_mode {
  TUNE_READ, /* makes nothing; also on a read-only disk */
  TUNE_WRITE /* makes the file, and folders above it, where they are missing */
};

/* All are texts, none is NULL, "" where it does not apply. In the order of the columns. */
struct tune_key {
  const char *kernel;     /* its name */
  const char *content;    /* hash of its source, of what it imports, signature and options, in
                             hexadecimal digits */
  const char *arguments;  /* the values of `key` and all types, in one canonical text */
  const char *device;     /* "NVIDIA H200", "emulator" */
  const char *capability; /* "9.0" */
  const char *driver;     /* its version */
  const char *toolkit;    /* build_id() */
};
enum { TUNE_KEY_COLUMNS = 7 };

enum tune_outcome {
  TUNE_OK,      /* measured to the end: may win */
  TUNE_DROPPED, /* measured or bounded coarsely, and too slow */
  TUNE_FAILED,  /* did not compile or did not run; the message says why */
  TUNE_WRONG,   /* ran, with another result than the first candidate */
  TUNE_TIMEOUT,
  TUNE_OUTCOMES
};
/* "ok", "dropped", "failed", "wrong", "timeout". */
const char *tune_outcome_name(enum tune_outcome outcome);
bool tune_outcome_parse(const char *name, enum tune_outcome *out);

/* Times are kept in nanoseconds; 0 where there is none. */
struct tune_measurement {
  const char *candidate; /* a JSON object; kept without spaces between its words */
  enum tune_outcome outcome;
  const char *message; /* "" or what went wrong */
  double milliseconds; /* the median */
  double low, high;    /* the quantiles 0.2 and 0.8 */
  int rounds;          /* how often it was measured */
  int place;           /* in the order of candidates, from 0: of equals the first wins */
  int64_t changed;     /* milliseconds since 1970; 0: the time of the call that puts it */
};

struct tune_winner {
  const char *candidate; /* as above */
  double milliseconds;
  const char *space; /* which candidates there were to choose from: a hash or "" */
  int64_t changed;
};

/* Of candidates at most this much slower than the fastest, the first in order wins: clocks are no
   more exact, and a choice should not change from run to run. */
#define TUNE_TIE 0.01

/* The default: $TILE_TUNE_DATABASE, else tune.sqlite3 in the folder of the cache. Appends it. */
tile_status tune_database_default_path(struct text *out);
/* `path` NULL is the default; ":memory:" is a database of this handle alone. */
tile_status tune_database_open(const char *path, enum tune_mode mode, struct tune_database **out);
/* NULL is fine. */
void tune_database_close(struct tune_database *database);
/* Borrowed. */
const char *tune_database_path(const struct tune_database *database);
/* How long others may lock the file; 30 seconds when a handle is opened. */
void tune_database_set_patience(struct tune_database *database, int milliseconds);

/* Puts all or none; a candidate that was measured before under the same key is overwritten. */
tile_status tune_database_put_measurements(struct tune_database *database,
                                           const struct tune_key *key,
                                           const struct tune_measurement *measurements,
                                           size_t count);
/* Overwrites the winner that was there. */
tile_status tune_database_put_winner(struct tune_database *database, const struct tune_key *key,
                                     const struct tune_winner *winner);
/* Makes the best TUNE_OK measurement of the key the winner, by TUNE_TIE. `out` (or NULL) as from
   tune_database_find_winner: without a candidate when nothing may win, and then the winner that was
   there stays. */
tile_status tune_database_choose(struct tune_database *database, const struct tune_key *key,
                                 const char *space, struct tune_winner *out);
/* `candidate` is NULL when there is none. Texts are borrowed until the next call with this handle.
 */
tile_status tune_database_find_winner(struct tune_database *database, const struct tune_key *key,
                                      struct tune_winner *out);

/* Calls `visit` for each row that matches, in the order of the key, then of place and candidate. A
   member of `filter` that is NULL matches all; kernel and device are patterns as a shell's (`*`,
   `?`, `[...]`), others match exactly. Texts are borrowed until visit returns; visit may not use
   the handle. An error of `visit` ends it and is returned. */
typedef tile_status tune_visit_winner(const struct tune_key *key, const struct tune_winner *winner,
                                      void *data);
typedef tile_status tune_visit_measurement(const struct tune_key *key,
                                           const struct tune_measurement *measurement, void *data);
tile_status tune_database_each_winner(struct tune_database *database, const struct tune_key *filter,
                                      tune_visit_winner *visit, void *data);
tile_status tune_database_each_measurement(struct tune_database *database,
                                           const struct tune_key *filter,
                                           tune_visit_measurement *visit, void *data);
/* Removes winners and measurements that match. */
tile_status tune_database_clear(struct tune_database *database, const struct tune_key *filter,
                                size_t *out_winners, size_t *out_measurements);

/* Adds what `from` holds, in one transaction. Of two measurements of one candidate under one key
   the later stays (of equally late ones that with more rounds, then the faster). Of two winners
   that were chosen among the same candidates the later stays; it stays chosen until a later
   measurement is added. Else the winner is chosen anew from all measurements of the key, as
   tune_database_choose does. So the order of merging does not matter. */
tile_status tune_database_merge(struct tune_database *into, struct tune_database *from);

/* The content as JSON, one row a line, in the order of the key: the same content is the same bytes.
 */
tile_status tune_database_export(struct tune_database *database, const struct tune_key *filter,
                                 struct text *out);
/* One row of it, without a line end. */
void tune_print_winner(const struct tune_key *key, const struct tune_winner *winner,
                       struct text *out);
void tune_print_measurement(const struct tune_key *key, const struct tune_measurement *measurement,
                            struct text *out);
/* Merges such a text, all or nothing; `name` is the file's, for messages. */
tile_status tune_database_import(struct tune_database *database, const char *name, const char *json,
                                 size_t length);

#endif
