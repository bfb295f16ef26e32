/* SPDX-License-Identifier: MIT */
/* The parts of kernel_identical: cases, their arguments, and the three ways to run one. */
#ifndef TILE_TEST_IDENTICAL_H
#define TILE_TEST_IDENTICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tile/compiler.h"
#include "tile/emulator_device.h"

/* A kernel with its arguments. Words are separated by spaces. */
struct identical_case {
  const char *name, *file, *kernel;
  const char *signature;
  const char *constants; /* "NAME=VALUE ..." that signature and configuration leave out */
  const char *grid;      /* products of numbers, names and cdiv(a, b), separated by commas */
  const char *arguments; /* "NAME=TYPE[SHAPE]:rand|bits|zeros|poison NAME=i32:5 ...", the run-time
                            parameters in order */
  bool tuned;            /* each configuration of @triton.autotune */
  const char *warps;     /* of one that is not tuned: each of these numbers; NULL: the default */
};
extern const struct identical_case identical_cases[];
extern const size_t identical_case_count;

enum { MAX_VALUES = 40, MAX_WORDS = 32, MAX_RANK = 4 };

struct identical_argument {
  char name[64], type[8];
  bool is_buffer;
  int rank;
  int64_t shape[MAX_RANK];
  size_t bytes;
  uint64_t value;                   /* of a scalar: its bits */
  unsigned char *before, *after[3]; /* of a buffer: what it begins with, and what each way left */
};

/* A case with one configuration. */
struct identical_run {
  const struct identical_case *from;
  int number;      /* of the run: names of files and functions */
  char config[24]; /* "" where there is none */
  char warps[24];  /* "" : the default */
  struct identical_argument arguments[MAX_VALUES];
  size_t count;
  uint32_t grid[3];
  const tile_constant *constants; /* of the configuration, borrowed */
  size_t constant_count;
};

/* What all runs share. */
struct identical_context {
  const char *kernels, *headers, *compiler_command; /* folders; the C compiler */
  char folder[512];                                 /* for files, made and removed by main */
  tile_compiler *compiler;
  tile_device *device;
  bool is_gpu;
  const char *target;
  void *generated; /* the generated functions */
};

enum identical_way { WAY_AHEAD, WAY_IN_PROCESS, WAY_TILE_RUN, WAYS };
extern const char *const identical_way_names[WAYS];

/* Parses and fills the arguments of run->from; a failure is a mistake in the table, and ends the
 * program. */
void identical_arguments(struct identical_run *run);
void identical_arguments_free(struct identical_run *run);
/* The grid in programs: names are integer arguments, constants of the case and of the
 * configuration. */
void identical_grid(struct identical_run *run);
/* Splits text at spaces into `words`, in `storage`; the count. */
size_t identical_words(const char *text, char *storage, size_t size, const char **words);
/* A buffer as an .npy file, and back. */
bool npy_store(const char *path, const struct identical_argument *argument);
bool npy_load(const char *path, struct identical_argument *argument, unsigned char *to);

/* Writes NAME.h and NAME.c of the run with tile-translate, and a function call_NUMBER that takes
 * values as numbers. */
bool identical_generate(const struct identical_context *context, const struct identical_run *run);
/* Compiles all of them into one library, and opens it. */
bool identical_open(struct identical_context *context, int count);
/* Runs it one way; the buffers go to after[way]. Says what went wrong. */
bool identical_run_way(const struct identical_context *context, struct identical_run *run,
                       enum identical_way way);

#endif
