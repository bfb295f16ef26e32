/* SPDX-License-Identifier: MIT */
/* --shard I/N of the random tests: every N-th kernel from the I-th one on, so that N machines, or
   processors, do the whole. Which kernel a seed makes does not depend on it. */
#ifndef TILE_TEST_SHARD_H
#define TILE_TEST_SHARD_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct shard {
  uint64_t index, count;
};

#define WHOLE_SHARD                                                                                \
  { 0, 1 } /* an initialiser */

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

static inline bool shard_has(struct shard shard, uint64_t number) {
  return number % shard.count == shard.index;
}

#endif
