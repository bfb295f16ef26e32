/* SPDX-License-Identifier: MIT */
/* Tuning: which configuration of a kernel in the Triton language is fastest for given arguments on
   a given device.

       tile_tune_argument arguments[] = {
           {.name = "x_ptr", .value = tile_argument_buffer(x), .buffer = x},
           {.name = "n", .value = tile_argument_i32(n)}};
       tile_import_options import = {.kernel = "add_kernel", .signature = "*fp32:16, i32"};
       tile_tune_options options = {.device = device, .import = &import, .arguments = arguments,
                                    .argument_count = 2, .grid = "cdiv(n, BLOCK)"};
       tile_tuning *tuning;
       status = tile_tune("k.py", text, length, &options, &tuning);
       const tile_tune_row *winner = tile_tuning_row(tuning, tile_tuning_winner(tuning));
       size_t count;
       import.constants = tile_tuning_constants(tuning, &count), import.constant_count = count;
       ... tile_import_triton, tile_compile_for_device, tile_launch ...

   Candidates are the configurations of the kernel's @triton.autotune, or the caller's. They are
   compiled by several threads, each with a compiler of its own. Then each runs once, on what the
   buffers held at the call, and its results are compared with those of the first candidate that
   ran. Those that failed or are wrong take no further part. The rest are timed in rounds, in which
   each runs once; slow ones are dropped by halves; what counts is the median of the ratios within a
   round, which neither a disturbed run nor a change of the device's clock moves. Of candidates
   within 1% of the best the first in order wins, so that a second tuning chooses the same.

   Times are milliseconds between two events around a launch, with the L2 cache flushed before it,
   as tile_do_bench takes them. The emulator has no time. There a candidate's `milliseconds` are an
   estimate, made of what it did: the bytes it moved in global and shared memory, its
   multiplications on tensor cores, its barriers and instructions that move data, at the throughput
   of an H100's multiprocessors (lib/tune/estimate.h has the formula). It is the same in each run.

   The winner is kept in a database, under a key made of the kernel's content, the values of the
   arguments that `key` names and the types of all, the device, its driver and the toolkit
   (lib/tune/key.h). When it is there, and was chosen among the same candidates, tile_tune gives it
   back at once, in milliseconds, without touching the device. A candidate that did not end or broke
   the device in an earlier tuning is not tried again. A database that cannot be used is no error of
   the tuning: tile_tuning_problem tells it.

   All buffers have the content that they had when tile_tune returns, with an error too. Buffers
   that the decorator's reset_to_zero and restore_value name are zeroed, or put back, before every
   run; other buffers keep what the last run left.

   Errors. What goes wrong with a candidate is said in its row, and is no error. tile_tune fails
   with TILE_NOT_FOUND when no candidate is left, with TILE_INVALID_ARGUMENT for wrong options or
   decorators, and with TILE_DEVICE_FAILED when the device broke down or a candidate did not end
   within the time limit on a GPU, which is then lost to the process. *out is filled in these cases
   as well, where candidates were tried, and says how far it came.

   Ownership. Options are borrowed for the call. The result is the caller's, and needs nothing of
   them.

   Threads. Any number of tunings may run at once, in threads and processes; those on one device
   disturb each other's times. A device must not be used otherwise meanwhile. A tuning that is done
   may be read by any number of threads. */
#ifndef TILE_TUNE_H
#define TILE_TUNE_H

#include "tile/compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One run-time argument. They may stand in any order: the name tells which one it is. */
typedef struct tile_tune_argument {
  const char *name; /* of the parameter */
  tile_argument value;
  tile_buffer *buffer; /* what a pointer points into; NULL for scalars and null pointers */
} tile_tune_argument;

typedef enum tile_tune_outcome {
  TILE_TUNE_OK,      /* timed to the end: may win */
  TILE_TUNE_DROPPED, /* the message says why: too slow, hopeless, or the same as another */
  TILE_TUNE_FAILED,  /* did not compile, or did not run */
  TILE_TUNE_WRONG,   /* ran, with other results than the first */
  TILE_TUNE_TIMEOUT  /* did not end */
} tile_tune_outcome;

/* Stable name: "ok", "dropped", "failed", "wrong", "timeout". */
TILE_EXPORT const char *tile_tune_outcome_name(tile_tune_outcome outcome);

/* What one candidate did. Owned by the tuning. */
typedef struct tile_tune_row {
  const char *candidate;   /* canonical text: {"constants":{"BLOCK":"64"},"num_warps":4,...} */
  const char *description; /* "BLOCK=64 num_warps=4" */
  int config;              /* its number in @triton.autotune; -1: none of those */
  tile_tune_outcome outcome;
  const char *message; /* why it is not ok; "" */
  double milliseconds; /* the median; 0: not timed */
  double low, high;    /* the quantiles 0.2 and 0.8 */
  int rounds;
} tile_tune_row;

typedef enum tile_tune_stage {
  TILE_TUNE_COMPILING,
  TILE_TUNE_CHECKING,
  TILE_TUNE_TIMING
} tile_tune_stage;

/* How far a tuning is. Borrowed for the call. */
typedef struct tile_tune_progress {
  tile_tune_stage stage;
  size_t done, total;  /* candidates; TIMING: rounds, of which there may be fewer */
  size_t left;         /* candidates that may still win */
  const char *best;    /* description of the best so far, or NULL */
  double milliseconds; /* its time */
} tile_tune_progress;
/* Called on the thread of tile_tune. False ends the tuning: while candidates are timed the best so
   far wins, before that it is TILE_NOT_FOUND. */
typedef bool tile_tune_progress_function(void *context, const tile_tune_progress *progress);

/* Zero is the default of each, but for device, import and arguments. */
typedef struct tile_tune_options {
  tile_device *device;
  /* `constants` hold for every candidate; `config` is not used. */
  const tile_import_options *import;
  /* NULL: tile_compile_options_default(). num_warps and num_stages are the candidates'. */
  const tile_compile_options *compile;
  const tile_tune_argument *arguments;
  size_t argument_count;
  /* "cdiv(n, BLOCK)", over scalars and constants (docs/ahead-of-time.md); or else a function, which
     is called once for each candidate, on the thread of tile_tune; its version has the candidate's
     constants. */
  const char *grid;
  tile_grid_function *grid_function;
  void *grid_context;
  /* Canonical texts; none: the configurations of @triton.autotune. */
  const char *const *candidates;
  size_t candidate_count;
  /* Names of arguments; none: those of @triton.autotune, or else all scalars. */
  const char *const *key;
  size_t key_count;
  /* The file that winners are kept in (docs/tuning.md); NULL: $TILE_TUNE_DATABASE, or else
     tune.sqlite3 in the cache's folder; "": nothing is kept. */
  const char *database;
  bool again;        /* tune although there is a winner */
  tile_cache *cache; /* for what is compiled; NULL: none */
  int threads;       /* that compile; 0: as many as there are processors */
  /* Milliseconds that the device is kept busy before the first round; 0: the decorator's warmup,
     or 5. */
  double warmup_ms;
  /* Milliseconds of timed runs, all candidates together, after which none is run again; 0: the
     decorator's rep for each candidate, or 400. */
  double repeat_ms;
  /* How far an element may be from the first candidate's, as a part of the largest magnitude in the
     buffer. 0: 1e-10 for f64, 1e-3 for f32, 1e-2 for f16, 5e-2 for bf16 and less; integers are
     equal. Below 0: all bits are equal. */
  double tolerance;
  /* Seconds that one run may take on a GPU; 0: 10. On the emulator 100,000 turns of loops that a
     thread begins stand for a second. */
  double time_limit;
  tile_tune_progress_function *progress;
  void *progress_context;
} tile_tune_options;

typedef struct tile_tuning tile_tuning;

/* Tunes a kernel of a file in the Triton language, called `name` in diagnostics, as described
 * above. */
TILE_RESULT tile_status tile_tune(const char *name, const char *text, size_t length,
                                  const tile_tune_options *options, tile_tuning **out);
/* The winner of an earlier tuning, among whichever candidates it was chosen. Nothing is compiled,
   and the device not used, but for its name; of the options grid, threads, times and cache are not
   used, and buffers may be NULL. TILE_NOT_FOUND when there is none. */
TILE_RESULT tile_status tile_tune_find(const char *name, const char *text, size_t length,
                                       const tile_tune_options *options, tile_tuning **out);
TILE_EXPORT void tile_tuning_destroy(tile_tuning *tuning);
/* How many candidates there were, in their order. */
TILE_EXPORT size_t tile_tuning_count(const tile_tuning *tuning);
/* NULL when there is no candidate of that number. */
TILE_EXPORT const tile_tune_row *tile_tuning_row(const tile_tuning *tuning, size_t index);
/* The number of the best candidate; tile_tuning_count when there is none. */
TILE_EXPORT size_t tile_tuning_winner(const tile_tuning *tuning);
/* Times are the emulator's estimates. */
TILE_EXPORT bool tile_tuning_estimated(const tile_tuning *tuning);
/* The winner was found in the database; rows say what was measured then. */
TILE_EXPORT bool tile_tuning_remembered(const tile_tuning *tuning);
/* NULL, or what was wrong with the database, in sentences. Owned by the tuning. */
TILE_EXPORT const char *tile_tuning_problem(const tile_tuning *tuning);
/* What tile_import_options.constants needs so that the winner is compiled: the constants of the
   call and those of the winner, num_warps and its like included. Owned by the tuning; NULL without
   a winner. */
TILE_EXPORT const char *const *tile_tuning_constants(const tile_tuning *tuning, size_t *out_count);

#ifdef __cplusplus
}
#endif
#endif
