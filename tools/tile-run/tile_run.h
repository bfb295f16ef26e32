/* SPDX-License-Identifier: MIT */
/* The parts of tile-run. */
#ifndef TILE_TOOLS_TILE_RUN_H
#define TILE_TOOLS_TILE_RUN_H

#include "base/arena.h"
#include "base/element.h"
#include "base/text.h"
#include "driver/progress.h"
#include "driver/source.h"
#include "ir/session.h"
#include "tile/compiler.h"
#include "tile/tune.h"

enum { RUN_MAX_ARGUMENTS = 160, RUN_MAX_RANK = 8, RUN_MAX_OUTPUTS = 64 };

/* One --arg: name=type:value for a scalar, name=type[shape]:contents for a buffer, name=*type:null
   for a pointer to none. */
struct run_argument {
  char *name;
  enum element_type type;
  bool is_buffer, is_null; /* a null pointer is a buffer of no bytes */
  int rank;
  int64_t shape[RUN_MAX_RANK];
  size_t bytes;
  unsigned char *data; /* owned: the buffer's contents on the host, or the scalar's bytes */
};

/* Parses one --arg and fills its contents; `seed` draws random contents (mixed with the name). */
tile_status run_argument_parse(const char *text, uint64_t seed, struct run_argument *out);
void run_argument_destroy(struct run_argument *argument);

/* Puts the arguments into the order of the parameters (by name when the kernel names all of its
   parameters, as given otherwise) and checks count, types and promised divisibility. With `folds`
   arguments that are 1 may be in the code already; `ordered` has kernel->parameter_count entries.
   */
tile_status run_match_arguments(const tile_kernel_info *kernel, struct run_argument *arguments,
                                size_t count, bool folds, struct run_argument **ordered);

/* What the command line asks for. Strings are borrowed from it. */
struct run_options {
  struct shard shard; /* of the candidates; count 0: all */
  const char *input, *kernel, *device;
  uint32_t grid[3];
  const char *grid_text;  /* an expression; NULL: `grid` has numbers */
  const char *candidates; /* of --tune: a file, or, with has_space, a text; NULL: the decorator's */
  bool has_space;
  bool has_grid, has_target, check, bench, json, verbose, quiet, tune, tune_again, help, version;
  uint64_t seed, data_seed;
  uint64_t turn_limit;      /* 0: none */
  uint32_t multiprocessors; /* 0: not said */
  uint32_t resident_blocks; /* 0: the emulator's default */
  const char *specs[RUN_MAX_ARGUMENTS];
  size_t spec_count;
  const char *saves[RUN_MAX_OUTPUTS], *prints[RUN_MAX_OUTPUTS];
  size_t save_count, print_count;
  tile_compile_options compile;
  struct source_options source; /* of a .py kernel */
  enum run_cache { RUN_CACHE_ON, RUN_CACHE_OFF, RUN_CACHE_STATS, RUN_CACHE_CLEAR } cache_mode;
  bool cache_named;                  /* --cache was given */
  tile_cache *cache;                 /* NULL: none */
  struct progress *progress;         /* of a tuning; NULL: none. Borrowed */
  tile_grid_function *grid_function; /* of a tuning, in place of both grids; or NULL */
  void *grid_context;
};

/* What came of the run, besides the contents of the buffers. */
struct run_result {
  tile_device_properties device;
  const char *driver;
  uint64_t buffer_bytes;
  uint32_t grid[3];
  struct text tuning;      /* owned: what --tune prints, text or members of JSON */
  struct arena chosen;     /* constants that a tuning has chosen */
  tile_bench_result bench; /* runs == 0 without --bench */
};

/* One flag of tile-run, and its positional argument, into the struct run_options at `data`. */
tile_status run_on_flag(const struct flag *flag, const char *value, void *data);
tile_status run_on_positional(const char *argument, void *data);
/* "X", "X,Y" or "X,Y,Z". */
tile_status run_parse_grid(const char *text, uint32_t *grid);
/* What importing options->input takes: for a .py kernel whose signature the options do not give,
   the arguments are its run-time parameters. Ended with run_source_end. */
struct run_source {
  const char *name; /* for messages */
  struct source_options options;
  struct import_files files;
  struct package_options packages;
  struct text signature, names; /* made of the arguments */
  struct arena arena;
};
void run_source_begin(const struct run_options *options, const struct run_argument *arguments,
                      struct run_source *out);
void run_source_end(struct run_source *source);
/* Makes a module of the content of options->input. */
tile_status run_load_module(const struct run_options *options, struct session *session,
                            const struct text *source, const struct run_argument *arguments,
                            MlirModule *out);

/* The code to run, from the cache if there is one that has it, and the kernel in it with its
   arguments in their order. */
struct run_code {
  tile_image *image;
  const tile_kernel_info *kernel;
  struct run_argument *ordered[RUN_MAX_ARGUMENTS];
};
tile_status run_make_code(const struct run_options *options, const struct text *source,
                          struct run_argument *arguments, const tile_device *device,
                          struct run_code *out);

/* Does what --cache says: opens a cache for the runs, or prints what one holds, or empties it. */
tile_status run_open_cache(struct run_options *options);
/* Says with -v, and with --cache stats, what the cache did. */
void run_report_cache(const struct run_options *options);

/* Checks a --device: auto, emulator, cuda or cuda:N. */
tile_status run_check_device(const char *name);
/* Opens the device that the options ask for, runs the kernel on it (and times it with --bench,
   after the buffers have come back) and copies all buffers back to the arguments. The code is the
   caller's to free, also after an error. */
tile_status run_on_device(const struct run_options *options, const struct text *source,
                          struct run_argument *arguments, struct run_code *code,
                          struct run_result *out);

/* --tune: finds the fastest configuration and puts it into the options. What there is to say of it
   goes to result->tuning. */
tile_status run_tune(struct run_options *options, const struct text *source,
                     const struct run_argument *arguments, tile_device *device,
                     struct run_result *result);
/* Without --tune: takes the winner of an earlier tuning, where nothing else says how the kernel is
   compiled. */
tile_status run_recall(struct run_options *options, const struct text *source,
                       const struct run_argument *arguments, tile_device *device,
                       struct run_result *result);
/* The winner of an earlier tuning, else of one that is made now; `out` is the caller's, and is
   there after a tuning that found no winner, too. Prints nothing. */
tile_status run_find_winner(const struct run_options *options, const struct text *source,
                            const struct run_argument *arguments, tile_device *device,
                            tile_tuning **out);
/* Flags and file of a command line without the program's name; complete enough for a run. */
tile_status run_parse_words(size_t count, const char *const *words, struct run_options *out);
/* How many candidates --tune would have, for a command line of tile-run without the program's name.
 */
tile_status run_count_candidates(size_t count, const char *const *words, size_t *out);
/* The grid of a launch: options->grid, or what the expression says. */
tile_status run_compute_grid(const struct run_options *options, const struct run_code *code,
                             uint32_t out[3]);

/* Checks what --save and --print name, before the run. */
tile_status run_check_outputs(const struct run_options *options, struct run_argument *arguments);
/* Saves, then prints: lines of text, or one line of JSON. */
tile_status run_write_outputs(const struct run_options *options, struct run_argument *arguments,
                              const tile_kernel_info *kernel, const struct run_result *result);

#endif
