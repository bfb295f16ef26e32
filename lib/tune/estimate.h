/* SPDX-License-Identifier: MIT */
/* What a launch on the emulator would take on an H100, roughly, from what it did
   (emulator/counts.h).

   Each of a multiprocessor's resources is busy for so many cycles of 1.755 GHz:

     global memory     bytes / 14.5               3.35 TB/s over 132 multiprocessors
     shared memory     bytes / 128                a cache line each cycle
     tensor cores      multiply-adds / fmas_per_cycle (base/machine.h)   989 TFLOP/s of f16
     instructions      accesses / 32 + (shuffles and operations of warps, in lanes) / 32

   They work concurrently, so that the longest of them counts, and a tenth of the others, since no
   overlap is perfect. To that come 20 cycles for each barrier of a block and 500 for its beginning.
   The grid's blocks are spread over 132 multiprocessors: the sum is that of an average block, times
   the blocks of the busiest multiprocessor.

   It is no simulation: latencies, caches, arithmetic and occupancy are left out. It tells traffic,
   waves and work on tensor cores apart, and it is the same in each run, for the emulator's counts
   are. */
#ifndef TILE_TUNE_ESTIMATE_H
#define TILE_TUNE_ESTIMATE_H

#include "emulator/counts.h"

/* Milliseconds. */
double tune_estimate(const struct emulator_counts *counts);

#endif
