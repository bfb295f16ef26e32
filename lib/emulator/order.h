/* SPDX-License-Identifier: MIT */
/* Seeded random order. */
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

#endif
