/* SPDX-License-Identifier: MIT */
/* What the files of providers with kernels share. */
#ifndef TILE_TOOLS_TILE_BENCH_KERNEL_H
#define TILE_TOOLS_TILE_BENCH_KERNEL_H

#include "tile_bench_run.h"

struct loaded {
  struct text bytes; /* of the image; empty for the emulator's programs, which are not told apart */
  tile_module *module;
};

/* What a step keeps from size to size. */
struct bench_step_state {
  struct text source;           /* of a kernel file */
  tile_image *image;            /* of an image */
  tile_source_kernels *kernels; /* of a file in the Triton language */
  const tile_source_kernel *info;
  struct loaded *modules;
  size_t module_count;
};

/* One launch of one configuration, ready. */
struct ready_step {
  tile_kernel *kernel; /* borrowed from a module */
  uint32_t grid[3];
  tile_argument arguments[RUN_MAX_ARGUMENTS];
  size_t argument_count;
};
struct variant {
  const struct bench_config *config; /* NULL: there is none */
  struct ready_step *steps;
};
struct kernel_state {
  struct variant *variants;
  size_t count;
  struct bench_names names;  /* of the configuration that is made ready */
  struct bench_config tuned; /* of the size, where the provider is tuned */
};

/* What is given to a launch. Borrowed from the point's data, but for scalars of the step's own. */
struct given {
  struct run_argument list[RUN_MAX_ARGUMENTS];
  tile_buffer *buffers[RUN_MAX_ARGUMENTS];
  unsigned char scalars[RUN_MAX_ARGUMENTS][16];
  size_t count;
};

/* An error at a place of the file. */
tile_status bench_refuse(struct bench *bench, struct toml_span span, const char *format, ...)
    TILE_PRINTF(3, 4);
/* Makes the names of constants stand for numbers from here on. */
tile_status bench_set_names(struct bench *bench, const struct bench_constant *constants,
                            size_t count, struct bench_names *names);
/* The arguments of a step; `config` may be NULL. */
tile_status bench_give_all(struct bench *bench, const struct bench_step *step,
                           const struct bench_config *config, const struct bench_names *names,
                           struct given *given);
/* The options with which a step is compiled, without its configuration; texts are the arena's. */
tile_status bench_step_options(struct bench *bench, const struct bench_step *step,
                               const struct bench_names *names, struct given *given,
                               struct arena *arena, struct run_options *out);
/* tile_bench_tuned.c: the configuration that tuning finds fastest for the point's arguments. */
tile_status bench_tuned_config(struct bench *bench, const struct bench_provider *provider,
                               struct given *given, struct bench_config *out);

#endif
