/* SPDX-License-Identifier: MIT */
/* Random layouts for the layout tests, from a seeded xorshift: the same ones in every run. */
#ifndef TILE_TEST_LAYOUT_RANDOM_H
#define TILE_TEST_LAYOUT_RANDOM_H

#include "layout/linear_layout.h"

static uint64_t random_state_ = 0x9e3779b97f4a7c15u;

/* A value in [0, bound). */
static inline uint32_t random_below(uint32_t bound) {
  random_state_ ^= random_state_ << 13;
  random_state_ ^= random_state_ >> 7;
  random_state_ ^= random_state_ << 17;
  return (uint32_t)((random_state_ >> 20) % bound);
}

/* `count` powers of two, each below 2^bound. */
static inline void random_sizes(int64_t *sizes, int count, uint32_t bound) {
  for (int i = 0; i < count; i++)
    sizes[i] = INT64_C(1) << random_below(bound);
}

/* Some of the dimensions in `dims`, each with up to 3 bits, at most `limit` bits in all. */
static inline struct layout_space random_space(uint32_t dims, int limit) {
  struct layout_space space = {0};
  for (int dim = 0; dim < LAYOUT_DIM_COUNT; dim++) {
    if (!(dims & LAYOUT_SET(dim)) || random_below(4) == 0)
      continue;
    int bits = (int)random_below(4);
    bits = bits < limit ? bits : limit;
    space.dims |= (uint16_t)LAYOUT_SET(dim);
    space.bits[dim] = (uint8_t)bits;
    limit -= bits;
  }
  return space;
}

/* Random bases, with many zeros, single bits and repetitions, as real layouts have. */
static inline struct linear_layout random_layout_on(struct layout_space in,
                                                    struct layout_space out) {
  struct linear_layout layout = {.in = in, .out = out};
  int in_bits = layout_space_total_bits(&in), out_bits = layout_space_total_bits(&out);
  for (int i = 0; i < in_bits && out_bits; i++) {
    uint32_t kind = random_below(8);
    if (kind == 0)
      layout.bases[i] = 0;
    else if (kind == 1 && i)
      layout.bases[i] = layout.bases[random_below((uint32_t)i)];
    else if (kind < 6)
      layout.bases[i] = 1u << random_below((uint32_t)out_bits);
    else
      layout.bases[i] = random_below(1u << out_bits);
  }
  return layout;
}

/* From `in_dims` with at most `in_limit` bits to `out_dims` with at most `out_limit`. The draws are
   in a fixed order, whatever the compiler does with arguments. */
static inline struct linear_layout random_layout_between(uint32_t in_dims, int in_limit,
                                                         uint32_t out_dims, int out_limit) {
  struct layout_space in = random_space(in_dims, in_limit);
  struct layout_space out = random_space(out_dims, out_limit);
  return random_layout_on(in, out);
}

enum {
  HARDWARE_DIMS = LAYOUT_SET(LAYOUT_REGISTER) | LAYOUT_SET(LAYOUT_LANE) | LAYOUT_SET(LAYOUT_WARP),
  SOME_TENSOR_DIMS = LAYOUT_SET(LAYOUT_DIM0) | LAYOUT_SET(LAYOUT_DIM1) | LAYOUT_SET(LAYOUT_DIM2),
};

/* From register, lane and warp to a tensor of up to three dimensions, or, as conversions do, to
   register, lane and warp. */
static inline struct linear_layout random_layout(void) {
  uint32_t out_dims = random_below(4) ? SOME_TENSOR_DIMS : HARDWARE_DIMS;
  return random_layout_between(HARDWARE_DIMS, 8, out_dims, 8);
}

/* The number of flat inputs and outputs. */
static inline uint32_t in_count(const struct linear_layout *layout) {
  return 1u << layout_space_total_bits(&layout->in);
}
static inline uint32_t out_count(const struct linear_layout *layout) {
  return 1u << layout_space_total_bits(&layout->out);
}

/* L(x) by the definition: a loop over all bits. */
static inline uint32_t image(const struct linear_layout *layout, uint32_t x) {
  uint32_t result = 0;
  for (int i = 0; x >> i; i++)
    if (x >> i & 1)
      result ^= layout->bases[i];
  return result;
}

/* `count` words that span 2^count: single bits in random order, or any. */
static inline void random_words(uint32_t *words, int count, bool any) {
  for (int i = 0; i < count; i++)
    words[i] = UINT32_C(1) << i;
  for (int i = count - 1; i > 0; i--) {
    uint32_t j = random_below((uint32_t)i + 1), swap = words[i];
    words[i] = words[j];
    words[j] = swap;
  }
  for (int i = 0; any && i < 3 * count; i++) {
    uint32_t a = random_below((uint32_t)count), b = random_below((uint32_t)count);
    if (a != b)
      words[a] ^= words[b];
  }
}

/* A layout of a tensor of 2^total elements: each word goes to a register, lane or warp bit; lanes
   and warps that get none hold copies. */
static inline struct linear_layout random_tensor_layout(int total, int warp_bits, bool any) {
  uint32_t words[LAYOUT_MAX_BITS], lanes[5] = {0}, warps[5] = {0};
  struct layout_space out = {.bits = {[LAYOUT_DIM0] = (uint8_t)total},
                             .dims = LAYOUT_SET(LAYOUT_DIM0)};
  struct linear_layout layout = linear_layout_into(&out);
  linear_layout_declare_in(&layout, LAYOUT_REGISTER);
  linear_layout_declare_in(&layout, LAYOUT_LANE);
  linear_layout_declare_in(&layout, LAYOUT_WARP);
  random_words(words, total, any);
  int registers = 0;
  for (int i = 0; i < total; i++) {
    uint32_t place = random_below(12);
    if (place < 5 && !lanes[place])
      lanes[place] = words[i];
    else if (place >= 5 && place < 8 && (int)place - 5 < warp_bits && !warps[place - 5])
      warps[place - 5] = words[i];
    else if (registers < 6) {
      linear_layout_append(&layout, LAYOUT_REGISTER, words[i]);
      registers++;
    } else {
      for (int bit = 0; bit < 5 + warp_bits; bit++) {
        uint32_t *slot = bit < 5 ? &lanes[bit] : &warps[bit - 5];
        if (!*slot) {
          *slot = words[i];
          break;
        }
      }
    }
  }
  for (int i = 0; i < 5; i++)
    linear_layout_append(&layout, LAYOUT_LANE, lanes[i]);
  for (int i = 0; i < warp_bits; i++)
    linear_layout_append(&layout, LAYOUT_WARP, warps[i]);
  return layout;
}

#endif
