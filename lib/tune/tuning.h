/* SPDX-License-Identifier: MIT */
/* The parts of tile_tune: a plan is read from the kernel's file, candidates are made (compiled),
   checked and timed.

     plan.c      which candidates there are, and what decides about the winner
     bound.c     which of them are hopeless, before they are compiled
     make.c      compiles them, on several threads
     measure.c   runs them: results compared, times taken
     endless.c   what a run may take
     key.c       under which key the winner is kept
     memory.c    looking it up, and keeping it
     search.c    whose turn it is, and who wins
     tuning.c    the public functions, and the order of all this */
#ifndef TILE_TUNE_TUNING_H
#define TILE_TUNE_TUNING_H

#include "base/arena.h"
#include "driver/import_files.h"
#include "frontend/import/import.h"
#include "tile/tune.h"
#include "tune/bound.h"
#include "tune/candidate.h"
#include "tune/database.h"
#include "tune/search.h"

/* One candidate on its way. */
struct tune_entry {
  struct tune_candidate candidate; /* owned */
  int config;                      /* its number in @triton.autotune, or -1 */
  size_t place;                    /* among all candidates, also where this is a part of them */
  bool known;                      /* measured earlier */
  tile_tune_outcome outcome;
  struct text message;                /* why not ok */
  bool repeated;                      /* it is in the list before */
  tile_image *image;                  /* owned; NULL before it is compiled */
  tile_module *module;                /* owned, and */
  tile_kernel *kernel;                /* in it, once loaded */
  const tile_kernel_version *version; /* that a launch takes */
  uint32_t grid[3];
  struct tune_score score;
  struct tune_bound bound;
  bool doubted; /* out by an estimate alone */
};

/* What the tools and tests ask for besides the public options. */
struct tune_extras {
  /* In place of a clock, or NULL: run number `run` of a candidate, from 0; -1 is said before the
     run whose results are compared. An error of TILE_DEVICE_FAILED ends the tuning as a lost device
     does; any other is the candidate's. */
  tile_status (*time)(void *context, size_t candidate, int run, double *out_milliseconds);
  void *context;
  /* Part `shard` of `shards` takes the first candidate, with which results are compared, and
     every so-many-eth of the others. The winner that is kept is that of all parts so far whose
     results are in the database. 0 shards: all candidates. */
  size_t shard, shards;
  const char *derived_names; /* as struct import_options has it */
  bool reads_files;          /* modules beside the kernel's file are read, import folders or not */
};

struct tile_tuning {
  struct arena arena;      /* owns all texts below */
  const char *name, *text; /* of the file; borrowed for the call */
  size_t length;
  const tile_tune_options *options; /* borrowed for the call */
  struct tune_extras extras;
  struct tune_entry *entries; /* owned */
  size_t count;
  size_t total;              /* repetitions apart, and those that other parts take included */
  tile_configurations *list; /* what the decorators say; owned for the call */
  tile_tune_row *rows;       /* the arena's */
  size_t winner;             /* TUNE_NOBODY: none */
  bool estimated;
  const char **values; /* "NAME=VALUE" of the scalars; the arena's */
  size_t value_count;
  struct tune_key key;    /* under which it is kept; the arena's */
  const char *space;      /* which candidates there were; the arena's */
  double seconds[3];      /* that importing and compiling, checking, and timing took */
  bool endless;           /* a run goes on: whatever waits for the device would wait for ever */
  bool remembered;        /* the winner is an earlier tuning's */
  const char *problem;    /* NULL, or what was wrong with the database; the arena's */
  const char **constants; /* of the winner; the arena's */
  size_t constant_count;
};

/* tile_tune; `extras` may be NULL. */
tile_status tuning_run(const char *name, const char *text, size_t length,
                       const tile_tune_options *options, const struct tune_extras *extras,
                       tile_tuning **out);

/* tile_tune_find, likewise. */
tile_status tuning_find(const char *name, const char *text, size_t length,
                        const tile_tune_options *options, const struct tune_extras *extras,
                        tile_tuning **out);

/* How the message of a candidate begins after which the device could not be used; in the database,
   too. */
#define BROKE_DEVICE "it broke the device"
/* What the status of a run begins with that did not end in time. */
#define TUNING_NO_END "the run did not end"

/* How many candidates there are, repetitions apart; the device is used for nothing. */
tile_status tuning_count(const char *name, const char *text, size_t length,
                         const tile_tune_options *options, const struct tune_extras *extras,
                         size_t *out);

/* An entry leaves the contest. `format` says why, as a half sentence. */
void tuning_out(struct tune_entry *entry, tile_tune_outcome outcome, const char *format, ...)
    TILE_PRINTF(3, 4);
/* The same with what a status says; frees it. */
void tuning_failed(struct tune_entry *entry, tile_status status);
/* Calls the caller's function. TILE_NOT_FOUND when that ends the tuning. */
tile_status tuning_progress(const tile_tuning *tuning, const tile_tune_progress *progress);
/* Seconds of a clock that goes on. */
double tuning_now(void);
/* Entries that are not out. */
size_t tuning_left(const tile_tuning *tuning);

/* The importer's options of `given`, with the extras. `files` is ended with import_files_free. */
tile_status tuning_import_options(const tile_tuning *tuning, const tile_import_options *given,
                                  struct import_files *files, struct import_options *out);
/* plan.c: fills in list, entries, count, key and space. */
tile_status tuning_plan(tile_tuning *tuning, bool needs_candidates);
/* "NAME=VALUE" for tile_import_options: the constants of the call, then the candidate's, then its
 * launch options. In the arena. */
const char **tuning_constants(struct arena *arena, const tile_import_options *import,
                              const struct tune_candidate *candidate, size_t *out_count);

/* make.c: imports all entries that are not out, and fills in their bounds. What cannot be imported
 * is not told here. */
void tuning_read_bounds(tile_tuning *tuning);
/* Compiles all entries that are not out. */
tile_status tuning_make(tile_tuning *tuning);

/* measure.c: runs them, and fills in scores and winner. */
tile_status tuning_measure(tile_tuning *tuning);

#endif
