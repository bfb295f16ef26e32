/* SPDX-License-Identifier: MIT */
/* Small arithmetic on whole numbers. */
#ifndef TILE_BASE_NUMBERS_H
#define TILE_BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* The least multiple of `unit`, which is positive, that is not below `value`, which is not
 * negative. */
static inline int64_t round_up(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

static inline bool is_power_of_two(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/* Of two doubles, for qsort. */
static inline int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Between two of `count` sorted numbers where need be; count > 0. */
static inline double sorted_quantile(const double *sorted, size_t count, double q) {
  double at = q * (double)(count - 1);
  size_t below = (size_t)at;
  double above = sorted[below + 1 < count ? below + 1 : below];
  return sorted[below] + (above - sorted[below]) * (at - (double)below);
}

/* Of a power of two. */
static inline int log2_of(int64_t value) {
  return __builtin_ctzll((unsigned long long)value);
}

#endif
