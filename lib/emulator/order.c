/* SPDX-License-Identifier: MIT */
/* Permutations of ranges too large to shuffle in memory. */
#include "emulator/order.h"

struct permutation permutation_make(uint64_t count, uint64_t seed) {
  uint32_t half_bits = 1;
  while (half_bits < 32 && (1ull << (2 * half_bits)) < count)
    half_bits++;
  return (struct permutation){.count = count, .seed = random_mix(seed), .half_bits = half_bits};
}

static uint64_t feistel(const struct permutation *permutation, uint64_t value) {
  uint32_t bits = permutation->half_bits;
  uint64_t mask = (1ull << bits) - 1;
  uint64_t left = value >> bits, right = value & mask;
  for (uint64_t round = 1; round <= 4; round++) {
    uint64_t mixed = random_mix(permutation->seed + round * 0x9E3779B97F4A7C15u + right) & mask;
    uint64_t next = left ^ mixed;
    left = right;
    right = next;
  }
  return left << bits | right;
}

uint64_t permutation_at(const struct permutation *permutation, uint64_t index) {
  do
    index = feistel(permutation, index);
  while (index >= permutation->count);
  return index;
}
