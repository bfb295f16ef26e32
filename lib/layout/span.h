/* SPDX-License-Identifier: MIT */
/* Subspaces of F2^32: what XORs of some words can make. A row is kept for each highest bit. Plain
   values, start from zero. */
#ifndef TILE_LAYOUT_SPAN_H
#define TILE_LAYOUT_SPAN_H

#include <stdbool.h>
#include <stdint.h>

struct span {
  uint32_t row[32];
  int dimension;
};

/* `word` with everything that the span can cancel taken out: 0 exactly for its members. */
static inline uint32_t span_reduce(const struct span *span, uint32_t word) {
  for (uint32_t rest = word; rest;) {
    int bit = 31 - __builtin_clz(rest);
    word ^= span->row[bit];
    rest = word & ((UINT32_C(1) << bit) - 1);
  }
  return word;
}

static inline bool span_has(const struct span *span, uint32_t word) {
  return span_reduce(span, word) == 0;
}

/* Adds a generator; false when the span has it already. */
static inline bool span_add(struct span *span, uint32_t word) {
  word = span_reduce(span, word);
  if (!word)
    return false;
  span->row[31 - __builtin_clz(word)] = word;
  span->dimension++;
  return true;
}

#endif
