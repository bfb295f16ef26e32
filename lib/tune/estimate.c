/* SPDX-License-Identifier: MIT */
/* See estimate.h. */
#include "tune/estimate.h"

#include "base/machine.h"

static const double clock_khz = 1.755e6;

double tune_estimate(const struct emulator_counts *counts) {
  const double busy[] = {
      (double)counts->global_bytes / 14.5,
      (double)counts->shared_bytes / 128,
      (double)counts->fmas / machine_default()->fmas_per_cycle,
      ((double)counts->accesses + (double)counts->lanes) / MACHINE_LANES,
  };
  double longest = 0, sum = 0, blocks = (double)counts->blocks;
  for (int i = 0; i < 4; i++) {
    longest = busy[i] > longest ? busy[i] : longest;
    sum += busy[i];
  }
  if (blocks < 1)
    return 0;
  double all = longest + (sum - longest) / 10 + 20 * (double)counts->barriers + 500 * blocks;
  double multiprocessors = machine_default()->multiprocessors;
  double most = (double)(uint64_t)((blocks + multiprocessors - 1) / multiprocessors);
  return all / blocks * most / clock_khz;
}
