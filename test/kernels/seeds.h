/* SPDX-License-Identifier: MIT */
/* The command line of tests whose kernels follow from seeds: --seed S --count N takes kernels of
   seeds S, S + 1, ..., --shard I/N every N-th of them; --seconds ends after that time, --print
   shows every kernel, --keep-going goes on after a failure. */
#ifndef TILE_TEST_SEEDS_H
#define TILE_TEST_SEEDS_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every N-th kernel from the I-th one on, so that N machines, or processors, do the whole. Which
   kernel a seed makes does not depend on it. */
struct shard {
  uint64_t index, count;
};

/* Ends the program when it is no shard. */
static inline struct shard shard_read(const char *text) {
  char *end;
  struct shard shard = {.index = strtoull(text, &end, 10)};
  if (*end == '/')
    shard.count = strtoull(end + 1, &end, 10);
  if (!isdigit((unsigned char)*text) || *end || shard.index >= shard.count) {
    fprintf(stderr, "--shard is I/N, from 0/N to N-1/N, not '%s'\n", text);
    exit(1);
  }
  return shard;
}

struct seeds {
  uint64_t seed, count, seconds;
  time_t start;
  struct shard shard;
  bool print, keep_going;
};

static inline struct seeds seeds_fixed(uint64_t count) {
  return (struct seeds){
      .seed = 1, .count = count, .seconds = UINT64_MAX, .start = time(NULL), .shard = {0, 1}};
}

static inline bool seeds_in_time(const struct seeds *seeds) {
  return (uint64_t)(time(NULL) - seeds->start) <= seeds->seconds;
}

/* An option takes the next word, or is true. A table of them ends with {0}. */
struct seeds_option {
  const char *name;
  const char **word;
  bool *flag;
};

/* Takes argv[*at], if it is one of these and has its word. Leaves *at at the last one taken. */
static inline bool seeds_take_option(const struct seeds_option *options, int argc, char **argv,
                                     int *at) {
  for (; options->name; options++)
    if (strcmp(argv[*at], options->name) == 0 && (options->flag || *at + 1 < argc)) {
      if (options->flag)
        *options->flag = true;
      else
        *options->word = argv[++*at];
      return true;
    }
  return false;
}

/* The same for the options above. Ends the program when --shard is no shard. */
static inline bool seeds_take(struct seeds *seeds, int argc, char **argv, int *at) {
  const char *seed = NULL, *count = NULL, *seconds = NULL, *shard = NULL;
  const struct seeds_option options[] = {{"--seed", .word = &seed},
                                         {"--count", .word = &count},
                                         {"--seconds", .word = &seconds},
                                         {"--shard", .word = &shard},
                                         {"--print", .flag = &seeds->print},
                                         {"--keep-going", .flag = &seeds->keep_going},
                                         {0}};
  bool taken = seeds_take_option(options, argc, argv, at);
  seeds->seed = seed ? strtoull(seed, NULL, 0) : seeds->seed;
  seeds->count = count ? strtoull(count, NULL, 0) : seeds->count;
  seeds->seconds = seconds ? strtoull(seconds, NULL, 0) : seeds->seconds;
  seeds->shard = shard ? shard_read(shard) : seeds->shard;
  return taken;
}

/* So many warps on a GPU that none of a thread's tiles has more than 64 elements, eight of them at
   most. With more, code spills by kilobytes, and ptxas takes minutes over a kernel of several such
   tiles. The emulator runs what the seed says. */
static inline int seeds_gpu_warps(int warps, int64_t largest_tile) {
  enum { MOST = 8, THREAD_ELEMENTS = 64, WARP_THREADS = 32 };
  while (warps < MOST && largest_tile > (int64_t)warps * WARP_THREADS * THREAD_ELEMENTS)
    warps *= 2;
  return warps;
}

#endif
