/* SPDX-License-Identifier: MIT */
/* The fuzzers' random numbers: splitmix64 (Steele et al. 2014), so that a seed means the same input
   on every machine. */
#ifndef TILE_FUZZ_RANDOM_H
#define TILE_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
  uint64_t state;
};

static inline uint64_t random_next(struct random *random) {
  uint64_t x = random->state += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/* Uniform in [0, limit); 0 for limit 0. */
static inline size_t random_below(struct random *random, size_t limit) {
  return limit ? (size_t)(random_next(random) % limit) : 0;
}

static inline bool random_one_in(struct random *random, size_t n) {
  return random_below(random, n) == 0;
}

#endif
