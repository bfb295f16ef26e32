/* SPDX-License-Identifier: MIT */
/* LayerNorm and RMSNorm, forward and backward: what both references share. */
#ifndef TILE_TEST_KERNEL_NORMS_NORM_H
#define TILE_TEST_KERNEL_NORMS_NORM_H

#include "suite.h"

#define NORM_EPS 1e-5f
#define NORM_DROPOUT 0.25f

/* Mean (0 for RMSNorm) and 1 / deviation of a row. */
static inline void row_moments(const double *x, int n, bool rms, double *mean, double *rstd) {
  double sum = 0, square = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  *mean = rms ? 0 : sum / n;
  for (int i = 0; i < n; i++)
    square += (x[i] - *mean) * (x[i] - *mean);
  *rstd = 1 / sqrt(square / n + (double)NORM_EPS);
}

/* Whether element `column` of the row with that seed stays: seven rounds, as layer_norm.py draws.
 */
static inline bool is_kept(double seed, int column) {
  uint32_t words[4];
  philox((uint64_t)seed, (uint32_t)column, 7, words);
  return uniform_of(words[0]) > NORM_DROPOUT;
}

/* value / (1 - p) in the kernel's order, or 0. */
static inline double dropped(double value, double seed, int column) {
  return is_kept(seed, column) ? value / (1 - (double)NORM_DROPOUT) : 0;
}

#endif
