/* SPDX-License-Identifier: MIT */
/* Running a benchmark: what is measured, on what, and what comes out. */
#ifndef TILE_TOOLS_TILE_BENCH_RUN_H
#define TILE_TOOLS_TILE_BENCH_RUN_H

#include "tile_bench.h"

struct bench_options { /* the command line; strings are borrowed from it */
  const char *input, *device, *csv, *svg, *png, *script, *providers;
  const char *sizes[BENCH_MAX_SIZES];
  size_t size_count;
  int64_t rounds; /* 0: the file's */
  enum run_cache cache_mode;
  bool json, quiet, verbose, strict, help, version;
};

enum bench_state {
  BENCH_NOT_RUN, /* the provider is not here */
  BENCH_GOOD,
  BENCH_WRONG, /* the results are not the reference's */
  BENCH_FAILED
};

/* One provider at one size. Milliseconds of one run. */
struct bench_cell {
  enum bench_state state;
  double median, quantile20, quantile80; /* medians over the rounds of each round's */
  double speedup; /* the first provider's speed over this one's: median over the rounds of the
                     quotients of times */
  double *rounds; /* medians of the rounds, for the speedup; the arena's */
  size_t runs;
  const char *variant; /* which configuration was the fastest; "" where there is one. The arena's */
  const char *note;    /* what went wrong; NULL. The arena's */
};

/* The arguments at one size. */
struct bench_data {
  struct run_argument host[BENCH_MAX_ARGUMENTS];  /* what they are at the beginning */
  tile_buffer *buffers[BENCH_MAX_ARGUMENTS];      /* of buffers */
  unsigned char *results[BENCH_MAX_ARGUMENTS];    /* of outputs: what the last run gave */
  unsigned char *references[BENCH_MAX_ARGUMENTS]; /* of outputs: what the first provider gave
                                                   */
  const struct bench_provider *reference;         /* it; NULL: not yet known */
  bool on_disk;                                   /* in the benchmark's folder, for programs */
};

struct bench {
  struct bench_file *file;
  const struct bench_options *options;
  tile_device *device;
  tile_compiler *compiler; /* for what files say of their kernels */
  tile_cache *cache;
  bool emulated;
  int64_t rounds;
  struct arena arena;
  /* of the point that is measured */
  size_t point;
  struct bench_names names;
  struct bench_data data;
  /* results: point by point, in each one after the other the providers */
  struct bench_cell *cells;
  double *bytes, *flops; /* of each point; 0 where the file does not say */
  size_t wrong;          /* results that were not the reference's */
  struct progress *progress;
  char *folder; /* for programs' files; NULL: none yet. The arena's */
};

static inline struct bench_cell *bench_cell_of(const struct bench *bench, size_t point,
                                               const struct bench_provider *provider) {
  return &bench->cells[point * bench->file->provider_count +
                       (size_t)(provider - bench->file->providers)];
}

/* What a provider can do. Statuses: TILE_INVALID_ARGUMENT and TILE_NOT_FOUND end the benchmark, as
   the file is wrong; others are noted in the cell. Where problems were added to the file's text,
   the status only says that there are some. */
struct bench_provider_kind {
  const char *name;
  /* Once, at the beginning; or NULL. An error means that the provider is not here: it is noted and
     left out. */
  tile_status (*open)(struct bench *bench, struct bench_provider *provider);
  /* Ready for the point; there are so many ways, of which the fastest is taken. */
  tile_status (*prepare)(struct bench *bench, struct bench_provider *provider, size_t *variants);
  /* or NULL */
  void (*describe)(const struct bench_provider *provider, size_t variant, struct text *out);
  /* Gives one run to the stream. NULL: the two below are used. */
  tile_status (*launch)(struct bench *bench, struct bench_provider *provider, size_t variant,
                        tile_stream *stream);
  /* One run on the beginning's arguments, its outputs to data.results. */
  tile_status (*run)(struct bench *bench, struct bench_provider *provider);
  tile_status (*time)(struct bench *bench, struct bench_provider *provider,
                      const tile_bench_options *options, tile_bench_result *out);
  void (*release)(struct bench_provider *provider); /* what prepare made */
  void (*close)(struct bench_provider *provider);
};
extern const struct bench_provider_kind bench_kernel_kind, bench_image_kind, bench_cublas_kind,
    bench_cudnn_kind, bench_command_kind;

/* --- Data (tile_bench_data.c) ----------------------------------------------------------------- */

/* Makes the arguments of the point, on the host and on the device. bench_data_release ends them,
   also after an error. */
tile_status bench_data_create(struct bench *bench);
void bench_data_release(struct bench *bench);
/* A declared argument at the names' values; run_argument_destroy ends it. */
tile_status bench_argument_make(struct bench *bench, const struct bench_argument *argument,
                                const struct bench_names *names, struct run_argument *out);
/* Outputs as they are at the beginning, and back to data.results. */
tile_status bench_data_reset(struct bench *bench);
tile_status bench_data_collect(struct bench *bench);
/* The first results become the reference; later ones are compared. False, with a message, when they
   differ. */
bool bench_data_agree(struct bench *bench, const struct bench_provider *provider,
                      struct text *message);

/* The status where problems were added to the file. */
tile_status bench_problems(const struct bench *bench);

/* --- The rounds (tile_bench_measure.c) -------------------------------------------------------- */

tile_status bench_measure(struct bench *bench);
/* Of milliseconds of single runs, which are sorted. */
void bench_summarise(double *times, size_t count, tile_bench_result *out);
/* Removes what programs' files were in. */
void bench_remove_folder(const struct bench *bench);

/* --- What comes out --------------------------------------------------------------------------- */

/* A size's value in the file's metric; 0 where there is none. */
double bench_metric(const struct bench *bench, size_t point, const struct bench_cell *cell,
                    const char *metric);
/* Providers that have a cell which was measured. */
bool bench_provider_shown(const struct bench *bench, const struct bench_provider *provider);
/* "NVIDIA H200 (cuda)", or what the emulator is. */
void bench_print_device(const struct bench *bench, struct text *out);
void bench_print_table(const struct bench *bench, struct text *out);
void bench_print_csv(const struct bench *bench, struct text *out);
void bench_print_json(const struct bench *bench, struct text *out);

/* Plots of the options, empty where none is wanted; bench_plots_free ends them. Errors:
   TILE_NOT_FOUND without gnuplot, TILE_INVALID_ARGUMENT for sizes that make no axis. */
struct bench_plots {
  struct text svg, png, script;
};
/* Whether they can be drawn, before anything is measured. */
tile_status bench_check_plots(const struct bench *bench);
tile_status bench_draw(const struct bench *bench, struct bench_plots *out);
void bench_plots_free(struct bench_plots *plots);

#endif
