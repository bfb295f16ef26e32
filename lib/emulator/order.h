/* SPDX-License-Identifier: MIT */
/* Seeded random order: a generator, shuffles of small arrays, and permutations of huge ranges. */
#ifndef TILE_EMULATOR_ORDER_H
#define TILE_EMULATOR_ORDER_H

#include <stdint.h>

/* splitmix64 (Steele, Lea, Flood 2014): passes BigCrush, one word of state. */
struct random {
  uint64_t state;
};

static inline uint64_t random_mix(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

static inline uint64_t random_next(struct random *random) {
  return random_mix(random->state += 0x9E3779B97F4A7C15u);
}

/* Uniform in 0 .. limit-1 (bias below limit / 2^32). */
static inline uint32_t random_below(struct random *random, uint32_t limit) {
  return (uint32_t)(((random_next(random) >> 32) * limit) >> 32);
}

/* A permutation of 0 .. count-1 drawn from a seed, computed element by element without a table: a
   four-round Feistel network over the next even power of two, walked until it lands in range. */
struct permutation {
  uint64_t count, seed;
  uint32_t half_bits;
};

struct permutation permutation_make(uint64_t count, uint64_t seed);
/* Where `index` (below count) goes. */
uint64_t permutation_at(const struct permutation *permutation, uint64_t index);

#endif
